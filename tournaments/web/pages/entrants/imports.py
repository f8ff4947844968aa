"""Import entrants from a list or a file: upload it, preview it, change how it is read, then confirm or discard it."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.decks.entry_lists import ListProblem, ListsReport, preview_lists, reads_lists, submitted
from tournaments.events import imports
from tournaments.events.access import event_for_staff, import_for_staff
from tournaments.events.bans import banned_lines
from tournaments.events.entry_files import OVERRIDABLE, Column, Line
from tournaments.events.entry_invitations import SENT_IN
from tournaments.events.models import EntryImport
from tournaments.events.twins import twin_lines
from tournaments.leagues.known import KnownPlayer, known_lines, refuse_unknown
from tournaments.leagues.namesakes import reviews_of
from tournaments.web.answers import show
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.entrants.forms import EntryFileForm, EntryReadingForm
from tournaments.web.rate_limits import IMPORTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.entrants import IMPORT_DOUBTS, IMPORT_FAULTS, LIST_PROBLEMS

EDITED = 200  # lines of a preview with controls beside them; others are opened one by one
MAX_ID = 20  # characters of a public id
MAX_SPLITS = 40  # ways to split a name
LISTED = 200  # refused lines on a page; the API has all of them


@dataclass(frozen=True)
class RefusedLine:
    """A line that was not imported, with the reasons."""

    number: int
    reasons: Sequence[object]


@dataclass(frozen=True)
class ShownProblem:
    """A list that is not submitted, in words; `faults` only for whoever may read the list."""

    problem: ListProblem
    reason: object
    faults: Sequence[tuple[int, str]]


@dataclass(frozen=True)
class ShownRow:
    """A line of the preview: what is doubtful about it, and what can be decided.

    - `reasons`: why it enters nobody
    - `doubts`: what to look at though it does
    - `splits`: how the name can be split, as (value, label, chosen); empty unless it is `edited`
    - `known`: the players known from earlier events who have the name
    - `choice`: what can be ticked: `enter` it anyway, or leave it `out`; `ticked`: whether that was done
    """

    line: Line
    reasons: Sequence[object]
    doubts: Sequence[object]
    edited: bool = False
    splits: Sequence[tuple[int, str, bool]] = ()
    known: Sequence[KnownPlayer] = ()
    choice: str = ""
    ticked: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether there is something to look at, or something was decided that can be undone."""
        return bool(self.reasons or self.doubts or self.ticked or self.line.person)


def _shown_rows(
    entry_import: EntryImport,
    preview: imports.Preview,
    noticed: Mapping[str, Collection[int]],
    known: Mapping[int, Sequence[KnownPlayer]],
    opened: str,
) -> list[ShownRow]:
    """All lines, the doubtful ones first. The first of these have controls, and the one that was opened.

    `noticed` has the numbers of more doubtful lines by the key of `IMPORT_DOUBTS`, `known` the known players by line.
    """
    decided = {number for number, said in entry_import.reading.get("rows", {}).items() if said.get("enter")}
    rows = [
        replace(_shown_row(line, noticed, anyway=str(line.number) in decided), known=known.get(line.number, ()))
        for line in (*preview.refused, *preview.entering)
    ]
    rows.sort(key=lambda row: (not row.reasons, not row.doubtful, row.line.number))
    edited = {str(row.line.number) for row in [row for row in rows if row.doubtful][:EDITED]} | {opened}
    return [
        replace(row, edited=True, splits=_splits(row.line)) if str(row.line.number) in edited else row for row in rows
    ]


def _shown_row(line: Line, noticed: Mapping[str, Collection[int]], *, anyway: bool) -> ShownRow:
    doubts = [*line.doubts, *["email_wrong"] * line.email_wrong]
    doubts += [doubt for doubt, numbers in noticed.items() if line.number in numbers]
    choice = ""
    if "left_out" in line.faults or not line.faults:
        choice = "out"
    if line.given_name and (({*line.faults} and {*line.faults} <= {*OVERRIDABLE}) or (anyway and not line.faults)):
        choice = "enter"
    return ShownRow(
        line,
        [IMPORT_FAULTS[fault] for fault in line.faults],
        [] if line.faults else [IMPORT_DOUBTS[doubt] for doubt in doubts],
        choice=choice,
        ticked=bool(line.faults) if choice == "out" else anyway,
    )


def _splits(line: Line) -> list[tuple[int, str, bool]]:
    """The ways to split a name of several words, with the first name before the dot; none for a known player."""
    words = line.words
    if len(words) < 2 or line.person:
        return []
    now = len(line.given_name.split()) if not line.family_first else -len(line.family_name.split())
    found = [(count, f"{' '.join(words[:count])} · {' '.join(words[count:])}") for count in range(1, len(words))]
    found += [(-count, f"{' '.join(words[count:])} · {' '.join(words[:count])}") for count in range(1, len(words))]
    found.append((0, " ".join(words)))
    return [(value, label, value == (now if line.family_name else 0)) for value, label in found[:MAX_SPLITS]]


def _decisions(data: QueryDict) -> list[dict[str, Any]]:
    """What was decided about the lines that had controls, as `imports.read_again` takes it."""
    found = []
    for number in [part for part in data.get("shown", "").split(",") if part.isdecimal() and len(part) < 6]:
        decision: dict[str, Any] = {"line": int(number)}
        split = data.get(f"split_{number}", "")
        if re.fullmatch("-?[0-9]{1,2}", split):
            decision["split"] = int(split)
        if f"out_{number}" in data:
            decision["enter"] = False
        elif f"enter_{number}" in data:
            decision["enter"] = True
        if (person := data.get(f"person_{number}")) is not None:
            decision["person"] = person[:MAX_ID]
        found.append(decision)
    return found


def _read_decisions(request: SignedInRequest, entry_import: EntryImport) -> None:
    """Keep what the form says of lines. With `same`, a name not decided before is the one known player who has it."""
    decided = {number for number, said in entry_import.reading.get("rows", {}).items() if "person" in said}
    decisions = _decisions(request.POST)
    picked = {str(each["line"]) for each in decisions if each.get("person")}
    refuse_unknown(entry_import.event, request.user, [each.get("person", "") for each in decisions])
    imports.read_again(entry_import=entry_import, chosen={"rows": decisions})
    if "same" in request.POST:
        preview, rows = imports.preview_of(entry_import), entry_import.reading["rows"]
        named = _once_each(known_lines(entry_import.event, request.user, preview.entering))
        said = [
            {"line": line, **rows.get(str(line), {}), "person": player.public_id}
            for line, player in named.items()
            if str(line) not in decided | picked
        ]
        imports.read_again(entry_import=entry_import, chosen={"rows": said})


def _once_each(known: Mapping[int, Sequence[KnownPlayer]]) -> dict[int, KnownPlayer]:
    """The lines that name one known player, who is named by no other line."""
    count = Counter(player.public_id for players in known.values() for player in players)
    return {
        line: players[0] for line, players in known.items() if len(players) == 1 and count[players[0].public_id] == 1
    }


def lists_shown(report: ListsReport, *, reads: bool) -> dict[str, Any]:
    """Template context of what becomes of the decklists of a file."""
    problems = [
        ShownProblem(each, LIST_PROBLEMS.get(each.code, each.code), each.faults if reads else ())
        for each in report.problems[:LISTED]
    ]
    return {
        "lists": report,
        "list_problems": problems,
        "more_problems": max(0, len(report.problems) - LISTED),
        "lists_refused": LIST_PROBLEMS.get(report.refusal, report.refusal),
    }


def _hidden(column: Column, *, reads: bool) -> Column:
    """A column without its cells, if they are decklists that the reader may not read."""
    return column if reads or not column.holds_lists else replace(column, cells=())


def _refused(number: int, faults: Sequence[str]) -> RefusedLine:
    return RefusedLine(number, [IMPORT_FAULTS[fault] for fault in faults])


@login_required
@accepted_once
@rate_limited(IMPORTS)
def staff_import_new(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Paste a list of names or upload a file, for a preview. Nobody is entered yet."""
    event = event_for_staff(request.user, event_id, "run_desk")
    sent = request.method == "POST"
    form = EntryFileForm(request.POST if sent else None, request.FILES if sent else None)
    if sent and form.is_valid():
        with refusals_on(form):
            document, chosen = form.sent()
            made = imports.open_import(event=event, document=document, by=request.user, now=now(), chosen=chosen)
            return redirect("web:staff_import", made.public_id)
    context = {"event": event, "form": form}
    return render(request, "web/staff/import_new.html", context, status=422 if form.errors else 200)


@login_required
def staff_import(request: SignedInRequest, import_id: str) -> HttpResponse:
    """The preview of an import, where a POST changes how the file is read; once confirmed, its progress and outcome."""
    entry_import = import_for_staff(request.user, import_id, "run_desk")
    context: dict[str, Any] = {"event": entry_import.event, "import": entry_import, "address": request.path}
    if entry_import.status != EntryImport.Status.OPEN:
        context["reviews"] = reviews_of(entry_import.event, request.user)
        context |= _ended(entry_import) | lists_shown(
            submitted(import_id), reads=reads_lists(request.user, entry_import)
        )
        return show(request, "web/staff/import.html", context, fragment="web/staff/_import.html")
    data = request.POST if request.method == "POST" else None
    if data is not None and "shown" in data:
        _read_decisions(request, entry_import)
        return redirect("web:staff_import", import_id)
    form = EntryReadingForm(data, reading=entry_import.reading, twice=entry_import.twice)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            imports.read_again(entry_import=entry_import, chosen=form.chosen)
            return redirect("web:staff_import", import_id)
    preview, reads = imports.preview_of(entry_import), reads_lists(request.user, entry_import)
    columns = [_hidden(column, reads=reads) for column in preview.file.columns]
    context |= lists_shown(preview_lists(entry_import.event, preview.entering, request.user), reads=reads)
    banned = banned_lines(entry_import.event, preview.entering, now())
    twins = twin_lines(entry_import.event, preview.entering)
    known = known_lines(entry_import.event, request.user, (*preview.refused, *preview.entering))
    asked = [number for number in known if "person" not in entry_import.reading.get("rows", {}).get(str(number), {})]
    noticed = {"known": asked, "banned": banned, "twin": twins}
    rows = _shown_rows(entry_import, preview, noticed, known, request.GET.get("line", ""))
    context |= {
        "form": form,
        "preview": preview,
        "banned": banned,
        "twins": twins,
        "columns": list(zip(form.column_fields, columns, strict=True)),
        "rows": rows,
        "asked": sum(line.number in asked for line in preview.entering),
        "edited": ",".join(str(row.line.number) for row in rows if row.edited),
        "doubtful": sum(row.doubtful for row in rows),
        "with_clubs": any(row.line.club for row in rows),
        "with_tables": any(row.line.table for row in rows),
        "can_invite": entry_import.event.status in SENT_IN,
        "stopped": imports.state_of(entry_import).error,
    }
    return render(request, "web/staff/import_preview.html", context, status=422 if form.errors else 200)


def _ended(entry_import: EntryImport) -> dict[str, Any]:
    refused = entry_import.report.get("refused", [])
    return {
        "state": imports.state_of(entry_import),
        "report": entry_import.report,
        "refused": [_refused(line["line"], line["faults"]) for line in refused[:LISTED]],
        "more_refused": max(0, len(refused) - LISTED),
    }


@login_required
@require_POST
def staff_import_end(request: SignedInRequest, import_id: str, action: str) -> HttpResponse:
    """Confirm an import (`confirm`), or discard its file (`discard`)."""
    entry_import = import_for_staff(request.user, import_id, "run_desk")
    if action == "discard":
        imports.discard_import(entry_import=entry_import)
        messages.success(request, _("The file is discarded. Nobody was entered."))
        return redirect("web:staff_entrants", entry_import.event.public_id)
    if action != "confirm":
        raise Http404
    if "shown" in request.POST and entry_import.status == EntryImport.Status.OPEN:
        _read_decisions(request, entry_import)
    invite = "invite" in request.POST
    done = imports.confirm_import(entry_import=entry_import, by=request.user, now=now(), invite=invite)
    if done.status == EntryImport.Status.DONE:
        count = done.report["entered"]
        message = ngettext("%(count)d entrant added.", "%(count)d entrants added.", count)
        messages.success(request, message % {"count": count})
    return redirect("web:staff_import", import_id)
