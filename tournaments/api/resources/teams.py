"""Team events: how teams play, the teams with their members, who captains them and who sits at which board."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken, Person
from tournaments.api.addresses import ENTRANT, EVENT
from tournaments.api.permissions import require_scope
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.entrants import person_of
from tournaments.api.resources.events import event_answer
from tournaments.api.serializers.events import EventDetailSerializer
from tournaments.api.serializers.teams import (
    CaptainInput,
    LineupInput,
    TeamInput,
    TeamLinkSerializer,
    TeamMemberInput,
    TeamNameInput,
    TeamSerializer,
    TeamSettingsInput,
)
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import team_lists
from tournaments.events import teams
from tournaments.events.access import entrant_for_viewer, event_for_staff, event_for_viewer, may
from tournaments.events.models import Entrant, Event
from tournaments.events.registration import register_person
from tournaments.events.selectors import current_stage
from tournaments.events.teams import NewTeam, captain_of, teams_of
from tournaments.play import services as play

PLAY, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.ORGANIZE
TEAM = f"{ENTRANT}team/"


def team_of_request(request: Request, public_id: str) -> Entrant:
    """Return a team of whose captain the account acts (scope `play`) or, for the desk, any team (scope `organize`)."""
    team = teams.team_for_captain(request.user, public_id)
    captain = captain_of(team)
    own = captain is not None and captain.person.account_id == request.user.pk
    require_scope(request, PLAY if own else ORGANIZE)
    return team


class Teams(Resource):
    """The teams of an event."""

    scopes = (PLAY, ORGANIZE)

    @operation(
        "PUT",
        f"{EVENT}teams/settings/",
        name="team_settings",
        takes=TeamSettingsInput,
        answers=EventDetailSerializer,
        scopes=(ORGANIZE,),
    )
    def teams_settings(self, request: Request, event_id: str) -> Response:
        """Choose how teams play, until somebody has entered. For organizers and owners.

        With `team_size` 1, everybody plays alone. `team_play` is `together` for one result a team, or `boards`.
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        return event_answer(self, teams.choose_teams(event=event, **self.arguments()))

    @operation("GET", f"{EVENT}teams/", name="teams", pages=TeamSerializer)
    def teams_list(self, request: Request, event_id: str) -> Response:
        """The teams in the order they entered. Public."""
        event = event_for_viewer(self.user, event_id)
        return self.answer(teams_of(event), event=event)

    @operation("POST", f"{EVENT}teams/", takes=TeamInput, answers=TeamSerializer, status=201)
    def teams_create(self, request: Request, event_id: str) -> Response:
        """Register a team as its captain, or with `players` enter one at the desk."""
        wanted = self.read()
        if "players" in wanted:
            event = event_for_staff(self.user, event_id, "run_desk")
            require_scope(request, ORGANIZE)
            new = NewTeam(wanted["name"], tuple(wanted["players"]))
            (team,) = play.enter_teams_at_desk(event=event, teams=[new], by=self.user, now=self.now)
            return self._team(team)
        event = event_for_viewer(self.user, event_id)
        require_scope(request, PLAY)
        person = person_of(self.user, wanted.pop("person", ""))
        name = wanted.pop("name")
        team = register_person(event=event, person=person, by=self.user, now=self.now, team_name=name, **wanted)
        return self._team(team)

    @operation("GET", TEAM, name="team", answers=TeamSerializer)
    def teams_read(self, request: Request, entrant_id: str) -> Response:
        """One team. Public; the captain and the desk see whose decklist is missing."""
        team = entrant_for_viewer(self.user, entrant_id)
        if not team.event.is_team_event:
            raise Http404
        return self._team(team)

    @operation("PUT", TEAM, takes=TeamNameInput, answers=TeamSerializer)
    def teams_rename(self, request: Request, entrant_id: str) -> Response:
        """Change the name of a team. For its captain, and the desk."""
        team = team_of_request(request, entrant_id)
        teams.rename_team(team=team, **self.arguments())
        return self._team(team)

    @operation("GET", f"{TEAM}link/", name="team_link", answers=TeamLinkSerializer, account_needed=True)
    def teams_link(self, request: Request, entrant_id: str) -> Response:
        """The link with which others join a team. For its captain, and the desk."""
        team = teams.team_for_captain(self.user, entrant_id)
        site = f"{request.scheme}://{request.get_host()}"
        return self.answer({"address": teams.team_address(team, site), "signature": teams.team_signature(team)})

    @operation("POST", f"{TEAM}members/", name="team_members", takes=TeamMemberInput, answers=TeamSerializer)
    def teams_join(self, request: Request, entrant_id: str) -> Response:
        """Join a team with the signature of its link, or with a `name` add somebody at the desk.

        The first free board is theirs; if there is none, they are a substitute.
        """
        wanted = self.read()
        if "name" in wanted:
            team = teams.team_for_desk(self.user, entrant_id)
            require_scope(request, ORGANIZE)
            teams.add_member(team=team, name=wanted["name"], by=self.user, now=self.now)
            return self._team(team)
        team = teams.team_for_link(entrant_id, wanted.pop("signature"))
        require_scope(request, PLAY)
        person = person_of(self.user, wanted.pop("person", ""))
        teams.join_team(team=team, person=person, by=self.user, now=self.now, **wanted)
        return self._team(team)

    @operation(
        "DELETE",
        f"{TEAM}members/<slug:person_id>/",
        name="team_member",
        answers=TeamSerializer,
        scopes=(PLAY, ORGANIZE),
    )
    def teams_leave(self, request: Request, entrant_id: str, person_id: str) -> Response:
        """Take somebody out of a team before the start. For themselves, the captain, and the desk. Idempotent."""
        person = Person.objects.filter(public_id=person_id).first()
        if person is not None and person.account_id == self.user.pk:
            team = entrant_for_viewer(self.user, entrant_id)
            require_scope(request, PLAY)
        else:
            team = team_of_request(request, entrant_id)
        if person is not None:
            teams.remove_member(team=team, person=person, by=self.user, now=self.now)
        return self._team(team)

    @operation("PUT", f"{TEAM}lineup/", name="lineup", takes=LineupInput, answers=TeamSerializer)
    def teams_lineup(self, request: Request, entrant_id: str) -> Response:
        """Choose who sits at which board. For the captain, and the desk.

        After the start only substitutes come in, between rounds; members who play on keep their boards.
        """
        team = team_of_request(request, entrant_id)
        play.change_lineup(team=team, **self.arguments())
        return self._team(team)

    @operation("PUT", f"{TEAM}captain/", name="captain", takes=CaptainInput, answers=TeamSerializer)
    def teams_captain(self, request: Request, entrant_id: str) -> Response:
        """Make another member the captain, which replaces the link of the team. For the captain, and the desk."""
        team = team_of_request(request, entrant_id)
        teams.make_captain(
            team=team, person=teams.member_named(team, self.read()["person"]).person, by=self.user, now=self.now
        )
        return self._team(team)

    def _team(self, team: Entrant) -> Response:
        fresh = teams_of(team.event).get(pk=team.pk)
        return self.answer(fresh, event=team.event, lists=self._lists(fresh))

    def _lists(self, team: Entrant) -> dict[int | None, Decklist] | None:
        """The current decklists by member key, for the captain and the desk; None for others and without lists."""
        captain = captain_of(team)
        acts = captain is not None and captain.person.account_id == self.user.pk and self.user.is_authenticated
        if team.event.lists == Event.Lists.NONE or not (acts or may(self.user, team.event, "run_desk")):
            return None
        return {decklist.member_id: decklist for decklist in team_lists(team, current_stage(team.event))}
