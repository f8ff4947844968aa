"""The procedures of an event, and what the staff do by them: the player meeting and late players."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from html import escape
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput
from tournaments.events.access import event_for_staff, may, own_entrants
from tournaments.events.models import Event
from tournaments.events.procedures import Procedures, read_procedures
from tournaments.events.services import change_procedures, closed_sections
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.models import Round
from tournaments.play.selectors import Pairing, newest_shown_round, pairings_of, waiting_tables
from tournaments.play.services.meeting import Chair, chairs_of
from tournaments.play.services.tardiness import late_seats, late_steps
from tournaments.web.form_tokens import accepted_once
from tournaments.web.pages.events.procedure_forms import ProceduresForm
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.labels import labelled
from tournaments.web.words.procedures import FIELDS, SECTIONS, fault_words, late_words


@login_required
@accepted_once
def staff_procedures(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The procedures of an event. All staff can read them; organizers can change the sections that are still open."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    closed = closed_sections(event)
    form = ProceduresForm(request.POST or None, procedures=read_procedures(event.procedures), closed=closed)
    if request.method == "POST":
        event_for_staff(request.user, event_id, "manage_event")
        if form.is_valid() and _change(request, event, form):
            messages.success(request, _("Procedures saved."))
            return redirect("web:staff_procedures", event.public_id)
    context = {
        "event": event,
        "form": form,
        "over": len(closed) == len(fields(Procedures)),
        "some_closed": bool(closed),
        "manages": may(request.user, event, "manage_event"),
    }
    return render(request, "web/staff/procedures.html", context, status=422 if form.errors else 200)


def _change(request: SignedInRequest, event: Event, form: ProceduresForm) -> bool:
    """Save the procedures; on a refusal, add its errors to the fields and return False."""
    try:
        change_procedures(event=event, procedures=form.value, by=request.user, now=now())
    except InvalidInput as refusal:
        for fault in refusal.details:
            path = fault["path"].split("[")[0]
            place = path if path in FIELDS else None
            words = fault_words(path, fault["code"])
            form.add_error(place, words if place else labelled(_place(path), words))
        return False
    return True


def _place(path: str) -> str:
    return str(FIELDS.get(path) or SECTIONS.get(path.split(".")[0]) or path)


def _chair_rows(chairs: Sequence[Chair], *, may_end: bool) -> SafeString:
    """The table rows of the meeting as HTML, built in Python.

    There may be thousands, and a template takes eight times as long for each.
    """
    table, number, decklist, owed, empty = (
        escape(words) for words in (_("Table"), _("Chair"), _("Decklist"), _("missing"), _("Empty"))
    )
    is_empty, off = _("The chair of %(name)s is empty"), "" if may_end else " disabled"
    badge = f'<span class="badge badge--warn">{owed}</span>'
    return mark_safe(  # noqa: S308 - names and words are escaped
        "\n".join(
            f'<tr><td class="num" data-label="{table}">{chair.table}</td>'
            f'<td class="num" data-label="{number}">{chair.number}</td><th scope="row">{escape(chair.name)}</th>'
            f'<td data-label="{decklist}">{badge if chair.owes_deck else ""}</td>'
            f'<td data-label="{empty}"><label class="choice choice--alone">'
            f'<input type="checkbox" name="empty" value="{chair.public_id}"{off}> '
            f'<span class="sr-only">{escape(is_empty % {"name": chair.name})}</span></label></td></tr>'
            for chair in chairs
        )
    )


@login_required
@accepted_once
def staff_meeting(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The player meeting: the chairs by name, and who owes a decklist. A POST drops players whose chair is empty."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    if request.method == "POST":
        event_for_staff(request.user, event_id, "run_desk")
        absent = play.hold_meeting(event=event, empty=request.POST.getlist("empty"), by=request.user, now=now())
        message = ngettext(
            "%(n)d absent player is dropped.",
            "%(n)d absent players are dropped.",
            len(absent),
        )
        messages.success(request, message % {"n": len(absent)})
        return redirect("web:staff_meeting", event.public_id)
    chairs = chairs_of(event)
    may_end = may(request.user, event, "run_desk") and newest_shown_round(event) is None
    context = {
        "event": event,
        "chairs": chairs,
        "rows": _chair_rows(chairs, may_end=may_end),
        "owing": sum(chair.owes_deck for chair in chairs),
        "open": may_end,
    }
    return render(request, "web/staff/meeting.html", context)


TABLES_A_PAGE = 12  # fits a screen


@login_required
def staff_late(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Late players of a round: the empty seats with the penalty due at each, and the tables where one can be noted."""
    round_ = round_for_staff(request.user, event_id, number, "note_lateness")
    if round_.status == Round.Status.DRAFT:
        raise Http404
    event, at = round_.stage.event, now()
    # Staff who play note nothing at their own table.
    waiting = set(waiting_tables(round_).filter(table__isnull=False, games_drawn=None).values_list("pk", flat=True))
    mine = {entrant.pk for entrant in own_entrants(request.user, event)}
    tables = [
        table
        for table in pairings_of(round_, full=True)
        if table.match in waiting and mine.isdisjoint(entrant for entrant, _name in table.seats)
    ]
    wanted = request.GET.get("find", "")
    found = [table for table in tables if _is_found(wanted, table)]
    context = {
        "event": event,
        "round": round_,
        "late": late_seats(round_, at),
        "tables": tables,
        "find": wanted,
        "page_of": page_of(request, found, TABLES_A_PAGE),
        "rule": late_words(late_steps(round_.stage, read_procedures(event.procedures).tardiness)),
    }
    return render(request, "web/staff/late.html", context)


def _is_found(wanted: str, table: Pairing) -> bool:
    """Whether a search is for a table: its number, or a part of the name of somebody who sits there."""
    if wanted.strip().isdecimal():
        return table.table == int(wanted)
    return found_in(wanted, *(name for _entrant, name in table.seats))


LATENESS: dict[str, tuple[Callable[..., object], Any]] = {
    "empty": (play.note_empty, gettext_lazy("Empty seat noted: its countdown is running.")),
    "filled": (play.note_filled, gettext_lazy("The player has arrived.")),
    "game-loss": (play.confirm_game_loss, gettext_lazy("Game loss confirmed.")),
}


@login_required
@require_POST
def staff_lateness(request: SignedInRequest, match_id: str, action: str) -> HttpResponse:
    """Note or fill an empty seat, or confirm the loss of a game or of the match."""
    match = match_for_staff(request.user, match_id, "note_lateness")
    if action == "match-loss":
        play.confirm_match_loss(match=match, by=request.user, now=now())
        messages.success(request, _("Match loss confirmed."))
    elif action in LATENESS:
        service, done = LATENESS[action]
        number = request.POST.get("seat", "")
        service(match=match, seat=int(number) if number in ("1", "2") else 0, by=request.user, now=now())
        messages.success(request, str(done))
    else:
        raise Http404
    return redirect("web:staff_late", match.round.stage.event.public_id, match.round.number)
