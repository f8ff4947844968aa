"""What no seating of multiplayer tables can go below: bounds that follow from counting, without any search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Met = Mapping[str, Mapping[str, int]]
"""How often two players sat together before; both directions are there, and pairs that never did are left out."""


def fewest_repeats(players: Sequence[str], met: Met, sizes: Sequence[int]) -> int:
    """How many repeated pairs any seating has at least, with tables of these sizes, which differ by at most one.

    At a table of four a player sits with three others, at best with the three met least often. The sum of this over all
    players counts each pair twice. Who sits at the smaller tables is left open, in favor of the bound.

    >>> met = {"a": {"b": 1, "c": 1}, "b": {"a": 1, "c": 1}, "c": {"a": 1, "b": 1}}
    >>> fewest_repeats(["a", "b", "c"], met, [3]), fewest_repeats(["a", "b", "c", "d"], met, [2, 2])
    (3, 0)
    """
    large, small = max(sizes), min(sizes)
    counts = {
        player: sorted(met.get(player, {}).get(other, 0) for other in players if other != player) for player in players
    }
    at_large = {player: sum(each[: large - 1]) for player, each in counts.items()}
    spared = sorted((at_large[player] - sum(counts[player][: small - 1]) for player in players), reverse=True)
    seats = small * sum(size == small for size in sizes) if small < large else 0
    return -(-(sum(at_large.values()) - sum(spared[:seats])) // 2)


def least_spread(points: Sequence[int], sizes: Sequence[int]) -> int:
    """The least spread of any seating with tables of these sizes, of which there are at most two different ones.

    Among the best seatings is one in which each table holds neighbors in the order of the points: swapping two players
    who stand in the wrong order never adds to the spread. So only the order of large and small tables is searched.

    >>> least_spread([24, 24, 0, 0], [2, 2]), least_spread([24, 16, 8, 0], [2, 2])
    (0, 128)
    """
    order = sorted(points, reverse=True)
    large, small = max(sizes), min(sizes)
    count = sizes.count(large)
    others = len(sizes) - count

    def cost(start: int, size: int) -> int:
        return sum((order[start] - each) ** 2 for each in order[start : start + size])

    # least[s]: the least spread of a start of the order that is cut into `number` large tables and s small ones.
    least: list[int] = []
    for number in range(count + 1):
        row: list[int] = []
        for smalls in range(others + 1):
            start = number * large + smalls * small
            ways = [least[smalls] + cost(start - large, large)] if number else []
            ways += [row[smalls - 1] + cost(start - small, small)] if smalls else []
            row.append(min(ways, default=0))
        least = row
    return least[others]
