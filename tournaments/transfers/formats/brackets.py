"""Makes stages of rounds as programs for brackets number them: from 1 up for winners, from -1 down for losers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.transfers.brought import (
    DOUBLE_ELIMINATION,
    ROUND_ROBIN,
    SINGLE_ELIMINATION,
    SWISS,
    BroughtMatch,
    BroughtPlayer,
    BroughtStage,
)
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.losses import Losses

KINDS = (SWISS, SINGLE_ELIMINATION, DOUBLE_ELIMINATION, ROUND_ROBIN)
THIRD_PLACE = 0
"""The number of the round that is the match for the third place."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A match with the number of its round, and its place in the order of play."""

    round: int
    order: int
    match: BroughtMatch


def kind_of(text: str) -> str:
    """The kind of stage that a program means by `single elimination`, `SWISS` and the like; "" for others.

    >>> kind_of("Double Elimination"), kind_of("ROUND_ROBIN"), kind_of("free for all")
    ('double_elimination', 'round_robin', '')
    """
    kind = "_".join(text.lower().replace("_", " ").replace("-", " ").split())
    return kind if kind in KINDS else ""


def guessed_kind(found: Sequence[Numbered]) -> str:
    """What kind of stage these matches must be: nobody plays on after a loss in single elimination."""
    if any(each.round < 0 for each in found):
        return DOUBLE_ELIMINATION
    rounds = _in_order([each for each in found if each.round != THIRD_PLACE])
    halved = len(rounds) > 1 or len(found) == 1
    return SINGLE_ELIMINATION if halved and not structure.losers_play_on(rounds) else SWISS


def stage_of(
    kind: str, found: Iterable[Numbered], players: Sequence[BroughtPlayer], seeds: Sequence[str], losses: Losses
) -> BroughtStage:
    """The stage of a kind with these matches; `seeds` are its players, best first."""
    matches = sorted(found, key=lambda each: each.order)
    if kind == SINGLE_ELIMINATION:
        return BroughtStage(kind, _single(matches), seeds=tuple(seeds))
    if kind == DOUBLE_ELIMINATION:
        losses.add("third_place", count=sum(each.round == THIRD_PLACE for each in matches))
        decided = [each for each in matches if each.round != THIRD_PLACE]
        return BroughtStage(kind, _double(decided), seeds=tuple(seeds))
    rounds = _in_order(matches)
    if kind == SWISS:
        there = {player.key for player in players}
        missing = sum(len(there.difference(structure.players_of([some]))) for some in rounds)
        losses.add("missing_rounds", count=missing)
    return BroughtStage(kind, rounds, seeds=tuple(seeds))


def _single(matches: Sequence[Numbered]) -> tuple[structure.Round, ...]:
    """The rounds of a single elimination; the match for third place is played beside the final."""
    last = max((each.round for each in matches), default=0)
    return _in_order([replace(each, round=each.round or last) for each in matches])


def _in_order(matches: Sequence[Numbered]) -> tuple[structure.Round, ...]:
    by_round = structure.grouped((each.round, each.match) for each in matches)
    return tuple(by_round[number] for number in sorted(by_round))


def _double(matches: Sequence[Numbered]) -> tuple[structure.Round, ...]:
    """The rounds of both halves in the order of play; a grand final and its reset are two rounds."""
    entered = len(structure.players_of([tuple(each.match for each in matches)]))
    depth = max(1, (entered - 1).bit_length())
    by_place = structure.grouped(
        (structure.double_elimination_order(each.round, depth), each.match) for each in matches
    )
    return tuple(part for place in sorted(by_place) for part in structure.in_play_order(by_place[place]))
