"""One line of a decklist as every format gives it, and the words that tell what a line is."""

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

_NEWLINE = re.compile(r"\r\n|[\r\n\u2028\u2029]")
_BLANKS = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_BULLET = re.compile(r"^(?:[*•·–-]\s+)+(?=\S)")
_METADATA = re.compile(r"(?:deck[ _]?name|deckname|name|nom(?: du deck)?|nome)\s*[:=]\s*(.*)", re.IGNORECASE)
_HEADER = re.compile(
    r"(?P<open>[\[<*=~\s]*)(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?(?: [^\W\d_]+)?)\s*"
    r"(?P<close>(?:[(\[]\s*[0-9]+\s*(?:/\s*[0-9]+\s*)?[)\]])?\s*"
    r"(?::\s*(?:[0-9]+\s*(?:cards?|cartes?|carta)?)?)?[\]>*=~\s:]*)",
    re.IGNORECASE,
)
_INLINE = re.compile(r"(?P<word>\w+)\s*:\s*(?P<rest>\S.*)")
_NO_DECK = re.compile(r"\[[^\[\]]*\{noDeck\}[^\[\]]*\]")
_PTCGO = re.compile(r"##\s*\S.* - [0-9]+")
_ADDRESS = re.compile(r"\b[a-z]{2,12}://\S|[0-9a-f]{24}\Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_COUNTED = re.compile(r"[\[(]?\s*(?:[xX×]\s*)?[0-9]{1,3}[\])]?\s*(?:[xX×]\s*)?[^\d\s]")
_NOTE = re.compile(
    r"-(?=.*\w).*-|(?=[*=~_]{3})(?=.*\w).*[*=~_]{3}|LAYOUT \S.*"
    r"|(?:total cards?|total)\s*[-:]?\s*[0-9]+.*|(?:format|formato|created by|author|auteur|autore|source)\s*:.*"
    r"|(?:made|generated|exported|created|built) (?:with|by|on|at|from|using)\b.*"
    r"|[0-9]+ (?:influence|agenda points|cards)\b.*|cards up to \S.*|decklist published on \S.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1 (0 where a format has none), its words with the blanks made single, its kind.

    Kinds: `blank`, `comment`, `metadata` (the words name the list), `header` and `group` (its section begins; a group
    may also be the name of a card), `entry`, `address` (a link or a site's code), `long`, `skip`. An entry whose
    `cards` are given is one of those, in `count` copies (None: no quantity could be read); else both are in `words`.
    """

    number: int
    words: str
    kind: str
    section: str = ""  # of a header, or of an entry that names its own section
    count: int | None = None
    cards: tuple[str, ...] = ()

    @classmethod
    def of(cls, number: int, raw: str) -> Line:
        """The line a text holds."""
        if len(raw) > MAX_LINE:
            return cls(number, raw, "long")
        words = _BLANKS.sub(" ", unicodedata.normalize("NFC", raw)).strip()
        if not words:
            return cls(number, "", "blank")
        if words.startswith(("//", "#", ";")):
            return cls._comment(number, words)
        if match := _METADATA.fullmatch(words):
            return cls(number, match[1], "metadata")
        if (header := _HEADER.fullmatch(words)) and (found := _opened(number, words, header)):
            return found
        inline = _INLINE.fullmatch(words)
        if inline and (section := section_of(inline["word"])) in ("commander", "side"):
            return cls(number, inline["rest"], "entry", section)
        if _NO_DECK.search(words):
            return cls(number, words, "skip")
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
    """The line of a header whose word is known."""
    word = header["word"]
    if section := _named("sections", word):
        return Line(number, words, "header", section)
    if section := _named("groups", word):
        return Line(number, words, "header" if header["open"] or header["close"].strip() else "group", section)
    return None


def split_lines(content: str) -> list[str]:
    """The lines of a text. Raises Malformed `too_many_lines`."""
    lines = _NEWLINE.split(content)
    if len(lines) > MAX_LINES + 1:
        raise too_many()
    return lines


def too_many() -> Malformed:
    """The refusal of more than 500 lines, or of as many entries."""
    return Malformed("too_many_lines", f"more than {MAX_LINES} lines", path=f"line {MAX_LINES + 1}")


def is_note(words: str) -> bool:
    """Whether a line that names no card is what a site writes around a list: its totals, its credits, its layout."""
    return _NOTE.fullmatch(words) is not None


def section_of(word: str) -> str:
    """The section a word opens (commander, main, side, companion, about, apart), or "" for one that opens none."""
    return _named("sections", word) or _named("groups", word)


def listed(entries: Iterator[Line]) -> tuple[Line, ...]:
    """The entries of a document. Raises Malformed `too_many_lines`."""
    found: list[Line] = []
    for entry in entries:
        if len(found) >= MAX_LINES:
            raise too_many()
        found.append(entry)
    return tuple(found)


def quantity(text: object) -> int | None:
    """A quantity as documents write it: an integer or its digits; None for anything else."""
    if type(text) is int:
        return text if text >= 0 else None
    if isinstance(text, str) and re.fullmatch(r"\s*[0-9]{1,6}\s*", text, re.ASCII):
        return int(text)
    return None


def _named(table: str, word: str) -> str:
    return str(_sections()[table].get(word.casefold(), ""))


@cache
def _sections() -> dict[str, dict[str, str]]:
    """The section of each word, by table."""
    return {
        table: {word: section for section, words in data()[table].items() for word in words}
        for table in ("sections", "groups")
    }


@cache
def data() -> dict[str, Any]:
    """The words of the readers: the headers they know and what they say of faults."""
    return tomllib.loads(files("engine.core").joinpath("phrases_decklist.toml").read_text(encoding="utf-8"))
