"""What a replay makes of one log entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from engine.core.table.events import Event
from engine.core.table.log import Entry
from engine.core.text.errors import EngineError, Violation


class Mismatch(NamedTuple):
    """A claim noted at the table that differs from what the replay computes."""

    n: int
    claim: str
    claimed: int | str | None
    computed: int | str | None


class Step(msgspec.Struct, frozen=True):
    """The outcome of one entry.

    - `outcome`: `ok`, `claim_mismatch` or `unverified` (an effect needs a ruling). The others stop the replay:
      `illegal`, `impossible`, `ambiguous`, `malformed`, and `unverified` if a fact is missing (a `Missing` among the
      `violations`).
    - `events`: the atomic events it caused.
    - `violations`: why it was refused.
    - `claims`: the claims that do not match.
    - `doubts`: the refs of cards whose effect was not executed.
    - `error`: why it could not be read.
    """

    n: int
    entry: Entry
    outcome: str
    events: Sequence[Event] = ()
    violations: tuple[Violation, ...] = ()
    claims: tuple[Mismatch, ...] = ()
    doubts: tuple[str, ...] = ()
    error: EngineError | None = None
