"""The places that effects can name, and which of them are next to each other.

A path is "A/T1/fighters/2": seat, territory, row and slot. "A/T1" alone is the territory as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.effects.host import Place
from engine.core.table.state import State
from engine.games.star_safir.moves.mat import FIGHTERS, MAGICS, SEATS, THREE


def _places() -> Iterator[tuple[str, Place]]:
    for seat in SEATS:
        # Area 0 and slot 0: nowhere in particular, so near everything.
        yield f"{seat}/commander", Place(seat, 0, 0)
        yield f"{seat}/deck", Place(seat, 0, 0)
        for t in THREE:
            yield f"{seat}/T{t}", Place(seat, t, 0)
            yield f"{seat}/T{t}/discard", Place(seat, t, 0)
            for slot in THREE:
                yield FIGHTERS[seat, t][slot - 1], Place(seat, t, slot)
                yield MAGICS[seat, t][slot - 1], Place(seat, t, slot)


PLACES: Mapping[str, Place] = dict(_places())
ZONES: Mapping[str, tuple[str, ...]] = {
    "fighters": tuple(path for path in PLACES if "/fighters/" in path),
    "magics": tuple(path for path in PLACES if "/magics/" in path),
    "discard": tuple(path for path in PLACES if path.endswith("/discard")),
    "territory": tuple(f"{seat}/T{t}" for seat in SEATS for t in THREE),
}
COMMANDERS = tuple(f"{seat}/commander" for seat in SEATS)
IN_PLAY: Mapping[str, Place] = {path: PLACES[path] for path in (*ZONES["fighters"], *ZONES["magics"], *COMMANDERS)}


def neighbours(territory: int, slot: int, other: int, other_slot: int) -> bool:
    """Whether two slots are side by side in one territory (SAF-VII-AdjacentCombattant)."""
    return territory == other and abs(slot - other_slot) == 1


def next_to(territory: int, other: int) -> bool:
    """Whether two territories are side by side: I and II, II and III (SAF-VII-AdjacentTerritoire)."""
    return abs(territory - other) == 1


def free(state: State, seat: str, lands: Sequence[int]) -> list[str]:
    """Return the free fighter slots of a seat in these territories."""
    return [path for t in lands for path in FIGHTERS[seat, t] if not state.zones[path]]
