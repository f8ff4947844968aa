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

from engine.core import strictjson
from engine.core.cardindex import CardIndex, Found, bare_words, index_of
from engine.core.cards import Catalog, vocabulary_of
from engine.core.deckformats import Line, read, sniff
from engine.core.deckformats.line import MAX_LINE, is_note, split_lines
from engine.core.deckformats.line import data as _data
from engine.core.errors import Malformed

MAX_BYTES = 64 * 1024
MAX_QUANTITY = 999
MAX_ENTRIES = 500  # distinct cards in a JSON list
SHOWN = 80  # characters of a line quoted in a fault
HELPED = 50  # faults that get suggestions, which are slow to find

# Quantity before the card: "4 X", "4x X", "x4 X", "[4] X", "(4) X", "4xX", "4X".
_QUANTITIES = (
    re.compile(r"(?P<n>[0-9]+)\s*[xX×]?\s+(?:\|\s*)?(?P<name>\S.*)"),
    re.compile(r"(?P<n>[0-9]+)\s*[,;|]\s*(?P<name>\S.*)"),
    re.compile(r"[xX×]\s*(?P<n>[0-9]+)\s+(?P<name>\S.*)"),
    re.compile(r"\[\s*(?P<n>[0-9]+)\s*\]\s*(?P<name>\S.*)"),
    re.compile(r"\(\s*(?P<n>[0-9]+)\s*\)\s*(?P<name>\S.*)"),
    re.compile(r"(?P<n>[0-9]+)[xX×](?P<name>\S.*)"),
    re.compile(r"(?P<n>[0-9]+)(?P<name>[^\W\d_].*)"),
)
# A card code first and a bare quantity last: "BT1-010 Some Name 4".
_CODE_FIRST = re.compile(
    r"(?P<name>[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*[-_][0-9]+[A-Za-z0-9]*\s+\S.*)\s+(?P<n>[0-9]{1,2})"
)
# Quantity after the card: "X x4", "X, 4", "X; 4", "X | 4", "X (4)", "X [x4]".
_QUANTITIES_LAST = (
    re.compile(r"(?P<name>.*\S)\s+[xX×]\s*(?P<n>[0-9]+)"),
    re.compile(r"(?P<name>.*[^\s,;|])\s*[,;|]\s*(?P<n>[0-9]{1,3})"),
    re.compile(r"(?P<name>.*\S)\s*[\[(]\s*(?:[xX×]\s*)?(?P<n>[0-9]{1,2})\s*[xX×]?\s*[\])]"),
)
_HOST = re.compile(r"://(?:www\.)?(?P<host>[^/:?#\s]+)")
_PREFIXES = {"side": "SB: ", "commander": "Commander: "}  # of a line that names its own section
_HEADERS = {"": "", "commander": "Commander\n", "companion": "Companion\n", "main": "Deck\n", "side": "Sideboard\n"}
_BARE_QUANTITY = re.compile(r"[\[(]?\s*[xX×]?\s*[0-9]+\s*[xX×]?\s*[\])]?")


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
    each written as in a list: without a quantity, except for `two_readings`, which asks for the quantity.
    """

    line: int
    code: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    text: str = ""
    suggestions: tuple[str, ...] = ()

    def message(self, lang: str = "en") -> str:
        """Return the message in `lang` ("fr", "en" or "it"), without the line number and the suggestions."""
        templates = _data()["known_site"] if "site" in self.args else _data()["faults"][self.code]
        template: str = templates[lang]
        return template.format(**{"text": self.text, **self.args})


@dataclass(frozen=True, slots=True)
class ParsedDecklist:
    """The result of `parse`: the list, the lines that could not be read, and the deck's name if the text gives one."""

    deck: Decklist
    faults: tuple[LineFault, ...] = ()
    name: str = ""


def parse(text: str | bytes, catalog: Catalog, *, sideboard: bool | None = None, lang: str = "") -> ParsedDecklist:
    """Read a decklist as players paste it, in any format of `deckformats` or in the JSON shape of a log's header.

    A line is a quantity (`4`, `4x`, `x4`, `[4]`, `(4)`, before or after the card; 1 if absent) and a card: its ref in
    any case, its name, or both. Sections have headers: Commander/Commandant/Comandante, Deck/Main, Sideboard. Without
    headers, a single blank line starts the sideboard in games that have one (`sideboard` overrides whether the game
    has one). Lines with the same card add up. Faults name cards in `lang`, as far as the catalogue has their names.

    Raises Malformed: `too_large` (over 64 KiB), the codes of `deckformats.read` and, for JSON, those of
    `strictjson.read` and `Decklist.from_json`. Anything else that is wrong is returned in `faults`.

    Example: `parse("2 DEMO-SAF-001\\n1x Some Card Name", catalog).deck.main`.
    """
    content = _decoded(text)
    vocabulary = vocabulary_of(catalog.game)
    allowed = vocabulary.sideboard if sideboard is None else sideboard
    reader = _Reader(index_of(catalog), vocabulary.commander, allowed, lang)
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
    content = _decoded(text)
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
        f"{_HEADERS[name]}{entry}\n" if at == 0 else f"{entry}\n"
        for name, entries in sections.items()
        for at, entry in enumerate(entries)
    )


def _entry_as_text(line: Line, index: CardIndex, lang: str) -> str:
    readings = [_Reading(count, words, index.find(words)) for count, words, _split in _readings(line)]
    reading = next((each for each in readings if each.certain), readings[0])
    words = index.label(reading.found.refs[0], lang) if reading.certain else _plain(reading.words)
    return f"{reading.count} {words}"


def _site_of(link: str) -> dict[str, str | int]:
    """Return the site of a link and its command to export a deck; empty for a site that is not known."""
    match = _HOST.search(link)
    host = match["host"].lower() if match else ""
    return {"site": host, "command": _data()["sites"][host]} if host in _data()["sites"] else {}


def _plain(words: str) -> str:
    return " ".join(words.split())


def corrected(text: str, fault: LineFault, suggestion: str) -> str:
    """Return a list in which a suggestion replaces the card of a faulty line, in the quantity that the line asks for.

    The suggestions of `two_readings` have a quantity of their own. The text is one that `editable` returned: a document
    or a table, and a text without such a line, is returned as it is.

    >>> corrected("4x Braisilon", LineFault(1, "unknown_card"), "DEMO-SAF-020 Braisillon")
    '4 DEMO-SAF-020 Braisillon'
    """
    lines = split_lines(text)
    if sniff(text) not in ("text", "markup") or not 0 < fault.line <= len(lines):
        return text
    line = Line.of(fault.line, lines[fault.line - 1])
    count, _words, _split = next(_readings(line))
    chosen = suggestion if fault.code == "two_readings" else f"{count} {suggestion}"
    lines[fault.line - 1] = _PREFIXES.get(line.section, "") + chosen
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

    @property
    def certain(self) -> bool:
        """Whether the words name exactly one card."""
        return len(self.found.refs) == 1 and not self.found.mismatch


class _Reader:
    """Puts each card in the section its line belongs to, and collects the faults."""

    def __init__(self, index: CardIndex, commander_kind: str, sideboard: bool, lang: str = "") -> None:
        self.index = index
        self.commander_kind = commander_kind
        self.sideboard = sideboard
        self.lang = lang
        self.commander: str | None = None
        self.zones: dict[str, dict[str, int]] = {"main": {}, "side": {}}
        self.companions: dict[str, int] = {}
        self.faults: list[LineFault] = []
        self.section = ""  # the current section, "" before the first header
        self.name = ""
        self.started = False  # whether a card was met; a comment above the first card names the deck

    def result(self) -> ParsedDecklist:
        side = dict(self.zones["side"])
        # A companion is part of the sideboard, and many lists repeat it there: it must not count twice.
        for ref, count in self.companions.items():
            side[ref] = max(count, side.get(ref, 0))
        deck = Decklist(self.commander, self.zones["main"], side)
        return ParsedDecklist(deck, tuple(map(self._likely_first, self.faults)), self.name)

    def _likely_first(self, fault: LineFault) -> LineFault:
        """Put the suggestions of the commander's faction first where the faction is all that is in question."""
        leader = self.index.catalog.find(self.commander) if self.commander else None
        if leader is None or fault.code not in ("faction_needed", "ambiguous_name"):
            return fault
        own = set(leader.factions)
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
                    self._add(zone, found, count, 0, ref)

    def _find_in_json(self, words: str) -> str | None:
        found = self.index.find(words, self.lang)
        if found.refs and len(found.refs) == 1 and not found.mismatch:
            return found.refs[0]
        self._not_found(0, words, words, found)
        return None

    def read_lines(self, lines: Sequence[Line]) -> None:
        """Read every line. A link is a fault only if it stands in place of the list: no other line names a card."""
        split = self._blank_that_splits(lines)
        for line in lines:
            if line.kind == "blank":
                self._blank(line.number == split)
            elif line.kind == "long":
                self._fault(line.number, "line_too_long", line.words, {"max": MAX_LINE})
            elif line.kind in ("comment", "metadata"):
                self.name = self.name or ("" if self.started else _shown(line.words))
            elif line.kind == "header" or (line.kind == "group" and not self._is_name(line.words)):
                self._header(line)
            # Under "about" and "apart" (metadata, maybeboard) only lines that name their own section are of the deck.
            elif line.kind in ("entry", "group") and (self.section not in ("about", "apart") or line.section):
                self._entry(line if line.kind == "entry" else replace(line, section=""))
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
        self.section = line.section
        if line.section == "side" and not self.sideboard:
            self._fault(line.number, "no_sideboard", line.words)

    def _entry(self, line: Line) -> None:
        """Place the card that the line names. If two readings fit, ask which is meant."""
        if not line.cards and _BARE_QUANTITY.fullmatch(line.words):
            self.started = True
            return self._fault(line.number, "no_card", line.words)
        if line.cards and line.count is None:
            return self._fault(line.number, "no_quantity", line.words)
        readings = list(self._found(line))
        named = [reading for reading in readings if reading.certain]
        if len({(reading.count, reading.found.refs) for reading in named}) > 1:
            suggestions = tuple(
                f"{reading.count} {self.index.label(reading.found.refs[0], self.lang)}" for reading in named
            )
            self.started = True
            return self._fault(line.number, "two_readings", line.words, suggestions=suggestions)
        # Without a reading that names one card, the fault is that of the first one that found anything.
        best = next(chain(named, (each for each in readings if each.found.refs or each.found.fault), readings))
        # Sites put totals, credits and layout around a list. Checked last, since a card may be named like a note.
        if not (best.found.refs or best.found.fault) and is_note(line.words):
            return None
        self.started = True
        return self._take(line, best.count, best.words, best.found)

    def _found(self, line: Line) -> Iterator[_Reading]:
        """Yield the readings of a line with the cards they name, most likely first, until one names a single card.

        A quantity that stands at the end may belong to the name, and so may one at the start: after a reading with a
        quantity, the line as a whole is looked up too, without removing anything from it.
        """
        for count, words, split in _readings(line):
            reading = _Reading(count, words, self.index.find(words, self.lang))
            yield reading
            if reading.certain:
                if split and (whole := _Reading(1, line.words, self.index.find_exactly(line.words))).certain:
                    yield whole
                return

    def _take(self, line: Line, count: int, words: str, found: Found) -> None:
        if len(found.refs) != 1 or found.mismatch:
            return self._not_found(line.number, line.words, words, found)
        if count == 0:
            return self._fault(line.number, "zero_quantity", line.words)
        if count > MAX_QUANTITY:
            return self._fault(line.number, "quantity_too_large", line.words, {"max": MAX_QUANTITY})
        return self._place(line, count, found.refs[0])

    def _place(self, line: Line, count: int, ref: str) -> None:
        section = line.section or self.section
        if line.section == "side" and not self.sideboard:
            self._fault(line.number, "no_sideboard", line.words)
        # Many lists have no header for the commander: a single copy of a card of that kind, under no header, is it.
        leads = section == "commander" or (
            not section and count == 1 and self.index.catalog[ref].kind == self.commander_kind
        )
        if leads and self.commander is None:
            self.commander = ref
            count -= 1  # further copies stay in the deck, where the deck rules report them
        if section == "companion" and self.sideboard:
            self.companions[ref] = max(count, self.companions.get(ref, 0))
        elif count:
            self._add("side" if section == "side" else "main", ref, count, line.number, line.words)

    def _add(self, zone: str, ref: str, count: int, number: int, words: str) -> None:
        total = self.zones[zone].get(ref, 0) + count
        if total > MAX_QUANTITY:
            self._fault(number, "quantity_too_large", words, {"max": MAX_QUANTITY})
        else:
            self.zones[zone][ref] = total

    def _not_found(self, number: int, line: str, words: str, found: Found) -> None:
        """Add the fault of a card that was not found. Suggest its versions, the cards of that name, or close names."""
        refs, code = found.refs, "unknown_card"
        args: dict[str, str | int] = {}
        if found.fault:
            code, args = found.fault, {"set": found.set} if found.set else {}
        elif found.mismatch:
            code, args = "ref_name_mismatch", {"ref": refs[0], "name": self.index.catalog[refs[0]].name_in(self.lang)}
        elif refs:
            code, args = "ambiguous_name", {"name": self.index.catalog[refs[0]].name_in(self.lang), "count": len(refs)}
        elif len(self.faults) < HELPED:
            refs = self.index.close_to(words)
        suggestions = found.suggestions or tuple(self.index.label(ref, self.lang) for ref in refs)
        self._fault(number, code, line, args, suggestions)

    def _fault(
        self,
        number: int,
        code: str,
        words: str,
        args: Mapping[str, str | int] | None = None,
        suggestions: tuple[str, ...] = (),
    ) -> None:
        self.faults.append(LineFault(number, code, args or {}, _shown(words), suggestions))


def _readings(line: Line) -> Iterator[tuple[int, str, bool]]:
    """Yield the ways to split a line into a quantity and a card, most likely first.

    The last value says whether the words were split. Without a quantity, it is 1.
    """
    if line.cards:
        for card in line.cards:
            yield line.count or 0, card, False
        return
    words, split = line.words, False
    for pattern in _QUANTITIES:
        if match := pattern.fullmatch(words):
            split = True
            yield int(match["n"]), match["name"], True
    # Not after a quantity at the start: "4 Forest (3)" is the third picture of that card.
    for pattern in () if split else (*_QUANTITIES_LAST, _CODE_FIRST):
        if match := pattern.fullmatch(words):
            yield int(match["n"]), match["name"], True
    yield 1, words, False


def _decoded(text: str | bytes) -> str:
    """Decode UTF-8, UTF-16 with a byte order mark, or else CP1252. Raises Malformed `too_large`."""
    if len(text) > MAX_BYTES:
        raise Malformed("too_large", f"the list is larger than {MAX_BYTES} bytes")
    if isinstance(text, str):
        content = text
    elif text.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = text.decode("utf-16", errors="replace")
    else:
        try:
            content = text.decode("utf-8")
        except UnicodeDecodeError:
            content = text.decode("cp1252", errors="replace")
    # Again, because other encodings take fewer bytes than UTF-8, and a str was only measured in characters.
    if len(content.encode("utf-8", errors="replace")) > MAX_BYTES:
        raise Malformed("too_large", f"the list is larger than {MAX_BYTES} bytes")
    return content.removeprefix("\ufeff")


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
