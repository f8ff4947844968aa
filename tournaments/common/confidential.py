"""Answers that only staff may read: marked where the right is checked, so that browsers and proxies keep no copy."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_marked: ContextVar[bool] = ContextVar("confidential", default=False)


@contextmanager
def answering() -> Iterator[None]:
    """Begin and end a request: nothing is marked yet."""
    token = _marked.set(False)
    try:
        yield
    finally:
        _marked.reset(token)


def mark() -> None:
    """Mark the answer to the current request: it holds what only staff may read."""
    _marked.set(True)


def is_marked() -> bool:
    """Whether the answer to the current request is marked."""
    return _marked.get()
