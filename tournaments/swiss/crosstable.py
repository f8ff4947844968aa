"""Per-player totals of all matches of a field, counted by the rules of a scheme.

Tiebreaks are computed from a `Crosstable`. It reads the matches once and holds integers only, so that figures stay
exact and a field of 10,000 players is read quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import attrgetter
from struct import Struct
from typing import Any, NamedTuple, TypeVar, cast

from tournaments.swiss.field import ALONE, DRAW, LOSS, WIN, Field, Match, Player, points_of

GRANTED = frozenset({"bye", "half_bye"})
"""Kinds that give points without a match. Schemes that leave byes out of shares leave these out."""

UNREWARDED = ALONE | {"no_show", "forfeit", "disqualified"}
"""Kinds in which a loss gives no points even if the event awards points for a loss: nothing was played."""

_first = attrgetter("a")
_second = attrgetter("b")
_result = attrgetter("games_a", "games_b", "drawn", "kind")
# One 32-bit count for each field of `Tally`.
_COUNTS = Struct("<11I")

Cached = TypeVar("Cached")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a scheme counts with.

    - `win`, `draw`, `loss`: match points, in units of 1/`unit`
    - `draw_share`, `loss_share`: credit for a draw and a loss in the match-win share, where a win is 1
    - `floor`: the minimum share of matches and of games
    - `dropped_most`: the maximum match-win share of a player who dropped
    - `byes_count`: whether byes enter the shares
    - `gw_floored`: whether the floor applies to a player's own GW
    - `unplayed_as_draws`: whether rounds without a match count as opponents in sums, as in FIDE C.07
    """

    win: int = WIN
    draw: int = DRAW
    loss: int = 0
    unit: int = 1
    draw_share: Fraction = Fraction(1, 3)
    loss_share: Fraction = Fraction(0)
    floor: Fraction = Fraction(1, 3)
    dropped_most: Fraction = Fraction(1)
    byes_count: bool = True
    gw_floored: bool = True
    unplayed_as_draws: bool = False

    @property
    def whole_share(self) -> int:
        """The credit for a won match in the match-win share: the smallest number that keeps all credits whole."""
        return lcm(self.draw_share.denominator, self.loss_share.denominator)


class Tally(NamedTuple):
    """What one match gives a player, or the sum over all matches.

    - `points`: match points, in units of the rules
    - `won`, `lost`, `drawn`: matches without byes; a half bye is a draw, a zero bye and a missed round are losses
    - `credit` / `counted`: the match-win share, in units of `Rules.whole_share` per match
    - `game_points` / (3 × `games`): the game-win share
    """

    points: int = 0
    rounds: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    byes: int = 0
    credit: int = 0
    counted: int = 0
    game_points: int = 0
    games: int = 0
    games_won: int = 0


class Line(NamedTuple):
    """One round of a player: the opponent's number, the kind of the match, the match points and the result.

    `opponent` is None for a player without an opponent. `kind` is empty if the player had no match. `won` is 2 for a
    win or a bye, 1 for a draw or a half bye, and 0 otherwise.
    """

    round: int
    opponent: int | None
    kind: str
    points: int
    won: int


class Crosstable:
    """The players of a field, numbered in the order of their ids, with what each of them has from every match.

    `tallies` holds the sum of each player's matches. `met` holds the numbers of each player's opponents in the order
    they were met; an opponent met twice is listed twice.
    """

    def __init__(self, field: Field, rules: Rules, seed: int = 0) -> None:
        self.field, self.rules, self.seed = field, rules, seed
        self.players: tuple[Player, ...] = tuple(sorted(field.players, key=attrgetter("id")))
        self.number = {player.id: i for i, player in enumerate(self.players)}
        self.met, self.tallies = _read(self)
        self._cache: dict[Callable[[Crosstable], Any], Any] = {}

    def cached(self, function: Callable[[Crosstable], Cached]) -> Cached:
        """Return `function(self)`, computed once and cached. Tiebreaks share their columns this way."""
        if function not in self._cache:
            self._cache[function] = function(self)
        return cast(Cached, self._cache[function])

    def name(self, player: int | None) -> str:
        """The id of a player, or an empty string for None."""
        return "" if player is None else self.players[player].id


def lines(table: Crosstable) -> list[list[Line]]:
    """One line per round for each player, starting with round 1."""
    rules, number = table.rules, table.number
    worth = {WIN: (rules.win, 2), DRAW: (rules.draw, 1), LOSS: (0, 0)}
    played_out = {**worth, LOSS: (rules.loss, 0)}
    out: list[list[Line]] = [[] for _ in table.players]
    for played, matches in enumerate(table.field.rounds, start=1):
        for match in matches:
            kind, (gained_a, gained_b) = match.kind, points_of(match)
            first, second = number[match.a], None if match.b is None else number[match.b]
            gives = worth if kind in UNREWARDED else played_out
            out[first].append(Line(played, second, kind, *gives[gained_a]))
            if second is not None:
                out[second].append(Line(played, first, kind, *gives[gained_b]))
        for i, player in enumerate(table.players):
            if len(out[i]) < played:
                # Rounds before a late entry count as missed losses; a round without a match after that counts for
                # nothing.
                out[i].append(Line(played, None, "missed" if played < player.joined else "", 0, 0))
    return out


def _read(table: Crosstable) -> tuple[list[list[int]], list[Tally]]:
    """The opponents and the tally of each player."""
    # The missing opponent of a bye is an extra player, so that the loop below needs no special case. It is removed at
    # the end.
    nobody = len(table.players)
    numbers: dict[str | None, int] = {None: nobody}
    numbers.update(table.number)
    totals = [0] * (nobody + 1)
    met: list[list[int]] = [[] for _ in range(nobody + 1)]
    gains = _Gains(table.rules)
    for matches in table.field.rounds:
        seats = map(numbers.__getitem__, map(_first, matches)), map(numbers.__getitem__, map(_second, matches))
        for first, second, (gained_a, gained_b) in zip(
            *seats, map(gains.__getitem__, map(_result, matches)), strict=True
        ):
            totals[first] += gained_a
            totals[second] += gained_b
            met[first].append(second)
            met[second].append(first)
    for player in met.pop():
        met[player].remove(nobody)
    missed = _packed(Tally(rounds=1, lost=1, counted=1))
    for player, rounds in _missed(table):
        totals[player] += rounds * missed
    return met, [_unpacked(total) for total in totals[:nobody]]


def _missed(table: Crosstable) -> Iterable[tuple[int, int]]:
    """For each late entrant, the number of rounds before they joined in which they have no match."""
    late = [player for player in table.players if player.joined > 1]
    if late:
        seated = [{seat for match in matches for seat in match.seats} for matches in table.field.rounds]
        for player in late:
            yield table.number[player.id], sum(player.id not in seats for seats in seated[: player.joined - 1])


class _Gains(dict[tuple[int, int, int, str], tuple[int, int]]):
    """Cache of the packed tallies of both players for each distinct result. An event has few distinct results."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def __missing__(self, result: tuple[int, int, int, str]) -> tuple[int, int]:
        match = Match("a", None if result[3] in ALONE else "b", *result)
        self[result] = _packed(_tally(match, 0, self.rules)), _packed(_tally(match, 1, self.rules))
        return self[result]


def _packed(tally: Sequence[int]) -> int:
    """Pack a tally into one integer with 32 bits per count, so that adding two tallies is one addition."""
    return int.from_bytes(_COUNTS.pack(*tally), "little")


def _unpacked(total: int) -> Tally:
    return Tally._make(_COUNTS.unpack(total.to_bytes(_COUNTS.size, "little")))


def _tally(match: Match, seat: int, rules: Rules) -> Tally:
    """What a match gives the player on a seat (0 for a, 1 for b)."""
    points = points_of(match)[seat]
    won, drawn, bye = points == WIN, points == DRAW, match.kind == "bye"
    games_won = match.games_b if seat else match.games_a
    lost = not won and not drawn
    rewarded = lost and match.kind not in UNREWARDED
    whole = rules.whole_share
    # Some schemes leave byes out of all shares, own and opponents'.
    counts = rules.byes_count or match.kind not in GRANTED
    return Tally(
        points=won * rules.win + drawn * rules.draw + rewarded * rules.loss,
        rounds=1,
        won=int(won and not bye),
        lost=int(lost),
        drawn=int(drawn),
        byes=int(bye),
        credit=counts * int(whole * (won + drawn * rules.draw_share + rewarded * rules.loss_share)),
        counted=int(counts),
        game_points=counts * (3 * games_won + match.drawn),
        games=counts * (match.games_a + match.games_b + match.drawn),
        games_won=games_won * (match.kind not in ALONE),
    )
