"""Announcements: the fragment that pages show, and the staff page to make and withdraw them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.announcements import services
from tournaments.announcements.access import announcement_for_staff
from tournaments.announcements.selectors import standing
from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, event_for_viewer
from tournaments.web.announced import announcements_to
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.announcements.forms import AnnouncementForm
from tournaments.web.requests import SignedInRequest


@require_safe
def announcements(request: HttpRequest, event_id: str) -> HttpResponse:
    """The announcements for this reader, as the fragment that every page of the event includes."""
    return HttpResponse(announcements_to(request.user, event_for_viewer(request.user, event_id)))


@login_required
@accepted_once
def staff_announcements(request: SignedInRequest, event_id: str) -> HttpResponse:
    """List the current announcements; a POST makes a new one."""
    event = event_for_staff(request.user, event_id, "announce")
    form = AnnouncementForm(request.POST or None, stages=list(event.stages.all()))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            services.announce(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Announcement posted."))
            return redirect("web:staff_announcements", event_id)
    context = {"event": event, "form": form, "standing": standing(event, now())}
    return render(request, "web/staff/announcements.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def withdraw(request: SignedInRequest, announcement_id: str) -> HttpResponse:
    """Withdraw an announcement."""
    announcement = announcement_for_staff(request.user, announcement_id)
    services.withdraw(announcement=announcement, by=request.user, now=now())
    messages.success(request, _("Announcement withdrawn."))
    return redirect("web:staff_announcements", announcement.event.public_id)
