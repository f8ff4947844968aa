"""Overlapping events: which ones are found, with which tables in common, and to whom they are shown."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from tests.api.scenes import token_client
from tests.builders import NOW, an_entrant, an_event, an_open_event
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.events.models import Event
from tournaments.events.overlaps import Overlap, hours_of, overlaps_of
from tournaments.events.pairing_settings import choose_tables
from tournaments.events.selectors import current_stage
from tournaments.events.services import cancel_event, create_event, open_registration

pytestmark = pytest.mark.django_db
MORNING = datetime.fromisoformat("2026-07-04T09:00:00+00:00")


def played(cast: Cast, *, hours: float = 0, place: str = "", opened: bool = True, **options: object) -> Event:
    """An event of the organizer with three rounds of 50 minutes, so that it lasts 3 h 15 min with the breaks."""
    event = an_event(cast, starts_at=MORNING + timedelta(hours=hours), round_minutes=50, **options)
    Event.objects.filter(pk=event.pk).update(place=place)
    if opened:
        open_registration(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def of_a_stranger(cast: Cast, *, place: str, opened: bool = True) -> Event:
    event = create_event(by=cast.stranger, name="Theirs", preset="star-safir", now=NOW, starts_at=MORNING, rounds=3)
    Event.objects.filter(pk=event.pk).update(place=place)
    if opened:
        open_registration(event=event, by=cast.stranger, now=NOW)
    event.refresh_from_db()
    return event


def seats(event: Event, cast: Cast, tables: str) -> None:
    choose_tables(stage=current_stage(event), tables=tables, skipped="", by=cast.organizer, now=NOW)


def found(event: Event) -> list[Overlap]:
    return overlaps_of(event)


def test_the_estimated_hours_are_the_rounds_with_a_break_of_15_minutes_after_each(cast: Cast) -> None:
    assert hours_of(played(cast)) == (MORNING, MORNING + timedelta(hours=3, minutes=15))


@pytest.mark.parametrize(("hours", "meets"), [(-4, False), (-3, True), (0, True), (3, True), (3.25, False)])
def test_events_overlap_when_their_hours_do(cast: Cast, hours: float, meets: bool) -> None:
    event, other = played(cast), played(cast, hours=hours, name="Side event")
    assert [one.event for one in found(event)] == ([other] if meets else [])
    assert [one.event for one in found(other)] == ([event] if meets else [])


def test_the_tables_used_by_both_events_are_listed(cast: Cast) -> None:
    event, other = played(cast, capacity=16), played(cast, name="Side event", capacity=8)
    assert found(event)[0].tables == (1, 2, 3, 4), "where none are said they are counted from 1"
    seats(event, cast, "1-20")
    seats(other, cast, "18-30")
    assert found(event)[0].tables == (18, 19, 20)
    seats(other, cast, "21-30")
    assert found(event)[0].tables == () and found(event)[0].same_organizer


def test_events_in_different_places_share_no_tables(cast: Cast) -> None:
    event = played(cast, place="Town hall")
    played(cast, place="Station", name="Side event")
    (one,) = found(event)
    assert (one.same_organizer, one.same_place, one.tables) == (True, False, ())


def test_events_in_the_same_place_overlap_but_drafts_of_others_stay_hidden(cast: Cast) -> None:
    event = played(cast, place="Town hall")
    of_a_stranger(cast, place="Town hall", opened=False)
    of_a_stranger(cast, place="Elsewhere")
    theirs = of_a_stranger(cast, place="town HALL")
    assert [(one.event, one.same_organizer, one.same_place) for one in found(event)] == [(theirs, False, True)]


def test_cancelled_events_and_events_without_a_start_do_not_overlap(cast: Cast) -> None:
    event, gone = played(cast), played(cast, name="Gone")
    cancel_event(event=gone, by=cast.organizer, now=NOW)
    an_open_event(cast, name="Some day")
    assert found(event) == [] and found(an_event(cast)) == []


def test_the_organizer_sees_overlaps_on_creation_and_on_the_desk(cast: Cast) -> None:
    played(cast, name="Main event", capacity=8)
    client = signed_in(cast.organizer)
    form = {
        "name": "Side event",
        "preset": "star-safir",
        "starts_at": "2026-07-04T10:00",
        "capacity": "8",
        "acknowledged": "on",
    }
    made = client.post(address("event_new"), form, follow=True)
    assert text(made).count("Main event is played from") == 2, "as a message, and on the desk"
    assert "both use the tables 1-4" in text(made)
    desk = text(client.get(made.request["PATH_INFO"]))
    assert desk.count("Main event is played from") == 1
    ours = Event.objects.get(name="Side event")
    (row,) = token_client(cast.organizer, "read").get(f"/api/v1/events/{ours.public_id}/overlaps/").json()["events"]
    assert (row["name"], row["tables"]) == ("Main event", [1, 2, 3, 4])


def test_a_player_who_enters_two_overlapping_events_is_warned(cast: Cast) -> None:
    main, side = played(cast, name="Main event"), played(cast, name="Side event", hours=1)
    later = played(cast, name="Later", hours=8)
    client: Client = signed_in(cast.player)
    assert "also entered" not in text(client.post(address("register", main.public_id), follow=True))
    told = text(client.post(address("register", side.public_id), follow=True))
    assert "You are also entered in Main event" in told
    assert "also entered" not in text(client.post(address("register", later.public_id), follow=True))
    assert "You are also entered in Side event" in text(client.get(address("me", main.public_id)))
    answer = token_client(cast.player, "read").get(f"/api/v1/events/{main.public_id}/overlaps/").json()
    assert (answer["events"], [row["name"] for row in answer["entered"]]) == ([], ["Side event"])


def test_the_desk_takes_the_same_queries_for_one_overlap_and_for_five(cast: Cast) -> None:
    event = played(cast)
    an_entrant(event, cast.player, deck=None)
    client, desk = signed_in(cast.organizer), address("staff", event.public_id)
    played(cast, name="Another")
    one = queries_of(client, desk)
    for number in range(4):
        played(cast, name=f"Another {number}")
    assert queries_of(client, desk) == one
