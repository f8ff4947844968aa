"""Reads a list of entrants from a CSV file, as spreadsheets and tournament programs write it. Pure: no database.

The encoding, the delimiter, whether the first line is a header, and the meaning of each column are guessed, unless the
caller chooses them. A line that cannot be used is returned too, with its number and the reasons.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from tournaments.common import sheets
from tournaments.common.letters import folded
from tournaments.common.names import FullName, as_name, one_line, split_name
from tournaments.common.refusals import InvalidInput

MAX_BYTES = 1024 * 1024
MAX_LINES = 5_000
MAX_COLUMNS = 40
MAX_NAME = 80
MAX_TABLE = 9_999
MAX_ADDRESS = 254
SHOWN = 60  # characters of a cell shown in a preview

ENCODINGS, DELIMITERS = sheets.ENCODINGS, sheets.DELIMITERS
FIELDS = ("given_name", "family_name", "name", "club", "table", "email", "decklist")
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
    "email": (
        *("attendee email", "attendee e mail", "participant email", "player email", "email participant"),
        *("email du participant", "e mail du participant", "email adherent", "email joueur"),
        *("e mail del partecipante", "email del partecipante", "email giocatore"),
        *("email", "e mail", "mail", "email address", "e mail address", "mail address", "courriel", "adresse e mail"),
        *("adresse email", "adresse mail", "adresse courriel", "indirizzo e mail", "indirizzo email"),
    ),
    "decklist": (
        *("decklist", "deck list", "deck", "list", "main deck", "liste", "liste de deck", "deckliste", "lista"),
        *("mazzo", "lista mazzo", "lista del mazzo", "lista del deck"),
    ),
}
# Titles of orders in ticket shops. In such a file a plain "e-mail" is that of the buyer, who may not be the player.
ORDERS = (
    *("order code", "order date", "order", "reference commande", "date de la commande", "statut de la commande"),
    "codice ordine",
)
BUYERS_OR_PLAYERS = HEADERS["email"][HEADERS["email"].index("email") :]
# Titles of columns that are ignored, but that show the first line to be a header.
LEFT_ASIDE = (
    *ORDERS,
    *("email payeur", "email acheteur", "product", "price", "checked in", "billet", "numero de billet", "tarif"),
    *("nom payeur", "prenom payeur", "nom acheteur", "prenom acheteur", "prodotto"),
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

    - `numbered`: the file gives an e-mail address instead of a name, so the player will be called by a number
    - `email`: the address in the column of addresses, else the one beside the name, in lower case; "" if there is none
      or, with `email_wrong`, none that can be read
    - `decklist`: the cell as it is, with its line breaks
    """

    number: int
    given_name: str = ""
    family_name: str = ""
    club: str = ""
    table: int | None = None
    faults: tuple[str, ...] = ()
    family_first: bool = False
    numbered: bool = False
    email: str = ""
    email_wrong: bool = False
    decklist: str = ""

    @property
    def key(self) -> str:
        """The name in a form in which different spellings of it are equal; see `name_key`."""
        return name_key(self.given_name, self.family_name)


@dataclass(frozen=True)
class Column:
    """A column as the preview shows it: its title ("" without a header) and its first cells.

    `holds_lists`: its cells are, or by its title may be, decklists, which not all staff may read.
    """

    title: str
    cells: tuple[str, ...]
    holds_lists: bool = False


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
    encoding, text = sheets.decoded(data, chosen.get("encoding"))
    if sheets.is_json(text):
        raise InvalidInput("file_is_json", _("This is JSON, not a list of players. Export the players as CSV."))
    physical = sheets.lines_of(text)
    delimiter = chosen.get("delimiter") or sheets.delimiter_of(physical)
    # One more for a header, and one to notice that there are too many.
    records = list(islice(sheets.records(physical, DELIMITERS[delimiter]), MAX_LINES + 2))
    if not records:
        raise InvalidInput("file_empty", _("The file has no lines."))
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
    return EntryFile(reading, _shown(titles, body, columns), _without_tables_twice(lines))


def _field_of(title: str) -> str:
    return next((field for field, names in HEADERS.items() if sheets.plain_title(title) in names), "")


def _names_columns(cells: Sequence[str] | None) -> bool:
    return any(_field_of(cell) or sheets.plain_title(cell) in LEFT_ASIDE for cell in cells or ())


def _columns(chosen: Sequence[str] | None, titles: Sequence[str], width: int) -> tuple[str, ...]:
    if chosen is None:
        return _guessed(titles, width)
    # The columns may have been chosen when the file was read with another delimiter, and so had another width.
    columns = tuple(chosen)[:width] + ("",) * (width - len(chosen))
    used = [field for field in columns if field]
    if set(used) - set(FIELDS) or len(used) != len(set(used)) or sum(field in NAMES for field in used) != 1:
        sentence = _(
            "Choose exactly one column for the first name or full name, and use every other kind at most once."
        )
        raise InvalidInput("columns_wrong", sentence, details=list(columns))
    return columns


def _guessed(titles: Sequence[str], width: int) -> tuple[str, ...]:
    """Guess the columns by their titles.

    If no title stands for a given or whole name: a lone family name is taken for the whole name; without a header, two
    or more columns begin with given and family name; else the first free column is the whole name.
    """
    found = _by_titles(titles)
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


def _by_titles(titles: Sequence[str]) -> list[str]:
    """The field that each title stands for. A plain "e-mail" gives way to the attendee's, and is nobody's in orders."""
    found = [_field_of(title) for title in titles]
    plain = [sheets.plain_title(title) for title in titles]
    certain = any(
        field == "email" and title not in BUYERS_OR_PLAYERS for field, title in zip(found, plain, strict=True)
    )
    if certain or any(title in ORDERS for title in plain):
        found = ["" if title in BUYERS_OR_PLAYERS else field for field, title in zip(found, plain, strict=True)]
    return found


def _shown(titles: Sequence[str], body: Sequence[tuple[int, Any]], columns: Sequence[str]) -> tuple[Column, ...]:
    samples = [cells for _number, cells in body if cells][:3]
    return tuple(
        Column(
            _cut(titles[at]) if at < len(titles) else "",
            tuple(_cut(cells[at]) for cells in samples if at < len(cells)),
            "decklist" in (field, _field_of(titles[at]) if at < len(titles) else ""),
        )
        for at, field in enumerate(columns)
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
    # What follows is for the parts of the entry; these two are none, and are never shown to the public.
    address, decklist = said.pop("email", ""), _CONTROL.sub("", said.pop("decklist", "")).strip()
    faults = ["control_character"] if any(_CONTROL.search(cell) for cell in said.values()) else []
    tidy = {field: one_line(_CONTROL.sub("", cell)) for field, cell in said.items()}
    beside_names = filter(None, (address_in(cell) for field, cell in tidy.items() if field in (*NAMES, "family_name")))
    email = address_in(address) or next(beside_names, "")
    kept = {field: _without_address(cell) for field, cell in tidy.items()}
    name = FullName(kept.get("given_name", ""), kept.get("family_name", ""))
    if "name" in kept:
        name = split_name(kept["name"])
    # One letter more than is allowed, so that a long name is noticed.
    name = name._replace(given=as_name(name.given, MAX_NAME + 1), family=as_name(name.family, MAX_NAME + 1))
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
    return Line(
        number,
        given,
        family,
        club,
        seat,
        tuple(faults),
        name.family_first,
        numbered,
        email,
        email_wrong=bool(one_line(address)) and not email,
        decklist=decklist,
    )


def address_in(cell: str) -> str:
    """The e-mail address of a cell, in lower case; "" if there is none that can be read.

    Also in the form `Zoé Lune <zoe@example.com>`.
    """
    found = _ADDRESS.search(one_line(_CONTROL.sub("", cell)))
    return valid_address(found.group().strip(" ,;")) if found else ""


def valid_address(typed: str) -> str:
    """An e-mail address in lower case; "" if it is not a valid one."""
    address = typed.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if len(address) <= MAX_ADDRESS else ""


def _without_address(cell: str) -> str:
    """A cell without any e-mail address, as in `Zoé Lune <zoe@example.com>`: names and clubs are public."""
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
