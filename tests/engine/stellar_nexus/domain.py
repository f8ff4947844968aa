"""Every move that can be written in Stellar Nexus, and a second, deliberately naive reading of its rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.table.game import Move
from engine.core.table.state import State

OTHER = {"A": "B", "B": "A"}
ROWS = ("field", "resources", "equipment")
WORDS = (None, "yes", "1", "2", "3")


def places(state: State, rows: Sequence[str] = ROWS) -> list[str]:
    """Return every place in these rows of both sides, and one place past the end of each row."""
    return [
        f"{seat}/{row}/{n}" for seat in "AB" for row in rows for n in range(1, len(state.zones[f"{seat}/{row}"]) + 2)
    ]


def every_argument(state: State, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move that can be written in a position with these cards, for both seats."""
    for seat, first in itertools.product(("A", "B", "table"), "AB"):
        yield Move(seat, "first_player", {"first": first})
    for seat in "AB":
        yield from (Move(seat, do, {}) for do in ("keep", "mulligan"))
        yield from (Move(seat, "hero", {"card": ref}) for ref in (*refs, "?"))
        yield from (Move(seat, "reveal", {"card": ref}) for ref in refs)
        yield from turn_moves(state, seat, refs)


def turn_moves(state: State, seat: str, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move of a turn that can be written for a seat."""
    fields = places(state, ("field",))
    spots = [*places(state), "A/hero", "B/hero"]
    yield from (Move(seat, do, {}) for do in ("begin_turn", "end_phase", "end_turn"))
    yield from (Move(seat, do, {"done": True}) for do in ("attack", "block"))
    for ref in refs:
        if state.terms.cards[ref].kind == "équipement":
            yield from (Move(seat, "play", {"card": ref, "on": place}) for place in fields)
        else:
            yield Move(seat, "play", {"card": ref})
    yield from (Move(seat, "attack", {"creature": place}) for place in fields)
    pairs = itertools.product(fields, fields)
    yield from (Move(seat, "block", {"creature": one, "attacker": two}) for one, two in pairs)
    yield from (Move(seat, "activate", {"card": place}) for place in spots)
    graves = [f"{owner}/graveyard/{ref}" for owner in "AB" for ref in refs]
    yield from (Move(seat, "answer", {"pick": pick}) for pick in (*WORDS, *spots, *refs, *graves))


def plainly_legal(state: State, shown: dict[str, Any], move: Move) -> bool:
    """Return whether a move of a turn without effects is legal, judged from the board alone (l. 46 to 261)."""
    turn, args = shown["turn"], move.args
    mine = shown["seats"][move.by]
    active, phase = turn["seat"] == move.by, turn["phase"]
    fighting = bool(state.memory.get("attacking"))
    if shown["result"] or move.do in ("answer", "activate"):
        return False
    if move.do == "begin_turn":
        return active and phase == "desengagement"
    if move.do == "end_phase":
        return active and phase in ("pioche", "principale1", "attaque", "principale2") and not fighting
    if move.do == "end_turn":
        return active and phase != "desengagement" and not fighting
    if move.do == "play":
        return _playable(state, move, mine, active, phase)
    over = "fought" in state.memory
    declared = "declared" in state.memory
    if move.do == "attack":
        if not active or phase != "attaque" or over or declared:
            return False
        return fighting if "done" in args else _fresh(state, mine, move.by, args["creature"], ("attacking", "arrived"))
    if active or not declared:
        return False
    if "done" in args:
        return True
    side = f"{OTHER[move.by]}/field"
    row, n = state.zones[side], _number(args["attacker"])
    blocked = args["attacker"].startswith(side) and n <= len(row) and row[n - 1] in state.memory["attacking"]
    return blocked and _fresh(state, mine, move.by, args["creature"], ("blocking",))


def _playable(state: State, move: Move, mine: Any, active: bool, phase: str) -> bool:
    card = state.terms.cards[move.args["card"]]
    held = [other for other in mine["hand"] if other["ref"] == card.ref]
    ready = [other for other in mine["resources"] if not other["marks"].get("engaged")]
    if not held or card.figures["cost"] > len(ready):
        return False
    if card.kind == "éphémère":
        return True
    there = "on" not in move.args or _number(move.args["on"]) <= len(state.zones[move.args["on"].rpartition("/")[0]])
    return active and phase in ("principale1", "principale2") and there


def _number(place: str) -> int:
    return int(place.rpartition("/")[2])


def _fresh(state: State, mine: Any, seat: str, place: str, spent: Sequence[str]) -> bool:
    """Return whether a place holds a creature of this seat that is not engaged and is in none of the notes `spent`."""
    if not place.startswith(f"{seat}/field/") or _number(place) > len(mine["field"]):
        return False
    obj = state.zones[f"{seat}/field"][_number(place) - 1]
    engaged = mine["field"][_number(place) - 1]["marks"].get("engaged")
    return not engaged and not any(obj in state.memory.get(note, ()) for note in spent)
