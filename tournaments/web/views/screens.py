"""Big screens: nobody touches them. They show what everybody may see, and follow by themselves."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
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
from tournaments.common.names import SortKey
from tournaments.events.access import event_for_viewer
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_of, off_stream, public_names, sort_keys_of
from tournaments.events.visibility import PUBLIC
from tournaments.play.access import shown_rounds
from tournaments.play.drafting import Draft, open_draft
from tournaments.play.models import Round
from tournaments.play.selectors import Pairing, newest_shown_round, pairings_of
from tournaments.standings.access import shows_standings
from tournaments.standings.selectors import standings_of
from tournaments.standings.words import figure, record_words
from tournaments.web.answers import show
from tournaments.web.views.public import NameLine, name_lines
from tournaments.web.words import KINDS

ONLOOKERS = frozenset({PUBLIC})
"""Whoever set a screen up, the whole hall reads it."""

SCREENS = {
    "clock": (_("Clock"), _("The time of the round, to be read from the back of the hall.")),
    "pairings": (_("Pairings"), _("Everybody’s table by name, a page at a time, with the clock.")),
    "standings": (_("Standings"), _("The standings, a page at a time, with the clock.")),
}
SHARED = ("pairings", "standings")
MOST_SCREENS = 6


@dataclass(frozen=True)
class Share:
    """Which part of a list a screen shows, of several that stand side by side."""

    screen: int = 1
    of: int = 1

    def part(self, lines: Sequence[Any]) -> list[Any]:
        """The lines of this screen: each screen has as many, but for a remainder."""
        first, behind = (len(lines) * place // self.of for place in (self.screen - 1, self.screen))
        return list(lines[first:behind])


@dataclass(frozen=True)
class Line:
    """A name on a screen, the letter it is sorted under, and what is looked up: a table, or a pod and seat."""

    name: str
    letter: str
    figure: object


def share_of(request: HttpRequest) -> Share:
    """The share that the address asks for (`?screen=2&of=3`); the whole list when it asks for none there is."""
    asked = [request.GET.get(name, "") for name in ("screen", "of")]
    if not all(number.isdecimal() and len(number) == 1 for number in asked):
        return Share()
    screen, of = map(int, asked)
    return Share(screen, of) if 1 <= screen <= of <= MOST_SCREENS else Share()


@require_safe
def screens(request: HttpRequest, event_id: str) -> HttpResponse:
    """The screens there are."""
    event = event_for_viewer(request.user, event_id)
    context = {
        "event": event,
        "screens": SCREENS.items(),
        "shared": SHARED,
        "shares": [(of, range(1, of + 1)) for of in range(2, MOST_SCREENS + 1)],
        "features": features_shown(AnonymousUser(), event),
    }
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
    content = _seats(draft, event) if draft and what == "pairings" else _content(event, round_, what)
    share = share_of(request)
    context = {
        "event": event,
        "what": what,
        "words": SCREENS[what][0],
        "round": round_,
        "clock": getattr(round_, "clock", None),
        "announcements": for_everybody(event, at),
        "now": at,
        "draft": draft,
        "share": share,
        **content,
        **{lines: share.part(content[lines]) for lines in ("lines", "rows") if lines in content},
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
    places = sort_keys_of(Entrant.objects.filter(stage_entries__in=entries))
    by_name = sorted(entries, key=lambda each: (places.get(each.entrant_id, ()), each.entrant_id))
    return {
        "lines": [
            Line(
                hidden if each.entrant_id in off else names[each.entrant_id],
                _letter(places.get(each.entrant_id, ())),
                gettext("Pod %(pod)s, seat %(seat)s") % {"pod": each.pod, "seat": each.place},
            )
            for each in by_name
        ]
    }


def _letter(key: SortKey) -> str:
    """The letter under which a name is sorted, or the number."""
    return next((piece[:1].upper() or str(number) for _kind, number, piece in key), "")


def _content(event: Event, round_: Round | None, what: str) -> dict[str, Any]:
    off = off_stream(event)
    if what == "pairings" and round_ is not None:
        places = sort_keys_of(event.entrants.all())
        lines = name_lines((_unnamed(table, off) for table in pairings_of(round_)), places)
        return {"lines": [_line(line, places) for line in lines]}
    if what == "standings" and not shows_standings(ONLOOKERS, current_stage(event)):
        return {"hidden": True}
    if what == "standings":
        state = standings_of(current_stage(event))
        names = public_names(event) | dict.fromkeys(off.values(), gettext("name withheld"))
        return {
            "after": current_stage(event).first_round - 1 + state.round_number,
            "rows": [
                {
                    **row,
                    "name": names.get(row["entrant"], row["entrant"]),
                    "shown_points": figure(row["points"], share=False),
                    "shown_record": record_words(row["record"], row.get("byes", 0)),
                }
                for row in state.rows
            ],
        }
    return {}


def _line(line: NameLine, places: Mapping[int, SortKey]) -> Line:
    """A name with its table, or with the word for why there is none."""
    match = line.match
    where = match.table if match.table is not None else KINDS[match.kind]
    return Line(line.name, _letter(places.get(line.entrant, ())), where)


def _pairings(event: Event, round_: Round | None) -> str:
    """Where the QR code leads: the pairings by name, or the event before there are any."""
    if round_ is None:
        return reverse("web:event", args=[event.public_id])
    return reverse("web:pairings", args=[event.public_id, round_.number]) + "?by=name"
