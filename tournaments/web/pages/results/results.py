"""The results desk: enter result slips with the keyboard only.

One field takes a table number or a name, one key the outcome (see `outcomes`). The page's script sends each slip and
gets JSON; without scripts the same forms work as ordinary pages.
"""

from html import escape
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.common.names import found_in
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event, Stage
from tournaments.judging.models import Call
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.models import Match, Round
from tournaments.play.selectors import paired_before_correction, tables_said
from tournaments.web.answers import wants_fragment
from tournaments.web.live.positions import Named, named_since
from tournaments.web.pages.results.corrections import to_repair
from tournaments.web.pages.results.desk import (
    CLAIMED,
    CONTESTED,
    DONE,
    WAITING,
    TableRow,
    result_words,
    rows_of,
)
from tournaments.web.pages.results.entering import Conflict, drops_words, enter, results_desk_of
from tournaments.web.pages.results.forms import DeskForm, written_out
from tournaments.web.pages.results.outcomes import DROP_KEYS, board_keys, outcomes_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.results import score_words

FOLLOWED = ("round", "result", "table", "call", "penalty")
"""Topics after which the page requests its columns again."""
COLUMNS = {"waiting": WAITING, "claimed": CLAIMED, "contested": CONTESTED, "done": DONE}


def _line(row: TableRow, address: str, word: str) -> SafeString:
    """A table in a column of the desk, as HTML built in Python.

    There may be a thousand on the page, and a template takes eight times as long for each. `address` is that of a slip
    with a star in place of the match id, `word` the translated word for "table": both are looked up only once.
    """
    number = row.match.table
    names = " – ".join(f"<span data-name>{escape(name)}</span>" for name in row.names)
    details = f' <span class="muted num">{escape(row.details)}</span>' if row.details else ""
    # The column shows the state and `data-own` an own match; who leaves a fixed table no longer matters here.
    marks = [mark for mark in row.marks if mark.icon not in ("state", "moved", "own")]
    badges = "".join(f' <span class="badge badge--{mark.look} num">{escape(mark.words)}</span>' for mark in marks)
    slip = address.replace("*", row.match.public_id)
    ranked, own = " data-ranked" if row.match.has_ranks or row.match.has_boards else "", " data-own" if row.own else ""
    return mark_safe(  # noqa: S308 - names and words are escaped
        f'<li data-table="{number}" data-slip-address="{slip}" data-now="{escape(row.now)}"'
        f' data-seats="{len(row.seats)}"{ranked}{own}>\n'
        f'<a class="num" href="?find={number}"><span class="sr-only">{word} </span>{number}</a>\n'
        f"<span>{names}{details}{badges}</span>\n</li>"
    )


def _columns(tables: list[TableRow]) -> dict[str, list[SafeString]]:
    """The tables as HTML, by the name of their column."""
    slip, word = reverse("web:staff_slip", args=["*"]), escape(_("Table"))
    return {name: [_line(row, slip, word) for row in tables if row.order == order] for name, order in COLUMNS.items()}


def _page(request: HttpRequest, round_: Round, status: int = 200, **more: Any) -> HttpResponse:
    since = ledger.revision(round_.stage.event.public_id)  # before the rows are read, so that nothing is missed
    rows = rows_of(round_, request.user, now(), clock=getattr(round_, "clock", None))
    tables = [row for row in rows if row.match.table is not None]
    wanted = request.GET.get("find", "").strip()
    found = _found(tables, wanted) if wanted else []
    context = {
        "event": round_.stage.event,
        "round": round_,
        "columns": _columns(tables),
        "since": since,
        "topics": " ".join(FOLLOWED),
        "outcomes": outcomes_of(round_.stage),
        "ranked": round_.stage.is_tables,
        "board_keys": _board_keys(round_.stage),
        "slip_seats": _slip_seats(round_, found[0] if len(found) == 1 else None),
        "last": _entered_last(request, round_),
        "find": wanted,
        "found": found,
        "has_tables": tables_said(round_),
        "chosen": found[0] if len(found) == 1 else None,
        **more,
    }
    return render(request, "web/staff/results.html", context, status=status)


def _board_keys(stage: Stage) -> list[tuple[str, str]]:
    """The digits of a board's results with their words, for a stage of team matches; else empty."""
    return [(key, score_words(games)) for key, games in board_keys(stage).items()] if stage.event.has_boards else []


def _entered_last(request: HttpRequest, round_: Round) -> str:
    """The match whose slip was just entered without scripts, so that the page can offer to undo it; "" if none."""
    last = request.GET.get("last", "")
    return last if last and round_.matches.filter(public_id=last).exists() else ""


def _found(tables: list[TableRow], wanted: str) -> list[TableRow]:
    """The table with this number, or those with this text in a name, ignoring accents."""
    if wanted.isdecimal():
        return [row for row in tables if row.match.table == int(wanted)]
    return [row for row in tables if any(found_in(wanted, name) for name in row.names)]


@login_required
@require_safe
def staff_results(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The results desk of a round; `?find=` searches a table or a player.

    A page that already shows the tables as of ledger entry `?since=` gets only the changed ones, if they can be told.
    """
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if round_.status == Round.Status.DRAFT or round_.stage.event.status != Event.Status.RUNNING:
        return redirect("web:staff_round", event_id, number)
    named = _named_since(request, event_id)
    return _page(request, round_) if named is None else _changed(request, round_, named)


def _named_since(request: HttpRequest, event_id: str) -> Named | None:
    """What the ledger has named since the page read its tables; None if the whole page is needed."""
    since = request.GET.get("since", "")
    if not (wants_fragment(request) and since.isascii() and since.isdecimal() and len(since) < 10):
        return None
    return named_since(event_id, int(since), FOLLOWED)


def _changed(request: HttpRequest, round_: Round, named: Named) -> HttpResponse:
    """The changed tables, in their columns; `results.js` puts them in place.

    Tables that wait for a judge are always among them, because they show how many minutes they have waited.
    """
    concerned = Q(public_id__in=named.matches) | Q(seats__entrant__public_id__in=named.entrants)
    counts_minutes = Q(calls__status=Call.Status.WAITING)
    matches = round_.matches.filter(concerned | counts_minutes, table__isnull=False)
    only = set(matches.order_by().values_list("pk", flat=True))
    clock = getattr(round_, "clock", None)
    rows = rows_of(round_, request.user, now(), clock=clock, only=only) if only else []
    response = render(request, "web/staff/_result_rows.html", {"columns": _columns(rows), "since": named.number})
    response["HX-Reswap"] = "none"  # the script sorts the rows into their columns
    return response


@login_required
@require_POST
def staff_slip(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Enter a result slip, with the players who drop. The page's script gets JSON, a plain form the desk again."""
    match = match_for_staff(request.user, match_id, "run_desk")
    form = DeskForm(written_out(match, request.POST), match=match)
    form.check()
    try:
        entered = enter(request, match, form, slip=True)
    except Refusal as refusal:
        if not _wants_json(request):
            raise
        refused = {"state": "refused", "code": refusal.code, "message": str(refusal.message), "table": match.table}
        return JsonResponse(refused, status=refusal.status)
    if isinstance(entered, Conflict):
        return _in_the_way(request, match, entered)
    return _answer_entered(request, match, form, changed=entered)


def _in_the_way(request: HttpRequest, match: Match, conflict: Conflict) -> HttpResponse:
    """The results desk, or JSON with the fragment for its script, with both results."""
    refusal = conflict.refusal
    if not _wants_json(request):
        return _page(request, match.round, refusal.status, conflict=conflict)
    html = render_to_string("web/staff/_result_conflict.html", {"conflict": conflict}, request)
    return JsonResponse(
        {
            "state": "differs",
            "code": refusal.code,
            "message": str(refusal.message),
            "table": match.table,
            "html": html,
        },
        status=refusal.status,
    )


def _answer_entered(request: HttpRequest, match: Match, form: DeskForm, *, changed: bool) -> HttpResponse:
    """The answer to an entered slip, which says if a later round was paired with the old result."""
    message = _("Table %(table)s: %(result)s") % {"table": match.table, "result": _result_with_names(match, form)}
    later = paired_before_correction(match)
    if later is not None:
        corrected = _("Round %(number)d was paired with the old result: check its pairings.")
        message = f"{message}. {corrected % {'number': later.number}}"
    if _wants_json(request):
        state = "entered" if changed else "same"
        undo = reverse("web:staff_slip_undo", args=[match.public_id])
        return JsonResponse({"state": state, "table": match.table, "said": message, "undo": undo})
    if not changed:
        return redirect(results_desk_of(match))
    messages.success(request, message)
    return to_repair(request, match) or redirect(f"{results_desk_of(match)}?last={match.public_id}")


def _slip_seats(round_: Round, chosen: TableRow | None) -> list[tuple[int, str, str]]:
    """The lines of the slip form: seat number, the key that marks its player as dropping, and the name ("" if none)."""
    seats = len(DROP_KEYS) if round_.stage.is_tables else 2
    names = [*(chosen.names if chosen else ()), *[""] * seats]
    return [(seat, DROP_KEYS[seat - 1], names[seat - 1]) for seat in range(1, seats + 1)]


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _result_with_names(match: Match, form: DeskForm) -> str:
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    names = " – ".join(seat.entrant.full_name for seat in seats)
    return " ".join([f"{names}, {result_words(form.games, form.result_kind)}", *drops_words(form)])


@login_required
@require_POST
def staff_slip_undo(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Undo the last entry at a table."""
    match = match_for_staff(request.user, match_id, "run_desk")
    play.undo_result(match=match, by=request.user, now=now())
    message = _("The entry for table %(table)s is undone.") % {"table": match.table}
    if _wants_json(request):
        return JsonResponse({"state": "undone", "table": match.table, "said": message})
    messages.success(request, message)
    return redirect(results_desk_of(match))
