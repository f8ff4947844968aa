"""Import an organizer's card list, CSV or JSON, as a catalogue.

The result is either a whole catalogue or a list of every fault with its line; a list written by hand is never imported
in part. Only files that other programs wrote (`cardfiles`) are: what cannot be read of them is left out and reported.

CSV columns are named like the keys of a card's JSON: `ref`, `name`, `kind`, `factions`, `subtypes`, `keywords`,
`abilities`, `text`, `reprint_of`, `image`, and the figures and words of the game. `names.en` is the name in another
language, `cost.Terre` an amount.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards.card import UNKNOWN_TEXT
from engine.core.cards.catalog import (
    MAX_BYTES,
    MAX_CARDS,
    MAX_DEPTH,
    MAX_STRING,
    Catalog,
    Vocabulary,
    load_catalog,
    read_card,
    vocabulary_of,
)
from engine.core.text import strictjson
from engine.core.text.errors import Malformed

MAX_FAULTS = 1_000
LIST_MARK = "|"  # separates the items of a list within one cell
DELIMITERS = ",;\t"
NEEDED = ("ref", "name", "kind")
SAYING = ("text", "keywords", "abilities")  # the columns that say what a card does
_STAND_INS = {"ref": "x", "name": "x"}  # replace a faulty value, so that the rest of the card can be checked too


@dataclass(frozen=True, slots=True)
class RowFault:
    """One fault of a card list: its line, from 1 (0 in JSON), and the error, whose path is a column or a key."""

    line: int
    error: Malformed


@dataclass(frozen=True, slots=True)
class CardList:
    """The result of an import: the catalogue and its JSON document, or no catalogue and the faults (1,000 at most).

    `left_out` says what a catalogue made by `assembled` lacks: the lines and columns that were not read, and why.
    """

    document: Mapping[str, Any]
    catalog: Catalog | None = None
    faults: tuple[RowFault, ...] = ()
    left_out: tuple[RowFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One card: its line (0 in JSON), the JSON path of its keys ("" in CSV), and its JSON."""

    line: int
    path: str
    raw: dict[str, Any]


def read_cards(game: str, content: bytes, id_: str, extra: Mapping[str, Any] | None = None) -> CardList:
    """Read a card list as a catalogue with the id `id_`; `extra` holds further keys for its document.

    CSV starts with a line of column names and separates cells by `,`, `;` or a tab. JSON is a list of cards, or an
    object with `cards`. If the list has neither `text` nor `keywords` nor `abilities`, what its cards do is unknown,
    and every card is left to rulings.

    Faults of single cards and columns are returned. Raises Unsupported, code `unknown_game`, and Malformed if the
    content is no card list at all: `too_large`, `not_csv`, `no_cards`, `too_many_cards`, `bad_id` and the codes of
    `strictjson.read`.

    Example: `read_cards("wakfu", path.read_bytes(), "my-set").faults`.
    """
    vocabulary = vocabulary_of(game)
    load_catalog({"id": id_, "game": game, "cards": []})  # refuses a bad id before the list is read
    if len(content) > MAX_BYTES:
        raise Malformed("too_large", f"the list is larger than {MAX_BYTES} bytes")
    text = decoded(content)
    faults: list[RowFault] = []
    read = _json_rows if text.lstrip()[:1] in ("[", "{") else _csv_rows
    rows = read(text, vocabulary, faults)
    if not rows and not faults:
        raise Malformed("no_cards", "the list has no card")
    _leave_to_rulings(rows)
    faults += _faults(game, vocabulary, rows)
    document = {"id": id_, "game": game, "cards": [row.raw for row in rows], **(extra or {})}
    if faults:
        in_order = sorted(faults, key=lambda fault: fault.line)
        return CardList(document, None, tuple(in_order[:MAX_FAULTS]))
    return CardList(document, load_catalog(document))


def assembled(
    game: str,
    rows: Sequence[Row],
    id_: str,
    left_out: Sequence[RowFault] = (),
    finish: Callable[[list[dict[str, Any]]], Iterable[dict[str, Any]]] = list,
    extra: Mapping[str, Any] | None = None,
) -> CardList:
    """Make a catalogue of the sound rows and leave out the others; `left_out` is what was not read before.

    `finish` gets the JSON of the sound cards and returns that of all cards of the catalogue. If no row is sound, there
    is no catalogue, and the faults say why. Raises as `read_cards` does.
    """
    load_catalog({"id": id_, "game": game, "cards": []})
    _check_count(len(rows))
    _leave_to_rulings(rows)
    vocabulary = vocabulary_of(game)
    faults: list[RowFault] = list(left_out)
    sound: dict[str, Row] = {}
    for row in rows:
        found = list(_faults_of_row(row, game, vocabulary, sound))
        faults += found
        if not found:
            sound[row.raw["ref"].casefold()] = row
    faults.sort(key=lambda fault: fault.line)
    if not sound:
        if not faults:
            raise Malformed("no_cards", "the list has no card")
        return CardList({}, None, tuple(faults[:MAX_FAULTS]))
    cards = list(finish([row.raw for row in sound.values()]))
    document = {"id": id_, "game": game, "cards": cards, **(extra or {})}
    return CardList(document, load_catalog(document), (), tuple(faults[:MAX_FAULTS]))


def written(document: Mapping[str, Any]) -> str:
    """Return a catalogue's document as the text of its file, with one card per line."""
    head = {key: value for key, value in document.items() if key != "cards"}
    lines = [json.dumps(card, ensure_ascii=False) for card in document["cards"]]
    return json.dumps(head, ensure_ascii=False)[:-1] + ', "cards": [\n' + ",\n".join(lines) + "\n]}\n"


def _leave_to_rulings(rows: Sequence[Row]) -> None:
    """Mark the text of every card as unknown if the whole list says nothing of what its cards do.

    Cards without a text count as vanilla, so a list without any text must not be taken at its word.
    """
    if not any(key in row.raw for row in rows for key in SAYING):
        for row in rows:
            row.raw["text"] = UNKNOWN_TEXT


def decoded(content: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark, or else CP1252, which spreadsheets write."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _json_rows(text: str, vocabulary: Vocabulary, faults: list[RowFault]) -> list[Row]:
    value = strictjson.read(text, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    cards = value.get("cards") if isinstance(value, dict) else value
    if not isinstance(cards, list):
        raise Malformed("no_cards", "a list of cards is expected, or an object with cards")
    _check_count(len(cards))
    rows = []
    for index, raw in enumerate(cards):
        path = f"cards[{index}]"
        if isinstance(raw, dict):
            rows.append(Row(0, path, dict(raw)))
        else:
            faults.append(RowFault(0, Malformed("wrong_type", "a card must be an object", path=path)))
    return rows


def _csv_rows(text: str, vocabulary: Vocabulary, faults: list[RowFault]) -> list[Row]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter(text), strict=True)
    rows: list[Row] = []
    columns: list[str] = []
    line = 1
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1  # a quoted cell may span lines: faults name the first line of a row
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = [cell.strip() for cell in cells]
                faults += [RowFault(start, error) for error in _column_faults(columns, vocabulary)]
                continue
            _check_count(len(rows) + 1)
            if len(cells) > len(columns):
                faults.append(RowFault(start, Malformed("extra_cells", f"more than {len(columns)} cells")))
            raw = _card(dict(zip(columns, cells, strict=False)), vocabulary, start, faults)
            rows.append(Row(start, "", raw))
    except csv.Error as error:
        raise Malformed("not_csv", f"not CSV: {error}", path=f"line {line}") from None
    # Without a required column every row has the same fault, which would bury the real one.
    return [] if any(fault.error.code == "missing_column" for fault in faults) else rows


def delimiter(text: str) -> str:
    """Guess the delimiter: the one that occurs most often in the first line that is not blank."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(DELIMITERS, key=first.count)


def _check_count(count: int) -> None:
    if count > MAX_CARDS:
        raise Malformed("too_many_cards", f"more than {MAX_CARDS} cards")


def _column_faults(columns: Sequence[str], vocabulary: Vocabulary) -> Iterator[Malformed]:
    known = column_names(vocabulary)
    for name, count in Counter(columns).items():
        if name not in known and not name.startswith("names."):
            close = difflib.get_close_matches(name[:60], known, n=1)
            meant = f"; is it {close[0]}?" if close else f"; there are: {', '.join(known)}"
            yield Malformed("unknown_column", f"unknown column {name[:40]!r}{meant}", path=name[:40])
        if count > 1:
            yield Malformed("duplicate_column", f"the column {name[:40]!r} is there twice", path=name[:40])
    for name in NEEDED:
        if name not in columns:
            yield Malformed("missing_column", f"the column {name!r} is missing", path=name)


def column_names(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return every column that a list of the game may have; `names.en` stands for any language."""
    said = ("factions", "subtypes", "keywords", "abilities", "text", "reprint_of", "image", "names.en")
    amounts = (f"{name}.{kind}" for name, kinds in vocabulary.amounts.items() for kind in kinds)
    return (*NEEDED, *said, *vocabulary.figures, *vocabulary.words, *amounts)


def _card(cells: Mapping[str, str], vocabulary: Vocabulary, line: int, faults: list[RowFault]) -> dict[str, Any]:
    """Build a card's JSON from a row. Empty cells are left out, but an empty `text` says that the card has none."""
    raw: dict[str, Any] = {}
    for column, cell in cells.items():
        value = cell.strip()
        try:
            if len(cell) > MAX_STRING:
                raise Malformed("string_too_long", f"a cell is longer than {MAX_STRING} characters", path=column)
            _fill(raw, column, value, vocabulary)
        except Malformed as error:
            faults.append(RowFault(line, Malformed(error.code, error.message, path=column)))
    return raw


def _fill(raw: dict[str, Any], column: str, value: str, vocabulary: Vocabulary) -> None:
    """Store one cell in the card's JSON. Raises Malformed: `bad_figure` and those of `strictjson.read`."""
    group, _, key = column.partition(".")
    if column == "text":
        raw["text"] = value
    elif not value:
        return
    elif column == "keywords":
        raw[column] = [{"kw": item} for item in _items(value)]
    elif column in ("factions", "subtypes"):
        raw[column] = _items(value)
    elif column == "abilities":
        raw[column] = strictjson.read(value, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    elif key and (group == "names" or key in vocabulary.amounts.get(group, ())):
        raw.setdefault(group, {})[key] = value if group == "names" else _number(column, value)
    elif column in vocabulary.figures:
        raw[column] = _number(column, value)
    elif column in column_names(vocabulary):  # any other column was reported with the header
        raw[column] = value


def _items(value: str) -> list[str]:
    return [item.strip() for item in value.split(LIST_MARK) if item.strip()]


def _number(column: str, value: str) -> int:
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 4):
        raise Malformed("bad_figure", f"{column} is an integer, not {value[:40]!r}", path=column)
    return int(value)


def _faults(game: str, vocabulary: Vocabulary, rows: Sequence[Row]) -> Iterator[RowFault]:
    """Yield the faults of a list: those of each card and duplicate refs, then reprints of cards that are not there."""
    seen: dict[str, Row] = {}
    for row in rows:
        yield from _faults_of_row(row, game, vocabulary, seen)
        if isinstance(ref := row.raw.get("ref"), str):
            seen.setdefault(ref.casefold(), row)
    for row in rows:
        original = row.raw.get("reprint_of")
        if isinstance(original, str) and original.casefold() not in seen:
            message = f"no card {original[:64]!r} in the list"
            yield RowFault(row.line, Malformed("unknown_original", message, path=_at(row, "reprint_of")))


def _faults_of_row(row: Row, game: str, vocabulary: Vocabulary, seen: Mapping[str, Row]) -> Iterator[RowFault]:
    """Yield the faults of one card, also if its ref is that of a card `seen` before (by ref in lower case)."""
    for error in _card_faults(row, game, vocabulary):
        yield RowFault(row.line, error)
    ref = row.raw.get("ref")
    first = seen.get(ref.casefold()) if isinstance(ref, str) else None
    if first is not None:
        where = f"line {first.line}" if row.line else first.path
        message = f"the ref {str(ref)[:64]} is that of {where}"
        yield RowFault(row.line, Malformed("duplicate_ref", message, path=_at(row, "ref")))


def _card_faults(row: Row, game: str, vocabulary: Vocabulary) -> Iterator[Malformed]:
    """Yield every fault of one card.

    `read_card` stops at the first fault, so each fault is taken out of a copy, which is then read again.
    """
    raw = dict(row.raw)
    for _ in range(len(raw) + len(vocabulary.figures) + len(NEEDED)):  # no card has more faults than this
        try:
            card = read_card(raw, game, vocabulary, row.path)
        except Malformed as error:
            where = error.path.removeprefix(row.path).lstrip(".") or _missing(raw, error.code)
            yield Malformed(error.code, error.message, path=_at(row, where))
            if not _work_around(raw, error.code, where, vocabulary):
                return
            continue
        for faction in card.factions:
            if vocabulary.factions and faction not in vocabulary.factions:
                known = ", ".join(vocabulary.factions)
                message = f"unknown faction {faction[:40]!r}; there are: {known}"
                yield Malformed("unknown_faction", message, path=_at(row, "factions"))
        return


def _missing(raw: Mapping[str, Any], code: str) -> str:
    """Return the first required key that the card lacks, if `code` says that one is missing, or ""."""
    return next((name for name in NEEDED if name not in raw), "") if code == "missing_key" else ""


def _work_around(raw: dict[str, Any], code: str, where: str, vocabulary: Vocabulary) -> bool:
    """Take a fault out of `raw` so that the next one comes to light. Returns False if that is not possible."""
    key = where.partition(".")[0]
    if code == "missing_figure":
        raw[key] = 0
    elif code == "unknown_key" and not key:
        raw.pop(next(name for name in raw if name not in vocabulary.known_keys))
    elif key in _STAND_INS:
        raw[key] = _STAND_INS[key]
    elif key in raw and key != "kind":
        del raw[key]
        if key in vocabulary.kinds.get(raw["kind"], ()):  # or its absence would be reported as the next fault
            raw[key] = 0
    else:
        return False
    return True


def _at(row: Row, key: str) -> str:
    return ".".join(part for part in (row.path, key) if part)
