"""Clubs: the list of them, the page of one, and the pages on which its staff manage it."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournaments.clubs import belongings, series, services
from tournaments.clubs.access import (
    club_for_staff,
    club_for_viewer,
    event_of_club,
    may,
    role_of_club,
    roles_in,
    venue_of_club,
)
from tournaments.clubs.models import Club
from tournaments.clubs.selectors import (
    all_clubs,
    clubs_of,
    conventions_shown,
    events_of,
    events_to_add,
    ledger_of,
    past,
    team_of,
    upcoming,
)
from tournaments.common.clock import now
from tournaments.common.mail import address_of
from tournaments.common.refusals import InvalidInput
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.events.selectors import OVER
from tournaments.events.zones import zone_of
from tournaments.exports.calendars import club_link, webcal
from tournaments.leagues.selectors import leagues_of_club
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.clubs.forms import ClubEventForm, ClubForm, HandOverForm, RoleForm, SeriesForm, VenueForm
from tournaments.web.pages.events.ledger import names_of
from tournaments.web.paging import page_of
from tournaments.web.rate_limits import GRANTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.clubs import ROLES

CLUBS_A_PAGE = 50
PAST_SHOWN = 50


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """The reader's own clubs, and all clubs."""
    context = {"page_of": page_of(request, all_clubs(), CLUBS_A_PAGE), "mine": clubs_of(request.user)}
    return render(request, "web/clubs/clubs.html", context)


@require_safe
def club(request: HttpRequest, club_id: str) -> HttpResponse:
    """A club: what it says about itself, its next events and conventions, and those that are over."""
    shown = club_for_viewer(club_id)
    context = {
        "club": shown,
        "upcoming": upcoming(shown, request.user),
        "past": past(shown, request.user)[:PAST_SHOWN],
        "conventions": conventions_shown(shown, request.user),
        "leagues": leagues_of_club(shown, request.user),
        "staff": roles_in(request.user, shown),
        "calendar": address_of(club_link(shown)),
        "webcal": webcal(address_of(club_link(shown))),
    }
    return render(request, "web/clubs/club.html", context)


@login_required
@accepted_once
def club_new(request: SignedInRequest) -> HttpResponse:
    """Create a club, of which the reader becomes the owner."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            made = services.create_club(by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The club is created. Add its staff and its events."))
            return redirect("web:club_manage", made.public_id)
    return render(request, "web/clubs/new.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@accepted_once
def club_manage(request: SignedInRequest, club_id: str) -> HttpResponse:
    """The staff's page: settings, events, venues and the ledger. Its settings are changed here."""
    managed = club_for_staff(request.user, club_id, "manage" if request.method == "POST" else "view")
    form = ClubForm(request.POST or None, club=managed)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            services.change_club(club=managed, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The club is saved."))
            return redirect("web:club_manage", club_id)
    return _manage(request, managed, form=form)


def _manage(request: SignedInRequest, managed: Club, **forms: Any) -> HttpResponse:
    manages = may(request.user, managed, "manage")
    events = list(events_of(managed, request.user))
    context = {
        "club": managed,
        "form": ClubForm(None, club=managed),
        "add": _adding(request, managed),
        "venue_form": VenueForm(),
        "events": events,
        "venues": managed.venues.all(),
        "conventions": managed.conventions.all(),
        "ledger": _ledger_lines(managed, events),
        "manages": manages,
        "formats": belongings.formats_of_club(managed) if manages else (),
        "catalogues": belongings.catalogues_of_club(managed) if manages else (),
        "owns": may(request.user, managed, "give_roles"),
        **forms,
    }
    refused = any(form.errors for form in forms.values())
    return render(request, "web/clubs/manage.html", context, status=422 if refused else 200)


def _ledger_lines(managed: Club, events: Sequence[Event]) -> list[dict[str, Any]]:
    """The club's ledger: ids as names, as long as what they stand for exists and is among the `events` that are shown.

    The number of queries does not grow with it.
    """
    entries = list(ledger_of(managed))
    names = {
        **names_of(entries),
        **{event.public_id: event.name for event in events},
        **dict(managed.conventions.values_list("public_id", "name")),
        **{f"venue-{pk}": name for pk, name in managed.venues.values_list("pk", "name")},
    }
    return [
        {
            "entry": entry,
            "about": "" if entry.object == managed.public_id else names.get(entry.object, entry.object),
            "who": names.get(entry.actor, entry.actor),
        }
        for entry in entries
    ]


def _adding(request: SignedInRequest, managed: Club, sent: Any = None) -> ClubEventForm:
    return ClubEventForm(sent, events=list(events_to_add(managed, request.user).values_list("public_id", "name")))


@login_required
@require_POST
def club_delete(request: SignedInRequest, club_id: str) -> HttpResponse:
    """Delete a club."""
    services.delete_club(club=club_for_staff(request.user, club_id, "give_roles"), by=request.user, now=now())
    messages.success(request, _("The club is deleted. Its events stay as they are."))
    return redirect("web:clubs")


@login_required
@require_POST
def club_event_add(request: SignedInRequest, club_id: str) -> HttpResponse:
    """Make one of the reader's events an event of the club."""
    managed = club_for_staff(request.user, club_id, "manage")
    form = _adding(request, managed, request.POST)
    if not form.is_valid():
        raise InvalidInput("event_unknown", _("Choose an event that you own and that belongs to no club."))
    event = event_for_staff(request.user, form.cleaned_data["event"], "invite_staff")
    services.add_event(club=managed, event=event, by=request.user, now=now())
    messages.success(request, _("%(event)s now belongs to the club.") % {"event": event.name})
    return redirect("web:club_manage", club_id)


@login_required
@require_POST
def club_event_remove(request: SignedInRequest, club_id: str, event_id: str) -> HttpResponse:
    """Give an event of the club up."""
    managed = club_for_staff(request.user, club_id, "give_roles")
    event = event_of_club(managed, event_id)
    services.remove_event(club=managed, event=event, by=request.user, now=now())
    messages.success(request, _("%(event)s no longer belongs to the club.") % {"event": event.name})
    return redirect("web:club_manage", club_id)


@login_required
@require_POST
@accepted_once
def club_venue_save(request: SignedInRequest, club_id: str) -> HttpResponse:
    """Add a venue, or change the one with the same name."""
    managed = club_for_staff(request.user, club_id, "manage")
    form = VenueForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            services.save_venue(club=managed, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The venue is saved."))
            return redirect("web:club_manage", club_id)
    return _manage(request, managed, venue_form=form)


@login_required
@require_POST
def club_venue_delete(request: SignedInRequest, club_id: str, pk: int) -> HttpResponse:
    """Delete a venue."""
    managed = club_for_staff(request.user, club_id, "manage")
    services.delete_venue(venue=venue_of_club(managed, pk), by=request.user, now=now())
    messages.success(request, _("The venue is deleted."))
    return redirect("web:club_manage", club_id)


@login_required
@accepted_once
@rate_limited(GRANTS)
def club_team(request: SignedInRequest, club_id: str) -> HttpResponse:
    """List who has which role in the club; a POST gives a role by e-mail address."""
    managed = club_for_staff(request.user, club_id, "give_roles")
    form = RoleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            services.grant_role(club=managed, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The role is given, in the club and at its events."))
            return redirect("web:club_team", club_id)
    return _team(request, managed, form=form)


@login_required
@require_POST
@accepted_once
@rate_limited(GRANTS)
def club_hand_over(request: SignedInRequest, club_id: str) -> HttpResponse:
    """Make another account the owner of the club."""
    managed = club_for_staff(request.user, club_id, "give_roles")
    form = HandOverForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            services.hand_over(club=managed, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The club has a new owner."))
            return redirect("web:club", club_id)
    return _team(request, managed, hand_over_form=form)


@login_required
@require_POST
def club_role_revoke(request: SignedInRequest, club_id: str, pk: int) -> HttpResponse:
    """Take back a role in the club."""
    managed = club_for_staff(request.user, club_id, "give_roles")
    services.revoke_role(role=role_of_club(managed, pk), by=request.user, now=now())
    messages.success(request, _("The role is revoked, in the club and at its events."))
    return redirect("web:club_team" if may(request.user, managed, "give_roles") else "web:club", club_id)


def _team(request: HttpRequest, managed: Club, **forms: Any) -> HttpResponse:
    context = {
        "club": managed,
        "team": [
            {
                "role": held,
                "words": ROLES[held.role],
                "name": name,
                "revoke": reverse("web:club_role_revoke", args=[managed.public_id, held.pk]),
            }
            for held, name in team_of(managed)
        ],
        "form": RoleForm(),
        "hand_over_form": HandOverForm(),
        **forms,
    }
    refused = any(form.errors for form in forms.values())
    return render(request, "web/clubs/team.html", context, status=422 if refused else 200)


@login_required
@accepted_once
@rate_limited(GRANTS)
def club_series(request: SignedInRequest, club_id: str) -> HttpResponse:
    """Make a series of draft events with the settings of one of the club's."""
    managed = club_for_staff(request.user, club_id, "manage")
    own = events_of(managed, request.user)
    form = SeriesForm(request.POST or None, events=list(own.values_list("public_id", "name")))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            wanted = dict(form.cleaned_data)
            template = event_of_club(managed, wanted.pop("template"))
            wanted["first"] = wanted["first"].replace(tzinfo=zone_of(template))
            made = series.make_series(club=managed, template=template, by=request.user, now=now(), **wanted)
            count = len(made)
            words = ngettext("%(count)d draft event is created.", "%(count)d draft events are created.", count)
            messages.success(request, words % {"count": count})
            return redirect("web:club_manage", club_id)
    drafts = own.exclude(status__in=OVER).order_by("starts_at", "pk")
    context = {"club": managed, "form": form, "upcoming": drafts}
    return render(request, "web/clubs/series.html", context, status=422 if form.errors else 200)
