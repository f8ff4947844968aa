"""Hooks inside the web and worker processes of a chaos run. Python imports this module when it starts.

An adjustable clock: the file named by CHAOS_CLOCK holds the number of seconds by which the wall clock is off. Monotonic
clocks go on unchanged, as they do when somebody sets the time.

A point to die at: the file named by CHAOS_KILL, if it exists, holds `path`, `commit` and `done`. The process that
answers a request to such a path removes the file and kills itself at that commit of the request, counted from 1: just
before the commit, or just after it if `done` is set.

Slow commits: the file named by CHAOS_SLOW, if it exists, holds the number of seconds that every commit takes longer.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

EVERY = 0.25
_travel: Any = None  # with `_offset`: the current setting of the clock; forked processes inherit both
_offset = 0.0


def _follow_clock(path: Path) -> None:
    global _offset
    while True:
        time.sleep(EVERY)
        try:
            wanted = float(path.read_text())
        except (OSError, ValueError):  # it is being written
            continue
        if wanted != _offset:
            _offset = wanted
            _set_clock(wanted)


def _set_clock(offset: float) -> None:
    global _travel
    import time_machine

    if _travel is not None:
        _travel.stop()
        _travel = None
    if offset:
        _travel = time_machine.travel(datetime.now(UTC) + timedelta(seconds=offset), tick=True)
        _travel.start()


def _watch_commits(path: Path) -> None:
    """Hook the point to die at into Django's commit, as soon as Django has been imported."""
    while not hasattr(sys.modules.get("django.db.backends.base.base"), "BaseDatabaseWrapper"):
        time.sleep(0.02)
    wrapper = sys.modules["django.db.backends.base.base"].BaseDatabaseWrapper
    if wrapper._commit.__name__ != "commit_or_die":  # a forked process has inherited it
        wrapper._commit = _mortal(wrapper._commit, path)


def _mortal(commit: Callable[[Any], None], path: Path) -> Callable[[Any], None]:
    def commit_or_die(wrapper: Any) -> None:
        order = _order(path)
        if order is not None and not order["done"]:
            _die(path)
        _hold_up(Path(os.environ["CHAOS_SLOW"]))
        commit(wrapper)
        if order is not None:
            _die(path)

    return commit_or_die


def _hold_up(path: Path) -> None:
    """Wait for the number of seconds in the file, if it exists."""
    try:
        time.sleep(float(path.read_text()))
    except (OSError, ValueError):  # it is not there, or is being written
        return


def _order(path: Path) -> dict[str, Any] | None:
    """The content of the file, if it refers to this commit."""
    if not path.exists():
        return None
    try:
        order: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError):  # it is being written, or another process took it
        return None
    request = _request()
    if request is None or request.method != "POST" or order["path"] not in request.path:
        return None
    request.chaos_commits = getattr(request, "chaos_commits", 0) + 1
    return order if request.chaos_commits == order["commit"] else None


def _request() -> Any:
    """The request being answered, found further up the call stack."""
    frame: Any = sys._getframe(1)
    found = None
    while frame is not None:
        if frame.f_code.co_name == "get_response" and "request" in frame.f_locals:
            found = frame.f_locals["request"]
        frame = frame.f_back
    return found


def _die(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:  # another process was first
        return
    os.kill(os.getpid(), signal.SIGKILL)


def _start() -> None:
    for name, work in (("CHAOS_CLOCK", _follow_clock), ("CHAOS_KILL", _watch_commits)):
        threading.Thread(target=work, args=(Path(os.environ[name]),), name=name, daemon=True).start()


if "CHAOS_CLOCK" in os.environ:
    os.register_at_fork(after_in_child=_start)
    _start()
