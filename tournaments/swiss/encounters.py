"""Direct encounter: compare players who are tied so far by the matches among them. Source: FIDE C.07."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tournaments.swiss.columns import Column, Part
from tournaments.swiss.crosstable import Crosstable, Line, lines

Encounters = Mapping[int, Mapping[int, list[Line]]]
"""For each tied player, the matches against each other tied player."""


def direct(table: Crosstable, ranks: Sequence[int]) -> Column:
    """The number of tied players who rank behind the player by the matches among them.

    `ranks` are the ranks so far (0: no rank). If all tied players have met, the points of these matches order them, and
    those still equal are compared again among themselves. If not, a player whom no other could catch even by winning
    every missing match goes first, and so on; the others stay equal. Two players who met several times have met; a
    missing match is worth one win.
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
        for line in table.cached(lines)[player]:
            if line.opponent is not None and line.opponent in inside:
                out[player].setdefault(line.opponent, []).append(line)
    return out


def _ordered(win: int, group: Sequence[int], encounters: Encounters) -> Iterator[list[int]]:
    """Split the group into levels, best first."""
    inside = set(group)
    points = {
        player: sum(line.points for other, played in encounters[player].items() if other in inside for line in played)
        for player in group
    }
    # A pair that met several times counts as one meeting, so this counts opponents, not matches.
    missing = {player: len(inside) - 1 - len(encounters[player].keys() & inside) for player in group}
    if any(missing.values()):
        yield from _unreachable_first(win, group, encounters, points, missing)
        return
    levels: dict[int, list[int]] = defaultdict(list)
    for player in group:
        levels[points[player]].append(player)
    for _points, level in sorted(levels.items(), reverse=True):
        # Compare again only if the group got smaller; otherwise the result would be the same.
        if 1 < len(level) < len(group):
            yield from _ordered(win, level, encounters)
        else:
            yield level


def _unreachable_first(
    win: int, group: Sequence[int], encounters: Encounters, points: Mapping[int, int], missing: Mapping[int, int]
) -> Iterator[list[int]]:
    """Order a group in which not all have met.

    A leader whom nobody could catch even by winning every missing match goes first, then the rest in the same way.
    """
    best = max(group, key=points.__getitem__)
    if all(points[best] > points[other] + win * missing[other] for other in group if other != best):
        rest = [player for player in group if player != best]
        yield [best]
        yield from _ordered(win, rest, encounters)
    else:
        yield list(group)
