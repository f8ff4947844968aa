"""Middleware that shows the times on an event's pages in the time zone of its venue."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from tournaments.audits.models import MoveLog
from tournaments.common.moments import zone_named
from tournaments.events.access import event_named
from tournaments.events.models import Entrant
from tournaments.judging.models import Call, DeckCheck, Penalty
from tournaments.play.models import Match
from tournaments.web.requests import PageRequest

OF_EVENT: Mapping[str, tuple[Any, str]] = {
    "entrant_id": (Entrant, "event__time_zone"),
    "match_id": (Match, "round__stage__event__time_zone"),
    "log_id": (MoveLog, "game__match__round__stage__event__time_zone"),
    "call_id": (Call, "match__round__stage__event__time_zone"),
    "penalty_id": (Penalty, "entrant__event__time_zone"),
    "check_id": (DeckCheck, "match__round__stage__event__time_zone"),
}
"""URL parameters that belong to an event: the model that each is the public id of, and the lookup of the time zone."""


class EventZoneMiddleware:
    """Activate the time zone of the event that the address names, while its page is rendered.

    Sets `request.event_zone` to its name, for the page's scripts. Pages that belong to no event, or to one without a
    zone, do not have it: the scripts show times in the zone of the reader's browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()  # threads are reused, and the next request may be for another event

    def process_view(
        self, request: PageRequest, view: Callable[..., HttpResponse], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Find and activate the zone; for an event without one, the server writes times in the zone of the site."""
        if request.path.startswith("/api/"):
            return
        name = next((name for name in ("event_id", *OF_EVENT) if name in kwargs), None)
        if name is None:
            return
        zone = _zone(name, kwargs[name])
        if zone:
            request.event_zone = zone_named(zone).key
            timezone.activate(zone_named(zone))


def _zone(name: str, public_id: str) -> str | None:
    # "" is an event without a zone, None an object that does not exist.
    if name == "event_id":
        # `event_named` caches the event for the view, so this costs no query of its own.
        try:
            return event_named(public_id).time_zone
        except Http404:
            return None
    model, way = OF_EVENT[name]
    zone: str | None = model.objects.filter(public_id=public_id).values_list(way, flat=True).first()
    return zone
