"""Two caches for pages: what one page needs several times is read once, and what rarely changes is kept between pages.

Both work only while a page is being read (GET and HEAD). A request that may write, a job or a command always reads the
rows.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from tournaments.common.newest import newest

QUIET = frozenset({"result", "game", "call", "log", "dispute", "table", "penalty"})
"""Topics whose entries arrive all the time while a round is played, and which change neither rounds nor pairings."""
KEPT_SECONDS = 60.0  # after which a kept value is read again in any case
MOST_KEPT = 2_000  # values; the one read longest ago is dropped

T = TypeVar("T")
_known: ContextVar[dict[Hashable, Any] | None] = ContextVar("reading", default=None)
_kept: OrderedDict[Hashable, tuple[int, float, Any]] = OrderedDict()
_lock = threading.Lock()


@contextmanager
def reading() -> Iterator[None]:
    """Let `read_once` and `read_kept` remember what they read, until the end of the block."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def read_once(key: Hashable, read: Callable[[], T]) -> T:
    """Return `read()`, calling it only once per key inside a `reading` block; outside of one, call it every time."""
    known = _known.get()
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    found: T = known[key]
    return found


def note_ledger_number(chain: str, number: int) -> None:
    """Note that an event's ledger ended at entry `number` before the page read anything. `read_kept` relies on it."""
    known = _known.get()
    if known is not None:
        # The first note stays: what the page has read since may be older than a later number.
        known.setdefault(("stands at", chain), number)


def read_kept(chain: str, key: Hashable, read: Callable[[], T]) -> T:
    """Return `read()`, kept by this process until the event's ledger (`chain`) has a new entry outside `QUIET`.

    It is also read again after `KEPT_SECONDS`. Many pages get the same object, so nobody may change it. If no ledger
    number was noted with `note_ledger_number`, as outside of pages, this is `read_once`.
    """
    known = _known.get()
    number = known.get(("stands at", chain)) if known is not None else None
    if number is None:
        return read_once((chain, key), read)
    version = newest.last_except(chain, number, QUIET)
    with _lock:
        found = _kept.get((chain, key))
    if found is None or found[0] < version or found[1] < time.monotonic():
        found = (version, time.monotonic() + KEPT_SECONDS, read())
        with _lock:
            _kept[chain, key] = found
            _kept.move_to_end((chain, key))
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
    value: T = found[2]
    return value


def forget_kept() -> None:
    """Forget everything that is kept, for tests."""
    with _lock:
        _kept.clear()
