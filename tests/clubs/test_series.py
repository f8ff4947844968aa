"""Recurring events: dates follow the clock of the venue, and each event is a draft of the club."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tests.builders import NOW, an_event
from tests.clubs.test_clubs import a_club, with_role
from tests.refusals import assert_refused
from tournaments.clubs.series import FORTNIGHTLY, MONTHLY, MOST, WEEKLY, dates_of, make_series
from tournaments.events.access import roles_of
from tournaments.events.models import Event

PARIS = ZoneInfo("Europe/Paris")


def days(first: datetime, every: str, count: int) -> list[str]:
    return [f"{date:%m-%d %H:%M}" for date in dates_of(first, every, count)]


def test_weekly_and_fortnightly_events_keep_the_hour_when_the_clocks_change():
    first = datetime(2026, 3, 20, 19, 0, tzinfo=PARIS)  # the clocks change on 29 March
    assert days(first, WEEKLY, 3) == ["03-20 19:00", "03-27 19:00", "04-03 19:00"]
    assert days(first, FORTNIGHTLY, 2) == ["03-20 19:00", "04-03 19:00"]
    before, after = dates_of(first, FORTNIGHTLY, 2)
    assert (after.utcoffset() or before.utcoffset()) != before.utcoffset()


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (datetime(2026, 3, 6, 19, tzinfo=PARIS), ["03-06 19:00", "04-03 19:00", "05-01 19:00"]),  # first Friday
        (datetime(2026, 3, 22, 9, tzinfo=PARIS), ["03-22 09:00", "04-26 09:00", "05-24 09:00"]),  # fourth Sunday
        (datetime(2026, 3, 29, 9, tzinfo=PARIS), ["03-29 09:00", "04-26 09:00", "05-31 09:00"]),  # last Sunday
    ],
)
def test_monthly_means_the_same_weekday_of_the_same_week(first, expected):
    assert days(first, MONTHLY, 3) == expected


@pytest.mark.parametrize(("every", "count"), [("daily", 3), (WEEKLY, 0), (WEEKLY, MOST + 1)])
def test_a_series_has_a_known_rhythm_and_a_bound(every, count):
    with assert_refused("out_of_bounds"):
        dates_of(datetime(2026, 3, 6, tzinfo=UTC), every, count)


def test_a_series_makes_drafts_with_the_settings_and_the_staff_of_the_club(cast):
    template = an_event(cast, name="Friday cards", capacity=24, time_zone="Europe/Paris", rounds=3)
    club = a_club(cast, template)
    with_role(club, cast, "scorekeeper")
    first = datetime(2026, 3, 20, 18, 0, tzinfo=UTC)
    made = make_series(club=club, template=template, first=first, every=WEEKLY, count=3, by=cast.organizer, now=NOW)
    assert [event.name for event in made] == [f"Friday cards · 2026-{day}" for day in ("03-20", "03-27", "04-03")]
    assert [event.starts_at.astimezone(PARIS).hour for event in made] == [19, 19, 19]
    assert {(event.capacity, event.status) for event in made} == {(24, Event.Status.DRAFT)}
    assert all(roles_of(cast.stranger, event) == {"scorekeeper"} for event in made)
    assert {event.club_entry.club for event in made} == {club}
