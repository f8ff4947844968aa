"""Every move that can be written in a position of Altered, and a second, deliberately naive reading of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.table.game import Move
from engine.core.table.state import State

OTHER = {"A": "B", "B": "A"}
SCOUTS = ("E-SCOUT",)  # the cards with a Scout cost
ROWS = ("hero", "exp_heros", "exp_compagnon", "landmarks", "reserve")
WORDS = (None, "yes", "1", "2", "3", "A", "B", "A/exp_heros", "A/exp_compagnon", "B/exp_heros", "B/exp_compagnon")


def places(state: State, rows: Sequence[str] = ROWS) -> list[str]:
    """Return every place in these rows of both sides, and one place past the end of each row."""
    found = ["A/hero", "B/hero"] if "hero" in rows else []
    return found + [
        f"{seat}/{row}/{n}"
        for seat in "AB"
        for row in rows
        if row != "hero"
        for n in range(1, len(state.zones[f"{seat}/{row}"]) + 2)
    ]


def every_argument(state: State, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move that can be written in a position with these cards, for the table and both seats."""
    yield Move("table", "first_player", {})
    yield Move("table", "adventure", {})
    for seat in "AB":
        yield Move(seat, "mana3", {"cards": ["?", "?", "?"]})
        yield from turn_moves(state, seat, refs)


def turn_moves(state: State, seat: str, refs: Sequence[str]) -> Iterator[Move]:
    """Yield every move of a day that can be written for a seat."""
    spots = places(state)
    stored = [name for name in places(state, ("reserve",)) if name.startswith(seat)]
    yield Move(seat, "pass", {})
    yield from (Move(seat, "expand", {"card": card}) for card in (None, "?", *refs))
    for card in (*refs, *stored, *(f"{owner}/discard/{ref}" for owner in "AB" for ref in refs)):
        yield Move(seat, "play", {"card": card})
        yield from (Move(seat, "play", {"card": card, "expedition": name}) for name in ("heros", "compagnon"))
        if card in SCOUTS:
            yield Move(seat, "play", {"card": card, "scout": True})
            yield from (Move(seat, "play", {"card": card, "expedition": name, "scout": True})
                        for name in ("heros", "compagnon"))  # fmt: skip
    standing = [state.refs[obj] for row in ROWS for obj in state.zones[f"{seat}/{row}"]]  # written by their places
    yield from (Move(seat, "quick", {"card": name}) for name in (*spots, *(ref for ref in refs if ref not in standing)))
    yield from (Move(seat, "cleanup", {"card": name}) for name in spots)
    piles = [f"{owner}/discard/{ref}" for owner in "AB" for ref in refs]
    for pick in (*WORDS, *spots, *refs, *piles):
        yield Move(seat, "answer", {"pick": pick})
        if pick is None or "/" not in pick:
            yield from (Move(seat, "react", {"pick": pick and f"{pick}{end}"}) for end in ("", "#1", "#2", "#3"))


def plainly_legal(state: State, shown: dict[str, Any], move: Move) -> bool:
    """Return whether a move of a morning, afternoon or night without effects is legal, judged from the board alone."""
    turn, mine, card = shown["turn"], shown["seats"][move.by], str(move.args.get("card"))
    if shown["result"] or move.do in ("answer", "react", "quick"):
        return False
    if move.do == "cleanup":
        named = state.memory.get("dropped", [])
        left = {seat: len(shown["seats"][seat]["reserve"]) - 2 for seat in "AB"}
        for obj in named:
            left[state.where[int(obj)][0]] -= 1
        due = next((seat for seat in (turn["first"], OTHER[turn["first"]]) if left[seat] > 0), None)
        if turn["phase"] != "nuit" or due != move.by or not card.startswith(f"{move.by}/reserve/"):
            return False
        n = int(card.rpartition("/")[2])
        return n <= len(mine["reserve"]) and state.zones[f"{move.by}/reserve"][n - 1] not in named
    if turn["phase"] == "matin":
        done = state.memory.get("expanded", [])
        if move.do != "expand" or move.by != next(s for s in (turn["first"], OTHER[turn["first"]]) if s not in done):
            return False
        return move.args["card"] is None or card in [held["ref"] for held in mine["hand"]] or (
            card == "?" and bool(mine["hand"] or mine["deck"] or mine["discard"])
        )  # fmt: skip
    if turn["phase"] != "apres-midi" or turn["seat"] != move.by or move.do not in ("play", "pass"):
        return False
    return move.do == "pass" or _playable(state, move, mine, card)


def _playable(state: State, move: Move, mine: dict[str, list[dict[str, str]]], card: str) -> bool:
    stored = "/" in card
    if "/discard/" in card:
        return False  # no card of these positions says that it is played from there
    if stored:
        n = int(card.rpartition("/")[2])
        if n > len(mine["reserve"]):
            return False
        ref = mine["reserve"][n - 1]["ref"]
    else:
        ref = card
        if ref not in [held["ref"] for held in mine["hand"]]:
            return False
    known = state.terms.cards[ref]
    if ("expedition" in move.args) != (known.kind == "personnage"):
        return False
    return known.figures["reserve" if stored else "main"] <= len(mine["mana"])
