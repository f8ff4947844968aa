"""The words of places, facts, notes, effects that last, choices and moves, in the language of the page."""

from collections.abc import Callable, Iterator, Mapping
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
    """The language of the page, as the engine names it."""
    return (get_language() or "en").split("-")[0]


def say(key: str, **args: object) -> str:
    """The engine's words of a key, in the language of the page."""
    return engine_gate.say(key, language(), **args)


def zone_words(zone: str) -> str:
    """A zone or a counter by name; a territory with its number."""
    if zone[:1] == "T" and zone[1:].isdigit():
        return _("Territory %(number)s") % {"number": zone[1:]}
    return str(capfirst(say(f"zone.{zone}")))


def fact_words(fact: str, game: str = "") -> str:
    """A fact of a board as one would ask for it: `B/T1/fighters/2` is “Seat B, Territory 1, Fighters, slot 2”."""
    note = fact.removeprefix("memory.")
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


class Told:
    """What a board tells beside its cards, in words that name the cards, the places and the players of this board."""

    def __init__(self, board: Mapping[str, Any], players: Mapping[str, str]) -> None:
        self.board = board
        self.players = players

    def lines(self) -> list[str]:
        """Notes that matter now, effects that last, and the choice that is awaited, one line each."""
        game, choice = self.board["game"], self.board.get("pending")
        lines = [
            engine_gate.say_note(game, note, language(), ", ".join(map(self.name, noted)))
            for note, noted in engine_gate.notes_told(self.board).items()
        ]
        lines += [self._lasting(record) for record in self.board.get("lasting", ())]
        if choice:
            options = " · ".join(map(self.name, choice.get("options", ()))) or "?"
            lines.append(say("board.pending", seat=self.name(choice["by"]), options=options, rule=choice["rule"]))
        return lines

    def name(self, what: Any) -> str:
        """A player for a seat, “Chien de Scorie (A, Field 2)” for the place of a card, a card for its ref."""
        if what in self.board["seats"]:
            return self.players.get(what) or _("Seat %(seat)s") % {"seat": what}
        if not isinstance(what, str) or "/" not in what:
            return self._names().get(what) or _picked(what)
        card = engine_gate.card_at(self.board, what)
        where = _short(what)
        return f"{card['name']} ({where})" if card and card.get("name") else where

    def _names(self) -> dict[str, str]:
        return dict(_cards(self.board["seats"])) | dict(_cards(self.board.get(COMMON)))

    def _lasting(self, record: Mapping[str, Any]) -> str:
        until, what = record["until"], say(f"lasts.{record['effect']}")
        if "stat" in record:
            what += f" {say('figure.' + record['stat'])} {record['n']:+d}"
        what += f" {record['keyword']}" if "keyword" in record else ""
        what += f" {say('forbidden.' + record['what'])}" if "what" in record else ""
        end = say(f"until.{until}") if isinstance(until, str) else say("until.turn", n=until)
        return say("board.lasting", on=self.name(record["on"]), what=what, end=end)


def _cards(value: Any) -> Iterator[tuple[str, str]]:
    """The cards of a part of a board: their refs and names."""
    if isinstance(value, Mapping) and "name" in value:
        yield value["ref"], value["name"]
    elif isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _cards(item)


def _picked(option: Any) -> str:
    """An option that is no card and no place: yes, a number, a price."""
    return say(f"pick.{option}") if engine_gate.has_words(f"pick.{option}") else str(option)


def _short(place: str) -> str:
    """A place in few words: “A, Field 2”."""
    seat, *path = place.split("/")
    number = f" {path.pop()}" if len(path) > 1 and path[-1].isdigit() else ""
    return ", ".join([*([] if seat == COMMON else [seat]), *map(zone_words, path)]) + number


def move_words(move: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A move in one line: what its actor does, then its arguments, cards by name.

    `at` of the move are the cards at the places among its arguments, as it was made; a place without one is said as a
    place. Boards among the arguments are left out.
    """
    card, *others = _arguments(move, names)
    return " · ".join([f"{verb_words(move['do'])} {card}".strip(), *others])


def choice_words(move: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A move among others of its kind: its arguments alone, as its verb stands above; the verb where it has none."""
    return " · ".join(filter(None, _arguments(move, names))) or verb_words(move["do"])


def _arguments(move: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """The card that a move is about, or nothing, then its other arguments in words."""
    name = _namer(move.get("at", {}), names)
    said = [_argument(key, value, name) for key, value in move["args"].items()]
    card = said.pop(0) if next(iter(move["args"]), "") in ("card", "creature") else ""
    return [card, *filter(None, said)]


def verb_words(verb: str) -> str:
    """What the actor of a move does."""
    return say(f"verb.{verb}")


def actor_words(by: str) -> str:
    """Who makes a move: a seat by its letter, the table, the judge."""
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
    if isinstance(value, Mapping) or value in ([], False):
        return ""
    items = value if isinstance(value, list) else [value]
    if not engine_gate.has_words(f"argument.{key}"):
        return f"{key.replace('_', ' ')} {', '.join(map(name, items))}"
    return say(f"argument.{key}", what=", ".join(map(name, items)))
