"""What boards show, and declared positions state, besides cards: figures in force, lasting effects, pending frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter, values
from engine.core.effects.records import Records
from engine.core.table.state import State
from engine.games.saint_seiya.effects import host
from engine.games.saint_seiya.vocabulary import COSMOS, FORCE, LANGUAGE, OPENED, SOIN

RECORDS = Records(LANGUAGE, own=tuple(OPENED.values()))

# The fields of each step of the agenda, with their kinds (`table.naming`): the steps of the core, then this game's.
FRAMES: Mapping[str, Mapping[str, str]] = {**interpreter.FRAMES, **host.FRAMES}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """Return the values in force, with the `printed` ones next to them; empty if nothing differs."""
    card = state.card(obj)
    if card is None or force.quiet(state):
        return {}
    printed = {name: card.figures.get(name, 0) for name in (FORCE, COSMOS, SOIN)}
    now = {name: values.stat(state, obj, name) for name in printed}
    return {**now, "printed": printed} if now != printed else {}
