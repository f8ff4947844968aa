"""League points: what events give, added up over a season. Exact, and blind to the order of the events.

Of an event that a player came to, with a rank shared by `k` who hold the places `p` to `p + k - 1`:

    by rank   R = (T(p) + … + T(p + k - 1)) / k     T(j): the j-th figure of the table, beyond its end `later`
    result    s = R + m · M                         M: match points of the event, m: `per_match_point`

A player's total is `a · E` plus the sum of the best `n` results: `E` counts the events come to, `a` is `attendance`. So
coming counts at every event, also where the result is dropped. A player whom an event knows as several entrants has the
best of their results there, and came once. Equal totals share their rank.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

ZERO = Fraction(0)


@dataclass(frozen=True)
class Rules:
    """How events become points; no figure is below 0. `best` is how many results count, None for all."""

    by_rank: tuple[int, ...] = ()
    later: int = 0
    per_match_point: int = 0
    attendance: int = 0
    best: int | None = None


@dataclass(frozen=True)
class Placing:
    """An entrant who came to an event: its rank, its match points, and the players behind it (of a team, several)."""

    entrant: str
    players: tuple[str, ...]
    rank: int
    points: Fraction = ZERO


@dataclass(frozen=True)
class LeagueEvent:
    """An event of a league, with everybody who came to it. Ranks tell the order and who shares a place; gaps do not."""

    id: str
    placings: tuple[Placing, ...]


@dataclass(frozen=True)
class Result:
    """What one event gave one player through one entrant, opened.

    `why` it counts or does not: `counts`, `dropped` (beyond the best), `double` (another entrant did better there).
    """

    event: str
    entrant: str
    place: int
    sharing: int
    match_points: Fraction
    by_rank: Fraction
    by_matches: Fraction
    attendance: Fraction
    why: str = "counts"

    @property
    def points(self) -> Fraction:
        """The result that competes for a place among the best; coming stands beside it."""
        return self.by_rank + self.by_matches


@dataclass(frozen=True)
class Line:
    """A player of the league: the rank, which `sharing` players hold, the total, and every result, best first."""

    player: str
    rank: int
    sharing: int
    total: Fraction
    results: tuple[Result, ...]


def league(events: Iterable[LeagueEvent], rules: Rules, same: Mapping[str, str] | None = None) -> tuple[Line, ...]:
    """The standings of a league, best first. `same` says of a player which other one that is, through any chain.

    Of equal totals the order is that of the ids: it means nothing, and the rank is shared.
    """
    results: dict[str, list[Result]] = {}
    for event in events:
        for player, result in _results(event, rules):
            results.setdefault(one(player, same or {}), []).append(result)
    totals = {player: _chosen(found, rules) for player, found in results.items()}
    ranked = sorted(totals, key=lambda player: (-totals[player][0], player))
    lines: list[Line] = []
    for total, group in groupby(ranked, lambda player: totals[player][0]):
        sharing = list(group)
        rank = len(lines) + 1
        lines += [Line(player, rank, len(sharing), total, totals[player][1]) for player in sharing]
    return tuple(lines)


def one(player: str, same: Mapping[str, str]) -> str:
    """The player at the end of the chain `same`; a circle ends where it closes, at its least id."""
    seen = [player]
    while (after := same.get(seen[-1])) is not None:
        if after in seen:
            return min(seen[seen.index(after) :])
        seen.append(after)
    return seen[-1]


def _results(event: LeagueEvent, rules: Rules) -> Iterable[tuple[str, Result]]:
    place = 1
    for _rank, group in groupby(sorted(event.placings, key=lambda each: each.rank), lambda each: each.rank):
        sharing = list(group)
        by_rank = Fraction(sum(_of_place(place + more, rules) for more in range(len(sharing))), len(sharing))
        for each in sharing:
            result = Result(
                event=event.id,
                entrant=each.entrant,
                place=place,
                sharing=len(sharing),
                match_points=each.points,
                by_rank=by_rank,
                by_matches=rules.per_match_point * each.points,
                attendance=Fraction(rules.attendance),
            )
            for player in each.players:
                yield player, result
        place += len(sharing)


def _of_place(place: int, rules: Rules) -> int:
    return rules.by_rank[place - 1] if place <= len(rules.by_rank) else rules.later


def _chosen(results: Iterable[Result], rules: Rules) -> tuple[Fraction, tuple[Result, ...]]:
    """The total, and what became of each result. Which of equal ones counts goes by id: the sum is the same."""
    total, taken = ZERO, 0
    seen: set[str] = set()
    told: list[Result] = []
    for result in sorted(results, key=lambda each: (-each.points, each.event, each.entrant)):
        if result.event in seen:
            told.append(replace(result, why="double", attendance=ZERO))
            continue
        seen.add(result.event)
        total += result.attendance
        if rules.best is not None and taken >= rules.best:
            told.append(replace(result, why="dropped"))
            continue
        taken += 1
        total += result.points
        told.append(result)
    return total, tuple(told)
