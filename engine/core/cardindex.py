"""Which card a player's words name: by ref, by name, by both, past the decorations other sites add."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.core.cards import Catalog, vocabulary_of

CLOSE = 3  # suggestions for an unknown name
COMPARED = 40  # names compared letter by letter for them
MAX_STRIPS = 6  # decorations taken off one line
MAX_KEPT = 8  # indexes kept for the next list

_SIGNS = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "′": "'",
    "“": '"', "”": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "‑": "-", "−": "-",
})  # fmt: skip
_LIGATURES = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ł": "l", "đ": "d"})
_NOT_WORD = re.compile(r"[\W_]+")
_DECORATIONS = (
    re.compile(r"(?P<name>.*\S)\s*\*[A-Za-z]{1,3}\*"),  # *F* foil, *E* etched
    re.compile(r"(?P<name>.*\S)\s*\^[^^]*\^"),  # ^Label,#hex^
    re.compile(r"(?P<name>.*\S)\s+#\S.*"),  # #tag
    re.compile(r"(?P<name>.*\S)\s*\[[^\[\]]*\]"),  # [Category], [REF]
    re.compile(r"(?P<name>.*\S)\s*\([A-Za-z0-9_:-]{1,8}\)(?:\s+[A-Za-z0-9-]{1,8})?"),  # (SET) 123, (art)
    re.compile(r"\[[A-Za-z0-9_:-]{1,8}\]\s*(?P<name>\S.*)"),  # [SET] name
    re.compile(r"(?P<name>[^|]*[^|\s])\|\S.*"),  # |SET|1
    re.compile(r"(?P<name>.*\S)\s+[A-Z][A-Z0-9-]{1,7}\s+[A-Z]{0,3}[0-9]{1,4}[a-z]?"),  # SET 28
    re.compile(r"(?P<name>.*\S)\s+\(?[A-Z]{1,4}[0-9]{0,3}-[0-9]{1,4}\)?"),  # BT15-006 of another printing
    re.compile(r"(?P<name>.*\S)\s+//\s.*"),  # a comment after the card
)


@dataclass(frozen=True, slots=True)
class Found:
    """The refs some words may name: none, one, several versions.

    `mismatch` if a ref and a name disagree: the ref comes first, then those of the name. `fault` is the code of what is
    wrong with a card that no catalogue lists, `ways` how it may be written.
    """

    refs: tuple[str, ...] = ()
    mismatch: bool = False
    fault: str = ""
    ways: tuple[str, ...] = ()


class CardIndex:
    """The cards of a catalogue by ref and by name, as players write them."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.unlisted = vocabulary_of(catalog.game).unlisted
        self.by_ref: dict[str, str] = {}
        self.by_name: dict[str, list[str]] = {}
        self.by_words: dict[str, list[str]] = {}
        for ref, card in catalog.cards.items():
            self.by_ref[ref.casefold()] = ref
            for name in card.every_name:
                self.by_name.setdefault(same_signs(name), []).append(ref)
                self.by_words.setdefault(bare_words(name), []).append(ref)

    def find(self, words: str) -> Found:
        """The card named by `words`, as they are or with one decoration after another taken off."""
        if self.unlisted is not None and (read := self.unlisted.read(self.catalog.cards, words)) is not None:
            return Found((read.ref,)) if read.ref else Found(fault=read.fault, ways=read.ways)
        for text in _undecorated(words):
            found = self._find_plain(text)
            if found.refs:
                return found
        return Found()

    def label(self, ref: str) -> str:
        """`ref name`, which `find` reads back."""
        return f"{ref} {self.catalog[ref].name}"

    def close_to(self, words: str) -> tuple[str, ...]:
        """At most three refs whose name resembles `words`, the closest first."""
        key = bare_words(words)
        shared: Counter[str] = Counter()
        for part in _trigrams(key):
            shared.update(self._names_by_trigram.get(part, ()))
        likely = [name for name, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:COMPARED]]
        names = difflib.get_close_matches(key, likely, n=CLOSE)
        return tuple(ref for name in names for ref in self._versions(self.by_words[name]))[:CLOSE]

    def _find_plain(self, text: str) -> Found:
        if ref := self.by_ref.get(text.casefold()):
            return Found((ref,))
        if refs := self.by_name.get(same_signs(text)):
            return Found(self._versions(refs))
        if found := self._find_ref_with_name(text):
            return found
        key = bare_words(text)
        return Found(self._versions(self.by_words.get(key, ()))) if key else Found()

    def _versions(self, refs: Sequence[str]) -> tuple[str, ...]:
        """One ref for each card among these, that of its first printing where it is there."""
        first: dict[str, str] = {}
        for ref in refs:
            original = self.catalog.cards[ref].original
            if first.setdefault(original, ref) != ref and ref == original:
                first[original] = ref
        return tuple(first.values())

    def _find_ref_with_name(self, text: str) -> Found | None:
        """`REF Name`, `Name REF`, `Name (REF)`, `Name [REF]`; a name that is another card's is a mismatch."""
        first, _, after = text.partition(" ")
        before, _, last = text.rpartition(" ")
        for word, rest in ((first, after), (last, before)):
            ref = self.by_ref.get(word.strip("()[]<>|,:-").casefold())
            if ref is None:
                continue
            rest = rest.strip(" |,:-")
            if rest and rest not in self.catalog[ref].every_name:
                named = self._by_bare_name(rest)
                if ref not in named:
                    return Found((ref, *named), mismatch=True)
            return Found((ref,))
        return None

    def _by_bare_name(self, text: str) -> list[str]:
        return [ref for words in _undecorated(text) for ref in self.by_words.get(bare_words(words), ())]

    @cached_property
    def _names_by_trigram(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.by_words:
            for part in _trigrams(name):
                found.setdefault(part, []).append(name)
        return found


_KEPT: dict[str, CardIndex] = {}


def index_of(catalog: Catalog) -> CardIndex:
    """The index of a catalogue, made once and kept by its digest."""
    key = f"{catalog.game} {catalog.id} {catalog.sha256}"
    index = _KEPT.get(key)
    if index is None:
        while len(_KEPT) >= MAX_KEPT:
            _KEPT.pop(next(iter(_KEPT), ""), None)
        index = _KEPT[key] = CardIndex(catalog)
    return index


def same_signs(name: str) -> str:
    """The name whatever its case, its apostrophes, quotes and dashes, and how its accents are encoded."""
    if name.isascii():
        return name.replace("`", "'").lower()
    return unicodedata.normalize("NFC", name).translate(_SIGNS).casefold()


def bare_words(name: str) -> str:
    """The letters and digits of the name alone: no accent, no ligature, no punctuation."""
    letters = same_signs(name)
    if not letters.isascii():
        spelt = unicodedata.normalize("NFKD", letters.translate(_LIGATURES))
        letters = "".join(sign for sign in spelt if not unicodedata.combining(sign))
    return _NOT_WORD.sub(" ", letters).strip()


def _trigrams(key: str) -> list[str]:
    padded = f"  {key} "
    return list(dict.fromkeys(padded[i : i + 3] for i in range(len(padded) - 2)))


def _undecorated(words: str) -> Iterator[str]:
    """The words, then the words with each next decoration off."""
    yield words
    for _ in range(MAX_STRIPS):
        for pattern in _DECORATIONS:
            if match := pattern.fullmatch(words):
                words = match["name"]
                yield words
                break
        else:
            return
