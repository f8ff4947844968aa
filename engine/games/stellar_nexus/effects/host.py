"""Stellar Nexus's hooks for the effect interpreter: zones, durations, control, death and the order of triggers."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force
from engine.core.effects.host import Host, Place, Source, Stack
from engine.core.effects.interpreter import equip
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.stellar_nexus.effects import operations
from engine.games.stellar_nexus.mat import (
    EQUIPMENT,
    FIELD,
    GRAVEYARD,
    HAND,
    HERO,
    MARKER,
    PV,
    RESOURCES,
    SEATS,
    bury,
    controller,
    exile,
    shed,
)
from engine.games.stellar_nexus.vocabulary import FIGHTING, JETON

IN_PLAY = {zone[seat]: Place(seat, 0, 0) for zone in (HERO, FIELD, EQUIPMENT, RESOURCES) for seat in SEATS}
PLACES = {**IN_PLAY, **{zone[seat]: Place(seat, 0, 0) for zone in (HAND, GRAVEYARD) for seat in SEATS}}


class StellarHost(Host):
    """The `Host` of Stellar Nexus. `HOST` is its only instance."""

    seats = SEATS
    places = PLACES
    zones = {
        "field": tuple(FIELD.values()),
        "equipment": tuple(EQUIPMENT.values()),
        "resources": tuple(RESOURCES.values()),
        "discard": tuple(GRAVEYARD.values()),
    }
    in_play = IN_PLAY
    counters = {"pv": PV}

    def __init__(self) -> None:
        super().__init__()
        equip(self)
        self.plain["cancel"] = operations.cancel
        self.targeted.update(operations.TARGETED)

    def decided(self, state: State) -> bool:
        """Whether a hero is at 0 PV (STN-VIC-1), in which case waiting effects do not resolve."""
        if state.result is not None:
            return True
        counters = state.counters
        # The usual case, kept fast: this runs after every frame.
        if not state.unknown:
            return not (counters[PV["A"]] and counters[PV["B"]])
        return any(path not in state.unknown and not counters[path] for path in PV.values())

    def until(self, state: State, seat: str, word: str) -> int | str:
        """Return when a duration ends; where the card gives none, at the end of the turn (STN-EPH-1, STN-CAP-1)."""
        # "permanent" is the core's default for an operation without a duration; no card of this game writes it.
        return super().until(state, seat, "turn" if word == "permanent" else word)

    def player(self, state: State, obj: int) -> str:
        """An equipment serves the player who controls its creature (STN-EQU-1)."""
        return controller(state, obj)

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """Only creatures and tokens can come back from a graveyard."""
        if operation["op"] != "resurrect":
            return pool
        cards = state.terms.cards
        return [option for option in pool if cards[option.rpartition("/")[2]].kind in FIGHTING]

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """Add PV, which have no upper bound."""
        if points:
            ctx.emit("counter", path, points)

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """Take PV away, down to 0."""
        loss = min(points, stack.ctx.state.counters[path])
        if loss:
            stack.ctx.emit("counter", path, -loss)

    def discards(self, stack: Stack, giver: Source, seat: str) -> tuple[str, Sequence[str]]:
        """A discarded card goes to its player's graveyard."""
        return seat, ["graveyard"]

    def pile(self, state: State, obj: int, to: str) -> str:
        """Return the owner's graveyard, the only pile there is."""
        return GRAVEYARD[state.owners[obj]]

    def forget(self, ctx: Context, obj: int) -> None:
        """Forget a creature that leaves; the attacker it was blocking stays noted as blocked (I-STN-18)."""
        super().forget(ctx, obj)
        state = ctx.state
        if state.noted("blocking", obj) and obj in state.hosts:
            ctx.emit("note", "blocked", state.hosts[obj])

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """Move a creature to its owner's graveyard (STN-JET-1), without its marks (STN-DIV-4).

        Returns True: it always counts as destroyed.
        """
        bury(stack.ctx, obj)
        force.leave(stack, obj)
        return True

    def added(self, state: State, obj: int, key: str) -> int:
        """Each marker adds 1 to attack and endurance."""
        return state.mark(obj, MARKER)

    def left(self, stack: Stack, obj: int) -> None:
        """Take the equipment off a creature that left (I-STN-23), and remove a token that was returned to a hand.

        What the card gave to others is gone too, so another creature may be left without endurance.
        """
        if force.own_program(stack.ctx.state, obj) is not None:
            stack.push({"step": "wilt"})
        for other in shed(stack.ctx, obj):
            force.leave(stack, other)
        card = stack.ctx.state.card(obj)
        if card is not None and card.kind == JETON and stack.ctx.state.where[obj] in HAND.values():
            exile(stack.ctx, obj)

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """Push abilities set off together, in the order of I-STN-25; those of a fight wait as I-STN-31 says."""
        ctx = stack.ctx
        if len(frames) > 1 and len({frame["src"][0] for frame in frames}) > 1:
            ctx.depend_on("I-STN-25")
            if ctx.state.terms.options["I-STN-25"] == "active":
                frames = sorted(frames, key=lambda frame: frame["src"][1] != ctx.state.seat)
        if any(frame["step"] == "clash" for frame in stack.frames):
            ctx.depend_on("I-STN-31")
            if ctx.state.terms.options["I-STN-31"] == "after":
                # Right above the end of the fight on the stack, so after every confrontation that is left.
                over = [frame["step"] for frame in stack.frames].index("fought") + 1
                stack.frames[over:over] = reversed(frames)
                return
        super().set_off(stack, frames)

    def slots(self, ctx: Context, frame: Frame) -> list[str]:
        """A creature put in play goes to its player's field."""
        return [FIELD[frame["by"]]]

    def placed(self, stack: Stack, frame: Frame, path: str) -> None:
        """Have a creature put in play wait a turn to attack (STN-CRE-2, I-STN-21) and leave its fight (STN-CBT-2)."""
        ctx, obj = stack.ctx, int(frame["obj"])
        operations.undo_action(stack, obj)
        if frame["how"] == "resurrect":
            renew(ctx, obj)
        ctx.depend_on("I-STN-21")
        if ctx.state.terms.options["I-STN-21"] == "all" and not ctx.state.noted("arrived", obj):
            ctx.emit("note", "arrived", obj)
        operations.fade(stack, frame.get("src"), obj)

    def token_slots(self, state: State, giver: Source, card: Card) -> list[str] | None:
        """Return the player's field; None if the card is not a token."""
        return [FIELD[giver.seat]] if card.kind == JETON else None


def renew(ctx: Context, obj: int, *, unsure: bool = False) -> None:
    """Allow a card that comes back into play to use its ability again this turn, if I-STN-24 says so.

    With `unsure`, another copy may have been played instead, so it is allowed in any case.
    """
    if ctx.state.noted("activated", obj):
        ctx.depend_on("I-STN-24")
        if unsure or ctx.state.terms.options["I-STN-24"] == "again":
            ctx.emit("clear", "activated", obj)


HOST = StellarHost()
HOST.steps["wilt"] = operations.wilt
