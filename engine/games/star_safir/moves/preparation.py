"""The set-up: who begins, and the commanders (chapter IV)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.context import Context
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, missing, no_chance, not_by, over
from engine.games.star_safir.moves.base import Reasons, SafirVerb, prepared
from engine.games.star_safir.moves.mat import SEATS


class FirstPlayer(SafirVerb):
    """`first_player`, by the table: chance says who goes first (SAF-IV-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; one recorded chance `first_player`."""
        arguments(entry, ())
        chance = entry.chance or ()
        if len(chance) != 1 or chance[0][0] != "first_player" or chance[0][1] not in SEATS:
            raise Malformed("missing_chance", "first_player needs its recorded chance: A or B", path="chance")
        return Move(entry.by, entry.do, {}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Once, before anything else."""
        reasons = over(self.game, state) + not_by(move, "table")
        if prepared(state):
            reasons.append(Violation("SAF-IV-1", why="drawn"))
        elif "turn.phase" in state.unknown:
            reasons += missing("SAF-IV-1", "turn.phase")
        elif state.first is not None:
            reasons.append(Violation("SAF-IV-1", why="drawn"))
        elif "turn.first" in state.unknown:
            reasons += missing("SAF-IV-1", "turn.first")
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Records who goes first."""
        ctx.emit("first", (move.chance or ())[0][1])

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """A coin."""
        return replace(move, chance=(("first_player", dealer.pick(SEATS)),))

    def candidates(self, state: State) -> Iterator[Move]:
        """One, until it is done."""
        if state.first is None and not prepared(state):
            yield Move("table", "first_player", {})


class SetUp(SafirVerb):
    """What the verbs of the set-up share."""

    def opening(self, state: State, move: Move) -> Reasons:
        """Why it is not this seat's moment to choose a commander or take a hand (SAF-IV-1, SAF-V-2)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        facts = [fact for fact in ("turn.phase", "turn.first") if fact in state.unknown]
        own = (f"{move.by}/deck", f"{move.by}/commander", "memory.ready", "memory.declared")
        unsaid = [*facts, *(fact for fact in own if fact in state.unknown)] if state.unknown else []
        for fact in unsaid if not prepared(state) else ():
            reasons += missing("SAF-IV-1", fact)
        if state.first is None and not facts:
            reasons.append(Violation("SAF-IV-1", why="undrawn"))
        return reasons

    def preparing(self, state: State) -> tuple[str, ...]:
        """The seats that may still be choosing: both, while the set-up lasts."""
        waits = state.first is not None and state.result is None and not prepared(state)
        return SEATS if waits else ()


def unregistered(move: Move, registered: Sequence[str | None]) -> Violation:
    """The violation of a commander that is not the one on the list (SAF-II-2, I-SAF-27)."""
    if not registered:
        return Violation("SAF-II-2", {"seat": move.by}, ("I-SAF-27",), why="none")
    return Violation("SAF-II-2", {"card": move.args["card"], "seat": move.by}, ("I-SAF-27",), why="other")


class Commander(SetUp):
    """`commander`: declare the registered commander, or leave it out with `null` (SAF-IV-2, I-SAF-27)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: a ref or null."""
        no_chance(entry)
        ref = arguments(entry, ("card",), ("card",))["card"]
        return Move(entry.by, entry.do, {"card": None if ref is None else card_ref(state, ref, "args.card")})

    def check(self, state: State, move: Move) -> Reasons:
        """Once, before the hand, and only the registered card."""
        reasons = self.opening(state, move)
        if state.noted("declared", move.by):
            reasons.append(Violation("SAF-IV-2", {"seat": move.by}, why="twice"))
        elif prepared(state) or state.noted("ready", move.by):
            reasons.append(Violation("SAF-IV-2", {"seat": move.by}, why="late"))
        if move.by in SEATS and not state.noted("declared", move.by):
            registered = [state.refs[obj] for obj in state.zones[f"{move.by}/commander"]]
            unsaid = f"{move.by}/commander" in state.unknown
            if not registered or move.args["card"] not in (None, *registered):
                reasons += [] if unsaid else [unregistered(move, registered)]
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Notes the choice; a commander left out is put aside."""
        ctx.lean("I-SAF-27")
        if move.args["card"] is None:
            ctx.emit("move", ctx.state.zones[f"{move.by}/commander"][0], f"{move.by}/aside", -1)
        ctx.emit("note", "declared", move.by)

    def candidates(self, state: State) -> Iterator[Move]:
        """For each seat with a registered commander and no hand yet: in play, or left out."""
        for seat in self.preparing(state):
            zone = state.zones[f"{seat}/commander"]
            if zone and not state.noted("ready", seat) and not state.noted("declared", seat):
                yield Move(seat, "commander", {"card": state.refs[zone[0]]})
                yield Move(seat, "commander", {"card": None})
