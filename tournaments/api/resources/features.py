"""Feature matches: named by staff, and followed by the public some minutes later."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, MATCH
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.features import FeatureInput, FeatureSerializer, WatchQuery, WatchSerializer
from tournaments.audits import features
from tournaments.audits.access import feature_for_viewer
from tournaments.audits.models import Feature
from tournaments.audits.watching import features_shown, watched
from tournaments.events.access import event_for_viewer
from tournaments.play.access import match_for_staff


class FeatureMatches(Resource):
    """The feature matches of an event."""

    scopes = (ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE)

    @operation("GET", f"{EVENT}features/", name="features", lists=FeatureSerializer)
    def features_list(self, request: Request, event_id: str) -> Response:
        """The feature matches that you can follow now, newest first. Public."""
        event = event_for_viewer(self.user, event_id)
        return self.answer(features_shown(self.user, event))

    @operation("PUT", f"{MATCH}feature/", name="feature", takes=FeatureInput, answers=FeatureSerializer)
    def feature_name(self, request: Request, match_id: str) -> Response:
        """Let the public follow the match, or change the delay. For staff.

        409 if one of its players stays off streams.
        """
        match = match_for_staff(self.user, match_id, "feature")
        named_before = Feature.objects.filter(match=match).values("delay").first()
        wanted = self.changed(named_before or self.read())
        named = features.name_feature(match=match, **wanted, by=self.user, now=self.now)
        return self.answer(named)

    @operation("DELETE", f"{MATCH}feature/")
    def feature_withdraw(self, request: Request, match_id: str) -> Response:
        """End it: the public can no longer follow the match. Idempotent. For staff."""
        match = match_for_staff(self.user, match_id, "feature")
        features.withdraw_feature(match=match, **self.arguments())
        return self.answer()

    @operation("GET", f"{MATCH}watch/", name="watch", query=WatchQuery, answers=WatchSerializer)
    def watch(self, request: Request, match_id: str) -> Response:
        """The board and the last moves as they were `delay` minutes ago, or after an earlier entry. Public."""
        feature = feature_for_viewer(self.user, match_id)
        wanted = self.read_query()
        found = watched(feature, self.now, wanted.get("game"), wanted.get("n"))
        if found is None:
            raise Http404
        return self.answer(found)
