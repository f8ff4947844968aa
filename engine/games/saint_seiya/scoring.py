"""Points at the end of a game, from the cards that each player owns (I-SSD-10). Pure: cards in, points out.

A card gives its printed `pv`, plus what its `points` statics say. Such a clause gives its points `each` time that a
`group` of cards fits (a group of one by default), or once if `any` card fits, or once to the player with the `most`
cards that fit. For example, {"points": 1, "group": 10} gives 2 points to a player who owns 23 cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.cards.card import Card

OWNED, DESTROYED = "owned", "destroyed"


class Set(NamedTuple):
    """The cards of one player that count: those owned, one item per copy, and those destroyed."""

    owned: Sequence[Card]
    destroyed: Sequence[Card]


def points(sets: Mapping[str, Set], tie: str) -> dict[str, int]:
    """Return the points of each seat. `tie` is an option of I-SSD-10: "sole", "first" or "all"."""
    return {seat: sum(card_points(card, seat, sets, tie) for card in own.owned) for seat, own in sets.items()}


def card_points(card: Card, seat: str, sets: Mapping[str, Set], tie: str) -> int:
    """Return the points that one card gives to its player."""
    statics = () if card.program is None else card.program.statics.get("points", ())
    return card.figures.get("pv", 0) + sum(bonus(static, seat, sets, tie) for static in statics)


def bonus(static: Mapping[str, Any], seat: str, sets: Mapping[str, Set], tie: str) -> int:
    """Return the points of one conditional clause."""
    count, worth = counted(static, sets[seat]), int(static["points"])
    when = static.get("when", "each")
    if when == "each":
        return worth * (count // int(static.get("group", 1)))
    if when == "any":
        return worth * (count > 0)
    return worth * (seat in leaders({name: counted(static, other) for name, other in sets.items()}, tie))


def leaders(counts: Mapping[str, int], tie: str) -> list[str]:
    """Return the seats with the highest count, ties resolved by `tie`. Nobody leads with nothing."""
    best = [seat for seat, count in counts.items() if count == max(counts.values()) > 0]
    if tie == "sole":
        return best if len(best) == 1 else []
    return best[:1] if tie == "first" else best


def counted(static: Mapping[str, Any], own: Set) -> int:
    """Count the cards of a set that fit a clause; with `distinct`, each name counts once."""
    cards = own.destroyed if static.get("of", OWNED) == DESTROYED else own.owned
    fitting = [card for card in cards if fits(static, card)]
    return len(dict.fromkeys(card.name for card in fitting)) if static.get("distinct") else len(fitting)


def fits(static: Mapping[str, Any], card: Card) -> bool:
    """Whether a card has the class, name and rank that a clause or selector asks for; class and name match in part."""
    if "class" in static and not any(static["class"] in name for name in card.factions):
        return False
    if static.get("classless") and card.factions:
        return False
    if static.get("named", "") not in card.name:
        return False
    ranks = static.get("rank")
    return ranks is None or card.words.get("rank") in ([ranks] if isinstance(ranks, str) else ranks)
