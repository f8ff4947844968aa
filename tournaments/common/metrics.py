"""Counters and gauges of the web processes, in the text format of Prometheus (0.0.4). See docs/alarms.md.

Several processes share one port, and a scrape reaches any of them. So each process writes its own numbers to a file in
`METRICS_DIR`, at most once a second, and whichever is asked answers with those of all, each under its own `process`
label: a counter never goes back, and starts at 0 again only with its process. The cache would not do, as it is shared
by containers that Prometheus scrapes one by one. The client library of Prometheus solves this with files too, but they
must be emptied before each start, and named before it is imported; for a dozen families this module is shorter.

All counting is done by the event loop of a process, so nothing here is locked.
"""

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
WRITE_EVERY = 1.0  # seconds
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

Labels = tuple[tuple[str, str], ...]
Samples = dict[tuple[str, Labels], float]
"""Values by the name and the labels of their series."""

_counted: Samples = {}
_gauges: dict[str, Callable[[], Mapping[Labels, float]]] = {}
_written_until = float("-inf")  # by the clock of `time.monotonic`: until then, a file is about to be written
_failing = False


def is_wanted() -> bool:
    """Whether somebody may read the metrics; otherwise no file is written."""
    return bool(settings.METRICS_TOKEN or settings.METRICS_NETWORKS)


def count(name: str, amount: float = 1, /, **labels: object) -> None:
    """Add to a counter."""
    key = name, _as_labels(labels)
    _counted[key] = _counted.get(key, 0) + amount


def observe(name: str, value: float, /, **labels: object) -> None:
    """Count a value in the buckets of a histogram."""
    for most in BUCKETS:
        count(f"{name}_bucket", int(value <= most), **labels, le=most)
    count(f"{name}_bucket", **labels, le="+Inf")
    count(f"{name}_sum", value, **labels)
    count(f"{name}_count", **labels)


def gauge(name: str, read: Callable[[], Mapping[Labels, float]]) -> None:
    """Register a gauge: `read` returns its values by their labels. It must be quick, and safe in any thread."""
    _gauges[name] = read


def write_soon() -> None:
    """Have this process's numbers written to its file within a second. Called by the event loop."""
    global _written_until
    if is_wanted() and time.monotonic() >= _written_until:
        _written_until = time.monotonic() + WRITE_EVERY
        asyncio.get_running_loop().call_later(WRITE_EVERY, _write)


def of_all_processes() -> Samples:
    """The numbers of this process and of the others that write to the same folder, each with its `process` label."""
    found = _labelled(os.getpid(), _of_this_process())
    for path in Path(settings.METRICS_DIR).glob("*.json"):
        process = int(path.stem) if path.stem.isdecimal() else 0
        if process == os.getpid():
            continue
        if not process or not _lives(process):
            path.unlink(missing_ok=True)
            continue
        with suppress(FileNotFoundError):
            rows = json.loads(path.read_text())
            found |= _labelled(process, {(name, tuple(map(tuple, labels))): value for name, labels, value in rows})
    return found


def as_text(families: Mapping[str, tuple[str, str]], samples: Samples) -> str:
    """The samples in Prometheus's text format. `families` has the type and the description of each family.

    A family without samples is left out, and so is a sample of no family.
    """
    lines: list[str] = []
    for name, (kind, description) in families.items():
        names = [f"{name}_bucket", f"{name}_sum", f"{name}_count"] if kind == "histogram" else [name]
        rows = [f"{_series(*key)} {value}" for each in names for key, value in samples.items() if key[0] == each]
        if rows:
            lines += [f"# HELP {name} {description}", f"# TYPE {name} {kind}", *rows]
    return "".join(f"{line}\n" for line in lines)


def _of_this_process() -> Samples:
    return dict(_counted) | {
        (name, labels): value for name, read in _gauges.items() for labels, value in read().items()
    }


def _write() -> None:
    """Write the numbers of this process, under a temporary name first: a reader never sees a part of them."""
    global _failing
    folder = Path(settings.METRICS_DIR)
    rows = [[name, labels, value] for (name, labels), value in _of_this_process().items()]
    aside = folder / f"{os.getpid()}.part"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        aside.write_text(json.dumps(rows))
        aside.replace(aside.with_suffix(".json"))
        _failing = False
    except OSError as error:
        if not _failing:  # said once, and not every second
            logger.warning("METRICS_DIR cannot be written (%s)", type(error).__name__)
        _failing = True


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _labelled(process: int, samples: Samples) -> Samples:
    return {(name, (*labels, ("process", str(process)))): value for (name, labels), value in samples.items()}


def _as_labels(labels: Mapping[str, object]) -> Labels:
    return tuple((name, str(value)) for name, value in labels.items())


def _series(name: str, labels: Iterable[tuple[str, str]]) -> str:
    shown = ",".join(f'{label}="{_escaped(value)}"' for label, value in labels)
    return f"{name}{{{shown}}}" if shown else name


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
