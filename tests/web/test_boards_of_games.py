"""Boards and moves of every game are drawn and described in the reader's language."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from engine.core import selfplay
from engine.core.cards import shipped_catalogs
from engine.core.registry import GAMES
from engine.core.replay import Replay
from tournaments.audits.engine_gate import Replayed
from tournaments.web.pages.audits.boards import Board, board_words
from tournaments.web.words.boards import fact_words, move_words

WORDS = {"fr": ("Terrain", "Cimetière"), "en": ("Field", "Graveyard"), "it": ("Campo", "Cimitero")}
PLAYERS = {"A": "Player 1", "B": "Player 2"}
RAW = re.compile(r"\b[A-E]/|common/|_")  # a place ("A/field/1") or a key ("live_cards") in the notation of logs


@cache
def played(game: str) -> dict[str, Any]:
    return selfplay.play(game, 2)


@cache
def boards(game: str) -> list[dict[str, Any]]:
    replay = Replay(played(game))
    return [replay.board_at(n) for n in range(0, len(played(game)["moves"]), 3)]


def drawn(board: dict[str, Any]) -> str:
    return re.sub(r"\s+", " ", render_to_string("web/judge/_board.html", {"board": board_words(board, PLAYERS)}))


def a_card(**facts: Any) -> dict[str, Any]:
    return {"ref": "X-1", "name": "Chien de Scorie", "kind": "créature", "cost": 2, "atk": 1, "end": 4, **facts}


def a_board(seats: str = "AB", **side: Any) -> dict[str, Any]:
    """Return a Stellar Nexus board in turn 2 on which every seat has the same side."""
    return {
        "game": "stellar-nexus", "turn": {"n": 2, "seat": "A", "phase": "principale1", "first": "A"},
        "seats": {seat: {"pv": 20, "deck": 30, "hand": [], "field": [], **side} for seat in seats}, "result": None,
    }  # fmt: skip


def zones_of(board: Board) -> dict[str, str]:
    """Map the zones of the nearest side to "play" (laid out) or "pile"."""
    return {str(zone.words): "play" if zone.in_play else "pile" for zone in board.sides[-1].zones if not zone.single}


@pytest.mark.parametrize("game", GAMES)
def test_the_board_of_every_game_is_drawn_throughout_a_game(game: str) -> None:
    for catalog in shipped_catalogs(game):
        document = selfplay.play(game, 2, catalog=catalog)
        replay = Replay(document)
        for n in range(0, len(document["moves"]), 9):
            found = board_words(replay.board_at(n), PLAYERS)
            assert [side.seat for side in found.sides] == list(reversed(document["seats"]))


@pytest.mark.parametrize(("lang", "words"), WORDS.items())
def test_zones_of_stellar_nexus_are_named_in_the_language_of_the_page(lang: str, words: tuple[str, ...]) -> None:
    with translation.override(lang):
        zones = zones_of(board_words(boards("stellar-nexus")[13], {}))
    assert all(word in zones for word in words)


def test_zones_in_play_are_laid_out_and_piles_are_collapsed() -> None:
    stellar, wakfu = (zones_of(board_words(boards(game)[10], {})) for game in ("stellar-nexus", "wakfu"))
    assert {words for words, shown in stellar.items() if shown == "play"} == {"Resources", "Field", "Equipment"}
    assert {words for words, shown in wakfu.items() if shown == "play"} == {"Equipment", "Rest zone", "Combat zone"}
    page = drawn(a_board(field=[a_card(marks={})], hand=[a_card()]))
    assert '<ol class="laid" role="list" aria-label="Field">' in page
    assert '<summary>Hand <span class="num">1</span></summary>' in page


def test_a_card_in_play_shows_its_figures_its_marks_and_what_it_is_attached_to() -> None:
    hurt = a_card(atk=3, printed={"atk": 1, "end": 4}, marks={"engaged": 1, "damage": 2}, owner="B")
    side = board_words(a_board(field=[hurt], equipment=[a_card(marks={}, on="A/field/1")]), PLAYERS).sides[-1]
    field, equipment = (zone.slots[0] for zone in side.zones if zone.in_play)
    assert [(figure.words, figure.value, figure.printed) for figure in field.figures] == [
        ("cost", 2, None), ("ATK", 3, 1), ("END", 4, None),
    ]  # fmt: skip
    assert field.notes == ("engaged", "damage: 2", "owned by Player 2")
    assert equipment.notes == ("on Chien de Scorie (A, Field 1)",)


def test_the_figures_of_a_card_are_named_as_in_its_game() -> None:
    assert "VAL" in drawn(boards("star-safir")[10])
    page = drawn(boards("wakfu")[10])
    assert "PAtt" in page and "VAL" not in page


@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_notes_beside_a_board_contain_no_raw_keys(game: str, lang: str) -> None:
    with translation.override(lang):
        found = [board_words(board, PLAYERS) for board in boards(game)]
    told = [line for board in found for line in (*board.told, board.turn)]
    assert told
    assert [line for line in told if RAW.search(line)] == []


def test_notes_about_the_opening_disappear_with_the_first_turn() -> None:
    board = {**a_board(), "memory": {"ready": ["B", "A"], "attacking": ["A/field/1"], "live": ["A/field/1"]}}
    board["seats"]["A"]["field"] = [a_card(marks={})]
    assert board_words(board, PLAYERS).told == ["Attacking: Chien de Scorie (A, Field 1)"]
    board["turn"] = {"n": 0, "seat": None, "phase": "preparation", "first": None}
    assert "Hand drawn: Player 2, Player 1" in board_words(board, PLAYERS).told


def test_lasting_effects_and_pending_choices_name_their_cards() -> None:
    board = a_board(field=[a_card(marks={})])
    board["lasting"] = [{"effect": "add", "on": "A/field/1", "stat": "atk", "n": 2, "until": 3, "from": "A/field/1"}]
    board["pending"] = {"by": "A", "options": ["B/field/1", "yes", "X-1"], "optional": True, "rule": "LOG-answer"}
    assert board_words(board, PLAYERS).told == [
        "Lasts: Chien de Scorie (A, Field 1), bonus ATK +2 (until the end of turn 3)",
        "Choice awaited of Player 1 (LOG-answer): Chien de Scorie (B, Field 1) · yes · Chien de Scorie",
    ]


def test_common_zones_are_drawn_between_the_five_sides() -> None:
    board = {**a_board("ABCDE"), "common": {"flames": 12, "field": [a_card(marks={}), None], "stack": [a_card()]}}
    page = drawn(board)
    names = re.findall(r'<p class="side__name"><strong>([^<]+)', page)
    assert names == ["Seat E", "Between the seats", "Seat D", "Seat C", "Player 2", "Player 1"]
    assert 'id="pile-common-2"' in page and "slot--empty" in page
    assert board_words({**board, "common": {"stack": []}}, {}).common is None


@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_descriptions_of_moves_contain_no_raw_keys(game: str, lang: str) -> None:
    with translation.override(lang):
        said = [move_words({"args": {}, **move}, {}) for move in played(game)["moves"]]
    assert [line for line in said if RAW.search(line)] == []


def test_a_move_names_the_cards_at_its_places() -> None:
    moments = list(Replayed(json.dumps(played("stellar-nexus"))).moments())
    moves = [moment.move for moment in moments if moment.move]
    attack = next(move for move in moves if "creature" in move["args"])
    ref = attack["at"][attack["args"]["creature"]]
    assert move_words(attack, {ref: "Chien de Scorie"}) == "attacks Chien de Scorie"
    move = {"do": "play", "args": {"card": "X-1", "on": "A/field/1"}, "at": {"A/field/1": "X-2"}}
    assert move_words(move, {"X-1": "Cuirasse", "X-2": "Chien"}) == "plays Cuirasse · on Chien"


def test_a_missing_fact_is_described_in_the_terms_of_its_game() -> None:
    assert fact_words("memory.declared", "star-safir") == "who has declared a commander"
    assert fact_words("memory.declared", "stellar-nexus") == "Attacks or blocks declared: ?"
    assert fact_words("B/T1/fighters/2") == "Seat B, Territory 1, Fighters, slot 2"


def test_a_board_names_cards_as_the_reader_knows_them() -> None:
    board = boards("stellar-nexus")[13]
    known = {card.ref: f"Renamed {card.ref}" for card in shipped_catalogs("stellar-nexus")[0].cards.values()}
    names = [
        slot.name for side in board_words(board, {}, cards=known).sides for zone in side.zones for slot in zone.cards
    ]
    plain = [slot.name for side in board_words(board, {}).sides for zone in side.zones for slot in zone.cards]
    assert any(str(name).startswith("Renamed ") for name in names)
    assert not any(str(name).startswith("Renamed ") for name in plain)
