"""What search engines may list: robots.txt, the sitemap, the mark of other pages, and an event as data."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.common.mail import address_of
from tournaments.common.moments import local
from tournaments.events.models import Event
from tournaments.events.selectors import events_for_search_engines, is_for_search_engines
from tournaments.events.zones import zone_of
from tournaments.web.previews import event_preview, preview_path, shared
from tournaments.web.words.events import game_words

LISTED = frozenset({
    "home", "archive", "leagues", "event", "pairings", "standings", "final", "stage", "statistics",
    "privacy", "legal", "terms", "contact",
})  # fmt: skip
"""The routes of pages that search engines may list. All others are about one person, or for somebody in particular."""
CLOSED = (
    "account/", "address/", "api/", "book/", "calls/", "catalogues/", "claim/", "decks/", "deck-checks/", "feed/",
    "files/", "guardian/", "imports/", "invitation/", "invitations/", "join/", "letters/", "link/", "live/",
    "logs/", "openid/", "papers/", "password/", "penalties/", "photos/", "pools/", "positions/", "recordings/",
    "reset/", "seat/", "sign-in/", "sign-up/", "staff/", "webhooks/", "what-if/",
    "e/*/announcements/", "e/*/decks/", "e/*/embed/", "e/*/entrants/", "e/*/exports/", "e/*/file/", "e/*/judge/",
    "e/*/me/", "e/*/print/", "e/*/record/", "e/*/register/", "e/*/screen/", "e/*/staff/",
)  # fmt: skip
"""The beginnings of paths that programs of search engines are asked not to open."""
MOST_EVENTS = 5_000  # of the sitemap, newest first; the limit of the format is 50,000


class Place(NamedTuple):
    """A page in the sitemap: its absolute address, and when it last changed if that is known."""

    address: str
    changed_at: datetime | None = None


def robots_text() -> str:
    """The content of robots.txt."""
    root = get_script_prefix()
    lines = ["User-agent: *", *(f"Disallow: {root}{path}" for path in CLOSED)]
    return "\n".join([*lines, "", f"Sitemap: {address_of(reverse('web:sitemap'))}", ""])


def places() -> Iterator[Place]:
    """The pages of the sitemap. Leagues are not among them: the people named there have not asked to be found."""
    for name in ("home", "archive", "leagues"):
        yield Place(address_of(reverse(f"web:{name}")))
    for event in events_for_search_engines()[:MOST_EVENTS]:
        yield Place(address_of(reverse("web:event", args=[event.public_id])), event.changed_at)


def is_listed(request: HttpRequest | None, event: Event | None) -> bool:
    """Whether search engines may list this page, which is about `event` if it is about one."""
    found = request.resolver_match if request is not None else None
    return found is not None and found.url_name in LISTED and (event is None or is_for_search_engines(event))


def event_as_data(event: Event, request: HttpRequest) -> dict[str, Any]:
    """An event in the words of schema.org: only what the organizer has stated, so no end and no price."""
    found = shared(event_preview(event), request, preview_path(event))
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.name,
        "description": found.description,
        "url": address_of(reverse("web:event", args=[event.public_id])),
        "image": found.picture,
        "eventStatus": f"https://schema.org/{_STATUS.get(event.status, 'EventScheduled')}",
    }
    if event.starts_at is not None:
        data["startDate"] = local(event.starts_at, zone_of(event)).isoformat()
    if event.place:
        data["location"] = {"@type": "Place", "name": event.place, "address": event.place}
    if event.contact:
        data["organizer"] = {"@type": "Organization", "name": event.contact}
    if event.capacity:
        data["maximumAttendeeCapacity"] = event.capacity
    if game_words(event):
        data["about"] = {"@type": "Game", "name": game_words(event)}
    return data


_STATUS: Mapping[str, str] = {Event.Status.CANCELLED: "EventCancelled"}
_ESCAPED = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


def data_block(data: Mapping[str, Any]) -> SafeString:
    """JSON-LD as an element of a page. Browsers do not run it, so the security policy has nothing to allow."""
    # No text in it can end the element, because no `<` is left.
    content = json.dumps(data, ensure_ascii=False).translate(_ESCAPED)
    return mark_safe(f'<script type="application/ld+json">{content}</script>')  # noqa: S308 - escaped above
