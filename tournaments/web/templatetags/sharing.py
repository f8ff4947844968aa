"""Template tags for the head of a page: what is shown of its link, and whether search engines may list it."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.audits.models import Feature
from tournaments.common.mail import address_of
from tournaments.events.models import Event
from tournaments.exports.calendars import webcal
from tournaments.leagues.models import League
from tournaments.web.previews import preview_of, preview_path, shared
from tournaments.web.search_engines import data_block, event_as_data, is_listed

register = template.Library()


@register.inclusion_tag("_preview.html", takes_context=True)
def preview(context: template.Context, of: Event | Feature | League, title: str = "") -> dict[str, Any]:
    """The tags from which others build the preview of a link. None for drafts and private leagues.

    `title` is that of the page, if it is not the first page of the event.
    """
    request: HttpRequest = context["request"]
    made = preview_of(of)
    return {"shared": shared(made, request, preview_path(of), title) if made else None}


@register.simple_tag(takes_context=True)
def robots(context: template.Context) -> SafeString:
    """The tag that keeps a page out of search engines, unless they may list it."""
    event = context.get("event")
    if is_listed(context.get("request"), event if isinstance(event, Event) else None):
        return mark_safe("")
    return mark_safe('<meta name="robots" content="noindex">')


@register.simple_tag(takes_context=True)
def event_data(context: template.Context, event: Event) -> SafeString:
    """An event as data for search engines. Empty for a draft."""
    return data_block(event_as_data(event, context["request"])) if event.is_for_everybody else mark_safe("")


@register.simple_tag
def webcal_of(event: Event) -> str:
    """The address at which a device offers to subscribe to the calendar of an event."""
    return webcal(address_of(reverse("web:event_ics", args=[event.public_id])))
