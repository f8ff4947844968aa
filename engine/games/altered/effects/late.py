"""Where the choice of each target falls in an effect whose targets are chosen as it resolves.

By the Complete Rules of 2025, a target is chosen just before the first step that reaches it (1.2.6.c, 6.1.g), and only
if that step happens: inside the branch of an optional or conditional step (6.5.c, 6.5.d).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.abilities.language import Tree

# The keys under which operations hold others that may not happen.
BRANCHES = {"may": ("do",), "if": ("do", "else"), "roll": ("do", "else"), "seq": ("do",)}


def with_choices(operations: Sequence[Tree], targets: Sequence[Tree], base: int = 0) -> list[Tree]:
    """Return the operations with a `target` operation before the first that reaches each target.

    The targets are numbered from `base` + 1. Nobody chooses a target that no operation reaches.

    >>> done = with_choices([{"op": "draw", "n": 1}, {"op": "anchor", "of": {"target": 1}}], [{"side": "own"}])
    >>> [operation["op"] for operation in done]
    ['draw', 'target', 'anchor']
    """
    found = list(operations)
    for number, aim in reversed(list(enumerate(targets, base + 1))):
        found = _placed(found, number, aim)
    return found


def last_target(operations: Sequence[Tree]) -> int:
    """Return the highest number of a target that operations reach, 0 if they reach none."""
    return max((number for operation in operations for number in _reached(operation)), default=0)


def _placed(operations: Sequence[Tree], number: int, aim: Tree) -> list[Tree]:
    """Return the operations with the choice of one target."""
    where = [index for index, operation in enumerate(operations) if number in _reached(operation)]
    if not where:
        return list(operations)
    first, operation = where[0], operations[where[0]]
    branches = BRANCHES.get(operation["op"], ())
    around = {key: value for key, value in operation.items() if key not in branches}
    if len(where) == 1 and branches and number not in _reached(around):
        inside = {key: _placed(operation[key], number, aim) for key in branches if key in operation}
        return [*operations[:first], {**operation, **inside}, *operations[first + 1 :]]
    return [*operations[:first], {"op": "target", "number": number, "targets": [aim]}, *operations[first:]]


def _reached(tree: Any) -> Iterator[int]:
    """Yield the numbers of the targets that a part of an effect reaches."""
    if isinstance(tree, dict):
        if isinstance(tree.get("target"), int):
            yield tree["target"]
        for value in tree.values():
            yield from _reached(value)
    elif isinstance(tree, list):
        for item in tree:
            yield from _reached(item)
