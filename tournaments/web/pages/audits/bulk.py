"""Bulk audits: audit all logs of an event again, follow the progress, and see which verdicts would change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from engine.face.audits import known_interpretations
from tournaments.audits.access import bulk_for_judge, event_for_bulk
from tournaments.audits.bulk import bulks_of, cancel_bulk, changes_of, start_bulk, state_of, verdict_changes
from tournaments.audits.models import BulkLine
from tournaments.common.clock import now
from tournaments.web.answers import show
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.audits.forms import BulkForm
from tournaments.web.pages.audits.reports import interpretations_words
from tournaments.web.rate_limits import PAPERS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.audits import BULK_STATES, VERDICT_BADGES, VERDICTS_SHORT
from tournaments.web.words.boards import language

LINES = 50  # changed logs per page
LISTED = 20  # earlier bulk audits


@dataclass(frozen=True)
class Change:
    """A log whose verdict, refused move or winner has changed: the findings `before` and `after`.

    `failed` is whether the new audit failed.
    """

    line: BulkLine
    before: dict[str, Any]
    after: dict[str, Any]
    failed: bool


@login_required
@accepted_once
@rate_limited(PAPERS)
def bulk_start(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Start a bulk audit, and list the earlier ones."""
    event = event_for_bulk(request.user, event_id)
    known = known_interpretations(event.game, language()) if event.has_engine else []
    form = BulkForm(request.POST if request.method == "POST" else None, known=known)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            bulk = start_bulk(event=event, options=form.options, by=request.user, now=now())
            return redirect("web:bulk", bulk.public_id)
    listed = [
        (bulk, BULK_STATES[state_of(bulk).status], interpretations_words(event, list(bulk.options), bulk.options))
        for bulk in bulks_of(event)[:LISTED]
    ]
    context = {"event": event, "form": form, "bulks": listed}
    return render(request, "web/judge/bulk_start.html", context, status=422 if form.errors else 200)


@login_required
def bulk(request: HttpRequest, bulk_id: str) -> HttpResponse:
    """The progress of a bulk audit, and the verdicts that would change."""
    shown = bulk_for_judge(request.user, bulk_id)
    page = Paginator(changes_of(shown), LINES).get_page(request.GET.get("page"))
    state = state_of(shown)
    context = {
        "event": shown.event,
        "bulk": shown,
        "state": state,
        "words": BULK_STATES[state.status],
        "interpretations": interpretations_words(shown.event, list(shown.options), shown.options),
        "totals": [_total(row) for row in verdict_changes(shown)],
        "page_of": page,
        "changes": [_change(line) for line in page],
        "address": request.get_full_path(),
    }
    return show(request, "web/judge/bulk.html", context, fragment="web/judge/_bulk.html")


@login_required
@require_POST
def bulk_cancel(request: SignedInRequest, bulk_id: str) -> HttpResponse:
    """Cancel a bulk audit: the logs that still wait are not audited."""
    shown = bulk_for_judge(request.user, bulk_id)
    cancel_bulk(bulk=shown, by=request.user, now=now())
    messages.success(request, _("The remaining logs are left as they are."))
    return redirect("web:bulk", shown.public_id)


def _total(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "logs": row["logs"],
        "before": _verdict(row["verdict_before"]),
        "after": _verdict(row["verdict_after"]),
    }


def _change(line: BulkLine) -> Change:
    failed = line.outcome == BulkLine.Outcome.FAILED
    before = {**_verdict(line.verdict_before), **(line.found_before or {})}
    return Change(line, before, {**_verdict(line.verdict_after), **(line.found_after or {})}, failed)


def _verdict(verdict: str) -> dict[str, Any]:
    return {"words": VERDICTS_SHORT.get(verdict, verdict), "badge": VERDICT_BADGES.get(verdict, "warn")}
