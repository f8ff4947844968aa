"""A second, slow and obvious pairing: every way to pair a few players, weighed from the plain matches."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.swiss.field import Field

Levels = tuple[int, int, int, int, int]


def least_levels(field: Field, forbidden: frozenset[frozenset[str]] = frozenset()) -> Levels | None:
    """Rematches, second byes, points of the bye, squares, repeated floats: the least of all pairings, None if none."""
    live = [player.id for player in field.players if not player.dropped]
    points = {player.id: 0 for player in field.players}
    downs, ups = dict(points), dict(points)
    met, had_bye = set(), set()
    for matches in field.rounds:
        before = dict(points)
        for match in matches:
            if match.b is None:
                points[match.a] += 3
                had_bye.add(match.a)
                continue
            met.add(frozenset((match.a, match.b)))
            for one, other in ((match.a, match.b), (match.b, match.a)):
                downs[one] += before[one] > before[other]
                ups[one] += before[one] < before[other]
            if match.games_a > match.games_b:
                points[match.a] += 3
            elif match.games_a < match.games_b:
                points[match.b] += 3
            else:
                points[match.a] += 1
                points[match.b] += 1
    costs = []
    for pairs, bye in every_pairing(live):
        if any(frozenset(pair) in forbidden for pair in pairs):
            continue
        rematches = sum(frozenset(pair) in met for pair in pairs)
        squares = sum((points[a] - points[b]) ** 2 for a, b in pairs)
        floats = 0
        for pair in pairs:
            low, high = sorted(pair, key=lambda player: points[player])
            if points[low] < points[high]:
                floats += min(downs[high], 3) + min(ups[low], 3)
        costs.append((rematches, int(bye in had_bye), points[bye] if bye else 0, squares, floats))
    return min(costs, default=None)


def every_pairing(players: list[str]) -> Iterator[tuple[list[tuple[str, str]], str | None]]:
    """Every way to pair the players, with each choice of the bye if they are odd."""
    if len(players) % 2:
        for bye in players:
            for pairs in _perfect([player for player in players if player != bye]):
                yield pairs, bye
    else:
        for pairs in _perfect(players):
            yield pairs, None


def _perfect(players: list[str]) -> Iterator[list[tuple[str, str]]]:
    if not players:
        yield []
        return
    first, *rest = players
    for i, other in enumerate(rest):
        for pairs in _perfect(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *pairs]
