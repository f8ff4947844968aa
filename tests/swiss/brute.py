"""Reference implementation of the pairing by brute force.

It tries every way to pair a few players, with costs counted from the plain matches.
"""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.swiss.field import Field, Match
from tournaments.swiss.options import Options

Levels = tuple[int, int, int, int, int, int, int]
Pairs = list[tuple[str, str]]

ALONE = {"bye": 3, "half_bye": 1, "zero_bye": 0, "missed": 0}


class Past:
    """What the finished rounds mean for each player, read match by match."""

    def __init__(self, field: Field) -> None:
        ids = [player.id for player in field.players]
        self.points = dict.fromkeys(ids, 0)
        self.downs, self.ups, self.byes, self.first = (dict.fromkeys(ids, 0) for _ in range(4))
        self.meetings: list[frozenset[str]] = []
        for matches in field.rounds:
            before = dict(self.points)
            for match in matches:
                self._add(match, before)

    def _add(self, match: Match, before: dict[str, int]) -> None:
        if match.b is None:
            self.points[match.a] += ALONE[match.kind]
            self.byes[match.a] += match.kind == "bye"
            return
        self.meetings.append(frozenset((match.a, match.b)))
        self.first[match.a] += 1
        self.first[match.b] -= 1
        for one, other in ((match.a, match.b), (match.b, match.a)):
            self.downs[one] += before[one] > before[other]
            self.ups[one] += before[one] < before[other]
        drawn = match.kind == "intentional_draw" or (
            match.kind in ("played", "time") and match.games_a == match.games_b
        )
        if drawn:
            self.points[match.a] += 1
            self.points[match.b] += 1
        elif match.kind != "double_loss" and match.games_a != match.games_b:
            self.points[match.a if match.games_a > match.games_b else match.b] += 3


def live_ids(field: Field, options: Options) -> list[str]:
    """The players to be paired."""
    coming = len(field.rounds) + 1
    return [p.id for p in field.players if not p.dropped and p.joined <= coming and p.id not in options.awarded]


def least_levels(
    field: Field, forbidden: frozenset[frozenset[str]] = frozenset(), options: Options | None = None
) -> Levels | None:
    """The minimum over all pairings, level by level, or None if there is none.

    The order by standing is not supported here.
    """
    options = options or Options()
    live = live_ids(field, options)
    past = Past(field)
    costs = [
        levels_of(field, past, pairs, bye, options)
        for pairs, bye in every_pairing(live)
        if not any(frozenset(pair) in forbidden for pair in pairs)
    ]
    return min(costs, default=None)


def levels_of(field: Field, past: Past, pairs: Pairs, bye: str | None, options: Options) -> Levels:
    """The cost of one pairing: rematches, second byes, points of the bye, squares, floats, wishes, places."""
    player = {player.id: player for player in field.players}
    live = live_ids(field, options)
    floats = wishes = places = squares = rematches = 0
    for a, b in pairs:
        times = past.meetings.count(frozenset((a, b)))
        rematches += times > 0
        wishes += min(max(times - 1, 0), 3)
        squares += (past.points[a] - past.points[b]) ** 2
        low, high = sorted((a, b), key=lambda seat: past.points[seat])
        if past.points[low] < past.points[high]:
            floats += min(past.downs[high], 3) + min(past.ups[low], 3)
        if options.clubs and not options.last:
            wishes += player[a].club == player[b].club != ""
        if options.sides:
            one, two = past.first[a], past.first[b]
            wishes += min(uneven(one + 1) + uneven(two - 1), uneven(one - 1) + uneven(two + 1))
        if options.order != "random":
            places += off(past.points, {seat: player[seat].seed for seat in live}, a, b, options.order) ** 2
    if bye is not None:
        wishes += min(max(past.byes[bye] - 1, 0), 3)
        wishes += any(player[seat].bye for seat in live) and not player[bye].bye
    second = int(bye is not None and past.byes[bye] > 0)
    return rematches, second, past.points[bye] if bye else 0, squares, floats, wishes, places


def uneven(first: int) -> int:
    """How far first and second seats are from even; a difference of one still counts as even."""
    return min(max(abs(first) - 1, 0), 2)


def off(points: dict[str, int], seeds: dict[str, int], a: str, b: str, order: str) -> int:
    """How many places b is off from the opponent that the order intends for a. All seeds must differ."""
    if points[a] != points[b]:
        line = sorted(seeds, key=lambda seat: (-points[seat], seeds[seat]))
        return abs(line.index(a) - line.index(b)) - 1
    group = sorted((seat for seat in seeds if points[seat] == points[a]), key=seeds.__getitem__)
    if order == "fold":
        return abs(len(group) - 1 - group.index(a) - group.index(b))
    return abs(abs(group.index(a) - group.index(b)) - len(group) // 2)


def avoids_every_rematch(field: Field) -> bool:
    """Whether some pairing with some bye has no rematch, by exhaustive search."""
    past = Past(field)
    live = live_ids(field, Options())
    met = {seat: {other for other in live if frozenset((seat, other)) in past.meetings} for seat in live}

    def finds(left: list[str]) -> bool:
        if not left:
            return True
        one, *rest = left
        return any(finds(rest[:i] + rest[i + 1 :]) for i, other in enumerate(rest) if other not in met[one])

    if len(live) % 2:
        return any(finds([seat for seat in live if seat != bye]) for bye in live)
    return finds(live)


def every_pairing(players: list[str]) -> Iterator[tuple[Pairs, str | None]]:
    """Every way to pair the players, with each choice of the bye if their number is odd."""
    if len(players) % 2:
        for bye in players:
            for pairs in _perfect([player for player in players if player != bye]):
                yield pairs, bye
    else:
        for pairs in _perfect(players):
            yield pairs, None


def _perfect(players: list[str]) -> Iterator[Pairs]:
    if not players:
        yield []
        return
    first, *rest = players
    for i, other in enumerate(rest):
        for pairs in _perfect(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *pairs]
