"""Recognizes and reads the files of other programs. Pure: no database."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Protocol

from django.utils.translation import gettext as _

from tournaments.archive import lines
from tournaments.common import web_tables
from tournaments.common.refusals import InvalidInput
from tournaments.events import entry_files
from tournaments.transfers.brought import Brought
from tournaments.transfers.formats import challonge, limitless, melee, nrtm, startgg, tom, topdeck, trf
from tournaments.transfers.formats.bounds import unreadable
from tournaments.transfers.formats.source import Source

_PAGE = re.compile(r"\s*<(?:!doctype html|html|table|meta)[\s>]", re.IGNORECASE)
EVENT_FILE, ROSTER = "event_file", "roster"
HEAD_BYTES = 64 * 1024  # of an event file, its first line included


class Reader(Protocol):
    """A module for one format."""

    def recognizes(self, source: Source) -> bool:
        """Whether the structure of a file is that of this format."""

    def read(self, source: Source) -> Brought:
        """Read a file. Raises `InvalidInput` `transfer_unreadable` with the place."""


READERS: Mapping[str, Reader] = {
    "trf": trf,
    "nrtm": nrtm,
    "limitless": limitless,
    "topdeck": topdeck,
    "melee": melee,
    "challonge": challonge,
    "startgg": startgg,
    "tom": tom,
}


def recognized(data: bytes, name: str = "") -> str:
    """The format of a file, a key of `words.FORMATS`; "" if it is none of them.

    Only the structure counts: the name of the file is that of any download. An event file and a list of players are
    recognized, but read by `archive` and by `events.entry_files`.
    """
    if _is_event_file(data):
        return EVENT_FILE
    try:
        source = Source.of(data)
    except InvalidInput:
        return ""
    found = next((format for format, reader in READERS.items() if reader.recognizes(source)), "")
    return found or (ROSTER if source.is_list or _is_web_table(source.text) else "")


def _is_web_table(text: str) -> bool:
    """Whether a file is a web page with a table, which some programs save as `.xls`."""
    return len(text) <= entry_files.MAX_BYTES and bool(_PAGE.match(text)) and bool(web_tables.as_csv(text))


def read(data: bytes, format: str) -> Brought:
    """Read a file of one of the formats of `READERS`.

    Raises `InvalidInput`: `transfer_format_unknown` for another format, `transfer_unreadable` with the line, key or
    column in its details.
    """
    reader = READERS.get(format)
    if reader is None:
        why = _("Files of this kind cannot be read. See the documentation for what can be imported.")
        raise InvalidInput("transfer_format_unknown", why, details=list(READERS))
    source = Source.of(data)
    if not reader.recognizes(source):
        if source.looks_like_json:
            source.document.keys()  # raises for damaged JSON, with its line
        raise unreadable(_("This is not a file of this format."))
    return reader.read(source)


def _is_event_file(data: bytes) -> bool:
    """Whether the first line of a file is the head of an event file, plain or compressed."""
    start = data[:HEAD_BYTES]
    if start.startswith(lines.GZIP):
        try:
            start = zlib.decompressobj(wbits=31).decompress(start, HEAD_BYTES)
        except zlib.error:
            return False
    try:
        head = json.loads(start.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    if not isinstance(head, dict) or head.get("section") != lines.HEAD:
        return False
    row = head.get("row")
    return isinstance(row, dict) and row.get("format") == lines.FORMAT
