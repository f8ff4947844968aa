"""Every page of an event says its times by the clocks of the place where it is played."""

import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from tournaments.audits.models import MoveLog
from tournaments.events.access import event_named
from tournaments.events.models import Entrant
from tournaments.judging.models import Call, DeckCheck, Penalty
from tournaments.play.models import Match

OF_EVENT: Mapping[str, tuple[Any, str]] = {
    "entrant_id": (Entrant, "event__time_zone"),
    "match_id": (Match, "round__stage__event__time_zone"),
    "log_id": (MoveLog, "game__match__round__stage__event__time_zone"),
    "call_id": (Call, "match__round__stage__event__time_zone"),
    "penalty_id": (Penalty, "entrant__event__time_zone"),
    "check_id": (DeckCheck, "match__round__stage__event__time_zone"),
}
"""By the name of a parameter of an address: what it is the public id of, and the way from there to the zone."""


class EventZoneMiddleware:
    """Makes the time zone of the event that an address names the current one while its page is made.

    `request.event_zone` names it, for the scripts of the page; pages of no event have none, and say times in the zone
    of the reader's browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Read the zone; an event without one has that of the site."""
        if request.path.startswith("/api/"):
            return
        name = next((name for name in ("event_id", *OF_EVENT) if name in kwargs), None)
        if name is None:
            return
        zone = _zone(name, kwargs[name])
        if zone is None:
            return
        request.event_zone = zone or settings.TIME_ZONE
        timezone.activate(zoneinfo.ZoneInfo(request.event_zone))


def _zone(name: str, public_id: str) -> str | None:
    if name == "event_id":
        try:
            return event_named(public_id).time_zone
        except Http404:
            return None
    model, way = OF_EVENT[name]
    zone: str | None = model.objects.filter(public_id=public_id).values_list(way, flat=True).first()
    return zone
