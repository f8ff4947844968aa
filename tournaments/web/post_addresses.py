"""Find the page behind an address that only takes a POST, for a GET after signing in again or from a bookmark."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve, reverse

from tournaments.announcements.models import Announcement
from tournaments.events.access import own_entrants, roles_of
from tournaments.events.models import Application, Entrant, Event, Invitation
from tournaments.judging.models import Call, Penalty

HOME = "/"

# Addresses with no page of the same object above them. By URL name: the model, the URL parameter with its public id,
# the lookup of its event, and the URL name of the event's page to go to.
EVENT_PAGES: Mapping[str, tuple[type[Model], str, str, str]] = {
    "call_step": (Call, "call_id", "match__round__stage__event", "judge"),
    "call_withdraw": (Call, "call_id", "match__round__stage__event", "me"),
    "penalty_withdraw": (Penalty, "penalty_id", "entrant__event", "penalties"),
    "list_reopen": (Entrant, "entrant_id", "event", "judge"),
    "list_close": (Entrant, "entrant_id", "event", "judge"),
    "application_withdraw": (Application, "application_id", "event", "event"),
    "withdraw": (Announcement, "announcement_id", "event", "staff_announcements"),
    "staff_uninvite": (Invitation, "invitation_id", "event", "staff_team"),
}
# Addresses below a public match page that belong to a staff page instead.
MATCH_PAGES: Mapping[str, str] = {"rule": "judge_match"}


def page_of(request: HttpRequest, match: ResolverMatch) -> str:
    """Where to redirect a GET on this address: its own page, else the nearest address above it, else home.

    If the address above only takes a POST too, the GET there is redirected in the same way.
    """
    name = match.url_name or ""
    if name in EVENT_PAGES:
        return _of_event(request, name, match.kwargs)
    if name in MATCH_PAGES:
        return reverse(f"web:{MATCH_PAGES[name]}", kwargs=match.kwargs)
    query = request.META.get("QUERY_STRING", "")  # it may choose one of a guardian's entrants
    return _above(request.path) + (f"?{query}" if query else "")


def _of_event(request: HttpRequest, name: str, kwargs: Mapping[str, Any]) -> str:
    """The page of the object's event, for its staff and players; home for others, who must not learn of the object."""
    model, parameter, path, page = EVENT_PAGES[name]
    rows: Any = model._default_manager.filter(public_id=kwargs[parameter])
    event = Event.objects.filter(pk__in=rows.values(path)).first()
    if event is None or not (roles_of(request.user, event) or own_entrants(request.user, event)):
        return HOME
    return reverse(f"web:{page}", args=[event.public_id])


def _above(path: str) -> str:
    """The nearest existing address above a path."""
    while path != HOME:
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return HOME
