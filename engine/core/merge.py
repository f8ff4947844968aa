"""Two half-logs as one: each player wrote down what they saw; together they know more, or they differ somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import EngineError
from engine.core.log import CHAINED, Log, parse
from engine.core.replay import LogSource


class Differ(EngineError):
    """The logs contradict each other; `path` says where first, `one` and `two` what each has there."""

    verdict = "undetermined"

    def __init__(self, path: str, one: object, two: object, n: int | None = None) -> None:
        super().__init__("logs_differ", "the two logs do not tell the same game", path=path, n=n)
        self.one = one
        self.two = two


def merge(one: LogSource, two: LogSource) -> dict[str, Any]:
    """One log with what either knows: "?" gives way to a ref, a number of cards sent back to their refs, an absent
    list or claim to a present one. `h` is dropped: the entries are no longer those that were chained.

    Raises Differ at the first contradiction, Malformed or Unsupported where either cannot be read.
    """
    first, second = (log if isinstance(log, Log) else parse(log) for log in (one, two))
    document = _header(first, second)
    moves = []
    for index in range(max(len(first.entries), len(second.entries))):
        path = f"moves[{index}]"
        if index >= len(first.entries) or index >= len(second.entries):
            left, right = (log.entries[index].raw if index < len(log.entries) else None for log in (first, second))
            raise Differ(path, left, right, index + 1)
        moves.append(_entry(first.entries[index].raw, second.entries[index].raw, path, index + 1))
    document["moves"] = moves
    return document


def _header(one: Log, two: Log) -> dict[str, Any]:
    left, right = one.header.raw, two.header.raw
    merged: dict[str, Any] = {}
    for key in CHAINED:
        if key in left or key in right:
            merged[key] = _join(left.get(key), right.get(key), key, None)
    for key in ("claimed", "recorded_by", "x"):
        if left.get(key) == right.get(key) and key in left:
            merged[key] = left[key]
        elif key == "claimed" and (key in left or key in right):
            merged[key] = _join(left.get(key), right.get(key), key, None)
    return merged


def _entry(one: Mapping[str, Any], two: Mapping[str, Any], path: str, n: int) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key in sorted({**one, **two}):
        if key == "h":
            continue
        if key == "x":
            merged[key] = one.get(key, two.get(key))
        else:
            merged[key] = _join(one.get(key), two.get(key), f"{path}.{key}", n)
    return merged


def _join(one: Any, two: Any, path: str, n: int | None) -> Any:
    """What both say: the same value, or the one that says more."""
    if one == two and type(one) is type(two):
        return one
    if one is None or one == "?":
        return two
    if two is None or two == "?":
        return one
    if path.endswith(".back"):
        known = _refs(one, two) or _refs(two, one)
        if known:
            return known
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        if path.endswith("main"):  # a list is taken whole: a card missing from one copy of it is a difference
            raise Differ(path, one, two, n)
        return {key: _join(one.get(key), two.get(key), f"{path}.{key}", n) for key in sorted({**one, **two})}
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [_join(a, b, f"{path}[{index}]", n) for index, (a, b) in enumerate(zip(one, two, strict=True))]
    raise Differ(path, one, two, n)


def _refs(one: Any, two: Any) -> list[Any] | None:
    """The refs sent back, where the other log only counted them."""
    return one if isinstance(one, list) and type(two) is int and len(one) == two else None
