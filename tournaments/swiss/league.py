"""League standings: points from events, added up over a season.

The result is exact and does not depend on the order of the events. For an event a player attended, with a rank shared
by `k` players who hold the places `p` to `p + k - 1`:

    by rank   R = (T(p) + … + T(p + k - 1)) / k     T(j): entry j of the table, or `later` beyond its end
    result    s = R + m · M                         M: match points of the event, m: `per_match_point`

A player's total is `a · E` plus the sum of the best `n` results, where `E` is the number of events attended and `a` is
`attendance`. Attendance counts for every event, even if its result is dropped. A player who took part in an event
through several entrants gets the best of their results there, and one attendance. Equal totals share a rank.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

ZERO = Fraction(0)


@dataclass(frozen=True)
class Rules:
    """How events become points; no value is negative. `best` is the number of results that count, None for all."""

    by_rank: tuple[int, ...] = ()
    later: int = 0
    per_match_point: int = 0
    attendance: int = 0
    best: int | None = None


@dataclass(frozen=True)
class Placing:
    """An entrant who attended an event.

    It has a rank, match points, and the players behind it (several for a team).
    """

    entrant: str
    players: tuple[str, ...]
    rank: int
    points: Fraction = ZERO


@dataclass(frozen=True)
class LeagueEvent:
    """An event of a league, with everybody who attended it.

    Only the order of the ranks and ties between them matter; gaps do not.
    """

    id: str
    placings: tuple[Placing, ...]


@dataclass(frozen=True)
class Result:
    """What one event gave one player through one entrant, broken down.

    `why` says whether it counts: `counts`, `dropped` (not among the best), or `double` (another entrant of the same
    player did better in this event).
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
        """The result that competes to be among the best. Attendance is not part of it."""
        return self.by_rank + self.by_matches


@dataclass(frozen=True)
class Line:
    """A player of the league: the rank, the number of players sharing it, the total, and all results, best first."""

    player: str
    rank: int
    sharing: int
    total: Fraction
    results: tuple[Result, ...]


def league(events: Iterable[LeagueEvent], rules: Rules, same: Mapping[str, str] | None = None) -> tuple[Line, ...]:
    """The standings of a league, best first.

    `same` maps a player's id to the id of the player it was merged into; chains are followed. Players with equal totals
    share their rank and are listed by id, which means nothing.
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
    """Follow the chain in `same` from a player to its end. A cycle resolves to its smallest id."""
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
        # Counted places, not the given ranks, so that gaps in the ranks do not matter.
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
    """The total, and what became of each result.

    Equal results are taken in the order of event and entrant ids; the total is the same whichever of them counts.
    """
    total, taken = ZERO, 0
    seen: set[str] = set()
    counted: list[Result] = []
    for result in sorted(results, key=lambda each: (-each.points, each.event, each.entrant)):
        if result.event in seen:
            # Attendance was already counted with the better entrant.
            counted.append(replace(result, why="double", attendance=ZERO))
            continue
        seen.add(result.event)
        total += result.attendance
        if rules.best is not None and taken >= rules.best:
            counted.append(replace(result, why="dropped"))
            continue
        taken += 1
        total += result.points
        counted.append(result)
    return total, tuple(counted)
