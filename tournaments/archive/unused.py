"""Ends accounts that nobody uses, and erases people without an account who have not entered an event for long.

Never ended are operators, accounts that play or help at an event that is not over, and the only owner of a club that
has other staff. See docs/running.md.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.accounts import ending, guardianship
from tournaments.accounts.models import Person, User
from tournaments.accounts.services import erase_person
from tournaments.archive.retention import OVER
from tournaments.clubs.models import ClubRole
from tournaments.common.jobs import Progress, unseen
from tournaments.events.models import Application, Entrant, Event, Member, StaffRole

AT_ONCE = 200  # accounts warned, accounts erased and persons erased by one run; the next day's run goes on
OPEN = [status for status in Event.Status.values if status not in (Event.Status.DRAFT, *OVER)]


@dataclass(frozen=True)
class Ended:
    """How many accounts were warned, and how many accounts and persons without an account were erased."""

    warned: int
    accounts: int
    persons: int


def end_unused(*, now: datetime, progress: Progress = unseen) -> Ended:
    """Warn and erase unused accounts, and erase persons without an account. At most `AT_ONCE` of each. Idempotent."""
    warned = ended = persons = 0
    for child in guardianship.waiting_too_long(now).order_by("pk")[:AT_ONCE]:
        ended += guardianship.end_waiting(user=child, now=now)
    after = ending.end_after()
    if after:
        ending.note_browsers(now)
        soon = _unused(now - after + ending.WARNED_BEFORE)
        ending.keep_used(soon)
        for user in soon.filter(end_warned_at=None).order_by("pk")[:AT_ONCE]:
            warned += ending.warn(user=user, now=now)
        progress(30)
        unused = _unused(now - after)
        for user in unused.filter(end_warned_at__lte=now - ending.WARNED_BEFORE).order_by("pk")[:AT_ONCE]:
            ended += ending.end(user=user, unused=unused, now=now)
        progress(70)
    if settings.BOOK_ENTRIES_END_AFTER:
        for person in _unseen_persons(now - timedelta(days=settings.BOOK_ENTRIES_END_AFTER))[:AT_ONCE]:
            erase_person(person=person, now=now)
            persons += 1
    return Ended(warned, ended, persons)


def _unused(until: datetime) -> QuerySet[User]:
    """The accounts that were not used since `until`, and that end."""
    own = Q(member__person__account=OuterRef("pk"))
    entered = Entrant.objects.filter(own, Q(registered_at__gte=until) | Q(event__status__in=OPEN))
    applied = Application.objects.filter(
        Q(applied_at__gte=until) | Q(event__status__in=OPEN, status=Application.Status.WAITING),
        person__account=OuterRef("pk"),
    )
    helps = StaffRole.objects.filter(user=OuterRef("pk"), event__status__in=OPEN)
    others = ClubRole.objects.filter(club=OuterRef("club")).exclude(user=OuterRef("user"))
    owns = ClubRole.objects.filter(user=OuterRef("pk"), role=ClubRole.Role.OWNER)
    needed = owns.filter(Exists(others), ~Exists(others.filter(role=ClubRole.Role.OWNER)))
    return ending.unused_since(until).filter(~Exists(entered), ~Exists(applied), ~Exists(helps), ~Exists(needed))


def _unseen_persons(until: datetime) -> list[Person]:
    """Persons without an account who entered an event, the last one before `until`, and are in none that is not over.

    A walk-in whom an organizer merged with another stays as long as the other: erasing one erases both.
    """
    seen = Member.objects.filter(
        Q(entrant__registered_at__gte=until) | Q(entrant__checked_in_at__gte=until) | ~Q(event__status__in=OVER)
    )
    without = Person.objects.filter(account=None, erased_at=None)
    still = without.filter(Exists(seen.filter(person=OuterRef("pk"))))
    merged = still.exclude(book_entries__same_as=None).values("book_entries__same_as")
    found = without.filter(
        Exists(Member.objects.filter(person=OuterRef("pk"))), ~Exists(seen.filter(person=OuterRef("pk")))
    )
    into = found.filter(book_entries__same_as__in=still.values("pk")).values("pk")
    return list(found.exclude(pk__in=merged).exclude(pk__in=into).order_by("pk")[:AT_ONCE])
