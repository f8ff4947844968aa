"""Share what cards do as a file: download it, and read such a file back onto a catalogue after a preview."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from engine.face.effects import written_effects
from tournaments.common.clock import now
from tournaments.decks import effects as services
from tournaments.decks.access import newest_for_owner
from tournaments.decks.engine_gate import effects_of, raw_cards
from tournaments.decks.models import Catalogue
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.cards.forms import EffectsForm
from tournaments.web.rate_limits import IMPORTS, rate_limited
from tournaments.web.requests import SignedInRequest

LISTED = 100  # references of each kind in a preview


@login_required
@require_safe
def effects_download(request: HttpRequest, game: str, catalog: str) -> HttpResponse:
    """What the cards of an own catalogue do, as a file without their text; `?card=` is the reference of one of them."""
    catalogue = newest_for_owner(request.user, game, catalog)
    ref = request.GET.get("card", "")
    if ref and ref not in raw_cards(catalogue):
        raise Http404
    response = HttpResponse(written_effects(effects_of(catalogue, ref)), content_type="application/json")
    name = f"{ref or catalogue.catalog}-effects.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
@rate_limited(IMPORTS)
def effects_apply(request: SignedInRequest, game: str, catalog: str) -> HttpResponse:
    """Read a file of effects onto an own catalogue: a preview of what it changes, then `apply` saves it."""
    catalogue = newest_for_owner(request.user, game, catalog)
    form = EffectsForm(request.POST or None, request.FILES or None)
    preview, content = None, ""
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            content = form.content_sent
            if request.POST.get("command") == "apply":
                return _applied(request, catalogue, content)
            preview = services.preview_effects(catalogue=catalogue, content=content)
    context = {"catalogue": catalogue, "form": form, "preview": preview, "content": content, "listed": LISTED}
    return render(request, "web/catalogues/effects_apply.html", context, status=422 if form.errors else 200)


def _applied(request: SignedInRequest, catalogue: Catalogue, content: str) -> HttpResponse:
    saved, preview = services.apply_effects(catalogue=catalogue, content=content, by=request.user, now=now())
    count, version = len(preview.changed), saved.version
    said = ngettext(
        "Saved in version %(version)s: %(count)s card changed.",
        "Saved in version %(version)s: %(count)s cards changed.",
        count,
    )
    messages.success(request, said % {"count": count, "version": version})
    return redirect("web:catalogue_effects", saved.game, saved.catalog)
