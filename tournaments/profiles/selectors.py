"""Read queries on profiles and follows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.accounts.models import Person, User
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.selectors import events_shown_to_everybody
from tournaments.profiles.models import Follow, Profile, address_of
from tournaments.profiles.places import Place, places_of, stages_of

LIVE = (Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED)
MOST_LINES = 5  # of each kind: live, coming, over


def profile_of(person: Person) -> Profile | None:
    """The public profile of a person, or None while it is switched off."""
    return Profile.objects.filter(person=person).select_related("person").first()


def profiles_of(user: User) -> dict[int, Profile]:
    """The profiles of everybody an account acts for, by the key of the person."""
    found = Profile.objects.filter(person__account=user).select_related("person")
    return {profile.person_id: profile for profile in found}


def follows_event(user: Any, event: Event) -> bool:
    """Whether the account follows an event; False for a visitor."""
    return user.is_authenticated and Follow.objects.filter(user=user, event=event).exists()


def follows_player(user: Any, profile: Profile) -> bool:
    """Whether the account follows a player; False for a visitor."""
    return user.is_authenticated and Follow.objects.filter(user=user, profile=profile).exists()


def follows_of(user: User) -> QuerySet[Follow]:
    """What an account follows, newest first, as far as everybody may see it."""
    shown = Q(event=None) | Q(event__in=events_shown_to_everybody())
    return Follow.objects.filter(shown, user=user).select_related("event", "profile__person")


def followers_of(event: Event) -> QuerySet[User]:
    """The accounts that follow an event."""
    return User.objects.filter(follows__event=event)


@dataclass(frozen=True)
class FollowedPlayer:
    """A player whom an account follows, in one event, with the rank that everybody may see."""

    name: str
    address: str
    entrant_id: str
    place: Place | None


@dataclass(frozen=True)
class FollowedEvent:
    """An event that an account follows, or in which it follows somebody."""

    event: Event
    players: list[FollowedPlayer] = field(default_factory=list)


@dataclass(frozen=True)
class FollowedNow:
    """News for an account about what it follows: live events, the next to start, and the last that ended."""

    live: list[FollowedEvent]
    coming: list[FollowedEvent]
    over: list[FollowedEvent]

    def __bool__(self) -> bool:
        return bool(self.live or self.coming or self.over)


def followed_now(user: Any, now: datetime) -> FollowedNow:
    """News for an account about what it follows; none for a visitor. At most seven queries, one without follows.

    Of each kind there are at most `MOST_LINES` events.
    """
    if not user.is_authenticated or not Follow.objects.filter(user=user).exists():
        return FollowedNow([], [], [])
    mine = Follow.objects.filter(user=user)
    entered = Entrant.objects.filter(members__profile__in=mine.exclude(profile=None).values("profile"))
    playing = entered.exclude(status=Entrant.Status.WAITING).exclude(dropped_after=0)
    followed = Q(pk__in=mine.exclude(event=None).values("event")) | Q(pk__in=playing.values("event"))
    events = events_shown_to_everybody().filter(followed)
    live = list(events.filter(status__in=LIVE).order_by("starts_at", "pk")[:MOST_LINES])
    open_ = events.filter(status=Event.Status.REGISTRATION).exclude(starts_at__lt=now)
    coming = list(open_.order_by("starts_at", "pk")[:MOST_LINES])
    over = list(events.filter(status__in=OVER).order_by("-starts_at", "-pk")[:MOST_LINES])
    players = _players(playing, [*live, *over, *coming])
    return FollowedNow(*([FollowedEvent(event, players[event.pk]) for event in part] for part in (live, coming, over)))


def _players(playing: QuerySet[Entrant], events: Iterable[Event]) -> Mapping[int, list[FollowedPlayer]]:
    shown = {event.pk: event for event in events}
    found: defaultdict[int, list[FollowedPlayer]] = defaultdict(list)
    if not shown:
        return found
    members = Member.objects.filter(entrant__in=playing, event__in=list(shown), person__profile__isnull=False)
    rows = list(members.select_related("person__profile", "entrant").order_by("pk"))
    for row in rows:
        row.entrant.event = shown[row.event_id]
    entrants = [row.entrant for row in rows]
    places = places_of(entrants, stages_of(list(shown.values()))) if entrants else {}
    for row in rows:
        address = address_of(row.person.public_id, row.person.profile.short_name)
        found[row.event_id].append(FollowedPlayer(row.name, address, row.entrant.public_id, places.get(row.entrant.pk)))
    return found
