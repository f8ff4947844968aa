"""Move logs: submit and download them, and see the state of their audits."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.accounts.selectors import names_of_accounts
from tournaments.audits.access import log_for_reader
from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import audit_states, recorded_on_one_device
from tournaments.audits.services import submit_log
from tournaments.common.clock import now
from tournaments.common.jobs import JobState
from tournaments.play.access import game_for_log, seat_of
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.audits.forms import LogForm
from tournaments.web.rate_limits import UPLOADS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.audits import VERDICT_BADGES, VERDICTS, VERDICTS_SHORT


@dataclass(frozen=True)
class LogLine:
    """A log, the name of whoever submitted it, and its audit: the verdict in words, or the job that computes it."""

    log: MoveLog
    by: str
    verdict: object
    short: object
    badge: str
    job: JobState | None
    one_device: bool = False  # one player recorded it for both, with the other one's agreement

    @property
    def label(self) -> str:
        """Who submitted the log and when, with its id: tells it apart from the other logs of its game."""
        at = date_format(localtime(self.log.uploaded_at), "H:i")
        return _("%(name)s, %(time)s (%(id)s)") % {"name": self.by, "time": at, "id": self.log.public_id}

    @property
    def computing(self) -> bool:
        """Whether the verdict is still being computed."""
        return not self.verdict and not self.failed

    @property
    def failed(self) -> bool:
        """Whether the audit's job gave up."""
        return self.job is not None and self.job.status == "failed"


def log_lines(logs: Iterable[MoveLog]) -> list[LogLine]:
    """Logs with the verdicts of their audits, or the states of their jobs. At most four queries."""
    listed = list(logs)
    states = audit_states(log.audit for log in listed)
    names = names_of_accounts({log.uploaded_by_id for log in listed})
    shared = recorded_on_one_device(listed) if listed else frozenset()
    lines = [_log_line(log, names.get(log.uploaded_by_id, ""), states.get(log.audit.pk)) for log in listed]
    return [replace(line, one_device=line.log.pk in shared) for line in lines]


def _log_line(log: MoveLog, by: str, state: JobState | None) -> LogLine:
    verdict = log.audit.verdict
    if not verdict:
        return LogLine(log, by, "", "", "info", state)
    words, short = (table.get(verdict, verdict) for table in (VERDICTS, VERDICTS_SHORT))
    return LogLine(log, by, words, short, VERDICT_BADGES.get(verdict, "warn"), None)


@login_required
@accepted_once
@rate_limited(UPLOADS)
def log_upload(request: SignedInRequest, match_id: str, number: int) -> HttpResponse:
    """Submit the log of a game, as a file or as pasted text."""
    game = game_for_log(request.user, match_id, number)
    form = LogForm(request.POST or None, request.FILES or None)
    faults: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        with refusals_on(form) as faults:
            log = submit_log(game=game, document=form.document(), by=request.user, now=now())
            messages.success(request, _("The log is saved and will be audited."))
            return redirect("web:audit", log.public_id)
    match = game.match
    plays = seat_of(request.user, match) is not None
    back = "web:match" if plays else "web:judge_match"
    context = {
        "event": match.round.stage.event, "match": match, "game": game, "form": form, "faults": faults,
        "back": back, "plays": plays,
    }  # fmt: skip
    return render(request, "web/judge/log_upload.html", context, status=422 if form.errors else 200)


@login_required
def log_download(request: HttpRequest, log_id: str) -> HttpResponse:
    """Download a log, byte for byte as it was submitted."""
    log = log_for_reader(request.user, log_id)
    response = HttpResponse(log.document, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{log.public_id}.json"'
    return response
