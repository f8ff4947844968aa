"""Leagues and the player book."""

import json
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import LEAGUE
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NamedSerializer, NothingInput
from tournaments.api.serializers.exports import ExportQuery
from tournaments.api.serializers.leagues import (
    BookEntryInput,
    BookPlayerSerializer,
    BookQuery,
    LeagueDetailSerializer,
    LeagueEventInput,
    LeagueInput,
    LeagueRatingSerializer,
    LeagueSerializer,
    LeagueStandingsSerializer,
    MergeInput,
    NamesakesInput,
    NamesakesSerializer,
    NewLeagueInput,
)
from tournaments.clubs.access import club_for_staff
from tournaments.common.csv_tables import as_csv
from tournaments.events.access import event_for_staff
from tournaments.leagues import book, namesakes, services
from tournaments.leagues.access import event_of_league, league_for_manager, league_for_viewer, person_for_book
from tournaments.leagues.models import League
from tournaments.leagues.ratings import ratings_of
from tournaments.leagues.rules import complete, rates
from tournaments.leagues.selectors import as_document, events_shown, leagues_seen, standings_of, table_of

ORGANIZE = ApiToken.Scope.ORGANIZE


def _league(league: League, user: Any) -> dict[str, Any]:
    return {
        "public_id": league.public_id,
        "name": league.name,
        "visibility": league.visibility,
        "club": league.club,
        "rules": complete(league.rules),
        "events": events_shown(league, user),
    }


class Leagues(Resource):
    """The leagues."""

    scopes = (ORGANIZE,)

    @operation("GET", "leagues/", name="leagues", pages=LeagueSerializer)
    def leagues_list(self, request: Request) -> Response:
        """The public leagues and your own, newest first."""
        return self.answer(leagues_seen(self.user))

    @operation("POST", "leagues/", takes=NewLeagueInput, answers=LeagueDetailSerializer, status=201)
    def leagues_create(self, request: Request) -> Response:
        """Create a league, without events; you become its owner."""
        wanted = self.read()
        first = {name: wanted.pop(name) for name in ("name", "visibility") if name in wanted}
        chosen = wanted.pop("club", None)
        with transaction.atomic():
            made = services.create_league(**first, rules=wanted, by=self.user, now=self.now)
            made = self._given(made, chosen)
        return self.answer(_league(made, self.user))

    @operation("GET", LEAGUE, name="league", answers=LeagueDetailSerializer)
    def leagues_read(self, request: Request, league_id: str) -> Response:
        """A league with its rules and events. For everybody, unless it is private."""
        return self.answer(_league(league_for_viewer(self.user, league_id), self.user))

    @operation("PATCH", LEAGUE, takes=LeagueInput, answers=LeagueDetailSerializer)
    def leagues_change(self, request: Request, league_id: str) -> Response:
        """Change the name, visibility or rules of a league. For its owner, and the managers of its club."""
        league = league_for_manager(self.user, league_id)
        wanted = self.arguments()
        with transaction.atomic():
            if "club" in wanted:
                league = self._given(league, wanted.pop("club"))
            changed = services.change_league(league=league, **wanted)
        return self.answer(_league(changed, self.user))

    def _given(self, league: League, chosen: str | None) -> League:
        club = club_for_staff(self.user, chosen, "manage") if chosen else None
        return services.give_to_club(league=league, club=club, by=self.user, now=self.now)

    @operation("DELETE", LEAGUE)
    def leagues_delete(self, request: Request, league_id: str) -> Response:
        """Delete a league. Its events stay as they are. For its owner, and the managers of its club."""
        services.delete_league(league=league_for_manager(self.user, league_id), **self.arguments())
        return self.answer()

    @operation("POST", f"{LEAGUE}events/", name="league_events", takes=LeagueEventInput, answers=LeagueDetailSerializer)
    def leagues_add_event(self, request: Request, league_id: str) -> Response:
        """Add an event that you organize. Idempotent. For its owner, and the managers of its club."""
        league = league_for_manager(self.user, league_id)
        event = event_for_staff(self.user, self.read()["event"], "manage_event")
        services.add_event(league=league, event=event, by=self.user, now=self.now)
        return self.answer(_league(league, self.user))

    @operation("DELETE", f"{LEAGUE}events/<slug:event_id>/", name="league_event")
    def leagues_remove_event(self, request: Request, league_id: str, event_id: str) -> Response:
        """Remove an event from the league. For its owner, and the managers of its club."""
        league = league_for_manager(self.user, league_id)
        event = event_of_league(league, event_id)
        services.remove_event(league=league, event=event, **self.arguments())
        return self.answer()

    @operation("GET", f"{LEAGUE}namesakes/", name="league_namesakes", pages=NamesakesSerializer)
    def leagues_namesakes(self, request: Request, league_id: str) -> Response:
        """The names that several players of the league have, at events that you organize. For its managers."""
        league = league_for_manager(self.user, league_id)
        return self.answer(namesakes.namesakes_of(league, self.user))

    @operation("POST", f"{LEAGUE}namesakes/", takes=NamesakesInput, answers=NamedSerializer)
    def leagues_same(self, request: Request, league_id: str) -> Response:
        """Mark players as the same, and return who represents them. All or none. For the managers of the league."""
        league = league_for_manager(self.user, league_id)
        return self.answer(namesakes.merge_namesakes(league=league, **self.arguments()))

    @operation("DELETE", f"{LEAGUE}namesakes/<slug:person_id>/", name="league_namesake")
    def leagues_split(self, request: Request, league_id: str, person_id: str) -> Response:
        """Undo a merge: this person is a player of their own again. Idempotent. For the managers of the league."""
        league = league_for_manager(self.user, league_id)
        namesakes.split_namesake(league=league, player=person_id, by=self.user, now=self.now)
        return self.answer()

    @operation("GET", f"{LEAGUE}standings/", name="league_standings", answers=LeagueStandingsSerializer)
    def leagues_standings(self, request: Request, league_id: str) -> Response:
        """Every player with every result, and why it counts or not. For everybody, unless the league is private."""
        return self.answer(standings_of(league_for_viewer(self.user, league_id), self.user))

    @operation("GET", f"{LEAGUE}ratings/", name="league_ratings", pages=LeagueRatingSerializer)
    def leagues_ratings(self, request: Request, league_id: str) -> Response:
        """The ratings of a league, best first; 404 if it has none. For everybody, unless the league is private."""
        league = league_for_viewer(self.user, league_id)
        if not rates(league.rules):
            raise Http404
        return self.answer(ratings_of(league).rows)

    @operation(
        "GET",
        f"{LEAGUE}export/",
        name="league_export",
        query=ExportQuery,
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "`league`, `table`, `rows`."),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "With `as=csv`."),
        },
    )
    def leagues_export(self, request: Request, league_id: str) -> HttpResponse:
        """One row per result, with exact numbers. For everybody, unless the league is private."""
        league = league_for_viewer(self.user, league_id)
        form = self.read_query()["as"]
        table = table_of(standings_of(league, self.user))
        if form == "csv":
            return HttpResponse(as_csv(table), content_type="text/csv; charset=utf-8")
        return HttpResponse(json.dumps(as_document(league, table)), content_type="application/json")


class PlayerBook(Resource):
    """Your player book."""

    scopes = (ORGANIZE,)
    account_needed = True

    def _player(self, person_id: str) -> Response:
        user = self.user
        return self.answer(book.player_of(user, person_for_book(user, person_id)))

    @operation("GET", "book/", name="book", query=BookQuery, pages=BookPlayerSerializer)
    def book_list(self, request: Request) -> Response:
        """Everybody who entered the events that you organize, by name; `find` searches for names."""
        return self.answer(book.book_of(self.user, self.read_query()["find"]))

    @operation("GET", "book/<slug:person_id>/", name="book_entry", answers=BookPlayerSerializer)
    def book_read(self, request: Request, person_id: str) -> Response:
        """One player in your book."""
        return self._player(person_id)

    @operation("PUT", "book/<slug:person_id>/", takes=BookEntryInput, answers=BookPlayerSerializer)
    def book_write(self, request: Request, person_id: str) -> Response:
        """Save a private name and notes. A field that is empty is deleted."""
        player = book.player_of(self.user, person_for_book(self.user, person_id))
        stored = {"name": player.private_name, "notes": player.notes}
        book.write_entry(owner=self.user, person=player.person, **self.changed(stored))
        return self._player(person_id)

    @operation(
        "POST", "book/<slug:person_id>/merge/", name="book_merge", takes=MergeInput, answers=BookPlayerSerializer
    )
    def book_merge(self, request: Request, person_id: str) -> Response:
        """Mark this player and the `other` as the same. The entry that has an account stays, if only one has."""
        person = person_for_book(self.user, person_id)
        other = person_for_book(self.user, self.read()["other"])
        stands = book.merge_players(owner=self.user, person=person, into=other, now=self.now)
        return self._player(stands.public_id)

    @operation(
        "POST", "book/<slug:person_id>/split/", name="book_split", takes=NothingInput, answers=BookPlayerSerializer
    )
    def book_split(self, request: Request, person_id: str) -> Response:
        """Undo the merge of this entry with another one. Idempotent."""
        person = person_for_book(self.user, person_id)
        self.read()
        book.split_player(owner=self.user, person=person, now=self.now)
        return self._player(person_id)
