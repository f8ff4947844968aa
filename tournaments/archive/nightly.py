"""The nightly job that verifies every running and recently finished event, one after another.

The verification itself is `present.verify_event`.
"""

import logging
from datetime import datetime, timedelta
from functools import partial

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from tournaments.archive.checked import save_check
from tournaments.archive.present import verify_event
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event

logger = logging.getLogger(__name__)

LATELY = timedelta(days=7)  # after its last ledger entry, a finished event is no longer checked
# An event without new entries is not checked again within this time, so that a restarted job continues where it was
# instead of starting over.
FRESH = timedelta(hours=12)
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED)


def check_events(*, now: datetime, progress: Progress = unseen) -> int:
    """Verify every event that is due, save the findings, and return how many events were verified.

    An event that keeps changing while it is read is logged and skipped until another night.
    """
    due = list(_due(now))
    verified = 0
    for done, event in enumerate(due):
        try:
            found = verify_event(event, progress=partial(_report_overall, progress, done, len(due)))
        except Refusal as refusal:
            logger.warning("event %s was not verified: %s", event.public_id, refusal.code)
            continue
        save_check(event=event, found=found, now=now)
        verified += 1
    return verified


def _report_overall(progress: Progress, done: int, events: int, percent: int) -> None:
    """Report the progress of the current event as a share of all of them."""
    progress((100 * done + percent) // events)


def _due(now: datetime) -> QuerySet[Event]:
    # Running and recently finished events, without those whose last check is fresh and covers the whole ledger.
    last = LedgerEntry.objects.filter(chain=OuterRef("public_id")).order_by("-number")
    events = Event.objects.annotate(last=Subquery(last.values("at")[:1]), end=Subquery(last.values("number")[:1]))
    wanted = events.filter(Q(status=Event.Status.RUNNING) | Q(status__in=OVER, last__gt=now - LATELY))
    return wanted.exclude(last_check__at__gt=now - FRESH, last_check__entry__gte=F("end")).order_by("pk")
