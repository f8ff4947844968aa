"""Merge two logs of the same game, each kept by one player, into one.

A player writes "?" for cards they did not see. Merging fills in what the other player noted, and stops at the first
move at which the two logs contradict each other.

Games are compared, not documents: names of the players, the table, remarks, the wording of reasons and moves that were
taken back do not count, and neither does which player is seat A.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.replay.replay import LogSource
from engine.core.table.log import CHAINED, MAX_MOVES, SEATS, Entry, Log, parse
from engine.core.text.errors import EngineError

ABSENT = object()  # of a key that a log does not have: null is a value of its own
NOTED = "claims"  # figures that somebody noted beside a move; they are not part of the move


class Differ(EngineError):
    """The two logs contradict each other.

    `path` is the first place where they do, `one` and `two` are the values found there. `n` is the number of the entry
    in the first log and `n_two` in the second; None in a log that ends before, and both None for the header.
    """

    verdict = "undetermined"

    def __init__(self, path: str, one: object, two: object, n: int | None = None, n_two: int | None = None) -> None:
        super().__init__("logs_differ", "the two logs do not tell the same game", path=path, n=n)
        self.one = one
        self.two = two
        self.n_two = n_two

    @property
    def reach(self) -> int:
        """How far the games agree: the number of the first move that differs, or more if all moves agree."""
        apart = self.n or self.n_two
        return MAX_MOVES + 1 if apart is None or f".{NOTED}" in self.path else apart


def merge(one: LogSource, two: LogSource) -> dict[str, Any]:
    """Merge two logs of one game and return the merged log as JSON values.

    Where one log knows less than the other, the better-informed value wins: a ref over "?", the refs of cards sent back
    over their number, a decklist or claim that is present over one that is absent. If A noted a draw as
    `["DEMO-SAF-001", "?"]` and B as `["?", "?"]`, the merged entry has `["DEMO-SAF-001", "?"]`. What does not belong to
    the game, such as the names of the players, comes from the first log. The hash chain (`h`) is dropped, because the
    merged entries are not the ones that were hashed.

    Raises Differ, at the first move that differs if there is one, else at the first noted figure or key of the header;
    Malformed or Unsupported if either log cannot be read.
    """
    first, second = (log if isinstance(log, Log) else parse(log) for log in (one, two))
    found: Differ | None = None
    for left, right in _readings(first, second):
        try:
            return _merged(left, right)
        except Differ as differ:
            found = differ if found is None or differ.reach > found.reach else found
    assert found is not None, "there is always a first reading"
    raise found


def _readings(one: Log, two: Log) -> Iterator[tuple[Log, Log]]:
    """The ways to read two logs as one game: as they are, without what was taken back, with other letters for seats."""
    letters = _letters(one, two)
    for second in (two, _relettered(two, letters)) if letters else (two,):
        yield one, second
        if any(entry.do == "back_to" for log in (one, second) for entry in log.entries):
            yield _as_counted(one), _as_counted(second)


def _letters(one: Log, two: Log) -> dict[str, str]:
    """For each seat of the second log the letter that its player has in the first; empty if they are the same."""
    first, second = ({seat: found.player for seat, found in log.header.seats.items()} for log in (one, two))
    named = {player: seat for seat, player in first.items() if player}
    letters = {seat: named[player] for seat, player in second.items() if player in named}
    whole = len(letters) == len(second) == len(named) == len(set(letters.values()))
    return letters if whole and any(seat != letter for seat, letter in letters.items()) else {}


def _relettered(log: Log, letters: Mapping[str, str]) -> Log:
    header = {key: _with_letters(value, letters) for key, value in log.header.raw.items() if key != "seats"}
    seats = {letters[seat]: value for seat, value in log.header.raw["seats"].items()}
    return parse({**header, "seats": seats, "moves": [_with_letters(entry.raw, letters) for entry in log.entries]})


def _with_letters(value: Any, letters: Mapping[str, str]) -> Any:
    """A value with other letters for the seats: by themselves ("A"), and before a place or a counter ("A/T1")."""
    if isinstance(value, Mapping):
        return {_with_letters(key, letters): _with_letters(item, letters) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_letters(item, letters) for item in value]
    if isinstance(value, str) and value[:1] in letters and (len(value) == 1 or value[1] in "/."):
        return letters[value[0]] + value[1:]
    return value


def _as_counted(log: Log) -> Log:
    """A log without the moves that were taken back; those that stay keep their numbers."""
    line: list[Entry] = []
    for entry in log.entries:
        if entry.do == "back_to" and type(entry.args.get("n")) is int:
            line = [kept for kept in line if kept.n <= entry.args["n"]]
        else:
            line.append(entry)
    return Log(log.header, tuple(line))


def _merged(one: Log, two: Log) -> dict[str, Any]:
    moves, noted = _moves(one.entries, two.entries)
    document = _header(one, two)
    if noted is not None:
        raise noted
    return {**document, "moves": moves}


def _moves(one: Sequence[Entry], two: Sequence[Entry]) -> tuple[list[dict[str, Any]], Differ | None]:
    """Merge the moves; also return the first contradiction among the noted figures. Raises Differ for a move."""
    moves, noted = [], None
    for index in range(max(len(one), len(two))):
        left, right = (line[index] if index < len(line) else None for line in (one, two))
        if left is None or right is None:
            n, n_two = (entry.n if entry else None for entry in (left, right))
            raw, raw_two = (entry.raw if entry else None for entry in (left, right))
            raise Differ(f"moves[{(n or n_two or 1) - 1}]", raw, raw_two, n, n_two)
        try:
            moves.append({**_entry(left, right), "n": index + 1})
        except Differ as differ:
            if f".{NOTED}" not in differ.path:
                raise
            noted = noted or differ
    return moves, noted


def _entry(one: Entry, two: Entry) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    path = f"moves[{one.n - 1}]"
    # The noted figures come last, so that a difference among them means that the move itself is the same.
    for key in sorted({**one.raw, **two.raw}, key=lambda key: (key == NOTED, key)):
        left, right = one.raw.get(key, ABSENT), two.raw.get(key, ABSENT)
        if key in ("x", "reason"):
            merged[key] = right if left is ABSENT else left
        elif key not in ("h", "n"):
            try:
                merged[key] = _join(left, right, f"{path}.{key}")
            except Differ as differ:
                raise Differ(differ.path, differ.one, differ.two, one.n, two.n) from None
    return merged


def _header(one: Log, two: Log) -> dict[str, Any]:
    left, right = one.header.raw, two.header.raw
    merged: dict[str, Any] = {}
    for key in CHAINED:
        if key in left or key in right:
            merged[key] = _join(left.get(key, ABSENT), right.get(key, ABSENT), key)
    # These keys are not part of the game: who kept the log may differ, the claimed result may not.
    for key in ("claimed", "recorded_by", "x"):
        if left.get(key) == right.get(key) and key in left:
            merged[key] = left[key]
        elif key == "claimed" and (key in left or key in right):
            merged[key] = _join(left.get(key, ABSENT), right.get(key, ABSENT), key)
    return merged


def _join(one: Any, two: Any, path: str) -> Any:
    """Merge two values of one key: equal values, or the one that says more. Raises Differ for a contradiction."""
    if one == two and type(one) is type(two):
        return one
    if _says_nothing(one, path):
        return two
    if _says_nothing(two, path) or _names_only(path):
        return one
    if path.endswith(".back"):  # a mulligan notes the cards sent back, or only their number
        known = _refs(one, two) or _refs(two, one)
        if known:
            return known
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        if path.endswith("main"):  # decklists are not merged card by card: a card missing from one is a contradiction
            raise Differ(path, one, two)
        keys = sorted({**one, **two})
        return {key: _join(one.get(key, ABSENT), two.get(key, ABSENT), f"{path}.{key}") for key in keys}
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [_join(a, b, f"{path}[{index}]") for index, (a, b) in enumerate(zip(one, two, strict=True))]
    raise Differ(path, one, two)


_NAMES = frozenset({
    "match.event", "match.round", "match.table", "match.game", "match.x", "claimed.x",
    *(f"seats.{seat}.{key}" for seat in SEATS for key in ("player", "x", "deck.x")),
})  # fmt: skip


def _names_only(path: str) -> bool:
    """Whether a key of the header only says who played where, or is a remark: none of that is part of the game."""
    return path in _NAMES


def _says_nothing(value: Any, path: str) -> bool:
    """Whether a value leaves open what the other log may say. A null argument declines, a null winner is a draw."""
    return value is ABSENT or value == "?" or (value is None and not (".args." in path or path == "claimed.winner"))


def _refs(one: Any, two: Any) -> list[Any] | None:
    """Return `one` if it lists the cards that `two` only counts, else None."""
    return one if isinstance(one, list) and type(two) is int and len(one) == two else None
