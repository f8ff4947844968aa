"""Draw the board of a game on a page, with the words and the cards of the event, in the language of the page."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from tournaments.boards.drawing import arrows_of, draw
from tournaments.boards.faces import Face, Faces, no_faces
from tournaments.boards.reading import Board, read_board
from tournaments.web.words.boards import language


def board_words(
    board: Mapping[str, Any],
    players: Mapping[str, str],
    before: Mapping[str, Any] | None = None,
    *,
    faces: Faces = no_faces,
    near: str | None = None,
) -> Board:
    """Read a board in the language of the page (see `boards.reading.read_board`)."""
    return read_board(board, players, before, language=language(), faces=faces, near=near)


def board_html(
    board: Mapping[str, Any],
    players: Mapping[str, str],
    before: Mapping[str, Any] | None = None,
    *,
    faces: Faces = no_faces,
    near: str | None = None,
    move: Mapping[str, Any] | None = None,
    refused: bool = False,
) -> SafeString:
    """Draw a board in the language of the page, with everything that changed since the board `before`.

    `move` is the one that led here, or with `refused` the one that was not made: its arrows are drawn.
    """
    read = board_words(board, players, before, faces=faces, near=near)
    arrows = arrows_of(move, board if refused or before is None else before) if move else ()
    # All that comes from cards and players is escaped by the drawing itself.
    return mark_safe(draw(read, language(), arrows=arrows, refused=refused))  # noqa: S308


def last_move(moves: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the last of these moves; None if there is none."""
    return moves[-1] if moves else None


def named(names: Mapping[str, str]) -> Faces:
    """Return the faces of cards of which only the names are known."""
    return lambda ref: Face(names[ref]) if ref in names else None
