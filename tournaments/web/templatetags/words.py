"""Template tags that turn codes into words and badges: `{{ event.status|badge:"event" }}`."""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from tournaments.common.markup import html_of
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.standings.words import figure
from tournaments.web.meanings import TABLES, state_words
from tournaments.web.next_steps import next_step as step_after

register = template.Library()


@register.filter
def says(code: str, table: str) -> str:
    """The short words of a code; the code itself when it has none."""
    meaning = TABLES[table].get(code)
    return str(meaning.short) if meaning else code


@register.filter
def explains(code: str, table: str) -> str:
    """The sentence behind a code; empty when it needs none."""
    meaning = TABLES[table].get(code)
    return str(meaning.long) if meaning else ""


@register.filter
def badge(code: str, table: str) -> SafeString:
    """The short words of a code as a badge."""
    meaning = TABLES[table].get(code)
    look = f" badge--{meaning.look}" if meaning and meaning.look else ""
    return format_html('<span class="badge{}">{}</span>', look, meaning.short if meaning else code)


@register.filter
def percent(share: Any) -> str:
    """A share of 1 in hundredths with two decimals, in the page's language; the sign stands in the heading."""
    if share in (None, ""):
        return "–"
    value = (Decimal(str(share)) * 100).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return number_format(value, 2)


@register.filter
def points(value: Any) -> str:
    """An exact figure in the page's language, with up to four decimals."""
    return figure(value, share=False)


@register.filter
def short(digest: str) -> str:
    """The first twelve characters of a digest: enough to compare by eye."""
    return digest[:12]


@register.filter
def start_of(event: Event) -> SafeString:
    """When an event starts, as `at_place` shows it."""
    return at_place(event.starts_at, event)


@register.filter
def at_place(moment: datetime | None, event: Event) -> SafeString:
    """An instant in the time zone of the event's place, or, where none is known, in that of the reader."""
    if moment is None:
        return SafeString("")
    if not event.time_zone:
        shown = date_format(localtime(moment), "j M Y, H:i T")
        return format_html('<time datetime="{}" data-local="full">{}</time>', moment.isoformat(), shown)
    there = moment.astimezone(ZoneInfo(event.time_zone))
    return format_html(
        '<time datetime="{}">{} <span class="muted">({})</span></time>',
        there.isoformat(),
        date_format(there, "j M Y, H:i"),
        event.time_zone.replace("_", " "),
    )


@register.simple_tag
def event_state(event: Event, now: datetime) -> str:
    """What the state of an event means to players."""
    return state_words(event, now)


@register.filter
def markdown(text: str) -> SafeString:
    """A Markdown text as safe HTML."""
    return SafeString(html_of(text))


@register.filter
def next_step(refusal: Refusal) -> str:
    """What to do after a refusal; empty where its own sentence says it."""
    return str(step_after(refusal))
