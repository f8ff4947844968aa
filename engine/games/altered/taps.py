"""The places that the arguments of a move name by a word: an expedition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def places(
    args: Mapping[str, Any], by: str, board: Mapping[str, Any], kinds: Mapping[str, str]
) -> tuple[list[str], dict[str, Any]]:
    """Return the places that the arguments of a move name, and its other arguments."""
    if args.get("expedition") is None:
        return [], dict(args)
    return [f"{by}/exp_{args['expedition']}"], {key: value for key, value in args.items() if key != "expedition"}


def aims(move: Mapping[str, Any], board: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """Return None: every argument names a place."""
    return None
