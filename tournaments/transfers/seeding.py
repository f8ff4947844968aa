"""Finds the seeds with which a single-elimination bracket has the matches that were played.

A file that does not name its seeds leaves them to the standings. But its program may have broken ties in another way,
and with other seeds the players would meet others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.swiss.bracket import seed_order
from tournaments.transfers.brought import BroughtMatch


@dataclass(frozen=True, slots=True)
class _Tree:
    """A part of the bracket: a player, or two parts whose winners met. `best` is the lowest rank in it."""

    best: int
    players: tuple[str, ...]
    height: int = 0
    parts: tuple[_Tree, ...] = ()


def fitting(rounds: Sequence[Sequence[BroughtMatch]], ranked: Sequence[str]) -> tuple[str, ...]:
    """The players as seeds, best first, so that a bracket of them has the matches of these rounds.

    `ranked` are all players of the bracket in the order that the seeds keep where they can; if they fit already, they
    stay. If nothing fits, such as a bracket that was paired anew in each round, they stay as well.

    >>> fitting([[BroughtMatch(("A", "C")), BroughtMatch(("B", "D"))]], ["A", "B", "C", "D"])
    ('A', 'B', 'D', 'C')
    """
    trees = {player: _Tree(rank, (player,)) for rank, player in enumerate(ranked)}
    for matches in rounds:
        for match in matches:
            parts = [trees[seat] for seat in match.seats if seat in trees]
            if len(parts) != 2 or parts[0] is parts[1]:
                continue
            parts.sort(key=lambda tree: tree.best)
            joined = _Tree(
                parts[0].best,
                (*parts[0].players, *parts[1].players),
                1 + max(part.height for part in parts),
                tuple(parts),
            )
            trees |= dict.fromkeys(joined.players, joined)
    roots = sorted({tree.best: tree for tree in trees.values()}.values(), key=lambda tree: tree.best)
    places: dict[int, str] = {}
    size = 1 << (len(ranked) - 1).bit_length() if ranked else 0
    fits = bool(roots) and _put(roots, seed_order(size), places)
    # The places of byes are those of the lowest seeds.
    if not fits or places.keys() != {*range(1, len(ranked) + 1)}:
        return tuple(ranked)
    return tuple(places[seed] for seed in sorted(places))


def _put(trees: Sequence[_Tree], seeds: Sequence[int], places: dict[int, str]) -> bool:
    """Put parts of a bracket on a part of its places, whose seeds are given from top to bottom; whether they fit."""
    if not trees:
        return True
    if len(trees) == 1 and not trees[0].parts:
        places[min(seeds)] = trees[0].players[0]
        return True
    if len(seeds) < 2:
        return False
    if len(trees) == 1:
        halves = [[trees[0].parts[0]], [trees[0].parts[1]]]
    else:
        halves = _divided(trees, len(seeds) // 2)
    upper, lower = seeds[: len(seeds) // 2], seeds[len(seeds) // 2 :]
    if min(lower) < min(upper):
        upper, lower = lower, upper
    return _put(halves[0], upper, places) and _put(halves[1], lower, places)


def _divided(trees: Sequence[_Tree], room: int) -> list[list[_Tree]]:
    """Divide parts that have not met between the halves of a bracket as seeds are: 1 4 5 8 and 2 3 6 7."""
    halves: list[list[_Tree]] = [[], []]
    order = seed_order(1 << (len(trees) - 1).bit_length())
    upper = {*order[: len(order) // 2]}
    for number, tree in enumerate(trees, 1):
        first = 0 if number in upper else 1
        taken = [sum(1 << each.height for each in half) for half in halves]
        at = first if taken[first] + (1 << tree.height) <= room else 1 - first
        halves[at].append(tree)
    return halves
