"""The audit page of a log: its findings, and the game move by move."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from engine import face
from tournaments.audits import replays
from tournaments.audits.access import log_for_judge, log_for_reader, replay_for_reader
from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import (
    findings_shown,
    legal_after,
    position_shown,
    positions_shown,
    reads_log,
    sees_all,
)
from tournaments.audits.services import share_replay
from tournaments.common.clock import now
from tournaments.decks.engine_gate import card_faces, card_names
from tournaments.play.access import seat_of
from tournaments.play.models import Match
from tournaments.web.pages.audits.boards import board_html
from tournaments.web.pages.audits.forms import JumpForm
from tournaments.web.pages.audits.logs import log_lines
from tournaments.web.pages.audits.reports import report_words
from tournaments.web.requests import SignedInRequest
from tournaments.web.rules_in_browser import browser_rules
from tournaments.web.words.boards import actor_words, language, move_words, moves_words

MOVES_AROUND = 10  # moves shown before and after the current one
MOST_STEPS = 1000  # moves of a game whose boards come in one answer
MOVE_OUTCOMES = {
    "illegal": gettext_lazy("illegal"),
    "impossible": gettext_lazy("impossible"),
    "malformed": gettext_lazy("unreadable"),
    "ambiguous": gettext_lazy("ambiguous"),
    "unverified": gettext_lazy("not verified"),
    "claim_mismatch": gettext_lazy("noted differently"),
}

JUMPS = {
    "illegal": gettext_lazy("Illegal move"),
    "doubts": gettext_lazy("In doubt"),
    "rulings": gettext_lazy("Rulings"),
    "claims": gettext_lazy("Noted figures"),
}


@dataclass(frozen=True)
class Replayed:
    """A replayed game at move `n`: its board, the moves around it, and where one can go from there.

    - `last`: the last move that was replayed, including a refused one
    - `recorded`: how many moves the log has
    - `refused`: whether the last replayed move was refused
    - `landmarks`: the moves that one wants to jump to, by kind (`face.live.LANDMARKS`)
    - `whole`: whether the reader sees every card of the board
    """

    n: int
    last: int
    recorded: int
    refused: bool
    board: SafeString
    moves: list[dict[str, Any]]
    landmarks: Mapping[str, list[int]]
    whole: bool

    @property
    def at_once(self) -> bool:
        """Whether the game is short enough for all its boards to be sent in one answer."""
        return self.last <= MOST_STEPS

    @property
    def jumps(self) -> list[dict[str, Any]]:
        """Where one can jump to: `{kind, words, to, count}`, to the next move of each kind there is.

        After the last one it is the first one again.
        """
        return [
            {"kind": kind, "words": JUMPS[kind], "to": _next_of(found, self.n), "count": len(found)}
            for kind, found in self.landmarks.items()
            if found
        ]

    @property
    def odd(self) -> bool:
        """Whether something was found at this move: it was refused, or its outcome was not simply `ok`."""
        return self.n in replays.marked(self.landmarks)

    @property
    def at_refused(self) -> bool:
        """Whether this is the refused move; the board is then the one before it."""
        return self.refused and self.n == self.last

    @property
    def back(self) -> int | None:
        """The previous move; None at the start."""
        return self.n - 1 if self.n > 0 else None

    @property
    def forth(self) -> int | None:
        """The next move; None at the end."""
        return self.n + 1 if self.n < self.last else None

    @property
    def earlier(self) -> int | None:
        """The move to go to for the moves before those shown; None if there are none."""
        return max(0, self.n - 2 * MOVES_AROUND) if self.n - 1 > MOVES_AROUND else None

    @property
    def later(self) -> int | None:
        """The move to go to for the moves after those shown; None if there are none."""
        return min(self.last, self.n + 2 * MOVES_AROUND) if self.n + MOVES_AROUND < self.last else None


def _next_of(found: Sequence[int], n: int) -> int:
    """The first of these moves after move `n`; the first of all if there is none."""
    return next((each for each in found if each > n), found[0])


@login_required
def audit(request: HttpRequest, log_id: str) -> HttpResponse:
    """The findings of an audit, and the game at one move (`?n=`; by default where the trouble starts, or the end).

    Players who can only replay the log get the game alone.
    """
    form = JumpForm(request.GET)
    return _page(request, replay_for_reader(request.user, log_id), form.cleaned_data["n"] if form.is_valid() else None)


@login_required
def audit_step(request: SignedInRequest, log_id: str, n: int) -> HttpResponse:
    """The board after move `n`, as a fragment for htmx or as a whole page."""
    log = replay_for_reader(request.user, log_id)
    if not request.htmx:
        return _page(request, log, n)
    players = players_of(log)
    replay = replay_of(request.user, log, n, players)
    if replay is None:
        raise Http404
    context: dict[str, Any] = {"event": log.game.match.round.stage.event, "log": log, "replay": replay}
    context |= {"judges": replay.whole, "reads": reads_log(request.user, log)}
    if replay.odd and context["reads"]:  # what was found at this move is shown beside it
        context |= report_words(log, (), players)
    return render(request, "web/judge/_replay.html", context)


@login_required
@require_safe
def audit_steps(request: SignedInRequest, log_id: str) -> JsonResponse:
    """The fragments of all moves of a game in one answer, so that stepping through it needs no more requests."""
    log = replay_for_reader(request.user, log_id)
    if not log.audit.verdict or replays.outline_of(log.audit)["last"] > MOST_STEPS:
        raise Http404
    players = players_of(log)
    context: dict[str, Any] = {"event": log.game.match.round.stage.event, "log": log}
    context["reads"] = reads_log(request.user, log)
    context |= report_words(log, (), players) if context["reads"] else {}
    found = _replayed(request.user, log, positions_shown(request.user, log, MOVES_AROUND), players)
    template = get_template("web/judge/_replay.html")
    steps = [template.render({**context, "replay": replay, "judges": replay.whole}, request) for replay in found]
    return JsonResponse({"steps": steps})


@login_required
@require_POST
def audit_share(request: SignedInRequest, log_id: str) -> HttpResponse:
    """Let the players of the match replay a log, or stop letting them (`shared` is `yes` or `no`)."""
    log = log_for_judge(request.user, log_id)
    shared = request.POST.get("shared") == "yes"
    share_replay(log=log, shared=shared, by=request.user, now=now())
    messages.success(
        request,
        _("The players can now replay this game, each from their own seat.")
        if shared
        else _("The players can no longer replay this game."),
    )
    return redirect("web:audit", log.public_id)


@login_required
def audit_legal(request: SignedInRequest, log_id: str, n: int) -> HttpResponse:
    """The legal moves after move `n`, or before it if it was refused."""
    log = log_for_reader(request.user, log_id)
    found = legal_after(request.user, log, n)
    if found is None:
        raise Http404
    event = log.game.match.round.stage.event
    names, players = card_names(event), players_of(log)
    seats: dict[str, list[str]] = {}
    for move, words in zip(found.moves, moves_words(event.game, found.moves, names), strict=True):
        seats.setdefault(move["by"], []).append(words)
    context = {
        "event": event,
        "log": log,
        "n": n,
        "seats": [(actor_words(by, players), lines) for by, lines in seats.items()],
        "more": found.more,
    }
    # Loaded on demand only: computing the legal moves replays the log.
    return render(request, "web/judge/_legal.html" if request.htmx else "web/judge/legal.html", context)


@login_required
def audit_text(request: HttpRequest, log_id: str, n: int) -> HttpResponse:
    """The moves up to `n` and the board after it, as plain text to print or save."""
    log = log_for_reader(request.user, log_id)
    position = position_shown(request.user, log, n)
    if position is None:
        raise Http404
    event = log.game.match.round.stage.event
    names = card_names(event)
    moves = replays.all_moves(log.audit, n)
    played = [f"{move['n']:>5}  {actor_words(move['by'])}  {move_words(event.game, move, names)}" for move in moves]
    lines = [
        f"{log.public_id}  {log.sha256}",
        "",
        *played,
        "",
        face.boards.board_text(position.board, language(), names),
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def _page(request: HttpRequest, log: MoveLog, n: int | None) -> HttpResponse:
    match = log.game.match
    (line,) = log_lines([log])
    context: dict[str, Any] = {
        "event": match.round.stage.event,
        "log": log,
        "match": match,
        "line": line,
        "plays": seat_of(request.user, match) is not None,
        "judges": sees_all(request.user, log),
        "reads": reads_log(request.user, log),
        "rules": browser_rules(),
    }
    if log.audit.verdict:
        players = players_of(log)
        context |= report_words(log, findings_shown(request.user, log.audit), players) if context["reads"] else {}
        first = context.get("first")
        start = n if n is not None else first["n"] - 1 if first else replays.outline_of(log.audit)["last"]
        context["replay"] = replay_of(request.user, log, start, players)
        if n is not None and context["replay"] is None:
            raise Http404
    return render(request, "web/judge/audit.html", context)


def players_of(log: MoveLog) -> dict[str, str]:
    """The names of the players by seat of the log. Seats that name no entrant of the match are left out."""
    match: Match = log.game.match
    names = {seat.entrant.public_id: seat.entrant.name for seat in match.seats.all()}
    players: Mapping[str, str | None] = replays.outline_of(log.audit)["players"]
    return {letter: names[player] for letter, player in players.items() if player in names}


def replay_of(user: Any, log: MoveLog, n: int, players: Mapping[str, str]) -> Replayed | None:
    """A log at move `n` as this reader sees it; None if the replay did not get that far."""
    found = position_shown(user, log, n, MOVES_AROUND)
    return None if found is None else next(_replayed(user, log, [found], players))


def _replayed(
    user: Any, log: MoveLog, positions: Iterable[replays.Position], players: Mapping[str, str]
) -> Iterator[Replayed]:
    """What the pages show of each of these positions of a log."""
    event = log.game.match.round.stage.event
    outline, names, faces, game = replays.outline_of(log.audit), card_names(event), card_faces(event), event.game
    stopped = outline["last"] if outline["refused"] else None
    whole = sees_all(user, log)
    for found in positions:
        yield Replayed(
            n=found.n,
            last=outline["last"],
            recorded=outline["recorded"],
            refused=outline["refused"],
            board=board_html(
                found.board,
                players,
                found.before,
                faces=faces,
                move=next((move for move in found.moves if move["n"] == found.n), None),
                refused=found.n == stopped,
            ),
            moves=[move_line(game, move, names, players, stopped) for move in found.moves],
            landmarks=outline["landmarks"],
            whole=whole,
        )


def move_line(
    game: str, move: Mapping[str, Any], names: Mapping[str, str], players: Mapping[str, str], stopped: int | None
) -> dict[str, Any]:
    """A move in words, for a list of moves; `stopped` is the number of the refused move."""
    outcome = move["outcome"]
    return {
        **move,
        "by": actor_words(move["by"], players),
        "words": move_words(game, move, names),
        "bad": move["n"] == stopped,
        "said": MOVE_OUTCOMES.get(outcome, outcome),
    }
