"""The sites that may embed pairings, standings and feature matches of an event, and the code that they paste.

The sites are a list of origins, such as `https://club.example`.

An origin is a scheme, a host and perhaps a port, as browsers compare them for `frame-ancestors`.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urlsplit

from django.db import transaction
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.mail import address_of
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Event
from tournaments.events.services import record

WIDGETS = ("pairings", "standings")
FRAME_HEIGHT = 640  # pixels
MOST_SITES = 10
LONGEST_SITE = 200
LOCAL = ("localhost", "127.0.0.1")
# No wildcards, and nothing that would end the value or the directive of a header.
_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")


def origin_of(text: str) -> str | None:
    """The origin that an address stands for, or None if it is not the address of a site.

    `https`, or `http` on this machine; a host, and perhaps a port; no path, except for a slash at the end.

        >>> origin_of(" https://Club.example/ "), origin_of("http://localhost:8080")
        ('https://club.example', 'http://localhost:8080')
        >>> origin_of("http://club.example"), origin_of("https://*.example"), origin_of("https://club.example/live")
        (None, None, None)
    """
    try:
        said = urlsplit(text.strip().lower())
        port, host = said.port, (said.hostname or "").encode("idna").decode()
    except ValueError:  # UnicodeError is one, too
        return None
    bare = f"{said.scheme}://{said.netloc}" == text.strip().lower().removesuffix("/")
    secure = said.scheme == "https" or (said.scheme == "http" and host in LOCAL)
    if not bare or not secure or port == 0 or "@" in said.netloc or not _HOST.fullmatch(host):
        return None
    default = {"https": 443, "http": 80}[said.scheme]
    return f"{said.scheme}://{host}" + (f":{port}" if port not in (None, default) else "")


def choose_sites(*, event: Event, sites: Iterable[str], by: User, now: datetime) -> list[str]:
    """Replace the sites that may embed an event, and return their origins. Possible at any time.

    Refused: `site_invalid` (with the addresses that are no origins), `too_many_sites`.
    """
    said = [text.strip() for text in sites]
    found = {text: origin_of(text) for text in said if text}
    wrong = [text[:LONGEST_SITE] for text, origin in found.items() if origin is None]
    if wrong:
        sentence = _("Not the address of a site: %(site)s. Write it like https://club.example, without a page.")
        raise InvalidInput("site_invalid", sentence % {"site": wrong[0]}, details=wrong[:MOST_SITES])
    origins = list(dict.fromkeys(origin for origin in found.values() if origin))
    if len(origins) > MOST_SITES:
        sentence = _("Too many sites: %(count)d (the limit is %(most)d).")
        raise InvalidInput("too_many_sites", sentence % {"count": len(origins), "most": MOST_SITES})
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        before = event.embed_sites
        if origins != before:
            event.embed_sites = origins
            event.save(update_fields=["embed_sites"])
            record(event, by, "event.embed_sites_changed", now, before={"sites": before}, after={"sites": origins})
    return origins


def widget_addresses(event: Event) -> dict[str, str]:
    """The addresses of the widgets by their names; empty if no site may embed the event, or it is a draft."""
    if not event.embed_sites or not event.is_for_everybody:
        return {}
    return {what: address_of(reverse("web:event_embed", args=[event.public_id, what])) for what in WIDGETS}


def frame_code(address: str, title: str) -> SafeString:
    """The HTML that a site pastes to show a page of ours in a frame."""
    frame = '<iframe src="{}" title="{}" width="100%" height="{}" loading="lazy"></iframe>'
    return format_html(frame, address, title, FRAME_HEIGHT)
