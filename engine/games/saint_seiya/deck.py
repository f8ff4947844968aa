"""The starting packet of Saint Seiya, and random ones.

Decks are built during the game. The packet is fixed, so a registered list is only checked against it (I-SSD-02).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import DeckRule, Format, Submission, requires
from engine.core.text.errors import Unsupported, Violation
from engine.games.saint_seiya.vocabulary import BRONZE, EVOLUE, HEROS, PACKET

if TYPE_CHECKING:
    import random

GAME = "saint-seiya"
FORMATS = (Format("seiya-base", "seiya-base@1"),)
PACKET_RULE = "SSD-JEU-3"
COUNTS = {HEROS: 9, BRONZE: 1, EVOLUE: 5}


def deck_rules(fmt: Format) -> Sequence[DeckRule]:
    """Return the rules of a packet: 9 Héros and their bronze armour, 5 Héros-Chevaliers, nothing else."""
    return (_counts, _one_hero, requires(_foreign, rule="SSD-JEU-5"))


def counted_as(fmt: Format) -> None:
    """Return None: a packet is fixed, so a team has no limit of copies."""


def free_copies(submission: Submission, fmt: Format) -> bool:
    """Return whether a deck may hold any number of copies of a card: never, a packet is fixed."""
    return False


def _counts(submission: Submission) -> list[Violation]:
    """Require as many cards of each kind as a packet has.

    Violation args: `card` (the kind), `count`, `max`.
    """
    return [
        Violation(PACKET_RULE, {"card": kind, "count": count, "max": due})
        for kind, due in COUNTS.items()
        if (count := submission.count(lambda card, kind=kind: card.kind == kind)) != due  # type: ignore[misc]
    ]


def _one_hero(submission: Submission) -> list[Violation]:
    """Require all cards of a packet to be of one hero, the one that most of them are of.

    Violation args: `card`, `ref`.
    """
    cards = [(card, count) for card, count in submission.known() if card.kind in PACKET]
    totals: dict[str, int] = {}
    for card, count in cards:
        totals[hero(card)] = totals.get(hero(card), 0) + count
    # The name breaks a tie, so that the same list always gives the same violations.
    whose = max(totals, key=lambda name: (totals[name], name), default="")
    wrong = [card.ref for card, _ in cards if hero(card) != whose]
    return [Violation("SSD-JEU-5", {"card": submission.label(ref), "ref": ref}) for ref in wrong]


def hero(card: Card) -> str:
    """Return the hero that a card of a packet belongs to."""
    return card.words.get("hero", card.name)


def _foreign(submission: Submission) -> list[str]:
    """List the refs that belong in no packet: market cards, a commander, a sideboard, unknown cards."""
    deck, catalog = submission.deck, submission.catalog
    listed = dict.fromkeys([*([deck.commander] if deck.commander else []), *deck.main, *deck.side])
    apart = (*deck.side, *([deck.commander] if deck.commander else []))
    return [ref for ref in listed if ref not in catalog or catalog[ref].kind not in PACKET or ref in apart]


def packets(catalog: Catalog) -> list[Decklist]:
    """Return the packet of each hero of whom the catalogue has all three kinds of card, by ref of the hero."""
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
    """Return the packet of a random hero of the catalogue.

    Raises Unsupported, code `catalog_too_small`, if the catalogue has no whole packet.
    """
    found = packets(catalog)
    if not found:
        raise Unsupported("catalog_too_small", f"{catalog.id} has no whole starting packet")
    return rng.choice(found)
