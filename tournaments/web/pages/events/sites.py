"""The sites that may embed the feature matches of an event."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.audits.watching import features_shown
from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.embedding import choose_sites
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.events.forms import SitesForm
from tournaments.web.requests import SignedInRequest


@login_required
def staff_sites(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Name the sites that may embed feature matches, one a line."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = SitesForm(request.POST or None, initial={"sites": "\n".join(event.embed_sites)})
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_sites(event=event, sites=form.cleaned_data["sites"].splitlines(), by=request.user, now=now())
            messages.success(request, _("Sites saved."))
            return redirect("web:staff_sites", event_id)
    context = {"event": event, "form": form, "features": features_shown(request.user, event)}
    return render(request, "web/staff/sites.html", context, status=422 if form.errors else 200)
