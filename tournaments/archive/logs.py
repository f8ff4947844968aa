"""The move logs of an event file: their digests, and their audits done again by the engine."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import Row
from tournaments.archive.states import differing
from tournaments.audits import engine_gate
from tournaments.decks.engine_gate import catalog_in

SAME = ("verdict", "ruleset", "result", "digest")


def log_faults(file: EventFile, done: Callable[[], None], *, replay: bool = True) -> Faults:
    """Logs that are not those their digest names, and audits that the engine does not confirm. `done` after each.

    Without `replay` the engine is not asked: an audit is then what its own report and the ledger say.
    """
    catalogs, unreadable = _catalogs(file)
    if unreadable:
        yield Fault("catalogue_changed", where=str(file.event["catalog_sha256"]))
    audits = {row["log"]: (line, row) for line, row in file.numbered("audit")}
    sent = {row["object"]: row["after"] for row in file["ledger"] if row["code"] == "log.submitted" and row["after"]}
    told = {
        (row["object"], (row["after"] or {}).get("game"), (row["after"] or {}).get("report"))
        for row in file["ledger"]
        if row["code"] == "game.audited"
    }
    for line, row in file.numbered("log"):
        if hashlib.sha256(row["document"].encode()).hexdigest() != row["sha256"]:
            yield Fault("log_changed", line, row["public_id"])
        match, game = row["game"]
        if sent.get(row["public_id"]) != {"match": match, "game": game, "sha256": row["sha256"]}:
            yield Fault("log_unrecorded", line, row["public_id"])
        audit_line, audit = audits.get(row["public_id"], (0, None))
        if audit is None:
            yield Fault("audit_missing", line, row["public_id"])
        elif audit["verdict"]:
            if (match, game, audit["digest"]) not in told:
                yield Fault("audit_unrecorded", audit_line, row["public_id"])
            yield from _kept_faults(row, audit, audit_line)
            if replay:
                yield from _replay_faults(row, audit, audit_line, catalogs)
        done()


def _catalogs(file: EventFile) -> tuple[engine_gate.Catalogs, bool]:
    """The organizer's own catalogue, where there is one; and whether it is not what its digest says."""
    found = [catalog_in(row["document"]) for row in file["catalogue"]]
    read = [catalog for catalog in found if catalog is not None and catalog.sha256 == file.event["catalog_sha256"]]
    return read, len(read) < len(found)


def _kept_faults(log: Row, audit: Row, line: int) -> Faults:
    """A report that is not what its digest says, or a verdict that is not the report's."""
    kept = audit["report"]
    if _digest(kept) != audit["digest"]:
        yield Fault("report_changed", line, log["public_id"])
    told = kept.get("verdict") if isinstance(kept, dict) else None
    if told != audit["verdict"]:
        yield Fault("verdict_differs", line, log["public_id"], differing("verdict", told, audit["verdict"]))


def _replay_faults(log: Row, audit: Row, line: int, catalogs: engine_gate.Catalogs) -> Faults:
    """Another verdict. A later engine may word its report otherwise: what it found must be the same."""
    kept = audit["report"]
    report = engine_gate.audit(log["document"], catalogs)
    if (
        not isinstance(kept, dict)
        or any(kept.get(name) != report[name] for name in SAME)
        or audit["verdict"] != report["verdict"]
    ):
        yield Fault("audit_differs", line, log["public_id"], differing("verdict", report["verdict"], audit["verdict"]))


def _digest(report: Any) -> str:
    return hashlib.sha256(json.dumps(report, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
