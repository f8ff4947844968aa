"""Boards of every game are read and drawn: named regions, cards with their faces, and what a move changed."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

import engine
from engine.core.cards.catalog import shipped_catalogs
from engine.core.replay import selfplay
from engine.core.replay.replay import Replay
from engine.core.text import phrases
from engine.core.text.registry import GAMES
from tournaments.boards.drawing import arrows_of, draw
from tournaments.boards.faces import Face, face, faces_of
from tournaments.boards.reading import Board, Zone, read_board

WORDS = {"fr": ("Terrain", "Cimetière"), "en": ("Field", "Graveyard"), "it": ("Campo", "Cimitero")}
PLAYERS = {"A": "Player 1", "B": "Player 2"}
RAW = re.compile(r"\b[A-E]/|common/|_")  # a place ("A/field/1") or a key ("live_cards") in the notation of logs
VOID = {"img"}


@cache
def boards(game: str) -> list[dict[str, Any]]:
    log = selfplay.play(game, 2)
    replay = Replay(log)
    return [replay.board_at(n) for n in range(0, len(log["moves"]), 3)]


def drawn(board: dict[str, Any], language: str = "en") -> str:
    return draw(read_board(board, PLAYERS, language=language), language)


def a_card(**facts: Any) -> dict[str, Any]:
    return {"ref": "X-1", "name": "Chien de Scorie", "kind": "créature", "cost": 2, "atk": 1, "end": 4, **facts}


def a_board(seats: str = "AB", **side: Any) -> dict[str, Any]:
    """Return a Stellar Nexus board in turn 2 on which every seat has the same side."""
    return {
        "game": "stellar-nexus", "turn": {"n": 2, "seat": "A", "phase": "principale1", "first": "A"},
        "seats": {seat: {"pv": 20, "deck": 30, "hand": [], "field": [], **side} for seat in seats}, "result": None,
    }  # fmt: skip


def zones(board: Board) -> dict[str, Zone]:
    """Map the zones of the nearest side by their words."""
    return {zone.words: zone for zone in board.sides[-1].zones}


class Outline(HTMLParser):
    """Checks that every element is closed, and collects the text that is read and the labels of regions."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.labels: list[str] = []
        self.text: list[str] = []
        self.places: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert "style" not in found and not any(name.startswith("on") for name in found)
        self.labels += [found["aria-label"] or ""] if "aria-label" in found else []
        self.places += [found["data-place"] or ""] if "data-place" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def outline(page: str) -> Outline:
    found = Outline()
    found.feed(page)
    assert found.open == []
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_the_board_of_every_game_is_drawn_throughout_a_game(game: str, language: str) -> None:
    for catalog in shipped_catalogs(game):
        log = selfplay.play(game, 2, catalog=catalog)
        replay = Replay(log)
        for n in range(0, len(log["moves"]), 9):
            board = replay.board_at(n)
            read = read_board(board, PLAYERS, language=language, faces=faces_of(catalog.cards, language))
            assert [side.seat for side in read.sides] == list(reversed(log["seats"]))
            found = outline(draw(read, language))
            assert all(found.labels)
            assert len(set(found.places)) == len(found.places), "a place is drawn once"
            assert [line for line in (*found.text, *found.labels) if RAW.search(line)] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_card_of_the_board_is_drawn_at_its_place(game: str) -> None:
    for board in boards(game):
        found = set(outline(drawn(board)).places)
        wanted = {
            path for path, _card in cards_of({**board["seats"], "common": board.get("common", {})})
            if not path.startswith("common/tumultes")
        }  # fmt: skip
        assert wanted <= found


def cards_of(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if value == "?" or (isinstance(value, dict) and "ref" in value):
        return [(path, value)]
    items = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    return [found for key, item in items for found in cards_of(item, f"{path}/{key}".lstrip("/"))]


@pytest.mark.parametrize(("language", "words"), WORDS.items())
def test_zones_are_named_in_the_language_of_the_reader(language: str, words: tuple[str, ...]) -> None:
    found = zones(read_board(boards("stellar-nexus")[13], {}, language=language))
    assert all(word in found for word in words)


def test_zones_in_play_and_hands_are_laid_out_and_other_piles_are_counted() -> None:
    stellar, wakfu = (zones(read_board(boards(game)[10], {})) for game in ("stellar-nexus", "wakfu"))
    assert {words for words, zone in stellar.items() if zone.shape == "row"} == {
        "Resources",
        "Field",
        "Equipment",
        "Hand",
    }
    assert {words for words, zone in wakfu.items() if zone.shape == "row"} == {
        "Equipment",
        "Rest zone",
        "Combat zone",
        "Hand",
    }
    assert stellar["Graveyard"].shape == "pile" and stellar["Deck"].shape == "counted"


def test_a_card_in_play_shows_its_figures_its_marks_and_what_it_is_attached_to() -> None:
    hurt = a_card(atk=3, printed={"atk": 1, "end": 4}, marks={"engaged": 1, "damage": 2}, owner="B")
    board = a_board(field=[hurt], equipment=[a_card(marks={}, on="A/field/1")])
    found = zones(read_board(board, PLAYERS))
    (field,), (equipment,) = found["Field"].slots, found["Equipment"].slots
    assert [(figure.words, figure.value, figure.printed) for figure in field.figures] == [
        ("ATK", 3, 1),
        ("END", 4, None),
    ]
    assert (field.face.cost, field.tilted) == ("2", True)
    assert field.notes == ("exhausted", "damage: 2", "owned by Player 2")
    assert equipment.notes == ("on Chien de Scorie (A, Field 1)",)


def test_the_figures_of_a_card_are_named_as_in_its_game() -> None:
    assert "VAL" in drawn(boards("star-safir")[10])
    page = drawn(boards("wakfu")[10])
    assert "PAtt" in page and "VAL" not in page


def test_notes_about_the_opening_disappear_with_the_first_turn() -> None:
    board = {**a_board(), "memory": {"ready": ["B", "A"], "attacking": ["A/field/1"], "live": ["A/field/1"]}}
    board["seats"]["A"]["field"] = [a_card(marks={})]
    assert read_board(board, PLAYERS).told == ("Attacking: Chien de Scorie (A, Field 1)",)
    board["turn"] = {"n": 0, "seat": None, "phase": "preparation", "first": None}
    assert "Hand drawn: Player 2, Player 1" in read_board(board, PLAYERS).told


def test_lasting_effects_and_pending_choices_name_their_cards() -> None:
    board = a_board(field=[a_card(marks={})])
    board["lasting"] = [{"effect": "add", "on": "A/field/1", "stat": "atk", "n": 2, "until": 3, "from": "A/field/1"}]
    board["pending"] = {"by": "A", "options": ["B/field/1", "yes", "X-1"], "optional": True, "rule": "LOG-answer"}
    assert read_board(board, PLAYERS).told == (
        "Lasts: Chien de Scorie (A, Field 1), bonus ATK +2 (until the end of turn 3)",
        "Waiting for a choice by Player 1 (LOG-answer): Chien de Scorie (B, Field 1) · yes · Chien de Scorie",
    )


def test_five_players_sit_around_what_lies_between_them() -> None:
    replay = Replay(next(log for seed in range(40) if len((log := selfplay.play("saint-seiya", seed))["seats"]) == 5))
    found = outline(drawn(replay.board_at(6)))
    sections = [label for label in found.labels if "," not in label and label != "Terrain"]
    assert sections == ["Seat E", "Seat D", "Seat C", "Player 2", "Between the players", "Player 1"]


def test_the_seat_of_the_reader_lies_nearest() -> None:
    assert [side.seat for side in read_board(a_board(), PLAYERS, near="B").sides] == ["A", "B"]
    assert [side.seat for side in read_board(a_board(), PLAYERS).sides] == ["B", "A"]


def test_the_terrain_of_saint_seiya_has_the_cards_that_face_it_opposite() -> None:
    board = next(board for board in boards("saint-seiya") if any(side["play"] for side in board["seats"].values()))
    side = next(side for side in read_board(board, PLAYERS).sides if board["seats"][side.seat]["play"])
    facing = {zone.words: len(zone.cards) for zone in side.lines[0]}
    wanted = [card["on"][-1] for card in board["seats"][side.seat]["play"] if card.get("on", "").startswith("common/")]
    assert facing == {f"Facing slot {n}": wanted.count(str(n)) for n in range(1, 7)}


def test_the_expeditions_of_altered_walk_towards_each_other() -> None:
    board = boards("altered")[-1]
    for seat, hero, companion in (("A", 2, 3), ("B", 0, 7)):
        board["seats"][seat] |= {"heros": hero, "compagnon": companion}
    track = read_board(board, PLAYERS).track
    assert track is not None and len(track.regions) == 8
    assert {(seat, words.partition(" ")[2]): at for at, words, seat in track.walkers} == {
        ("A", "1’s Hero"): 2, ("A", "1’s Companion"): 4, ("B", "2’s Hero"): 0, ("B", "2’s Companion"): 0,
    }  # fmt: skip


def test_what_cards_and_players_are_called_is_escaped() -> None:
    page = draw(read_board(a_board(field=[a_card(name="<b>&", marks={})]), {"A": '"><script>'}))
    assert "<b>&" not in page and "<script>" not in page
    assert "&lt;b&gt;&amp;" in page


def test_what_is_not_known_is_not_drawn_as_empty() -> None:
    board = a_board(field=[a_card(marks={})])
    board["seats"]["A"] |= {"hand": None, "pv": None}
    read = read_board({**board, "unknown": ["A.hand", "A.pv", "B/field"]}, PLAYERS)
    assert zones(read)["Hand"].count is None
    assert read.sides[-1].facts[0].value == "?"
    assert read.unknown == ("Player 1, Hand", "Player 1, PV", "Player 2, Field")


@pytest.mark.parametrize("game", engine.games())
def test_a_card_shows_its_name_its_cost_and_the_colour_of_its_faction(game: str) -> None:
    cards = shipped_catalogs(game)[0].cards
    found = {ref: face(card, "en") for ref, card in cards.items()}
    assert all(shown.name for shown in found.values())
    for ref, card in cards.items():
        assert (found[ref].hue is None) == (not card.factions)
    priced = {"cost", "main", "cost_force", "cost_cosmos"}
    for ref, card in cards.items():
        assert bool(found[ref].cost) == bool(priced & {*card.figures, *card.amounts})


@pytest.mark.parametrize(("language", "kind"), [("fr", "créature"), ("en", "creature"), ("it", "creatura")])
def test_the_kind_of_a_card_is_named_in_the_language_of_the_reader(language: str, kind: str) -> None:
    assert f'<span class="tile__kind">{kind}</span>' in drawn(a_board(field=[a_card()]), language)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_kind_of_card_has_a_name_in_every_language(game: str) -> None:
    kinds = {card.kind for catalog in shipped_catalogs(game) for card in catalog.cards.values()}
    assert kinds and all(phrases.known(f"kind.{kind}") for kind in kinds)


def test_a_board_names_cards_as_the_reader_knows_them() -> None:
    page = draw(read_board(boards("stellar-nexus")[13], {}, faces=lambda ref: Face(f"Renamed {ref}")))
    assert "Renamed DEMO" in page


def test_the_arrows_of_an_attack_lead_from_each_attacker_to_its_target() -> None:
    board = {"game": "star-safir", "seats": {"A": {}, "B": {}}}
    move = {"by": "A", "do": "attack", "args": {"territory": 2, "attackers": [1, 3], "target": 2}}
    assert arrows_of(move, board) == [
        ("A/T2/fighters/1", "B/T2/fighters/2"), ("A/T2/fighters/3", "B/T2/fighters/2"),
    ]  # fmt: skip
    block = {"by": "B", "do": "block", "args": {"creature": "B/field/1", "attacker": "A/field/2"}}
    assert arrows_of(block, {"game": "stellar-nexus", "seats": {"A": {}, "B": {}}}) == [("B/field/1", "A/field/2")]
    assert arrows_of({"by": "A", "do": "pass", "args": {}}, board) == []
    page = draw(read_board(a_board(), PLAYERS), arrows=[("B/field/1", "A/field/2")], refused=True)
    assert 'data-arrows="B/field/1&gt;A/field/2" data-refused' in page
