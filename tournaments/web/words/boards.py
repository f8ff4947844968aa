"""Words for what happens on a board: places, facts, notes, lasting effects, choices and moves.

Most of them are the engine's own words, in the language of the page.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from engine import face
from engine.face.boards import COMMON

CHANCES = ("draw", "resource", "first_player", "look", "reveal", "pick", "roll")  # kinds that a log can note
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
    return face.boards.say(key, language(), **args)


def kind_of_chance(typed: str) -> tuple[str, str]:
    """The kind of chance that a text begins with, named as in a log or in any language, and what follows it.

    >>> kind_of_chance("pioche ?, ?")
    ('draw', '?, ?')
    """
    words = next((word for word in _chances() if f"{typed.casefold()} ".startswith(f"{word} ")), "")
    if not words:
        kind, _space, rest = typed.partition(" ")
        return kind, rest
    return _chances()[words], typed[len(words) :].strip()


@cache
def _chances() -> dict[str, str]:
    """The kinds of chance by what they are called, the longest name first."""
    named = {kind: kind for kind in CHANCES}
    named |= {
        face.boards.say(f"chance.{kind}", lang).casefold(): kind
        for kind in CHANCES
        for lang, _name in settings.LANGUAGES
    }
    return dict(sorted(named.items(), key=lambda item: -len(item[0])))


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
    own = face.boards.has_words(f"memory.{game}.{note}")
    if fact in MEMORIES and not own:
        return str(MEMORIES[fact])
    if note != fact:
        return face.boards.say_note(game, note, language(), "?")
    seat, *places = fact.replace(".", "/").split("/")
    if not places or (len(seat) != 1 and seat != COMMON):
        return fact
    words = [] if seat == COMMON else [_("Seat %(seat)s") % {"seat": seat}]
    return ", ".join([*words, *(_part(place) for place in places)])


def _part(place: str) -> str:
    return _("slot %(number)s") % {"number": place} if place.isdigit() else zone_words(place)


def _picked(option: Any) -> str:
    """An option that is neither a card nor a place: yes, a number, a price."""
    return say(f"pick.{option}") if face.boards.has_words(f"pick.{option}") else str(option)


def _short(place: str) -> str:
    """A place in short: “A, Field 2”."""
    seat, *path = place.split("/")
    number = f" {path.pop()}" if len(path) > 1 and path[-1].isdigit() else ""
    return ", ".join([*([] if seat == COMMON else [seat]), *map(zone_words, path)]) + number


def move_words(game: str, move: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A move as a sentence, without its actor: "Raclos attacks Sylvain in territory 2".

    The move's `at` maps the places among its arguments to the cards that lay there when it was made; a place that it
    does not have is named as a place. `names` maps card references to names.
    """
    return face.boards.move_words(game, move, language(), names)


def entry_words(game: str, move: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A move in words with the seat, the table or the judge that makes it: “A plays Raclos”."""
    return face.boards.entry_words(game, move, language(), names)


def moves_words(game: str, moves: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[str]:
    """Moves to choose from, as sentences. Where cards have the same name, their places tell the moves apart."""
    return face.boards.moves_words(game, moves, language(), names)


def verb_words(verb: str) -> str:
    """The words for a verb of a move, such as `play`."""
    return say(f"verb.{verb}")


def actor_words(by: str, players: Mapping[str, str] = MappingProxyType({})) -> str:
    """Who makes a move (`by`): the table, the judge, or the player of a seat; its letter if `players` lacks it."""
    return players.get(by) or say(f"actor.{by}")
