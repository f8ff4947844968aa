"""Decklists: the list itself, and `parse`, which reads what players paste.

Reading takes three steps. `deckformats` splits the text of any supported format into lines, `CardIndex` finds the card
that the words of a line mean, and `_Reader` puts it in the right section. Reading never stops at the first fault: each
unreadable line becomes a `LineFault`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from engine.core.cards.card_index import CardIndex, Found, bare_words, index_of
from engine.core.cards.catalog import Catalog, vocabulary_of
from engine.core.decks.formats import Line, read, sniff
from engine.core.decks.formats.headings import heading_of, is_title
from engine.core.decks.formats.line import MAX_LINE, is_note, split_lines
from engine.core.decks.formats.quantities import is_bare, parts, readings, unsigned
from engine.core.decks.formats.words import data
from engine.core.text import strictjson
from engine.core.text.errors import Malformed

MAX_BYTES = 64 * 1024
MAX_QUANTITY = 999
MAX_ENTRIES = 500  # distinct cards in a JSON list
SHOWN = 80  # characters of a line quoted in a fault
HELPED = 50  # faults that get suggestions, which are slow to find

_HOST = re.compile(r"://(?:www\.)?(?P<host>[^/:?#\s]+)")
_HEADERS = {
    "": "", "commander": "Commander", "companion": "Companion", "main": "Deck", "side": "Sideboard",
    "tokens": "Tokens", "extra": "Extra", "apart": "Maybeboard",
}  # fmt: skip
# Sections that a group of cards may still belong to: "Creatures" below "Sideboard".
_BESIDE = ("side", "apart", "companion", "tokens", "extra")


@dataclass(frozen=True, slots=True)
class Decklist:
    """A decklist by card refs: the commander, if there is one, and the copies (1 or more) of each ref, sorted."""

    commander: str | None = None
    main: Mapping[str, int] = field(default_factory=dict)
    side: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Sorted, so that lists with the same cards look the same however they were typed.
        for name in ("main", "side"):
            object.__setattr__(self, name, MappingProxyType(dict(sorted(getattr(self, name).items()))))

    def to_json(self) -> dict[str, Any]:
        """Return the shape used in a log's header: `{"commander": …, "main": {…}}`, and `side` if it is not empty."""
        document: dict[str, Any] = {"commander": self.commander, "main": dict(self.main)}
        if self.side:
            document["side"] = dict(self.side)
        return document

    @classmethod
    def from_json(cls, raw: Any, *, path: str = "") -> Decklist:
        """Read a list in the shape of `to_json`. The refs are not looked up in a catalogue.

        Raises Malformed with `path`: `wrong_type`, `unknown_key`, `missing_key`, `bad_quantity`, `too_many_cards`.
        """
        if not isinstance(raw, Mapping):
            raise Malformed("wrong_type", "a decklist must be an object", path=path)
        for key in raw:
            if key not in ("commander", "main", "side"):
                raise Malformed("unknown_key", f"unknown key {str(key)[:40]!r}", path=path)
        if "main" not in raw:
            raise Malformed("missing_key", "the key 'main' is missing", path=path)
        commander = raw.get("commander")
        if commander is not None and not isinstance(commander, str):
            raise Malformed("wrong_type", "commander must be a string or null", path=_under(path, "commander"))
        return cls(
            commander,
            _quantities(raw["main"], _under(path, "main")),
            _quantities(raw.get("side", {}), _under(path, "side")),
        )

    def digest(self) -> str:
        """Return the SHA-256, in hexadecimal, of the canonical JSON of the list."""
        return hashlib.sha256(strictjson.canonical(self.to_json())).hexdigest()


@dataclass(frozen=True, slots=True)
class LineFault:
    """A line that cannot be read.

    `line` counts from 1 (0 in a JSON list), `text` is the line, shortened. `suggestions` are cards that may be meant,
    each written as in a list without a quantity; or, if they are `whole`, lines to stand in place of the faulty one.
    """

    line: int
    code: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    text: str = ""
    suggestions: tuple[str, ...] = ()
    whole: bool = False

    def message(self, lang: str = "en") -> str:
        """Return the message in `lang` ("fr", "en" or "it"), without the line number and the suggestions."""
        templates = data()["known_site"] if "site" in self.args else data()["faults"][self.code]
        template: str = templates[lang]
        return template.format(**{"text": self.text, **self.args})


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a player should know of a list that is read, by a code of `phrases_decklist.toml`.

    Codes: `left_out`, `no_copy_limit`.
    """

    code: str
    args: Mapping[str, str | int] = field(default_factory=dict)

    def message(self, lang: str = "en") -> str:
        """Return the note in `lang` ("fr", "en" or "it")."""
        template: str = data()["notes"][self.code][lang]
        return template.format(**self.args)


@dataclass(frozen=True, slots=True)
class ParsedDecklist:
    """The result of `parse`: the list, the lines that could not be read, and the deck's name if the text gives one.

    `notes` say which cards were left out.
    """

    deck: Decklist
    faults: tuple[LineFault, ...] = ()
    name: str = ""
    notes: tuple[Note, ...] = field(default=(), compare=False)


def parse(
    text: str | bytes, catalog: Catalog, *, sideboard: bool | None = None, led: bool = True, lang: str = ""
) -> ParsedDecklist:
    """Read a decklist as players paste it, in any format of `deckformats` or in the JSON shape of a log's header.

    A line is a quantity (`4`, `4x`, `x4`, `[4]`, `(4)`, before or after the card; 1 if absent) and a card: its ref in
    any case, its name, or both. Sections have headers (`deckformats.headings`). Without headers, a single blank line
    starts the sideboard in games that have one (`sideboard` overrides whether the game has one). Lines with the same
    card add up. If a name has several versions, the only one of the leader's faction is meant (unless not `led`: decks
    of several factions). Faults name cards in `lang`, as far as the catalogue has their names.

    Raises Malformed: `too_large` (over 64 KiB), the codes of `deckformats.read` and, for JSON, those of
    `strictjson.read` and `Decklist.from_json`. Anything else that is wrong is returned in `faults`.

    Example: `parse("2 DEMO-SAF-001\\n1x Some Card Name", catalog).deck.main`.
    """
    content = decoded(text)
    allowed = vocabulary_of(catalog.game).sideboard if sideboard is None else sideboard
    reader = _Reader(index_of(catalog), allowed, led, lang)
    lines = read(content)
    if lines is None:
        reader.read_json(Decklist.from_json(strictjson.read(content.strip(), max_bytes=MAX_BYTES)))
    else:
        reader.read_lines(lines)
    return reader.result()


def editable(text: str | bytes, catalog: Catalog, lang: str = "") -> str:
    """Return a list as text with a card on each line, so that it can be corrected by hand.

    A share code, a document or a table is rewritten in that form, with the same cards, quantities and sections, and
    names in `lang` as far as the catalogue has them. A list that is text already is returned as it is. Raises
    Malformed as `parse` does.
    """
    content = decoded(text)
    if sniff(content) in ("text", "markup"):
        return content
    lines = read(content)
    if lines is None:
        return render(Decklist.from_json(strictjson.read(content.strip(), max_bytes=MAX_BYTES)), catalog)
    return _rewritten(lines, index_of(catalog), lang)


def _rewritten(lines: Sequence[Line], index: CardIndex, lang: str) -> str:
    """Write the entries of a document by section, and the name of the list before them."""
    title = next((f"Name: {_plain(line.words)}\n" for line in lines if line.kind == "metadata"), "")
    sections: dict[str, list[str]] = {name: [] for name in _HEADERS}
    section = ""
    for line in lines:
        if line.kind == "header":
            section = line.section
        elif line.kind == "entry" and (line.section or section) in sections:
            sections[line.section or section].append(_entry_as_text(line, index, lang))
    return title + "".join(
        f"{_HEADERS[name]}\n{entry}\n" if at == 0 and name else f"{entry}\n"
        for name, entries in sections.items()
        for at, entry in enumerate(entries)
    )


def _entry_as_text(line: Line, index: CardIndex, lang: str) -> str:
    found = [_Reading(count, words, index.find(words), split) for count, words, split in readings(line)]
    reading = next((each for each in found if each.certain), found[0])
    words = index.label(reading.found.refs[0], lang) if reading.certain else _plain(reading.words)
    return f"{reading.count} {words}"


def _site_of(link: str) -> dict[str, str | int]:
    """Return the site of a link and its command to export a deck; empty for a site that is not known."""
    match = _HOST.search(link)
    host = match["host"].lower() if match else ""
    return {"site": host, "command": data()["sites"][host]} if host in data()["sites"] else {}


def _plain(words: str) -> str:
    return " ".join(words.split())


def corrected(text: str, fault: LineFault, suggestion: str) -> str:
    """Return a list in which a suggestion replaces the card of a faulty line, in the quantity that the line asks for.

    A suggestion that is a `whole` line replaces the line; for `second_leader` it is a header, put above the line. The
    text is one that `editable` returned: a document or a table, and a text without such a line, is returned as it is.

    >>> corrected("4x Braisilon", LineFault(1, "unknown_card"), "DEMO-SAF-020 Braisillon")
    '4 DEMO-SAF-020 Braisillon'
    """
    lines = split_lines(text)
    if sniff(text) not in ("text", "markup") or not 0 < fault.line <= len(lines):
        return text
    line = Line.of(fault.line, lines[fault.line - 1])
    if fault.code == "second_leader":
        lines.insert(fault.line - 1, suggestion)
    elif fault.whole and line.kind in ("header", "group"):
        lines[fault.line - 1] = suggestion
    else:
        count, _words, _split = next(readings(line))
        chosen = suggestion if fault.whole else f"{count} {suggestion}"
        order = f"{line.order}) " if line.order and not fault.whole else ""
        lines[fault.line - 1] = f"{_HEADERS[line.section]}: {chosen}" if line.section else f"{order}{chosen}"
    return "\n".join(lines)


def render(deck: Decklist, catalog: Catalog) -> str:
    """Write a list as text that `parse` reads back: section headers, and one `quantity ref name` per line."""
    parts = []
    if deck.commander is not None:
        parts.append("Commander\n" + _rendered({deck.commander: 1}, catalog))
    parts.append("Deck\n" + _rendered(deck.main, catalog))
    if deck.side:
        parts.append("Sideboard\n" + _rendered(deck.side, catalog))
    return "\n".join(parts)


def _rendered(entries: Mapping[str, int], catalog: Catalog) -> str:
    names = {ref: catalog[ref].name if ref in catalog else "" for ref in entries}
    return "".join(f"{count} {ref} {names[ref]}".rstrip() + "\n" for ref, count in entries.items())


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a line: a quantity, the words of a card, and the cards they name."""

    count: int
    words: str
    found: Found
    split: bool  # whether the line gave the quantity

    @property
    def certain(self) -> bool:
        """Whether the words name exactly one card."""
        return len(self.found.refs) == 1 and not self.found.mismatch


class _Reader:
    """Puts each card in the section its line belongs to, and collects the faults."""

    def __init__(self, index: CardIndex, sideboard: bool, led: bool = True, lang: str = "") -> None:
        self.index = index
        self.kinds = vocabulary_of(index.catalog.game)
        self.sideboard = sideboard
        self.led = led
        self.lang = lang
        self.commander: str | None = None
        self.zones: dict[str, dict[str, int]] = {"main": {}, "side": {}}
        self.companions: dict[str, int] = {}
        self.faults: list[LineFault] = []
        self.undecided: list[tuple[Line, _Reading, str]] = []  # names with several versions, and their sections
        self.left_out: dict[str, int] = {}  # copies by the header they stand under
        self.section = ""  # the current section, "" before the first header
        self.header: Line | None = None  # of the current section
        self.by_kind = False  # whether the list has groups of its cards, such as "Magies"
        self.ordered: frozenset[int] = frozenset()  # lines whose first number only counts the lines
        self.name = ""
        self.started = False  # whether a card was met; a comment above the first card names the deck

    def result(self) -> ParsedDecklist:
        self._decide()
        side = dict(self.zones["side"])
        # A companion is part of the sideboard, and many lists repeat it there: it must not count twice.
        for ref, count in self.companions.items():
            side[ref] = max(count, side.get(ref, 0))
        deck = Decklist(self.commander, self.zones["main"], side)
        faults = sorted(map(self._likely_first, self.faults), key=lambda fault: fault.line)
        notes = [Note("left_out", {"text": text, "count": count}) for text, count in self.left_out.items()]
        return ParsedDecklist(deck, tuple(faults), self.name, tuple(notes))

    def _decide(self) -> None:
        """Place the cards whose name has several versions: the only one of the leader's faction, else ask."""
        own = self._own_factions()
        for line, reading, section in self.undecided:
            fitting = [ref for ref in reading.found.refs if not own.isdisjoint(self.index.catalog[ref].factions)]
            if len(fitting) == 1:
                self._take(line, replace(reading, found=Found((fitting[0],))), section)
            else:
                self._not_found(line, reading)

    def _own_factions(self) -> frozenset[str]:
        leader = self.index.catalog.find(self.commander) if self.commander and self.led else None
        return frozenset(leader.factions if leader else ())

    def _likely_first(self, fault: LineFault) -> LineFault:
        """Put the suggestions of the commander's faction first where the faction is all that is in question."""
        own = self._own_factions()
        if not own or fault.code not in ("faction_needed", "ambiguous_name"):
            return fault
        likely = sorted(fault.suggestions, key=lambda suggestion: own.isdisjoint(self._factions(suggestion)))
        return replace(fault, suggestions=tuple(likely))

    def _factions(self, suggestion: str) -> tuple[str, ...]:
        refs = self.index.find(suggestion).refs
        card = self.index.catalog.find(refs[0]) if refs else None
        return card.factions if card else ()

    def read_json(self, deck: Decklist) -> None:
        """Look up every ref of a list that was given as JSON."""
        if deck.commander is not None and (found := self._find_in_json(deck.commander)):
            self.commander = found
        for zone, entries in (("main", deck.main), ("side", deck.side)):
            if zone == "side" and entries and not self.sideboard:
                self._fault(0, "no_sideboard", "side")
            for ref, count in entries.items():
                if found := self._find_in_json(ref):
                    self._add(zone, found, count, Line(0, ref, "entry"))

    def _find_in_json(self, words: str) -> str | None:
        found = _Reading(1, words, self.index.find(words, self.lang), False)
        if found.certain:
            return found.found.refs[0]
        self._not_found(Line(0, words, "entry"), found)
        return None

    def read_lines(self, lines: Sequence[Line]) -> None:
        """Read every line. A link is a fault only if it stands in place of the list: no other line names a card."""
        split = self._blank_that_splits(lines)
        self.ordered = _ordered(lines)
        last = max((n.number for n in lines if n.kind == "entry" and not is_note(n.words)), default=0)
        for line in lines:
            if line.kind == "blank":
                self._blank(line.number == split)
            elif line.kind == "long":
                self._fault(line.number, "line_too_long", line.words, {"max": MAX_LINE})
            elif line.kind in ("comment", "metadata"):
                self.name = self.name or ("" if self.started else _shown(line.words))
            elif line.kind == "header" or (line.kind == "group" and not self._is_name(line.words)):
                self._header(line)
            # Under "about" (metadata) only lines that name their own section are of the deck.
            elif line.kind in ("entry", "group") and (self.section != "about" or line.section):
                self._entry(line if line.kind == "entry" else replace(line, section=""), line.number < last)
        if not self.started:
            for line in lines:
                if line.kind == "address":
                    self._fault(line.number, "address", line.words, _site_of(line.words))

    def _is_name(self, words: str) -> bool:
        return bare_words(words) in self.index.by_words

    def _blank_that_splits(self, lines: Sequence[Line]) -> int:
        """Return the number of the only blank line between entries, which starts the sideboard, or 0.

        Lists with section headers use blank lines freely, so there it has no meaning.
        """
        if not self.sideboard or any(line.section for line in lines):
            return 0
        entries = [line.number for line in lines if line.kind == "entry"]
        blanks = [n.number for n in lines if n.kind == "blank" and entries and entries[0] < n.number < entries[-1]]
        return blanks[0] if len(blanks) == 1 else 0

    def _blank(self, splits: bool) -> None:
        # A blank line ends the metadata, and the commander's section once it has its card: the deck follows.
        if splits:
            self.section = "side"
        elif self.section == "about" or (self.section == "commander" and self.commander is not None):
            self.section = ""

    def _header(self, line: Line) -> None:
        """Begin a section. Ask about one that the game lacks, and about a group that may belong to the one before."""
        heading = heading_of(line.words)
        group = heading is not None and heading.group
        # Where no card leads a deck, "Héros" are cards like others.
        section = "main" if group and line.section == "commander" and not self.kinds.commander else line.section
        if group and section == "main" and self.section in _BESIDE:
            self._ask(line, "unclear_section", "main", self.section)
        elif section == "side" and not self.sideboard:
            self._ask(line, "no_sideboard", "apart")
        elif not self._has(section):
            self._ask(line, "no_such_section", "main", "apart")
        self.by_kind = self.by_kind or (group and section == "main")
        self.section, self.header = section, line

    def _has(self, section: str) -> bool:
        """Whether decks of this game may have a section."""
        if section == "commander":
            return bool(self.kinds.commander)
        return section != "extra" and (self.sideboard or section not in ("side", "companion"))

    def _ask(self, line: Line, code: str, *sections: str) -> None:
        """Add the fault of a header, and the headers that may be meant."""
        possible = dict.fromkeys(section if self._has(section) else "apart" for section in sections)
        headers = tuple(_HEADERS[section] for section in possible)
        self._fault(line.number, code, line.words, suggestions=headers, whole=True)

    def _entry(self, line: Line, more: bool) -> None:
        """Place the cards that the line names. If two readings fit, ask which is meant. `more`: entries follow."""
        if not line.cards and is_bare(line.words):
            self.started = True
            return self._fault(line.number, "no_card", line.words)
        if line.cards and line.count is None:
            return self._fault(line.number, "no_quantity", line.words)
        found = list(self._found(line))
        named = [reading for reading in found if reading.certain]
        if len({(reading.count, reading.found.refs) for reading in named}) > 1:
            return self._two_readings(line, [(reading.count, reading) for reading in named])
        # Without a reading that names one card, the fault is that of the first one that found anything.
        best = next(chain(named, (each for each in found if each.found.refs or each.found.fault), found))
        if best.certain and not best.split and line.order > 1 and line.number not in self.ordered:
            return self._two_readings(line, [(line.order, best), (1, best)])
        if not (best.certain or line.cards) and self._several(line):
            return None
        # Sites put totals, credits and layout around a list. Checked last, since a card may be named like a note.
        if not (best.found.refs or best.found.fault or line.cards):
            if is_title(line.words) and more and self.started:
                return self._ask(line, "unclear_section", "main", "side", "apart")
            if is_note(line.words):
                return None
            if words := unsigned(line.words):
                return self._signed(line, words)
        return self._take(line, best, line.section or self.section)

    def _two_readings(self, line: Line, ways: Sequence[tuple[int, _Reading]]) -> None:
        self.started = True
        suggestions = tuple(self._as_line(count, reading) for count, reading in ways)
        self._fault(line.number, "two_readings", line.words, suggestions=suggestions, whole=True)

    def _as_line(self, count: int, reading: _Reading) -> str:
        return f"{count} {self.index.label(reading.found.refs[0], self.lang)}"

    def _signed(self, line: Line, words: str) -> None:
        """Ask for a quantity without a sign: "-1 Bolt" may be a bullet, or a card that was taken out."""
        self.started = True
        named = [self._as_line(each.count, each) for each in self._found(replace(line, words=words)) if each.certain]
        wanted = {"written": _plain(words)[:SHOWN]}
        self._fault(line.number, "signed_quantity", line.words, wanted, tuple(named[:1]), whole=True)

    def _several(self, line: Line) -> bool:
        """Place the cards of a line that names several, and return whether it does."""
        section = line.section or self.section
        for words in parts(line.words):
            found = [self._part(replace(line, words=part)) for part in words]
            # All with a quantity or all without: "Bolt, 2 Forest" is not clear.
            alike = len({reading.split for reading in found}) == 1
            if alike and all(self._is_card(reading) for reading in found):
                for part, reading in zip(words, found, strict=True):
                    self._take(replace(line, words=part, kind="part"), reading, section)
                return True
            if any(reading.certain for reading in found) and all(reading.split for reading in found):
                self._unclear_parts(line, found)
                return True
        return False

    def _part(self, line: Line) -> _Reading:
        found = list(self._found(line))
        return next((reading for reading in found if self._is_card(reading)), found[0])

    def _is_card(self, reading: _Reading) -> bool:
        """Whether the words name one card, perhaps in several versions."""
        return reading.certain or (self._has_versions(reading.found) and not reading.found.fault)

    def _has_versions(self, found: Found) -> bool:
        return self.index.versions is not None and len(found.refs) > 1 and not found.mismatch

    def _unclear_parts(self, line: Line, found: Sequence[_Reading]) -> None:
        """Add the fault of a line with several cards, not all of them known, and the line with the closest ones."""
        self.started = True
        wrong = next(reading for reading in found if not reading.certain)
        meant = [
            reading if reading.certain else replace(reading, found=Found(reading.found.refs or self._close(reading)))
            for reading in found
        ]
        known = all(reading.found.refs for reading in meant)
        suggestions = (", ".join(self._as_line(each.count, each) for each in meant),) if known else ()
        self._fault(line.number, "several_cards", line.words, {"card": wrong.words[:SHOWN]}, suggestions, whole=True)

    def _close(self, reading: _Reading) -> tuple[str, ...]:
        # Words with another number may be two cards, one of which must not get lost.
        helped = len(self.faults) < HELPED and not any(sign.isdigit() for sign in reading.words)
        return self.index.close_to(reading.words)[:1] if helped else ()

    def _found(self, line: Line) -> Iterator[_Reading]:
        """Yield the readings of a line with the cards they name, most likely first, until one names a single card.

        A quantity that stands at the end may belong to the name, and so may one at the start: after a reading with a
        quantity, the line as a whole is looked up too, without removing anything from it.
        """
        for count, words, split in readings(line):
            reading = _Reading(count, words, self.index.find(words, self.lang), split)
            yield reading
            if reading.certain:
                whole = _Reading(1, line.words, self.index.find_exactly(line.words), False)
                if split and whole.certain:
                    yield whole
                return

    def _take(self, line: Line, reading: _Reading, section: str) -> None:
        """Place a card in a section, or say why not."""
        self.started = True
        found = reading.found
        if section == "apart" or (section == "tokens" and not reading.certain):
            return self._leave_out(line, reading.count)
        if self._has_versions(found):
            return self.undecided.append((line, reading, section))
        if not reading.certain:
            return self._not_found(line, reading)
        if reading.count == 0:
            return self._fault(line.number, "zero_quantity", line.words)
        if reading.count > MAX_QUANTITY:
            return self._fault(line.number, "quantity_too_large", line.words, {"max": MAX_QUANTITY})
        return self._place(line, reading.count, found.refs[0], section)

    def _leave_out(self, line: Line, count: int) -> None:
        under = _shown(self.header.words) if self.header and not line.section else _HEADERS[line.section or "apart"]
        self.left_out[under] = self.left_out.get(under, 0) + count

    def _place(self, line: Line, count: int, ref: str, section: str) -> None:
        if line.section == "side" and not self.sideboard:
            return self._fault(line.number, "no_sideboard", line.words)
        if line.section and not self._has(section):
            return self._fault(line.number, "no_such_section", line.words)
        kind = self.index.catalog[ref].kind
        if section == "tokens":
            return self._place_token(line, count, ref, kind)
        if section == "commander" and self.commander is not None:
            return self._second_leader(line)
        # Many lists have no header for the commander: a single copy of a card of that kind, under no header, is it.
        leads = section == "commander" or (not section and count == 1 and kind == self.kinds.commander)
        if leads and self.commander is None:
            self.commander = ref
            count -= 1  # further copies stay in the deck, where the deck rules report them
        if section == "companion" and self.sideboard:
            self.companions[ref] = max(count, self.companions.get(ref, 0))
        elif count:
            self._add("side" if section == "side" else "main", ref, count, line)
        return None

    def _place_token(self, line: Line, count: int, ref: str, kind: str) -> None:
        """Leave a token out of the deck, unless decks of this game have tokens: then the list must say so."""
        if kind != self.kinds.tokens:
            self._leave_out(line, count)
        elif self.by_kind or line.section:
            self._add("main", ref, count, line)
        elif self.header is not None and not any(fault.line == self.header.number for fault in self.faults):
            self._ask(self.header, "unclear_section", "main", "apart")

    def _second_leader(self, line: Line) -> None:
        # Often the deck has begun, without a header. The lines that follow are not refused too.
        headed = not line.section
        self._fault(line.number, "second_leader", line.words, suggestions=("Deck",) if headed else (), whole=True)
        self.section = "" if headed else self.section

    def _add(self, zone: str, ref: str, count: int, line: Line) -> None:
        total = self.zones[zone].get(ref, 0) + count
        if total > MAX_QUANTITY:
            self._fault(line.number, "quantity_too_large", line.words, {"max": MAX_QUANTITY})
        else:
            self.zones[zone][ref] = total

    def _not_found(self, line: Line, reading: _Reading) -> None:
        """Add the fault of a card that was not found. Suggest its versions, the cards of that name, or close names."""
        found, refs, code = reading.found, reading.found.refs, "unknown_card"
        args: dict[str, str | int] = {}
        if found.fault:
            code, args = found.fault, {"set": found.set} if found.set else {}
        elif found.mismatch:
            code, args = "ref_name_mismatch", {"ref": refs[0], "name": self.index.catalog[refs[0]].name_in(self.lang)}
        elif refs:
            code, args = "ambiguous_name", {"name": self.index.catalog[refs[0]].name_in(self.lang), "count": len(refs)}
        elif len(self.faults) < HELPED:
            refs = self.index.close_to(reading.words)
        suggestions = found.suggestions or tuple(self.index.label(ref, self.lang) for ref in refs)
        # A suggestion would replace the other cards of the line too.
        part = line.kind == "part"
        self._fault(line.number, code, line.words, args, () if part else suggestions, whole=part)

    def _fault(
        self,
        number: int,
        code: str,
        words: str,
        args: Mapping[str, str | int] | None = None,
        suggestions: tuple[str, ...] = (),
        *,
        whole: bool = False,
    ) -> None:
        self.faults.append(LineFault(number, code, args or {}, _shown(words), suggestions, whole))


def _ordered(lines: Sequence[Line]) -> frozenset[int]:
    """Return the lines of a numbered list: their numbers go up by one, from 1, perhaps again in each section.

    Other numbers at the start, such as "2. Bolt" and "3. Forest", may be quantities.
    """
    found: list[int] = []
    last, fresh = 0, True
    for line in lines:
        if not line.order:
            fresh = fresh or line.kind in ("blank", "header", "group")
        elif line.order == last + 1 or (line.order == 1 and fresh):
            last, fresh = line.order, False
            found.append(line.number)
        else:
            return frozenset()
    return frozenset(found) if len(found) > 2 else frozenset()


def decoded(text: str | bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with or without a byte order mark, or else CP1252.

    Raises Malformed `too_large`.
    """
    if len(text) > MAX_BYTES:
        raise Malformed("too_large", f"the list is larger than {MAX_BYTES} bytes")
    content = text if isinstance(text, str) else text.decode(_encoding(text), errors="replace")
    # Again, because other encodings take fewer bytes than UTF-8, and a str was only measured in characters.
    if len(content.encode("utf-8", errors="replace")) > MAX_BYTES:
        raise Malformed("too_large", f"the list is larger than {MAX_BYTES} bytes")
    return content.removeprefix("\ufeff")


def _encoding(text: bytes) -> str:
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    # Every other byte of Latin letters in UTF-16 is zero, which no other encoding of a text has.
    start = text[:1000]
    for encoding, zeros in (("utf-16-le", start[1::2]), ("utf-16-be", start[::2])):
        if zeros.count(0) * 2 > len(zeros) > 1:
            return encoding
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _shown(words: str) -> str:
    """Return the words as a message may quote them: shortened, with unprintable characters replaced."""
    text = "".join(sign if sign.isprintable() else "\ufffd" for sign in words[: SHOWN + 1].replace("\t", " "))
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _quantities(raw: Any, path: str) -> dict[str, int]:
    if not isinstance(raw, Mapping):
        raise Malformed("wrong_type", "quantities must be an object from ref to integer", path=path)
    if len(raw) > MAX_ENTRIES:
        raise Malformed("too_many_cards", f"more than {MAX_ENTRIES} different cards", path=path)
    for ref, count in raw.items():
        if not isinstance(ref, str) or not ref:
            raise Malformed("wrong_type", "a ref must be a string", path=path)
        if type(count) is not int or not 1 <= count <= MAX_QUANTITY:
            where = f"{path}.{ref[:40]}"
            raise Malformed("bad_quantity", f"a quantity is an integer from 1 to {MAX_QUANTITY}", path=where)
    return dict(raw)
