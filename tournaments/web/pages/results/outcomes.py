"""The keys of the results desk.

Common results are on a numeric keypad: seat 1 wins on the left, seat 2 wins on the right. For a multiplayer table,
ranks are typed instead, one digit for each seat in the order of the slip, such as `213`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Stage
from tournaments.play.models import Match
from tournaments.web.words.results import KINDS, score_words

Kind = Match.Kind
Games = tuple[int, int, int]
DROP_KEYS = ("/", "*", "-", "+", ".")
"""The keys of a numeric keypad that mark a player as dropping, in seat order."""
DIGITS: Mapping[int, Mapping[str, tuple[Games, str]]] = {
    1: {
        "4": ((1, 0, 0), Kind.PLAYED),
        "5": ((0, 0, 1), Kind.PLAYED),
        "6": ((0, 1, 0), Kind.PLAYED),
        "2": ((0, 0, 1), Kind.INTENTIONAL_DRAW),
    },
    3: {
        "7": ((2, 0, 0), Kind.PLAYED),
        "8": ((1, 1, 0), Kind.PLAYED),
        "9": ((0, 2, 0), Kind.PLAYED),
        "4": ((2, 1, 0), Kind.PLAYED),
        "5": ((0, 0, 3), Kind.INTENTIONAL_DRAW),
        "6": ((1, 2, 0), Kind.PLAYED),
    },
    5: {
        "7": ((3, 0, 0), Kind.PLAYED),
        "8": ((2, 2, 0), Kind.PLAYED),
        "9": ((0, 3, 0), Kind.PLAYED),
        "4": ((3, 1, 0), Kind.PLAYED),
        "5": ((0, 0, 3), Kind.INTENTIONAL_DRAW),
        "6": ((1, 3, 0), Kind.PLAYED),
        "1": ((3, 2, 0), Kind.PLAYED),
        "3": ((2, 3, 0), Kind.PLAYED),
    },
}


@dataclass(frozen=True)
class Outcome:
    """What a key of the desk enters: a score with its kind, and the words for it."""

    key: str
    games: Sequence[Any]
    kind: str
    words: str


def outcomes_of(stage: Stage) -> list[Outcome]:
    """All keys for a stage: digits for common results, letters for the rest.

    A bracket has no draws, and a stage of multiplayer tables has no keys at all. In a stage of team matches, the digits
    are those of boards (`board_keys`).
    """
    if stage.is_tables:
        return []
    needed = stage.games // 2 + 1
    first, second = (needed, 0, 0), (0, needed, 0)
    letters = {
        "q": (first, Kind.NO_SHOW),
        "w": (second, Kind.NO_SHOW),
        "a": (first, Kind.CONCESSION),
        "s": (second, Kind.CONCESSION),
        "z": (first, Kind.PENALTY_LOSS),
        "x": (second, Kind.PENALTY_LOSS),
        "d": ((0, 0, 0), Kind.DOUBLE_LOSS),
    }
    every = letters if stage.event.has_boards else {**DIGITS[stage.best_of], **letters}
    return [
        Outcome(key, games, kind, _words(games, kind))
        for key, (games, kind) in every.items()
        if games[0] != games[1] or not stage.is_bracket
    ]


def board_keys(stage: Stage) -> dict[str, Games]:
    """The digits of the results of a board in a stage of team matches."""
    return {key: games for key, (games, kind) in DIGITS[stage.best_of].items() if kind == Kind.PLAYED}


def boards_of_keys(match: Match, typed: str) -> Outcome | None:
    """The result of a team match from one digit for each board, such as `794`; None if that is not what was typed."""
    stage, digits = match.round.stage, "".join(typed.split())
    keys = board_keys(stage)
    if len(digits) != stage.games or any(digit not in keys for digit in digits):
        return None
    return Outcome(digits, [list(keys[digit]) for digit in digits], Kind.PLAYED, "")


def outcome_of(stage: Stage, key: str) -> Outcome | None:
    """What a key enters in a stage; None if it has no meaning there."""
    return next((outcome for outcome in outcomes_of(stage) if outcome.key == key), None)


def ranks_of(match: Match, typed: str) -> Outcome | None:
    """The ranks of a multiplayer table from the typed digits; None if there is not one digit for each seat."""
    digits = "".join(typed.split())
    if not digits.isdecimal() or len(digits) != match.seats.count():
        return None
    return Outcome(digits, [[int(digit), None] for digit in digits], Kind.PLAYED, "")


def typed_outcome(match: Match, typed: str) -> Outcome:
    """What was typed for a match: a key, or the ranks of a multiplayer table.

    Raises InvalidInput `score_invalid` if it means nothing there.
    """
    if match.has_ranks:
        ranks = ranks_of(match, typed)
        if ranks is None:
            raise InvalidInput("score_invalid", _("Type one rank for each player, in the order of the slip."))
        return ranks
    outcome = outcome_of(match.round.stage, typed)
    if outcome is None and match.has_boards:
        outcome = boards_of_keys(match, typed)
        if outcome is None:
            raise InvalidInput("score_invalid", _("Type one digit for each board, in the order of the slip."))
    if outcome is None:
        raise InvalidInput("score_invalid", _("No result has this key."))
    return outcome


def _words(games: Games, kind: str) -> str:
    if kind == Kind.PLAYED:
        return _("Draw") if games[2] else score_words(list(games))
    if games[0] == games[1]:
        return str(KINDS[kind])
    seat = 1 if games[0] > games[1] else 2
    return _("%(kind)s, seat %(seat)d wins") % {"kind": KINDS[kind], "seat": seat}
