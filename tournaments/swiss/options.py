"""Options of a pairing besides the field, the seed and the forbidden pairs. By default nothing is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as by_default

from tournaments.swiss.field import SwissError
from tournaments.swiss.scoring import PLAIN, Scoring

RANDOM, FOLD, SLIDE, STANDING = ORDERS = ("random", "fold", "slide", "standing")
AWARDS = ("bye", "half_bye", "zero_bye")
MAX_TABLE = 1_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """Soft wishes, byes awarded by hand, and fixed tables. Raises `SwissError` with the path of the first defect.

    - `order`: who meets whom inside a score group. `random`; by seed, first against last (`fold`) or first against
      middle (`slide`); or neighbors in the standings by `scheme` (`standing`).
    - `scoring`: what a match is worth, which determines the score groups; 3, 1 and 0 points by default
    - `clubs`: avoid pairing club mates if no more important level of the cost suffers. Ignored in the `last` round.
    - `sides`: the first seat goes first, and is to be shared evenly
    - `awarded`: byes awarded by hand, with their kind (one of `AWARDS`), by id
    - `tables`: fixed tables, by id
    """

    order: str = RANDOM
    scheme: str = "mtr"
    last: bool = False
    clubs: bool = False
    sides: bool = False
    awarded: Mapping[str, str] = by_default(default_factory=dict)
    tables: Mapping[str, int] = by_default(default_factory=dict)
    scoring: Scoring = PLAIN

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            known = ", ".join(ORDERS)
            raise SwissError("unknown_order", f"{self.order!r} is no order; orders: {known}", "options.order")
        for player, kind in self.awarded.items():
            if kind not in AWARDS:
                known, path = ", ".join(AWARDS), f"options.awarded.{player}"
                raise SwissError("unknown_award", f"{kind!r} is no bye to award; kinds: {known}", path)
        _check_tables(self.tables)
        self.scoring.worth()  # raises SwissError for invalid points


def _check_tables(tables: Mapping[str, int]) -> None:
    owners: dict[int, str] = {}
    for player, table in tables.items():
        if not 1 <= table <= MAX_TABLE:
            raise SwissError("bad_table", f"a table has a number from 1 to {MAX_TABLE}", f"options.tables.{player}")
        if table in owners:
            raise SwissError("table_taken", f"table {table} is kept for {owners[table]}", f"options.tables.{player}")
        owners[table] = player
