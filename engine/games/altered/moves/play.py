"""`play`: a card from the hand, the Réserve or where it says, declared, paid, through Limbo (ALT-5.2.1, ALT-5.2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.agenda import Frame, Stack
from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Seen, Source
from engine.core.effects.interpreter import resolve
from engine.core.effects.language import Tree
from engine.core.errors import Malformed, Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance, held, possible
from engine.core.log import Entry
from engine.core.places import at, place
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, in_hand, missing
from engine.games.altered.effects.declared import declarable
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    APRES_MIDI,
    DISCARD,
    EXPEDITIONS,
    FUGACE,
    HAND,
    LANDMARKS,
    LIMBO,
    MANA,
    RESERVE,
    ROW,
    SEATS,
    give,
    option,
    pay,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons, left_to_ruling
from engine.games.altered.moves.turn import end_turn
from engine.games.altered.vocabulary import FUGACE as FLEETING
from engine.games.altered.vocabulary import PERMANENT, PERSONNAGE, PLAYED, SORT


class Play(AlteredVerb):
    """`play`: in one's own turn, one card, which ends it (ALT-1.3.2.d)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: a ref, from the hand, a place of the Réserve, or a card of the discard (`A/discard/REF`).

        `args.expedition` is that of a character.

        The chance is what it sets going at once; choices are `answer` entries.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "expedition"), ("card",))
        card, name = args["card"], args.get("expedition")
        elsewhere = tuple(f"{entry.by}/{zone}/" for zone in ("reserve", "discard"))
        if not (isinstance(card, str) and card.startswith(elsewhere)):
            card_ref(state, card, "args.card")
        if "expedition" in args and name not in EXPEDITIONS:
            known = ", ".join(EXPEDITIONS)
            raise Malformed("bad_value", f"expedition is one of: {known}", path="args.expedition")
        return Move(entry.by, entry.do, {"card": card, **({"expedition": name} if name else {})}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """One's own turn; the card there; its expedition; its price; targets to choose."""
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
        reasons += self.joining(card, move) + self.barred(state, move.by, card, path)
        return reasons + self.price(state, move.by, card, path) + self.aimed(state, move.by, card)

    def joining(self, card: Card, move: Move) -> Reasons:
        """Whether the expedition is named by a card that joins one; of a Permanent nobody can read, who knows?"""
        named = "expedition" in move.args
        if named == (card.kind == PERSONNAGE) or (card.kind == PERMANENT and not card.executable):
            return []
        return [Violation("ALT-5.2.1.a", {"card": card.ref}, why="joins" if named else "expedition")]

    def barred(self, state: State, seat: str, card: Card, path: str) -> Reasons:
        """Whether a card, or the card itself, says that it is not played."""
        source = forbidding(state, seat, card, path)
        if source is None:
            return []
        args: dict[str, str | int] = {"card": card.ref, "seat": seat, "source": source}
        return [Violation("ALT-5.1.1.b", args, why="itself" if source == card.ref else "forbidden")]

    def price(self, state: State, seat: str, card: Card, path: str) -> Reasons:
        """Whether there are orbs enough (ALT-1.2.5.c); nobody knows what a card costs that nobody can read."""
        due, orbs = price(state, seat, card, path), len(state.zones[MANA[seat]])
        if due <= orbs or not card.executable:
            return []
        if MANA[seat] in state.unknown:
            return missing("ALT-1.2.5.c", MANA[seat])
        leans = ("I-ALT-20",) if path in DISCARD.values() else ()
        return [Violation("ALT-1.2.5.c", {"card": card.ref, "cost": due, "seat": seat, "ready": orbs}, leans)]

    def aimed(self, state: State, seat: str, card: Card) -> Reasons:
        """Whether every target of a spell can be chosen (ALT-5.2.3.b)."""
        if card.kind != SORT or can_aim(state, seat, card):
            return []
        rule = "ALT-5.2.3.c" if any("modes" in ability for ability in effects(card)) else "ALT-5.2.3.b"
        return [Violation(rule, {"card": card.ref}, ("I-ALT-18",), why="none")]

    def run(self, ctx: Context, move: Move) -> None:
        """Names the card if it was hidden, then its declaration begins."""
        state = ctx.state
        card, path = found(state, move)
        assert card is not None, "check lets through only cards that are there"
        obj = lying(state, move.args["card"]) if path != HAND[move.by] else named(ctx, move.by, card.ref)
        assert obj is not None, "check lets through only cards that are there"
        if not card.executable:
            left_to_ruling(ctx, move.by, card.ref)
        stack = Stack(ctx)
        end_turn(stack)
        if path == DISCARD[move.by]:
            ctx.lean("I-ALT-20")
        cast: dict[str, Any] = {"step": "cast", "obj": obj, "by": move.by, "cost": price(state, move.by, card, path)}
        if "expedition" in move.args:
            cast["expedition"] = move.args["expedition"]
        if card.kind == SORT:
            stack.push({"step": "spent", "obj": obj})
            self.declare(stack, card, Source(obj, move.by, 0, 0, LIMBO), cast)
        else:
            stack.push(cast)
        resolve(ctx, move, started=stack)

    def declare(self, stack: Stack, card: Card, giver: Source, cast: Frame) -> None:
        """A spell: what is chosen first, then the price, then each of its lines as printed."""
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

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card that is or may be in hand, in the Réserve, or that may be played from the discard."""
        seat = state.seat
        if state.phase != APRES_MIDI or state.agenda or state.result is not None or seat is None:
            return
        for pick, card, path in offered(state, seat):
            unpaid = card.executable and price(state, seat, card, path) > len(state.zones[MANA[seat]])
            if card.kind not in PLAYED or unpaid or forbidding(state, seat, card, path) is not None:
                continue
            if card.kind == PERSONNAGE or (card.kind == PERMANENT and not card.executable):
                yield from (Move(seat, "play", {"card": pick, "expedition": name}) for name in EXPEDITIONS)
            if card.kind == PERMANENT or (card.kind == SORT and can_aim(state, seat, card)):
                yield Move(seat, "play", {"card": pick})


def offered(state: State, seat: str) -> Iterator[tuple[str, Card, str]]:
    """What a player may name to play: how an entry writes it, the card, and the zone it comes from."""
    yield from ((ref, state.terms.cards[ref], HAND[seat]) for ref in possible(state, seat))
    for obj in state.zones[RESERVE[seat]]:
        card = state.card(obj)
        if card is not None:
            yield place(state, obj), card, RESERVE[seat]
    pile = DISCARD[seat]
    for ref in dict.fromkeys(state.refs[obj] for obj in state.zones[pile]):
        if ref is not None and comes_from(state.terms.cards[ref], pile):
            yield f"{pile}/{ref}", state.terms.cards[ref], pile


def found(state: State, move: Move) -> tuple[Card | None, str]:
    """The card a move names, and the zone it is played from."""
    pick = str(move.args["card"])
    if pick in state.terms.cards:
        return state.terms.cards[pick], HAND[move.by]
    obj = lying(state, pick) if pick.startswith(f"{move.by}/") else None
    path = DISCARD if pick.startswith(f"{DISCARD[move.by]}/") else RESERVE
    return (None if obj is None else state.card(obj)), path[move.by]


def lying(state: State, pick: str) -> int | None:
    """The card of a Réserve by its place, or of a discard by its ref."""
    path, _, ref = pick.rpartition("/")
    if path not in DISCARD.values():
        return at(state, pick)
    return next((obj for obj in state.zones[path][::-1] if state.refs[obj] == ref), None)


def own_statics(card: Card, kind: str) -> Sequence[Tree]:
    """What a card says of that kind wherever it is, if the engine executes it whole."""
    program = card.program
    return program.statics.get(kind, ()) if program is not None and program.sound else ()


def of_itself(state: State, seat: str, card: Card, path: str, kind: str) -> Sequence[Tree]:
    """What a card says of itself, which also holds where it is played from (ALT-1.2.4.d.4)."""
    said = own_statics(card, kind)
    if not said:
        return ()
    giver, there = Source(-1, seat, 0, 0, path), Seen(-1, path, card.ref)
    about = [static for static in said if static["to"].get("self")]
    return [static for static in about if values.reaches(state, giver, static["to"], there)]


def comes_from(card: Card, path: str) -> bool:
    """Whether a card may be played from a zone: from a discard only if it says so, or nobody can read it."""
    return path not in DISCARD.values() or not card.executable or bool(own_statics(card, "playable"))


def forbidding(state: State, seat: str, card: Card, path: str) -> str | None:
    """The ref of the card that keeps one from being played; it may be its own."""
    for static in of_itself(state, seat, card, path, "forbid"):
        if static["forbid"] == "play":
            return card.ref
    return values.forbidding(state, "play", Seen(-1, path, card.ref))


def named(ctx: Context, seat: str, ref: str) -> int | None:
    """A card of the hand, named if it was hidden."""
    obj, known = in_hand(ctx.state, seat, ref)
    if obj is not None and not known:
        ctx.emit("name", obj, ref)
    return obj


def price(state: State, seat: str, card: Card, path: str) -> int:
    """What a card costs from where it is, with what is in force and what it says of its own price."""
    stored = path in RESERVE.values() or (path in DISCARD.values() and state.terms.options["I-ALT-20"] == "reserve")
    base = card.figures.get("reserve" if stored else "main", 0)
    for static in of_itself(state, seat, card, path, "cost"):
        base += int(static["cost"])
    return max(0, values.price(state, base, Seen(-1, path, card.ref)))


def effects(card: Card) -> list[Tree]:
    """The lines of a spell, if the engine executes them all."""
    program = card.program
    return list(program.triggers.get("played", ())) if program is not None and program.sound else []


def operations(lines: Sequence[Tree]) -> list[Tree]:
    """What some lines of a spell do, in their order."""
    return [operation for line in lines for operation in line["do"]]


def can_aim(state: State, seat: str, card: Card) -> bool:
    """Whether a spell can be declared."""
    giver = Source(-1, seat, 0, 0, LIMBO)
    return card.kind != SORT or all(declarable(state, giver, line) for line in effects(card))


def _cast(stack: Stack, frame: Frame) -> None:
    """The price is paid at once, and the card goes to Limbo, Fleeting if it comes from the Réserve."""
    ctx, state, obj, by = stack.ctx, stack.ctx.state, int(frame["obj"]), str(frame["by"])
    card, origin = state.card(obj), state.where[obj]
    assert card is not None, "a card is named as it is played"
    pay(ctx, by, int(frame["cost"]))
    ctx.emit("move", obj, LIMBO, -1)
    stored = origin in RESERVE.values()
    if (stored and card.kind != PERMANENT) or any(word["kw"] == FLEETING for word in card.keywords):
        give(ctx, obj, FUGACE)
    if card.kind == SORT:
        return
    if card.kind == PERMANENT and stored and option(ctx, "I-ALT-11") == "fleeting":
        give(ctx, obj, FUGACE)
    ctx.emit("move", obj, ROW[by, frame["expedition"]] if "expedition" in frame else LANDMARKS[by], -1)
    force.enter(ctx, obj)
    there = force.seen(state, obj)
    words = ("entered", "played", "played_reserve" if stored else "played_hand")
    triggers.after(stack, *((word, there) for word in words))


def _spent(stack: Stack, frame: Frame) -> None:
    """A resolved spell goes to the Réserve, a Fleeting one to the discard (ALT-5.2.3.j)."""
    ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
    stack.push({"step": "undeclare"})
    if state.where[obj] == LIMBO:
        owner = state.owners[obj]
        fleeting = state.mark(obj, FUGACE)
        ctx.emit("move", obj, (DISCARD if fleeting else RESERVE)[owner], -1)
        force.leave(stack, obj)


FRAMES: Mapping[str, Mapping[str, str]] = {
    "cast": {"obj": "object", "by": "seat", "cost": "number", "expedition": "text?"},
    "spent": {"obj": "object"},
}
HOST.steps.update({"cast": _cast, "spent": _spent})
