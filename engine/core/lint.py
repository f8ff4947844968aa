"""The linter of card catalogues: every problem of a catalogue, not the first, with what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.cards import (
    UNKNOWN_TEXT,
    Card,
    Coverage,
    Vocabulary,
    coverage,
    load_catalog,
    read_card,
    read_document,
    vocabulary_of,
)
from engine.core.effects import language as words
from engine.core.effects.language import Language
from engine.core.errors import EngineError, Malformed


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: a stable code in capitals, where ("cards[3].kind"), a sentence, what was probably meant."""

    code: str
    path: str
    message: str
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LintReport:
    """The problems of a catalogue, its hints, which are no problems, and its coverage where it can be loaded at all.

    `words` says of every word of the game's vocabulary, by group, how often the cards use it.
    """

    problems: tuple[Problem, ...]
    hints: tuple[Problem, ...] = ()
    coverage: Coverage | None = None
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def lint(source: bytes | str | Mapping[str, Any]) -> LintReport:
    """Look at a whole catalogue. Nothing is raised: what cannot be read is a problem too.

    Codes: SCHEMA (a shape `load_catalog` refuses), ABILITY (an ability outside of the vocabulary), MISPLACED (a keyword
    for other kinds of cards), UNKNOWN-TOKEN, UNKNOWN-GAME, UNKNOWN-KIND,
    UNKNOWN-FACTION, UNKNOWN-KEYWORD, MISSING-FIGURE, EXTRA-FIGURE, DUPLICATE-REF, SAME-CARD (two refs for one name and
    the same figures), TEXT-ONLY (a text that no ability carries out, so that a game would pass over it in silence).
    A hint has the code UNBOUND: an ability whose keyword the card does not bear; it is executed all the same.
    """
    try:
        document = read_document(source)
        vocabulary = vocabulary_of(document["game"])
    except Malformed as error:
        return LintReport((Problem("SCHEMA", error.path, error.message),))
    except EngineError as error:
        return LintReport((Problem("UNKNOWN-GAME", "game", error.message),))
    problems: list[Problem] = []
    cards: list[tuple[str, Card]] = []
    for index, raw in enumerate(document["cards"]):
        path = f"cards[{index}]"
        found = list(_raw_problems(raw, vocabulary, path))
        problems += found
        try:
            cards.append((path, read_card(raw, document["game"], vocabulary, path)))
        except Malformed as error:
            problems += [] if found else [Problem("SCHEMA", error.path, error.message)]
    problems += [problem for path, card in cards for problem in _card_problems(card, vocabulary, path)]
    problems += [problem for path, card in cards for problem in _ability_problems(card, vocabulary, path)]
    problems += _tokens(cards)
    problems += _shared(cards)
    hints = tuple(hint for path, card in cards for hint in _unbound(card, vocabulary, path))
    used = used_words([card for _, card in cards], vocabulary)
    return LintReport(tuple(problems), hints, _coverage(document), used)


def used_words(cards: Sequence[Card], vocabulary: Vocabulary) -> Mapping[str, Mapping[str, int]]:
    """How often cards use each word of the game, by group; nothing where it executes no effect."""
    language = vocabulary.language
    if language is None:
        return {}
    groups = {"keywords": vocabulary.keywords, **words.vocabulary(language)}
    counts = {group: dict.fromkeys(known, 0) for group, known in groups.items()}
    for card in cards:
        for keyword in card.keywords:
            if keyword["kw"] in counts["keywords"]:
                counts["keywords"][keyword["kw"]] += 1
        for ability in _sound(card, language):
            for group, word in words.used(ability, language):
                counts[group][word] += 1
    return counts


def _sound(card: Card, language: Language) -> Iterator[Mapping[str, Any]]:
    """The sound abilities of a card and of the face it may change into."""
    faces = [keyword.get("into") for keyword in card.keywords if keyword["kw"] in language.forms]
    others = [face.get("abilities", []) for face in faces if isinstance(face, dict)]
    for ability in (*card.abilities, *(item for found in others if isinstance(found, list) for item in found)):
        if next(words.faults(ability, language), None) is None:
            yield ability


def _coverage(document: Mapping[str, Any]) -> Coverage | None:
    try:
        return coverage(load_catalog(document))
    except Malformed:
        return None


def _raw_problems(raw: Any, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """What keeps a card from being read, where more can be said than that its shape is wrong."""
    if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str):
        return
    kind = raw["kind"]
    if kind not in vocabulary.kinds:
        yield _unknown("UNKNOWN-KIND", "kind", kind, tuple(vocabulary.kinds), f"{path}.kind")
        return
    for name in vocabulary.kinds[kind]:
        if raw.get(name) is None:
            yield Problem("MISSING-FIGURE", f"{path}.{name}", f"a {kind} has a figure {name}")


def _card_problems(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    for faction in card.factions:
        if faction not in vocabulary.factions:
            yield _unknown("UNKNOWN-FACTION", "faction", faction, vocabulary.factions, f"{path}.factions")
    yield from _unknown_keywords(card, vocabulary, path)
    for name in card.figures:
        if name not in vocabulary.kinds[card.kind] and name not in vocabulary.optional:
            yield Problem("EXTRA-FIGURE", f"{path}.{name}", f"a {card.kind} has no figure {name}")
    changes = card.program is not None and card.program.into is not None
    if card.unsaid not in ("", UNKNOWN_TEXT) and not card.abilities and not changes:
        message = f"the text of {card.ref} has no ability: write one, or a manual one"
        yield Problem("TEXT-ONLY", f"{path}.text", message)


def _unknown_keywords(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Keywords that are not written by their name: printed forms of one are suggested it (SAF-VII-MotsCles)."""
    for keyword in card.keywords:
        if keyword["kw"] not in vocabulary.keywords:
            yield _unknown("UNKNOWN-KEYWORD", "keyword", keyword["kw"], vocabulary.keywords, f"{path}.keywords")


def _ability_problems(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Abilities and faces outside of the vocabulary, and keywords on cards that cannot bear them."""
    language = vocabulary.language
    if language is None:
        return
    for index, ability in enumerate(card.abilities):
        where = f"{path}.abilities[{index}]"
        for fault in words.faults(ability, language):
            yield Problem("ABILITY", f"{where}{fault.path}", fault.message, fault.suggestions)
    for index, keyword in enumerate(card.keywords):
        if keyword["kw"] in language.forms:
            for fault in words.form_faults(keyword.get("into"), language):
                yield Problem("ABILITY", f"{path}.keywords[{index}]{fault.path}", fault.message, fault.suggestions)
        kinds = language.borne.get(str(keyword["kw"]))
        if kinds is not None and card.kind not in kinds:
            yield Problem("MISPLACED", f"{path}.keywords[{index}]", f"only for: {', '.join(kinds)}")


def _unbound(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Abilities whose usual keyword the card does not bear: their trigger says enough, so these are hints."""
    language = vocabulary.language
    if language is None or _exempt(card, vocabulary):
        return
    named = [str(keyword["kw"]) for keyword in card.keywords]
    for index, ability in enumerate(card.abilities):
        if "of" in ability or "would" in ability:
            continue
        need = language.bound.get(str(ability.get("on", "static")))
        if need is not None and need not in named:
            message = f"such an ability usually goes with the keyword {need}"
            yield Problem("UNBOUND", f"{path}.abilities[{index}]", message, (need,))


def _exempt(card: Card, vocabulary: Vocabulary) -> bool:
    """A commander is in its zone all along: what it does there needs no keyword."""
    return card.kind == vocabulary.commander


def _tokens(cards: Sequence[tuple[str, Card]]) -> Iterator[Problem]:
    """Tokens that abilities put in play and the catalogue does not have."""
    kinds = {card.ref: card.kind for _, card in cards}
    for path, card in cards:
        for ref in words.named_refs([*card.keywords, *card.abilities]):
            if kinds.get(ref) != "jeton":
                close = difflib.get_close_matches(ref[:60], [name for name, kind in kinds.items() if kind == "jeton"])
                yield Problem("UNKNOWN-TOKEN", f"{path}.abilities", f"no token {ref[:60]!r}", tuple(close))


def _shared(cards: Sequence[tuple[str, Card]]) -> Iterator[Problem]:
    """Refs used twice, and cards that nothing but their ref tells apart."""
    refs: dict[str, str] = {}
    faces: dict[tuple[Any, ...], str] = {}
    for path, card in cards:
        if card.ref.casefold() in refs:
            yield Problem("DUPLICATE-REF", f"{path}.ref", f"the ref {card.ref} is that of {refs[card.ref.casefold()]}")
            continue
        refs[card.ref.casefold()] = path
        face = (
            card.name.casefold(),
            card.kind,
            card.factions,
            repr((card.figures, card.words, card.amounts)),
            card.text,
        )
        if face in faces and not card.reprint_of:
            yield Problem("SAME-CARD", path, f"{card.ref} and {faces[face]} have one name and the same figures")
        faces.setdefault(face, card.ref)


def _unknown(code: str, what: str, word: str, known: Sequence[str], path: str) -> Problem:
    by_case = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word[:60].casefold(), list(by_case), n=3)
    return Problem(code, path, f"unknown {what} {word[:60]!r}", tuple(by_case[name] for name in close))
