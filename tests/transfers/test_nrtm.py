"""The JSON of Cobra and NRTM: Netrunner matches won by points, byes in either seat, and the cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.transfers import samples
from tests.transfers.read import brought, lost, refused, short


def document() -> dict[str, Any]:
    return json.loads(samples.NRTM)


def test_a_file_is_read_with_its_cut():
    found = brought(samples.NRTM)
    assert (found.format, found.name, found.best_of) == ("nrtm", "Autumn Run", None)
    assert found.starts_at is not None and found.starts_at.date().isoformat() == "2026-11-26"
    assert [(each.key, each.name) for each in found.players] == [
        ("11", "Player 1"), ("12", "Player 2"), ("13", "Player 3"),
    ]  # fmt: skip
    swiss, cut = found.stages
    assert (swiss.kind, cut.kind, cut.seeds) == ("swiss", "single_elimination", ("11", "12"))
    assert [[short(match) for match in matches] for matches in (*swiss.rounds, *cut.rounds)] == [
        [("11", "12", (1, 0, 0), "played"), ("13", (1, 0, 0), "bye")],
        [("12", "13", (0, 0, 1), "intentional_draw"), ("11", (1, 0, 0), "bye")],
        [("11", "12", (0, 1, 0), "played")],
    ]
    assert swiss.rounds[0][0].table == 1


def test_what_is_not_read_is_told():
    assert lost(brought(samples.NRTM)) == {
        "staff": 1, "ids": 1, "ranks": 5, "identities": 2, "pronouns": 1, "game_points": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("one", "two", "intentional", "result"),
    [
        (6, 0, False, ((1, 0, 0), "played")),
        (2, 4, False, ((0, 1, 0), "played")),
        (3, 3, False, ((0, 0, 1), "played")),
        (3, 3, True, ((0, 0, 1), "intentional_draw")),
        (0, 0, False, ((0, 0, 0), "double_loss")),
        (None, None, False, (None, "played")),
    ],
)
def test_a_match_is_won_by_more_points(one, two, intentional, result):
    changed = document()
    changed["rounds"] = [[changed["rounds"][0][0]]]
    pairing = changed["rounds"][0][0]
    pairing["player1"]["combinedScore"], pairing["player2"]["combinedScore"] = one, two
    pairing["intentionalDraw"] = intentional
    match = brought(changed).stages[0].rounds[0][0]
    assert (match.games, match.kind) == result


def test_a_player_who_plays_on_after_a_loss_in_the_cut_makes_it_a_double_elimination():
    changed = document()
    final = changed["rounds"][-1][0]
    changed["rounds"].append([{**final, "table": 2}])
    assert brought(changed).stages[1].kind == "double_elimination"


def test_without_seeds_the_standings_decide_who_is_first():
    changed = document()
    changed["eliminationPlayers"] = {}
    assert brought(changed).stages[1].seeds == ("11", "12")


def test_the_final_may_be_unfinished_but_no_swiss_round_before_another():
    changed = document()
    changed["rounds"][-1][0]["player1"]["winner"] = changed["rounds"][-1][0]["player2"]["winner"] = None
    assert brought(changed).stages[1].rounds[0][0].games is None
    changed["rounds"][0][0]["player1"]["combinedScore"] = None
    assert refused(changed, "nrtm") == "Round 1, 11 – 12: This match has no result, but there are later rounds."


def test_a_wrong_file_is_refused_with_the_place():
    changed = document()
    changed["rounds"][0][0]["player1"]["id"] = 99
    assert refused(changed, "nrtm") == "Round 1, 99 – 12: “99” is not in the list of players."
    changed = document()
    changed["rounds"][0].append(changed["rounds"][0][0])
    assert "plays twice" in refused(changed, "nrtm")
    changed = document()
    changed["players"].append(changed["players"][0])
    assert refused(changed, "nrtm") == "Player no. 4: “11” is in the list of players twice."
    changed = document()
    changed["rounds"][0][0]["player1"]["combinedScore"] = "six"
    assert refused(changed, "nrtm").startswith("rounds[0][0].player1.combinedScore: ")
    changed = document()
    changed["players"] = []
    changed["rounds"] = []
    assert refused(changed, "nrtm") == "There is no player in this file."


def test_more_than_thirty_rounds_or_five_thousand_players_are_refused():
    changed = document()
    changed["rounds"] = changed["rounds"][:1] * 31
    assert "30 rounds" in refused(changed, "nrtm")
    changed["players"] = [{"id": number, "name": "P"} for number in range(5_001)]
    assert "5,000 players" in refused(changed, "nrtm")
