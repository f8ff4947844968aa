"""Announcements: what a page shows of them, and the desk that makes and withdraws them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.announcements import services
from tournaments.announcements.access import announcement_for_staff
from tournaments.announcements.selectors import heard, standing
from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, event_for_viewer
from tournaments.web.forms.announcing import AnnouncementForm
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.once import once


@require_safe
def announcements(request: HttpRequest, event_id: str) -> HttpResponse:
    """The announcements for this reader, as the fragment that every page of the event carries."""
    event = event_for_viewer(request.user, event_id)
    context = {"event": event, "announcements": heard(request.user, event, now())}
    return render(request, "_fragments/_announcements.html", context)


@login_required
@once
def staff_announcements(request: HttpRequest, event_id: str) -> HttpResponse:
    """What stands, and the form that says something more."""
    event = event_for_staff(request.user, event_id, "announce")
    form = AnnouncementForm(request.POST or None, stages=list(event.stages.all()))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            services.announce(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("It is announced."))
            return redirect("web:staff_announcements", event_id)
    context = {"event": event, "form": form, "standing": standing(event, now())}
    return render(request, "web/staff/announcements.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def withdraw(request: HttpRequest, announcement_id: str) -> HttpResponse:
    """Take an announcement down."""
    announcement = announcement_for_staff(request.user, announcement_id)
    services.withdraw(announcement=announcement, by=request.user, now=now())
    messages.success(request, _("The announcement is withdrawn."))
    return redirect("web:staff_announcements", announcement.event.public_id)
