"""The starting packet of Saint Seiya: it is fixed, so that a registration only checks it (I-SSD-02)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.cards import Card, Catalog
from engine.core.decklist import Decklist
from engine.core.decks import DeckRule, Format, Submission, requires
from engine.core.errors import Unsupported, Violation
from engine.games.saint_seiya.vocabulary import BRONZE, EVOLUE, HEROS, PACKET

if TYPE_CHECKING:
    import random

GAME = "saint-seiya"
FORMATS = (Format("seiya-base", "seiya-base@1"),)
PACKET_RULE = "SSD-JEU-3"
COUNTS = {HEROS: 9, BRONZE: 1, EVOLUE: 5}


def deck_rules(fmt: Format) -> Sequence[DeckRule]:
    """The packet of one hero: 9 Héros and their bronze armour, 5 Héros-Chevaliers, and nothing else."""
    return (_counts, _one_hero, requires(_foreign, rule="SSD-JEU-5"))


def _counts(submission: Submission) -> list[Violation]:
    """As many cards of each kind as a packet has. Args: `card` (the kind), `count`, `max`."""
    return [
        Violation(PACKET_RULE, {"card": kind, "count": count, "max": due})
        for kind, due in COUNTS.items()
        if (count := submission.count(lambda card, kind=kind: card.kind == kind)) != due  # type: ignore[misc]
    ]


def _one_hero(submission: Submission) -> list[Violation]:
    """All cards of a packet are of one hero, the one of most of its cards. Args: `card`, `ref`."""
    cards = [(card, count) for card, count in submission.known() if card.kind in PACKET]
    totals: dict[str, int] = {}
    for card, count in cards:
        totals[hero(card)] = totals.get(hero(card), 0) + count
    whose = max(totals, key=lambda name: (totals[name], name), default="")
    wrong = [card.ref for card, _ in cards if hero(card) != whose]
    return [Violation("SSD-JEU-5", {"card": submission.label(ref), "ref": ref}) for ref in wrong]


def hero(card: Card) -> str:
    """The hero a card of a packet is of."""
    return card.words.get("hero", card.name)


def _foreign(submission: Submission) -> list[str]:
    """The refs that belong to no packet: those of the market, a leader, a sideboard, cards nobody knows."""
    deck, catalog = submission.deck, submission.catalog
    listed = dict.fromkeys([*([deck.commander] if deck.commander else []), *deck.main, *deck.side])
    apart = (*deck.side, *([deck.commander] if deck.commander else []))
    return [ref for ref in listed if ref not in catalog or catalog[ref].kind not in PACKET or ref in apart]


def packets(catalog: Catalog) -> list[Decklist]:
    """The packet of each hero of a catalogue that has all three kinds of card, by the ref of the hero."""
    found = []
    for card in [card for _, card in sorted(catalog.cards.items()) if card.kind == HEROS]:
        same = {
            other.kind: other.ref
            for _, other in sorted(catalog.cards.items())
            if other.kind in PACKET and hero(other) == hero(card)
        }
        if len(same) == len(PACKET):
            found.append(Decklist(main={same[kind]: count for kind, count in COUNTS.items()}))
    return found


def random_deck(rng: random.Random, catalog: Catalog) -> Decklist:
    """The packet of a hero of the catalogue. Raises Unsupported `catalog_too_small` without a whole packet."""
    found = packets(catalog)
    if not found:
        raise Unsupported("catalog_too_small", f"{catalog.id} has no whole starting packet")
    return rng.choice(found)
