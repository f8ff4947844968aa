"""Leagues: the list of them, the standings of one, the points of one player, and the owner's pages."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.accounts.models import Person
from tournaments.clubs.access import club_for_staff, clubs_managed_by
from tournaments.common.clock import now
from tournaments.common.csv_tables import as_csv
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput
from tournaments.events.access import event_for_staff
from tournaments.leagues import services
from tournaments.leagues.access import event_of_league, league_for_manager, league_for_viewer, manages
from tournaments.leagues.models import League
from tournaments.leagues.namesakes import namesakes_of
from tournaments.leagues.ratings import PROVISIONAL, ratings_of
from tournaments.leagues.rules import rates
from tournaments.leagues.selectors import (
    ShownLeague,
    ShownLine,
    as_document,
    events_shown,
    events_to_add,
    leagues_of,
    ledger_of,
    open_leagues,
    standings_of,
    table_of,
)
from tournaments.web.answers import show
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.leagues.forms import AddEventForm, LeagueForm
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest

LEAGUES_A_PAGE = 50
View = Callable[..., HttpResponse]


def unindexed(view: View) -> View:
    """Decorate a view to keep its page out of search engines.

    The people named on it have not asked to be found there, and an unlisted league must not be listed anywhere.
    """

    @wraps(view)
    def quiet(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"
        return response

    return quiet


@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    """The reader's own leagues, and all public ones."""
    page = Paginator(open_leagues(), LEAGUES_A_PAGE).get_page(request.GET.get("page"))
    mine = leagues_of(request.user) if request.user.is_authenticated else []
    return render(request, "web/leagues/leagues.html", {"page_of": page, "mine": mine})


@unindexed
@require_safe
def league(request: HttpRequest, league_id: str) -> HttpResponse:
    """The standings of a league, its events and its rules."""
    shown = standings_of(league_for_viewer(request.user, league_id), request.user)
    context = _context(request, shown)
    return show(request, "web/leagues/league.html", context, fragment="web/leagues/_league.html")


def _context(request: HttpRequest, shown: ShownLeague) -> dict[str, Any]:
    owner = manages(request.user, shown.league)
    wanted = request.GET.get("find", "")[:80]
    found = [line for line in shown.lines if found_in(wanted, line.name)]
    persons = request.user.persons.values_list("public_id", flat=True) if request.user.is_authenticated else []
    return {
        "league": shown.league,
        "shown": shown,
        "page_of": page_of(request, found),
        "find": wanted,
        "rules": shown.rules,
        "rates": rates(shown.league.rules),
        "events": events_shown(shown.league, request.user),
        "owner": owner,
        "namesakes": len(namesakes_of(shown.league, request.user)) if owner else 0,
        "mine": set(persons),
    }


@unindexed
@require_safe
def league_player(request: HttpRequest, league_id: str, person_id: str) -> HttpResponse:
    """How a player's points come about: every event, the points it gave, and why it counts or not."""
    shown = standings_of(league_for_viewer(request.user, league_id), request.user, beside=person_id)
    line = shown.line_of(person_id)
    if line is None:
        raise Http404
    context = {"league": shown.league, "rules": shown.rules, "line": line, "equals": _equals(shown, line)}
    return render(request, "web/leagues/player.html", context)


@unindexed
@require_safe
def league_ratings(request: HttpRequest, league_id: str) -> HttpResponse:
    """The ratings of a league, best first; 404 if it does not rate its players."""
    league = league_for_viewer(request.user, league_id)
    if not rates(league.rules):
        raise Http404
    shown, wanted = ratings_of(league), request.GET.get("find", "")[:80]
    persons = request.user.persons.values_list("public_id", flat=True) if request.user.is_authenticated else []
    context = {
        "league": league,
        "shown": shown,
        "page_of": page_of(request, [row for row in shown.rows if found_in(wanted, row.name)]),
        "find": wanted,
        "bound": PROVISIONAL,
        "mine": set(persons),
    }
    return show(request, "web/leagues/ratings.html", context, fragment="web/leagues/_ratings.html")


_ANY = "p-any"  # placeholder for the player in an address


def _equals(shown: ShownLeague, line: ShownLine) -> list[tuple[str, str]]:
    """The address and name of the other players who share the rank.

    There may be hundreds of them, so the address is resolved only once.
    """
    address = reverse("web:league_player", args=[shown.league.public_id, _ANY])
    return [(address.replace(_ANY, each.player), each.name) for each in shown.lines if each.player != line.player]


@require_safe
def league_export(request: HttpRequest, league_id: str, form: str) -> HttpResponse:
    """Download the standings as CSV or JSON."""
    league = league_for_viewer(request.user, league_id)
    table = table_of(standings_of(league, request.user))
    if form == "csv":
        answer = HttpResponse(as_csv(table), content_type="text/csv; charset=utf-8")
    elif form == "json":
        document = json.dumps(as_document(league, table), ensure_ascii=False, indent=1)
        answer = HttpResponse(document, content_type="application/json")
    else:
        raise Http404
    answer["Content-Disposition"] = f'attachment; filename="{league.public_id}.{form}"'
    return answer


@login_required
@accepted_once
def league_new(request: SignedInRequest) -> HttpResponse:
    """Create a league."""
    form = LeagueForm(request.POST or None, clubs=clubs_managed_by(request.user))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            made = _made(request, dict(form.cleaned_data))
            messages.success(request, _("The league is created. Choose the events that count."))
            return redirect("web:league_manage", made.public_id)
    return render(request, "web/leagues/new.html", {"form": form}, status=422 if form.errors else 200)


def _made(request: SignedInRequest, wanted: dict[str, Any]) -> League:
    name, visibility, club = wanted.pop("name"), wanted.pop("visibility"), wanted.pop("club", "")
    with transaction.atomic():
        made = services.create_league(name=name, visibility=visibility, rules=wanted, by=request.user, now=now())
        return _given(request, made, club)


def _given(request: SignedInRequest, league: League, chosen: str) -> League:
    """Give a league to the chosen club, or to none. A club that the reader does not manage stays as it is."""
    kept = league.club.public_id if league.club else ""
    if chosen == kept:
        return league
    club = club_for_staff(request.user, chosen, "manage") if chosen else None
    return services.give_to_club(league=league, club=club, by=request.user, now=now())


@login_required
@accepted_once
def league_manage(request: SignedInRequest, league_id: str) -> HttpResponse:
    """The manager's page: change the name, visibility and rules; list the events and the ledger."""
    league = league_for_manager(request.user, league_id)
    form = LeagueForm(request.POST or None, league=league, clubs=clubs_managed_by(request.user))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            wanted = dict(form.cleaned_data)
            chosen = wanted.pop("club", league.club.public_id if league.club else "")
            with transaction.atomic():
                services.change_league(league=league, by=request.user, now=now(), **wanted)
                _given(request, league, chosen)
            messages.success(request, _("League changed. Its points are being counted again."))
            return redirect("web:league_manage", league_id)
    return _manage(request, league, form)


def _manage(request: HttpRequest, league: League, form: LeagueForm) -> HttpResponse:
    events, entries = events_shown(league, request.user), list(ledger_of(league))
    people = Person.objects.filter(public_id__in={entry.object for entry in entries})
    names = {person.public_id: person.name for person in people} | {event.public_id: event.name for event in events}
    context = {
        "league": league,
        "form": form,
        "add": _adding(request, league),
        "events": events,
        "namesakes": len(namesakes_of(league, request.user)),
        "ledger": [(entry, names.get(entry.object, entry.object)) for entry in entries],
    }
    return render(request, "web/leagues/manage.html", context, status=422 if form.errors else 200)


def _adding(request: HttpRequest, league: League, sent: Any = None) -> AddEventForm:
    own = events_to_add(league, request.user)
    return AddEventForm(sent, events=list(own.values_list("public_id", "name")))


@login_required
@require_POST
def league_event_add(request: SignedInRequest, league_id: str) -> HttpResponse:
    """Add an event to a league."""
    league = league_for_manager(request.user, league_id)
    form = _adding(request, league, request.POST)
    if not form.is_valid():
        raise InvalidInput("event_unknown", _("Choose an event that you organize."))
    event = event_for_staff(request.user, form.cleaned_data["event"], "manage_event")
    services.add_event(league=league, event=event, by=request.user, now=now())
    messages.success(request, _("%(event)s now counts in the league.") % {"event": event.name})
    return redirect("web:league_manage", league_id)


@login_required
@require_POST
def league_event_remove(request: SignedInRequest, league_id: str, event_id: str) -> HttpResponse:
    """Remove an event from a league."""
    league = league_for_manager(request.user, league_id)
    event = event_of_league(league, event_id)
    services.remove_event(league=league, event=event, by=request.user, now=now())
    messages.success(request, _("%(event)s no longer counts.") % {"event": event.name})
    return redirect("web:league_manage", league_id)


@login_required
@require_POST
def league_delete(request: SignedInRequest, league_id: str) -> HttpResponse:
    """Delete a league."""
    services.delete_league(league=league_for_manager(request.user, league_id), by=request.user, now=now())
    messages.success(request, _("The league is deleted. Its events stay as they are."))
    return redirect("web:leagues")
