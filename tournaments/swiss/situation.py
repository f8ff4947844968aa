"""What the pairing of a round needs to know about each live player, read once from the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tournaments.swiss.crosstable import UNREWARDED
from tournaments.swiss.field import DRAW, LOSS, WIN, Field, Match, Player, SwissError, points_of
from tournaments.swiss.options import RANDOM, STANDING, Options
from tournaments.swiss.scoring import PLAIN as PLAIN_SCORING
from tournaments.swiss.scoring import Scoring
from tournaments.swiss.standings import standings

PLAIN = Options()


@dataclass(frozen=True, slots=True)
class Order:
    """The live players in one line, score group after score group, and how a score group is to be paired.

    `place` is each player's position in the whole line, from 0. `ends` holds the first and last position of each score
    group, by points.
    """

    kind: str
    place: Sequence[int]
    ends: Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Situation:
    """The live players as numbers 0, 1, …, in an order drawn from the seed.

    All sequences are indexed by that number.

    - `met`: live opponents in the order they were met
    - `forbidden`: players who must not be met
    - `byes`: byes received
    - `downs`, `ups`: rounds in which the player met somebody with fewer, or more, match points
    - `asked`: whether the player asked for the bye; `wanted`: whether anybody did
    - `clubs`: a number for each club, 0 for none; empty if clubs are ignored
    - `sides`: rounds in the first seat minus rounds in the second; empty if sides are ignored
    - `order`: None if score groups are paired at random
    """

    ids: Sequence[str]
    points: Sequence[int]
    met: Sequence[Sequence[int]]
    forbidden: Sequence[frozenset[int]]
    byes: Sequence[int]
    downs: Sequence[int]
    ups: Sequence[int]
    asked: Sequence[bool]
    wanted: bool
    clubs: Sequence[int] = ()
    sides: Sequence[int] = ()
    order: Order | None = None

    def degrees(self) -> list[int]:
        """An upper bound for the number of opponents met or forbidden, for each player.

        An opponent met twice counts twice.
        """
        return [len(met) + len(barred) for met, barred in zip(self.met, self.forbidden, strict=True)]

    def barred(self, a: int) -> frozenset[int]:
        """The players whom a has met or must not meet."""
        return self.forbidden[a].union(self.met[a])

    def open(self, a: int, b: int) -> bool:
        """Whether a and b have not met and are allowed to."""
        return b not in self.met[a] and b not in self.forbidden[a]


def read(field: Field, forbidden: Iterable[tuple[str, str]], rng: Random, options: Options = PLAIN) -> Situation:
    """Number the live players in an order drawn from `rng`, and collect their histories.

    Players who are awarded a bye are not paired and get no number. Raises `SwissError` `unknown_player`, `not_live` or
    `self_match` for ids in the options or forbidden pairs.
    """
    live = _to_pair(field, options)
    rng.shuffle(live)
    number = {player.id: i for i, player in enumerate(live)}
    barred = _barred(field, forbidden, number)
    past = _history(field, number, options.scoring)
    size = len(live)
    return Situation(
        ids=[player.id for player in live],
        points=past.points[:size],
        met=past.met,
        forbidden=[frozenset(barred.get(i, ())) for i in range(size)] if barred else [frozenset()] * size,
        byes=past.byes[:size],
        downs=past.downs[:size],
        ups=past.ups[:size],
        asked=[player.bye for player in live],
        wanted=any(player.bye for player in live),
        clubs=_clubs(live) if options.clubs and not options.last else (),
        sides=past.sides[:size] if options.sides else (),
        order=None if options.order == RANDOM else _line(field, live, past.points, options),
    )


def _to_pair(field: Field, options: Options) -> list[Player]:
    live = field.live()
    if options.awarded or options.tables:
        known = {player.id for player in field.players}
        # An id in the options must be known to the event; an awarded bye also needs a live player.
        there = {player.id for player in live}
        for name, ids in (("awarded", options.awarded), ("tables", options.tables)):
            for player in ids:
                if player not in known:
                    path = f"options.{name}.{player}"
                    raise SwissError("unknown_player", f"{player} is not a player of the event", path)
        for player in options.awarded:
            if player not in there:
                raise SwissError("not_live", f"{player} is not there to be given a bye", f"options.awarded.{player}")
    return [player for player in live if player.id not in options.awarded]


@dataclass(slots=True)
class _History:
    """What the finished rounds give each number. Numbers past the live players belong to those who left."""

    points: list[int]
    byes: list[int]
    downs: list[int]
    ups: list[int]
    sides: list[int]
    met: list[list[int]]


def _history(field: Field, live: Mapping[str, int], scoring: Scoring) -> _History:
    number, gained = dict(live), _gained(scoring)
    for player in field.players:
        # Players who left get numbers after the live ones: their matches still give points to others.
        number.setdefault(player.id, len(number))
    points, byes, downs, ups, sides = ([0] * len(number) for _ in range(5))
    met: list[list[int]] = [[] for _ in live]
    size = len(live)
    for match in field.matches():  # nobody plays twice in a round, so these are the points before it
        a = number[match.a]
        if match.b is None:
            byes[a] += match.kind == "bye"
            points[a] += gained(match)[0]
            continue
        b = number[match.b]
        if a < size and b < size:
            met[a].append(b)
            met[b].append(a)
        if gap := points[a] - points[b]:
            high, low = (a, b) if gap > 0 else (b, a)
            downs[high] += 1
            ups[low] += 1
        sides[a] += 1
        sides[b] -= 1
        won, lost = gained(match)
        points[a] += won
        points[b] += lost
    return _History(points, byes, downs, ups, sides, met)


def _gained(scoring: Scoring) -> Callable[[Match], tuple[int, int]]:
    """A function that returns the points a match gives to both players."""
    if scoring == PLAIN_SCORING:
        return points_of
    win, draw, loss = scoring.worth()
    worth = {WIN: win, DRAW: draw, LOSS: 0}
    played_out = {**worth, LOSS: loss}

    def gained(match: Match) -> tuple[int, int]:
        gives = worth if match.kind in UNREWARDED else played_out
        first, second = points_of(match)
        return gives[first], gives[second]

    return gained


def _barred(field: Field, pairs: Iterable[tuple[str, str]], number: Mapping[str, int]) -> dict[int, set[int]]:
    barred: dict[int, set[int]] = {}
    if not (pairs := list(pairs)):
        return barred
    known = {player.id for player in field.players}
    for index, (a, b) in enumerate(pairs):
        path = f"options.forbidden[{index}]"
        for seat in (a, b):
            if seat not in known:
                raise SwissError("unknown_player", f"{seat} is not a player of the event", path)
        if a == b:
            raise SwissError("self_match", f"{a} cannot be kept from themselves", path)
        if a in number and b in number:
            barred.setdefault(number[a], set()).add(number[b])
            barred.setdefault(number[b], set()).add(number[a])
    return barred


def _clubs(live: Sequence[Player]) -> list[int]:
    known = {"": 0}
    return [known.setdefault(player.club, len(known)) for player in live]


def _line(field: Field, live: Sequence[Player], points: Sequence[int], options: Options) -> Order:
    """Order the live players by score group.

    Inside a group, the better standing or seed comes first, then chance: the player's number.
    """
    if options.order == STANDING:
        rank = {row.player: row.rank for row in standings(field, scheme=options.scheme, scoring=options.scoring)}
        ranks = [(False, rank[player.id]) for player in live]
    else:
        # Seed 0 means no seed: these players come last.
        ranks = [(player.seed <= 0, player.seed) for player in live]
    order = sorted(range(len(live)), key=lambda i: (-points[i], ranks[i], i))
    place = [0] * len(live)
    for at, player in enumerate(order):
        place[player] = at
    ends: dict[int, tuple[int, int]] = {}
    start = 0
    for group, size in Counter(points[player] for player in order).items():
        ends[group] = (start, start + size - 1)
        start += size
    return Order(options.order, place, ends)
