"""Reads a whole event file: its rows by section, after checking the order of the sections and the type of each field.

Only what makes the file unreadable is refused here. Lines that are not chained are collected, and the checks report
them with everything else that is wrong.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import IO, Any

from tournaments.archive.lines import END, FORMAT, HEAD, MAX_BYTES, READ, SIGNED_HEAD, Line, Unreadable, read
from tournaments.archive.sections import (
    BY_NAME,
    CARD_IMAGES,
    CATALOGUE,
    NOTE,
    PERSON,
    SECTIONS,
    SOFTWARE,
    STANDINGS,
    Row,
    field_of,
    fits,
)
from tournaments.archive.writing import personal_name

ORDER: tuple[str, ...] = (
    HEAD,
    *(name for section in SECTIONS for name in (section.name, *((CATALOGUE.name,) if section is SECTIONS[0] else ()))),
    STANDINGS,
    SIGNED_HEAD,
    END,
)
PERSONAL_ORDER: tuple[str, ...] = (
    PERSON.name,
    *(personal_name(section) for section in SECTIONS if section.personal),
    NOTE.name,
    CARD_IMAGES,
    SOFTWARE,
    END,
)
PARTS = (ORDER, PERSONAL_ORDER)
MAX_ENTRANTS = 5_000


@dataclass
class EventFile:
    """The rows of an event by section, as `file["match"]`; an absent section is empty.

    - `numbers`: the line numbers of the rows of each section; 0 for rows read from the database
    - `unchained`: the lines that do not have the hash of the previous line, or an `end` with the wrong count
    - `digest`: the SHA-256 of the `end` of the main part, which identifies the content of the file
    - `with_names`: whether there is a personal part
    - `waiting`: the stages whose standings are still being computed; only for rows read from the database
    """

    rows: dict[str, list[Row]] = field(default_factory=dict)
    numbers: dict[str, list[int]] = field(default_factory=dict)
    unchained: list[int] = field(default_factory=list)
    digest: str = ""
    lines: int = 0
    with_names: bool = False
    waiting: frozenset[int] = frozenset()

    def __getitem__(self, section: str) -> list[Row]:
        return self.rows.get(section, [])

    def numbered(self, section: str) -> list[tuple[int, Row]]:
        """Return the rows of a section with their line numbers."""
        return list(zip(self.numbers.get(section, []), self[section], strict=True))

    @property
    def head(self) -> Row:
        """The row of the first line: format, version, event, and the head of the ledger."""
        return self[HEAD][0]

    @property
    def event(self) -> Row:
        """The row of the event itself."""
        return self["event"][0]


def read_file(stream: IO[bytes], *, most: int = MAX_BYTES) -> EventFile:
    """Read a file, plain or compressed with gzip, of at most `most` bytes unpacked.

    Raises `Unreadable` for anything that is not an event file of a known version.
    """
    found = EventFile()
    part, place = 0, -1
    for line in read(stream, most=most):
        if part == len(PARTS):
            raise Unreadable("goes_on", line.number)
        order = PARTS[part]
        if line.section not in order:
            raise Unreadable("unknown_section", line.number)
        if order.index(line.section) < place:
            raise Unreadable("out_of_order", line.number)
        place = order.index(line.section)
        if line.section in BY_NAME and found[HEAD]:
            line = replace(line, row=BY_NAME[line.section].completed(line.row, found.head["version"]))
        _check(line)
        found.rows.setdefault(line.section, []).append(line.row)
        found.numbers.setdefault(line.section, []).append(line.number)
        found.lines = line.number
        if not line.chained:
            found.unchained.append(line.number)
        if line.section == END:
            if line.row["lines"] != line.number - 1:
                found.unchained.append(line.number)
            found.digest = found.digest or line.digest  # the first `end` is that of the main part
            part, place = part + 1, -1
    _check_whole(found, part, place)
    found.with_names = part == len(PARTS)
    return found


def _check(line: Line) -> None:
    """Raise `Unreadable` for a row that is not valid in its section."""
    if line.number == 1:
        if line.section != HEAD or line.row.get("format") != FORMAT:
            raise Unreadable("not_an_event_file", 1)
        if line.row.get("version") not in READ:
            raise Unreadable("unknown_version", 1)
    if fault := _fault_of(line):
        raise Unreadable("bad_field", line.number, fault[:60])


def _fault_of(line: Line) -> str:
    if line.section in BY_NAME:
        return BY_NAME[line.section].fault_of(line.row)
    if line.section in _WITH_FIELDS:
        return _WITH_FIELDS[line.section].fault_of(line.row)
    if line.section.endswith(".personal"):
        return _personal_fault(line.section, line.row)
    return _shape_fault(_SHAPES[line.section], line.row)


def _personal_fault(name: str, row: Row) -> str:
    section = BY_NAME[name.removesuffix(".personal")]
    if unknown := row.keys() - {*section.key, *section.personal}:
        return min(unknown)
    if missing := {*section.key} - row.keys():
        return min(missing)
    model = section.model
    return next((each for each in row if row[each] is None or not fits(field_of(model, each), row[each])), "")


def _shape_fault(shape: Mapping[str, type], row: Row) -> str:
    if row.keys() != shape.keys():
        return sorted(row.keys() ^ shape.keys())[0]
    return next((name for name, kind in shape.items() if type(row[name]) is not kind), "")


_WITH_FIELDS = {section.name: section for section in (CATALOGUE, PERSON, NOTE)}
_SHAPES: Mapping[str, Mapping[str, type[Any]]] = {
    HEAD: {"format": str, "version": int, "event": str, "ledger": dict},
    STANDINGS: {"stage": int, "scheme": str, "terms": list, "rows": list},
    SIGNED_HEAD: {"chain": str, "number": int, "hash": str, "signature": str, "key": str},
    CARD_IMAGES: {"addresses": dict},
    SOFTWARE: {"arbitre": str},
    END: {"lines": int},
}


def _check_whole(found: EventFile, part: int, place: int) -> None:
    if not found.lines:
        raise Unreadable("not_an_event_file")
    if part == 0 or place >= 0:
        raise Unreadable("cut_short", found.lines)
    if len(found[HEAD]) != 1 or len(found["event"]) != 1:
        raise Unreadable("not_one_event")
    if len(found["entrant"]) > MAX_ENTRANTS:
        raise Unreadable("too_many_entrants")
