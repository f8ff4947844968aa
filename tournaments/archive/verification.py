"""Verifies an event from the rows of its file alone, without reading the database.

`present.py` reads the same rows straight from the database and runs the same checks.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from tournaments.archive import checks, states
from tournaments.archive.certificates import PROVABLE, UNPROVEN, certificate_faults, says_proven
from tournaments.archive.faults import SHOWN, Fault, VerificationReport
from tournaments.archive.heads import is_from_elsewhere, signed_head_faults
from tournaments.archive.lines import MAX_BYTES, SIGNED_HEAD
from tournaments.archive.logs import log_faults
from tournaments.archive.reading import EventFile, read_file
from tournaments.archive.records import record_faults
from tournaments.archive.sections import Row
from tournaments.archive.tournament import Tournament
from tournaments.common.jobs import Progress, unseen
from tournaments.play.models import BROUGHT
from tournaments.swiss.tables import SOLVED

COUNTED = (
    "match",
    "seat",
    "game",
    "report",
    "round",
    "ledger",
    "note",
    "decklist",
    "pool",
    "log",
    "call",
    "deck_check",
    "penalty",
    "loss",
    "audit",
    "dispute",
    "ruling",
    "standings",
)


def verify(stream: IO[bytes], *, most: int = MAX_BYTES, progress: Progress = unseen) -> VerificationReport:
    """Verify an event file of at most `most` bytes unpacked. Raises `Unreadable` if it is not an event file.

    Example:

        with open("open.jsonl.gz", "rb") as stream:
            found = verify(stream)
        print(found.holds, [fault.code for fault in found.faults])
    """
    return prove(read_file(stream, most=most), progress)


def prove(file: EventFile, progress: Progress = unseen, *, replay: bool = True) -> VerificationReport:
    """Run all checks on the rows of an event and return the report.

    Without `replay`, move logs are only compared with their digests and audits, which is much faster; the report says
    so (`not_replayed`). A check that breaks on the content of the file is reported as the fault `cannot_compute`.
    """
    progress(5)
    faults: list[Fault] = []
    unchecked: list[Fault] = []
    run = partial(_run, faults)
    run(checks.chain_faults(file), "chain")
    run(checks.reference_faults(file), "references")
    run(checks.ledger_faults(file), "ledger")
    if file.lines and file.head["version"] > 1:  # rows read from the database have no lines and no signed head
        run(signed_head_faults(file), "signed_head")
        if is_from_elsewhere(file):
            unchecked.append(Fault("key_elsewhere", where=file[SIGNED_HEAD][0]["key"]))
    run(checks.setting_faults(file), "settings")
    run(states.event_faults(file), "event")
    run(states.ledger_end_faults(file), "ledger")
    run(states.report_faults(file), "reports")
    run(states.board_report_faults(file), "reports")
    run(states.game_faults(file), "games")
    run(checks.list_faults(file), "decklists")
    run(record_faults(file), "judging")
    progress(10)
    paired = _of_rounds(file, faults, unchecked, progress)
    # Replaying logs takes most of the time, hence most of the progress.
    run(log_faults(file, _counting(progress, 40, 99, len(file["log"])), replay=replay), "logs")
    if not replay and file["log"]:
        unchecked.append(Fault("not_replayed", where=f"{len(file['log'])}"))
    checked = {"line": file.lines, **{name: len(file[name]) for name in COUNTED}, **paired}
    return VerificationReport(
        event=file.event["public_id"],
        digest=file.digest,
        with_names=file.with_names,
        checked=checked,
        faults=tuple(faults[:SHOWN]),
        faulty=len(faults),
        left=tuple(unchecked),
        entry=file["ledger"][-1]["number"] if file["ledger"] else 0,
    )


def _of_rounds(file: EventFile, faults: list[Fault], unchecked: list[Fault], progress: Progress) -> dict[str, int]:
    """Check results, pairings and standings; count the rounds that were paired again (`pairing`) and proven again."""
    paired = proven = 0
    with checks.guarded(faults.append, 0, "rounds"):
        tournament = Tournament(file)
        faults += checks.result_faults(file, tournament)
        _run(faults, states.point_faults(file, tournament), "seats")
        _run(faults, states.round_faults(file, tournament), "rounds")
        done = _counting(progress, 10, 40, len(file["round"]) + len(file["standings"]))
        for line, row in file.numbered("round"):
            where = f"round {row['number']}"
            with checks.guarded(faults.append, line, where):
                if row["algorithm"] == BROUGHT:
                    unchecked.append(Fault("paired_elsewhere", line, where))
                    continue
                if not checks.is_computable(row, tournament.stages[row["stage"]]):
                    unchecked.append(Fault("other_version", line, where, row["algorithm"]))
                    continue
                faults += checks.pairing_faults(file, tournament, row["stage"], row, line)
                by_hand = row["algorithm"].endswith(states.HAND)
                paired += not by_hand and row["algorithm"] != SOLVED
                if row["algorithm"] == SOLVED:
                    unchecked.append(Fault("solved", line, where))
                if by_hand:  # nothing to compute: the seating is only compared with the ledger
                    unchecked.append(Fault("by_hand", line, where))
                proven += _certificate(tournament, row, line, faults, unchecked)
            done()
        unchecked += [Fault("standings_wait", where=f"stage {number}") for number in sorted(file.waiting)]
        started = sorted(
            number
            for number, row in tournament.stages.items()
            if row["started_at"] is not None and number not in file.waiting
        )
        if started != [row["stage"] for row in file["standings"]]:
            faults.append(Fault("standings_missing", where=", ".join(map(str, started))))
        for line, row in file.numbered("standings"):
            with checks.guarded(faults.append, line, f"stage {row['stage']}"):
                faults += checks.standings_faults(tournament, row, line)
            done()
    return {"pairing": paired, "certificate": proven}


def _certificate(tournament: Tournament, row: Row, line: int, faults: list[Fault], unchecked: list[Fault]) -> bool:
    """Prove again that no better pairing of a round exists; return whether the proof was checked.

    Rounds without a proof, or whose proof cannot be computed here, are added to `unchecked`.
    """
    if not says_proven(tournament, row):
        provable = tournament.stages[row["stage"]]["kind"] in PROVABLE
        if provable and not row["algorithm"].endswith(states.HAND):
            unchecked.append(Fault("not_certified", line, f"round {row['number']}"))
        return False
    found = list(certificate_faults(tournament, row, line))
    unproven = [fault for fault in found if fault.code in UNPROVEN]
    unchecked += unproven
    faults += [fault for fault in found if fault not in unproven]
    return not unproven


def _run(faults: list[Fault], found: Iterator[Fault], where: str) -> None:
    with checks.guarded(faults.append, 0, where):
        faults.extend(found)


def _counting(progress: Progress, start: int, end: int, steps: int) -> Callable[[], None]:
    """Return a function that reports the progress, from `start` to `end` percent, after each of `steps` steps."""
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        progress(start + (end - start) * count // max(steps, 1))

    return done
