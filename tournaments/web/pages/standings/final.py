"""The end of an event: the final ranking over all stages, and a picture of the winners to share."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.http import require_safe

from tournaments.common.moments import local
from tournaments.common.names import found_in
from tournaments.events.access import event_for_viewer, readers_of
from tournaments.events.models import Event
from tournaments.events.selectors import entrants_of, off_stream, public_names
from tournaments.events.visibility import PUBLIC
from tournaments.events.zones import zone_of
from tournaments.paper.pictures import Line, winners_picture
from tournaments.standings.access import require_all_standings
from tournaments.standings.selectors import final_rows
from tournaments.standings.winners import winners_of
from tournaments.standings.words import figure, record_words
from tournaments.web.answers import show
from tournaments.web.blanks import own_ids, own_in
from tournaments.web.pages.standings.categories import awards_shown
from tournaments.web.paging import page_of
from tournaments.web.shared import nothing_else, rendered_once


@require_safe
@rendered_once("standings result round event stage entrant prize answers", own=nothing_else)
def final(request: HttpRequest, event_id: str) -> HttpResponse:
    """The final ranking: the players of the last stage first, then the others as the earlier stages ranked them."""
    event = require_all_standings(request.user, event_for_viewer(request.user, event_id))
    wanted, readers = request.GET.get("find", ""), readers_of(request.user, event)
    names = public_names(event) if wanted else {}
    page = page_of(request, [row for row in final_rows(event) if found_in(wanted, names.get(row["entrant"], ""))])
    context = {
        "event": event,
        "page_of": page,
        "rows": _shown(event, list(page)),
        "find": wanted,
        "several": event.stages.count() > 1,
        "own_ids": own_ids(request, own_in(request, event)),
        "winners": winners_of(event, readers, get_language() or "en"),
        "picture_alt": picture_words(event),
        "awards": awards_shown(request, event, readers),
    }
    return show(request, "web/public/final.html", context, fragment="web/public/_final.html")


def _shown(event: Event, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    entrants = {
        entrant.public_id: entrant
        for entrant in entrants_of(event).filter(public_id__in=[row["entrant"] for row in rows])
    }
    kinds = dict(event.stages.values_list("number", "kind"))
    return [
        {
            **row,
            "who": entrants.get(row["entrant"]),
            "shown_points": figure(row["points"], share=False),
            "shown_record": record_words(row["record"], row.get("byes", 0)),
            "structure": kinds.get(row["stage"], ""),
        }
        for row in rows
    ]


@require_safe
def winners(request: HttpRequest, event_id: str) -> HttpResponse:
    """The winners as a PNG to share. It shows only what everybody may see, whoever requests it.

    404 while the event is not over.
    """
    event = require_all_standings(request.user, event_for_viewer(request.user, event_id))
    if not event.is_over:
        raise Http404
    answer = HttpResponse(winners_picture(event.name, _facts(event), _lines(event)), content_type="image/png")
    answer["Content-Disposition"] = f'inline; filename="{event.public_id}-winners.png"'
    answer["Cache-Control"] = "private, max-age=60"
    return answer


def _lines(event: Event) -> list[Line]:
    """The podium as the public may see it. Players who opted out of streams are not named in the picture."""
    withheld, hidden = off_stream(event), gettext("name withheld")
    found = winners_of(event, {PUBLIC}, get_language() or "en")
    return [Line(each.rank, hidden if each.entrant.pk in withheld else each.entrant.name, each.lead) for each in found]


def picture_words(event: Event) -> str:
    """The alternative text of the picture; "" while the event is not over."""
    if not event.is_over:
        return ""
    winners = ", ".join(f"{line.rank}. {line.name}{f' ({line.lead})' if line.lead else ''}" for line in _lines(event))
    return gettext("Winners of %(event)s: %(names)s") % {"event": event.name, "names": winners}


def _facts(event: Event) -> str:
    zone = zone_of(event)
    players = event.entrants.exclude(status="waiting").exclude(dropped_after=0).count()
    parts = [
        date_format(local(event.starts_at, zone)) if event.starts_at else "",
        event.place,
        ngettext("%(count)d player", "%(count)d players", players) % {"count": players},
    ]
    return " · ".join(filter(None, parts))
