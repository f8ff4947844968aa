"""Reads a list of entrants out of a CSV file as spreadsheets and other programs write it. Pure: bytes in, lines out.

What the file does not say is guessed, and all of it can be chosen: the encoding, the delimiter, whether its first line
names the columns, and what each column is. A line that cannot be used is kept with its number and the reasons.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.names import FullName, folded, one_line, split_name
from tournaments.common.refusals import InvalidInput

MAX_BYTES = 1024 * 1024
MAX_LINES = 5_000
MAX_COLUMNS = 40
MAX_LINES_IN_CELL = 100  # a quote that is open for longer is one that nobody closed
MAX_NAME = 80
MAX_TABLE = 9_999
SHOWN = 60  # letters of a cell in a preview

ENCODINGS: Mapping[str, str] = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252"}
DELIMITERS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
FIELDS = ("given_name", "family_name", "name", "club", "table")
NAMES = ("given_name", "name")  # one of these is needed, and not both
# What the columns of other programs are called, in the languages of the pages; folded, letters and digits alone.
HEADERS: Mapping[str, tuple[str, ...]] = {
    "given_name": ("first name", "firstname", "given name", "forename", "prenom", "nome"),
    "family_name": ("last name", "lastname", "family name", "surname", "nom", "nom de famille", "cognome"),
    "name": (
        *("name", "full name", "player", "player name", "nickname", "username", "display name", "joueur"),
        *("pseudo", "nom complet", "giocatore", "nome completo", "soprannome"),
    ),
    "club": ("club", "team", "shop", "store", "school", "equipe", "boutique", "squadra", "negozio"),
    "table": ("table", "fixed table", "table fixe", "tavolo", "tavolo fisso"),
}
# Columns that are left aside; they tell that the first line names the columns.
LEFT_ASIDE = (
    "email",
    "e mail",
    "mail",
    "email address",
    "e mail address",
    "courriel",
    "adresse e mail",
    "indirizzo e mail",
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TABLE = re.compile(r"[0-9]{1,4}")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")


@dataclass(frozen=True)
class Reading:
    """How a file is read. `columns` says what each column is, "" for one that is left aside."""

    encoding: str
    delimiter: str
    header: bool
    columns: tuple[str, ...]
    numbered: str = ""  # the word of "Player 1, Player 2 …", who are named so where the file gives an e-mail address

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        said = {
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "header": self.header,
            "columns": list(self.columns),
        }
        return said | ({"numbered": self.numbered} if self.numbered else {})


@dataclass(frozen=True)
class Line:
    """A line of the file, by the number at which an editor shows it. With `faults` it enters nobody.

    A `numbered` one gives an e-mail address for a name: who enters it names the player by a number.
    """

    number: int
    given_name: str = ""
    family_name: str = ""
    club: str = ""
    table: int | None = None
    faults: tuple[str, ...] = ()
    family_first: bool = False
    numbered: bool = False

    @property
    def key(self) -> str:
        """What two spellings of the name have in common."""
        return name_key(self.given_name, self.family_name)


@dataclass(frozen=True)
class Column:
    """A column as the preview shows it: its title, if the first line names it, and its first cells."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class EntryFile:
    """A file, read."""

    reading: Reading
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


def name_key(given_name: str, family_name: str) -> str:
    """A name without accents, case or the difference between one cell and two.

    >>> name_key("Zoé", "Lune") == name_key("zoe lune", "")
    True
    """
    return " ".join(folded(f"{given_name} {family_name}").split())


def is_address(name: str) -> bool:
    """Whether a name is an e-mail address, which must not become public.

    >>> is_address("zoe@example.com"), is_address("Zoe @ Corbeaux")
    (True, False)
    """
    return bool(_ADDRESS.search(name))


def reading_of_names(text: str) -> dict[str, Any]:
    """How a pasted list is read: a whole name a line, unless it is a table of a spreadsheet, which is guessed."""
    if "\t" in text:
        return {"encoding": "utf-8", "delimiter": "tab"}
    return {"encoding": "utf-8", "delimiter": "tab", "header": False, "columns": ["name"]}


def read_file(data: bytes, chosen: Mapping[str, Any]) -> EntryFile:
    """The file as `chosen` says, and where that is silent as it looks.

    InvalidInput: `file_too_large`, `file_empty`, `encoding_wrong`, `columns_wrong`, `too_many_lines`.
    """
    if len(data) > MAX_BYTES:
        raise InvalidInput("file_too_large", _("The file is larger than 1 MiB."), details=[MAX_BYTES])
    encoding, text = _decoded(data, chosen.get("encoding"))
    physical = list(io.StringIO(text, newline=""))
    delimiter = chosen.get("delimiter") or _delimiter_of(physical)
    records = list(islice(_records(physical, DELIMITERS[delimiter]), MAX_LINES + 2))
    if not records:
        raise InvalidInput("file_empty", _("The file holds no line."))
    header = chosen.get("header")
    header = _names_columns(records[0][1]) if header is None else bool(header)
    body = records[1:] if header else records
    if len(body) > MAX_LINES:
        raise InvalidInput("too_many_lines", _("The file has more than 5,000 lines."), details=[MAX_LINES])
    width = max(len(cells or ()) for _number, cells in records)
    if not width:  # quotes that do not close, or a cell longer than any
        raise InvalidInput("file_empty", _("No line of this file can be read."))
    if width > MAX_COLUMNS:
        raise InvalidInput("columns_wrong", _("The file has more than 40 columns."), details=[MAX_COLUMNS])
    titles = (records[0][1] or ()) if header else ()
    columns = _columns(chosen.get("columns"), titles, width)
    reading = Reading(encoding, delimiter, header, columns, _numbered(chosen.get("numbered")))
    lines = tuple(_line(number, cells, reading) for number, cells in body)
    return EntryFile(reading, _shown(titles, body, width), _without_tables_twice(lines))


def _decoded(data: bytes, wanted: str | None) -> tuple[str, str]:
    guesses = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8", "windows-1252")
    for encoding in (wanted,) if wanted else guesses:
        try:
            return encoding, data.decode(ENCODINGS[encoding])
        except UnicodeError:
            continue
    raise InvalidInput("encoding_wrong", _("The file is not text in this encoding."), details=list(ENCODINGS))


def _records(physical: Sequence[str], delimiter: str) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """Each record with the number of its first line; None for a line whose quotes do not close. Empty ones are none."""
    at = 0
    while at < len(physical):
        reader = csv.reader(physical[at : at + MAX_LINES_IN_CELL], delimiter=delimiter, strict=True)
        cells: tuple[str, ...] | None
        try:
            cells, used = tuple(next(reader)), reader.line_num
        except csv.Error:
            cells, used = None, 1
        if cells is None or any(cell.strip(" ,;|\t\r\n") for cell in cells):
            yield at + 1, cells
        at += used


def _delimiter_of(physical: Sequence[str]) -> str:
    """The delimiter that cuts the first lines into most columns, as many in each."""

    def evenness(name: str) -> tuple[int, int]:
        widths = [len(cells) for _at, cells in islice(_records(physical, DELIMITERS[name]), 20) if cells]
        usual = max(set(widths), key=widths.count) if widths else 0
        return (widths.count(usual) if usual > 1 else 0, usual)

    return max(DELIMITERS, key=evenness)


def _plain(title: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", folded(title)).split())


def _field_of(title: str) -> str:
    return next((field for field, names in HEADERS.items() if _plain(title) in names), "")


def _names_columns(cells: Sequence[str] | None) -> bool:
    return any(_field_of(cell) or _plain(cell) in LEFT_ASIDE for cell in cells or ())


def _columns(chosen: Sequence[str] | None, titles: Sequence[str], width: int) -> tuple[str, ...]:
    if chosen is None:
        return _guessed(titles, width)
    columns = tuple(chosen)[:width] + ("",) * (width - len(chosen))
    used = [field for field in columns if field]
    if set(used) - set(FIELDS) or len(used) != len(set(used)) or sum(field in NAMES for field in used) != 1:
        sentence = _("Exactly one column holds the first name or the whole name, and no other kind comes twice.")
        raise InvalidInput("columns_wrong", sentence, details=list(columns))
    return columns


def _guessed(titles: Sequence[str], width: int) -> tuple[str, ...]:
    """By the titles; where no title speaks, one column is the whole name and the first two are its parts."""
    found = [_field_of(title) for title in titles]
    columns = [field if field not in found[:at] else "" for at, field in enumerate(found)]
    columns += [""] * (width - len(columns))
    if "given_name" in columns and "name" in columns:
        columns[columns.index("name")] = ""
    if "given_name" not in columns and "name" not in columns:
        if "family_name" in columns:
            columns[columns.index("family_name")] = "name"
        elif width > 1 and not titles:
            columns[:2] = ["given_name", "family_name"]
        else:
            columns[columns.index("") if "" in columns else 0] = "name"
    return tuple(columns)


def _shown(titles: Sequence[str], body: Sequence[tuple[int, Any]], width: int) -> tuple[Column, ...]:
    samples = [cells for _number, cells in body if cells][:3]
    return tuple(
        Column(
            _cut(titles[at]) if at < len(titles) else "",
            tuple(_cut(cells[at]) for cells in samples if at < len(cells)),
        )
        for at in range(width)
    )


def _cut(cell: str) -> str:
    plain = " ".join(_CONTROL.sub("", cell).split())
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 1] + "…"


def _numbered(wanted: object) -> str:
    """The word before the numbers, in the language of who asks for them; it stays when the file is read again."""
    return wanted if isinstance(wanted, str) else _("Player") if wanted else ""


def _line(number: int, cells: Sequence[str] | None, reading: Reading) -> Line:
    if cells is None:
        return Line(number, faults=("quotes_open",))
    said = {field: cell for field, cell in zip(reading.columns, cells, strict=False) if field}
    faults = ["control_character"] if any(_CONTROL.search(cell) for cell in said.values()) else []
    tidy = {field: one_line(_CONTROL.sub("", cell)) for field, cell in said.items()}
    kept = {field: _without_address(cell) for field, cell in tidy.items()}
    name = FullName(kept.get("given_name", ""), kept.get("family_name", ""))
    if "name" in kept:
        name = split_name(kept["name"])
    names = (name.given, name.family, kept.get("club", ""))
    numbered = not (name.given or name.family) and kept != tidy and bool(reading.numbered)
    if not (name.given or numbered):
        faults.append("name_is_address" if any(map(is_address, tidy.values())) else "name_missing")
    if any(len(part) > MAX_NAME for part in names):
        faults.append("name_too_long")
    table = tidy.get("table", "")
    wrong = bool(table) and not (_TABLE.fullmatch(table) and 1 <= int(table) <= MAX_TABLE)
    if wrong:
        faults.append("table_wrong")
    given, family, club = (part[:MAX_NAME] for part in names)
    seat = int(table) if table and not wrong else None
    return Line(number, given, family, club, seat, tuple(faults), name.family_first, numbered)


def _without_address(cell: str) -> str:
    """A cell without the e-mail addresses in it, such as `Zoé Lune <zoe@example.com>`: they are kept nowhere."""
    if not is_address(cell):
        return cell
    left = _ADDRESS.sub(" ", cell).strip(" ,;<>()[]-")
    return " ".join(left.split()) if any(letter.isalnum() for letter in left) else ""


def _without_tables_twice(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The first that asks for a table keeps it."""
    taken: set[int] = set()
    found = []
    for line in lines:
        if line.table in taken and not line.faults:
            line = replace(line, faults=("table_taken",))
        elif line.table is not None and not line.faults:
            taken.add(line.table)
        found.append(line)
    return tuple(found)
