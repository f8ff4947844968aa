"""Feature matches: named by staff, followed by everybody some minutes late."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.features import FeatureInput, FeatureSerializer, WatchQuery, WatchSerializer
from tournaments.audits import features
from tournaments.audits.access import feature_for_viewer
from tournaments.audits.watching import features_shown, watched
from tournaments.events.access import event_for_viewer
from tournaments.play.access import match_for_staff


class FeaturesView(Endpoint):
    """The feature matches of an event."""

    @extend_schema(operation_id="features_list", responses=FeatureSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """The matches that you may follow now, the newest named first. Public."""
        event = event_for_viewer(request.user, event_id)
        return Response(FeatureSerializer(features_shown(request.user, event), many=True).data)


class FeatureView(Endpoint):
    """A match as a feature match."""

    scopes = (ApiToken.Scope.ORGANIZE, ApiToken.Scope.JUDGE)

    @extend_schema(operation_id="feature_name", request=FeatureInput, responses=FeatureSerializer)
    def put(self, request: Request, match_id: str) -> Response:
        """Let the public follow the match, or change how late: staff. 409 where a player keeps off streams."""
        match = match_for_staff(request.user, match_id, "feature")
        named = features.name_feature(match=match, by=request.user, now=self.now, **self.read(FeatureInput))
        return Response(FeatureSerializer(named).data)

    @extend_schema(operation_id="feature_withdraw", responses={204: None})
    def delete(self, request: Request, match_id: str) -> Response:
        """The public follows it no longer: staff. Twice is once."""
        match = match_for_staff(request.user, match_id, "feature")
        features.withdraw_feature(match=match, by=request.user, now=self.now)
        return Response(status=204)


class WatchView(Endpoint):
    """What the public sees of a feature match."""

    @extend_schema(operation_id="watch", parameters=[WatchQuery], responses=WatchSerializer)
    def get(self, request: Request, match_id: str) -> Response:
        """The board and the last moves as they were when the delay began, or after an earlier entry. Public."""
        feature = feature_for_viewer(request.user, match_id)
        wanted = self.read_query(WatchQuery)
        found = watched(feature, self.now, wanted.get("game"), wanted.get("n"))
        if found is None:
            raise Http404
        return Response(WatchSerializer(found).data)
