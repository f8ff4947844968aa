"""Proves an event file by itself: no row of any database is read."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from tournaments.archive import checks
from tournaments.archive.faults import SHOWN, Fault, Found
from tournaments.archive.floor import Floor
from tournaments.archive.lines import MAX_BYTES
from tournaments.archive.logs import log_faults
from tournaments.archive.reading import EventFile, read_file
from tournaments.archive.records import record_faults
from tournaments.common.jobs import Progress, unseen

COUNTED = (
    "match",
    "ledger",
    "note",
    "decklist",
    "pool",
    "log",
    "call",
    "deck_check",
    "penalty",
    "loss",
    "dispute",
    "ruling",
    "standings",
)


def verify(stream: IO[bytes], *, most: int = MAX_BYTES, progress: Progress = unseen) -> Found:
    """Everything that does not hold in a file, and how much was checked. Raises `Unreadable` for what is none."""
    return prove(read_file(stream, most=most), progress)


def prove(file: EventFile, progress: Progress = unseen) -> Found:
    """Everything that does not hold in a file that was read."""
    progress(5)
    faults: list[Fault] = []
    left: list[Fault] = []
    run = partial(_run, faults)
    run(checks.chain_faults(file), "chain")
    run(checks.reference_faults(file), "references")
    run(checks.ledger_faults(file), "ledger")
    run(checks.setting_faults(file), "settings")
    run(checks.list_faults(file), "decklists")
    run(record_faults(file), "judging")
    progress(10)
    pairings = _of_rounds(file, faults, left, progress)
    run(log_faults(file, _counting(progress, 40, 99, len(file["log"]))), "logs")
    checked = {"line": file.lines, **{name: len(file[name]) for name in COUNTED}, "pairing": pairings}
    return Found(
        event=file.event["public_id"],
        digest=file.digest,
        with_names=file.with_names,
        checked=checked,
        faults=tuple(faults[:SHOWN]),
        faulty=len(faults),
        left=tuple(left),
    )


def _of_rounds(file: EventFile, faults: list[Fault], left: list[Fault], progress: Progress) -> int:
    """Check results, pairings and standings; how many rounds were paired again."""
    paired = 0
    with checks.guarded(faults.append, 0, "rounds"):
        floor = Floor(file)
        faults += checks.result_faults(file, floor)
        done = _counting(progress, 10, 40, len(file["round"]) + len(file["standings"]))
        for line, row in file.numbered("round"):
            where = f"round {row['number']}"
            with checks.guarded(faults.append, line, where):
                if not checks.is_computable(row, floor.stages[row["stage"]]):
                    left.append(Fault("other_version", line, where, row["algorithm"]))
                    continue
                faults += checks.pairing_faults(file, floor, row["stage"], row, line)
                by_hand = row["algorithm"].endswith(checks.HAND)
                paired += not by_hand
                if by_hand:
                    left.append(Fault("by_hand", line, where))
            done()
        started = sorted(number for number, row in floor.stages.items() if row["started_at"] is not None)
        if started != [row["stage"] for row in file["standings"]]:
            faults.append(Fault("standings_missing", where=", ".join(map(str, started))))
        for line, row in file.numbered("standings"):
            with checks.guarded(faults.append, line, f"stage {row['stage']}"):
                faults += checks.standings_faults(floor, row, line)
            done()
    return paired


def _run(faults: list[Fault], found: Iterator[Fault], where: str) -> None:
    with checks.guarded(faults.append, 0, where):
        faults.extend(found)


def _counting(progress: Progress, start: int, end: int, steps: int) -> Callable[[], None]:
    """Tells the percent after each of so many steps."""
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        progress(start + (end - start) * count // max(steps, 1))

    return done
