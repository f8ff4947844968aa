"""Moves and chance as sentences, the way a match report tells them: "Raclos attacks Sylvain in territory 2".

The sentences are in `commentary.toml`, here for the verbs that every game has, and in the package of each game for its
own. They do not name who makes the move, because lists show that before the sentence. The tables of such a file:

- `[say.VERB]`: sentences by the arguments they need, as "card territory slot". A condition may follow an argument:
  `=none` (null, false or an empty list), `=one` or `=many` (the length of a list), `=number`, `=unknown` (nothing but
  "?"), `=in:ZONE` (a place in that zone), or the value itself. `actor` stands for who makes the move. The sentence that
  names the most arguments is used, then the one with the most conditions. A verb without sentences has its phrase.
- `[place.VERB]`: the places that numbers among the arguments stand for, such as slots. A place without `{n}` is one
  that the verb always means, such as a player's commander.
- `[noun.VERB]`: what to call the card at the place of an argument while it is unknown; `{n}` is its number there.
- `[zone]`: places in words, by zone: "field/n" for a numbered card, "hand/card" for a named one.
- `[value]`: values in words, as "heros", or "expedition.heros" for that argument alone.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from engine.core.shown.words import HIDDEN, Names, Words, nobody
from engine.core.table.header import load_game
from engine.core.text import phrases, registry

Phrase = Mapping[str, str]  # by language
FIELD = re.compile(r"{(\w+)}")
DICE = "roll"  # consecutive dice are told as one: "rolls 3 and 5"
NO_VERBS = ("chance", "event")  # sentences of other things than moves, in the same table


class Template(NamedTuple):
    """A sentence and what it needs: pairs of an argument and a condition, "" if any value will do."""

    needs: tuple[tuple[str, str], ...]
    phrase: Phrase

    @property
    def arguments(self) -> frozenset[str]:
        """The arguments that the sentence names."""
        return frozenset(key for key, _ in self.needs)

    @property
    def rank(self) -> tuple[int, int]:
        """How much of a move the sentence names, then how narrow its conditions are."""
        return len(self.arguments), sum(bool(condition) for _, condition in self.needs)


@dataclass(frozen=True, slots=True)
class Book:
    """The tables of a game, with those of every game."""

    say: Mapping[str, Sequence[Template]]
    place: Mapping[str, Mapping[str, str]]
    noun: Mapping[str, Mapping[str, Phrase]]
    zone: Mapping[str, Phrase]
    value: Mapping[str, Phrase]


@cache
def _book(game: str) -> Book:
    read: dict[str, dict[str, Any]] = {"say": {}, "place": {}, "noun": {}, "zone": {}, "value": {}}
    for package in (registry.package(game), "engine.core.shown"):
        text = files(package).joinpath("commentary.toml").read_text(encoding="utf-8")
        for table, entries in tomllib.loads(text).items():
            for key, found in entries.items():
                if table == "say":
                    read["say"].setdefault(key, []).extend(_templates(found))
                else:
                    read[table].setdefault(key, found)
    return Book(**read)


def _templates(entries: Mapping[str, Phrase]) -> Iterator[Template]:
    for key, phrase in entries.items():
        needs = (need.partition("=") for need in key.split())
        yield Template(tuple((name, condition) for name, _, condition in needs), phrase)


def move_sentence(
    game: str,
    move: Mapping[str, Any],
    lang: str,
    names: Names = nobody,
    at: Mapping[str, str] | None = None,
    *,
    exact: bool = False,
) -> str:
    """Return a move as a sentence that does not name the actor, such as "Plays Raclos in territory 2, slot 1".

    `move` is `{by, do, args}` as legal moves and logs have it; `events`, `ref`, `claims` and `resp` of a log entry are
    read too. `names` gives the name of a card by its ref, and may give that of a player by the seat. `at` has the refs
    of the cards that lay, before the move, at the places that it names (see `placed`). With `exact`, a card is named
    with its place if `at` has another of that name. The sentence starts with a capital and has no full stop.
    """
    return capital(Commentary(game, lang, names, at, exact=exact).move(move).text)


def move_line(
    game: str,
    move: Mapping[str, Any],
    lang: str,
    names: Names = nobody,
    at: Mapping[str, str] | None = None,
    *,
    exact: bool = False,
) -> str:
    """Return a move with who makes it, for use in a sentence: "A plays Raclos", "A: Raclos attacks Sylvain"."""
    said = Commentary(game, lang, names, at, exact=exact).move(move)
    seat = Words(lang).seat(str(move.get("by", "-")))
    return phrases.speaker(lang)("move.by" if said.about_card else "move.does", seat=seat, move=said.text)


def move_sentences(
    game: str,
    moves: Sequence[Mapping[str, Any]],
    lang: str,
    names: Names = nobody,
    at: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the sentences of moves to choose from. Cards are named with their places where that tells moves apart."""
    plain = [move_sentence(game, move, lang, names, at) for move in moves]
    often = Counter((move.get("by"), said) for move, said in zip(moves, plain, strict=True))
    return [
        said if often[move.get("by"), said] == 1 else move_sentence(game, move, lang, names, at, exact=True)
        for move, said in zip(moves, plain, strict=True)
    ]


def chance_words(game: str, chance: Sequence[Mapping[str, Any]], lang: str, names: Names = nobody) -> str:
    """Return the chance of a move in words: "draws 2 cards: Raclos and an unknown card"; "" if there is none."""
    told = Commentary(game, lang, names)
    return told.say("move.next").join(told.chance(kind, value) for kind, value in _joined(chance))


def placed(game: str, move: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a move with places where it names cards by the number of a slot, or means a fixed place.

    >>> placed("star-safir", {"by": "A", "do": "sacrifice", "args": {"territory": 1, "slot": 2}})
    {'territory': 1, 'slot': 'A/T1/fighters/2'}
    """
    args = dict(move.get("args") or {})
    by = str(move.get("by", ""))
    known = {**args, "by": by, "other": "B" if by == "A" else "A"}
    found = dict(args)
    for key, path in _book(game).place.get(str(move["do"]), {}).items():
        if not set(FIELD.findall(path)) - {"n"} <= known.keys():
            continue  # the entry lacks an argument
        if "{n}" not in path:
            found[key] = path.format_map(known)
        elif key in args:
            paths = [path.format_map({**known, "n": slot}) for slot in _items(args[key])]
            found[key] = paths if isinstance(args[key], list | tuple) else paths[0]
    return found


def line(words: Words, by: str, do: str, args: Mapping[str, Any] | None = None) -> str:
    """Return `move_line` with the names, the places and the language of `words`."""
    if words.game is None:
        return f"{words.seat(by)} {words.say(f'verb.{do}')}"
    return move_line(words.game, {"by": by, "do": do, "args": args or {}}, words.lang, words.name, words.at)


def capital(text: str) -> str:
    """Return a sentence with a capital at its start."""
    return text[:1].upper() + text[1:]


def chosen(game: str, do: str, args: Mapping[str, Any], by: str = "") -> Template | None:
    """Return the template of the sentence of a move, by its arguments; None if the verb has no template for them."""
    fitting = [
        item for item in _book(game).say.get(do, ()) if all(_holds({**args, "actor": by}, *n) for n in item.needs)
    ]
    return max(fitting, key=lambda item: item.rank, default=None)


class Said(NamedTuple):
    """A sentence without its capital, and whether its subject is a card and not who makes the move."""

    text: str
    about_card: bool = False


class Commentary:
    """Puts moves of one game into words, in one language."""

    def __init__(
        self, game: str, lang: str, names: Names = nobody, at: Mapping[str, str] | None = None, *, exact: bool = False
    ) -> None:
        self.game, self.lang = game, lang
        self._book, self._names, self._at = _book(game), names, at or {}
        often = Counter(names(ref) or ref for ref in self._at.values()) if exact else Counter[str]()
        self._alike = {name for name, count in often.items() if count > 1}
        self._words = Words(lang, game, names, at)
        self.say = phrases.speaker(lang)

    def move(self, move: Mapping[str, Any]) -> Said:
        """Return the sentence of a move."""
        do = str(move["do"])
        args = {key: value for key, value in placed(self.game, move).items() if not isinstance(value, Mapping)}
        args |= {"ref": move["ref"]} if move.get("ref") else {}
        found = None if do in NO_VERBS else chosen(self.game, do, args, str(move.get("by", "")))
        if found is None:
            said = Said(self.say(f"verb.{do}").replace("_", " "))
        else:
            nouns = self._book.noun.get(do, {})
            template = found.phrase[self.lang]
            said = Said(self._filled(template, args, nouns), template.startswith("{"))
        return said._replace(text="".join([said.text, *self._more(move)]))

    def _more(self, move: Mapping[str, Any]) -> Iterator[str]:
        """Yield what comes after a sentence: what a ruling does, the facts noted with it, that it is a response."""
        events = [self.event(kind, value) for event in move.get("events") or () for kind, value in _pairs(event)]
        if events:
            yield self.say("move.events", what=self.say("move.next").join(events))
        if move.get("claims"):
            noted = [f"{self._words.fact(fact)} {self._words.value(value)}" for fact, value in move["claims"].items()]
            yield self.say("move.noted", what=", ".join(noted))
        if move.get("resp"):
            yield self.say("move.response")

    def chance(self, kind: str, value: Any) -> str:
        """Return one item of chance in words."""
        found = chosen(self.game, "chance", {kind: value})
        return kind if found is None else self._filled(found.phrase[self.lang], {kind: value}, {})

    def event(self, kind: str, value: Sequence[Any]) -> str:
        """Return one event of a ruling in words."""
        seat, what, *more = value
        args: dict[str, Any] = {"seat": seat, "what": what}
        if kind in ("discard", "return", "mark"):
            args["what"] = f"{seat}/{what}"
        if kind == "counter":
            args["what"] = self._words.fact(f"{seat}.{what}")
        if kind == "mark":
            args["mark"] = self.say(f"mark.{more[0]}", n="").rstrip(" :")
        if kind in ("place", "create"):
            args["zone"] = self._place(f"{seat}/{more[0]}")
        if kind in ("counter", "mark"):
            args["delta"] = f"{more[-1]:+d}"
        found = chosen(self.game, "event", {kind: value})
        return kind if found is None else self._filled(found.phrase[self.lang], args, {})

    def _filled(self, template: str, args: Mapping[str, Any], nouns: Mapping[str, Phrase]) -> str:
        filled = {key: self._argument(key, value, nouns.get(key)) for key, value in args.items()}
        listed = [len(value) for value in args.values() if isinstance(value, list | tuple)]
        return template.format_map({**filled, "count": listed[0] if listed else 0})

    def _argument(self, key: str, value: Any, noun: Phrase | None) -> str:
        """Return an argument in words: one value, or several joined with "and"."""
        items = _items(value)
        words = [self._item(key, item, noun) for item in items]
        return self._listed(words if all(type(item) is int for item in items) else self._counted(words))

    def _item(self, key: str, item: Any, noun: Phrase | None = None) -> str:
        """Return one value of an argument in words."""
        if isinstance(item, Mapping):  # a payment
            card = self._item(key, item.get("card"))
            return f"{card} ({self._item('mana', item['mana'])})" if "mana" in item else card
        if _empty(item):
            return self.say("what.nothing")
        if not isinstance(item, str):
            return str(item)
        if item == HIDDEN:
            return self._value("unknown")
        if self._words.is_place(item):
            return self._card_at(item, noun)
        for known in (f"{key}.{item}", item):
            if known in self._book.value:
                return self._value(known)
        if item in load_game(self.game).seats:
            return self._names(item) or self._value("player").format(seat=item)
        return self._words.item(item)

    def _card_at(self, path: str, noun: Phrase | None) -> str:
        """Return the card at a place, or words for the place."""
        ref = self._at.get(path)
        if ref is not None and ref != HIDDEN:
            name = self._names(ref) or ref
            return f"{name} ({self._place(path)})" if name in self._alike else name
        if noun is None:
            return self._place(path)
        *_, zone, last = path.split("/")
        named = len(zone) > 1 and not last.isdecimal()  # "A/discard/REF", not "A/armour"
        return self._names(last) or last if named else noun[self.lang].format(n=last)

    def _place(self, path: str) -> str:
        """Return a place in words: "A's hand", "slot 2 of A's territory 1", "Raclos in A's graveyard"."""
        owner, *parts = path.split("/")
        territory = parts.pop(0)[1:] if parts[0][:1] == "T" and parts[0][1:].isdecimal() else ""
        zone, *rest = parts or ["territory"]
        last = rest[0] if rest else ""
        form = f"{zone}/n" if last.isdecimal() else f"{zone}/card" if last else zone
        if form not in self._book.zone:
            return self._words.place(path)
        card = self._value("unknown") if last == HIDDEN else self._names(last) or last
        seat = self._names(owner) or owner
        return self._book.zone[form][self.lang].format(seat=seat, territory=territory, n=last, card=card)

    def _value(self, key: str) -> str:
        return self._book.value[key][self.lang]

    def _counted(self, items: Sequence[str]) -> list[str]:
        """Return the items with those that are the same counted: "2 Raclos", "3 unknown cards"."""
        unknown, several = self._value("unknown"), self._value("unknowns")
        return [
            item if n == 1 else several.format(n=n) if item == unknown else f"{n} {item}"
            for item, n in Counter(items).items()
        ]

    def _listed(self, items: Sequence[str]) -> str:
        if not items:
            return self.say("what.nothing")
        *first, last = items
        return f"{', '.join(first)} {self._value('and')} {last}" if first else last


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _empty(value: Any) -> bool:
    return value is None or value is False or value in ([], ())


def _holds(args: Mapping[str, Any], key: str, condition: str) -> bool:
    """Return whether an argument meets the condition of a template."""
    if key not in args:
        return False
    value = args[key]
    if condition in ("none", ""):
        return _empty(value) == (condition == "none")
    if condition in ("one", "many"):
        return isinstance(value, list | tuple) and (len(value) == 1 if condition == "one" else len(value) > 1)
    if condition == "number":
        return type(value) is int
    if condition == "unknown":
        return not _empty(value) and all(item == HIDDEN for item in _items(value))
    if condition.startswith("in:"):
        return isinstance(value, str) and condition[3:] in value.split("/")[1:]
    return str(value) == condition


def _pairs(event: Any) -> Iterator[tuple[str, Any]]:
    """Yield the kind and value of an event of a ruling, in the form of a log or as an entry holds it."""
    yield from event.items() if isinstance(event, Mapping) else [event]


def _joined(chance: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """Return the items of chance, with consecutive dice, and consecutive single cards, as one item."""
    found: list[tuple[str, Any]] = []
    single = False  # the last item began with a single card
    for kind, value in (pair for item in chance for pair in _pairs(item)):
        if kind == DICE:
            value = value[-1:]  # a die is [sides, result]
        alone = isinstance(value, list | tuple) and len(value) == 1
        if alone and single and found[-1][0] == kind:
            found[-1] = (kind, [*found[-1][1], *value])
        else:
            found.append((kind, value))
            single = alone
    return found
