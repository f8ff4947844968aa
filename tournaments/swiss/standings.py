"""Standings: players ranked by an ordered list of exact figures. Ranks are shared if all figures are equal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from tournaments.swiss.columns import Column, Part, ranks
from tournaments.swiss.crosstable import Crosstable
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.schemes import Scheme, scheme_of
from tournaments.swiss.scoring import PLAIN, Scoring
from tournaments.swiss.tiebreaks import ABSOLUTE, RELATIVE, points


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure broken down: its name, its exact value, and its parts.

    `how` says how the parts combine (see `Column`).
    """

    name: str
    value: Fraction
    how: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of standings of any structure. `record` is (won, lost, drawn), without byes."""

    rank: int
    player: str
    points: int | Fraction
    terms: Mapping[str, Fraction]
    record: tuple[int, int, int]
    byes: int = 0
    explain: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The figures behind standings: one column for each tiebreak of the scheme, in order."""

    scheme: Scheme
    crosstable: Crosstable
    columns: Mapping[str, Column]


class SwissRow(NamedTuple):
    """One row of Swiss standings, with the same attributes as `Row`, computed on access."""

    rank: int
    player: str
    number: int
    table: Table

    @property
    def points(self) -> int | Fraction:
        """Match points: an integer unless the scheme counts halves."""
        return whole(self.table.crosstable.cached(points).of(self.number))

    @property
    def terms(self) -> dict[str, Fraction]:
        """All figures except the match points, in the order in which they break ties."""
        return {name: self.table.columns[name].of(self.number) for name in self.table.scheme.terms}

    @property
    def record(self) -> tuple[int, int, int]:
        """Matches won, lost and drawn, without byes."""
        tally = self.table.crosstable.tallies[self.number]
        return tally.won, tally.lost, tally.drawn

    @property
    def byes(self) -> int:
        """Byes received."""
        return self.table.crosstable.tallies[self.number].byes

    @property
    def explain(self) -> tuple[Figure, ...]:
        """All figures of the scheme broken down, in the order in which they are compared."""
        return tuple(
            Figure(name, column.of(self.number), column.how, column.parts(self.number))
            for name, column in self.table.columns.items()
        )


def whole(value: Fraction) -> int | Fraction:
    """Convert a fraction to an integer if it is one."""
    return value.numerator if value.denominator == 1 else value


def decided_by(first: Row | SwissRow, second: Row | SwissRow) -> str | None:
    """The name of the first figure in which two rows of the same table differ; None if they share a rank."""
    if first.rank == second.rank:
        return None
    pairs = zip(first.explain, second.explain, strict=True)
    return next((ours.name for ours, theirs in pairs if ours.value != theirs.value), None)


def standings(
    field: Field,
    scheme: str = "mtr",
    *,
    floor: Fraction | None = None,
    gw_floored: bool | None = None,
    seed: int = 0,
    scoring: Scoring = PLAIN,
) -> tuple[SwissRow, ...]:
    """The standings after the rounds of the field, first rank first, equal ranks in the order of ids.

    - `scheme`: a name in `SCHEMES`, or a list of tiebreaks (see `scheme_of`)
    - `floor`: the minimum share of matches and games, instead of the scheme's
    - `gw_floored`: whether the floor applies to a player's own GW, instead of the scheme's setting
    - `seed`: used only by the tiebreak `random`
    - `scoring`: points and floor of the event, instead of the scheme's

    Players who dropped keep their row. Disqualified players have none, but still count as opponents. Raises
    `SwissError` with the codes of `scheme_of` and `Scoring`, or `bad_floor` if the floor is not between 0 and 1.

    >>> from tournaments.swiss.field import Match, Player
    >>> first = (Match("A", "B", 2, 0, 0), Match("C", None, 2, 0, 0, "bye"))
    >>> rows = standings(Field((Player("A"), Player("B"), Player("C")), (first,)))
    >>> [(row.rank, row.player) for row in rows]
    [(1, 'A'), (1, 'C'), (3, 'B')]
    >>> rows[0].terms["omw"]  # exact
    Fraction(1, 3)
    """
    chosen = scheme_of(scheme)
    rules = scoring.rules(chosen.rules)
    if floor is not None:
        if not 0 <= floor <= 1:
            raise SwissError("bad_floor", "the floor is a share between 0 and 1")
        rules = replace(rules, floor=floor)
    if gw_floored is not None:
        rules = replace(rules, gw_floored=gw_floored)
    crosstable = Crosstable(field, rules, seed)
    out = field.disqualified()
    ranked = [i for i, player in enumerate(crosstable.players) if player.id not in out]
    columns: dict[str, Column] = {}
    for name in chosen.tiebreaks:
        if name in ABSOLUTE:
            columns[name] = crosstable.cached(ABSOLUTE[name])
        else:
            # A relative tiebreak compares only players who are still tied, so it needs the ranks by all columns before
            # it.
            places = ranks(ranked, columns.values())
            columns[name] = RELATIVE[name](crosstable, [places.get(i, 0) for i in range(len(crosstable.players))])
    table = Table(chosen, crosstable, columns)
    return tuple(
        SwissRow(rank, crosstable.players[i].id, i, table) for i, rank in ranks(ranked, columns.values()).items()
    )


def frozen(at_cut: Sequence[SwissRow], now: Sequence[SwissRow], advancing: Collection[str]) -> tuple[SwissRow, ...]:
    """The standings after a cut inside the Swiss rounds.

    Players who advanced come first, ranked by `now`; the others keep their row of `at_cut`. Raises `SwissError`
    `unknown_player` if somebody who advanced has no row.
    """
    missing = set(advancing) - {row.player for row in at_cut}
    if missing:
        raise SwissError("unknown_player", f"{min(missing)} advanced, and is not in the standings of the cut")
    ahead = [row for row in now if row.player in advancing]
    places: dict[int, int] = {}
    for place, row in enumerate(ahead, start=1):
        # Renumber: `now` also ranks the players who did not advance.
        places.setdefault(row.rank, place)
    # Disqualified since the cut: no row any more.
    gone = {row.player for row in at_cut} - {row.player for row in now}
    return (
        *(row._replace(rank=places[row.rank]) for row in ahead),
        *(row for row in at_cut if row.player not in advancing and row.player not in gone),
    )
