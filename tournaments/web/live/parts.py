"""The parts of a page that are sent in the stream itself, rendered once for everybody of an audience.

Of the pairings, these are the lines of single matches and the round's clock. When a round is published, players also
get their own table and opponent at once; their page requests the rest of the seat, with its actions, a little later.
When a player reports or confirms a result, the pages of both seats get all that changes on them (`seats.py`).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.template.loader import get_template, render_to_string
from django.utils import timezone, translation

from tournaments.common.clock import now
from tournaments.events.models import Entrant, Event
from tournaments.events.zones import zone_of
from tournaments.play.access import shows_pairings
from tournaments.play.boards import Sitting, sittings_of
from tournaments.play.loading import shown_round
from tournaments.play.models import Round
from tournaments.play.selectors import pairings_of
from tournaments.web.live.address import AUDIENCES, Shown
from tournaments.web.live.lines import Lines
from tournaments.web.live.positions import News
from tournaments.web.live.seats import Own, reported_seats

MANY = 60  # lines in one message; beyond that, pages request their whole fragment again


class Parts(NamedTuple):
    """Elements of a page as HTML: `all` by element id, for every page, and `own` by the entrant they are for.

    `tables` are topics that concern the pages of these entrants' seats alone.
    """

    all: Mapping[str, str] = MappingProxyType({})
    own: Mapping[str, Own] = MappingProxyType({})
    tables: Mapping[str, frozenset[str]] = MappingProxyType({})


def changes(news: News, shown: Shown) -> bool:
    """Whether any part of a page may have changed, other than the reader's own table in a newly published round."""
    return "clock" in news.topics or _changes_lines(news, shown)


def _changes_lines(news: News, shown: Shown) -> bool:
    return shown.round is not None and (bool(news.matches) or news.unplaced)


def parts_for(event_id: str, wanted: Mapping[Shown, Collection[str]], news: News) -> dict[Shown, Parts | None]:
    """The changed parts for each kind of page in `wanted`; None if there are too many, or they are hidden now.

    With each kind of page come the public ids of the entrants whose own page is open somewhere.

    At most eight queries for each round that is shown, however many languages and audiences there are; two if its lines
    are known already (see `lines.py`).
    """
    touched = {
        shown: changes(news, shown) or (shown.round is None and (news.published or bool(news.reported and own)))
        for shown, own in wanted.items()
    }
    rounds = {number: shown_round(event_id, number) for number in {shown.round for shown in touched if touched[shown]}}
    lines: dict[int | None, Lines] = {
        number: Lines(round_, news.matches)
        for number, round_ in rounds.items()
        if round_ is not None and len(news.matches) <= MANY
    }
    return {
        shown: _parts(rounds[shown.round], lines.get(shown.round), shown, own, news) if touched[shown] else Parts()
        for shown, own in wanted.items()
    }


def parts_of(event_id: str, shown: Shown, news: News, own: Collection[str] = ()) -> Parts | None:
    """The changed parts for one kind of page: see `parts_for`."""
    return parts_for(event_id, {shown: own}, news)[shown]


def _parts(round_: Round | None, lines: Lines | None, shown: Shown, own: Collection[str], news: News) -> Parts | None:
    touched = _changes_lines(news, shown)
    # Checked on every message: an audience may have lost its right to see the pairings since its page was loaded.
    if round_ is None or not shows_pairings(AUDIENCES[shown.audience], round_):
        return None
    # A stranger may have opened the stream before the event became private; its page asks for itself from now on.
    if shown.audience == "public" and round_.stage.event.listing == Event.Listing.PRIVATE:
        return None
    if touched and (news.unplaced or lines is None):
        return None
    found = lines.shown(shown.language) if touched and lines else {}
    zone = zone_of(round_.stage.event)
    with translation.override(shown.language), timezone.override(zone):
        found |= _clock(round_) if "clock" in news.topics else {}
        if shown.round is not None:
            return Parts(found)
        seats, tables = reported_seats(lines, news.reported, own) if lines and news.reported and own else ({}, {})
        return Parts(found, seats | (_seats(round_, own) if news.published else {}), tables)


def _clock(round_: Round) -> dict[str, str]:
    context = {"round": round_, "clock": getattr(round_, "clock", None), "now": now()}
    return {"round-clock": render_to_string("web/public/_round_clock.html", context).strip()}


def _seats(round_: Round, wanted: Collection[str]) -> dict[str, Own]:
    """For each wanted entrant, its table and opponents in a round, in the short form that its page has at first."""
    ids = dict(Entrant.objects.filter(seats__round=round_).values_list("pk", "public_id"))
    boards: defaultdict[int, list[Sitting]] = defaultdict(list)
    for sitting in sittings_of(round_) if round_.stage.event.has_boards else ():
        boards[sitting.entrant].append(sitting)
    template, found = get_template("web/player/_next_seat.html"), {}
    for pairing in pairings_of(round_):
        for entrant in (entrant for entrant, _name in pairing.seats if ids[entrant] in wanted):
            others = ", ".join(name for other, name in pairing.seats if other != entrant)
            context = {"entrant": ids[entrant], "round": round_, "table": pairing.table, "opponents": others}
            context["boards"] = sorted(boards[entrant], key=lambda sitting: sitting.board or 0)
            found[ids[entrant]] = Own({f"seat-{ids[entrant]}": template.render(context).strip()})
    return found
