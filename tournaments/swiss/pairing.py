"""Pair one round: pairs and bye are chosen together, at the least cost, from a seed."""

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
"""Version of the algorithm. The same field, seed, options and version always give the same pairing."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A paired round.

    - `pairs`: strongest table first
    - `flags`: explanations by player id, see docs/pairing.md; players with nothing to explain are left out
    - `cost`: by name of level
    - `certified`: whether levels 1 to 4 of the cost are proven to be least
    - `proven`: the number of levels, counted from the first, that are proven to be least
    - `tables`: the table number of each pair
    - `awarded`: byes awarded by hand, by id
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

    `forbidden` lists pairs of ids that must not meet, whatever the cost. The result never depends on the order in which
    players, matches or forbidden pairs are listed. Raises `SwissError` `impossible` if the forbidden pairs leave no
    pairing, and `unknown_player`, `self_match` or `not_live` for an id that is not allowed where it stands.

    >>> from tournaments.swiss.field import Match, Player
    >>> first = (Match("A", "B", 2, 0, 0), Match("C", None, 2, 0, 0, "bye"))
    >>> round_2 = pair(Field((Player("A"), Player("B"), Player("C")), (first,)), seed=7)
    >>> round_2.pairs, round_2.bye  # anything else would be a rematch or a second bye
    ((('A', 'C'),), 'B')
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    now = read(field, forbidden, rng, options)
    return described(now, solve(now, rng), options)


def described(now: Situation, found: Solution, options: Options) -> Pairing:
    """Convert a solution into a `Pairing` of ids with flags and tables."""
    seated = in_order(now, found.pairs)
    flags = flags_of(now, seated, found.bye)
    # Flags describe pairs with the higher points first, so seats are exchanged only afterwards.
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
    """The cost of any seating of the next round, by name of level, however it was made.

    `seated` holds pairs of ids, and single ids for byes.
    """
    now = read(field, (), Random(0), options)  # the seed only numbers the players; no cost depends on it
    at = {player: number for number, player in enumerate(now.ids)}
    places = [[at[player] for player in ids] for ids in seated]
    pairs = [(ids[0], ids[1]) for ids in places if len(ids) == 2]
    byes = (bye_cost(now, ids[0]) for ids in places if len(ids) == 1)
    return levels_of(total([cost_of(now, pairs, None), *byes]), options)


def levels_of(cost: Cost, options: Options) -> dict[str, int]:
    """The cost by name of level. `places` is included only if an order was asked for."""
    levels = cost._asdict()
    if options.order == RANDOM:
        del levels["places"]
    return levels
