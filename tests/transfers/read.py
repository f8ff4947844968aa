"""Reads files in tests, and says in short what was read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tournaments.common.refusals import InvalidInput
from tournaments.transfers.brought import Brought, BroughtMatch
from tournaments.transfers.reading import read, recognized


def brought(data: bytes | object) -> Brought:
    """What a file holds, after its format was recognized; anything but bytes is written as JSON."""
    made = data if isinstance(data, bytes) else json.dumps(data).encode()
    return read(made, recognized(made))


def refused(data: bytes | object, format: str) -> str:
    """The sentence with which a file of this format is refused."""
    made = data if isinstance(data, bytes) else json.dumps(data).encode()
    with pytest.raises(InvalidInput) as raised:
        read(made, format)
    assert raised.value.code == "transfer_unreadable"
    return str(raised.value.message)


def short(match: BroughtMatch) -> tuple[Any, ...]:
    """The seats, the games and the kind of a match."""
    return (*match.seats, match.games, match.kind)


def lost(found: Brought) -> dict[str, int]:
    """How often each thing was not read."""
    return {each.code: each.count for each in found.lost}
