"""Deck rules: what they look at, the combinators that make them, and `check_deck`, which reports every violation.

A deck rule is a function from a `Submission` to a list of violations. The combinators take the id of the rule they
stand for, so that a game's `deck.py` reads like its rule text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.core import registry
from engine.core.cards import Card, Catalog, load_catalog, merged, shipped_catalogs
from engine.core.decklist import Decklist
from engine.core.errors import Malformed, Unsupported, Violation

if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True, slots=True)
class Format:
    """A way to play a game: the ruleset it follows and the interpretations it switches (id -> option).

    `pooled` says that decks are built from the cards a player opened or drafted; `reads` are the interpretations that
    its deck rules look at.
    """

    id: str
    ruleset: str
    options: Mapping[str, str] = field(default_factory=dict)
    pooled: bool = False
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Submission:
    """What a deck rule looks at: the list, the cards it may name, every interpretation with its option in force.

    `day` is the day whose legality counts, as 2026-03-14 (None: what holds in the end), `pool` the cards the deck is
    built from, by ref (None: not told).
    """

    deck: Decklist
    catalog: Catalog
    options: Mapping[str, str]
    day: str | None = None
    pool: Mapping[str, int] | None = None

    def every(self) -> Mapping[str, int]:
        """The copies of each ref, the commander among them."""
        counts = dict(self.deck.main)
        if self.deck.commander is not None:
            counts[self.deck.commander] = counts.get(self.deck.commander, 0) + 1
        return counts

    def known(self) -> list[tuple[Card, int]]:
        """The cards of the main deck that the catalogue knows, with their number of copies, by ref."""
        return [(self.catalog[ref], count) for ref, count in self.deck.main.items() if ref in self.catalog]

    def count(self, wanted: Callable[[Card], bool]) -> int:
        """How many cards of the main deck, copies included, are `wanted`."""
        return sum(count for card, count in self.known() if wanted(card))

    def label(self, ref: str) -> str:
        """The card's name, with its ref where another version shares the name; the bare ref of an unknown card."""
        if ref not in self.catalog:
            return ref
        card = self.catalog[ref]
        others = (other for other in self.catalog.cards.values() if other.name == card.name)
        alone = all(other.original == card.original for other in others)
        return card.name if alone else f"{card.name} ({ref})"


DeckRule = Callable[[Submission], list[Violation]]


def size(
    low: int, high: int, *, rule: str, counted: Callable[[Submission], int] = lambda s: sum(s.deck.main.values())
) -> DeckRule:
    """From `low` to `high` cards. Args: `count`, `min`, `max`."""

    def check(submission: Submission) -> list[Violation]:
        count = counted(submission)
        return [] if low <= count <= high else [Violation(rule, {"count": count, "min": low, "max": high})]

    return check


def copies(limit: int, *, rule: str, key: Callable[[Card], str]) -> DeckRule:
    """At most `limit` copies of the cards that share a `key`. Args: `card`, `ref`, `count`, `max`."""

    def check(submission: Submission) -> list[Violation]:
        counts: dict[str, int] = {}
        first: dict[str, str] = {}
        for ref, count in submission.deck.main.items():
            same = key(submission.catalog[ref]) if ref in submission.catalog else ref
            counts[same] = counts.get(same, 0) + count
            first.setdefault(same, ref)
        return [
            Violation(rule, {"card": submission.label(first[same]), "ref": first[same], "count": count, "max": limit})
            for same, count in counts.items()
            if count > limit
        ]

    return check


def requires(refs: Callable[[Submission], Iterable[str]], *, rule: str) -> DeckRule:
    """No card may be among the `refs` that are out of place. Args: `card`, `ref`."""

    def check(submission: Submission) -> list[Violation]:
        return [Violation(rule, {"card": submission.label(ref), "ref": ref}) for ref in refs(submission)]

    return check


def known_cards(*, rule: str) -> DeckRule:
    """Every ref of the list is in the catalogue. Args: `card`, `ref`."""

    def unknown(submission: Submission) -> list[str]:
        deck = submission.deck
        refs = [*([deck.commander] if deck.commander else []), *deck.main, *deck.side]
        return [ref for ref in refs if ref not in submission.catalog]

    return requires(unknown, rule=rule)


def suspended(*, rule: str) -> DeckRule:
    """No card of the list is suspended or banned that day. Args: `card`, `ref`, `since`."""

    def check(submission: Submission) -> list[Violation]:
        found = []
        in_force = [entry for entry in submission.catalog.legality if entry.holds(submission.day)]
        for ref in submission.every():
            card = submission.catalog.find(ref)
            entry = next((item for item in in_force if card is not None and item.concerns(card)), None)
            if entry is not None:
                found.append(Violation(rule, {"card": submission.label(ref), "ref": ref, "since": entry.start}))
        return found

    return check


def from_pool(*, rule: str, free: Callable[[Card], bool]) -> DeckRule:
    """No more copies of a card, in whatever printing, than its player's pool holds; those that are `free` aside.

    Args: `card`, `ref`, `count`, `max`. Without a pool nothing is found.
    """

    def check(submission: Submission) -> list[Violation]:
        if submission.pool is None:
            return []
        opened = _by_card(submission, submission.pool)
        found = []
        for original, (ref, count) in _by_card(submission, submission.every()).items():
            card = submission.catalog.find(ref)
            most = opened.get(original, (ref, 0))[1]
            if count > most and not (card is not None and free(card)):
                named = {"card": submission.label(ref), "ref": ref}
                found.append(Violation(rule, {**named, "count": count, "max": most}))
        return found

    return check


def _by_card(submission: Submission, counts: Mapping[str, int]) -> Mapping[str, tuple[str, int]]:
    """A ref and the copies of each card, its printings added up."""
    found: dict[str, tuple[str, int]] = {}
    for ref, count in counts.items():
        card = submission.catalog.find(ref)
        original = ref if card is None else card.original
        first, before = found.get(original, (ref, 0))
        found[original] = (first, before + count)
    return found


def leaning(rule: DeckRule, *interpretations: str, register: Mapping[str, Iterable[str]]) -> DeckRule:
    """The same rule, whose violations name the `interpretations` another option of which would lift them.

    `register` gives the options of each interpretation by id.
    """

    def check(submission: Submission) -> list[Violation]:
        found = rule(submission)
        if not found:
            return found
        leans = tuple(name for name in interpretations if any(not rule(s) for s in _others(submission, name)))
        return [replace(violation, depends_on=(*violation.depends_on, *leans)) for violation in found]

    def _others(submission: Submission, name: str) -> list[Submission]:
        options = [option for option in register[name] if option != submission.options[name]]
        return [replace(submission, options={**submission.options, name: option}) for option in options]

    return check


def check_deck(
    game: str,
    deck: Decklist | Mapping[str, Any],
    fmt: Format | str | None = None,
    *,
    catalog: Catalog | bytes | str | Mapping[str, Any] | None = None,
    on: date | None = None,
    pool: Decklist | Mapping[str, int] | None = None,
) -> list[Violation]:
    """Every violation of a decklist, in the order of the game's deck rules; an empty list says it is legal.

    `deck` is a `Decklist` or its JSON shape; `fmt` a format, its id, or None for the game's usual one; `catalog` the
    cards, as a `Catalog` or its JSON (those shipped, if None); `on` the day whose card legality counts; `pool` the
    cards of a limited event.

    Raises Unsupported (`unknown_game`, `unknown_format`, `unknown_option`, `no_catalog`, `no_pool`) and Malformed
    (a shape that cannot be read, `wrong_game`, `no_sideboard`, and those of `load_catalog`).
    """
    module = registry.module(game, "deck")
    form = find_format(game, fmt)
    cards = _catalog(game, catalog)
    if cards.game != game:
        raise Malformed("wrong_game", f"{cards.id} is a catalogue of {cards.game}, not of {game}")
    if pool is not None and not form.pooled:
        raise Unsupported("no_pool", f"{form.id} of {game} is not played from a pool of cards")
    listed = deck if isinstance(deck, Decklist) else Decklist.from_json(deck)
    if listed.side and not registry.module(game, "vocabulary").VOCABULARY.sideboard:
        raise Malformed("no_sideboard", f"{game} has no sideboard", path="side")
    day = None if on is None else on.isoformat()
    submission = Submission(listed, cards, options_in_force(game, form), day, _pool(pool))
    rules: Sequence[DeckRule] = module.deck_rules(form)
    return [violation for rule in rules for violation in rule(submission)]


def _catalog(game: str, given: Catalog | bytes | str | Mapping[str, Any] | None) -> Catalog:
    """The cards a deck is checked with: those given, read if they are JSON, or those shipped. Raises EngineError."""
    if given is None:
        return merged(shipped_catalogs(game))
    return given if isinstance(given, Catalog) else load_catalog(given)


def _pool(pool: Decklist | Mapping[str, int] | None) -> Mapping[str, int] | None:
    """The copies of each card of a pool, whatever place its list gives them."""
    if not isinstance(pool, Decklist):
        return pool
    counts = dict(pool.side)
    for ref, count in pool.main.items():
        counts[ref] = counts.get(ref, 0) + count
    if pool.commander is not None:
        counts[pool.commander] = counts.get(pool.commander, 0) + 1
    return counts


def find_format(game: str, fmt: Format | str | None = None) -> Format:
    """The format meant: itself, by id or by ruleset id, or the game's first. Raises Unsupported, `unknown_format`."""
    if isinstance(fmt, Format):
        return fmt
    formats: tuple[Format, ...] = registry.module(game, "deck").FORMATS
    if fmt is None:
        return formats[0]
    for form in formats:
        if fmt in (form.id, form.ruleset):
            return form
    known = ", ".join(form.id for form in formats)
    raise Unsupported("unknown_format", f"{game} has no format {fmt[:60]!r}; there are: {known}")


def options_in_force(game: str, fmt: Format) -> Mapping[str, str]:
    """Every interpretation of the game with its option: the format's, or else the default.

    Raises Unsupported, code `unknown_option`, if the format names an interpretation or an option that is not there.
    """
    register = registry.rulebook(game).interpretations
    for name, option in fmt.options.items():
        if name not in register or option not in register[name].options:
            raise Unsupported("unknown_option", f"{game} has no option {option[:40]!r} of {name[:40]!r}")
    return {name: fmt.options.get(name, entry.default) for name, entry in register.items()}
