"""Decklists that come with entrants: from a column of an imported file, or from the file of another program.

They are checked for the preview of an import. Once the entrants are entered, a job submits the lists one by one, as the
desk types in a list on paper, so that the event is never locked for long.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import translation
from django.utils.translation import get_language

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import is_pooled, read_list
from tournaments.decks.models import ListBatch
from tournaments.decks.selectors import current_list
from tournaments.decks.services import MAX_TEXT, submit_decklist
from tournaments.events import imports
from tournaments.events.access import may_read_hidden, own_entrants
from tournaments.events.entry_files import Line
from tournaments.events.models import Entrant, EntryImport, Event, Stage
from tournaments.events.selectors import current_stage

KEPT = timedelta(days=1)  # how long the lists that were not submitted are stored, like an uploaded file
CHECKED_AT_ONCE = 300  # lists of a preview; the others are checked when they are submitted
FAULTS_KEPT = 5  # of one list
SAVED_EVERY = 25  # lists between two writes of the report
LEGAL, ILLEGAL, UNCHECKED, LATER = "legal", "illegal", "unchecked", "later"
# A card of a list on one line: it begins with a quantity, so that a comma in a name does not end it.
_NEXT_CARD = re.compile(r",(?=\s*(?:\d{1,3}\s*[xX]?\s|[xX]\d{1,3}\s))")


@dataclass(frozen=True, slots=True)
class ListProblem:
    """A list that is not submitted: the line of the file (0: none), the entrant (None in a preview), and why.

    `faults` are the first lines of the list that cannot be read, as (line, message).
    """

    line: int
    code: str
    faults: tuple[tuple[int, str], ...] = ()
    entrant: Entrant | None = None


@dataclass(frozen=True, slots=True)
class ListsReport:
    """What becomes of the lists of an import, expected or actual.

    - `later`: lists that are not checked yet
    - `unchecked`: lists of a game that the engine does not know
    - `refusal`: the code of what keeps every list out; "" if there is none
    - `progress`: in percent, 100 once all are submitted, None in a preview
    """

    legal: int = 0
    illegal: int = 0
    unchecked: int = 0
    later: int = 0
    problems: tuple[ListProblem, ...] = ()
    refusal: str = ""
    progress: int | None = None

    @property
    def count(self) -> int:
        """The number of lists."""
        return self.legal + self.illegal + self.unchecked + self.later + len(self.problems)

    @property
    def unreadable(self) -> int:
        """The number of lists of which some lines cannot be read."""
        return sum(problem.code == "deck_unreadable" for problem in self.problems)


def list_text(cell: str) -> str:
    """The text of a decklist in a cell: what stands on one line is split at `;`, or at `,` before a quantity.

    >>> list_text("2 Ash; 3 Elm")
    '2 Ash\\n3 Elm'
    >>> list_text("2 Ash, the Tall, 3 Elm")
    '2 Ash, the Tall\\n3 Elm'
    """
    text = cell.strip()
    if "\n" in text or "\r" in text:
        return text
    pieces = text.split(";") if ";" in text else _NEXT_CARD.split(text)
    return "\n".join(piece.strip() for piece in pieces if piece.strip())


def reads_lists(user: Any, entry_import: EntryImport) -> bool:
    """Whether a user may read the lists of an import: who uploaded it, and staff who may read decklists."""
    return entry_import.uploaded_by_id == user.pk or may_read_hidden(user, entry_import.event, "read_decks")


def report_of(entry_import: EntryImport, by: User) -> ListsReport:
    """What becomes of the lists of an import: in the preview while it is open, then what was done."""
    if entry_import.status == EntryImport.Status.OPEN:
        return preview_lists(entry_import.event, imports.preview_of(entry_import).entering, by)
    return submitted(entry_import.public_id)


def preview_lists(event: Event, lines: Iterable[Line], by: User) -> ListsReport:
    """Check the lists of the lines that would be entered, `CHECKED_AT_ONCE` of them at most."""
    lists = [(line.number, list_text(line.decklist)) for line in lines if line.decklist]
    stage = current_stage(event)
    refusal = _refusal(event, stage, by) if lists else ""
    if refusal:
        return ListsReport(later=len(lists), refusal=refusal)
    now_ = lists[:CHECKED_AT_ONCE]
    found = [_checked(stage, line, text) for line, text in now_]
    return _report(found, later=len(lists) - len(now_))


def _refusal(event: Event, stage: Stage, by: User) -> str:
    if event.lists == Event.Lists.NONE:
        return "lists_not_collected"
    if is_pooled(stage):
        return "pool_missing"
    return "staff_who_play" if own_entrants(by, event) else ""


def _checked(stage: Stage, line: int, text: str) -> str | ListProblem:
    """The verdict on a list, or why it cannot be submitted."""
    if len(text) > MAX_TEXT:
        return ListProblem(line, "deck_too_large")
    reading = read_list(stage, text, get_language() or "en")
    if reading.faults:
        return ListProblem(line, "deck_unreadable", _first(reading.faults))
    if not reading.checked:
        return UNCHECKED
    return ILLEGAL if reading.violations else LEGAL


def _first(faults: Iterable[Mapping[str, Any]]) -> tuple[tuple[int, str], ...]:
    return tuple((int(fault.get("line", 0)), str(fault.get("message", ""))) for fault in list(faults)[:FAULTS_KEPT])


def _report(found: Collection[str | ListProblem], **more: Any) -> ListsReport:
    counts = Counter(each for each in found if isinstance(each, str))
    problems = tuple(each for each in found if isinstance(each, ListProblem))
    return ListsReport(counts[LEGAL], counts[ILLEGAL], counts[UNCHECKED], problems=problems, **more)


def follow_lists(
    sender: object,
    event: Event,
    lists: Sequence[tuple[Entrant, int, str]],
    by: User,
    now: datetime,
    source: str,
    **_signal: Any,
) -> None:
    """Store the lists of entrants who were just entered, and request the job that submits them.

    Receives `events.signals.lists_came`. The lists of an event that collects none are dropped.
    """
    if event.lists == Event.Lists.NONE:
        return
    kept = [{"entrant": entrant.public_id, "line": line, "text": list_text(text)} for entrant, line, text in lists]
    batch = ListBatch.objects.create(event=event, source=source, lists=kept, by=by, made_at=now)
    payload = {"batch": batch.pk}
    jobs.enqueue("decks.enter_lists", str(batch.pk), payload=payload, now=now)
    jobs.enqueue("decks.forget_lists", str(batch.pk), payload=payload, now=now, run_after=now + KEPT)


def enter_lists_of(*, event: Event, now: datetime) -> None:
    """Submit all lists that came in with the people of an event at once, without waiting for the job."""
    for batch_id in ListBatch.objects.filter(event=event, done=False).values_list("pk", flat=True):
        enter_lists(batch_id=batch_id, now=now)


def enter_lists(*, batch_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Submit the lists of a batch that are not submitted yet; run by the job `decks.enter_lists`."""
    batch = ListBatch.objects.filter(pk=batch_id, done=False).select_related("event", "by").first()
    if batch is None:
        return
    known = {entrant.public_id: entrant for entrant in batch.event.entrants.select_related("event")}
    report = list(batch.report)
    with translation.override(batch.by.language):
        for at in range(len(report), len(batch.lists)):
            progress(100 * at // len(batch.lists))
            each = batch.lists[at]
            report.append(_submitted(known.get(each["entrant"]), each["text"], batch.by, now))
            if len(report) % SAVED_EVERY == 0:
                ListBatch.objects.filter(pk=batch.pk).update(report=report)
    # Only the texts that were not submitted are still needed, for the desk to correct them.
    lists = [
        {**each, "text": each["text"] if told["code"] else ""} for each, told in zip(batch.lists, report, strict=True)
    ]
    ListBatch.objects.filter(pk=batch.pk).update(report=report, lists=lists, done=True)


def _submitted(entrant: Entrant | None, text: str, by: User, now: datetime) -> dict[str, Any]:
    """Submit one list, and say what became of it."""
    if entrant is None:  # merged into another entry meanwhile
        return {"verdict": "", "code": "entrant_gone", "faults": []}
    last = current_list(entrant, current_stage(entrant.event))
    if last is not None and last.submitted_by_id != by.pk:
        return {"verdict": "", "code": "list_there", "faults": []}
    try:
        with transaction.atomic():
            made = submit_decklist(entrant=entrant, text=text, by=by, now=now)
    except Refusal as refusal:
        unread = isinstance(refusal, InvalidInput) and refusal.code == "deck_unreadable"
        return {"verdict": "", "code": refusal.code, "faults": _first(refusal.details) if unread else []}
    verdict = UNCHECKED if not made.checked else LEGAL if made.legal else ILLEGAL
    return {"verdict": verdict, "code": "", "faults": []}


def forget_lists(*, batch_id: int) -> None:
    """Delete a batch with the lists that were not submitted; those that were stay. Idempotent."""
    ListBatch.objects.filter(pk=batch_id).delete()


def submitted(source: str) -> ListsReport:
    """What became of the lists that came in with the people of a `source`, such as the public id of an import."""
    batch = ListBatch.objects.filter(source=source).exclude(source="").order_by("-pk").first()
    if batch is None:
        return ListsReport(progress=100)
    state = jobs.state_of("decks.enter_lists", str(batch.pk))
    entrants = Entrant.objects.filter(event=batch.event_id).prefetch_related("member_set")
    known = {entrant.public_id: entrant for entrant in entrants} if any(each["code"] for each in batch.report) else {}
    found: list[str | ListProblem] = [
        _problem(each, told, known) if told["code"] else told["verdict"]
        for each, told in zip(batch.lists, batch.report, strict=False)
    ]
    progress = 100 if batch.done else min(99, state.progress if state else 0)
    return _report(found, later=len(batch.lists) - len(found), progress=progress)


def _problem(each: Mapping[str, Any], told: Mapping[str, Any], known: Mapping[str, Entrant]) -> ListProblem:
    faults = tuple((int(line), str(message)) for line, message in told["faults"])
    return ListProblem(each["line"], told["code"], faults, known.get(each["entrant"]))


def unread_list(entrant: Entrant, by: User) -> str:
    """The text of an entrant's list that came in with the entry and could not be submitted; "" if there is none.

    For whoever brought it in, and for staff who may read decklists.
    """
    for batch in ListBatch.objects.filter(event=entrant.event, done=True).order_by("-pk"):
        mine = batch.by_id == by.pk or may_read_hidden(by, entrant.event, "read_decks")
        for each in batch.lists if mine else ():
            if each["entrant"] == entrant.public_id and each["text"]:
                return str(each["text"])
    return ""
