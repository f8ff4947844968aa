"""Saved boards: the page for judges, the photos, and the page on which players sign.

The players' agreement with a board is bound to its digest, so they must sign again if the board or its photos change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine import face
from tournaments.audits import positions
from tournaments.audits.access import SEATS, photo_for_judge, position_for_judge, position_for_signer
from tournaments.audits.models import Position, Signature
from tournaments.audits.selectors import ask_move
from tournaments.common.clock import now
from tournaments.common.photos import MAX_BYTES
from tournaments.decks.engine_gate import card_faces, card_names
from tournaments.events.models import Event
from tournaments.play.models import Match, Seat
from tournaments.web.pages.audits.boards import board_html
from tournaments.web.pages.audits.forms import SignForm
from tournaments.web.pages.audits.reports import answer_words
from tournaments.web.pages.judging.call_lines import judge_name
from tournaments.web.pages.player.player import to_seat
from tournaments.web.rate_limits import UPLOADS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.rules_in_browser import browser_rules
from tournaments.web.words.audits import ANSWER_BADGES, ANSWERS
from tournaments.web.words.boards import entry_words, language


@dataclass(frozen=True)
class SeatLine:
    """A seat of a saved board, with the player's signature if there is one."""

    seat: Seat
    signature: Signature | None


@login_required
@never_cache
@require_safe
def position(request: HttpRequest, position_id: str) -> HttpResponse:
    """A saved board with its question, photos and signatures, and how to get the missing signatures."""
    found = position_for_judge(request.user, position_id)
    event = found.match.round.stage.event
    names, board = card_names(event), positions.board_of(event, found.document)
    context = {
        "event": event,
        "match": found.match,
        "position": found,
        "board": board_html(board, players_at(found.match), faces=card_faces(event)),
        "lines": seat_lines(found),
        "photos": positions.photos_shown(found),
        "by": judge_name(found.by),
        "most": positions.MAX_PHOTOS,
        "rules": browser_rules(),
        "address": request.build_absolute_uri(reverse("web:position_sign", args=[found.public_id])),
        **_question(found, event, names, board),
    }
    return render(request, "web/judge/position.html", context)


@login_required
@require_POST
@rate_limited(UPLOADS)
def position_photo(request: SignedInRequest, position_id: str) -> HttpResponse:
    """Add photos to a saved board that nobody has signed yet."""
    found = position_for_judge(request.user, position_id)
    for sent in photos_in(request):
        positions.add_photo(position=found, sent=sent, by=request.user, now=now())
    messages.success(request, _("The photo is saved with the board."))
    return redirect("web:position", found.public_id)


@login_required
@never_cache
@require_safe
def photo(request: HttpRequest, photo_id: str) -> HttpResponse:
    """The image of a photo, as re-encoded when it was uploaded."""
    return picture_answer(photo_for_judge(request.user, photo_id))


@login_required
@never_cache
def position_sign(request: SignedInRequest, position_id: str) -> HttpResponse:
    """Sign a saved board: agree with it or contest it, on the player's own device or on a judge's (`?seat=`).

    It shows the board as that seat sees it, and no photos, because these may show hidden cards.
    """
    signer = position_for_signer(request.user, position_id)
    found, match = signer.position, signer.position.match
    lines = seat_lines(found)
    # A judge chooses the player by the address (GET), and the form then sends the seat with the answer (POST).
    form = SignForm(request.POST or request.GET or None, seats=[line.seat for line in lines], own=signer.seat)
    line = next((line for line in lines if line.seat == form.signs), None)
    if line is None:  # a judge who has not chosen a player
        return redirect("web:position", found.public_id)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        positions.sign_position(
            position=found, seat=line.seat, agrees=data["agrees"], digest=data["digest"], by=request.user, now=now()
        )
        messages.success(request, _("Saved: you agree.") if data["agrees"] else _("Saved: you contest it."))
        return _onward(request, found, signer.seat)
    event, letter = match.round.stage.event, SEATS[line.seat.number - 1]
    seen = face.boards.seen_by(positions.board_of(event, found.document), letter)
    context = {
        "event": event,
        "match": match,
        "position": found,
        "line": line,
        "own": signer.seat is not None,
        "board": board_html(seen, players_at(match), faces=card_faces(event)),
        "photos": found.photos.count(),
    }
    return render(request, "web/judge/position_sign.html", context, status=422 if request.method == "POST" else 200)


def _onward(request: HttpRequest, found: Position, own: Seat | None) -> HttpResponse:
    """Redirect a player to their own match, and a judge to the next player who has not signed, or to the board."""
    if own is not None:
        return to_seat(request, found.match)
    waits = next((line.seat.number for line in seat_lines(found) if line.signature is None), None)
    if waits is None:
        return redirect("web:position", found.public_id)
    return redirect(f"{reverse('web:position_sign', args=[found.public_id])}?seat={waits}")


def players_at(match: Match) -> dict[str, str]:
    """The names of the players of a match, by seat letter."""
    return {SEATS[seat.number - 1]: seat.entrant.name for seat in match.seats.all()}


def seat_lines(found: Position) -> list[SeatLine]:
    """The seats of the match, each with its signature of the board."""
    signed = {signature.seat_id: signature for signature in positions.signatures_of(found)}
    return [SeatLine(seat, signed.get(seat.pk)) for seat in _seats(found.match)]


def _seats(match: Match) -> list[Seat]:
    """The seats in order. Sorted in Python, to use the seats that were prefetched with their names."""
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def position_lines(match: Match) -> list[dict[str, Any]]:
    """The saved boards of a match in words, newest first: the question, the answer, and the signatures."""
    kept = list(positions.positions_of(match).annotate(pictures=Count("photos")))
    seats = _seats(match)
    signed: dict[tuple[int, str], Signature] = {
        (signature.seat_id, signature.digest): signature
        for signature in Signature.objects.filter(position__match=match)
    }
    event = match.round.stage.event
    names = card_names(event) if kept else {}
    return [
        {
            "position": each,
            "asked": asked_words(each, event, names),
            "answer": ANSWERS.get(each.answer, ""),
            "badge": ANSWER_BADGES.get(each.answer, ""),
            "lines": [SeatLine(seat, signed.get((seat.pk, each.digest))) for seat in seats],
        }
        for each in kept
    ]


def asked_words(found: Position, event: Event, names: Mapping[str, str], board: Mapping[str, Any] | None = None) -> str:
    """The move that was asked about, in words; "" if there was none or it cannot be read.

    With the board, the cards that the move names by their places are called by their names.
    """
    move = found.move or {}
    if not isinstance(move.get("do"), str):
        return ""
    args = move.get("args")
    known = {"by": str(move.get("by", "")), "do": move["do"], "args": args if isinstance(args, dict) else {}}
    at = {} if board is None else face.boards.move_cards(board, known)
    return entry_words(event.game, {**known, "at": at}, names)


def _question(found: Position, event: Event, names: Mapping[str, str], board: Mapping[str, Any]) -> dict[str, Any]:
    """Template context with the question about a board and its answer, in the language of the page."""
    if found.move is None:
        return {}
    answer = ask_move(event=event, position=found.document, move=found.move, language=language())
    return {"asked": asked_words(found, event, names, board), **answer_words(event, answer, {})}


def photos_in(request: HttpRequest) -> list[bytes]:
    """The uploaded photos. Each is read up to one byte beyond the size limit, which is enough to refuse it."""
    sent = request.FILES.getlist("photos")[: positions.MAX_PHOTOS + 1]
    return [photo.read(MAX_BYTES + 1) for photo in sent]


def picture_answer(shown: Any) -> HttpResponse:
    """The response with the JPEG of a photo, which no browser may interpret as anything else."""
    answer = HttpResponse(bytes(shown.jpeg), content_type="image/jpeg")
    answer["Content-Disposition"] = f'inline; filename="{shown.public_id}.jpg"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
