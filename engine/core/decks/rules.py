"""Deck rules: what they check, the combinators that build them, and `check_deck`, which reports every violation.

A deck rule is a function from a `Submission` to a list of violations. Each combinator takes the id of the rule it
stands for, so that a game's `deck.py` reads like its rule text. The "Args" in their docstrings are the arguments of the
violation's message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog, load_catalog, merged, shipped_catalogs
from engine.core.decks.decklist import Decklist, Note, ParsedDecklist, parse
from engine.core.text import registry
from engine.core.text.errors import Malformed, Unsupported, Violation

if TYPE_CHECKING:
    from datetime import date

USUAL_COPIES = 3  # of a card, in the formats that limit them


@dataclass(frozen=True, slots=True)
class Format:
    """A format of a game: its ruleset, and the interpretations for which it sets another option (id -> option).

    `earlier` are older rulesets by which decks are built in the same way. `pooled` says that decks are built from the
    cards that a player opened or drafted. `reads` lists the interpretations that its deck rules depend on. `sideboard`
    overrides whether lists of the game may have one.
    """

    id: str
    ruleset: str
    options: Mapping[str, str] = field(default_factory=dict)
    pooled: bool = False
    reads: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    sideboard: bool | None = None

    @property
    def rulesets(self) -> tuple[str, ...]:
        """All rulesets of the format, the newest last."""
        return (*self.earlier, self.ruleset)


@dataclass(frozen=True, slots=True)
class Submission:
    """What a deck rule checks: the decklist, the catalogue, and every interpretation with the option in force.

    `day` is the day whose card legality counts, as 2026-03-14; None counts the bans and suspensions that have no end.
    `pool` holds the copies of each ref that the deck may be built from; None if the pool is not known.
    """

    deck: Decklist
    catalog: Catalog
    options: Mapping[str, str]
    day: str | None = None
    pool: Mapping[str, int] | None = None

    def every(self) -> Mapping[str, int]:
        """Return the copies of each ref of the main deck, with the commander added."""
        counts = dict(self.deck.main)
        if self.deck.commander is not None:
            counts[self.deck.commander] = counts.get(self.deck.commander, 0) + 1
        return counts

    def known(self) -> list[tuple[Card, int]]:
        """Return the cards of the main deck that the catalogue knows, with their number of copies."""
        return [(self.catalog[ref], count) for ref, count in self.deck.main.items() if ref in self.catalog]

    def count(self, wanted: Callable[[Card], bool]) -> int:
        """Count the cards of the main deck, copies included, for which `wanted` is true."""
        return sum(count for card, count in self.known() if wanted(card))

    def label(self, ref: str) -> str:
        """Return a card's name, with its ref if a different card has the same name; the bare ref of an unknown card."""
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
    """Require from `low` to `high` cards. Args: `count`, `min`, `max`."""

    def check(submission: Submission) -> list[Violation]:
        count = counted(submission)
        return [] if low <= count <= high else [Violation(rule, {"count": count, "min": low, "max": high})]

    return check


def copies(limit: int, *, rule: str, key: Callable[[Card], str]) -> DeckRule:
    """Allow at most `limit` copies of the cards that share a `key`. Args: `card`, `ref`, `count`, `max`."""

    def check(submission: Submission) -> list[Violation]:
        counts: dict[str, int] = {}
        first: dict[str, str] = {}
        for ref, count in submission.deck.main.items():
            # Unknown cards are reported by `known_cards`; here each counts as a card of its own.
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
    """Forbid each of the refs that `refs` finds out of place in a submission. Args: `card`, `ref`."""

    def check(submission: Submission) -> list[Violation]:
        return [Violation(rule, {"card": submission.label(ref), "ref": ref}) for ref in refs(submission)]

    return check


def known_cards(*, rule: str) -> DeckRule:
    """Require every ref of the list to be in the catalogue. Args: `card`, `ref`."""

    def unknown(submission: Submission) -> list[str]:
        deck = submission.deck
        refs = [*([deck.commander] if deck.commander else []), *deck.main, *deck.side]
        return [ref for ref in refs if ref not in submission.catalog]

    return requires(unknown, rule=rule)


def suspended(*, rule: str) -> DeckRule:
    """Forbid cards that are suspended or banned on the day of the submission. Args: `card`, `ref`, `since`."""

    def check(submission: Submission) -> list[Violation]:
        found = []
        # Filtered once: a catalogue may list 2,000 suspensions, and a deck has 40 cards.
        in_force = [entry for entry in submission.catalog.legality if entry.holds(submission.day)]
        for ref in submission.every():
            card = submission.catalog.find(ref)
            entry = next((item for item in in_force if card is not None and item.concerns(card)), None)
            if entry is not None:
                found.append(Violation(rule, {"card": submission.label(ref), "ref": ref, "since": entry.start}))
        return found

    return check


def from_pool(*, rule: str, free: Callable[[Card], bool]) -> DeckRule:
    """Allow no more copies of a card, in any printing, than the pool holds. Cards that are `free` are not limited.

    Args: `card`, `ref`, `count`, `max`. Without a pool, there are no violations.
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
    """Add up the printings of each card: original ref -> (first ref met, copies)."""
    found: dict[str, tuple[str, int]] = {}
    for ref, count in counts.items():
        card = submission.catalog.find(ref)
        original = ref if card is None else card.original
        first, before = found.get(original, (ref, 0))
        found[original] = (first, before + count)
    return found


def interpreted(rule: DeckRule, *interpretations: str, register: Mapping[str, Iterable[str]]) -> DeckRule:
    """Return the same rule, with violations that name the interpretations they depend on.

    A violation depends on one of the `interpretations` if, under another of its options, the rule finds no violation.
    `register` holds the options of each interpretation by id.
    """

    def check(submission: Submission) -> list[Violation]:
        found = rule(submission)
        if not found:
            return found  # a legal deck, the usual case, does not pay for trying the other options
        depends_on = tuple(name for name in interpretations if any(not rule(s) for s in _others(submission, name)))
        return [replace(violation, depends_on=(*violation.depends_on, *depends_on)) for violation in found]

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
    """Return every violation of a decklist, in the order of the game's deck rules. An empty list means it is legal.

    - `deck` is a `Decklist` or its JSON shape.
    - `fmt` is a format, its id or the id of its ruleset; None stands for the game's first format.
    - `catalog` holds the cards, as a `Catalog` or its JSON; None stands for the shipped catalogues.
    - `on` is the day whose card legality counts, `pool` the player's cards in a limited event.

    Raises Unsupported (`unknown_game`, `unknown_format`, `unknown_option`, `no_catalog`, `no_pool`) and Malformed
    (a shape that cannot be read, `wrong_game`, `no_sideboard`, and those of `load_catalog`).

    >>> too_few = check_deck("star-safir", {"commander": None, "main": {"DEMO-SAF-001": 2}})
    >>> [(violation.rule, violation.args) for violation in too_few]
    [('SAF-I-2', {'count': 2, 'min': 30, 'max': 40})]
    """
    module = registry.module(game, "deck")
    form = find_format(game, fmt)
    cards = catalog_for(game, catalog)
    # A pool handed to a format without one is a mistake of the caller, who would believe that the pool was checked.
    if pool is not None and not form.pooled:
        raise Unsupported("no_pool", f"{form.id} of {game} is not played from a pool of cards")
    listed = deck if isinstance(deck, Decklist) else Decklist.from_json(deck)
    if listed.side and not _has_sideboard(game, form):
        raise Malformed("no_sideboard", f"{game} has no sideboard", path="side")
    day = None if on is None else on.isoformat()
    submission = Submission(listed, cards, options_in_force(game, form), day, _pool(pool))
    rules: Sequence[DeckRule] = module.deck_rules(form)
    return [violation for rule in rules for violation in rule(submission)]


def _has_sideboard(game: str, form: Format) -> bool:
    allowed = registry.module(game, "vocabulary").VOCABULARY.sideboard if form.sideboard is None else form.sideboard
    return bool(allowed)


def read_deck(
    text: str | bytes, game: str, fmt: Format | str | None, catalog: Catalog, lang: str = ""
) -> ParsedDecklist:
    """Read a pasted list as one of a format: with a sideboard if lists of the format may have one.

    In formats with a pool a deck can have several factions, so the leader's does not decide which version of a card is
    meant. Raises as `decklist.parse` and `find_format` do.
    """
    form = find_format(game, fmt)
    return parse(text, catalog, sideboard=_has_sideboard(game, form), led=not form.pooled, lang=lang)


def deck_notes(
    game: str, deck: Decklist | Mapping[str, Any], fmt: Format | str | None, *, catalog: Catalog, lang: str = ""
) -> list[Note]:
    """Return what a player should know of a deck, legal or not: copies beyond those that most formats allow.

    Raises Unsupported and Malformed as `check_deck` does.
    """
    form = find_format(game, fmt)
    listed = deck if isinstance(deck, Decklist) else Decklist.from_json(deck)
    submission = Submission(listed, catalog, options_in_force(game, form))
    if not registry.module(game, "deck").free_copies(submission, form):
        return []
    counts = [(card.name_in(lang), count) for card, count in submission.known() if count > USUAL_COPIES]
    return [Note("no_copy_limit", {"card": card, "count": count, "format": form.id}) for card, count in counts]


def catalog_for(game: str, given: Catalog | bytes | str | Mapping[str, Any] | None) -> Catalog:
    """Return the given catalogue, read if it is JSON, or all shipped ones of the game merged.

    Raises Unsupported (`no_catalog`) and Malformed (`wrong_game`, and those of `load_catalog`).
    """
    if given is None:
        return merged(shipped_catalogs(game))
    cards = given if isinstance(given, Catalog) else load_catalog(given)
    if cards.game != game:
        raise Malformed("wrong_game", f"{cards.id} is a catalogue of {cards.game}, not of {game}")
    return cards


def _pool(pool: Decklist | Mapping[str, int] | None) -> Mapping[str, int] | None:
    """Return the copies of each ref of a pool, whichever section of the list they are in."""
    if not isinstance(pool, Decklist):
        return pool
    counts = dict(pool.side)
    for ref, count in pool.main.items():
        counts[ref] = counts.get(ref, 0) + count
    if pool.commander is not None:
        counts[pool.commander] = counts.get(pool.commander, 0) + 1
    return counts


def find_format(game: str, fmt: Format | str | None = None) -> Format:
    """Return a format given as itself, its id, its ruleset's id, or None for the game's first format.

    Raises Unsupported: `unknown_format`, `unknown_game`.
    """
    if isinstance(fmt, Format):
        return fmt
    formats: tuple[Format, ...] = registry.module(game, "deck").FORMATS
    if fmt is None:
        return formats[0]
    for form in formats:
        if fmt == form.id or fmt in form.rulesets:
            return form
    known = ", ".join(form.id for form in formats)
    raise Unsupported("unknown_format", f"{game} has no format {fmt[:60]!r}; there are: {known}")


def options_in_force(game: str, fmt: Format) -> Mapping[str, str]:
    """Return every interpretation of the game with its option in force: the format's, or else the default.

    Raises Unsupported, code `unknown_option`, if the format names an interpretation or an option that does not exist.
    """
    register = registry.rulebook(game).interpretations
    for name, option in fmt.options.items():
        if name not in register or option not in register[name].options:
            raise Unsupported("unknown_option", f"{game} has no option {option[:40]!r} of {name[:40]!r}")
    return {name: fmt.options.get(name, entry.default) for name, entry in register.items()}
