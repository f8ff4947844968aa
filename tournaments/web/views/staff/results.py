"""The results desk: slips entered by keyboard alone, one field for the table or the name, one key for the outcome."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.models import Match, Round
from tournaments.play.selectors import paired_before_correction
from tournaments.web.views.staff.corrections import to_repair
from tournaments.web.views.staff.desk import (
    CLAIMED,
    CONTESTED,
    DONE,
    WAITING,
    TableRow,
    result_words,
    rows_of,
    table_row,
)
from tournaments.web.views.staff.outcomes import DROP_KEYS, Outcome, outcome_of, outcomes_of, ranks_of


class SlipLine:
    """A table in a column of the desk, in texts alone: there are hundreds on the page."""

    def __init__(self, row: TableRow, address: str) -> None:
        self.table = str(row.match.table)
        self.address = address.replace("*", row.match.public_id)
        self.now = row.now
        self.seats = str(len(row.seats))
        self.ranked = row.match.has_ranks
        self.own = row.own
        self.names = format_html_join(" – ", "<span data-name>{}</span>", ((name,) for name in row.names))
        self.said = row.said
        self.badges = [(mark.words, mark.look) for mark in row.marks if mark.icon not in ("state", "moved", "own")]


def _page(request: HttpRequest, round_: Round, status: int = 200, **more: Any) -> HttpResponse:
    rows = rows_of(round_, request.user, now(), clock=getattr(round_, "clock", None))
    tables = [row for row in rows if row.match.table is not None]
    slip = reverse("web:staff_slip", args=["*"])
    wanted = request.GET.get("find", "").strip()
    found = _found(tables, wanted) if wanted else []
    context = {
        "event": round_.stage.event,
        "round": round_,
        "columns": {
            name: [SlipLine(row, slip) for row in tables if row.order == order]
            for name, order in (("waiting", WAITING), ("claimed", CLAIMED), ("contested", CONTESTED), ("done", DONE))
        },
        "outcomes": outcomes_of(round_.stage),
        "ranked": round_.stage.is_tables,
        "slip_seats": _slip_seats(round_, found[0] if len(found) == 1 else None),
        "last": _entered_last(request, round_),
        "find": wanted,
        "found": found,
        "chosen": found[0] if len(found) == 1 else None,
        **more,
    }
    return render(request, "web/staff/results.html", context, status=status)


def _entered_last(request: HttpRequest, round_: Round) -> str:
    """The match entered a moment ago by the plain form, if it is one of this round."""
    last = request.GET.get("last", "")
    return last if last and round_.matches.filter(public_id=last).exists() else ""


def _found(tables: list[TableRow], wanted: str) -> list[TableRow]:
    """The tables of a number, or those where a name has this fragment; accents do not matter."""
    if wanted.isdecimal():
        return [row for row in tables if row.match.table == int(wanted)]
    return [row for row in tables if any(found_in(wanted, name) for name in row.names)]


@login_required
@require_safe
def staff_results(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The results desk of a round; `find` names a table or a player."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if round_.status == Round.Status.DRAFT or round_.stage.event.status != Event.Status.RUNNING:
        return redirect("web:staff_round", event_id, number)
    return _page(request, round_)


@login_required
@require_POST
def staff_slip(request: HttpRequest, match_id: str) -> HttpResponse:
    """Enter a slip. The page's script gets JSON, a plain form the page again."""
    match = match_for_staff(request.user, match_id, "run_desk")
    outcome = _outcome(match, request.POST.get("outcome", ""))
    wanted = request.POST.getlist("drop")
    drops = [seat.entrant for seat in match.seats.all() if str(seat.number) in wanted]
    try:
        new = play.enter_slip(
            match=match,
            by=request.user,
            games=outcome.games,
            kind=outcome.kind,
            reason=request.POST.get("reason", "")[:2000],
            drops=drops,
            now=now(),
        )
    except Refusal as refusal:
        return _refused(request, match, outcome, refusal)
    said = _("Table %(table)s: %(result)s") % {"table": match.table, "result": _names(match, outcome)}
    later = paired_before_correction(match)
    if later is not None:
        corrected = _("Round %(number)d was paired with the old result: look at its pairings.")
        said = f"{said}. {corrected % {'number': later.number}}"
    if _wants_json(request):
        state = "entered" if new else "same"
        undo = reverse("web:staff_slip_undo", args=[match.public_id])
        return JsonResponse({"state": state, "table": match.table, "said": said, "undo": undo})
    if new:
        messages.success(request, said)
        repair = to_repair(request, match)
        if repair is not None:
            return repair
    return redirect(_desk_address(match) + (f"?last={match.public_id}" if new else ""))


def _outcome(match: Match, typed: str) -> Outcome:
    """What was typed for a table: the key of an outcome, or the ranks of a table of several."""
    if match.has_ranks:
        ranks = ranks_of(match, typed)
        if ranks is None:
            raise InvalidInput("score_invalid", _("Type one rank for each player, in the order of the slip."))
        return ranks
    outcome = outcome_of(match.round.stage, typed)
    if outcome is None:
        raise InvalidInput("score_invalid", _("No result has this key."))
    return outcome


def _slip_seats(round_: Round, chosen: TableRow | None) -> list[tuple[int, str, str]]:
    """The lines of the slip: number of the seat, the key that drops its player, and the name, empty for no seat."""
    seats = len(DROP_KEYS) if round_.stage.is_tables else 2
    names = [*(chosen.names if chosen else ()), *[""] * seats]
    return [(seat, DROP_KEYS[seat - 1], names[seat - 1]) for seat in range(1, seats + 1)]


def _refused(request: HttpRequest, match: Match, outcome: Outcome, refusal: Refusal) -> HttpResponse:
    """What stands and what was entered, with a form for the reason where that is what is missing."""
    new = result_words(outcome.games, outcome.kind)
    row = table_row(match, request.user)
    if _wants_json(request):
        return JsonResponse(
            {
                "state": "differs" if refusal.code == "reason_missing" else "refused",
                "code": refusal.code,
                "message": str(refusal.message),
                "table": match.table,
                "old": row.now,
                "new": new,
            },
            status=refusal.status,
        )
    if refusal.code != "reason_missing":
        raise refusal
    differs = {"row": row, "outcome": outcome, "new": new, "drops": request.POST.getlist("drop")}
    return _page(request, match.round, 422, differs=differs, refusal=refusal)


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _names(match: Match, outcome: Outcome) -> str:
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    names = " – ".join(seat.entrant.full_name for seat in seats)
    return f"{names}, {result_words(outcome.games, outcome.kind)}"


def _desk_address(match: Match) -> str:
    return reverse("web:staff_results", args=[match.round.stage.event.public_id, match.round.number])


@login_required
@require_POST
def staff_slip_undo(request: HttpRequest, match_id: str) -> HttpResponse:
    """Take back the last entry at a table."""
    match = match_for_staff(request.user, match_id, "run_desk")
    play.undo_slip(match=match, by=request.user, now=now())
    said = _("The entry for table %(table)s is taken back.") % {"table": match.table}
    if _wants_json(request):
        return JsonResponse({"state": "undone", "table": match.table, "said": said})
    messages.success(request, said)
    return redirect(_desk_address(match))
