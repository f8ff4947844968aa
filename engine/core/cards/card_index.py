"""Find the card that a line of a decklist means: by ref, by name or by both.

Names match whatever their case, accents and punctuation. Set codes, foil marks, tags and the like that deck-building
sites add to a name are removed step by step until a card is found.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.core.cards.catalog import Catalog, vocabulary_of

CLOSE = 3  # suggestions for an unknown name
COMPARED = 40  # names compared letter by letter to find these suggestions: `difflib` is slow on a whole catalogue
MAX_STRIPS = 6  # decorations removed from one line
MAX_KEPT = 8  # indexes cached at a time, one per catalogue

_SIGNS = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "′": "'",
    "“": '"', "”": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "‑": "-", "−": "-",
})  # fmt: skip
# Letters that Unicode does not take apart, as they are typed on a keyboard without them.
_LIGATURES = str.maketrans({
    "æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t",
    "ŋ": "ng",
})  # fmt: skip
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")  # what copying from a page leaves in a name
_NOT_WORD = re.compile(r"[\W_]+")
# What sites write around a name. Tried in this order; each step removes the first one that matches the whole line.
_DECORATIONS = (
    re.compile(r"(?P<name>.*\S)\s*\*[A-Za-z]{1,3}\*"),  # *F* foil, *E* etched
    re.compile(r"(?P<name>.*\S)\s*\^[^^]*\^"),  # ^Label,#hex^
    re.compile(r"(?P<name>.*\S)\s+[#;].*"),  # #tag, # a comment after the card
    re.compile(
        r"(?=.*(?:[$€£]|[0-9]\s*(?:eur|usd|gbp)))(?P<name>.*\S)\s*[(\[@~-]?\s*(?<![0-9.,])"
        r"(?:[$€£]\s*[0-9]+(?:[.,][0-9]+)?|[0-9]+(?:[.,][0-9]+)?\s*(?:[$€£]|eur(?:os?)?|usd|gbp))\s*[)\]]?",
        re.IGNORECASE,
    ),  # a price
    re.compile(r"(?P<name>.*[^\s-])[\s-]+[(\[]?(?:foil|etched|holo|premium|brillante?)[)\]]?", re.IGNORECASE),
    re.compile(r"(?P<name>.*[^\s★☆✨✦])\s*[★☆✨✦]+"),  # foil, a favourite
    re.compile(r"(?P<name>.*\S)\s*\[[^\[\]]*\]"),  # [Category], [REF]
    re.compile(r"(?P<name>.*\S)\s*<[^<>]*>"),  # <variant>
    re.compile(r"(?P<name>.*\S)\s*\([A-Za-z0-9_:-]{1,8}\)(?:\s+[A-Za-z0-9-]{1,8})?"),  # (SET) 123, (art)
    re.compile(r"\[[A-Za-z0-9_:#-]{1,16}\]\s*(?P<name>\S.*)"),  # [SET] name, [SET#12] name
    re.compile(r"(?P<name>[^|]*[^|\s])\|\S.*"),  # |SET|1
    re.compile(r"(?P<name>.*\S)\s+[A-Z][A-Z0-9-]{1,7}\s+[A-Z]{0,3}[0-9]{1,4}[a-z]?"),  # SET 28
    re.compile(r"(?P<name>.*\S)\s+\(?[A-Z]{1,4}[0-9]{0,3}-[0-9]{1,4}\)?"),  # BT15-006 of another printing
    re.compile(r"(?P<name>.*\S)\s+//.*"),  # a comment after the card
)


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search: the refs that the words may mean (none, one, or several versions of a card).

    `mismatch` says that the words give a ref and the name of another card; `refs` then starts with that ref, followed
    by the refs of the name. For a card that no catalogue lists (`core.cards.unlisted`), `fault` is the code of what is
    wrong with it and `suggestions` the ways to write it. If the catalogue has no card of the set that a ref names,
    `fault` is "unknown_set" and `set` its name.
    """

    refs: tuple[str, ...] = ()
    mismatch: bool = False
    fault: str = ""
    suggestions: tuple[str, ...] = ()
    set: str = ""


class CardIndex:
    """A catalogue's cards by ref and by name, as players write them. Use `index_of`, which caches it."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.unlisted, self.versions = vocabulary_of(catalog.game).unlisted, vocabulary_of(catalog.game).versions
        self.by_ref: dict[str, str] = {}
        self.by_name: dict[str, list[str]] = {}
        self.by_words: dict[str, list[str]] = {}
        for ref, card in catalog.cards.items():
            self.by_ref[ref.casefold()] = ref
            for name in card.every_name:
                self.by_name.setdefault(same_signs(name), []).append(ref)
                self.by_words.setdefault(bare_words(name), []).append(ref)

    def find(self, words: str, lang: str = "") -> Found:
        """Find the card that `words` mean, removing one decoration after another until one is found.

        Suggestions name cards in `lang`, as far as the catalogue has their names.

        Example: `find("DEMO-SAF-014")`, `find("Some Name (SET) 123 *F*")`.
        """
        if self.unlisted is not None and (read := self.unlisted.read(self.catalog.cards, words, lang)) is not None:
            return Found((read.ref,)) if read.ref else Found(fault=read.fault, suggestions=read.suggestions)
        doubtful = Found()
        for text in _undecorated(words):
            found = self._find_version(text, lang)
            if not (found.refs or found.fault):
                found = self._find_plain(text)
            # A ref with words that name no card: they may be a tag or a comment, which a later step removes.
            if found.mismatch and len(found.refs) == 1:
                doubtful = doubtful if doubtful.refs else found
            elif found.refs or found.fault:
                return found
        if doubtful.refs:
            return doubtful
        named = self.unlisted.set_of(words) if self.unlisted is not None else ""
        return Found(fault="unknown_set", set=named) if named and named not in self._sets else Found()

    def find_exactly(self, words: str) -> Found:
        """Find the card that is written as `words`, with nothing removed."""
        return self._find_plain(words)

    def label(self, ref: str, lang: str = "") -> str:
        """Return "ref name", which `find` reads back, with the name in `lang` if the catalogue has it.

        A card of which there are other versions has its own in brackets: "ref name (Rare, Yzmir)".
        """
        card = self.catalog[ref]
        alike = self.by_words.get(bare_words(card.name), ())
        version = self.versions.label(card, lang) if self.versions and len(self._versions(alike)) > 1 else ""
        return f"{ref} {card.name_in(lang)} {version}".rstrip()

    def close_to(self, words: str) -> tuple[str, ...]:
        """Return at most three refs whose name resembles `words`, the closest first."""
        key = bare_words(words)
        shared: Counter[str] = Counter()
        for part in _trigrams(key):
            shared.update(self._names_by_trigram.get(part, ()))
        likely = [name for name, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:COMPARED]]
        names = difflib.get_close_matches(key, likely, n=CLOSE)
        return tuple(ref for name in names for ref in self._versions(self.by_words[name]))[:CLOSE]

    def _find_version(self, text: str, lang: str) -> Found:
        """Find a card by its name or ref and the marks of a version beside it, if the game has such: "Name (R)"."""
        if self.versions is None or self._find_whole(text).refs:
            return Found()
        for rest, wanted in self.versions.marks(text):
            found = self._find_plain(rest)
            if not found.refs or found.mismatch:
                continue
            cards = [self.catalog.cards[ref] for ref in found.refs]
            if fitting := self.versions.fitting(cards, wanted):
                return Found(tuple(card.ref for card in fitting))
            labels = tuple(self.label(ref, lang) for ref in found.refs)
            return Found(fault=self.versions.fault(wanted), suggestions=labels)
        return Found()

    def _find_whole(self, text: str) -> Found:
        """Find the card whose ref or name are these words and nothing else."""
        if ref := self.by_ref.get(text.casefold()):
            return Found((ref,))
        refs = self.by_name.get(same_signs(text)) or self.by_words.get(bare_words(text)) or []
        return Found(self._versions(refs))

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
        """Return one ref per card, reprints merged: the original printing if it is among `refs`, else the first one."""
        first: dict[str, str] = {}
        for ref in refs:
            original = self.catalog.cards[ref].original
            if first.setdefault(original, ref) != ref and ref == original:
                first[original] = ref
        return tuple(first.values())

    def _find_ref_with_name(self, text: str) -> Found | None:
        """Read `REF Name`, `Name REF`, `Name (REF)` or `Name [REF]`. The name of a different card is a mismatch."""
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
    def _sets(self) -> frozenset[str]:
        """The sets of which the catalogue has cards, if refs of the game name their set."""
        return frozenset(self.unlisted.set_of(ref) for ref in self.catalog.cards) if self.unlisted else frozenset()

    @cached_property
    def _names_by_trigram(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.by_words:
            for part in _trigrams(name):
                found.setdefault(part, []).append(name)
        return found


_KEPT: dict[str, CardIndex] = {}


def index_of(catalog: Catalog) -> CardIndex:
    """Return the index of a catalogue. The last few are cached by the digest of their catalogue."""
    key = f"{catalog.game} {catalog.id} {catalog.sha256}"
    index = _KEPT.get(key)
    if index is None:
        # The defaults are there because another thread may empty the cache at the same time.
        while len(_KEPT) >= MAX_KEPT:
            _KEPT.pop(next(iter(_KEPT), ""), None)
        index = _KEPT[key] = CardIndex(catalog)
    return index


def same_signs(name: str) -> str:
    """Normalize the case, apostrophes, quotes, dashes and encoding of accents of a name, to compare it with others."""
    if name.isascii():
        return name.replace("`", "'").lower()
    return unicodedata.normalize("NFC", name).translate(_SIGNS).casefold()


def bare_words(name: str) -> str:
    """Reduce a name to its letters and digits: no accents, ligatures or punctuation."""
    return _NOT_WORD.sub(" ", unaccented(same_signs(name))).strip()


def unaccented(words: str) -> str:
    """Return words in lower case, without accents and ligatures."""
    if words.isascii():
        return words.lower()
    spelt = unicodedata.normalize("NFKD", words).casefold().translate(_LIGATURES)
    return "".join(sign for sign in spelt if not unicodedata.combining(sign) and sign not in _UNSEEN)


def _trigrams(key: str) -> list[str]:
    padded = f"  {key} "
    return list(dict.fromkeys(padded[i : i + 3] for i in range(len(padded) - 2)))


def _undecorated(words: str) -> Iterator[str]:
    """Yield the words as they are, then with one more decoration removed each time."""
    yield words
    for _ in range(MAX_STRIPS):
        for pattern in _DECORATIONS:
            if match := pattern.fullmatch(words):
                words = match["name"]
                yield words
                break
        else:
            return
