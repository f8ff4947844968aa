"""Matches: reported, confirmed, contested, entered by the desk, ruled by a judge."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.permissions import require_scope
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.play import (
    ConfirmInput,
    ContestInput,
    DeskResultInput,
    MatchDetailSerializer,
    MinutesInput,
    ReportInput,
    StartInput,
)
from tournaments.api.throttles import ReportThrottle
from tournaments.api.views.reader import reader_of
from tournaments.events.access import require
from tournaments.play import services as play
from tournaments.play.access import match_for_player, match_for_staff, match_for_viewer, seat_of
from tournaments.play.models import Match, Report, Round
from tournaments.play.selectors import matches_of

PLAY, JUDGE, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE, ApiToken.Scope.ORGANIZE


def match_answer(request: Request, match: Match) -> Response:
    """A match as this reader sees it, as it is in the database now."""
    fresh = matches_of(match.round).get(pk=match.pk)
    context = reader_of(request.user, match.round.stage.event)
    return Response(MatchDetailSerializer(fresh, context=context).data)


def report_of(match: Match, key: int) -> Report:
    """A report of this very match."""
    report = match.reports.filter(pk=key).first()
    if report is None:
        raise Http404
    return report


class MatchView(Endpoint):
    """One match."""

    @extend_schema(operation_id="matches_read", responses=MatchDetailSerializer)
    def get(self, request: Request, match_id: str) -> Response:
        """A match of a published round; of a draft, for staff who do not sit there."""
        match = match_for_viewer(request.user, match_id)
        if match.round.status == Round.Status.DRAFT and seat_of(request.user, match) is not None:
            raise Http404
        return match_answer(request, match)


class ReportView(Endpoint):
    """A result given by a player."""

    scopes = (PLAY,)
    throttle_classes = [*Endpoint.throttle_classes, ReportThrottle]

    @extend_schema(operation_id="matches_report", request=ReportInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Report the result of your match. The opponent's same report confirms it, a different one contests it."""
        match = match_for_player(request.user, match_id)
        play.report_result(match=match, by=request.user, now=self.now, **self.read(ReportInput))
        return match_answer(request, match)


class ConfirmView(Endpoint):
    """A report agreed with."""

    scopes = (PLAY,)
    throttle_classes = [*Endpoint.throttle_classes, ReportThrottle]

    @extend_schema(operation_id="matches_confirm", request=ConfirmInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Confirm your opponent's report; the result counts. Twice is once."""
        match = match_for_player(request.user, match_id)
        report = report_of(match, self.read(ConfirmInput)["report"])
        play.confirm_result(match=match, report=report, by=request.user, now=self.now)
        return match_answer(request, match)


class ContestView(Endpoint):
    """A report not agreed with."""

    scopes = (PLAY,)
    throttle_classes = [*Endpoint.throttle_classes, ReportThrottle]

    @extend_schema(operation_id="matches_contest", request=ContestInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Contest your opponent's report; a judge decides."""
        match = match_for_player(request.user, match_id)
        wanted = self.read(ContestInput)
        report = report_of(match, wanted["report"])
        play.contest_result(match=match, report=report, by=request.user, now=self.now, reason=wanted["reason"])
        return match_answer(request, match)


class StartView(Endpoint):
    """Who starts, after a cut."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="matches_start", request=StartInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Say which seat starts: the higher seed (scope `play`), or the desk (scope `organize`)."""
        try:
            match = match_for_player(request.user, match_id)
        except Http404:
            match = match_for_staff(request.user, match_id, "run_desk")
            require_scope(request, ORGANIZE)
        else:
            require_scope(request, PLAY)
        play.choose_start(match=match, by=request.user, now=self.now, **self.read(StartInput))
        return match_answer(request, match)


class ResultView(Endpoint):
    """A result from the desk."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="matches_result", request=DeskResultInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Enter the result: the desk, but for its own matches. The same result again is a silent tick.

        `paired_before` of the answer names a round whose pairings the correction may affect.
        """
        match = match_for_staff(request.user, match_id, "run_desk")
        said = self.read(DeskResultInput)
        enter = play.override_result
        if said.pop("reopen"):
            require(request.user, match.round.stage.event, "reopen_event")
            enter = play.correct_after_end
        enter(match=match, by=request.user, now=self.now, **said)
        return match_answer(request, match)


class UndoView(Endpoint):
    """An entry of the desk taken back."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="matches_undo", request=NothingInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Take back your own last entry at this table, with the drops of its slip: the desk."""
        match = match_for_staff(request.user, match_id, "run_desk")
        self.read(NothingInput)
        play.undo_slip(match=match, by=request.user, now=self.now)
        return match_answer(request, match)


class ExtensionView(Endpoint):
    """Minutes for one table."""

    scopes = (JUDGE, ORGANIZE)

    @extend_schema(operation_id="matches_extend", request=MinutesInput, responses={200: MatchDetailSerializer})
    def post(self, request: Request, match_id: str) -> Response:
        """Give one table more time: judges and the desk, but for their own matches."""
        match = match_for_staff(request.user, match_id, "extend_time")
        play.extend_table(match=match, by=request.user, now=self.now, **self.read(MinutesInput))
        return match_answer(request, match)
