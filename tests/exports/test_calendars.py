"""Calendars: one event, the events of an account behind its secret link, and the public events of an organizer."""

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.test import Client

from tests.builders import NOW, a_running_event, an_entrant, an_event, an_open_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.calendar_links import calendar_signature, make_calendar_link, stop_calendar_link
from tournaments.accounts.services import erase_account
from tournaments.common import ledger
from tournaments.events.models import Entrant, Event
from tournaments.events.services import cancel_event
from tournaments.exports.calendars import account_calendar, event_calendar, organizer_calendar
from tournaments.web.personal import data_of

pytestmark = pytest.mark.django_db
START = datetime(2027, 3, 12, 9, tzinfo=UTC)


def dated(event: Event, **fields: object) -> Event:
    told = {"starts_at": START, "time_zone": "Europe/Paris", "place": "Hall 2, Lyon"}
    Event.objects.filter(pk=event.pk).update(**{**told, **fields})
    event.refresh_from_db()
    return event


def entries(file: bytes) -> dict[str, Any]:
    """Parse a calendar file: its entries by UID."""
    calendar = icalendar.Calendar.from_ical(file)
    assert calendar["version"] == "2.0" and calendar["prodid"]
    return {str(entry["uid"]): entry for entry in calendar.walk("VEVENT")}


def only(file: bytes) -> Any:
    (entry,) = entries(file).values()
    return entry


def feed_of(user: Any) -> str:
    return address("account_ics", user.public_id, calendar_signature(user))


def test_an_event_has_its_start_with_zone_an_estimated_end_place_and_link(cast: Cast, settings: Any) -> None:
    settings.SITE_URL = "https://cards.example"
    event = dated(an_open_event(cast))
    file = event_calendar(event)
    entry = only(file)
    assert entry["dtstart"].dt == START and entry["dtstart"].params["TZID"] == "Europe/Paris"
    assert b"BEGIN:VTIMEZONE" in file
    assert entry["dtend"].dt - entry["dtstart"].dt == 3 * timedelta(minutes=75), "three rounds of 60, and 15 between"
    assert "estimate" in entry["description"] and entry["location"] == "Hall 2, Lyon"
    assert entry["url"] == f"https://cards.example/e/{event.public_id}/"
    assert entry["uid"] == f"{event.public_id}@arbitre" and entry["status"] == "CONFIRMED"


def test_a_change_counts_the_sequence_up_under_the_same_uid(cast: Cast) -> None:
    event = dated(an_open_event(cast))
    before = only(event_calendar(event))
    cancel_event(event=event, reason="", by=cast.organizer, now=NOW + timedelta(hours=1))
    event.refresh_from_db()
    after = only(event_calendar(event))
    assert after["uid"] == before["uid"] and after["sequence"] > before["sequence"]
    assert after["sequence"] == ledger.revision(event.public_id) and after["status"] == "CANCELLED"
    assert after["dtstamp"].dt == NOW + timedelta(hours=1)


def test_long_names_with_commas_lines_and_other_alphabets_are_escaped_and_folded(cast: Cast) -> None:
    name = "Кубок, одиночный; «зал» " + "long " * 16
    event = dated(an_open_event(cast, name=name.strip()), place="A; B, C\\D")
    file = event_calendar(event)
    assert only(file)["summary"] == name.strip() and only(file)["location"] == "A; B, C\\D"
    assert all(len(line) <= 75 for line in file.split(b"\r\n"))


def test_the_file_of_an_event_opens_for_everybody_and_not_for_a_draft_or_without_a_date(cast: Cast) -> None:
    event = an_open_event(cast)
    where = address("event_ics", event.public_id)
    assert Client().get(where).status_code == 404
    dated(event)
    answer = Client().get(where)
    assert answer["Content-Type"].startswith("text/calendar") and len(entries(answer.content)) == 1
    page = text(Client().get(address("event", event.public_id)))
    assert where in page and "webcal:" in page
    draft = dated(an_event(cast, name="A draft"))
    assert Client().get(address("event_ics", draft.public_id)).status_code == 404


def test_the_calendar_of_an_account_has_what_it_plays_and_works_at_with_deadlines_and_no_names(cast: Cast) -> None:
    due = START - timedelta(days=1)
    played = dated(a_running_event(cast), lists_due_at=due)
    other = dated(an_open_event(cast, name="Another"))
    player = entries(account_calendar(cast.player, NOW))
    assert set(player) == {f"{played.public_id}@arbitre", f"{played.public_id}-lists@arbitre"}
    deadline = player[f"{played.public_id}-lists@arbitre"]
    assert deadline["dtstart"].dt == deadline["dtend"].dt == due and deadline["transp"] == "TRANSPARENT"
    assert "You play in this event." in player[f"{played.public_id}@arbitre"]["description"]
    judge = entries(account_calendar(cast.judge, NOW))
    assert set(judge) == {f"{event.public_id}@arbitre" for event in (played, other)}, "no lists are due from a judge"
    assert b"Player" not in account_calendar(cast.player, NOW)


def test_the_waiting_list_is_tentative_and_a_drop_leaves_the_calendar(cast: Cast) -> None:
    event = dated(an_open_event(cast))
    entrant = an_entrant(event, cast.player)
    Entrant.objects.filter(pk=entrant.pk).update(status=Entrant.Status.WAITING)
    assert only(account_calendar(cast.player, NOW))["status"] == "TENTATIVE"
    Entrant.objects.filter(pk=entrant.pk).update(status=Entrant.Status.DROPPED, dropped_after=0)
    assert entries(account_calendar(cast.player, NOW)) == {}


def test_a_new_link_replaces_the_old_one_and_a_stopped_one_opens_nothing(cast: Cast) -> None:
    browser = signed_in(cast.player)
    assert calendar_signature(cast.player) == ""
    browser.post(address("account_calendar_link"))
    cast.player.refresh_from_db()
    first = feed_of(cast.player)
    assert first in text(browser.get("/account/"))
    answer = Client().get(first)
    assert answer.status_code == 200 and answer["X-Robots-Tag"] == "noindex"
    browser.post(address("account_calendar_link"))
    cast.player.refresh_from_db()
    second = feed_of(cast.player)
    assert second != first
    assert [Client().get(each).status_code for each in (first, second)] == [404, 200]
    browser.post(address("account_calendar_link"), {"stop": "yes"})
    assert Client().get(second).status_code == 404
    assert second not in text(browser.get("/account/"))


def test_the_link_of_one_account_does_not_open_that_of_another(cast: Cast) -> None:
    for user in (cast.player, cast.opponent):
        make_calendar_link(user=user)
    mixed = address("account_ics", cast.opponent.public_id, calendar_signature(cast.player))
    assert Client().get(mixed).status_code == 404


def test_an_erased_account_has_no_calendar_and_the_data_say_whether_there_is_a_link(cast: Cast) -> None:
    make_calendar_link(user=cast.player)
    where = feed_of(cast.player)
    assert data_of(cast.player)["account"]["calendar_link"] is True
    stop_calendar_link(user=cast.opponent)
    assert data_of(cast.opponent)["account"]["calendar_link"] is False
    erase_account(user=cast.player, now=NOW)
    cast.player.refresh_from_db()
    assert cast.player.calendar_key == "" and Client().get(where).status_code == 404


def test_the_calendar_of_an_organizer_has_public_events_only(cast: Cast) -> None:
    shown = dated(an_open_event(cast))
    dated(an_event(cast, name="A draft"))
    assert set(entries(organizer_calendar(cast.organizer, NOW))) == {f"{shown.public_id}@arbitre"}
    where = address("organizer_ics", cast.organizer.public_id)
    assert Client().get(where).status_code == 200
    assert where in text(signed_in(cast.organizer).get("/account/"))
    assert Client().get(address("organizer_ics", cast.judge.public_id)).status_code == 404, "judges organize nothing"


def test_a_calendar_takes_the_same_queries_however_many_events_it_has(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    dated(an_open_event(cast))
    with django_assert_num_queries(4):
        account_calendar(cast.judge, NOW)
    dated(an_open_event(cast, name="Another"))
    with django_assert_num_queries(4):
        account_calendar(cast.judge, NOW)
