"""Template tags and filters for matches, results and clocks."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django import template
from django.utils.formats import time_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.audits.axes import Axes
from tournaments.audits.axes import axes_of as find_axes
from tournaments.common.moments import local
from tournaments.events.models import Entrant, Member
from tournaments.events.teams import in_order
from tournaments.play.boards import boards_of, reports_at
from tournaments.play.models import Board, Clock, Match, Report, Seat
from tournaments.play.services.clock import face
from tournaments.play.services.draft_clock import Draft
from tournaments.swiss.draft import begins
from tournaments.web.words.drafts import step_words
from tournaments.web.words.results import AUTHORITY, BEHIND, EVIDENCE, score_words
from tournaments.web.words.stages import FLAGS

register = template.Library()


@register.inclusion_tag("_fragments/_clock.html")
def round_clock(clock: Clock | None, now: datetime, extension: int = 0) -> dict[str, Any]:
    """The clock of a round, or of one table with its own time extension (`extension`, in minutes).

    The time is rendered as text, so that the page is right without scripts; `clock.js` then counts down from it.
    """
    shown = face(clock, now, extension) if clock else None
    left = abs(shown.seconds_left) if shown else 0
    return {
        "face": shown,
        "over": shown is not None and shown.seconds_left < 0,
        "time": f"{left // 60}:{left % 60:02d}",
        "extension": extension,
        "now": now,
    }


@register.inclusion_tag("_fragments/_draft_clock.html")
def draft_clock(draft: Draft, now: datetime) -> dict[str, Any]:
    """The clock of a draft: the current pick as text, and, for `clock.js`, when this and each later step ends."""
    shown = draft.face
    to_come: list[tuple[str, str]] = []
    if shown.closes_at:
        edges = begins(draft.steps)
        ends = [shown.closes_at - timedelta(seconds=edges[-1] - edge) for edge in edges[1:]]
        to_come = [(end.isoformat(), step_words(step)) for end, step in zip(ends, draft.steps, strict=True)]
    return {
        "face": shown,
        "words": step_words(shown.step),
        "time": f"{shown.seconds_left // 60}:{shown.seconds_left % 60:02d}",
        "to_come": json.dumps(to_come[shown.number - 1 :]),
        "now": now,
    }


@register.filter
def of_key(found: Mapping[int, Any], key: int) -> Any:
    """The value of a key in a mapping; None if there is none. Django templates cannot look up a variable key."""
    return found.get(key) if found else None


@register.filter
def extension_minutes(match: Match) -> int:
    """The minutes added to one table. Prefetch `extensions` when listing matches."""
    return sum(extension.minutes for extension in match.extensions.all())


@register.simple_tag
def boards_at(match: Match) -> list[Board]:
    """The boards of a team match with their members, by number; empty for any other match."""
    return list(boards_of(match)) if match.has_boards else []


@register.filter
def board_games(board: Any) -> list[int] | None:
    """The games of a board that count, or on which its players agree while the match goes on; None if there are none.

    `board` is one of `boards_at`.
    """
    if board.match.has_result:
        return cast(Board, board).games
    agreed = reports_at(board).get(Report.Status.CONFIRMED)
    return list(agreed.games) if agreed else None


@register.simple_tag
def members_of(team: Entrant) -> list[Member]:
    """The members of a team: by board, then the substitutes; empty for a player who entered alone."""
    return in_order(team) if team.event.is_team_event else []


@register.filter
def moving_words(match: Match, entrant: Entrant) -> str:
    """Tell a player who moves, if both players of the match have a fixed table; empty in any other match."""
    if "table_left" in match.flags.get(entrant.public_id, ()):
        return _("You and your opponent both have a fixed table: you move to your opponent’s this round.")
    if any("table_left" in flags for flags in match.flags.values()):
        return _("You and your opponent both have a fixed table: your opponent moves to yours this round.")
    return ""


@register.filter
def score(match: Match) -> SafeString | str:
    """The score of a match: `2–1`, with drawn games as a third figure, or the ranks of a multiplayer table.

    Empty if there is no result yet.
    """
    if match.games_drawn is None:
        return ""
    if match.has_ranks:
        ranks = score_words([(seat.rank, seat.score) for seat in match.seats.all()])
        return format_html('<span class="score">{}</span>', ranks)
    won = "–".join(str(seat.games_won or 0) for seat in match.seats.all())
    drawn = f"–{match.games_drawn}" if match.games_drawn else ""
    return format_html('<span class="score">{}{}</span>', won, drawn)


@register.filter
def games_of(report: Any) -> SafeString:
    """The score in a player's report, in the same form as `score`."""
    return format_html('<span class="score">{}</span>', score_words(report.games))


@register.filter
def score_in_words(games: list[int]) -> str:
    """A score as people write it: see `score_words`."""
    return score_words(games)


@register.filter
def outcome(match: Match, seat: Seat) -> str:
    """`won`, `lost` or `drawn` for a seat; empty if there is no result yet, or below rank 1 of a multiplayer table."""
    if not match.has_result or seat.points is None:
        return ""
    if match.has_ranks:
        return "won" if seat.rank == 1 else ""
    # Stored match points are always 3 for a win and 1 for a draw, whatever the event's own scoring.
    return {3: "won", 1: "drawn"}.get(seat.points, "lost")


@register.filter
def leaves(match: Match, seat: Seat) -> str:
    """For staff: the sentence that this player leaves a fixed table for the opponent's; empty for everybody else."""
    if "table_left" not in match.flags.get(seat.entrant.public_id, []):
        return ""
    return str(FLAGS["table_left"]) % {"name": seat.entrant.full_name}


@register.simple_tag
def axes_of(items: Iterable[Any]) -> dict[int, Axes]:
    """The axes of all matches of a list, in one query, for the `axes` tags that follow.

    `items` are matches, or rows with a match as `match` (attribute or key).
    """
    return find_axes(item if isinstance(item, Match) else _match_of(item) for item in items)


def _match_of(item: Any) -> Match:
    match: Match = item["match"] if isinstance(item, dict) else item.match
    return match


@register.simple_tag(takes_context=True)
def axes_words(context: template.Context, match: Match) -> str:
    """Both axes of a result (authority and evidence) in one line of plain text, for a `title` attribute."""
    known = context.get("axes") or {}
    found = known[match.pk] if match.pk in known else find_axes([match])[match.pk]
    if found.contested:
        return _("Contested")
    said = (
        [_stood(AUTHORITY[found.authority].short, BEHIND.get(found.by), found.authority_at)] if found.authority else []
    )
    said += [_stood(EVIDENCE[found.evidence].short, None, found.evidence_at)] if found.evidence else []
    return "; ".join(said)


def _stood(words: object, by: Any, at: datetime | None) -> str:
    when = time_format(local(at), "H:i") if at else ""
    return ", ".join(filter(None, [str(words), by and str(by.short), when]))


@register.inclusion_tag("_fragments/_axes.html", takes_context=True)
def axes(context: template.Context, match: Match) -> dict[str, Any]:
    """Both axes of a result, each with who is behind it and since when.

    In a list, put `{% axes_of matches as axes %}` before it, so that all are read in one query.
    """
    known = context.get("axes") or {}
    return {"axes": known.get(match.pk) or find_axes([match])[match.pk]}
