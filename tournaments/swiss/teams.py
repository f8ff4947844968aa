"""Team matches: what the games of their boards add up to."""

from collections.abc import Sequence
from typing import Any

from tournaments.swiss.field import SwissError


def boards_won(boards: Sequence[Sequence[int]]) -> tuple[int, int, int]:
    """Boards won by the first team, by the second, and drawn.

    Each board is the games that its two players won, and those drawn. Raises `SwissError` `board_invalid` for a board
    that has another shape.

    >>> boards_won([[2, 0, 0], [1, 2, 0], [2, 1, 0]])
    (2, 1, 0)
    """
    first = second = drawn = 0
    for number, board in enumerate(boards):
        if len(board) != 3:
            raise SwissError("board_invalid", "a board is games won by each side and games drawn", f"boards[{number}]")
        won, lost, _level = board
        first, second, drawn = first + (won > lost), second + (lost > won), drawn + (won == lost)
    return first, second, drawn


def is_by_board(score: Sequence[Any]) -> bool:
    """Whether a score is given board by board: lists of three, where a multiplayer table has pairs."""
    return bool(score) and all(isinstance(each, list | tuple) and len(each) == 3 for each in score)
