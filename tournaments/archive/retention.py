"""Deletes personal data that is no longer needed, once a day. See docs/running.md for how long data is kept."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import OuterRef, QuerySet, Subquery

from tournaments.accounts.factors import forget_ended_browsers
from tournaments.accounts.models import Person, SignInLink
from tournaments.accounts.services import erase_person
from tournaments.audits.positions import forget_photos
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import Job, LedgerEntry, LedgerNote
from tournaments.events.models import Event

LINKS_KEPT = timedelta(days=1)  # after they expired
FAILED_JOBS_KEPT = timedelta(days=30)
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


@dataclass(frozen=True)
class Forgotten:
    """How many of each were deleted or, for `persons`, erased."""

    sessions: int
    links: int
    failed_jobs: int
    persons: int
    notes: int
    photos: int


def forget_old(*, now: datetime, progress: Progress = unseen) -> Forgotten:
    """Delete expired sessions and sign-in links, old failed jobs and old photos. Idempotent.

    With the setting `KEEP_NAMES_DAYS`, also erase the persons without an account who played only in events that are
    over and have had no ledger entry for that many days, and delete the notes in the ledgers of those events.
    """
    sessions, _each = Session.objects.filter(expire_date__lt=now).delete()
    forget_ended_browsers()
    links, _each = SignInLink.objects.filter(expires_at__lt=now - LINKS_KEPT).delete()
    failed = Job.objects.filter(status=Job.Status.FAILED, finished_at__lt=now - FAILED_JOBS_KEPT)
    jobs, _each = failed.delete()
    photos = forget_photos(now=now)
    persons = notes = 0
    if settings.KEEP_NAMES_DAYS:
        over = _long_over(now - timedelta(days=settings.KEEP_NAMES_DAYS))
        chains = over.values("public_id")
        notes, _each = LedgerNote.objects.filter(entry__chain__in=chains).delete()
        waiting = list(_only_in(over))
        for persons, person in enumerate(waiting, 1):
            erase_person(person=person, now=now)
            progress(100 * persons // len(waiting))
    return Forgotten(sessions, links, jobs, persons, notes, photos)


def _long_over(until: datetime) -> QuerySet[Event]:
    """The events that are over and have no ledger entry since `until`."""
    last = LedgerEntry.objects.filter(chain=OuterRef("public_id")).order_by("-number").values("at")[:1]
    return Event.objects.filter(status__in=OVER).annotate(last=Subquery(last)).filter(last__lt=until)


def _only_in(over: QuerySet[Event]) -> QuerySet[Person]:
    """The persons without an account who played in these events and in no others."""
    others = Event.objects.exclude(pk__in=over.values("pk"))
    without = Person.objects.filter(account=None, erased_at=None, entrants__event__in=over.values("pk"))
    return without.exclude(entrants__event__in=others.values("pk")).distinct()
