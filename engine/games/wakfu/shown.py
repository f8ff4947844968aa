"""What boards show and declared positions say beside the cards: figures in force, what lasts, waiting frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter
from engine.core.effects.records import Records
from engine.core.state import State
from engine.games.wakfu.moves.mat import figure
from engine.games.wakfu.vocabulary import LANGUAGE, VOCABULARY

RECORDS = Records(LANGUAGE)

# What each step of the agenda holds: those of the core, and the game's own.
FRAMES: Mapping[str, Mapping[str, str]] = {
    **interpreter.FRAMES,
    "reward": {"seat": "text", "objs": "objects", "drops": "numbers"},
    "pass_turn": {"seat": "seat"},
    "second": {"obj": "object", "by": "seat", "on": "seat"},
}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """What differs from the printed card: its figures, the printed ones then beside them; whether it is silenced."""
    card = state.card(obj)
    if card is None:
        return {}
    names = VOCABULARY.kinds[card.kind]
    now = {name: figure(state, obj, name) for name in names if name != "pv"}
    printed = {name: card.figures[name] for name in now}
    found: dict[str, Any] = {**now, "printed": printed} if now != printed else {}
    return {**found, "silenced": True} if force.silenced(state, obj) else found
