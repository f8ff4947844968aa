"""The set-up before hands are drawn: who goes first, and the commanders (chapter IV)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, missing, no_chance, not_by, over
from engine.core.text.errors import Malformed, Violation
from engine.games.star_safir.moves.base import Reasons, SafirVerb, prepared
from engine.games.star_safir.moves.mat import SEATS


class FirstPlayer(SafirVerb):
    """`first_player`, written by the table: its chance says who goes first (SAF-IV-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance `first_player`; there are no arguments. Raises Malformed, `missing_chance`."""
        arguments(entry, ())
        chance = entry.chance or ()
        if len(chance) != 1 or chance[0][0] != "first_player" or chance[0][1] not in SEATS:
            raise Malformed("missing_chance", "first_player needs its recorded chance: A or B", path="chance")
        return Move(entry.by, entry.do, {}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Refuse anyone but the table, and a first player drawn twice or after the set-up."""
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
        """Record who goes first."""
        ctx.emit("first", (move.chance or ())[0][1])

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Pick the first player at random."""
        return replace(move, chance=(("first_player", dealer.pick(SEATS, "first_player")),))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the one move, until it has been made."""
        if state.first is None and not prepared(state) and wanted.seat("table"):
            yield Move("table", "first_player", {})


class SetUp(SafirVerb):
    """What the verbs of the set-up share."""

    def opening(self, state: State, move: Move) -> Reasons:
        """Return why a seat may not choose a commander or take its hand now (SAF-IV-1, SAF-V-2)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        facts = [fact for fact in ("turn.phase", "turn.first") if fact in state.unknown]
        own = (f"{move.by}/deck", f"{move.by}/commander", "memory.ready", "memory.declared")
        unsaid = [*facts, *(fact for fact in own if fact in state.unknown)] if state.unknown else []
        # Once the set-up is known to be over, none of these facts can matter.
        for fact in unsaid if not prepared(state) else ():
            reasons += missing("SAF-IV-1", fact)
        if state.first is None and not facts:
            reasons.append(Violation("SAF-IV-1", why="undrawn"))
        return reasons

    def preparing(self, state: State) -> tuple[str, ...]:
        """Return the seats that may still be choosing: both, while the set-up lasts."""
        waits = state.first is not None and state.result is None and not prepared(state)
        return SEATS if waits else ()


def unregistered(move: Move, registered: Sequence[str | None]) -> Violation:
    """The violation of naming a commander other than the registered one (SAF-II-2, I-SAF-27)."""
    if not registered:
        return Violation("SAF-II-2", {"seat": move.by}, ("I-SAF-27",), why="none")
    return Violation("SAF-II-2", {"card": move.args["card"], "seat": move.by}, ("I-SAF-27",), why="other")


class Commander(SetUp):
    """`commander`: declare the registered commander, or null to leave it out (SAF-IV-2, I-SAF-27)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a ref, or null."""
        no_chance(entry)
        ref = arguments(entry, ("card",), ("card",))["card"]
        return Move(entry.by, entry.do, {"card": None if ref is None else card_ref(state, ref, "args.card")})

    def check(self, state: State, move: Move) -> Reasons:
        """Refuse a second declaration, one after the hand, and any card that is not registered."""
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
        """Note the declaration; a commander left out is put aside."""
        ctx.depend_on("I-SAF-27")
        if move.args["card"] is None:
            # Moved and not removed: the card stays in the registered list, and cards are neither lost nor made.
            ctx.emit("move", ctx.state.zones[f"{move.by}/commander"][0], f"{move.by}/aside", -1)
        ctx.emit("note", "declared", move.by)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield both choices, to play with it or not, for each seat with a commander and no hand yet."""
        for seat in wanted.among(self.preparing(state)):
            zone = state.zones[f"{seat}/commander"]
            if zone and not state.noted("ready", seat) and not state.noted("declared", seat):
                yield Move(seat, "commander", {"card": state.refs[zone[0]]})
                yield Move(seat, "commander", {"card": None})
