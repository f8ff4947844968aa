"""Who may look at a league and change it: its owner, and everybody as far as the owner lets them look."""

from typing import Any

from django.http import Http404

from tournaments.accounts.models import Person
from tournaments.events.access import GESTURES
from tournaments.events.models import Event
from tournaments.leagues.models import BookEntry, League


def league_for_viewer(user: Any, public_id: str) -> League:
    """A league that is open, or one's own."""
    league = League.objects.filter(public_id=public_id).select_related("owner").first()
    if league is None or not (league.is_open or league.owner == user):
        raise Http404
    return league


def league_for_owner(user: Any, public_id: str) -> League:
    """A league of one's own."""
    league = League.objects.filter(public_id=public_id, owner=user).first() if user.is_authenticated else None
    if league is None:
        raise Http404
    return league


def event_of_league(league: League, event_id: str) -> Event:
    """An event that counts in a league."""
    event: Event | None = league.events.filter(public_id=event_id).first()
    if event is None:
        raise Http404
    return event


def organized_by(user: Any) -> Any:
    """The events that an account organizes, as a query."""
    return Event.objects.filter(staff_roles__user=user, staff_roles__role__in=GESTURES["manage_event"]).distinct()


def person_for_book(user: Any, public_id: str) -> Person:
    """A person in the account's book: one who entered an event that it organizes, or of whom it keeps something."""
    person = Person.objects.filter(public_id=public_id, erased_at=None).first() if user.is_authenticated else None
    if person is None or not _in_book(user, person):
        raise Http404
    return person


def _in_book(user: Any, person: Person) -> bool:
    played = organized_by(user).filter(entrants__member__person=person)
    return played.exists() or BookEntry.objects.filter(owner=user, person=person).exists()
