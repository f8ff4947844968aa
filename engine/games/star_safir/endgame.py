"""How a log ends that no player won by 30 PV, and what is shown of the cards still face down."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.errors import Missing
from engine.core.state import Outcome, State
from engine.core.verbs import leader
from engine.games.star_safir.moves.mat import PV, SEATS, THREE

DISCARDS = tuple(f"{seat}/T{territory}/discard" for seat in SEATS for territory in THREE)


def endless(state: State) -> bool:
    """Whether nobody won and nobody has a card left to draw: a game that may go on for ever (I-SAF-17)."""
    facts = [f"{seat}/deck" for seat in SEATS]
    return state.result is None and state.turn > 0 and not any(state.zones[f] or f in state.unknown for f in facts)


def by_score(state: State) -> Outcome | None:
    """The result of an endless game by PV, where I-SAF-17 asks for one and every PV is known."""
    unsaid = any(path in state.unknown for path in PV.values())
    if state.terms.options["I-SAF-17"] != "score" or state.agenda or unsaid:
        return None
    return Outcome(leader({seat: state.counters[PV[seat]] for seat in SEATS}), "decks", "SAF-VIII-2", ("I-SAF-17",))


def unnamed(state: State) -> bool:
    """Whether a card that nobody named lies in a discard: it was face down when it left (I-SAF-31)."""
    refs, zones = state.refs, state.zones
    return None in [refs[obj] for path in DISCARDS for obj in zones[path]]


def unshown(state: State, paths: Sequence[str]) -> tuple[Missing, ...]:
    """What is missing where every face-down card must be shown once the game is over (I-SAF-23)."""
    if state.result is None or state.terms.options["I-SAF-23"] != "endgame":
        return ()
    return tuple(Missing("SAF-VII-Cache", {"card": "?"}, ("I-SAF-23",), path) for path in paths)
