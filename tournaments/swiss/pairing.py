"""Pairing one round: pairs and bye chosen together, at the least cost, from a seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tournaments.swiss.field import Field
from tournaments.swiss.kernel import Solution, solve
from tournaments.swiss.situation import Situation, read

ALGORITHM = "swiss-1"
"""The version of the algorithm: with the same field, seed and version, the same pairing."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: pairs with the strongest table first, the bye, why (`flags`), the cost by level, and the certificate.

    `flags` has an entry for each player there is something to say of: `pulled_down` and `pulled_up` (meets someone with
    fewer, more match points), `rematch_forced`, `bye_lowest` (the bye of the lowest score group), `bye_raised` (the bye
    of a higher one), `second_bye`, `bye_asked` (had asked for the bye and has it). `certified`: levels 1 to 4 of the
    cost are proven least.
    """

    pairs: tuple[tuple[str, str], ...]
    bye: str | None
    flags: dict[str, tuple[str, ...]]
    cost: dict[str, int]
    certified: bool
    version: str = ALGORITHM


def pair(field: Field, *, seed: int, forbidden: Iterable[tuple[str, str]] = ()) -> Pairing:
    """Pair the next round of the field.

    `forbidden` lists pairs of ids that must not meet, whatever the cost. The answer depends on the field, the seed and
    the forbidden pairs, never on the order in which players or matches are listed. Raises `SwissError` `impossible`
    when the forbidden pairs leave no pairing, `unknown_player` or `self_match` for a bad forbidden pair.
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    now = read(field, forbidden, rng)
    found = solve(now, rng)
    pairs = _in_order(now, found)
    return Pairing(
        pairs=tuple((now.ids[a], now.ids[b]) for a, b in pairs),
        bye=None if found.bye is None else now.ids[found.bye],
        flags=dict(sorted(_flags(now, pairs, found.bye).items())),
        cost=found.cost._asdict(),
        certified=found.certified,
    )


def _in_order(now: Situation, found: Solution) -> list[tuple[int, int]]:
    """Tables by the higher match points, then the lower, then chance; in a pair, the higher first, then chance."""
    seated = (sorted(pair, key=lambda p: (-now.points[p], p)) for pair in found.pairs)
    return sorted(((a, b) for a, b in seated), key=lambda ab: (-now.points[ab[0]], -now.points[ab[1]], ab))


def _flags(now: Situation, pairs: Iterable[tuple[int, int]], bye: int | None) -> dict[str, tuple[str, ...]]:
    flags: dict[str, tuple[str, ...]] = {}
    for a, b in pairs:
        again = ("rematch_forced",) if b in now.met[a] else ()
        apart = now.points[a] != now.points[b]
        for player, moved in ((a, "pulled_down"), (b, "pulled_up")):
            said = ((moved,) if apart else ()) + again
            if said:
                flags[now.ids[player]] = said
    if bye is not None:
        flags[now.ids[bye]] = _bye_flags(now, bye)
    return flags


def _bye_flags(now: Situation, bye: int) -> tuple[str, ...]:
    lowest = now.points[bye] == min(now.points)
    said = ["bye_lowest" if lowest else "bye_raised"]
    if now.byes[bye]:
        said.append("second_bye")
    if now.asked[bye]:
        said.append("bye_asked")
    return tuple(said)
