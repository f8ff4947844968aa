"""What can be chosen to write an ability of a game: its words with their labels, and what each of them needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.abilities import language as words
from engine.core.abilities.language import Fields, Language, Tree
from engine.core.abilities.sentences import Phrase, Unworded, Writer
from engine.core.text import registry

# The groups of phrases in which the words of these lists are found.
LISTED = {
    "counter": "counter", "mark": "mark", "kind": "kind", "forbidden": "forbidden", "duration": "duration",
    "phase": "phase", "reaction": "reaction", "expedition": "expedition", "cancellable": "cancellable",
}  # fmt: skip
ABILITY: Fields = {"on": "trigger!", "of": "selector", "turn": "own|opposing", "if": "condition", "do": "operations!"}
REPLACEMENT: Fields = {"would": "event!", "of": "selector", "may": "flag", "do": "operations!"}
SEVERAL = {"marks": "mark", "ranks": "rank"}  # kinds that hold one or more words of a list
SORTS = ("on", "static", "would")


def language_of(game: str) -> Language:
    """Return the language of a game's cards. Raises Unsupported `unknown_game`."""
    found: Language | None = registry.module(game, "vocabulary").VOCABULARY.language
    return found or Language()


def shape_of(kind: str, language: Language, value: Any = None) -> Fields | None:
    """Return the fields of an object of this kind, for the word that `value` uses; None if such a value has none."""
    if kind == "operation":
        return language.operations.get(value["op"]) if isinstance(value, Mapping) and "op" in value else None
    if kind == "static":
        found = next((name for name in language.statics if isinstance(value, Mapping) and name in value), None)
        return {**language.statics[found], "if": "condition"} if found else None
    if kind in ("amount", "condition"):
        variants = words.AMOUNTS if kind == "amount" else words.CONDITIONS
        return next((variants[name] for name in variants if isinstance(value, Mapping) and name in value), None)
    if kind == "price":
        return language.price if isinstance(value, Mapping) else None
    fixed: Mapping[str, Fields] = {
        "on": _triggered(language, value), "would": REPLACEMENT, "selector": language.selector, "where": words.WHERE,
        "mode": words.MODE, "target": {**language.selector, "player": "flag"},
    }  # fmt: skip
    return fixed.get(kind)


def _triggered(language: Language, value: Any) -> Fields:
    """Return the fields of an ability with a trigger. One with modes has its operations there."""
    done = "operations" if isinstance(value, Mapping) and "modes" in value else "operations!"
    return {**ABILITY, "do": done, **language.declared}


ITEMS = {"operations": "operation", "branches": "operations", "modes": "mode", "targets": "target"}  # lists, of what


def choices(game: str, lang: str) -> dict[str, Any]:
    """Return everything that can be chosen to write an ability of a game, with labels in `lang`.

    - `triggers`, `events`: lists of `{word, label}`.
    - `operations`, `statics`: lists of `{word, label, fields}`; a field is `{name, kind, required, label}`.
    - `ability`, `replacement`, `selector`, `where`, `price`, `mode`, `target`: lists of fields.
    - `amounts`, `conditions`: lists of `{word, label, fields}`, of which one is used.
    - `lists`: by kind of field, the words as `{word, label}`.
    - `labels`: what the word of an operation (`op`) and the like are called.
    - `flags`, `prices`: the labels of yes and no, and of a price that is a number or has parts, as `(word, label)`.
    - `limits`: the bounds of an ability.

    Raises Unsupported `unknown_game`.
    """
    language, labels = language_of(game), Labels(game, lang)
    made: dict[str, Any] = {
        "triggers": [{"word": word, "label": labels.trigger(word)} for word in language.triggers],
        "events": [{"word": word, "label": labels.event(word)} for word in language.events],
        "operations": [labels.described(name, "operation", shape) for name, shape in language.operations.items()],
        "statics": [
            labels.described(name, "static", {**shape, "if": "condition"}) for name, shape in language.statics.items()
        ],
        "amounts": [labels.described(name, "field", shape) for name, shape in words.AMOUNTS.items()],
        "conditions": [
            labels.described(name, "field", shape)
            for name, shape in words.CONDITIONS.items()
            if name != "phase" or "phase" in language.words
        ],
    }
    fixed = {"ability": "on", "replacement": "would"}
    for name in ("ability", "replacement", "selector", "where", "price", "mode", "target"):
        shape = language.price if name == "price" else shape_of(fixed.get(name, name), language) or {}
        made[name] = labels.fields(shape)
    made["lists"] = {
        kind: [{"word": word, "label": labels.word(kind, word)} for word in language.known(kind)]
        for kind in _list_kinds(made)
    }
    made["labels"] = {name: labels.field(name) for name in ("op", "variant", "amount", "on", "static", "would")}
    made["flags"] = [("1", labels.word("flag", "yes")), ("0", labels.word("flag", "no"))]
    made["prices"] = [("integer", labels.field("integer")), ("parts", labels.field("parts"))]
    made["limits"] = {"depth": words.MAX_DEPTH, "objects": words.MAX_NODES, "amount": words.MAX_AMOUNT}
    return made


def _list_kinds(made: Mapping[str, Any]) -> list[str]:
    """Return the kinds of all fields that hold one of a list of words, each once."""
    shapes = [made[key] for key in ("ability", "replacement", "selector", "where", "price", "mode", "target")]
    shapes += [item["fields"] for key in ("operations", "statics", "amounts", "conditions") for item in made[key]]
    kinds = dict.fromkeys(field["kind"] for shape in shapes for field in shape)
    kinds.update(dict.fromkeys(one for several, one in SEVERAL.items() if several in kinds))
    return [kind for kind in kinds if is_listed(kind)]


def is_listed(kind: str) -> bool:
    """Return whether a field of this kind holds one of a list of words."""
    return kind == "gap" or (kind not in words.KINDS and kind not in ("trigger", "event", *SORTS))


class Labels:
    """What a form calls the words of a game, in one language."""

    def __init__(self, game: str, lang: str) -> None:
        self._writer = Writer(game, lang)

    def trigger(self, word: str) -> str:
        """Return the words of a trigger of the card itself."""
        return self._writer.trigger({"on": word})

    def event(self, word: str) -> str:
        """Return the words of an event that the card may replace."""
        return self._writer.say(f"event.{word}", Phrase("", feminine=True), of=self._writer.say("card.self"))

    def fields(self, shape: Fields) -> list[dict[str, Any]]:
        """Describe the fields of an object."""
        return [
            {"name": name, "kind": kind.rstrip("!"), "required": kind.endswith("!"), "label": self.field(name)}
            for name, kind in shape.items()
        ]

    def field(self, name: str) -> str:
        """Return what a form calls a part of an ability."""
        return self._known(f"field.{name}") or name

    def described(self, name: str, group: str, shape: Fields) -> dict[str, Any]:
        """Describe an operation, a static, an amount or a condition: its word, its label and its fields."""
        label = self._known(f"label.{name}") if group != "field" else None
        return {"word": name, "label": label or self._outline(f"{group}.{name}") or name, "fields": self.fields(shape)}

    def _outline(self, key: str) -> str | None:
        """Return a phrase with "…" for what has not been chosen."""
        if not self._writer.known(key):
            return None
        return self._writer.say(key, **dict.fromkeys(PARTS, "…"))

    def _known(self, key: str) -> str | None:
        return self._writer.say(key) if self._writer.known(key) else None

    def word(self, kind: str, word: str) -> str:
        """Return what a form calls a word of a list. Names of keywords and ranks are left as they are printed."""
        try:
            return self._word(kind, word)
        except Unworded:
            return word

    def _word(self, kind: str, word: str) -> str:
        writer = self._writer
        if kind in ("stat", "figure"):
            return writer.figure(word)
        if kind in ("counter", "kind"):
            return writer.noun(f"{kind}.{word}").one
        if kind == "zone":
            if writer.known(f"place.{word}"):
                return writer.say_raw(f"place.{word}").split("|")[-1]
            return writer.noun(f"zone.{word}").many
        if kind == "forbidden":
            return writer.say(f"forbidden.{word}", Phrase("", feminine=True))
        return writer.say(f"{LISTED.get(kind, 'choice')}.{word}")


# Everything that a phrase of an operation may name.
PARTS = (
    "of", "n", "who", "what", "stat", "the_stat", "keyword", "ref", "do", "cond", "sides", "least", "branches", "by",
    "at", "price", "mark", "mode", "more", "needs", "other",
)  # fmt: skip


def blank(sort: str, game: str) -> dict[str, Any]:
    """Return the simplest ability of a sort: "on", "static" or "would"."""
    language = language_of(game)
    if sort == "static":
        name = next(iter(language.statics))
        return {"static": completed({name: None}, "static", language)}
    return dict(completed({}, "would" if sort == "would" and language.events else "on", language))


def completed_ability(ability: Any, game: str) -> Any:
    """Return an ability with what its words require and without what they do not have.

    A form calls it after a word was changed, because another operation has other fields. An ability of no sort is left
    as it is.
    """
    language = language_of(game)
    sort = words.sort_of(ability) if isinstance(ability, Mapping) else ""
    if not sort:
        return ability
    if sort == "static":
        return {"static": completed(ability["static"], "static", language)}
    return completed(ability, sort, language)


def completed(value: Any, kind: str, language: Language) -> Any:
    """Return a value of some kind with the fields it needs; None stands for one that was not chosen yet."""
    if kind in ITEMS:
        return _completed_list(value, kind, language)
    if kind == "static" and shape_of(kind, language, value) is None:
        value = {next(iter(language.statics)): None}
    if kind == "operation" and isinstance(value, Mapping) and isinstance(value.get("op"), str):
        if value["op"] not in language.operations:
            return value  # a misspelt word: it is for its writer to put it right
    elif kind == "operation":
        value = {"op": "draw" if "draw" in language.operations else next(iter(language.operations))}
    if value is None or (kind == "price" and value == {}):
        value = _default(kind, language)
    shape = shape_of(kind, language, value)
    if shape is None:
        return _fitting(value, kind, language)
    fields = {"op": "text!", **shape} if kind == "operation" else shape
    made = {}
    for name, field in fields.items():
        if name in value or field.endswith("!"):
            made[name] = completed(value.get(name), field.rstrip("!"), language)
    if kind == "operation":
        _choose_between(made, value)
    return made


def _choose_between(made: dict[str, Any], value: Tree) -> None:
    """Give an operation that needs one of two fields the first of them."""
    either = {"cannot": ("of", "who"), "to_reserve": ("n", "of"), "discard": ("n", "of")}.get(str(value.get("op")))
    if either is not None and not any(name in made for name in either):
        made[either[0]] = {"side": "own"} if either[0] == "of" else 1


def _completed_list(value: Any, kind: str, language: Language) -> list[Any]:
    items: Sequence[Any] = value if isinstance(value, list) else []
    least = 2 if kind in ("branches", "modes") else 1
    items = [*items, *[None] * (least - len(items))]
    return [completed(item, ITEMS[kind], language) for item in items]


def _default(kind: str, language: Language) -> Any:
    defaults: dict[str, Any] = {
        "amount": 1, "number": 1, "change": 1, "take": 1, "sides": 6, "flag": True, "text": "", "selector": {},
        "target": {}, "mode": {}, "where": {"at_most": 2}, "condition": {"count": {}, "at_least": 1},
        "price": {"mana": 1} if "mana" in language.price else {}, "marks": list(language.known("mark")[:1]),
        "ranks": list(language.known("rank")[:1]), "target_number": 1,
        "trigger": next(iter(language.triggers), ""), "event": next(iter(language.events), ""),
    }  # fmt: skip
    return defaults[kind] if kind in defaults else language.known(kind)[0]


def _fitting(value: Any, kind: str, language: Language) -> Any:
    """Return a value without fields, or the default if it is of another type than the kind takes."""
    numbers = ("number", "change", "sides", "target_number")
    wanted = int if kind in numbers else {"flag": bool, "text": str, "marks": list}.get(kind)
    if wanted is not None and type(value) is not wanted:
        return _default(kind, language)
    if isinstance(value, (dict, list)) and kind not in ("marks", "ranks"):
        return _default(kind, language)
    return value
