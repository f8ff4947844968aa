"""Move logs: sent, read, their audits, the board at any move; and the question whether a move may be made."""

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.parsers import DocumentParser
from tournaments.api.permissions import require_scope
from tournaments.api.serializers.logs import (
    AnswerSerializer,
    BoardQuery,
    BoardSerializer,
    BranchInput,
    BranchSerializer,
    DifferenceSerializer,
    LegalMoveSerializer,
    LogDetailSerializer,
    LogSerializer,
    MergedSerializer,
    PadInput,
    QuestionInput,
    TwoPositionsInput,
)
from tournaments.api.throttles import UploadThrottle
from tournaments.audits.access import log_for_judge, log_for_reader
from tournaments.audits.branches import open_branch
from tournaments.audits.pads import submit_pad
from tournaments.audits.positions import difference
from tournaments.audits.selectors import branches_of, legal_after, logs_shown, may_be_done, position_shown
from tournaments.audits.services import merge_logs, submit_log, submit_merged
from tournaments.events.access import event_for_staff
from tournaments.play.access import game_for_log, match_for_viewer, seat_of

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


class GameLogsView(Endpoint):
    """The logs of a game."""

    scopes = (PLAY, JUDGE)
    account_needed = True
    parser_classes = [DocumentParser]
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="logs_list", responses=LogSerializer(many=True))
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """The logs of a game that you may read: your own, or all as a judge who does not play the match."""
        match = match_for_viewer(request.user, match_id)
        logs = logs_shown(request.user, match).filter(game__number=number).select_related("game__match")
        return Response(LogSerializer(logs, many=True).data)

    @extend_schema(
        operation_id="logs_submit", request={"application/json": OpenApiTypes.OBJECT}, responses={201: LogSerializer}
    )
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Submit a move log: the body is the document itself, at most 8 MiB, kept byte for byte and then audited."""
        game = game_for_log(request.user, match_id, number)
        require_scope(request, JUDGE if seat_of(request.user, game.match) is None else PLAY)
        document = request.data if isinstance(request.data, bytes) else b""
        log = submit_log(game=game, document=document, by=request.user, now=self.now)
        return Response(LogSerializer(log).data, status=201)


class PadView(Endpoint):
    """The score pad of a game."""

    scopes = (PLAY, JUDGE)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="pads_submit", request=PadInput, responses={201: LogSerializer})
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Hand in the tallies noted turn by turn: they become a log, which is audited. The same pad again is once."""
        game = game_for_log(request.user, match_id, number)
        require_scope(request, JUDGE if seat_of(request.user, game.match) is None else PLAY)
        log = submit_pad(game=game, by=request.user, now=self.now, **self.read(PadInput))
        return Response(LogSerializer(log).data, status=201)


class LogView(Endpoint):
    """One log."""

    account_needed = True

    @extend_schema(operation_id="logs_read", responses=LogDetailSerializer)
    def get(self, request: Request, log_id: str) -> Response:
        """A log with the report of its audit: who sent it, and judges who do not play the match."""
        log = log_for_reader(request.user, log_id)
        return Response(LogDetailSerializer(log, context={"user": request.user}).data)


class BoardView(Endpoint):
    """The board of a replayed log."""

    account_needed = True

    @extend_schema(operation_id="logs_board", parameters=[BoardQuery], responses=BoardSerializer)
    def get(self, request: Request, log_id: str) -> Response:
        """The board after move `n` (0: before the first) as its reader sees it, and the move that led there.

        404 beyond the last move that was replayed, and before the audit. At a refused move the board is the one before
        it. Who sent the log, and judges who do not play the event.
        """
        log = log_for_reader(request.user, log_id)
        position = position_shown(request.user, log, self.read_query(BoardQuery)["n"])
        if position is None:
            raise Http404
        return Response(BoardSerializer({"position": position, "marked": [], **log.audit.outline}).data)


class LegalView(Endpoint):
    """The moves that were legal at a board of a replayed log."""

    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="logs_legal", parameters=[BoardQuery], responses=LegalMoveSerializer(many=True))
    def get(self, request: Request, log_id: str) -> Response:
        """The moves that were legal after entry `n`, or before it where it was refused.

        404 as for the board. Judges who do not play the event read those of every seat, who sent the log the own ones.
        """
        log = log_for_reader(request.user, log_id)
        found = legal_after(request.user, log, self.read_query(BoardQuery)["n"])
        if found is None:
            raise Http404
        return Response(LegalMoveSerializer(found, many=True).data)


class BranchesView(Endpoint):
    """What if: corrections of a log."""

    scopes = (JUDGE,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="logs_branches", responses=BranchSerializer(many=True))
    def get(self, request: Request, log_id: str) -> Response:
        """The branches of a log. Judges who do not play the event."""
        log = log_for_judge(request.user, log_id)
        return Response(BranchSerializer(branches_of([log.game.match]).filter(log=log), many=True).data)

    @extend_schema(operation_id="logs_branch", request=BranchInput, responses={201: BranchSerializer})
    def post(self, request: Request, log_id: str) -> Response:
        """Correct an entry and audit what follows. Kept with the dispute of the match; the log stays as it is."""
        log = log_for_judge(request.user, log_id)
        branch = open_branch(log=log, by=request.user, now=self.now, **self.read(BranchInput))
        return Response(BranchSerializer(branch).data, status=201)


class MergeView(Endpoint):
    """Two half-logs of one game."""

    scopes = (JUDGE,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="logs_merge", responses=MergedSerializer)
    def get(self, request: Request, log_id: str, other_id: str) -> Response:
        """The two as one log, or their first difference. Judges who do not play the event; nothing is kept."""
        one, two = (log_for_judge(request.user, found) for found in (log_id, other_id))
        return Response(MergedSerializer(merge_logs(one=one, two=two)).data)

    @extend_schema(operation_id="logs_keep_merged", request=None, responses={201: LogSerializer})
    def post(self, request: Request, log_id: str, other_id: str) -> Response:
        """Keep the two as one more log of their game, which is then audited. 409 `logs_differ` where they do."""
        one, two = (log_for_judge(request.user, found) for found in (log_id, other_id))
        log = submit_merged(one=one, two=two, by=request.user, now=self.now)
        return Response(LogSerializer(log).data, status=201)


class AskView(Endpoint):
    """May this be done now?"""

    scopes = (JUDGE,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="ask", request=QuestionInput, responses=AnswerSerializer)
    def post(self, request: Request, event_id: str) -> Response:
        """Whether a move may be made in a declared position, or at the end of a log. Judges; nothing is kept."""
        event = event_for_staff(request.user, event_id, "judge")
        asked = self.read(QuestionInput)
        return Response(AnswerSerializer(may_be_done(event=event, **asked, language=get_language() or "en")).data)


class DifferenceView(Endpoint):
    """Two positions."""

    scopes = (JUDGE,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, UploadThrottle]

    @extend_schema(operation_id="difference", request=TwoPositionsInput, responses=DifferenceSerializer(many=True))
    def post(self, request: Request, event_id: str) -> Response:
        """What differs between two positions or ends of logs, as far as both are known. Judges; nothing is kept."""
        event = event_for_staff(request.user, event_id, "judge")
        found = difference(event=event, **self.read(TwoPositionsInput))
        return Response(DifferenceSerializer(found, many=True).data)


class DocumentView(Endpoint):
    """The document of a log."""

    account_needed = True

    @extend_schema(
        operation_id="logs_document", responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "The document as sent.")}
    )
    def get(self, request: Request, log_id: str) -> HttpResponse:
        """The document, byte for byte as it was sent: who sent it, and judges who do not play the match."""
        log = log_for_reader(request.user, log_id)
        answer = HttpResponse(log.document.encode(), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="{log.public_id}.json"'
        return answer
