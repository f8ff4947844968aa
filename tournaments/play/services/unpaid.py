"""Places that are not paid in time go to the waiting list, if anybody is waiting.

The hours to pay are a setting of the entry fee, and count from when an entrant got the place. A place is given up only
for somebody who waits; whoever lost it goes to the end of the waiting list. Whoever is checked in, or has an open
payment, keeps the place.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.procedures import read_procedures
from tournaments.payments.models import Payment
from tournaments.play.services.entries import record
from tournaments.play.services.events import move_up

JOB = "play.release_unpaid"
_OPEN = (Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)
_GIVES_PLACES = ("entrant.moved_up", "entrant.reinstated")
_CHANGES = (*_GIVES_PLACES, "event.procedures_changed", "payment.ended", "payment.refunded")


def follow(entries: Sequence[LedgerEntry]) -> None:
    """Have a job check the places of an event when somebody joins its waiting list, or when what is due changes."""
    for entry in entries:
        if entry.code in _CHANGES or _waits(entry):
            jobs.enqueue(JOB, entry.chain, payload={"event": entry.chain}, now=entry.at)
            return


def _waits(entry: LedgerEntry) -> bool:
    if entry.code == "entrant.registered":
        return bool((entry.after or {}).get("status") == Entrant.Status.WAITING)
    return entry.code == "entrant.imported" and bool((entry.after or {}).get("waiting"))


def pay_by(entrant: Entrant) -> datetime | None:
    """The time by which an entrant has to pay to keep the place; None if nothing is owed or no time is set."""
    event = entrant.event
    hours = _hours(event)
    owes = entrant.status == Entrant.Status.REGISTERED and not entrant.settled and entrant.checked_in_at is None
    if not hours or not owes or event.status not in _OPEN:
        return None
    return _since(event, [entrant])[entrant.pk] + timedelta(hours=hours)


def _hours(event: Event) -> int:
    """The hours to pay; 0 if places are not given up."""
    entry = read_procedures(event.procedures).entry
    return entry.hours if entry.kind == "paid" else 0


def _since(event: Event, entrants: Sequence[Entrant]) -> Mapping[int, datetime]:
    """When each entrant got the place: at registration, or later from the waiting list."""
    given = LedgerEntry.objects.filter(chain=event.public_id, code__in=_GIVES_PLACES).order_by()
    later = dict(given.values_list("object").annotate(Max("at")))
    return {each.pk: max(each.registered_at, later.get(each.public_id, each.registered_at)) for each in entrants}


def release_unpaid(*, event_id: str, now: datetime) -> None:
    """Give places that were not paid in time to those who have waited longest, and check again when the next is due."""
    with transaction.atomic():
        event = Event.objects.select_for_update().filter(public_id=event_id).first()
        if event is None or event.status not in _OPEN or not _hours(event):
            return
        waiting = event.entrants.filter(status=Entrant.Status.WAITING).count()
        due = _due(event)
        overdue = [entrant for entrant, at in due if at <= now][:waiting]
        for entrant in overdue:
            Entrant.objects.filter(pk=entrant.pk).update(status=Entrant.Status.WAITING, registered_at=now)
            record(event, None, "entrant.place_lost", now, object=entrant.public_id)
            move_up(event, None, now)
        later = [at for _entrant, at in due if at > now]
        if later and waiting > len(overdue):
            jobs.enqueue(JOB, event_id, payload={"event": event_id}, now=now, run_after=later[0])


def _due(event: Event) -> list[tuple[Entrant, datetime]]:
    """The unpaid entrants who could lose their place, with when it is due, earliest first."""
    owing = event.entrants.filter(status=Entrant.Status.REGISTERED, settled=Entrant.Settled.NO, checked_in_at=None)
    entrants = list(owing.exclude(payments__status=Payment.Status.WAITING).order_by("pk"))
    since, hours = _since(event, entrants), timedelta(hours=_hours(event))
    return sorted(((each, since[each.pk] + hours) for each in entrants), key=lambda pair: (pair[1], pair[0].pk))
