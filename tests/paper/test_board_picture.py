"""Pictures of boards: every game throughout, nothing beside the picture or over something else, and hostile words."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageDraw

from engine.core.cards.catalog import shipped_catalogs
from engine.core.replay import selfplay
from engine.core.replay.replay import Replay
from engine.core.text.registry import GAMES
from tests.contracts.project import ROOT
from tournaments.boards.faces import HUES as COLOURS
from tournaments.boards.faces import faces_of
from tournaments.boards.reading import Board, read_board
from tournaments.paper import board_picture as drawing
from tournaments.paper.blocks import Frame, beside, flowing, framed, nothing, stacked, text
from tournaments.paper.board_picture import HUES, TALLEST, WIDTH, Caption, board_picture
from tournaments.paper.lettering import length, shortened, wrapped

LONG = "Éléonore-Françoise de la Tour d'Auvergne-Lauraguais, à Zürich"
CAPTION = Caption("Open de Châtellerault", "Round 3, table 5", "After move 24", "24  A passes", "As seen by A", "l-1")
Box = tuple[float, float, float, float]


@cache
def a_game(game: str) -> tuple[Replay, Any]:
    catalog = shipped_catalogs(game)[0]
    return Replay(selfplay.play(game, 2, catalog=catalog)), faces_of(catalog.cards, "fr")


def read(game: str, n: int) -> Board:
    replay, faces = a_game(game)
    one, two = replay.board_at(n - 1), replay.board_at(n)
    return read_board(two, {"A": LONG, "B": "Ünal"}, one, language="fr", faces=faces)


def size(picture: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(picture)) as image:
        assert image.format == "PNG"
        return image.size


def a_board(**side: Any) -> dict[str, Any]:
    return {
        "game": "stellar-nexus", "turn": {"n": 2, "seat": "A", "phase": "principale1", "first": "A"},
        "seats": {seat: {"pv": 20, "deck": 30, "hand": [], "field": [], **side} for seat in "AB"}, "result": None,
    }  # fmt: skip


def a_card(**facts: Any) -> dict[str, Any]:
    return {"ref": "X-1", "name": "Chien de Scorie", "kind": "créature", "atk": 1, "marks": {}, **facts}


class Written(list[tuple[str, Box]]):
    """The texts of a picture with the rectangles of their letters, recorded while they are drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        draw_text = ImageDraw.ImageDraw.text

        def record(draw: ImageDraw.ImageDraw, at: tuple[int, int], words: str, **more: Any) -> None:
            self.append((words, draw.textbbox(at, words, font=more["font"], anchor=more["anchor"])))
            draw_text(draw, at, words, **more)

        monkeypatch.setattr(ImageDraw.ImageDraw, "text", record)

    def overlaps(self) -> list[tuple[str, str]]:
        """Return the pairs of texts that lie on each other."""
        return [
            (one, other)
            for n, (one, a) in enumerate(self)
            for other, b in self[n + 1 :]
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        ]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_no_words_lie_on_others_or_leave_the_picture_throughout_a_game(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay, _faces = a_game(game)
    last = len(replay.log.entries)
    for n in range(1, last, last // 5):
        written = Written(monkeypatch)
        width, height = size(board_picture(read(game, n), CAPTION))
        assert (width, height <= TALLEST) == (WIDTH, True)
        assert written.overlaps() == []
        assert [words for words, box in written if box[0] < 0 or box[2] > width or box[3] > height] == []
        monkeypatch.undo()


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_has_the_caption_the_players_and_the_cards_in_play(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = read(game, 2 * len(a_game(game)[0].log.entries) // 3)
    written = Written(monkeypatch)
    board_picture(board, CAPTION)
    words = " ".join(line for line, _box in written)
    for said in (CAPTION.title, CAPTION.facts, CAPTION.moment, "A passes", CAPTION.sight, CAPTION.source, "Arbitre"):
        assert said in words
    assert LONG in words and "Ünal" in words
    laid = [slot for side in board.sides for zone in side.zones if zone.shape != "pile" for slot in zone.cards]
    assert laid and all(slot.name.split()[0] in words for slot in laid if not slot.hidden)


def test_the_same_board_gives_the_same_bytes() -> None:
    board = read("altered", 40)
    assert board_picture(board, CAPTION) == board_picture(board, CAPTION)


def test_what_the_move_changed_is_said_and_what_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = a_board(), a_board(pv=18, field=[a_card(atk=3, printed={"atk": 1}, marks={"engaged": 1})])
    written = Written(monkeypatch)
    board_picture(read_board(after, {}, before), CAPTION)
    words = [line for line, _box in written]
    assert words.count("20 → 18") == 2 and words.count("new here") == 2 and words.count("exhausted") == 2


def test_cards_that_look_the_same_beside_each_other_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    written = Written(monkeypatch)
    board_picture(read_board(a_board(hand=["?"] * 7, field=[a_card(), a_card(atk=2)]), {}), CAPTION)
    words = [line for line, _box in written]
    assert words.count("unknown card") == 2 and words.count("×7") == 2 and words.count("Chien de Scorie") == 4


def test_facts_that_are_not_known_have_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    written = Written(monkeypatch)
    board = {**a_board(hand=None, pv=None), "unknown": ["A.hand", "A.pv", "B.hand", "B.pv"]}
    board_picture(read_board(board, {}), CAPTION)
    assert [line for line, _box in written].count("?") == 4


def test_a_board_of_any_size_and_with_any_words_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["W" * 4000, "x" * 39 + " y", "\u202e\u0000\n", "", "漢字 " * 60, "Ç" * 25]
    cards = [a_card(ref=f"X-{n}", name=name, owner="B", on="A/field/1") for n, name in enumerate(names * 8)]
    board = a_board(field=cards, hand=cards, equipment=cards, resources=cards, pv=10**30)
    words = {"A": "W" * 4000, "B": "x" * 60}
    caption = Caption("W" * 4000, "a b " * 900, "", "w" * 4000, "s" * 4000, "l-1")
    written = Written(monkeypatch)
    width, height = size(board_picture(read_board(board, words), caption))
    assert width == WIDTH and height <= TALLEST
    assert max(box[2] for _line, box in written) <= WIDTH
    assert not any(letter in line for line, _box in written for letter in "\u202e\u0000\n")


def test_the_colours_are_those_of_the_pages() -> None:
    styles = (ROOT / "tournaments/web/static/web/board.css").read_text(encoding="utf-8")
    hues = dict(re.findall(r"\.hue-(\d+) \{ --hue: (#\w{6}); \}", styles))
    assert [hues[str(n)] for n in range(COLOURS)] == list(HUES)
    assert set(drawing.TINTS.items()) == set(re.findall(r"\.figure-of--(\w+) \{ --tint: (#\w{6}); \}", styles))


# ------------------------------------------------------------------------------------------------ words and blocks


def test_a_long_text_is_wrapped_at_spaces_and_its_last_line_cut_off() -> None:
    lines = wrapped("one two three four five six seven", 20, 110, most=3)
    assert len(lines) == 3 and lines[-1].endswith("…")
    assert all(length(line, 20) <= 110 for line in lines)
    assert "one two three".startswith(lines[0])


def test_a_word_longer_than_a_line_is_broken() -> None:
    lines = wrapped("Donaudampfschifffahrt", 20, 90, most=9)
    assert len(lines) > 1 and "".join(lines) == "Donaudampfschifffahrt"
    assert wrapped("W", 20, 1, most=9) == ["W"], "a letter wider than the line has one of its own"


def test_the_first_line_leaves_room_for_what_is_beside_it() -> None:
    width = length("one two", 20)
    assert wrapped("one two three", 20, width, most=3) == ["one two", "three"]
    assert wrapped("one two three", 20, width, most=3, beside=20)[0] == "one"


def test_a_cut_line_is_as_wide_as_allowed_at_most() -> None:
    assert shortened("short", 20, 400) == "short"
    cut = shortened("x" * 5000, 20, 100)
    assert cut.endswith("…") and length(cut, 20) <= 100 < length(cut.replace("…", "x…"), 20)


def test_blocks_know_their_size() -> None:
    small, large = nothing(10, 20), nothing(30, 5)
    column = stacked([small, nothing(99, 0), large], 4)
    assert (column.width, column.height) == (30, 29)
    assert (beside([small, large], 4).width, beside([small, large], 4).height) == (44, 20)
    assert flowing([small, large, small], 44, 4, 2).height == 20 + 2 + 20
    assert (framed(small, Frame(pad=3)).width, framed(small, Frame(pad=3), 50, 60).height) == (16, 60)
    assert text("word", 20, "#000000", 200).width == length("word", 20)
