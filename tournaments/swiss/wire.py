"""The JSON of an event: read strictly into a field, each defect refused by name and path."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.swiss.field import Field, Match, Player, SwissError

_SCORE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})-([0-9]{1,3})")
_NEGATIVE = re.compile(r"(-?[0-9]{1,3})-(-?[0-9]{1,3})-(-?[0-9]{1,3})")
_PLAYER = {"id": str, "seed": int, "dropped": bool, "bye": bool, "joined": int, "name": str}
_MATCH = {"a", "b", "score", "kind"}
_OPTIONS = ("forbidden", "seed")
_SHORT_DRAW = (0, 0, 3)


@dataclass(frozen=True, slots=True)
class Options:
    """What a pairing is asked beside the field."""

    seed: int = 0
    forbidden: tuple[tuple[str, str], ...] = ()


def parse(text: bytes) -> Any:
    """JSON in UTF-8. Refuses, as `malformed_json`, repeated keys, NaN and infinities, and what nests too deep."""
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
    """The field in `{"players": [...], "rounds": [{"matches": [...]}]}`; `rounds` may be left out."""
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


def options_of(data: Mapping[str, Any]) -> Options:
    """The options of the input: `seed` (0 when left out) and `forbidden`; any other is refused by name."""
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise SwissError("bad_input", "options is an object", "options")
    for name in options:
        if name not in _OPTIONS:
            known = ", ".join(_OPTIONS)
            raise SwissError("unknown_option", f"{name!r} is no option; options: {known}", f"options.{name}")
    seed = options.get("seed", 0)
    if not _is(seed, int):
        raise SwissError("bad_seed", "the seed is a whole number", "options.seed")
    return Options(seed, pairs_of(options.get("forbidden", []), "options.forbidden"))


def pairs_of(data: Any, path: str) -> tuple[tuple[str, str], ...]:
    """A list of pairs of ids."""
    out = []
    for i, entry in enumerate(_list(data, path)):
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(seat, str) for seat in entry)):
            raise SwissError("bad_pair", "a pair is a list of two ids", f"{path}[{i}]")
        out.append((entry[0], entry[1]))
    return tuple(out)


def _is(value: Any, kind: type) -> bool:
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
    plain = "2-0-0" if kind == "bye" else "0-0-0"
    return _made(entry.get("a"), entry.get("b"), entry.get("score", plain), kind, path)


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
