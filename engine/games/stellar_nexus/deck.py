"""Deck construction in Stellar Nexus (STN-BIB, STN-RES, STN-HER-2, STN-FAC-1), and random legal decks.

A list names the hero apart, and the library and the resource pile together: a card's kind says which it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import DeckRule, Format, Submission, interpreted, known_cards, requires, size
from engine.core.text import registry
from engine.core.text.errors import Unsupported, Violation
from engine.games.stellar_nexus.vocabulary import FACTIONS, HEROS, JETON, REQUISITIONS, RESSOURCE

if TYPE_CHECKING:
    import random

GAME = "stellar-nexus"
FORMATS = (Format("stellar-1.4", "stellar-1.4@1", reads=("I-STN-15",)),)

MIN_CARDS = 30
MAX_CARDS = 40
MAX_COPIES = 3
RESOURCES = 10
MAX_POWERS = 1  # copies of a resource with an effect


def deck_rules(fmt: Format) -> Sequence[DeckRule]:
    """Return the deck rules, in the order of the rule text; formats differ by their options only."""
    register = {name: tuple(entry.options) for name, entry in registry.rulebook(GAME).interpretations.items()}
    return (
        size(MIN_CARDS, MAX_CARDS, rule="STN-BIB-1", counted=_library),
        _copies,
        _resource_pile,
        _powers,
        _hero,
        requires(_tokens, rule="STN-JET-1"),
        known_cards(rule="STN-FAC-1"),
        requires(_symbols, rule="STN-FAC-1"),
        interpreted(requires(_other_factions, rule="STN-FAC-1"), "I-STN-15", register=register),
    )


def counted_as(fmt: Format) -> Callable[[Card], str | None]:
    """Return what copies are counted by across the decks of a team: the card. Resources without an effect are free."""
    return lambda card: card.ref if card.kind in REQUISITIONS or _has_power(card) else None


def free_copies(submission: Submission, fmt: Format) -> bool:
    """Return whether a deck may hold any number of copies of a card: never, beside plain resources."""
    return False


def _has_power(card: Card) -> bool:
    return card.kind == RESSOURCE and not card.vanilla


def _library(submission: Submission) -> int:
    """Count the cards of the library, including those the catalogue does not know."""
    unknown = sum(count for ref, count in submission.deck.main.items() if ref not in submission.catalog)
    return unknown + submission.count(lambda card: card.kind in REQUISITIONS)


def _resources(submission: Submission) -> int:
    return submission.count(lambda card: card.kind == RESSOURCE)


def _too_many(submission: Submission, cards: list[tuple[Card, int]], limit: int, rule: str) -> list[Violation]:
    return [
        Violation(rule, {"card": submission.label(card.ref), "ref": card.ref, "count": count, "max": limit})
        for card, count in cards
        if count > limit
    ]


def _copies(submission: Submission) -> list[Violation]:
    """Allow at most three copies of a requisition card (STN-BIB-2). Args: `card`, `ref`, `count`, `max`."""
    cards = [(card, count) for card, count in submission.known() if card.kind in REQUISITIONS]
    return _too_many(submission, cards, MAX_COPIES, "STN-BIB-2")


def _resource_pile(submission: Submission) -> list[Violation]:
    """Require exactly ten resources (STN-RES-1). Args: `count`, `size`."""
    count = _resources(submission)
    return [] if count == RESOURCES else [Violation("STN-RES-1", {"count": count, "size": RESOURCES})]


def _powers(submission: Submission) -> list[Violation]:
    """Allow each resource with an effect once (STN-RES-2). Args: `card`, `ref`, `count`, `max`."""
    cards = [(card, count) for card, count in submission.known() if _has_power(card)]
    return _too_many(submission, cards, MAX_POWERS, "STN-RES-2")


def _hero(submission: Submission) -> list[Violation]:
    """Require one hero, in its own place (STN-HER-2). Args: `card`, `ref` ("-" if the list names none)."""
    wrong = [card.ref for card, _ in submission.known() if card.kind == HEROS]
    hero = submission.deck.commander
    if hero is None:
        return [Violation("STN-HER-2", {"card": "-", "ref": "-"}), *_named(submission, wrong)]
    if hero in submission.catalog and submission.catalog[hero].kind != HEROS:
        wrong.insert(0, hero)
    return _named(submission, wrong)


def _named(submission: Submission, refs: list[str]) -> list[Violation]:
    return [Violation("STN-HER-2", {"card": submission.label(ref), "ref": ref}) for ref in refs]


def _tokens(submission: Submission) -> list[str]:
    return [card.ref for card, _ in submission.known() if card.kind == JETON]


def _listed(submission: Submission) -> list[Card]:
    hero = submission.deck.commander
    led = [submission.catalog[hero]] if hero is not None and hero in submission.catalog else []
    return led + [card for card, _ in submission.known()]


def _symbols(submission: Submission) -> list[str]:
    """Return the cards that do not bear exactly one of the five symbols (STN-FAC-1)."""
    return [card.ref for card in _listed(submission) if len(card.factions) != 1 or card.factions[0] not in FACTIONS]


def _other_factions(submission: Submission) -> list[str]:
    """Return the library cards that are not of the hero's faction, if I-STN-15 requires it."""
    hero = submission.deck.commander
    if submission.options["I-STN-15"] == "free" or hero is None or hero not in submission.catalog:
        return []
    factions = submission.catalog[hero].factions
    usable = [card for card, _ in submission.known() if card.kind in REQUISITIONS and len(card.factions) == 1]
    return [card.ref for card in usable if card.factions != factions]


def random_deck(rng: random.Random, catalog: Catalog) -> Decklist:
    """Return a random legal deck, the same for the same seed: a hero, 30 to 40 cards and 10 resources.

    Raises Unsupported, code `catalog_too_small`, if the catalogue cannot make one.
    """
    # Sorted, so that the deck does not depend on the order of the catalogue file.
    cards = [card for _, card in sorted(catalog.cards.items()) if len(card.factions) == 1]
    heroes = [card.ref for card in cards if card.kind == HEROS]
    library = [card.ref for card in cards if card.kind in REQUISITIONS] * MAX_COPIES
    plain = [card.ref for card in cards if card.kind == RESSOURCE and card.vanilla]
    powers = [card.ref for card in cards if card.kind == RESSOURCE and not card.vanilla]
    if not heroes or len(library) < MIN_CARDS or len(powers) + len(plain) * RESOURCES < RESOURCES:
        raise Unsupported("catalog_too_small", f"{catalog.id} cannot make a deck of {MIN_CARDS} cards")
    drawn = rng.sample(library, rng.randint(MIN_CARDS, min(MAX_CARDS, len(library))))
    most = min(len(powers), RESOURCES)
    drawn += rng.sample(powers, most if not plain else rng.randint(0, most))
    while len(drawn) and sum(1 for ref in drawn if catalog[ref].kind == RESSOURCE) < RESOURCES:
        drawn.append(rng.choice(plain))
    return Decklist(rng.choice(heroes), {ref: drawn.count(ref) for ref in drawn})
