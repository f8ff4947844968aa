"""Decklists, card lists and catalogues as plain values: formats, previews, faults and violations in words."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random
from typing import Any

from engine.core.cards.card_file import UNNAMED, Reason, read_card_file
from engine.core.cards.card_list import written
from engine.core.cards.catalog import Catalog as Catalog
from engine.core.cards.catalog import load_catalog as load_catalog
from engine.core.cards.catalog import shipped_catalogs
from engine.core.cards.images import check_image, images_of, with_images, without_images
from engine.core.cards.lint import Problem, lint
from engine.core.decks.decklist import Decklist, LineFault, ParsedDecklist, corrected, decoded, editable, parse, render
from engine.core.decks.rules import Format, check_deck, deck_notes, find_format, read_deck
from engine.core.decks.team_decks import RULE as TEAM_RULE
from engine.core.decks.team_decks import check_team, in_words, limits_teams
from engine.core.text.errors import EngineError, Violation
from engine.core.text.phrases import error_message
from engine.core.text.registry import module, rulebook

SAMPLE = 20  # cards of a catalogue shown in its preview

MOST_SETS = 50  # sets of a catalogue shown in its preview, those with the most cards

MOST_PROBLEMS = 200  # problems, and hints, of the linter that are stored


@dataclass(frozen=True)
class Reading:
    """The result of reading a decklist: either `faults` (lines that cannot be read), or the cards and violations.

    A list that is not `checked` belongs to a game that the engine does not know; only its text is stored.
    """

    text: str
    cards: dict[str, Any]
    digest: str
    faults: list[dict[str, Any]]
    violations: list[dict[str, Any]]
    checked: bool = True


@dataclass(frozen=True)
class PoolReading:
    """The result of reading a pool: either `faults` (lines that cannot be read), or the copies by card reference."""

    text: str
    cards: dict[str, int]
    digest: str
    faults: list[dict[str, Any]]


@dataclass(frozen=True)
class Draft:
    """A list that is not registered: its text with a card on each line, and the lines that cannot be read.

    `notes` are what a player should know of it, as of `list_notes`.
    """

    text: str
    faults: list[dict[str, Any]]
    notes: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class DeckOption:
    """An interpretation that a deck format depends on: why the rules need it, its default, and its options in words."""

    id: str
    why: str
    default: str
    choices: Mapping[str, str]


@dataclass(frozen=True)
class DeckFormat:
    """The deck rules of a format: id, ruleset, whether decks are built from a pool, and the options.

    `limits_teams` is whether the copies of a card can be limited across the decks of a team. `rulesets` are all
    editions of the rules that it belongs to; `ruleset` is the newest.
    """

    id: str
    ruleset: str
    pooled: bool
    options: tuple[DeckOption, ...]
    rulesets: tuple[str, ...]
    limits_teams: bool


@dataclass(frozen=True)
class CardList:
    """A file of cards converted to a catalogue: the values for a `Catalogue` row, and what is known of the file.

    `file` is JSON: the `kind` that was recognized, what was `left_out` (by reason: `code`, `count` and the `first`
    faults), what such files lack (`lacks`, codes), the number of cards of each of its `sets`, and of `suspensions`.
    `images` are addresses by card reference, which `document` does not have.
    """

    game: str
    catalog: str
    sha256: str
    cards: int
    document: str
    file: Mapping[str, Any]
    images: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Profile:
    """A decklist in short: the name of its hero or commander ("" for none), and its factions."""

    lead: str
    factions: tuple[str, ...]


class Unreadable(Exception):
    """A list of cards cannot be read. `faults` are `{line, path, code, message}`, one for each faulty line."""

    def __init__(self, faults: list[dict[str, Any]]) -> None:
        super().__init__(faults)
        self.faults = faults


def deck_formats(game: str, language: str) -> list[DeckFormat]:
    """The deck formats of a game, with their options in words; empty for a game that the engine does not know."""
    return [_deck_format(game, form, language) for form in (module(game, "deck").FORMATS if game else ())]


def _deck_format(game: str, form: Format, language: str) -> DeckFormat:
    register = rulebook(game).interpretations
    options = (
        DeckOption(gap.id, gap.why[language], gap.default, {key: words[language] for key, words in gap.options.items()})
        for gap in (register[name] for name in form.reads)
    )
    limited = limits_teams(game, form)
    return DeckFormat(form.id, form.ruleset, form.pooled, tuple(options), form.rulesets, limited)


def catalog_in(document: str) -> Catalog | None:
    """Parse a document as a catalogue; None if it is not one."""
    try:
        return load_catalog(document)
    except EngineError:
        return None


def shipped(game: str) -> list[tuple[str, str, int]]:
    """The catalogues of a game shipped with the engine, as `(id, SHA-256, number of cards)`."""
    return [(catalog.id, catalog.sha256, len(catalog.cards)) for catalog in (shipped_catalogs(game) if game else ())]


def look_at(document: str) -> dict[str, Any]:
    """A preview of a catalogue as JSON: its first `SAMPLE` cards, and the linter's report on all of them.

    `problems` and `hints` hold at most `MOST_PROBLEMS` each; `problem_count` and `hint_count` are the totals.
    `executed` is the number of cards that the engine executes by itself, `manual` of those that need rulings.
    """
    catalog, report = load_catalog(document), lint(document)
    refs = list(catalog.cards)
    cards = [catalog.cards[ref] for ref in refs[:SAMPLE]]
    covered = report.coverage
    return {
        "sample": [{"ref": card.ref, "name": card.name, "kind": card.kind} for card in cards],
        "problems": [_problem(found, refs) for found in report.problems[:MOST_PROBLEMS]],
        "problem_count": len(report.problems),
        "hints": [_problem(found, refs) for found in report.hints[:MOST_PROBLEMS]],
        "hint_count": len(report.hints),
        "executed": covered.executable if covered else 0,  # including cards without an effect
        "manual": len(covered.manual) if covered else 0,
    }


def _problem(found: Problem, refs: Sequence[str]) -> dict[str, Any]:
    """A problem of the linter as JSON, with the reference of the card that its path (`cards[3].kind`) points to."""
    number, _dot, key = found.path.removeprefix("cards[").partition("]")
    of_card = found.path.startswith("cards[") and number.isdigit() and int(number) < len(refs)
    return {
        "code": found.code,
        "card": refs[int(number)] if of_card else "",
        "where": storable(key.lstrip(".") if of_card else found.path),
        "suggestions": list(found.suggestions),
    }


def faults_in_words(faults: Iterable[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """Stored faults of a card list, with their messages in a language."""
    return [{**fault, "message": error_message(fault["code"], fault["message"], language)} for fault in faults]


def read_card_list(game: str, content: bytes, name: str, language: str, legality: bytes | None = None) -> CardList:
    """Recognize a file of cards (docs/cards.md) and read it as a catalogue.

    `game` may be "" if the file says its game. `name` is the id of the catalogue, unless the file is a catalogue with
    an id of its own; a community's file that is called just "cards" is named after its game. `legality` is a history of
    suspensions that goes with the file.

    Raises `Unreadable`, with every faulty line.
    """
    try:
        found = read_card_file(content, "" if name == UNNAMED else name, game, legality)
    except EngineError as error:
        raise Unreadable([_card_fault(0, error, language)]) from error
    listed, made = found.listed, found.listed.catalog
    if made is None:
        raise Unreadable([_card_fault(fault.line, fault.error, language) for fault in listed.faults])
    left_out = [_left_out(reason, language) for reason in found.reasons]
    sets = Counter(card.words["set"] for card in made.cards.values() if "set" in card.words)
    file = {
        "kind": found.kind,
        "left_out": left_out,
        "lacks": list(found.lacks),
        "sets": dict(sets.most_common(MOST_SETS)),
        "suspensions": len(made.legality),
    }
    plain, images = without_images(listed.document), images_of(listed.document)
    return CardList(made.game, made.id, made.sha256, len(made.cards), written(plain), file, images)


def with_its_images(read: CardList) -> str:
    """The document of a list of cards with its images, as one file."""
    return written(with_images(json.loads(read.document), read.images))


def without_its_images(document: str) -> tuple[str, dict[str, str]]:
    """The opposite of `with_its_images`: the document, and the addresses of its images by card reference."""
    whole = json.loads(document)
    return written(without_images(whole)), images_of(whole)


def sound_images(document: str, addresses: Mapping[str, Any]) -> dict[str, str]:
    """The images from outside that the cards of a catalogue may have: of its cards, with an address that is allowed."""
    catalog = catalog_in(document)
    refs = catalog.cards if catalog is not None else {}
    return {ref: address for ref, address in addresses.items() if ref in refs and _is_image(address)}


def _is_image(address: Any) -> bool:
    try:
        check_image(address, "")
    except EngineError:
        return False
    return True


def _left_out(reason: Reason, language: str) -> dict[str, Any]:
    first = [_card_fault(fault.line, fault.error, language) for fault in reason.first]
    return {"code": reason.code, "count": reason.count, "first": first}


def left_out_in_words(reasons: Iterable[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """Stored reasons of `CardList.file`, with their messages in a language."""
    return [{**reason, "first": faults_in_words(reason["first"], language)} for reason in reasons]


def _card_fault(line: int, error: EngineError, language: str) -> dict[str, Any]:
    message = error_message(error.code, error.message, language, error.value)
    return {"line": line, "path": storable(error.path), "code": error.code, "message": storable(message)}


def difference_of(old: str, new: str) -> dict[str, int]:
    """How the cards of two catalogues (documents) differ: the numbers of cards `added`, `changed` and `removed`."""
    before, after = load_catalog(old).cards, load_catalog(new).cards
    changed = sum(1 for ref, card in after.items() if ref in before and before[ref] != card)
    return {
        "added": len(after.keys() - before.keys()),
        "changed": changed,
        "removed": len(before.keys() - after.keys()),
    }


def profile_of(catalog: Catalog, cards: Mapping[str, Any], language: str) -> Profile:
    """The profile of a decklist.

    Factions are those of the commander, if it has any, else those of all cards. A list without a commander (such as a
    starting packet of Saint Seiya) is led by the hero that most of its cards belong to.
    """
    lead = catalog.find(cards.get("commander") or "")
    main = [(card, copies) for ref, copies in cards.get("main", {}).items() if (card := catalog.find(ref)) is not None]
    factions = set(lead.factions) if lead is not None else set()
    if not factions:
        factions = {faction for card, _copies in main for faction in card.factions}
    if lead is not None:
        return Profile(lead.name_in(language), tuple(sorted(factions)))
    heroes: Counter[str] = Counter()
    for card, copies in main:
        if hero := card.words.get("hero", ""):
            heroes[hero] += copies
    # Sorted first, so that the result of a tie does not depend on the order of the cards.
    return Profile(max(sorted(heroes), key=heroes.__getitem__, default=""), tuple(sorted(factions)))


def storable(text: str | bytes) -> str:
    """Pasted text in the form in which it can be stored: PostgreSQL rejects NUL characters.

    A file is decoded as it was read, so that the stored text can be read again.
    """
    try:
        kept = decoded(text)
    except EngineError:  # too large; only the refusal shows it
        kept = text if isinstance(text, str) else text.decode("utf-8", errors="replace")
    return kept.replace("\x00", "")


def violation_json(violation: Violation) -> dict[str, Any]:
    return {"rule": violation.rule, "args": dict(violation.args), "depends_on": list(violation.depends_on)}


def fault_json(fault: LineFault, language: str) -> dict[str, Any]:
    return {
        "line": fault.line,
        "code": fault.code,
        "text": fault.text,
        "message": fault.message(language),
        "suggestions": list(fault.suggestions),
    }


def unreadable_json(error: EngineError, language: str) -> dict[str, Any]:
    message = error_message(error.code, error.message, language, error.value)
    return {"line": 0, "code": error.code, "text": error.path, "message": message, "suggestions": []}


@dataclass(frozen=True)
class DeckRules:
    """What decks are checked by: a format of a game with its options, the cards, and the day of the suspensions.

    Without a `form`, decks can be read, but not checked.
    """

    game: str
    form: str | None
    catalog: Catalog
    options: Mapping[str, str] = field(default_factory=dict)
    day: date | None = None

    @property
    def format(self) -> Format:
        """The format with these options."""
        return replace(find_format(self.game, self.form), options=self.options)

    def read(self, text: str | bytes, language: str) -> ParsedDecklist:
        """Read a pasted decklist."""
        return read_deck(text, self.game, self.form, self.catalog, language)


def is_pooled(game: str, form: str) -> bool:
    """Whether the decks of a format are built from the cards that each player opened or drafted."""
    return find_format(game, form).pooled


def unchecked(text: str | bytes) -> Reading:
    """A decklist of a game that the engine does not know: its text alone."""
    kept = storable(text)
    return Reading(kept, {}, hashlib.sha256(kept.encode()).hexdigest(), [], [], checked=False)


def read_list(rules: DeckRules, text: str | bytes, language: str, pool: Mapping[str, int] | None = None) -> Reading:
    """Read a pasted decklist and check it, in a format with pools against a pool too.

    All faults and violations are returned. Fault messages are in `language`.
    """
    try:
        parsed = rules.read(text, language)
        violations = [] if parsed.faults else judge(rules, parsed.deck.to_json(), pool)
    except EngineError as error:
        return Reading("", {}, "", [unreadable_json(error, language)], [])
    faults = [fault_json(fault, language) for fault in parsed.faults]
    return Reading(storable(text), parsed.deck.to_json(), parsed.deck.digest(), faults, violations)


def list_notes(rules: DeckRules, text: str | bytes, language: str) -> list[dict[str, Any]]:
    """What a player should know of a list, as `code` and `message`: cards left out, copies that nothing limits.

    Empty for a list that cannot be read.
    """
    try:
        parsed = rules.read(text, language)
        more = deck_notes(rules.game, parsed.deck, rules.format, catalog=rules.catalog, lang=language)
    except EngineError:
        return []
    notes = parsed.notes if parsed.faults else (*parsed.notes, *more)
    return [{"code": note.code, "message": note.message(language)} for note in notes]


def judge(rules: DeckRules, cards: Mapping[str, Any], pool: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    """All violations of the deck rules, by the suspensions and bans of the day.

    `cards` is a deck as the engine writes it (`Decklist.to_json`), `pool` the copies by card reference.
    """
    form = rules.format
    found = check_deck(rules.game, cards, form, catalog=rules.catalog, on=rules.day, pool=pool if form.pooled else None)
    return [violation_json(violation) for violation in found]


def judge_team(rules: DeckRules, decks: Mapping[str, Mapping[str, Any]], limit: int) -> dict[str, list[dict[str, Any]]]:
    """The violations of the limit of copies in a team, by the owner of each deck that holds a card too often.

    `decks` are decks as the engine writes them, by owner. A violation has the copies in each deck that holds the card
    as `holders`, by owner. Empty where the format does not limit teams.
    """
    form = find_format(rules.game, rules.form)
    if not limits_teams(rules.game, form):
        return {}
    found: dict[str, list[dict[str, Any]]] = {}
    for excess in check_team(rules.game, decks, limit, form, catalog=rules.catalog):
        args = {name: value for name, value in excess.args.items() if name != "decks"}  # has no names: see `describe`
        violation = {**violation_json(replace(excess, args=args)), "holders": dict(excess.holders)}
        for owner in excess.holders:
            found.setdefault(owner, []).append(violation)
    return found


def held_by(violation: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    """A violation of a team that says whose decks hold the card. Owners without a name are not mentioned."""
    holders = violation["holders"]
    copies = {name: holders[owner] for owner, name in names.items() if owner in holders}
    return {**violation, "args": {**violation["args"], "decks": in_words(copies)}}


def of_one_deck(violations: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Those of stored violations that a deck breaks by itself, without the decks of its team mates."""
    return [dict(violation) for violation in violations if violation["rule"] != TEAM_RULE]


def read_pool(catalog: Catalog, text: str | bytes, language: str) -> PoolReading:
    """Read a pasted pool, which may be written like a decklist. Cards count in whatever section they stand."""
    try:
        parsed = parse(text, catalog, led=False, lang=language)
    except EngineError as error:
        return PoolReading("", {}, "", [unreadable_json(error, language)])
    deck = parsed.deck
    counts = Counter(deck.main) + Counter(deck.side) + Counter([deck.commander] if deck.commander else [])
    cards = dict(sorted(counts.items()))
    faults = [fault_json(fault, language) for fault in parsed.faults]
    return PoolReading(storable(text), cards, Decklist(main=cards).digest(), faults)


def draft_list(rules: DeckRules, text: str | bytes, language: str, suggestion: str = "") -> Draft:
    """Rewrite a decklist or pool as text that can be edited, and read it.

    `suggestion` is a line number and one of the suggestions for that line, such as `12:DEMO-SAF-020 Braisillon`. It is
    applied if the line still has it: the text may have been edited since.
    """
    try:
        shown = editable(text, rules.catalog, language)
        faults = rules.read(shown, language).faults
        line, _colon, words = suggestion.partition(":")
        chosen = next((fault for fault in faults if str(fault.line) == line and words in fault.suggestions), None)
        if chosen is not None:
            shown = corrected(shown, chosen, words)
            faults = rules.read(shown, language).faults
    except EngineError as error:
        return Draft(storable(text), [unreadable_json(error, language)])
    return Draft(storable(shown), [fault_json(fault, language) for fault in faults], list_notes(rules, shown, language))


def describe(
    game: str, violations: Iterable[Mapping[str, Any]], language: str, catalog: Catalog | None
) -> list[dict[str, Any]]:
    """Stored violations (`rule`, `args`, `depends_on`), with the rule's `section` and a `message` in `language`.

    Messages name cards in `language` too, as far as the catalogue has their names.
    """
    book = rulebook(game)
    return [
        {
            **kept,
            "section": book.section(kept["rule"], language),
            "message": book.message(Violation(kept["rule"], _in_language(kept["args"], catalog, language)), language),
        }
        for kept in violations
    ]


def _in_language(args: Mapping[str, Any], catalog: Catalog | None, language: str) -> dict[str, Any]:
    """The arguments of a violation, with the card that `ref` means named in a language."""
    card = catalog.find(str(args.get("ref", ""))) if catalog is not None else None
    if card is None:
        return dict(args)
    return {key: card.name_in(language) if value == card.name else value for key, value in args.items()}


def card_mana(game: str, catalog: Catalog) -> Mapping[str, tuple[str, ...]]:
    """The elements of which each card can give one mana, by reference.

    They are the ones printed on the card, else those of its cost. Commanders are left out, since they give all their
    mana at once.
    """
    leading = module(game, "vocabulary").VOCABULARY.commander
    cards = {ref: card for ref, card in catalog.cards.items() if card.kind != leading}
    given = {ref: card.amounts.get("mana", card.amounts.get("cost", {})) for ref, card in cards.items()}
    return {ref: tuple(each for each, count in mana.items() if count) for ref, mana in given.items()}


def random_list(catalog: Catalog, chance: Random) -> str:
    """The text of a random legal decklist of a game, from the cards of a catalogue."""
    return render(module(catalog.game, "deck").random_deck(chance, catalog), catalog)
