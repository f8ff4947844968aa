"""Columns of exact figures for standings.

The figures of a tiebreak are stored as integers over one common denominator, so equal values compare as equal and
sorting is fast. Each figure can be broken down into the parts it was computed from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

WIDEST = 2_048
"""Maximum size of a common denominator in bits. Wider columns hold fractions: slower, but just as exact."""


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a figure: its exact value, the round it comes from (0 for none) and the opponent's id (may be empty).

    `got` and `of` are the counts behind a share; both are None for other parts. `note` says how the value was adjusted:
    empty, `floor`, `ceiling`, `cut`, `virtual` (an unplayed round counted as an opponent) or the kind of the match.
    """

    value: Fraction
    player: str = ""
    round: int = 0
    got: int | None = None
    of: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One figure for every player: player `i` has exactly `values[i] / unit`.

    `how` says how the parts combine: `sum`, `mean`, `share`, `count`, `order` or `rounded`. `parts(i)` returns the
    parts of player `i`. The greater figure is better unless `least` is set.
    """

    values: Sequence[int | Fraction]
    unit: int
    how: str
    parts: Callable[[int], tuple[Part, ...]]
    least: bool = False

    def of(self, player: int) -> Fraction:
        """The exact figure of a player."""
        return Fraction(self.values[player], self.unit)

    def keys(self) -> Sequence[int | Fraction]:
        """Sort keys for which a greater key is better."""
        return [-value for value in self.values] if self.least else self.values


def no_parts(_player: int) -> tuple[Part, ...]:
    """No parts: for figures that are plain counts."""
    return ()


def common(denominators: Iterable[int]) -> int | None:
    """The least common denominator, or None if it has more than `WIDEST` bits."""
    out = 1
    for each in set(denominators):
        out = lcm(out, each)
        if out.bit_length() > WIDEST:
            return None
    return out


def share(
    got: Sequence[int], of: Sequence[int], *, floor: Fraction, most: Callable[[int], Fraction] | None = None
) -> Column:
    """A column of `got / of`, bounded below by `floor` and, if `most` is given, above by `most(i)`.

    Players with `of` 0 get `floor`.
    """
    ceilings = [] if most is None else [most(i) for i in range(len(got))]

    def parts(i: int) -> tuple[Part, ...]:
        raw = Fraction(got[i], of[i]) if of[i] else floor
        value = max(floor, raw)
        if ceilings:
            value = min(value, ceilings[i])
        note = "" if value == raw and of[i] else "ceiling" if value < raw else "floor"
        return (Part(value, got=got[i], of=of[i], note=note),)

    unit = common({*of, floor.denominator, *(each.denominator for each in set(ceilings))} - {0})
    if unit is None:
        return Column([parts(i)[0].value for i in range(len(got))], 1, "share", parts)
    # `unit` is a multiple of the denominator of `floor` and of the ceilings, so these conversions are exact.
    least = int(floor * unit)
    scale = {lower: unit // lower if lower else 0 for lower in set(of)}
    values = [upper * scale[lower] for upper, lower in zip(got, of, strict=True)]
    values = [least if value < least else value for value in values]
    if ceilings:
        values = [min(value, int(ceiling * unit)) for value, ceiling in zip(values, ceilings, strict=True)]
    return Column(values, unit, "share", parts)


def mean(inner: Column, met: Sequence[Sequence[int]], names: Sequence[str], *, empty: Fraction) -> Column:
    """A column of the mean of `inner` over each player's opponents; `empty` for players without opponents."""

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(opened(inner, other, names[other]) for other in met[i])

    value_of = inner.values.__getitem__
    counts = {len(each) for each in met} - {0}
    many = common(counts | {empty.denominator})
    if many is None:
        means = [Fraction(sum(map(value_of, each)), inner.unit * len(each)) if each else empty for each in met]
        return Column(means, 1, "mean", parts)
    # Exact, because `many` is a multiple of the denominator of `empty`.
    alone = int(empty * many) * inner.unit
    scale = {count: many // count for count in counts}
    values = [sum(map(value_of, each)) * scale[len(each)] if each else alone for each in met]
    return Column(values, inner.unit * many, "mean", parts)


def opened(inner: Column, player: int, name: str) -> Part:
    """An opponent's figure as a part of another figure. A share keeps the counts behind it."""
    if inner.how == "share":
        (own,) = inner.parts(player)
        return Part(own.value, name, got=own.got, of=own.of, note=own.note)
    return Part(inner.of(player), name)


def ranks(ranked: Sequence[int], columns: Iterable[Column]) -> dict[int, int]:
    """The shared rank of each of these players, best first.

    Players who are equal in all columns keep the given order.
    """
    keys = list(zip(*(column.keys() for column in columns), strict=True))
    if not keys:
        return dict.fromkeys(ranked, 1)
    out: dict[int, int] = {}
    rank, before = 0, None
    for place, i in enumerate(sorted(ranked, key=keys.__getitem__, reverse=True), start=1):
        if keys[i] != before:
            rank, before = place, keys[i]
        out[i] = rank
    return out
