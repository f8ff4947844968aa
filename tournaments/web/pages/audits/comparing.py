"""Compare two logs of one game: merge them, or show both at the first move that differs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.face.boards import entry_chance_words
from tournaments.audits.access import log_for_judge
from tournaments.audits.comparison import Comparison, Side, compare_logs
from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import position_shown
from tournaments.audits.services import submit_merged
from tournaments.common.clock import now
from tournaments.decks.engine_gate import card_faces, card_names
from tournaments.web.form_tokens import accepted_once
from tournaments.web.pages.audits.audits import players_of
from tournaments.web.pages.audits.boards import board_html
from tournaments.web.pages.audits.logs import LogLine, log_lines
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.boards import actor_words, language, move_words

LONGEST_SAID = 4000  # characters of what a log has at the point of difference, as JSON


@login_required
@accepted_once
def log_merge(request: SignedInRequest, log_id: str, other_id: str) -> HttpResponse:
    """Merge two logs of one game, or show both at their first difference. A POST submits the merged log."""
    one, two = (log_for_judge(request.user, found) for found in (log_id, other_id))
    if request.method == "POST":
        kept = submit_merged(one=one, two=two, by=request.user, now=now())
        messages.success(request, _("The log is saved and will be audited."))
        return redirect("web:audit", kept.public_id)
    compared = compare_logs(one=one, two=two)
    merged, match = compared.merged, one.game.match
    context = {
        "event": match.round.stage.event,
        "match": match,
        "merged": merged,
        "where": _header_words(merged.path) if merged.kind == "header" else "",
        "sides": sides_shown(request.user, compared),
        "moves": len(merged.document["moves"]) if merged.document else 0,
    }
    return render(request, "web/judge/merge.html", context)


@dataclass(frozen=True)
class SideShown:
    """One of two compared logs on the page: the move in words, and the board that it led to.

    `by` and `words` are empty if the log ends before. `chance` is what the move drew or rolled. `stopped` is the last
    move that could be replayed, if that is an earlier one than `n`; `raw` is what the log has there, as JSON.
    """

    line: LogLine
    n: int | None
    by: str
    words: str
    chance: str
    board: SafeString | None
    board_at: int | None
    raw: str

    @property
    def stopped(self) -> int | None:
        """The last move that could be replayed, where that is before the move that differs."""
        early = self.n is not None and self.board_at is not None and self.board_at < self.n
        return self.board_at if early else None


def sides_shown(user: Any, compared: Comparison) -> list[SideShown]:
    """Both logs of a comparison with their boards, for a judge."""
    merged = compared.merged
    lines = log_lines(side.log for side in compared.sides)
    named = [_players(side.log) for side in compared.sides]
    return [
        _side_shown(user, side, line, players or other, value)
        for side, line, players, other, value in zip(
            compared.sides, lines, named, reversed(named), (merged.one, merged.two), strict=True
        )
    ]


def _players(log: MoveLog) -> dict[str, str]:
    """The names of the players by seat; empty before the audit is done, and if the log names nobody of the match."""
    return players_of(log) if log.audit.verdict else {}


def _side_shown(user: Any, side: Side, line: LogLine, players: Mapping[str, str], value: Any) -> SideShown:
    event, entry = side.log.game.match.round.stage.event, side.entry
    names = card_names(event)
    found = position_shown(user, side.log, side.board_at) if side.board_at is not None else None
    return SideShown(
        line=line,
        n=side.n,
        by=actor_words(entry["by"], players) if entry else "",
        words=move_words(event.game, entry, names) if entry else "",
        chance=entry_chance_words(event.game, entry, language(), names) if entry else "",
        board=board_html(found.board, players, found.before, faces=card_faces(event)) if found else None,
        board_at=side.board_at,
        raw=json.dumps(value, ensure_ascii=False, indent=1)[:LONGEST_SAID],
    )


HEADER_WORDS = {
    "deck": gettext_lazy("They name different decklists."),
    "claimed": gettext_lazy("They claim different results."),
    "start": gettext_lazy("They start from different boards."),
    "ruleset": gettext_lazy("They follow different rules."),
    "options": gettext_lazy("They follow different interpretations of the rules."),
    "catalog": gettext_lazy("They name different card catalogues."),
}


def _header_words(path: str) -> str:
    """What two logs whose moves agree differ in, as a sentence."""
    parts = path.split(".")
    return str(next((words for key, words in HEADER_WORDS.items() if key in parts), ""))
