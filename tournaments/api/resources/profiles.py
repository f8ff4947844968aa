"""Public profiles of players, and the events and players that an account follows."""

from typing import Any

from django.forms.models import model_to_dict
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.guardians import person_for_guardian
from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.profiles import (
    FollowSerializer,
    HeadToHeadSerializer,
    OwnProfileInput,
    OwnProfileSerializer,
    PlayedEventSerializer,
    ProfileSerializer,
)
from tournaments.events.access import event_for_viewer
from tournaments.profiles import services
from tournaments.profiles.access import profile_for_viewer
from tournaments.profiles.history import Lines, career_of, head_to_head
from tournaments.profiles.models import Profile
from tournaments.profiles.selectors import follows_of, profile_of

PLAY = ApiToken.Scope.PLAY
PLAYER = "players/<str:who>/"
OWN = "persons/<slug:person_id>/profile/"
MOST_MATCHES = 100


class Players(Resource):
    """Public profiles."""

    @operation("GET", PLAYER, name="player", answers=ProfileSerializer)
    def players_read(self, request: Request, who: str) -> Response:
        """The public profile of a player, named by id or by `@` and the short name. 404 unless it is switched on."""
        profile: Any = profile_for_viewer(who)
        profile.career = career_of(profile.person)
        return self.answer(profile)

    @operation("GET", f"{PLAYER}history/", name="player_history", pages=PlayedEventSerializer)
    def players_history(self, request: Request, who: str) -> Response:
        """The events the player has played, newest first, as far as each event shows them to everybody."""
        return self.answer(Lines(career_of(profile_for_viewer(who).person)))

    @operation("GET", f"{PLAYER}against/<str:other>/", name="head_to_head", answers=HeadToHeadSerializer)
    def players_against(self, request: Request, who: str, other: str) -> Response:
        """The matches of two players who both have a public profile."""
        first, second = profile_for_viewer(who), profile_for_viewer(other)
        if first == second:
            raise Http404
        found = head_to_head(first, second)
        return self.answer({
            "first": first,
            "second": second,
            "record": found.record,
            "by_game": found.by_game,
            "matches": found.encounters[:MOST_MATCHES],
        })


class OwnProfiles(Resource):
    """The public profiles of the people you act for."""

    scopes = (PLAY,)
    account_needed = True

    @operation("GET", OWN, name="own_profile", answers=OwnProfileSerializer)
    def own_profile_read(self, request: Request, person_id: str) -> Response:
        """Whether somebody you act for has a public profile, and what it says."""
        return self._own(profile_of(person_for_guardian(self.user, person_id)))

    @operation("PUT", OWN, takes=OwnProfileInput, answers=OwnProfileSerializer)
    def own_profile_show(self, request: Request, person_id: str) -> Response:
        """Switch the public profile on, or change it."""
        person = person_for_guardian(self.user, person_id)
        shown = profile_of(person)
        stored = model_to_dict(shown, list(OwnProfileInput().fields)) if shown else self.read()
        return self._own(services.show_profile(person=person, now=self.now, **self.changed(stored)))

    @operation("DELETE", OWN)
    def own_profile_hide(self, request: Request, person_id: str) -> Response:
        """Switch the public profile off: its text is deleted, and it loses its followers. Idempotent."""
        services.hide_profile(person=person_for_guardian(self.user, person_id))
        return self.answer()

    def _own(self, profile: Profile | None) -> Response:
        return self.answer({
            "shown": profile is not None,
            "short_name": profile.short_name if profile else None,
            "text": profile.text if profile else "",
            "searchable": profile.searchable if profile else False,
        })


class Follows(Resource):
    """The events and players you follow. Nobody else can see them."""

    scopes = (PLAY,)
    account_needed = True

    @operation("GET", "me/follows/", name="follows", pages=FollowSerializer)
    def follows_list(self, request: Request) -> Response:
        """The events and players that you follow, newest first."""
        return self.answer(follows_of(self.user))

    @operation("PUT", f"{EVENT}follow/", name="event_follow", takes=NothingInput, status=204)
    def events_follow(self, request: Request, event_id: str) -> Response:
        """Follow an event. Idempotent."""
        services.follow_event(user=self.user, event=event_for_viewer(self.user, event_id), now=self.now)
        return self.answer()

    @operation("DELETE", f"{EVENT}follow/")
    def events_stop_following(self, request: Request, event_id: str) -> Response:
        """Stop following an event. Idempotent."""
        services.stop_following(user=self.user, event=event_for_viewer(self.user, event_id))
        return self.answer()

    @operation("PUT", f"{PLAYER}follow/", name="player_follow", takes=NothingInput, status=204)
    def players_follow(self, request: Request, who: str) -> Response:
        """Follow a player with a public profile. Idempotent."""
        services.follow_player(user=self.user, profile=profile_for_viewer(who), now=self.now)
        return self.answer()

    @operation("DELETE", f"{PLAYER}follow/")
    def players_stop_following(self, request: Request, who: str) -> Response:
        """Stop following a player. Idempotent."""
        services.stop_following(user=self.user, profile=profile_for_viewer(who))
        return self.answer()
