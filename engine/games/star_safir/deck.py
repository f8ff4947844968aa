"""Deck construction rules of Star Safir (SAF-I-2, I-3, II-2, III-1, III-2, III-5) and random legal decks.

A deck rule is a function from a `Submission` to its violations (see `core.decks.rules`). Three gaps of the rule text
change the result: I-SAF-13 (does the commander count), I-SAF-14 (do tokens count as fighters) and I-SAF-26 (a commander
of several factions).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import DeckRule, Format, Submission, copies, interpreted, known_cards, requires, size
from engine.core.text import registry
from engine.core.text.errors import Unsupported, Violation

if TYPE_CHECKING:
    import random

GAME = "star-safir"
FORMATS = (Format("safir-v2", "safir-v2@1", reads=("I-SAF-13", "I-SAF-14", "I-SAF-26")),)

MIN_CARDS = 30
MAX_CARDS = 40
MAX_COPIES = 2
FACTION_FIGHTERS = 15


def deck_rules(fmt: Format) -> Sequence[DeckRule]:
    """Return the deck rules of a format, in the order of the rule text.

    Formats of this game differ by their options only, so the rules are the same for every `fmt`.
    """
    register = {name: tuple(entry.options) for name, entry in registry.rulebook(GAME).interpretations.items()}
    return (
        # A violation of an `interpreted` rule names the interpretations whose other option would lift it.
        interpreted(size(MIN_CARDS, MAX_CARDS, rule="SAF-I-2", counted=_counted), "I-SAF-13", register=register),
        interpreted(_tokens_in_the_limit, "I-SAF-13", register=register),
        # The key is the printed version, not the name: two printings of one name are different cards (SAF-I-3).
        copies(MAX_COPIES, rule="SAF-I-3", key=_version),
        requires(_misplaced, rule="SAF-II-2"),
        known_cards(rule="SAF-III-1"),
        interpreted(_commander_fighters, "I-SAF-14", "I-SAF-26", register=register),
    )


def counted_as(fmt: Format) -> Callable[[Card], str | None]:
    """Return what copies are counted by across the decks of a team: the printed version, as in one deck (SAF-I-3)."""
    return _version


def free_copies(submission: Submission, fmt: Format) -> bool:
    """Return whether a deck may hold any number of copies of a card: never."""
    return False


def _version(card: Card) -> str:
    return card.ref


def _counted(submission: Submission) -> int:
    """Count the cards that the size limit covers: tokens too (SAF-III-2), the commander only by I-SAF-13."""
    commander = submission.options["I-SAF-13"] == "counted" and submission.deck.commander is not None
    return sum(submission.deck.main.values()) + commander


def _tokens_in_the_limit(submission: Submission) -> list[Violation]:
    """Cite SAF-III-2 next to SAF-I-2 when the deck would fit without its tokens.

    Violation args: tokens, count, max.
    """
    tokens = submission.count(lambda card: card.kind == "jeton")
    count = _counted(submission)
    if count <= MAX_CARDS or count - tokens > MAX_CARDS:
        return []
    return [Violation("SAF-III-2", {"tokens": tokens, "count": count, "max": MAX_CARDS})]


def _misplaced(submission: Submission) -> list[str]:
    """List the commanders in the main deck, and a card registered as commander that is not one."""
    wrong = [card.ref for card, _ in submission.known() if card.kind == "commandant"]
    commander = submission.deck.commander
    # A commander that the catalogue does not know is reported by SAF-III-1.
    if commander is not None and commander in submission.catalog and not _leads(submission, commander):
        wrong.insert(0, commander)
    return wrong


def _leads(submission: Submission, ref: str) -> bool:
    return ref in submission.catalog and submission.catalog[ref].kind == "commandant"


def _commander_fighters(submission: Submission) -> list[Violation]:
    """Require 15 fighters of the commander's faction (SAF-III-5).

    Violation args: commander, ref, count, min, faction.
    """
    ref = submission.deck.commander
    # A card that is no commander is reported by SAF-II-2 alone.
    if ref is None or not _leads(submission, ref):
        return []
    found = []
    for count, faction in _short_factions(submission, submission.catalog[ref].factions):
        args: dict[str, str | int] = {
            "commander": submission.label(ref),
            "ref": ref,
            "count": count,
            "min": FACTION_FIGHTERS,
            "faction": faction,
        }
        found.append(Violation("SAF-III-5", args))
    return found


def _short_factions(submission: Submission, factions: Sequence[str]) -> list[tuple[int, str]]:
    """Return (fighters in the deck, faction) for each faction that falls short, read by I-SAF-26."""
    groups: list[tuple[str, ...]] = [(faction,) for faction in factions]
    # `any`: the fighters of all factions add up, so they form one group.
    if submission.options["I-SAF-26"] == "any" and factions:
        groups = [tuple(factions)]
    counts = [(submission.count(_fighter_of(group, submission)), " / ".join(group)) for group in groups]
    short = [need for need in counts if need[0] < FACTION_FIGHTERS]
    if submission.options["I-SAF-26"] == "one" and short:
        # `one`: a single faction with enough fighters will do; otherwise report the one closest to 15.
        return [] if len(short) < len(counts) else [max(short, key=lambda need: need[0])]
    return short


def _fighter_of(factions: Sequence[str], submission: Submission) -> Callable[[Card], bool]:
    """Return the test for cards that count among the 15: fighters of these factions, tokens by I-SAF-14."""
    kinds = ("combattant", "jeton") if submission.options["I-SAF-14"] == "counted" else ("combattant",)
    return lambda card: card.kind in kinds and any(faction in factions for faction in card.factions)


def random_deck(rng: random.Random, catalog: Catalog) -> Decklist:
    """Draw a random deck of 30 to 40 cards, legal under the default options; the same seed gives the same deck.

    It has no commander, or a random one among those with enough fighters in the catalogue. Raises Unsupported, code
    `catalog_too_small`, if the catalogue cannot make 30 cards.
    """
    # Everything is sorted, so that the deck depends on the seed and not on the order of the catalogue file.
    playable = [ref for ref, card in sorted(catalog.cards.items()) if card.kind != "commandant"]
    if len(playable) * MAX_COPIES < MIN_CARDS:
        raise Unsupported("catalog_too_small", f"{catalog.id} cannot make a deck of {MIN_CARDS} cards")
    target = rng.randint(MIN_CARDS, min(MAX_CARDS, len(playable) * MAX_COPIES))
    leaders: list[str | None] = [None, *(ref for ref in sorted(catalog.cards) if _can_lead(catalog, ref))]
    commander = rng.choice(leaders)
    drawn: list[str] = []
    if commander is not None and catalog[commander].factions:
        # The fighters the commander needs come first, then any card with copies left.
        drawn = rng.sample(_fighters(catalog, rng.choice(_followed(catalog, commander))), FACTION_FIGHTERS)
    left = playable * MAX_COPIES
    for ref in drawn:
        left.remove(ref)
    drawn += rng.sample(left, target - len(drawn))
    return Decklist(commander, {ref: drawn.count(ref) for ref in drawn})


def _fighters(catalog: Catalog, faction: str) -> list[str]:
    """List the refs of a faction's fighters, each as often as a deck may hold it."""
    refs = [
        ref for ref, card in sorted(catalog.cards.items()) if card.kind == "combattant" and faction in card.factions
    ]
    return refs * MAX_COPIES


def _followed(catalog: Catalog, commander: str) -> list[str]:
    """Return the commander's factions that have enough fighters in the catalogue."""
    return [f for f in catalog[commander].factions if len(_fighters(catalog, f)) >= FACTION_FIGHTERS]


def _can_lead(catalog: Catalog, ref: str) -> bool:
    card = catalog[ref]
    return card.kind == "commandant" and (not card.factions or bool(_followed(catalog, ref)))
