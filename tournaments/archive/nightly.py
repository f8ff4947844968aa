"""Events that run, or ended a few days ago, are verified every night, one after another. See `present.py`."""

import logging
from datetime import datetime, timedelta
from functools import partial

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from tournaments.archive.checked import keep_check
from tournaments.archive.present import verify_event
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event

logger = logging.getLogger(__name__)

LATELY = timedelta(days=7)  # since the last entry of an event that is over
# An event without a new entry since is not checked again so soon: a job that starts over goes on where it was.
FRESH = timedelta(hours=12)
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED)


def check_events(*, now: datetime, progress: Progress = unseen) -> int:
    """Verify every event that is due and keep what was found; how many were looked at.

    An event in which something happens all the time is looked at another night.
    """
    due = list(_due(now))
    looked = 0
    for done, event in enumerate(due):
        try:
            found = verify_event(event, progress=partial(_told, progress, done, len(due)))
        except Refusal as refusal:
            logger.warning("event %s was not verified: %s", event.public_id, refusal.code)
            continue
        keep_check(event=event, found=found, now=now)
        looked += 1
    return looked


def _told(progress: Progress, done: int, events: int, percent: int) -> None:
    """How far one event is, as a part of all."""
    progress((100 * done + percent) // events)


def _due(now: datetime) -> QuerySet[Event]:
    last = LedgerEntry.objects.filter(chain=OuterRef("public_id")).order_by("-number")
    events = Event.objects.annotate(last=Subquery(last.values("at")[:1]), end=Subquery(last.values("number")[:1]))
    wanted = events.filter(Q(status=Event.Status.RUNNING) | Q(status__in=OVER, last__gt=now - LATELY))
    return wanted.exclude(last_check__at__gt=now - FRESH, last_check__entry__gte=F("end")).order_by("pk")
