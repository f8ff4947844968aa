"""Replacements that disable one rule of Stellar Nexus that computes something.

Each replacement is what the engine would look like if its author had missed that rule. `REPLACED` lists them by rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects.destruction import batch
from engine.core.effects.host import Stack
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.stellar_nexus import mat
from engine.games.stellar_nexus.effects.host import HOST, StellarHost
from engine.games.stellar_nexus.moves import combat, opening, turn
from tests.engine.without import Replacement

REQUISITION, CONFRONT = HOST.steps["requisition"], combat._confront  # the originals: the tests replace them
MOST_CARDS = 7  # a hand limit as other games have it; Stellar Nexus has none (STN-DIV-1)


def _silent(*args: Any) -> None:
    return


def _never(*args: Any) -> bool:
    return False


def _nobody(state: State) -> list[int]:
    return []


def _first_blocker_alone(ctx: Context, met: list[int], left: int) -> bool:
    return not met


def _cancel_but_its_powers(stack: Stack, giver: Any, operation: Any) -> None:
    index = [frame["step"] for frame in stack.frames].index(operation["what"])
    obj = stack.frames.pop(index)["obj"]
    stack.ctx.emit("move", obj, mat.GRAVEYARD[stack.ctx.state.owners[obj]], -1)


def _after_its_powers(stack: Stack, frame: Frame) -> None:
    if stack.frames and stack.frames[-1]["step"] == "powers":
        powers = stack.frames.pop()
        stack.push(frame)
        stack.push(powers)
    else:
        REQUISITION(stack, frame)


def _without_pv(ctx: Context, seat: str) -> None:
    ctx.emit("move", ctx.state.zones[mat.VEILED[seat]][0], mat.HERO[seat], -1)


def _attacker_first(stack: Stack, frame: Frame, blocker: int) -> None:
    left = frame["left"] - mat.endurance(stack.ctx.state, blocker)
    if left < 0:
        CONFRONT(stack, frame, blocker)
        return
    stack.push({**frame, "left": left, "met": [*frame["met"], blocker], "won": True})
    stack.push(batch([blocker], "combat"))


def _with_its_marks(self: StellarHost, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
    mat.bury(stack.ctx, obj)
    return True


def _hand_limit(ctx: Context) -> None:
    for seat in mat.SEATS:
        for obj in ctx.state.zones[mat.HAND[seat]][MOST_CARDS:]:
            ctx.emit("move", obj, mat.GRAVEYARD[seat], -1)


REPLACED: Mapping[str, tuple[Replacement, ...]] = {
    "STN-RSS-3": ((HOST, "plain", {**HOST.plain, "cancel": _cancel_but_its_powers}),),
    "STN-RSS-4": ((HOST, "steps", {**HOST.steps, "requisition": _after_its_powers}),),
    "STN-HER-1": ((opening, "unveil", _without_pv),),
    "STN-CRE-4": ((turn, "restore", _silent),),
    "STN-VIC-2": ((turn.BeginTurn, "dry", _never),),
    "STN-CBT-4": ((combat, "_confront", _attacker_first),),
    "STN-CBT-5": ((combat, "_goes_on", _first_blocker_alone),),
    "STN-CBT-6": ((combat, "hurt", _silent),),
    "STN-CBT-7": ((combat, "engage", _silent),),
    "STN-DIV-1": ((turn, "exile_tokens", _hand_limit),),
    "STN-DIV-2": ((turn, "worn_out", _nobody),),
    "STN-DIV-4": ((StellarHost, "dies", _with_its_marks),),
}
