"""Replacements that disable one rule of Saint Seiya that computes something.

Each replacement is what the engine would look like if its author had missed that rule. `REPLACED` lists them by rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.table.state import State
from engine.core.text.errors import Violation
from engine.games.saint_seiya import scoring
from engine.games.saint_seiya.effects import host, operations
from engine.games.saint_seiya.moves import acquire, maintenance, mat, play, prices

Replacement = tuple[Any, str, Any]
TABLE = host.host(("A", "B"))
ALLOWED, HURT = host.SeiyaHost.allowed, acquire.Heal.hurt  # the originals: the tests replace the attributes


def _to_nobody(stack: Any, obj: int, seat: str, to: str) -> None:
    mat.put(stack, obj, mat.GONE)


def _even_own(self: Any, state: State, giver: Any, operation: Any, pool: list[str], got: Any) -> list[str]:
    return pool


def _own_alone(self: Any, state: State, giver: Any, operation: Any, pool: list[str], got: Any) -> list[str]:
    found = ALLOWED(self, state, giver, operation, pool, got)
    return found if operation["op"] == "acquire" else [option for option in found if option[0] == giver.seat]


def _hurt_of_ones_own(self: Any, state: State, name: str, token: str) -> list[Violation]:
    strange = [] if name[0] == state.seat else [Violation("SSD-SOI-1", {"card": name})]
    return HURT(self, state, name, token) + strange


def _always(stack: Any, frame: Any) -> None:
    for one in mat.own_effect(stack.ctx.state, frame["obj"], frame["seat"], "mise_en_jeu"):
        stack.push(one)


def _silent(*args: Any) -> list[Any]:
    return []


def _without_its_exit(stack: Any, obj: int) -> None:
    mat.count_out(stack.ctx, obj)
    mat.put(stack, obj, mat.GONE)


def _up_to_five(ctx: Any, seat: str, count: int) -> None:
    for obj in ctx.state.zones[f"{seat}/hand"][5:]:
        ctx.emit("move", obj, f"{seat}/discard", -1)


def _kept(stack: Any, obj: int, path: str) -> None:
    return


def _price_below_one(state: State, obj: int, mode: str, engaged: Sequence[int] = ()) -> int | None:
    card = state.card(obj)
    base = None if card is None else card.figures.get(acquire.COSTS[mode])
    return (
        None if base is None else mat.values.price(state, base - prices.rebate(state, obj), mat.force.seen(state, obj))
    )


def _by_rank(static: Mapping[str, Any], card: Any) -> bool:
    return static.get("class") == card.words.get("rank")


REPLACED: Mapping[str, tuple[Replacement, ...]] = {
    "SSD-ACQ-1": ((acquire, "acquire", _to_nobody), (operations, "acquire", _to_nobody)),
    "SSD-ACQ-2": ((host.SeiyaHost, "allowed", _even_own),),
    "SSD-SOI-2": ((acquire.Heal, "hurt", _hurt_of_ones_own),),
    "SSD-EFF-2": ((TABLE, "steps", {**TABLE.steps, "mise_en_jeu": _always}),),
    "SSD-EFF-4": ((host.SeiyaHost, "allowed", _own_alone),),
    "SSD-EFF-5": ((mat, "own_effect", _silent),),
    "SSD-TER-1": ((mat, "own_effect", _silent),),
    "SSD-MAIN-1": ((maintenance, "draw", _up_to_five),),
    "SSD-DEF-1": ((operations, "IN_PLAY", ()),),
    "SSD-RET-1": ((operations, "remove", _without_its_exit),),
    "SSD-COM-1": ((maintenance, "TERRAIN", mat.TERRAIN[::-1]),),
    "SSD-EQU-1": ((play, "put", _kept),),
    "SSD-CBT-1": ((acquire, "DESTINATION", {"force": "hand", "cosmos": "discard"}),),
    "SSD-COU-2": ((acquire, "price", _price_below_one),),
    "SSD-CLA-1": ((scoring, "fits", _by_rank),),
    "SSD-OR-1": ((mat, "FLAMME", "-"),),
    "SSD-GD-1": ((mat, "SAPHIR", "-"),),
}
