"""Times of an event are shown in the event's own time zone, which is chosen when it is created."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_running_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.events.zones import ZONES, choices
from tournaments.play import services as play
from tournaments.web.event_zone import OF_EVENT

pytestmark = pytest.mark.django_db
TOKYO = "Asia/Tokyo"


def test_every_page_of_an_event_shows_times_in_the_time_zone_of_the_event(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    Event.objects.filter(pk=event.pk).update(time_zone=TOKYO)
    play.start_clock(round_=round_, by=cast.organizer, now=now())
    round_.clock.refresh_from_db()
    match = round_.matches.get(table=1)
    desk = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 1)))
    assert f'data-zone="{TOKYO}"' in desk and re.search(r'data-ends-at="[^"]+\+09:00"', desk)
    for name, args in (("match", (match.public_id,)), ("screen", (event.public_id, "clock"))):
        assert f'data-zone="{TOKYO}"' in text(Client().get(address(name, *args))), name
    ledger = text(signed_in(cast.organizer).get(address("staff_ledger", event.public_id)))
    assert re.search(r">\d{1,2} [A-Z][a-z]+\.? \d{4}, \d\d:\d\d:\d\d</time>", ledger) and "+09:00" in ledger
    # The zone is set for each request; it must not stay active afterwards.
    assert timezone.get_current_timezone_name() == timezone.get_default_timezone_name()
    assert "data-zone" not in text(Client().get(address("home")))


@pytest.mark.parametrize("name", OF_EVENT)
def test_the_time_zone_can_be_looked_up_from_every_url_parameter(cast: Cast, name: str) -> None:
    # A misspelled lookup raises FieldError here.
    assert OF_EVENT[name].rows("nothing") == []


def test_only_current_zone_names_and_the_stored_choice_are_offered(cast: Cast) -> None:
    page = text(signed_in(cast.organizer).get(address("event_new")))
    offered = re.findall(r'<option value="([^"]*)"', page.partition('name="time_zone"')[2].partition("</select>")[0])
    assert {"", "Europe/Paris", "America/New_York", "UTC"} <= set(offered) <= {"", *ZONES}
    assert not any(zone.startswith(("Etc/", "US/", "GMT", "SystemV/")) for zone in offered)
    assert "data-propose-zone" in page and "web/zone.js" in page
    assert choices("US/Pacific")[0] == ("US/Pacific", "US/Pacific")


def test_the_start_of_an_event_is_entered_in_its_local_time(cast: Cast) -> None:
    form = {"name": "Tokyo Open", "preset": "star-safir", "starts_at": "2127-02-01T10:00", "time_zone": TOKYO}
    assert signed_in(cast.organizer).post(address("event_new"), form).status_code == 302
    event = Event.objects.get(name="Tokyo Open")
    assert (event.time_zone, event.starts_at) == (TOKYO, datetime(2127, 2, 1, 1, 0, tzinfo=UTC))
    wrong = signed_in(cast.organizer).post(address("event_new"), {**form, "time_zone": "Etc/Nowhere"})
    assert wrong.status_code == 422


def test_the_api_creates_an_event_with_a_time_zone(cast: Cast) -> None:
    desk, body = token_client(cast.organizer, "read", "organize"), {"name": "Open", "preset": "star-safir"}
    made = desk.post("/api/v1/events/", {**body, "time_zone": TOKYO}, format="json")
    assert (made.status_code, made.json()["time_zone"]) == (201, TOKYO)
    wrong = desk.post("/api/v1/events/", {**body, "time_zone": "Mars/Base"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "time_zone_unknown")
    assert Event.objects.get(public_id=made.json()["id"]).created_at > NOW
