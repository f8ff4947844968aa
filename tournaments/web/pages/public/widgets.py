"""Widgets: pairings and standings in a small frame of the sites that the event names.

Like big screens they show only what everybody may see, and withhold the names of players who stay off streams.
"""

from collections.abc import Mapping
from typing import Any

from csp.constants import SELF
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournaments.events.access import event_for_viewer
from tournaments.events.embedding import WIDGETS
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import off_stream, public_names
from tournaments.events.visibility import PUBLIC
from tournaments.play.access import shown_rounds
from tournaments.play.selectors import matches_of
from tournaments.standings.access import shows_standings
from tournaments.standings.selectors import stage_to_show, standings_of
from tournaments.standings.words import figure, record_words
from tournaments.web.answers import show
from tournaments.web.framing import framed_by
from tournaments.web.languages import language_in_address
from tournaments.web.shared import rendered_once

ONLOOKERS = frozenset({PUBLIC})
ROWS, MOST_ROWS = 100, 500
THEMES = ("light", "dark")


@require_safe
@language_in_address
def event_embed(request: HttpRequest, event_id: str, what: str) -> HttpResponse:
    """The pairings of the newest round, or the standings, for a frame; 404 if the event names no site.

    `?rows=10` shows the first ten, `?language=fr` and `?theme=dark` choose the language and the colours.
    """
    # An anonymous reader: what stands in a frame is read by everybody, whoever has opened the page around it.
    sites = event_for_viewer(AnonymousUser(), event_id).embed_sites
    if not sites or what not in WIDGETS:
        raise Http404
    # Our own site, too: the page on which the code is copied shows the widget.
    return framed_by(_widget(request, event_id, what=what), [SELF, *sites])


@rendered_once("round result table dispute match entrant stage event standings")
def _widget(request: HttpRequest, event_id: str, *, what: str) -> HttpResponse:
    event = event_for_viewer(AnonymousUser(), event_id)
    rows = request.GET.get("rows", "")
    most = min(max(int(rows), 1), MOST_ROWS) if rows.isdecimal() and len(rows) < 5 else ROWS
    theme = request.GET.get("theme", "")
    context = {
        "event": event,
        "what": what,
        "theme": theme if theme in THEMES else "",
        **(_pairings(event, most) if what == "pairings" else _standings(event, most)),
    }
    return show(request, "screen/widget.html", context, fragment="screen/_widget.html")


def _pairings(event: Event, most: int) -> dict[str, Any]:
    """The first tables of the newest round that everybody may see."""
    round_ = next(reversed(shown_rounds(event, ONLOOKERS)), None)
    if round_ is None:
        return {"round": None, "tables": []}
    withheld, hidden = off_stream(event), gettext("name withheld")
    matches = matches_of(round_)
    tables = [
        {
            "match": match,
            "seats": [{"rank": seat.rank, "name": _name(seat.entrant, withheld, hidden)} for seat in match.seats.all()],
        }
        for match in matches[:most]
    ]
    return {"round": round_, "tables": tables, "shown": len(tables), "total": matches.count()}


def _name(entrant: Entrant, withheld: Mapping[int, str], hidden: str) -> str:
    return hidden if entrant.pk in withheld else entrant.name


def _standings(event: Event, most: int) -> dict[str, Any]:
    """The first rows of the newest standings, if everybody may see them."""
    stage = stage_to_show(event)
    if not shows_standings(ONLOOKERS, stage):
        return {"hidden": True, "rows": []}
    state = standings_of(stage)
    names = public_names(event) | dict.fromkeys(off_stream(event).values(), gettext("name withheld"))
    rows = [
        {
            "rank": row["rank"],
            "name": names.get(row["entrant"], row["entrant"]),
            "points": figure(row["points"], share=False),
            "record": record_words(row["record"], row.get("byes", 0)),
        }
        for row in state.rows[:most]
    ]
    after = stage.first_round - 1 + state.round_number
    return {"rows": rows, "after": after, "shown": len(rows), "total": len(state.rows)}
