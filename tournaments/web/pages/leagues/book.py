"""The private player book of an organizer: names and notes on everybody who played the organizer's events."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.accounts.models import Person
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.leagues.access import person_for_book
from tournaments.leagues.book import (
    BookPlayer,
    alike,
    book_of,
    events_of,
    known_as,
    merge_players,
    player_among,
    player_of,
    split_player,
)
from tournaments.leagues.book import write_entry as keep
from tournaments.web.pages.leagues.forms import BookEntryForm, MergeForm
from tournaments.web.requests import SignedInRequest

PLAYERS_A_PAGE = 100


@login_required
@require_safe
def book(request: SignedInRequest) -> HttpResponse:
    """Everybody who played the account's events, and the pairs who may be the same player."""
    find = request.GET.get("find", "").strip()[:80]
    players = book_of(request.user, find)
    page = Paginator(players, PLAYERS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "web/leagues/book.html", {"page_of": page, "find": find, "alike": alike(players)[:20]})


def _page(request: SignedInRequest, person: Person, form: BookEntryForm | None = None) -> HttpResponse:
    everybody = book_of(request.user)
    player = player_among(everybody, person)
    initial = {"name": player.private_name, "notes": player.notes}
    context = {
        "player": player,
        "others": [(other, known_as(other)) for other in player.others],
        "events": events_of(request.user, player),
        "form": form or BookEntryForm(initial=initial),
        "merge": _merging(everybody, player),
    }
    return render(request, "web/leagues/book_entry.html", context, status=422 if form else 200)


def _merging(everybody: list[BookPlayer], own: BookPlayer, sent: Any = None) -> MergeForm:
    others = [player for player in everybody if player.key != own.key]
    return MergeForm(sent, players=[(player.public_id, player.name) for player in others])


@login_required
def book_entry(request: SignedInRequest, person_id: str) -> HttpResponse:
    """A player in the book: private name, notes, merged entries and events. A POST saves name and notes."""
    person = person_for_book(request.user, person_id)
    if request.method != "POST":
        return _page(request, person)
    form = BookEntryForm(request.POST)
    if not form.is_valid():
        return _page(request, person, form)
    keep(owner=request.user, person=player_of(request.user, person).person, **form.cleaned_data)
    messages.success(request, _("Saved in your player book."))
    return redirect("web:book_entry", person_id)


@login_required
@require_POST
def book_merge(request: SignedInRequest, person_id: str) -> HttpResponse:
    """Merge two entries of the book that are the same player."""
    person = person_for_book(request.user, person_id)
    everybody = book_of(request.user)
    form = _merging(everybody, player_among(everybody, person), request.POST)
    if not form.is_valid():
        raise InvalidInput("player_unknown", _("There is no such player in your book."))
    other = person_for_book(request.user, form.cleaned_data["other"])
    stands = merge_players(owner=request.user, person=person, into=other, now=now())
    messages.success(request, _("They now count as the same player. You can split them again."))
    return redirect("web:book_entry", stands.public_id)


@login_required
@require_POST
def book_split(request: SignedInRequest, person_id: str) -> HttpResponse:
    """Split a merged entry off again."""
    person = person_for_book(request.user, person_id)
    split_player(owner=request.user, person=person, now=now())
    messages.success(request, _("They are two players again."))
    return redirect("web:book_entry", person_id)
