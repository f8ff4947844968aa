"""What changed between two tables of one stage: ranks moved, figures changed, who crossed the line of the cut."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Moved:
    """An entrant (public id) whose rank or points are others: before and after, None where there was no row.

    `crossed` is `in` or `out` when the rank passed the line of the cut, empty otherwise.
    """

    entrant: str
    rank_before: int | None
    rank_after: int | None
    points_before: float | None
    points_after: float | None
    crossed: str = ""

    @property
    def up(self) -> int:
        """Ranks gained; negative when lost, 0 when there is no rank to compare with."""
        if self.rank_before is None or self.rank_after is None:
            return 0
        return self.rank_before - self.rank_after


def moved(before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]], *, cut: int) -> list[Moved]:
    """Who moved between two tables, in the order of the later one; who left it comes last.

    `cut` is how many places lead on, 0 for none. Only a rank or points make a move: a tiebreak that changes without
    either changes nothing for anybody.
    """
    old = {row["entrant"]: row for row in before}
    new = {row["entrant"]: row for row in after}
    out = []
    for entrant in [*new, *(old.keys() - new.keys())]:
        was, now = old.get(entrant, {}), new.get(entrant, {})
        if (was.get("rank"), was.get("points")) != (now.get("rank"), now.get("points")):
            crossed = _crossed(was.get("rank"), now.get("rank"), cut)
            out.append(Moved(entrant, was.get("rank"), now.get("rank"), was.get("points"), now.get("points"), crossed))
    return out


def _crossed(before: int | None, after: int | None, cut: int) -> str:
    was, now = (rank is not None and rank <= cut for rank in (before, after))
    return "" if was == now else "in" if now else "out"
