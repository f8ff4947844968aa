"""Places of objects as logs write them: a slot by its path, a card of a row by its number in it ("A/field/2")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.errors import Ambiguous, Malformed
from engine.core.state import State


def place(state: State, obj: int) -> str:
    """Where an object is: the path of its slot, or that of its row and its number there."""
    path = state.where[obj]
    if state.terms.capacity.get(path) == 1:
        return path
    return f"{path}/{state.zones[path].index(obj) + 1}"


def at(state: State, name: str) -> int | None:
    """The object at a place; None where there is none, or no such place."""
    objects = state.zones.get(name)
    if objects is not None:
        return objects[0] if objects and state.terms.capacity.get(name) == 1 else None
    path, _, number = name.rpartition("/")
    row = state.zones.get(path, [])
    index = int(number) if len(number) <= 4 and number.isascii() and number.isdecimal() else 0
    return row[index - 1] if 0 < index <= len(row) and number == str(index) else None


def read(state: State, value: Any, zones: Sequence[str], key: str) -> str:
    """The place that an argument of an entry names: a place, or the ref of the only such card in `zones`.

    What is in no such zone is given back as it is: nothing is `at` it, and a rule refuses it. Raises Malformed
    `wrong_type`, and Ambiguous `ambiguous_place` where the zones hold several cards of that ref.
    """
    if not isinstance(value, str):
        raise Malformed("wrong_type", f"{key} is the place of a card, or its ref", path=f"args.{key}")
    if "/" in value:  # a place: no ref has one
        return value
    found = [place(state, obj) for zone in zones for obj in state.zones[zone] if state.refs[obj] == value]
    if len(found) > 1:
        raise Ambiguous("ambiguous_place", f"several cards are {value[:64]}", options=found, path=f"args.{key}")
    return found[0] if found else value
