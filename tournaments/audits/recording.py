"""Record a game while it is played: open a recording, enter moves, undo by agreement, share a seat, hand in, take back.

Moves that the rules refuse are not stored. Entries are append-only. Each has the hash of the chain up to it and a key
chosen by its sender, so a move that is sent again after a lost connection is stored once. Every action locks the row of
the recording first.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.http import Http404
from django.utils.translation import gettext as _

from engine import face
from engine.face.live import LiveGame, MoveRefused
from tournaments.accounts.models import User
from tournaments.audits.access import SEATS, Recorder, recorder_for
from tournaments.audits.models import BACK_TO, Branch, Dispute, MoveLog, RecordedEntry, Recording, Ruling
from tournaments.audits.rulesets import ruleset_of
from tournaments.audits.services import proofs_of, submit_log, withdraw_log
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import catalog_of, own_catalogs
from tournaments.decks.selectors import current_list
from tournaments.events.access import may
from tournaments.events.models import Event, Member
from tournaments.play.access import seat_of
from tournaments.play.boards import board_of_game, boards_of
from tournaments.play.models import Game, Match

MAX_ENTRIES = 5000  # of one recording


def open_recording(*, game: Game, by: User, now: datetime) -> Recording:
    """Start recording a game with the registered lists of its players, or return its open recording.

    Raises Refusal `event_state` if the event is not running, `no_list` if a player has no registered list.
    """
    match = game.match
    event = match.round.stage.event
    if event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game.pk)
        going_on = game.recordings.filter(closed_at=None).first()
        if going_on is not None:
            return going_on
        header = _header(match, game, by)
        recording = Recording.objects.create(game=game, header=header, opened_by=by, opened_at=now)
        _note(recording, by, "recording.opened", now)
    return recording


def live_game(recording: Recording) -> LiveGame:
    """The recorded game at its newest entry."""
    event = recording.game.match.round.stage.event
    entries = list(recording.entries.order_by("n").values_list("entry", flat=True))
    return LiveGame(recording.header, entries, own_catalogs(event))


def record_move(
    *, recorder: Recorder, by: User, entry: Mapping[str, Any], n: int, key: str, now: datetime, language: str = "en"
) -> RecordedEntry:
    """Enter a move as entry number `n`.

    Idempotent: if `key` was used before, returns the entry stored under it, even if others came since. Raises Refusal
    `sequence_moved` if `n` is not the next number (the details have that number), `recording_closed` and
    `recording_full`; InvalidInput `move_refused` (the details have all reasons, in `language`) and `entry_unreadable`;
    NotAllowed `not_your_seat`.
    """
    with transaction.atomic():
        recording = _locked(recorder.recording)
        # Checked first: a move that is sent again is answered as before, even if the recording has ended since.
        earlier = recording.entries.filter(key=key).first()
        if earlier is not None:
            return earlier
        if entry.get("by") not in recorder.actors or entry.get("do") == BACK_TO:
            raise NotAllowed("not_your_seat", _("You cannot enter moves for this seat."))
        _going_on(recording)
        return _enter(recording, by, entry, n, key, now, language)


def ask_undo(*, recorder: Recorder, by: User, n: int, key: str, now: datetime) -> Recording:
    """Undo the last move: at once for a judge, a scribe or a player who records alone, else once another one asks too.

    `n` and `key` are those of the undo entry, as in `record_move`. The next move cancels a request that is waiting.
    """
    with transaction.atomic():
        recording = _locked(recorder.recording)
        if recording.entries.filter(key=key).exists():
            return recording
        _going_on(recording)
        others = recording.undo_asked_by_id is not None and recording.undo_asked_by_id != by.pk
        # Alone: the only one who has entered anything, and able to enter moves for every seat (and the table).
        alone = not recording.entries.exclude(by=by).exists() and len(recorder.actors) > len(recording.header["seats"])
        if recorder.seat is None or others or alone:
            _undo(recording, by, n, key, now)
        else:
            recording.undo_asked_by = by
            recording.save(update_fields=["undo_asked_by"])
    return recording


def share_seat(*, recorder: Recorder, now: datetime, by: User) -> None:
    """Let the other player record for this player's seat too, which shows them its moves. Cannot be revoked."""
    if recorder.seat is None:
        raise NotAllowed("not_your_seat", _("You cannot enter moves for this seat."))
    with transaction.atomic():
        recording = _locked(recorder.recording)
        _going_on(recording)
        if recorder.seat not in recording.shared:
            recording.shared = [*recording.shared, recorder.seat]
            recording.save(update_fields=["shared"])


def hand_in(*, recorder: Recorder, by: User, now: datetime) -> MoveLog:
    """End a recording: submit its log, claiming the recorded result if the game is over, and queue its audit.

    Idempotent: a recording that was handed in returns its log. Raises Refusal `nothing_recorded` without entries.
    """
    with transaction.atomic():
        recording = _locked(recorder.recording)
        if recording.log is not None:
            return recording.log
        _going_on(recording)
        entries = list(recording.entries.order_by("n").values_list("entry", flat=True))
        if not entries:
            raise Refusal("nothing_recorded", _("No move is recorded yet."))
        result = live_game(recording).result
        claimed = {"claimed": {"winner": result[0]}} if result else {}
        document = face.audits.canonical({**recording.header, **claimed, "moves": entries})
        # In the opener's name, whoever hands it in: the header's `recorded_by` describes the opener.
        recording.log = submit_log(game=recording.game, document=document, by=recording.opened_by, now=now)
        recording.closed_at = now
        recording.save(update_fields=["log", "closed_at"])
        _note(recording, by, "recording.closed", now)
    return recording.log


def take_back(*, recorder: Recorder, by: User, now: datetime) -> Recording:
    """Open a recording again that was handed in, with the same entries, and withdraw its log.

    The log is deleted with its audit, and the evidence that only this log gave is gone; the result stays. Nothing is
    lost: the entries are what the log was made of, and the ledger has its SHA-256 and what its audit found.

    Idempotent: an open recording is returned as it is. Raises Refusal `event_state` if the event is not running,
    `disputed` while a judge looks into the match, `already_ruled` once a judge has ruled on it, and `newer_log`
    if the game has a newer log or recording.
    """
    game = recorder.recording.game
    # Read before the transaction, because the other logs of the game can be long.
    proofs = proofs_of(game, without=recorder.recording.log_id)
    with transaction.atomic():
        # A ruling locks the match too, so it either finds the log withdrawn or keeps it from being withdrawn.
        event = Event.objects.select_for_update().get(pk=game.match.round.stage.event_id)
        match = Match.objects.select_for_update().get(pk=game.match_id)
        recording = _locked(recorder.recording)
        Game.objects.select_for_update().get(pk=game.pk)  # so that no log and no recording comes in meanwhile
        log = recording.log
        if log is None:
            return recording
        refused = _kept_because(recording, event, match)
        if refused is not None:
            raise refused
        log.game = game
        recording.log = recording.closed_at = None
        recording.save(update_fields=["log", "closed_at"])
        withdraw_log(log=log, proofs=proofs, by=by, now=now)
        _note(recording, by, "recording.taken_back", now, log=log.public_id, sha256=log.sha256)
    return recording


def why_kept(recording: Recording) -> Refusal | None:
    """Why `take_back` would refuse a recording that is handed in; None if it can be taken back now."""
    match = Match.objects.select_related("round__stage__event").get(pk=recording.game.match_id)
    return _kept_because(recording, match.round.stage.event, match)


def to_take_back(user: Any, match: Match) -> list[Recording]:
    """The recordings of a match that this account could take back now, by the number of the game."""
    found: list[Recording] = []
    for recording in Recording.objects.filter(game__match=match).exclude(log=None).order_by("game__number", "pk"):
        try:
            mine = recorder_for(user, recording.public_id).recording
        except (Http404, NotAllowed):
            continue
        if why_kept(mine) is None:
            found.append(mine)
    return found


def _kept_because(recording: Recording, event: Event, match: Match) -> Refusal | None:
    if event.status != Event.Status.RUNNING:
        return Refusal("event_state", _("The event is not running."))
    if match.disputed or match.disputes.filter(status__in=Dispute.LIVE).exists():
        return Refusal("disputed", _("The result is contested. A judge will decide."))
    if _ruled_since(recording, event, match) or Branch.objects.filter(log=recording.log_id).exists():
        return Refusal("already_ruled", _("A judge has ruled on this match since the recording was handed in."))
    newer = MoveLog.objects.filter(game=recording.game_id, pk__gt=recording.log_id).exists()
    if newer or Recording.objects.filter(game=recording.game_id, closed_at=None).exists():
        return Refusal("newer_log", _("There is a newer log or recording of this game."))
    return None


def _ruled_since(recording: Recording, event: Event, match: Match) -> bool:
    """Whether a judge ruled on the match after the recording was handed in.

    By the numbers of the ledger entries: the times are read before the locks are taken.
    """
    closed = LedgerEntry.objects.filter(chain=event.public_id, object=recording.public_id, code="recording.closed")
    last = closed.aggregate(last=Max("number"))["last"] or 0
    return Ruling.objects.filter(dispute__match=match, entry__gt=last).exists()


def _enter(
    recording: Recording, by: User, entry: Mapping[str, Any], n: int, key: str, now: datetime, language: str
) -> RecordedEntry:
    count = recording.entries.count()
    if n != count + 1:  # somebody else entered a move first: this one was meant for an older board
        raise Refusal(
            "sequence_moved",
            _("Another move was entered in the meantime: look at the board again."),
            details=[{"n": count + 1}],
        )
    if count >= MAX_ENTRIES:
        raise Refusal("recording_full", _("This recording is full: hand it in."))
    # The server sets the number and the hash itself.
    move = {name: value for name, value in entry.items() if name not in ("n", "h")}
    if "\\u0000" in json.dumps(move):  # PostgreSQL cannot store NUL in text or JSON
        raise InvalidInput("entry_unreadable", _("This entry cannot be read."))
    game = live_game(recording)
    try:
        digest = game.accept(move, language)
    except MoveRefused as refused:
        raise InvalidInput("move_refused", _("The rules refuse this move."), details=refused.reasons) from refused
    if recording.undo_asked_by_id is not None:
        Recording.objects.filter(pk=recording.pk).update(undo_asked_by=None)
    stored = {**move, "n": n, "h": digest}
    return RecordedEntry.objects.create(recording=recording, n=n, entry=stored, key=key, by=by, at=now)


def _undo(recording: Recording, by: User, n: int, key: str, now: datetime) -> None:
    """Enter an undo: a `back_to` the move before the last one that still counts."""
    line = _line(list(recording.entries.order_by("n").values_list("entry", flat=True)))
    if not line:
        raise Refusal("nothing_recorded", _("No move is recorded yet."))
    back = line[-2] if len(line) > 1 else 0
    _enter(recording, by, {"by": "table", "do": BACK_TO, "args": {"n": back}}, n, key, now, "en")


def _line(entries: Sequence[Mapping[str, Any]]) -> list[int]:
    """The numbers of the moves that still count, leaving out undone ones and the undos themselves."""
    line: list[int] = []
    for entry in entries:
        if entry["do"] == BACK_TO:
            line = [n for n in line if n <= entry["args"]["n"]]
        else:
            line.append(entry["n"])
    return line


def header_of(match: Match, game: Game | None = None) -> dict[str, Any]:
    """The header of a log of this match, with the registered lists of its players. Raises Refusal `no_list`.

    In a team match by boards, with those of the members at the board of a `game`. Teams that play together have
    several lists for each seat, so their games cannot be recorded with one.
    """
    event = match.round.stage.event
    catalog = catalog_of(event)
    players = _players(match, game)
    seats: dict[str, Any] = {}
    for letter, seat in zip(SEATS, match.seats.select_related("entrant").order_by("number"), strict=False):
        registered = current_list(seat.entrant, match.round.stage, players.get(seat.entrant_id))
        if registered is None:
            raise Refusal("no_list", _("Recording a game needs both registered lists: one is missing."))
        deck = {"commander": registered.cards.get("commander"), "main": registered.cards["main"]}
        seats[letter] = {"player": seat.entrant.public_id, "deck": deck}
    return {
        "format": 1,
        "game": event.game,
        "ruleset": ruleset_of(event),
        "catalog": {"id": catalog.id, "sha256": catalog.sha256},
        "match": {"event": event.public_id, "round": match.round.number, "table": match.table or 0},
        "seats": seats,
    }


def _players(match: Match, game: Game | None) -> dict[int, Member]:
    """Who sits at the board of a game, by the key of the team; empty for a match without boards."""
    if game is None or not match.has_boards:
        return {}
    board = boards_of(match).filter(number=board_of_game(match.round.stage, game.number)).first()
    return {member.entrant_id: member for member in (board.first, board.second)} if board else {}


def _header(match: Match, game: Game, by: User) -> dict[str, Any]:
    header = header_of(match, game)
    header["match"]["game"] = game.number
    return {**header, "recorded_by": {"who": _who(match, by), "when": "live"}}


def _who(match: Match, by: User) -> str:
    """Who opens a recording, in the words of a log: the players ("seats"), a "judge" or a "scribe"."""
    if seat_of(by, match) is not None:
        return "seats"
    return "judge" if may(by, match.round.stage.event, "judge") else "scribe"


def _locked(recording: Recording) -> Recording:
    # `of`, because a recording may have no log: PostgreSQL refuses to lock what an outer join may not find.
    locked = Recording.objects.select_for_update(of=("self",)).select_related("log", "opened_by").get(pk=recording.pk)
    locked.game = recording.game
    return locked


def _going_on(recording: Recording) -> None:
    if recording.closed_at is not None:
        raise Refusal("recording_closed", _("This recording has been handed in."))


def _note(recording: Recording, by: User, code: str, now: datetime, **said: str) -> None:
    match = recording.game.match
    ledger.record(
        chain=match.round.stage.event.public_id,
        actor=by.public_id,
        code=code,
        object=recording.public_id,
        now=now,
        after={"match": match.public_id, "game": recording.game.number, **said},
    )
