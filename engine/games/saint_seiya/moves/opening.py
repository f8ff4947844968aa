"""The set-up: who begins, the six cards of the terrain, and the opening hands (I-SSD-02)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.effects import force
from engine.core.effects.hidden_cards import drawn, noted_draw, undrawn, unlisted
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal, deal_top
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import COMMON, State
from engine.core.table.verbs import arguments, card_ref, not_by, over
from engine.core.text.errors import Malformed, Violation
from engine.games.saint_seiya.moves.base import Reasons, SeiyaVerb, out_of_turn, unknown
from engine.games.saint_seiya.moves.mat import PREPARATION, PRINCIPALE, RESERVE, TERRAIN

HANDS = {"five": 5, "seven": 7}  # I-SSD-02
HAND = 5  # hand size to draw up to at the end of a turn (I-SSD-03)


class Setup(SeiyaVerb):
    """`setup`: the table says who begins and lays the terrain; each seat draws its opening hand."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance; there are no arguments.

        By the table: `first_player`, then one `reveal` of the terrain from right to left. By a seat: one draw, which
        may be left out if nobody knows the cards. Raises Malformed, `missing_chance`.
        """
        arguments(entry, ())
        open_chance = entry.n == 0 and entry.chance is None
        if entry.by != "table":
            due = self.due(state, entry.by) if entry.by in state.terms.seats else 0
            return Move(entry.by, entry.do, {}, None if open_chance else noted_draw(state, entry, due))
        chance = entry.chance or ()
        if tuple(kind for kind, _ in chance) != ("first_player", "reveal") or chance[0][1] not in state.terms.seats:
            raise Malformed("missing_chance", "setup needs who begins, then the cards of the terrain", path="chance")
        for ref in chance[1][1]:
            card_ref(state, ref, "chance[1].reveal")
        return Move(entry.by, entry.do, {}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the first `setup` of its author, before turn 1, and the cards it draws or reveals."""
        reasons = over(self.game, state) + not_by(move, "table", *state.terms.seats)
        facts = ("turn.phase", "memory.ready", RESERVE) if move.by == "table" else ("turn.phase", "memory.ready")
        unsaid = unknown(state, "SSD-JEU-1", *facts)
        if reasons or unsaid:
            return reasons + unsaid
        done = state.first is not None if move.by == "table" else state.noted("ready", move.by)
        if state.phase != PREPARATION:
            reasons.append(out_of_turn(state, move.by, "begun"))
        elif done:
            reasons.append(out_of_turn(state, move.by, "laid" if move.by == "table" else "ready"))
        if move.chance is None:
            return reasons
        whose = COMMON if move.by == "table" else move.by
        refs = move.chance[1][1] if whose == COMMON else drawn(move)[0]
        due = self.due(state, whose)
        if len(refs) != due:
            depends_on, why = ((), "terrain") if whose == COMMON else (("I-SSD-02",), "")
            args: dict[str, str | int] = {"seat": move.by, "count": len(refs), "max": due}
            reasons.append(Violation("SSD-MAIN-2", args, depends_on, why=why))
        return reasons + (unlisted(state, COMMON, refs, {}) if whose == COMMON else undrawn(state, whose, refs))

    def due(self, state: State, whose: str) -> int:
        """Return how many cards the terrain, or a seat's hand, begins with."""
        if whose == COMMON:
            return min(len(TERRAIN), len(state.zones[RESERVE]))
        return min(HANDS[state.terms.options["I-SSD-02"]], len(state.zones[f"{whose}/deck"]))

    def run(self, ctx: Context, move: Move) -> None:
        """Lay the terrain from right to left, or draw a hand; once all is done, the first turn begins.

        Arrivée does not happen at set-up (SSD-TER-1).
        """
        state = ctx.state
        ctx.depend_on("I-SSD-02")
        if move.by == "table":
            (_, first), (_, refs) = move.chance or ()
            ctx.emit("first", first)
            for slot, ref in zip(reversed(TERRAIN), refs, strict=False):
                obj = state.zones[RESERVE][-1]
                ctx.emit("move", obj, slot, -1)
                ctx.emit("name", obj, ref)
                force.enter(ctx, obj)
        else:
            ctx.draw(move.by, drawn(move)[0])
            ctx.emit("note", "ready", move.by)
        if state.first is not None and all(state.noted("ready", seat) for seat in state.terms.seats):
            ctx.emit("wipe", ("ready",))
            ctx.emit("turn", 1, state.first, PRINCIPALE)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal who begins and the terrain, or a hand."""
        if move.by != "table":
            return replace(move, chance=(("draw", deal_top(state, move.by, self.due(state, move.by), dealer)),))
        top = state.zones[RESERVE][::-1][: self.due(state, COMMON)]
        first = dealer.pick(state.terms.seats, "first_player")
        return replace(move, chance=(("first_player", first), ("reveal", deal(state, COMMON, top, dealer, "reveal"))))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for the table and one for each seat, until it has been made."""
        if state.phase != PREPARATION or state.result is not None:
            return
        if state.first is None and wanted.seat("table"):
            yield Move("table", "setup", {})
        yield from (
            Move(seat, "setup", {}) for seat in wanted.among(state.terms.seats) if not state.noted("ready", seat)
        )
