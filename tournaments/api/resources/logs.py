"""Move logs: uploading and reading them, their audits, the board at any move, and questions about legal moves."""

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, GAME, LOG
from tournaments.api.parsers import DocumentParser
from tournaments.api.permissions import require_scope
from tournaments.api.resource import Resource, operation
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
    ReplaySerializer,
    ShareInput,
    TwoPositionsInput,
)
from tournaments.api.throttles import UploadThrottle
from tournaments.audits import replays
from tournaments.audits.access import log_for_judge, log_for_reader, replay_for_reader
from tournaments.audits.branches import open_branch
from tournaments.audits.comparison import compare_logs
from tournaments.audits.pads import submit_pad
from tournaments.audits.positions import difference
from tournaments.audits.selectors import (
    ask_move,
    branches_of,
    legal_after,
    logs_shown,
    position_shown,
    replays_shown,
)
from tournaments.audits.services import share_replay, submit_log, submit_merged
from tournaments.events.access import event_for_staff
from tournaments.paper.positions import log_picture
from tournaments.play.access import game_for_log, match_for_viewer, seat_of

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


class GameLogs(Resource):
    """The logs of a game."""

    scopes = (PLAY, JUDGE)
    account_needed = True

    @operation("GET", f"{GAME}logs/", name="game_logs", lists=LogSerializer)
    def logs_list(self, request: Request, match_id: str, number: int) -> Response:
        """The logs of a game that you may read: your own, or all if you are a judge who does not play the event."""
        match = match_for_viewer(self.user, match_id)
        logs = logs_shown(self.user, match).filter(game__number=number).select_related("game__match")
        return self.answer(logs)

    @operation("GET", f"{GAME}replays/", name="game_replays", lists=ReplaySerializer)
    def logs_replays(self, request: Request, match_id: str, number: int) -> Response:
        """Other players' logs that a judge shares with you as a player of the match: see `board`."""
        match = match_for_viewer(self.user, match_id)
        return self.answer(replays_shown(self.user, match).filter(game__number=number))

    @operation(
        "POST",
        f"{GAME}logs/",
        request={"application/json": OpenApiTypes.OBJECT},
        answers=LogSerializer,
        status=201,
        throttle=UploadThrottle,
        parser_classes=[DocumentParser],
    )
    def logs_submit(self, request: Request, match_id: str, number: int) -> Response:
        """Submit a move log. The body is the document itself, at most 8 MiB; it is stored byte for byte and audited.

        For the players and the judges of the match. The same document again returns the stored log.
        """
        game = game_for_log(self.user, match_id, number)
        require_scope(request, JUDGE if seat_of(self.user, game.match) is None else PLAY)
        document = self.document()
        log = submit_log(game=game, document=document, **self.arguments())
        return self.answer(log)

    @operation(
        "POST",
        f"{GAME}pad/",
        name="game_pad",
        takes=PadInput,
        answers=LogSerializer,
        status=201,
        throttle=UploadThrottle,
    )
    def pads_submit(self, request: Request, match_id: str, number: int) -> Response:
        """Submit a score pad. It becomes a log, which is audited; the same pad again returns the stored log.

        For the players and the judges of the match.
        """
        game = game_for_log(self.user, match_id, number)
        require_scope(request, JUDGE if seat_of(self.user, game.match) is None else PLAY)
        log = submit_pad(game=game, **self.arguments())
        return self.answer(log)


class Logs(Resource):
    """One log."""

    scopes = (JUDGE,)
    account_needed = True

    @operation("GET", LOG, name="log", answers=LogDetailSerializer)
    def logs_read(self, request: Request, log_id: str) -> Response:
        """A log with the report of its audit. For whoever sent it, and judges who do not play the event."""
        log = log_for_reader(self.user, log_id)
        return self.answer(log, user=self.user)

    @operation("GET", f"{LOG}board/", name="board", query=BoardQuery, answers=BoardSerializer)
    def logs_board(self, request: Request, log_id: str) -> Response:
        """The board after entry `n` (0: before the first), as you may see it, and the move that led there.

        404 beyond the last entry that was replayed, and until the audit is done. At a refused entry the board is the
        one before it. For whoever sent the log, judges who do not play the event, and the players of the match if it
        is shown to them.
        """
        log = replay_for_reader(self.user, log_id)
        position = position_shown(self.user, log, self.read_query()["n"])
        if position is None:
            raise Http404
        outline = replays.outline_of(log.audit)
        return self.answer({"position": position, **outline, "marked": replays.marked(outline["landmarks"])})

    @operation("POST", f"{LOG}share/", name="share", takes=ShareInput, answers=LogSerializer)
    def logs_share(self, request: Request, log_id: str) -> Response:
        """Let the players of the match replay a log, each as their seat saw the game, or stop letting them.

        For judges who do not play the event.
        """
        log = log_for_judge(self.user, log_id)
        return self.answer(share_replay(log=log, **self.arguments()))

    @operation(
        "GET",
        f"{LOG}picture/",
        name="board_picture",
        query=BoardQuery,
        responses={(200, "image/png"): OpenApiResponse(OpenApiTypes.BINARY, "The picture.")},
    )
    def logs_picture(self, request: Request, log_id: str) -> HttpResponse:
        """The board after entry `n` as a picture, a PNG, with the move that led there. Cards, access and 404 as there.

        Players who stay off streams are not named.
        """
        log = replay_for_reader(self.user, log_id)
        n = self.read_query()["n"]
        picture = log_picture(self.user, log, n)
        if picture is None:
            raise Http404
        answer = HttpResponse(picture, content_type="image/png")
        answer["Content-Disposition"] = f'attachment; filename="{log.public_id}-{n}.png"'
        return answer

    @operation("GET", f"{LOG}legal/", name="legal", query=BoardQuery, lists=LegalMoveSerializer)
    def logs_legal(self, request: Request, log_id: str) -> Response:
        """The moves that were legal after entry `n`, or before it if it was refused.

        404 as for the board. Judges who do not play the event get the moves of every seat, the player who sent the log
        only their own. If there are more moves than are listed, the response has the header `X-More: true`.
        """
        log = log_for_reader(self.user, log_id)
        found = legal_after(self.user, log, self.read_query()["n"])
        if found is None:
            raise Http404
        answer = self.answer(found.moves)
        if found.more:
            answer["X-More"] = "true"
        return answer

    @operation("GET", f"{LOG}branches/", name="branches", lists=BranchSerializer)
    def logs_branches(self, request: Request, log_id: str) -> Response:
        """The variations of a log. For judges who do not play the event."""
        log = log_for_judge(self.user, log_id)
        return self.answer(branches_of([log.game.match]).filter(log=log))

    @operation(
        "POST", f"{LOG}branches/", takes=BranchInput, answers=BranchSerializer, status=201, throttle=UploadThrottle
    )
    def logs_branch(self, request: Request, log_id: str) -> Response:
        """Correct an entry and audit what follows. For judges who do not play the event.

        The variation is stored with the dispute of the match; the log itself does not change.
        """
        log = log_for_judge(self.user, log_id)
        given = self.arguments()
        line = given.pop("entries", None)
        branch = open_branch(log=log, **given | ({"entry": line} if given["correction"] == "continue" else {}))
        return self.answer(branch)

    @operation("GET", f"{LOG}merge/<slug:other_id>/", name="merge", answers=MergedSerializer)
    def logs_merge(self, request: Request, log_id: str, other_id: str) -> Response:
        """The two as one log, or their first difference. Nothing is stored. For judges who do not play the event."""
        one, two = (log_for_judge(self.user, found) for found in (log_id, other_id))
        return self.answer(compare_logs(one=one, two=two))

    @operation("POST", f"{LOG}merge/<slug:other_id>/", answers=LogSerializer, status=201, throttle=UploadThrottle)
    def logs_keep_merged(self, request: Request, log_id: str, other_id: str) -> Response:
        """Save the merged log as another log of the game, and audit it. For judges who do not play the event.

        409 `logs_differ` if the two contradict each other.
        """
        one, two = (log_for_judge(self.user, found) for found in (log_id, other_id))
        log = submit_merged(one=one, two=two, **self.arguments())
        return self.answer(log)

    @operation(
        "GET",
        f"{LOG}document/",
        name="document",
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "The document as sent.")},
    )
    def logs_document(self, request: Request, log_id: str) -> HttpResponse:
        """The log itself, byte for byte. For whoever sent it, and judges who do not play the event."""
        log = log_for_reader(self.user, log_id)
        answer = HttpResponse(log.document.encode(), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="{log.public_id}.json"'
        return answer


class Questions(Resource):
    """Questions about a position."""

    scopes = (JUDGE,)

    @operation(
        "POST", f"{EVENT}ask/", name="ask", takes=QuestionInput, answers=AnswerSerializer, throttle=UploadThrottle
    )
    def ask(self, request: Request, event_id: str) -> Response:
        """Whether a move is legal in a declared position, or at the end of a log. Nothing is stored. For judges."""
        event = event_for_staff(self.user, event_id, "judge")
        asked = self.read()
        return self.answer(ask_move(event=event, **asked, language=get_language() or "en"))

    @operation(
        "POST",
        f"{EVENT}difference/",
        name="difference",
        takes=TwoPositionsInput,
        lists=DifferenceSerializer,
        throttle=UploadThrottle,
    )
    def difference(self, request: Request, event_id: str) -> Response:
        """The differences between two positions, or the final boards of two logs. Nothing is stored. For judges.

        Only facts that are known in both are compared.
        """
        event = event_for_staff(self.user, event_id, "judge")
        found = difference(event=event, **self.read())
        return self.answer(found)
