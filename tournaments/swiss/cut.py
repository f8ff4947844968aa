"""The cut to the next stage: who advances, and with which seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.swiss.field import SwissError


@dataclass(frozen=True, slots=True)
class Placed:
    """One line of the standings: a player, the rank (shared by equals) and the points."""

    player: str
    rank: int
    points: int | Fraction


@dataclass(frozen=True, slots=True)
class Cut:
    """The players who advance, top seed first.

    `drawn` names the players whose order among equal ranks was decided by a random draw.
    """

    players: tuple[str, ...]
    drawn: tuple[str, ...]


def cut(standings: Sequence[Placed], *, seed: int, top: int | None = None, points: int | None = None) -> Cut:
    """Select the players who advance: the first `top`, those with at least `points`, or those who meet both.

    Without either, everybody advances. Players who are no longer in `standings` are passed over, and the next ranks
    move up. Players with equal ranks are ordered at random from the seed, independently of the order of the lines.
    Raises `SwissError` `bad_cut` if `top` is below 2.
    """
    if top is not None and top < 2:
        raise SwissError("bad_cut", "a cut leaves two players at least", "top")
    ordered = sorted(standings, key=lambda line: (line.rank, _draw(seed, line.player)))
    on = [line for line in ordered if points is None or line.points >= points][:top]
    ranks = {line.rank for line in on}
    # Includes tied players who just missed the cut: the draw decided against them.
    level = {rank: [line.player for line in ordered if line.rank == rank] for rank in ranks}
    drawn = [player for rank in sorted(ranks) if len(level[rank]) > 1 for player in level[rank]]
    return Cut(tuple(line.player for line in on), tuple(drawn))


def _draw(seed: int, player: str) -> bytes:
    # A hash of seed and id, rather than a shuffle: anyone can recompute it for one player.
    return hashlib.sha256(f"cut/{seed}/{player}".encode()).digest()
