"""Reads a list of entrants from a CSV file, as spreadsheets and tournament programs write it. Pure: no database.

The encoding, the delimiter, the line with the titles, and the meaning of each column are found out (`entry_layout`,
`entry_titles`), unless the caller chooses them. A line that cannot be used is returned too, with its number and the
reasons.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.common import sheets, web_tables
from tournaments.common.letters import folded
from tournaments.common.mail import validate_email
from tournaments.common.names import PARTICLES, FullName, as_name, one_line, split_name
from tournaments.common.refusals import InvalidInput
from tournaments.events.entry_layout import (
    ADDRESS,
    FIRST_RECORDS,
    SAMPLES,
    WHOLE_NAMES,
    Layout,
    Record,
    are_numbered,
    has_names,
    is_copies,
    is_no_name,
    is_rule,
    kind_of,
    laid_out,
    unmarked,
    unnumbered,
)
from tournaments.events.entry_titles import LAST_FIRST, either_order, meaning_of

MAX_BYTES = 1024 * 1024
MAX_LINES = 5_000
MAX_COLUMNS = 40
MAX_NAME = 80
MAX_TABLE = 9_999
MAX_ADDRESS = 254
SHOWN = 60  # characters of a cell shown in a preview

ENCODINGS, DELIMITERS = sheets.ENCODINGS, sheets.DELIMITERS
FIELDS = ("given_name", "family_name", "name", LAST_FIRST, "club", "table", "email", "decklist")
NAMES = ("given_name", "name", LAST_FIRST)  # exactly one of these is needed
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TABLE = re.compile(r"[0-9]{1,4}")
_MARKUP = re.compile(r"\s*(?:<\?xml|<!doctype|<[a-z][a-z0-9:]*[\s>]|BEGIN:V)", re.IGNORECASE)
_BINARY = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"{\\rtf", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")
# Faults of lines that the user may enter all the same.
OVERRIDABLE = ("no_name", "name_twice")


@dataclass(frozen=True)
class Reading:
    """How a file is read. `columns` holds the field of each column, "" for one that is ignored.

    `unsure`: no title says which column has the names, so the user has to, and nobody is entered before.
    """

    encoding: str
    delimiter: str
    header: bool
    columns: tuple[str, ...]
    # The word for "Player 1", "Player 2"…: the names given to entrants for whom the file has only an e-mail address.
    # Empty: such lines are refused.
    numbered: str = ""

    @property
    def unsure(self) -> bool:
        """Whether no column is known to have names."""
        return not has_names(self.columns)

    def to_json(self) -> dict[str, Any]:
        """The JSON stored in `EntryImport.reading`."""
        said = {
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "header": self.header,
            "columns": list(self.columns),
        }
        return said | ({"numbered": self.numbered} if self.numbered else {}) | ({"unsure": True} if self.unsure else {})


@dataclass(frozen=True)
class Line:
    """A line of the file, numbered as in a text editor. A line with `faults` enters nobody.

    - `numbered`: the file gives an e-mail address instead of a name, so the player will be called by a number
    - `email`: the address in the column of addresses, else the one beside the name, in lower case; "" if there is none
      or, with `email_wrong`, none that can be read
    - `decklist`: the cell as it is, with its line breaks
    - `doubts`: what the user should look at, codes: `name_split` (the parts of the name are a guess)
    - `text`: what stands in the place of the name, shortened, for a line that enters nobody
    - `person`: the public id of the player known from an earlier event whom it enters; "" for a new person
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
    doubts: tuple[str, ...] = ()
    text: str = ""
    person: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the name in the order in which it is said, between which its parts can be told apart."""
        return tuple(FullName(self.given_name, self.family_name, self.family_first).whole.split())

    def split_at(self, split: int) -> "Line":
        """The line with other parts of its name.

        So many words are the given name; with a negative number, so many are the family name, which comes first; 0 for
        a name in one part. Numbers that leave a part empty change nothing.
        """
        words, count = self.words, abs(split)
        if split and not 0 < count < len(words):
            return self
        first, rest = " ".join(words[:count]), " ".join(words[count:])
        if not split:
            given, family = rest, ""
        else:
            given, family = (first, rest) if split > 0 else (rest, first)
        return replace(self, given_name=given, family_name=family, family_first=split < 0, doubts=())

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
    """A parsed file: how it was read, its columns for the preview, and its lines (none while it is `unsure`).

    - `count`: how many lines there are below the titles
    - `either_order`: the title of the names says that people write them in either order
    """

    reading: Reading
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    count: int = 0
    either_order: bool = False


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
    return bool(ADDRESS.search(name))


def read_file(data: bytes, chosen: Mapping[str, Any]) -> EntryFile:
    """Parse a file of at most `MAX_BYTES` and `MAX_LINES` lines, or a pasted list.

    `chosen` may hold `encoding`, `delimiter`, `header`, `columns` and `numbered` (see `Reading`); what it does not
    hold is guessed from the file.

    Raises `InvalidInput`: `file_too_large`, `file_empty`, `file_is_json`, `not_players`, `encoding_wrong`,
    `columns_wrong`, `too_many_lines`.

    >>> [line.given_name for line in read_file(b"First name,Last name\\nAda,Lune\\nBo,Corbeau", {}).lines]
    ['Ada', 'Bo']
    """
    if len(data) > MAX_BYTES:
        raise InvalidInput("file_too_large", _("The file is larger than 1 MiB."), details=[MAX_BYTES])
    encoding, text = _text_of(data, chosen.get("encoding"))
    delimiter, records = _records(text, chosen)
    if not records:
        raise InvalidInput("file_empty", _("The file has no lines."))
    width = max(len(cells or ()) for _number, cells in records)
    if not width:  # no record could be parsed: quotes that are never closed, or a cell over the limit of `csv`
        raise InvalidInput("file_empty", _("No line of this file can be read."))
    if width > MAX_COLUMNS:
        raise InvalidInput("columns_wrong", _("The file has more than 40 columns."), details=[MAX_COLUMNS])
    layout = laid_out(records, width, chosen.get("header"))
    if len(records) - layout.body > MAX_LINES:
        raise InvalidInput("too_many_lines", _("The file has more than 5,000 lines."), details=[MAX_LINES])
    columns = _chosen_columns(chosen, width) or layout.columns
    reading = Reading(encoding, delimiter, layout.body > 0, columns, _numbered(chosen.get("numbered")))
    shown = _shown(layout.titles, records[layout.body :], columns)
    body = records[layout.body :]
    if not chosen.get("columns"):
        _check_people(reading, layout, body)
    named = [at for at, field in enumerate(columns) if field in WHOLE_NAMES]
    return EntryFile(
        reading,
        shown,
        () if reading.unsure else _lines(records, layout, reading),
        len(body),
        any(either_order(layout.titles[at]) for at in named),
    )


def _text_of(data: bytes, wanted: str | None) -> tuple[str, str]:
    """The encoding and the text of a file, a table of a web page as CSV. Refuses what cannot be a list of people."""
    if data.startswith(_BINARY):
        raise _not_players()
    encoding, text = sheets.decoded(data, wanted)
    text, _ended = sheets.ended(text.removeprefix("\ufeff"))
    if sheets.is_json(text):
        raise InvalidInput("file_is_json", _("This is JSON, not a list of players. Export the players as CSV."))
    if _MARKUP.match(text):
        text = web_tables.as_csv(text)
        if not text:
            raise _not_players()
    return encoding, text


def _not_players() -> InvalidInput:
    sentence = _(
        "This is not a list of players. Paste one name per line, or save the sheet as CSV and choose that file. "
        "Files of other tournament programs are read by Import a file."
    )
    return InvalidInput("not_players", sentence)


def _records(text: str, chosen: Mapping[str, Any]) -> tuple[str, list[Record]]:
    """The delimiter and the records of a text, without those that only draw lines."""
    lines = sheets.lines_of(_one_a_line(text, chosen))
    separator = sheets.separator_of(lines[0]) if lines else ""
    if separator:
        lines[0] = "\n"  # so that the numbers of the lines stay those of an editor
    lines = sheets.without_frame(lines)
    delimiter = chosen.get("delimiter") or separator or _delimiter_of(lines)
    found = (
        (number, cells)
        for number, cells in sheets.records(lines, DELIMITERS[delimiter])
        if cells is None or not all(map(is_rule, cells))
    )
    # A few more for what stands above the names, and one to notice that there are too many.
    return delimiter, list(islice(found, MAX_LINES + FIRST_RECORDS + 2))


def _one_a_line(text: str, chosen: Mapping[str, Any]) -> str:
    """Names in one line, as in "Ana Lopez, Bob May, Cy Dale", each on a line of its own."""
    line = text.strip()
    if "\n" in line or "\r" in line or chosen.get("delimiter") not in (None, "", "tab"):
        return text
    for mark in (",", ";"):
        names = [part.strip() for part in line.split(mark)]
        if len(names) > 2 and all(len(name.split()) > 1 and kind_of(name) == "name" for name in names):
            return "\n".join(names)
    return text


def _delimiter_of(lines: Sequence[str]) -> str:
    """The delimiter of these lines; `tab` for a list of whole names, one per line, which has none.

    A comma in every line may also separate the family name from the given name: there is a blank after it then, and no
    line has titles.
    """
    lines = [line for line in lines if not is_rule(line)]
    found = sheets.delimiter_of(lines)
    some = list(islice(sheets.records(lines, DELIMITERS[found]), SAMPLES))
    split = [cells for _at, cells in some if cells and len(cells) > 1]
    if 2 * len(split) <= len(some):
        titled = any(map(meaning_of, some[0][1] or ())) if some else False
        return found if split and titled and len(split[0]) > 1 and some[0][1] in split else "tab"
    if found == "comma" and all(len(cells) == 2 and cells[1][:1] == " " and cells[1].strip() for cells in split):
        first = some[0][1] or ()
        if len(first) == 1 or not all(map(meaning_of, first)):
            return "tab"
    return found


def _chosen_columns(chosen: Mapping[str, Any], width: int) -> tuple[str, ...]:
    """The columns that were chosen; empty if none were, or if they were not known (see `Reading.unsure`)."""
    wanted = chosen.get("columns")
    if wanted is None or chosen.get("unsure"):
        return ()
    # The columns may have been chosen when the file was read with another delimiter, and so had another width.
    columns = tuple(wanted)[:width] + ("",) * (width - len(wanted))
    used = [field for field in columns if field]
    both = LAST_FIRST in used and "family_name" in used
    if set(used) - set(FIELDS) or len(used) != len(set(used)) or sum(field in NAMES for field in used) != 1 or both:
        sentence = _(
            "Choose exactly one column for the first name or full name, and use every other kind at most once."
        )
        raise InvalidInput("columns_wrong", sentence, details=list(columns))
    return columns


def _check_people(reading: Reading, layout: Layout, body: Sequence[Record]) -> None:
    """Refuse what is no list of people (`not_players`): a decklist, a letter, a table without anything like a name."""
    if reading.header and not reading.unsure:
        return
    kinds = [{kind_of(cell) for cell in cells or ()} for _at, cells in body]
    if 2 * sum("prose" in found for found in kinds) > len(kinds):
        raise _not_players()
    if reading.unsure and not any("name" in found for found in kinds):
        raise _not_players()
    if reading.columns != ("name",):
        return
    cells = [cells[0] for _at, cells in body if cells]
    named = sum(_may_be_name(unmarked(cell)) for cell in cells)
    copies = [cell for cell in cells if is_copies(cell)]
    is_deck = len(copies) > 2 and 2 * len(copies) > len(cells) and not are_numbered(cells)
    if is_deck or 2 * named < len(cells):
        raise _not_players()


def _may_be_name(text: str) -> bool:
    return bool(ADDRESS.search(text)) or (kind_of(text) in ("name", "answer", "number") and len(text.split()) < 7)


def _lines(records: Sequence[Record], layout: Layout, reading: Reading) -> tuple[Line, ...]:
    """The lines of a file: those above the titles, which enter nobody, and those below."""
    body = records[layout.body :]
    at = next(place for place, field in enumerate(reading.columns) if field in NAMES)
    numbered = are_numbered([cells[at] for _number, cells in body if cells and at < len(cells)])
    above = [Line(number, faults=("above_titles",), text=_joined(cells)) for number, cells in records[: layout.above]]
    titles = [cell.strip() for cell in records[layout.above][1] or ()] if layout.body else []
    below = [
        Line(number, faults=("titles_again",), text=_joined(cells))
        if titles and cells and [cell.strip() for cell in cells] == titles
        else _line(number, cells, reading, numbered=numbered)
        for number, cells in body
    ]
    return (*above, *_without_tables_twice(below))


def _joined(cells: Sequence[str] | None) -> str:
    return _cut(" ".join(cells or ()))


def _shown(titles: Sequence[str], body: Sequence[tuple[int, Any]], columns: Sequence[str]) -> tuple[Column, ...]:
    samples = [cells for _number, cells in body if cells][:3]
    return tuple(
        Column(
            _cut(titles[at]),
            tuple(_cut(cells[at]) for cells in samples if at < len(cells)),
            "decklist" in (field, meaning_of(titles[at])),
        )
        for at, field in enumerate(columns)
    )


def _cut(cell: str) -> str:
    plain = " ".join(_CONTROL.sub("", cell).split())
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 1] + "…"


def _numbered(wanted: object) -> str:
    """The word before the numbers, in the user's language; a stored one stays when the file is read again."""
    return wanted if isinstance(wanted, str) else _("Player") if wanted else ""


def _line(number: int, cells: Sequence[str] | None, reading: Reading, *, numbered: bool) -> Line:
    if cells is None:
        return Line(number, faults=("quotes_open",))
    said = {field: cell for field, cell in zip(reading.columns, cells, strict=False) if field}
    # What follows is for the parts of the entry; these two are none, and are never shown to the public.
    address, decklist = said.pop("email", ""), _CONTROL.sub("", said.pop("decklist", "")).strip()
    faults = ["control_character"] if any(_CONTROL.search(cell) for cell in said.values()) else []
    tidy = {field: one_line(_CONTROL.sub("", _without_marks(field, cell, numbered))) for field, cell in said.items()}
    beside_names = filter(None, (address_in(cell) for field, cell in tidy.items() if field in (*NAMES, "family_name")))
    email = address_in(address) or next(beside_names, "")
    kept = {field: _without_address(cell) for field, cell in tidy.items()}
    name, guessed = _name_of(kept)
    # One letter more than is allowed, so that a long name is noticed.
    name = name._replace(given=as_name(name.given, MAX_NAME + 1), family=as_name(name.family, MAX_NAME + 1))
    names = (name.given, name.family, kept.get("club", ""))
    # `kept` differs from `tidy` if an e-mail address was taken out of a cell.
    called = not (name.given or name.family) and kept != tidy and bool(reading.numbered)
    if not (name.given or called):
        faults.append("name_is_address" if any(map(is_address, tidy.values())) else "name_missing")
    if any(len(part) > MAX_NAME for part in names):
        faults.append("name_too_long")
    if not faults and not called and is_no_name(name.whole):
        faults.append("no_name")
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
        called,
        email,
        email_wrong=bool(one_line(address)) and not email,
        decklist=decklist,
        doubts=("name_split",) if guessed else (),
        text=_cut(" ".join(tidy[field] for field in (*NAMES, "family_name") if field in tidy)),
    )


def _without_marks(field: str, cell: str, numbered: bool) -> str:
    if field not in NAMES:
        return cell
    return unmarked(unnumbered(cell) if numbered else cell)


def _name_of(said: Mapping[str, str]) -> tuple[FullName, bool]:
    """The name of a line in its parts, and whether these are a guess."""
    if LAST_FIRST in said:
        return last_first(said[LAST_FIRST])
    if "name" in said:
        name = split_name(said["name"])
        core = [word for word in name.whole.split() if word.casefold() not in PARTICLES]
        sure = "," in said["name"] or name.family.isupper() or not name.family
        return name, len(core) > 2 and not sure
    return FullName(said.get("given_name", ""), said.get("family_name", "")), False


def last_first(text: str) -> tuple[FullName, bool]:
    """The parts of a name that begins with the family name, and whether they are a guess: there are more words.

    >>> last_first("de la Cruz Inés"), last_first("López Ana María")[1]
    ((FullName(given='Inés', family='de la Cruz', family_first=False), False), True)
    """
    words, name = text.split(), split_name(text)
    capitals = name.family.isupper() and not name.given.isupper()
    if "," in text or len(words) < 2 or capitals:
        return name._replace(family_first=False), False
    count = 1 + next((place for place, word in enumerate(words[:-1]) if word.casefold() not in PARTICLES), 0)
    return FullName(" ".join(words[count:]), " ".join(words[:count])), len(words) - count > 1


def address_in(cell: str) -> str:
    """The e-mail address of a cell, in lower case; "" if there is none that can be read.

    Also in the form `Zoé Lune <zoe@example.com>`.
    """
    found = ADDRESS.search(one_line(_CONTROL.sub("", cell)))
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
    left = ADDRESS.sub(" ", cell).strip(" ,;<>()[]-")
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
