"""Visibility settings: who sees decklists, pairings and standings, and when."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, may
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility
from tournaments.events.visibility import PRESETS, preset_of, read_visibility
from tournaments.web.form_tokens import accepted_once
from tournaments.web.pages.events.visibility_forms import PRESETS as WORDS
from tournaments.web.pages.events.visibility_forms import VisibilityForm
from tournaments.web.requests import SignedInRequest


@login_required
@accepted_once
def staff_visibility(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The table of visibility and its presets. All staff can read it; organizers can change it."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    table = read_visibility(event.visibility)
    preset = PRESETS.get(request.POST.get("preset", ""))
    form = VisibilityForm(request.POST if request.method == "POST" and preset is None else None, table=table)
    if request.method == "POST":
        event_for_staff(request.user, event_id, "manage_event")
        if preset or form.is_valid():
            choose_visibility(event=event, cells=preset or form.cells(), by=request.user, now=now())
            messages.success(request, _("Visibility settings saved."))
            return redirect("web:staff_visibility", event.public_id)
    closed = event.status in (Event.Status.ARCHIVED, Event.Status.CANCELLED)
    context = {
        "event": event,
        "form": form,
        "presets": [(name, words, means, name == preset_of(table)) for name, (words, means) in WORDS.items()],
        "open": not closed and may(request.user, event, "manage_event"),
    }
    return render(request, "web/staff/visibility.html", context, status=422 if form.errors else 200)
