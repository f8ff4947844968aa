"""An organizer's own catalogues of cards: a list sent, looked at, kept or thrown away."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.decks import catalogues as services
from tournaments.decks.access import catalogue_for_owner, catalogue_for_reader, upload_for_owner
from tournaments.decks.engine_gate import faults_in_words
from tournaments.decks.models import CatalogueUpload
from tournaments.decks.selectors import catalogues_of, look_of, state_of
from tournaments.web.answers import show
from tournaments.web.brakes import CARDS, braked
from tournaments.web.forms.catalogues import CardsForm
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.once import once
from tournaments.web.words import LINT

Status = CatalogueUpload.Status
LISTED = 200  # faults on a page; the API has them all


@login_required
@once
@braked(CARDS)
def catalogues(request: HttpRequest) -> HttpResponse:
    """The account's catalogues, and a form to send a list of cards."""
    form = CardsForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            made = services.open_upload(by=request.user, now=now(), **form.sent)
            return redirect("web:catalogue_upload", made.public_id)
    waiting = request.user.catalogue_uploads.exclude(status=Status.KEPT).defer("document").order_by("pk")
    context = {"form": form, "catalogues": catalogues_of(request.user), "waiting": waiting}
    return render(request, "web/catalogues/catalogues.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def catalogue(request: HttpRequest, pk: int) -> HttpResponse:
    """One catalogue: its first cards, and what the linter says of it."""
    found = catalogue_for_reader(request.user, pk)
    context = {"catalogue": found, "own": found.owner_id == request.user.pk, **_looked_at(look_of(found), found.cards)}
    return render(request, "web/catalogues/catalogue.html", context)


@login_required
@require_POST
def catalogue_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a catalogue that no event is read with."""
    services.delete_catalogue(catalogue=catalogue_for_owner(request.user, pk))
    messages.success(request, _("The catalogue is deleted."))
    return redirect("web:catalogues")


@login_required
@require_safe
def catalogue_upload(request: HttpRequest, upload_id: str) -> HttpResponse:
    """A list that was sent: how far its reading is, then its cards, or every fault with its line."""
    upload = upload_for_owner(request.user, upload_id)
    if upload.kept_id is not None:
        return redirect("web:catalogue", upload.kept_id)
    report = upload.report
    faults = faults_in_words(report.get("faults", []), get_language() or "en")
    context: dict[str, Any] = {
        "upload": upload,
        "state": state_of(upload),
        "nobody_works": upload.status == Status.SENT and jobs.nobody_works(now()),
        "report": report,
        "faults": faults[:LISTED],
        "more_faults": max(0, len(faults) - LISTED),
        "address": request.path,
    }
    if upload.status == Status.READABLE:
        context |= _looked_at(report["look"], report["cards"])
    return show(request, "web/catalogues/upload.html", context, fragment="web/catalogues/_upload.html")


@login_required
@require_POST
def catalogue_upload_end(request: HttpRequest, upload_id: str, gesture: str) -> HttpResponse:
    """Keep a list as a catalogue, or throw it away."""
    upload = upload_for_owner(request.user, upload_id)
    if gesture == "discard":
        services.discard_upload(upload=upload)
        messages.success(request, _("The list is thrown away."))
        return redirect("web:catalogues")
    if gesture != "keep":
        raise Http404
    kept = services.keep_upload(upload=upload, now=now())
    messages.success(request, _("The catalogue is kept. Choose it on the page Cards of an event."))
    return redirect("web:catalogue", kept.pk)


def _looked_at(look: dict[str, Any], cards: int) -> dict[str, Any]:
    return {
        "look": look,
        "more_cards": max(0, cards - len(look["sample"])),
        "problems": [(LINT[problem["code"]], problem) for problem in look["problems"]],
        "more_problems": look["problem_count"] - len(look["problems"]),
        "hints": [(LINT[hint["code"]], hint) for hint in look["hints"]],
        "more_hints": look["hint_count"] - len(look["hints"]),
    }
