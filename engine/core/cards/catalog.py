"""Cards and catalogues: immutable data read from JSON, identified by a digest of its content.

A catalogue is one JSON document with the cards of one game; `load_catalog` reads and checks it. Which kinds, figures
and keywords its cards may have is defined by the game's `Vocabulary`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from engine.core.abilities.language import Language
from engine.core.abilities.program import PARTS, Program, program
from engine.core.cards.card import Card
from engine.core.cards.images import check_image, without_images
from engine.core.cards.legality import Suspension, read_legality
from engine.core.cards.unlisted import Unlisted
from engine.core.cards.versions import Versions
from engine.core.text import registry, strictjson
from engine.core.text.errors import Malformed, Unsupported

NOTHING_SAID = Language()  # for games whose abilities the engine does not execute

MAX_BYTES = 8 * 1024 * 1024
MAX_CARDS = 20_000
MAX_DEPTH = 32
MAX_STRING = 4096  # characters
MAX_NAME = 120  # characters
MAX_FIGURE = 99
MAX_ANSWERS = 1000  # answers of `Cards.saying` cached per catalogue
MAX_LIST = 64  # factions, keywords or abilities of one card

CATALOG_KEYS = ("id", "game", "cards", "legality", "x")
CARD_KEYS = ("ref", "game", "name", "names", "reprint_of", "kind", "factions", "subtypes", "keywords", "abilities",
             "text", "image", "x")  # fmt: skip

_NEEDED = frozenset(("ref", "name", "kind"))
_REF = re.compile(r"[0-9A-Za-z][0-9A-Za-z._+-]{0,63}")
_ID = re.compile(r"[0-9a-z][0-9a-z.-]{0,63}")
_LANGUAGE = re.compile(r"[a-z]{2}")


class Cards(dict[str, Card]):
    """The cards of a catalogue by ref, with cached lookups of the cards that use a word. Never changed once built."""

    __slots__ = ("_answers", "_index", "_turning", "_unread")

    def __init__(self, cards: Mapping[str, Card]) -> None:
        super().__init__(cards)
        self._answers: dict[tuple[str, str], dict[str | None, Program]] = {}
        self._index: dict[tuple[str, str], dict[str | None, Program]] | None = None
        self._turning: dict[str | None, Program] = {}
        self._unread: dict[str | None, None] | None = None

    @property
    def unread(self) -> Mapping[str | None, None]:
        """The refs of the cards that the engine cannot fully execute (`Card.executable`); computed once."""
        if self._unread is None:
            self._unread = dict.fromkeys(ref for ref, card in self.items() if not card.executable)
        return self._unread

    def saying(self, part: str, word: str) -> Mapping[str | None, Program]:
        """Return, by ref, the programs that use `word` in one of their parts.

        `part` is "triggers", "statics", "keywords" or "replacements". Programs of cards that can change their face are
        always included, because only the state knows which face counts.

        Effects ask this at every step, so answers are cached. The cache is bounded because a log may contain any word.
        """
        found = self._answers.get((part, word))
        if found is None:
            index = self._by_word() if self._index is None else self._index
            found = {**self._turning, **index.get((part, word), {})}
            if len(self._answers) < MAX_ANSWERS:
                self._answers[part, word] = found
        return found

    def _by_word(self) -> dict[tuple[str, str], dict[str | None, Program]]:
        """Index every program by part and word; computed once."""
        index: dict[tuple[str, str], dict[str | None, Program]] = {}
        programs = {ref: card.program for ref, card in self.items() if card.program is not None}
        for ref, compiled in programs.items():
            for part in PARTS:
                for word in getattr(compiled, part):
                    index.setdefault((part, word), {})[ref] = compiled
        self._turning = {ref: compiled for ref, compiled in programs.items() if compiled.into is not None}
        self._index = index
        return index


@dataclass(frozen=True, slots=True)
class Catalog:
    """The cards of one game, under an id.

    `sha256` is the digest of the canonical JSON of the document without images, by which a log names the exact version.
    `legality` holds suspensions and bans by date. In some games a ref that is not listed may still be a card
    (`Vocabulary.unlisted`): `find`, `in` and `[]` know these too.
    """

    id: str
    game: str
    cards: Mapping[str, Card] = field(repr=False)
    sha256: str
    legality: tuple[Suspension, ...] = field(default=(), repr=False)

    def __getitem__(self, ref: str) -> Card:
        found = self.find(ref)
        if found is None:
            raise KeyError(ref)
        return found

    def __contains__(self, ref: object) -> bool:
        return isinstance(ref, str) and self.find(ref) is not None

    def find(self, ref: str) -> Card | None:
        """Return the card with this ref, listed or not; None if there is no such card."""
        found = self.cards.get(ref)
        if found is None and (unlisted := vocabulary_of(self.game).unlisted) is not None:
            return unlisted.card(self.cards, ref)
        return found


@dataclass(frozen=True)  # without slots, which would leave no place for the cached properties
class Vocabulary:
    """What the cards of a game may consist of.

    - `kinds`: the kinds of card, each with the figures it must have; `optional`: the figures that any kind may have.
    - `factions` and `keywords`: the known ones. `enforced`: the keywords that the engine executes by itself; the others
      need a recorded ruling.
    - `words`: other facts with the values each may take (an empty tuple allows any); `amounts`: figures counted by
      kind, with these kinds.
    - `signed`: the figures that may be negative; `shown`: the optional figures that boards show.
    - `commander`: the kind of card that leads a deck from outside of it ("" if there is none).
    - `sideboard`: whether decklists may have one.
    - `language`: the words that abilities are written in (None: the engine executes no abilities of this game).
    - `unlisted`: how the game knows cards that no catalogue can list one by one.
    - `versions`: how lists write which version of a card is meant (None: by its ref alone).
    - `tokens`: the kind of card that other games keep beside the deck, if decks of this game hold it.
    """

    kinds: Mapping[str, tuple[str, ...]]
    factions: tuple[str, ...]
    keywords: tuple[str, ...]
    enforced: tuple[str, ...]
    commander: str = ""
    sideboard: bool = False
    language: Language | None = None
    optional: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    amounts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    unlisted: Unlisted | None = None
    versions: Versions | None = None
    tokens: str = ""

    @cached_property
    def printed(self) -> tuple[str, ...]:
        """The figures that boards show: those that some kind of card must have, then the optional ones in `shown`."""
        return tuple(dict.fromkeys((*(name for names in self.kinds.values() for name in names), *self.shown)))

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """All figures that a card may have."""
        return tuple(dict.fromkeys((*(name for names in self.kinds.values() for name in names), *self.optional)))

    @cached_property
    def lowest(self) -> Mapping[str, int]:
        """The smallest allowed value of each figure."""
        return {name: -MAX_FIGURE if name in self.signed else 0 for name in self.figures}

    @cached_property
    def known_keys(self) -> frozenset[str]:
        """`card_keys` as a set, for fast membership tests."""
        return frozenset(self.card_keys)

    @cached_property
    def card_keys(self) -> tuple[str, ...]:
        """All keys that a card's JSON may have."""
        return (*CARD_KEYS, *self.figures, *self.words, *self.amounts)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many cards of a catalogue the engine executes by itself; `manual` lists the refs that need rulings."""

    total: int
    vanilla: int
    executable: int
    manual: tuple[str, ...]


def load_catalog(source: bytes | str | Mapping[str, Any]) -> Catalog:
    """Read a catalogue `{"id": …, "game": …, "cards": […]}` from JSON text or from its parsed form.

    Bounds: 8 MiB, 20,000 cards, strings of 4,096 characters, 32 levels of nesting.

    Raises Malformed with `path` ("cards[3].atk") and the codes of `strictjson.read`, or `wrong_type`, `missing_key`,
    `unknown_key`, `bad_id`, `bad_ref`, `bad_name`, `bad_figure`, `bad_image`, `bad_word`, `wrong_game`,
    `unknown_kind`, `missing_figure`, `too_many_cards`, `too_long`, `duplicate_ref`, and those of `read_legality`;
    Unsupported, code `unknown_game`.
    """
    document = read_document(source)
    game = document["game"]
    vocabulary = vocabulary_of(game)
    cards: dict[str, Card] = {}
    seen: dict[str, str] = {}
    for index, raw in enumerate(document["cards"]):
        card = read_card(raw, game, vocabulary, f"cards[{index}]")
        key = card.ref.casefold()  # players write refs in any case: two may not differ by case alone
        if key in seen:
            raise Malformed(
                "duplicate_ref", f"the ref {card.ref} is that of {seen[key]!r} already", path=f"cards[{index}].ref"
            )
        seen[key] = card.name
        cards[card.ref] = card
    digest = hashlib.sha256(strictjson.canonical(without_images(document))).hexdigest()
    return Catalog(document["id"], game, Cards(cards), digest, read_legality(document.get("legality", [])))


@cache
def shipped_catalogs(game: str) -> tuple[Catalog, ...]:
    """Return the catalogues of a game that come with the engine, in the order of their file names."""
    folder = files(registry.package(game)).joinpath("cards")
    if not folder.is_dir():
        return ()
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    return tuple(load_catalog(folder.joinpath(name).read_bytes()) for name in names)


def merged(catalogs: Sequence[Catalog]) -> Catalog:
    """Merge several catalogues of one game. A single catalogue is returned as it is.

    Raises Malformed, code `duplicate_ref` (two different cards with one ref) or `wrong_game`, and Unsupported, code
    `no_catalog`, if there is none.
    """
    if not catalogs:
        raise Unsupported("no_catalog", "no catalogue of cards was given and none is shipped")
    first = catalogs[0]
    if len(catalogs) == 1:
        return first
    cards: dict[str, Card] = {}
    for catalog in catalogs:
        if catalog.game != first.game:
            raise Malformed("wrong_game", f"{catalog.id} is a catalogue of {catalog.game}, not of {first.game}")
        for ref, card in catalog.cards.items():
            if cards.setdefault(ref, card) != card:
                raise Malformed("duplicate_ref", f"{ref} differs between two catalogues", path=catalog.id)
    # There is no document to take a digest of, so it is taken of the digests of the parts.
    digest = hashlib.sha256(strictjson.canonical([catalog.sha256 for catalog in catalogs])).hexdigest()
    legality = tuple(item for catalog in catalogs for item in catalog.legality)
    return Catalog("+".join(catalog.id for catalog in catalogs), first.game, Cards(cards), digest, legality)


def coverage(catalog: Catalog) -> Coverage:
    """Count the vanilla cards and those the engine executes without a ruling."""
    vanilla = sum(1 for card in catalog.cards.values() if card.vanilla)
    manual = tuple(ref for ref, card in catalog.cards.items() if not card.executable)
    return Coverage(len(catalog.cards), vanilla, len(catalog.cards) - len(manual), manual)


def vocabulary_of(game: str) -> Vocabulary:
    """Return the vocabulary of a game. Raises Unsupported, code `unknown_game`."""
    found: Vocabulary = registry.module(game, "vocabulary").VOCABULARY
    return found


def read_document(source: bytes | str | Mapping[str, Any]) -> dict[str, Any]:
    """Read a catalogue's document and check its own keys, but not its cards. Raises as `load_catalog` does."""
    text = _as_json(source) if isinstance(source, Mapping) else source
    document = strictjson.read(text, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    if not isinstance(document, dict):
        raise Malformed("wrong_type", "a catalogue must be an object")
    _check_keys(document, CATALOG_KEYS, ("id", "game", "cards"), "")
    for key in ("id", "game"):
        if not isinstance(document[key], str) or not _ID.fullmatch(document[key]):
            raise Malformed("bad_id", f"{key} is lower-case letters, digits, dots and dashes", path=key)
    if not isinstance(document["cards"], list):
        raise Malformed("wrong_type", "cards must be a list", path="cards")
    if len(document["cards"]) > MAX_CARDS:
        raise Malformed("too_many_cards", f"more than {MAX_CARDS} cards", path="cards")
    return document


def read_card(raw: Any, game: str, vocabulary: Vocabulary, path: str) -> Card:
    """Read one card of a catalogue from its JSON, found at `path`. Raises Malformed as `load_catalog` does."""
    if not isinstance(raw, dict):
        raise Malformed("wrong_type", "a card must be an object", path=path)
    # One comparison of sets for a card with sound keys; the slower check only has to find which one is wrong.
    if not (raw.keys() <= vocabulary.known_keys and raw.keys() >= _NEEDED):
        _check_keys(raw, vocabulary.card_keys, ("ref", "name", "kind"), path)
    if raw.get("game", game) != game:
        raise Malformed("wrong_game", f"a card of another game in a catalogue of {game}", path=f"{path}.game")
    kind = _text(raw, "kind", path)
    if kind not in vocabulary.kinds:
        known = ", ".join(vocabulary.kinds)
        raise Malformed("unknown_kind", f"unknown kind {kind[:40]!r}; there are: {known}", path=f"{path}.kind")
    figures: dict[str, int] = {}
    for name, low in vocabulary.lowest.items():
        value = raw.get(name)
        if value is not None:
            figures[name] = _figure(value, name, path, low)
    for name in vocabulary.kinds[kind]:
        if name not in figures:
            raise Malformed("missing_figure", f"a {kind} has a figure {name}", path=f"{path}.{name}")
    if "image" in raw:
        check_image(raw["image"], f"{path}.image")
    keywords = tuple(_keyword(item, f"{path}.keywords") for item in _list(raw, "keywords", dict, path))
    abilities = tuple(_list(raw, "abilities", dict, path))
    return Card(
        ref=_ref(raw, path),
        name=_name(raw, path),
        kind=kind,
        factions=tuple(_list(raw, "factions", str, path)),
        figures=figures,
        words={name: _word(raw[name], name, known, path) for name, known in vocabulary.words.items() if name in raw},
        amounts={
            name: _amounts(raw[name], name, known, path) for name, known in vocabulary.amounts.items() if name in raw
        },
        keywords=keywords,
        abilities=abilities,
        text=_text(raw, "text", path, ""),
        names=_names(raw["names"], path) if "names" in raw else {},
        reprint_of=_ref(raw, path, "reprint_of") if "reprint_of" in raw else "",
        subtypes=tuple(_list(raw, "subtypes", str, path)),
        program=_program(keywords, abilities, vocabulary),
    )


def _program(
    keywords: Sequence[Mapping[str, Any]], abilities: Sequence[Mapping[str, Any]], vocabulary: Vocabulary
) -> Program | None:
    if not (keywords or abilities):
        return None
    language = vocabulary.language or NOTHING_SAID
    return program(keywords, abilities, language, vocabulary.enforced)


def _as_json(source: Mapping[str, Any]) -> str:
    """Serialize a parsed document, so that the strict JSON reader checks it like any other."""
    try:
        return json.dumps(dict(source), ensure_ascii=False)
    except RecursionError:
        raise Malformed("too_deep", f"more than {MAX_DEPTH} levels of nesting") from None
    except (TypeError, ValueError) as error:
        raise Malformed("not_json", f"not JSON: {error}") from None


def _check_keys(raw: dict[str, Any], known: tuple[str, ...], needed: tuple[str, ...], path: str) -> None:
    for key in raw:
        if key not in known:
            raise Malformed("unknown_key", f"unknown key {key[:40]!r}", path=path)
    for key in needed:
        if key not in raw:
            raise Malformed("missing_key", f"the key {key!r} is missing", path=path)


def _text(raw: dict[str, Any], key: str, path: str, default: str | None = None) -> str:
    value = raw.get(key, default)
    if not isinstance(value, str):
        raise Malformed("wrong_type", f"{key} must be a string", path=f"{path}.{key}")
    return value


def _ref(raw: dict[str, Any], path: str, key: str = "ref") -> str:
    ref = _text(raw, key, path)
    if not _REF.fullmatch(ref):
        raise Malformed("bad_ref", "a ref is 1 to 64 letters, digits, . _ + and -", path=f"{path}.{key}")
    return ref


def _name(raw: dict[str, Any], path: str, key: str = "name") -> str:
    name = _text(raw, key, path)
    if not name or len(name) > MAX_NAME or name != name.strip() or not name.isprintable():
        raise Malformed("bad_name", f"a name is 1 to {MAX_NAME} printable characters", path=f"{path}.{key}")
    return name


def _names(raw: Any, path: str) -> Mapping[str, str]:
    """Read names by language code (two lower-case letters)."""
    if not isinstance(raw, dict):
        raise Malformed("wrong_type", "names must be an object from language to name", path=f"{path}.names")
    for language in raw:
        if not _LANGUAGE.fullmatch(language):
            raise Malformed("unknown_key", "a language is two lower-case letters", path=f"{path}.names")
    return {language: _name(raw, f"{path}.names", language) for language in raw}


def _figure(value: Any, name: str, path: str, low: int = 0) -> int:
    # Not `isinstance`, because JSON's true and false are integers to Python.
    if type(value) is not int or not low <= value <= MAX_FIGURE:
        raise Malformed("bad_figure", f"{name} is an integer from {low} to {MAX_FIGURE}", path=f"{path}.{name}")
    return value


def _word(value: Any, name: str, known: tuple[str, ...], path: str) -> str:
    if not isinstance(value, str) or (known and value not in known):
        raise Malformed("bad_word", f"{name} must be one of: {', '.join(known) or 'a string'}", path=f"{path}.{name}")
    return value


def _amounts(value: Any, name: str, known: tuple[str, ...], path: str) -> Mapping[str, int]:
    if not isinstance(value, dict):
        raise Malformed("wrong_type", f"{name} must be an object", path=f"{path}.{name}")
    _check_keys(value, known, (), f"{path}.{name}")
    return {key: _figure(amount, key, f"{path}.{name}") for key, amount in value.items()}


def _list(raw: dict[str, Any], key: str, kind: type, path: str) -> list[Any]:
    if key not in raw:
        return []
    value = raw[key]
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise Malformed("wrong_type", f"{key} is a list of {kind.__name__}", path=f"{path}.{key}")
    if len(value) > MAX_LIST:
        raise Malformed("too_long", f"more than {MAX_LIST} {key}", path=f"{path}.{key}")
    return value


def _keyword(item: dict[str, Any], path: str) -> Mapping[str, Any]:
    if not isinstance(item.get("kw"), str):
        raise Malformed("missing_key", 'a keyword is {"kw": name, …}', path=path)
    return item
