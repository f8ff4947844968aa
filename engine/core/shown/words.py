"""Words for what sentences name: cards, places, facts, phases and seats, in French, English or Italian."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.core.cards.card import Card
from engine.core.table import places
from engine.core.table.header import load_game
from engine.core.table.state import COMMON, State
from engine.core.text import phrases
from engine.core.text.errors import Violation
from engine.core.text.rulebook import Rulebook

NOTHING, HIDDEN = "-", "?"
CARDS = ("card", "target", "commander", "creature", "source")  # arguments that name a card, "?" if it is hidden
SEVERAL = " + "  # separates the cards of one argument

Names = Callable[[str], str | None]


def names_of(cards: Mapping[str, Card], lang: str) -> Names:
    """Return a function from a ref to the name of the card in `lang`, or in the catalogue's own language.

    It returns None for a ref that is no card.
    """

    def name(ref: str) -> str | None:
        card = cards.get(ref)
        return None if card is None else card.name_in(lang)

    return name


def nobody(ref: str) -> str | None:
    """Return None for every ref: no names, for use without a catalogue."""
    return None


def texts(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value. A string that names several cards is split."""
    if isinstance(value, str):
        yield from value.split(SEVERAL)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def cards_at(state: State, named: Any) -> dict[str, str]:
    """Return the refs of the known cards at the places that a JSON value names."""
    objects = {text: places.at(state, text) for text in texts(named)}
    return {text: ref for text, obj in objects.items() if obj is not None and (ref := state.refs[obj]) is not None}


class Words:
    """What sentences about a game name, in the words of one language.

    `name` gives the names of cards, `at` the refs of the cards at places ("A/field/2"), if they are known.
    """

    def __init__(
        self, lang: str, game: str | None = None, name: Names = nobody, at: Mapping[str, str] | None = None
    ) -> None:
        self.lang = lang
        self.say = phrases.speaker(lang)
        self.game = game
        self.name = name
        self.at: Mapping[str, str] = at or {}

    def card(self, ref: str | None) -> str:
        """Return a card by its name, or words for a hidden card and for none."""
        if ref is None or ref == NOTHING:
            return self.say("what.nothing")
        return self.say("what.hidden") if ref == HIDDEN else self.name(ref) or ref

    def seat(self, by: str | None) -> str:
        """Return a seat by its letter, or words for the table, the judge and nobody."""
        if by is None or by == NOTHING:
            return self.say("what.nobody")
        return self.say(f"who.{by}") if phrases.known(f"who.{by}") else by

    def winner(self, winner: str | None) -> str:
        """Return who won: a seat, a draw, or nobody."""
        return (
            self.say("winner.none")
            if winner is None
            else self.say("winner.draw" if winner == "draw" else "winner.seat", seat=winner)
        )

    def phase(self, phase: str) -> str:
        """Return a phase by its name, or words for the time before the first phase."""
        return self.say("what.no_phase") if phase == NOTHING else self.say(f"phase.{phase}")

    def is_place(self, text: str) -> bool:
        """Return whether a text has the form of a place, such as "A/T1/fighters/2"."""
        owner, found, _ = text.partition("/")
        return bool(found) and (owner == COMMON or (len(owner) == 1 and owner.isupper()))

    def place(self, path: str) -> str:
        """Return a place in words: the card there, if it is known, and whose zone it is."""
        where = self._where(path)
        ref = self.at.get(path)
        return where if ref is None else self.say("what.card_at", card=self.card(ref), place=where)

    def _where(self, path: str) -> str:
        owner, *parts = path.split("/")
        number = parts.pop() if len(parts) > 1 and parts[-1].isdecimal() else ""
        *outer, zone = parts
        whole = self.zone(zone)
        phrase = whole if owner == COMMON else self.say("what.of_seat", what=whole, seat=owner)
        numbered = [self.say("what.place", n=number)] if number else []
        return ", ".join([phrase, *map(self.zone, outer), *numbered])

    def zone(self, zone: str) -> str:
        """Return a zone or a counter in words; a territory by its number."""
        if zone[:1] == "T" and zone[1:].isdecimal():
            return self.say("what.territory", n=zone[1:])
        return self.say(f"zone.{zone}")

    def fact(self, fact: str) -> str:
        """Return a fact the way one asks for it: a counter, the cards in a zone, a place, a note, the turn."""
        if phrases.known(f"fact.{fact}"):
            return self.say(f"fact.{fact}")
        if fact.startswith("memory."):
            return self._note(fact.removeprefix("memory."))
        if self.is_place(fact):
            return self.place(fact)
        owner, found, key = fact.partition(".")
        if not found or not (owner == COMMON or len(owner) == 1):
            return fact
        zone = key.replace(".", "/")
        layout = None if self.game is None else load_game(self.game).layout
        if layout is not None and zone in (*layout.zones, *layout.common):
            return self.say("what.cards_in", zone=self._where(f"{owner}/{zone}"))
        phrase = self.say(f"fact.{key}") if phrases.known(f"fact.{key}") else self.zone(key)
        return phrase if owner == COMMON else self.say("what.of_seat", what=phrase, seat=owner)

    def _note(self, note: str) -> str:
        """Return what a note is about: the words its line on a board begins with."""
        key = phrases.note_key(self.game or "", note)
        return self.say("what.quoted", what=self.say(key, what="").rstrip(" :"))

    def value(self, value: Any) -> str:
        """Return the value of a fact in words: a number, a card, the cards of a row, a phase, or nothing."""
        if value is None or value == "":
            return self.say("what.nothing")
        if not isinstance(value, str):
            return str(value)
        if phrases.known(f"phase.{value}"):
            return self.phase(value)
        row = value.split(" ")
        listed = len(row) > 1 and all(ref == HIDDEN or self.name(ref) for ref in row)
        return ", ".join(map(self.item, row)) if listed else self.item(value)

    def item(self, item: Any) -> str:
        """Return something a player chose in words: a card, a place, the payment for a card, an option such as yes."""
        if isinstance(item, Mapping):
            card = self.item(item.get("card", HIDDEN))
            return f"{card} ({item['mana']})" if "mana" in item else card
        if item is None or item in (NOTHING, "None"):
            return self.say("what.nothing")
        if not isinstance(item, str):
            return str(item)
        if self.is_place(item):
            return self.place(item)
        if SEVERAL in item:
            return SEVERAL.join(map(self.item, item.split(SEVERAL)))
        if phrases.known(f"pick.{item}"):
            return self.say(f"pick.{item}")
        ref, found, number = item.partition("#")
        if found and number.isdecimal():  # "REF#2": the second of several cards with the same ref
            return f"{self.name(ref) or ref} ({number})"
        seat, found, what = item.partition(" ")
        if found and len(seat) == 1 and seat.isupper():  # "A SAF-VI.3-5": a note of `overrides`, with a rule or a card
            return f"{seat}: {self.name(what) or what}"
        return self.say("what.hidden") if item == HIDDEN else self.name(item) or item

    def argument(self, key: str, value: Any) -> Any:
        """Return an argument of a message in words. Numbers are returned unchanged."""
        if not isinstance(value, str):
            return value
        if key == "phase":
            return self.phase(value)
        if key in ("seat", "by"):
            return self.seat(value)
        if key == "do":
            return self.say(f"verb.{value}")
        if key in ("event", "code"):
            return self._ruled(key, value)
        return self.card(value) if key in CARDS and value in (NOTHING, HIDDEN) else self.item(value)

    def _ruled(self, key: str, value: str) -> str:
        """Return what a ruling tried to do, or why that is not possible."""
        if key == "event":
            return self.say(f"event.{value}")
        return self.say(f"error.{value}").rstrip(".")

    def sentence(self, book: Rulebook, violation: Violation) -> str:
        """Return the sentence of a violation, with the names of what it is about."""
        phrase = book.message(violation, self.lang, {key: self.argument(key, v) for key, v in violation.args.items()})
        return phrase[:1].upper() + phrase[1:]
