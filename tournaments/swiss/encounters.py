"""Direct encounter: who won the matches among players whom everything before leaves together. Source: FIDE C.07."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tournaments.swiss.columns import Column, Part
from tournaments.swiss.crosstable import Crosstable, Line, lines

Encounters = Mapping[int, Mapping[int, list[Line]]]
"""For each tied player the matches with each other tied player."""


def direct(table: Crosstable, ranks: Sequence[int]) -> Column:
    """How many of those tied so far stand behind the player by the matches among them.

    When all of them have met, the points of these matches order them, and those still equal are compared again among
    themselves. When not all have met, a player whom nobody could still reach in the missing matches goes ahead, and so
    on; the others stay equal. Two who met several times have met; a missing match is worth one win.
    """
    together: dict[int, list[int]] = defaultdict(list)
    for player, rank in enumerate(ranks):
        if rank:
            together[rank].append(player)
    behind = [0] * len(ranks)
    tied = [group for group in together.values() if len(group) > 1]
    for group in tied:
        left = len(group)
        for level in _ordered(table.rules.win, group, _encounters(table, group)):
            left -= len(level)
            for player in level:
                behind[player] = left

    def parts(i: int) -> tuple[Part, ...]:
        group = next((group for group in tied if i in group), [i])
        return tuple(
            Part(Fraction(line.points, table.rules.unit), table.players[other].id, line.round, note=line.kind)
            for other, played in _encounters(table, group)[i].items()
            for line in played
        )

    return Column(behind, 1, "order", parts)


def _encounters(table: Crosstable, group: Sequence[int]) -> Encounters:
    inside = set(group)
    out: dict[int, dict[int, list[Line]]] = {player: {} for player in group}
    for player in group:
        for line in table.made(lines)[player]:
            if line.opponent is not None and line.opponent in inside:
                out[player].setdefault(line.opponent, []).append(line)
    return out


def _ordered(win: int, group: Sequence[int], encounters: Encounters) -> Iterator[list[int]]:
    """The group in levels, the best first."""
    inside = set(group)
    points = {
        player: sum(line.points for other, played in encounters[player].items() if other in inside for line in played)
        for player in group
    }
    missing = {player: len(inside) - 1 - len(encounters[player].keys() & inside) for player in group}
    if any(missing.values()):
        yield from _unreachable_first(win, group, encounters, points, missing)
        return
    levels: dict[int, list[int]] = defaultdict(list)
    for player in group:
        levels[points[player]].append(player)
    for _points, level in sorted(levels.items(), reverse=True):
        if 1 < len(level) < len(group):
            yield from _ordered(win, level, encounters)
        else:
            yield level


def _unreachable_first(
    win: int, group: Sequence[int], encounters: Encounters, points: Mapping[int, int], missing: Mapping[int, int]
) -> Iterator[list[int]]:
    """Not all have met: whoever is ahead even of the best that each other could still reach, then the rest."""
    best = max(group, key=points.__getitem__)
    if all(points[best] > points[other] + win * missing[other] for other in group if other != best):
        rest = [player for player in group if player != best]
        yield [best]
        yield from _ordered(win, rest, encounters)
    else:
        yield list(group)
