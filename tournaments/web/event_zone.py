"""Middleware that shows the times on an event's pages in the time zone of its venue."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from tournaments.audits.models import MoveLog
from tournaments.common.moments import zone_named
from tournaments.common.prepared import Prepared
from tournaments.events.access import event_named
from tournaments.events.models import Entrant
from tournaments.judging.models import Call, DeckCheck, Penalty
from tournaments.play.models import Match
from tournaments.web.requests import PageRequest


def _with_zone(model: Any, way: str) -> Prepared[Any]:
    return Prepared(
        lambda public_id: (
            model.objects.filter(public_id=public_id).annotate(zone=F(f"{way}__time_zone")).only("pk").order_by()
        ),
        str,
    )


OF_EVENT: Mapping[str, Prepared[Any]] = {
    "entrant_id": _with_zone(Entrant, "event"),
    "match_id": _with_zone(Match, "round__stage__event"),
    "log_id": _with_zone(MoveLog, "game__match__round__stage__event"),
    "call_id": _with_zone(Call, "match__round__stage__event"),
    "penalty_id": _with_zone(Penalty, "entrant__event"),
    "check_id": _with_zone(DeckCheck, "match__round__stage__event"),
}
"""URL parameters that belong to an event: for each the query for the object that it is the public id of."""


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
    return next((found.zone for found in OF_EVENT[name].rows(public_id)), None)
