"""The id of the request that is being answered, or that enqueued the job that is being done. See docs/alarms.md.

It is in the response, on error pages and in every line of the log, so that what a reader quotes can be found.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tournaments.common.proxies import is_trusted

HEADER = "X-Request-ID"
MESSAGE_HEADER = "request_id"  # of the queue's messages, so that a job keeps the id of the request that enqueued it
NONE = "-"  # in logs, where there is no request
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{3,63}")
_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """The id of the current request; empty outside requests and their jobs."""
    return _current.get()


def new() -> str:
    """Make a new id: 12 hexadecimal digits."""
    return secrets.token_hex(6)


def given(header: str, peer: str) -> str:
    """The id that a proxy of ours has given a request; a new one if none has, or if it is malformed.

    `peer` is the address that connected. An id from anybody else is ignored: it could imitate another request's.
    """
    return header if is_trusted(peer) and _WELL_FORMED.fullmatch(header) else new()


@contextmanager
def known_as(request: str) -> Iterator[None]:
    """Make `request` the current id until the end of the block. It may be empty."""
    token = _current.set(request)
    try:
        yield
    finally:
        _current.reset(token)


def forget() -> None:
    """Clear the id, in a task that a request has started and that outlives it."""
    _current.set("")
