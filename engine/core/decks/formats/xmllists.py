"""Lists that programs save as XML: MTGO and Lackey `.dek`, Cockatrice `.cod`, OCTGN `.o8d`.

They are read with expat. A document type is refused before anything in it is read, and entities can be declared nowhere
else, so nothing is ever expanded or fetched.
"""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from engine.core.decks.formats.headings import section_of
from engine.core.decks.formats.line import MAX_LINES, Line, quantity, too_many
from engine.core.text.errors import Malformed

MAX_DEPTH = 16
MAX_NAME = 400  # characters
ROOTS = ("deck", "cockatrice_deck")

_START = re.compile(r"<(?:\?xml\b|!DOCTYPE\b|!--|deck\b|cockatrice_deck\b)", re.IGNORECASE)


def looks_like(start: str) -> bool:
    """Return whether a text begins like such a document."""
    return _START.match(start) is not None


def read(content: str) -> tuple[Line, ...]:
    """Return the cards in order, each with its line number.

    Raises Malformed: `not_xml`, `unknown_list`, `doctype_refused`, `too_deep`, `too_many_lines`.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(content.strip().encode("utf-8", errors="replace"), True)
    except expat.ExpatError as error:
        message = f"not XML: {expat.ErrorString(error.code)}"
        raise Malformed("not_xml", message, path=f"line {error.lineno}") from None
    return tuple(reader.lines)


class _Reader:
    """The parser's handlers: keeps the open elements, the section, and the card being read."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.open: list[str] = []
        self.section = ""
        self.card: dict[str, str] | None = None
        self.number = 0
        self.text = ""
        parser = self.parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters

    def _doctype(self, *_: Any) -> None:
        raise Malformed("doctype_refused", "a decklist declares no document type", path=self._where())

    def _where(self) -> str:
        return f"line {self.parser.CurrentLineNumber}"

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.lower()
        if not self.open and tag not in ROOTS:
            raise Malformed("unknown_list", f"no decklist begins with <{tag[:40]}>", path=self._where())
        if len(self.open) >= MAX_DEPTH:
            raise Malformed("too_deep", f"more than {MAX_DEPTH} levels of nesting", path=self._where())
        self.open.append(tag)
        self.text = ""
        if tag in ("zone", "section", "superzone"):
            found = section_of(attributes.get("name", ""))
            self.section = "" if found == "main" else found
        elif tag in ("card", "cards") and self.card is None:
            self.card = {key.lower(): value for key, value in attributes.items()}
            self.number = self.parser.CurrentLineNumber
        elif tag == "name" and self.card is not None:
            self.card.setdefault("id", attributes.get("id", ""))

    def _characters(self, text: str) -> None:
        if len(self.text) <= MAX_NAME:  # bounds memory; a name this long is refused as `long` in any case
            self.text += text

    def _end(self, tag: str) -> None:
        tag = self.open.pop()
        text, self.text = self.text.strip(), ""
        if self.card is not None and tag == "name":
            self.card.setdefault("name", text)
        elif self.card is not None and tag in ("card", "cards"):
            if text:
                self.card.setdefault("name", text)
            self._finish(self.card)
            self.card = None
        elif tag == "deckname" and text and not self.lines:
            self.lines.append(Line(self.parser.CurrentLineNumber, text, "metadata"))
        elif tag in ("zone", "section", "superzone"):
            self.section = ""

    def _finish(self, card: dict[str, str]) -> None:
        """Add a card. Its quantity is `quantity`, `number` or `qty` (in any case), or one if none is given."""
        if len(self.lines) >= MAX_LINES:
            raise too_many()
        written = next((card[key] for key in ("quantity", "number", "qty") if key in card), "1")
        section = "side" if card.get("sideboard", "").lower() == "true" else self.section
        if section == "about":
            return
        cards = tuple(words for words in (card.get("name", ""), card.get("id", "")) if words.strip())
        words = cards[0] if cards else ""
        kind = "long" if len(words) > MAX_NAME else "entry"
        self.lines.append(Line(self.number, words, kind, section, quantity(written), cards or ("",)))
