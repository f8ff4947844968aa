"""What boards and declared positions add to the printed cards: figures in force, lasting effects, waiting frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter
from engine.core.effects.records import Records
from engine.core.table.state import State
from engine.games.wakfu.moves.mat import figure
from engine.games.wakfu.vocabulary import LANGUAGE, VOCABULARY

RECORDS = Records(LANGUAGE)

# The fields of each frame of the agenda, as a declared position writes them; "?" marks an optional one.
FRAMES: Mapping[str, Mapping[str, str]] = {
    **interpreter.FRAMES,
    "reward": {"seat": "text", "objs": "objects", "drops": "numbers"},
    "pass_turn": {"seat": "seat"},
    "second": {"obj": "object", "by": "seat", "on": "seat"},
}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """Return what differs from the printed card: changed figures beside the printed ones, and silence."""
    card = state.card(obj)
    if card is None:
        return {}
    names = VOCABULARY.kinds[card.kind]
    # The PV of a leader are a counter, which boards show by itself.
    now = {name: figure(state, obj, name) for name in names if name != "pv"}
    printed = {name: card.figures[name] for name in now}
    found: dict[str, Any] = {**now, "printed": printed} if now != printed else {}
    return {**found, "silenced": True} if force.silenced(state, obj) else found
