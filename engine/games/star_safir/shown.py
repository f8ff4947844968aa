"""What boards show, and declared positions state, besides cards: figures in force, lasting effects, pending frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import force, interpreter, values
from engine.core.effects.records import Records
from engine.core.table.state import State
from engine.games.star_safir.effects import keywords
from engine.games.star_safir.effects.places import ZONES
from engine.games.star_safir.vocabulary import LANGUAGE

FIGURES = ("atk", "val", "def")
RECORDS = Records(LANGUAGE, own=("block", "lock"), areas={"lock": ZONES["territory"]})

# The fields of each step of the agenda, with their kinds (`table.naming`): the steps of the core, then this game's.
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
    """Return what differs from the printed card; empty if nothing does.

    Keys: `atk`, `val` and `def` with the `printed` ones next to them, `transformed`, `silenced`, `blocked`.
    """
    found: dict[str, Any] = {}
    # Fighter slots only: the figures of a magic do not count once it is in play (SAF-VI.4-2).
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
