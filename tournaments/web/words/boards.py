"""Words for what happens on a board: places, facts, notes, lasting effects, choices and moves.

Most of them are the engine's own words, in the language of the page.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournaments.audits import engine_gate
from tournaments.audits.engine_gate import COMMON

MEMORIES: Mapping[str, Any] = {
    "memory.attacked": gettext_lazy("which fighters have attacked this turn"),
    "memory.arrived": gettext_lazy("which fighters were summoned this turn"),
    "memory.moved": gettext_lazy("which fighters have moved this turn"),
    "memory.sacrificed": gettext_lazy("which territories lost a fighter to a sacrifice this turn"),
    "memory.dry": gettext_lazy("whose deck was empty this turn"),
    "memory.ready": gettext_lazy("who has drawn the opening hand"),
    "memory.declared": gettext_lazy("who has declared a commander"),
    "turn.n": gettext_lazy("which turn it is"),
    "turn.seat": gettext_lazy("whose turn it is"),
    "turn.phase": gettext_lazy("which phase it is"),
    "turn.first": gettext_lazy("who went first"),
}


def language() -> str:
    """The language of the page as a code that the engine knows, such as `fr`."""
    return (get_language() or "en").split("-")[0]


def say(key: str, **args: object) -> str:
    """The engine's words for a key such as `zone.hand`, in the language of the page."""
    return engine_gate.say(key, language(), **args)


def zone_words(zone: str) -> str:
    """The name of a zone or a counter; a territory (`T1`) by its number."""
    if zone[:1] == "T" and zone[1:].isdigit():
        return _("Territory %(number)s") % {"number": zone[1:]}
    return str(capfirst(say(f"zone.{zone}")))


def fact_words(fact: str, game: str = "") -> str:
    """A fact of a board in words: `B/T1/fighters/2` is “Seat B, Territory 1, Fighters, slot 2”.

    `game` is needed for facts about the turn that only one game remembers, such as `memory.attacked`.
    """
    note = fact.removeprefix("memory.")
    # A game may have its own words for a note that other games remember too.
    own = engine_gate.has_words(f"memory.{game}.{note}")
    if fact in MEMORIES and not own:
        return str(MEMORIES[fact])
    if note != fact:
        return engine_gate.say_note(game, note, language(), "?")
    seat, *places = fact.replace(".", "/").split("/")
    if not places or (len(seat) != 1 and seat != COMMON):
        return fact
    words = [] if seat == COMMON else [_("Seat %(seat)s") % {"seat": seat}]
    return ", ".join([*words, *(_part(place) for place in places)])


def _part(place: str) -> str:
    return _("slot %(number)s") % {"number": place} if place.isdigit() else zone_words(place)


def _picked(option: Any) -> str:
    """An option that is neither a card nor a place: yes, a number, a price."""
    return say(f"pick.{option}") if engine_gate.has_words(f"pick.{option}") else str(option)


def _short(place: str) -> str:
    """A place in short: “A, Field 2”."""
    seat, *path = place.split("/")
    number = f" {path.pop()}" if len(path) > 1 and path[-1].isdigit() else ""
    return ", ".join([*([] if seat == COMMON else [seat]), *map(zone_words, path)]) + number


def move_words(move: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A move in one line: its verb, then its arguments, with cards by name.

    The move's `at` maps the places among its arguments to the cards that lay there when it was made; a place that it
    does not have is named as a place. `names` maps card references to names. Arguments that are whole boards are left
    out.
    """
    card, *others = _arguments(move, names)
    return " · ".join([f"{verb_words(move['do'])} {card}".strip(), *others])


def choice_words(move: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A move in a list of moves with the same verb: only its arguments, or the verb if it has none."""
    return " · ".join(filter(None, _arguments(move, names))) or verb_words(move["do"])


def _arguments(move: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """The card that a move is about (or ""), then its other arguments in words."""
    name = _namer(move.get("at", {}), names)
    said = [_argument(key, value, name) for key, value in move["args"].items()]
    card = said.pop(0) if next(iter(move["args"]), "") in ("card", "creature") else ""
    return [card, *filter(None, said)]


def verb_words(verb: str) -> str:
    """The words for a verb of a move, such as `play`."""
    return say(f"verb.{verb}")


def actor_words(by: str) -> str:
    """The words for who makes a move (`by`): a seat by its letter, the table or the judge."""
    return say(f"actor.{by}")


def _namer(at: Mapping[str, str], names: Mapping[str, str]) -> Callable[[Any], str]:
    def name(item: Any) -> str:
        if isinstance(item, Mapping):  # a payment
            return f"{name(item['card'])} ({item['mana']})" if "mana" in item else name(item.get("card", "?"))
        if not isinstance(item, str):
            return str(item)
        if item in at:
            return names.get(at[item], at[item])
        if item in names:
            return names[item]
        return _short(item) if "/" in item else _picked(item)

    return name


def _argument(key: str, value: Any, name: Callable[[Any], str]) -> str:
    # A mapping is a whole board, and an empty list or False says nothing.
    if isinstance(value, Mapping) or value in ([], False):
        return ""
    items = value if isinstance(value, list) else [value]
    if not engine_gate.has_words(f"argument.{key}"):
        return f"{key.replace('_', ' ')} {', '.join(map(name, items))}"
    return say(f"argument.{key}", what=", ".join(map(name, items)))
