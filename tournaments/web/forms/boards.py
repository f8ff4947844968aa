"""Form fields for the result of a team match: one choice for each board."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.play.boards import agreed_boards, boards_of
from tournaments.play.models import Match

PREFIX = "board_"


def board_fields(match: Match) -> dict[str, forms.Field]:
    """The fields `board_1`, `board_2`, … by name, labeled with the players of each board; none is required.

    Forms check that all are there where a result needs them.
    """
    best_of, agreed = match.round.stage.best_of, agreed_boards(match)
    fields: dict[str, forms.Field] = {}
    for board in boards_of(match):
        first, second = board.first.name, board.second.name
        choices = _choices(best_of, first, second)
        games = board.games or agreed.get(board.number)
        now = written(games) if games else ""
        if now and now not in dict(choices):
            # A score that came through the API, such as one with a game drawn: it stays as it is.
            choices.append((now, now.replace("-", "–")))
        words = {"number": board.number, "first": first, "second": second}
        fields[f"{PREFIX}{board.number}"] = forms.ChoiceField(
            label=_("Board %(number)d: %(first)s – %(second)s") % words, choices=choices, required=False
        )
    return fields


def _choices(best_of: int, first: str, second: str) -> list[tuple[str, str]]:
    needed = best_of // 2 + 1
    wins = [(won, lost) for won in range(needed, 0, -1) for lost in range(won)]
    level = [(each, each, drawn) for each in range(needed) for drawn in (0, 1) if 0 < 2 * each + drawn <= best_of]
    return [
        ("", "–"),
        *((f"{won}-{lost}-0", _wins(first, won, lost)) for won, lost in wins),
        *((f"{lost}-{won}-0", _wins(second, won, lost)) for won, lost in wins),
        *((written(games), _("Draw %(score)s") % {"score": _shown(games)}) for games in level),
        ("0-0-0", _("Not played")),
    ]


def _wins(name: str, won: int, lost: int) -> str:
    return _("%(name)s wins %(score)s") % {"name": name, "score": f"{won}–{lost}"}


def _shown(games: tuple[int, int, int]) -> str:
    return "–".join(map(str, games if games[2] else games[:2]))


def written(games: Any) -> str:
    """The games of a board as the value of its field: `2-1-0`."""
    return "-".join(map(str, games))


def boards_in(data: Mapping[str, Any]) -> list[list[int]]:
    """The games of each board, from the cleaned data of a form with `board_fields`; an empty one for a blank field."""
    numbers = sorted(int(name.removeprefix(PREFIX)) for name in data if name.startswith(PREFIX))
    values = [data[f"{PREFIX}{number}"] for number in numbers]
    return [[int(part) for part in value.split("-")] if value else [] for value in values]


def initial_boards(match: Match) -> dict[str, str]:
    """The current result of each board, or else what its players agree on, as initial values of its field."""
    agreed = {} if match.has_result else agreed_boards(match)
    found = {board.number: board.games or agreed.get(board.number) for board in match.boards.all()}
    return {f"{PREFIX}{number}": written(games) for number, games in found.items() if games}
