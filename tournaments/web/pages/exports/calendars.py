"""Calendar files: one event, the events of an account behind a secret link, and those of an organizer
or a club.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.accounts.calendar_links import (
    account_of_calendar_link,
    make_calendar_link,
    stop_calendar_link,
)
from tournaments.accounts.models import User
from tournaments.clubs.access import club_for_viewer
from tournaments.common.clock import now
from tournaments.common.mail import address_of
from tournaments.events.access import event_for_viewer
from tournaments.exports.calendars import (
    account_calendar,
    account_link,
    club_calendar,
    event_calendar,
    organized_publicly,
    organizer_calendar,
    webcal,
)
from tournaments.web.languages import language_in_address
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address

HOUR = "max-age=3600"


@require_safe
@language_in_address
def event_ics(request: HttpRequest, event_id: str) -> HttpResponse:
    """One event as a calendar file; 404 if it has no date."""
    event = event_for_viewer(request.user, event_id)
    if event.starts_at is None:
        raise Http404
    return _sent(event_calendar(event), event.public_id)


@secret_address
@require_safe
def account_ics(request: HttpRequest, account_id: str, signature: str) -> HttpResponse:
    """The events of an account, for whoever has its secret link."""
    return _sent(account_calendar(account_of_calendar_link(account_id, signature), now()), "tournaments")


@require_safe
@language_in_address
def organizer_ics(request: HttpRequest, account_id: str) -> HttpResponse:
    """The public events that an account organizes; 404 if there are none."""
    user = User.objects.filter(public_id=account_id, is_active=True).first()
    if user is None or not organized_publicly(user).exists():
        raise Http404
    return _sent(organizer_calendar(user, now()), "tournaments")


@require_safe
@language_in_address
def club_ics(request: HttpRequest, club_id: str) -> HttpResponse:
    """The public events of a club."""
    return _sent(club_calendar(club_for_viewer(club_id), now()), "tournaments")


@login_required
@require_POST
def account_calendar_link(request: SignedInRequest) -> HttpResponse:
    """Make a calendar link, which replaces the one before, or stop it (`stop`)."""
    if "stop" in request.POST:
        stop_calendar_link(user=request.user)
        messages.success(request, _("The calendar link no longer works."))
    else:
        make_calendar_link(user=request.user)
        messages.success(request, _("Your calendar link is ready."))
    return redirect(reverse("web:account") + "#calendar")


def calendars_of(user: User) -> dict[str, Any]:
    """The calendar links of an account for its page: of its own events, and of the public events it organizes."""
    own = account_link(user)
    organized = organized_publicly(user).exists()
    public = address_of(reverse("web:organizer_ics", args=[user.public_id])) if organized else ""
    return {
        "calendar": own,
        "calendar_webcal": webcal(own),
        "organizer_calendar": public,
        "organizer_webcal": webcal(public),
    }


def _sent(file: bytes, name: str) -> HttpResponse:
    response = HttpResponse(file, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.ics"'
    response["Cache-Control"] = HOUR
    return response
