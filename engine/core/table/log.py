"""Log format 1: a strict reader of header and entries, the canonical form, and the digest chain over the entries.

- Header: `format` (1), `game`, `ruleset`, `seats` and `moves` are required. Optional: `options`, `catalog`
  {id, sha256}, `match` {event, round, table, game, last_loser}, `claimed` {winner, score, ranks}, `recorded_by`
  {who, when}, `start`, `x`.
- Seat: {player, deck: {commander, main}}.
- Entry: `n`, `by` and `do` are required. Optional: `args`, `chance`, `claims`, `ref`, `reason`, `events`, `resp`, `h`,
  `x`.

Any other key is refused. Under `x` there may be any JSON values within the bounds.

A log may have thousands of entries, so the functions that run once per entry do no work for keys that most entries
lack.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.core.decks.decklist import Decklist
from engine.core.text import strictjson
from engine.core.text.errors import EngineError, Malformed, Unsupported

FORMAT = 1
MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 32
MAX_STRING = 4096  # characters
MAX_MOVES = 20_000
MAX_DECK = 1_000  # cards of one registered list
MAX_DRAW = 200  # cards of one recorded draw
MAX_CHANCE = 1_000  # items of chance of one entry
MAX_NAMED = 1_000  # cards that one argument of an entry names
MAX_CLAIMS = 100  # claims of one entry, and events of one ruling

# Tuples, not sets: any JSON value is looked up in them, and a list or an object cannot be hashed.
SEATS = ("A", "B", "C", "D", "E")
ACTORS = (*SEATS, "table", "judge")
WINNERS = (*SEATS, "draw", None)
RECORDERS = ("seats", "scribe", "judge")
MOMENTS = ("live", "afterwards")
JUMPS = ("gap", "back_to")  # entries that replace the whole state

HEADER_KEYS = frozenset({
    "format", "game", "ruleset", "options", "catalog", "match", "seats", "claimed", "recorded_by", "start", "moves",
    "x",
})  # fmt: skip
ENTRY_KEYS = frozenset({
    "n", "by", "do", "args", "chance", "claims", "ref", "reason", "events", "resp", "h", "x",
})  # fmt: skip
# An entry with no other keys takes the short path through `parse_entry`.
USUAL_KEYS = frozenset({"n", "by", "do", "args", "chance", "claims", "x"})
# The header keys that the digest chain covers; see `chain_start`.
CHAINED = ("format", "game", "ruleset", "options", "catalog", "match", "seats", "start")

_ENCODER = msgspec.json.Encoder(order="sorted")
# Same bytes as `canonical`, for all values that a log may hold, but faster.
_FORM, _FORMS = _ENCODER.encode, _ENCODER.encode_lines
_NOTHING: dict[str, Any] = {}  # shared by all entries and headers: never to be changed


class Entry(msgspec.Struct, frozen=True):
    """One entry of a log, with its shape checked. `raw` is the JSON object it was read from.

    A msgspec Struct, because creating one takes half the time of a dataclass and a log has thousands of entries.
    """

    n: int
    by: str
    do: str
    args: Mapping[str, Any]
    chance: tuple[tuple[str, Any], ...] | None
    claims: Mapping[str, int | str | None]
    raw: Mapping[str, Any]
    ref: str | None = None
    reason: str | None = None
    events: tuple[tuple[str, Any], ...] = ()
    resp: bool = False
    h: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A player, by the organizer's id, and the registered decklist. Each is None if the log does not give it."""

    player: str | None
    deck: Decklist | None


@dataclass(frozen=True, slots=True)
class Header:
    """A log without its entries. `winner`, `score` and `ranks` are claims; `raw` is the JSON object without `moves`."""

    game: str
    ruleset: str
    options: Mapping[str, str]
    catalog: Mapping[str, str]
    match: Mapping[str, int | str]
    seats: Mapping[str, Seat]
    winner: str | None
    score: Mapping[str, int]
    ranks: Mapping[str, int]
    start: Mapping[str, Any] | None
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Log:
    """A whole log: header and entries."""

    header: Header
    entries: Sequence[Entry]


def read(source: bytes | str | Mapping[str, Any]) -> Any:
    """Read JSON text, or check an already parsed value against the same bounds. Raises as `strictjson.read` does."""
    if isinstance(source, (bytes, str)):
        return strictjson.read(source, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH, max_string=MAX_STRING)
    check_values(source)
    return source


def parse(source: bytes | str | Mapping[str, Any]) -> Log:
    """Read a log, given as JSON text or its parsed form, and check its shape. It is not replayed.

    Bounds: 8 MiB, 20,000 entries, 32 levels of nesting, strings of 4,096 characters.

    Raises Malformed, with `path` and, for an entry, its number `n`: the codes of `strictjson.read`, and `wrong_type`,
    `missing_key`, `unknown_key`, `bad_value`, `wrong_number`, `too_many_moves`, `too_many_cards`, `unknown_chance`,
    `unknown_seat`, `too_many_events`, `too_many_items`; Unsupported, code `unsupported_format`.
    """
    document = read(source)
    header = _header(document)
    moves = _list(document["moves"], "moves")
    if len(moves) > MAX_MOVES:
        raise Malformed("too_many_moves", f"more than {MAX_MOVES} entries", path="moves")
    return Log(header, tuple(_entries(moves)))


def canonical(document: object) -> bytes:
    """Return the canonical form of a log or an entry: sorted keys, no spaces, UTF-8."""
    return strictjson.canonical(document)


def chain_start(header: Header) -> bytes:
    """Return the SHA-256 digest before the first entry, taken over part of the header.

    The claimed result is left out: it is only known after the game, and `h` can be written while the game is played.
    """
    kept = {key: header.raw[key] for key in CHAINED if key in header.raw}
    return hashlib.sha256(_FORM(kept)).digest()


def chain(before: bytes, entry: Entry) -> bytes:
    """Return the digest after an entry: SHA-256 of the digest before it and the entry's canonical form without `h`."""
    return link(before, _FORM(_unchained(entry)))


def link(before: bytes, *forms_after: bytes) -> bytes:
    """Return the digest after several entries, given by their canonical forms as returned by `forms`."""
    digest, sha256 = before, hashlib.sha256
    for form in forms_after:
        digest = sha256(digest + form).digest()
    return digest


def forms(entries: Sequence[Entry]) -> list[bytes]:
    """Return the canonical form of each entry, without its `h`."""
    lines = _FORMS([entry.raw if entry.h is None else _unchained(entry) for entry in entries])
    return lines.split(b"\n")[:-1]  # safe, because JSON escapes line ends within strings


def _unchained(entry: Entry) -> Mapping[str, Any]:
    raw = entry.raw
    return raw if entry.h is None else {key: value for key, value in raw.items() if key != "h"}


def check_values(root: object) -> None:
    """Refuse parsed values that JSON text within the bounds could not contain.

    That is other types, floats, cycles (which exceed the depth), integers of more than 18 digits, and strings that are
    too long. Raises Malformed.
    """
    waiting: list[tuple[object, int]] = [(root, 1)]  # no recursion: the value may be nested too deep for it
    while waiting:
        value, depth = waiting.pop()
        if not isinstance(value, (dict, list)):
            _check_leaf(value)
            continue
        if depth > MAX_DEPTH:
            raise Malformed("too_deep", f"more than {MAX_DEPTH} levels of nesting")
        items: Iterable[object] = value
        if isinstance(value, dict):
            items = value.values()
            for key in value:
                if not isinstance(key, str):
                    raise Malformed("not_json", "a key is not a string")
                _check_string(key)
        for item in items:
            if isinstance(item, (dict, list)):
                waiting.append((item, depth + 1))
            else:
                _check_leaf(item)


def _check_leaf(value: object) -> None:
    kind = type(value)
    if kind is int:
        if not -(10**18) < value < 10**18:  # type: ignore[operator]
            raise Malformed("too_large", "an integer has more than 18 digits")
    elif isinstance(value, str):
        _check_string(value)
    elif value is not None and kind is not bool:
        code = "float" if kind is float else "not_json"
        raise Malformed(code, f"{kind.__name__} values do not belong here")


def _check_string(text: str) -> None:
    if len(text) > MAX_STRING:
        raise Malformed("string_too_long", f"a string is longer than {MAX_STRING} characters")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed("lone_surrogate", "half of a surrogate pair in a string") from None


def _header(document: Any) -> Header:
    _keys(document, HEADER_KEYS, ("format", "game", "ruleset", "seats", "moves"), "")
    # The type as well, because JSON's true equals 1 in Python.
    if document["format"] != FORMAT or type(document["format"]) is not int:
        raise Unsupported("unsupported_format", f"this engine reads format {FORMAT}", path="format")
    game, ruleset = _text(document["game"], "game"), _text(document["ruleset"], "ruleset")
    claimed = document.get("claimed")
    winner, score, ranks = (None, _NOTHING, _NOTHING) if claimed is None else _claimed(claimed)
    _recorded_by(document.get("recorded_by"))
    start = document.get("start")
    if start is not None and not isinstance(start, dict):
        raise Malformed("wrong_type", "an object is expected", path="start")
    return Header(
        game,
        ruleset,
        _strings(document.get("options", _NOTHING), "options"),
        _catalog(document.get("catalog")),
        _match(document.get("match", _NOTHING)),
        read_seats(document["seats"]),
        winner,
        score,
        ranks,
        start,
        {key: value for key, value in document.items() if key != "moves"},
    )


def read_seats(raw: Any) -> dict[str, Seat]:
    """Read the header's `seats`, in alphabetical order."""
    _keys(raw, frozenset(SEATS), (), "seats")
    return {seat: _seat(raw[seat], f"seats.{seat}") for seat in SEATS if seat in raw}


def _seat(raw: Any, path: str) -> Seat:
    _keys(raw, frozenset({"player", "deck", "x"}), (), path)
    player, deck = raw.get("player"), raw.get("deck")
    return Seat(
        None if player is None else _text(player, f"{path}.player"),
        None if deck is None else _deck(deck, f"{path}.deck"),
    )


def _deck(raw: Any, path: str) -> Decklist:
    _keys(raw, frozenset({"commander", "main", "x"}), ("main",), path)
    commander = raw.get("commander")
    if commander is not None:
        _text(commander, f"{path}.commander")
    main = raw["main"]
    if not isinstance(main, dict):
        raise Malformed("wrong_type", "main must be an object: ref to number of copies", path=f"{path}.main")
    for ref, copies in main.items():
        if type(copies) is not int or not 1 <= copies <= MAX_DECK:
            raise Malformed("bad_value", f"copies of {ref[:40]!r}: 1 to {MAX_DECK}", path=f"{path}.main")
    if sum(main.values()) > MAX_DECK:
        count = sum(main.values())
        raise Malformed("too_many_cards", f"{count} cards, more than {MAX_DECK}", path=f"{path}.main")
    return Decklist(commander=commander, main=dict(main))


def _claimed(raw: Any) -> tuple[str | None, Mapping[str, int], Mapping[str, int]]:
    _keys(raw, frozenset({"winner", "score", "ranks", "x"}), (), "claimed")
    winner = raw.get("winner")
    if winner not in WINNERS:
        raise Malformed("bad_value", 'a winner is a seat, "draw" or null', path="claimed.winner")
    for key in ("score", "ranks"):
        table = raw.get(key, _NOTHING)
        _keys(table, frozenset(SEATS), (), f"claimed.{key}")
        for seat in SEATS:
            if seat in table and type(table[seat]) is not int:
                raise Malformed("wrong_type", "an integer is expected", path=f"claimed.{key}.{seat}")
    return winner, raw.get("score", _NOTHING), raw.get("ranks", _NOTHING)


def _recorded_by(raw: Any) -> None:
    if raw is None:
        return
    _keys(raw, frozenset({"who", "when", "x"}), (), "recorded_by")
    for key, values in (("who", RECORDERS), ("when", MOMENTS)):
        if raw.get(key, values[0]) not in values:
            raise Malformed("bad_value", f"{key} must be one of: {', '.join(values)}", path=f"recorded_by.{key}")


def _catalog(raw: Any) -> Mapping[str, str]:
    if raw is None:
        return _NOTHING
    _keys(raw, frozenset({"id", "sha256"}), ("id",), "catalog")
    return _strings(raw, "catalog")


def _match(raw: Any) -> Mapping[str, int | str]:
    _keys(raw, frozenset({"event", "round", "table", "game", "last_loser", "x"}), (), "match")
    if raw.get("last_loser") not in (None, *SEATS):
        raise Malformed("unknown_seat", "last_loser is the seat that lost the game before", path="match.last_loser")
    for key in ("event", "round", "table", "game"):
        if type(raw.get(key, 0)) not in (int, str):
            raise Malformed("wrong_type", "an integer or a string is expected", path=f"match.{key}")
    return {key: value for key, value in raw.items() if key != "x" and value is not None}


def _entries(moves: Sequence[Any]) -> list[Entry]:
    found: list[Entry] = []
    try:
        for n, raw in enumerate(moves, 1):
            found.append(parse_entry(raw, n))
    except EngineError as error:
        error.n = len(found) + 1
        error.path = f"moves[{len(found)}].{error.path}".rstrip(".")
        raise
    return found


def parse_entry(raw: Any, n: int | None = None) -> Entry:
    """Read one entry and check its shape. `n` is the number it must have, None for any (the entry then gets 0)."""
    usual = type(raw) is dict and USUAL_KEYS.issuperset(raw)
    if not (usual and "by" in raw and "do" in raw):
        _keys(raw, ENTRY_KEYS, ("by", "do"), "")
    number = raw.get("n")
    if type(number) is not int or number != n:
        if n is not None:
            raise Malformed("wrong_number", f"entries are numbered from 1 without a hole; {n} is expected", path="n")
        number = 0
    by, do = raw["by"], raw["do"]
    if by not in ACTORS:
        raise Malformed("bad_value", f"by must be one of: {', '.join(ACTORS)}", path="by")
    if type(do) is not str:
        raise Malformed("wrong_type", "a string is expected", path="do")
    args = raw.get("args", _NOTHING)
    if not isinstance(args, dict):
        raise Malformed("wrong_type", "an object is expected", path="args")
    for key, value in args.items():
        if type(value) is list and len(value) > MAX_NAMED:
            path = f"args.{key[:40]}"
            raise Malformed("too_many_cards", f"{len(value)} cards, more than {MAX_NAMED}", path=path)
    chance = _chance(raw["chance"]) if "chance" in raw else None
    claims = _facts(raw["claims"]) if "claims" in raw else _NOTHING
    if usual:
        return Entry(number, by, do, args, chance, claims, raw)
    return Entry(
        number,
        by,
        do,
        args,
        chance,
        claims,
        raw,
        _optional(raw, "ref", str),
        _optional(raw, "reason", str),
        _events(raw, do) if "events" in raw else (),
        bool(_optional(raw, "resp", bool)),
        _hash(raw),
    )


def _optional(raw: Mapping[str, Any], key: str, kind: type) -> Any:
    value = raw.get(key)
    if value is not None and type(value) is not kind:
        raise Malformed("wrong_type", f"{key} must be a {kind.__name__}", path=key)
    return value


def _hash(raw: Mapping[str, Any]) -> str | None:
    value = _optional(raw, "h", str)
    if value is not None and (len(value) != 64 or value.strip("0123456789abcdef")):
        raise Malformed("bad_value", "h must be a SHA-256 in hexadecimal", path="h")
    return str(value) if value is not None else None


def _chance(raw: Any) -> tuple[tuple[str, Any], ...]:
    found: list[tuple[str, Any]] = []
    if len(_list(raw, "chance")) > MAX_CHANCE:
        raise Malformed("too_many_items", f"{len(raw)} items of chance, more than {MAX_CHANCE}", path="chance")
    for item in raw:
        path = f"chance[{len(found)}]"
        kind, value = single(item, path)
        reader = _CHANCE.get(kind)
        if reader is None:
            raise Malformed("unknown_chance", f"unknown chance {kind[:40]!r}", path=path)
        found.append((kind, reader(value, path)))
    return tuple(found)


def _drawn(value: Any, path: str) -> tuple[str, ...]:
    refs = _list(value, path)
    if len(refs) > MAX_DRAW:
        raise Malformed("too_many_cards", f"{len(refs)} cards in one draw, more than {MAX_DRAW}", path=path)
    for ref in refs:
        if type(ref) is not str:
            raise Malformed("wrong_type", "a ref must be a string", path=path)
    return tuple(refs)


def _one_seat(value: Any, path: str) -> str:
    if value not in SEATS:
        raise Malformed("bad_value", "a seat is expected", path=path)
    return str(value)


def _picked(value: Any, path: str) -> str:
    return _text(value, path)


def _rolled(value: Any, path: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or any(type(item) is not int for item in value):
        raise Malformed("wrong_type", "a roll must be a number of sides and a result", path=path)
    return value[0], value[1]


_CHANCE: Mapping[str, Callable[[Any, str], Any]] = {
    "draw": _drawn,
    "resource": _drawn,
    "first_player": _one_seat,
    "look": _drawn,
    "reveal": _drawn,
    "pick": _picked,
    "roll": _rolled,
}


def _facts(raw: Any) -> Mapping[str, int | str | None]:
    if not isinstance(raw, dict) or len(raw) > MAX_CLAIMS:
        raise Malformed("wrong_type", f"claims must be an object of at most {MAX_CLAIMS} facts", path="claims")
    for path, value in raw.items():
        if value is not None and type(value) not in (int, str):
            raise Malformed("wrong_type", "a fact must be an integer, a ref or null", path=f"claims.{path[:40]}")
    return raw


def _events(raw: Mapping[str, Any], do: str) -> tuple[tuple[str, Any], ...]:
    if do != "ruling":
        raise Malformed("unknown_key", "only a ruling carries events", path="events")
    events = _list(raw["events"], "events")
    if len(events) > MAX_CLAIMS:
        raise Malformed("too_many_events", f"{len(events)} events in a ruling, more than {MAX_CLAIMS}", path="events")
    return tuple(single(item, f"events[{index}]") for index, item in enumerate(events))


def single(item: Any, path: str) -> tuple[str, Any]:
    """Return the key and the value of an object with exactly one key, such as `{"draw": […]}`."""
    if not isinstance(item, dict) or len(item) != 1:
        raise Malformed("wrong_type", "an object of one key is expected", path=path)
    return next(iter(item.items()))


def _keys(raw: Any, known: frozenset[str], needed: tuple[str, ...], path: str) -> None:
    if not isinstance(raw, dict):
        raise Malformed("wrong_type", "an object is expected", path=path)
    for key in raw:
        if key not in known:
            raise Malformed("unknown_key", f"unknown key {key[:40]!r}", path=path, value=key)
    for key in needed:
        if key not in raw:
            raise Malformed("missing_key", f"the key {key!r} is missing", path=path, value=key)


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise Malformed("wrong_type", "a string is expected", path=path)
    return value


def _list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed("wrong_type", "a list is expected", path=path)
    return value


def _strings(raw: Any, path: str) -> Mapping[str, str]:
    if not isinstance(raw, dict):
        raise Malformed("wrong_type", "an object is expected", path=path)
    return {key: _text(value, f"{path}.{key[:40]}") for key, value in raw.items()}
