"""A start in the past is asked about where somebody enters it: on the pages and in the API, not in imports."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.scenes import token_client
from tests.builders import NOW, an_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.common import clock
from tournaments.events.models import Event
from tournaments.events.starts import check_start

pytestmark = pytest.mark.django_db
PAST, LATER = "2024-05-03T10:00", "2150-05-03T10:00"
ASKED = "This start is in the past: 3 May 2024, 10:00. Save it anyway?"
NEW = {"name": "Spring Open", "preset": "star-safir", "time_zone": "Europe/Paris", "capacity": "48"}
AT = datetime(2024, 5, 3, 8, tzinfo=UTC)  # 10:00 in Paris


def test_a_new_event_in_the_past_is_asked_about_and_nothing_typed_is_lost(cast: Cast) -> None:
    desk, page = signed_in(cast.organizer), address("event_new")
    assert "acknowledged" not in text(desk.get(page))
    answer = desk.post(page, {**NEW, "starts_at": PAST})
    shown = text(answer)
    assert answer.status_code == 422 and ASKED in shown and 'name="acknowledged"' in shown
    assert all(f'value="{typed}"' in shown for typed in ("Spring Open", PAST, "48")) and not Event.objects.exists()
    assert desk.post(page, {**NEW, "starts_at": PAST, "acknowledged": "on"}).status_code == 302
    assert Event.objects.get().starts_at == AT


def test_a_box_that_is_ticked_stays_so_while_another_field_is_wrong(cast: Cast) -> None:
    wrong = {**NEW, "starts_at": PAST, "acknowledged": "on", "capacity": "1"}
    shown = text(signed_in(cast.organizer).post(address("event_new"), wrong))
    assert 'name="acknowledged"' in shown and "checked" in shown and ASKED not in shown


@pytest.mark.parametrize("starts_at", ["", LATER])
def test_no_start_and_one_to_come_are_not_asked_about(cast: Cast, starts_at: str) -> None:
    assert signed_in(cast.organizer).post(address("event_new"), {**NEW, "starts_at": starts_at}).status_code == 302


def test_a_start_that_moves_into_the_past_is_asked_about_and_one_that_stays_is_not(cast: Cast) -> None:
    event = an_event(cast, name="Cup", time_zone="Europe/Paris", starts_at=AT + timedelta(hours=3, seconds=5))
    desk, page = signed_in(cast.organizer), address("staff_details", event.public_id)
    details = {"name": "Cup", "time_zone": "Europe/Paris", "place": "Town hall"}
    assert "acknowledged" not in text(desk.get(page))
    assert desk.post(page, {**details, "starts_at": "2024-05-03T13:00"}).status_code == 302  # as the page has shown it
    answer = desk.post(page, {**details, "place": "Elsewhere", "starts_at": PAST})
    assert answer.status_code == 422 and ASKED in text(answer) and 'value="Elsewhere"' in text(answer)
    event.refresh_from_db()
    assert event.place == "Town hall"
    previewed = desk.post(page, {**details, "starts_at": PAST, "description": "**Bring** a pen", "preview": "1"})
    assert previewed.status_code == 200 and "<strong>Bring</strong>" in text(previewed)
    assert desk.post(page, {**details, "starts_at": PAST, "acknowledged": "on"}).status_code == 302
    event.refresh_from_db()
    assert event.starts_at == AT


def test_the_api_refuses_a_start_in_the_past_until_it_is_acknowledged(cast: Cast) -> None:
    event = an_event(cast, name="Cup", time_zone="Europe/Paris")
    desk = token_client(cast.organizer, "read", "organize")
    at = f"/api/v1/events/{event.public_id}/"
    doors: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/v1/events/", {"name": "New", "preset": "star-safir", "time_zone": "Europe/Paris"}),
        ("POST", f"{at}copy/", {"name": "Copy"}),
        ("PUT", f"{at}details/", {}),
    ]
    for method, path, body in doors:
        send = desk.put if method == "PUT" else desk.post
        said = {**body, "starts_at": "2024-05-03T10:00:00+02:00"}
        answer = send(path, said, format="json")
        assert (answer.status_code, answer.json()["code"]) == (409, "starts_in_past"), path
        assert answer.json()["detail"] == ASKED
        answer = send(path, {**said, "acknowledged": True}, format="json")
        assert answer.status_code in (200, 201) and answer.json()["starts_at"] == "2024-05-03T08:00:00Z", path
    again = {"starts_at": "2024-05-03T10:00:00+02:00", "place": "Town hall"}
    assert desk.put(f"{at}details/", again, format="json").status_code == 200
    assert desk.put(f"{at}details/", {"place": "Elsewhere"}, format="json").status_code == 200


def test_only_a_new_start_before_this_minute_is_in_the_past() -> None:
    now = NOW.replace(second=40)
    for fine in (None, now, NOW, NOW + timedelta(days=1)):
        check_start(fine, now=now)
    gone = NOW - timedelta(minutes=1)
    check_start(gone, now=now, acknowledged=True)
    check_start(gone, now=now, before=gone + timedelta(seconds=5))
    for before in (None, NOW):
        with assert_refused("starts_in_past"):
            check_start(gone, now=now, before=before)


def test_the_service_takes_an_event_of_the_past_as_imports_do(cast: Cast) -> None:
    assert an_event(cast, starts_at=clock.now() - timedelta(days=900)).starts_at is not None
