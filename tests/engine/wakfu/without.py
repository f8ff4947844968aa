"""Replacements that disable one rule of Wakfu that computes something.

Each replacement is what the engine would look like if its author had missed that rule. `REPLACED` lists them by rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from engine.core.cards import lint
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.wakfu.moves import combat, mat

Replacement = tuple[ModuleType | type, str, Any]
STRENGTH = mat.strength  # the original, kept because the tests replace the attribute


def _nobody(ctx: Context, totals: mat.Totals) -> str | None:
    return None


def _to_the_victor(ctx: Context, obj: int) -> None:
    mat.unmark(ctx, obj, *mat.MARKS)
    ctx.emit("move", obj, f"{mat.OTHER[ctx.state.owners[obj]]}/discard", -1)


def _without_the_leader(state: State, objs: Sequence[int]) -> int:
    return STRENGTH(state, [obj for obj in objs if state.where[obj] not in mat.LEADER.values()])


def _no_problem(*args: Any) -> list[Any]:
    return []


REPLACED: Mapping[str, tuple[Replacement, ...]] = {
    "WAK-6-1": ((combat, "winner", _nobody),),
    "WAK-6-4": ((combat, "destroy", _to_the_victor),),
    "WAK-CHA-2": ((lint, "_card_problems", _no_problem),),
    "WAK-CAR-PATT": ((mat, "strength", _without_the_leader),),
}
