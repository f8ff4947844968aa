"""The moves of Wakfu that a log may leave out: phases in which nothing happens, and moves without a choice."""

from __future__ import annotations

from engine.core.effects.hidden_cards import possible
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.games.wakfu.moves.base import must_discard
from engine.games.wakfu.moves.combat import left, sharer, targets
from engine.games.wakfu.moves.invocation import PRINTED
from engine.games.wakfu.moves.mat import (
    ATTAQUE,
    BLOCAGE,
    CALM,
    COMBAT,
    CONTRE,
    DROP,
    INVOCATION,
    MOUVEMENT,
    OTHER,
    PHASES,
    SEATS,
    surplus,
)

AFTER_COMBAT = ("play", "discard", "end_turn")  # what the active player can do only once a combat is over


def implied(state: State, by: str, do: str) -> Move | None:
    """Return the move that an entry `do` by `by` takes for granted; None if there is none.

    A log need not say that nobody blocks, that nobody moves a card or that a player stops sharing out points, nor
    record what leaves no choice: all points on the only target, the only card of a Drop. What a player must choose,
    such as the cards discarded down to the PA, is never taken for granted.
    """
    seat = state.seat
    if state.result is not None or state.agenda or seat is None or by not in SEATS or must_discard(state):
        return None
    if state.phase in (BLOCAGE, COMBAT, DROP):
        return _combat(state, seat, by, do)
    # The end of a turn is often not written down: the next player simply begins.
    if do == "begin_turn":
        over = by == OTHER[seat] and state.phase in CALM and not surplus(state, seat)
        return Move(seat, "end_turn", {}, ()) if over else None
    return _next_phase(state, seat, by, do)


def _next_phase(state: State, seat: str, by: str, do: str) -> Move | None:
    """Return the end of a phase before the attack, by the player whose part of the turn it is."""
    phase = state.phase
    wanted: tuple[str, ...]
    if by == seat and do == "play":
        wanted = _before_a_timed_card(state, by)
    elif by == seat:
        wanted = (CONTRE,) if do == "end_phase" else ()
    else:
        wanted = {"move": (INVOCATION,), "end_phase": (INVOCATION, MOUVEMENT)}.get(do, ())
    if phase not in wanted:
        return None
    return Move(OTHER[seat] if phase == CONTRE else seat, "end_phase", {}, ())


def _before_a_timed_card(state: State, by: str) -> tuple[str, ...]:
    """Return the phases to leave before the last one (up to the attack) in which a card of the hand may be played."""
    timings = (state.terms.cards[ref].words.get("timing", "") for ref in possible(state, by))
    phases = [phase for timing in timings for phase in PRINTED.get(timing, ()) if phase in (MOUVEMENT, ATTAQUE)]
    last = max(map(PHASES.index, phases), default=0)
    return tuple(phase for phase in (INVOCATION, MOUVEMENT, CONTRE) if PHASES.index(phase) < last)


def _combat(state: State, seat: str, by: str, do: str) -> Move | None:
    """Return the next step of a combat, if the entry comes after it."""
    if do == "distribute":
        return _before_points(state, seat, by)
    after = by == seat if do in AFTER_COMBAT else by == OTHER[seat] and do == "begin_turn"
    if not after:
        return None
    if state.phase == BLOCAGE:
        return _unblocked(seat)
    if state.phase == DROP:
        won = state.memory.get("won", [])
        return Move(str(won[0]), "drop_keep", {"keep": 1}, (("draw", ("?",)),)) if len(won) == 1 else None
    return _shared(state) if sharer(state) is not None else Move(seat, "end_phase", {}, ())


def _before_points(state: State, seat: str, by: str) -> Move | None:
    """Return what comes before a `distribute`: no blockers, or the end of the other player's sharing."""
    if state.phase == BLOCAGE:
        return _unblocked(seat)
    second = state.phase == COMBAT and sharer(state) == OTHER[by] and left(state, by)
    return _shared(state) if second else None


def _unblocked(seat: str) -> Move:
    return Move(OTHER[seat], "block", {"blockers": []}, ())


def _shared(state: State) -> Move | None:
    """Return the end of the current player's sharing, or the only thing that can be done with the points."""
    seat = sharer(state)
    assert seat is not None, "somebody shares out points"
    if state.terms.options["I-WAK-07"] == "free":
        return Move(seat, "distribute", {"done": True}, ())
    names = targets(state, seat)
    return Move(seat, "distribute", {"on": names[0], "points": left(state, seat)}, ()) if len(names) == 1 else None
