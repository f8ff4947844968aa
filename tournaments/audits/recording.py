"""Gestures of who records a game while it is played: open, move, take back by agreement, hand in.

Nothing enters that the rules refuse. Entries are only added, each with the hash of the chain up to it and under the key
of its sender: what a lost connection sends again is kept once. The recording's row is the lock.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits import engine_gate
from tournaments.audits.access import SEATS, Recorder
from tournaments.audits.engine_gate import LiveGame, MoveRefused
from tournaments.audits.models import MoveLog, RecordedEntry, Recording
from tournaments.audits.services import submit_log
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import catalog_of, own_catalogs
from tournaments.decks.selectors import current_list
from tournaments.events.models import Event
from tournaments.play.access import seat_of
from tournaments.play.models import Game, Match

MAX_ENTRIES = 5000
TAKE_BACK = "back_to"


def open_recording(*, game: Game, by: User, now: datetime) -> Recording:
    """Start to record a game with the registered lists of its players; the open recording, where there is one."""
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
    """The game as far as it is recorded."""
    event = recording.game.match.round.stage.event
    entries = list(recording.entries.order_by("n").values_list("entry", flat=True))
    return LiveGame(recording.header, entries, own_catalogs(event))


def record_move(
    *, recorder: Recorder, by: User, entry: Mapping[str, Any], n: int, key: str, now: datetime, language: str = "en"
) -> RecordedEntry:
    """Enter a move as number `n`. The same key again gives the entry that was kept, whatever came after.

    Raises `sequence_moved` where another move is number `n`, `move_refused` with all reasons, `not_your_seat`.
    """
    with transaction.atomic():
        recording = _locked(recorder.recording)
        kept = recording.entries.filter(key=key).first()
        if kept is not None:
            return kept
        if entry.get("by") not in recorder.actors or entry.get("do") == TAKE_BACK:
            raise NotAllowed("not_your_seat", _("You do not enter the moves of this seat."))
        _going_on(recording)
        return _enter(recording, by, entry, n, key, now, language)


def ask_undo(*, recorder: Recorder, by: User, n: int, key: str, now: datetime) -> Recording:
    """Take the last move back: at once for a judge and for who records alone, else once somebody else agrees."""
    with transaction.atomic():
        recording = _locked(recorder.recording)
        if recording.entries.filter(key=key).exists():
            return recording
        _going_on(recording)
        others = recording.undo_asked_by_id is not None and recording.undo_asked_by_id != by.pk
        alone = not recording.entries.exclude(by=by).exists() and len(recorder.actors) > len(recording.header["seats"])
        if recorder.seat is None or others or alone:
            _take_back(recording, by, n, key, now)
        else:
            recording.undo_asked_by = by
            recording.save(update_fields=["undo_asked_by"])
    return recording


def share_seat(*, recorder: Recorder, now: datetime, by: User) -> None:
    """Let the other player record for the own seat too: they see its moves. Not taken back while the game lasts."""
    if recorder.seat is None:
        raise NotAllowed("not_your_seat", _("You do not enter the moves of this seat."))
    with transaction.atomic():
        recording = _locked(recorder.recording)
        _going_on(recording)
        if recorder.seat not in recording.shared:
            recording.shared = [*recording.shared, recorder.seat]
            recording.save(update_fields=["shared"])


def hand_in(*, recorder: Recorder, by: User, now: datetime) -> MoveLog:
    """End the recording: its log is kept for the game, with the result that it tells, and audited. Twice is once."""
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
        document = engine_gate.canonical({**recording.header, **claimed, "moves": entries})
        recording.log = submit_log(game=recording.game, document=document, by=recording.opened_by, now=now)
        recording.closed_at = now
        recording.save(update_fields=["log", "closed_at"])
        _note(recording, by, "recording.closed", now)
    return recording.log


def _enter(
    recording: Recording, by: User, entry: Mapping[str, Any], n: int, key: str, now: datetime, language: str
) -> RecordedEntry:
    count = recording.entries.count()
    if n != count + 1:
        raise Refusal(
            "sequence_moved",
            _("Another move was entered meanwhile: look at the board again."),
            details=[{"n": count + 1}],
        )
    if count >= MAX_ENTRIES:
        raise Refusal("recording_full", _("This recording is full: hand it in."))
    said = {name: value for name, value in entry.items() if name not in ("n", "h")}
    if "\\u0000" in json.dumps(said):  # PostgreSQL keeps none
        raise InvalidInput("entry_unreadable", _("This entry cannot be read."))
    game = live_game(recording)
    try:
        digest = game.accept(said, language)
    except MoveRefused as refused:
        raise InvalidInput("move_refused", _("The rules refuse this move."), details=refused.reasons) from refused
    if recording.undo_asked_by_id is not None:
        Recording.objects.filter(pk=recording.pk).update(undo_asked_by=None)
    kept = {**said, "n": n, "h": digest}
    return RecordedEntry.objects.create(recording=recording, n=n, entry=kept, key=key, by=by, at=now)


def _take_back(recording: Recording, by: User, n: int, key: str, now: datetime) -> None:
    """The line of the game without its last move: an entry that leads back to the one before."""
    line = _line(list(recording.entries.order_by("n").values_list("entry", flat=True)))
    if not line:
        raise Refusal("nothing_recorded", _("No move is recorded yet."))
    back = line[-2] if len(line) > 1 else 0
    _enter(recording, by, {"by": "table", "do": TAKE_BACK, "args": {"n": back}}, n, key, now, "en")


def _line(entries: Sequence[Mapping[str, Any]]) -> list[int]:
    """The numbers of the moves that hold: those that were not taken back."""
    line: list[int] = []
    for entry in entries:
        if entry["do"] == TAKE_BACK:
            line = [n for n in line if n <= entry["args"]["n"]]
        else:
            line.append(entry["n"])
    return line


def header_of(match: Match) -> dict[str, Any]:
    """The header of a log of this match with the registered lists of its players. Raises Refusal `no_list`."""
    event = match.round.stage.event
    catalog = catalog_of(event)
    seats: dict[str, Any] = {}
    for letter, seat in zip(SEATS, match.seats.select_related("entrant").order_by("number"), strict=False):
        registered = current_list(seat.entrant, match.round.stage)
        if registered is None:
            raise Refusal("no_list", _("A game is recorded with the registered lists: one is missing."))
        deck = {"commander": registered.cards.get("commander"), "main": registered.cards["main"]}
        seats[letter] = {"player": seat.entrant.public_id, "deck": deck}
    return {
        "format": 1,
        "game": event.game,
        "ruleset": engine_gate.newest_ruleset(event.game),
        "catalog": {"id": catalog.id, "sha256": catalog.sha256},
        "match": {"event": event.public_id, "round": match.round.number, "table": match.table or 0},
        "seats": seats,
    }


def _header(match: Match, game: Game, by: User) -> dict[str, Any]:
    header = header_of(match)
    header["match"]["game"] = game.number
    return {**header, "recorded_by": {"who": "judge" if seat_of(by, match) is None else "seats", "when": "live"}}


def _locked(recording: Recording) -> Recording:
    locked = Recording.objects.select_for_update(of=("self",)).select_related("log", "opened_by").get(pk=recording.pk)
    locked.game = recording.game
    return locked


def _going_on(recording: Recording) -> None:
    if recording.closed_at is not None:
        raise Refusal("recording_closed", _("This recording is handed in."))


def _note(recording: Recording, by: User, code: str, now: datetime) -> None:
    match = recording.game.match
    ledger.record(
        chain=match.round.stage.event.public_id,
        actor=by.public_id,
        code=code,
        object=recording.public_id,
        now=now,
        after={"match": match.public_id, "game": recording.game.number},
    )
