"""Conventions: several events of a club under one roof, and how they share the tables of its hall.

Events that are played at overlapping hours never get the same table. Hours are estimates (`events.overlaps`); an event
without a start time is taken to overlap with every other.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.clubs import flow
from tournaments.clubs.models import Club, ClubEvent, Convention
from tournaments.clubs.services import LONGEST_ABOUT, record
from tournaments.common.moments import check_dates
from tournaments.common.names import as_name, one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.hall_tables import tables_in, tables_of, written
from tournaments.events.models import Event, Stage
from tournaments.events.overlaps import expected_players, hours_of, ranges, sized
from tournaments.events.pairing_settings import choose_tables
from tournaments.events.selectors import OVER

MAX_CONVENTIONS = 100  # of a club
MAX_EVENTS = 100  # of a convention
LONGEST_DAYS = 31


@dataclass(frozen=True)
class Share:
    """An event of a convention with the tables it has.

    - `hours`: its estimated start and end, None without a start time
    - `tables`: those of its stages; as many as it needs from 1 on, if it has no list of them (`listed`)
    - `wanted`: how many it needs for the players it may have
    - `clashes`: other events at overlapping hours, each with the tables that both have
    """

    event: Event
    hours: tuple[datetime, datetime] | None
    tables: tuple[int, ...]
    listed: bool
    wanted: int
    clashes: tuple[tuple[Event, str], ...] = ()

    def seen_by(self, events: Container[int]) -> "Share":
        """The same for a reader who sees only the events with these keys: other clashes are left out."""
        return replace(self, clashes=tuple(clash for clash in self.clashes if clash[0].pk in events))

    @property
    def ranges(self) -> str:
        """The tables as text of ranges."""
        return ranges(self.tables)

    @property
    def is_short(self) -> bool:
        """Whether it has a list of tables, and not enough for its players."""
        return self.listed and len(self.tables) < self.wanted

    @property
    def is_open_ended(self) -> bool:
        """Whether more players may come than anybody can tell: it has no limit of places and has not begun."""
        return self.event.capacity is None and not _has_begun(self.event)


def create_convention(*, club: Club, by: User, now: datetime, **said: Any) -> Convention:
    """Create a convention of a club, which only its staff can see at first. `said` is what `change_convention` takes.

    Refused: `name_missing`, `date_out_of_range`, `days_wrong`, `tables_invalid`, `out_of_bounds` and
    `too_many_conventions`.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        if club.conventions.count() >= MAX_CONVENTIONS:
            sentence = _("A club can have a hundred conventions at most.")
            raise Refusal("too_many_conventions", sentence, details=[MAX_CONVENTIONS])
        convention = Convention(club=club, created_at=now)
        _set(convention, said)
        convention.save()
        record(club, by, "club.convention_created", now, object=convention.public_id)
    return convention


def change_convention(*, convention: Convention, by: User, now: datetime, **said: Any) -> Convention:
    """Change the `name`, `about`, `place`, `hall`, `first_day`, `last_day` or `is_public` of a convention. Idempotent.

    Refused: as `create_convention`.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=convention.club_id)
        convention = Convention.objects.select_for_update().get(pk=convention.pk)
        changed = _set(convention, said)
        if changed:
            convention.save(update_fields=changed)
            if {"name", "is_public"} & {*changed}:
                flow.tell(_open_events(convention), by, now)
            record(club, by, "club.convention_changed", now, object=convention.public_id, after={"fields": changed})
    return convention


def _set(convention: Convention, said: dict[str, Any]) -> list[str]:
    """Set what is said, checked as a whole; returns the names of what changed."""
    values = dict(said)
    if "name" in values or not convention.name:
        values["name"] = as_name(values.get("name", ""), 120)
        if not values["name"]:
            raise InvalidInput("name_missing", _("The convention needs a name."))
    if "place" in values:
        values["place"] = one_line(values["place"])[:120]
    if len(values.get("about", "")) > LONGEST_ABOUT:
        raise InvalidInput("out_of_bounds", _("These values are too long or too large."), details=["about"])
    if "hall" in values:
        tables_in(values["hall"])
        values["hall"] = written(values["hall"])
    changed = sorted(name for name, value in values.items() if getattr(convention, name) != value)
    for name in changed:
        setattr(convention, name, values[name])
    check_dates(**{name: values[name] for name in ("first_day", "last_day") if name in changed})
    _check_days(convention.first_day, convention.last_day)
    return changed


def _check_days(first: date | None, last: date | None) -> None:
    if first is None or last is None or not 0 <= (last - first).days < LONGEST_DAYS:
        raise InvalidInput("days_wrong", _("A convention lasts from one day to a month."), details=[LONGEST_DAYS])


def delete_convention(*, convention: Convention, by: User, now: datetime) -> None:
    """Delete a convention. Its events stay the club's, with the tables they have. Idempotent."""
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=convention.club_id)
        events = list(_open_events(convention))
        if Convention.objects.filter(pk=convention.pk).delete()[0]:
            flow.tell(events, by, now)
            record(club, by, "club.convention_deleted", now, object=convention.public_id)


def include(*, convention: Convention, event: Event, by: User, now: datetime) -> None:
    """Make an event of the club part of a convention, and of no other. Idempotent.

    Refused: `event_not_of_club`, `convention_full`.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=convention.club_id)
        entry = ClubEvent.objects.filter(club=club, event=event).first()
        if entry is None:
            raise Refusal("event_not_of_club", _("This event does not belong to the club: add it first."))
        if entry.convention_id == convention.pk:
            return
        if convention.entries.count() >= MAX_EVENTS:
            raise Refusal("convention_full", _("A convention can have a hundred events at most."), details=[MAX_EVENTS])
        entry.convention = convention
        entry.save(update_fields=["convention"])
        flow.tell([event], by, now)
        after = {"event": event.public_id}
        record(club, by, "club.convention_event_added", now, object=convention.public_id, after=after)


def leave_out(*, convention: Convention, event: Event, by: User, now: datetime) -> None:
    """Take an event out of a convention; the club still holds it. Idempotent."""
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=convention.club_id)
        if ClubEvent.objects.filter(convention=convention, event=event).update(convention=None):
            flow.tell([event], by, now)
            before = {"event": event.public_id}
            record(club, by, "club.convention_event_removed", now, object=convention.public_id, before=before)


def shares_of(convention: Convention) -> list[Share]:
    """The events of a convention with their tables and hours, in order of their start."""
    events = sized(Event.objects.filter(club_entry__convention=convention))
    found = [_share(event) for event in events]
    found = [_with_clashes(share, found) for share in found]
    return sorted(found, key=lambda share: (share.hours is None, share.hours or (), share.event.pk))


def share_out(*, convention: Convention, by: User, now: datetime) -> list[Share]:
    """Give each event of a convention that has not begun enough tables of the hall, none of them twice at one time.

    Events that have begun keep theirs. Tables are taken from the first on, side by side where the hall allows it.
    Nothing is changed unless all of it fits.

    Refused: `hall_missing`, `hall_too_small` (with the event, the tables it wants and those that are free).
    """
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=convention.club_id)
        convention = Convention.objects.select_for_update().get(pk=convention.pk)
        hall = tables_in(convention.hall)
        if not hall:
            raise Refusal("hall_missing", _("Enter the tables of the hall first, such as 1-120."))
        keys = ClubEvent.objects.filter(convention=convention).values("event")
        list(Event.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
        shares = [share for share in shares_of(convention) if share.event.status not in OVER]
        settled = [share for share in shares if _has_begun(share.event)]
        for share in shares:
            if share not in settled:
                settled.append(_placed(share, settled, hall))
        for share in settled:
            if not _has_begun(share.event):
                for stage in share.event.stages.all():
                    choose_tables(stage=stage, tables=share.ranges.replace(" ", ""), skipped="", by=by, now=now)
        record(convention.club, by, "club.tables_shared_out", now, object=convention.public_id)
    return shares_of(convention)


def _open_events(convention: Convention) -> QuerySet[Event]:
    return Event.objects.filter(club_entry__convention=convention).exclude(status__in=OVER)


def _has_begun(event: Event) -> bool:
    return any(stage.started_at is not None for stage in event.stages.all())


def _share(event: Event) -> Share:
    tables = {table for stage in event.stages.all() for table in tables_of(stage)}
    wanted = max(_wanted(stage, expected_players(event)) for stage in event.stages.all())
    hours = hours_of(event) if event.starts_at else None
    return Share(event, hours, tuple(sorted(tables or range(1, wanted + 1))), bool(tables), wanted)


def _wanted(stage: Stage, players: int) -> int:
    return math.ceil(players / (stage.table_size if stage.kind == Stage.Kind.TABLES else 2))


def _with_clashes(share: Share, others: Iterable[Share]) -> Share:
    clashes = tuple(
        (other.event, ranges(shared))
        for other in others
        if other is not share and _meet(share, other) and (shared := {*share.tables} & {*other.tables})
    )
    return replace(share, clashes=clashes)


def _meet(one: Share, other: Share) -> bool:
    if one.hours is None or other.hours is None:
        return True
    return one.hours[0] < other.hours[1] and other.hours[0] < one.hours[1]


def _placed(share: Share, settled: Iterable[Share], hall: Sequence[int]) -> Share:
    """The event with the first free tables of the hall, side by side if there are enough."""
    taken = {table for other in settled if _meet(share, other) for table in other.tables}
    free = [at for at, table in enumerate(hall) if table not in taken]
    if len(free) < share.wanted:
        details = [share.event.public_id, share.wanted, len(free)]
        raise Refusal("hall_too_small", _("The hall does not have enough tables for all events."), details=details)
    count = share.wanted
    runs = (at for at in range(len(free) - count + 1) if free[at + count - 1] - free[at] == count - 1)
    first = next(runs, 0)
    return replace(share, tables=tuple(sorted(hall[at] for at in free[first : first + count])), listed=True)
