"""Dates outside 1970 to 2200 are never accepted, and whatever is stored can be read and shown."""

from datetime import UTC, date, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import an_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.moments import FIRST, LAST, check_dates, in_words, is_accepted, local, midnight, zone_named
from tournaments.events.models import Event
from tournaments.web.templatetags.words import at_place, hour_at_place, start_of

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(timezones=st.none() | st.just(UTC) | OFFSETS)
ZONES = st.sampled_from(["", "UTC", "Pacific/Kiritimati", "America/Adak", "Europe/Paris", "Mars/Base", "../etc/passwd"])


@given(MOMENTS, ZONES)
def test_any_moment_is_shown_in_any_zone(moment: datetime, zone: str) -> None:
    event: Any = SimpleNamespace(time_zone=zone, starts_at=moment)
    assert all(
        "<time" in shown(event)
        for shown in (start_of, lambda e: at_place(moment, e), lambda e: hour_at_place(moment, e))
    )
    assert local(moment, zone_named(zone)).tzinfo is not None


@pytest.mark.parametrize("moment", [datetime.min, datetime.max])
@pytest.mark.parametrize("hours", [-14, 0, 14])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak", ""])
def test_the_ends_of_the_calendar_are_shown(moment: datetime, hours: int, zone: str) -> None:
    event: Any = SimpleNamespace(time_zone=zone)
    assert str(moment.year) in at_place(moment.replace(tzinfo=timezone(timedelta(hours=hours))), event)


@given(st.dates() | MOMENTS)
def test_a_date_is_accepted_from_1970_to_2200(value: date) -> None:
    year = value.year
    if 1970 < year < 2200:
        assert is_accepted(value)
    elif not 1969 <= year <= 2201:
        with assert_refused("date_out_of_range") as refused:
            check_dates(opens=None, closes=value)
        assert refused.value.details == ["closes"]


def test_the_first_and_last_moments_are_accepted() -> None:
    assert is_accepted(FIRST) and is_accepted(LAST) and is_accepted(FIRST.date()) and is_accepted(LAST.date())
    assert is_accepted(datetime(2200, 12, 31, 23, 59, 59, 999_999, UTC)) and not is_accepted(
        LAST + timedelta(seconds=1)
    )
    assert not is_accepted(FIRST - timedelta(microseconds=1)) and not is_accepted(date(1969, 12, 31))


@given(st.dates())
def test_every_day_has_a_midnight_that_can_be_counted_from(day: date) -> None:
    assert midnight(day) + timedelta(days=1) > midnight(day)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("stored", "read"), [("9999-12-31 23:30:00+00:00", LAST), ("0001-01-01 00:00:00+00:00", FIRST), (None, None)]
)
def test_a_stored_date_out_of_range_is_read_as_the_nearest_one(cast: Cast, stored: Any, read: datetime | None) -> None:
    event = an_event(cast)
    with connection.cursor() as cursor:
        text = stored and (stored if connection.vendor == "postgresql" else stored.removesuffix("+00:00"))
        cursor.execute("UPDATE events_event SET starts_at = %s WHERE id = %s", [text, event.pk])
    event.refresh_from_db()
    assert event.starts_at == read
    assert Event.objects.values_list("starts_at", flat=True).get(pk=event.pk) == read


@pytest.mark.parametrize(
    ("zone", "said"),
    [("Europe/Rome", "14:30"), ("Asia/Tokyo", "21:30"), ("", "12:30 UTC"), ("Nowhere/Land", "12:30")],
)
def test_a_sentence_names_the_zone_of_the_site_where_an_event_has_none(settings: Any, zone: str, said: str) -> None:
    settings.TIME_ZONE = "UTC"
    assert in_words(datetime(2026, 7, 4, 12, 30, tzinfo=UTC), zone, "H:i") == said
