"""Recognize a file of cards by its content and convert it to a catalogue, with a report of what was not read.

Five kinds of file are known: a whole catalogue; the files that communities share, which the games describe in their
`cardlist` modules; a list in the columns of `cardlists`; the same as JSON; and a spreadsheet whose header can be
understood, also in an XLSX workbook. Of a community's file and of a spreadsheet, whatever cannot be read is left out
and reported.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards import images, workbooks
from engine.core.cards.card_index import unaccented
from engine.core.cards.card_list import NEEDED, CardList, Row, RowFault, assembled, decoded, delimiter, read_cards
from engine.core.cards.catalog import (
    MAX_BYTES,
    MAX_CARDS,
    MAX_DEPTH,
    MAX_STRING,
    Vocabulary,
    load_catalog,
    vocabulary_of,
)
from engine.core.text import registry, strictjson
from engine.core.text.errors import Malformed

CATALOGUE, TABLE, SPREADSHEET = "catalogue", "table", "spreadsheet"
COMMUNITIES = ("altered", "saint-seiya", "wakfu")  # games with a `cardlist` module, whose name is the kind of its file
KINDS = (CATALOGUE, *COMMUNITIES, TABLE, SPREADSHEET)
EXPECTED = (
    "no file of cards that we know; we read a whole catalogue, the card list of Altered, that of Saint Seiya, "
    "the prints of Wakfu (CSV), or a table whose header has at least the name and the type"
)
UNNAMED = "cards"  # the id of a catalogue that nobody gave one
LOOKED_AT = 50  # entries of a JSON list by which its kind is recognized
FIRST = 5  # faults shown for each reason
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"  # the first bytes of XLS
# What headers of spreadsheets call our columns, in lower case and without accents.
SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(("reference", "ref", "id", "code", "card id", "riferimento", "codice"), "ref"),
    **dict.fromkeys(("nom", "name", "nome", "card", "card name", "carte", "carta"), "name"),
    **dict.fromkeys(("type", "kind", "tipo", "card type", "type de carte"), "kind"),
    **dict.fromkeys(("faction", "factions", "fazione", "fazioni", "classe", "class"), "factions"),
    **dict.fromkeys(("sous types", "subtypes", "sottotipi"), "subtypes"),
    **dict.fromkeys(("texte", "text", "testo", "effet", "effect", "effetto"), "text"),
    **dict.fromkeys(("mots cles", "keywords", "parole chiave"), "keywords"),
    **dict.fromkeys(("name en", "english name", "nom anglais", "nome inglese", "names.en"), "names.en"),
    **dict.fromkeys(("name fr", "french name", "nom francais", "nome francese", "names.fr"), "names.fr"),
    **dict.fromkeys(("name it", "italian name", "nom italien", "nome italiano", "names.it"), "names.it"),
    **dict.fromkeys(("rarete", "rarity", "rarita"), "rarity"),
    **dict.fromkeys(("extension", "edition", "set", "espansione"), "set"),
    **dict.fromkeys(("image", "picture", "immagine", "image url", "url image"), "image"),
}
_NOT_REF = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True)
class Community:
    """A file that the community of a game shares.

    - `keys`: the keys or columns by which it is recognized, all of which an entry has.
    - `card`: makes the JSON of a card from an entry; raises Malformed with the key at fault as its path.
    - `lacks`: what no such file says, by code: "texts", "suspensions", "costs", "copies", "figures".
    - `finish`: given the JSON of all cards that were read, and the day whose texts count (as 2025-03-14; "" is the
      newest), returns that of all cards of the catalogue.
    - `legality`: reads a second file, the history of suspensions, as the entries of a catalogue's `legality`.
    """

    keys: frozenset[str]
    card: Callable[[Mapping[str, Any]], dict[str, Any]]
    lacks: tuple[str, ...] = ()
    finish: Callable[[list[dict[str, Any]], str], Iterable[dict[str, Any]]] = lambda cards, day: cards
    legality: Callable[[bytes], Iterable[dict[str, Any]]] | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why lines were left out: a code, how many lines, and the first of them."""

    code: str
    count: int
    first: tuple[RowFault, ...]


@dataclass(frozen=True, slots=True)
class CardFile:
    """A file of cards that was recognized: its kind (one of `KINDS`), its game, and what was read of it.

    `lacks` says by code what files of this kind do not have, although the game needs it.
    """

    kind: str
    game: str
    listed: CardList
    lacks: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What was left out, by reason, the most frequent first."""
        groups: dict[str, list[RowFault]] = {}
        for fault in self.listed.left_out:
            groups.setdefault(fault.error.code, []).append(fault)
        found = (Reason(code, len(faults), tuple(faults[:FIRST])) for code, faults in groups.items())
        return tuple(sorted(found, key=lambda reason: -reason.count))


def read_card_file(content: bytes, id_: str, game: str = "", legality: bytes | None = None, day: str = "") -> CardFile:
    """Recognize a file of cards and convert it to a catalogue with the id `id_`; a whole catalogue keeps its own id.

    With the id "", the file of a community is named after its game, and any other "cards".

    `game` may be "" if the file itself says its game. `legality` is the history of suspensions that goes with the list
    of a community that has one; JSON may have both, as `{"cards": […], "legality": {…}}`.
    `day` (as 2025-03-14) says which text counts for cards that errata have changed, by default the newest.

    Raises Malformed: `too_large`, `workbook`, `unknown_file` (it names what was expected), `game_needed`, `wrong_game`,
    and the codes of `read_cards` and `load_catalog`; Unsupported, code `unknown_game`.

    Example: `read_card_file(path.read_bytes(), "my-set").kind`.
    """
    if game:
        registry.package(game)
    text = _text_of(content)
    value = _json(text)
    if isinstance(value, dict) and "game" in value and "id" in value:
        return _whole(value, game)
    entries = None if value is None else _entries_of(value)
    legality = legality or _history_in(value)
    kind = _kind(_columns(text) if entries is None else _keys(entries))
    id_ = id_ or (kind if kind in COMMUNITIES else UNNAMED)
    if kind == TABLE and game:
        return CardFile(TABLE, game, read_cards(game, text.encode(), id_, _extra(None, legality)))
    rows = _csv_rows(text) if entries is None else _json_rows(entries)
    if kind in COMMUNITIES:
        _require_game(kind, game)
        return _converted(kind, rows, id_, legality, day)
    if not game:
        raise Malformed("game_needed", "the file does not say which game its cards belong to: choose the game")
    return CardFile(SPREADSHEET, game, _spreadsheet(game, rows, id_, _extra(None, legality)))


def _text_of(content: bytes) -> str:
    """Return a file as text; a workbook as CSV. Raises Malformed, codes `too_large` and `workbook`."""
    if len(content) > MAX_BYTES:
        raise Malformed("too_large", f"the list is larger than {MAX_BYTES} bytes")
    if content.startswith(OLD_WORKBOOK):
        raise Malformed("workbook", "an old workbook of a spreadsheet program: save the sheet as CSV")
    return workbooks.csv_of(content) if content.startswith(workbooks.SIGNATURE) else decoded(content)


def _kind(keys: frozenset[str]) -> str:
    """Return the kind of a file with these keys or columns, of all kinds but `CATALOGUE`.

    Raises Malformed, code `unknown_file`. A file without any key counts as a table, of which the rest is said later.
    """
    for game in COMMUNITIES:
        if _community(game).keys <= keys:
            return game
    if not keys or keys.issuperset(NEEDED):
        return TABLE
    if {"name", "kind"} <= {SYNONYMS.get(plain(key), "") for key in keys}:
        return SPREADSHEET
    if len(keys.intersection(NEEDED)) * 2 < min(len(keys), len(NEEDED)):
        raise Malformed("unknown_file", EXPECTED)
    return TABLE


def _extra(community: Community | None, legality: bytes | None) -> dict[str, Any]:
    """Return the further keys of a catalogue's document. Raises Malformed, code `bad_value`."""
    if legality is None:
        return {}
    if community is None or community.legality is None:
        raise Malformed("bad_value", "no suspensions can be read with this kind of file", path="legality")
    return {"legality": list(community.legality(legality))}


def _community(game: str) -> Community:
    found: Community = registry.module(game, "cardlist").COMMUNITY
    return found


def _require_game(found: str, game: str) -> None:
    if game and found != game:
        raise Malformed("wrong_game", f"the file has cards of {found}, not of {game}", path="game")


def _json(text: str) -> Any:
    """Read a text that starts like a list or an object of JSON; None if it does not."""
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    return strictjson.read(text, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)


def _entries_of(value: Any) -> list[Any]:
    """Return the entries of a list, which may be the `cards` of an object. Raises Malformed, code `unknown_file`."""
    entries = value.get("cards") if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise Malformed("unknown_file", EXPECTED)
    if len(entries) > MAX_CARDS:
        raise Malformed("too_many_cards", f"more than {MAX_CARDS} cards")
    return entries


def _history_in(value: Any) -> bytes | None:
    """Return the history of suspensions that an object has as `legality` beside its cards, if there is one."""
    found = value.get("legality") if isinstance(value, dict) else None
    return json.dumps(found).encode() if isinstance(found, dict) else None


def _whole(document: Mapping[str, Any], game: str) -> CardFile:
    catalog = load_catalog(document)
    _require_game(catalog.game, game)
    return CardFile(CATALOGUE, catalog.game, CardList(document, catalog))


def _keys(entries: Sequence[Any]) -> frozenset[str]:
    """Return the keys of the fullest of the first entries."""
    known = (frozenset(entry) for entry in entries[:LOOKED_AT] if isinstance(entry, dict))
    return max(known, key=len, default=frozenset())


def _columns(text: str) -> frozenset[str]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return frozenset(cell.strip() for cell in next(csv.reader([first], delimiter=delimiter(text)), []))


def _csv_rows(text: str) -> Iterator[Row]:
    """Yield the lines of a table under its header; cells without a column are dropped.

    Raises Malformed, codes `not_csv` and `too_many_cards`.
    """
    reader = csv.reader(io.StringIO(text), delimiter=delimiter(text), strict=True)
    columns: list[str] = []
    line, count = 1, 0
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if columns:
                count += 1
                if count > MAX_CARDS:
                    raise Malformed("too_many_cards", f"more than {MAX_CARDS} cards")
                yield Row(start, "", dict(zip(columns, (cell.strip() for cell in cells), strict=False)))
            columns = columns or [cell.strip() for cell in cells]
    except csv.Error as error:
        raise Malformed("not_csv", f"not CSV: {error}", path=f"line {line}") from None


def _json_rows(entries: Iterable[Any]) -> Iterator[Row]:
    for index, entry in enumerate(entries):
        yield Row(0, f"cards[{index}]", entry)


def _converted(game: str, rows: Iterable[Row], id_: str, legality: bytes | None, day: str) -> CardFile:
    """Convert the file of a game's community."""
    community = _community(game)
    listed = convert(community, game, rows, id_, legality, day)
    lacks = tuple(code for code in community.lacks if code != "suspensions" or legality is None)
    return CardFile(game, game, listed, lacks)


def convert(
    community: Community, game: str, entries: Iterable[Row], id_: str, legality: bytes | None = None, day: str = ""
) -> CardList:
    """Convert the entries of a community's file; those that cannot be read are left out.

    Raises as `assembled` does, and Malformed, code `bad_value`, for a history of suspensions of another shape.
    """
    extra = _extra(community, legality)
    rows, left_out = _each(entries, community.card)
    return assembled(game, rows, id_, left_out, lambda cards: community.finish(cards, day), extra)


def _each(
    entries: Iterable[Row], card: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> tuple[list[Row], list[RowFault]]:
    """Make a card of each entry. Returns the cards, and the faults of the entries that are none, and of images."""
    rows: list[Row] = []
    left_out: list[RowFault] = []
    for entry in entries:
        try:
            if not isinstance(entry.raw, Mapping):
                raise Malformed("wrong_type", "a card must be an object")
            rows.append(Row(entry.line, entry.path, card(entry.raw)))
            _take_image(entry.raw, rows[-1].raw)
        except Malformed as error:
            path = ".".join(part for part in (entry.path, error.path) if part)
            left_out.append(RowFault(entry.line, Malformed(error.code, error.message, path=path)))
    return rows, left_out


def _take_image(entry: Mapping[str, Any], card: dict[str, Any]) -> None:
    """Give a card the image of its entry. Raises Malformed, code `bad_image`; the card then has none."""
    address = card.pop(images.KEY, None) or entry.get(images.KEY)
    if address:
        card[images.KEY] = images.check_image(address, images.KEY)


def plain(words: str) -> str:
    """Return words in lower case, without accents, and with spaces for underscores and dashes."""
    return " ".join(re.split(r"[\s_-]+", unaccented(words))).strip()


def ref_of(name: str) -> str:
    """Return a ref made from a card's name, always the same for the same name.

    >>> ref_of("Épée d'Or")
    'EPEE-D-OR'
    """
    return _NOT_REF.sub("-", plain(name)).strip("-")[:64].strip("-").upper()


def _spreadsheet(game: str, entries: Iterable[Row], id_: str, extra: Mapping[str, Any]) -> CardList:
    """Convert a spreadsheet by its header. Columns that are not understood are left out, and reported once each."""
    vocabulary = vocabulary_of(game)
    rows = list(entries)
    filled = (
        key for row in rows if isinstance(row.raw, Mapping) for key, cell in row.raw.items() if cell not in ("", None)
    )
    columns = list(dict.fromkeys(filled))
    meaning = {column: _meaning(column, vocabulary) for column in columns}
    unread = [
        RowFault(0, Malformed("column_not_read", f"the column {column[:40]!r} is not read", path=column[:40]))
        for column in columns
        if not meaning[column]
    ]
    cards, left_out = _each(rows, lambda raw: _card(raw, meaning, vocabulary))
    return assembled(game, cards, id_, [*unread, *left_out], extra=extra)


def _meaning(column: str, vocabulary: Vocabulary) -> str:
    """Return our name of a column, or ""."""
    words = plain(column)
    names = {plain(name): name for name in (*vocabulary.figures, *vocabulary.words)}
    amounts = {
        plain(f"{name}.{kind}"): f"{name}.{kind}" for name, kinds in vocabulary.amounts.items() for kind in kinds
    }
    found = names.get(words) or amounts.get(words) or SYNONYMS.get(words, "")
    return "" if found in ("rarity", "set") and found not in vocabulary.words else found


def _card(raw: Mapping[str, Any], meaning: Mapping[str, str], vocabulary: Vocabulary) -> dict[str, Any]:
    """Make a card of one line. Of several columns with the same meaning, the first that is filled counts."""
    card: dict[str, Any] = {}
    for column, value in raw.items():
        name, cell = meaning.get(column, ""), "" if value is None else str(value).strip()
        if name and cell:
            _fill(card, name, cell, vocabulary)
    if "name" not in card:
        raise Malformed("missing_key", "the card has no name", path="name")
    card.setdefault("ref", ref_of(card["name"]))
    return card


def _fill(card: dict[str, Any], name: str, cell: str, vocabulary: Vocabulary) -> None:
    """Store a cell. Raises Malformed, code `bad_figure`."""
    group, _, key = name.partition(".")
    if group == "names":
        card.setdefault("names", {}).setdefault(key, cell)
    elif key:
        card.setdefault(group, {}).setdefault(key, number(name, cell))
    elif name == "kind":
        card.setdefault(name, _known(cell, vocabulary.kinds))
    elif name == "factions":
        card.setdefault(name, [_known(item, vocabulary.factions) for item in re.split(r"\s*[|,;/]\s*", cell) if item])
    elif name == "subtypes":
        card.setdefault(name, [item for item in re.split(r"\s*[|,;/]\s*", cell) if item])
    elif name == "keywords":
        card.setdefault(name, [{"kw": _known(item, vocabulary.keywords)} for item in re.split(r"\s*[|,;]\s*", cell)])
    elif name in vocabulary.figures:
        card.setdefault(name, number(name, cell))
    elif name in vocabulary.words:
        card.setdefault(name, _known(cell, vocabulary.words[name]))
    else:
        card.setdefault(name, cell)


def _known(word: str, known: Iterable[str]) -> str:
    """Return the known word that differs from `word` in case and accents at most, else `word` itself."""
    return next((each for each in known if plain(each) == plain(word)), word)


def number(name: str, cell: str) -> int:
    """Return the integer in a cell, which spreadsheets may write as "3.0". Raises Malformed, code `bad_figure`."""
    digits = cell.removesuffix(".0").removesuffix(",0")
    if not (digits.removeprefix("-").isdecimal() and digits.isascii() and len(digits) < 5):
        raise Malformed("bad_figure", f"{name} is an integer, not {cell[:40]!r}", path=name)
    return int(digits)
