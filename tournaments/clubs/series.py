"""Recurring events: drafts made from an event of the club, one for each date of a rule."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dateutil import rrule
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.clubs.models import Club
from tournaments.clubs.services import add_event, record
from tournaments.common.moments import check_dates, local
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Event
from tournaments.events.services import clone_event
from tournaments.events.zones import zone_of

MOST = 26  # events made at once
WEEKLY, FORTNIGHTLY, MONTHLY = "weekly", "fortnightly", "monthly"
EVERY = (WEEKLY, FORTNIGHTLY, MONTHLY)
WEEK = 7


def dates_of(first: datetime, every: str, count: int) -> list[datetime]:
    """The starts of a series: the first one, then as often as `every` says, at the same hour of the clock.

    Monthly means on the same weekday of the same week of the month: the first Friday, the last Sunday (a day in the
    fifth week counts as the last). Hours are those of the zone of `first`, also across a change of the clock.

    Raises `InvalidInput` `out_of_bounds` (with the names).
    """
    if every not in EVERY or not 1 <= count <= MOST:
        details = [name for name, wrong in (("every", every not in EVERY), ("count", not 1 <= count <= MOST)) if wrong]
        raise InvalidInput("out_of_bounds", _("These values are too long or too large."), details=details)
    local = first.replace(tzinfo=None)
    rule: dict[str, Any] = {"freq": rrule.WEEKLY, "interval": 2 if every == FORTNIGHTLY else 1}
    if every == MONTHLY:
        week = (local.day - 1) // WEEK + 1
        rule = {"freq": rrule.MONTHLY, "byweekday": rrule.weekday(local.weekday(), -1 if week > 4 else week)}
    return [date.replace(tzinfo=first.tzinfo) for date in rrule.rrule(dtstart=local, count=count, **rule)]


def make_series(
    *, club: Club, template: Event, first: datetime, every: str, count: int, by: User, now: datetime
) -> Sequence[Event]:
    """Make `count` draft events of the club with the settings of one of its events, the first at `first`.

    Each is named after the template and its date. Their staff are those of the club.

    Refused: `out_of_bounds`, `date_out_of_range` (with the names).
    """
    check_dates(first=first)
    starts = dates_of(local(first, zone_of(template)), every, count)
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        made = []
        for start in starts:
            name = f"{template.name[:100]} · {start:%Y-%m-%d}"
            event = clone_event(event=template, name=name, by=by, now=now, starts_at=start)
            add_event(club=club, event=event, by=by, now=now)
            made.append(event)
        after = {"from": template.public_id, "every": every, "count": count}
        record(club, by, "club.series_made", now, after=after)
    return made
