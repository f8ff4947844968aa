"""Replacements that disable one rule of Altered that computes something.

Each replacement is what the engine would look like if its author had missed that rule. `REPLACED` lists them by rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.effects import triggers, values
from engine.core.table.state import State
from engine.games.altered.effects import declared
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import DISCARD, EXPEDITIONS, RESERVE, ROW, SEATS
from engine.games.altered.moves import night, play, turn

Replacement = tuple[Any, str, Any]  # module or object, attribute name, value that replaces it
SET_GOING, INNER = triggers.set_going, HOST.steps["inner"]  # the originals: the tests replace the attributes


def _nothing(*args: Any, **named: Any) -> None:
    return


def _none(*args: Any) -> list[Any]:
    return []


def _always(*args: Any) -> bool:
    return True


def _first_line_alone(*args: Any) -> list[Any]:
    return SET_GOING(*args)[:1]


def _first_keyword_alone(state: State, obj: int, keyword: str) -> bool:
    card = state.card(obj)
    return card is not None and [item["kw"] for item in card.keywords][:1] == [keyword]


def _compulsory(stack: Any, frame: Any) -> None:
    INNER(stack, {**frame, "picked": "yes"})


CROSSED = {(seat, name): ROW[seat, EXPEDITIONS[name == "heros"]] for seat in SEATS for name in EXPEDITIONS}


def _only_in_play(*args: Any) -> Any:
    return iter(())


REPLACED: Mapping[str, tuple[Replacement, ...]] = {
    "ALT-1.2.4.a": ((triggers, "set_going", _first_line_alone),),
    "ALT-1.2.4.b": ((values, "has", _first_keyword_alone),),
    "ALT-1.2.4.d.4": ((play, "of_itself", _only_in_play),),
    "ALT-1.2.5.b": ((HOST, "steps", {**HOST.steps, "inner": _compulsory}),),
    "ALT-1.2.5.e": ((play, "pay", _nothing),),
    "ALT-1.3.2.a": ((HOST, "steps", {**HOST.steps, "dusk": HOST.steps["night"]}),),
    "ALT-1.3.2.c": ((HOST, "steps", {**HOST.steps, "noon": HOST.steps["afternoon"]}),),
    "ALT-1.3.2.e": ((turn, "leading", _none),),
    "ALT-5.2.1.b": ((play, "give", _nothing),),
    "ALT-5.2.1.c": ((play, "ROW", CROSSED),),
    "ALT-5.2.2.a": ((play, "LANDMARKS", RESERVE),),
    "ALT-5.2.3.a": ((declared, "aims", _none),),
    "ALT-5.2.3.d": ((declared, "choosable", _always),),
    "ALT-5.2.3.e": ((declared, "aims", _none),),
    "ALT-5.2.3.f": ((declared, "aims", _none),),
    "ALT-5.2.3.g": ((HOST, "plain", {**HOST.plain, "inner": _nothing}),),
    "ALT-5.2.3.h": ((play, "give", _nothing),),
    "ALT-5.2.3.i": ((play, "give", _nothing),),
    "ALT-5.2.3.j": ((play, "RESERVE", DISCARD),),
    "ALT-7.4.1": ((turn, "DEFENSEUR", ""),),
    "ALT-7.4.2": ((night, "ETERNEL", ""),),
}
