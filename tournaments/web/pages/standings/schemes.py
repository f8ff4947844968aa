"""The settings of an event's standings: their order, and the points of a match."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.selectors import current_stage
from tournaments.play.field import OWN_SCHEMES
from tournaments.standings.services import choose_scheme, choose_scoring
from tournaments.standings.words import WORDS
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.standings.forms import SchemeForm, ScoringForm
from tournaments.web.requests import SignedInRequest


@login_required
@accepted_once
def staff_scheme(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose the order of the current stage's standings (`part=order`), or points and floor (`part=worth`)."""
    event = event_for_staff(request.user, event_id, "manage_event")
    scheme = current_stage(event).scheme
    fixed = scheme in OWN_SCHEMES
    asked = request.POST.get("part") if request.method == "POST" else None
    order = SchemeForm(request.POST if asked == "order" else None, now="mtr" if fixed else scheme)
    worth = ScoringForm(request.POST if asked == "worth" else None, now=event.scoring)
    if asked == "order" and order.is_valid():
        with refusals_on(order):
            choose_scheme(event=event, scheme=order.chosen(), by=request.user, now=now())
            messages.success(request, _("The standings are being computed again in this order."))
            return redirect("web:staff_scheme", event.public_id)
    if asked == "worth" and worth.is_valid():
        with refusals_on(worth):
            choose_scoring(event=event, scoring=worth.chosen(), by=request.user, now=now())
            messages.success(request, _("Points and floor are saved, and the standings are being computed again."))
            return redirect("web:staff_scheme", event.public_id)
    context = {"event": event, "order": order, "worth": worth, "fixed": fixed, "tiebreaks": WORDS}
    wrong = asked not in (None, "order", "worth") or order.errors or worth.errors
    return render(request, "web/staff/scheme.html", context, status=422 if wrong else 200)
