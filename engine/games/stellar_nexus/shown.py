"""What boards and declared positions add to the printed cards: figures in force, lasting effects, waiting frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter
from engine.core.effects.records import Records
from engine.core.table.state import State
from engine.games.stellar_nexus.mat import on_field, stat
from engine.games.stellar_nexus.vocabulary import LANGUAGE

RECORDS = Records(LANGUAGE)
FIGURES = ("atk", "end")

# The fields of each frame of the agenda, as a declared position writes them; "?" marks an optional one.
FRAMES: Mapping[str, Mapping[str, str]] = {
    **interpreter.FRAMES,
    "pay": {"by": "seat", "left": "number", "paid": "objects", "effect": "frame", "quick": "flag"},
    "powers": {"by": "seat", "dissonant": "objects", "attuned": "objects"},
    "requisition": {"obj": "object", "by": "seat", "on": "object?"},
    "spent": {"obj": "object"},
    "ability": {"obj": "object", "by": "seat", "src": "source"},
    "fight": {"seat": "seat"},
    "clash": {"seat": "seat", "attacker": "object", "met": "objects", "left": "number?", "won": "flag?"},
    "fought": {},
    "wither": {"late": "flag?"},
    "wilt": {},
    "turn_ends": {"seat": "seat"},
    "phase": {"phase": "text"},
    "turn_over": {"seat": "seat"},
    "turn_starts": {"seat": "seat"},
}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """Return what differs from the printed card: changed figures beside the printed ones, and silence."""
    card = state.card(obj)
    found: dict[str, Any] = {}
    if card is not None and on_field(state, obj):
        now = {key: stat(state, obj, key) for key in FIGURES}
        printed = {key: card.figures.get(key, 0) for key in FIGURES}
        found = {**now, "printed": printed} if now != printed else {}
    return {**found, "silenced": True} if force.silenced(state, obj) else found
