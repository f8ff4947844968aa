"""Conventions: the programme that everybody reads, and the page on which staff add events and assign tables."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.clubs import conventions
from tournaments.clubs.access import (
    club_for_staff,
    convention_for_staff,
    convention_for_viewer,
    event_of_club,
    may,
)
from tournaments.clubs.conventions import Share, shares_of
from tournaments.clubs.models import Convention
from tournaments.clubs.selectors import events_of
from tournaments.common.clock import now
from tournaments.common.moments import local
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Event
from tournaments.events.overlaps import sized
from tournaments.events.zones import zone_of
from tournaments.play.access import places_now
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.clubs.forms import ClubEventForm, ConventionForm
from tournaments.web.requests import SignedInRequest

FOUND_SHOWN = 50


@require_safe
def convention(request: HttpRequest, convention_id: str) -> HttpResponse:
    """The programme of a convention by day, and where a player sits now (`?find=`)."""
    shown = convention_for_viewer(request.user, convention_id)
    visible = events_of(shown.club, request.user).filter(club_entry__convention=shown)
    events = sized(visible)
    wanted = request.GET.get("find", "").strip()[:80]
    places = [place for place in places_now(events) if found_in(wanted, place.name)] if wanted else []
    context = {
        "convention": shown,
        "days": _days(events),
        "find": wanted,
        "places": places[:FOUND_SHOWN],
        "more": len(places) > FOUND_SHOWN,
        "manages": may(request.user, shown.club, "manage"),
    }
    return render(request, "web/clubs/convention.html", context)


def _days(events: list[Event]) -> list[tuple[Any, list[Event]]]:
    """The events by the day of their start at their place, in order; those without a date come last, under None."""
    dated = sorted((event for event in events if event.starts_at), key=lambda event: (_start(event), event.pk))
    days: list[tuple[Any, list[Event]]] = [
        (day, list(some)) for day, some in groupby(dated, key=lambda event: _start(event).date())
    ]
    undated = [event for event in events if event.starts_at is None]
    return [*days, *([(None, undated)] if undated else [])]


def _start(event: Event) -> Any:
    assert event.starts_at is not None
    return local(event.starts_at, zone_of(event))


@login_required
@accepted_once
def convention_new(request: SignedInRequest, club_id: str) -> HttpResponse:
    """Create a convention of a club; `?venue=` proposes the place and hall of one of its venues."""
    club = club_for_staff(request.user, club_id, "manage")
    venue = club.venues.filter(pk=_whole(request.GET.get("venue", ""))).first()
    proposed = {"place": venue.name, "hall": venue.hall} if venue else None
    form = ConventionForm(request.POST or None, initial=proposed)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            made = conventions.create_convention(club=club, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The convention is created. Add its events."))
            return redirect("web:convention_manage", made.public_id)
    context = {"club": club, "form": form, "venues": club.venues.all()}
    return render(request, "web/clubs/convention_new.html", context, status=422 if form.errors else 200)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


@login_required
@accepted_once
def convention_manage(request: SignedInRequest, convention_id: str) -> HttpResponse:
    """The staff's page: the events with their tables, and the settings of the convention, which are changed here."""
    managed = convention_for_staff(request.user, convention_id, "manage")
    form = ConventionForm(request.POST or None, convention=managed)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            conventions.change_convention(convention=managed, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The convention is saved."))
            return redirect("web:convention_manage", convention_id)
    return _manage(request, managed, form)


def _manage(request: SignedInRequest, managed: Convention, form: ConventionForm) -> HttpResponse:
    shares: list[Share] = shares_of(managed)
    context = {
        "convention": managed,
        "form": form,
        "add": _adding(request, managed),
        "shares": shares,
        "clashing": any(share.clashes for share in shares),
    }
    return render(request, "web/clubs/convention_manage.html", context, status=422 if form.errors else 200)


def _adding(request: SignedInRequest, managed: Convention, sent: Any = None) -> ClubEventForm:
    others = events_of(managed.club, request.user).exclude(club_entry__convention=managed)
    return ClubEventForm(sent, events=list(others.values_list("public_id", "name")))


@login_required
@require_POST
def convention_event_add(request: SignedInRequest, convention_id: str) -> HttpResponse:
    """Add an event of the club to the convention."""
    managed = convention_for_staff(request.user, convention_id, "manage")
    form = _adding(request, managed, request.POST)
    if not form.is_valid():
        raise InvalidInput("event_unknown", _("Choose an event of the club."))
    event = event_of_club(managed.club, form.cleaned_data["event"])
    conventions.include(convention=managed, event=event, by=request.user, now=now())
    messages.success(request, _("%(event)s is part of the convention.") % {"event": event.name})
    return redirect("web:convention_manage", convention_id)


@login_required
@require_POST
def convention_event_remove(request: SignedInRequest, convention_id: str, event_id: str) -> HttpResponse:
    """Take an event out of the convention."""
    managed = convention_for_staff(request.user, convention_id, "manage")
    event = event_of_club(managed.club, event_id)
    conventions.leave_out(convention=managed, event=event, by=request.user, now=now())
    messages.success(request, _("%(event)s is no longer part of the convention.") % {"event": event.name})
    return redirect("web:convention_manage", convention_id)


@login_required
@require_POST
def convention_tables(request: SignedInRequest, convention_id: str) -> HttpResponse:
    """Assign the tables of the hall to the events."""
    managed = convention_for_staff(request.user, convention_id, "manage")
    conventions.share_out(convention=managed, by=request.user, now=now())
    messages.success(request, _("The tables are assigned."))
    return redirect("web:convention_manage", convention_id)


@login_required
@require_POST
def convention_delete(request: SignedInRequest, convention_id: str) -> HttpResponse:
    """Delete a convention."""
    managed = convention_for_staff(request.user, convention_id, "manage")
    conventions.delete_convention(convention=managed, by=request.user, now=now())
    messages.success(request, _("The convention is deleted. Its events stay as they are."))
    return redirect("web:club_manage", managed.club.public_id)
