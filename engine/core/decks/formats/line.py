"""One line of a decklist, as every format gives it, and the words that tell what kind of line it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.core.decks.formats.headings import heading_of, named
from engine.core.text.errors import Malformed

MAX_LINES = 500
MAX_LINE = 400  # characters
_MAY_BE_NAMES = ("apart", "tokens", "extra")  # sections whose words may be the names of cards

# Newlines and blanks are those that spreadsheets, chat programs and word processors put in: line separators, zero-width
# spaces, byte order marks. Soft hyphens and marks of direction stand inside words.
_NEWLINE = re.compile(r"\r\n|[\r\n\u2028\u2029]")
_BLANKS = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_UNSEEN = re.compile(r"[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe0e\ufe0f]")
_WIDE = {sign: sign - 0xFEE0 for sign in range(0xFF01, 0xFF5F)}  # the full-width forms of ASCII
_DIGIT = re.compile(r"(?![0-9])\d")
# Bullets, also boxes to tick, as in Markdown: "- [ ] 4 Bolt".
_BULLET = re.compile(r"(?:(?:[*+•·▪◦‣→–—-]\s+|[•▪◦‣→☐☑☒✓✔✅]\s*)|[\[(][ _xX✓✔]?[\])]\s+)+(?=\S)")
_QUOTED = re.compile(r"^(?:>\s*)+|^\|\s*(?=\S)|\s*\|$")  # a quotation, and the edges of a table
_ORDERED = re.compile(r"(?P<order>[0-9]{1,3})(?:\)\s*|\.\s+|\.(?=[^\W\d]))(?P<rest>\S.*)")
_METADATA = re.compile(r"(?:deck[ _]?name|deckname|name|nom(?: du deck)?|nome)\s*[:=]\s*(.*)", re.IGNORECASE)
# A card whose line names its section first: "SB: 1 Bolt", "[Maybeboard] 1 Bolt", "Sideboard - 1 Bolt", "SB 1 Bolt".
_INLINE = re.compile(
    r"(?P<word>[^\W\d_][^:\[\](){}]{0,30}?)\s*:\s*(?P<rest>\S.*)"
    r"|[\[({*](?P<boxed>[^\W\d_][^\[\](){}*]{0,30})[\])}*]\s*:?\s*(?P<after>\S.*)"
    r"|(?P<before>[^\W\d_]{2,20})(?:\s+[-–—>]+)?\s+(?P<counted>(?:[xX×]\s*)?[0-9]{1,3}\s*[xX×]?\s.*)"
)
# … and last: "1 Bolt (SB)", "1 Bolt *maybe*", "1 Bolt # sideboard", "1x Bolt (2x2) 117 [Sideboard] ^Have,#37d67a^".
# Archidekt gives each card its categories there, of which only those that are sections matter.
_CATEGORY = re.compile(r"(?P<card>.*\S)\s*\[(?P<word>[^\[\]{},]+)[^\[\]]*\](?P<after>\s*\^[^^]*\^)?")
_MARKED = re.compile(
    r"(?P<card>.*\S)\s*(?:\((?P<round>[^()]{2,30})\)|\*(?P<stars>[^*]{2,30})\*"
    r"|\s(?://|#|[-–—]{1,2})\s*(?P<said>[^\W\d_][^#/]*))"
)
# The last cell of a spreadsheet's row: a name, a tab, a quantity.
_TABBED = re.compile(r"\s*(?P<name>[^\t]*[^\W\d][^\t]*?)\s*\t\s*(?P<n>[0-9]{1,3})\s*")
# A row without a header: a quantity, a tab, a name, and other cells.
_COLUMNS = re.compile(
    r"\s*(?P<n>[0-9]{1,3})\s*[xX×]?\s*\t\s*(?P<name>[^\t]*[^\W\d][^\t]*?)\s*\t(?!\s*[0-9]+\s*[^\W\d]).*"
)
_FENCE = re.compile(r"(?:```|~~~)\s*\w*\s*")  # around code in Discord and Markdown
_TABLE_RULE = re.compile(r"\|[\s:|-]*-{2}[\s:|-]*")
# Archidekt marks a category that is not part of the deck with {noDeck}; PTCGO writes totals as "## Pokémon - 12".
_NO_DECK = re.compile(r"\[[^\[\]]*\{noDeck\}[^\[\]]*\]")
_PTCGO = re.compile(r"##\s*\S.* - [0-9]+")
_ADDRESS = re.compile(r"\b[a-z]{2,12}://\S|[0-9a-f]{24}\Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_COUNTED = re.compile(r"[\[(]?\s*(?:[xX×]\s*)?[0-9]{1,3}[\])]?\s*(?:[xX×]\s*)?[^\d\s]")
# What sites write around a list: rules of dashes, totals, credits, layouts.
_NOTE = re.compile(
    r"-(?=.*\w).*-|(?=[*=~_]{3})(?=.*\w).*[*=~_]{3}|LAYOUT \S.*"
    r"|(?:total cards?|total)\s*[-:]?\s*[0-9]+.*|(?:format|formato|created by|author|auteur|autore|source)\s*:.*"
    r"|(?:made|generated|exported|created|built) (?:with|by|on|at|from|using)\b.*"
    r"|[0-9]+ (?:influence|agenda points|cards)\b.*|cards up to \S.*|decklist published on \S.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1 (0 if the format has none), its words with single blanks, and its kind.

    Kinds:

    - `blank`, `comment`.
    - `metadata`: the words are the name of the list.
    - `header`, `group`: the section begins here; a group may also be the name of a card.
    - `entry`: a card and its quantity. If `cards` is given, it is one of those, in `count` copies (None: no quantity
      could be read). Otherwise both are in `words`. `order` is its number in a numbered list, 0 without one.
    - `address`: a link or a code of a site.
    - `skip`: to be ignored, such as a total.
    - `long`: more than 400 characters.
    """

    number: int
    words: str
    kind: str
    section: str = ""  # set for a header, and for an entry that names its own section
    count: int | None = None
    cards: tuple[str, ...] = ()
    order: int = 0

    @classmethod
    def of(cls, number: int, raw: str) -> Line:
        """Return the line that a text holds."""
        if len(raw) > MAX_LINE:
            return cls(number, raw, "long")
        raw = folded(raw)
        words = _BLANKS.sub(" ", raw).strip()
        if _FENCE.fullmatch(words) or _TABLE_RULE.fullmatch(words):
            return cls(number, words, "skip")
        words = _QUOTED.sub("", words)
        if not words:
            return cls(number, "", "blank")
        if found := _opened(number, words):
            return found
        if "\t" in raw and (match := _TABBED.fullmatch(raw) or _COLUMNS.fullmatch(raw)):
            return cls(number, words, "entry", "", int(match["n"]), (match["name"],))
        if words.startswith(("//", "#", ";")):
            return cls._comment(number, words)
        if match := _METADATA.fullmatch(words):
            return cls(number, match[1], "metadata")
        return _placed(number, words) or _entry(number, words)

    @classmethod
    def _comment(cls, number: int, words: str) -> Line:
        if _PTCGO.fullmatch(words):
            return cls(number, words, "skip")
        inside = words.lstrip("/#; ")
        named = _METADATA.fullmatch(inside)
        return cls(number, named[1], "metadata") if named else cls(number, inside, "comment")


def folded(text: str) -> str:
    """Return a text with plain digits and signs for full-width and other ones, and without invisible marks."""
    if text.isascii():
        return text
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text)).translate(_WIDE)
    return _DIGIT.sub(lambda sign: str(unicodedata.decimal(sign[0], sign[0])), text)


def _opened(number: int, words: str) -> Line | None:
    """Return the line of a header."""
    found = heading_of(words)
    if found is None:
        return None
    # "Characters" or "Ideas" alone may be a card of that name; decorated or counted it can only be a header.
    known = not found.group and found.section not in _MAY_BE_NAMES
    return Line(number, words, "group" if found.plain and not known else "header", found.section)


def _placed(number: int, words: str) -> Line | None:
    """Return the line of a card that names its section, before the card or after it."""
    inline = _INLINE.fullmatch(words)
    if inline:
        word = inline["word"] or inline["boxed"] or inline["before"]
        rest = inline["rest"] or inline["after"] or inline["counted"]
        # "Units: 12" is a header; of the words that head a group, only those of a commander hold a card on their line.
        section = named("sections", word) or {"commander": "commander"}.get(named("groups", word), "")
        if section and section != "about" and (inline["word"] or section != "commander" or not inline["before"]):
            return replace(_entry(number, rest), section=section)
    if _NO_DECK.search(words):
        return replace(_entry(number, words), section="apart")
    for pattern in (_CATEGORY, _MARKED):
        match = pattern.fullmatch(words)
        word = match["word"] if match and pattern is _CATEGORY else _marked(match)
        section = named("sections", word.strip()) if word else ""
        if match and section and section != "about":
            return replace(_entry(number, match["card"]), section=section)
    return None


def _marked(match: re.Match[str] | None) -> str:
    return "" if match is None else match["round"] or match["stars"] or match["said"] or ""


def _entry(number: int, words: str) -> Line:
    """Return the line of a card, without its bullet and its number in a numbered list."""
    if _ADDRESS.search(words) and not _COUNTED.match(words):
        return Line(number, words, "address")
    bullet = _BULLET.match(words)
    words = words[bullet.end() :] if bullet else words
    ordered = _ORDERED.fullmatch(words)
    if ordered:
        return Line(number, ordered["rest"], "entry", order=int(ordered["order"]))
    return Line(number, words, "entry")


def split_lines(content: str) -> list[str]:
    """Return the lines of a text. Raises Malformed `too_many_lines`."""
    lines = _NEWLINE.split(content)
    if len(lines) > MAX_LINES + 1:  # a newline at the end of the last line gives one more, which is empty
        raise too_many()
    return lines


def too_many() -> Malformed:
    """Return the error for more than 500 lines, or more than 500 entries."""
    return Malformed("too_many_lines", f"more than {MAX_LINES} lines", path=f"line {MAX_LINES + 1}")


def is_note(words: str) -> bool:
    """Return whether a line that names no card is something a site adds to a list: totals, credits, layout."""
    return _NOTE.fullmatch(words) is not None


def listed(entries: Iterator[Line]) -> tuple[Line, ...]:
    """Return the entries of a document. Raises Malformed `too_many_lines`."""
    found: list[Line] = []
    for entry in entries:
        if len(found) >= MAX_LINES:
            raise too_many()
        found.append(entry)
    return tuple(found)


def quantity(text: object) -> int | None:
    """Return a quantity as documents write it, an integer or its digits; None for anything else."""
    if type(text) is int:
        return text if text >= 0 else None
    if isinstance(text, str) and re.fullmatch(r"\s*[0-9]{1,6}\s*", text, re.ASCII):
        return int(text)
    return None
