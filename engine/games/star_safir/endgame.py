"""How a log ends when nobody has won by PV, and what is still owed for the cards left face down."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.table.state import Outcome, State
from engine.core.table.verbs import leader
from engine.core.text.errors import Missing
from engine.games.star_safir.moves.mat import PV, SEATS, THREE

DISCARDS = tuple(f"{seat}/T{territory}/discard" for seat in SEATS for territory in THREE)


def endless(state: State) -> bool:
    """Whether the game may go on forever: no result, and nobody has a card left to draw (I-SAF-17)."""
    # A deck that a declared position leaves out may still hold cards.
    facts = [f"{seat}/deck" for seat in SEATS]
    return state.result is None and state.turn > 0 and not any(state.zones[f] or f in state.unknown for f in facts)


def by_score(state: State) -> Outcome | None:
    """Decide an endless game by PV; None unless I-SAF-17 is `score` and every PV is known."""
    unsaid = any(path in state.unknown for path in PV.values())
    if state.terms.options["I-SAF-17"] != "score" or state.agenda or unsaid:
        return None
    return Outcome(leader({seat: state.counters[PV[seat]] for seat in SEATS}), "decks", "SAF-VIII-2", ("I-SAF-17",))


def unnamed(state: State) -> bool:
    """Whether a discard holds an unidentified card, one that was face down when it left (I-SAF-31)."""
    refs, zones = state.refs, state.zones
    return None in [refs[obj] for path in DISCARDS for obj in zones[path]]


def unshown(state: State, paths: Sequence[str]) -> tuple[Missing, ...]:
    """Report the face-down cards in the slots `paths` that must still be shown after the end of the game (I-SAF-23).

    There are none before the end of the game, or unless I-SAF-23 is `endgame`.
    """
    if state.result is None or state.terms.options["I-SAF-23"] != "endgame":
        return ()
    return tuple(Missing("SAF-VII-Cache", {"card": "?"}, ("I-SAF-23",), path) for path in paths)
