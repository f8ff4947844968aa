"""What boards show and declared positions say beside the cards: figures in force, what lasts, waiting frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter, values
from engine.core.effects.records import Records
from engine.core.state import State
from engine.games.saint_seiya.effects import host
from engine.games.saint_seiya.vocabulary import COSMOS, FORCE, LANGUAGE, SOIN

RECORDS = Records(LANGUAGE)

# What each step of the agenda holds: those of the core, and the game's own.
FRAMES: Mapping[str, Mapping[str, str]] = {**interpreter.FRAMES, **host.FRAMES}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """What differs from the printed card: its values, the printed ones then beside them."""
    card = state.card(obj)
    if card is None or force.quiet(state):
        return {}
    printed = {name: card.figures.get(name, 0) for name in (FORCE, COSMOS, SOIN)}
    now = {name: values.stat(state, obj, name) for name in printed}
    return {**now, "printed": printed} if now != printed else {}
