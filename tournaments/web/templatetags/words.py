"""Template tags that turn codes into words and badges: `{{ event.status|badge:"event" }}`."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.web.meanings import TABLES

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
def short(digest: str) -> str:
    """The first twelve characters of a digest: enough to compare by eye."""
    return digest[:12]
