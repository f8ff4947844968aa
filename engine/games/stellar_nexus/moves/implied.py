"""The moves of Stellar Nexus that a log may leave out: ends of phases and turns, and the `done` of a list."""

from __future__ import annotations

from engine.core.table.game import Move
from engine.core.table.state import State
from engine.games.stellar_nexus.mat import ATTAQUE, DESENGAGEMENT, OTHER, PIOCHE, PREPARATION, PRINCIPALE_1
from engine.games.stellar_nexus.moves.turn import fighting

# Looked up only for an entry that is not legal as it stands, so an éphémère cast at any time ends no phase.
BEFORE = {  # by verb, the phases that such an entry of the active player shows to be over
    "attack": (PIOCHE, PRINCIPALE_1),
    "play": (PIOCHE, ATTAQUE),
}
AFTER_THE_FIGHT = ("play", "end_phase", "end_turn", "begin_turn")


def implied(state: State, by: str, do: str) -> Move | None:
    """Return the move that the next entry implies, since it belongs to a later step of the turn or to the next turn."""
    seat = state.seat
    if state.agenda or state.result is not None or seat is None or state.phase in (PREPARATION, DESENGAGEMENT):
        return None
    later = by == OTHER[seat] and do == "begin_turn"
    if fighting(state):
        return _fought(state, seat, do) if later or do == "block" or by == seat else None
    if later:
        return Move(seat, "end_turn", {})
    if by == seat and state.phase in BEFORE.get(do, ()):
        return Move(seat, "end_phase", {})
    return None


def _fought(state: State, seat: str, do: str) -> Move | None:
    """Return the end of the list of attackers, then of the list of blockers, which resolves the fight."""
    if "declared" not in state.memory:
        return Move(seat, "attack", {"done": True}) if do in ("block", *AFTER_THE_FIGHT) else None
    return Move(OTHER[seat], "block", {"done": True}) if do in AFTER_THE_FIGHT else None
