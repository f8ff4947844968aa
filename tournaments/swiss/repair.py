"""Ways to repair published pairings that contain a mistake.

They range from the one that disturbs the fewest tables to the optimal pairing.
"""

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
"""The most players whose tables may be changed. In a larger field, tables with a defect and some others are chosen."""

Pair = tuple[int, int]
_Wanted = Callable[[frozenset[str]], list[int]]


@dataclass(frozen=True, slots=True)
class WrongResult:
    """A match of a finished round (from 1) was entered incorrectly; `match` is the correct one."""

    round: int
    match: Match


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A player who is present but was not paired. May be new to the event."""

    player: Player


@dataclass(frozen=True, slots=True)
class Phantom:
    """A player who was paired but is not present."""

    player: str


Mistake = WrongResult | Forgotten | Phantom


@dataclass(frozen=True, slots=True)
class Published:
    """A round as it was published: the pairs, the table of each pair, and the bye."""

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
    """A table with other players than published, or the bye if `table` is None.

    `was` and `now` are empty where nobody sits.
    """

    table: int | None
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to repair the round.

    `new` is the number of its pairs (including the bye) that were not published. The pairing is `certified` if levels 1
    to 4 of its cost are proven to be least for the whole field.
    """

    pairing: Pairing
    new: int
    changes: tuple[Change, ...]


def corrected(field: Field, mistake: Mistake) -> Field:
    """Apply the correction to the field. Raises `SwissError` `no_such_match` or `unknown_player`."""
    if isinstance(mistake, WrongResult):
        return Field(field.players, _with_match(field, mistake))
    if isinstance(mistake, Phantom):
        if all(player.id != mistake.player for player in field.players):
            raise SwissError("unknown_player", f"{mistake.player} is not a player of the event", "mistake")
        players = (replace(p, dropped=True) if p.id == mistake.player else p for p in field.players)
        return Field(tuple(players), field.rounds)
    others = tuple(player for player in field.players if player.id != mistake.player.id)
    # Whatever the event knew about the player, they are here for this round.
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
    """List the ways to repair a published round, given the corrected field (see `corrected`).

    The first choice changes as few tables as possible, whatever the cost. Each of the next improves a level of the cost
    with as few new pairs as that takes. The last is optimal. Pairs that stay keep their table; new ones get tables from
    `places` if it is not empty. Raises `SwissError` `impossible` if the forbidden pairs leave no pairing, or
    `tables_short`.

    >>> published = Published((("A", "B"), ("C", "D")), tables=(1, 2))
    >>> field = Field((Player("A"), Player("B"), Player("C"), Player("D")), ())
    >>> (choice,) = repair(corrected(field, Phantom("D")), published, seed=7)  # D is not here
    >>> choice.pairing.pairs, choice.pairing.bye
    ((('A', 'B'),), 'C')
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    now = read(field, forbidden, rng, options)
    reusable = _Reusable.of(now, published)
    best = solve(now, rng)
    found: list[Solution] = []
    for solution in chain(_between(now, reusable), (best,)):
        # Skip choices that improve nothing over the one before.
        if not found or solution.cost < found[-1].cost:
            found.append(solution)
        if found[-1].cost <= best.cost:
            break
    return tuple(_choice(now, published, reusable, solution, best, options, places) for solution in found)


@dataclass(frozen=True, slots=True)
class _Reusable:
    """The part of the published round that can stand: pairs of live players who may meet, and the bye."""

    pairs: frozenset[Pair]
    bye: int | None

    @classmethod
    def of(cls, now: Situation, published: Published) -> _Reusable:
        number = {player: i for i, player in enumerate(now.ids)}
        seated = (sorted((number.get(a, -1), number.get(b, -1))) for a, b in published.pairs)
        pairs = frozenset((a, b) for a, b in seated if a >= 0 and b not in now.forbidden[a])
        return cls(pairs, None if published.bye is None else number.get(published.bye))

    def new(self, pairs: Iterable[Pair], bye: int | None) -> int:
        """The number of pairs, including the bye, that were not published."""
        return sum((min(a, b), max(a, b)) not in self.pairs for a, b in pairs) + (bye not in (None, self.bye))


def _between(now: Situation, reusable: _Reusable) -> Iterator[Solution]:
    """Exact solutions that count new pairs as one more level, once at each position among the levels.

    Yields nothing if so many players have no place that the round is better paired again.
    """
    free = _freed(now, reusable)
    if len(free) > FREED:
        return
    inside = frozenset(free)
    # Tables are opened as a whole, so checking one player of the pair is enough.
    frozen = [pair for pair in reusable.pairs if pair[0] not in inside]
    odd = len(now.ids) % 2
    size = len(free) + odd
    edges = [
        (i, j, pair_cost(now, free[i], free[j]), (min(free[i], free[j]), max(free[i], free[j])) not in reusable.pairs)
        for i in range(len(free))
        for j in range(i + 1, len(free))
        if free[j] not in now.forbidden[free[i]]
    ]
    edges += [(i, len(free), bye_cost(now, p), p != reusable.bye) for i, p in enumerate(free) if odd]
    most = tops(size, now.points, ordered=now.order is not None)
    # From "as few new pairs as possible" (before the first level) to "as cheap as possible" (after the last).
    for place in range(LEVELS + 1):
        weights = units((*most[:place], size, *most[place:]))
        per_new_pair = weights.pop(place)
        weighed = [(i, j, new * per_new_pair + sum(map(mul, cost, weights))) for i, j, cost, new in edges]
        if (matched := cheapest_perfect(size, weighed)) is None:
            return
        pairs = frozen + [(free[i], free[j]) for i, j in matched if j < len(free)]
        bye = next((free[i] for i, j in matched if j == len(free)), None)
        yield Solution(tuple(pairs), bye, cost_of(now, pairs, bye), 0)


def _freed(now: Situation, reusable: _Reusable) -> list[int]:
    """The players whose tables may change: those without a place, those at tables with a defect, and some of each score
    group.

    As in the kernel, a few tables of a group represent all of it, because its players can meet almost anybody in the
    group.
    """
    seated = {player for pair in reusable.pairs for player in pair}
    unseated = [player for player in range(len(now.ids)) if player not in seated]
    turns: dict[int, int] = {}
    queue = []
    for pair in sorted(reusable.pairs):
        turn = 0
        # Tables with a defect have turn 0 and come first, then one table of each score group per turn.
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
    reusable: _Reusable,
    solution: Solution,
    best: Solution,
    options: Options,
    places: Sequence[int],
) -> Choice:
    # The optimal pairing proves the bound; this choice is proven on the levels where it reaches it.
    proven = min(best.proven, agreeing(solution.cost, best.cost))
    pairing = _seated(described(now, replace(solution, proven=proven), options), published, options.tables, places)
    return Choice(pairing, reusable.new(solution.pairs, solution.bye), tuple(_changes(published, pairing)))


def _seated(pairing: Pairing, published: Published, fixed: Mapping[str, int], places: Sequence[int]) -> Pairing:
    """The same pairing in table order. Pairs that stay keep their table and seats; new ones fill the gaps."""
    pairs = {frozenset(pair): pair for pair in pairing.pairs}
    pairs |= {frozenset(pair): pair for pair in published.pairs if frozenset(pair) in pairs}
    of_pair = {frozenset(pair): table for pair, table in zip(published.pairs, published.tables, strict=True)}
    of_seat = {seat: table for pair, table in of_pair.items() for seat in pair}
    at: dict[int, frozenset[str]] = {}
    left = list(pairs)
    # Tables are handed out by claim: fixed tables first, then unchanged pairs, then new pairs at a table of one of
    # their players, so that as few people as possible have to move.
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
