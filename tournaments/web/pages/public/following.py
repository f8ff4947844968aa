"""The page of one entrant, to follow a player through an event, and the players whom a browser follows.

Who is followed is kept in the browser only (`follow.js`).
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.audits.watching import feature_of
from tournaments.common.clock import now
from tournaments.events.access import event_for_viewer, readers_of
from tournaments.events.selectors import entrants_of
from tournaments.play.access import round_for_viewer
from tournaments.play.models import Match, Seat
from tournaments.play.selectors import is_hidden, matches_of
from tournaments.profiles.links import links_in
from tournaments.standings.progress import Place, progress_of
from tournaments.standings.words import figure, record_words
from tournaments.web.answers import show
from tournaments.web.shared import rendered_once

MOST_FOLLOWED = 50  # players whom one browser follows in an event; follow.js has the same limit


@require_safe
@rendered_once("round result table game dispute clock entrant feature standings stage event", linked=True)
def entrant(request: HttpRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Where an entrant plays now and against whom, the earlier matches, and the place in the standings."""
    event = event_for_viewer(request.user, event_id)
    who = entrants_of(event).filter(public_id=entrant_id).first()
    if who is None:
        raise Http404
    readers = readers_of(request.user, event)
    progress = progress_of(who, event, readers)
    match = progress.match
    context = {
        "event": event,
        "entrant": who,
        "progress": progress,
        "round": progress.round,
        "clock": getattr(progress.round, "clock", None),
        "match": match,
        "opponents": _line(match, who.public_id)["opponents"] if match else [],
        "feature": feature_of(match) if match else None,
        "matches": [*progress.earlier, *([match] if match else [])],
        "history": [_line(each, who.public_id) for each in reversed(progress.earlier)],
        "place": _place(progress.place),
        "profile": links_in(event.public_id).by_entrant.get(who.pk, ""),
        "now": now(),
    }
    return show(request, "web/public/entrant.html", context, fragment="web/public/_entrant.html")


@require_safe
def followed(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The tables of some players in a round (`?who=` their public ids): those whom a browser follows."""
    round_ = round_for_viewer(request.user, event_id, number)
    wanted = set(request.GET.getlist("who")[:MOST_FOLLOWED])
    seats = Seat.objects.filter(round=round_, entrant__public_id__in=wanted)
    matches = [] if is_hidden(round_, request.user) else list(matches_of(round_).filter(pk__in=seats.values("match")))
    lines = [
        _line(match, seat.entrant.public_id)
        for match in matches
        for seat in match.seats.all()
        if seat.entrant.public_id in wanted
    ]
    context = {"event": round_.stage.event, "round": round_, "lines": lines, "matches": matches}
    return show(request, "web/public/followed.html", context, fragment="web/public/_followed.html")


def _line(match: Match, entrant_id: str) -> dict[str, Any]:
    """A match with the entrant's own seat and the opponents' seats."""
    seats = list(match.seats.all())
    own = next(seat for seat in seats if seat.entrant.public_id == entrant_id)
    return {"match": match, "seat": own, "opponents": [seat for seat in seats if seat is not own]}


def _place(place: Place | None) -> dict[str, Any] | None:
    """The rank, points and record in words; None if there is no place to show."""
    if place is None:
        return None
    row = place.row
    return {
        "stage": place.stage,
        "after": place.after,
        "rank": row["rank"],
        "points": figure(row["points"], share=False),
        "record": record_words(row["record"], row.get("byes", 0)),
    }
