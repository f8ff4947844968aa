"""Days and moments: which are accepted, how stored ones are read, and how any of them is put into a time zone."""

import zoneinfo
from datetime import UTC, date, datetime, time
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput

FIRST_YEAR, LAST_YEAR = 1970, 2200
FIRST, LAST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR, 12, 31, 23, 59, 59, tzinfo=UTC)
OUT_OF_RANGE = gettext_lazy("Enter a date between 1970 and 2200.")


def is_accepted(value: date) -> bool:
    """Whether a day, or a moment in UTC, is in the years that are accepted. Without a zone it counts as UTC.

    >>> is_accepted(date(2026, 11, 28)), is_accepted(date(1, 1, 1)), is_accepted(datetime.max)
    (True, False, False)
    """
    return _within(value) == value


def check_dates(**dates: date | None) -> None:
    """Refuse days and moments outside the accepted years (`date_out_of_range`, with the names)."""
    wrong = [name for name, value in dates.items() if value is not None and not is_accepted(value)]
    if wrong:
        raise InvalidInput("date_out_of_range", OUT_OF_RANGE, details=wrong)


def _within(value: date) -> date:
    """The value itself, or the nearest one that is accepted."""
    if not isinstance(value, datetime):
        return min(max(value, FIRST.date()), LAST.date())
    first, last = (FIRST, LAST) if value.tzinfo else (FIRST.replace(tzinfo=None), LAST.replace(tzinfo=None))
    return first if value < first else last if value > last.replace(microsecond=999_999) else value


def read_stored(self: object, value: Any, _expression: object, _connection: object) -> Any:
    """Read a day or moment from the database: one outside the accepted years as the nearest accepted one.

    Rows may be older than the check at the door, and no page may fail because of one row: arithmetic and time zones
    have no end here that a row could reach.
    """
    return _within(value) if isinstance(value, date) else value


def use_accepted_dates() -> None:
    """Have all models of this process read dates by `read_stored`. Idempotent."""
    models.DateField.from_db_value = read_stored  # type: ignore[attr-defined]


def midnight(day: date) -> datetime:
    """The first moment of a day in UTC; of the nearest accepted day, if the day is outside the accepted years."""
    return datetime.combine(_within(day), time(), UTC)


def zone_named(name: str) -> zoneinfo.ZoneInfo:
    """A time zone by its name; that of the site for "" and for a name that this machine does not know."""
    try:
        return zoneinfo.ZoneInfo(name or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo(settings.TIME_ZONE)


def local(moment: datetime, zone: Any = None) -> datetime:
    """A moment in a time zone, without one in the current zone. At the very ends of the calendar it stays in UTC.

    A moment without a time zone is one in UTC.
    """
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(zone or get_current_timezone())
    except (OverflowError, ValueError):
        return moment


def in_words(moment: datetime, zone: str, form: str = "DATETIME_FORMAT") -> str:
    """A moment for a sentence, in the time zone of an event by its name; without one, in that of the site, named."""
    there = local(moment, zone_named(zone))
    return date_format(there, form) if zone else f"{date_format(there, form)} {there:%Z}"
