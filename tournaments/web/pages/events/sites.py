"""The sites that may embed an event, and the code of the widgets to paste there."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.audits.watching import features_shown
from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.embedding import choose_sites, frame_code, widget_addresses
from tournaments.events.models import Event
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.framing import frames_own_pages
from tournaments.web.pages.events.forms import SitesForm, WidgetForm
from tournaments.web.requests import SignedInRequest


@login_required
def staff_sites(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Name the sites that may embed the event, one a line, and copy the code of its widgets."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = SitesForm(request.POST or None, initial={"sites": "\n".join(event.embed_sites)})
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_sites(event=event, sites=form.cleaned_data["sites"].splitlines(), by=request.user, now=now())
            messages.success(request, _("Sites saved."))
            return redirect("web:staff_sites", event_id)
    widget_form = WidgetForm(request.GET if {"language", "theme", "rows"} & set(request.GET) else None)
    context = {
        "event": event,
        "form": form,
        "features": features_shown(request.user, event),
        "widget_form": widget_form,
        "widgets": _widgets(request, event, widget_form),
    }
    return frames_own_pages(render(request, "web/staff/sites.html", context, status=422 if form.errors else 200))


def _widgets(request: HttpRequest, event: Event, form: WidgetForm) -> list[dict[str, Any]]:
    """Each widget with its title, the code to paste, and its address on this site."""
    chosen = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    query = f"?{urlencode(chosen)}" if chosen else ""
    titles = {"pairings": _("Pairings"), "standings": _("Standings")}
    return [
        {
            "what": what,
            "title": titles[what],
            "code": frame_code(address + query, f"{titles[what]} · {event.name}"),
            "query": query,
        }
        for what, address in widget_addresses(event).items()
    ]
