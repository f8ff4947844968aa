"""Pairing settings through the API: shown, changed, and sufficient to pair a round again."""

import json

import pytest
from rest_framework.test import APIClient

from tests.api.scenes import token_client
from tests.builders import NOW, a_running_event
from tests.cast import Cast
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.swiss.replies import verified

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=6)


def desk(cast: Cast) -> APIClient:
    return token_client(cast.organizer, "read", "organize")


def url(event: Event, rest: str) -> str:
    return f"/api/v1/events/{event.public_id}/{rest}"


def test_pairing_options_are_shown_with_the_proposed_rounds_and_on_the_round(event: Event, cast: Cast) -> None:
    first, second, *_others = event.entrants.order_by("pk").values_list("public_id", flat=True)
    told = desk(cast).patch(
        url(event, "stages/1/pairing/"), {"pairing_order": "standing", "even_sides": True}, format="json"
    )
    assert told.json()["proposed"] == {"players": 6, "rounds": 3, "why": "winner"}
    pair = {"first": first, "second": second, "reason": "Sisters"}
    made = desk(cast).post(url(event, "forbidden-pairs/"), pair, format="json").json()
    assert {made["first"]["id"], made["second"]["id"]} == {first, second}
    wrong = desk(cast).post(url(event, "forbidden-pairs/"), {**pair, "second": "p-nobody"}, format="json")
    assert wrong.status_code == 422
    needs = desk(cast).put(f"/api/v1/entrants/{first}/needs/", {"table": 5}, format="json").json()
    assert needs == {"club": "", "table": 5}
    desk(cast).post(url(event, "rounds/"), {}, format="json")
    assert APIClient().get(url(event, "rounds/1/")).status_code == 404, "a draft"
    desk(cast).post(url(event, "rounds/1/publish/"), {}, format="json")
    shown = APIClient().get(url(event, "rounds/1/")).json()
    assert shown["asked"] == {"order": "standing", "sides": True}
    inputs = desk(cast).get(url(event, "rounds/1/inputs/")).json()
    assert verified(json.loads(json.dumps(inputs)))["same"]
    assert set(inputs["options"]) == {"seed", "order", "sides", "tables", "forbidden"}


def test_the_inputs_of_a_draft_are_hidden_from_staff_who_play_and_gone_after_a_manual_change(
    event: Event, cast: Cast
) -> None:
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    own = token_client(cast.player, "read", "organize").get(url(event, "rounds/1/inputs/"))
    assert (own.status_code, own.json()["code"]) == (403, "staff_who_play")
    assert desk(cast).get(url(event, "rounds/1/inputs/")).status_code == 200
    first, second = (match.seats.get(number=1).entrant for match in draft.matches.order_by("table")[:2])
    play.swap_players(round_=draft, first=first, second=second, by=cast.organizer, now=NOW)
    changed = desk(cast).get(url(event, "rounds/1/inputs/"))
    assert (changed.status_code, changed.json()["code"]) == (409, "not_computed")


def test_a_bye_shows_whether_the_player_asked_for_it(event: Event, cast: Cast) -> None:
    one = event.entrants.order_by("pk")[0].public_id
    given = desk(cast).post(f"/api/v1/entrants/{one}/byes/", {"round": 2, "kind": "half_bye"}, format="json").json()
    assert (given["round"], given["kind"], given["asked"]) == (2, "half_bye", False)
    assert desk(cast).get(url(event, "byes/")).json()["results"] == [given]
    assert desk(cast).delete(f"/api/v1/entrants/{one}/byes/2/").status_code == 204
    assert desk(cast).delete(f"/api/v1/entrants/{one}/byes/2/").status_code == 404
