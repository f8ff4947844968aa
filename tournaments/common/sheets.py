"""Reads the text files that spreadsheets and other programs write: their encoding, their delimiter and their records.

Pure: no database. Nothing here knows what the columns mean.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from django.utils.translation import gettext as _

from tournaments.common.letters import folded
from tournaments.common.refusals import InvalidInput

MAX_LINES_IN_CELL = 200  # a decklist may be as long; a quoted cell longer than this is a quote that was never closed
# `utf-8-sig` reads UTF-8 with and without the byte order mark that spreadsheets write.
ENCODINGS: Mapping[str, str] = {
    "utf-8": "utf-8-sig",
    "utf-16": "utf-16",
    "windows-1252": "cp1252",
    "windows-1250": "cp1250",  # Excel in Central Europe
    "mac-roman": "mac_roman",  # Excel on older Macs
}
SINGLE_BYTE = ("windows-1252", "mac-roman", "windows-1250")  # the likeliest first
ODD_BYTES = 64 * 1024  # in which the encoding is looked for
MOST_ODD = 0.5
# What stands in no word: signs beside a letter, and a capital letter of another alphabet range after a small one.
_ODD = re.compile(
    r"(?<=[^\W\d_])[¢-©«-´¶-¹»-¿†-‰‹›ˆ˜‚-„™÷×ˇ˘˙˚˛˝]|[¢-¦¬®-±³´¶¸¹¼-¾†-‰ˆ˜™÷×ˇ˘˙˚˛˝](?=[^\W\d_])|(?<=[a-zß-ÿ])[À-ÞŒŠŽŸŁ]"
)
DELIMITERS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


_SEPARATOR = re.compile(r"\"?sep=(.)\"?\s*", re.IGNORECASE)


def decoded(data: bytes, wanted: str | None = None) -> tuple[str, str]:
    """The name of the encoding and the text. `wanted` is a key of `ENCODINGS`; without it, the encoding is guessed.

    Raises `InvalidInput` `encoding_wrong`.
    """
    for encoding in (wanted,) if wanted else _guesses(data):
        try:
            return encoding, _text_of(data, encoding)
        except UnicodeError:
            continue
    raise InvalidInput("encoding_wrong", _("The file is not text in this encoding."), details=list(ENCODINGS))


def _guesses(data: bytes) -> tuple[str, ...]:
    """The encodings to try. Text in one byte a letter is hardly ever valid UTF-8, so UTF-8 goes first."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or (len(data) % 2 == 0 and 0 < 3 * data.count(0) >= len(data)):
        return ("utf-16",)
    found = [name for name in SINGLE_BYTE if _oddities(data, name) < MOST_ODD]
    return ("utf-8", *sorted(found, key=lambda name: _oddities(data, name)))


def _text_of(data: bytes, encoding: str) -> str:
    codec = ENCODINGS[encoding]
    if codec == "utf-16" and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):  # its zeros say in which order the bytes are
        codec = "utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"
    return data.decode(codec)


def _oddities(data: bytes, encoding: str) -> float:
    """How odd a text is if it is read so: signs inside words, and capitals after small letters, for each letter.

    >>> [_oddities("José Łaz".encode("cp1250"), name) for name in ("windows-1250", "windows-1252")]
    [0.0, 0.5]
    """
    sample = data[:ODD_BYTES]
    try:
        text = sample.decode(ENCODINGS[encoding])
    except UnicodeError:
        return MOST_ODD
    return len(_ODD.findall(text)) / max(1, sum(byte > 127 for byte in sample))


def ended(text: str) -> tuple[str, bool]:
    """The text before the mark with which DOS ends a file (Ctrl-Z), and whether there is one.

    >>> ended("Player 1\\r\\n\\x1a")
    ('Player 1\\r\\n', True)
    """
    left = text.rstrip("\x1a \r\n") if "\x1a" in text[-1024:] else text
    return (text[: text.index("\x1a", len(left))], True) if "\x1a" in text[len(left) :] else (text, False)


def is_json(text: str) -> bool:
    """Whether a file, or its first line, is an object or a list in JSON. Read as a list, it would be one odd name."""
    start = text.lstrip()
    if start[:1] not in ("{", "["):
        return False
    for some in (start, start.splitlines()[0]):
        try:
            return isinstance(json.loads(some), dict | list)
        except (ValueError, RecursionError):
            continue
    return False


def separator_of(line: str) -> str:
    """The delimiter that Excel names in a line of its own, `sep=;`, as a key of `DELIMITERS`; "" if it is none.

    >>> separator_of("sep=;\\r\\n"), separator_of("September")
    ('semicolon', '')
    """
    found = _SEPARATOR.fullmatch(line)
    marks = {mark: name for name, mark in DELIMITERS.items()}
    return marks.get(found[1], "") if found else ""


def without_frame(lines: Sequence[str]) -> list[str]:
    """The lines of a table that is framed by bars, as Markdown writes them, without the bars at both ends."""
    framed = sum(line.lstrip().startswith(("|", "+-")) for line in lines)
    if 2 * framed <= sum(bool(line.strip()) for line in lines):
        return list(lines)
    return [_unframed(line) for line in lines]


def _unframed(line: str) -> str:
    left = line.rstrip("\r\n")
    return left.strip().removeprefix("|").removesuffix("|").strip() + line[len(left) :]


def lines_of(text: str) -> list[str]:
    """The lines of a text with their line endings, which may be LF, CRLF or CR."""
    return list(io.StringIO(text, newline=""))


def records(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """Yield each record with the number of its first line; None instead of cells if its quotes are never closed.

    `delimiter` is the character itself. Blank records, and those of nothing but delimiters, are skipped.
    """
    at = 0
    while at < len(lines):
        # A new reader for each record: with a single one, a quote that is never closed would swallow the rest of the
        # file. This way it costs one line.
        reader = csv.reader(lines[at : at + MAX_LINES_IN_CELL], delimiter=delimiter, strict=True)
        cells: tuple[str, ...] | None
        try:
            cells, used = tuple(next(reader)), reader.line_num
        except csv.Error:
            cells, used = None, 1
        if cells is None or any(cell.strip(" ,;|\t\r\n") for cell in cells):
            yield at + 1, cells
        at += used


def delimiter_of(lines: Sequence[str]) -> str:
    """The key of the delimiter that splits most of the first 20 records into equally many columns (at least two)."""

    def evenness(name: str) -> tuple[int, int]:
        widths = [len(cells) for _at, cells in islice(records(lines, DELIMITERS[name]), 20) if cells]
        usual = max(set(widths), key=widths.count) if widths else 0
        # Lines of one column are no evidence for a delimiter, so they do not count as even.
        return (widths.count(usual) if usual > 1 else 0, usual)

    return max(DELIMITERS, key=evenness)


def plain_title(title: str) -> str:
    """The title of a column for comparison: folded, and its words separated by single spaces.

    >>> plain_title("Prénom_participant :")
    'prenom participant'
    """
    return " ".join(re.sub(r"[\W_]+", " ", folded(title)).split())
