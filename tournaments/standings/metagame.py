"""Metagame statistics: what was played and how often it won. Pure arithmetic on group names, without the database.

A win rate is wins among decisive matches (draws are left out), with the 95 % score interval of Wilson (1927), "Probable
inference, the law of succession, and statistical inference", J. Amer. Statist. Assoc. 22. With p = won / n and z = 1.96
it is

    (p + z²/2n ± z · √(p(1-p)/n + z²/4n²)) / (1 + z²/n)

It keeps its level for few matches and for rates near 0 and 1, where p ± z·√(p(1-p)/n) does not.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from tournaments.common.names import natural

Z = 1.959963984540054  # two-sided 95 % quantile of the normal distribution


@dataclass(frozen=True)
class Meeting:
    """A match between two groups (None: unknown deck). `won` is 1 for the first, -1 for the second, 0 for a draw."""

    first: str | None
    second: str | None
    won: int


@dataclass(frozen=True)
class Group:
    """A group of decks: how many there are, their share of all decks, and their matches against other groups."""

    name: str
    decks: int
    share: float
    won: int
    lost: int
    drawn: int

    @property
    def decisive(self) -> int:
        """The number of matches won or lost."""
        return self.won + self.lost

    @property
    def rate(self) -> float | None:
        """Wins among decisive matches; None without any."""
        return self.won / self.decisive if self.decisive else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the rate, as (low, high); None without decisive matches."""
        return wilson(self.won, self.decisive) if self.decisive else None


@dataclass(frozen=True)
class Metagame:
    """The groups, most played first, and how much their rates are based on.

    `unknown`: decks without a list.
    `counted`: matches between two different known groups, the only ones that rates count.
    `mirrors`: matches of a group against itself.
    `unclear`: matches with an unknown deck.
    """

    groups: tuple[Group, ...]
    unknown: int
    counted: int
    mirrors: int
    unclear: int


def wilson(won: int, played: int) -> tuple[float, float]:
    """The Wilson interval for `won` wins in `played` matches, at least one.

    >>> [round(bound, 4) for bound in wilson(7, 10)]
    [0.3968, 0.8922]
    """
    rate, squared = won / played, Z * Z
    middle = rate + squared / (2 * played)
    spread = Z * sqrt(rate * (1 - rate) / played + squared / (4 * played * played))
    scale = 1 + squared / played
    # Rounding must not push a bound past a rate of 0 or 1.
    return max(0.0, min(rate, (middle - spread) / scale)), min(1.0, max(rate, (middle + spread) / scale))


def metagame(decks: Iterable[str | None], meetings: Iterable[Meeting]) -> Metagame:
    """Compute the metagame.

    `decks` has the group of every deck that was played (None if unknown), `meetings` the matches.
    """
    played = Counter(decks)
    everybody = sum(played.values())
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    mirrors = unclear = counted = 0
    for meeting in meetings:
        if meeting.first is None or meeting.second is None:
            unclear += 1
        elif meeting.first == meeting.second:
            mirrors += 1
        else:
            counted += 1
            for name, result in ((meeting.first, meeting.won), (meeting.second, -meeting.won)):
                (won if result > 0 else lost if result < 0 else drawn)[name] += 1
    groups = [
        Group(name, count, count / everybody, won[name], lost[name], drawn[name])
        for name, count in played.items()
        if name is not None
    ]
    ordered = sorted(groups, key=lambda group: (-group.decks, natural(group.name)))
    return Metagame(tuple(ordered), played[None], counted, mirrors, unclear)
