"""The moves of Altered that a log may leave out, because the next entry shows that they were made.

A pass is a decision, so it may be left out only where the next entry leaves no alternative: the other player has
passed, so this player is alone in the afternoon, and the entry belongs to the night or to the next morning. The first
pass of a day is always written: without it, a card played out of turn would read as a pass by the player whose turn it
was.
"""

from __future__ import annotations

from engine.core.table.game import Move
from engine.core.table.state import State
from engine.games.altered.mat import APRES_MIDI, MATIN, OTHER, PREPARATION
from engine.games.altered.moves.base import waiting

AFTERNOON = ("play", "quick", "pass")
LATER = ("cleanup", "expand")  # verbs of the night and of the next morning


def before(state: State, by: str, do: str) -> Move | None:
    """Return the move to make before an entry `do` by `by`, if the log may leave one out here."""
    if state.agenda or state.result is not None:
        return None
    if state.phase == PREPARATION:
        return _adventure(state, do)
    if state.phase == MATIN:
        return _expand(state, by, do)
    if state.phase == APRES_MIDI and do in LATER and state.seat is not None:
        alone = state.noted("passed", OTHER[state.seat])
        return Move(state.seat, "pass", {}, ()) if alone else None
    return None


def _adventure(state: State, do: str) -> Move | None:
    """Return the `adventure` before the first `mana3`: cards laid face down leave nothing to record (I-ALT-05)."""
    hidden = state.terms.options["I-ALT-05"] == "hidden"
    due = do == "mana3" and state.first is not None and "laid" not in state.memory
    return Move("table", "adventure", {}, ()) if hidden and due else None


def _expand(state: State, by: str, do: str) -> Move | None:
    """Return the `expand` without an orb that is due before the afternoon, or before the other player's `expand`."""
    theirs = do == "expand" and not state.noted("expanded", by)
    left = [seat for seat in waiting(state, "expanded") if do in AFTERNOON or (theirs and seat != by)]
    return Move(left[0], "expand", {"card": None}, ()) if left else None
