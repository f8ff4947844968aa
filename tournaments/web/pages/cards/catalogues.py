"""An organizer's own card catalogues: upload a card list, preview it, and save or discard it."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import engine
from engine.face.lists import faults_in_words, left_out_in_words
from tournaments.accounts.owning import owns
from tournaments.clubs.access import clubs_managed_by
from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.decks import catalogues as services
from tournaments.decks.access import catalogue_for_owner, catalogue_for_reader, upload_for_owner
from tournaments.decks.images import hosts_of, image_count, saved_images
from tournaments.decks.models import CatalogueUpload
from tournaments.decks.selectors import catalogues_of, events_behind, look_of, state_of
from tournaments.web.answers import show
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.cards.forms import CardsForm
from tournaments.web.rate_limits import CARDS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.decks import CARD_FILES, CARDS_LACK, LINT

Status = CatalogueUpload.Status
LISTED = 200  # errors on a page; the API has all of them
MOST_HOSTS = 5  # hosts of images that are named on a page


@login_required
@accepted_once
@rate_limited(CARDS)
def catalogues(request: SignedInRequest) -> HttpResponse:
    """List the account's catalogues; a POST uploads a card list."""
    form = CardsForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            made = services.open_upload(by=request.user, now=now(), **form.sent)
            return redirect("web:catalogue_upload", made.public_id)
    waiting = request.user.catalogue_uploads.exclude(status=Status.KEPT).defer("document").order_by("pk")
    context = {
        "form": form,
        "catalogues": catalogues_of(request.user).select_related("group__club"),
        "waiting": waiting,
    }
    return render(request, "web/catalogues/catalogues.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def catalogue(request: SignedInRequest, pk: int) -> HttpResponse:
    """A catalogue: its first cards and the linter's report."""
    found = catalogue_for_reader(request.user, pk)
    own = owns(request.user, found)
    context = {"catalogue": found, "own": own, "behind": events_behind(found, request.user) if own else []}
    context |= {"clubs": clubs_managed_by(request.user)}
    context |= {"writable": found.game in engine.games()}
    context |= _looked_at(look_of(found), found.cards)
    context |= _file_in_words(found.report.get("file"))
    context |= _images(hosts_of(saved_images(found).values()))
    return render(request, "web/catalogues/catalogue.html", context)


@login_required
@require_POST
def catalogue_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a catalogue that no event uses."""
    services.delete_catalogue(catalogue=catalogue_for_owner(request.user, pk))
    messages.success(request, _("The catalogue is deleted."))
    return redirect("web:catalogues")


@login_required
@require_safe
def catalogue_upload(request: HttpRequest, upload_id: str) -> HttpResponse:
    """An uploaded card list: its progress, then a preview of its cards, or every error with its line."""
    upload = upload_for_owner(request.user, upload_id)
    if upload.kept_id is not None:
        return redirect("web:catalogue", upload.kept_id)
    report = upload.report
    faults = faults_in_words(report.get("faults", []), get_language() or "en")
    context: dict[str, Any] = {
        "upload": upload,
        "state": state_of(upload),
        "no_worker_runs": upload.status == Status.SENT and jobs.no_worker_runs(now()),
        "report": report,
        "faults": faults[:LISTED],
        "more_faults": max(0, len(faults) - LISTED),
        "address": request.path,
    }
    if upload.status == Status.READABLE:
        context |= _looked_at(report["look"], report["cards"]) | _file_in_words(report.get("file"))
        context |= _images(report.get("images", {}))
    return show(request, "web/catalogues/upload.html", context, fragment="web/catalogues/_upload.html")


@login_required
@require_POST
def catalogue_upload_end(request: HttpRequest, upload_id: str, action: str) -> HttpResponse:
    """Save an uploaded list as a catalogue (`keep`), or discard it (`discard`)."""
    upload = upload_for_owner(request.user, upload_id)
    if action == "discard":
        services.discard_upload(upload=upload)
        messages.success(request, _("The list is discarded."))
        return redirect("web:catalogues")
    if action != "keep":
        raise Http404
    kept = services.keep_upload(upload=upload, now=now())
    messages.success(request, _("The catalogue is saved. Events can use it now."))
    return redirect("web:catalogue", kept.pk)


def _file_in_words(file: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known of the file: its kind, what was left out, and what it lacks, in words."""
    if not file:
        return {}
    reasons = left_out_in_words(file["left_out"], get_language() or "en")
    return {
        "kind": CARD_FILES[file["kind"]],
        "left_out": reasons,
        "left_out_count": sum(reason["count"] for reason in reasons),
        "lacks": [CARDS_LACK[code] for code in file["lacks"]],
        "sets": file["sets"],
        "suspensions": file["suspensions"],
    }


def _images(hosts: Mapping[str, int]) -> dict[str, Any]:
    """How many cards have an image, and of which hosts images are not shown: at most `MOST_HOSTS` of them."""
    count = image_count(hosts)
    not_shown = list(count.not_shown.items())
    return {
        "images": count.cards,
        "not_shown": not_shown[:MOST_HOSTS],
        "more_not_shown": sum(cards for _host, cards in not_shown[MOST_HOSTS:]),
    }


def _looked_at(look: dict[str, Any], cards: int) -> dict[str, Any]:
    return {
        "look": look,
        "more_cards": max(0, cards - len(look["sample"])),
        "problems": [(LINT[problem["code"]], problem) for problem in look["problems"]],
        "more_problems": look["problem_count"] - len(look["problems"]),
        "hints": [(LINT[hint["code"]], hint) for hint in look["hints"]],
        "more_hints": look["hint_count"] - len(look["hints"]),
    }
