"""Random games shared by the tests of a process, so that each is played only once."""

from __future__ import annotations

import json
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.replay import selfplay

# Kept as JSON text, so that every caller gets a document of its own.
_played: dict[tuple[object, ...], str] = {}


def a_game(game: str, seed: int | str, **given: Any) -> dict[str, Any]:
    """Return the log of `selfplay.play` for these arguments, cached.

    Each call returns a new document, which the caller may change.
    """
    key = (game, seed, *((name, _described(value)) for name, value in sorted(given.items())))
    if key not in _played:
        _played[key] = json.dumps(selfplay.play(game, seed, **given))
    found: dict[str, Any] = json.loads(_played[key])
    return found


def _described(value: object) -> str:
    return f"{value.id} {value.sha256}" if isinstance(value, Catalog) else repr(value)
