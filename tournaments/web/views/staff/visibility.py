"""Who sees decklists, pairings and standings when: read by all staff, chosen by organizers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, may
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility
from tournaments.events.visibility import read_visibility
from tournaments.web.forms.visibility import VisibilityForm
from tournaments.web.once import once


@login_required
@once
def staff_visibility(request: HttpRequest, event_id: str) -> HttpResponse:
    """The table, cell by cell."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    form = VisibilityForm(request.POST or None, table=read_visibility(event.visibility))
    if request.method == "POST":
        event_for_staff(request.user, event_id, "manage_event")
        if form.is_valid():
            choose_visibility(event=event, cells=form.cleaned_data, by=request.user, now=now())
            messages.success(request, _("Who sees what is changed."))
            return redirect("web:staff_visibility", event.public_id)
    closed = event.status in (Event.Status.ARCHIVED, Event.Status.CANCELLED)
    context = {"event": event, "form": form, "open": not closed and may(request.user, event, "manage_event")}
    return render(request, "web/staff/visibility.html", context, status=422 if form.errors else 200)
