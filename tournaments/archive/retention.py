"""How long personal data is kept: what is over for long enough is forgotten, once a day. See docs/operations.md."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import OuterRef, QuerySet, Subquery

from tournaments.accounts.models import Person, SignInLink
from tournaments.accounts.services import erase_person
from tournaments.audits.positions import forget_photos
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import Job, LedgerEntry, LedgerNote
from tournaments.events.models import Event

LINKS_KEPT = timedelta(days=1)
FAILED_JOBS_KEPT = timedelta(days=30)
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


@dataclass(frozen=True)
class Forgotten:
    """How many of what were forgotten."""

    sessions: int
    links: int
    failed_jobs: int
    persons: int
    notes: int
    photos: int


def forget_old(*, now: datetime, progress: Progress = unseen) -> Forgotten:
    """Forget what is over: sessions, links, failed jobs, old photos, and with `KEEP_NAMES_DAYS` who played
    without an account.

    Twice is once.
    """
    sessions, _each = Session.objects.filter(expire_date__lt=now).delete()
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
    """The events that are over, and in which nothing has happened since an instant."""
    last = LedgerEntry.objects.filter(chain=OuterRef("public_id")).order_by("-number").values("at")[:1]
    return Event.objects.filter(status__in=OVER).annotate(last=Subquery(last)).filter(last__lt=until)


def _only_in(over: QuerySet[Event]) -> QuerySet[Person]:
    """The persons without an account who played in these events and in no other."""
    others = Event.objects.exclude(pk__in=over.values("pk"))
    without = Person.objects.filter(account=None, erased_at=None, entrants__event__in=over.values("pk"))
    return without.exclude(entrants__event__in=others.values("pk")).distinct()
