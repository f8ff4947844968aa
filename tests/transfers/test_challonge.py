"""Challonge: two versions of its API, and tables of participants and matches."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.transfers import samples
from tests.transfers.read import brought, lost, refused, short
from tournaments.swiss import bracket
from tournaments.transfers.making import best_of


def _participant(number: int, **more: object) -> dict[str, object]:
    told = {"id": number, "tournament_id": 1, "name": f"Player {number}", "seed": number, "active": True}
    return {"participant": {**told, "final_rank": None, **more}}


def _match(round_: int, one: int | None, two: int | None, score: str = "", **more: object) -> dict[str, object]:
    sides = [int(part) for part in score.split("-")] if score else []
    winner = (one if sides[0] > sides[1] else two) if sides and sides[0] != sides[1] else None
    return {
        "match": {
            "id": 1, "tournament_id": 1, "round": round_, "player1_id": one, "player2_id": two, "winner_id": winner,
            "state": "complete" if score else "open", "scores_csv": score, "group_id": None, "forfeited": None, **more,
        }
    }  # fmt: skip


VERSION_1: dict[str, Any] = {
    "tournament": {
        "id": 1, "name": "Bracket Night", "tournament_type": "single elimination", "url": "night",
        "started_at": "2026-11-26T19:30:00.000+01:00", "game_name": "A game",
        "participants": [_participant(number) for number in (3, 1, 2, 4)],
        "matches": [
            _match(1, 1, 4, "2-0"), _match(1, 2, 3, "1-2"), _match(0, 4, 2, "2-1"), _match(2, 1, 3),
        ],
    }
}  # fmt: skip


def _resource(kind: str, number: int, **attributes: object) -> dict[str, object]:
    return {"id": str(number), "type": kind, "attributes": attributes}


def _points(one: int, two: int) -> list[dict[str, object]]:
    return [{"participant_id": one, "scores": [2]}, {"participant_id": two, "scores": [1]}]


STAMPS = {"started_at": "2026-11-26T19:30:00Z"}
VERSION_21: dict[str, Any] = {
    "tournament": {
        "data": _resource("tournament", 1, name="Swiss Night", tournament_type="swiss", timestamps=STAMPS)
    },
    "participants": {
        "data": [_resource("participant", number, name=f"Player {number}", seed=number) for number in (1, 2, 3)]
        + [_resource("participant", 4, name="Player 4", seed=4, states={"active": False})]
    },
    "matches": {
        "data": [
            _resource("match", 1, state="complete", round=1, scores="2 - 1", winner_id=1,
                      score_in_sets=[[2, 1]], points_by_participant=_points(1, 2)),
            _resource("match", 2, state="complete", round=1, scores="1 - 1", winner_id=None, tie=True,
                      score_in_sets=[[1, 1]], points_by_participant=_points(3, 4)),
            {**_resource("match", 3, state="open", round=2, scores="", winner_id=None),
             "relationships": {"player1": {"data": {"id": "1"}}, "player2": {"data": {"id": "3"}}}},
        ]
    },
}  # fmt: skip


def test_a_bracket_of_version_1_is_read():
    found = brought(VERSION_1)
    assert (found.format, found.name, best_of(found)) == ("challonge", "Bracket Night", 3)
    assert found.starts_at is not None and found.starts_at.isoformat() == "2026-11-26T18:30:00+00:00"
    (stage,) = found.stages
    assert (stage.kind, stage.seeds) == ("single_elimination", ("1", "2", "3", "4"))
    assert [[short(match) for match in matches] for matches in stage.rounds] == [
        [("1", "4", (2, 0, 0), "played"), ("2", "3", (1, 2, 0), "played")],
        [("4", "2", (2, 1, 0), "played"), ("1", "3", None, "played")],
    ]
    assert lost(found) == {}


def test_swiss_rounds_of_version_2_1_are_read():
    found = brought(VERSION_21)
    assert (found.name, found.stages[0].kind) == ("Swiss Night", "swiss")
    assert [[short(match) for match in matches] for matches in found.stages[0].rounds] == [
        [("1", "2", (2, 1, 0), "played"), ("3", "4", (1, 1, 0), "played")],
        [("1", "3", None, "played")],
    ]
    assert [player.dropped_after for player in found.players] == [None, None, None, 1]
    assert lost(found) == {"missing_rounds": 2}


def changed(**match: object) -> dict[str, Any]:
    document = copy.deepcopy(VERSION_1)
    document["tournament"]["tournament_type"] = "swiss"
    document["tournament"]["matches"] = [_match(1, 1, 2, "2-1", **match)]
    return document


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ({}, ((2, 1, 0), "played")),
        ({"scores_csv": "3-1,1-3,3-2"}, ((2, 1, 0), "played")),
        ({"scores_csv": "25-19"}, ((1, 0, 0), "played")),
        ({"scores_csv": ""}, ((1, 0, 0), "played")),
        ({"scores_csv": "0-2"}, ((1, 0, 0), "played")),
        ({"scores_csv": "0--1"}, ((1, 0, 0), "forfeit")),
        ({"forfeited": True, "scores_csv": ""}, ((1, 0, 0), "forfeit")),
        ({"scores_csv": "1-1", "winner_id": None}, ((1, 1, 0), "played")),
        ({"scores_csv": "0-0", "winner_id": None}, ((0, 0, 1), "played")),
        ({"state": "open"}, (None, "played")),
    ],
)
def test_scores_are_games_if_they_can_be(match, expected):
    (found,) = brought(changed(**match)).matches()
    assert (found.games, found.kind) == expected


def test_a_double_elimination_is_in_the_order_of_play_with_its_second_final():
    document = copy.deepcopy(VERSION_1)
    document["tournament"] |= {"tournament_type": "double elimination"}
    document["tournament"]["matches"] = [
        _match(1, 1, 4, "2-0"), _match(1, 2, 3, "2-0"), _match(2, 1, 2, "2-0"), _match(-1, 4, 3, "2-0"),
        _match(-2, 2, 4, "2-0"), _match(3, 1, 2, "0-2"), _match(3, 1, 2, "2-0"), _match(4, None, None),
    ]  # fmt: skip
    found = brought(document)
    (stage,) = found.stages
    assert [len(matches) for matches in stage.rounds] == [2, 2, 1, 1, 1]
    nodes = bracket.double_elimination(4).nodes
    assert [len(matches) for matches in stage.rounds] == [
        sum(node.round == number for node in nodes) for number in range(1, nodes[-1].round + 1)
    ]
    assert lost(found) == {"open_matches": 1}


def test_groups_are_a_round_robin_before_the_bracket():
    document = copy.deepcopy(VERSION_1)
    tournament = document["tournament"]
    tournament["participants"] = [_participant(number, group_player_ids=[100 + number]) for number in (1, 2, 3, 4)]
    groups = [_match(1, 101, 102, "2-0", group_id=9), _match(1, 103, 104, "0-2", group_id=10)]
    tournament["matches"] = [*groups, _match(1, 4, 1, "2-1")]
    found = brought(document)
    assert [(stage.kind, stage.seeds) for stage in found.stages] == [
        ("round_robin", ()), ("single_elimination", ("1", "4")),
    ]  # fmt: skip
    assert lost(found) == {"groups": 1}


def test_matches_without_their_tournament_have_a_structure_that_is_guessed():
    swiss = [_match(1, 1, 2, "2-0"), _match(1, 3, 4, "2-0"), _match(2, 1, 3, "2-0"), _match(2, 2, 4, "2-0")]
    assert brought(swiss).stages[0].kind == "swiss"
    assert brought([*swiss[:3]]).stages[0].kind == "single_elimination"
    assert brought([*swiss[:3], _match(-1, 2, 4, "2-0")]).stages[0].kind == "double_elimination"
    assert lost(brought(swiss)) == {"structure": 1}


def test_tables_of_participants_and_matches_are_read():
    participants = brought(samples.CHALLONGE_PARTICIPANTS)
    assert [(player.name, player.email) for player in participants.players] == [
        ("Player 1", "one@example.org"), ("Player 2", ""),
    ]  # fmt: skip
    assert lost(participants) == {"columns": 1, "matches_missing": 1}
    matches = brought(samples.CHALLONGE_MATCHES)
    assert [len(some) for some in matches.stages[0].rounds] == [2, 2]
    assert lost(matches) == {"structure": 1}


def test_wrong_files_are_refused_with_the_place():
    document = copy.deepcopy(VERSION_1)
    document["tournament"]["tournament_type"] = "free for all"
    assert "free for all" in refused(document, "challonge")
    document = copy.deepcopy(VERSION_1)
    document["tournament"]["matches"][0]["match"]["winner_id"] = 3
    assert refused(document, "challonge") == "tournament.matches[0].match: The winner is neither of the two players."
    document = copy.deepcopy(VERSION_1)
    document["tournament"]["participants"].append(_participant(1))
    assert "twice" in refused(document, "challonge")
    assert refused(b"Name,Seed,Misc\nPlayer 1,1,\nPlayer 1,2,\n", "challonge").startswith("Line 3: ")


def test_without_participants_everybody_in_a_match_is_a_player_and_enters_the_bracket():
    matches = [_match(1, 2, 3), _match(2, 1, None, state="pending")]
    found = brought(matches)
    assert [player.key for player in found.players] == ["2", "3", "1"]
    assert {*found.stages[0].seeds} == {"1", "2", "3"}
    assert lost(found)["open_matches"] == 1
    assert [player.key for player in brought([_match(1, 1, None), _match(1, None, 2)]).players] == ["1", "2"]


def test_players_who_wait_for_an_opponent_in_a_table_of_matches_are_kept():
    table = b"Round,Player 1,Player 2,Scores,Winner\n1,Player 2,Player 3,2-0,Player 2\n2,Player 1,,,\n"
    assert [player.name for player in brought(table).players] == ["Player 2", "Player 3", "Player 1"]
