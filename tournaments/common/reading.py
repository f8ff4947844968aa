"""What a page asks for several times is read once, and what hardly changes is kept from one page to the next.

Only while a page is read: a request that may write, a job or a command reads the rows each time.
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
"""Topics of entries that come all the time while a round is played, and change neither rounds nor who plays whom."""
KEPT_SECONDS = 60.0
MOST_KEPT = 2_000

T = TypeVar("T")
_known: ContextVar[dict[Hashable, Any] | None] = ContextVar("reading", default=None)
_kept: OrderedDict[Hashable, tuple[int, float, Any]] = OrderedDict()
_lock = threading.Lock()


@contextmanager
def reading() -> Iterator[None]:
    """Keep what is read until the end of the block."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def read_once(key: Hashable, read: Callable[[], T]) -> T:
    """What `read` gives: the first time by its call, then what it gave; outside of `reading`, by a call each time."""
    known = _known.get()
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    found: T = known[key]
    return found


def stands_at(chain: str, number: int) -> None:
    """Note that the ledger of an event stood at a number before its page was read."""
    known = _known.get()
    if known is not None:
        known.setdefault(("stands at", chain), number)


def read_kept(chain: str, key: Hashable, read: Callable[[], T]) -> T:
    """What `read` gives of an event, kept by this process until its ledger has an entry that is not `QUIET`.

    The same object is given to many pages: nobody may change it. Where nobody noted how the ledger stands, as outside
    of pages, it is read like anything else.
    """
    known = _known.get()
    number = known.get(("stands at", chain)) if known is not None else None
    if number is None:
        return read_once((chain, key), read)
    version = newest.last_but(chain, number, QUIET)
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
    """Forget what is kept: for tests."""
    with _lock:
        _kept.clear()
