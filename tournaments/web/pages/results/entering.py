"""Enter a result at the desk: with a button of the round desk, on the page of the result, or as a slip (`results`).

All of them send the same form to the same service. If another result is in the way, they all answer with the same
fragment, which shows both results and enters the new one when it is sent (`Conflict`).
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.common.refusals import Refusal
from tournaments.events.access import require
from tournaments.play import services as play
from tournaments.play.access import match_for_staff
from tournaments.play.models import Match
from tournaments.play.selectors import newest_report_id
from tournaments.web.answers import way_back
from tournaments.web.forms.refusals import refused_beside, status_of
from tournaments.web.pages.events.dashboard import can_reopen, offered_at
from tournaments.web.pages.results.corrections import later_round, to_repair, why_closed
from tournaments.web.pages.results.desk import (
    TableRow,
    asked_of,
    counters_of,
    effect_words,
    initial_of,
    is_last,
    result_words,
    table_row,
)
from tournaments.web.pages.results.forms import DeskForm, written_out
from tournaments.web.requests import SignedInRequest

CONFIRMABLE = ("result_changed", "reason_missing", "affects_later")
"""The refusals of a result that the desk can enter all the same, after looking at what is in the way."""


@dataclass(frozen=True)
class Conflict:
    """A result that was not entered because another one is in the way.

    `row` is the match as it is now, `entered` the new result in words, and `effects` are sentences about what it
    changes in later matches. `fields` are hidden inputs that enter it when they are sent to `address` with the
    `reason`; `seen` is the newest report that is shown, and `keep` the page to go to if the result that stands is kept.
    """

    refusal: Refusal
    row: TableRow
    entered: str
    effects: Sequence[str]
    seen: int
    fields: Sequence[tuple[str, Any]]
    reason: str
    address: str
    keep: str

    @property
    def needs_reason(self) -> bool:
        """Whether the result is entered with a reason only."""
        return self.row.match.has_result or self.refusal.code == "reason_missing"


def enter(request: SignedInRequest, match: Match, form: DeskForm, *, slip: bool = False) -> bool | Conflict:
    """Enter the result of a valid form. Returns whether anything changed, or what is in the way.

    `slip` is whether it comes from the results desk, which a conflict then leads back to. Raises other refusals.
    """
    data = form.cleaned_data
    if data["reopen"]:
        require(request.user, match.round.stage.event, "reopen_event")
    try:
        return play.enter_result(
            match=match,
            by=request.user,
            games=form.games,
            kind=form.result_kind,
            reason=data["reason"],
            drops=form.drops,
            seen=form.seen_report,
            acknowledged=data["acknowledged"],
            reopen=data["reopen"],
            now=now(),
        )
    except Refusal as refusal:
        if refusal.code not in CONFIRMABLE:
            raise
        return _conflict(request, match, form, refusal, slip=slip)


def _conflict(request: HttpRequest, match: Match, form: DeskForm, refusal: Refusal, *, slip: bool) -> Conflict:
    affects = refusal.code == "affects_later"
    # Read before the row: if a report comes in between, sending the fragment is refused again.
    seen = newest_report_id(match)
    return Conflict(
        refusal=refusal,
        row=table_row(match, request.user),
        entered=" ".join([result_words(form.games, form.result_kind), *drops_words(form)]),
        effects=effect_words(match.round.stage.event, refusal.details) if affects else [],
        seen=seen,
        fields=form.sent_again(seen=seen, acknowledged=affects),
        reason=form.cleaned_data["reason"],
        address=reverse("web:staff_slip" if slip else "web:staff_result", args=[match.public_id]),
        keep=results_desk_of(match) if slip else _round_desk_of(request, match),
    )


def drops_words(form: DeskForm) -> list[str]:
    """Sentences that read back who drops with a result."""
    return [_("%(name)s drops after this round.") % {"name": entrant.full_name} for entrant in form.drops]


def results_desk_of(match: Match) -> str:
    """The address of the results desk for the round of a match."""
    return reverse("web:staff_results", args=[match.round.stage.event.public_id, match.round.number])


def _round_desk_of(request: HttpRequest, match: Match) -> str:
    """The address of the round desk, with the filter and search that the request came from."""
    desk = reverse("web:staff_round", args=[match.round.stage.event.public_id, match.round.number])
    came = way_back(request)
    return came if came.partition("?")[0] == desk else desk


@login_required
def staff_result(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Enter a result, with one of the buttons of the round desk or with the complete form.

    With `reopen`, the result is corrected after the end of the event.
    """
    match = match_for_staff(request.user, match_id, "run_desk")
    if request.method != "POST":
        return _result_page(request, match, DeskForm(match=match, initial=initial_of(match)))
    form = DeskForm(written_out(match, request.POST), match=match)
    if request.htmx:
        form.check()
    if not form.is_valid():
        return _result_page(request, match, form, status_of(form))
    # htmx shows a refusal in the messages region; without it, the complete form shows it.
    with nullcontext() if request.htmx else refused_beside(form):
        found = enter(request, match, form)
        if isinstance(found, Conflict):
            return _in_the_way(request, match, form, found)
        return _entered(request, match, form)
    return _result_page(request, match, form, status_of(form))


def _in_the_way(request: SignedInRequest, match: Match, form: DeskForm, conflict: Conflict) -> HttpResponse:
    """The row of the table, or the page of the result as typed, with the conflict."""
    if request.htmx:
        return _row_again(request, match, conflict)
    again = DeskForm(match=match, initial={**form.cleaned_data, "seen": conflict.seen})
    return _result_page(request, match, again, conflict.refusal.status, conflict)


def _result_page(
    request: HttpRequest, match: Match, form: DeskForm, status: int = 200, conflict: Conflict | None = None
) -> HttpResponse:
    row = table_row(match, request.user)
    event = match.round.stage.event
    context = {
        "event": event,
        "match": row.match,
        "form": form,
        "row": row,
        "conflict": conflict,
        "may": offered_at(request.user, event),
        "closed": why_closed(match),
        "reopens": can_reopen(request.user, event),
        "later": later_round(match),
    }
    return render(request, "web/staff/result.html", context, status=status)


def _row_again(request: HttpRequest, match: Match, conflict: Conflict | None = None) -> HttpResponse:
    """The row of the round desk as it is now, with the conflict if there is one."""
    event, counters = match.round.stage.event, counters_of(match.round)
    context = {
        "event": event,
        "round": match.round,
        "row": table_row(match, request.user),
        "counters": counters,
        "asked": asked_of(request),
        "last": counters.all_in and is_last(match.round),
        "may": offered_at(request.user, event),
        "conflict": conflict,
    }
    status = conflict.refusal.status if conflict else 200
    response = render(request, "web/staff/_result_entered.html", context, status=status)
    # The live stream may have replaced the row that was pressed. htmx then no longer finds that its list keeps the
    # address, and would put that of the result in its place.
    response["HX-Push-Url"] = "false"
    return response


def _entered(request: SignedInRequest, match: Match, form: DeskForm) -> HttpResponse:
    if request.htmx:
        return _row_again(request, match)
    saved = _("Result of table %(table)s saved.") % {"table": match.table}
    messages.success(request, " ".join([saved, *drops_words(form)]))
    repair = to_repair(request, match)
    return repair or redirect(_round_desk_of(request, match))
