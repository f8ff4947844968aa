"""The cut: who goes on to the next stage, and as which seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.swiss.field import SwissError


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of the standings: a player, the rank (shared by equals) and the points."""

    player: str
    rank: int
    points: int | Fraction


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on, the first seed first, and `drawn`: the players whose order among equals the seed drew."""

    players: tuple[str, ...]
    drawn: tuple[str, ...]


def cut(standings: Sequence[Placed], *, seed: int, top: int | None = None, points: int | None = None) -> Cut:
    """The players who go on: the first `top`, those with at least `points`, or those who meet both; all by default.

    The next ranks move up for who is not in `standings` any more. Equal ranks are ordered by chance from the seed, the
    same whatever the order of the lines, and named in `drawn` when that order decided a seed or a place. Raises
    `SwissError` `bad_cut` when `top` is below 2.
    """
    if top is not None and top < 2:
        raise SwissError("bad_cut", "a cut leaves two players at least", "top")
    ordered = sorted(standings, key=lambda line: (line.rank, _draw(seed, line.player)))
    on = [line for line in ordered if points is None or line.points >= points][:top]
    ranks = {line.rank for line in on}
    level = {rank: [line.player for line in ordered if line.rank == rank] for rank in ranks}
    drawn = [player for rank in sorted(ranks) if len(level[rank]) > 1 for player in level[rank]]
    return Cut(tuple(line.player for line in on), tuple(drawn))


def _draw(seed: int, player: str) -> bytes:
    return hashlib.sha256(f"cut/{seed}/{player}".encode()).digest()
