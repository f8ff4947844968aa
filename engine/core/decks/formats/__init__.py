"""Readers for the formats of decklists, one module for each family. All give the same lines, which `decklist` looks up.

`sniff` recognizes the family by what the text looks like. Anything that no family claims is plain text.
"""

from __future__ import annotations

import re

from engine.core.decks.formats import codes, jsonlists, markup, plain, sharecode, tables, xmllists
from engine.core.decks.formats.line import Line

__all__ = ["Line", "read", "sniff"]

_READERS = {
    "xml": xmllists.read,
    "json": jsonlists.read,
    "ydke": codes.read_ydke,
    "ydk": codes.read_ydk,
    "codes": codes.read_codes,
    "sharecode": sharecode.read,
    "table": tables.read,
    "markup": markup.read,
    "text": plain.read,
}
_JSON_LIST = re.compile(r"\[\s*\{\s*\"")
_PASSCODES = re.compile(r"^[0-9]{1,10}[ \t\r]*$|^!side[ \t\r]*$", re.MULTILINE)
_YDK = re.compile(r"^#main[ \t\r]*$", re.MULTILINE)


def sniff(content: str) -> str:
    """Return the family of a text: xml, json, ydke, ydk, codes, sharecode, table, markup or text.

    >>> sniff("ydke://o6lXBQ==!!!")
    'ydke'
    """
    start = content[:200].lstrip()
    if start.startswith("<") and xmllists.looks_like(start):
        return "xml"
    if start.startswith("{") or _JSON_LIST.match(start):
        return "json"
    if start.lower().startswith("ydke://"):
        return "ydke"
    if _YDK.search(content) and _PASSCODES.search(content):
        return "ydk"
    if codes.looks_like(content):
        return "codes"
    if sharecode.looks_like(content):
        return "sharecode"
    if tables.looks_like(content):
        return "table"
    return "markup" if markup.looks_like(content) else "text"


def read(content: str) -> tuple[Line, ...] | None:
    """Return the lines of a list, or None for JSON that is the header of a log, which `Decklist.from_json` reads.

    Raises Malformed: `too_many_lines`, `not_xml`, `doctype_refused`, `too_deep`, `unknown_list`, `bad_code`,
    `wrong_type`.
    """
    return _READERS[sniff(content)](content)
