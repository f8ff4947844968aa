"""Entrants out of a file: looked at first, then confirmed, entered in one gesture with one ledger entry."""

from collections.abc import Sequence
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
from tournaments.events.entry_files import DELIMITERS, ENCODINGS, FIELDS, EntryFile, Line, name_key, read_file
from tournaments.events.models import Entrant, EntryImport, Event, Member
from tournaments.events.naming import tell_names_apart
from tournaments.events.selectors import first_stage
from tournaments.events.services import record, require_desk_open
from tournaments.events.signals import came_in
from tournaments.events.tables import tables_of

KEPT = timedelta(days=1)
AT_ONCE = 300  # lines up to which the page enters them itself
BATCH = 500  # rows a statement
Status = EntryImport.Status


@dataclass(frozen=True)
class Preview:
    """What an import would do if it were confirmed now."""

    file: EntryFile
    entering: tuple[Line, ...]
    refused: tuple[Line, ...]
    waiting: int

    @property
    def numbered(self) -> int:
        """Lines whose players are named by a number, for the file gives their e-mail addresses."""
        return sum(line.numbered for line in self.entering)

    @property
    def addresses(self) -> int:
        """Lines left out because their name is an e-mail address."""
        return sum("name_is_address" in line.faults for line in self.refused)

    @property
    def twice(self) -> int:
        """Lines left out for their name alone."""
        return sum(line.faults == ("name_twice",) for line in self.refused)


@dataclass(frozen=True)
class Outcome:
    """How many are entered and how many of them wait, who, and the refused lines with their numbers and reasons."""

    entered: int
    waiting: int
    lines: tuple[Line, ...]
    refused: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class ImportState:
    """How far a confirmed import is, in percent; `error` is the code of what stopped it."""

    progress: int
    error: str


def state_of(entry_import: EntryImport) -> ImportState:
    """How far an import is. One that a refusal stopped is open again, and says why."""
    if entry_import.status == Status.DONE:
        return ImportState(100, "")
    job = jobs.state_of("events.import", str(entry_import.pk))
    failed = job is not None and job.status == "failed"
    return ImportState(job.progress if job else 0, job.error if job and failed else "")


def open_import(
    *, event: Event, document: bytes, by: User, now: datetime, chosen: dict[str, Any] | None = None
) -> EntryImport:
    """Keep a file to be looked at. Nobody is entered; a day later it is forgotten."""
    chosen = chosen or {}
    _check(chosen)
    with transaction.atomic():
        require_desk_open(Event.objects.get(pk=event.pk))
    reading = read_file(document, chosen).reading.to_json()
    with transaction.atomic():
        made = EntryImport.objects.create(
            event=event,
            document=document,
            reading=reading,
            twice=bool(chosen.get("twice")),
            uploaded_by=by,
            uploaded_at=now,
        )
        payload = {"import": made.pk}
        jobs.enqueue("events.forget_import", str(made.pk), payload=payload, now=now, run_after=now + KEPT)
    return made


def read_again(*, entry_import: EntryImport, chosen: dict[str, Any]) -> EntryImport:
    """Read the file in another way. What is not said stays, but another encoding, delimiter or header is guessed from
    anew: the columns are then those that it shows.
    """
    _check(chosen)
    before = entry_import.reading
    cut_anew = any(chosen.get(name, before[name]) != before[name] for name in ("encoding", "delimiter", "header"))
    wanted = {**before, **chosen}
    if cut_anew:
        wanted["columns"] = None
    file = read_file(bytes(entry_import.document), wanted)
    twice = bool(chosen.get("twice", entry_import.twice))
    kept = EntryImport.objects.filter(pk=entry_import.pk, status=Status.OPEN)
    if not kept.update(reading=file.reading.to_json(), twice=twice):
        raise Refusal("import_confirmed", _("This import was confirmed already."))
    entry_import.refresh_from_db()
    return entry_import


def preview_of(entry_import: EntryImport) -> Preview:
    """The lines that would enter somebody, and the others with their reasons."""
    event = entry_import.event
    file = read_file(bytes(entry_import.document), entry_import.reading)
    lines = _judged(event, file, entry_import.twice)
    entering = tuple(line for line in lines if not line.faults)
    refused = tuple(line for line in lines if line.faults)
    return Preview(file, entering, refused, max(0, len(entering) - _places(event, len(entering))))


def outcome_of(entry_import: EntryImport) -> Outcome:
    """What confirming it would do, as long as it is open; then what came of it."""
    if entry_import.status != Status.OPEN:
        report = entry_import.report
        return Outcome(report.get("entered", 0), report.get("waiting", 0), (), tuple(report.get("refused", ())))
    preview = preview_of(entry_import)
    return Outcome(len(preview.entering), preview.waiting, preview.entering, _told(preview.refused))


def confirm_import(*, entry_import: EntryImport, by: User, now: datetime) -> EntryImport:
    """Enter everybody whom the file names: at once, or by a job when they are many. Twice is once."""
    file = read_file(bytes(entry_import.document), entry_import.reading) if entry_import.document else None
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entry_import.event_id)
        mine = EntryImport.objects.filter(pk=entry_import.pk, status=Status.OPEN)
        if file is not None and mine.update(status=Status.CONFIRMED):
            require_desk_open(event)
            if len(file.lines) > AT_ONCE:
                payload = {"import": entry_import.pk, "by": by.pk}
                jobs.enqueue("events.import", str(entry_import.pk), payload=payload, now=now)
            else:
                _enter(entry_import, event, file, by, now)
    entry_import.refresh_from_db()
    return entry_import


def run_import(*, import_id: int, by: int, now: datetime, progress: Progress = unseen) -> None:
    """Enter everybody of a confirmed import. A refusal opens it again, so that it can be confirmed later."""
    entry_import = EntryImport.objects.filter(pk=import_id, status=Status.CONFIRMED).select_related("event").first()
    if entry_import is None:
        return
    progress(10)
    file = read_file(bytes(entry_import.document), entry_import.reading)
    progress(30)
    try:
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=entry_import.event_id)
            if EntryImport.objects.select_for_update().get(pk=import_id).status == Status.CONFIRMED:
                require_desk_open(event)
                _enter(entry_import, event, file, User.objects.get(pk=by), now)
    except Refusal:
        EntryImport.objects.filter(pk=import_id, status=Status.CONFIRMED).update(status=Status.OPEN)
        raise


def forget_import(*, import_id: int) -> None:
    """Delete an import with its file. Who was entered stays. Twice is once."""
    EntryImport.objects.filter(pk=import_id).delete()


def discard_import(*, entry_import: EntryImport) -> None:
    """Throw a file away that was not confirmed."""
    if not EntryImport.objects.filter(pk=entry_import.pk, status=Status.OPEN).delete()[0]:
        raise Refusal("import_confirmed", _("This import was confirmed already."))


def _check(chosen: dict[str, Any]) -> None:
    known = {"encoding": ENCODINGS, "delimiter": DELIMITERS}
    wrong = sorted(name for name, values in known.items() if chosen.get(name) and chosen[name] not in values)
    if wrong:
        sentence = _("There is no such encoding or delimiter.")
        raise InvalidInput("reading_unknown", sentence, details=[*ENCODINGS, *DELIMITERS, *FIELDS])


def _places(event: Event, wanted: int) -> int:
    if event.capacity is None:
        return wanted
    return max(0, event.capacity - event.entrants.filter(status=Entrant.Status.REGISTERED).count())


def _judged(event: Event, file: EntryFile, twice: bool) -> list[Line]:
    """The lines with what only the event knows: names and fixed tables that are there already, and free numbers."""
    members = Member.objects.filter(event=event).values_list("person__given_name", "person__family_name")
    known = {name_key(given, family) for given, family in members}
    tables = set(event.entrants.exclude(fixed_table=None).values_list("fixed_table", flat=True))
    places = set(tables_of(first_stage(event)))
    numbers = count(1)
    judged = []
    for line in file.lines:
        faults = list(line.faults)
        if line.numbered and not faults:
            names = (f"{file.reading.numbered} {number}" for number in numbers)
            line = replace(line, given_name=next(name for name in names if name_key(name, "") not in known))
        if not faults and line.table in tables:
            faults.append("table_taken")
        if not faults and places and line.table is not None and line.table not in places:
            faults.append("table_outside")
        if not faults and not twice and line.key in known:
            faults.append("name_twice")
        if not faults:
            known.add(line.key)
        judged.append(replace(line, faults=tuple(faults)))
    return judged


def _told(refused: Sequence[Line]) -> tuple[dict[str, Any], ...]:
    return tuple({"line": line.number, "faults": list(line.faults)} for line in refused)


def _enter(entry_import: EntryImport, event: Event, file: EntryFile, by: User, now: datetime) -> None:
    lines = _judged(event, file, entry_import.twice)
    entering = [line for line in lines if not line.faults]
    refused = _told([line for line in lines if line.faults])
    places = _places(event, len(entering))
    if event.status == Event.Status.RUNNING and places < len(entering):
        raise Refusal("event_full", _("The event is full."))
    entrants = [
        Entrant(
            event=event,
            registered_at=now,
            status=Entrant.Status.REGISTERED if at < places else Entrant.Status.WAITING,
            club=line.club,
            fixed_table=line.table,
        )
        for at, line in enumerate(entering)
    ]
    persons = [_person(line) for line in entering]
    persons = Person.objects.bulk_create(persons, batch_size=BATCH)
    entrants = Entrant.objects.bulk_create(entrants, batch_size=BATCH)
    pairs = zip(entrants, persons, strict=True)
    members = [Member(event=event, entrant=entrant, person=person) for entrant, person in pairs]
    Member.objects.bulk_create(members, batch_size=BATCH)
    tell_names_apart(event)
    waiting = max(0, len(entering) - places)
    report = {"entered": len(entering), "waiting": waiting, "refused": refused}
    EntryImport.objects.filter(pk=entry_import.pk).update(status=Status.DONE, document=b"", report=report)
    if entering:
        after = {"entered": len(entering), "waiting": waiting, "entrants": [entrant.public_id for entrant in entrants]}
        entry = record(event, by, "entrant.imported", now, object=entry_import.public_id, after=after)
        came_in.send(sender=Event, event=event, entrants=entrants, by=by, now=now, number=entry.number)


def _person(line: Line) -> Person:
    return Person(given_name=line.given_name, family_name=line.family_name, family_first=line.family_first)
