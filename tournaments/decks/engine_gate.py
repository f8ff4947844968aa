"""The interface between decklists and the engine: the only module of this app that imports engine internals."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from django.db.models import F
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from engine.core.abilities import writing as effect_choices
from engine.core.abilities.language import faults
from engine.core.abilities.sentences import sentences
from engine.core.cards.card_file import UNNAMED, Reason, read_card_file
from engine.core.cards.card_list import written
from engine.core.cards.catalog import Catalog, load_catalog, shipped_catalogs
from engine.core.cards.images import check_image, images_of, with_images, without_images
from engine.core.cards.lint import Problem, lint
from engine.core.decks.decklist import Decklist, LineFault, ParsedDecklist, corrected, decoded, editable, parse
from engine.core.decks.rules import Format, check_deck, deck_notes, find_format, read_deck
from engine.core.decks.team_decks import RULE as TEAM_RULE
from engine.core.decks.team_decks import check_team, in_words, limits_teams
from engine.core.report.report import error_sentence
from engine.core.text.errors import EngineError, Violation
from engine.core.text.phrases import error_message
from engine.core.text.registry import module, rulebook
from engine.core.text.rulebook import LANGUAGES
from engine.core.text.strictjson import read as read_strictly
from tournaments.boards.faces import Faces, faces_of, no_faces
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.images import shown_images
from tournaments.decks.models import Catalogue
from tournaments.events.models import Event, Member, Stage
from tournaments.events.selectors import current_stage

KEPT = 4  # organizers' catalogues cached in memory, least recently used dropped first
SAMPLE = 20  # cards of a catalogue shown in its preview
MOST_SETS = 50  # sets of a catalogue shown in its preview, those with the most cards
MOST_PROBLEMS = 200  # problems, and hints, of the linter that are stored
MOST_ABILITIES = 64  # of a card, as in a catalogue
MOST_BYTES = 2 * 1024 * 1024  # of a file of effects
EFFECTS = ("keywords", "abilities")  # what a card does


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


def require_engine(event: Event) -> None:
    """Refuse (`no_engine`) what needs the engine if it does not know the event's game."""
    if not event.has_engine:
        raise Refusal("no_engine", _("The rules engine does not know this game: it checks no deck and audits no log."))


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


def is_pooled(stage: Stage) -> bool:
    """Whether the decks of a stage are built from the cards that each player opened or drafted."""
    return bool(stage.deck_format) and find_format(stage.event.game, stage.deck_format).pooled


def catalog_of(event: Event) -> Catalog:
    """The card catalogue of an event, with exactly the content chosen for it.

    Refused: `no_engine`; `catalog_unknown` if no catalogue of that digest is installed.
    """
    require_engine(event)
    for catalog in shipped_catalogs(event.game):
        if (catalog.id, catalog.sha256) == (event.catalog, event.catalog_sha256):
            return catalog
    return _stored_catalog(event.catalog_sha256)


def own_catalogs(event: Event) -> tuple[Catalog, ...]:
    """The catalogues that logs of an event may refer to, besides those shipped with the engine: its own, if any."""
    require_engine(event)
    shipped = any(catalog.sha256 == event.catalog_sha256 for catalog in shipped_catalogs(event.game))
    return () if shipped else (catalog_of(event),)


def own_catalog_documents(event: Event) -> list[dict[str, Any]]:
    """The documents of the catalogues of `own_catalogs`, for the engine in a browser."""
    own = [catalog.sha256 for catalog in own_catalogs(event)]
    rows = {row.sha256: row.document for row in Catalogue.objects.filter(sha256__in=own)}
    return [json.loads(rows[sha256]) for sha256 in own]


# Safe to cache: a catalogue is found by the digest of its content and never changes.
@lru_cache(maxsize=KEPT)
def _stored_catalog(sha256: str) -> Catalog:
    row = Catalogue.objects.filter(sha256=sha256).first()
    if row is None:
        raise Refusal("catalog_unknown", _("The card catalogue of this event is not installed."))
    return load_catalog(row.document)


def catalog_in(document: str) -> Catalog | None:
    """Parse a document as a catalogue; None if it is not one."""
    try:
        return load_catalog(document)
    except EngineError:
        return None


def shipped(game: str) -> list[tuple[str, str, int]]:
    """The catalogues of a game shipped with the engine, as `(id, SHA-256, number of cards)`."""
    return [(catalog.id, catalog.sha256, len(catalog.cards)) for catalog in (shipped_catalogs(game) if game else ())]


def is_demonstration(event: Event) -> bool:
    """Whether an event is read with a catalogue shipped with the engine: invented cards for trying Arbitre out."""
    return any(sha256 == event.catalog_sha256 for _id, sha256, _cards in shipped(event.game))


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
        "where": _text(key.lstrip(".") if of_card else found.path),
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

    Raises `InvalidInput` `cards_unreadable`, with every faulty line.
    """
    try:
        found = read_card_file(content, "" if name == UNNAMED else name, game, legality)
    except EngineError as error:
        raise InvalidInput("cards_unreadable", _unreadable_cards(), details=[_card_fault(0, error, language)])
    listed, made = found.listed, found.listed.catalog
    if made is None:
        faults = [_card_fault(fault.line, fault.error, language) for fault in listed.faults]
        raise InvalidInput("cards_unreadable", _unreadable_cards(), details=faults)
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


def difference_of(old: str, new: str) -> dict[str, int]:
    """How the cards of two catalogues (documents) differ: the numbers of cards `added`, `changed` and `removed`."""
    before, after = load_catalog(old).cards, load_catalog(new).cards
    changed = sum(1 for ref, card in after.items() if ref in before and before[ref] != card)
    return {
        "added": len(after.keys() - before.keys()),
        "changed": changed,
        "removed": len(before.keys() - after.keys()),
    }


# Safe to cache: a version of a catalogue never changes. Nobody may change what is returned.
@lru_cache(maxsize=KEPT)
def _raw_document(sha256: str) -> Mapping[str, Any]:
    row = Catalogue.objects.filter(sha256=sha256).order_by("pk").first()
    if row is None:
        raise Refusal("catalog_unknown", _("The card catalogue of this event is not installed."))
    found: Mapping[str, Any] = json.loads(row.document)
    return found


def raw_cards(catalogue: Catalogue) -> Mapping[str, Mapping[str, Any]]:
    """The cards of a stored catalogue as its document has them, by reference."""
    return {card["ref"]: card for card in _raw_document(catalogue.sha256)["cards"]}


def left_to_rulings(catalogue: Catalogue) -> frozenset[str]:
    """The references of the cards of a stored catalogue that the engine cannot carry out by itself."""
    cards = _stored_catalog(catalogue.sha256).cards
    return frozenset(ref for ref, card in cards.items() if not card.executable)


def card_digest(card: Mapping[str, Any]) -> str:
    """SHA-256 of what a card of a document does: its keywords and abilities. It tells whether somebody changed them."""
    said = [card.get("keywords", []), card.get("abilities", [])]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def abilities_in(text: str) -> list[Any]:
    """Read a JSON list of abilities, within the bounds of a catalogue. Raises InvalidInput `effects_unreadable`."""
    found = _json_in(text)
    if not isinstance(found, list) or len(found) > MOST_ABILITIES or not all(isinstance(item, dict) for item in found):
        raise _unreadable_effects(_("A list of abilities is expected."))
    return found


def _json_in(text: str | bytes) -> Any:
    try:
        return read_strictly(text, max_bytes=MOST_BYTES, max_depth=32, max_string=4096)
    except EngineError as error:
        raise _unreadable_effects(error_sentence(error, get_language() or "en")) from error


def _unreadable_effects(why: str) -> InvalidInput:
    return InvalidInput("effects_unreadable", _("These effects cannot be read: %(why)s") % {"why": why})


def ability_choices(game: str, language: str) -> dict[str, Any]:
    """Everything that can be chosen to write an ability of a game, with labels in a language.

    `keywords` and `factions` are those of the game. Refused: `no_engine`.
    """
    if game not in engine.games():
        raise Refusal("no_engine", _("The rules engine does not know this game: it checks no deck and audits no log."))
    known = module(game, "vocabulary").VOCABULARY
    forms = known.language.forms if known.language else ()
    return {
        **effect_choices.choices(game, language),
        "keywords": [word for word in known.keywords if word not in forms],
        "factions": list(known.factions),
    }


def new_ability(game: str, sort: str) -> dict[str, Any]:
    """The simplest ability of a sort: `on`, `static` or `would`."""
    return effect_choices.blank(sort, game)


def completed_ability(game: str, ability: Any) -> Any:
    """An ability with what its words need and without what they do not have."""
    return effect_choices.completed_ability(ability, game)


def ability_sentences(game: str, abilities: Iterable[Any], cards: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    """What each ability does as a sentence, by language. `cards` gives the tokens their names."""
    names = {language: partial(_name_in, cards, language) for language in LANGUAGES}
    return [sentences(ability, game, names) for ability in abilities]


def _name_in(cards: Mapping[str, Mapping[str, Any]], language: str, ref: str) -> str | None:
    card = cards.get(ref)
    return None if card is None else str(card.get("names", {}).get(language, card["name"]))


def card_problems(game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """What the linter says of one card and its abilities: problems, then hints (`hint`), as JSON.

    `ability` is the number of the ability (from 0) that a problem is in, None for one of the whole card. `path` leads
    to it inside the ability (`.do[0].op`), and `key` is the unknown key there. `tokens` are those of its catalogue.
    """
    others = [token for token in tokens if token["ref"] != card["ref"]]
    report = lint({"id": "draft", "game": game, "cards": [card, *others]})
    named = [(False, found) for found in report.problems] + [(True, found) for found in report.hints]
    return [_card_problem(found, hint) for hint, found in named if found.path.startswith("cards[0]")]


def draft_card(game: str, kind: str) -> dict[str, Any]:
    """A card without a name of its own, with 0 for each figure that its kind needs."""
    figures = module(game, "vocabulary").VOCABULARY.kinds.get(kind, ())
    return {"ref": "DRAFT", "name": "Draft", "kind": kind, **dict.fromkeys(figures, 0)}


def _card_problem(found: Problem, hint: bool) -> dict[str, Any]:
    path = found.path.removeprefix("cards[0]")
    number, _bracket, rest = path.removeprefix(".abilities[").partition("]")
    inside = path.startswith(".abilities[")
    return {
        "code": found.code,
        "hint": hint,
        "ability": int(number) if inside else None,
        "path": rest if inside else path,
        "key": found.key,
        "message": _text(found.message),
        "suggestions": list(found.suggestions),
    }


def with_effects(catalogue: Catalogue, effects: Mapping[str, Mapping[str, Any]]) -> CardList:
    """A stored catalogue with other keywords or abilities of some cards, by reference.

    Raises InvalidInput `effects_unreadable` if it can no longer be read as a catalogue.
    """
    document = dict(_raw_document(catalogue.sha256))
    document["cards"] = [_with_effects(card, effects.get(card["ref"])) for card in document["cards"]]
    try:
        made = load_catalog(document)
    except EngineError as error:
        raise _unreadable_effects(error_sentence(error, get_language() or "en")) from error
    file = catalogue.report.get("file") or {}
    return CardList(made.game, made.id, made.sha256, len(made.cards), written(document), file)


def _with_effects(card: dict[str, Any], said: Mapping[str, Any] | None) -> dict[str, Any]:
    if said is None:
        return card
    changed = {**card, **{key: said[key] for key in EFFECTS if key in said}}
    return {key: value for key, value in changed.items() if key not in EFFECTS or value}


def effects_of(catalogue: Catalogue, ref: str = "") -> dict[str, dict[str, Any]]:
    """What the cards of a stored catalogue do, by reference, without their text. With `ref`, of that card alone."""
    found = {}
    for card in _raw_document(catalogue.sha256)["cards"]:
        said = {key: card[key] for key in EFFECTS if card.get(key)}
        if "abilities" in said and ref in ("", card["ref"]):
            found[card["ref"]] = said
    return found


def written_effects(effects: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of a file of effects, with one card per line."""
    lines = [f"  {json.dumps(ref)}: {json.dumps(said, ensure_ascii=False)}" for ref, said in effects.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_effects(content: str | bytes) -> dict[str, dict[str, Any]]:
    """Read a file of effects: an object from reference to `{"abilities": […], "keywords"?: […]}`.

    Raises InvalidInput `effects_unreadable`, with a sentence.
    """
    text = content.decode("utf-8-sig", errors="replace") if isinstance(content, bytes) else content
    found = _json_in(text)
    if not isinstance(found, dict) or not all(isinstance(said, dict) for said in found.values()):
        raise _unreadable_effects(_("An object with a card for each reference is expected."))
    return found


def effect_faults(game: str, said: Mapping[str, Any]) -> list[str]:
    """Why an entry of a file of effects cannot be used, in English; empty if it can."""
    unknown = [str(key)[:40] for key in said if key not in EFFECTS]
    if unknown:
        return [f"only {' and '.join(EFFECTS)} can be applied, not {', '.join(unknown)}"]
    if not all(isinstance(said.get(key, []), list) for key in EFFECTS):
        return ["keywords and abilities are lists"]
    if not all(isinstance(item, dict) for key in EFFECTS for item in said.get(key, [])):
        return ["keywords and abilities are lists of objects"]
    language = effect_choices.language_of(game)
    found = [fault for ability in said.get("abilities", []) for fault in faults(ability, language)]
    return [f"{fault.path} {fault.message}".strip() for fault in found]


def _unreadable_cards() -> str:
    return _("This list of cards cannot be read.")


def _card_fault(line: int, error: EngineError, language: str) -> dict[str, Any]:
    message = error_message(error.code, error.message, language, error.value)
    return {"line": line, "path": _text(error.path), "code": error.code, "message": _text(message)}


def read_list(stage: Stage, text: str | bytes, language: str, pool: Mapping[str, int] | None = None) -> Reading:
    """Read a pasted decklist and check it by the deck rules of its stage and, in a limited stage, against a pool.

    All faults and violations are returned. Fault messages are in `language`. If the engine does not know the game, the
    text is kept as it is and not checked. Refused: `catalog_unknown`.
    """
    if not stage.event.has_engine:
        kept = _text(text)
        return Reading(kept, {}, hashlib.sha256(kept.encode()).hexdigest(), [], [], checked=False)
    try:
        parsed = _parsed(stage, text, language)
        violations = [] if parsed.faults else judge(stage, parsed.deck.to_json(), pool)
    except EngineError as error:
        return Reading("", {}, "", [_unreadable(error, language)], [])
    faults = [_fault(fault, language) for fault in parsed.faults]
    return Reading(_text(text), parsed.deck.to_json(), parsed.deck.digest(), faults, violations)


def _parsed(stage: Stage, text: str | bytes, language: str) -> ParsedDecklist:
    return read_deck(text, stage.event.game, stage.deck_format or None, catalog_of(stage.event), language)


def list_notes(stage: Stage, text: str | bytes, language: str) -> list[dict[str, Any]]:
    """What a player should know of a list, as `code` and `message`: cards left out, copies that nothing limits.

    Empty for a list that cannot be read, and without an engine.
    """
    if not stage.event.has_engine:
        return []
    try:
        parsed = _parsed(stage, text, language)
        form = replace(find_format(stage.event.game, stage.deck_format or None), options=stage.deck_options)
        more = deck_notes(stage.event.game, parsed.deck, form, catalog=catalog_of(stage.event), lang=language)
    except (EngineError, Refusal):
        return []
    notes = parsed.notes if parsed.faults else (*parsed.notes, *more)
    return [{"code": note.code, "message": note.message(language)} for note in notes]


def judge(stage: Stage, cards: Mapping[str, Any], pool: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    """All violations of the deck rules of a stage, by the suspensions and bans of the day on which the event starts.

    `cards` is a deck as the engine writes it (`Decklist.to_json`), `pool` the copies by card reference.
    """
    event = stage.event
    form = replace(find_format(event.game, stage.deck_format), options=stage.deck_options)
    day = event.starts_at.date() if event.starts_at else None
    found = check_deck(event.game, cards, form, catalog=catalog_of(event), on=day, pool=pool if form.pooled else None)
    return [_violation(violation) for violation in found]


def judge_team(stage: Stage, decks: Mapping[str, Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The violations of the team limit of a stage, by the owner of each deck that holds a card too often.

    `decks` are decks as the engine writes them, by the public ids of the persons whose they are. A violation has the
    copies in each deck that holds the card as `holders`, by those ids. Empty without a limit.
    """
    if stage.team_deck_limit is None or not stage.event.has_engine:
        return {}
    form, catalog = find_format(stage.event.game, stage.deck_format), catalog_of(stage.event)
    if not limits_teams(stage.event.game, form):
        return {}
    found: dict[str, list[dict[str, Any]]] = {}
    for excess in check_team(stage.event.game, decks, stage.team_deck_limit, form, catalog=catalog):
        args = {name: value for name, value in excess.args.items() if name != "decks"}  # has no names: see `describe`
        violation = {**_violation(replace(excess, args=args)), "holders": dict(excess.holders)}
        for owner in excess.holders:
            found.setdefault(owner, []).append(violation)
    return found


def of_one_deck(violations: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Those of stored violations that a deck breaks by itself, without the decks of its team mates."""
    return [dict(violation) for violation in violations if violation["rule"] != TEAM_RULE]


def read_pool(event: Event, text: str | bytes, language: str) -> PoolReading:
    """Read a pasted pool, which may be written like a decklist. Cards count in whatever section they stand."""
    try:
        parsed = parse(text, catalog_of(event), led=False, lang=language)
    except EngineError as error:
        return PoolReading("", {}, "", [_unreadable(error, language)])
    deck = parsed.deck
    counts = Counter(deck.main) + Counter(deck.side) + Counter([deck.commander] if deck.commander else [])
    cards = dict(sorted(counts.items()))
    faults = [_fault(fault, language) for fault in parsed.faults]
    return PoolReading(_text(text), cards, Decklist(main=cards).digest(), faults)


def draft_list(event: Event, text: str | bytes, language: str, suggestion: str = "") -> Draft:
    """Rewrite a decklist or pool as text that can be edited, and read it.

    `suggestion` is a line number and one of the suggestions for that line, such as `12:DEMO-SAF-020 Braisillon`. It is
    applied if the line still has it: the text may have been edited since. Refused: `catalog_unknown`.
    """
    if not event.has_engine:
        return Draft(_text(text), [])
    stage = current_stage(event)
    try:
        shown = editable(text, catalog_of(event), language)
        faults = _parsed(stage, shown, language).faults
        line, _colon, words = suggestion.partition(":")
        chosen = next((fault for fault in faults if str(fault.line) == line and words in fault.suggestions), None)
        if chosen is not None:
            shown = corrected(shown, chosen, words)
            faults = _parsed(stage, shown, language).faults
    except EngineError as error:
        return Draft(_text(text), [_unreadable(error, language)])
    return Draft(_text(shown), [_fault(fault, language) for fault in faults], list_notes(stage, shown, language))


def _text(text: str | bytes) -> str:
    """Pasted text in the form in which it can be stored: PostgreSQL rejects NUL characters.

    A file is decoded as it was read, so that the stored text can be read again.
    """
    try:
        kept = decoded(text)
    except EngineError:  # too large; only the refusal shows it
        kept = text if isinstance(text, str) else text.decode("utf-8", errors="replace")
    return kept.replace("\x00", "")


def describe(event: Event, violations: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """Stored violations (`rule`, `args`, `depends_on`), with the rule's `section` and a `message` in `language`.

    Messages name cards in `language` too, as far as the event's catalogue has their names.
    """
    if not violations:
        return []
    book, catalog = rulebook(event.game), _catalog_if_there(event)
    return [
        {
            **kept,
            "section": book.section(kept["rule"], language),
            "message": book.message(Violation(kept["rule"], _in_language(kept["args"], catalog, language)), language),
        }
        for kept in _with_holders(event, violations)
    ]


def _with_holders(event: Event, violations: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Violations in which those of a team say whose decks hold the card: public names, in the order of the boards."""
    held = {person for violation in violations for person in violation.get("holders", ())}
    if not held:
        return list(violations)
    members = Member.objects.filter(event=event, person__public_id__in=held).select_related("entrant")
    members = members.order_by(F("board").asc(nulls_last=True), "pk")
    names = {member.person.public_id: member.name for member in members}
    return [_named(violation, names) if "holders" in violation else violation for violation in violations]


def _named(violation: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    holders = violation["holders"]
    # Somebody who has left the team is not named: old versions of lists may still mention them.
    copies = {name: holders[person] for person, name in names.items() if person in holders}
    return {**violation, "args": {**violation["args"], "decks": in_words(copies)}}


def _catalog_if_there(event: Event) -> Catalog | None:
    try:
        return catalog_of(event)
    except Refusal:
        return None


def _in_language(args: Mapping[str, Any], catalog: Catalog | None, language: str) -> dict[str, Any]:
    """The arguments of a violation, with the card that `ref` means named in a language."""
    card = catalog.find(str(args.get("ref", ""))) if catalog is not None else None
    if card is None:
        return dict(args)
    return {key: card.name_in(language) if value == card.name else value for key, value in args.items()}


def card_names(event: Event) -> Mapping[str, str]:
    """The names of all cards of the event's catalogue by reference; empty without an engine.

    They are in the active language where the catalogue has it.
    """
    if not event.has_engine:
        return {}
    language = (get_language() or "en").split("-")[0]
    return {ref: card.name_in(language) for ref, card in catalog_of(event).cards.items()}


def card_faces(event: Event) -> Faces:
    """What a card of the event's catalogue shows, by its reference, in the active language.

    Without an engine, no card is known.
    """
    if not event.has_engine:
        return no_faces
    return faces_of(catalog_of(event).cards, (get_language() or "en").split("-")[0], shown_images(event))


def has_cards(event: Event, refs: Iterable[str]) -> bool:
    """Whether the event's catalogue has all cards of these references."""
    catalog = catalog_of(event)
    return all(ref in catalog for ref in refs)


def card_mana(event: Event) -> Mapping[str, tuple[str, ...]]:
    """The elements of which each card of the event's catalogue can give one mana, by reference.

    They are the ones printed on the card, else those of its cost. Commanders are left out, since they give all their
    mana at once.
    """
    leading = module(event.game, "vocabulary").VOCABULARY.commander
    cards = {ref: card for ref, card in catalog_of(event).cards.items() if card.kind != leading}
    given = {ref: card.amounts.get("mana", card.amounts.get("cost", {})) for ref, card in cards.items()}
    return {ref: tuple(each for each, count in mana.items() if count) for ref, mana in given.items()}


def profiles_of(event: Event, lists: Iterable[Mapping[str, Any]], language: str) -> list[Profile]:
    """The profile (leader and factions) of each decklist."""
    catalog = catalog_of(event)
    return [_profile(catalog, cards, language) for cards in lists]


def _profile(catalog: Catalog, cards: Mapping[str, Any], language: str) -> Profile:
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


def _violation(violation: Violation) -> dict[str, Any]:
    return {"rule": violation.rule, "args": dict(violation.args), "depends_on": list(violation.depends_on)}


def _fault(fault: LineFault, language: str) -> dict[str, Any]:
    return {
        "line": fault.line,
        "code": fault.code,
        "text": fault.text,
        "message": fault.message(language),
        "suggestions": list(fault.suggestions),
    }


def _unreadable(error: EngineError, language: str) -> dict[str, Any]:
    message = error_message(error.code, error.message, language, error.value)
    return {"line": 0, "code": error.code, "text": error.path, "message": message, "suggestions": []}
