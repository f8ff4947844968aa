"""`quick`: a quick action of a card in play, or the support of a card of the Réserve (ALT-1.2.4.c, ALT-1.2.4.d)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Frame, Stack
from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force, values
from engine.core.effects.host import Source
from engine.core.effects.interpreter import resolve
from engine.core.effects.language import Tree
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.places import at, place, read
from engine.core.state import State
from engine.core.verbs import arguments, missing
from engine.games.altered.effects.declared import declarable, limbo
from engine.games.altered.effects.host import HOST, IN_PLAY
from engine.games.altered.mat import APRES_MIDI, DISCARD, EPUISE, MANA, RESERVE, SEATS, depart, give, pay
from engine.games.altered.moves.base import AlteredVerb, Reasons


class Quick(AlteredVerb):
    """`quick`: any number of them in one's own turn, before a card is played or the player passes."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: the place of a card in play or in the Réserve, or its ref."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card",), ("card",))
        zones = [path for path in (*IN_PLAY, *RESERVE.values()) if path.startswith(f"{entry.by}/")]
        return Move(entry.by, entry.do, {"card": read(state, args["card"], zones, "card")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """One's own turn, a card of one's own with such an action where it is, the whole price, targets to choose."""
        pick = str(move.args["card"])[:60]
        reasons = self.turn(state, move, APRES_MIDI, "ALT-1.2.4.c", card=pick)
        if move.by not in SEATS:
            return reasons
        obj = at(state, pick)
        path = pick.rpartition("/")[0]
        if obj is None and (path in state.unknown or pick in state.unknown):
            return reasons + missing("ALT-1.2.4.d", path if path in state.unknown else pick)
        action = None if obj is None else action_of(state, obj)
        if obj is None or not pick.startswith(f"{move.by}/") or action is None:
            return [*reasons, Violation("ALT-1.2.4.d", {"card": pick})]
        card = state.card(obj)
        assert card is not None, "only a known card has an action"
        args: dict[str, str | int] = {"card": card.ref, "seat": move.by}
        if values.forbidding(state, "quick", force.seen(state, obj)) is not None:
            reasons.append(Violation("ALT-1.2.4.c", args))
        if not declarable(state, source(state, obj), action):
            reasons.append(Violation("ALT-5.2.3.b", {"card": card.ref, "pick": "-"}, ("I-ALT-18",)))
        return reasons + self.price(state, move.by, obj, card)

    def price(self, state: State, seat: str, obj: int, card: Card) -> Reasons:
        """Why it cannot be paid for: orbs, or a card that is exhausted already."""
        due, orbs = cost(state, obj, card), len(state.zones[MANA[seat]])
        if due > orbs:
            if MANA[seat] in state.unknown:
                return missing("ALT-1.2.5.c", MANA[seat])
            return [Violation("ALT-1.2.5.c", {"card": card.ref, "cost": due, "seat": seat, "ready": orbs})]
        if tired(state, obj, card):
            return [Violation("ALT-1.2.5.d", {"card": card.ref})]
        unsaid = f"{place(state, obj)}.marks"
        return missing("ALT-1.2.5.d", unsaid) if unsaid in state.unknown else []

    def run(self, ctx: Context, move: Move) -> None:
        """Its targets, its price, its effect; then reactions are checked."""
        state, obj = ctx.state, at(ctx.state, move.args["card"])
        assert obj is not None, "check lets through only cards that are there"
        card, action = state.card(obj), action_of(state, obj)
        assert card is not None and action is not None, "check lets through only cards with an action"
        stack = Stack(ctx)
        limbo(stack)
        stack.push({"step": "undeclare"})
        paid = {"step": "price", "obj": obj, "by": move.by, "cost": cost(state, obj, card)}
        stack.push({
            "step": "declare", "ability": action, "src": list(source(state, obj)), "chosen": 0, "base": 0, "then": paid,
        })  # fmt: skip
        resolve(ctx, move, started=stack)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every action that can be paid and aimed."""
        seat = state.seat
        if state.phase != APRES_MIDI or state.agenda or state.result is not None or seat is None:
            return
        for path in (*IN_PLAY, *RESERVE.values()):
            for obj in state.zones[path] if path.startswith(f"{seat}/") else ():
                action, card = action_of(state, obj), state.card(obj)
                if action is None or card is None or tired(state, obj, card):
                    continue
                barred = values.forbidding(state, "quick", force.seen(state, obj)) is not None
                payable = cost(state, obj, card) <= len(state.zones[MANA[seat]])
                if payable and not barred and declarable(state, source(state, obj), action):
                    yield Move(seat, "quick", {"card": place(state, obj)})


def action_of(state: State, obj: int) -> Tree | None:
    """What a card does as a quick action where it is: its support in the Réserve, else its own (ALT-1.2.4.d)."""
    stored = state.where[obj] in RESERVE.values()
    if not stored and state.where[obj] not in IN_PLAY:
        return None
    program = force.own_program(state, obj) if stored else force.active(state, obj)
    lines = () if program is None else program.triggers.get("support" if stored else "activated", ())
    return lines[0] if lines else None


def source(state: State, obj: int) -> Source:
    """A card in play or in the Réserve as the source of its action."""
    return force.source(state, obj)


def cost(state: State, obj: int, card: Card) -> int:
    """The orbs of an action in play; a support costs none, the card is discarded for it."""
    return 0 if state.where[obj] in RESERVE.values() else card.figures.get("quick", 0)


def tired(state: State, obj: int, card: Card) -> bool:
    """Whether a card that is exhausted for its action is so already."""
    return bool(state.mark(obj, EPUISE)) and not cost(state, obj, card)


def _price(stack: Stack, frame: Frame) -> None:
    """Orbs, or the card itself: exhausted in play, discarded from the Réserve."""
    ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
    if frame["cost"]:
        pay(ctx, str(frame["by"]), int(frame["cost"]))
    elif state.where[obj] in RESERVE.values():
        depart(stack, obj, DISCARD[state.owners[obj]])
    else:
        give(ctx, obj, EPUISE)


HOST.steps["price"] = _price
