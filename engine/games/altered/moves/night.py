"""Night: characters rest, then each player keeps what their hero allows (I-ALT-01); `cleanup` names what goes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Frame, Stack
from engine.core.context import Context
from engine.core.effects import values
from engine.core.effects.interpreter import resolve
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.places import at, place, read
from engine.core.state import State
from engine.core.verbs import arguments, missing
from engine.games.altered.effects.declared import limbo
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    ANCRE,
    DISCARD,
    ENDORMI,
    EXPEDITIONS,
    FUGACE,
    LANDMARKS,
    NUIT,
    OTHER,
    RESERVE,
    SEATS,
    characters,
    depart_together,
    limits,
    option,
    order,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons
from engine.games.altered.vocabulary import ETERNEL


def _rest(stack: Stack, frame: Frame) -> None:
    """Characters go to the Réserve, Fleeting ones to the discard, all at the same time.

    Who is anchored or asleep stays, and is so no more (I-ALT-10); who is Éternel stays (ALT-7.4.2).
    """
    ctx, state = stack.ctx, stack.ctx.state
    stack.push({"step": "tidy"})
    limbo(stack)
    if option(ctx, "I-ALT-01") == "none":
        return
    stays = option(ctx, "I-ALT-10") == "official"
    leaving = []
    for obj in [obj for seat in order(state) for name in EXPEDITIONS for obj in characters(state, seat, name)]:
        held = [status for status in (ANCRE, ENDORMI) if state.mark(obj, status)]
        if held and stays:
            for status in held:
                ctx.emit("mark", obj, status, -1)
        elif not values.has(state, obj, ETERNEL):
            owner = state.owners[obj]
            leaving.append((obj, DISCARD[owner] if state.mark(obj, FUGACE) else RESERVE[owner]))
    depart_together(stack, leaving)


def _tidy(stack: Stack, frame: Frame) -> None:
    """Once nobody has too many cards, or all of these are named, they go at once and the day is over."""
    ctx, state = stack.ctx, stack.ctx.state
    if any(surplus(state, seat) for seat in SEATS):
        return
    dropped = [obj for obj in state.memory.get("dropped", ()) if isinstance(obj, int)]
    if dropped:
        ctx.emit("wipe", ("dropped",))
    stack.push({"step": "over"})
    limbo(stack)
    depart_together(stack, [(obj, DISCARD[state.owners[obj]]) for obj in dropped])


HOST.steps.update({"rest": _rest, "tidy": _tidy})


def surplus(state: State, seat: str) -> dict[str, int]:
    """How many cards a player still has to name, by path."""
    if state.terms.options["I-ALT-01"] == "none":
        return {}
    found = {}
    for path, most in limits(state, seat).items():
        kept = len([obj for obj in state.zones[path] if not state.noted("dropped", obj)])
        if kept > most:
            found[path] = kept - most
    return found


def cleaning(state: State) -> tuple[str, ...]:
    """The seats that may name a card now: the first player first (I-ALT-13)."""
    if state.phase != NUIT or state.agenda or state.result is not None:
        return ()
    left = tuple(seat for seat in order(state) if surplus(state, seat))
    return left[:1] if state.terms.options["I-ALT-13"] == "initiative" else left


class Cleanup(AlteredVerb):
    """`cleanup`: one card that is not kept; all of them are discarded at once (I-ALT-01)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: its place in the Réserve or the Landmarks, or its ref."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card",), ("card",))
        zones = [zone[entry.by] for zone in (RESERVE, LANDMARKS) if entry.by in SEATS]
        return Move(entry.by, entry.do, {"card": read(state, args["card"], zones, "card")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """At night, by who has too many, a card of such a zone, once."""
        pick = str(move.args["card"])[:60]
        reasons = self.moment(state, move, NUIT, "ALT-4.2.5")
        if reasons:
            return reasons
        unsaid = [path for seat in SEATS for path in (*limits(state, seat), f"{seat}/hero") if path in state.unknown]
        if unsaid or "memory.dropped" in state.unknown:
            return missing("ALT-4.2.5", [*unsaid, "memory.dropped"][0])
        return self.named(state, move.by, pick) or self.early(state, move.by, pick)

    def named(self, state: State, seat: str, pick: str) -> Reasons:
        """Why this card does not go: nothing lies there, it is the other's, none goes from there, it goes already."""
        obj = at(state, pick)
        if obj is None:
            return [Violation("ALT-4.2.5", {"seat": seat, "place": pick}, why="empty")]
        args: dict[str, str | int] = {"seat": seat, "card": state.refs[obj] or pick}
        if not pick.startswith(f"{seat}/"):
            return [Violation("ALT-4.2.5", args, why="owner")]
        if state.noted("dropped", obj):
            return [Violation("ALT-4.2.5", args, why="named")]
        return [] if state.where[obj] in surplus(state, seat) else [Violation("ALT-4.2.5", args, why="kept")]

    def early(self, state: State, seat: str, pick: str) -> Reasons:
        """Why the other player names a card first."""
        if seat in cleaning(state):
            return []
        return [Violation("ALT-4.2.5", {"seat": seat, "first": OTHER[seat]}, ("I-ALT-13",), why="order")]

    def run(self, ctx: Context, move: Move) -> None:
        """Names it; after the last one all go."""
        obj = at(ctx.state, move.args["card"])
        ctx.lean("I-ALT-01")
        if all(surplus(ctx.state, seat) for seat in SEATS):
            ctx.lean("I-ALT-13")
        ctx.emit("note", "dropped", obj)
        resolve(ctx, move, [{"step": "tidy"}])

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card of a zone that holds too many."""
        for seat in cleaning(state):
            for path in surplus(state, seat):
                for obj in state.zones[path]:
                    if not state.noted("dropped", obj):
                        yield Move(seat, "cleanup", {"card": place(state, obj)})
