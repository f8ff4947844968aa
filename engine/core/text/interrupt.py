"""Lets a caller give up long work. The engine has no clock: at natural points it asks whether to go on.

The points are each entry of a replay, each move that is played, each copy of a state, each move and each group of cards
that is listed, and each card that is looked at to list them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

_Item = TypeVar("_Item")

_ask: ContextVar[Callable[[], None] | None] = ContextVar("interrupt", default=None)


@contextmanager
def asking(ask: Callable[[], None]) -> Iterator[None]:
    """Call `ask` at each natural point of what runs in the block. To give up, it raises an exception of its own.

    Nothing in the engine catches that exception, unless it is an `EngineError`. What was being computed is lost, and an
    object in which it was computed (a `Replay`, an open game) must not be used any more.
    """
    token = _ask.set(ask)
    try:
        yield
    finally:
        _ask.reset(token)


def go_on() -> None:
    """Ask whether to go on; returns if so."""
    ask = _ask.get()
    if ask is not None:
        ask()


def each(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield the items, and ask before each of them whether to go on."""
    for item in items:
        go_on()
        yield item
