"""Event files as tests make and spoil them."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

from tournaments.archive.faults import Found
from tournaments.archive.lines import END, Writer
from tournaments.archive.verification import verify
from tournaments.archive.writing import write_file
from tournaments.events.models import Event

Line = dict[str, Any]
Change = Callable[[list[Line]], Any]


def file_of(event: Event, *, names: bool = True) -> bytes:
    """An event's file."""
    return write_file(event, names=names)


def verified(data: bytes) -> Found:
    """What a verification finds in a file."""
    return verify(BytesIO(data))


def codes(data: bytes) -> set[str]:
    """The codes of what does not hold in a file."""
    return {fault.code for fault in verified(data).faults}


def lines_of(data: bytes) -> list[Line]:
    """The lines of a file, read."""
    return [json.loads(line) for line in data.splitlines()]


def forged(data: bytes, change: Change) -> bytes:
    """A file changed by somebody who knows the format: every line is chained anew."""
    lines = lines_of(data)
    change(lines)
    writer = Writer()
    return b"".join(
        writer.end() if line["section"] == END else writer.line(line["section"], line["row"]) for line in lines
    )


def rows(lines: list[Line], section: str) -> list[dict[str, Any]]:
    """The rows of a section, to be changed in place."""
    return [line["row"] for line in lines if line["section"] == section]
