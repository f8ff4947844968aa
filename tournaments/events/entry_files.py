"""Reads a list of entrants from a CSV file, as spreadsheets and tournament programs write it. Pure: no database.

The encoding, the delimiter, whether the first line is a header, and the meaning of each column are guessed, unless the
caller chooses them. A line that cannot be used is returned too, with its number and the reasons.
"""

import csv
import io
import json
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
MAX_LINES_IN_CELL = 100  # a quoted cell longer than this is a quote that was never closed
MAX_NAME = 80
MAX_TABLE = 9_999
SHOWN = 60  # characters of a cell shown in a preview

# `utf-8-sig` reads UTF-8 with and without the byte order mark that spreadsheets write.
ENCODINGS: Mapping[str, str] = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252"}
DELIMITERS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
FIELDS = ("given_name", "family_name", "name", "club", "table")
NAMES = ("given_name", "name")  # exactly one of these is needed
# Column titles used by other programs, in the languages of the site; folded, with letters and digits only.
HEADERS: Mapping[str, tuple[str, ...]] = {
    "given_name": (
        *("first name", "firstname", "given name", "forename", "attendee name given name", "prenom", "nome"),
        *("prenom participant", "prenom du participant", "prenom adherent", "nom du participant prenom"),
        "nome del partecipante nome",
    ),
    "family_name": (
        *("last name", "lastname", "family name", "surname", "attendee name family name", "nom", "nom de famille"),
        *("nom participant", "nom adherent", "nom du participant nom de famille", "cognome"),
        "nome del partecipante cognome",
    ),
    "name": (
        *("name", "full name", "player", "player name", "nickname", "username", "display name", "attendee name"),
        *("gamertag", "short gamertag", "joueur", "pseudo", "nom complet", "nom du participant", "giocatore"),
        *("nome completo", "nome del partecipante", "soprannome"),
    ),
    "club": ("club", "team", "shop", "store", "school", "equipe", "boutique", "squadra", "negozio"),
    "table": ("table", "fixed table", "table fixe", "tavolo", "tavolo fisso"),
}
# Titles of columns that are ignored (e-mail addresses are never stored), but that show the first line to be a header.
LEFT_ASIDE = (
    *("email", "e mail", "mail", "email address", "e mail address", "courriel", "adresse e mail", "indirizzo e mail"),
    *("attendee email", "email payeur", "email acheteur", "order code", "order date", "product", "price", "checked in"),
    *("reference commande", "date de la commande", "statut de la commande", "billet", "numero de billet", "tarif"),
    *("nom payeur", "prenom payeur", "nom acheteur", "prenom acheteur", "codice ordine", "prodotto"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TABLE = re.compile(r"[0-9]{1,4}")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")


@dataclass(frozen=True)
class Reading:
    """How a file is read. `columns` holds the field of each column, "" for one that is ignored."""

    encoding: str
    delimiter: str
    header: bool
    columns: tuple[str, ...]
    # The word for "Player 1", "Player 2"…: the names given to entrants for whom the file has only an e-mail address.
    # Empty: such lines are refused.
    numbered: str = ""

    def to_json(self) -> dict[str, Any]:
        """The JSON stored in `EntryImport.reading`."""
        said = {
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "header": self.header,
            "columns": list(self.columns),
        }
        return said | ({"numbered": self.numbered} if self.numbered else {})


@dataclass(frozen=True)
class Line:
    """A line of the file, numbered as in a text editor. A line with `faults` enters nobody.

    `numbered`: the file gives an e-mail address instead of a name, so the player will be called by a number.
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
        """The name in a form in which different spellings of it are equal; see `name_key`."""
        return name_key(self.given_name, self.family_name)


@dataclass(frozen=True)
class Column:
    """A column as the preview shows it: its title ("" without a header) and its first cells."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class EntryFile:
    """A parsed file: how it was read, its columns for the preview, and its lines."""

    reading: Reading
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


def name_key(given_name: str, family_name: str) -> str:
    """A name for comparison: without accents or case, and the same whether it stood in one cell or in two.

    >>> name_key("Zoé", "Lune") == name_key("zoe lune", "")
    True
    """
    return " ".join(folded(f"{given_name} {family_name}").split())


def is_address(name: str) -> bool:
    """Whether a name contains an e-mail address, which must not become public.

    >>> is_address("zoe@example.com"), is_address("Zoe @ Corbeaux")
    (True, False)
    """
    return bool(_ADDRESS.search(name))


def reading_of_names(text: str) -> dict[str, Any]:
    """The choices for `read_file` to read a pasted list: one full name per line, or cells copied from a spreadsheet.

    Spreadsheets separate copied cells by tabs; what their columns are is then guessed.
    """
    if "\t" in text:
        return {"encoding": "utf-8", "delimiter": "tab"}
    return {"encoding": "utf-8", "delimiter": "tab", "header": False, "columns": ["name"]}


def read_file(data: bytes, chosen: Mapping[str, Any]) -> EntryFile:
    """Parse a file of at most `MAX_BYTES` and `MAX_LINES` lines.

    `chosen` may hold `encoding`, `delimiter`, `header`, `columns` and `numbered` (see `Reading`); what it does not
    hold is guessed from the file.

    Raises `InvalidInput`: `file_too_large`, `file_empty`, `file_is_json`, `encoding_wrong`, `columns_wrong`,
    `too_many_lines`.

    >>> [line.given_name for line in read_file(b"First name,Last name\\nAda,Lune\\nBo,Corbeau", {}).lines]
    ['Ada', 'Bo']
    """
    if len(data) > MAX_BYTES:
        raise InvalidInput("file_too_large", _("The file is larger than 1 MiB."), details=[MAX_BYTES])
    encoding, text = _decoded(data, chosen.get("encoding"))
    if _is_json(text):
        raise InvalidInput("file_is_json", _("This is JSON, not a list of players. Export the players as CSV."))
    physical = list(io.StringIO(text, newline=""))
    delimiter = chosen.get("delimiter") or _delimiter_of(physical)
    # One more for a header, and one to notice that there are too many.
    records = list(islice(_records(physical, DELIMITERS[delimiter]), MAX_LINES + 2))
    if not records:
        raise InvalidInput("file_empty", _("The file holds no line."))
    header = chosen.get("header")
    header = _names_columns(records[0][1]) if header is None else bool(header)
    body = records[1:] if header else records
    if len(body) > MAX_LINES:
        raise InvalidInput("too_many_lines", _("The file has more than 5,000 lines."), details=[MAX_LINES])
    width = max(len(cells or ()) for _number, cells in records)
    if not width:  # no record could be parsed: quotes that are never closed, or a cell over the limit of `csv`
        raise InvalidInput("file_empty", _("No line of this file can be read."))
    if width > MAX_COLUMNS:
        raise InvalidInput("columns_wrong", _("The file has more than 40 columns."), details=[MAX_COLUMNS])
    titles = (records[0][1] or ()) if header else ()
    columns = _columns(chosen.get("columns"), titles, width)
    reading = Reading(encoding, delimiter, header, columns, _numbered(chosen.get("numbered")))
    lines = tuple(_line(number, cells, reading) for number, cells in body)
    return EntryFile(reading, _shown(titles, body, width), _without_tables_twice(lines))


def _decoded(data: bytes, wanted: str | None) -> tuple[str, str]:
    # UTF-16 is recognized by its byte order mark. Text in windows-1252 is hardly ever valid UTF-8, so UTF-8 goes first.
    guesses = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8", "windows-1252")
    for encoding in (wanted,) if wanted else guesses:
        try:
            return encoding, data.decode(ENCODINGS[encoding])
        except UnicodeError:
            continue
    raise InvalidInput("encoding_wrong", _("The file is not text in this encoding."), details=list(ENCODINGS))


def _is_json(text: str) -> bool:
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


def _records(physical: Sequence[str], delimiter: str) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """Yield each record with the number of its first line; None instead of cells if its quotes are never closed.

    Blank records, and those of nothing but delimiters, are skipped.
    """
    at = 0
    while at < len(physical):
        # A new reader for each record: with a single one, a quote that is never closed would swallow the rest of the
        # file. This way it costs one line.
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
    """The delimiter that splits the most of the first 20 records into equally many columns (at least two)."""

    def evenness(name: str) -> tuple[int, int]:
        widths = [len(cells) for _at, cells in islice(_records(physical, DELIMITERS[name]), 20) if cells]
        usual = max(set(widths), key=widths.count) if widths else 0
        # Lines of one column are no evidence for a delimiter, so they do not count as even.
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
    # The columns may have been chosen when the file was read with another delimiter, and so had another width.
    columns = tuple(chosen)[:width] + ("",) * (width - len(chosen))
    used = [field for field in columns if field]
    if set(used) - set(FIELDS) or len(used) != len(set(used)) or sum(field in NAMES for field in used) != 1:
        sentence = _("Exactly one column holds the first name or the whole name, and no other kind comes twice.")
        raise InvalidInput("columns_wrong", sentence, details=list(columns))
    return columns


def _guessed(titles: Sequence[str], width: int) -> tuple[str, ...]:
    """Guess the columns by their titles.

    If no title stands for a given or whole name: a lone family name is taken for the whole name; without a header, two
    or more columns begin with given and family name; else the first free column is the whole name.
    """
    found = [_field_of(title) for title in titles]
    columns = [field if field not in found[:at] else "" for at, field in enumerate(found)]
    columns += [""] * (width - len(columns))
    if "given_name" in columns and "name" in columns:  # then `name` is a nickname, or repeats the parts
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
    """The word before the numbers, in the user's language; a stored one stays when the file is read again."""
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
    # `kept` differs from `tidy` if an e-mail address was taken out of a cell.
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
    """A cell without any e-mail address, as in `Zoé Lune <zoe@example.com>`: addresses are never stored."""
    if not is_address(cell):
        return cell
    left = _ADDRESS.sub(" ", cell).strip(" ,;<>()[]-")
    return " ".join(left.split()) if any(letter.isalnum() for letter in left) else ""


def _without_tables_twice(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Mark lines that ask for the fixed table of an earlier line as `table_taken`."""
    taken: set[int] = set()
    found = []
    for line in lines:
        if line.table in taken and not line.faults:
            line = replace(line, faults=("table_taken",))
        elif line.table is not None and not line.faults:
            taken.add(line.table)
        found.append(line)
    return tuple(found)
