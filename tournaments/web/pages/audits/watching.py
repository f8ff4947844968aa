"""Feature matches: the public page with the board and last moves, some minutes late, and the staff page to set it up.

`audits.watching` decides what may be shown. The views here must not read anything else of a recording.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.audits import features
from tournaments.audits.access import feature_for_viewer
from tournaments.audits.models import Feature
from tournaments.audits.watching import Watched, entrants_off_stream, feature_of, games_won, watched
from tournaments.common.clock import now
from tournaments.decks.engine_gate import card_faces, card_names
from tournaments.events.access import may
from tournaments.play.access import match_for_staff, match_for_viewer
from tournaments.play.models import Match
from tournaments.web.answers import show
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.framing import framed_by
from tournaments.web.pages.audits.boards import board_html, last_move
from tournaments.web.pages.audits.feature_forms import FeatureForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.boards import actor_words, move_words

MOVES_ON_SCREEN = 6


@require_safe
def watch(request: HttpRequest, match_id: str) -> HttpResponse:
    """The newest public state of a feature match. The page keeps itself up to date."""
    return _page(request, feature_for_viewer(request.user, match_id), None, None)


@require_safe
def watch_step(request: HttpRequest, match_id: str, number: int, n: int) -> HttpResponse:
    """A game of a feature match after entry `n`, which the public must have reached."""
    return _page(request, feature_for_viewer(request.user, match_id), number, n)


@require_safe
def watch_screen(request: HttpRequest, match_id: str) -> HttpResponse:
    """The newest public state for a big screen."""
    # An anonymous reader, because the whole hall reads the screen, whoever has opened it.
    feature = feature_for_viewer(AnonymousUser(), match_id)
    context = _context(feature, watched(feature, now()))
    context["moves"] = context["moves"][:MOVES_ON_SCREEN]
    return show(request, "screen/feature.html", context, fragment="screen/_feature.html")


@require_safe
def watch_overlay(request: HttpRequest, match_id: str) -> HttpResponse:
    """The board, the names and the games won on nothing else, to be laid over the picture of a stream.

    Empty while there is nothing to follow, so that streaming software can hold the address before the match is a
    feature match, and shows nothing more once it no longer is.
    """
    match = match_for_viewer(AnonymousUser(), match_id)
    feature = feature_of(match)
    context = _game(feature) if feature else {"event": match.round.stage.event, "match": match}
    return show(request, "screen/overlay.html", context, fragment="screen/_overlay.html")


@require_safe
def watch_embed(request: HttpRequest, match_id: str) -> HttpResponse:
    """The board in a small frame of another site; 404 if the event names no site that may embed it."""
    feature = feature_for_viewer(AnonymousUser(), match_id)
    sites = feature.match.round.stage.event.embed_sites
    if not sites:
        raise Http404
    response = show(request, "screen/embed.html", _game(feature), fragment="screen/_embed.html")
    return framed_by(response, sites)


def _game(feature: Feature) -> dict[str, Any]:
    """The template context of the newest public state, with the `players`: the name and games won of each seat."""
    at = now()
    found = watched(feature, at)
    context = _context(feature, found)
    if found is None or found.game is None:
        return context
    won = games_won(feature, at)
    seats = zip(found.game.recording.header["seats"], context["names"], strict=False)
    return context | {"players": [{"name": name, "won": won.get(seat, 0)} for seat, name in seats]}


@login_required
def feature(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Make a match a feature match with a delay, or withdraw it."""
    match = match_for_staff(request.user, match_id, "feature")
    stands = Feature.objects.filter(match=match).first()
    form = FeatureForm(request.POST or None, initial={"delay": stands.delay} if stands else None)
    if "withdraw" in request.POST:
        features.withdraw_feature(match=match, by=request.user, now=now())
        messages.success(request, _("The public can no longer follow this match."))
        return redirect("web:feature", match_id)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            features.name_feature(match=match, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("This is now a feature match: the public can follow it."))
            return redirect("web:feature", match_id)
    context = {
        "event": match.round.stage.event,
        "match": match,
        "names": [seat.entrant.name for seat in match.seats.all()],
        "feature": stands,
        "form": form,
        "kept_off": entrants_off_stream(match),
        **_addresses(request, match),
    }
    return render(request, "web/staff/feature.html", context, status=422 if form.errors else 200)


def _page(request: HttpRequest, feature: Feature, number: int | None, n: int | None) -> HttpResponse:
    found = watched(feature, now(), number, n)
    if found is None:
        raise Http404
    context = _context(feature, found) | {"here": request.path}
    return show(request, "web/public/watch.html", context, fragment="web/public/_watch.html")


def _addresses(request: SignedInRequest, match: Match) -> dict[str, Any]:
    """What to copy: the address for streaming software, and the code of a frame if sites may embed the match."""
    event = match.round.stage.event
    names = " – ".join(seat.entrant.name for seat in match.seats.all())
    overlay, embed = (
        request.build_absolute_uri(reverse(f"web:{name}", args=[match.public_id]))
        for name in ("watch_overlay", "watch_embed")
    )
    frame = '<iframe src="{}" title="{}" width="100%" height="640" loading="lazy"></iframe>'
    return {
        "overlay": overlay,
        # It becomes part of another site, so the names are escaped here already; the page escapes it once more.
        "embed": format_html(frame, embed, names) if event.embed_sites else "",
        "manages": may(request.user, event, "manage_event"),
    }


def _context(feature: Feature, found: Watched | None) -> dict[str, Any]:
    """The template context: the board, the last moves in words (newest first), and the steps back and forth."""
    match = feature.match
    names = [seat.entrant.name for seat in match.seats.all()]
    context: dict[str, Any] = {
        "event": match.round.stage.event, "match": match, "feature": feature, "names": names, "moves": [],
    }  # fmt: skip
    if found is None or found.game is None or found.sight is None:
        return context
    game, sight = found.game, found.sight
    players = dict(zip(game.recording.header["seats"], names, strict=False))
    cards = card_names(match.round.stage.event)
    return context | {
        "game": game,
        "games": found.games,
        "n": found.n,
        "newest": game.newest,
        "back": game.step(found.n, -1),
        "forth": game.step(found.n, 1),
        "board": board_html(
            sight.board, players, sight.before, faces=card_faces(match.round.stage.event), move=last_move(sight.moves)
        ),
        "moves": [_line(match.round.stage.event.game, move, players, cards) for move in reversed(sight.moves)],
    }


def _line(game: str, move: Mapping[str, Any], players: Mapping[str, str], cards: Mapping[str, str]) -> dict[str, Any]:
    """A move in words, with the name of the player who made it."""
    by = actor_words(move["by"], players)
    return {"n": move["n"], "by": by, "words": move_words(game, move, cards)}
