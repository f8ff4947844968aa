"""Check recorded draws and hidden hands against the registered lists.

A hidden card can only be one that is on its owner's list and not accounted for yet. This finds a third copy of a card
listed twice, or a card that was drawn although all its copies lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.effects.knowledge import may_be_in
from engine.core.table.game import Move
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import card_ref, in_hand, missing
from engine.core.text.errors import Malformed, Violation


def drawn(move: Move) -> tuple[Sequence[str], ...]:
    """Return the recorded draws of a move, in order."""
    found: list[Sequence[str]] = []
    for kind, value in move.chance or ():
        if kind == "draw":
            found.append(value)
    return tuple(found)


def draws(state: State, entry: Entry, count: int) -> tuple[tuple[str, Any], ...]:
    """Return the entry's chance, which must be exactly `count` draws of catalogue cards or "?".

    Raises Malformed: `unknown_chance`, `missing_chance`, `unknown_card`.
    """
    chance = entry.chance or ()
    for index, (kind, refs) in enumerate(chance):
        if kind != "draw":
            raise Malformed("unknown_chance", f"{entry.do} draws cards", path=f"chance[{index}]")
        _check_refs(state, refs, index, kind)
    if len(chance) != count:
        raise Malformed("missing_chance", f"{entry.do} needs {count} recorded draws", path="chance")
    return chance


def noted_draw(state: State, entry: Entry, due: int) -> tuple[tuple[str, Any], ...]:
    """Return the single draw of an entry, or `due` unidentified cards if it records none. Raises as `draws`."""
    return draws(state, entry, 1) if entry.chance else (("draw", ("?",) * due),)


def effect_chance(state: State, entry: Entry) -> tuple[tuple[str, Any], ...] | None:
    """Return the chance recorded for the effects of this entry, or None if chance is open.

    It is open only in a question (`ask`), whose entry has no number. Raises Malformed: `unknown_chance`,
    `unknown_card`.
    """
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
    """Return why hidden cards cannot be `refs`: not on the list (LOG-list), or no copy left (LOG-copies).

    The copies in `used` (ref -> copies) count as taken, and the possible ones are added to it, so that several draws
    can be checked together. A seat without a registered list is not checked.
    """
    left = state.unseen.get(seat)
    reasons: list[Violation] = []
    if left is None:
        return reasons
    for ref in refs:
        if ref == "?":
            continue
        if ref not in left:
            reasons.append(Violation("LOG-list", {"card": ref, "seat": seat}))
        # Two draws of one entry are checked before either is carried out, so `used` stands in for the first.
        elif left[ref] <= used.get(ref, 0):
            reasons.append(Violation("LOG-copies", {"card": ref, "seat": seat, "listed": listed(state, seat, ref)}))
        else:
            used[ref] = used.get(ref, 0) + 1
    return reasons


def listed(state: State, seat: str, ref: str) -> int:
    """Return how many copies of a card the registered list of a seat has."""
    # `unseen` holds what is left of the list, so the copies identified so far have to be added.
    known = sum(1 for obj, name in enumerate(state.refs) if name == ref and state.owners[obj] == seat)
    return known + state.unseen[seat].get(ref, 0)


def held(state: State, seat: str, ref: str) -> list[Violation]:
    """Return why a card cannot come from this hand (LOG-hand, LOG-list, LOG-copies).

    The hand may be known to hold other cards, or the registered list may have no copy left. If the position does not
    declare the hand, the hand is the missing fact.
    """
    obj, named = in_hand(state, seat, ref)
    if named:
        return []
    # A hidden card in the hand may be it, but only if the list still has a copy.
    reasons = unlisted(state, seat, (ref,), {})
    if obj is None:
        if f"{seat}/hand" in state.unknown:
            return reasons or missing("LOG-hand", f"{seat}/hand")
        reasons.append(Violation("LOG-hand", {"card": ref, "seat": seat}))
    return reasons


def possible(state: State, seat: str) -> list[str]:
    """Return the refs that are or may be in a hand, each once, in a fixed order."""
    return may_be_in(state, f"{seat}/hand", seat)


def undrawn(state: State, seat: str, refs: Sequence[str]) -> list[Violation]:
    """Return why these cards cannot be on top of a deck, by the registered list.

    Cards already seen there are skipped: naming one of them differently is refused as `already_named` when it is drawn.
    """
    path, known = f"{seat}/deck", state.refs
    deck = () if path in state.unknown else state.zones[path]
    if len(refs) == 1:  # by far the usual draw
        hidden: Sequence[str] = refs if not deck or known[deck[-1]] is None else ()
    else:
        hidden = [ref for n, ref in enumerate(refs, 1) if n > len(deck) or known[deck[-n]] is None]
    return unlisted(state, seat, hidden, {}) if hidden else []
