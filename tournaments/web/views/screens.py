"""Big screens: nobody touches them. They show what everybody may see, and follow by themselves."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.announcements.selectors import for_everybody
from tournaments.common.clock import now
from tournaments.events.access import event_for_viewer
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.play.models import Round
from tournaments.play.selectors import matches_of, newest_shown_round
from tournaments.standings.selectors import standings_of
from tournaments.standings.words import figure
from tournaments.web.answers import show
from tournaments.web.views.public import name_lines

SCREENS = {
    "clock": (_("Clock"), _("The time of the round, to be read from the back of the hall.")),
    "pairings": (_("Pairings"), _("Scrolling, by name, with the clock.")),
    "standings": (_("Standings"), _("Scrolling, with the clock.")),
}


@require_safe
def screens(request: HttpRequest, event_id: str) -> HttpResponse:
    """The screens there are."""
    event = event_for_viewer(request.user, event_id)
    return render(request, "screen/screens.html", {"event": event, "screens": SCREENS.items()})


@require_safe
def screen(request: HttpRequest, event_id: str, what: str) -> HttpResponse:
    """One screen of the newest published round; its fragment is asked for again by the page itself."""
    event = event_for_viewer(request.user, event_id)
    if what not in SCREENS:
        raise Http404
    round_ = newest_shown_round(event)
    at = now()
    context = {
        "event": event,
        "what": what,
        "words": SCREENS[what][0],
        "round": round_,
        "clock": getattr(round_, "clock", None),
        "announcements": for_everybody(event, at),
        "now": at,
        **_content(event, round_, what),
    }
    if what != "standings":
        context["code"] = request.build_absolute_uri(_pairings(event, round_))
    return show(request, "screen/screen.html", context, fragment="screen/_screen.html")


def _content(event: Event, round_: Round | None, what: str) -> dict[str, Any]:
    if what == "pairings" and round_ is not None:
        return {"lines": name_lines(matches_of(round_))}
    if what == "standings":
        state = standings_of(current_stage(event))
        names = {entrant.public_id: entrant.name for entrant in entrants_of(event)}
        return {
            "rows": [
                {
                    **row,
                    "name": names.get(row["entrant"], row["entrant"]),
                    "shown_points": figure(row["points"], share=False),
                }
                for row in state.rows
            ]
        }
    return {}


def _pairings(event: Event, round_: Round | None) -> str:
    """Where the QR code leads: the pairings by name, or the event before there are any."""
    if round_ is None:
        return reverse("web:event", args=[event.public_id])
    return reverse("web:pairings", args=[event.public_id, round_.number]) + "?by=name"
