"""Wakfu's hooks for the effect interpreter: zones, counters, targets, and draws from a short deck."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.abilities.language import Tree
from engine.core.effects import force, knowledge
from engine.core.effects.host import Host, Place, Source, Stack
from engine.core.effects.interpreter import equip
from engine.core.effects.values import object_at
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.wakfu.moves.mat import (
    ATTACKS,
    BLOCKS,
    DECK,
    DISCARD,
    ENGAGED,
    FIGHT,
    GEAR,
    HAND,
    LEADER,
    OTHER,
    PV,
    REST,
    SEATS,
    SICK,
    engage,
    fights,
    roomy,
    unmark,
)
from engine.games.wakfu.vocabulary import EFFECT, EQUIPMENT

IN_PLAY = {zone[seat]: Place(seat, 0, 0) for zone in (LEADER, GEAR, REST, FIGHT) for seat in SEATS}
PLACES = {**IN_PLAY, **{zone[seat]: Place(seat, 0, 0) for zone in (HAND, DISCARD) for seat in SEATS}}
FIXED = ("destroy", "return", "control", "move")  # operations that cannot be applied to a leader


class WakfuHost(Host):
    """The `Host` of Wakfu. `HOST` is its only instance."""

    seats = SEATS
    places = PLACES
    zones = {
        "combat": tuple(FIGHT.values()),
        "rest": tuple(REST.values()),
        "mat": (*FIGHT.values(), *REST.values()),
        "leader": tuple(LEADER.values()),
        "equipment": tuple(GEAR.values()),
        "discard": tuple(DISCARD.values()),
    }
    veiled = ("discard",)  # a Drop nobody recorded leaves unknown cards there
    in_play = IN_PLAY
    counters = {"pv": PV}

    def __init__(self) -> None:
        super().__init__()
        equip(self)
        self.steps["drawn"] = _drawn_step
        self.targeted["exhaust"] = _exhaust
        self.targeted["ready"] = _ready

    def decided(self, state: State) -> bool:
        """Whether a leader is at 0 PV (WAK-VIC-1), in which case waiting effects do not resolve."""
        if state.result is not None:
            return True
        counters = state.counters
        # The usual case, kept fast: this runs after every frame.
        if not state.unknown:
            return not (counters[PV["A"]] and counters[PV["B"]])
        return any(not counters[path] and path not in state.unknown for path in PV.values())

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """Exclude leaders, cards that cannot be put in play, and moves for which there is no room."""
        # Effects are never in play, and an equipment would need a leader to go to.
        if operation["op"] == "resurrect":
            return [option for option in pool if _kind(state, option) not in (EFFECT, EQUIPMENT)]
        if operation["op"] == "move":
            return [option for option in pool if option not in LEADER.values() and _movable(state, option)]
        return [option for option in pool if operation["op"] not in FIXED or option not in LEADER.values()]

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """Push effects that one event sets off together, in the order of I-WAK-24."""
        if len(frames) > 1 and len({frame["src"][0] for frame in frames}) > 1:
            state = stack.ctx.state
            stack.ctx.depend_on("I-WAK-24")
            if state.terms.options["I-WAK-24"] == "active":
                frames = sorted(frames, key=lambda frame: frame["src"][1] != state.seat)
        super().set_off(stack, frames)

    def cited(self, operation: Tree) -> str:
        """Return the rule cited for a wrong target: a card's text says what it may target, and beats the rules."""
        return "WAK-OR-1"

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
        """A discarded card goes to its player's discard."""
        return seat, ["discard"]

    def pile(self, state: State, obj: int, to: str) -> str:
        """Return the owner's discard, the only pile there is."""
        return DISCARD[state.owners[obj]]

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """Move a card to its owner's discard (WAK-6-4). It always counts as destroyed."""
        stack.ctx.emit("move", obj, DISCARD[stack.ctx.state.owners[obj]], -1)
        force.leave(stack, obj)
        return True

    def slots(self, ctx: Context, frame: Frame) -> list[str]:
        """Return where a card is put: by `move` in the other zone of its side, otherwise in its player's rest zone."""
        seat, obj = str(frame["by"]), int(frame["obj"])
        if frame["how"] != "move":
            return [REST[seat]]
        state = ctx.state
        side = state.where[obj][0]
        return [REST[side] if state.where[obj] == FIGHT[side] else FIGHT[side]]

    def placed(self, stack: Stack, frame: Frame, path: str) -> None:
        """Take the card out of the combat under way; unless it only moved, it has summoning sickness (WAK-2-5)."""
        ctx, obj = stack.ctx, int(frame["obj"])
        unmark(ctx, obj, ATTACKS, BLOCKS)
        if frame["how"] != "move" and fights(ctx.state, obj) and not ctx.state.mark(obj, SICK):
            ctx.emit("mark", obj, SICK, 1)


def _kind(state: State, option: str) -> str:
    return state.terms.cards[option.rpartition("/")[2]].kind


def _movable(state: State, option: str) -> bool:
    """Whether a card is a creature or an ally and has room where it would go (WAK-CAR-PM)."""
    obj = object_at(state, option)
    side = state.where[obj][0]
    return fights(state, obj) and (state.where[obj] == FIGHT[side] or roomy(state, side))


def _exhaust(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Engage cards."""
    for obj in [object_at(stack.ctx.state, option) for option in got]:
        engage(stack.ctx, obj)


def _ready(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Untap engaged cards."""
    for obj in [object_at(stack.ctx.state, option) for option in got]:
        unmark(stack.ctx, obj, ENGAGED)


def _drawn_step(stack: Stack, frame: Frame) -> None:
    """Draw by an effect; if the deck has too few cards, I-WAK-25 says whether that loses the game."""
    ctx, seat = stack.ctx, str(frame["seat"])
    if _short(ctx.state, frame):
        ctx.depend_on("I-WAK-25")
        if ctx.state.terms.options["I-WAK-25"] == "loss":
            # The same effect may have the other player draw too; if that draw also fails, both lose at once.
            waiting = [then for below in stack.frames if (then := below.get("then", below))["step"] == "drawn"]
            _lose_by_draw(ctx, seat, both=any(_short(ctx.state, then) for then in waiting))
            return
    knowledge.drawn_step(stack, frame)


def _short(state: State, frame: Frame) -> bool:
    return int(frame["n"]) > len(state.zones[DECK[frame["seat"]]])


def _lose_by_draw(ctx: Context, seat: str, *, both: bool) -> None:
    """End the game: the player who cannot draw loses, or both players do (I-WAK-16)."""
    winner: str | None = OTHER[seat]
    if both:
        ctx.depend_on("I-WAK-16")
        winner = None if ctx.state.terms.options["I-WAK-16"] == "judge" else "draw"
    ctx.emit("end", winner, "deck", "WAK-VIC-1")


HOST = WakfuHost()
