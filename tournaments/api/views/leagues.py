"""Leagues and the player book."""

import json

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken, User
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.exports import ExportQuery
from tournaments.api.serializers.leagues import (
    BookEntryInput,
    BookPlayerSerializer,
    BookQuery,
    LeagueDetailSerializer,
    LeagueEventInput,
    LeagueInput,
    LeagueSerializer,
    LeagueStandingsSerializer,
    MergeInput,
    NewLeagueInput,
)
from tournaments.common.tables import as_csv
from tournaments.events.access import event_for_staff
from tournaments.leagues import book, services
from tournaments.leagues.access import event_of_league, league_for_owner, league_for_viewer, person_for_book
from tournaments.leagues.models import League
from tournaments.leagues.rules import read_rules
from tournaments.leagues.selectors import as_document, events_shown, leagues_seen, standings_of, table_of

ORGANIZE = ApiToken.Scope.ORGANIZE


def _answer(request: Request, league: League, status: int = 200) -> Response:
    shown = {
        "public_id": league.public_id,
        "name": league.name,
        "visibility": league.visibility,
        "rules": read_rules(league.rules),
        "events": events_shown(league, owner=league.owner == request.user),
    }
    return Response(LeagueDetailSerializer(shown).data, status=status)


class LeaguesView(Endpoint):
    """The leagues."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="leagues_list", parameters=PAGING, responses=page_of("League", LeagueSerializer))
    def get(self, request: Request) -> Response:
        """The public leagues and your own, newest first."""
        return self.page(leagues_seen(request.user), LeagueSerializer)

    @extend_schema(operation_id="leagues_create", request=NewLeagueInput, responses={201: LeagueDetailSerializer})
    def post(self, request: Request) -> Response:
        """A league of your own, without events."""
        wanted = self.read(NewLeagueInput)
        first = {name: wanted.pop(name) for name in ("name", "visibility") if name in wanted}
        made = services.create_league(**first, rules=wanted, by=request.user, now=self.now)
        return _answer(request, made, 201)


class LeagueView(Endpoint):
    """One league."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="leagues_read", responses=LeagueDetailSerializer)
    def get(self, request: Request, league_id: str) -> Response:
        """A league with its rules and events: everybody, unless it is private."""
        return _answer(request, league_for_viewer(request.user, league_id))

    @extend_schema(operation_id="leagues_change", request=LeagueInput, responses=LeagueDetailSerializer)
    def patch(self, request: Request, league_id: str) -> Response:
        """Change its name, visibility or rules: its owner."""
        league = league_for_owner(request.user, league_id)
        changed = services.change_league(league=league, by=request.user, now=self.now, **self.read(LeagueInput))
        return _answer(request, changed)

    @extend_schema(operation_id="leagues_delete", responses={204: None})
    def delete(self, request: Request, league_id: str) -> Response:
        """Delete it: its owner. Its events stay as they are."""
        services.delete_league(league=league_for_owner(request.user, league_id), by=request.user, now=self.now)
        return Response(status=204)


class LeagueEventsView(Endpoint):
    """The events of a league."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="leagues_add_event", request=LeagueEventInput, responses=LeagueDetailSerializer)
    def post(self, request: Request, league_id: str) -> Response:
        """Let an event that you organize count: the league's owner. Twice is once."""
        league = league_for_owner(request.user, league_id)
        event = event_for_staff(request.user, self.read(LeagueEventInput)["event"], "manage_event")
        services.add_event(league=league, event=event, by=request.user, now=self.now)
        return _answer(request, league)


class LeagueEventView(Endpoint):
    """One of them."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="leagues_remove_event", responses={204: None})
    def delete(self, request: Request, league_id: str, event_id: str) -> Response:
        """Let it count no more: the league's owner."""
        league = league_for_owner(request.user, league_id)
        event = event_of_league(league, event_id)
        services.remove_event(league=league, event=event, by=request.user, now=self.now)
        return Response(status=204)


class LeagueStandingsView(Endpoint):
    """The standings of a league."""

    @extend_schema(operation_id="leagues_standings", responses=LeagueStandingsSerializer)
    def get(self, request: Request, league_id: str) -> Response:
        """Every player with every result, and why it counts or does not: everybody, unless the league is private."""
        return Response(LeagueStandingsSerializer(standings_of(league_for_viewer(request.user, league_id))).data)


class LeagueExportView(Endpoint):
    """The standings of a league as a table."""

    @extend_schema(
        operation_id="leagues_export",
        parameters=[ExportQuery],
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "`league`, `table`, `rows`."),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "With `as=csv`."),
        },
    )
    def get(self, request: Request, league_id: str) -> HttpResponse:
        """A row a result, exact: everybody, unless the league is private."""
        league = league_for_viewer(request.user, league_id)
        form = self.read_query(ExportQuery)["as"]
        table = table_of(standings_of(league))
        if form == "csv":
            return HttpResponse(as_csv(table), content_type="text/csv; charset=utf-8")
        return HttpResponse(json.dumps(as_document(league, table)), content_type="application/json")


class BookView(Endpoint):
    """Your player book."""

    account_needed = True

    @extend_schema(
        operation_id="book_list", parameters=[*PAGING, BookQuery], responses=page_of("BookPlayer", BookPlayerSerializer)
    )
    def get(self, request: Request) -> Response:
        """Everybody who entered the events that you organize, by name; `find` looks for one."""
        return self.page(book.book_of(request.user, self.read_query(BookQuery)["find"]), BookPlayerSerializer)


def _player(user: User, person_id: str) -> Response:
    player = book.player_of(user, person_for_book(user, person_id))
    return Response(BookPlayerSerializer(player).data)


class BookEntryView(Endpoint):
    """A player of your book."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="book_read", responses=BookPlayerSerializer)
    def get(self, request: Request, person_id: str) -> Response:
        """What you keep of a player."""
        return _player(request.user, person_id)

    @extend_schema(operation_id="book_write", request=BookEntryInput, responses=BookPlayerSerializer)
    def put(self, request: Request, person_id: str) -> Response:
        """Keep a private name and notes; empty ones are forgotten."""
        player = book.player_of(request.user, person_for_book(request.user, person_id))
        book.write_entry(owner=request.user, person=player.person, **self.read(BookEntryInput))
        return _player(request.user, person_id)


class BookMergeView(Endpoint):
    """Two entries that are one player."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="book_merge", request=MergeInput, responses={200: BookPlayerSerializer})
    def post(self, request: Request, person_id: str) -> Response:
        """Say that this player is the `other` one. An account stands before who was typed at a desk."""
        person = person_for_book(request.user, person_id)
        other = person_for_book(request.user, self.read(MergeInput)["other"])
        stands = book.merge_players(owner=request.user, person=person, into=other, now=self.now)
        return _player(request.user, stands.public_id)


class BookSplitView(Endpoint):
    """Two players again."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="book_split", request=NothingInput, responses={200: BookPlayerSerializer})
    def post(self, request: Request, person_id: str) -> Response:
        """Take back that this entry is the same player as another one. Twice is once."""
        person = person_for_book(request.user, person_id)
        self.read(NothingInput)
        book.split_player(owner=request.user, person=person, now=self.now)
        return _player(request.user, person_id)
