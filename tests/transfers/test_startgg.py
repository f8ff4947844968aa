"""start.gg: the table of attendees, and answers of its API with sets and entrants."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.transfers import samples
from tests.transfers.read import brought, lost, refused, short
from tournaments.transfers.making import best_of


def _set(round_: int, one: int, two: int, score: str = "", label: str = "", **more: object) -> dict[str, object]:
    winner = None
    if score:
        first, second = map(int, score.split("-"))
        winner = one if first > second else two if second > first else None
        score = f"Player {one} {first} - Player {two} {second}"
    slots = [{"entrant": {"id": number, "name": f"Player {number}"}} for number in (one, two)]
    return {
        "id": 1, "round": round_, "fullRoundText": label or f"Round {round_}", "slots": slots, "winnerId": winner,
        "displayScore": score or None, "state": 3 if score else 1, **more,
    }  # fmt: skip


def _phase(number: int, kind: str) -> dict[str, object]:
    return {"phaseGroup": {"phase": {"id": number, "phaseOrder": number, "bracketType": kind}}}


SWISS, CUT = _phase(1, "SWISS"), _phase(2, "SINGLE_ELIMINATION")
SETS: dict[str, Any] = {
    "data": {
        "event": {
            "id": 7,
            "name": "Singles",
            "startAt": 1795719600,
            "tournament": {"name": "Big Weekend"},
            "sets": {
                "pageInfo": {"total": 5},
                "nodes": [
                    _set(1, 1, 2, "2-0", **SWISS),
                    _set(1, 3, 4, "1-2", **SWISS),
                    _set(2, 1, 4, "2-1", **SWISS),
                    _set(2, 2, 3, "1-1", **SWISS),
                    _set(1, 1, 4, label="Final", **CUT),
                ],
            },
        }
    }
}


def test_attendees_are_read_with_name_tag_and_address():
    found = brought(samples.STARTGG)
    assert [(each.key, each.name, each.given_name, each.family_name, each.email) for each in found.players] == [
        ("101", "Player 1", "Ada", "Lune", "one@example.org"),
        ("102", "Player 2", "", "", ""),
    ]
    assert [(each.code, each.detail) for each in found.lost] == [("columns", ("Checked In", "Venue Type"))]


def test_sets_are_an_event_of_two_phases():
    found = brought(SETS)
    assert (found.format, found.name, best_of(found)) == ("startgg", "Big Weekend – Singles", 3)
    assert found.starts_at is not None
    swiss, cut = found.stages
    assert [[short(match) for match in matches] for matches in swiss.rounds] == [
        [("1", "2", (2, 0, 0), "played"), ("3", "4", (1, 2, 0), "played")],
        [("1", "4", (2, 1, 0), "played"), ("2", "3", (1, 1, 0), "played")],
    ]
    assert (cut.kind, cut.seeds, cut.rounds[0][0].games) == ("single_elimination", ("1", "4"), None)
    assert lost(found) == {"ids": 1}


def test_a_disqualification_is_a_forfeit():
    document = copy.deepcopy(SETS)
    document["data"]["event"]["sets"]["nodes"][0]["displayScore"] = "DQ"
    assert short(next(brought(document).matches())) == ("1", "2", (1, 0, 0), "forfeit")


def test_a_page_alone_is_refused():
    document = copy.deepcopy(SETS)
    document["data"]["event"]["sets"]["pageInfo"]["total"] = 40
    assert refused(document, "startgg").startswith("sets: This is one page of several: it has 5 of 40.")


def test_entrants_alone_are_players_and_teams_are_refused():
    nodes = [
        {"id": 1, "name": "TEAM | Player 1", "participants": [{"gamerTag": "Player 1"}], "standing": {"placement": 1}}
    ]
    document: dict[str, Any] = {"data": {"event": {"name": "Singles", "entrants": {"nodes": nodes}}}}
    found = brought(document)
    assert [player.name for player in found.players] == ["Player 1"]
    assert lost(found) == {"ranks": 1, "matches_missing": 1}
    nodes[0]["participants"] = [{"gamerTag": "Player 1"}, {"gamerTag": "Player 2"}]
    assert "Teams" in refused(document, "startgg")


def test_phases_without_a_type_are_guessed_by_their_labels():
    document = json.loads(json.dumps(SETS))  # a deep copy would share the phases as the original does
    for node in document["data"]["event"]["sets"]["nodes"]:
        node["phaseGroup"]["phase"].pop("bracketType")
    found = brought(document)
    assert [stage.kind for stage in found.stages] == ["swiss", "single_elimination"]
    assert lost(found)["structure"] == 2


def test_the_same_attendee_twice_is_refused_with_the_line():
    assert refused(b"Id,GamerTag\n1,Player 1\n1,Player 2\n", "startgg").startswith("Line 3: ")


def test_without_entrants_a_player_who_waits_for_an_opponent_is_kept():
    document = copy.deepcopy(SETS)
    event = document["data"]["event"]
    event.pop("entrants", None)
    waits = {"id": 99, "round": 2, "slots": [{"entrant": {"id": 77, "name": "Player 77"}}, {"entrant": None}]}
    event["sets"]["nodes"].append(waits)
    assert "Player 77" in [player.name for player in brought(document).players]
