"""Translate between the object numbers of a state and the names people write.

Memory, lasting effects and waiting frames refer to objects by number; boards and declared positions use names:
"A/T1/fighters/2" for the card in a slot, "A/hand/3" for the third card of a zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.abilities.language import Language, faults
from engine.core.table.game import Game
from engine.core.table.places import place
from engine.core.table.state import State
from engine.core.text.errors import Malformed

MAX_FRAMES = 100  # frames in a declared agenda
MAX_OPTIONS = 1_000  # options of a declared choice; also the largest number a frame may hold
# What resolving a declared frame may raise when the frame does not fit its board. Frames are checked one by one as they
# are read, but whether they fit together only shows when they are resolved.
UNFIT = (LookupError, AttributeError, TypeError, ValueError, AssertionError)
ASK_KEYS = ("by", "options", "optional", "rule")


def object_named(state: State, name: Any, path: str) -> int:
    """Return the number of the object with this name. Raises Malformed `unknown_fact` if nothing is there."""
    if isinstance(name, str):
        zone, _, number = name.rpartition("/")
        if state.terms.capacity.get(name) == 1 and state.zones[name]:
            return state.zones[name][0]
        objects = state.zones.get(zone, [])
        if number.isdecimal() and len(number) < 5 and 1 <= int(number) <= len(objects):
            return objects[int(number) - 1]
    raise Malformed("unknown_fact", f"nothing at {str(name)[:40]!r}", path=path)


def memory(state: State, game: Game) -> dict[str, list[int | str]]:
    """Return the notes that a board does not show, by key, with objects as names. Keys without a note are left out."""
    return {
        key: [
            value if isinstance(value, str) or key in game.numbered else place(state, value)
            for value in state.memory[key]
        ]
        for key in game.notes
        if key in state.memory
    }


def frames(state: State, game: Game) -> list[dict[str, Any]]:
    """Return the effects still waiting to resolve, in the form a declared position uses."""
    return [_frame_json(state, game, frame) for frame in state.agenda]


def _frame_json(state: State, game: Game, frame: Mapping[str, Any]) -> dict[str, Any]:
    shape = game.frames[frame["step"]]
    return {key: _value_json(state, game, shape.get(key, "").rstrip("?"), value) for key, value in frame.items()}


def unfit() -> Malformed:
    """Return the error for declared frames that can be read one by one but do not fit the declared board."""
    return Malformed("bad_value", "the effects declared to wait do not fit the board", path="start.agenda")


def _value_json(state: State, game: Game, kind: str, value: Any) -> Any:
    if kind == "frame":
        return None if value is None else _frame_json(state, game, value)
    if kind == "frames":
        return [_frame_json(state, game, frame) for frame in value]
    if kind == "seen":
        return [place(state, value[0]), *value[1:]]
    if kind == "object":
        return place(state, value)
    if kind == "objects":
        return [place(state, obj) for obj in value]
    if kind == "source":  # the values of a `host.Source`, whose sixth is itself a `host.Seen`
        it = None if value[5] is None else _value_json(state, game, "seen", value[5])
        return [place(state, value[0]), *value[1:5], it, value[6]]
    return value


def read_frames(state: State, game: Game, language: Language, raw: Any, path: str) -> tuple[Mapping[str, Any], ...]:
    """Read the frames written by `frames`.

    Each must be a step of the game and hold what that step needs; the last one must wait for an answer (`ask`).
    Raises Malformed: `wrong_type`, `unknown_key`, `missing_key`, `bad_value`, `unknown_fact`.
    """
    if not isinstance(raw, list) or len(raw) > MAX_FRAMES:
        raise Malformed("wrong_type", f"a list of at most {MAX_FRAMES} frames is expected", path=path)
    found = tuple(_frame(state, game, language, item, f"{path}[{index}]") for index, item in enumerate(raw))
    if found and "ask" not in found[-1]:
        raise Malformed("missing_key", "the last frame is the one that waits: it has an ask", path=path)
    return found


def _frame(state: State, game: Game, language: Language, raw: Any, path: str) -> Mapping[str, Any]:
    step = raw.get("step") if isinstance(raw, Mapping) else None
    shape = game.frames.get(step) if isinstance(step, str) else None
    if shape is None:
        raise Malformed("bad_value", f"step must be one of: {', '.join(game.frames)}", path=f"{path}.step")
    for key in raw:
        if key not in ("step", "ask", "made", *shape):
            raise Malformed("unknown_key", f"unknown key {key[:40]!r}", path=path)
    found: dict[str, Any] = {"step": step}
    for key, kind in shape.items():
        if key in raw and kind == "frame":
            found[key] = None if raw[key] is None else _frame(state, game, language, raw[key], f"{path}.{key}")
        elif key in raw and kind == "frames":
            found[key] = [dict(item) for item in _waiting(state, game, language, raw[key], f"{path}.{key}")]
        elif key in raw:
            found[key] = _READERS[kind.rstrip("?")](state, language, raw[key], f"{path}.{key}")
        elif not kind.endswith("?"):
            raise Malformed("missing_key", f"the key {key!r} is missing", path=path)
    if "made" in raw:
        found["made"] = _number(state, language, raw["made"], f"{path}.made")
    if "ask" in raw:
        found["ask"] = _ask(state, raw["ask"], f"{path}.ask")
    return found


def _waiting(state: State, game: Game, language: Language, raw: Any, path: str) -> list[Mapping[str, Any]]:
    if not isinstance(raw, list) or len(raw) > MAX_FRAMES:
        raise Malformed("wrong_type", f"a list of at most {MAX_FRAMES} frames is expected", path=path)
    return [_frame(state, game, language, item, f"{path}[{index}]") for index, item in enumerate(raw)]


def _ask(state: State, raw: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping) or raw.keys() != frozenset(ASK_KEYS) or type(raw["optional"]) is not bool:
        raise Malformed("wrong_type", f"a choice has: {', '.join(ASK_KEYS)}", path=path)
    _seat(state, None, raw["by"], f"{path}.by")
    if not isinstance(raw["rule"], str):
        raise Malformed("wrong_type", "a rule is expected", path=f"{path}.rule")
    return {**raw, "options": _texts(state, None, raw["options"], f"{path}.options")}


def _object(state: State, language: Any, value: Any, path: str) -> int:
    return object_named(state, value, path)


def _objects(state: State, language: Any, value: Any, path: str) -> list[int]:
    if not isinstance(value, list) or len(value) > MAX_OPTIONS:
        raise Malformed("wrong_type", f"a list of at most {MAX_OPTIONS} names is expected", path=path)
    return [object_named(state, name, path) for name in value]


def _source(state: State, language: Any, value: Any, path: str) -> list[Any]:
    # `bool` is an `int`, so types are compared, not tested with `isinstance`: `true` is no number in a log.
    shape = (str, str, int, int, str)
    if not isinstance(value, list) or tuple(type(item) for item in value[:5]) != shape or len(value) != 7:
        raise Malformed(
            "wrong_type", "a source must be [card, seat, area, slot, place, what it is about, x]", path=path
        )
    _seat(state, None, value[1], path)
    it = None if value[5] is None else _seen(state, language, value[5], path)
    return [object_named(state, value[0], path), *value[1:5], it, _number(state, language, value[6], path)]


def _seen(state: State, language: Any, value: Any, path: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != 5 or type(value[1]) is not str:
        raise Malformed("wrong_type", "a card as it was must be [card, place, ref, figures, keywords]", path=path)
    obj, where, ref, figures, keywords = value
    known = figures is None or (isinstance(figures, Mapping) and all(type(n) is int for n in figures.values()))
    if not known or (ref is not None and ref not in state.terms.cards):
        raise Malformed("wrong_type", "figures are integers by name, and the ref is in the catalogue", path=path)
    words = None if keywords is None else _texts(state, language, keywords, path)
    return [object_named(state, obj, path), where, ref, figures, words]


def _flag(state: State, language: Any, value: Any, path: str) -> bool:
    if type(value) is not bool:
        raise Malformed("wrong_type", "true or false is expected", path=path)
    return value


def _end(state: State, language: Language, value: Any, path: str) -> int | str:
    if type(value) is int or (isinstance(value, str) and value in language.known("duration")):
        return value
    raise Malformed("bad_value", "the number of a turn or a duration is expected", path=path)


def _seat(state: State, language: Any, value: Any, path: str) -> str:
    if value not in state.terms.seats:
        raise Malformed("unknown_seat", "a seat is expected", path=path)
    return str(value)


def _text(state: State, language: Any, value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise Malformed("wrong_type", "a string is expected", path=path)
    return value


def _texts(state: State, language: Any, value: Any, path: str) -> list[str]:
    if not isinstance(value, list) or len(value) > MAX_OPTIONS or not all(isinstance(item, str) for item in value):
        raise Malformed("wrong_type", f"a list of at most {MAX_OPTIONS} strings is expected", path=path)
    return value


def _number(state: State, language: Any, value: Any, path: str) -> int:
    if type(value) is not int or not 0 <= value <= MAX_OPTIONS:
        raise Malformed("bad_value", f"an integer from 0 to {MAX_OPTIONS} is expected", path=path)
    return value


def _numbers(state: State, language: Any, value: Any, path: str) -> list[int]:
    if not isinstance(value, list) or len(value) > MAX_OPTIONS:
        raise Malformed("wrong_type", f"a list of at most {MAX_OPTIONS} integers is expected", path=path)
    return [_number(state, language, item, path) for item in value]


def _operations(state: State, language: Language, value: Any, path: str) -> Any:
    fault = next(faults({"on": language.triggers[0], "do": value}, language), None)
    if fault is not None:
        raise Malformed("bad_value", f"no operations of the game: {fault.message}"[:200], path=path)
    return value


def _operation(state: State, language: Language, value: Any, path: str) -> Any:
    return _operations(state, language, [value], path)[0]


def _ability(state: State, language: Language, value: Any, path: str) -> Any:
    fault = next(faults(value, language), None)
    if fault is not None:
        raise Malformed("bad_value", f"no ability of the game: {fault.message}"[:200], path=path)
    return value


def _branches(state: State, language: Language, value: Any, path: str) -> Any:
    if not isinstance(value, Mapping):
        raise Malformed("wrong_type", "an object is expected", path=path)
    return {key: _operations(state, language, ops, f"{path}.{key[:40]}") for key, ops in value.items()}


# The reader of each kind of value named in `Game.frames`. "frame" and "frames" are read by `_frame` itself.
_READERS = {
    "object": _object,
    "objects": _objects,
    "source": _source,
    "seen": _seen,
    "flag": _flag,
    "end": _end,
    "seat": _seat,
    "text": _text,
    "texts": _texts,
    "number": _number,
    "numbers": _numbers,
    "operation": _operation,
    "operations": _operations,
    "ability": _ability,
    "branches": _branches,
}
