"""Compare what the successful actions should have left behind with the rows and ledger entries.

Django must be set up before this is imported.
"""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from tools.chaos.actions import Action
from tournaments.audits.models import MoveLog
from tournaments.common.models import Job, LedgerEntry, LedgerHead
from tournaments.config.places import TOP
from tournaments.events.models import Entrant, Stage
from tournaments.judging.models import Call
from tournaments.payments.models import Payment, Refund
from tournaments.play.models import Match, Report, Round, TimeExtension
from tournaments.play.services.results import score_now
from tournaments.standings.models import StandingsTable

PATIENCE = 120.0  # seconds for the queue to empty; a job that hit a full disk waits a minute before its next try
CODES = (  # all ledger entries that actions leave behind
    "call.claimed",
    "call.made",
    "call.resolved",
    "entrant.checked_in",
    "entrant.registered",
    "log.submitted",
    "payment.confirmed",
    "payment.refunded",
    "result.confirmed",
    "result.entered",
    "result.reported",
    "round.closed",
    "round.followed",
    "round.paired",
    "round.published",
    "table.extended",
)
Found = Counter[tuple[str, str, str]]  # count by (event, what, about)


def wait_until_empty() -> float | None:
    """Wait until no job is left. Returns the seconds it took, or None if some are left after `PATIENCE`."""
    start = time.monotonic()
    while time.monotonic() < start + PATIENCE:
        if not Job.objects.filter(Q(status=Job.Status.PENDING) | Q(status=Job.Status.RUNNING)).exists():
            return time.monotonic() - start
        time.sleep(0.3)
    return None


def heads(events: Iterable[str]) -> dict[str, int]:
    """The number of the last ledger entry of each event."""
    return dict(LedgerHead.objects.filter(chain__in=list(events)).values_list("chain", "number"))


def compare(actions: Iterable[Action], before: dict[str, int]) -> tuple[Found, Found]:
    """What was lost, and what exists twice, in the events of `before` (their ledger heads when the hall opened).

    Lost is what an action answered with success should have left behind, but did not. An action that was never answered
    may have left it behind or not, but at most once.
    """
    actions = list(actions)
    accepted = _left(action for action in actions if action.accepted)
    allowed = accepted + _left(action for action in actions if action.answered is None)
    there = _in_ledger(before) + _in_rows(before)
    return accepted - there, there - allowed


def described(found: Found) -> list[str]:
    """One sentence for each item."""
    return sorted(f"{count} × {what} of {about} in {event}" for (event, what, about), count in found.items())


def _left(actions: Iterable[Action]) -> Found:
    return Counter((action.event, what, about) for action in actions for what, about in action.leaves)


def _in_ledger(before: dict[str, int]) -> Found:
    found: Found = Counter()
    for event, number in before.items():
        for entry in LedgerEntry.objects.filter(chain=event, number__gt=number, code__in=CODES):
            found[event, entry.code, _about(entry)] += 1
    return found


def _about(entry: LedgerEntry) -> str:
    """What an entry is about, as the actions name it: calls and logs by their match, guests by their name."""
    if entry.code in ("log.submitted", "call.made"):
        return str(entry.after["match"])
    if entry.code == "entrant.registered":
        names = Entrant.objects.filter(public_id=entry.object).values_list("member__person__given_name", flat=True)
        return str(names.first() or entry.object)
    return entry.object


def _in_rows(before: dict[str, int]) -> Found:
    found: Found = Counter()
    for event in before:
        for rows in (_rows_of_rounds, _rows_of_matches, _rows_of_entrants, _rows_of_payments):
            found.update((event, what, str(about)) for what, about in rows(event))
    return found


def _rows_of_rounds(event: str) -> list[tuple[str, Any]]:
    numbers = Round.objects.filter(stage__event__public_id=event, number__gt=1).values_list("number", flat=True)
    return [("round", number) for number in numbers]


def _rows_of_matches(event: str) -> list[tuple[str, Any]]:
    matches = Match.objects.filter(round__stage__event__public_id=event)
    of_game = "game__match__public_id"
    rows = {
        # A result entered by the desk is stored as a report without a seat.
        "report": Report.objects.filter(match__in=matches).exclude(seat=None).values_list("match__public_id"),
        "extension": TimeExtension.objects.filter(match__in=matches).values_list("match__public_id"),
        "call": Call.objects.filter(match__in=matches).values_list("match__public_id"),
        "log": MoveLog.objects.filter(game__match__in=matches).values_list(of_game),
    }
    settled = matches.exclude(games_drawn=None).exclude(table=None)
    results = [(f"result {score_now(match)[0]}", match.public_id) for match in settled]
    return results + [(what, about) for what, ids in rows.items() for (about,) in ids]


def _rows_of_entrants(event: str) -> list[tuple[str, Any]]:
    entrants = Entrant.objects.filter(event__public_id=event)
    here = entrants.filter(member__person__account__isnull=False, checked_in_at__isnull=False)
    guests = entrants.filter(member__person__account=None)
    return [
        *(("check-in", about) for about in here.values_list("public_id", flat=True)),
        *(("walk-in", about) for about in guests.values_list("member__person__given_name", flat=True)),
    ]


def _rows_of_payments(event: str) -> list[tuple[str, Any]]:
    payments = Payment.objects.filter(event__public_id=event, status=Payment.Status.CONFIRMED)
    refunds = Refund.objects.filter(payment__in=payments, status=Refund.Status.DONE)
    paid = payments.values_list("cents", "entrant__public_id")
    given_back = refunds.values_list("cents", "payment__entrant__public_id")
    return [
        *((f"payment of {cents}", about) for cents, about in paid),
        *((f"refund of {cents}", about) for cents, about in given_back),
    ]


def left_jobs() -> str:
    """The jobs that are still to be done, with what says when."""
    left = Job.objects.filter(Q(status=Job.Status.PENDING) | Q(status=Job.Status.RUNNING))
    return json.dumps(list(left.values()), default=str)


def failed_jobs() -> list[str]:
    """Jobs that were given up."""
    failed = Job.objects.filter(status=Job.Status.FAILED)
    return [f"job {job.kind} {job.key} failed: {job.error}" for job in failed]


def old_standings(event: str) -> list[str]:
    """Stages of an event whose newest standings do not count the newest results."""
    found = []
    for stage in Stage.objects.filter(event__public_id=event, results_version__gt=0):
        table = StandingsTable.objects.filter(stage=stage).first()
        version = table.results_version if table else None
        if version != stage.results_version:
            found.append(f"standings of {event}: version {version}, not {stage.results_version}")
    return found


def verify() -> dict[str, list[str]]:
    """What `manage.py verify --all` finds, by event; anything that belongs to no event is under an empty id."""
    command = [sys.executable, "manage.py", "verify", "--all", "--json"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    try:
        reports = json.loads(done.stdout)
    except ValueError:
        return {"": [f"manage.py verify ended with exit code {done.returncode}: {done.stdout}{done.stderr}"]}
    found: dict[str, list[str]] = {}
    for report in reports:
        for fault in _faults(report):
            found.setdefault(str(report.get("event", "")), []).append(fault)
    return found


def _faults(report: dict[str, Any]) -> list[str]:
    if "not_looked" in report:
        return [f"not checked: {report['not_looked']}"]
    return [] if report["holds"] else [json.dumps(fault) for fault in report["faults"]]
