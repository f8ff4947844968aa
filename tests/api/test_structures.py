"""Stages, multiplayer tables and manual changes to a draft, through the API."""

import pytest
from rest_framework.test import APIClient

from tests.api.scenes import token_client
from tests.builders import NOW, a_bracket, a_published_round, a_running_event, a_table_event, play_out, users_of
from tests.cast import Cast
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.swiss.pairing import ALGORITHM

pytestmark = pytest.mark.django_db


def desk(cast: Cast) -> APIClient:
    return token_client(cast.organizer, "read", "organize")


def url(event: Event, rest: str) -> str:
    return f"/api/v1/events/{event.public_id}/{rest}"


def test_a_stage_can_be_added_changed_and_started(cast: Cast) -> None:
    event = a_running_event(cast, rounds=1)
    body = {"kind": "single_elimination", "cut_top": 4, "third_place": True}
    made = desk(cast).post(url(event, "stages/"), body, format="json").json()
    assert made["options"] == {"third_place": True, "cut_top": 4, "cut_points": None, "seed_chooses": False}
    changed = desk(cast).patch(url(event, "stages/2/"), {"best_of": 1}, format="json").json()
    assert (changed["best_of"], changed["kind"]) == (1, "single_elimination")
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    started = desk(cast).post(url(event, "stages/start/"), {}, format="json").json()
    assert [entry["seed"] for entry in started["entries"]] == [1, 2, 3, 4]
    assert [node["node"] for node in started["nodes"]] == ["W1.1", "W1.2", "T1", "W2.1"]
    assert started["first_round"] == 2
    assert desk(cast).get(url(event, "standings/?stage=1")).json()["stage"] == 1
    assert desk(cast).get(url(event, "standings/?stage=7")).status_code == 404


def test_the_result_of_a_multiplayer_table_can_be_reported_and_confirmed(cast: Cast) -> None:
    match = a_published_round(a_table_event(cast, players=3), cast.organizer).matches.get()
    first, second, _third = users_of(match)
    places = [{"rank": 2, "score": 5}, {"rank": 1, "score": 9}, {"rank": 3}]
    address = f"/api/v1/matches/{match.public_id}/"
    told = token_client(first, "read", "play").post(address + "report/", {"places": places}, format="json").json()
    assert told["report"]["places"][2] == {"rank": 3, "score": None}
    body = {"report": told["report"]["id"]}
    done = token_client(second, "read", "play").post(address + "confirm/", body, format="json").json()
    assert [(seat["rank"], seat["score"], seat["points"]) for seat in done["seats"]] == [
        (2, 5, 12),
        (1, 9, 24),
        (3, None, 0),
    ]
    both = {"places": places, "games": [2, 0, 0]}
    assert desk(cast).post(address + "result/", both, format="json").status_code == 422
    short = desk(cast).post(address + "result/", {"places": places[:2]}, format="json")
    assert (short.status_code, short.json()["code"]) == (422, "ranks_invalid")


def test_the_slip_of_a_multiplayer_table_takes_places(cast: Cast) -> None:
    event = a_table_event(cast, players=3)
    match = a_published_round(event, cast.organizer).matches.get()
    places = [{"rank": 2}, {"rank": 1}, {"rank": 3}]
    slips, body = url(event, "rounds/1/slips/"), {"table": 1, "places": places, "drops": [3]}
    assert desk(cast).post(slips, {**body, "games": [2, 0, 0]}, format="json").status_code == 422
    done = desk(cast).post(slips, body, format="json")
    assert (done.status_code, [seat["rank"] for seat in done.json()["seats"]]) == (200, [2, 1, 3])
    assert match.seats.get(number=3).entrant.status == "dropped"


def test_a_correction_that_affects_later_matches_must_be_acknowledged(cast: Cast) -> None:
    event = a_bracket(cast)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    a_published_round(event, cast.organizer)
    match = round_.matches.get(node="W1.1")
    address = f"/api/v1/matches/{match.public_id}/result/"
    body = {"games": [0, 2, 0], "reason": "wrong slip"}
    refused = desk(cast).post(address, body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "affects_later")
    assert refused.json()["details"][0]["what"] == "reseated"
    assert desk(cast).post(address, {**body, "acknowledged": True}, format="json").status_code == 200


def test_the_desk_can_swap_two_entrants_of_a_draft(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    bye = draft.matches.get(table=None).seats.get().entrant.public_id
    other = draft.matches.get(table=1).seats.get(number=1).entrant.public_id
    answer = desk(cast).post(url(event, "rounds/1/swap/"), {"first": bye, "second": other}, format="json").json()
    assert answer["algorithm"] == f"{ALGORITHM}+hand"
    assert [seat["entrant"]["id"] for seat in answer["matches"][-1]["seats"]] == [other]
    nobody = desk(cast).post(url(event, "rounds/1/swap/"), {"first": bye, "second": "p-none"}, format="json")
    assert nobody.status_code == 404


def test_the_desk_can_add_a_late_entry(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    answer = desk(cast).post(url(event, "entrants/"), {"given_name": "Ada"}, format="json")
    assert answer.status_code == 201
    rounds = desk(cast).get(url(event, "rounds/1/")).json()
    assert [match["kind"] for match in rounds["matches"]] == ["played", "missed"]
