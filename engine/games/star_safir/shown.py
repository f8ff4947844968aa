"""What boards show and declared positions say beside the cards: figures in force, what lasts, waiting frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter, values
from engine.core.effects.records import Records
from engine.core.state import State
from engine.games.star_safir.effects import keywords
from engine.games.star_safir.effects.places import ZONES
from engine.games.star_safir.vocabulary import LANGUAGE

FIGURES = ("atk", "val", "def")
RECORDS = Records(LANGUAGE, own=("block", "lock"), areas={"lock": ZONES["territory"]})

# What each step of the agenda holds: those of the core, and the game's own.
FRAMES: Mapping[str, Mapping[str, str]] = {
    **interpreter.FRAMES,
    "fight": {"attackers": "objects", "defender": "object", "against": "text"},
    "calcul": {"seat": "seat"},
    "closing": {"seat": "seat"},
    "passing": {"seat": "seat"},
    "use_up": {"obj": "object"},
    "happens": {"on": "texts", "obj": "object"},
}


def in_force(state: State, obj: int) -> dict[str, Any]:
    """What differs from the printed card: its figures (the printed ones then beside them), its face, what holds it."""
    found: dict[str, Any] = {}
    if not force.quiet(state) and "/fighters/" in state.where[obj] and state.refs[obj] is not None:
        card = state.terms.cards[str(state.refs[obj])]
        now = {key: values.stat(state, obj, key) for key in FIGURES}
        printed = {key: card.figures.get(key) for key in FIGURES}
        if now != printed:
            found = {**now, "printed": printed}
    if state.noted("form", obj):
        found["transformed"] = True
    if force.silenced(state, obj):
        found["silenced"] = True
    if state.lasting and keywords.blocked(state, obj) is not None:
        found["blocked"] = True
    return found
