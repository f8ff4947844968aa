"""Disputes: claimed by players, ruled by judges, appealed to the head judge."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.disputes import ClaimInput, DisputeSerializer, MatchDisputesSerializer, RulingInput
from tournaments.api.serializers.play import MatchDetailSerializer
from tournaments.api.throttles import ReportThrottle
from tournaments.api.views.matches import match_answer
from tournaments.audits import disputes
from tournaments.audits.models import Dispute
from tournaments.audits.selectors import disputes_of, live_disputes, sayings_of
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.play.access import match_for_judge, match_for_player, match_for_viewer, seat_of
from tournaments.play.models import Match

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


def _context(event: Event, listed: Sequence[Dispute]) -> dict[str, Any]:
    return {"sayings": sayings_of(event, listed)}


def _answer(match: Match) -> Response:
    listed = list(disputes_of([match]))
    shown = {"state": disputes.state_of(match), "disputes": listed}
    return Response(MatchDisputesSerializer(shown, context=_context(match.round.stage.event, listed)).data)


class DisputesView(Endpoint):
    """The queue of an event."""

    account_needed = True

    @extend_schema(operation_id="disputes_list", parameters=PAGING, responses=page_of("Dispute", DisputeSerializer))
    def get(self, request: Request, event_id: str) -> Response:
        """The disputes that wait for a judge, the oldest first, one page. Judges.

        A result just contested is `disputed` on its match; its dispute is opened by the first ruling on it.
        """
        event = event_for_staff(request.user, event_id, "judge")
        rows = live_disputes(event)
        return self.page(rows, DisputeSerializer, **_context(event, rows))


class MatchDisputesView(Endpoint):
    """The disputes of a match."""

    account_needed = True

    @extend_schema(operation_id="matches_disputes", responses=MatchDisputesSerializer)
    def get(self, request: Request, match_id: str) -> Response:
        """What was claimed, ruled and appealed: its players, and judges who do not play it."""
        match = match_for_viewer(request.user, match_id)
        if seat_of(request.user, match) is None:
            match_for_judge(request.user, match_id)
        return _answer(match)


class ClaimView(Endpoint):
    """A result claimed to be wrong."""

    scopes = (PLAY,)
    throttle_classes = [*Endpoint.throttle_classes, ReportThrottle]

    @extend_schema(operation_id="matches_claim", request=ClaimInput, responses={200: MatchDisputesSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Ask a judge to look into your match; its result stands until then."""
        match = match_for_player(request.user, match_id)
        disputes.claim_wrong(match=match, by=request.user, now=self.now, **self.read(ClaimInput))
        return _answer(match)


class AppealView(Endpoint):
    """A ruling appealed."""

    scopes = (PLAY,)
    throttle_classes = [*Endpoint.throttle_classes, ReportThrottle]

    @extend_schema(operation_id="matches_appeal", request=ClaimInput, responses={200: MatchDisputesSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Ask the head judge to look at the ruling on your match; it stands until then."""
        match = match_for_player(request.user, match_id)
        disputes.appeal(match=match, by=request.user, now=self.now, **self.read(ClaimInput))
        return _answer(match)


class RulingView(Endpoint):
    """A ruling."""

    scopes = (JUDGE,)

    @extend_schema(operation_id="matches_rule", request=RulingInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Keep the result, change it, or have it played again, with a reason; it ends a dispute.

        Judges, but for their own matches; the head judge alone where a ruling was appealed.
        """
        match = match_for_judge(request.user, match_id)
        said = self.read(RulingInput)
        if "penalty" in said:
            said["penalty"] = disputes.Punished(**said["penalty"])
        read = {name: said.pop(name) for name in ("state", "seen", "acknowledged") if name in said}
        disputes.rule(match=match, by=request.user, wanted=disputes.Wanted(**said), now=self.now, **read)
        return match_answer(request, match)
