"""Published pairings and a mistake found in them: what can be done, from fewest tables disturbed to optimal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import mul
from random import Random

from tournaments.swiss.costs import bye_cost, cost_of, pair_cost, tops, units
from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.kernel import LEVELS, Solution, agreeing, solve
from tournaments.swiss.matching import cheapest_perfect
from tournaments.swiss.options import Options
from tournaments.swiss.pairing import ALGORITHM, Pairing, described
from tournaments.swiss.seating import free_tables
from tournaments.swiss.situation import PLAIN, Situation, read

FREED = 200
"""Up to so many players every table can be opened; in a larger field, those with a defect and their nearest."""

Pair = tuple[int, int]
_Wanted = Callable[[frozenset[str]], list[int]]


@dataclass(frozen=True, slots=True)
class WrongResult:
    """A match of a finished round (from 1) was entered wrongly; `match` is as it should be."""

    round: int
    match: Match


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A player who is there and was not paired, known to the event or not."""

    player: Player


@dataclass(frozen=True, slots=True)
class Phantom:
    """A player who was paired and is not there."""

    player: str


Mistake = WrongResult | Forgotten | Phantom


@dataclass(frozen=True, slots=True)
class Published:
    """A round as it was published: the pairs, the table of each, and the bye."""

    pairs: tuple[tuple[str, str], ...]
    tables: tuple[int, ...]
    bye: str | None = None

    def __post_init__(self) -> None:
        if len(self.tables) != len(self.pairs) or len(set(self.tables)) != len(self.tables):
            raise SwissError("bad_tables", "each pair has a table of its own", "tables")
        seats = [seat for pair in self.pairs for seat in pair] + ([] if self.bye is None else [self.bye])
        if len(set(seats)) != len(seats):
            twice = next(seat for i, seat in enumerate(seats) if seat in seats[:i])
            raise SwissError("paired_twice", f"{twice} has two places in the published round", "pairs")


@dataclass(frozen=True, slots=True)
class Change:
    """A table, or the bye where `table` is None, that has other players than published; empty where nobody sits."""

    table: int | None
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to mend the round. `new`: how many of its pairs, the bye among them, were not published.

    The pairing is `certified` when levels 1 to 4 of its cost are proven the least of the whole field.
    """

    pairing: Pairing
    new: int
    changes: tuple[Change, ...]


def corrected(field: Field, mistake: Mistake) -> Field:
    """The field as it really is. Raises `SwissError` `no_such_match` or `unknown_player`."""
    if isinstance(mistake, WrongResult):
        return Field(field.players, _with_match(field, mistake))
    if isinstance(mistake, Phantom):
        if all(player.id != mistake.player for player in field.players):
            raise SwissError("unknown_player", f"{mistake.player} is not a player of the event", "mistake")
        players = (replace(p, dropped=True) if p.id == mistake.player else p for p in field.players)
        return Field(tuple(players), field.rounds)
    others = tuple(player for player in field.players if player.id != mistake.player.id)
    there = replace(mistake.player, dropped=False, joined=min(mistake.player.joined, len(field.rounds) + 1))
    return Field((*others, there), field.rounds)


def _with_match(field: Field, mistake: WrongResult) -> tuple[tuple[Match, ...], ...]:
    seats = set(mistake.match.seats)
    at = mistake.round - 1
    if not 0 <= at < len(field.rounds) or all(set(match.seats) != seats for match in field.rounds[at]):
        raise SwissError("no_such_match", f"round {mistake.round} has no match of these players", "mistake")
    mended = tuple(mistake.match if set(match.seats) == seats else match for match in field.rounds[at])
    return (*field.rounds[:at], mended, *field.rounds[at + 1 :])


def repair(
    field: Field,
    published: Published,
    *,
    seed: int,
    forbidden: Iterable[tuple[str, str]] = (),
    options: Options = PLAIN,
    places: Sequence[int] = (),
) -> tuple[Choice, ...]:
    """The ways to mend a published round, `field` being the truth (see `corrected`).

    The first opens as few tables as can be, whatever the cost; each of the next betters a level of the cost with as few
    new pairs as that takes; the last is optimal. Tables that stay keep their number; new ones are of `places`, if there
    are any. Raises `SwissError`: `impossible` when the forbidden pairs leave no pairing, `tables_short`.
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    now = read(field, forbidden, rng, options)
    kept = _Kept.of(now, published)
    best = solve(now, rng)
    found: list[Solution] = []
    for made in chain(_between(now, kept), (best,)):
        if not found or made.cost < found[-1].cost:
            found.append(made)
        if found[-1].cost <= best.cost:
            break
    return tuple(_choice(now, published, kept, made, best, options, places) for made in found)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What of the published round can stand: pairs of live players that may meet, and the bye."""

    pairs: frozenset[Pair]
    bye: int | None

    @classmethod
    def of(cls, now: Situation, published: Published) -> _Kept:
        number = {player: i for i, player in enumerate(now.ids)}
        seated = (sorted((number.get(a, -1), number.get(b, -1))) for a, b in published.pairs)
        pairs = frozenset((a, b) for a, b in seated if a >= 0 and b not in now.forbidden[a])
        return cls(pairs, None if published.bye is None else number.get(published.bye))

    def new(self, pairs: Iterable[Pair], bye: int | None) -> int:
        """The pairs, and the bye, that were not published."""
        return sum((min(a, b), max(a, b)) not in self.pairs for a, b in pairs) + (bye not in (None, self.bye))


def _between(now: Situation, kept: _Kept) -> Iterator[Solution]:
    """For each place among the levels, the exact least when new pairs are counted in that place.

    Nothing, where so many players are without a place that the round is better paired again.
    """
    free = _freed(now, kept)
    if len(free) > FREED:
        return
    inside = frozenset(free)
    frozen = [pair for pair in kept.pairs if pair[0] not in inside]
    odd = len(now.ids) % 2
    size = len(free) + odd
    edges = [
        (i, j, pair_cost(now, free[i], free[j]), (min(free[i], free[j]), max(free[i], free[j])) not in kept.pairs)
        for i in range(len(free))
        for j in range(i + 1, len(free))
        if free[j] not in now.forbidden[free[i]]
    ]
    edges += [(i, len(free), bye_cost(now, p), p != kept.bye) for i, p in enumerate(free) if odd]
    most = tops(size, now.points, ordered=now.order is not None)
    for place in range(LEVELS + 1):
        weights = units((*most[:place], size, *most[place:]))
        fresh = weights.pop(place)
        weighed = [(i, j, new * fresh + sum(map(mul, cost, weights))) for i, j, cost, new in edges]
        if (matched := cheapest_perfect(size, weighed)) is None:
            return
        pairs = frozen + [(free[i], free[j]) for i, j in matched if j < len(free)]
        bye = next((free[i] for i, j in matched if j == len(free)), None)
        yield Solution(tuple(pairs), bye, cost_of(now, pairs, bye), 0)


def _freed(now: Situation, kept: _Kept) -> list[int]:
    """The players without a place, then those at tables with a defect, then some of each score group.

    As in the kernel, a few tables of a group stand for all of it: its players can meet almost anybody of the group.
    """
    seated = {player for pair in kept.pairs for player in pair}
    unseated = [player for player in range(len(now.ids)) if player not in seated]
    turns: dict[int, int] = {}
    queue = []
    for pair in sorted(kept.pairs):
        turn = 0
        if not any(pair_cost(now, *pair)):
            points = now.points[pair[0]]
            turn = turns[points] = turns.get(points, 0) + 1
        queue.append((turn, pair))
    room = max(FREED - len(unseated), 0) // 2
    opened = [pair for _, pair in sorted(queue)[:room]]
    return sorted([*unseated, *(player for pair in opened for player in pair)])


def _choice(
    now: Situation,
    published: Published,
    kept: _Kept,
    made: Solution,
    best: Solution,
    options: Options,
    places: Sequence[int],
) -> Choice:
    proven = min(best.proven, agreeing(made.cost, best.cost))
    pairing = _seated(described(now, replace(made, proven=proven), options), published, options.tables, places)
    return Choice(pairing, kept.new(made.pairs, made.bye), tuple(_changes(published, pairing)))


def _seated(pairing: Pairing, published: Published, fixed: Mapping[str, int], places: Sequence[int]) -> Pairing:
    """The same pairing, listed by table; pairs that stay keep their table and their seats, new ones fill the gaps."""
    pairs = {frozenset(pair): pair for pair in pairing.pairs}
    pairs |= {frozenset(pair): pair for pair in published.pairs if frozenset(pair) in pairs}
    of_pair = {frozenset(pair): table for pair, table in zip(published.pairs, published.tables, strict=True)}
    of_seat = {seat: table for pair, table in of_pair.items() for seat in pair}
    at: dict[int, frozenset[str]] = {}
    left = list(pairs)
    wants: tuple[_Wanted, ...] = (
        lambda pair: sorted(fixed[seat] for seat in pair if seat in fixed),
        lambda pair: [of_pair[pair]] if pair in of_pair else [],
        lambda pair: sorted(of_seat[seat] for seat in pair if seat in of_seat),
    )
    for wanted in wants:
        for pair in left:
            if (table := next((table for table in wanted(pair) if table not in at), None)) is not None:
                at[table] = pair
        placed = set(at.values())
        left = [pair for pair in left if pair not in placed]
    free = free_tables(set(at), places)
    at |= {next(free): pair for pair in left}
    tables = tuple(sorted(at))
    return replace(pairing, pairs=tuple(pairs[at[table]] for table in tables), tables=tables)


def _changes(published: Published, pairing: Pairing) -> Iterator[Change]:
    before = dict(zip(published.tables, published.pairs, strict=True))
    after = dict(zip(pairing.tables, pairing.pairs, strict=True))
    for table in sorted(before.keys() | after.keys()):
        was, now = before.get(table, ()), after.get(table, ())
        if set(was) != set(now):
            yield Change(table, was, now)
    if published.bye != pairing.bye:
        yield Change(None, *(() if bye is None else (bye,) for bye in (published.bye, pairing.bye)))
