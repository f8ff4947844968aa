"""Imports entrants from a file: upload, preview, then confirmation, which enters everybody with one ledger entry.

Small files are entered within the request, large ones by a job. The file is deleted a day after its upload.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.entering import Newcomer, enter_people, places_left
from tournaments.events.entry_files import (
    DELIMITERS,
    ENCODINGS,
    FIELDS,
    OVERRIDABLE,
    EntryFile,
    Line,
    name_key,
    read_file,
)
from tournaments.events.hall_tables import tables_of
from tournaments.events.models import EntryImport, Event, Member
from tournaments.events.selectors import first_stage
from tournaments.events.services import require_desk_open

KEPT = timedelta(days=1)
AT_ONCE = 300  # files of up to so many lines are entered within the request
Status = EntryImport.Status


@dataclass(frozen=True)
class Preview:
    """What an import would do if it were confirmed now; `waiting` is how many would go on the waiting list."""

    file: EntryFile
    entering: tuple[Line, ...]
    refused: tuple[Line, ...]
    waiting: int

    @property
    def unsure(self) -> bool:
        """Whether the user has to say first which column has the names."""
        return self.file.reading.unsure

    @property
    def numbered(self) -> int:
        """How many players would be called by a number, because the file has only their e-mail addresses."""
        return sum(line.numbered for line in self.entering)

    @property
    def addresses(self) -> int:
        """How many lines are refused because their name is an e-mail address."""
        return sum("name_is_address" in line.faults for line in self.refused)

    @property
    def invitable(self) -> int:
        """How many of those who would be entered have an e-mail address in the file."""
        return sum(bool(line.email) for line in self.entering)

    @property
    def wrong_addresses(self) -> list[int]:
        """The numbers of the lines whose e-mail address cannot be read. They are entered all the same."""
        return [line.number for line in self.entering if line.email_wrong]

    @property
    def twice(self) -> int:
        """How many lines are refused only because their name is there already."""
        return sum(line.faults == ("name_twice",) for line in self.refused)


@dataclass(frozen=True)
class Outcome:
    """The result of an import, expected or actual.

    `waiting` of the `entered` are on the waiting list. `lines` is empty once the import is done, as no names are kept;
    `refused` has the number and faults of each refused line.
    """

    entered: int
    waiting: int
    lines: tuple[Line, ...]
    refused: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class ImportState:
    """The progress of a confirmed import in percent; `error` is the code of the refusal that stopped it, or ""."""

    progress: int
    error: str


def state_of(entry_import: EntryImport) -> ImportState:
    """The progress of an import. An import stopped by a refusal is open again, with the code in `error`."""
    if entry_import.status == Status.DONE:
        return ImportState(100, "")
    job = jobs.state_of("events.import", str(entry_import.pk))
    failed = job is not None and job.status == "failed"
    return ImportState(job.progress if job else 0, job.error if job and failed else "")


def open_import(
    *, event: Event, document: bytes, by: User, now: datetime, chosen: dict[str, Any] | None = None, ask: bool = True
) -> EntryImport:
    """Upload a file for a preview; nobody is entered yet. It is deleted after `KEPT`.

    `chosen` is as for `entry_files.read_file`, plus `twice` (enter people whose name is in the event already) and
    `rows` (see `read_again`). If no title says which column has the names, the preview asks; without `ask` it is
    refused.

    Refused: `reading_unknown`, `registration_closed`, `columns_unknown`, and what `read_file` raises.
    """
    chosen = chosen or {}
    _check(chosen)
    # Fail early for the user's sake; the confirmation checks again under the event's lock.
    with transaction.atomic():
        require_desk_open(Event.objects.get(pk=event.pk))
    file = read_file(document, chosen)
    if not ask:
        _check_sure(file)
    reading = file.reading.to_json() | {"rows": _rows({}, chosen)}
    with transaction.atomic():
        entry_import = EntryImport.objects.create(
            event=event,
            document=document,
            reading=reading,
            twice=bool(chosen.get("twice")),
            uploaded_by=by,
            uploaded_at=now,
        )
        payload = {"import": entry_import.pk}
        jobs.enqueue("events.forget_import", str(entry_import.pk), payload=payload, now=now, run_after=now + KEPT)
    return entry_import


def read_again(*, entry_import: EntryImport, chosen: dict[str, Any], ask: bool = True) -> EntryImport:
    """Change how an uploaded file is read. What is not chosen stays as it was.

    If the encoding, the delimiter or the header changes, the cells change too, so the columns are guessed again. `rows`
    decides about single lines: objects with the number of the `line` and any of

    - `split`: as for `Line.split_at`
    - `enter`: true to enter the line in spite of `OVERRIDABLE` faults, false to leave it out
    - `person`: the public id of a player known from an earlier event, "" for a new one; the caller has checked whether
      the user may enter this player

    They are forgotten when the cells or the columns change.

    Refused: `reading_unknown`, `import_confirmed`, `columns_unknown` (without `ask`), and what `read_file` raises.
    """
    _check(chosen)
    before = entry_import.reading
    cut_anew = any(chosen.get(name, before[name]) != before[name] for name in ("encoding", "delimiter", "header"))
    wanted = {**before, **chosen}
    if cut_anew:
        wanted["columns"] = None
    elif "columns" in chosen:
        wanted.pop("unsure", None)
    file = read_file(bytes(entry_import.document), wanted)
    if not ask:
        _check_sure(file)
    same = list(file.reading.columns) == before["columns"] and not cut_anew
    rows = _rows(before.get("rows", {}) if same else {}, chosen)
    twice = bool(chosen.get("twice", entry_import.twice))
    kept = EntryImport.objects.filter(pk=entry_import.pk, status=Status.OPEN)
    if not kept.update(reading=file.reading.to_json() | {"rows": rows}, twice=twice):
        raise Refusal("import_confirmed", _("This import has already been confirmed."))
    entry_import.refresh_from_db()
    return entry_import


def preview_of(entry_import: EntryImport) -> Preview:
    """The lines that would enter somebody, and the refused ones with their faults."""
    event = entry_import.event
    file = read_file(bytes(entry_import.document), entry_import.reading)
    lines = _judged(event, file, entry_import)
    entering = tuple(line for line in lines if not line.faults)
    refused = tuple(line for line in lines if line.faults)
    return Preview(file, entering, refused, max(0, len(entering) - places_left(event, len(entering))))


def outcome_of(entry_import: EntryImport) -> Outcome:
    """What confirming an import would do while it is open, and what it did afterwards."""
    if entry_import.status != Status.OPEN:
        report = entry_import.report
        return Outcome(report.get("entered", 0), report.get("waiting", 0), (), tuple(report.get("refused", ())))
    preview = preview_of(entry_import)
    return Outcome(len(preview.entering), preview.waiting, preview.entering, _as_json(preview.refused))


def confirm_import(*, entry_import: EntryImport, by: User, now: datetime, invite: bool = False) -> EntryImport:
    """Enter everybody in the file: immediately, or by a job if it has more than `AT_ONCE` lines. Idempotent.

    With `invite`, those whose e-mail address is in the file are invited to take over their entries.

    Refused: `columns_unknown`, `registration_closed`, `event_full` (once the event runs there is no waiting list). The
    import then stays open.
    """
    # Parsed before the lock is taken, since a large file takes a while.
    file = read_file(bytes(entry_import.document), entry_import.reading) if entry_import.document else None
    if file is not None:
        _check_sure(file)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entry_import.event_id)
        mine = EntryImport.objects.filter(pk=entry_import.pk, status=Status.OPEN)
        if file is not None and mine.update(status=Status.CONFIRMED):
            require_desk_open(event)  # a refusal rolls the update back: the import stays open
            if len(file.lines) > AT_ONCE:
                payload = {"import": entry_import.pk, "by": by.pk, "invite": invite}
                jobs.enqueue("events.import", str(entry_import.pk), payload=payload, now=now)
            else:
                _enter(entry_import, event, file, by, now, invite=invite)
    entry_import.refresh_from_db()
    return entry_import


def run_import(*, import_id: int, by: int, now: datetime, invite: bool = False, progress: Progress = unseen) -> None:
    """Enter everybody of a confirmed import; run by the job `events.import`.

    A refusal opens the import again, so that it can be confirmed later, and is raised.
    """
    entry_import = EntryImport.objects.filter(pk=import_id, status=Status.CONFIRMED).select_related("event").first()
    if entry_import is None:
        return
    progress(10)
    file = read_file(bytes(entry_import.document), entry_import.reading)
    progress(30)
    try:
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=entry_import.event_id)
            # Read again under the lock: a job may run twice.
            if EntryImport.objects.select_for_update().get(pk=import_id).status == Status.CONFIRMED:
                require_desk_open(event)
                _enter(entry_import, event, file, User.objects.get(pk=by), now, invite=invite)
    except Refusal:
        EntryImport.objects.filter(pk=import_id, status=Status.CONFIRMED).update(status=Status.OPEN)
        raise


def forget_import(*, import_id: int) -> None:
    """Delete an import with its file; those who were entered stay. Idempotent."""
    EntryImport.objects.filter(pk=import_id).delete()


def discard_import(*, entry_import: EntryImport) -> None:
    """Discard a file that was not confirmed, else `import_confirmed`."""
    if not EntryImport.objects.filter(pk=entry_import.pk, status=Status.OPEN).delete()[0]:
        raise Refusal("import_confirmed", _("This import has already been confirmed."))


def _check(chosen: dict[str, Any]) -> None:
    known = {"encoding": ENCODINGS, "delimiter": DELIMITERS}
    wrong = sorted(name for name, values in known.items() if chosen.get(name) and chosen[name] not in values)
    if wrong:
        sentence = _("There is no such encoding or delimiter.")
        raise InvalidInput("reading_unknown", sentence, details=[*ENCODINGS, *DELIMITERS, *FIELDS])


def _check_sure(file: EntryFile) -> None:
    """Refuse a file of which no column is known to have names (`columns_unknown`), with its columns."""
    if file.reading.unsure:
        sentence = _("No title says which column has the names. Choose the column of the first name or full name.")
        columns = [
            {"column": number, "title": column.title, "cells": [] if column.holds_lists else list(column.cells)}
            for number, column in enumerate(file.columns, 1)
        ]
        raise InvalidInput("columns_unknown", sentence, details=columns)


def _rows(before: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided about single lines, by their numbers, after what was chosen."""
    decided = {
        str(each["line"]): {key: each[key] for key in ("split", "enter", "person") if key in each}
        for each in _said(chosen)
    }
    return {number: decision for number, decision in {**before, **decided}.items() if decision}


def _said(chosen: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return chosen.get("rows") or ()


def _decided(line: Line, decision: Mapping[str, Any]) -> Line:
    """A line as the user decided about it; `left_out` if it is to enter nobody."""
    if (split := decision.get("split")) is not None:
        line = line.split_at(split)
    if decision.get("enter") is False:
        return replace(line, faults=("left_out",))
    if decision.get("enter") and line.given_name:
        return replace(line, faults=tuple(fault for fault in line.faults if fault not in OVERRIDABLE))
    return line


def _judged(event: Event, file: EntryFile, entry_import: EntryImport) -> list[Line]:
    """Check lines against the event and the user's decisions, and number the players without a name.

    Adds the faults `left_out`, `table_taken`, `table_outside`, `player_twice` and, unless decided otherwise,
    `name_twice`.
    """
    rows, twice = entry_import.reading.get("rows", {}), entry_import.twice
    members = Member.objects.filter(event=event)
    known = {name_key(*names) for names in members.values_list("person__given_name", "person__family_name")}
    here = set(members.values_list("person__public_id", flat=True))
    chosen = _chosen_persons(rows)
    tables = set(event.entrants.exclude(fixed_table=None).values_list("fixed_table", flat=True))
    places = set(tables_of(first_stage(event)))
    numbers = count(1)
    judged = []
    for each in file.lines:
        decision = rows.get(str(each.number), {})
        line = _entering(_decided(each, decision), chosen.get(decision.get("person", "")))
        faults = list(line.faults)
        if line.numbered and not faults:
            names = (f"{file.reading.numbered} {number}" for number in numbers)
            line = replace(line, given_name=next(name for name in names if name_key(name, "") not in known))
        if not faults and line.table in tables:
            faults.append("table_taken")
        if not faults and places and line.table is not None and line.table not in places:
            faults.append("table_outside")
        if not faults and line.person in here:
            faults.append("player_twice")
        if not faults and not (twice or decision.get("enter")) and line.key in known:
            faults.append("name_twice")
        if not faults:
            known.add(line.key)
            here |= {line.person} - {""}
        judged.append(replace(line, faults=tuple(faults)))
    return judged


def _chosen_persons(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Person]:
    """The players who were chosen for lines, by their public ids, without those who were erased meanwhile."""
    wanted = {decision["person"] for decision in rows.values() if decision.get("person")}
    return {person.public_id: person for person in Person.objects.filter(public_id__in=wanted, erased_at=None)}


def _entering(line: Line, person: Person | None) -> Line:
    """The line with the name of the known player whom it enters."""
    if person is None:
        return line
    return replace(
        line,
        given_name=person.given_name,
        family_name=person.family_name,
        family_first=person.family_first,
        numbered=False,
        doubts=(),
        person=person.public_id,
    )


def _as_json(refused: Sequence[Line]) -> tuple[dict[str, Any], ...]:
    return tuple({"line": line.number, "faults": list(line.faults)} for line in refused)


def _enter(entry_import: EntryImport, event: Event, file: EntryFile, by: User, now: datetime, *, invite: bool) -> None:
    _check_sure(file)
    lines = _judged(event, file, entry_import)
    chosen = _chosen_persons(entry_import.reading.get("rows", {}))
    people = [_newcomer(line, chosen.get(line.person)) for line in lines if not line.faults]
    refused = _as_json([line for line in lines if line.faults])
    source = entry_import.public_id
    entered = enter_people(event=event, people=people, by=by, now=now, source=source, invite=invite)
    report = {"entered": len(people), "waiting": entered.waiting, "refused": refused}
    # The file holds personal data that may not even be imported, so it is not kept longer than needed.
    EntryImport.objects.filter(pk=entry_import.pk).update(status=Status.DONE, document=b"", report=report)


def _newcomer(line: Line, person: Person | None) -> Newcomer:
    return Newcomer(
        line.given_name,
        line.family_name,
        line.family_first,
        line.club,
        line.table,
        line.email,
        line.decklist,
        line.number,
        person,
    )
