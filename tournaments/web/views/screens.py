"""Big screens: nobody touches them. They show what everybody may see, and follow by themselves."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.announcements.selectors import for_everybody
from tournaments.audits.watching import features_shown
from tournaments.common.clock import now
from tournaments.common.names import folded
from tournaments.events.access import event_for_viewer
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_of, off_stream, public_names
from tournaments.events.visibility import PUBLIC
from tournaments.play.access import shown_rounds
from tournaments.play.drafting import Draft, open_draft
from tournaments.play.models import Round
from tournaments.play.selectors import Pairing, newest_shown_round, pairings_of
from tournaments.standings.access import shows_standings
from tournaments.standings.selectors import standings_of
from tournaments.standings.words import figure
from tournaments.web.answers import show
from tournaments.web.views.public import name_lines

ONLOOKERS = frozenset({PUBLIC})
"""Whoever set a screen up, the whole hall reads it."""

SCREENS = {
    "clock": (_("Clock"), _("The time of the round, to be read from the back of the hall.")),
    "pairings": (_("Pairings"), _("Scrolling, by name, with the clock.")),
    "standings": (_("Standings"), _("Scrolling, with the clock.")),
}


@require_safe
def screens(request: HttpRequest, event_id: str) -> HttpResponse:
    """The screens there are."""
    event = event_for_viewer(request.user, event_id)
    context = {"event": event, "screens": SCREENS.items(), "features": features_shown(AnonymousUser(), event)}
    return render(request, "screen/screens.html", context)


@require_safe
def screen(request: HttpRequest, event_id: str, what: str) -> HttpResponse:
    """One screen of the newest published round; its fragment is asked for again by the page itself."""
    event = event_for_viewer(request.user, event_id)
    if what not in SCREENS:
        raise Http404
    rounds = shown_rounds(event, ONLOOKERS)
    round_ = newest_shown_round(event) if what == "clock" else next(reversed(rounds), None)
    at = now()
    draft = open_draft(current_stage(event), at)
    context = {
        "event": event,
        "what": what,
        "words": SCREENS[what][0],
        "round": round_,
        "clock": getattr(round_, "clock", None),
        "announcements": for_everybody(event, at),
        "now": at,
        "draft": draft,
        **(_seats(draft, event) if draft and what == "pairings" else _content(event, round_, what)),
    }
    if what != "standings":
        context["code"] = request.build_absolute_uri(_pairings(event, next(reversed(rounds), None)))
    return show(request, "screen/screen.html", context, fragment="screen/_screen.html")


def _unnamed(table: Pairing, off: Collection[int]) -> Pairing:
    """A table without the names of who keeps off streams."""
    hidden = gettext("name withheld")
    return replace(table, seats=tuple((key, hidden if key in off else name) for key, name in table.seats))


def _seats(draft: Draft, event: Event) -> dict[str, Any]:
    """Pod and seat of each player of a draft, by name."""
    off, hidden = off_stream(event), gettext("name withheld")
    entries = draft.stage.entries.select_related("entrant")
    names = names_of(Entrant.objects.filter(stage_entries__in=entries))
    lines = [(hidden if each.entrant_id in off else names[each.entrant_id], each.pod, each.place) for each in entries]
    return {"seats": sorted(lines, key=lambda line: (folded(line[0]), line[1], line[2]))}


def _content(event: Event, round_: Round | None, what: str) -> dict[str, Any]:
    off = off_stream(event)
    if what == "pairings" and round_ is not None:
        return {"lines": name_lines(_unnamed(table, off) for table in pairings_of(round_))}
    if what == "standings" and not shows_standings(ONLOOKERS, current_stage(event)):
        return {"hidden": True}
    if what == "standings":
        state = standings_of(current_stage(event))
        names = public_names(event) | dict.fromkeys(off.values(), gettext("name withheld"))
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
