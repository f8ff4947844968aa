"""`quick`: the quick action of a card in play, or the support of a card in the Reserve (ALT-1.2.4.c, ALT-1.2.4.d)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force, values
from engine.core.effects.hidden_cards import effect_chance, held, possible
from engine.core.effects.host import Source, Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.places import at, place, read
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing
from engine.core.text.errors import Violation
from engine.core.text.interrupt import each
from engine.games.altered.editions import edition
from engine.games.altered.effects import prices
from engine.games.altered.effects.declared import declarable, limbo
from engine.games.altered.effects.host import IN_PLAY
from engine.games.altered.mat import APRES_MIDI, EPUISE, MANA, RESERVE, SEATS, exhausted
from engine.games.altered.moves.base import ACTING, AlteredVerb, Reasons, left_to_ruling


class Quick(AlteredVerb):
    """`quick`: use any number of quick actions in the player's own turn, before playing a card or passing."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a place in play or in the Reserve, or a ref, which may also be that of a card in hand."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card",), ("card",))
        zones = [path for path in ACTING if path.startswith(f"{entry.by}/")]
        return Move(entry.by, entry.do, {"card": read(state, args["card"], zones, "card")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the turn, that the card is the player's own and has an action where it is, the price and the targets.

        For a card the engine cannot execute, only the turn is checked.
        """
        pick = str(move.args["card"])[:60]
        obj, path = at(state, pick), pick.rpartition("/")[0]
        named = state.refs[obj] if obj is not None else None
        reasons = self.turn(state, move, APRES_MIDI, "ALT-1.2.4.c", card=named or pick)
        if move.by not in SEATS:
            return reasons
        # A ref that `parse` found neither in play nor in the Reserve names a card in hand.
        if obj is None and pick in state.terms.cards:
            return reasons + self.from_hand(state, move.by, state.terms.cards[pick])
        if obj is None and (path in state.unknown or pick in state.unknown):
            return reasons + missing("ALT-1.2.4.d", path if path in state.unknown else pick)
        if obj is None:
            return [*reasons, Violation("ALT-1.2.4.d", {"seat": move.by, "place": pick}, why="empty")]
        if not pick.startswith(f"{move.by}/"):
            return [*reasons, Violation("ALT-1.2.4.d", {"seat": move.by, "card": named or pick}, why="owner")]
        return reasons if unread(state, obj) else reasons + self.able(state, move.by, obj)

    def from_hand(self, state: State, seat: str, card: Card) -> Reasons:
        """Return why a card is not used from the hand; a card the engine cannot execute may say that it is."""
        if not card.executable:
            return held(state, seat, card.ref)
        return [Violation("ALT-1.2.4.d", {"seat": seat, "card": card.ref}, why="hand")]

    def able(self, state: State, seat: str, obj: int) -> Reasons:
        """Return why a card has no action here, or why the action cannot be used now."""
        action, card = action_of(state, obj), state.card(obj)
        if action is None or card is None:
            return [Violation("ALT-1.2.4.d", {"card": state.refs[obj] or "?", "place": place(state, obj)})]
        reasons: Reasons = []
        unsaid = f"{place(state, obj)}.marks"
        if edition(state).bars_exhausted and state.where[obj] in RESERVE.values() and unsaid in state.unknown:
            return missing("ALT-2.4.5", unsaid)
        if exhausted(state, obj):
            reasons.append(Violation("ALT-2.4.5", {"card": card.ref, "seat": seat}, why="support"))
        source_ = values.forbidding(state, "quick", force.seen(state, obj))
        if source_ is not None:
            args: dict[str, str | int] = {"card": card.ref, "seat": seat, "source": source_}
            reasons.append(Violation("ALT-1.2.4.c", args, why="forbidden"))
        if not values.holds(state, source(state, obj), action.get("if")):
            reasons.append(Violation("ALT-1.2.4.c", {"card": card.ref, "seat": seat}, why="condition"))
        if not declarable(state, source(state, obj), action, prices.orbs(cost(state, obj, card, action))):
            rule = "ALT-5.2.3.c" if "modes" in action else "ALT-5.2.3.b"
            reasons.append(Violation(rule, {"card": card.ref}, ("I-ALT-18",), why="none"))
        return reasons + self.price(state, seat, obj, card, action)

    def price(self, state: State, seat: str, obj: int, card: Card, action: Tree) -> Reasons:
        """Return why the action cannot be paid for: too few orbs, the card is exhausted, or another part is missing."""
        due = cost(state, obj, card, action)
        owed, orbs = prices.orbs(due), len(state.zones[MANA[seat]])
        if owed > orbs:
            if MANA[seat] in state.unknown:
                return missing("ALT-1.2.5.c", MANA[seat])
            return [Violation("ALT-1.2.5.c", {"card": card.ref, "cost": owed, "seat": seat, "ready": orbs})]
        if tired(state, obj, due):
            return [Violation("ALT-1.2.5.d", {"card": card.ref, "seat": seat})]
        unsaid = f"{place(state, obj)}.marks"
        if unsaid in state.unknown:
            return missing("ALT-1.2.5.d", unsaid)
        if prices.others_payable(state, source(state, obj), due):
            return []
        return [Violation("ALT-1.2.5.c", {"card": card.ref, "seat": seat, "cost": owed, "ready": orbs}, why="parts")]

    def run(self, ctx: Context, move: Move) -> None:
        """Choose the targets, pay, carry out the effect, then check reactions.

        The effect of a card the engine cannot execute is left to a ruling.
        """
        state, obj = ctx.state, at(ctx.state, move.args["card"])
        if obj is None or unread(state, obj):
            left_to_ruling(ctx, move.by, str(move.args["card"] if obj is None else state.refs[obj]))
            return
        card, action = state.card(obj), action_of(state, obj)
        assert card is not None and action is not None, "check lets through only cards with an action"
        stack = Stack(ctx)
        # Last in, first out: the declaration, then the targets are forgotten, then reactions are checked.
        limbo(stack)
        stack.push({"step": "undeclare"})
        src = list(source(state, obj))
        paid = {"step": "price", "src": src, "ability": action, "cost": printed(card, action)}
        stack.push({"step": "declare", "ability": action, "src": src, "chosen": 0, "base": 0, "then": paid})
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each action that can be paid and aimed, then each card in hand that the engine cannot execute.

        Cards in play or in the Reserve that the engine cannot execute are among the actions.
        """
        seat = wanted.seat(state.seat)
        if state.phase != APRES_MIDI or state.agenda or state.result is not None or seat is None:
            return
        standing = [obj for path in ACTING if path.startswith(f"{seat}/") for obj in state.zones[path]]
        yield from (
            Move(seat, "quick", {"card": place(state, obj)}) for obj in each(standing) if usable(state, seat, obj)
        )
        # A ref is read as the card in play or in the Reserve, so the same card in hand cannot be named.
        named = [state.refs[obj] for obj in standing]
        for ref in each(possible(state, seat)):
            if not state.terms.cards[ref].executable and ref not in named:
                yield Move(seat, "quick", {"card": ref})


def usable(state: State, seat: str, obj: int) -> bool:
    """Whether a card in play or in the Reserve has an action that can be used now, or may have one."""
    action, card = action_of(state, obj), state.card(obj)
    if unread(state, obj) or action is None or card is None:
        return unread(state, obj)
    if exhausted(state, obj):
        return False
    barred = values.forbidding(state, "quick", force.seen(state, obj)) is not None
    giver = source(state, obj)
    ready = prices.payable(state, giver, cost(state, obj, card, action)) and values.holds(
        state, giver, action.get("if")
    )
    due = prices.orbs(cost(state, obj, card, action))
    return ready and not barred and declarable(state, giver, action, due)


def unread(state: State, obj: int) -> bool:
    """Whether the engine cannot execute this card and it lies where it may have an action."""
    card = state.card(obj)
    return card is not None and not card.executable and state.where[obj] in ACTING


def action_of(state: State, obj: int) -> Tree | None:
    """Return the quick action of a card where it is: its support in the Reserve, else its own (ALT-1.2.4.d).

    Of several actions, it is the first one whose condition holds.
    """
    stored = state.where[obj] in RESERVE.values()
    if not stored and state.where[obj] not in IN_PLAY:
        return None
    program = force.own_program(state, obj) if stored else force.active(state, obj)
    lines = () if program is None else program.triggers.get("support" if stored else "activated", ())
    if len(lines) < 2:
        return lines[0] if lines else None
    return next((line for line in lines if values.holds(state, source(state, obj), line.get("if"))), lines[0])


def source(state: State, obj: int) -> Source:
    """Return a card in play or in the Reserve as the source of its action."""
    return force.source(state, obj)


def printed(card: Card, action: Tree) -> int:
    """Return the orbs printed as the cost of an action, 0 if its ability has another price or exhausts the card."""
    return 0 if "cost" in action else card.figures.get("quick", 0)


def cost(state: State, obj: int, card: Card, action: Tree) -> Any:
    """Return the price of an action. A support costs nothing else, as the card is discarded for it."""
    if state.where[obj] in RESERVE.values():
        return 0
    return printed(card, action) or action.get("cost", {"exhaust": True})


def tired(state: State, obj: int, due: Any) -> bool:
    """Whether an action exhausts its card and the card is already exhausted."""
    return bool(prices.parts(due).get("exhaust")) and bool(state.mark(obj, EPUISE))
