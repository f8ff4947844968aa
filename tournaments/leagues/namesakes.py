"""Players of a league who have the same name, to be marked as the same player.

A walk-in is a new person every evening, so a league would count somebody anew each time. Nobody is merged by name
alone: the organizer says who is the same. It is written to the player book of the league's owner, so that standings,
ratings and seeds follow, and can be undone there and here.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from tournaments.accounts.models import Person, User
from tournaments.common.letters import folded
from tournaments.common.names import sort_key
from tournaments.events.models import Event, Member
from tournaments.leagues.access import manages, organized_by
from tournaments.leagues.book import BookPlayer, known_as, merge_two, players_of, split_player
from tournaments.leagues.models import League


@dataclass(frozen=True)
class Namesake:
    """A player among others of the same name: the clubs and the events entered."""

    player: BookPlayer
    clubs: tuple[str, ...]
    events: tuple[Event, ...]

    @property
    def public_id(self) -> str:
        """The public id of the person who represents the player."""
        return self.player.public_id

    @property
    def has_account(self) -> bool:
        """Whether the person has an account."""
        return self.player.person.account_id is not None


@dataclass(frozen=True)
class Namesakes:
    """Players of one name, the one who would represent them first.

    `apart`: two of them are entered in the same event, or have accounts of their own, so not all can be one player.
    """

    name: str
    players: tuple[Namesake, ...]
    apart: bool

    @property
    def ids(self) -> str:
        """The public ids of the players, separated by spaces."""
        return " ".join(each.public_id for each in self.players)


def key_of(given_name: str, family_name: str) -> str:
    """A name for comparison, whatever the order of its words."""
    return " ".join(sorted(folded(f"{given_name} {family_name}").split()))


def namesakes_of(league: League, reader: Any) -> list[Namesakes]:
    """The names that several players of a league have, by name, from the events that this manager organizes.

    The names of other events are not the reader's to see in full. Few queries, whatever the size of the league.
    """
    members = _members(league, reader)
    events: defaultdict[int, dict[Event, None]] = defaultdict(dict)
    clubs: defaultdict[int, dict[str, None]] = defaultdict(dict)
    played = members.exclude(entrant__dropped_after=0)  # who dropped before round 1 was not there
    for member in played.select_related("event", "entrant").order_by("event", "pk"):
        events[member.person_id][member.event] = None
        if member.entrant.club:
            clubs[member.person_id][member.entrant.club] = None
    groups: defaultdict[str, list[Namesake]] = defaultdict(list)
    for player in players_of(league.owner, members):
        persons = [person.pk for person in (player.person, *player.others) if person.pk in events]
        if persons:
            theirs = tuple(dict.fromkeys(event for key in persons for event in events[key]))
            groups[key_of(player.person.given_name, player.person.family_name)].append(
                Namesake(player, tuple(dict.fromkeys(club for key in persons for club in clubs[key])), theirs)
            )
    found = [_namesakes(group) for name, group in groups.items() if name and len(group) > 1]
    return sorted(found, key=lambda group: sort_key(group.name))


def merged_in(league: League, reader: Any) -> list[BookPlayer]:
    """The players of a league of whom several entries count as one, by name, as `namesakes_of` limits them."""
    members = _members(league, reader)
    here = set(members.values_list("person", flat=True))
    players = (each for each in players_of(league.owner, members) if each.others)
    found = [each for each in players if any(person.pk in here for person in (each.person, *each.others))]
    return sorted(found, key=lambda player: sort_key(known_as(player.person)))


def reviews_of(event: Event, reader: Any) -> list[tuple[League, int]]:
    """The leagues of an event that this account manages, with the number of players' names of theirs to review.

    Only names of entrants of this event count: whoever comes back is proposed as soon as they are entered.
    """
    found = []
    for league in event.leagues.select_related("owner", "club"):
        if manages(reader, league):
            groups = namesakes_of(league, reader)
            found.append((league, sum(any(event in each.events for each in group.players) for group in groups)))
    return [(league, count) for league, count in found if count]


def merge_namesakes(*, league: League, players: Sequence[str], by: User, now: datetime) -> Person:
    """Mark players of a league (public ids, at least two) as the same, and return the person who represents them.

    Only entrants of events of the league that `by` organizes can be named. All or none are merged; each merge is
    recorded in the ledgers of the owner's leagues.

    Refused as `book.merge_players`: `player_unknown`, `same_player`, `both_entered`.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=league.owner_id)  # as in `merge_players`
        members = _members(league, by).filter(person__public_id__in=players)
        people = {each.public_id: each for each in Person.objects.filter(pk__in=members.values("person"))}
        if len(set(players)) < 2 or not people.keys() >= set(players):
            raise Http404
        stays, *others = (people[each] for each in dict.fromkeys(players))
        for other in others:
            known = players_of(league.owner, members)
            stays = merge_two(known, person=other, into=stays, owner=league.owner, by=by, now=now)
    return stays


def split_namesake(*, league: League, player: str, by: User, now: datetime) -> None:
    """Undo a merge: the person of this public id is a player of their own again. Idempotent; 404 for strangers."""
    person = Person.objects.filter(public_id=player, pk__in=_members(league, by).values("person")).first()
    if person is None:
        raise Http404
    split_player(owner=league.owner, person=person, by=by, now=now)


def _members(league: League, reader: Any) -> QuerySet[Member]:
    events = organized_by(reader).filter(leagues=league)
    return Member.objects.filter(event__in=events.order_by().values("pk"), person__erased_at=None)


def _namesakes(group: Sequence[Namesake]) -> Namesakes:
    # First who has an account, whose name the person chose, then who came first.
    players = tuple(sorted(group, key=lambda each: (not each.has_account, each.player.key)))
    entered = [event for each in players for event in each.events]
    apart = len(set(entered)) < len(entered) or sum(each.has_account for each in players) > 1
    return Namesakes(known_as(players[0].player.person), players, apart)
