"""Lists with the markup of a forum or a web page: BBCode, Markdown, and the text that the same sites export."""

from __future__ import annotations

import re

from engine.core.decks.formats.line import MAX_LINE, Line, split_lines

_MARKS = re.compile(r"\[url=|\[b\]|\]\(https?://|^[0-9]+ influence spent", re.IGNORECASE | re.MULTILINE)
_COLOURED = re.compile(r"\[color=[^\]]*\][^\[]*\[/color\]", re.IGNORECASE)
_TAG = re.compile(r"\[/?(?:url|b|i|u|color|size|list|\*)(?:=[^\]]*)?\]", re.IGNORECASE)
_LINK = re.compile(r"\[(?P<name>[^\[\]]*)\]\(https?://[^()\s]*\)")
_SET_IN_ITALICS = re.compile(r"\s+(?:\[i\]|_)\([^()]*\)(?:\[/i\]|_)", re.IGNORECASE)
_SET = re.compile(r"\s+\([^()0-9][^()]*\)$")
# NetrunnerDB puts the influence of a card after its name, as dots and stars.
_PIPS = re.compile(r"[●•○★☆◆■ \t]+$")
_MARKDOWN_HEADER = re.compile(r"^#{1,6}\s*")
# A title is bold or a heading, or at least does not end with the name of a set in brackets, as cards do on these sites.
_TITLE = re.compile(r"^(?:\[b\]|#)|[^)\s]\s*$", re.IGNORECASE)
_COUNTED = re.compile(r"^(?:[*•-]\s+)?[0-9]+\s*x?\s", re.IGNORECASE)


def looks_like(content: str) -> bool:
    """Return whether the text has such markup."""
    return _MARKS.search(content) is not None


def read(content: str) -> tuple[Line, ...]:
    """Return the lines without markup.

    The first one names the list, unless it is a header, a link, or has a quantity.
    """
    found: list[Line] = []
    started = False
    for number, raw in enumerate(split_lines(content), 1):
        line = Line.of(number, _tidied(raw) if len(raw) <= MAX_LINE else raw)
        if not started and line.kind == "entry" and _is_title(raw):
            line = Line(number, line.words, "metadata")
        started = started or line.kind != "blank"
        found.append(line)
    return tuple(found)


def _is_title(raw: str) -> bool:
    linked = "[url=" in raw.lower() or "](http" in raw.lower()
    return not linked and not _COUNTED.match(raw) and _TITLE.search(raw) is not None


def _tidied(raw: str) -> str:
    """Return the words of a line: link texts, without tags, colored text, pips, or the name of a set after a card."""
    text = _SET_IN_ITALICS.sub("", raw)
    text = _TAG.sub("", _LINK.sub(r"\g<name>", _COLOURED.sub("", text)))
    text = _MARKDOWN_HEADER.sub("", text).replace("**", "")
    return _SET.sub("", _PIPS.sub("", text))
