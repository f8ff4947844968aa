"""Big screens for the hall: clock, pairings and standings.

They show only what everybody may see, and keep themselves up to date, because nobody touches them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.announcements.selectors import for_everybody
from tournaments.audits.watching import features_shown
from tournaments.common.clock import now
from tournaments.common.names import SortKey
from tournaments.events.access import event_for_viewer
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_and_keys_of, off_stream, public_names
from tournaments.events.visibility import PUBLIC
from tournaments.play.access import shown_rounds
from tournaments.play.boards import Sitting, sittings_of
from tournaments.play.models import Round
from tournaments.play.selectors import Pairing, newest_shown_round, pairings_of
from tournaments.play.services.draft_clock import Draft, open_draft
from tournaments.standings.access import shows_standings
from tournaments.standings.selectors import stage_to_show, standings_of
from tournaments.standings.words import figure, record_words
from tournaments.web.answers import show
from tournaments.web.pages.public.public import NameLine, lines_by_name
from tournaments.web.words.results import KINDS

ONLOOKERS = frozenset({PUBLIC})
"""The reader kinds of a screen: only the public, as the whole hall reads it, whoever has opened it."""

SCREENS = {
    "clock": (_("Clock"), _("The time left, readable from the back of the hall.")),
    "pairings": (_("Pairings"), _("Everybody’s table by name, a page at a time, with the clock.")),
    "standings": (_("Standings"), _("The standings, a page at a time, with the clock.")),
}
_LONG, _LONGEST = ' class="long"', ' class="long longest"'
SHARED = ("pairings", "standings")
MOST_SCREENS = 6


@dataclass(frozen=True)
class Share:
    """The part of a list that one of several screens side by side shows."""

    screen: int = 1
    of: int = 1

    def part(self, lines: Sequence[Any]) -> list[Any]:
        """The lines of this screen. All screens get the same number of lines, give or take one."""
        first, behind = (len(lines) * place // self.of for place in (self.screen - 1, self.screen))
        return list(lines[first:behind])


def _width(name: str) -> str:
    """The class of a line with a long name, which is set smaller; one that would be cut off runs over two lines."""
    return "" if len(name) <= 17 else _LONG if len(name) <= 22 else _LONGEST


@dataclass(frozen=True)
class Line:
    """A name on a screen, the letter it is sorted under, and its table, or its pod and seat in a draft.

    `board` are the words for the board of a member of a team.
    """

    name: str
    letter: str
    figure: object
    board: str = ""

    @property
    def html(self) -> SafeString:
        """The line as HTML, built in Python: there may be thousands, and a template takes ten times as long."""
        board = f" <small>{escape(self.board)}</small>" if self.board else ""
        return mark_safe(  # noqa: S308 - what people wrote is escaped
            f'<li data-letter="{escape(self.letter)}"{_width(self.name)}>'
            f'<span>{escape(self.name)}</span> <b class="figure">{escape(str(self.figure))}</b>{board}</li>'
        )


@dataclass(frozen=True)
class Row:
    """A row of the standings on a screen; `said` is the row of the standings table."""

    name: str
    said: Mapping[str, Any]

    @property
    def html(self) -> SafeString:
        """The row as HTML, built in Python as for `Line`."""
        rank, points = self.said["rank"], figure(self.said["points"], share=False)
        record = record_words(self.said["record"], self.said.get("byes", 0))
        return mark_safe(  # noqa: S308 - what people wrote is escaped
            f'<li data-letter="{rank}"{_LONG if len(self.name) > 21 else ""}><b class="figure">{rank}</b>'
            f' <span>{escape(self.name)}</span> <b class="figure">{points}</b> <small>{escape(record)}</small></li>'
        )


def share_of(request: HttpRequest) -> Share:
    """The share that the address asks for (`?screen=2&of=3`); the whole list if it names none or an invalid one."""
    asked = [request.GET.get(name, "") for name in ("screen", "of")]
    if not all(number.isdecimal() and len(number) == 1 for number in asked):
        return Share()
    screen, of = map(int, asked)
    return Share(screen, of) if 1 <= screen <= of <= MOST_SCREENS else Share()


@require_safe
def screens(request: HttpRequest, event_id: str) -> HttpResponse:
    """The list of screens to open."""
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
    """One screen, of the newest published round. The page requests its fragment again when something changes."""
    event = event_for_viewer(request.user, event_id)
    if what not in SCREENS:
        raise Http404
    rounds = shown_rounds(event, ONLOOKERS)
    # The clock is public even if the pairings are not.
    round_ = newest_shown_round(event) if what == "clock" else next(reversed(rounds), None)
    at = now()
    draft = open_draft(current_stage(event), at)
    content = _seats(draft, event) if draft and what == "pairings" else _content(event, round_, what)
    share = share_of(request)
    context: dict[str, Any] = {
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
    """A table without the names of players who opted out of streams."""
    hidden = gettext("name withheld")
    return replace(table, seats=tuple((key, hidden if key in off else name) for key, name in table.seats))


def _unnamed_member(sitting: Sitting) -> Sitting:
    """Where a member sits, without the name if they opted out of streams."""
    return replace(sitting, name=gettext("name withheld")) if sitting.off_stream else sitting


def _seats(draft: Draft, event: Event) -> dict[str, Any]:
    """The pod and seat of each player of a draft, by name."""
    off, hidden = off_stream(event), gettext("name withheld")
    names, places = names_and_keys_of(Entrant.objects.filter(stage_entries__stage=draft.stage))
    where = gettext("Pod %(pod)s, seat %(seat)s")
    entries = draft.stage.entries.values_list("entrant", "pod", "place")
    by_name = sorted(entries, key=lambda each: (places.get(each[0], ()), each[0]))
    return {
        "lines": [
            Line(
                hidden if entrant in off else names[entrant],
                _letter(places.get(entrant, ())),
                where % {"pod": pod, "seat": place},
            )
            for entrant, pod, place in by_name
        ]
    }


def _letter(key: SortKey) -> str:
    """The letter or number under which a name is sorted."""
    return next((piece[:1].upper() or str(number) for _kind, number, piece in key), "")


def _content(event: Event, round_: Round | None, what: str) -> dict[str, Any]:
    off = off_stream(event)
    if what == "pairings" and round_ is not None:
        sittings = [_unnamed_member(each) for each in sittings_of(round_)] if event.has_boards else []
        lines = lines_by_name(round_, (_unnamed(table, off) for table in pairings_of(round_)), sittings)
        return {"lines": [_line(line) for line in lines]}
    if what == "standings" and not shows_standings(ONLOOKERS, stage_to_show(event)):
        return {"hidden": True}
    if what == "standings":
        stage = stage_to_show(event)
        state = standings_of(stage)
        names = public_names(event) | dict.fromkeys(off.values(), gettext("name withheld"))
        return {
            "after": stage.first_round - 1 + state.round_number,
            "rows": [Row(names.get(row["entrant"], row["entrant"]), row) for row in state.rows],
        }
    return {}


def _line(line: NameLine) -> Line:
    """A name with its table and board, or, without a table, the kind of its result, such as a bye."""
    match = line.match
    where = match.table if match.table is not None else KINDS[match.kind]
    board = gettext("board %(number)d") % {"number": line.board} if line.board else ""
    return Line(line.name, _letter(line.key), where, board)


def _pairings(event: Event, round_: Round | None) -> str:
    """The address in the QR code: the pairings by name, or the page of the event before there are any."""
    if round_ is None:
        return reverse("web:event", args=[event.public_id])
    return reverse("web:pairings", args=[event.public_id, round_.number]) + "?by=name"
