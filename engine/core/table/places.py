"""The names of places in logs: the path of a slot, or the path of a row and a card's number in it ("A/field/2")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.table.state import State
from engine.core.text.errors import Ambiguous, Malformed


def place(state: State, obj: int) -> str:
    """Return where an object is: the path of its slot, or the path of its row and its number there, from 1."""
    path = state.where[obj]
    if state.terms.capacity.get(path) == 1:
        return path
    return f"{path}/{state.zones[path].index(obj) + 1}"


def at(state: State, name: str) -> int | None:
    """Return the object at a place, or None if the place is empty or does not exist."""
    objects = state.zones.get(name)
    if objects is not None:
        return objects[0] if objects and state.terms.capacity.get(name) == 1 else None
    path, _, number = name.rpartition("/")
    row = state.zones.get(path, [])
    # Bounded, because `name` comes from a log; "02" is no name of the second card, each place has one spelling.
    index = int(number) if len(number) <= 4 and number.isascii() and number.isdecimal() else 0
    return row[index - 1] if 0 < index <= len(row) and number == str(index) else None


def read(state: State, value: Any, zones: Sequence[str], key: str) -> str:
    """Return the place an argument of an entry names: a place as written, or a ref if `zones` hold one such card.

    A ref that is in none of the zones is returned unchanged: nothing is `at` it, so a rule refuses the move and can
    name the card. Raises Malformed `wrong_type`, and Ambiguous `ambiguous_place` if the zones hold several cards of
    that ref.
    """
    if not isinstance(value, str):
        raise Malformed("wrong_type", f"{key} must be the place of a card, or its ref", path=f"args.{key}")
    if "/" in value:  # a place: refs contain no slash
        return value
    found = [place(state, obj) for zone in zones for obj in state.zones[zone] if state.refs[obj] == value]
    if len(found) > 1:
        raise Ambiguous("ambiguous_place", f"several cards are {value[:64]}", options=found, path=f"args.{key}")
    return found[0] if found else value
