"""Recordings: starting one, entering moves, undoing by agreement, sharing a seat, handing in and taking back."""

from typing import Any

from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from engine import face
from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, GAME, RECORDING
from tournaments.api.permissions import require_scope
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.logs import LogSerializer
from tournaments.api.serializers.recordings import (
    RecordedEntryInput,
    RecordedEntrySerializer,
    RecordingSerializer,
    SequenceInput,
    TableToRecordSerializer,
)
from tournaments.audits import recording
from tournaments.audits.access import Recorder, event_to_record, game_to_record, recorder_for, table_of_scribe
from tournaments.audits.selectors import tables_to_record
from tournaments.play.access import seat_of

PLAY, JUDGE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE


def _shown(recorder: Recorder) -> dict[str, Any]:
    game = recording.live_game(recorder.recording)
    board = game.board()
    nothing = face.live.LegalMoves([], False)
    legal = nothing if game.result else game.legal_moves(recorder.actors)
    responses = nothing if game.result else game.responses(recorder.actors)
    return {
        "recording": recorder.recording,
        "n": recorder.recording.entries.count(),
        "digest": game.digest,
        "actors": recorder.actors,
        "legal": legal.moves,
        "more_legal": legal.more,
        "responses": responses.moves,
        "more_responses": responses.more,
        "board": board if recorder.seat is None else face.boards.seen_by(board, recorder.seat),
        "over": game.result is not None,
        "undo_asked": recorder.recording.undo_asked_by_id is not None,
    }


class Recordings(Resource):
    """The recording of a game."""

    scopes = (PLAY, JUDGE)
    account_needed = True

    def recorder(self, request: Request, recording_id: str) -> Recorder:
        """Return the recording and the account's role in it; the token needs the scope for that role."""
        found = recorder_for(self.user, recording_id)
        require_scope(request, JUDGE if found.seat is None else PLAY)
        return found

    @operation("GET", f"{EVENT}tables-to-record/", name="tables_to_record", lists=TableToRecordSerializer)
    def recordings_tables(self, request: Request, event_id: str) -> Response:
        """The tables of the current round whose games you may record: all of them, or the one that a scribe was given.

        For scribes and judges who do not play the event.
        """
        event = event_to_record(self.user, event_id)
        return self.answer(tables_to_record(event, table_of_scribe(self.user, event)))

    @operation("POST", f"{GAME}recordings/", name="recordings", answers=RecordingSerializer)
    def recordings_open(self, request: Request, match_id: str, number: int) -> Response:
        """Start recording a game, or continue the open recording.

        For its players, and judges and scribes who do not play the event.
        """
        game = game_to_record(self.user, match_id, number)
        require_scope(request, JUDGE if seat_of(self.user, game.match) is None else PLAY)
        opened = recording.open_recording(game=game, **self.arguments())
        return self.answer(_shown(recorder_for(self.user, opened.public_id)))

    @operation("GET", RECORDING, name="recording", answers=RecordingSerializer)
    def recordings_read(self, request: Request, recording_id: str) -> Response:
        """The board, the moves that are legal now, and the number of entries. Players see only their own cards."""
        return self.answer(_shown(recorder_for(self.user, recording_id)))

    @operation(
        "POST",
        f"{RECORDING}moves/",
        name="recording_moves",
        takes=RecordedEntryInput,
        answers=RecordedEntrySerializer,
        status=201,
    )
    def recordings_move(self, request: Request, recording_id: str) -> Response:
        """Enter a move. The same `key` again returns the recorded entry.

        409 `sequence_moved` if another move has this number; 422 `move_refused` with every reason if the rules refuse
        it.
        """
        recorder = self.recorder(request, recording_id)
        said = self.read()
        kept = recording.record_move(
            recorder=recorder, by=self.user, now=self.now, language=(get_language() or "en").split("-")[0], **said
        )
        return self.answer(kept)

    @operation("POST", f"{RECORDING}undo/", name="recording_undo", takes=SequenceInput, answers=RecordingSerializer)
    def recordings_undo(self, request: Request, recording_id: str) -> Response:
        """Ask to undo the last move, or agree to it. Those who record for all undo it at once."""
        recorder = self.recorder(request, recording_id)
        recording.ask_undo(recorder=recorder, **self.arguments())
        return self.answer(_shown(recorder_for(self.user, recording_id)))

    @operation("POST", f"{RECORDING}share/", name="recording_share", answers=RecordingSerializer)
    def recordings_share(self, request: Request, recording_id: str) -> Response:
        """Allow the other player to record for your seat too. For players."""
        recorder = self.recorder(request, recording_id)
        recording.share_seat(recorder=recorder, **self.arguments())
        return self.answer(_shown(recorder_for(self.user, recording_id)))

    @operation("POST", f"{RECORDING}hand-in/", name="recording_hand_in", answers=LogSerializer, status=201)
    def recordings_hand_in(self, request: Request, recording_id: str) -> Response:
        """End the recording: its log is stored for the game and audited. Idempotent."""
        recorder = self.recorder(request, recording_id)
        log = recording.hand_in(recorder=recorder, **self.arguments())
        return self.answer(log)

    @operation("POST", f"{RECORDING}take-back/", name="recording_take_back", answers=RecordingSerializer)
    def recordings_take_back(self, request: Request, recording_id: str) -> Response:
        """Reopen a recording that was handed in. Its log is withdrawn with the audit; the entries stay. Idempotent.

        409 once a judge has ruled on the match, while one looks into it, and if the game has a newer log or recording.
        """
        recorder = self.recorder(request, recording_id)
        recording.take_back(recorder=recorder, **self.arguments())
        return self.answer(_shown(recorder_for(self.user, recording_id)))
