"""Wakfu without one of its rules: what a reader who missed a rule that computes something would have written."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from engine.core import lint
from engine.core.context import Context
from engine.core.state import State
from engine.games.wakfu.moves import combat, mat

Replacement = tuple[ModuleType | type, str, Any]
TOTAL = mat.total  # the real one, under a name that nothing replaces


def _nobody(ctx: Context) -> str | None:
    return None


def _to_the_victor(ctx: Context, obj: int) -> None:
    mat.unmark(ctx, obj, *mat.MARKS)
    ctx.emit("move", obj, f"{mat.OTHER[ctx.state.owners[obj]]}/discard", -1)


def _without_the_leader(state: State, seat: str, *, other: bool = False) -> int:
    led = [obj for obj in mat.declared(state, seat) if state.where[obj] == mat.LEADER[seat]]
    return TOTAL(state, seat, other=other) - sum(mat.figure(state, obj, "patt") for obj in led)


def _no_problem(*args: Any) -> list[Any]:
    return []


REPLACED: Mapping[str, tuple[Replacement, ...]] = {
    "WAK-6-1": ((combat, "winner", _nobody),),
    "WAK-6-4": ((combat, "destroy", _to_the_victor),),
    "WAK-CHA-2": ((lint, "_card_problems", _no_problem),),
    "WAK-CAR-PATT": ((combat, "total", _without_the_leader),),
}
