"""The statistics of an event: what was played and how it did, as charts drawn on the server and as a table."""

from dataclasses import dataclass
from itertools import count

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext_lazy
from django.views.decorators.http import require_safe

from tournaments.events.models import Stage
from tournaments.standings.access import event_for_statistics
from tournaments.standings.metagame import Group, Metagame
from tournaments.standings.statistics import BY, FACTIONS, LEAD, metagame_of

WIDTH, ROW, FOOT = 360, 44, 24  # of a chart, in SVG units, which are about pixels on a phone
DRAWN = 20  # groups in a chart; the table has all of them
LETTERS = 42  # longest name in a chart
WORDS = {LEAD: gettext_lazy("By hero or commander"), FACTIONS: gettext_lazy("By faction")}
WITHOUT = {LEAD: gettext_lazy("no hero or commander"), FACTIONS: gettext_lazy("no faction")}


@dataclass(frozen=True)
class Bar:
    """A line of a chart, with coordinates in SVG units.

    They are strings because templates write numbers in the format of the language, such as `1,5` in French. `width` is
    for a bar; `dot`, `low` and `high` are for a rate with its interval.
    """

    name: str
    figure: str
    text_y: str
    y: str
    width: str = ""
    dot: str = ""
    low: str = ""
    high: str = ""


def _name(group: Group, without: str) -> str:
    name = group.name or without
    return name if len(name) <= LETTERS else name[: LETTERS - 1] + "…"


def _x(share: float) -> str:
    return f"{share * WIDTH:.1f}"


def _shares(found: Metagame, without: str) -> list[Bar]:
    groups = found.groups[:DRAWN]
    most = max((group.share for group in groups), default=1)
    return [
        Bar(_name(group, without), f"{group.decks}", f"{y + 14}", f"{y + 20}", width=_x(group.share / most))
        for y, group in zip(count(0, ROW), groups, strict=False)
    ]


def _rates(found: Metagame, without: str) -> list[Bar]:
    bars: list[Bar] = []
    for group in [group for group in found.groups if group.decisive][:DRAWN]:
        low, high = group.interval or (0.0, 1.0)
        at = len(bars) * ROW
        figure = f"{(group.rate or 0) * 100:.0f} %"
        dot = _x(group.rate or 0)
        bars.append(Bar(_name(group, without), figure, f"{at + 14}", f"{at + 28}", dot=dot, low=_x(low), high=_x(high)))
    return bars


@require_safe
def statistics(request: HttpRequest, event_id: str) -> HttpResponse:
    """The metagame of an event, by hero or commander, or by faction (`?by=`)."""
    event = event_for_statistics(request.user, event_id)
    by = request.GET.get("by", LEAD)
    by = by if by in BY else LEAD
    found = metagame_of(event, by, get_language() or "en")
    without = str(WITHOUT[by])
    shares, rates = _shares(found, without), _rates(found, without)
    context = {
        "event": event,
        "by": by,
        "choices": WORDS.items(),
        "found": found,
        "without": without,
        "decks": sum(group.decks for group in found.groups) + found.unknown,
        "shares": shares,
        "shares_height": len(shares) * ROW,
        "rates": rates,
        "rates_height": len(rates) * ROW + FOOT,
        "rates_foot": len(rates) * ROW + FOOT - 6,
        "tables": event.stages.filter(kind=Stage.Kind.TABLES).exists(),
    }
    return render(request, "web/public/statistics.html", context)
