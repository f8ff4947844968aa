"""The closed vocabulary in which cards say what they do: its schema, and which of its words an ability uses.

An ability is `{"on": trigger, "of": selector, "do": [operation, …]}`, `{"static": {…}}` or `{"would": event, "do":
[…]}`: a JSON tree without expressions or code. This module names the operations, statics and amounts that the core
interprets. The `Language` of a game says which of them its cards may use, and with which words of its own.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Bounds on an ability of a catalogue as it is read; `host.MAX_FRAMES` bounds what it may do when it resolves.
MAX_DEPTH = 12  # nested objects in an ability
MAX_NODES = 64  # objects in an ability, operations included
MAX_AMOUNT = 99
MAX_SIDES = 100  # sides of a die
MAX_TARGETS = 4  # targets of an ability

Tree = Mapping[str, Any]
Fields = Mapping[str, str]

# A field is `kind`, or `kind!` if it is required. A kind is a key of `KINDS`, the name of a list of words (in `WORDS`,
# or in the game's), or the words themselves separated by `|`.
OPERATIONS: Mapping[str, Fields] = {
    "gain": {"what": "counter!", "n": "amount!", "who": "who"},
    "lose": {"what": "counter!", "n": "amount!", "who": "who"},
    "pay": {"what": "counter!", "at_most": "amount!", "do": "operations!"},
    "draw": {"n": "amount!", "who": "who"},
    "discard": {"n": "amount!", "who": "one", "by": "by"},
    "look": {"at": "deck|hand!", "n": "amount", "who": "one"},
    "reveal": {"at": "deck|hand!", "n": "amount", "who": "one"},
    "search": {"in": "deck|discard!", "of": "selector!", "n": "amount", "who": "one"},
    "shuffle": {"who": "who"},
    "destroy": {"of": "selector!"},
    "return": {"of": "selector!"},
    "resurrect": {"of": "selector!"},
    "move": {"of": "selector!", "to": "adjacent|any"},
    "swap": {"of": "selector!"},
    "control": {"of": "selector!", "for": "duration"},
    "token": {"ref": "text!", "n": "number!"},
    "buff": {"of": "selector!", "stat": "stat!", "n": "amount!", "for": "duration"},
    "divide": {"of": "selector!", "stat": "stat!", "for": "duration"},
    "grant": {"of": "selector!", "keyword": "grantable!", "for": "duration"},
    "silence": {"of": "selector!"},
    "cancel": {"who": "one", "for": "duration!"},
    "cannot": {"what": "forbidden!", "of": "selector", "who": "who", "for": "duration!"},
    "seq": {"do": "operations!"},
    "each": {"of": "selector!", "do": "operations!"},
    "may": {"do": "operations!", "who": "one"},
    "if": {"cond": "condition!", "do": "operations!", "else": "operations"},
    "choose": {"of": "branches!", "by": "by"},
    "roll": {"sides": "sides!", "at_least": "number!", "do": "operations!", "else": "operations"},
    "manual": {"needs": "text"},
}

STATICS: Mapping[str, Fields] = {
    "stat": {"stat": "stat!", "add": "amount!", "to": "selector!"},
    "forbid": {"forbid": "forbidden!", "to": "selector!"},
    "cost": {"cost": "change!", "to": "selector!"},
    "grant": {"grant": "grantable!", "to": "selector!"},
}

AMOUNTS: Mapping[str, Fields] = {
    "count": {"count": "selector!"},
    "stat": {"stat": "figure!", "of": "source|it"},
    "half_up": {"half_up": "amount!"},
    "x": {"x": "flag!"},
    "roll": {"roll": "sides!"},
    "bounded": {"bounded": "amount!", "at_least": "number", "at_most": "number"},
}

SELECTOR: Fields = {
    "zone": "zone",
    "side": "own|opposing|any",
    "in": "here|adjacent|any",
    "beside": "flag",
    "self": "flag",
    "it": "flag",
    "not_self": "flag",
    "kind": "kind",
    "faction": "text",
    "keyword": "keyword",
    "where": "where",
    "take": "take",
    "may": "flag",
    "by": "by",
}

WORDS: Mapping[str, tuple[str, ...]] = {
    "who": ("controller", "opponent", "both"),
    "one": ("controller", "opponent"),
    "by": ("controller", "opponent", "random"),
}

# Selector keys that no static may use. A figure or a keyword may itself come from a static, which would be circular;
# and a static is always on, so there is no event it is about and no moment at which to choose.
VARYING = ("where", "keyword", "it", "take", "may", "by")
MOMENTS = ("phase:", "advanced:")  # starts of triggers about a moment, with no card to watch
TIMED = ("start_turn", "end_turn")  # triggers about a turn, like those about a phase: no card to watch


class Fault(NamedTuple):
    """One thing wrong with an ability: where in it, a sentence, and what was probably meant.

    `key` is the unknown key for which the suggestions were meant; "" if they were meant for the value at the path.
    """

    path: str
    message: str
    suggestions: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Language:
    """The words that a game executes.

    - `operations`, `selector`, `statics`: the fields of each, by name.
    - `events`: the events that a card may replace.
    - `words`: the game's lists of words: `counter`, `stat`, `zone`, `kind`, `keyword`, `grantable`, `forbidden`,
      `duration`, and `gap`, the interpretations by which cards may be read.
    """

    triggers: tuple[str, ...] = ()
    operations: Mapping[str, Fields] = field(default_factory=dict)
    selector: Fields = field(default_factory=lambda: SELECTOR)
    statics: Mapping[str, Fields] = field(default_factory=lambda: STATICS)
    events: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    declared: Fields = field(default_factory=dict)  # fields for what is chosen before an ability is paid for
    price: Fields = field(default_factory=dict)  # the parts of a price besides orbs alone
    forms: tuple[str, ...] = ()  # keywords that hold another face of the card under "into"
    bound: Mapping[str, str] = field(default_factory=dict)  # trigger or "static" -> keyword such a card usually has
    borne: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # keyword -> the kinds that may have it
    hidden: tuple[str, ...] = ()  # zones whose cards nobody sees: they can be counted, or chosen one by one
    shown: tuple[str, ...] = ()  # those of them that are shown when an effect takes all cards of a sort

    def known(self, kind: str) -> Sequence[str]:
        """Return the words of a kind that has no reader in `KINDS`. Figures are those of `stat` unless named apart."""
        if kind == "figure" and kind not in self.words:
            kind = "stat"
        return self.words.get(kind) or WORDS.get(kind) or kind.split("|")


def sort_of(ability: Tree) -> str:
    """Return which kind of ability this is, "on", "static" or "would", or "" if it is none or several of them."""
    found = [key for key in ("on", "static", "would") if key in ability]
    return found[0] if len(found) == 1 else ""


def faults(ability: Any, language: Language, size: int | None = None) -> Iterator[Fault]:
    """Yield everything wrong with the shape of an ability, nothing for a sound one.

    `size` is its number of objects, if the caller has counted them.

    >>> next(faults({"on": "played"}, Language(triggers=("played",)))).message
    'the key do is missing'
    """
    nodes = len(objects_of(ability)) if size is None else size
    if nodes > MAX_DEPTH and _depth(ability) > MAX_DEPTH:  # with at most MAX_DEPTH objects it cannot be deeper
        yield Fault("", f"more than {MAX_DEPTH} levels")
    elif nodes > MAX_NODES:
        yield Fault("", f"more than {MAX_NODES} objects")
    elif not isinstance(ability, dict) or not sort_of(ability):
        yield Fault("", 'an ability is {"on": …, "do": […]}, {"static": {…}} or {"would": …, "do": […]}')
    elif "static" in ability:
        yield from _unknown_keys(ability, ("static",), "")
        yield from _static(ability["static"], language)
    elif "would" in ability:
        yield from _fields(ability, {"would": "event!", "of": "selector", "do": "operations!", "may": "flag"}, language)
        yield from _word(ability["would"], language.events, ".would")
        yield from _seen(ability.get("of"), language, ".of")
    else:
        done = "operations" if "modes" in ability and "modes" in language.declared else "operations!"
        shape = {
            "on": "text!", "of": "selector", "turn": "own|opposing", "if": "condition", "do": done, **language.declared,
        }  # fmt: skip
        yield from _fields(ability, shape, language)
        yield from _word(ability["on"], language.triggers, ".on")
        if "of" in ability and timed(str(ability["on"])):
            yield Fault(".of", f"{ability['on']} is about a turn: there is no card to watch")
        yield from _seen(ability.get("of"), language, ".of")


def _seen(selector: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield a fault if a selector that watches, changes or takes whole groups of cards names a hidden zone."""
    if isinstance(selector, dict) and selector.get("zone") in language.hidden:
        yield Fault(path, f"nobody sees the cards of {selector['zone']}: they are counted, or chosen one by one")


def timed(trigger: str) -> bool:
    """Return whether a trigger is about a turn or a phase, not about a card."""
    return trigger in TIMED or trigger.startswith(MOMENTS)


def _static(static: Any, language: Language) -> Iterator[Fault]:
    """Yield the faults of a static ability. Its reach and amount may not depend on what statics change."""
    kinds = [kind for kind in language.statics if isinstance(static, dict) and kind in static]
    if len(kinds) != 1:
        yield Fault(".static", f"a static has one of the keys: {', '.join(language.statics)}")
        return
    yield from _fields(static, {**language.statics[kinds[0]], "if": "condition"}, language, ".static")
    yield from _seen(static.get("to"), language, ".static.to")
    added = _keys_of(static.get("add"))
    reach = {**added, **_keys_of(static.get("to")), **_keys_of(static.get("if"))}
    if any(key in reach for key in VARYING):
        yield Fault(".static", f"what lasts may not depend on: {', '.join(VARYING)}")
    if any(key in added for key in ("stat", "roll", "x")):
        yield Fault(".static", "a bonus that lasts may not depend on figures, which would depend on it, or on chance")


def form_faults(other: Any, language: Language) -> Iterator[Fault]:
    """Yield everything wrong with the face a card changes into: its figures, and its keywords and abilities if any."""
    if not isinstance(other, dict):
        yield Fault(".into", "the face it changes into is an object")
        return
    figures = language.known("stat")
    yield from _unknown_keys(other, (*figures, "keywords", "abilities"), ".into")
    for key in figures:
        yield from _amount_number(other.get(key), language, f".into.{key}", 0)
    for key in ("keywords", "abilities"):
        items = other.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            yield Fault(f".into.{key}", "a list of objects is expected")
        elif key == "abilities":
            for index, ability in enumerate(items):
                yield from (f._replace(path=f".into.abilities[{index}]{f.path}") for f in faults(ability, language))
        elif any(item.get("kw") in language.forms for item in items):
            yield Fault(".into.keywords", "a card changes its face once")


def _fields(value: Any, shape: Fields, language: Language, path: str = "") -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, "an object is expected")
        return
    if not value.keys() <= shape.keys():
        yield from _unknown_keys(value, tuple(shape), path)
    for name, kind in shape.items():
        needed = kind[-1] == "!"
        if name not in value:
            if needed:
                yield Fault(path, f"the key {name} is missing")
            continue
        if needed:
            kind = kind[:-1]
        reader = KINDS.get(kind)
        if reader is not None:
            yield from reader(value[name], language, f"{path}.{name}")
        elif kind != "event":
            yield from _word(value[name], language.known(kind), f"{path}.{name}")


def _operations(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if not isinstance(value, list) or not value:
        yield Fault(path, "a list of operations is expected")
        return
    for index, item in enumerate(value):
        here = f"{path}[{index}]"
        if not isinstance(item, dict) or not isinstance(item.get("op"), str):
            yield Fault(here, 'an operation is {"op": name, …}')
        elif item["op"] not in language.operations:
            yield from _word(item["op"], tuple(language.operations), f"{here}.op")
        else:
            yield from _fields(item, {"op": "text", **language.operations[item["op"]]}, language, here)
            of = item.get("of")
            whole = isinstance(of, dict) and of.get("take") == "all" and of.get("zone") not in language.shown
            if whole or item["op"] == "each":
                yield from _seen(of, language, f"{here}.of")
            if item["op"] == "cannot" and ("of" in item) == ("who" in item):
                yield Fault(here, "either `of`, which cards, or `who`, which players")
            if item["op"] == "to_reserve" and ("of" in item) == ("n" in item):
                yield Fault(here, "either `of`, which cards, or `n`, how many of the hand")
            if item["op"] == "discard" and ("of" in item) == ("n" in item):
                yield Fault(here, "either `of`, which cards, or `n`, how many")


def _branches(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if not isinstance(value, list) or len(value) < 2:
        yield Fault(path, "at least two lists of operations are expected")
        return
    for index, item in enumerate(value):
        yield from _operations(item, language, f"{path}[{index}]")


MODE: Fields = {"if": "condition", "targets": "targets", "do": "operations!"}


def _modes(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield the faults of a list of modes, of which one is chosen; each has targets and operations."""
    if not isinstance(value, list) or len(value) < 2:
        yield Fault(path, "at least two modes are expected")
        return
    for index, item in enumerate(value):
        yield from _fields(item, MODE, language, f"{path}[{index}]")


def _targets(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield the faults of targets chosen when an ability is declared: cards that selectors reach, or players."""
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_TARGETS:
        yield Fault(path, f"a list of 1 to {MAX_TARGETS} targets is expected")
        return
    for index, item in enumerate(value):
        yield from _fields(item, {**language.selector, "player": "flag"}, language, f"{path}[{index}]")


def _target_number(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield a fault if this is no number of a target."""
    if type(value) is not int or not 1 <= value <= MAX_TARGETS:
        yield Fault(path, f"a target has a number from 1 to {MAX_TARGETS}")


def _selector(value: Any, language: Language, path: str) -> Iterator[Fault]:
    yield from _fields(value, language.selector, language, path)


def _amount(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield from _amount_number(value, language, path, -MAX_AMOUNT)
        return
    kinds = [kind for kind in AMOUNTS if kind in value]
    if len(kinds) == 1:
        yield from _fields(value, AMOUNTS[kinds[0]], language, path)
        yield from _countable(value.get("count"), language, f"{path}.count")
    else:
        yield Fault(path, f"an amount is an integer, or has one of the keys: {', '.join(AMOUNTS)}")


def _amount_number(value: Any, language: Language, path: str, low: int) -> Iterator[Fault]:
    if type(value) is not int or not low <= value <= MAX_AMOUNT:
        yield Fault(path, f"an integer from {low} to {MAX_AMOUNT} is expected")


def _number(value: Any, language: Language, path: str) -> Iterator[Fault]:
    yield from _amount_number(value, language, path, 0)


def _change(value: Any, language: Language, path: str) -> Iterator[Fault]:
    yield from _amount_number(value, language, path, -MAX_AMOUNT)


def _sides(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if type(value) is not int or not 2 <= value <= MAX_SIDES:
        yield Fault(path, f"a die has 2 to {MAX_SIDES} sides")


def _take(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if value != "all":
        yield from _amount_number(value, language, path, 1)


def _flag(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if type(value) is not bool:
        yield Fault(path, "true or false is expected")


def _marks(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield the faults of a list of marks, at least one of which a card has."""
    if not isinstance(value, list) or not value:
        yield Fault(path, "a list of marks is expected")
        return
    for item in value:
        yield from _word(item, language.known("mark"), path)


def _ranks(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield the faults of a rank, or of a list of ranks of which a card has one."""
    for item in value if isinstance(value, list) and value else [value]:
        yield from _word(item, language.known("rank"), path)


def _price(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield the faults of a price: a number of orbs, or the parts that the game knows."""
    if type(value) is int:
        yield from _amount_number(value, language, path, 0)
    else:
        yield from _fields(value, language.price, language, path)
        if value == {}:
            yield Fault(path, f"a price has at least one of: {', '.join(language.price)}")


def _gap(value: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield a fault if this is no interpretation by which the cards of the game may be read."""
    yield from _word(value, language.words.get("gap", ()), path)


def _text(value: Any, language: Language, path: str) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield Fault(path, "a string is expected")


WHERE: Fields = {"stat": "figure!", "at_least": "amount", "at_most": "amount"}
CONDITIONS: Mapping[str, Fields] = {
    "count": {"count": "selector!", "at_least": "number", "at_most": "number"},
    "x": {"x": "flag!", "at_least": "number", "at_most": "number"},
    "first": {"first": "flag!"},
    "phase": {"phase": "phase!"},
    "counter": {"counter": "counter!", "even": "flag", "at_least": "number", "at_most": "number"},
    "reading": {"reading": "gap!", "is": "text!"},
}
PLAIN = ("first", "phase", "reading")  # conditions that are not about a number


def _where(value: Any, language: Language, path: str) -> Iterator[Fault]:
    yield from _fields(value, WHERE, language, path)


def _condition(value: Any, language: Language, path: str) -> Iterator[Fault]:
    kinds = [kind for kind in CONDITIONS if isinstance(value, dict) and kind in value]
    if len(kinds) != 1:
        yield Fault(path, f"a condition has one of the keys: {', '.join(CONDITIONS)}")
        return
    yield from _fields(value, CONDITIONS[kinds[0]], language, path)
    if kinds[0] not in PLAIN and not any(key in value for key in ("at_least", "at_most", "even")):
        yield Fault(path, "a condition on a number has at_least, at_most or both")
    if kinds[0] == "reading" and not path.endswith(".cond"):
        yield Fault(path, "a reading is a condition of the operation if")
    yield from _countable(value.get("count") if isinstance(value, dict) else None, language, f"{path}.count")


def _countable(selector: Any, language: Language, path: str) -> Iterator[Fault]:
    """Yield a fault if a count of hidden cards depends on what they are."""
    if isinstance(selector, dict) and any(key not in ("zone", "side") for key in selector):
        yield from _seen(selector, language, path)


KINDS: Mapping[str, Callable[[Any, Language, str], Iterator[Fault]]] = {
    "operations": _operations,
    "branches": _branches,
    "modes": _modes,
    "targets": _targets,
    "target_number": _target_number,
    "selector": _selector,
    "amount": _amount,
    "number": _number,
    "change": _change,
    "sides": _sides,
    "take": _take,
    "flag": _flag,
    "text": _text,
    "where": _where,
    "condition": _condition,
    "marks": _marks,
    "price": _price,
    "gap": _gap,
    "ranks": _ranks,
}


def _unknown_keys(value: Mapping[str, Any], known: Sequence[str], path: str) -> Iterator[Fault]:
    for key in value:
        if key not in known:
            yield Fault(path, f"unknown key {key[:40]!r}", tuple(difflib.get_close_matches(key[:40], known)), key)


def _word(value: Any, known: Sequence[str], path: str) -> Iterator[Fault]:
    if not isinstance(value, str) or value not in known:
        close = tuple(difflib.get_close_matches(value[:40], known)) if isinstance(value, str) else ()
        yield Fault(path, f"{str(value)[:40]!r} is not one of: {', '.join(known)}", close)


def _keys_of(tree: Any) -> dict[str, Any]:
    """Return the keys of every object in a tree."""
    found: dict[str, Any] = {}
    for item in objects_of(tree):
        found.update(item)
    return found


def _depth(tree: Any) -> int:
    """Return how many levels of objects a tree has. The recursion is safe: a catalogue is at most 32 levels deep."""
    if isinstance(tree, dict):
        return 1 + max((_depth(value) for value in tree.values()), default=0)
    return max((_depth(value) for value in tree), default=0) if isinstance(tree, list) else 0


def objects_of(tree: Any) -> list[Tree]:
    """Return every object in a tree, outer ones before those inside them."""
    found: list[Tree] = []
    waiting = [tree]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            found.append(value)
            waiting += reversed(value.values())
        elif isinstance(value, (list, tuple)):
            waiting += reversed(value)
    return found


def names_manual(objects: Iterable[Tree]) -> bool:
    """Return whether one of these objects is the operation `manual`, which leaves the card to a ruling."""
    return any(found.get("op") == "manual" for found in objects)


def needs_of(tree: Any) -> list[str]:
    """Return what the language lacks to write a card, as its `manual` operations name it, each word once."""
    found = (item.get("needs") for item in objects_of(tree) if item.get("op") == "manual")
    return list(dict.fromkeys(str(needs) for needs in found if needs is not None))


def operations_of(tree: Any) -> list[str]:
    """Return the name of every operation in a tree, in order."""
    return [str(found["op"]) for found in objects_of(tree) if "op" in found]


def named_refs(tree: Any) -> Iterator[str]:
    """Yield the ref of every card that an operation in a tree names."""
    if isinstance(tree, dict):
        if "op" in tree and isinstance(tree.get("ref"), str):
            yield tree["ref"]
        for value in tree.values():
            yield from named_refs(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from named_refs(value)


def vocabulary(language: Language) -> dict[str, tuple[str, ...]]:
    """Return every word that the abilities of a game may use, by group, for counting coverage."""
    return {
        "triggers": language.triggers,
        "statics": tuple(language.statics),
        "replacements": language.events,
        "operations": tuple(language.operations),
        "selectors": tuple(language.selector),
        "amounts": ("integer", *AMOUNTS),
        "durations": tuple(language.known("duration")),
        "prohibitions": tuple(language.known("forbidden")),
    }


_GROUPS = {"duration": "durations", "forbidden": "prohibitions"}
_INNER: Mapping[str, Fields] = {
    "condition": {"count": "selector"}, "where": {"at_least": "amount", "at_most": "amount"},
}  # fmt: skip


def used(ability: Any, language: Language) -> Iterator[tuple[str, str]]:
    """Yield each word that a sound ability uses, as (group, word)."""
    if "static" in ability:
        kind = next(kind for kind in language.statics if kind in ability["static"])
        yield "statics", kind
        yield from _used_fields(ability["static"], {**language.statics[kind], "if": "condition"}, language)
        return
    yield ("replacements", ability["would"]) if "would" in ability else ("triggers", ability["on"])
    shape = {"of": "selector", "if": "condition", "do": "operations", **language.declared}
    yield from _used_fields(ability, shape, language)


def _used_fields(value: Tree, shape: Fields, language: Language) -> Iterator[tuple[str, str]]:
    for name, kind in shape.items():
        if name in value:
            yield from _used(value[name], kind.rstrip("!"), language)


def _used(value: Any, kind: str, language: Language) -> Iterator[tuple[str, str]]:
    if kind == "operations":
        for item in value:
            yield "operations", item["op"]
            yield from _used_fields(item, language.operations[item["op"]], language)
    elif kind == "branches":
        for item in value:
            yield from _used(item, "operations", language)
    elif kind == "modes":
        for item in value:
            yield from _used_fields(item, MODE, language)
    elif kind == "targets":
        for item in value:
            yield from (("selectors", key) for key in item if key != "player")
    elif kind == "selector":
        yield from (("selectors", key) for key in value)
    elif kind == "amount":
        name = next(name for name in AMOUNTS if name in value) if isinstance(value, dict) else "integer"
        yield "amounts", name
        yield from _used_fields(value, AMOUNTS[name], language) if name != "integer" else ()
    elif kind in _GROUPS:
        yield _GROUPS[kind], value
    elif kind in _INNER:
        yield from _used_fields(value, _INNER[kind], language)
