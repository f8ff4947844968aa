"""The formats of decklists, one module a family; each gives the same lines, which `decklist` looks up.

`sniff` picks the family by the look of the text. What no family claims is plain text.
"""

from __future__ import annotations

import re

from engine.core.deckformats import codes, jsonlists, markup, plain, sharecode, xmllists
from engine.core.deckformats.line import Line

__all__ = ["Line", "read", "sniff"]

_READERS = {
    "xml": xmllists.read,
    "json": jsonlists.read,
    "ydke": codes.read_ydke,
    "ydk": codes.read_ydk,
    "codes": codes.read_codes,
    "sharecode": sharecode.read,
    "markup": markup.read,
    "text": plain.read,
}
_YDK = re.compile(r"^#main[ \t\r]*$", re.MULTILINE)


def sniff(content: str) -> str:
    """The family of a text: xml, json, ydke, ydk, codes, sharecode, markup or text."""
    start = content[:200].lstrip()
    if start.startswith("<") and xmllists.looks_like(start):
        return "xml"
    if start.startswith("{"):
        return "json"
    if start.lower().startswith("ydke://"):
        return "ydke"
    if _YDK.search(content):
        return "ydk"
    if codes.looks_like(content):
        return "codes"
    if sharecode.looks_like(content):
        return "sharecode"
    return "markup" if markup.looks_like(content) else "text"


def read(content: str) -> tuple[Line, ...] | None:
    """The lines of a list, or None for the JSON of a log's header, which `Decklist.from_json` reads.

    Raises Malformed: `too_many_lines`, `not_xml`, `doctype_refused`, `too_deep`, `unknown_list`, `bad_code`,
    `wrong_type`.
    """
    return _READERS[sniff(content)](content)
