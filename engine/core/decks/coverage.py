"""Coverage: which cards of a catalogue or a decklist the engine executes by itself, and what keeps it from the others.

A card is `exact` if the engine executes all of it, `partial` if part of what it does is written, and `unknown` if
nothing is. Partial and unknown cards are left to rulings as a whole. A name is exact if all its cards are, unknown if
all are unknown, and otherwise partial.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.abilities.language import faults, names_manual, needs_of, objects_of
from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog, Vocabulary
from engine.core.decks.decklist import Decklist

EXACT, PARTIAL, UNKNOWN = STANDINGS = ("exact", "partial", "unknown")
NO_TEXT, FAULTY, UNSAID = "no encoding", "a faulty ability", "a ruling"  # what blocks a card that names nothing itself


@dataclass(frozen=True, slots=True)
class NameCoverage:
    """The coverage of the cards with one name: how good it is, and what blocks the cards that are not exact."""

    name: str
    standing: str
    refs: tuple[str, ...]
    blocked_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckCoverage:
    """The coverage of a decklist: its copies by standing, and what blocks each card that is not exact, by ref."""

    copies: Mapping[str, int]
    blocked: Mapping[str, tuple[str, ...]]


def standing(card: Card) -> str:
    """Return how much of a card the engine executes: `exact`, `partial` or `unknown`."""
    if card.executable:
        return EXACT
    written = [ability for ability in card.abilities if not names_manual(objects_of(ability))]
    return PARTIAL if written or card.keywords else UNKNOWN


def blocked_by(card: Card, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return what keeps the engine from executing a card: what its encoding says that it needs, keywords, faults."""
    if card.executable:
        return ()
    found = [*needs_of(card.abilities)]
    found += [str(word["kw"]) for word in card.keywords if word["kw"] not in vocabulary.enforced]
    language = vocabulary.language
    if language is not None and any(next(faults(one, language), None) for one in card.abilities):
        found.append(FAULTY)
    return tuple(dict.fromkeys(found)) or ((UNSAID,) if card.abilities else (NO_TEXT,))


def by_name(cards: Iterable[Card], vocabulary: Vocabulary) -> list[NameCoverage]:
    """Return the coverage of each name, in the order of the cards."""
    named: dict[str, list[Card]] = {}
    for card in cards:
        named.setdefault(card.name, []).append(card)
    return [_name(name, same, vocabulary) for name, same in named.items()]


def _name(name: str, cards: Sequence[Card], vocabulary: Vocabulary) -> NameCoverage:
    found = {standing(card) for card in cards}
    blocks = dict.fromkeys(word for card in cards for word in blocked_by(card, vocabulary))
    return NameCoverage(name, found.pop() if len(found) == 1 else PARTIAL, tuple(c.ref for c in cards), tuple(blocks))


def of_deck(deck: Decklist, catalog: Catalog, vocabulary: Vocabulary) -> DeckCoverage:
    """Return the coverage of a decklist, its commander included. Cards that the catalogue lacks are unknown."""
    copies = dict.fromkeys(STANDINGS, 0)
    blocked: dict[str, tuple[str, ...]] = {}
    leader = {} if deck.commander is None else {deck.commander: 1}
    for ref, count in {**leader, **deck.main}.items():
        card = catalog.find(ref)
        copies[UNKNOWN if card is None else standing(card)] += count
        blocks = (NO_TEXT,) if card is None else blocked_by(card, vocabulary)
        if blocks:
            blocked[ref] = blocks
    return DeckCoverage(copies, blocked)


def blockers(names: Sequence[NameCoverage]) -> dict[str, int]:
    """Return how many names each missing word blocks, the most first."""
    counts: dict[str, int] = {}
    for found in names:
        for word in found.blocked_by:
            counts[word] = counts.get(word, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
