"""Merge two logs of the same game, each kept by one player, into one.

A player writes "?" for cards they did not see. Merging fills in what the other player noted, and stops at the first
point where the two logs contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import EngineError
from engine.core.log import CHAINED, Log, parse
from engine.core.replay import LogSource

ABSENT = object()  # of a key that a log does not have: null is a value of its own


class Differ(EngineError):
    """The two logs contradict each other.

    `path` is the first place where they do, `one` and `two` are the values found there.
    """

    verdict = "undetermined"

    def __init__(self, path: str, one: object, two: object, n: int | None = None) -> None:
        super().__init__("logs_differ", "the two logs do not tell the same game", path=path, n=n)
        self.one = one
        self.two = two


def merge(one: LogSource, two: LogSource) -> dict[str, Any]:
    """Merge two logs of one game and return the merged log as JSON values.

    Where one log knows less than the other, the better-informed value wins: a ref over "?", the refs of cards sent back
    over their number, a decklist or claim that is present over one that is absent. If A noted a draw as
    `["DEMO-SAF-001", "?"]` and B as `["?", "?"]`, the merged entry has `["DEMO-SAF-001", "?"]`. The hash chain (`h`) is
    dropped, because the merged entries are not the ones that were hashed.

    Raises Differ at the first contradiction, Malformed or Unsupported if either log cannot be read.
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
            merged[key] = _join(left.get(key, ABSENT), right.get(key, ABSENT), key, None)
    # These keys are not part of the game: who kept the log may differ, the claimed result may not.
    for key in ("claimed", "recorded_by", "x"):
        if left.get(key) == right.get(key) and key in left:
            merged[key] = left[key]
        elif key == "claimed" and (key in left or key in right):
            merged[key] = _join(left.get(key, ABSENT), right.get(key, ABSENT), key, None)
    return merged


def _entry(one: Mapping[str, Any], two: Mapping[str, Any], path: str, n: int) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key in sorted({**one, **two}):
        if key == "h":
            continue
        if key == "x":
            merged[key] = one.get(key, two.get(key))
        else:
            merged[key] = _join(one.get(key, ABSENT), two.get(key, ABSENT), f"{path}.{key}", n)
    return merged


def _join(one: Any, two: Any, path: str, n: int | None) -> Any:
    """Merge two values of one key: equal values, or the one that says more. Raises Differ for a contradiction."""
    if one == two and type(one) is type(two):
        return one
    if _says_nothing(one, path):
        return two
    if _says_nothing(two, path):
        return one
    if path.endswith(".back"):  # a mulligan notes the cards sent back, or only their number
        known = _refs(one, two) or _refs(two, one)
        if known:
            return known
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        if path.endswith("main"):  # decklists are not merged card by card: a card missing from one is a contradiction
            raise Differ(path, one, two, n)
        keys = sorted({**one, **two})
        return {key: _join(one.get(key, ABSENT), two.get(key, ABSENT), f"{path}.{key}", n) for key in keys}
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [_join(a, b, f"{path}[{index}]", n) for index, (a, b) in enumerate(zip(one, two, strict=True))]
    raise Differ(path, one, two, n)


def _says_nothing(value: Any, path: str) -> bool:
    """Whether a value leaves open what the other log may say. A null argument declines, a null winner is a draw."""
    return value is ABSENT or value == "?" or (value is None and not (".args." in path or path == "claimed.winner"))


def _refs(one: Any, two: Any) -> list[Any] | None:
    """Return `one` if it lists the cards that `two` only counts, else None."""
    return one if isinstance(one, list) and type(two) is int and len(one) == two else None
