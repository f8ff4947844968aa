"""Random games that several tests of a process look at: each is played once."""

from __future__ import annotations

import json
from typing import Any

from engine.core import selfplay
from engine.core.cards import Catalog

_played: dict[tuple[object, ...], str] = {}


def a_game(game: str, seed: int | str, **given: Any) -> dict[str, Any]:
    """What `selfplay.play` gives for the same arguments, as a log of the caller's own."""
    key = (game, seed, *((name, _described(value)) for name, value in sorted(given.items())))
    if key not in _played:
        _played[key] = json.dumps(selfplay.play(game, seed, **given))
    found: dict[str, Any] = json.loads(_played[key])
    return found


def _described(value: object) -> str:
    return f"{value.id} {value.sha256}" if isinstance(value, Catalog) else repr(value)
