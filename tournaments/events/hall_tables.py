"""The tables of the hall at which a stage is played, written as ranges such as `1-40, 60-80`. Plain values."""

import re
from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Stage

MAX_TABLE = 10_000
MAX_TABLES = 5_000  # per stage
_RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")


def tables_in(ranges: str, skipped: str = "") -> tuple[int, ...]:
    """The table numbers in `ranges`, in the order written, without those in `skipped`; empty for "".

    Raises `InvalidInput` `tables_invalid` if either is no list of ranges, has too many tables, or if no table is left.

    >>> tables_in("60-62, 1-3", "2, 61")
    (60, 62, 1, 3)
    """
    if not ranges.strip():
        return ()
    left_out = set(_read(skipped)) if skipped.strip() else set()
    found = tuple(table for table in dict.fromkeys(_read(ranges)) if table not in left_out)
    if not found:
        raise InvalidInput("tables_invalid", _("No table is left."), details=[ranges[:200]])
    return found


def tables_of(stage: Stage) -> tuple[int, ...]:
    """The tables of a stage in the order in which they are filled; empty if they are numbered from 1."""
    return tables_in(stage.hall, stage.hall_skipped)


def in_ranges(tables: Sequence[int], most: int = 20) -> str:
    """Sorted table numbers for a sentence: the first `most` ranges, then an ellipsis.

    >>> in_ranges([1, 2, 3, 7, 9, 10])
    '1–3, 7, 9–10'
    """
    apart = groupby(enumerate(tables), key=lambda each: each[1] - each[0])
    runs = [[table for _at, table in run] for _gap, run in apart]
    said = [f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    return ", ".join(said[:most] + ["…"] * (len(said) > most))


def written(ranges: str) -> str:
    """The ranges in their normal form, which is never longer than the input, so it fits the same database column.

    >>> written(" 1 – 40,13 ,60-60")
    '1-40,13,60'
    """
    return ",".join(f"{first}-{last}" if first != last else f"{first}" for first, last in _bounds(ranges))


def _read(ranges: str) -> list[int]:
    found = [table for first, last in _bounds(ranges) for table in range(first, last + 1)]
    if len(found) > MAX_TABLES:
        raise InvalidInput("tables_invalid", _("That is more than 5,000 tables."), details=[ranges[:200]])
    return found


def _bounds(ranges: str) -> Sequence[tuple[int, int]]:
    found = []
    for part in ranges.split(",") if ranges.strip() else []:
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= MAX_TABLE:
            sentence = _("Write tables as ranges, such as 1-40, 60-80.")
            raise InvalidInput("tables_invalid", sentence, details=[part.strip()[:40]])
        found.append((first, last))
    return found
