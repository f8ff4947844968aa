"""Place and time of an event, the search for events, the archive, and absent entrants at the desk."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.builders import NOW, an_entrant, an_event, an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events import services as events
from tournaments.events.models import Event
from tournaments.play.services.details import change_details

pytestmark = pytest.mark.django_db


def place(event: Event, cast: Cast, **details: object) -> Event:
    given = {"place": "", "time_zone": "", "starts_at": None} | details
    return change_details(event=event, by=cast.organizer, now=NOW, **given).event


def test_the_start_is_entered_and_shown_in_local_time(cast: Cast) -> None:
    event = an_open_event(cast)
    form = {
        "name": "Spring Open",
        "place": "Town hall, Lyon",
        "time_zone": "Europe/Paris",
        "starts_at": "2026-07-04T09:30",
        "acknowledged": "on",
    }
    page = address("staff_details", event.public_id)
    assert signed_in(cast.organizer).post(page, form).status_code == 302
    event.refresh_from_db()
    assert event.starts_at == datetime(2026, 7, 4, 7, 30, tzinfo=UTC)
    shown = text(Client().get(address("event", event.public_id)))
    assert "09:30" in shown and "Europe/Paris" in shown and "Town hall, Lyon" in shown
    assert "2026-07-04T09:30" in text(signed_in(cast.organizer).get(page))
    (entry,) = LedgerEntry.objects.filter(chain=event.public_id, code="event.details_changed")
    assert "Lyon" not in str(entry.after)  # the ledger holds codes and opaque ids, no free text
    assert signed_in(cast.scorekeeper).get(page).status_code == 403
    assert signed_in(cast.stranger).get(page).status_code == 404


def test_the_day_cannot_change_once_decklists_were_checked_against_it(cast: Cast) -> None:
    event = place(an_open_event(cast), cast, starts_at=NOW)
    an_entrant(event, cast.player)
    assert place(event, cast, place="Elsewhere", starts_at=NOW.replace(hour=15)).place == "Elsewhere"
    with assert_refused("day_judged"):
        place(event, cast, starts_at=NOW.replace(day=9))
    with assert_refused("time_zone_unknown"):
        place(event, cast, time_zone="Mars/Olympus", starts_at=NOW)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("find=spring", {"Spring Open"}),
        ("find=lyon+cup", {"Autumn Cup"}),
        ("game=altered", {"Autumn Cup"}),
        ("since=2026-09-01", {"Autumn Cup"}),
        ("until=2026-08-31", {"Spring Open"}),
        ("find=nothing", set()),
        ("since=no-day", {"Spring Open", "Autumn Cup"}),
    ],
)
def test_events_are_found_by_name_place_game_and_day(cast: Cast, query: str, found: set[str]) -> None:
    place(an_open_event(cast), cast, starts_at=NOW)
    autumn = an_open_event(cast, name="Autumn Cup", preset="altered")
    place(autumn, cast, place="Lyon", starts_at=NOW.replace(month=10))
    an_event(cast, name="Spring draft")
    shown = text(Client().get(f"/?{query}"))
    assert {name for name in ("Spring Open", "Autumn Cup", "Spring draft") if f">{name}<" in shown} == found
    if "no-day" not in query:
        rows = Client().get(f"/api/v1/events/?{query}").json()["results"]
        assert {row["name"] for row in rows} == found


def test_the_archive_lists_events_that_are_over(cast: Cast) -> None:
    an_open_event(cast)
    gone = an_open_event(cast, name="Autumn Cup")
    events.cancel_event(event=gone, by=cast.organizer, now=NOW)
    shown = text(Client().get("/archive/"))
    assert "Autumn Cup" in shown and "Spring Open" not in shown
    over = Client().get("/api/v1/events/?over=true").json()["results"]
    assert [row["name"] for row in over] == ["Autumn Cup"]


def test_absent_entrants_are_listed_and_dropped_with_one_click(cast: Cast) -> None:
    event = an_open_event(cast)
    here, missing = an_entrant(event, cast.player), an_entrant(event, cast.opponent, deck=2)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    events.open_check_in(event=event, by=cast.organizer, now=NOW)
    events.check_in(entrant=here, by=cast.scorekeeper, now=NOW)
    client = signed_in(cast.scorekeeper)
    absent = address("staff_entrants", event.public_id) + "?show=absent"
    shown = text(client.get(absent))
    drop = address("staff_entrant", event.public_id, missing.public_id, "drop")
    assert drop in shown and "<details" not in shown.split('id="entrants-desk"')[1]
    assert here.public_id not in shown
    assert client.post(drop).status_code == 302
    assert "No entrants here." in text(client.get(absent))
