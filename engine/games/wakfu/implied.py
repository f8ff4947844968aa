"""The entries that a log may leave out: phases in which nothing happens, and what a player has no choice about."""

from __future__ import annotations

from engine.core.game import Move
from engine.core.state import State
from engine.games.wakfu.moves.base import pressed
from engine.games.wakfu.moves.combat import left, sharer, targets
from engine.games.wakfu.moves.mat import (
    BLOCAGE,
    CALM,
    COMBAT,
    CONTRE,
    DROP,
    INVOCATION,
    MOUVEMENT,
    OTHER,
    SEATS,
    surplus,
)

ONWARD = ("play", "distribute", "drop_keep", "discard", "end_turn", "begin_turn")  # what may come after a combat


def implied(state: State, by: str, do: str) -> Move | None:
    """The move that an entry `do` by `by` takes for granted; None where there is none.

    Nobody blocks, nobody moves a card, a player stops sharing out points: a log need not say so. Nor need it say what
    a player has no choice about: all points on the only target, the only card of a drop. What a player must choose, as
    the cards discarded down to the PA, is never taken for granted.
    """
    seat = state.seat
    if state.result is not None or state.agenda or seat is None or by not in SEATS or pressed(state):
        return None
    if state.phase in (BLOCAGE, COMBAT, DROP):
        return _through_the_combat(state, seat) if do in ONWARD else None
    if do == "begin_turn":
        over = by == OTHER[seat] and state.phase in CALM and not surplus(state, seat)
        return Move(seat, "end_turn", {}, ()) if over else None
    return _next_phase(state, seat, by, do)


def _next_phase(state: State, seat: str, by: str, do: str) -> Move | None:
    """The end of a phase before an attack, by whoever's part of the turn it is."""
    phase = state.phase
    if by == seat:
        wanted = {"play": (INVOCATION, MOUVEMENT, CONTRE), "end_phase": (CONTRE,)}.get(do, ())
    else:
        wanted = {"move": (INVOCATION,), "end_phase": (INVOCATION, MOUVEMENT)}.get(do, ())
    if phase not in wanted:
        return None
    return Move(OTHER[seat] if phase == CONTRE else seat, "end_phase", {}, ())


def _through_the_combat(state: State, seat: str) -> Move | None:
    """No blocker, no more points, or the only thing that a player can do with them."""
    if state.phase == BLOCAGE:
        return Move(OTHER[seat], "block", {"blockers": []}, ())
    if state.phase == DROP:
        won = state.memory.get("won", [])
        return Move(str(won[0]), "drop_keep", {"keep": 1}, (("draw", ("?",)),)) if len(won) == 1 else None
    sharing = sharer(state)
    if sharing is None:
        return Move(seat, "end_phase", {}, ())
    if state.terms.options["I-WAK-07"] == "free":
        return Move(sharing, "distribute", {"done": True}, ())
    names = targets(state, sharing)
    only = {"on": names[0], "points": left(state, sharing)} if len(names) == 1 else None
    return None if only is None else Move(sharing, "distribute", only, ())
