"""Helpers to write, verify and forge event files."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

from tournaments.archive.faults import VerificationReport
from tournaments.archive.lines import END, Writer
from tournaments.archive.verification import verify
from tournaments.archive.writing import write_file
from tournaments.events.models import Event

Line = dict[str, Any]
Change = Callable[[list[Line]], Any]


def file_of(event: Event, *, names: bool = True) -> bytes:
    """Return the event file of an event."""
    return write_file(event, names=names)


def verified(data: bytes) -> VerificationReport:
    """Return the report of verifying a file."""
    return verify(BytesIO(data))


def codes(data: bytes) -> set[str]:
    """Return the codes of all faults in a file."""
    return {fault.code for fault in verified(data).faults}


def lines_of(data: bytes) -> list[Line]:
    """Return the parsed lines of a file."""
    return [json.loads(line) for line in data.splitlines()]


def forged(data: bytes, change: Change) -> bytes:
    """Return the file after `change`, with every line chained again, as somebody who knows the format would do it."""
    lines = lines_of(data)
    change(lines)
    writer = Writer()
    return b"".join(
        writer.end() if line["section"] == END else writer.line(line["section"], line["row"]) for line in lines
    )


def rows(lines: list[Line], section: str) -> list[dict[str, Any]]:
    """Return the rows of a section; changing them changes the lines."""
    return [line["row"] for line in lines if line["section"] == section]
