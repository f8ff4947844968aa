"""PATCH changes what is named and leaves the rest; PUT replaces the whole, and resets nothing in silence."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.builders import an_event
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.events.models import Event

Client = Callable[[User], APIClient]

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    """A draft event whose preset sets minutes of grace and five more turns."""
    made = an_event(cast, preset="star-safir")
    assert made.procedures["tardiness"]["grace"] == 3 and made.procedures["match_end"]["count"] == 5
    return made


FEE = {"entry": {"kind": "paid", "cents": 1000, "currency": "EUR", "hours": 0}}


def test_a_fee_that_is_patched_leaves_all_other_procedures(event: Event, cast: Cast, as_: Client) -> None:
    desk, address = as_(cast.organizer), f"/api/v1/events/{event.public_id}/procedures/"
    before = desk.get(address).json()
    answer = desk.patch(address, FEE, format="json")
    assert (answer.status_code, answer.json()) == (200, {**before, **FEE})
    assert desk.get(address).json() == answer.json()


def test_a_field_that_is_patched_leaves_the_rest_of_its_section(event: Event, cast: Cast, as_: Client) -> None:
    desk, address = as_(cast.organizer), f"/api/v1/events/{event.public_id}/procedures/"
    turns = desk.get(address).json()["match_end"]
    answer = desk.patch(address, {"match_end": {"count": 2}}, format="json")
    assert answer.json()["match_end"] == {**turns, "count": 2}


def test_a_put_of_one_section_is_refused_with_the_missing_ones(event: Event, cast: Cast, as_: Client) -> None:
    desk, address = as_(cast.organizer), f"/api/v1/events/{event.public_id}/procedures/"
    before = desk.get(address).json()
    refused = desk.put(address, FEE, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "procedures_invalid")
    missing = {fault["path"] for fault in refused.json()["details"] if fault["code"] == "required"}
    assert missing == {"meeting", "tardiness", "late_entry", "match_end", "prizes", "limited"}
    assert desk.get(address).json() == before


def test_what_was_read_can_be_put_back_with_a_change(event: Event, cast: Cast, as_: Client) -> None:
    desk, address = as_(cast.organizer), f"/api/v1/events/{event.public_id}/procedures/"
    wanted: dict[str, Any] = {**desk.get(address).json(), **FEE}
    answer = desk.put(address, wanted, format="json")
    assert (answer.status_code, answer.json()) == (200, wanted)


@pytest.mark.parametrize("body", [[], "entry", {"entry": None}, {"entry": {"cents": "10"}}, {"fee": 3}])
def test_a_patch_of_something_else_is_refused(event: Event, cast: Cast, as_: Client, body: Any) -> None:
    address = f"/api/v1/events/{event.public_id}/procedures/"
    refused = as_(cast.organizer).patch(address, body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "procedures_invalid")
    assert Event.objects.get().procedures == event.procedures
