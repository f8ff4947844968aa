"""Lasting effects in the JSON of boards and declared positions: one object for each record of `State.lasting`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.core.abilities.language import Language, faults
from engine.core.table.naming import object_named
from engine.core.table.places import place
from engine.core.table.state import State
from engine.core.text.errors import Malformed

# The JSON keys of each kind of lasting effect, besides its target, end and source.
EFFECTS: Mapping[str, tuple[str, ...]] = {
    "add": ("stat", "n"),
    "silence": (),
    "grant": ("keyword",),
    "forbid": ("what",),
    "control": (),
}
ENDS = {0: "permanent", -1: "while_source"}
NUMBERS = {word: number for number, word in ENDS.items()}
MOST = 1_000  # largest bonus in a record; ten times as many turns are the latest end


class Records:
    """Reads and writes the lasting effects of one game.

    `own` are effects that only this game has; `areas` gives the areas for those of them that are on an area, not a
    card.
    """

    def __init__(
        self, language: Language, own: tuple[str, ...] = (), areas: Mapping[str, tuple[str, ...]] | None = None
    ):
        self.language = language
        awaited = {"next": ("what",)} if "next" in language.operations else {}
        self.effects = {**EFFECTS, **awaited, **dict.fromkeys(own, ())}
        self.areas = areas or {}
        # Effects that may be on a player. A bonus is so only where it awaits the cards that the player has yet to play.
        self.seated = ("forbid", "next", *(("add",) if "newcomers" in language.operations else ()))

    def as_json(self, state: State, record: tuple[Any, ...]) -> dict[str, Any]:
        """Return a lasting effect as JSON: what it does, on which card, area or player, until when, from which card."""
        kind, target, key, amount, until, giver = record
        where = target if isinstance(target, str) else place(state, target)
        what = dict(zip(self.effects[kind], (json.loads(key) if kind == "next" else key, amount), strict=False))
        return {"effect": kind, "on": where, **what, "until": ENDS.get(until, until), "from": place(state, giver)}

    def read(self, state: State, raw: Any, path: str) -> tuple[Any, ...]:
        """Read a record written by `as_json`. Raises Malformed."""
        if not isinstance(raw, Mapping):
            raise Malformed("wrong_type", "an object is expected", path=path)
        kind = raw.get("effect")
        if not isinstance(kind, str) or kind not in self.effects:
            raise Malformed("bad_value", f"effect must be one of: {', '.join(self.effects)}", path=f"{path}.effect")
        keys = ("effect", "on", *self.effects[kind], "until", "from")
        for key in raw:
            if key not in keys:
                raise Malformed("unknown_key", f"unknown key {key[:40]!r}", path=path)
        for key in keys:
            if key not in raw:
                raise Malformed("missing_key", f"the key {key!r} is missing", path=f"{path}.{key}")
        word, amount = self._what(kind, raw, path)
        giver = object_named(state, raw["from"], f"{path}.from")
        return kind, self._target(state, kind, raw["on"], path), word, amount, self._until(raw["until"], path), giver

    def _target(self, state: State, kind: str, on: Any, path: str) -> int | str:
        """Return the target: an area, a player (for a prohibition, or for cards they play later), or a card."""
        if kind in self.areas and on not in self.areas[kind]:
            raise Malformed("bad_value", f"one of {', '.join(self.areas[kind])} is expected", path=f"{path}.on")
        if kind in self.areas or (kind in self.seated and on in state.terms.seats):
            return str(on)
        return object_named(state, on, f"{path}.on")

    def _what(self, kind: str, raw: Mapping[str, Any], path: str) -> tuple[str, int]:
        """Return the word and the number of an effect: a figure and its change, a keyword, or what is forbidden."""
        if kind == "next":
            return self._operation(raw["what"], path), 0
        group = {"add": "stat", "grant": "grantable", "forbid": "forbidden"}.get(kind)
        if group is None:
            return "", 0
        name, known = self.effects[kind][0], self.language.words.get(group, ())
        word, amount = raw[name], raw.get("n", 0)
        if word not in known or type(amount) is not int or not -MOST <= amount <= MOST:
            raise Malformed("bad_value", f"{name} must be one of: {', '.join(known)}, n an integer", path=path)
        return str(word), amount

    def _operation(self, raw: Any, path: str) -> str:
        """Return the operation about the next card as JSON text. Raises Malformed if it is none of the game's."""
        shaped = isinstance(raw, Mapping) and raw.get("op") == "next"
        fault = next(faults({"on": self.language.triggers[0], "do": [raw]}, self.language), None)
        if not shaped or fault is not None:
            raise Malformed("bad_value", "what must be an operation `next` of the game", path=f"{path}.what")
        return json.dumps(raw, sort_keys=True, ensure_ascii=False)

    def _until(self, value: Any, path: str) -> int | str:
        durations = self.language.words["duration"]
        words = tuple(word for word in durations if word == "phase" or word.startswith("until:"))
        if isinstance(value, str) and (value in NUMBERS or value in words):
            return NUMBERS.get(value, value)
        if type(value) is not int or not 1 <= value <= 10 * MOST:
            known = ", ".join((*NUMBERS, *words))
            raise Malformed("bad_value", f"the number of a turn, or: {known}", path=f"{path}.until")
        return value
