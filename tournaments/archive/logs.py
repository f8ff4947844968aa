"""Checks of the move logs of an event file: their digests, and their audits, which the engine does again."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from engine import face
from engine.face.lists import catalog_in
from tournaments.archive.faults import Fault, Faults
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.archive.states import differing

SAME = ("verdict", "ruleset", "result", "digest")  # what another version of the engine must find, too


def log_faults(file: EventFile, done: Callable[[], None], *, replay: bool = True) -> Faults:
    """Yield faults of the move logs and their audits; `done` is called after each log.

    Without `replay` the engine is not used: an audit is then only compared with its own report and with the ledger.
    """
    catalogs, unreadable = _catalogs(file)
    if unreadable:
        yield Fault("catalogue_changed", where=str(file.event["catalog_sha256"]))
    audits = {row["log"]: (line, row) for line, row in file.numbered("audit")}
    submitted = {
        row["object"]: row["after"] for row in file["ledger"] if row["code"] == "log.submitted" and row["after"]
    }
    recorded = {
        (row["object"], (row["after"] or {}).get("game"), (row["after"] or {}).get("report"))
        for row in file["ledger"]
        if row["code"] == "game.audited"
    }
    for line, row in file.numbered("log"):
        if hashlib.sha256(row["document"].encode()).hexdigest() != row["sha256"]:
            yield Fault("log_changed", line, row["public_id"])
        match, game = row["game"]
        if submitted.get(row["public_id"]) != {"match": match, "game": game, "sha256": row["sha256"]}:
            yield Fault("log_unrecorded", line, row["public_id"])
        audit_line, audit = audits.get(row["public_id"], (0, None))
        if audit is None:
            yield Fault("audit_missing", line, row["public_id"])
        elif audit["verdict"]:
            if (match, game, audit["digest"]) not in recorded:
                yield Fault("audit_unrecorded", audit_line, row["public_id"])
            yield from _report_faults(row, audit, audit_line)
            if replay:
                yield from _replay_faults(row, audit, audit_line, catalogs)
        done()


def _catalogs(file: EventFile) -> tuple[face.boards.Catalogs, bool]:
    """The organizer's own catalogue if there is one, and whether it cannot be read or does not match its digest."""
    found = [catalog_in(row["document"]) for row in file["catalogue"]]
    read = [catalog for catalog in found if catalog is not None and catalog.sha256 == file.event["catalog_sha256"]]
    return read, len(read) < len(found)


def _report_faults(log: Row, audit: Row, line: int) -> Faults:
    """Yield faults if the report of an audit does not match its digest, or has another verdict than the audit."""
    report = audit["report"]
    if _digest(report) != audit["digest"]:
        yield Fault("report_changed", line, log["public_id"])
    verdict = report.get("verdict") if isinstance(report, dict) else None
    if verdict != audit["verdict"]:
        yield Fault("verdict_differs", line, log["public_id"], differing("verdict", verdict, audit["verdict"]))


def _replay_faults(log: Row, audit: Row, line: int, catalogs: face.boards.Catalogs) -> Faults:
    """Yield a fault if auditing the log again gives another verdict, ruleset, result or digest.

    The rest of the report may differ, since a later engine may phrase it differently.
    """
    stored = audit["report"]
    report = face.audits.audit(log["document"], catalogs)
    if (
        not isinstance(stored, dict)
        or any(stored.get(name) != report[name] for name in SAME)
        or audit["verdict"] != report["verdict"]
    ):
        yield Fault("audit_differs", line, log["public_id"], differing("verdict", report["verdict"], audit["verdict"]))


def _digest(report: Any) -> str:
    return hashlib.sha256(json.dumps(report, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
