"""Template tags and filters that turn codes and values into words and badges.

For example `{{ event.status|badge:"event" }}`; the tables are those of `web.words.badges.TABLES`.
"""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django import template
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.common.clock import now
from tournaments.common.markup import html_of
from tournaments.common.moments import in_words, local, zone_named
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.standings.words import figure
from tournaments.web.next_steps import next_step as step_after
from tournaments.web.words.badges import TABLES
from tournaments.web.words.boards import say
from tournaments.web.words.events import counted, entrants_name, game_title, state_of
from tournaments.web.words.labels import with_colon
from tournaments.web.words.meaning import Meaning

register = template.Library()


@register.filter
def says(code: str, table: str) -> str:
    """The short name of a code in a table; the code itself if the table does not have it."""
    meaning = TABLES[table].get(code)
    return str(meaning.short) if meaning else code


@register.simple_tag
def colon() -> str:
    """The colon after a label: French has a space before it, which does not break."""
    return with_colon("")


@register.filter
def explains(code: str, table: str) -> str:
    """The sentence that explains a code; empty if there is none."""
    meaning = TABLES[table].get(code)
    return str(meaning.long) if meaning else ""


@register.filter
def badge(code: str, table: str) -> SafeString:
    """The short name of a code as a badge, in HTML."""
    return _badge(TABLES[table].get(code, Meaning(code)))


def _badge(meaning: Meaning) -> SafeString:
    look = f" badge--{meaning.look}" if meaning.look else ""
    return format_html('<span class="badge{}">{}</span>', look, meaning.short)


@register.filter
def percent(share: Any) -> str:
    """A fraction of 1 as a percentage with two decimals, in the page's language; `–` for no value.

    Without the percent sign, which the column heading has.
    """
    if share in (None, ""):
        return "–"
    value = (Decimal(str(share)) * 100).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return number_format(value, 2)


@register.filter
def signed(change: float) -> str:
    """A change in whole units with its sign: `+12`, `−3`, `0`."""
    units = round(change)
    return f"{'+' if units > 0 else '−' if units < 0 else ''}{number_format(abs(units))}"


@register.filter
def game_name(game: str) -> str:
    """The name of a game of the engine."""
    return game_title(game)


@register.filter
def card_kind(kind: str) -> str:
    """The kind of a card (`combattant`) in the language of the page; as the catalogue has it if no game has it."""
    return say(f"kind.{kind}")


@register.filter
def points(value: Any) -> str:
    """An exact number in the page's language, with up to four decimals."""
    return figure(value, share=False)


@register.filter
def short(digest: str) -> str:
    """The first twelve characters of a digest, enough to compare two by eye."""
    return digest[:12]


@register.filter
def start_of(event: Event) -> SafeString:
    """When an event starts, in the form of `at_place`."""
    return at_place(event.starts_at, event)


@register.filter
def at_place(moment: datetime | None, event: Event) -> SafeString:
    """A moment as a `<time>` element in the time zone of the event; if it has none, in that of the reader's browser."""
    if moment is None:
        return SafeString("")
    if not event.time_zone:
        # The page's script replaces the text of elements with `data-local` by the time on the reader's clock.
        shown = date_format(local(moment), "DATETIME_FORMAT") + date_format(local(moment), " T")
        return format_html('<time datetime="{}" data-local="full">{}</time>', moment.isoformat(), shown)
    there = local(moment, zone_named(event.time_zone))
    return format_html(
        '<time datetime="{}">{} <span class="muted">({})</span></time>',
        there.isoformat(),
        date_format(there, "DATETIME_FORMAT"),
        event.time_zone.replace("_", " "),
    )


@register.filter
def hour_at_place(moment: datetime, event: Event) -> SafeString:
    """As `at_place`, with the hour alone: for the end of something whose start is shown beside it."""
    if not event.time_zone:
        shown = date_format(local(moment), "H:i")
        return format_html('<time datetime="{}" data-local="time">{}</time>', moment.isoformat(), shown)
    there = local(moment, zone_named(event.time_zone))
    return format_html('<time datetime="{}">{}</time>', there.isoformat(), date_format(there, "H:i"))


@register.filter
def said_at(moment: datetime | None, event: Event) -> str:
    """A moment within a sentence, in the time zone of the event; without one, in that of the site, which is named."""
    return "" if moment is None else in_words(moment, event.time_zone)


@register.filter
def hour_said_at(moment: datetime, event: Event) -> str:
    """As `said_at`, with the hour alone."""
    return in_words(moment, event.time_zone, "H:i")


@register.filter
def state_name(event: Event) -> str:
    """The state of an event as players see it now."""
    return str(state_of(event, now()).short)


@register.filter
def state_badge(event: Event) -> SafeString:
    """The state of an event as a badge, in HTML. Registration that has closed is not shown as open."""
    return _badge(state_of(event, now()))


@register.filter
def state_words(event: Event) -> str:
    """What the state of an event means to players."""
    return str(state_of(event, now()).long)


@register.filter
def counting(event: Event, number: int) -> str:
    """A number of those who play in an event: `8 players`, or `8 teams`."""
    return counted(event, number)


@register.filter
def of_entrants(event: Event) -> str:
    """What those who enter an event are called, as a heading: `Entrants`, or `Teams`."""
    return entrants_name(event)


@register.filter
def markdown(text: str) -> SafeString:
    """A Markdown text as safe HTML."""
    return SafeString(html_of(text))


@register.filter
def next_step(refusal: Refusal) -> str:
    """What to do after a refusal; empty if its own message says it."""
    return str(step_after(refusal))
