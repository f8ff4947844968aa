"""Every move that can be written in Star Safir, and a second, deliberately naive reading of the rules of its turn.

The tests compare both with `candidates` and `check`: an engine tested only against itself would confirm its mistakes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.table.game import Move
from engine.core.table.state import State

THREE = (1, 2, 3)
PICKS: tuple[str | None, ...] = (None, "yes", "1", "2", "3", "Seconde Vie", "Vol vie")


def every_argument(refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move that can be written with these cards, for both seats, in any position."""
    for seat in "AB":
        yield Move(seat, "keep", {})
        yield from (Move(seat, "mulligan", {"back": back}) for back in range(7))
        yield from (Move(seat, "commander", {"card": ref}) for ref in (*refs, None))
        yield from turn_moves(seat, refs)
    yield Move("table", "first_player", {})
    yield Move("A", "first_player", {})


def turn_moves(seat: str, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move of a turn that can be written for a seat."""
    yield Move(seat, "begin_turn", {})
    yield Move(seat, "end_turn", {})
    yield Move(seat, "activate", {})
    yield from (Move(seat, "answer", {"pick": pick}) for pick in (*PICKS, *refs, *places(refs)))
    for territory, slot in itertools.product(THREE, THREE):
        yield Move(seat, "play", {"card": "?", "face": "down", "territory": territory, "slot": slot})
        yield from (Move(seat, "reveal", {"territory": territory, "slot": slot, "card": ref}) for ref in refs)
    for ref, territory, slot in itertools.product(refs, THREE, THREE):
        yield Move(seat, "play", {"card": ref, "territory": territory, "slot": slot})
    for territory, slot in itertools.product(THREE, THREE):
        yield Move(seat, "sacrifice", {"territory": territory, "slot": slot})
        for to, to_slot in itertools.product(THREE, THREE):
            yield Move(seat, "move", {"territory": territory, "slot": slot, "to": to, "to_slot": to_slot})
    groups = [list(group) for size in THREE for group in itertools.combinations(THREE, size)]
    for territory, group, target in itertools.product(THREE, groups, THREE):
        yield Move(seat, "attack", {"territory": territory, "attackers": group, "target": target})


def places(refs: Sequence[str]) -> Iterator[str]:
    """Yield every place and card on the board that an answer can name."""
    for seat, t in itertools.product("AB", THREE):
        yield f"{seat}/T{t}"
        yield from (f"{seat}/T{t}/{row}/{slot}" for row in ("fighters", "magics") for slot in THREE)
        yield from (f"{seat}/T{t}/discard/{ref}" for ref in refs)
    yield from ("A/commander", "B/commander")


def plainly_legal(state: State, shown: dict[str, Any], move: Move) -> bool:
    """Return whether a move of a turn is legal, judged from the board alone under the default interpretations.

    Follows lines 136 to 174 of the rule text. `shown` is the judge's board; effects of cards are not considered.
    """
    turn, args = shown["turn"], move.args
    mine, theirs = shown["seats"][move.by], shown["seats"]["B" if move.by == "A" else "A"]
    if shown["result"] or turn["seat"] != move.by:
        return False
    if move.do == "begin_turn":
        return bool(turn["phase"] == "lancement")
    if move.do == "end_turn":
        return turn["phase"] in ("invocation", "combat")
    if move.do in ("move", "activate", "answer", "reveal") or "face" in args:
        return False  # legal only through effects
    land: dict[str, Any] = mine[f"T{args['territory']}"]
    if move.do == "attack":
        target = theirs[f"T{args['territory']}"]["fighters"][args["target"] - 1]
        fresh = [_fresh(state, move.by, args["territory"], slot) for slot in args["attackers"]]
        return turn["phase"] in ("invocation", "combat") and target is not None and all(fresh)
    if turn["phase"] != "invocation":
        return False
    if move.do == "sacrifice":
        return None not in land["fighters"]
    card = state.terms.cards[args["card"]]
    slots = land["magics"] if card.kind == "magie" else land["fighters"]
    held = [other for other in mine["hand"] if other["ref"] == card.ref]
    price = card.figures.get("cost", card.figures.get("val"))
    return bool(held) and slots[args["slot"] - 1] is None and card.kind != "commandant" and (price or 0) <= mine["pi"]


def _fresh(state: State, seat: str, territory: int, slot: int) -> bool:
    """Return whether a slot holds a fighter that has not attacked this turn."""
    there = state.zones[f"{seat}/T{territory}/fighters/{slot}"]
    return bool(there) and there[0] not in state.memory.get("attacked", [])
