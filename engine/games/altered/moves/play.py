"""`play`: a card from the hand, the Reserve or the discard is declared, paid for and goes through Limbo.

Characters follow ALT-5.2.1, spells ALT-5.2.3.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force, triggers, values
from engine.core.effects.hidden_cards import effect_chance, held, possible
from engine.core.effects.host import Seen, Source, Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.places import at, place
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, in_hand, missing
from engine.core.text.errors import Malformed, Violation
from engine.core.text.interrupt import each
from engine.games.altered.editions import edition
from engine.games.altered.effects.declared import declarable
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    APRES_MIDI,
    DISCARD,
    EPUISE,
    EXPEDITIONS,
    FUGACE,
    HAND,
    LANDMARKS,
    LIMBO,
    MANA,
    NEXT,
    RESERVE,
    ROW,
    SEATS,
    exhausted,
    give,
    left_reserve,
    option,
    pay,
    ready,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons, left_to_ruling, unread_acts
from engine.games.altered.moves.turn import end_turn
from engine.games.altered.vocabulary import COOLDOWN, EXPEDITION, JOINS, PERMANENT, PERSONNAGE, PLAYED, SCOUT, SORT
from engine.games.altered.vocabulary import FUGACE as FLEETING

# What a card played for its Scout cost does besides (Complete Rules 3.0, 7.4.5).
SCOUTED = {"on": "played_hand", "do": [{"op": "to_reserve", "of": {"self": True}}]}


class Play(AlteredVerb):
    """`play`: play one card in the player's own turn, which ends it (ALT-1.3.2.d).

    Example: `{"by": "A", "do": "play", "args": {"card": "DEMO-ALT-001", "expedition": "heros"}}`.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`, `args.expedition` ("heros" or "compagnon") of a card that joins one, and `args.scout`.

        `args.scout` is true for a card played from hand for its Scout cost. `args.card` is the ref of a card in hand, a
        place of the Reserve (`A/reserve/1`) or a card of the discard (`A/discard/REF`). The chance is that of what the
        card sets off at once; choices are `answer` entries. Raises Malformed, codes `unknown_card` and `bad_value`.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "expedition", "scout"), ("card",))
        card, name = args["card"], args.get("expedition")
        elsewhere = tuple(f"{entry.by}/{zone}/" for zone in ("reserve", "discard"))
        if not (isinstance(card, str) and card.startswith(elsewhere)):
            card_ref(state, card, "args.card")
        if "expedition" in args and name not in EXPEDITIONS:
            known = ", ".join(EXPEDITIONS)
            raise Malformed("bad_value", f"expedition must be one of: {known}", path="args.expedition")
        if "scout" in args and args["scout"] is not True:
            raise Malformed("bad_value", "scout must be true or left out", path="args.scout")
        chosen = {
            "card": card,
            **({"expedition": name} if name else {}),
            **({"scout": True} if "scout" in args else {}),
        }
        return Move(entry.by, entry.do, chosen, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the turn, the card and where it is played from, its expedition, its price and its targets."""
        pick = str(move.args["card"])[:60]
        if move.by not in SEATS:
            return self.moment(state, move, APRES_MIDI, "ALT-5.1.1.b")
        card, path = found(state, move)
        reasons = self.turn(state, move, APRES_MIDI, "ALT-5.1.1.b", card=pick if card is None else card.ref)
        if card is None:
            if path in state.unknown:
                return reasons + missing("ALT-5.1.1.b", path)
            return [*reasons, Violation("ALT-5.1.1.b", {"seat": move.by, "place": pick}, why="empty")]
        if path == HAND[move.by]:
            reasons += held(state, move.by, card.ref)
        elif not comes_from(card, path):
            reasons.append(Violation("ALT-1.2.4.d.3", {"card": card.ref, "seat": move.by}))
        if card.kind not in PLAYED:
            return [*reasons, Violation("ALT-5.1.1.b", {"card": card.ref, "seat": move.by}, why="kind")]
        reasons += self.rested(state, move, card) + self.scouted(state, move, card, path)
        reasons += self.joining(state, card, move) + self.barred(state, move.by, card, path)
        return reasons + self.price(state, move, card, path) + self.aimed(state, move.by, card, path)

    def rested(self, state: State, move: Move, card: Card) -> Reasons:
        """Return why a card of the Reserve cannot be played: it is exhausted (ALT-2.4.5).

        A card in play that the engine cannot execute may allow it.
        """
        obj = lying(state, str(move.args["card"])) if "/" in str(move.args["card"]) else None
        if obj is None or state.where[obj] not in RESERVE.values() or unread_acts(state):
            return []
        unsaid = f"{place(state, obj)}.marks"
        if unsaid in state.unknown and edition(state).bars_exhausted:
            return missing("ALT-2.4.5", unsaid)
        return [Violation("ALT-2.4.5", {"card": card.ref, "seat": move.by})] if exhausted(state, obj) else []

    def scouted(self, state: State, move: Move, card: Card, path: str) -> Reasons:
        """Return why a card cannot be played for its Scout cost: it has none, or does not come from the hand."""
        if "scout" not in move.args or (path == HAND[move.by] and (SCOUT in card.figures or not card.executable)):
            return []
        return [Violation("ALT-5.1.1.b", {"card": card.ref, "seat": move.by}, why="scout")]

    def joining(self, state: State, card: Card, move: Move) -> Reasons:
        """Return why the expedition is missing or out of place (ALT-5.2.1.a)."""
        named = "expedition" in move.args
        if named == joins(card) or may_join(state, card):
            return []
        return [Violation("ALT-5.2.1.a", {"card": card.ref}, why="joins" if named else "expedition")]

    def barred(self, state: State, seat: str, card: Card, path: str) -> Reasons:
        """Return why the card may not be played: a card in play, or the card itself, forbids it."""
        source = forbidding(state, seat, card, path)
        if source is None:
            return []
        args: dict[str, str | int] = {"card": card.ref, "seat": seat, "source": source}
        return [Violation("ALT-5.1.1.b", args, why="itself" if source == card.ref else "forbidden")]

    def price(self, state: State, move: Move, card: Card, path: str) -> Reasons:
        """Return why the card cannot be paid for: too few ready orbs (ALT-1.2.5.c)."""
        seat = move.by
        due, orbs = price(state, seat, card, path, "scout" in move.args), len(state.zones[MANA[seat]])
        # The text of a card the engine cannot execute may change its cost, so its cost is not checked.
        if due <= orbs or not card.executable:
            return []
        if MANA[seat] in state.unknown:
            return missing("ALT-1.2.5.c", MANA[seat])
        depends_on = ("I-ALT-20",) if path in DISCARD.values() else ()
        return [Violation("ALT-1.2.5.c", {"card": card.ref, "cost": due, "seat": seat, "ready": orbs}, depends_on)]

    def aimed(self, state: State, seat: str, card: Card, path: str) -> Reasons:
        """Return why a spell cannot be declared: one of its targets has nothing to choose (ALT-5.2.3.b)."""
        if card.kind != SORT or can_aim(state, seat, card, path):
            return []
        rule = "ALT-5.2.3.c" if any("modes" in ability for ability in effects(card)) else "ALT-5.2.3.b"
        return [Violation(rule, {"card": card.ref}, ("I-ALT-18",), why="none")]

    def run(self, ctx: Context, move: Move) -> None:
        """Identify the card if it was hidden, then begin its declaration."""
        state = ctx.state
        card, path = found(state, move)
        assert card is not None, "check lets through only cards that are there"
        obj = lying(state, move.args["card"]) if path != HAND[move.by] else named(ctx, move.by, card.ref)
        assert obj is not None, "check lets through only cards that are there"
        if not card.executable or (not edition(state).later_words and (later(card) or "scout" in move.args)):
            left_to_ruling(ctx, move.by, card.ref)
        stack = Stack(ctx)
        # Pushed first, so that it resolves last: the turn ends once the card has resolved.
        end_turn(stack)
        if path == DISCARD[move.by]:
            ctx.depend_on("I-ALT-20")
        due = price(state, move.by, card, path, "scout" in move.args)
        cast: dict[str, Any] = {"step": "cast", "obj": obj, "by": move.by, "cost": due}
        cast |= {key: move.args[key] for key in ("expedition", "scout") if key in move.args}
        if card.kind == SORT:
            stack.push({"step": "spent", "obj": obj})
            self.declare(stack, card, Source(obj, move.by, 0, 0, LIMBO), cast)
        else:
            stack.push(cast)
        resolve(ctx, move, started=stack)

    def declare(self, stack: Stack, card: Card, giver: Source, cast: Frame) -> None:
        """Push what a spell does: its choices first, then the payment, then each of its lines as printed.

        Only the first line with targets or modes is declared; the lines around it resolve before and after it.
        """
        lines = effects(card)
        at_ = next((index for index, line in enumerate(lines) if "targets" in line or "modes" in line), len(lines))
        before, rest = operations(lines[:at_]), operations(lines[at_ + 1 :])
        if at_ == len(lines):
            if before:
                stack.push(triggers.doing(giver, before))
            stack.push(cast)
            return
        stack.push({
            "step": "declare", "ability": lines[at_], "src": list(giver), "chosen": 0, "base": 0, "then": cast,
            **({"before": before} if before else {}), **({"rest": rest} if rest else {}),
        })  # fmt: skip

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each playable card: those that are or may be in hand, in the Reserve, or playable from the discard."""
        seat = wanted.seat(state.seat)
        if state.phase != APRES_MIDI or state.agenda or state.result is not None or seat is None:
            return
        for pick, card, path in each(offered(state, seat)):
            if card.kind not in PLAYED or forbidding(state, seat, card, path) is not None:
                continue
            yield from (Move(seat, "play", {"card": pick, **way}) for way in ways(state, seat, card, path))


def ways(state: State, seat: str, card: Card, path: str) -> Iterator[dict[str, Any]]:
    """Yield each way to play a card that can be paid for, as the arguments beside the card."""
    scout = [{"scout": True}] if SCOUT in card.figures and path == HAND[seat] else []
    for cost in ({}, *scout):
        if card.executable and price(state, seat, card, path, bool(cost)) > len(state.zones[MANA[seat]]):
            continue
        if joins(card) or may_join(state, card):
            yield from ({"expedition": name, **cost} for name in EXPEDITIONS)
        if (not joins(card) or may_join(state, card)) and can_aim(state, seat, card, path):
            yield dict(cost)


def offered(state: State, seat: str) -> Iterator[tuple[str, Card, str]]:
    """Yield the cards a player may name: how an entry writes it, the card, and the zone it is played from."""
    yield from ((ref, state.terms.cards[ref], HAND[seat]) for ref in possible(state, seat))
    for obj in state.zones[RESERVE[seat]]:
        card = state.card(obj)
        if card is not None and (not exhausted(state, obj) or unread_acts(state)):
            yield place(state, obj), card, RESERVE[seat]
    pile = DISCARD[seat]
    for ref in dict.fromkeys(state.refs[obj] for obj in state.zones[pile]):
        if ref is not None and comes_from(state.terms.cards[ref], pile):
            yield f"{pile}/{ref}", state.terms.cards[ref], pile


def found(state: State, move: Move) -> tuple[Card | None, str]:
    """Return the card that a move names (None if there is none) and the zone it is played from."""
    pick = str(move.args["card"])
    # A bare ref is a card of the hand; places have a slash, which no ref has.
    if pick in state.terms.cards:
        return state.terms.cards[pick], HAND[move.by]
    obj = lying(state, pick) if pick.startswith(f"{move.by}/") else None
    path = DISCARD if pick.startswith(f"{DISCARD[move.by]}/") else RESERVE
    return (None if obj is None else state.card(obj)), path[move.by]


def lying(state: State, pick: str) -> int | None:
    """Return the card at a place of a Reserve, or the topmost card of a ref in a discard."""
    path, _, ref = pick.rpartition("/")
    if path not in DISCARD.values():
        return at(state, pick)
    return next((obj for obj in state.zones[path][::-1] if state.refs[obj] == ref), None)


def joins(card: Card) -> bool:
    """Whether a card joins an expedition: a character, or a Permanent that says so (Complete Rules 3.0, 5.2.2)."""
    return card.kind == PERSONNAGE or (card.kind == PERMANENT and card.words.get(JOINS) == EXPEDITION)


def may_join(state: State, card: Card) -> bool:
    """Whether a Permanent may join an expedition or not: only the text that the engine cannot execute says which.

    The rules of 2024 know none that does, so one is then left to a judge (I-ALT-17).
    """
    return card.kind == PERMANENT and (not card.executable or (joins(card) and not edition(state).later_words))


def later(card: Card) -> bool:
    """Whether a card has a word that the rules of 2024 do not define (I-ALT-17)."""
    return JOINS in card.words or any(word["kw"] == COOLDOWN for word in card.keywords)


def own_statics(card: Card, kind: str) -> Sequence[Tree]:
    """Return the printed static abilities of a kind, wherever the card is; none if the engine cannot execute it."""
    program = card.program
    return program.statics.get(kind, ()) if program is not None and program.sound else ()


def of_itself(state: State, seat: str, card: Card, path: str, kind: str) -> Sequence[Tree]:
    """Return the static abilities of a card about itself that hold in the zone it is played from (ALT-1.2.4.d.4)."""
    abilities = own_statics(card, kind)
    if not abilities:
        return ()
    # -1: a card still hidden in the hand has no object of its own yet, so it is considered by its ref.
    giver, there = Source(-1, seat, 0, 0, path), Seen(-1, path, card.ref)
    about = [static for static in abilities if static["to"].get("self")]
    return [static for static in about if values.applies(state, giver, static, there)]


def comes_from(card: Card, path: str) -> bool:
    """Whether a card may be played from a zone.

    From a discard, only if the card says so (ALT-1.2.4.d.3) or the engine cannot execute it, so that it might.
    """
    return path not in DISCARD.values() or not card.executable or bool(own_statics(card, "playable"))


def forbidding(state: State, seat: str, card: Card, path: str) -> str | None:
    """Return the ref of the card that forbids playing this one, which may be the card itself; None if nothing does."""
    for static in of_itself(state, seat, card, path, "forbid"):
        if static["forbid"] == "play":
            return card.ref
    return values.forbidding(state, "play", Seen(-1, path, card.ref))


def named(ctx: Context, seat: str, ref: str) -> int | None:
    """Take a card of the hand by its ref, identifying a hidden one."""
    obj, known = in_hand(ctx.state, seat, ref)
    if obj is not None and not known:
        ctx.emit("name", obj, ref)
    return obj


def price(state: State, seat: str, card: Card, path: str, scout: bool = False) -> int:
    """Return the cost of a card from where it is, with the effects in force and what the card says of its own cost.

    With `scout`, it is played for its Scout cost.
    """
    stored = path in RESERVE.values() or (path in DISCARD.values() and state.terms.options["I-ALT-20"] == "reserve")
    base = card.figures.get(SCOUT if scout else "reserve" if stored else "main", 0)
    there = Seen(-1, path, card.ref)
    for static in of_itself(state, seat, card, path, "cost"):
        base += int(static["cost"])
    for _, operation in awaited(state, seat, there):
        base += int(operation.get("cost", 0))
    return max(0, values.price(state, base, there), *_least(state, there))


def _least(state: State, card: Seen) -> Iterator[int]:
    """Yield what a card costs at least. Limits come after all that changes a cost (Complete Rules 3.0, 5.1.2.e)."""
    for giver, static in force.statics(state, "least"):
        if values.applies(state, giver, static, card):
            yield int(static["least"])


def awaited(state: State, seat: str, card: Seen) -> list[tuple[tuple[Any, ...], Tree]]:
    """Return the effects that await this card as the next one played: each lasting record with its operation."""
    found = []
    for record in state.lasting:
        if record[0] == NEXT and record[1] == seat:
            operation = _operation(record[2])
            if values.reaches(state, Source(record[5], seat, 0, 0, card.path), operation["of"], card):
                found.append((record, operation))
    return found


@lru_cache(maxsize=256)
def _operation(what: str) -> Tree:
    found: Tree = json.loads(what)
    return found


def effects(card: Card) -> list[Tree]:
    """Return the lines of a spell; none if the engine cannot execute all of it."""
    program = card.program
    return list(program.triggers.get("played", ())) if program is not None and program.sound else []


def operations(lines: Sequence[Tree]) -> list[Tree]:
    """Return what some lines of a spell do, in their order."""
    return [operation for line in lines for operation in line["do"]]


def can_aim(state: State, seat: str, card: Card, path: str) -> bool:
    """Whether a spell can be declared, from where it is played; any other card can."""
    giver = Source(-1, seat, 0, 0, LIMBO)
    if card.kind != SORT:
        return True
    due = price(state, seat, card, path)
    return all(declarable(state, giver, line, due) for line in effects(card))


def _cast(stack: Stack, frame: Frame) -> None:
    """Pay for the card and put it in Limbo; a character or a Permanent then enters play.

    From the Reserve it is Fleeting (ALT-5.2.1.b, ALT-5.2.3.h), but for Permanents (I-ALT-11); a card with the keyword
    Fugace is Fleeting wherever it comes from (ALT-5.2.3.i).
    """
    ctx, state, obj, by = stack.ctx, stack.ctx.state, int(frame["obj"]), str(frame["by"])
    card, origin = state.card(obj), state.where[obj]
    assert card is not None, "a card is named as it is played"
    played = Seen(obj, origin, card.ref)
    awaiting = awaited(state, by, played)
    pay(ctx, by, int(frame["cost"]))
    # Every card goes through Limbo, where it becomes Fleeting, even if it enters play at once.
    ctx.emit("move", obj, LIMBO, -1)
    if edition(state).bars_exhausted:  # in Limbo it is another object, without a status (Complete Rules 3.0, 2.4.1.d)
        ready(ctx, obj)
    stored = origin in RESERVE.values()
    if stored:
        triggered = left_reserve(state, played)
        if triggered:
            stack.host.set_off(stack, triggered)
    fleeting = stored and (card.kind != PERMANENT or "expedition" in frame)
    if fleeting or any(word["kw"] == FLEETING for word in card.keywords):
        give(ctx, obj, FUGACE)
    for record, _ in awaiting:
        ctx.emit("lapse", state.lasting.index(record))
    if card.kind == SORT:
        # A spell is never in play: those that watch for one react once it has resolved.
        triggers.after(stack, ("played", played))
        return
    if card.kind == PERMANENT and stored and not fleeting and option(ctx, "I-ALT-11") == "fleeting":
        give(ctx, obj, FUGACE)
    ctx.emit("move", obj, ROW[by, frame["expedition"]] if "expedition" in frame else LANDMARKS[by], -1)
    force.enter(ctx, obj)
    there = force.seen(state, obj)
    words = ("entered", "played", "played_reserve" if stored else "played_hand")
    triggers.after(stack, *((word, there) for word in words))
    if "scout" in frame and edition(state).later_words:
        stack.host.set_off(stack, [HOST.going(force.source(state, obj), SCOUTED)])
    then = [
        triggers.doing(Source(record[5], by, 0, 0, there.path, it=list(there)), operation["do"])
        for record, operation in awaiting
        if "do" in operation
    ]
    triggers.push(stack, then)


def _spent(stack: Stack, frame: Frame) -> None:
    """Send a resolved spell to the Reserve, or to the discard if it is Fleeting (ALT-5.2.3.j)."""
    ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
    stack.push({"step": "undeclare"})
    # Its own effect may have moved the spell elsewhere.
    if state.where[obj] == LIMBO:
        owner = state.owners[obj]
        fleeting = state.mark(obj, FUGACE)
        ctx.emit("move", obj, (DISCARD if fleeting else RESERVE)[owner], -1)
        force.leave(stack, obj)
        card = state.card(obj)
        cools = card is not None and any(word["kw"] == COOLDOWN for word in card.keywords)
        if cools and not fleeting and edition(state).later_words:
            give(ctx, obj, EPUISE)


# The fields of each frame as a declared position writes them; "?" marks an optional one.
FRAMES: Mapping[str, Mapping[str, str]] = {
    "cast": {"obj": "object", "by": "seat", "cost": "number", "expedition": "text?", "scout": "flag?"},
    "spent": {"obj": "object"},
}
HOST.steps.update({"cast": _cast, "spent": _spent})
