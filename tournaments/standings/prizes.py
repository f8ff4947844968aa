"""The prize sheet: who gets how many units, from standings and the event's payout. Pure arithmetic."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.events.procedures import Prizes


@dataclass(frozen=True)
class Prize:
    """The prize of one entrant (public id), in units of the prize pool."""

    entrant: str
    rank: int
    points: float
    units: int


@dataclass(frozen=True)
class PrizeSheet:
    """The prizes of an event, best first. `remainder` are the units left, negative if there are too few."""

    prizes: list[Prize]
    remainder: int

    @property
    def given(self) -> int:
        """The total of units given."""
        return sum(prize.units for prize in self.prizes)


def prize_sheet(rows: Sequence[Mapping[str, Any]], prizes: Prizes) -> PrizeSheet:
    """Compute the prize sheet from standings `rows` (`entrant`, `rank`, `points`), best first.

    When paid by rank, players who share a rank divide the units of their places equally, in whole units; what cannot be
    divided stays in the remainder. For example, two players tied for first, with 6 units for first and 3 for second
    place, get 4 each, and 1 is left.
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
    """The units for each of the `ties` players who share `rank`: those of their places, divided and rounded down."""
    return sum(_share(place, prizes) for place in range(rank, rank + ties)) // ties


def _share(measure: float, prizes: Prizes) -> int:
    """The units for a rank or for a number of points."""
    return sum(share.units for share in prizes.shares if share.first <= measure <= share.last)
