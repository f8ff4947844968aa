"""The lines of an event file: canonical JSON, each with the SHA-256 of the line before it. See docs/event-file.md."""

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

FORMAT, VERSION = "arbitre-event", 2
READ = (1, 2)  # the versions that are read; the first had no signed head
HEAD, SIGNED_HEAD, END = "head", "signed_head", "end"

MAX_BYTES = 512 * 1024 * 1024  # unpacked
MAX_LINE = 20 * 1024 * 1024  # a move log of 8 MiB with every quote escaped, and room to spare
MAX_LINES = 500_000
MAX_DEPTH = 40
VALUE = 32  # bytes of a file for each value in it, at least: what is read takes more room than what is written
MAX_MARKS = 1_000_000  # commas and brackets of one line, those in its strings included
PART = 1024 * 1024
GZIP = b"\x1f\x8b"


class Unreadable(Exception):
    """Bytes that are no event file, or larger than any: the reason as a code, the line (0: none) and the field."""

    def __init__(self, reason: str, line: int = 0, field: str = "") -> None:
        super().__init__(f"{reason} in line {line} {field}".rstrip() if line else reason)
        self.reason, self.line, self.field = reason, line, field


@dataclass(frozen=True)
class Line:
    """One line: its number from 1, its section and row, and whether it carries the hash of the line before it."""

    number: int
    section: str
    row: dict[str, Any]
    chained: bool
    digest: str


class Writer:
    """Makes lines, one after the other, each chained to the one before."""

    def __init__(self) -> None:
        self.previous, self.lines = "", 0

    def line(self, section: str, row: dict[str, Any]) -> bytes:
        """The next line, its end included."""
        text = canonical({"previous": self.previous, "section": section, "row": row})
        self.previous = hashlib.sha256(text).hexdigest()
        self.lines += 1
        return text + b"\n"

    def end(self) -> bytes:
        """The line that closes a part of the file, and says how many came before it."""
        return self.line(END, {"lines": self.lines})


def canonical(value: Any) -> bytes:
    """The one way to write a value: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def read(stream: IO[bytes], *, most: int = MAX_BYTES) -> Iterator[Line]:
    """The lines of a file, plain or packed by gzip, of at most `most` bytes unpacked. Raises `Unreadable`."""
    previous, values = "", 0
    for number, text in enumerate(_texts(stream, most), 1):
        if number > MAX_LINES:
            raise Unreadable("too_many_lines", number)
        value = _value(text, number)
        values += _size(value, number)
        if values > most // VALUE:
            raise Unreadable("too_many_values", number)
        if _written(value) != text:
            raise Unreadable("not_canonical", number)
        if not isinstance(value, dict) or value.keys() != {"previous", "section", "row"}:
            raise Unreadable("not_a_line", number)
        if not isinstance(value["section"], str) or not isinstance(value["row"], dict):
            raise Unreadable("not_a_line", number)
        digest = hashlib.sha256(text).hexdigest()
        yield Line(number, value["section"], value["row"], value["previous"] == previous, digest)
        previous = digest


def _texts(stream: IO[bytes], most: int) -> Iterator[bytes]:
    """The lines as bytes, without their ends."""
    left, rest = most, b""
    for part in _parts(stream):
        left -= len(part)
        if left < 0:
            raise Unreadable("too_large")
        *whole, rest = (rest + part).split(b"\n")
        if max(map(len, (*whole, rest))) > MAX_LINE:
            raise Unreadable("line_too_long")
        yield from whole
    if rest:
        raise Unreadable("cut_short")


def _parts(stream: IO[bytes]) -> Iterator[bytes]:
    start = stream.read(PART)
    if not start.startswith(GZIP):
        yield start
        while part := stream.read(PART):
            yield part
        return
    unpacking = zlib.decompressobj(wbits=31)
    while not unpacking.eof:
        try:
            part = unpacking.decompress(start, PART)
        except zlib.error:
            raise Unreadable("not_gzip") from None
        yield part
        start = unpacking.unconsumed_tail or stream.read(PART)
        if not start and not part and not unpacking.eof:
            raise Unreadable("cut_short")
    if unpacking.unused_data or start:
        raise Unreadable("not_gzip")


def _value(text: bytes, number: int) -> Any:
    if sum(map(text.count, (b",", b"[", b"{"))) > MAX_MARKS:
        raise Unreadable("too_many_values", number)
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("too_deep", number) from None
    except ValueError:
        raise Unreadable("not_json", number) from None


def _size(root: Any, number: int) -> int:
    """How many values there are in a value; refused beyond the depth, and where a NUL is in it."""
    waiting, size = [(root, 1)], 0
    while waiting:
        value, depth = waiting.pop()
        size += 1
        if isinstance(value, str) and "\0" in value:
            raise Unreadable("nul", number)
        if isinstance(value, dict | list):
            if depth > MAX_DEPTH:
                raise Unreadable("too_deep", number)
            inner = [*value, *value.values()] if isinstance(value, dict) else value
            waiting += ((item, depth + 1) for item in inner)
    return size


def _written(value: Any) -> bytes:
    """The value as it must have been written: no key twice, no NaN, no half of a character survives this."""
    try:
        return canonical(value)
    except ValueError:
        return b""
