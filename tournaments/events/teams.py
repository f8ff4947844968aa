"""Team events: their settings, how teams are entered and joined, and who captains them.

A team is one entrant with a name. Its members have the boards from 1 on; those without a board are substitutes. The
captain registers the team and hands out its link, which is signed and not stored: it opens the team to whoever has it
until the event starts. A new captain makes it invalid.

Who sits at which board is changed by `play.change_lineup`, because after the start it depends on the rounds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import get_script_prefix
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import person_without_account
from tournaments.common.names import as_name, one_line, split_name
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.access import may, require
from tournaments.events.entry_layout import is_rule, unmarked
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.naming import refresh_shown_names
from tournaments.events.registration import meet
from tournaments.events.services import (
    check_bounds,
    free_team_name,
    record,
    refuse_address,
    refuse_kind_for_teams,
    require_desk_open,
)
from tournaments.events.signals import came_in, member_left

SALT = "arbitre.team"
SETTINGS = ("team_size", "team_play", "substitutes")
MOST_TEAMS = 500  # entered at once
BEFORE_START = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)


@dataclass(frozen=True, slots=True)
class NewTeam:
    """A team to enter at the desk: its name, and the names of its players in the order of their boards.

    The first one is the captain; players beyond the boards are substitutes.
    """

    name: str
    players: tuple[str, ...]


def choose_teams(*, event: Event, by: User, now: datetime, **wanted: object) -> Event:
    """Change how teams play an event: the settings of `SETTINGS`; those not in `wanted` stay. Returns the event.

    Possible until somebody has entered. Refused: `out_of_bounds`, `team_play_unknown`, `teams_fixed`,
    `team_structure`, `teams_not_approved`.
    """
    sizes = {name: wanted[name] for name in ("team_size", "substitutes") if name in wanted}
    check_bounds(**{name: value for name, value in sizes.items() if isinstance(value, int)})
    if wanted.get("team_play", Event.TeamPlay.TOGETHER) not in Event.TeamPlay.values:
        raise InvalidInput("team_play_unknown", _("There is no such choice."), details=list(Event.TeamPlay.values))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        before = {name: getattr(event, name) for name in SETTINGS}
        changed = [name for name in SETTINGS if name in wanted and wanted[name] != before[name]]
        if not changed:
            return event
        if event.status not in BEFORE_START or event.entrants.exists() or event.applications.exists():
            raise Refusal("teams_fixed", _("Somebody has already entered: how teams play can no longer change."))
        for name in changed:
            setattr(event, name, wanted[name])
        if event.is_team_event:
            for kind in event.stages.values_list("kind", flat=True):
                refuse_kind_for_teams(kind)
        if event.is_team_event and event.approval:
            raise Refusal("teams_not_approved", _("Teams register without approval."))
        event.save(update_fields=changed)
        changes = [{name: table[name] for name in changed} for table in (before, wanted)]
        record(event, by, "event.teams_chosen", now, before=changes[0], after=changes[1])
    return event


def teams_of(event: Event) -> QuerySet[Entrant]:
    """The teams of an event with their members, in the order of registration."""
    teams = event.entrants if event.is_team_event else event.entrants.none()
    return teams.prefetch_related("member_set__person").order_by("registered_at", "pk")


def in_order(team: Entrant) -> list[Member]:
    """The members of a team: by board, then the substitutes in the order in which they came."""
    return sorted(team.member_set.all(), key=lambda member: (member.board is None, member.board or 0, member.pk))


def free_boards(event: Event, members: Iterable[Member]) -> list[int]:
    """The boards of a team that have no player."""
    taken = {member.board for member in members}
    return [board for board in range(1, event.team_size + 1) if board not in taken]


def has_room(event: Event, members: Sequence[Member]) -> bool:
    """Whether one more person can join a team, at a board or as a substitute."""
    return len(members) < event.team_size + event.substitutes


def captain_of(team: Entrant) -> Member | None:
    """The captain of a team; None for a player who entered alone."""
    return next((member for member in team.member_set.all() if member.captain), None)


def team_signature(team: Entrant) -> str:
    """The signature in the link of a team."""
    return signature_of(_signed(team), salt=SALT)


def _signed(team: Entrant) -> str:
    captain = captain_of(team)
    return f"{team.public_id}/{captain.person.public_id if captain else ''}"


def team_address(team: Entrant, site: str) -> str:
    """The full link by which others join a team. `site` is the origin, such as `https://example.org`."""
    return f"{site}{get_script_prefix()}team/{team.public_id}/{team_signature(team)}/"


def _team(public_id: str) -> Entrant | None:
    return Entrant.objects.filter(public_id=public_id, event__team_size__gt=1).select_related("event").first()


def team_for_link(public_id: str, signature: str) -> Entrant:
    """The team of a link; 404 if the signature is wrong, or the event is a draft."""
    team = _team(public_id)
    if team is None or not team.event.is_public or not is_signature(signature, _signed(team), salt=SALT):
        raise Http404
    return team


def team_for_captain(user: Any, public_id: str) -> Entrant:
    """A team that the account acts for: it, or somebody it is guardian of, is the captain, or it runs the desk.

    404 for strangers; NotAllowed `not_captain` for other members, `role_too_low` for staff who do not run the desk.
    """
    team = _team(public_id)
    if team is None or not user.is_authenticated:
        raise Http404
    own = list(team.member_set.filter(person__account=user))
    if any(member.captain for member in own) or may(user, team.event, "run_desk"):
        return team
    if own:
        raise NotAllowed("not_captain", _("Only the captain and the desk can change a team."))
    require(user, team.event, "run_desk")
    return team


def team_for_member(user: Any, public_id: str) -> Entrant:
    """A team for its members, their guardians, and the staff of the event; 404 for anybody else."""
    team = _team(public_id)
    if team is None or not user.is_authenticated:
        raise Http404
    if team.member_set.filter(person__account=user).exists() or may(user, team.event, "view_staff_pages"):
        return team
    raise Http404


def team_for_desk(user: Any, public_id: str) -> Entrant:
    """A team of an event whose desk the account runs: 404 or NotAllowed `role_too_low`, as by `access.require`."""
    team = _team(public_id)
    if team is None:
        raise Http404
    require(user, team.event, "run_desk")
    return team


def member_named(team: Entrant, person_id: str) -> Member:
    """The member of a team by the public id of the person; refused (`not_in_team`) if there is none."""
    member = team.member_set.filter(person__public_id=person_id).first()
    if member is None:
        raise InvalidInput("not_in_team", _("This person is not in the team."))
    return member


def join_team(
    *,
    team: Entrant,
    person: Person,
    by: User,
    now: datetime,
    answers: dict[str, str] | None = None,
    consent: str = "",
) -> Member:
    """Join a team by its link, at the first free board or else as a substitute. Idempotent.

    Answers and consent are as for `registration.register_person`. Refused: `event_state` once the event has started,
    `entrant_dropped`, `team_full`, `already_registered` if the person is in another team, and what registration asks.
    """
    try:
        with transaction.atomic():
            event, team = _locked(team)
            known = Member.objects.filter(entrant=team, person=person).first()
            if known is not None:
                return known
            if event.status == Event.Status.DRAFT:
                raise Refusal("event_state", _("The event is not open."))
            member = _seat(event, team, person)
            meet(event, person, by, now, answers or {}, consent)
            _record_joined(event, team, member, by, now)
            return member
    except IntegrityError:  # the constraint `a_person_enters_once`
        raise Refusal("already_registered", _("This person is already registered."))


def add_member(*, team: Entrant, name: str, by: User, now: datetime) -> Member:
    """Add somebody without an account to a team, at the desk. Refused as `join_team`, and `name_missing`."""
    refuse_address(name)
    if not as_name(name):
        raise InvalidInput("name_missing", _("Enter a first name or a nickname."))
    with transaction.atomic():
        event, team = _locked(team)
        member = _seat(event, team, _person(name))
        _record_joined(event, team, member, by, now)
    return member


def _locked(team: Entrant) -> tuple[Event, Entrant]:
    """Lock the event and a team that can still be changed, before the start."""
    event = Event.objects.select_for_update().get(pk=team.event_id)
    team = Entrant.objects.select_for_update().get(pk=team.pk)
    if event.status not in BEFORE_START:
        raise Refusal("event_state", _("The event has started: teams can no longer change their members."))
    return event, team


def _seat(event: Event, team: Entrant, person: Person) -> Member:
    if team.status == Entrant.Status.DROPPED:
        raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
    members = list(team.member_set.all())
    if not has_room(event, members):
        raise Refusal("team_full", _("This team is full."))
    board = next(iter(free_boards(event, members)), None)
    member = Member.objects.create(event=event, entrant=team, person=person, board=board)
    refresh_shown_names(event)
    return member


def _record_joined(event: Event, team: Entrant, member: Member, by: User, now: datetime) -> None:
    after = {"person": member.person.public_id, "board": member.board}
    record(event, by, "entrant.member_joined", now, object=team.public_id, after=after)


def _person(name: str) -> Person:
    full = split_name(one_line(name))
    return person_without_account(given_name=full.given[:80], family_name=full.family[:80])


def remove_member(*, team: Entrant, person: Person, by: User, now: datetime) -> None:
    """Take somebody out of a team before the start: themselves, or the captain or the desk does. Idempotent.

    Refused: `event_state`, `captain_stays` for the captain, who first makes somebody else the captain or drops the
    team.
    """
    with transaction.atomic():
        event, team = _locked(team)
        member = Member.objects.filter(entrant=team, person=person).first()
        if member is None:
            return
        if member.captain:
            raise Refusal("captain_stays", _("Make somebody else the captain first, or drop the team."))
        before = {"person": person.public_id, "board": member.board}
        member.delete()
        refresh_shown_names(event)
        record(event, by, "entrant.member_left", now, object=team.public_id, before=before)
        member_left.send(sender=Entrant, event=event, team=team, by=by, now=now)


def make_captain(*, team: Entrant, person: Person, by: User, now: datetime) -> None:
    """Make another member the captain. The team gets a new link. Idempotent.

    Refused: `event_state` once the event is over, `not_in_team`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=team.event_id)
        team = Entrant.objects.select_for_update().get(pk=team.pk)
        if event.status not in (*BEFORE_START, Event.Status.RUNNING):
            raise Refusal("event_state", _("The event is over."))
        member = Member.objects.filter(entrant=team, person=person).first()
        if member is None:
            raise InvalidInput("not_in_team", _("This person is not in the team."))
        if member.captain:
            return
        before = captain_of(team)
        # In this order: a team has one captain at any time.
        Member.objects.filter(entrant=team, captain=True).update(captain=False)
        Member.objects.filter(pk=member.pk).update(captain=True)
        was = {"person": before.person.public_id} if before else None
        after = {"person": person.public_id}
        record(event, by, "entrant.captain_chosen", now, object=team.public_id, before=was, after=after)


def rename_team(*, team: Entrant, name: str, by: User, now: datetime) -> None:
    """Change the name of a team. The ledger says that it changed, but no names. Idempotent.

    Refused: `event_state` once the event is over, `name_missing`, `name_is_address`, `team_name_taken`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=team.event_id)
        if event.status not in (*BEFORE_START, Event.Status.RUNNING):
            raise Refusal("event_state", _("The event is over."))
        wanted = free_team_name(event, name, other_than=team)
        if Entrant.objects.filter(pk=team.pk).exclude(team_name=wanted).update(team_name=wanted):
            record(event, by, "entrant.renamed", now, object=team.public_id)


def read_teams(text: str) -> list[NewTeam]:
    """Teams from a plain list, one a line: the name of the team, a colon, and its players separated by commas.

    Blank lines and rulers are skipped, and bullets and numbers before a name. Raises InvalidInput `teams_unreadable`
    with the numbers of the lines that are something else, or `too_many_teams`.

    >>> read_teams("Foxes: Ann Lee, Bob, Cy")
    [NewTeam(name='Foxes', players=('Ann Lee', 'Bob', 'Cy'))]
    """
    teams: list[NewTeam] = []
    wrong: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if is_rule(line):
            continue
        name, colon, players = unmarked(line).partition(":")
        named = tuple(player for player in (as_name(unmarked(each), 160) for each in players.split(",")) if player)
        if not colon or not as_name(name) or not named:
            wrong.append(number)
        teams.append(NewTeam(one_line(name), named))
    if wrong:
        raise InvalidInput(
            "teams_unreadable", _("Write a team on each line: its name, a colon, and its players."), details=wrong[:20]
        )
    if len(teams) > MOST_TEAMS:
        raise InvalidInput("too_many_teams", _("Enter at most 500 teams at once."), details=[MOST_TEAMS])
    return teams


def enter_teams(*, event: Event, teams: Sequence[NewTeam], by: User, now: datetime) -> list[Entrant]:
    """Enter teams of people without an account at the desk until round 1 is paired, all or none, with one ledger entry.

    A team may be incomplete before the start. Refused: `registration_closed`, and whatever `add_teams` refuses.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        require_desk_open(event)
        entrants = add_teams(event, teams, now)
        if entrants:
            waiting = sum(entrant.status == Entrant.Status.WAITING for entrant in entrants)
            ids = [entrant.public_id for entrant in entrants]
            after = {"entered": len(ids), "waiting": waiting, "entrants": ids}
            entry = record(event, by, "entrant.imported", now, after=after)
            came_in.send(sender=Event, event=event, entrants=entrants, by=by, now=now, number=entry.number)
    return entrants


def add_teams(event: Event, teams: Sequence[NewTeam], now: datetime) -> list[Entrant]:
    """Create the entrants of teams. Call it with the event's row locked; the caller writes the ledger entry.

    Refused: `no_teams`, `name_missing`, `name_is_address`, `team_name_taken`, `team_full` with the names of the teams
    that have too many players, `team_incomplete` with the names of those that have too few, and `event_full` once the
    event runs.
    """
    if not event.is_team_event:
        raise Refusal("no_teams", _("No teams play this event: everybody plays alone."))
    for team in teams:
        refuse_address(*team.players)
        if not team.players or not all(as_name(player) for player in team.players):
            raise InvalidInput("name_missing", _("Enter a first name or a nickname."))
    most = event.team_size + event.substitutes
    if full := [team.name for team in teams if len(team.players) > most]:
        raise InvalidInput("team_full", _("A team has at most %(most)d members.") % {"most": most}, details=full)
    _refuse_incomplete(event, teams)
    entrants = [_enter(event, team, now) for team in teams]
    if entrants:
        refresh_shown_names(event)
    return entrants


def _refuse_incomplete(event: Event, teams: Sequence[NewTeam]) -> None:
    few = [team.name for team in teams if len(team.players) < event.team_size]
    if few and event.status == Event.Status.RUNNING:
        names = {"names": ", ".join(few)}
        raise Refusal(
            "team_incomplete",
            _("%(names)s: a team that enters once the event has started must be complete.") % names,
            details=few,
        )


def _enter(event: Event, team: NewTeam, now: datetime) -> Entrant:
    running = event.status == Event.Status.RUNNING
    taken = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
    full = event.capacity is not None and taken >= event.capacity
    if running and full:
        raise Refusal("event_full", _("The event is full."))
    here = now if not full and event.status in (Event.Status.CHECK_IN, Event.Status.RUNNING) else None
    entrant = Entrant.objects.create(
        event=event,
        registered_at=now,
        status=Entrant.Status.WAITING if full else Entrant.Status.REGISTERED,
        checked_in_at=here,
        team_name=free_team_name(event, team.name),
    )
    Member.objects.bulk_create(
        Member(
            event=event,
            entrant=entrant,
            person=_person(player),
            board=number if number <= event.team_size else None,
            captain=number == 1,
        )
        for number, player in enumerate(team.players, 1)
    )
    return entrant
