"""Compare two standings tables of a stage: whose rank or points changed, and who crossed the cut."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Moved:
    """An entrant (public id) whose rank or points changed. Values are None where the entrant is not in the table.

    `crossed` is "in" or "out" if the entrant moved into or out of the cut, else empty.
    """

    entrant: str
    rank_before: int | None
    rank_after: int | None
    points_before: float | None
    points_after: float | None
    crossed: str = ""

    @property
    def up(self) -> int:
        """The number of ranks gained, negative for ranks lost; 0 if the entrant is missing from either table."""
        if self.rank_before is None or self.rank_after is None:
            return 0
        return self.rank_before - self.rank_after


def moved(before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]], *, cut: int) -> list[Moved]:
    """The entrants whose rank or points differ between two tables.

    In the order of `after`, then those who are only in `before`. `cut` is the number of places that qualify, or 0. A
    tiebreak that changes without a change of rank or points does not count: it changes nothing for anybody.
    """
    old = {row["entrant"]: row for row in before}
    new = {row["entrant"]: row for row in after}
    out = []
    for entrant in [*new, *(entrant for entrant in old if entrant not in new)]:
        was, now = old.get(entrant, {}), new.get(entrant, {})
        if (was.get("rank"), was.get("points")) != (now.get("rank"), now.get("points")):
            crossed = _crossed(was.get("rank"), now.get("rank"), cut)
            out.append(Moved(entrant, was.get("rank"), now.get("rank"), was.get("points"), now.get("points"), crossed))
    return out


def _crossed(before: int | None, after: int | None, cut: int) -> str:
    was, now = (rank is not None and rank <= cut for rank in (before, after))
    return "" if was == now else "in" if now else "out"
