"""Pairing one round: pairs and bye chosen together, at the least cost, from a seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as by_default
from random import Random

from tournaments.swiss.costs import Cost, bye_cost, cost_of, total
from tournaments.swiss.field import Field
from tournaments.swiss.flags import Flags, flags_of
from tournaments.swiss.kernel import Solution, solve
from tournaments.swiss.options import RANDOM, Options
from tournaments.swiss.seating import first_seats, in_order, numbered
from tournaments.swiss.situation import PLAIN, Situation, read

ALGORITHM = "swiss-2"
"""The version of the algorithm: with the same field, seed, options and version, the same pairing."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: pairs with the strongest table first, the bye, why (`flags`), the cost by level, and the certificate.

    `flags` has an entry for each player there is something to say of; docs/pairing.md lists them. `certified`: levels
    1 to 4 of the cost are proven least; `proven`: how many levels are, from the first. `tables`: the number of each
    pair's table. `awarded`: the byes given by hand, by id.
    """

    pairs: tuple[tuple[str, str], ...]
    bye: str | None
    flags: Flags
    cost: dict[str, int]
    certified: bool
    proven: int
    tables: tuple[int, ...]
    awarded: Mapping[str, str] = by_default(default_factory=dict)
    version: str = ALGORITHM


def pair(field: Field, *, seed: int, forbidden: Iterable[tuple[str, str]] = (), options: Options = PLAIN) -> Pairing:
    """Pair the next round of the field.

    `forbidden` lists pairs of ids that must not meet, whatever the cost. The answer depends on what is given, never on
    the order in which players, matches or forbidden pairs are listed. Raises `SwissError` `impossible` when the
    forbidden pairs leave no pairing, `unknown_player`, `self_match` or `not_live` for an id that cannot stand there.
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    now = read(field, forbidden, rng, options)
    return described(now, solve(now, rng), options)


def described(now: Situation, found: Solution, options: Options) -> Pairing:
    """The solution as tables of ids, with its flags."""
    seated = in_order(now, found.pairs)
    flags = flags_of(now, seated, found.bye)
    if options.sides:
        seated = first_seats(now, seated)
    pairs = tuple((now.ids[a], now.ids[b]) for a, b in seated)
    tables, moved = numbered(pairs, options.tables)
    for player in moved:
        flags[player] = (*flags.get(player, ()), "table_left")
    for player in options.awarded:
        flags[player] = ("bye_awarded",)
    return Pairing(
        pairs=pairs,
        bye=None if found.bye is None else now.ids[found.bye],
        flags=dict(sorted(flags.items())),
        cost=levels_of(found.cost, options),
        certified=found.certified,
        proven=found.proven,
        tables=tables,
        awarded=dict(sorted(options.awarded.items())),
    )


def cost_of_seating(field: Field, seated: Iterable[Sequence[str]], options: Options = PLAIN) -> dict[str, int]:
    """What a seating of the next round costs by name of level, however it was found: pairs of ids, and byes of one."""
    now = read(field, (), Random(0), options)  # chance numbers the players, and no cost depends on it
    at = {player: number for number, player in enumerate(now.ids)}
    places = [[at[player] for player in ids] for ids in seated]
    pairs = [(ids[0], ids[1]) for ids in places if len(ids) == 2]
    byes = (bye_cost(now, ids[0]) for ids in places if len(ids) == 1)
    return levels_of(total([cost_of(now, pairs, None), *byes]), options)


def levels_of(cost: Cost, options: Options) -> dict[str, int]:
    """The cost by name; `places` is a level only where an order is asked for."""
    levels = cost._asdict()
    if options.order == RANDOM:
        del levels["places"]
    return levels
