"""Night: characters rest, then players keep what their hero allows (I-ALT-01); `cleanup` names what goes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.effects import values
from engine.core.effects.destruction import batch
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.places import at, place, read
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing
from engine.core.text.errors import Violation
from engine.games.altered.editions import edition
from engine.games.altered.effects.declared import limbo
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    ANCRE,
    DISCARD,
    ENDORMI,
    EXPEDITIONS,
    FUGACE,
    LANDMARKS,
    MOVED,
    NUIT,
    OTHER,
    RESERVE,
    SEATS,
    characters,
    depart_together,
    gears,
    limits,
    option,
    order,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons
from engine.games.altered.vocabulary import ETERNEL


def _rest(stack: Stack, frame: Frame) -> None:
    """Send characters to the Reserve and Fleeting ones to the discard, all at once.

    Anchored and Asleep characters stay and lose the status (I-ALT-10); Eternal ones stay (ALT-7.4.2). Permanents of an
    expedition go with them if it has moved forward (Complete Rules 3.0, 4.2.5.b).
    """
    ctx, state = stack.ctx, stack.ctx.state
    stack.push({"step": "tidy"})
    limbo(stack)
    if option(ctx, "I-ALT-01") == "none":
        return
    stays = option(ctx, "I-ALT-10") == "official"
    leaving = []
    for obj in [obj for seat in order(state) for name in EXPEDITIONS for obj in resting(ctx, seat, name)]:
        held = [status for status in (ANCRE, ENDORMI) if state.mark(obj, status)]
        if held and stays:
            for status in held:
                ctx.emit("mark", obj, status, -1)
        elif not values.has(state, obj, ETERNEL):
            owner = state.owners[obj]
            leaving.append((obj, DISCARD[owner] if state.mark(obj, FUGACE) else RESERVE[owner]))
    depart_together(stack, leaving)
    if frame.get("late"):  # what dusk set off to act after the rest
        stack.host.set_off(stack, frame["late"])


def resting(ctx: Context, seat: str, name: str) -> list[int]:
    """Return what leaves an expedition at night: its characters, and its Permanents if it has moved forward."""
    state = ctx.state
    found = gears(state, seat, name)
    if found and f"memory.{MOVED[name]}" in state.unknown:
        ctx.doubt(state.refs[found[0]] or "?")
    moved = state.noted(MOVED[name], seat)
    return [*characters(state, seat, name), *(found if moved else ())]


def _tidy(stack: Stack, frame: Frame) -> None:
    """End the day once no player has too many cards, discarding at once all the cards that were named."""
    ctx, state = stack.ctx, stack.ctx.state
    # Each `cleanup` entry names one card and pushes this step again.
    if any(surplus(state, seat) for seat in SEATS):
        return
    dropped = [obj for obj in state.memory.get("dropped", ()) if isinstance(obj, int)]
    if dropped:
        ctx.emit("wipe", ("dropped",))
    stack.push({"step": "over"})
    limbo(stack)
    given_up = [obj for obj in dropped if state.where[obj] in LANDMARKS.values()]
    if edition(state).sacrifices_landmarks and given_up:
        stack.push(batch(given_up, "sacrifice"))
        dropped = [obj for obj in dropped if obj not in given_up]
    depart_together(stack, [(obj, DISCARD[state.owners[obj]]) for obj in dropped])


HOST.steps.update({"rest": _rest, "tidy": _tidy})


def surplus(state: State, seat: str) -> dict[str, int]:
    """Return how many cards a player still has to name, by path."""
    if state.terms.options["I-ALT-01"] == "none":
        return {}
    found = {}
    for path, most in limits(state, seat).items():
        # Named cards stay on the board until all are named, since both players discard at once.
        kept = len([obj for obj in state.zones[path] if not state.noted("dropped", obj)])
        if kept > most:
            found[path] = kept - most
    return found


def cleaning(state: State) -> tuple[str, ...]:
    """List the seats that may name a card now, first player first (I-ALT-13)."""
    if state.phase != NUIT or state.agenda or state.result is not None:
        return ()
    left = tuple(seat for seat in order(state) if surplus(state, seat))
    return left[:1] if state.terms.options["I-ALT-13"] == "initiative" else left


class Cleanup(AlteredVerb):
    """`cleanup`: name one card that is not kept; all named cards are discarded together (I-ALT-01)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a place in the Reserve or the Landmarks, or a ref."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card",), ("card",))
        zones = [zone[entry.by] for zone in (RESERVE, LANDMARKS) if entry.by in SEATS]
        return Move(entry.by, entry.do, {"card": read(state, args["card"], zones, "card")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is night and that the player, who has too many cards, names one of them not yet named."""
        pick = str(move.args["card"])[:60]
        reasons = self.moment(state, move, NUIT, "ALT-4.2.5")
        if reasons:
            return reasons
        # Both seats count: whose turn it is to name a card depends on what the other one has.
        unsaid = [path for seat in SEATS for path in (*limits(state, seat), f"{seat}/hero") if path in state.unknown]
        if unsaid or "memory.dropped" in state.unknown:
            return missing("ALT-4.2.5", [*unsaid, "memory.dropped"][0])
        return self.named(state, move.by, pick) or self.early(state, move.by, pick)

    def named(self, state: State, seat: str, pick: str) -> Reasons:
        """Return why this card is not discarded: no card there, not theirs, no surplus in its zone, already named."""
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
        """Return why the other player names a card first."""
        if seat in cleaning(state):
            return []
        return [Violation("ALT-4.2.5", {"seat": seat, "first": OTHER[seat]}, ("I-ALT-13",), why="order")]

    def run(self, ctx: Context, move: Move) -> None:
        """Name the card; after the last one, all are discarded."""
        obj = at(ctx.state, move.args["card"])
        ctx.depend_on("I-ALT-01")
        if all(surplus(ctx.state, seat) for seat in SEATS):
            ctx.depend_on("I-ALT-13")
        ctx.emit("note", "dropped", obj)
        resolve(ctx, move, [{"step": "tidy"}])

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each card of a zone that holds too many."""
        for seat in wanted.among(cleaning(state)):
            for path in surplus(state, seat):
                for obj in state.zones[path]:
                    if not state.noted("dropped", obj):
                        yield Move(seat, "cleanup", {"card": place(state, obj)})
