"""Permissions for leagues and the player book: the functions through which views get them.

Its owner, and the owners and organizers of its club, may change a league. Everybody may see one that is unlisted or
public.
"""

from typing import Any

from django.http import Http404

from tournaments.accounts.models import Person
from tournaments.clubs.access import may
from tournaments.common import confidential
from tournaments.events.access import ACTIONS
from tournaments.events.models import Event
from tournaments.leagues.models import BookEntry, League


def league_for_viewer(user: Any, public_id: str) -> League:
    """A league that the user may see: an unlisted or public one, or their own; else 404."""
    league = League.objects.filter(public_id=public_id).select_related("owner", "club").first()
    if league is None or not (league.is_open or manages(user, league)):
        raise Http404
    return league


def manages(user: Any, league: League) -> bool:
    """Whether the account owns the league, or manages the club that it belongs to."""
    if league.owner == user:
        confidential.mark()
        return True
    return league.club is not None and may(user, league.club, "manage")


def league_for_manager(user: Any, public_id: str) -> League:
    """A league that the account manages; else 404."""
    league = League.objects.filter(public_id=public_id).select_related("owner", "club").first()
    if league is None or not manages(user, league):
        raise Http404
    return league


def event_of_league(league: League, event_id: str) -> Event:
    """An event of a league; 404 if it is not in the league."""
    event: Event | None = league.events.filter(public_id=event_id).first()
    if event is None:
        raise Http404
    return event


def organized_by(user: Any) -> Any:
    """A query set of the events of which the account is owner or organizer."""
    return Event.objects.filter(staff_roles__user=user, staff_roles__role__in=ACTIONS["manage_event"]).distinct()


def person_for_book(user: Any, public_id: str) -> Person:
    """A person in the account's player book: an entrant of one of its events, or somebody it has an entry for."""
    person = Person.objects.filter(public_id=public_id, erased_at=None).first() if user.is_authenticated else None
    if person is None or not _in_book(user, person):
        raise Http404
    return person


def _in_book(user: Any, person: Person) -> bool:
    confidential.mark()
    played = organized_by(user).filter(entrants__member__person=person)
    return played.exists() or BookEntry.objects.filter(owner=user, person=person).exists()
