"""The lines of an event file: canonical JSON, each with the SHA-256 of the previous line. See docs/event-file.md.

Anybody can send a file to be verified, so reading is bounded in bytes, lines, values and depth. Whatever cannot be read
raises `Unreadable` with a code.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

FORMAT, VERSION = "arbitre-event", 5
# The versions that can be read: 1 has no signed head, 2 no images of cards, 3 no settings of registration, 4 no teams.
READ = (1, 2, 3, 4, 5)
HEAD, SIGNED_HEAD, END = "head", "signed_head", "end"

MAX_BYTES = 512 * 1024 * 1024  # unpacked
MAX_LINE = 20 * 1024 * 1024  # a move log of 8 MiB with every quote escaped, and room to spare
MAX_LINES = 500_000
MAX_DEPTH = 40
# A file may have at most one value per 32 bytes of the allowed size: a parsed value takes more memory than its text.
VALUE = 32
MAX_MARKS = 1_000_000  # commas and brackets in one line, including those in its strings
PART = 1024 * 1024  # bytes read, or unpacked, at once
GZIP = b"\x1f\x8b"


class Unreadable(Exception):
    """The bytes are not an event file, or exceed a bound.

    `reason` is a code such as `not_json`; `line` is 0 and `field` empty where they do not apply.
    """

    def __init__(self, reason: str, line: int = 0, field: str = "") -> None:
        super().__init__(f"{reason} in line {line} {field}".rstrip() if line else reason)
        self.reason, self.line, self.field = reason, line, field


@dataclass(frozen=True)
class Line:
    """A line that was read.

    `number` counts from 1, `chained` says whether the line has the hash of the previous one, and `digest` is its own.
    """

    number: int
    section: str
    row: dict[str, Any]
    chained: bool
    digest: str


class Writer:
    """Creates the lines of a file in order, each chained to the previous one."""

    def __init__(self) -> None:
        self.previous, self.lines = "", 0

    def line(self, section: str, row: dict[str, Any]) -> bytes:
        """Return the next line, including the line ending."""
        text = canonical({"previous": self.previous, "section": section, "row": row})
        self.previous = hashlib.sha256(text).hexdigest()
        self.lines += 1
        return text + b"\n"

    def end(self) -> bytes:
        """Return the line that ends a part of the file; it has the number of lines before it."""
        return self.line(END, {"lines": self.lines})


def canonical(value: Any) -> bytes:
    """Return the only valid encoding of a value: sorted keys, no spaces, UTF-8.

    Raises ValueError for NaN, infinity and lone surrogates.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def read(stream: IO[bytes], *, most: int = MAX_BYTES) -> Iterator[Line]:
    """Yield the lines of a file, plain or compressed with gzip, of at most `most` bytes unpacked.

    Raises `Unreadable` for anything that is not a canonical line. A line that is not chained is yielded all the same
    (`chained` is False), so that a verification can report every one.
    """
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
    """Split the stream into lines, without their line endings."""
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
    # The stream in parts of at most `PART` bytes, unpacked if it is compressed.
    start = stream.read(PART)
    if not start.startswith(GZIP):
        yield start
        while part := stream.read(PART):
            yield part
        return
    unpacking = zlib.decompressobj(wbits=31)
    while not unpacking.eof:
        try:
            part = unpacking.decompress(start, PART)  # at most PART bytes: a bomb must never be unpacked whole
        except zlib.error:
            raise Unreadable("not_gzip") from None
        yield part
        start = unpacking.unconsumed_tail or stream.read(PART)
        if not start and not part and not unpacking.eof:
            raise Unreadable("cut_short")
    if unpacking.unused_data or start:
        raise Unreadable("not_gzip")


def _value(text: bytes, number: int) -> Any:
    # Counted before parsing: the parser would already have allocated all the values.
    if sum(map(text.count, (b",", b"[", b"{"))) > MAX_MARKS:
        raise Unreadable("too_many_values", number)
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("too_deep", number) from None
    except ValueError:
        raise Unreadable("not_json", number) from None


def _size(root: Any, number: int) -> int:
    """Count the values in a parsed line. Raises `Unreadable` if it is too deep or contains a NUL."""
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
    """The canonical encoding of a value, empty if it has none.

    A line that repeats a key, or has a NaN or a lone surrogate, never equals it.
    """
    try:
        return canonical(value)
    except ValueError:
        return b""
