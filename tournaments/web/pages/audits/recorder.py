"""The match recorder: players, or a judge at the table, enter a game move by move while it is played.

Every action is a POST that answers with the page, so it works without scripts. `recorder.js` submits the same forms,
stores what was not sent because the connection was lost, and sends it again under the same key.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine import face
from tournaments.audits import recording, tables
from tournaments.audits.access import Recorder, event_to_record, game_to_record, recorder_for, table_of_scribe
from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import tables_to_record
from tournaments.audits.watching import feature_of
from tournaments.boards.words import BoardWords
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import card_faces, card_names
from tournaments.events.access import may
from tournaments.events.models import Event
from tournaments.play.selectors import newest_shown_round
from tournaments.web.pages.audits.boards import board_html
from tournaments.web.pages.audits.recorder_forms import MoveForm, RulingEntryForm, SentEntriesForm, SequenceForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.rules_in_browser import browser_rules
from tournaments.web.words.boards import (
    actor_words,
    language,
    move_words,
    moves_words,
    say,
    verb_words,
    zone_words,
)
from tournaments.web.words.labels import labelled

MOVES_SHOWN = 12
ENDS_TURN = "end_turn"


@never_cache
@login_required
@require_safe
def record_tables(request: HttpRequest, event_id: str) -> HttpResponse:
    """The tables of the current round whose games this scribe or judge records."""
    event = event_to_record(request.user, event_id)
    table = table_of_scribe(request.user, event)
    context = {
        "event": event,
        "round": newest_shown_round(event),
        "table": table,
        "tables": tables_to_record(event, table),
        "judges": may(request.user, event, "judge"),
        "open": event.status == Event.Status.RUNNING,
    }
    return render(request, "web/recorder/tables.html", context)


@login_required
@require_POST
def record_open(request: SignedInRequest, match_id: str, number: int) -> HttpResponse:
    """Start recording a game, or continue its open recording."""
    game = game_to_record(request.user, match_id, number)
    opened = recording.open_recording(game=game, by=request.user, now=now())
    return redirect("web:record", opened.public_id)


@never_cache
@login_required
def record(request: SignedInRequest, recording_id: str) -> HttpResponse:
    """The recorder's page: the board, the legal moves, and the actions that this account can take."""
    recorder = recorder_for(request.user, recording_id)
    if recorder.recording.log is not None:
        return _handed_in(request, recorder, recorder.recording.log)
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            done = _done(request, recorder)
            return done or redirect("web:record", recording_id)
        except Refusal as refused:
            refusal = refused
            recorder = recorder_for(request.user, recording_id)  # read again: somebody else may have made a move
    context = _page(request, recorder, refusal)
    return render(request, "web/recorder/record.html", context, status=refusal.status if refusal else 200)


@never_cache
@login_required
@require_safe
def record_state(request: HttpRequest, recording_id: str, n: int) -> HttpResponse:
    """A line that says whether a page with `n` entries is still up to date. It polls itself."""
    recorder = recorder_for(request.user, recording_id)
    context = {"recording": recorder.recording, "n": n, "newest": recorder.recording.entries.count()}
    return render(request, "web/recorder/_state.html", context)


@never_cache
@login_required
@require_safe
def record_table(request: SignedInRequest, recording_id: str) -> HttpResponse:
    """The whole game as JSON, for the recorder in the browser (`tables.table_of`).

    With `?n=`, the number of entries that the browser knows, the answer is empty (204) while nothing has changed.
    """
    recorder = recorder_for(request.user, recording_id)
    if not tables.may_have_table(recorder):
        raise Http404
    known = request.GET.get("n", "")
    if known == str(recorder.recording.entries.count()) and recorder.recording.closed_at is None:
        return HttpResponse(status=204)
    return JsonResponse(tables.table_of(recorder, by=request.user, language=language()))


@login_required
@require_POST
def record_entries(request: SignedInRequest, recording_id: str) -> HttpResponse:
    """Take the moves that a browser made, as JSON `{after, entries: [{key, entry}]}`; answers with a `tables.Taken`."""
    recorder = recorder_for(request.user, recording_id)
    is_json = request.content_type == "application/json"  # the body of a form has been read by now
    form = SentEntriesForm({"sent": request.body.decode("utf-8", "replace") if is_json else ""})
    if not form.is_valid():
        return JsonResponse({"code": "invalid", "message": _("These moves cannot be read.")}, status=422)
    sent = form.cleaned_data["sent"]
    taken = tables.take_all(
        recorder=recorder, by=request.user, sent=sent["entries"], after=sent["after"], now=now(), language=language()
    )
    return JsonResponse({"n": taken.n, "keys": taken.keys, "refused": taken.refused})


def _done(request: SignedInRequest, recorder: Recorder) -> HttpResponse | None:
    """Carry out the submitted action. Returns where it leads, or None for the same page.

    `command` is `move` (the default), `ruling`, `undo`, `share`, `hand_in` or `take_back`.
    """
    action = request.POST.get("command", "move")
    if action == "share":
        recording.share_seat(recorder=recorder, by=request.user, now=now())
        return None
    if action == "hand_in":
        recording.hand_in(recorder=recorder, by=request.user, now=now())
        return None
    if action == "take_back":  # it is open already: somebody else took it back
        return None
    sequence = SequenceForm(request.POST)
    if not sequence.is_valid():
        raise InvalidInput("invalid", _("This move cannot be read."))
    at = {**sequence.cleaned_data, "by": request.user, "now": now()}
    if action == "undo":
        kept = recording.ask_undo(recorder=recorder, **at)
        if kept.undo_asked_by_id == request.user.pk:
            messages.info(request, _("The other player has to agree."))
        return None
    names = card_names(recorder.recording.game.match.round.stage.event)
    decks = {seat: player["deck"]["main"] for seat, player in recorder.recording.header["seats"].items()}
    kind = RulingEntryForm if action == "ruling" else MoveForm
    form = kind(request.POST, names=names, decks=decks)
    if not form.is_valid():
        raise InvalidInput("invalid", _("This move cannot be read."), details=_faults(form))
    entry = form.entry
    if isinstance(form, MoveForm) and form.untouched:
        # The page filled the chance in for the first move of the group; the chosen move may need another.
        needed = recording.live_game(recorder.recording).chance_of(entry)
        entry = {key: value for key, value in entry.items() if key != "chance"} | ({"chance": needed} if needed else {})
    recording.record_move(recorder=recorder, entry=entry, language=language(), **at)
    return None


def _handed_in(request: SignedInRequest, recorder: Recorder, log: MoveLog) -> HttpResponse:
    """The page of a recording that is handed in, which takes it back while that is possible."""
    refusal: Refusal | None = None
    if request.method == "POST" and request.POST.get("command") != "take_back":
        return redirect("web:record", recorder.recording.public_id)
    if request.method == "POST":
        try:
            recording.take_back(recorder=recorder, by=request.user, now=now())
        except Refusal as refused:
            refusal = refused
        else:
            messages.success(request, _("The recording is open again, with all its entries."))
            return redirect("web:record", recorder.recording.public_id)
    found, match = recorder.recording, recorder.recording.game.match
    context = {
        "event": match.round.stage.event,
        "match": match,
        "recording": found,
        "game": found.game,
        "recorder": recorder,
        "kept": recording.why_kept(found),
        # A log shows both hands, so only the account that submitted it and judges can read its audit.
        "reads_audit": recorder.rules or log.uploaded_by_id == request.user.pk,
        "refusal": refusal,
    }
    return render(request, "web/recorder/handed_in.html", context, status=refusal.status if refusal else 200)


def _faults(form: forms.Form) -> list[str]:
    return [
        labelled(form.fields[name].label, fault) if name in form.fields else str(fault)
        for name, faults in form.errors.items()
        for fault in faults
    ]


def _page(request: HttpRequest, recorder: Recorder, refusal: Refusal | None) -> dict[str, Any]:
    found = recorder.recording
    match = found.game.match
    event = match.round.stage.event
    names = card_names(event)
    game = recording.live_game(found)
    whole = game.board()
    board = whole if recorder.seat is None else face.boards.seen_by(whole, recorder.seat)
    players = dict(zip(found.header["seats"], (seat.entrant.name for seat in match.seats.all()), strict=False))
    rules = browser_rules() if tables.may_have_table(recorder) else None
    nothing = face.live.LegalMoves([], False)
    legal = nothing if game.result else game.legal_moves(recorder.actors)
    responses = nothing if game.result else game.responses(recorder.actors)
    entries = list(found.entries.order_by("-n").values_list("entry", flat=True)[:MOVES_SHOWN])
    n = entries[0]["n"] if entries else 0
    return {
        "event": event,
        "match": match,
        "recording": found,
        "game": found.game,
        "recorder": recorder,
        "board": board_html(board, players, faces=card_faces(event), near=recorder.seat),
        "groups": _groups(game, legal.moves, whole, names, players),
        "responses": _responses(recorder, responses.moves, names, players),
        "more": legal.more or responses.more,
        "rulings": _ruling_choices(whole, players) if recorder.rules and not game.result else [],
        "endings": [] if game.result else _endings(recorder, players),
        "over": game.result is not None,
        "moves": [_entry_words(entry, game, recorder, names, players) for entry in entries],
        "n": n,
        "next": n + 1,
        "newest": n,
        "key": secrets.token_urlsafe(16),
        "digest": game.digest,
        "undo_asked": found.undo_asked_by_id is not None,
        "undo_own": found.undo_asked_by_id == request.user.pk,
        "may_share": recorder.seat is not None and recorder.seat not in found.shared,
        "feature": feature_of(match),
        "rules": rules if "forms" not in request.GET else None,
        "forms": rules is not None and "forms" in request.GET,
        "refusal": refusal,
    }


def _groups(
    game: face.live.LiveGame,
    legal: Sequence[dict[str, Any]],
    board: Mapping[str, Any],
    names: Mapping[str, str],
    players: Mapping[str, str],
) -> list[dict[str, Any]]:
    """The legal moves in words, grouped by actor and verb, each group with the chance that its first move needs."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for move in legal:
        groups.setdefault((move["by"], move["do"]), []).append(move)
    return [_group(game, board, moves, names, players) for moves in groups.values()]


def _group(
    game: face.live.LiveGame,
    board: Mapping[str, Any],
    moves: list[dict[str, Any]],
    names: Mapping[str, str],
    players: Mapping[str, str],
) -> dict[str, Any]:
    """The moves of one actor with one verb. A move that is alone in its group gives it its words."""
    by, do = moves[0]["by"], moves[0]["do"]
    sentences = moves_words(board["game"], moves, names)
    return {
        "id": f"{by}-{do}",
        "by": actor_words(by, players),
        "words": sentences[0] if len(moves) == 1 else capfirst(verb_words(do)),
        "moves": list(zip(map(_as_entry, moves), sentences, strict=True)),
        "chance": chance_words(game.chance_of({key: moves[0][key] for key in ("by", "do", "args")})),
        "open": any(map(face.live.open_argument, moves)),
        "claims": _claims(board, by) if do == ENDS_TURN else [],
    }


def _responses(
    recorder: Recorder, found: Sequence[dict[str, Any]], names: Mapping[str, str], players: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The legal responses to the last entry, before it takes effect, grouped by actor."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for move, words in zip(found, moves_words(recorder.recording.header["game"], found, names), strict=True):
        groups.setdefault(move["by"], []).append((_as_entry(move), words))
    return [{"id": f"{by}-resp", "by": actor_words(by, players), "moves": moves} for by, moves in groups.items()]


def _ruling_choices(board: Mapping[str, Any], players: Mapping[str, str]) -> list[tuple[str, str]]:
    """What a ruling can do: change a counter, move a card in play, set a rule aside for one move, vouch for a card."""
    words, places = players.get, BoardWords(board, players, language())
    counters = [
        (f"counter {seat} {key}", labelled(words(seat), f"{zone_words(key)} ±"))
        for seat, side in board["seats"].items() for key in face.boards.counters(board["game"]) if key in side
    ]  # fmt: skip
    cards = [
        (f"{does} {place}", labelled(places.item(place), destination))
        for place in face.boards.places_in_play(board)
        for does, destination in (("discard", _("to the discard")), ("return", _("back to the hand")))
    ]
    allowed = [(f"allow {seat}", _("%(name)s: a rule set aside for the next move") % {"name": words(seat)})
               for seat in board["seats"]]  # fmt: skip
    vouched = [(f"vouch {seat}", _("%(name)s: settle a card until the end of the game") % {"name": words(seat)})
               for seat in board["seats"]]  # fmt: skip
    return [("", _("nothing: only the decision")), *counters, *cards, *allowed, *vouched]


def _endings(recorder: Recorder, players: Mapping[str, str]) -> list[dict[str, Any]]:
    """The ways to end a game at any time: a seat concedes, both agree on a draw, a judge calls time."""
    seats = [(seat, "concede") for seat in recorder.actors if seat in players]
    others = [("table", "draw_agreed")] if recorder.seat is None else []
    others += [("judge", "time")] if recorder.rules else []
    return [
        {"id": f"{by}-{do}", "by": actor_words(by, players), "words": verb_words(do),
         "move": _as_entry({"by": by, "do": do, "args": {}})}
        for by, do in (*seats, *others)
    ]  # fmt: skip


def _as_entry(move: Mapping[str, Any]) -> str:
    entry = {"by": move["by"], "do": move["do"], **({"args": move["args"]} if move["args"] else {})}
    entry |= {"resp": True} if move.get("resp") else {}
    return json.dumps(entry, ensure_ascii=False)


def _claims(board: Mapping[str, Any], seat: str) -> list[tuple[str, str]]:
    """The counters of a seat that can be claimed at the end of its turn, as pairs of their name in logs and words."""
    side = board["seats"].get(seat, {})
    return [(f"{seat}.{key}", zone_words(key)) for key in face.boards.counters(board["game"]) if key in side]


def chance_words(chance: list[dict[str, Any]]) -> str:
    """The chance of a move in the form in which it is typed, in the page's language: `draw ?, ?; roll 3`."""
    items = [(kind, value) for item in chance for kind, value in item.items()]
    return "; ".join(
        f"{say(f'chance.{kind}')} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for kind, value in items
    )


def _entry_words(
    entry: Mapping[str, Any],
    game: face.live.LiveGame,
    recorder: Recorder,
    names: Mapping[str, str],
    players: Mapping[str, str],
) -> dict[str, Any]:
    args = entry.get("args") or {}
    if recorder.seat is not None and entry["by"] not in recorder.actors and entry["do"] == "mulligan":
        args = {}  # the opponent must not see which cards go back
    at = game.cards_before(entry["n"], entry, recorder.seat)
    words = move_words(recorder.recording.header["game"], {**entry, "args": args, "at": at}, names)
    words += f": {entry['reason']}" if entry.get("reason") else ""
    return {"n": entry["n"], "by": actor_words(entry["by"], players), "words": words}
