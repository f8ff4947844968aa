"""Deck construction in Altered: Standard, without uniques, and limited from a pool; also random legal decks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import DeckRule, Format, Submission, from_pool, interpreted, requires, suspended
from engine.core.text import registry
from engine.core.text.errors import Unsupported, Violation
from engine.games.altered.vocabulary import HEROS, MANA, PLAYED

if TYPE_CHECKING:
    import random

GAME = "altered"
RULESET, EARLIER = "altered-2025@1", ("altered-2024@1",)  # decks are built in the same way by both
STANDARD, NO_UNIQUE, SEALED, DRAFT = "altered-standard", "altered-no-unique", "altered-sealed", "altered-draft"
FORMATS = (
    Format(STANDARD, RULESET, reads=("I-ALT-08",), earlier=EARLIER),
    Format(NO_UNIQUE, RULESET, reads=("I-ALT-08",), earlier=EARLIER),
    Format(SEALED, RULESET, pooled=True, reads=("I-ALT-09",), earlier=EARLIER),
    Format(DRAFT, RULESET, pooled=True, reads=("I-ALT-09",), earlier=EARLIER),
)

# Standard: at least CARDS beside the hero, at most COPIES of a name, and at most so many of each rarity (I-ALT-08).
CARDS, COPIES, RARES, UNIQUES, EXALTED = 39, 3, 15, 3, 3
CAPPED = 59  # cards beside the hero, where I-ALT-08 has a cap
# The rule text asks for 30 cards, the published rules for 29 beside the hero (I-ALT-09).
LIMITED_CARDS, LIMITED_PUBLISHED, LIMITED_FACTIONS = 30, 29, 3


def deck_rules(fmt: Format) -> Sequence[DeckRule]:
    """Return the deck rules of a format.

    Those of Standard, and some of the limited formats, fill a gap of the text (I-ALT-08, I-ALT-09).
    """
    register = {name: tuple(entry.options) for name, entry in registry.rulebook(GAME).interpretations.items()}
    if fmt.pooled:
        cards = _limited_cards("ALT-DRAFT" if fmt.id == DRAFT else "ALT-SEAL")
        return (
            at_most(1, rule="ALT-LIM-HERO", wanted=_is_hero),
            interpreted(cards, "I-ALT-09", register=register),
            _factions,
            requires(_other_tokens, rule="ALT-LIM-MANA"),
            from_pool(rule="ALT-LIM-POOL", free=lambda card: card.kind == MANA),
            requires(_nobody_knows, rule="ALT-CARD"),
        )
    uniques = 0 if fmt.id == NO_UNIQUE else UNIQUES
    rules = (
        _one_hero,
        _standard_cards,
        _hero_faction,
        _copies,
        at_most(RARES, rule="ALT-STD-RARES", wanted=_of_rarity("rare")),
        at_most(uniques, rule="ALT-STD-UNIQUES" if uniques else "ALT-NUC", wanted=_of_rarity("unique")),
        _each_unique_once,
        at_most(EXALTED, rule="ALT-STD-EXALTED", wanted=_of_rarity("exalted")),
        suspended(rule="ALT-STD-SUSPENDED"),
        requires(_no_deck_cards, rule="ALT-CARD"),
    )
    return tuple(interpreted(_published(rule), "I-ALT-08", register=register) for rule in rules)


def counted_as(fmt: Format) -> Callable[[Card], str | None] | None:
    """Return what copies are counted by across the decks of a team: the name, whatever the rarity and printing.

    None for the limited formats, whose decks hold what was opened.
    """
    return None if fmt.pooled else lambda card: card.name if card.kind in PLAYED else None


def free_copies(submission: Submission, fmt: Format) -> bool:
    """Return whether a deck may hold any number of copies of a card, as the rule text alone allows (I-ALT-08)."""
    return fmt.pooled or submission.options["I-ALT-08"] == "text"


def _published(rule: DeckRule) -> DeckRule:
    """Apply a rule of the published game, which the rule text lacks, unless I-ALT-08 says `text`."""
    return lambda submission: [] if submission.options["I-ALT-08"] == "text" else rule(submission)


def at_most(limit: int, *, rule: str, wanted: Callable[[Card], bool]) -> DeckRule:
    """Allow at most `limit` copies of the cards that are `wanted`, the hero included. Args: `count`, `max`.

    Example: `at_most(15, rule="ALT-STD-RARES", wanted=_of_rarity("rare"))`.
    """

    def check(submission: Submission) -> list[Violation]:
        count = _count(submission, wanted)
        return [Violation(rule, {"count": count, "max": limit})] if count > limit else []

    return check


def _count(submission: Submission, wanted: Callable[[Card], bool]) -> int:
    cards = ((submission.catalog.find(ref), count) for ref, count in submission.every().items())
    return sum(count for card, count in cards if card is not None and wanted(card))


def _is_hero(card: Card) -> bool:
    return card.kind == HEROS


def _of_rarity(rarity: str) -> Callable[[Card], bool]:
    return lambda card: card.words.get("rarity") == rarity and card.kind != HEROS


def _cards(submission: Submission, kinds: Sequence[str] = PLAYED) -> list[Card]:
    """Return the cards of these kinds in the list, once for each ref."""
    found = [submission.catalog.find(ref) for ref in submission.every()]
    return [card for card in found if card is not None and card.kind in kinds]


def _one_hero(submission: Submission) -> list[Violation]:
    """Require exactly one hero. Args: `count`, `max`."""
    count = _count(submission, _is_hero)
    return [] if count == 1 else [Violation("ALT-STD-HERO", {"count": count, "max": 1})]


def _standard_cards(submission: Submission) -> list[Violation]:
    """Require 39 cards or more beside the hero, and no more than 59 with I-ALT-08 `capped`.

    Args: `count`, `min` or `max`.
    """
    # Unknown cards count: a list should not also be called too short because of a card the catalogue lacks.
    count = _count(submission, lambda card: card.kind in PLAYED) + _unknown(submission)
    if count < CARDS:
        return [Violation("ALT-STD-CARDS", {"count": count, "min": CARDS})]
    if submission.options["I-ALT-08"] == "capped" and count > CAPPED:
        return [Violation("ALT-STD-CAP", {"count": count, "max": CAPPED})]
    return []


def _unknown(submission: Submission) -> int:
    """Count the cards that the catalogue does not know."""
    return sum(count for ref, count in submission.every().items() if ref not in submission.catalog)


def _hero_faction(submission: Submission) -> list[Violation]:
    """Require every card to be of the hero's faction, if there is a hero. Args: `card`, `ref`, `faction`, `hero`."""
    lead = submission.deck.commander
    hero = None if lead is None else submission.catalog.find(lead)
    if hero is None:
        return []
    ours = hero.factions
    return [
        Violation(
            "ALT-STD-FACTION",
            {
                "card": submission.label(card.ref),
                "ref": card.ref,
                "faction": "/".join(card.factions),
                "hero": "/".join(ours),
            },
        )
        for card in _cards(submission)
        if not any(faction in ours for faction in card.factions)
    ]


def _copies(submission: Submission) -> list[Violation]:
    """Allow at most three cards of a name, whatever their rarity and printing. Args: `card`, `ref`, `count`, `max`."""
    first: dict[str, str] = {}
    counts: dict[str, int] = {}
    for card in _cards(submission):
        first.setdefault(card.name, card.ref)
        counts[card.name] = counts.get(card.name, 0) + submission.every()[card.ref]
    return [
        Violation("ALT-STD-COPIES", {"card": name, "ref": first[name], "count": count, "max": COPIES})
        for name, count in counts.items()
        if count > COPIES
    ]


def _each_unique_once(submission: Submission) -> list[Violation]:
    """Allow each unique card once. Args: `card`, `ref`, `count`, `max`."""
    return [
        Violation("ALT-STD-ONCE", {"card": submission.label(card.ref), "ref": card.ref, "count": count, "max": 1})
        for card in _cards(submission)
        if _of_rarity("unique")(card) and (count := submission.every()[card.ref]) > 1
    ]


def _no_deck_cards(submission: Submission) -> list[str]:
    """Return the refs of tokens, other cards that no deck may hold, and unknown cards."""
    known = {card.ref for card in _cards(submission, (HEROS, *PLAYED))}
    return [ref for ref in submission.every() if ref not in known]


def _nobody_knows(submission: Submission) -> list[str]:
    return [ref for ref in submission.every() if ref not in submission.catalog]


def _limited_cards(rule: str) -> DeckRule:
    """Require at least 30 cards, Mana Convergences included; I-ALT-09 says whether the hero counts.

    Args: `count`, `min`.
    """

    def check(submission: Submission) -> list[Violation]:
        option = submission.options["I-ALT-09"]
        kinds = (*PLAYED, MANA, HEROS) if option == "hero" else (*PLAYED, MANA)
        least = LIMITED_PUBLISHED if option == "published" else LIMITED_CARDS
        count = _count(submission, lambda card: card.kind in kinds) + _unknown(submission)
        return [] if count >= least else [Violation(rule, {"count": count, "min": least})]

    return check


def _factions(submission: Submission) -> list[Violation]:
    """Allow at most three factions, the hero's included. Args: `count`, `max`, `factions`."""
    found = sorted({faction for card in _cards(submission, (HEROS, *PLAYED)) for faction in card.factions})
    if len(found) <= LIMITED_FACTIONS:
        return []
    named = ", ".join(found)
    return [Violation("ALT-LIM-FACTIONS", {"count": len(found), "max": LIMITED_FACTIONS, "factions": named})]


def _other_tokens(submission: Submission) -> list[str]:
    """Return the refs of tokens other than Mana Convergence, which may not fill up a deck."""
    known = [(ref, submission.catalog.find(ref)) for ref in submission.every()]
    return [ref for ref, card in known if card is not None and card.kind not in (HEROS, *PLAYED, MANA)]


def random_deck(rng: random.Random, catalog: Catalog) -> Decklist:
    """Return a random legal Standard deck, the same for the same seed: a hero and 39 cards of its faction.

    Raises Unsupported, code `catalog_too_small`, if the catalogue cannot make one.
    """
    # Sorted, so that the deck does not depend on the order of the catalogue file.
    cards = [card for _, card in sorted(catalog.cards.items())]
    heroes = [card for card in cards if card.kind == HEROS and len(_pool(card, cards)) >= CARDS]
    if not heroes:
        raise Unsupported("catalog_too_small", f"{catalog.id} cannot make a deck of {CARDS} cards")
    hero = rng.choice(heroes)
    drawn: list[Card] = []
    for card in rng.sample(pool := _pool(hero, cards), len(pool)):
        if len(drawn) < CARDS and _fits(card, drawn):
            drawn.append(card)
    if len(drawn) < CARDS:
        raise Unsupported("catalog_too_small", f"{catalog.id} cannot make a deck of {CARDS} cards")
    refs = [card.ref for card in drawn]
    return Decklist(hero.ref, {ref: refs.count(ref) for ref in refs})


def _fits(card: Card, drawn: Sequence[Card]) -> bool:
    """Whether one more copy respects the limits of its name and of its rarity."""
    limits = {"rare": RARES, "unique": UNIQUES, "exalted": EXALTED}
    rarity = card.words.get("rarity", "common")
    same = sum(1 for other in drawn if other.words.get("rarity", "common") == rarity)
    named = sum(1 for other in drawn if other.name == card.name)
    return named < COPIES and same < limits.get(rarity, CARDS)


def _pool(hero: Card, cards: Sequence[Card]) -> list[Card]:
    """Return three copies of each card of the hero's faction (one of each unique), one printing of each."""
    found = [card for card in cards if card.kind in PLAYED and card.factions == hero.factions and not card.reprint_of]
    return [card for card in found for _ in range(1 if card.words.get("rarity") == "unique" else COPIES)]
