"""Recorded draws and hidden hands: which cards they can be, given the registered list and what is already known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.effects.knowledge import may_be_in
from engine.core.errors import Malformed, Violation
from engine.core.game import Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import card_ref, in_hand, missing


def drawn(move: Move) -> tuple[Sequence[str], ...]:
    """The recorded draws of a move, in order."""
    found: list[Sequence[str]] = []
    for kind, value in move.chance or ():
        if kind == "draw":
            found.append(value)
    return tuple(found)


def draws(state: State, entry: Entry, count: int) -> tuple[tuple[str, Any], ...]:
    """The entry's chance: exactly `count` draws of cards of the catalogue or "?". Raises Malformed."""
    chance = entry.chance or ()
    for index, (kind, refs) in enumerate(chance):
        if kind != "draw":
            raise Malformed("unknown_chance", f"{entry.do} draws cards", path=f"chance[{index}]")
        _check_refs(state, refs, index, kind)
    if len(chance) != count:
        raise Malformed("missing_chance", f"{entry.do} needs {count} recorded draws", path="chance")
    return chance


def noted_draw(state: State, entry: Entry, due: int) -> tuple[tuple[str, Any], ...]:
    """The one draw of an entry: `due` cards that nobody knows where it notes no chance. Raises Malformed as `draws`."""
    return draws(state, entry, 1) if entry.chance else (("draw", ("?",) * due),)


def effect_chance(state: State, entry: Entry) -> tuple[tuple[str, Any], ...] | None:
    """The chance of the effects of this entry; None, which leaves it open, in a question (`ask`). Raises Malformed."""
    if not entry.chance:
        return None if entry.n == 0 else ()
    for index, (kind, value) in enumerate(entry.chance):
        if kind == "first_player":
            raise Malformed("unknown_chance", f"{entry.do} does not say who goes first", path=f"chance[{index}]")
        if kind in ("draw", "look", "reveal"):
            _check_refs(state, value, index, kind)
    return entry.chance


def _check_refs(state: State, refs: Sequence[str], index: int, kind: str) -> None:
    cards = state.terms.cards
    for ref in refs:
        if ref != "?" and ref not in cards:
            card_ref(state, ref, f"chance[{index}].{kind}")


def unlisted(state: State, seat: str, refs: Sequence[str], used: dict[str, int]) -> list[Violation]:
    """Why hidden cards cannot be these: not in the list, or every copy accounted for. Adds them to `used`."""
    left = state.unseen.get(seat)
    reasons: list[Violation] = []
    if left is None:
        return reasons
    for ref in refs:
        if ref == "?":
            continue
        if ref not in left:
            reasons.append(Violation("LOG-list", {"card": ref, "seat": seat}))
        elif left[ref] <= used.get(ref, 0):
            reasons.append(Violation("LOG-copies", {"card": ref, "seat": seat, "listed": listed(state, seat, ref)}))
        else:
            used[ref] = used.get(ref, 0) + 1
    return reasons


def listed(state: State, seat: str, ref: str) -> int:
    """How many copies the registered list has."""
    known = sum(1 for obj, name in enumerate(state.refs) if name == ref and state.owners[obj] == seat)
    return known + state.unseen[seat].get(ref, 0)


def held(state: State, seat: str, ref: str) -> list[Violation]:
    """Why a card cannot come from this hand: all its cards are known and others, or the list says no."""
    obj, named = in_hand(state, seat, ref)
    if named:
        return []
    reasons = unlisted(state, seat, (ref,), {})
    if obj is None:
        if f"{seat}/hand" in state.unknown:
            return reasons or missing("LOG-hand", f"{seat}/hand")
        reasons.append(Violation("LOG-hand", {"card": ref, "seat": seat}))
    return reasons


def possible(state: State, seat: str) -> list[str]:
    """The refs that are or may be in a hand, each once, in a fixed order."""
    return may_be_in(state, f"{seat}/hand", seat)


def undrawn(state: State, seat: str, refs: Sequence[str]) -> list[Violation]:
    """Why these cards cannot be on top of a deck: a card that was seen there is known, the others must fit the list."""
    path, known = f"{seat}/deck", state.refs
    deck = () if path in state.unknown else state.zones[path]
    if len(refs) == 1:  # by far the usual draw
        hidden: Sequence[str] = refs if not deck or known[deck[-1]] is None else ()
    else:
        hidden = [ref for n, ref in enumerate(refs, 1) if n > len(deck) or known[deck[-n]] is None]
    return unlisted(state, seat, hidden, {}) if hidden else []
