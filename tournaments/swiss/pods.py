"""Draft pods: how to split a field, seats, the direction of passing, and pairings inside a pod."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tournaments.swiss.costs import CERTIFIED
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.options import Options
from tournaments.swiss.pairing import Pairing, pair
from tournaments.swiss.scoring import PLAIN, Scoring

LEAST, USUAL, MOST = 6, 8, 11


@dataclass(frozen=True, slots=True)
class Pod:
    """One pod, with its players in the order of their seats, clockwise."""

    players: tuple[str, ...]


def pod_sizes(players: int, *, usual: int = USUAL) -> tuple[int, ...]:
    """Split a field into pods of `LEAST` to `MOST` players, as close to `usual` as possible; larger pods first.

    Sizes differ by at most one. Of the possible numbers of pods, take the one whose sizes are together closest to
    `usual`; then the one with fewer odd pods, because these have a bye; then the one with fewer pods. So 6 to 11
    players form one pod, and every larger field can be split. Raises `SwissError` `too_few_players`, or `bad_pod_size`
    if `usual` is out of range.

        pod_sizes(20)  # (10, 10)
    """
    if not LEAST <= usual <= MOST:
        raise SwissError("bad_pod_size", f"a pod has {LEAST} to {MOST} players", "usual")
    if players < LEAST:
        raise SwissError("too_few_players", f"a draft needs {LEAST} players", "players")
    # From the fewest pods (rounded up) to the most; every number of pods in between is possible.
    ways = [_even(players, pods) for pods in range(-(-players // MOST), players // LEAST + 1)]
    return min(ways, key=lambda sizes: (sum(abs(size - usual) for size in sizes), _odd(sizes), len(sizes)))


def _even(players: int, pods: int) -> tuple[int, ...]:
    size, more = divmod(players, pods)
    return (size + 1,) * more + (size,) * (pods - more)


def _odd(sizes: Sequence[int]) -> int:
    return sum(size % 2 for size in sizes)


def pods_by_chance(players: Sequence[str], *, seed: int, usual: int = USUAL) -> tuple[Pod, ...]:
    """Pods for a first draft: players and seats are drawn from the seed.

    The result does not depend on the order of `players`.
    """
    order = sorted(players)
    Random(f"pods:{seed}").shuffle(order)
    return _cut(order, pod_sizes(len(order), usual=usual))


def pods_by_rank(ranked: Sequence[str], *, seed: int, usual: int = USUAL) -> tuple[Pod, ...]:
    """Pods for a later draft: neighbors in the standings, best pod first, with seats drawn from the seed."""
    rng = Random(f"pods:{seed}")
    pods = _cut(ranked, pod_sizes(len(ranked), usual=usual))
    return tuple(Pod(tuple(rng.sample(sorted(pod.players), len(pod.players)))) for pod in pods)


def _cut(order: Sequence[str], sizes: Sequence[int]) -> tuple[Pod, ...]:
    pods, start = [], 0
    for size in sizes:
        pods.append(Pod(tuple(order[start : start + size])))
        start += size
    return tuple(pods)


def passes_left(booster: int) -> bool:
    """Whether booster `booster` (from 1) is passed to the left, which is clockwise. Directions alternate."""
    return booster % 2 == 1


def receives_from(pod: Pod, player: str, booster: int) -> str:
    """The player from whom `player` receives cards in booster `booster`."""
    seats = pod.players
    place = seats.index(player)
    return seats[(place - 1 if passes_left(booster) else place + 1) % len(seats)]


def pair_pod(pod: Pod, field: Field, *, seed: int, scoring: Scoring = PLAIN) -> Pairing:
    """Pair the next round of one pod. `field` holds only the players of the pod and the matches among them.

    In the first round players meet across the table: seat 1 against the opposite seat, and so on; in an odd pod the
    last seat has the bye. Later rounds are paired as Swiss rounds inside the pod, by points as `scoring` counts them.
    If anybody dropped before the first round, it too is paired as a Swiss round.
    """
    here = {player.id for player in field.live()}
    if any(field.rounds) or here != set(pod.players):
        return pair(field, seed=seed, options=Options(scoring=scoring))
    half = len(pod.players) // 2
    pairs = tuple(zip(pod.players[:half], pod.players[half : 2 * half], strict=True))
    bye = pod.players[-1] if len(pod.players) % 2 else None
    flags: dict[str, tuple[str, ...]] = {} if bye is None else {bye: ("bye_lowest",)}
    return Pairing(pairs, bye, flags, {}, certified=True, proven=CERTIFIED, tables=tuple(range(1, half + 1)))
