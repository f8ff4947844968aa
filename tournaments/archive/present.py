"""Verifies an event straight from the database: its rows are read in the form of an event file, for the same checks."""

import hashlib
import json

from django.utils.translation import gettext as _

from tournaments.archive.faults import Fault, Faults, VerificationReport, joined
from tournaments.archive.lines import FORMAT, HEAD, VERSION
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import CATALOGUE, NOTE, PERSON, SECTIONS, STANDINGS, Row
from tournaments.archive.verification import prove
from tournaments.archive.writing import catalogue_of, personal_of
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import LedgerHead
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.standings.models import StandingsTable

TRIES = 5


def verify_event(event: Event, *, replay: bool = False, progress: Progress = unseen) -> VerificationReport:
    """Verify the current state of an event in the database and return the report.

    Runs the checks of an event file, and compares the saved standings tables with their digests. Without `replay`, move
    logs are not replayed. Nothing is locked; raises `event_moves` if the event keeps changing while it is read.
    """
    progress(0)
    file = read_event(event)
    found = prove(file, progress, replay=replay)
    return joined(found, _table_faults(event), {"table": StandingsTable.objects.filter(stage__event=event).count()})


def read_event(event: Event) -> EventFile:
    """Read the rows of an event as of one moment: they are read again if something changes meanwhile.

    Raises the refusal `event_moves` if it changes in each of `TRIES` attempts.
    """
    for _try in range(TRIES):
        before = _moment(event)
        found = _rows(Event.objects.get(pk=event.pk))
        if _moment(event) == before:
            return found
    raise Refusal("event_moves", _("Too much is happening in this event right now: try again."))


def _moment(event: Event) -> tuple[int, int]:
    """Two numbers, of which one changes with every ledger entry or new standings table."""
    head = LedgerHead.objects.filter(chain=event.public_id).values_list("number", flat=True).first()
    newest = StandingsTable.objects.filter(stage__event=event).order_by("-pk").values_list("pk", flat=True).first()
    return head or 0, newest or 0


def _rows(event: Event) -> EventFile:
    # A missing head is a fault to report (`ledger_head`), not a crash.
    head = LedgerHead.objects.filter(chain=event.public_id).first() or LedgerHead(chain=event.public_id)
    rows: dict[str, list[Row]] = {
        HEAD: [
            {
                "format": FORMAT,
                "version": VERSION,
                "event": event.public_id,
                "ledger": {"number": head.number, "hash": head.hash},
            }
        ],
        **{section.name: list(section.rows_of(event)) for section in SECTIONS},
        CATALOGUE.name: list(catalogue_of(event)),
    }
    # Every entry counts, in the order of the chain, even beyond the head: that mismatch is reported as `ledger_head`,
    # and the other checks compare with all entries.
    rows["ledger"].sort(key=lambda row: row["number"])
    for name, row in personal_of(event):
        if name != PERSON.name:  # no check needs the names of persons
            rows.setdefault(name, []).append(row)
    rows.setdefault(NOTE.name, [])
    rows[STANDINGS], waiting = _standings(event)
    numbers = {name: [0] * len(found) for name, found in rows.items()}
    return EventFile(rows=rows, numbers=numbers, with_names=True, waiting=waiting)


def _standings(event: Event) -> tuple[list[Row], frozenset[int]]:
    """The current standings of each started stage, and the stages whose standings are still being computed."""
    tables: list[Row] = []
    waiting: set[int] = set()
    for stage in event.stages.filter(started_at__isnull=False).order_by("number"):
        table = stage.tables.filter(results_version=stage.results_version, scheme=stage.scheme).first()
        if table is None:
            waiting.add(stage.number)
        else:
            tables.append({"stage": stage.number, "scheme": table.scheme, "terms": table.terms, "rows": table.rows})
    return tables, frozenset(waiting)


def _table_faults(event: Event) -> Faults:
    """Yield saved standings tables, older ones too, whose rows do not match their digest."""
    for table in StandingsTable.objects.filter(stage__event=event).select_related("stage").iterator(chunk_size=50):
        digest = hashlib.sha256(json.dumps(table.rows, sort_keys=True).encode()).hexdigest()
        if table.digest and table.digest != digest:
            where = f"stage {table.stage.number}, results of entry {table.results_version}"
            yield Fault("table_changed", where=where)
