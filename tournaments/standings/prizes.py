"""Who gets how many units of the prizes, by the standings and the shares of the procedures. Plain arithmetic."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.events.procedures import Prizes


@dataclass(frozen=True)
class Prize:
    """What one entrant gets, by public id."""

    entrant: str
    rank: int
    points: float
    units: int


@dataclass(frozen=True)
class PrizeSheet:
    """The prizes of an event, best first; `remainder` is what is left, below 0 where there is too little."""

    prizes: list[Prize]
    remainder: int

    @property
    def given(self) -> int:
        """All units that are given."""
        return sum(prize.units for prize in self.prizes)


def prize_sheet(rows: Sequence[Mapping[str, Any]], prizes: Prizes) -> PrizeSheet:
    """The sheet of standings `rows` (`entrant`, `rank`, `points`), best first.

    By rank, those who share one share what is due to their places, in equal whole units; the rest of it is left.
    """
    shared = Counter(row["rank"] for row in rows)
    due = {} if prizes.by == "points" else {rank: _due(rank, ties, prizes) for rank, ties in shared.items()}
    found = []
    for row in rows:
        units = _share(row["points"], prizes) if prizes.by == "points" else due[row["rank"]]
        if units:
            found.append(Prize(row["entrant"], row["rank"], row["points"], units))
    return PrizeSheet(found, prizes.units - sum(prize.units for prize in found))


def _due(rank: int, ties: int, prizes: Prizes) -> int:
    """The units of each of those who share a rank: what their places are due, in equal whole units."""
    return sum(_share(place, prizes) for place in range(rank, rank + ties)) // ties


def _share(measure: float, prizes: Prizes) -> int:
    """The units of a place, or of so many points."""
    return sum(share.units for share in prizes.shares if share.first <= measure <= share.last)
