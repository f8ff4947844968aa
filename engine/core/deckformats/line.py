"""One line of a decklist, as every format gives it, and the words that tell what kind of line it is."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from engine.core.errors import Malformed

MAX_LINES = 500
MAX_LINE = 400  # characters

# Newlines and blanks are those that spreadsheets, chat programs and word processors put in: line separators, zero-width
# spaces, byte order marks.
_NEWLINE = re.compile(r"\r\n|[\r\n\u2028\u2029]")
_BLANKS = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_BULLET = re.compile(r"^(?:[*•·–-]\s+)+(?=\S)")
_QUOTED = re.compile(r"^(?:>\s*)+(?=\S)|^\|\s*(?=\S)|\s*\|$")  # a quotation, and the edges of a table
_METADATA = re.compile(r"(?:deck[ _]?name|deckname|name|nom(?: du deck)?|nome)\s*[:=]\s*(.*)", re.IGNORECASE)
# One or two words in any decoration, with an optional count: "[Main Deck]", "== Side (15) ==", "Deck: 40 cards".
_HEADER = re.compile(
    r"(?P<open>[\[<*=~\s]*)(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?(?: [^\W\d_]+)?)\s*"
    r"(?P<close>(?:[(\[]\s*[0-9]+\s*(?:/\s*[0-9]+\s*)?[)\]])?\s*"
    r"(?::\s*(?:[0-9]+\s*(?:cards?|cartes?|carta)?)?)?[\]>*=~\s:]*)",
    re.IGNORECASE,
)
_INLINE = re.compile(r"(?P<word>\w+)\s*:\s*(?P<rest>\S.*)")
# Archidekt gives each card its categories; only those that are sections matter: "1x Bolt (2x2) 117 [Sideboard]".
_CATEGORY = re.compile(r"(?P<card>.*\S)\s*\[(?P<word>[^\[\]{},]+)[^\[\]]*\](?P<after>\s*\^[^^]*\^)?")
# The last cell of a spreadsheet's row: a name, a tab, a quantity.
_TABBED = re.compile(r"\s*(?P<name>[^\t]*[^\W\d][^\t]*?)\s*\t\s*(?P<n>[0-9]{1,3})\s*")
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
      could be read). Otherwise both are in `words`.
    - `address`: a link or a code of a site.
    - `skip`: to be ignored, such as a total, or a card marked as outside the deck.
    - `long`: more than 400 characters.
    """

    number: int
    words: str
    kind: str
    section: str = ""  # set for a header, and for an entry that names its own section
    count: int | None = None
    cards: tuple[str, ...] = ()

    @classmethod
    def of(cls, number: int, raw: str) -> Line:
        """Return the line that a text holds."""
        if len(raw) > MAX_LINE:
            return cls(number, raw, "long")
        words = _BLANKS.sub(" ", unicodedata.normalize("NFC", raw)).strip()
        if not words:
            return cls(number, "", "blank")
        if _FENCE.fullmatch(words) or _TABLE_RULE.fullmatch(words):
            return cls(number, words, "skip")
        if match := _TABBED.fullmatch(raw):
            return cls(number, words, "entry", "", int(match["n"]), (match["name"],))
        words = _QUOTED.sub("", words)
        if words.startswith(("//", "#", ";")):
            return cls._comment(number, words)
        if match := _METADATA.fullmatch(words):
            return cls(number, match[1], "metadata")
        if (header := _HEADER.fullmatch(words)) and (found := _opened(number, words, header)):
            return found
        # "Commander: NAME" names a card, "Units: 12" is a header: only these sections hold a card on the same line.
        inline = _INLINE.fullmatch(words)
        if inline and (section := section_of(inline["word"])) in ("commander", "side"):
            return cls(number, inline["rest"], "entry", section)
        if _NO_DECK.search(words):
            return cls(number, words, "skip")
        if (category := _CATEGORY.fullmatch(words)) and (found := _in_category(number, words, category)):
            return found
        if _ADDRESS.search(words) and not _COUNTED.match(words):
            return cls(number, words, "address")
        return cls(number, _BULLET.sub("", words, count=1), "entry")

    @classmethod
    def _comment(cls, number: int, words: str) -> Line:
        if _PTCGO.fullmatch(words):
            return cls(number, words, "skip")
        inside = words.lstrip("/#; ")
        named = _METADATA.fullmatch(inside)
        return cls(number, named[1], "metadata") if named else cls(number, inside, "comment")


def _opened(number: int, words: str, header: re.Match[str]) -> Line | None:
    """Return the line of a header, if its word is known."""
    word = header["word"]
    if section := _named("sections", word):
        return Line(number, words, "header", section)
    # "Characters" alone may be a card of that name; decorated or counted it can only be a header.
    if section := _named("groups", word):
        return Line(number, words, "header" if header["open"] or header["close"].strip() else "group", section)
    return None


def _in_category(number: int, words: str, category: re.Match[str]) -> Line | None:
    """Return the line of a card whose category is a section outside the deck, if it is one."""
    section = _named("sections", category["word"].strip())
    if section == "apart":
        return Line(number, words, "skip")
    return Line(number, category["card"], "entry", section) if section in ("commander", "side") else None


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


def section_of(word: str) -> str:
    """Return the section that a word opens (commander, main, side, companion, about, apart), or "" if it opens none."""
    return _named("sections", word) or _named("groups", word)


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


def _named(table: str, word: str) -> str:
    return str(_sections()[table].get(word.casefold(), ""))


@cache
def _sections() -> dict[str, dict[str, str]]:
    """Return the section of each word, by table."""
    return {
        table: {word: section for section, words in data()[table].items() for word in words}
        for table in ("sections", "groups")
    }


@cache
def data() -> dict[str, Any]:
    """Return the words of the readers: the headers they know and the messages for faults."""
    return tomllib.loads(files("engine.core").joinpath("phrases_decklist.toml").read_text(encoding="utf-8"))
