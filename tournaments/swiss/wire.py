"""Read the JSON of an event strictly into a field. Every defect is reported with a code and its path."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.options import Options
from tournaments.swiss.repair import Forgotten, Mistake, Phantom, Published, WrongResult
from tournaments.swiss.scoring import scoring_of

_SCORE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})-([0-9]{1,3})")
_NEGATIVE = re.compile(r"(-?[0-9]{1,3})-(-?[0-9]{1,3})-(-?[0-9]{1,3})")
_PLAYER = {"id": str, "seed": int, "dropped": bool, "bye": bool, "joined": int, "club": str, "name": str}
_MATCH = {"a", "b", "score", "kind", "boards"}
_OPTIONS = {"order": str, "scheme": str, "last": bool, "clubs": bool, "sides": bool}
_BY_PLAYER = {"awarded": str, "tables": int}
_ASKED = ("forbidden", "seed", "scoring", *_OPTIONS, *_BY_PLAYER)
_MISTAKES = ("wrong_result", "forgotten", "phantom")
# The conventional way to write an intentional draw in match lists.
_SHORT_DRAW = (0, 0, 3)


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked of a pairing besides the field."""

    seed: int
    forbidden: tuple[tuple[str, str], ...]
    options: Options


def parse(text: bytes) -> Any:
    """Parse JSON in UTF-8.

    Raises `SwissError` `malformed_json` for repeated keys, NaN, infinities, and input that is nested too deeply.
    """
    try:
        return json.loads(text.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except SwissError:
        raise
    except RecursionError:
        raise SwissError("malformed_json", "the input nests too deep") from None
    except ValueError as error:
        raise SwissError("malformed_json", f"the input is not JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        raise SwissError("malformed_json", "a key is repeated in one object")
    return out


def _no_constant(name: str) -> Any:
    raise SwissError("malformed_json", f"{name} is no number")


def field_of(data: Any) -> Field:
    """Read the field from `{"players": [...], "rounds": [{"matches": [...]}]}`; `rounds` is optional."""
    if not isinstance(data, dict):
        raise SwissError("bad_input", "the input is an object with players and rounds")
    if "players" not in data:
        raise SwissError("missing", "the input has no players", "players")
    players = _list(data["players"], "players")
    rounds = _list(data.get("rounds", []), "rounds")
    return Field(
        players=tuple(_player(entry, f"players[{i}]") for i, entry in enumerate(players)),
        rounds=tuple(_round(entry, f"rounds[{i}]") for i, entry in enumerate(rounds)),
    )


def options_of(data: Mapping[str, Any]) -> Request:
    """Read the options: `seed` (0 by default), `forbidden`, and those of `Options`.

    Raises `SwissError` for options that are unknown or of the wrong type.
    """
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise SwissError("bad_input", "options is an object", "options")
    for name, value in options.items():
        if name not in _ASKED:
            known = ", ".join(_ASKED)
            raise SwissError("unknown_option", f"{name!r} is no option; options: {known}", f"options.{name}")
        if name in _OPTIONS and not _is(value, _OPTIONS[name]):
            raise SwissError("bad_option", f"{name} is of the wrong type", f"options.{name}")
        if name in _BY_PLAYER:
            _check_by_player(name, value)
    seed = options.get("seed", 0)
    if not _is(seed, int):
        raise SwissError("bad_seed", "the seed is a whole number", "options.seed")
    rest = {name: value for name, value in options.items() if name in _OPTIONS or name in _BY_PLAYER}
    if "scoring" in options:
        rest["scoring"] = scoring_of(options["scoring"])
    return Request(seed, pairs_of(options.get("forbidden", []), "options.forbidden"), Options(**rest))


def _check_by_player(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise SwissError("bad_option", f"{name} is an object of one entry a player", f"options.{name}")
    for player, entry in value.items():
        if not _is(entry, _BY_PLAYER[name]):
            raise SwissError("bad_option", f"an entry of {name} is of the wrong type", f"options.{name}.{player}")


def pairs_of(data: Any, path: str) -> tuple[tuple[str, str], ...]:
    """Read a list of pairs of ids."""
    out = []
    for i, entry in enumerate(_list(data, path)):
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(seat, str) for seat in entry)):
            raise SwissError("bad_pair", "a pair is a list of two ids", f"{path}[{i}]")
        out.append((entry[0], entry[1]))
    return tuple(out)


def published_of(data: Mapping[str, Any]) -> Published:
    """Read the published round: `pairs`, `bye`, and the `tables` of the pairs (by default 1, 2, …)."""
    if "pairs" not in data:
        raise SwissError("missing", "the input has no pairs", "pairs")
    pairs = pairs_of(data["pairs"], "pairs")
    tables = _list(data.get("tables", list(range(1, len(pairs) + 1))), "tables")
    if not all(_is(table, int) for table in tables):
        raise SwissError("bad_tables", "the tables are whole numbers", "tables")
    bye = data.get("bye")
    if not (bye is None or isinstance(bye, str)):
        raise SwissError("bad_input", "the bye is an id", "bye")
    return Published(pairs, tuple(tables), bye)


def mistake_of(data: Mapping[str, Any]) -> Mistake | None:
    """Read the mistake in a published round.

    It is one of `{"wrong_result": {"round", "match"}}`, `{"forgotten": player}` and `{"phantom": id}`. Returns None if
    it is left out, which means that the field is already correct.
    """
    if (mistake := data.get("mistake")) is None:
        return None
    if not isinstance(mistake, dict) or len(mistake) != 1 or not mistake.keys() <= {*_MISTAKES}:
        raise SwissError("unknown_mistake", f"a mistake is one of {', '.join(_MISTAKES)}", "mistake")
    kind, said = next(iter(mistake.items()))
    path = f"mistake.{kind}"
    if kind == "phantom":
        if not isinstance(said, str):
            raise SwissError("bad_player", "a phantom is an id", path)
        return Phantom(said)
    if kind == "forgotten":
        return Forgotten(_player(said, path))
    if not isinstance(said, dict) or said.keys() != {"round", "match"} or not _is(said["round"], int):
        raise SwissError("bad_round", "a wrong result has the number of its round and its match", path)
    return WrongResult(said["round"], _match(said["match"], f"{path}.match"))


def _is(value: Any, kind: type) -> bool:
    # In Python True is an int.
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise SwissError("bad_input", f"{path} is a list", path)
    return value


def _player(entry: Any, path: str) -> Player:
    if not isinstance(entry, dict) or "id" not in entry:
        raise SwissError("bad_player", "a player is an object with an id", path)
    for name, value in entry.items():
        if name not in _PLAYER:
            raise SwissError("unknown_key", f"{name!r} is no key of a player", f"{path}.{name}")
        if not _is(value, _PLAYER[name]):
            raise SwissError("bad_player", f"{name} is of the wrong type", f"{path}.{name}")
    # JSON allows lone surrogates, but they cannot be encoded as UTF-8, as the tiebreak `random` does with ids.
    if any("\ud800" <= letter <= "\udfff" for letter in entry["id"]):
        raise SwissError("bad_player", "the id holds half a character", f"{path}.id")
    return Player(**{name: value for name, value in entry.items() if name != "name"})


def _round(entry: Any, path: str) -> tuple[Match, ...]:
    if not isinstance(entry, dict) or "matches" not in entry:
        raise SwissError("bad_round", "a round is an object with matches", path)
    matches = _list(entry["matches"], f"{path}.matches")
    return tuple(_match(match, f"{path}.matches[{i}]") for i, match in enumerate(matches))


def _match(entry: Any, path: str) -> Match:
    if isinstance(entry, dict):
        return _long(entry, path)
    if not isinstance(entry, list) or len(entry) != 3:
        raise SwissError("bad_match", "a match is [a, b, score] or an object with a, b, score and kind", path)
    return _made(entry[0], entry[1], entry[2], None, path)


def _long(entry: Mapping[str, Any], path: str) -> Match:
    for name in entry:
        if name not in _MATCH:
            raise SwissError("unknown_key", f"{name!r} is no key of a match", f"{path}.{name}")
    kind = entry.get("kind")
    if kind is not None and not isinstance(kind, str):
        raise SwissError("unknown_kind", "the kind of a match is a text", f"{path}.kind")
    if "score" not in entry and kind is None:
        raise SwissError("bad_score", "a match has a score", path)
    # A bye without a score counts as 2-0, as in a best of 3.
    plain = "2-0-0" if kind == "bye" else "0-0-0"
    found = _made(entry.get("a"), entry.get("b"), entry.get("score", plain), kind, path)
    return replace(found, boards=_boards(entry["boards"], f"{path}.boards")) if "boards" in entry else found


def _boards(data: Any, path: str) -> tuple[tuple[int, int, int], ...]:
    boards = []
    for i, entry in enumerate(_list(data, path)):
        if not (isinstance(entry, list) and len(entry) == 3 and all(_is(games, int) for games in entry)):
            raise SwissError("board_invalid", "a board is games won by each side and games drawn", f"{path}[{i}]")
        boards.append((entry[0], entry[1], entry[2]))
    return tuple(boards)


def _made(a: Any, b: Any, score: Any, kind: str | None, path: str) -> Match:
    if a is None or a == "":
        raise SwissError("no_player", "the first seat of a match is empty", path)
    if not isinstance(a, str) or not (b is None or isinstance(b, str)):
        raise SwissError("bad_match", "the seats of a match are ids", path)
    games = _games(score, path)
    if kind is None:
        kind = "bye" if b is None else "intentional_draw" if games == _SHORT_DRAW else "played"
    return Match(a, b, *games, kind=kind)


def _games(score: Any, path: str) -> tuple[int, int, int]:
    if isinstance(score, str):
        if found := _SCORE.fullmatch(score):
            return int(found[1]), int(found[2]), int(found[3])
        if _NEGATIVE.fullmatch(score):
            raise SwissError("negative_games", "a number of games is negative", path)
    raise SwissError("bad_score", 'a score is "games won by a-games won by b-drawn games", such as "2-1-0"', path)
