"""What-if branches: a judge corrects a move of a log and sees how the game continues."""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from engine import face
from tournaments.audits import branches
from tournaments.audits.access import branch_for_judge, log_for_judge
from tournaments.audits.models import Branch, MoveLog
from tournaments.audits.selectors import legal_after
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import card_faces, card_names, own_catalogs
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.audits.audits import Replayed, move_line, players_of
from tournaments.web.pages.audits.boards import board_html, last_move
from tournaments.web.pages.audits.forms import JumpForm, LineForm, WhatIfForm
from tournaments.web.pages.audits.keeping import position_lines
from tournaments.web.pages.audits.reports import interpretations_words
from tournaments.web.rate_limits import UPLOADS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.audits import VERDICT_BADGES, VERDICTS, VERDICTS_SHORT
from tournaments.web.words.boards import actor_words, entry_words, language, move_words, moves_words
from tournaments.web.words.judging import CORRECTIONS

MOST_SAID = 6  # moves of a line that are listed where branches are


@login_required
@accepted_once
@rate_limited(UPLOADS)
def what_if(request: SignedInRequest, log_id: str, n: int) -> HttpResponse:
    """Correct move `n` of a log; a POST opens the branch and redirects to it."""
    log = log_for_judge(request.user, log_id)
    form = WhatIfForm(request.POST if request.method == "POST" else None, moves=_choices(request.user, log, n))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with refusals_on(form):
            branch = branches.open_branch(
                log=log, n=n, correction=data["correction"], entry=data["said"], by=request.user, now=now()
            )
            messages.success(request, _("The branch is saved with the dispute; the log is unchanged."))
            return redirect("web:branch", branch.pk)
    context = {"event": log.game.match.round.stage.event, "log": log, "n": n, "form": form}
    return render(request, "web/judge/what_if.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
@accepted_once
@rate_limited(UPLOADS)
def what_if_line(request: SignedInRequest, log_id: str, n: int) -> HttpResponse:
    """Keep a line that a judge played on the board after move `n` of a log, and redirect to its branch."""
    log = log_for_judge(request.user, log_id)
    form = LineForm(request.POST)
    if not form.is_valid():
        raise InvalidInput("entry_unreadable", _("These moves cannot be read."))
    branch = branches.open_branch(
        log=log,
        n=n,
        correction=Branch.Correction.CONTINUE,
        entry=form.cleaned_data["line"],
        by=request.user,
        now=now(),
    )
    messages.success(request, _("The branch is saved with the dispute; the log is unchanged."))
    return redirect("web:branch", branch.pk)


def _choices(user: Any, log: MoveLog, n: int) -> list[tuple[str, str]]:
    """The legal moves before move `n`, as pairs of a log entry (JSON) and its words."""
    found = legal_after(user, log, max(0, n - 1))
    if found is None:
        raise Http404
    event = log.game.match.round.stage.event
    words, players = moves_words(event.game, found.moves, card_names(event)), players_of(log)
    return [
        (
            json.dumps({"by": move["by"], "do": move["do"], "args": move["args"]}),
            f"{actor_words(move['by'], players)} · {said}",
        )
        for move, said in zip(found.moves, words, strict=True)
    ]


@login_required
def branch(request: HttpRequest, key: int) -> HttpResponse:
    """A branch: the verdict on the corrected log, and its board at any move (`?n=`)."""
    found = branch_for_judge(request.user, key)
    event = found.log.game.match.round.stage.event
    report = face.audits.in_language(found.report, event.game, language())
    form = JumpForm(request.GET)
    replay = _replay(found, form.cleaned_data["n"] if form.is_valid() else max(1, found.n))
    names, first = {**card_names(event), **report["names"]}, report["first_illegal"]
    context = {
        "event": event,
        "log": found.log,
        "match": found.log.game.match,
        "branch": found,
        "line": branch_line(found),
        "positions": position_lines(found.log.game.match),
        "report": report,
        "first": first,
        "first_by": actor_words(first["by"], players_of(found.log)) if first else "",
        "first_words": move_words(event.game, first, names) if first else "",
        "violations": first["violations"] if first else [],
        "interpretations": interpretations_words(event, report["depends_on"], {}),
        "replay": replay,
    }
    return render(request, "web/judge/branch.html", context)


def _replay(branch: Branch, n: int) -> Replayed | None:
    """The corrected log at move `n`, or at its last move if it has fewer; None if it cannot be replayed at all."""
    event, players = branch.log.game.match.round.stage.event, players_of(branch.log)
    moves, boards = face.live.moment_at(branches.document_of(branch), n, own_catalogs(event))
    if not boards:
        return None
    names, last = card_names(event), len(moves)
    refused = bool(moves) and moves[-1]["outcome"] not in face.live.GOES_ON
    before = boards[0] if len(boards) > 1 else None
    return Replayed(
        n=last,
        last=last,
        recorded=last,
        refused=refused,
        board=board_html(boards[-1], players, before, faces=card_faces(event), move=last_move(moves), refused=refused),
        moves=[move_line(event.game, move, names, players, last if refused else None) for move in moves[-12:]],
        landmarks={},
        whole=True,
    )


def branch_line(branch: Branch) -> dict[str, Any]:
    """A branch in words: the correction, and the verdict on the corrected log."""
    verdict = branch.report["verdict"]
    event = branch.log.game.match.round.stage.event
    entries = branch.entry if isinstance(branch.entry, list) else [branch.entry or {}]
    names = card_names(event)
    said = [entry_words(event.game, entry, names) for entry in entries[:MOST_SAID] if "do" in entry]
    return {
        "branch": branch,
        "words": CORRECTIONS[branch.correction],
        "said": " · ".join([*said, *(["…"] if len(entries) > MOST_SAID else [])]),
        "verdict": VERDICTS.get(verdict, verdict),
        "short": VERDICTS_SHORT.get(verdict, verdict),
        "badge": VERDICT_BADGES.get(verdict, "warn"),
    }
