"""The score pad: a player notes the counters of each turn on a phone, and submits them as a log to be audited."""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from engine import face
from tournaments.audits import pads
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.play.access import game_for_log
from tournaments.web.rate_limits import UPLOADS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.boards import zone_words

MAX_PAD = 64 * 1024  # characters


@login_required
@rate_limited(UPLOADS)
def pad(request: SignedInRequest, match_id: str, number: int) -> HttpResponse:
    """The score pad, whose turns `pad.js` stores on the device. A POST submits them; idempotent."""
    game = game_for_log(request.user, match_id, number)
    match = game.match
    event = match.round.stage.event
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            log = pads.submit_pad(game=game, turns=_turns(request.POST.get("turns", "")), by=request.user, now=now())
            messages.success(request, _("The score pad is saved and will be audited."))
            return redirect("web:audit", log.public_id)
        except Refusal as refused:
            refusal = refused
    seats = pads.seats_of(match)
    _verb, facts = face.audits.pad_of(event.game, seats) if event.has_engine else ("", [])
    names = [seat.entrant.name for seat in match.seats.select_related("entrant").order_by("number")]
    players = dict(zip(seats, names, strict=True))
    context = {
        "event": event,
        "match": match,
        "game": game,
        "players": players,
        "tallies": [(fact, _words(fact, players)) for fact in facts],
        "refusal": refusal,
    }
    return render(request, "web/player/pad.html", context, status=refusal.status if refusal else 200)


def _words(fact: str, players: dict[str, str]) -> str:
    owner, name = fact.split(".")
    return f"{players[owner]} · {zone_words(name)}" if owner in players else zone_words(name)


def _turns(text: str) -> list[Any]:
    """Parse the submitted turns. Raises InvalidInput `pad_unreadable`."""
    try:
        value = json.loads(text) if len(text) <= MAX_PAD else None
    except (ValueError, RecursionError):  # JSON that is nested too deeply raises the latter
        value = None
    if not isinstance(value, list):
        raise InvalidInput("pad_unreadable", _("This score pad cannot be read."))
    return value
