"""Prices: orbs, exhausting or discarding the card itself, counters, cards of the Reserve or the hand, sacrifices.

A price is a number of orbs or a mapping of parts: `mana`, `exhaust` (the card itself), `counters` (of the card),
`discard` (cards of the Reserve), `shelve` (cards of the hand that go to the Reserve) and `sacrifice` (what a selector
reaches). All of it is paid at once (ALT-1.2.5.d) or not at all (ALT-1.2.5.c).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.effects import values
from engine.core.effects.host import Source, Stack
from engine.core.effects.triggers import doing
from engine.core.table.agenda import Frame
from engine.core.table.state import State
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import DISCARD, EPUISE, HAND, MANA, RESERVE, depart, give, pay
from engine.games.altered.vocabulary import COUNTERS


def parts(price: Any) -> Mapping[str, Any]:
    """Return a price as a mapping of its parts."""
    return {"mana": price} if isinstance(price, int) else price


def orbs(price: Any) -> int:
    """Return how many orbs are part of a price."""
    return price if isinstance(price, int) else int(price.get("mana", 0))


def payable(state: State, giver: Source, price: Any) -> bool:
    """Return whether the player of an effect can pay all of a price now."""
    return orbs(price) <= len(state.zones[MANA[giver.seat]]) and others_payable(state, giver, price)


def others_payable(state: State, giver: Source, price: Any) -> bool:
    """Return whether the player of an effect can pay the parts of a price that are no orbs."""
    if isinstance(price, int):
        return True
    due = parts(price)
    if due.get("exhaust") and (state.where[giver.obj] not in HOST.in_play or state.mark(giver.obj, EPUISE)):
        return False
    if due.get("counters", 0) > state.mark(giver.obj, COUNTERS):
        return False
    if due.get("discard", 0) > len(state.zones[RESERVE[giver.seat]]):
        return False
    if due.get("shelve", 0) > len(state.zones[HAND[giver.seat]]):
        return False
    given = due.get("sacrifice")
    return given is None or values.count(state, giver, _bare(given)) >= given.get("take", 1)


def _bare(selector: Tree) -> Tree:
    return {key: value for key, value in selector.items() if key != "take"}


def charge(stack: Stack, giver: Source, price: Any) -> None:
    """Pay a price; its player then chooses the cards that are part of it."""
    due, ops = parts(price), []
    if orbs(price):
        pay(stack.ctx, giver.seat, orbs(price))
    if due.get("exhaust"):
        give(stack.ctx, giver.obj, EPUISE)
    if due.get("counters"):
        stack.ctx.emit("mark", giver.obj, COUNTERS, -due["counters"])
    if due.get("discard"):
        ops.append({"op": "destroy", "of": {"zone": "reserve", "take": due["discard"]}})
    if due.get("shelve"):
        ops.append({"op": "to_reserve", "n": due["shelve"]})
    if due.get("sacrifice") is not None:
        ops.append({"op": "sacrifice", "of": due["sacrifice"]})
    if ops:
        stack.push(doing(giver, ops))


def _price(stack: Stack, frame: Frame) -> None:
    """Pay for a quick action: its price in play, the card itself from the Reserve."""
    giver, ability = Source(*frame["src"]), frame["ability"]
    if stack.ctx.state.where[giver.obj] in RESERVE.values():
        depart(stack, giver.obj, DISCARD[stack.ctx.state.owners[giver.obj]])
    else:
        charge(stack, giver, frame["cost"] or ability.get("cost", {"exhaust": True}))


# The fields of each frame as a declared position writes them. `cost` is the printed one in orbs, 0 for another price.
FRAMES: Mapping[str, Mapping[str, str]] = {"price": {"src": "source", "ability": "ability", "cost": "number"}}
HOST.steps["price"] = _price
