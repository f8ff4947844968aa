"""The rows of an event straight from the database, in the shape of its file: the same checks take both."""

import hashlib
import json

from django.utils.translation import gettext as _

from tournaments.archive.faults import Fault, Faults, Found, joined
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


def verify_event(event: Event, *, replay: bool = False, progress: Progress = unseen) -> Found:
    """Everything that does not hold in an event as it stands in the database, and how much was checked.

    Nothing is locked while it is read. Refused: `event_moves` when it never stands still.
    """
    progress(0)
    file = read_event(event)
    found = prove(file, progress, replay=replay)
    return joined(found, _table_faults(event), {"table": StandingsTable.objects.filter(stage__event=event).count()})


def read_event(event: Event) -> EventFile:
    """The rows of an event of one moment: read again when something happened meanwhile. Raises `event_moves`."""
    for _try in range(TRIES):
        before = _moment(event)
        found = _rows(Event.objects.get(pk=event.pk))
        if _moment(event) == before:
            return found
    raise Refusal("event_moves", _("Too much happens in this event just now: try again."))


def _moment(event: Event) -> tuple[int, int]:
    """What moves with each entry of the ledger and with each table of standings."""
    head = LedgerHead.objects.filter(chain=event.public_id).values_list("number", flat=True).first()
    newest = StandingsTable.objects.filter(stage__event=event).order_by("-pk").values_list("pk", flat=True).first()
    return head or 0, newest or 0


def _rows(event: Event) -> EventFile:
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
    # An entry beyond its head is no less written: the gap is said, and the rest is held against all of them.
    rows["ledger"].sort(key=lambda row: row["number"])
    for name, row in personal_of(event):
        if name != PERSON.name:
            rows.setdefault(name, []).append(row)
    rows.setdefault(NOTE.name, [])
    rows[STANDINGS], waiting = _standings(event)
    numbers = {name: [0] * len(found) for name, found in rows.items()}
    return EventFile(rows=rows, numbers=numbers, with_names=True, waiting=waiting)


def _standings(event: Event) -> tuple[list[Row], frozenset[int]]:
    """The newest table of each stage that has begun, and the stages of which it is still being computed."""
    tables: list[Row] = []
    waiting: set[int] = set()
    for stage in event.stages.filter(started_at__isnull=False).order_by("number"):
        kept = stage.tables.filter(results_version=stage.results_version, scheme=stage.scheme).first()
        if kept is None:
            waiting.add(stage.number)
        else:
            tables.append({"stage": stage.number, "scheme": kept.scheme, "terms": kept.terms, "rows": kept.rows})
    return tables, frozenset(waiting)


def _table_faults(event: Event) -> Faults:
    """Tables of standings, the older ones too, whose rows are not those of their digest."""
    for table in StandingsTable.objects.filter(stage__event=event).select_related("stage").iterator(chunk_size=50):
        digest = hashlib.sha256(json.dumps(table.rows, sort_keys=True).encode()).hexdigest()
        if table.digest and table.digest != digest:
            where = f"stage {table.stage.number}, results of entry {table.results_version}"
            yield Fault("table_changed", where=where)
