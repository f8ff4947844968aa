"""Fair timing: contenders take turns in one run, and each piece of work counts with its best time."""

import math
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

Work = Callable[[], object]
CLOCKS = (time.process_time, time.perf_counter)


def race(contenders: Mapping[str, Sequence[Work]], runs: int) -> dict[str, float]:
    """The seconds of processor time that each contender needs for all its works, by name.

    The contenders take turns, and each work counts with its best time, so that other load on the machine matters little
    and affects all of them alike.
    """
    best = {name: [float("inf")] * len(works) for name, works in contenders.items()}
    for _run in range(runs):
        for name, works in contenders.items():
            for index, work in enumerate(works):
                best[name][index] = min(best[name][index], _taken(work)[0])
    return {name: sum(times) for name, times in best.items()}


@dataclass(frozen=True)
class Samples:
    """The times of a piece of work in seconds, one per run: processor time and elapsed time."""

    processor: list[float] = field(default_factory=list)
    passed: list[float] = field(default_factory=list)


def sampled(works: Mapping[str, Work], runs: int) -> dict[str, Samples]:
    """All times of each piece of work, by name. The works take turns."""
    samples = {name: Samples() for name in works}
    for _run in range(runs):
        for name, work in works.items():
            processor, passed = _taken(work)
            samples[name].processor.append(processor)
            samples[name].passed.append(passed)
    return samples


def calibrate() -> None:
    """Print what this machine needs for a fixed piece of Python and one of SQL, each at its best of ten runs.

    With these, figures of two machines can be compared: processor time grows about as they do.
    """
    found = race({"Python": [_python], "SQL": [_sql]}, 10)
    for name, seconds in found.items():
        milliseconds(f"calibration: a fixed piece of {name}", seconds)


def _python() -> None:
    """Fill and read a dictionary of strings, as rendering pages does."""
    words: dict[str, int] = {}
    for number in range(100_000):
        word = f"table-{number % 977}"
        words[word] = words.get(word, 0) + len(word)


def _sql() -> None:
    """Insert, update and select rows one by one in a database in memory."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE result (id INTEGER PRIMARY KEY, games TEXT, version INTEGER)")
        for number in range(5_000):
            connection.execute("INSERT INTO result VALUES (?, ?, ?)", (number, "2-1-0", 1))
            connection.execute("UPDATE result SET version = version + 1 WHERE id = ?", (number // 2,))
            connection.execute("SELECT games, version FROM result WHERE id = ?", (number // 3,)).fetchone()


def percentile(times: Sequence[float], percent: int = 95) -> float:
    """The time that `percent` of the times stay within (nearest rank). Below 20 times, the longest at 95."""
    return sorted(times)[math.ceil(len(times) * percent / 100) - 1]


def _taken(work: Work) -> tuple[float, float]:
    """Seconds of processor time, and seconds elapsed."""
    starts = [clock() for clock in CLOCKS]
    work()
    processor, passed = (clock() - start for clock, start in zip(CLOCKS, starts, strict=True))
    return processor, passed


def per_second(title: str, count: int, seconds: float) -> None:
    """Print a line with a rate."""
    print(f"{title:44} {count / seconds:12,.0f} a second")


def milliseconds(title: str, seconds: float) -> None:
    """Print a line with a duration."""
    print(f"{title:44} {1000 * seconds:12.2f} ms")


def ratio(title: str, value: float, bound: str) -> None:
    """Print a line with a ratio, and the bound it should meet."""
    print(f"{title:44} {value:12.2f}   ({bound})")
