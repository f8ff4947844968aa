"""The judges' floor: calls of players, turns after time, penalties, deck checks."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.judging import (
    CallInput,
    CallSerializer,
    CallsQuery,
    CallStepInput,
    CountInput,
    DeckCheckSerializer,
    HistorySerializer,
    InfractionSerializer,
    OpenChecksInput,
    PenaltiesQuery,
    PenaltyInput,
    PenaltySerializer,
    ReopenInput,
    TurnInput,
)
from tournaments.api.throttles import ReportThrottle
from tournaments.decks.services import close_list
from tournaments.events.access import entrant_for_staff, event_for_staff
from tournaments.judging import checks, services
from tournaments.judging.access import (
    call_for_judge,
    call_for_player,
    check_for_judge,
    penalties_for_reader,
    penalty_for_judge,
    round_for_checks,
)
from tournaments.judging.infractions import infractions
from tournaments.judging.penalties import give_penalty, reopen_with_penalty, withdraw_penalty
from tournaments.judging.selectors import (
    calls_of,
    live_calls,
    penalties_of,
    penalties_of_entrant,
    proposals,
)
from tournaments.play.access import match_for_judge, match_for_player, match_for_staff, match_for_viewer, seat_of

PLAY, JUDGE, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE, ApiToken.Scope.ORGANIZE


class CallsView(Endpoint):
    """The queue of calls."""

    account_needed = True

    @extend_schema(
        operation_id="calls_list", parameters=[CallsQuery, *PAGING], responses=page_of("Call", CallSerializer)
    )
    def get(self, request: Request, event_id: str) -> Response:
        """The calls that wait or are being answered, the oldest first, one page. Judges."""
        event = event_for_staff(request.user, event_id, "judge")
        return self.page(live_calls(event).filter(**self.read_query(CallsQuery)), CallSerializer)


class MatchCallsView(Endpoint):
    """The calls of a match."""

    scopes = (PLAY,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, ReportThrottle]

    @extend_schema(operation_id="matches_calls", responses=CallSerializer(many=True))
    def get(self, request: Request, match_id: str) -> Response:
        """All of them, the oldest first: its players, and judges who do not play it."""
        match = match_for_viewer(request.user, match_id)
        if seat_of(request.user, match) is None:
            match_for_judge(request.user, match_id)
        return Response(CallSerializer(calls_of([match]), many=True).data)

    @extend_schema(operation_id="matches_call", request=CallInput, responses={200: CallSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Call a judge to your table. While a call of the table is live, that one is the answer."""
        match = match_for_player(request.user, match_id)
        call = services.call_judge(match=match, by=request.user, now=self.now, **self.read(CallInput))
        return Response(CallSerializer(call).data)


class CallView(Endpoint):
    """One call."""

    scopes = (JUDGE, PLAY)

    @extend_schema(operation_id="calls_step", request=CallStepInput, responses={200: CallSerializer})
    def post(self, request: Request, call_id: str) -> Response:
        """Claim it, leave it to another judge, escalate it to the head judge, end it: judges, but for own matches."""
        call = call_for_judge(request.user, call_id)
        wanted = self.read(CallStepInput)
        if wanted["action"] == "resolve":
            services.resolve_call(call=call, by=request.user, minutes=wanted["minutes"], now=self.now)
        else:
            steps = {
                "claim": services.claim_call,
                "release": services.release_call,
                "escalate": services.escalate_call,
            }
            steps[wanted["action"]](call=call, by=request.user, now=self.now)
        return Response(CallSerializer(call).data)

    @extend_schema(operation_id="calls_withdraw", responses={204: None})
    def delete(self, request: Request, call_id: str) -> Response:
        """Take it back while no judge is on the way: the players of the table."""
        call = call_for_player(request.user, call_id)
        services.withdraw_call(call=call, by=request.user, now=self.now)
        return Response(status=204)


class TurnView(Endpoint):
    """The turn after time."""

    scopes = (JUDGE, ORGANIZE)

    @extend_schema(operation_id="matches_turn", request=TurnInput, responses={204: None})
    def post(self, request: Request, match_id: str) -> Response:
        """Note which turn a table plays after time: judges and the desk, but for their own matches."""
        match = match_for_staff(request.user, match_id, "extend_time")
        services.note_turn(match=match, by=request.user, now=self.now, **self.read(TurnInput))
        return Response(status=204)


class InfractionsView(Endpoint):
    """The ladder."""

    @extend_schema(operation_id="infractions_list", responses=InfractionSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Every infraction by category, with the levels proposed. Public."""
        rows = [
            {"category": category, "infraction": name, "ladder": ladder} for category, name, ladder in infractions()
        ]
        return Response(InfractionSerializer(rows, many=True).data)


class PenaltiesView(Endpoint):
    """The penalties of an event."""

    account_needed = True

    @extend_schema(
        operation_id="penalties_list",
        parameters=[PenaltiesQuery, *PAGING],
        responses=page_of("Penalty", PenaltySerializer),
    )
    def get(self, request: Request, event_id: str) -> Response:
        """All of them, the newest first, one page. Judges."""
        event = event_for_staff(request.user, event_id, "judge")
        return self.page(penalties_of(event).filter(**self.read_query(PenaltiesQuery)), PenaltySerializer)


class EntrantPenaltiesView(Endpoint):
    """The history of one entrant."""

    scopes = (JUDGE,)
    account_needed = True

    @extend_schema(operation_id="entrants_penalties", responses=HistorySerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """Its penalties in the event, in order, and what the ladder proposes now: itself, and judges."""
        entrant = penalties_for_reader(request.user, entrant_id)
        shown = {"penalties": penalties_of_entrant(entrant), "proposals": proposals(entrant)}
        return Response(HistorySerializer(shown).data)

    @extend_schema(operation_id="entrants_penalize", request=PenaltyInput, responses={201: PenaltySerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Give a penalty: judges, but not to themselves nor at their own table; who may disqualify, to disqualify."""
        entrant = entrant_for_staff(request.user, entrant_id, "judge")
        penalty = give_penalty(entrant=entrant, by=request.user, now=self.now, **self.read(PenaltyInput))
        return Response(PenaltySerializer(penalty).data, status=201)


class PenaltyWithdrawView(Endpoint):
    """A penalty taken back."""

    scopes = (JUDGE,)

    @extend_schema(operation_id="penalties_withdraw", request=NothingInput, responses={204: None})
    def post(self, request: Request, penalty_id: str) -> Response:
        """Take it back with what it cost: who gave it, or a head judge."""
        penalty = penalty_for_judge(request.user, penalty_id)
        self.read(NothingInput)
        withdraw_penalty(penalty=penalty, by=request.user, now=self.now)
        return Response(status=204)


class DeckChecksView(Endpoint):
    """The deck checks of a round."""

    scopes = (JUDGE,)
    account_needed = True

    @extend_schema(
        operation_id="deck_checks_list", parameters=PAGING, responses=page_of("DeckCheck", DeckCheckSerializer)
    )
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """All of them by table, one page: judges who do not play the event."""
        round_ = round_for_checks(request.user, event_id, number)
        return self.page(checks.checks_of(round_), DeckCheckSerializer)

    @extend_schema(
        operation_id="deck_checks_open", request=OpenChecksInput, responses={201: DeckCheckSerializer(many=True)}
    )
    def post(self, request: Request, event_id: str, number: int) -> Response:
        """Draw tables by chance from a kept seed, or choose one: judges who do not play the event."""
        round_ = round_for_checks(request.user, event_id, number)
        wanted = self.read(OpenChecksInput)
        if "tables" in wanted:
            made = checks.draw_checks(round_=round_, tables=wanted["tables"], by=request.user, now=self.now)
        else:
            match = round_.matches.filter(table=wanted["table"]).first()
            if match is None:
                raise Http404
            match.round = round_
            made = checks.check_table(match=match, by=request.user, now=self.now)
        return Response(DeckCheckSerializer(made, many=True).data, status=201)


class DeckCheckView(Endpoint):
    """One deck check."""

    scopes = (JUDGE,)
    account_needed = True

    @extend_schema(operation_id="deck_checks_read", responses=DeckCheckSerializer)
    def get(self, request: Request, check_id: str) -> Response:
        """The list, and what was counted otherwise: judges who do not play the event."""
        return Response(DeckCheckSerializer(check_for_judge(request.user, check_id)).data)

    @extend_schema(operation_id="deck_checks_finish", request=CountInput, responses={200: DeckCheckSerializer})
    def post(self, request: Request, check_id: str) -> Response:
        """Keep what was counted, with more time for the table: judges who do not play the event."""
        check = check_for_judge(request.user, check_id)
        done = checks.finish_check(check=check, by=request.user, now=self.now, **self.read(CountInput))
        return Response(DeckCheckSerializer(done).data)


class ReopenListView(Endpoint):
    """One player's list, opened again."""

    scopes = (JUDGE,)

    @extend_schema(operation_id="entrants_reopen_list", request=ReopenInput, responses={201: PenaltySerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Open a list for one more version after the lock, with a reason and a penalty: head judges."""
        entrant = entrant_for_staff(request.user, entrant_id, "reopen_list")
        penalty = reopen_with_penalty(entrant=entrant, by=request.user, now=self.now, **self.read(ReopenInput))
        return Response(PenaltySerializer(penalty).data, status=201)

    @extend_schema(operation_id="entrants_close_list", responses={204: None})
    def delete(self, request: Request, entrant_id: str) -> Response:
        """Close it again without a new version: head judges."""
        entrant = entrant_for_staff(request.user, entrant_id, "reopen_list")
        close_list(entrant=entrant, by=request.user, now=self.now)
        return Response(status=204)
