"""All logs of an event audited again, as they are or under other interpretations, to see which verdicts would change.

A few lanes of jobs share the logs; each job works for a moment and asks for the next of its lane, so that other work
of the workers comes in between. What is done is in the lines: a worker that is killed loses one log's time.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits import engine_gate, replays
from tournaments.audits.models import BulkAudit, BulkLine, MoveLog
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import own_catalogs, require_engine
from tournaments.events.models import Event

logger = logging.getLogger(__name__)

JOB = "audits.bulk"
LANES = 8  # jobs of one bulk audit at a time
TURN = 1.0  # seconds after which a job gives way to others
BATCH = 10  # logs read and written at once: each may be of 8 MiB
FOUND = ("outcome", "verdict_before", "verdict_after", "found_before", "found_after", "differs_at")
Outcome = BulkLine.Outcome


def start_bulk(*, event: Event, options: Mapping[str, str], by: User, now: datetime) -> BulkAudit:
    """Have every audited log of an event audited again, with these interpretations switched (none: as they are).

    Raises `interpretation_unknown`, `no_engine`, `nothing_to_audit`, `bulk_running`.
    """
    require_engine(event)
    _known(event, options)
    logs = MoveLog.objects.filter(game__match__round__stage__event=event).exclude(audit__verdict="")
    with transaction.atomic():
        try:
            with transaction.atomic():
                bulk = BulkAudit.objects.create(event=event, options=dict(options), asked_by=by, asked_at=now)
        except IntegrityError:
            raise Refusal("bulk_running", _("The logs of this event are being audited again already."))
        lines = [
            BulkLine(bulk=bulk, log_id=pk, lane=place % LANES)
            for place, pk in enumerate(logs.order_by("pk").values_list("pk", flat=True))
        ]
        if not lines:
            raise Refusal("nothing_to_audit", _("No log of this event is audited yet."))
        BulkLine.objects.bulk_create(lines, batch_size=100)
        _note(bulk, by.public_id, "bulk.started", now, {"logs": len(lines), "options": bulk.options})
        for lane in range(min(LANES, len(lines))):
            _ask(bulk, lane, now)
    return bulk


def cancel_bulk(*, bulk: BulkAudit, by: User, now: datetime) -> None:
    """Let the logs that still wait be. Raises `bulk_over` where it has ended."""
    with transaction.atomic():
        open_ = BulkAudit.objects.filter(pk=bulk.pk, cancelled_at=None, finished_at=None)
        if not open_.update(cancelled_at=now):
            raise Refusal("bulk_over", _("This audit of all logs has ended."))
        _note(bulk, by.public_id, "bulk.cancelled", now)


def run_lane(*, bulk_id: int, lane: int, now: datetime, progress: Progress = unseen) -> None:
    """Audit logs of a lane for a moment; then ask for the next job of the lane, or end the whole with its last log."""
    bulk = BulkAudit.objects.filter(pk=bulk_id).select_related("event").first()
    if bulk is None:
        return
    waiting = bulk.lines.filter(lane=lane, outcome=Outcome.WAITING).select_related("log__audit")
    until = time.monotonic() + TURN
    while _goes_on(bulk) and (batch := list(waiting.defer("log__audit__outline")[:BATCH])):
        if time.monotonic() >= until:
            with transaction.atomic():
                _ask(bulk, lane, now)
            return
        for line in batch:
            _audit_again(bulk, line)
        _keep(bulk, batch)
        progress(0)  # of the whole the lines tell; here it ends what another worker has taken over
    _end_if_whole(bulk, now)


@dataclass(frozen=True)
class BulkState:
    """How far a bulk audit is: `running`, `done`, `cancelled`, or `failed` where its jobs gave up; and its counts."""

    status: str
    total: int
    done: int
    changed: int
    failed: int

    @property
    def progress(self) -> int:
        """Percent of the logs that are audited again."""
        return 100 * self.done // self.total if self.total else 100


def state_of(bulk: BulkAudit) -> BulkState:
    """How far a bulk audit is; counted from its lines."""
    counts = dict(bulk.lines.order_by().values_list("outcome").annotate(Count("pk")))
    total = sum(counts.values())
    return BulkState(
        status=_status(bulk),
        total=total,
        done=total - counts.get(Outcome.WAITING, 0),
        changed=counts.get(Outcome.CHANGED, 0),
        failed=counts.get(Outcome.FAILED, 0),
    )


def changes_of(bulk: BulkAudit) -> QuerySet[BulkLine]:
    """The logs in which something changed or whose audit failed, in the order of rounds and tables."""
    listed = bulk.lines.filter(outcome__in=[Outcome.CHANGED, Outcome.FAILED])
    return (
        listed
        .select_related("log__game__match__round")
        .defer("log__document")
        .order_by("log__game__match__round__number", "log__game__match__table", "log__game__number", "pk")
    )


def verdict_changes(bulk: BulkAudit) -> list[dict[str, Any]]:
    """How many verdicts changed from what to what, the most frequent change first."""
    changed = bulk.lines.filter(outcome=Outcome.CHANGED).order_by().values("verdict_before", "verdict_after")
    counted = changed.annotate(logs=Count("pk")).order_by("-logs", "verdict_before", "verdict_after")
    return [dict(row) for row in counted]


def bulks_of(event: Event) -> QuerySet[BulkAudit]:
    """The bulk audits of an event, the newest first."""
    return event.bulk_audits.select_related("asked_by")


def _known(event: Event, options: Mapping[str, str]) -> None:
    register = {gap["id"]: gap["options"] for gap in engine_gate.known_interpretations(event.game, "en")}
    unknown = [id_ for id_, option in options.items() if option not in register.get(id_, ())]
    if unknown:
        raise InvalidInput(
            "interpretation_unknown",
            _("The rules of this game have no such interpretation."),
            details=[{"interpretation": id_[:40], "options": sorted(register.get(id_, ()))} for id_ in unknown],
        )


def _ask(bulk: BulkAudit, lane: int, now: datetime) -> None:
    jobs.enqueue("audits.bulk", _key(bulk, lane), payload={"bulk": bulk.pk, "lane": lane}, now=now)


def _key(bulk: BulkAudit, lane: int) -> str:
    return f"{bulk.pk}.{lane}"


def _goes_on(bulk: BulkAudit) -> bool:
    return BulkAudit.objects.filter(pk=bulk.pk, cancelled_at=None, finished_at=None).exists()


def _audit_again(bulk: BulkAudit, line: BulkLine) -> None:
    audit, catalogs = line.log.audit, own_catalogs(bulk.event)
    line.verdict_before = audit.verdict
    try:
        report = engine_gate.audit(line.log.document, catalogs, bulk.options)
        line.verdict_after = report["verdict"]
        line.found_before, line.found_after = _found(audit.report or {}), _found(report)
        if (line.verdict_before, line.found_before) == (line.verdict_after, line.found_after):
            line.outcome = Outcome.SAME
        else:
            line.outcome = Outcome.CHANGED
            line.differs_at = replays.first_difference(audit, catalogs, bulk.options)
    except DatabaseError:
        raise
    except Exception:  # a fault of the engine at one log: the others go on
        logger.exception("the log %s could not be audited again", line.log.public_id)
        line.outcome = Outcome.FAILED


def _keep(bulk: BulkAudit, batch: Sequence[BulkLine]) -> None:
    """Write what was found. Of a log in which nothing changes, only that."""
    waiting = bulk.lines.filter(outcome=Outcome.WAITING)
    with transaction.atomic():
        waiting.filter(pk__in=[line.pk for line in batch if line.outcome == Outcome.SAME]).update(outcome=Outcome.SAME)
        for line in batch:
            if line.outcome != Outcome.SAME:
                waiting.filter(pk=line.pk).update(**{name: getattr(line, name) for name in FOUND})


def _found(report: Mapping[str, Any]) -> dict[str, Any]:
    """What a judge compares beside the verdict: the first entry that may not be, and the winner found."""
    wrong = report.get("first_illegal") or report.get("error") or {}
    return {"n": wrong.get("n"), "winner": report.get("result", {}).get("computed")}


def _end_if_whole(bulk: BulkAudit, now: datetime) -> None:
    # Every lane asks after its last line is written, so the last one to end sees that none waits.
    if bulk.lines.filter(outcome=Outcome.WAITING).exists():
        return
    with transaction.atomic():
        if BulkAudit.objects.filter(pk=bulk.pk, cancelled_at=None, finished_at=None).update(finished_at=now):
            changed = bulk.lines.filter(outcome=Outcome.CHANGED).count()
            _note(bulk, "system", "bulk.finished", now, {"changed": changed})


def _status(bulk: BulkAudit) -> str:
    if bulk.cancelled_at or bulk.finished_at:
        return "cancelled" if bulk.cancelled_at else "done"
    states = jobs.states_of(JOB, [_key(bulk, lane) for lane in range(LANES)]).values()
    working = any(state.status in ("pending", "running") for state in states)
    return "failed" if not working and any(state.status == "failed" for state in states) else "running"


def _note(bulk: BulkAudit, actor: str, code: str, now: datetime, after: Any = None) -> None:
    ledger.record(chain=bulk.event.public_id, actor=actor, code=code, object=bulk.public_id, now=now, after=after)
