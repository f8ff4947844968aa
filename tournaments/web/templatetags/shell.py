"""Template tags of the page shell: an event's navigation and live stream, announcements, guides, form tokens."""

import secrets
from dataclasses import replace
from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.common import qr
from tournaments.decks.access import lists_are_open
from tournaments.events.access import ACTIONS, is_shown, own_entrants, readers_as, roles_of
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import stages_begun
from tournaments.play.access import shown_rounds
from tournaments.play.selectors import newest_shown_round
from tournaments.web.announced import announcements_to
from tournaments.web.blanks import blank, leaves_blanks
from tournaments.web.form_tokens import FIELD
from tournaments.web.guides import GUIDES, LISTS_LINE
from tournaments.web.live.address import stream_url
from tournaments.web.live.topics import about as about_
from tournaments.web.words.events import entrants_name

register = template.Library()


@register.inclusion_tag("_event_nav.html", takes_context=True)
def event_nav(context: template.Context, event: Event) -> dict[str, Any]:
    """The navigation links of an event that this reader may use. At most six queries, whatever the event's size."""
    request: HttpRequest = context["request"]
    roles, mine = _parts(request, event)
    readers = readers_as(roles, mine)
    rounds = shown_rounds(event, readers)
    links = [(_("Event"), _address("event", event.public_id))]
    if mine:
        links.append((_("My seat"), _address("me", event.public_id)))
    if rounds:
        links.append((_("Pairings"), _address("pairings", event.public_id, rounds[-1].number)))
    if rounds or newest_shown_round(event) is not None:
        links.append((_("Standings"), _address("standings", event.public_id)))
    drawn = _drawn_stage(event)
    if drawn is not None:
        links.append((
            _("Bracket") if drawn.is_bracket else _("Structure"),
            _address("stage", event.public_id, drawn.number),
        ))
    on_staff = roles & ACTIONS["view_staff_pages"]
    links.append((entrants_name(event), _address("staff_entrants" if on_staff else "entrants", event.public_id)))
    lists_open = lists_are_open(event, readers)
    if lists_open:
        links.append((_("Decklists"), _address("decks", event.public_id)))
    if lists_open and event.has_engine and event.is_over:
        links.append((_("Statistics"), _address("statistics", event.public_id)))
    if on_staff:
        links.append((_("Desk"), _address("staff", event.public_id)))
    if roles & ACTIONS["judge"]:
        links.append((_("Judges"), _address("judge", event.public_id)))
    elif roles & ACTIONS["record"]:
        links.append((_("Recording"), _address("record_tables", event.public_id)))
    shown = [(words, address) for words, address in links if address]
    here = _current(_listed(request.path, event), [address for _words, address in shown])
    return {"event": event, "links": shown, "here": here}


def _drawn_stage(event: Event) -> Stage | None:
    """The newest stage that has a page of its own: a bracket, a cross table or draft pods; None if there is none."""
    plain = (Stage.Kind.SWISS, Stage.Kind.TABLES)
    drawn = [stage for stage in stages_begun(event) if stage.started_at and stage.kind not in plain]
    return drawn[-1] if drawn else None


def _address(name: str, *args: object) -> str:
    try:
        return reverse(f"web:{name}", args=args)
    except NoReverseMatch:
        return ""


def _listed(path: str, event: Event) -> str:
    """The address to highlight in the navigation: the final ranking has no link there, and counts as standings."""
    return _address("standings", event.public_id) if path == _address("final", event.public_id) else path


def _current(path: str, addresses: list[str]) -> str:
    """The link to highlight: the longest address that is a prefix of the current path; empty if none is."""
    return max((address for address in addresses if path.startswith(address)), key=len, default="")


@register.simple_tag(takes_context=True)
def announcements(context: template.Context, event: Event) -> SafeString:
    """The region with the announcements for this reader, which the page keeps up to date."""
    request: HttpRequest = context["request"]
    return blank("announcements") if leaves_blanks(request) else announcements_to(request.user, event)


@register.inclusion_tag("_fragments/_guide.html", takes_context=True)
def guide(context: template.Context, name: str) -> dict[str, Any]:
    """The guide for a role, until the account has hidden it."""
    request: HttpRequest = context["request"]
    unread = request.user.is_authenticated and name not in request.user.guides_read
    shown = GUIDES[name]
    if not context.get("collects_lists", True):
        shown = replace(shown, lines=tuple(line for line in shown.lines if line is not LISTS_LINE))
    return {"name": name, "guide": shown if unread else None, "next": request.get_full_path()}


@register.simple_tag
def form_token() -> SafeString:
    """The hidden field with a one-time token, for forms that create or add something: see `web.form_tokens`."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, secrets.token_urlsafe(16))


@register.simple_tag
def qr_code(address: str) -> SafeString:
    """An address as a QR code, in SVG."""
    return mark_safe(qr.svg(address))  # noqa: S308 - the SVG holds shapes only, not the address as text


@register.simple_tag(takes_context=True)
def live_stream(context: template.Context, event: Event) -> str:
    """The address of an event's live stream, with a token for this page's reader; empty for one who may not see it.

    Two context variables ask for live parts: `followed_round` is the number of the round whose tables the page shows,
    `followed_seat` the entrant whose seat it shows. `linked_seat` is the entrant whose seat link opened the page.
    """
    request: HttpRequest = context["request"]
    roles, mine = _parts(request, event)
    by_link = not is_shown(request.user, event)
    seat = context.get("linked_seat" if by_link else "followed_seat")
    if by_link and seat is None:
        return ""  # another link opened the page, such as an invitation to the staff of a draft
    return stream_url(
        event.public_id,
        getattr(request, "live_since", None),
        readers=readers_as(roles, mine),
        pairings=context.get("followed_round"),
        own=[seat.public_id] if seat else (),
        by_link=by_link,
        language=get_language() or "",
    )


def _parts(request: HttpRequest, event: Event) -> tuple[frozenset[str], list[Entrant]]:
    """The reader's roles and own entrants at an event; looked up once per page."""
    # Kept with the request, as several tags of one page need it.
    known = request.__dict__.setdefault("parts_in_events", {})
    if event.pk not in known:
        known[event.pk] = roles_of(request.user, event), own_entrants(request.user, event)
    found: tuple[frozenset[str], list[Entrant]] = known[event.pk]
    return found


@register.simple_tag
def follows(topics: str, *of: Any) -> str:
    """Topics of single matches or entrants, for a `data-live` attribute.

    `topics` are separated by spaces; the items of `of` are matches, entrants, lists of them, or None. For example
    `{% follows "result game" match %}` gives `result:k3f9ab2c game:2mq7xw4e`.
    """
    found = [each for one in of for each in (one if isinstance(one, (list, tuple)) else [one]) if each]
    return " ".join(about_(topic, one.public_id) for one in found for topic in topics.split())
