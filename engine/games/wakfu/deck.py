"""Deck construction in Wakfu: one leader (2008), the published deck rules (2011), and random legal decks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import DeckRule, Format, Submission, copies, requires, size
from engine.core.text.errors import Unsupported, Violation
from engine.games.wakfu.vocabulary import (
    GENERATOR,
    HEROS,
    KINDS_2008,
    KINDS_2011,
    LEADER,
    PROTECTEUR,
    QUEST,
    SAC,
)

if TYPE_CHECKING:
    import random

GAME = "wakfu"
FORMATS = (Format("wakfu-2008", "wakfu-2008@1", sideboard=False), Format("wakfu-2011", "wakfu-2011@1"))

CARDS_2011 = 48
COPIES_2011 = 3
RESERVE_2011 = 12
RANDOM_SIZES, RANDOM_COPIES = (18, 40), 3  # of a random deck; the 2008 text has no rule for either
GENERATORS = 3  # at least one card in three of a random deck is a generator, if there are enough


def deck_rules(fmt: Format) -> Sequence[DeckRule]:
    """Return the deck rules of a format: those of 2008 ask for one leader, those of 2011 are the published ones."""
    if fmt.ruleset == FORMATS[1].ruleset:
        return (
            _led_by(HEROS, rule="WAK-2011-HEROS"),
            size(1, 1, rule="WAK-2011-SAC", counted=lambda s: s.count(lambda card: card.kind == SAC)),
            size(CARDS_2011, CARDS_2011, rule="WAK-2011-CARTES", counted=_others),
            copies(COPIES_2011, rule="WAK-2011-COPIES", key=_name),
            _unique,
            size(0, 1, rule="WAK-2011-PROTECTEUR", counted=lambda s: s.count(lambda card: card.kind == PROTECTEUR)),
            _reserve,
            requires(_foreign(KINDS_2011), rule="WAK-2011-CARTE"),
        )
    return (_led_by(LEADER, rule="WAK-LEA-1"), requires(_foreign(KINDS_2008), rule="WAK-TYP-1"))


def counted_as(fmt: Format) -> Callable[[Card], str | None]:
    """Return what copies are counted by across the decks of a team: the name. The rules of 2008 limit no copies."""
    return _name


def free_copies(submission: Submission, fmt: Format) -> bool:
    """Return whether a deck may hold any number of copies of a card: the text of 2008 has no limit."""
    return fmt.ruleset == FORMATS[0].ruleset


def _name(card: Card) -> str:
    return card.name


def _led_by(kind: str, *, rule: str) -> DeckRule:
    """Require one card of this kind to lead the deck, and none to be in it. Args: `card`, `ref`."""

    def check(submission: Submission) -> list[Violation]:
        leads = submission.deck.commander
        wrong = [card.ref for card, _ in submission.known() if card.kind == kind]
        known = leads is not None and leads in submission.catalog
        if leads is None or (known and submission.catalog[leads].kind != kind):
            wrong.insert(0, leads or "-")
        return [Violation(rule, {"card": submission.label(ref), "ref": ref}) for ref in wrong]

    return check


def _others(submission: Submission) -> int:
    """Count the cards beside the Héros and the Havre-Sac, including those the catalogue does not know."""
    return sum(submission.deck.main.values()) - submission.count(lambda card: card.kind == SAC)


def _unique(submission: Submission) -> list[Violation]:
    """Allow a unique card once. Args: `card`, `ref`, `count`, `max`."""
    once: Mapping[str, Card] = {
        ref: card for ref, card in submission.catalog.cards.items() if card.words.get("limit") == "unique"
    }
    return [
        Violation("WAK-2011-UNIQUE", {"card": submission.label(ref), "ref": ref, "count": count, "max": 1})
        for ref, count in submission.deck.main.items()
        if ref in once and count > 1
    ]


def _reserve(submission: Submission) -> list[Violation]:
    """Require no reserve, or a complete one. Args: `count`, `max`."""
    count = sum(submission.deck.side.values())
    if count in (0, RESERVE_2011):
        return []
    return [Violation("WAK-2011-RESERVE", {"count": count, "max": RESERVE_2011})]


def _foreign(kinds: Sequence[str]) -> Callable[[Submission], list[str]]:
    """Return a function that lists the refs of a deck that are no card of this edition."""

    def refs(submission: Submission) -> list[str]:
        deck, catalog = submission.deck, submission.catalog
        listed = dict.fromkeys([*([deck.commander] if deck.commander else []), *deck.main, *deck.side])
        return [ref for ref in listed if ref not in catalog or catalog[ref].kind not in kinds]

    return refs


def random_deck(rng: random.Random, catalog: Catalog) -> Decklist:
    """Return a random legal 2008 deck, the same for the same seed: a leader and 18 to 40 cards it can pay for.

    Cards that need a ruling are left out. Raises Unsupported, code `catalog_too_small`, if no leader has enough such
    cards.
    """
    # Sorted, so that the deck does not depend on the order of the catalogue file.
    known = [card for _, card in sorted(catalog.cards.items()) if card.executable]
    leaders = [card.ref for card in known if card.kind == LEADER]
    playable = [card for card in known if card.kind in KINDS_2008 and card.kind not in (LEADER, QUEST)]
    able = [ref for ref in leaders if len(_payable(catalog[ref], playable)) * RANDOM_COPIES >= RANDOM_SIZES[0]]
    if not able:
        raise Unsupported("catalog_too_small", f"{catalog.id} cannot make a deck of {RANDOM_SIZES[0]} cards")
    leader = rng.choice(able)
    cards = _payable(catalog[leader], playable)
    pool = [card.ref for card in cards] * RANDOM_COPIES
    size = min(rng.randint(*RANDOM_SIZES), len(pool))
    sources = [card.ref for card in cards if card.kind == GENERATOR] * RANDOM_COPIES
    # Generators first, so that the deck can pay for its cards.
    drawn = rng.sample(sources, min(size // GENERATORS, len(sources)))
    for ref in drawn:
        pool.remove(ref)
    drawn += rng.sample(pool, size - len(drawn))
    return Decklist(leader, {ref: drawn.count(ref) for ref in drawn})


def _payable(leader: Card, cards: Sequence[Card]) -> list[Card]:
    """Return the cards that cost only elements this leader gives."""
    given = leader.amounts.get("mana", {})
    return [card for card in cards if all(element in given for element in card.amounts.get("cost", {}))]
