"""Phase 3 and the end of a phase: `move`, for both players in turn, and `end_phase`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.table import places
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing, no_chance
from engine.core.text.errors import Violation
from engine.core.text.interrupt import each
from engine.games.wakfu.moves.base import (
    FIRST,
    Acting,
    Reasons,
    WakfuVerb,
    forbidden,
    nothing_there,
    unknown,
    unmarked,
    zone_of,
)
from engine.games.wakfu.moves.combat import resolve, settle, sharer, unsettled_combat
from engine.games.wakfu.moves.mat import (
    ATTAQUE,
    COMBAT,
    CONTRE,
    FIGHT,
    INVOCATION,
    INVOCATION2,
    LEADER,
    MOUVEMENT,
    OTHER,
    REST,
    SEATS,
    SICK,
    Totals,
    fights,
    leads,
    limit,
    roomy,
)

# The phase that `end_phase` leads to; out of a combat see `EndPhase.run`.
NEXT = {INVOCATION: MOUVEMENT, MOUVEMENT: CONTRE, CONTRE: ATTAQUE, ATTAQUE: INVOCATION2}
ANY_CARD, ALONE = ("I-WAK-23",), ("I-WAK-12",)


class Shift(WakfuVerb):
    """`move`: move one card from the rest zone to the combat zone, or back (WAK-3-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a place in the player's rest or combat zone, or the ref of the only such card there."""
        no_chance(entry)
        args = arguments(entry, ("card",), ("card",))
        zones = (REST[entry.by], FIGHT[entry.by]) if entry.by in SEATS else ()
        return Move(entry.by, entry.do, {"card": places.read(state, args["card"], zones, "card")})

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, that it is a creature or an ally without summoning sickness, and room within the PM."""
        reasons = self.timely(state, move)
        if move.by not in SEATS:
            return reasons
        name = move.args["card"]
        if zone_of(name) not in (REST[move.by], FIGHT[move.by]):
            others = [reason for reason in reasons if reason.rule != "WAK-PHA-1"]  # it is wrong at any moment
            return [*others, Violation("WAK-TER-1", {"seat": move.by, "place": name[:40]}, why="zones")]
        obj = places.at(state, name)
        return reasons + (nothing_there(state, name) if obj is None else self.movable(state, obj))

    def timely(self, state: State, move: Move) -> Reasons:
        """Return why it is not the moment: phase 3 is the active player's first, then the opponent's (I-WAK-15)."""
        free = state.terms.options["I-WAK-15"] == "free"
        if move.by == state.seat or move.by not in SEATS or "turn.seat" in state.unknown:
            reasons = self.moment(state, move, INVOCATION, MOUVEMENT, *((CONTRE,) if free else ()))
            # From CONTRE on the opponent has begun to move cards, which ends the active player's part.
            if state.phase != CONTRE:
                return reasons
            late = Violation("WAK-PHA-1", {"by": move.by}, ("I-WAK-15",), why="moving")
            return [late if reason.why == "late" else reason for reason in reasons]
        return self.moment(state, move, MOUVEMENT, CONTRE, other=True)

    def movable(self, state: State, obj: int) -> Reasons:
        """Return why a card cannot move: its type, summoning sickness, the PM (WAK-3-1, WAK-2-5, WAK-CAR-PM)."""
        seat, card = state.where[obj][0], state.card(obj)
        if card is None:
            return missing("WAK-3-1", places.place(state, obj))
        anything = state.terms.options["I-WAK-23"] == "any"
        if not fights(state, obj) and not anything:
            return [Violation("WAK-3-1", {"card": card.ref}, ANY_CARD)]
        forbidding = forbidden(state, "move", obj)
        if forbidding:
            return forbidding
        if state.where[obj] == FIGHT[seat]:
            return []
        if state.mark(obj, SICK):
            return [Violation("WAK-2-5", {"card": card.ref})]
        reasons = unmarked(state, "WAK-2-5", seat)
        if not fights(state, obj):
            return reasons
        known = unknown(state, "WAK-CAR-PM", FIGHT[seat], LEADER[seat])
        if not known and not roomy(state, seat):
            counted = limit(state, seat) < leads(state, seat, "pm")
            reasons.append(Violation("WAK-CAR-PM", {"seat": seat, "max": limit(state, seat)}, ALONE if counted else ()))
        return reasons + known

    def run(self, ctx: Context, move: Move) -> None:
        """Move the card; a player's first move begins their part of the phase."""
        state = ctx.state
        obj = places.at(state, move.args["card"])
        assert obj is not None, "checked"
        if move.by != state.seat:
            ctx.depend_on("I-WAK-15")
        if state.terms.options["I-WAK-15"] == "active" and move.by != state.seat and state.phase != CONTRE:
            ctx.emit("turn", state.turn, state.seat, CONTRE)
        elif state.phase == INVOCATION:
            ctx.emit("turn", state.turn, state.seat, MOUVEMENT)
        back = state.where[obj] == FIGHT[move.by]
        if not fights(state, obj):
            ctx.depend_on("I-WAK-23")
        # If the leader counted for the PM, this card would be one too many.
        elif not back and len(state.zones[FIGHT[move.by]]) + 1 >= leads(state, move.by, "pm"):
            ctx.depend_on("I-WAK-12")
        ctx.emit("move", obj, REST[move.by] if back else FIGHT[move.by], -1)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each card that can move, of the players who may move one now."""
        for seat in wanted.among(SEATS):
            if self.timely(state, Move(seat, "move", {})):
                continue
            for obj in each((*state.zones[REST[seat]], *state.zones[FIGHT[seat]])):
                if not self.movable(state, obj):
                    yield Move(seat, "move", {"card": places.place(state, obj)})


class EndPhase(Acting):
    """`end_phase`: the player whose part it is goes on to the next phase (WAK-PHA-1).

    A log needs it only to record that the phase was left without a further move.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments; its chance is that of effects."""
        return Move(entry.by, entry.do, dict(arguments(entry, ())), effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the phase may be left; a combat only if neither side has points to share out."""
        if move.by in SEATS and move.by == OTHER.get(state.seat or ""):
            return self.moment(state, move, CONTRE, other=True)
        reasons = [self.unleft(state, reason) for reason in self.moment(state, move, *self.phases(state))]
        return reasons or (unsettled_combat(state) if state.phase == COMBAT else [])

    def unleft(self, state: State, reason: Violation) -> Violation:
        """Reword a reason of WAK-PHA-1 about other phases as why the active player cannot leave this one."""
        if reason.why not in ("early", "late"):
            return reason
        return replace(reason, why=FIRST.get(state.phase) or ("own" if state.phase == CONTRE else "last"))

    def phases(self, state: State) -> tuple[str, ...]:
        """Return the phases that the active player may leave now."""
        second = (ATTAQUE,) if state.terms.options["I-WAK-01"] == "yes" else ()
        # A combat with both totals at 0 has no `distribute` to end it.
        return (INVOCATION, MOUVEMENT, *second, *((COMBAT,) if sharer(state) is None else ()))

    def run(self, ctx: Context, move: Move) -> None:
        """Begin the next phase, or resolve a combat in which no points are left."""
        state = ctx.state
        if state.phase == COMBAT:
            resolve(ctx, move, Totals(state))
            return
        if state.phase == ATTAQUE:
            ctx.depend_on("I-WAK-01")
        ctx.emit("turn", state.turn, state.seat, NEXT[state.phase])
        settle(ctx, move, Stack(ctx))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move, for the player who may leave the phase."""
        if state.seat is None:
            return
        own, other = wanted.seat(state.seat), wanted.seat(OTHER[state.seat])
        if own is not None and state.phase in self.phases(state):
            yield Move(own, "end_phase", {})
        elif other is not None and state.phase == CONTRE and CONTRE not in self.phases(state):
            yield Move(other, "end_phase", {})
