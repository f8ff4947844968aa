"""Puts matches into rounds and rounds into stages, and finds out who entered a bracket with which seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.standings import standings
from tournaments.transfers.brought import (
    DOUBLE_ELIMINATION,
    SINGLE_ELIMINATION,
    BroughtMatch,
    BroughtPlayer,
    BroughtStage,
)
from tournaments.transfers.formats.matches import loser_of, winner_of

Round = tuple[BroughtMatch, ...]
Key = TypeVar("Key", bound=Hashable)
_CUT = re.compile(r"top\s*[0-9]+|final|semi|quarter|bracket|playoff|elimination", re.IGNORECASE)


def is_cut(label: str) -> bool:
    """Whether the name of a round says that it is part of a bracket.

    >>> is_cut("Top 8"), is_cut("Quarterfinals"), is_cut("Round 3")
    (True, True, False)
    """
    return bool(_CUT.search(label))


def grouped(matches: Iterable[tuple[Key, BroughtMatch]]) -> dict[Key, Round]:
    """The matches of each round, in the order in which the rounds first occur."""
    found: dict[Key, list[BroughtMatch]] = {}
    for key, match in matches:
        found.setdefault(key, []).append(match)
    return {key: tuple(some) for key, some in found.items()}


def in_play_order(matches: Iterable[BroughtMatch]) -> tuple[Round, ...]:
    """Put matches into rounds: each comes in the first round after the last match of its players."""
    rounds: list[list[BroughtMatch]] = []
    last: dict[str, int] = {}
    for match in matches:
        at = max((last.get(seat, 0) for seat in match.seats), default=0)
        if at == len(rounds):
            rounds.append([])
        rounds[at].append(match)
        last |= dict.fromkeys(match.seats, at + 1)
    return tuple(map(tuple, rounds))


def bracket(rounds: Sequence[Round], seeds: Sequence[str]) -> BroughtStage:
    """A bracket of these rounds: double elimination if somebody plays on after a loss.

    `seeds` are who entered it, best first. In a single elimination, two losers of the semi-finals may meet beside the
    final, for third place.
    """
    kind = DOUBLE_ELIMINATION if losers_play_on(_without_third_place(rounds)) else SINGLE_ELIMINATION
    return BroughtStage(kind, tuple(rounds), seeds=tuple(seeds))


def losers_play_on(rounds: Iterable[Round]) -> bool:
    """Whether somebody who lost a match has another one later."""
    out: set[str] = set()
    for matches in rounds:
        if any(seat in out for match in matches for seat in match.seats):
            return True
        out.update(filter(None, map(loser_of, matches)))
    return False


def _without_third_place(rounds: Sequence[Round]) -> Sequence[Round]:
    if len(rounds) < 2 or len(rounds[-2]) != 2 or len(rounds[-1]) != 2:
        return rounds
    won = set(map(winner_of, rounds[-2])) - {""}
    final = tuple(match for match in rounds[-1] if won.issuperset(match.seats))
    beaten = set(map(loser_of, rounds[-2])) - {""}
    consolation = [match for match in rounds[-1] if beaten.issuperset(match.seats)]
    return (*rounds[:-1], final) if len(final) == len(consolation) == 1 else rounds


def players_of(rounds: Iterable[Round]) -> tuple[str, ...]:
    """The keys of everybody who plays in these rounds, in the order in which they first occur."""
    return tuple(dict.fromkeys(seat for matches in rounds for match in matches for seat in match.seats))


def seeded(wanted: Collection[str], players: Sequence[BroughtPlayer], rounds: Sequence[Round]) -> tuple[str, ...]:
    """Those of `wanted` in the order of the standings after these rounds; equals in the order of the file."""
    order = {player.key: place for place, player in enumerate(players)}
    ranks = ranks_after(players, rounds)
    known = (key for key in dict.fromkeys(wanted) if key in order)
    return tuple(sorted(known, key=lambda key: (ranks.get(key, len(order)), order[key])))


def ranks_after(players: Sequence[BroughtPlayer], rounds: Sequence[Round]) -> Mapping[str, int]:
    """The rank of each player after these rounds; nobody has one if the rounds contradict themselves."""
    played = tuple(tuple(made for match in matches if (made := _counted(match))) for matches in rounds)
    try:
        field = Field(tuple(Player(player.key) for player in players), played)
    except SwissError:  # the whole file is refused for it, with the place
        return {}
    return {row.player: row.rank for row in standings(field)}


def _counted(match: BroughtMatch) -> Match | None:
    if match.games is None or not 1 <= len(match.seats) <= 2:
        return None
    second = match.seats[1] if len(match.seats) == 2 else None
    return Match(match.seats[0], second, *match.games, kind=match.kind)


def split_at_cut(rounds: Sequence[Round]) -> int:
    """How many rounds come before the bracket, in a file that does not name it.

    The last two rounds or more are a bracket if each is played by exactly the winners of the one before, down to one
    match, and others played before.
    """
    start = len(rounds)
    while start > 1 and _leads_to(rounds[start - 2], rounds[start - 1], first=start == len(rounds)):
        start -= 1
    enough = len(rounds) - start + 1 >= 2 and start < len(rounds)
    if not enough:
        return len(rounds)
    entered = set(players_of(rounds[start - 1 : start]))
    before = set(players_of(rounds[: start - 1]))
    return start - 1 if before > entered else len(rounds)


def _leads_to(earlier: Round, later: Round, *, first: bool) -> bool:
    if first and len(later) != 1:
        return False
    won = [winner_of(match) for match in earlier if len(match.seats) == 2]
    return (
        len(earlier) == len(won) == 2 * len(later)
        and all(won)
        and all(len(match.seats) == 2 for match in later)
        and {*won} == {seat for match in later for seat in match.seats}
    )


def double_elimination_order(number: int, depth: int) -> int:
    """The place in the order of play of a round of a double-elimination bracket, from 1.

    `number` counts the rounds of the winners' bracket from 1 and those of the losers' bracket from -1 down. `depth` is
    the number of rounds that the winners' bracket has before the grand final.
    """
    if number < 0:
        return 1 - number
    if number > depth:
        return 10_000 + number
    return 1 if number == 1 else 2 * number - 2


def games_to_win(rounds: Iterable[Round]) -> int:
    """With how many games most matches of these rounds were won; 1 if there is none."""
    counts = Counter(
        max(match.games[:2])
        for matches in rounds
        for match in matches
        if match.games and match.kind == "played" and match.games[0] != match.games[1]
    )
    return counts.most_common(1)[0][0] if counts else 1


def with_byes(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """The same rounds, with byes that count as many games as the matches were won with."""
    wins = games_to_win(rounds)
    return tuple(
        tuple(replace(match, games=(wins, 0, 0)) if match.kind == "bye" else match for match in matches)
        for matches in rounds
    )
