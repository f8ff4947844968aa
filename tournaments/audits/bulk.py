"""Bulk audits: audit all logs of an event again, perhaps under other interpretations, to see which verdicts change.

The logs are divided into `LANES` lanes, each worked off by a chain of jobs: a job works for about `TURN` seconds, then
queues the next job of its lane, so that other jobs get their turn in between. Progress is stored in the rows of
`BulkLine`, so a killed worker loses at most the batch that it was working on.
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

from engine import face
from tournaments.accounts.models import User
from tournaments.audits import replays
from tournaments.audits.models import BulkAudit, BulkLine, MoveLog
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import own_catalogs, require_engine
from tournaments.events.models import Event

logger = logging.getLogger(__name__)

JOB = "audits.bulk"
LANES = 8  # jobs that one bulk audit can have at the same time
TURN = 1.0  # seconds after which a job lets others run
BATCH = 10  # logs read and saved at once; not more, because each can be 8 MiB
FOUND = ("outcome", "verdict_before", "verdict_after", "found_before", "found_after", "differs_at")
Outcome = BulkLine.Outcome


def start_bulk(*, event: Event, options: Mapping[str, str], by: User, now: datetime) -> BulkAudit:
    """Start a new audit of every audited log of an event.

    `options` maps interpretation ids to the option to try, such as `{"I-SAF-07": "no"}`; the others stay as each log
    has them. Without options this tells whether the current engine still finds the same.

    Raises InvalidInput `interpretation_unknown`, Refusal `no_engine`, `nothing_to_audit` and `bulk_running`.
    """
    require_engine(event)
    _known(event, options)
    logs = MoveLog.objects.filter(game__match__round__stage__event=event).exclude(audit__verdict="")
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)  # so that none of these logs is withdrawn meanwhile
        try:
            with transaction.atomic():
                bulk = BulkAudit.objects.create(event=event, options=dict(options), asked_by=by, asked_at=now)
        except IntegrityError:  # a constraint: an event has one unfinished bulk audit at most
            raise Refusal("bulk_running", _("The logs of this event are already being audited again."))
        lines = [
            BulkLine(bulk=bulk, log_id=pk, lane=place % LANES)
            for place, pk in enumerate(logs.order_by("pk").values_list("pk", flat=True))
        ]
        if not lines:
            raise Refusal("nothing_to_audit", _("No log of this event has been audited yet."))
        BulkLine.objects.bulk_create(lines, batch_size=100)
        _note(bulk, by.public_id, "bulk.started", now, {"logs": len(lines), "options": bulk.options})
        for lane in range(min(LANES, len(lines))):
            _ask(bulk, lane, now)
    return bulk


def cancel_bulk(*, bulk: BulkAudit, by: User, now: datetime) -> None:
    """Cancel a bulk audit; logs that still wait are not audited. Raises Refusal `bulk_over` if it has ended."""
    with transaction.atomic():
        open_ = BulkAudit.objects.filter(pk=bulk.pk, cancelled_at=None, finished_at=None)
        if not open_.update(cancelled_at=now):
            raise Refusal("bulk_over", _("This audit of all logs has ended."))
        _note(bulk, by.public_id, "bulk.cancelled", now)


def run_lane(*, bulk_id: int, lane: int, now: datetime, progress: Progress = unseen) -> None:
    """Audit logs of a lane for about `TURN` seconds, then queue the lane's next job.

    Finishes the bulk audit if no line of any lane is waiting. Safe to run twice.
    """
    bulk = BulkAudit.objects.filter(pk=bulk_id).select_related("event").first()
    if bulk is None:
        return
    waiting = bulk.lines.filter(lane=lane, outcome=Outcome.WAITING).select_related("log__audit")
    until = time.monotonic() + TURN
    while _is_running(bulk) and (batch := list(waiting.defer("log__audit__outline")[:BATCH])):
        if time.monotonic() >= until:
            with transaction.atomic():
                _ask(bulk, lane, now)
            return
        for line in batch:
            _audit_again(bulk, line)
        _save(bulk, batch)
        # Pages count the lines for the real progress. This call stops the job (LeaseLost) if another worker has it.
        progress(0)
    _finish_if_done(bulk, now)


@dataclass(frozen=True)
class BulkState:
    """The progress of a bulk audit.

    `status` is "running", "done", "cancelled", or "failed" if its jobs gave up. `done` counts the logs audited so far,
    among them those that `changed` and those on which the engine `failed`; `total` is the number of logs.
    """

    status: str
    total: int
    done: int
    changed: int
    failed: int

    @property
    def progress(self) -> int:
        """Percentage of the logs that are done, 0 to 100."""
        return 100 * self.done // self.total if self.total else 100


def state_of(bulk: BulkAudit) -> BulkState:
    """The progress of a bulk audit, counted from its lines."""
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
    """The lines of logs whose findings changed or whose audit failed, by round, table and game."""
    listed = bulk.lines.filter(outcome__in=[Outcome.CHANGED, Outcome.FAILED])
    return (
        listed
        .select_related("log__game__match__round")
        .defer("log__document")
        .order_by("log__game__match__round__number", "log__game__match__table", "log__game__number", "pk")
    )


def verdict_changes(bulk: BulkAudit) -> list[dict[str, Any]]:
    """Counts of changed verdicts, as `{verdict_before, verdict_after, logs}`, most frequent first."""
    changed = bulk.lines.filter(outcome=Outcome.CHANGED).order_by().values("verdict_before", "verdict_after")
    counted = changed.annotate(logs=Count("pk")).order_by("-logs", "verdict_before", "verdict_after")
    return [dict(row) for row in counted]


def bulks_of(event: Event) -> QuerySet[BulkAudit]:
    """The bulk audits of an event, newest first."""
    return event.bulk_audits.select_related("asked_by")


def _known(event: Event, options: Mapping[str, str]) -> None:
    register = {gap["id"]: gap["options"] for gap in face.audits.known_interpretations(event.game, "en")}
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


def _is_running(bulk: BulkAudit) -> bool:
    return BulkAudit.objects.filter(pk=bulk.pk, cancelled_at=None, finished_at=None).exists()


def _audit_again(bulk: BulkAudit, line: BulkLine) -> None:
    audit, catalogs = line.log.audit, own_catalogs(bulk.event)
    line.verdict_before = audit.verdict
    try:
        report = face.audits.audit(line.log.document, catalogs, bulk.options)
        line.verdict_after = report["verdict"]
        line.found_before, line.found_after = _compared(audit.report or {}), _compared(report)
        if (line.verdict_before, line.found_before) == (line.verdict_after, line.found_after):
            line.outcome = Outcome.SAME
        else:
            line.outcome = Outcome.CHANGED
            line.differs_at = replays.first_difference(audit, catalogs, bulk.options)
    except DatabaseError:  # says nothing about the log: let the job fail and be tried again
        raise
    except Exception:  # the engine failed on this log; go on with the others
        logger.exception("the log %s could not be audited again", line.log.public_id)
        line.outcome = Outcome.FAILED


def _save(bulk: BulkAudit, batch: Sequence[BulkLine]) -> None:
    """Save the findings of a batch. Unchanged logs, usually most of them, need only their outcome: one query."""
    waiting = bulk.lines.filter(outcome=Outcome.WAITING)
    with transaction.atomic():
        waiting.filter(pk__in=[line.pk for line in batch if line.outcome == Outcome.SAME]).update(outcome=Outcome.SAME)
        for line in batch:
            if line.outcome != Outcome.SAME:
                waiting.filter(pk=line.pk).update(**{name: getattr(line, name) for name in FOUND})


def _compared(report: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared besides the verdict: the first entry that was refused or unreadable, and the winner."""
    wrong = report.get("first_illegal") or report.get("error") or {}
    return {"n": wrong.get("n"), "winner": report.get("result", {}).get("computed")}


def _finish_if_done(bulk: BulkAudit, now: datetime) -> None:
    # Each lane checks this after saving its last line, so whichever lane ends last sees that no line is waiting.
    if bulk.lines.filter(outcome=Outcome.WAITING).exists():
        return
    with transaction.atomic():
        if BulkAudit.objects.filter(pk=bulk.pk, cancelled_at=None, finished_at=None).update(finished_at=now):
            changed = bulk.lines.filter(outcome=Outcome.CHANGED).count()
            _note(bulk, ledger.SYSTEM, "bulk.finished", now, {"changed": changed})


def _status(bulk: BulkAudit) -> str:
    if bulk.cancelled_at or bulk.finished_at:
        return "cancelled" if bulk.cancelled_at else "done"
    states = jobs.states_of(JOB, [_key(bulk, lane) for lane in range(LANES)]).values()
    working = any(state.status in ("pending", "running") for state in states)
    return "failed" if not working and any(state.status == "failed" for state in states) else "running"


def _note(bulk: BulkAudit, actor: str, code: str, now: datetime, after: Any = None) -> None:
    ledger.record(chain=bulk.event.public_id, actor=actor, code=code, object=bulk.public_id, now=now, after=after)
