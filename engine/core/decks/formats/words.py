"""The words of the decklist readers, from `phrases.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def data() -> dict[str, Any]:
    """Return the words: headers, columns of tables, sites, and the messages for faults and notes."""
    return tomllib.loads(files("engine.core.decks").joinpath("phrases.toml").read_text(encoding="utf-8"))
