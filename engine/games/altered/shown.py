"""What boards and declared positions add to the printed cards: figures in force, lasting effects, waiting frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter, values
from engine.core.effects.records import Records
from engine.core.table.state import State
from engine.games.altered.effects import declared, operations, prices
from engine.games.altered.mat import HALT, STEPS
from engine.games.altered.moves import play
from engine.games.altered.vocabulary import LANGUAGE, TYPES

RECORDS = Records(LANGUAGE, own=(HALT,), areas={HALT: tuple(STEPS.values())})
# Frames without fields: the steps of a day, and the laying of the Tumult cards.
MOMENTS = (
    "turn_over", "dawn", "prepare", "morning", "noon", "afternoon", "dusk", "advance", "tidy", "over",
    "lay",
)  # fmt: skip
FRAMES: Mapping[str, Mapping[str, str]] = {
    **interpreter.FRAMES,
    **declared.FRAMES,
    **operations.FRAMES,
    **play.FRAMES,
    **prices.FRAMES,
    **{name: {} for name in MOMENTS},
    **{name: {"late": "frames?"} for name in ("night", "rest")},
}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """Return what differs from the printed card: changed statistics beside the printed ones, and silence."""
    card = state.card(obj)
    if card is None:
        return {}
    printed = {name: card.figures[name] for name in TYPES if name in card.figures}
    now = {name: values.stat(state, obj, name) for name in printed}
    found: dict[str, Any] = {**now, "printed": printed} if now != printed else {}
    return {**found, "silenced": True} if force.silenced(state, obj) else found
