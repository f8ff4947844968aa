"""A recorder's table: whole games are entered by tapping what lights up and answering what is asked."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

import engine
from engine.core.replay import selfplay
from engine.core.shown import listing
from tests.boards.test_boards import outline
from tournaments.boards.table import Table
from tournaments.boards.taps import taps_of

PLAYERS = {"A": "Player 1", "B": "Player 2", "C": "Player 3", "D": "Player 4", "E": "Player 5"}
MOST = 120  # entries of a game


def opened(name: str, seed: int, actors: str = "ABCDE", **more: Any) -> Table:
    log = selfplay.play(name, seed)
    header = {key: value for key, value in log.items() if key not in ("moves", "claimed", "options")}
    seats = list(header["seats"])
    return Table(json.dumps({
        "header": header, "entries": [], "catalogs": [], "players": {seat: PLAYERS[seat] for seat in seats},
        "seat": None, "language": "en", "actors": [*(seat for seat in seats if seat in actors), "table", "judge"],
        **more,
    }))  # fmt: skip


def answered(table: Table, move: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Answer what is asked about a move at random, and return its entry."""
    answers: list[list[Any]] = []
    while True:
        told = json.loads(table.complete(json.dumps(move), json.dumps(answers)))
        if "entry" in told:
            entry: dict[str, Any] = told["entry"]
            return entry
        question = told["question"]
        assert all(option["words"] for option in question["options"])
        if question["unseen"]:
            answers.append(["?"] * question["count"])
        else:
            copies = question.get("copies", {})
            values = [option["value"] for option in question["options"]]
            answers.append(
                rng.sample([value for value in values for _ in range(copies.get(value, 1))], question["count"])
            )


def test_a_table_says_when_more_moves_are_legal_than_can_be_tapped(monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened("star-safir", 1)
    table.accept(json.dumps({"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}))
    assert json.loads(table.view())["more"] is False
    monkeypatch.setattr(listing, "MOST_MOVES", 1)
    view = json.loads(table.view())
    assert view["more"] is True and view["moves"]


@pytest.mark.slow
@pytest.mark.parametrize("name", engine.games())
def test_every_legal_move_can_be_tapped_and_is_then_accepted(name: str) -> None:
    for seed in range(2):
        rng, table = random.Random(f"{name}/{seed}"), opened(name, seed)
        for _ in range(MOST):
            view = json.loads(table.view())
            if view["over"]:
                break
            assert view["moves"], view["last"][:1]
            found = outline(view["board"])
            here = {*found.places, *zones_in(view["board"])}
            for move in view["moves"]:
                assert move["words"] and "_" not in move["words"]
                for tap in (*move["needed"], *move["paying"]):
                    assert tap[1:] in here if tap[0] == "@" else tap.partition("/")[2] in (*view["picks"], "?"), (
                        move,
                        tap,
                    )
            different = Counter(map(key_of, view["moves"]))
            twice = [move for move in view["moves"] if different[key_of(move)] > 1]
            assert twice == [], "two moves look the same"
            move = rng.choice(view["moves"])["entry"]
            assert json.loads(table.accept(json.dumps(answered(table, move, rng)))) == {"n": view["n"] + 1}


def key_of(move: dict[str, Any]) -> str:
    return json.dumps([move["by"], move["needed"], move["paying"], move["words"]])


def zones_in(page: str) -> set[str]:
    return {part.split('"', 1)[0] for part in page.split('data-zone="')[1:]}


def test_a_refused_move_is_explained_and_changes_nothing() -> None:
    table = opened("star-safir", 1)
    before = table.view()
    told = json.loads(table.accept('{"by": "A", "do": "end_turn"}'))
    assert told["refused"] and all(sentence.endswith(".") for sentence in told["refused"])
    assert table.view() == before


def test_a_move_is_taken_out_again() -> None:
    table = opened("star-safir", 1)
    assert json.loads(table.accept('{"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}')) == {
        "n": 1
    }
    assert json.loads(table.undo()) == {"n": 0}
    assert json.loads(table.view())["last"] == []


def test_entries_of_others_come_with_the_table_and_only_own_moves_are_offered() -> None:
    first = {"n": 1, "by": "table", "do": "first_player", "chance": [{"first_player": "A"}], "h": "00"}
    table = opened("star-safir", 1, actors="B", entries=[first])
    view = json.loads(table.view())
    assert view["n"] == 1 and {move["entry"]["by"] for move in view["moves"]} <= {"B", "table", "judge"}
    assert [ending["words"] for ending in view["endings"]] == [
        "Concedes",
        "Records an agreed draw",
        "Calls time",
    ]


def test_the_taps_of_an_attack_in_star_safir_are_its_fighters_and_its_target() -> None:
    board = {"game": "star-safir", "seats": {"A": {}, "B": {}}}
    move = {"by": "A", "do": "attack", "args": {"territory": 3, "attackers": [1, 2], "target": 3}}
    assert taps_of(move, board, {}).needed == ("@A/T3/fighters/1", "@A/T3/fighters/2", "@B/T3/fighters/3")
    magic = {"by": "A", "do": "play", "args": {"card": "M-1", "territory": 1, "slot": 2}}
    assert taps_of(magic, board, {"M-1": "magie"}).needed == ("#A/M-1", "@A/T1/magics/2")


def test_the_way_to_pay_is_a_choice_of_its_own() -> None:
    move = {
        "by": "B",
        "do": "play",
        "args": {"card": "W-1", "pay": [{"card": "B/rest/3", "mana": "Terre"}], "on": "A/leader"},
    }
    taps = taps_of(move, {"game": "wakfu", "seats": {"A": {}, "B": {}}}, {"W-1": "effet"})
    assert (taps.needed, taps.paying) == (("#B/W-1", "@A/leader"), ("@B/rest/3",))
