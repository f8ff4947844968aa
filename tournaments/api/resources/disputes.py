"""Disputes: claims by players, rulings by judges, and appeals to the head judge."""

from collections.abc import Iterable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, MATCH
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.matches import match_answer
from tournaments.api.serializers.disputes import ClaimInput, DisputeSerializer, MatchDisputesSerializer, RulingInput
from tournaments.api.serializers.play import MatchDetailSerializer
from tournaments.api.throttles import ReportThrottle
from tournaments.audits import disputes
from tournaments.audits.models import Dispute
from tournaments.audits.selectors import disputes_of, live_disputes, statements_of
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.play.access import match_for_judge, match_for_player, match_for_viewer, seat_of
from tournaments.play.models import Match

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


def _context(event: Event, listed: Iterable[Dispute]) -> dict[str, Any]:
    return {"sayings": statements_of(event, listed)}


def _match_answer(view: Resource, match: Match) -> Response:
    listed = list(disputes_of([match]))
    shown = {"state": disputes.state_of(match), "disputes": listed}
    return view.answer(shown, **_context(match.round.stage.event, listed))


class Disputes(Resource):
    """The disputes of an event that are waiting for a judge."""

    scopes = (PLAY,)
    account_needed = True

    @operation("GET", f"{EVENT}disputes/", name="disputes", pages=DisputeSerializer)
    def disputes_list(self, request: Request, event_id: str) -> Response:
        """The disputes that are waiting for a judge, oldest first. For judges.

        If a result has only been contested, its match is `disputed`; the first ruling on it opens a dispute.
        """
        event = event_for_staff(self.user, event_id, "judge")
        rows = live_disputes(event)
        return self.answer(rows, **_context(event, rows))

    @operation("GET", f"{MATCH}disputes/", name="match_disputes", answers=MatchDisputesSerializer)
    def matches_disputes(self, request: Request, match_id: str) -> Response:
        """Claims, rulings and appeals. For the players of the match, and judges who do not play it."""
        match = match_for_viewer(self.user, match_id)
        if seat_of(self.user, match) is None:
            match_for_judge(self.user, match_id)
        return _match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}claim/",
        name="claim",
        takes=ClaimInput,
        answers=MatchDisputesSerializer,
        throttle=ReportThrottle,
    )
    def matches_claim(self, request: Request, match_id: str) -> Response:
        """Ask a judge to look into your match. The result stands until then."""
        match = match_for_player(self.user, match_id)
        disputes.claim_wrong(match=match, **self.arguments())
        return _match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}appeal/",
        name="appeal",
        takes=ClaimInput,
        answers=MatchDisputesSerializer,
        throttle=ReportThrottle,
    )
    def matches_appeal(self, request: Request, match_id: str) -> Response:
        """Ask the head judge to review the ruling on your match. The ruling stands until then."""
        match = match_for_player(self.user, match_id)
        disputes.appeal(match=match, **self.arguments())
        return _match_answer(self, match)

    @operation(
        "POST", f"{MATCH}ruling/", name="ruling", takes=RulingInput, answers=MatchDetailSerializer, scopes=(JUDGE,)
    )
    def matches_rule(self, request: Request, match_id: str) -> Response:
        """Keep the result, change it, or order a replay, with a reason. This ends a dispute.

        For judges, except for their own matches; after an appeal, for the head judge only.
        """
        match = match_for_judge(self.user, match_id)
        said = self.read()
        if "penalty" in said:
            said["penalty"] = disputes.RulingPenalty(**said["penalty"])
        read = {name: said.pop(name) for name in ("state", "seen", "acknowledged") if name in said}
        disputes.rule(match=match, by=self.user, wanted=disputes.Wanted(**said), now=self.now, **read)
        return match_answer(self, match)
