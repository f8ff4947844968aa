"""Checks of recorded cards: which cards a library, a resource pile or a hand can hold.

A list names the library and the resource pile together; a card's kind says which one it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.effects.hidden_cards import held, possible, undrawn, unlisted
from engine.core.table.state import State
from engine.core.text.errors import Violation
from engine.games.stellar_nexus.vocabulary import REQUISITIONS, RESSOURCE


def misdrawn(state: State, seat: str, refs: Sequence[str]) -> list[Violation]:
    """Return why these cannot be the top cards of a library: wrong kind, not in the list, or every copy elsewhere."""
    return strays(state, seat, refs, REQUISITIONS) or undrawn(state, seat, refs)


def misplaced(state: State, seat: str, refs: Sequence[str]) -> list[Violation]:
    """Return why these cards cannot come from a resource pile."""
    return strays(state, seat, refs, (RESSOURCE,)) or unlisted(state, seat, refs, {})


def strays(state: State, seat: str, refs: Sequence[str], kinds: Sequence[str]) -> list[Violation]:
    """Return a violation for each card of a kind that is never in this pile."""
    cards = state.terms.cards
    wrong = [ref for ref in refs if ref != "?" and cards[ref].kind not in kinds]
    return [Violation("LOG-list", {"card": ref, "seat": seat}) for ref in wrong]


def in_hand_of(state: State, seat: str, ref: str) -> list[Violation]:
    """Return why a card cannot come from this hand."""
    if state.terms.cards[ref].kind not in REQUISITIONS:
        return [Violation("LOG-hand", {"card": ref, "seat": seat})]
    return held(state, seat, ref)


def hand(state: State, seat: str) -> list[str]:
    """List the refs that are or may be in a hand, each once."""
    return [ref for ref in possible(state, seat) if state.terms.cards[ref].kind in REQUISITIONS]


def resources_left(state: State, seat: str) -> Mapping[str, int]:
    """Return the resources of a seat's list that nobody has seen yet, with their copies."""
    return {ref: n for ref, n in state.unseen[seat].items() if state.terms.cards[ref].kind == RESSOURCE}
