"""Recordings: opened, moved in, taken back by agreement, shared, handed in."""

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.permissions import require_scope
from tournaments.api.serializers.logs import LogSerializer
from tournaments.api.serializers.recordings import (
    RecordedEntryInput,
    RecordedEntrySerializer,
    RecordingSerializer,
    SequenceInput,
)
from tournaments.audits import engine_gate, recording
from tournaments.audits.access import Recorder, game_to_record, recorder_for
from tournaments.play.access import seat_of

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


def _answer(recorder: Recorder, status: int = 200) -> Response:
    game = recording.live_game(recorder.recording)
    board = game.board()
    shown = {
        "recording": recorder.recording,
        "n": recorder.recording.entries.count(),
        "digest": game.digest,
        "actors": recorder.actors,
        "legal": [] if game.result else game.legal_moves(recorder.actors),
        "responses": [] if game.result else game.responses(recorder.actors),
        "board": board if recorder.seat is None else engine_gate.seen_by(board, recorder.seat),
        "over": game.result is not None,
        "undo_asked": recorder.recording.undo_asked_by_id is not None,
    }
    return Response(RecordingSerializer(shown).data, status=status)


class _Recording(Endpoint):
    """What the gestures on a recording have in common."""

    scopes: tuple[str, ...] = (PLAY, JUDGE)
    account_needed = True

    def recorder(self, request: Request, recording_id: str) -> Recorder:
        """The recording, where the token has the scope for this role."""
        found = recorder_for(request.user, recording_id)
        require_scope(request, JUDGE if found.seat is None else PLAY)
        return found


class RecordingsView(Endpoint):
    """The recording of a game."""

    scopes = (PLAY, JUDGE)
    account_needed = True

    @extend_schema(operation_id="recordings_open", request=None, responses={200: RecordingSerializer})
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Begin to record a game, or go on with the recording that is open. Its players, and judges."""
        game = game_to_record(request.user, match_id, number)
        require_scope(request, JUDGE if seat_of(request.user, game.match) is None else PLAY)
        opened = recording.open_recording(game=game, by=request.user, now=self.now)
        return _answer(recorder_for(request.user, opened.public_id))


class RecordingView(Endpoint):
    """One recording."""

    account_needed = True

    @extend_schema(operation_id="recordings_read", responses=RecordingSerializer)
    def get(self, request: Request, recording_id: str) -> Response:
        """The board, what may be done now, and where the sequence stands. Players see their own cards."""
        return _answer(recorder_for(request.user, recording_id))


class MovesView(_Recording):
    """The moves of a recording."""

    @extend_schema(operation_id="recordings_move", request=RecordedEntryInput, responses={201: RecordedEntrySerializer})
    def post(self, request: Request, recording_id: str) -> Response:
        """Enter a move; 422 `move_refused` with every reason where the rules refuse it. The same key again is once."""
        recorder = self.recorder(request, recording_id)
        said = self.read(RecordedEntryInput)
        kept = recording.record_move(
            recorder=recorder, by=request.user, now=self.now, language=(get_language() or "en").split("-")[0], **said
        )
        return Response(RecordedEntrySerializer(kept).data, status=201)


class UndoView(_Recording):
    """A move taken back."""

    @extend_schema(operation_id="recordings_undo", request=SequenceInput, responses={200: RecordingSerializer})
    def post(self, request: Request, recording_id: str) -> Response:
        """Ask to take the last move back, or agree to it; a judge, and who records alone, takes it back at once."""
        recorder = self.recorder(request, recording_id)
        recording.ask_undo(recorder=recorder, by=request.user, now=self.now, **self.read(SequenceInput))
        return _answer(recorder_for(request.user, recording_id))


class ShareView(_Recording):
    """A seat shared."""

    @extend_schema(operation_id="recordings_share", request=None, responses={200: RecordingSerializer})
    def post(self, request: Request, recording_id: str) -> Response:
        """Let the other player record for your seat too."""
        recorder = self.recorder(request, recording_id)
        recording.share_seat(recorder=recorder, by=request.user, now=self.now)
        return _answer(recorder_for(request.user, recording_id))


class HandInView(_Recording):
    """A recording ended."""

    @extend_schema(operation_id="recordings_hand_in", request=None, responses={201: LogSerializer})
    def post(self, request: Request, recording_id: str) -> Response:
        """End the recording: its log is kept for the game and audited."""
        recorder = self.recorder(request, recording_id)
        log = recording.hand_in(recorder=recorder, by=request.user, now=self.now)
        return Response(LogSerializer(log).data, status=201)
