"""Players whom the desk of an event knows from earlier ones, so that somebody who comes back is not entered anew.

They played at events of the same owners or club, or of a league of the event. Staff see only those of events at whose
desk they help. Nobody is recognized by name alone: who has the same name is proposed, and the desk says who it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.clubs.models import ClubEvent
from tournaments.common.refusals import InvalidInput
from tournaments.events.access import ACTIONS
from tournaments.events.entry_files import Line
from tournaments.events.models import Event, Member, StaffRole
from tournaments.leagues.book import players_of
from tournaments.leagues.namesakes import key_of


@dataclass(frozen=True)
class KnownPlayer:
    """A player known from earlier events: the person who represents them, and the last event they entered."""

    person: Person
    event: Event

    @property
    def public_id(self) -> str:
        """The public id of the person."""
        return self.person.public_id

    @property
    def name(self) -> str:
        """The full name."""
        return self.person.full_name

    @property
    def key(self) -> str:
        """The name for comparison, whatever the order of its words."""
        return key_of(self.person.given_name, self.person.family_name)


def known_players(event: Event, reader: Any) -> list[KnownPlayer]:
    """The known players who are not in this event, those who came last first. Few queries, whatever their number."""
    members = Member.objects.filter(
        event__in=_events(event, reader).order_by().values("pk"), person__erased_at=None
    ).exclude(entrant__dropped_after=0)  # who dropped before round 1 was not there
    last: dict[int, Event] = {}
    for member in members.select_related("event").order_by("-event__starts_at", "-event", "pk"):
        last.setdefault(member.person_id, member.event)
    here = set(Member.objects.filter(event=event).values_list("person", flat=True))
    found = []
    for player in players_of(_book_owner(event, reader), members):
        everybody = (player.person, *player.others)
        seen = [person for person in everybody if person.pk in last]
        if seen and not any(person.pk in here for person in everybody):
            found.append(KnownPlayer(seen[0], max((last[person.pk] for person in seen), key=_when)))
    return sorted(found, key=lambda each: _when(each.event), reverse=True)


def of_name(players: Sequence[KnownPlayer], given_name: str, family_name: str = "") -> list[KnownPlayer]:
    """Those of the known players who have this name, without regard to accents, case or the order of words."""
    wanted = key_of(given_name, family_name)
    return [player for player in players if wanted and player.key == wanted]


def known_lines(event: Event, reader: Any, lines: Iterable[Line]) -> dict[int, list[KnownPlayer]]:
    """The known players who have the name of a line of a file, by its number; lines without one are left out."""
    by_key: defaultdict[str, list[KnownPlayer]] = defaultdict(list)
    for player in known_players(event, reader):
        by_key[player.key].append(player)
    keys = {line.number: key_of(line.given_name, line.family_name) for line in lines if line.given_name}
    return {number: by_key[key] for number, key in keys.items() if key in by_key}


def refuse_unknown(event: Event, reader: Any, chosen: Iterable[str]) -> None:
    """Refuse public ids of persons who are neither known players nor in the event (`player_unknown`)."""
    wanted = set(chosen) - {""}
    if not wanted:
        return
    wanted -= set(Member.objects.filter(event=event).values_list("person__public_id", flat=True))
    if wanted and (wanted := wanted - {player.public_id for player in known_players(event, reader)}):
        sentence = _("The desk knows no such player from an earlier event.")
        raise InvalidInput("player_unknown", sentence, details=sorted(wanted))


def known_person(event: Event, reader: Any, public_id: str) -> Person:
    """One of the known players by the public id of the person; else 404."""
    for player in known_players(event, reader):
        if player.public_id == public_id:
            return player.person
    raise Http404


def _events(event: Event, reader: Any) -> Any:
    """Other events of the owners, the club or the leagues of `event` at whose desk the reader helps."""
    owners = event.staff_roles.filter(role=StaffRole.Role.OWNER).values("user")
    akin = Q(pk__in=StaffRole.objects.filter(role=StaffRole.Role.OWNER, user__in=owners).values("event"))
    akin |= Q(club_entry__club__in=ClubEvent.objects.filter(event=event).values("club"))
    akin |= Q(leagues__in=event.leagues.values("pk"))
    mine = StaffRole.objects.filter(user=reader, role__in=ACTIONS["run_desk"]).values("event")
    return Event.objects.filter(akin, pk__in=mine).exclude(pk=event.pk).distinct()


def _book_owner(event: Event, reader: Any) -> User:
    """Whose book says which entries are the same player: that of the owner of the league, else of the event."""
    league = event.leagues.select_related("owner").order_by("pk").first()
    if league is not None:
        return league.owner
    held = event.staff_roles.filter(role=StaffRole.Role.OWNER).select_related("user").order_by("pk").first()
    return held.user if held is not None else reader


def _when(event: Event) -> tuple[float, int]:
    return (event.starts_at.timestamp() if event.starts_at else 0.0, event.pk)
