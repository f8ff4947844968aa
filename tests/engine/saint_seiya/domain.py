"""Every move that can be written in Saint Seiya, and a second, deliberately naive reading of the rules of its turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from engine.core.table.game import Move
from engine.core.table.state import State
from engine.games.saint_seiya.moves.mat import TERRAIN
from engine.games.saint_seiya.vocabulary import USED_UP

ROWS = ("play", "relics", "marked")


def every_argument(state: State, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move that can be written in a position, for every seat and the table."""
    yield Move("table", "setup", {})
    for seat in state.terms.seats:
        yield Move(seat, "setup", {})
        yield from turn_moves(state, seat, refs)


def turn_moves(state: State, seat: str, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move of a turn that can be written for a seat."""
    yield Move(seat, "end_turn", {})
    slots = (*TERRAIN, f"{seat}/armour")
    for ref in refs:
        yield from (Move(seat, do, {"card": ref}) for do in ("equip", "relic", "discard_hand"))
        yield from (Move(seat, "play", {"card": ref, "facing": slot}) for slot in slots)
    yield from (Move(seat, "engage", {"facing": slot}) for slot in slots)
    there = [*on_table(state, seat), "common/terrain/1"]
    # Groups of up to three cards: `candidates` also offers larger ones, which the tests leave out of the comparison.
    groups = [list(group) for size in range(4) for group in combinations(there, size)]
    for slot in slots:
        for mode in ("force", "cosmos"):
            yield from (Move(seat, "acquire", {"card": slot, "by": mode, "with": group}) for group in groups)
    for name in there:
        yield from (Move(seat, "effect", {"card": name, "effect": effect}) for effect in USED_UP)
        for other in state.terms.seats:
            for on in on_table(state, other):
                for token in ("wound", "frost"):
                    yield Move(seat, "heal", {"with": name, "on": on, "token": token})
    picks = (None, "yes", "1", "2", *state.terms.seats, *there, *refs, *TERRAIN, *named(state))
    others = [name for other in state.terms.seats if other != seat for name in on_table(state, other)]
    yield from (Move(seat, "answer", {"pick": pick}) for pick in dict.fromkeys((*picks, *others)))


def on_table(state: State, seat: str) -> list[str]:
    """Return the places of the cards that a seat has on the table, in the order in which `candidates` lists them."""
    worn = [f"{seat}/armour"] if state.zones[f"{seat}/armour"] else []
    rows = {row: [f"{seat}/{row}/{n + 1}" for n in range(len(state.zones[f"{seat}/{row}"]))] for row in ROWS}
    return [*rows["play"], *worn, *rows["relics"], *rows["marked"]]


def named(state: State) -> list[str]:
    """Return an answer for every card of the catalogue in every pile, every hand and the reserve."""
    piles = [
        f"{seat}/{zone}" for seat in state.terms.seats for zone in ("hand", "discard", "aside", "destroyed", "deck")
    ]
    return [
        f"{path}/{ref}" for path in ("common/reserve_discard", "common/reserve", *piles) for ref in state.terms.cards
    ]


def plainly_legal(state: State, shown: dict[str, Any], move: Move) -> bool:
    """Return whether a move of a turn is legal, judged from the board alone under the default interpretations.

    Effects of cards are not considered.
    """
    turn, args = shown["turn"], move.args
    if shown["result"] or turn["seat"] != move.by or turn["phase"] not in ("principale", "entretien"):
        return False
    mine, terrain = shown["seats"][move.by], shown["common"]["terrain"]
    held = [card["ref"] for card in mine["hand"]]
    if move.do == "end_turn":
        return True
    if move.do == "discard_hand":
        return args["card"] in held
    if turn["phase"] != "principale":
        return False
    if move.do in ("play", "equip", "relic"):
        wanted = {"play": ("héros", "personnage"), "equip": ("armure", "armure de bronze"), "relic": ("relique",)}
        fits = state.terms.cards[args["card"]].kind in wanted[move.do] and args["card"] in held
        return fits and (move.do != "play" or _priced(state, args["facing"], terrain))
    if move.do == "engage":
        return bool(mine["armour"]) and _priced(state, args["facing"], terrain) and mine["armour"].get("on") != args[
            "facing"]  # fmt: skip
    return move.do == "acquire" and _bought(state, move, mine, terrain)


def _priced(state: State, slot: str, terrain: Sequence[Any]) -> bool:
    """Return whether a slot of the terrain holds a card with a cost: others cannot be confronted (SSD-COU-3)."""
    card = terrain[int(slot[-1]) - 1] if slot in TERRAIN else None
    return bool(card) and any(key.startswith("cost") for key in state.terms.cards[card["ref"]].figures)


def _bought(state: State, move: Move, mine: dict[str, Any], terrain: Sequence[Any]) -> bool:
    """Return whether the named cards can acquire the card of the slot.

    They must face it, be unused and together reach its printed cost, which is 1 less in the last slot but at least 1.
    """
    slot, mode, value = move.args["card"], move.args["by"], 0
    card = terrain[int(slot[-1]) - 1] if slot in TERRAIN else None
    cost = None if not card else state.terms.cards[card["ref"]].figures.get(f"cost_{mode}")
    for name in move.args["with"]:
        zone, _, number = name.removeprefix(f"{move.by}/").partition("/")
        row = mine.get(zone) if name.startswith(f"{move.by}/") and zone in ("play", "armour") else None
        used = row[int(number) - 1] if isinstance(row, list) else row
        if not used or used.get("on") != slot or used["marks"].get("used"):
            return False
        value += state.terms.cards[used["ref"]].figures.get(mode, 0)
    return cost is not None and bool(move.args["with"]) and value >= max(1, cost - (slot == TERRAIN[-1]))
