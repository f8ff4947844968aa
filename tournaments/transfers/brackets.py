"""Finds the place of each match of a file in a bracket of ours. Plain values, no database.

Other programs say who met in which round, but not where in the bracket. If the matches do not fit a bracket as it is
played here, there is none: the stage is then played here from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.swiss.bracket import (
    NOBODY,
    Bracket,
    Played,
    Slot,
    double_elimination,
    read,
    single_elimination,
)
from tournaments.swiss.field import SwissError
from tournaments.transfers.brought import DOUBLE_ELIMINATION, BroughtMatch, BroughtStage
from tournaments.transfers.seeding import fitting


@dataclass(frozen=True, slots=True)
class Placed:
    """A table of a bracket round: its node and match. A bye, and a match that the file does not have, are added."""

    node: str
    match: BroughtMatch


@dataclass(frozen=True, slots=True)
class FittedBracket:
    """A bracket whose matches are placed: the seeds (best first) and the tables of each round."""

    seeds: tuple[str, ...]
    third_place: bool
    rounds: tuple[tuple[Placed, ...], ...]


def fitted(stage: BroughtStage) -> FittedBracket | None:
    """Place the matches of an elimination stage; None if they do not fit the bracket of its seeds, or of any.

    Its seeds are tried first. The matches of a single elimination may have been seeded by other tiebreaks: then they
    say which seeds those were.
    """
    matches = [match for tables in stage.rounds for match in tables if len(match.seats) == 2]
    if not matches or any(_winner(match) is None for match in matches if match.games is not None):
        return None
    entered = stage.seeds or tuple(dict.fromkeys(seat for match in matches for seat in match.seats))
    for seeds in dict.fromkeys((entered, fitting(stage.rounds, entered))):
        found = _with_seeds(stage, seeds, matches)
        if found is not None:
            return found
    return None


def _with_seeds(stage: BroughtStage, seeds: Sequence[str], matches: Sequence[BroughtMatch]) -> FittedBracket | None:
    if not {seat for match in matches for seat in match.seats} <= set(seeds):
        return None
    third = stage.kind != DOUBLE_ELIMINATION and _has_third_place(matches)
    try:
        if stage.kind == DOUBLE_ELIMINATION:
            bracket = double_elimination(len(seeds))
        else:
            bracket = single_elimination(len(seeds), third_place=third)
    except SwissError:
        return None
    rounds = _placed(bracket, seeds, matches)
    return None if rounds is None else FittedBracket(tuple(seeds), third, rounds)


def _placed(
    bracket: Bracket, seeds: Sequence[str], matches: Sequence[BroughtMatch]
) -> tuple[tuple[Placed, ...], ...] | None:
    """The tables of each round up to the last one that was paired; None if a match has no place in the bracket."""
    left = list(matches)
    played: dict[str, Played] = {}
    rounds: list[tuple[Placed, ...]] = []
    for number in range(1, bracket.rounds + 1):
        if not left:
            break
        slots = [slot for slot in read(bracket, seeds, played).values() if slot.node.round == number]
        tables = [_table(slot, left) for slot in slots if slot.state in ("ready", "walkover")]
        for placed in tables:
            played[placed.node] = _recorded(placed.match)
        rounds.append(tuple(tables))
        # A round is seated as a whole: whatever follows would need its results.
        if any(placed.match.games is None and len(placed.match.seats) == 2 for placed in tables):
            break
    return None if left else tuple(rounds)


def _table(slot: Slot, left: list[BroughtMatch]) -> Placed:
    if slot.state == "walkover":
        return Placed(slot.node.id, BroughtMatch((slot.winner or "",), kind="bye"))
    here = {slot.a, slot.b}
    match = next((match for match in left if set(match.seats) == here), None)
    if match is None:
        return Placed(slot.node.id, BroughtMatch((slot.a or "", slot.b or "")))
    left.remove(match)
    return Placed(slot.node.id, match)


def _recorded(match: BroughtMatch) -> Played:
    if len(match.seats) == 1:
        return Played(match.seats[0], NOBODY, match.seats[0])
    return Played(match.seats[0], match.seats[1], _winner(match))


def _winner(match: BroughtMatch) -> str | None:
    """Who won; None without a result, and for a match that nobody won."""
    if match.games is None or match.games[0] == match.games[1] or match.kind in ("double_loss", "no_show"):
        return None
    return match.seats[match.games[1] > match.games[0]]


def _has_third_place(matches: Sequence[BroughtMatch]) -> bool:
    """Whether two players who had lost met again, as only the match for third place lets them in single elimination."""
    lost: set[str] = set()
    for match in matches:
        if lost.issuperset(match.seats):
            return True
        winner = _winner(match)
        lost |= {seat for seat in match.seats if winner is not None and seat != winner}
    return False
