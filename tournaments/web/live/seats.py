"""What the pages of the two seats of a match show of its result, for the stream, when a player reports or confirms it.

The parts are all elements of `web/player/_me.html` that a report or a confirmation changes, so that the pages of both
players need no request. They are sent for simple matches only: two players, no boards, no choice of who starts.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.template.loader import get_template

from tournaments.audits.axes import Axes, axes_of
from tournaments.play.models import Match, Seat
from tournaments.web.live.lines import Lines
from tournaments.web.live.topics import about
from tournaments.web.pages.results.reporting import report_box

CONCEDE = '<div id="concede" hidden></div>'  # a match that has a result cannot be conceded


class Own(NamedTuple):
    """Elements of a player's own page as HTML, by element id, and the topics of which they show everything."""

    parts: Mapping[str, str]
    topics: frozenset[str] = frozenset()


def reported_seats(
    lines: Lines, matches: Collection[str], entrants: Collection[str]
) -> tuple[dict[str, Own], dict[str, frozenset[str]]]:
    """For each of these entrants that plays one of the matches: the parts of its page, in the active language.

    Also for each topic of these matches, the entrants at the table: the page of anybody else's seat shows none of it.
    """
    found, tables = dict[str, Own](), dict[str, frozenset[str]]()
    read, axes = lines.read(matches)
    for match in filter(_is_simple, read):
        topic = about("result", match.public_id)
        tables[topic] = frozenset(seat.entrant.public_id for seat in match.seats.all())
        for seat in match.seats.all():
            if seat.entrant.public_id in entrants:
                found[seat.entrant.public_id] = Own(_parts(match, seat, axes), frozenset({topic}))
    return found, tables


def parts_after_report(match: Match, seat: Seat) -> dict[str, str] | None:
    """The same parts for one seat of a match read by `loading.matches_named`; None if the match has no such parts."""
    return _parts(match, seat, axes_of([match])) if _is_simple(match) else None


def _is_simple(match: Match) -> bool:
    stage = match.round.stage
    others = match.has_ranks or match.has_boards or stage.is_bracket or stage.seed_chooses
    return not others and len(match.seats.all()) == 2


def _parts(match: Match, seat: Seat, axes: Mapping[int, Axes]) -> dict[str, str]:
    event = match.round.stage.event
    opponents = [other for other in match.seats.all() if other is not seat]
    box = {"event": event, "match": match, "round": match.round, "box": report_box(match, seat)}
    line = {"event": event, "line": {"match": match, "seat": seat, "opponents": opponents}, "axes": axes}
    parts = {
        "report-box": get_template("web/player/_report_box.html").render(box).strip(),
        f"played-{match.public_id}": get_template("web/player/_history_line.html").render(line).strip(),
    }
    return parts | ({"concede": CONCEDE} if match.has_result else {})
