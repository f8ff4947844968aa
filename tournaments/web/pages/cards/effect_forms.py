"""The form of an ability: a tree of fields built from the words of a game, and read back from what was sent.

The name of a field says what it holds and where: `w:do.0.op` is the word at `do`, first item, `op`. The letters are `w`
for a word, `n` for a number, `t` for a number or "all", `f` for yes or no, `m` for one of several marks or
ranks, `k` for which kind of amount, condition, price or ability it is, and `o` and `l` for an object or a list that may
be empty.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

MOST_FIELDS = 900  # Django reads at most a thousand
MOST_LEVELS = 40  # parts of the name of a field
NAME = re.compile(r"^([wntfmkol]):([\w.-]{0,200})$")
PATH = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
SORTS = ("on", "static", "would")
LEAST = {"operations": 1, "modes": 2, "targets": 1, "branches": 2}  # items of each list
LISTS = {"operations": "operation", "modes": "mode", "targets": "target", "branches": "branch"}

Choices = Mapping[str, Any]  # what `engine_gate.ability_choices` returns


@dataclass
class Node:
    """A part of the form.

    `form` is `choice`, `number`, `text`, `marks`, `group` or `list`. `options` are `(word, label)`, `children` the
    parts inside, `more` the parts that can be added. A part that can be removed or moved says so.
    """

    form: str
    path: str
    label: str = ""
    name: str = ""
    value: Any = ""
    options: Sequence[tuple[str, str]] = ()
    children: list["Node"] = field(default_factory=list)
    more: Sequence[tuple[str, str]] = ()
    item: str = ""  # of a list: what one more of them is called by
    optional: bool = False
    movable: bool = False
    least: int = 0

    @property
    def id(self) -> str:
        """The id of the input: the same for the same part, so that it keeps its focus."""
        return "x-" + (self.name or self.path).replace(":", "-").replace(".", "-")


class AbilityForm:
    """Builds the form of an ability from the words of its game.

    `offered` are the words that are offered for texts: `ref`, the tokens of the catalogue, and `faction`.
    """

    def __init__(self, choices: Choices, offered: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self._choices = choices
        self._offered = offered
        self._labels: dict[str, str] = {
            "integer": choices["prices"][0][1],
            **choices["labels"],
            **{item["name"]: item["label"] for item in self._every_field()},
        }

    def _every_field(self) -> Iterator[Mapping[str, Any]]:
        for key in ("ability", "replacement", "selector", "where", "price", "mode", "target"):
            yield from self._choices[key]
        for key in ("operations", "statics", "amounts", "conditions"):
            for item in self._choices[key]:
                yield from item["fields"]

    def where(self, path: str) -> str:
        """The words for a path in an ability, such as `.do[0].op`."""
        parts = [self._labels.get(name, name) if name else str(int(number) + 1) for name, number in PATH.findall(path)]
        return " › ".join(parts)

    def tree(self, ability: Mapping[str, Any]) -> Node:
        """The form of an ability. One of no sort has no fields."""
        sort = next((key for key in SORTS if key in ability), "")
        root = Node("group", "")
        if sort == "static":
            root.children = self._static(ability["static"])
        elif sort:
            fields = self._choices["ability" if sort == "on" else "replacement"]
            self._fill(root, fields, ability)
        return root

    def _static(self, static: Any) -> list[Node]:
        static = static if isinstance(static, Mapping) else {}
        known = {item["word"]: item for item in self._choices["statics"]}
        word = next((key for key in known if key in static), "")
        options = [(item["word"], item["label"]) for item in known.values()]
        kind = _choice("static", "k:static", word, options, self._labels["op"])
        inside = Node("group", "static")
        if word:
            self._fill(inside, known[word]["fields"], static)
        return [kind, inside]

    def _fill(self, node: Node, fields: Sequence[Mapping[str, Any]], value: Mapping[str, Any]) -> None:
        """Add the fields that an object has to its node, and offer the others."""
        node.name = f"o:{node.path}" if node.path else ""
        for item in fields:
            if item["name"] in value:
                node.children.append(self._field(item, _join(node.path, item["name"]), value[item["name"]]))
        node.more = [(item["name"], item["label"]) for item in fields if item["name"] not in value]

    def _field(self, item: Mapping[str, Any], path: str, value: Any) -> Node:
        made = self._of_kind(item["kind"], path, value, item["name"])
        made.label = item["label"]
        made.optional = not item["required"]
        return made

    def _of_kind(self, kind: str, path: str, value: Any, name: str = "") -> Node:
        if kind in LISTS:
            return self._list(kind, path, value)
        if kind in ("amount", "condition", "price"):
            return self._varying(kind, path, value)
        if kind in ("selector", "where", "target", "mode"):
            node = Node("group", path)
            self._fill(node, self._choices[kind], value if isinstance(value, Mapping) else {})
            return node
        return self._simple(kind, path, value, name)

    def _simple(self, kind: str, path: str, value: Any, name: str) -> Node:
        if kind in ("number", "change", "sides", "target_number"):
            return Node("number", path, name=f"n:{path}", value=value, least=-99 if kind == "change" else 0)
        if kind == "take":
            counts = [(str(n), str(n)) for n in range(1, 10)]
            return _choice(path, f"t:{path}", str(value), [*counts, *self._words("any|all")[-1:]])
        if kind == "flag":
            return _choice(path, f"f:{path}", "1" if value else "0", list(self._choices["flags"]))
        if kind == "marks":
            return Node("marks", path, name=f"m:{path}", value=list(value or ()), options=self._words("mark"))
        if kind == "ranks":
            ranks = [value] if isinstance(value, str) else list(value or ())
            return Node("marks", path, name=f"m:{path}", value=ranks, options=self._words("rank"))
        if kind in ("trigger", "event"):
            options = [(item["word"], item["label"]) for item in self._choices[f"{kind}s"]]
            return _choice(path, f"w:{path}", value, options)
        if kind == "text":
            offered = self._offered.get(name)
            return _choice(path, f"w:{path}", value, offered) if offered else Node("text", path, "", f"w:{path}", value)
        return _choice(path, f"w:{path}", value, self._words(kind))

    def _words(self, kind: str) -> list[tuple[str, str]]:
        return [(item["word"], item["label"]) for item in self._choices["lists"].get(kind, ())]

    def _list(self, kind: str, path: str, value: Any) -> Node:
        items = value if isinstance(value, list) else []
        node = Node("list", path, name=f"l:{path}", item=LISTS[kind])
        for number, item in enumerate(items):
            inside = self._item(kind, f"{path}.{number}", item)
            inside.optional, inside.movable = len(items) > LEAST[kind], len(items) > 1
            node.children.append(inside)
        return node

    def _item(self, kind: str, path: str, item: Any) -> Node:
        if kind == "operations":
            return self._operation(path, item if isinstance(item, Mapping) else {})
        return self._of_kind("operations" if kind == "branches" else LISTS[kind], path, item)

    def _operation(self, path: str, item: Mapping[str, Any]) -> Node:
        known = {each["word"]: each for each in self._choices["operations"]}
        node = Node("group", path)
        options = [(each["word"], each["label"]) for each in known.values()]
        if item.get("op") in known:
            self._fill(node, known[item["op"]]["fields"], item)
        node.children.insert(0, _choice(f"{path}.op", f"w:{path}.op", item.get("op", ""), options, self._labels["op"]))
        return node

    def _varying(self, kind: str, path: str, value: Any) -> Node:
        """A part of which there are several kinds: the choice of the kind, then its fields."""
        if kind == "price":
            kinds = list(self._choices["prices"])
            fields = {"parts": self._choices["price"]}
            word = "parts" if isinstance(value, Mapping) else "integer"
        else:
            group = self._choices[f"{kind}s"]
            kinds = [(item["word"], item["label"]) for item in group]
            fields = {item["word"]: item["fields"] for item in group}
            kinds = [*self._choices["prices"][:1], *kinds] if kind == "amount" else kinds
            word = next((key for key in fields if isinstance(value, Mapping) and key in value), "integer")
        node = Node("group", path)
        if word == "integer":
            node.children = [Node("number", path, self._labels["integer"], f"n:{path}", value, least=-99)]
        else:
            self._fill(node, fields[word], value)
        if len(kinds) > 1:
            label = self._labels["amount" if kind == "amount" else "variant"]
            node.children.insert(0, _choice(path, f"k:{path}", word, kinds, label))
        return node


def _choice(path: str, name: str, value: Any, options: Sequence[tuple[str, str]], label: str = "") -> Node:
    """A list to choose from. A word that is not on the list is shown first, as it is."""
    known = [word for word, _label in options]
    said = value if isinstance(value, str) else ""
    return Node("choice", path, label, name, said, options if said in known else [(said, said or "?"), *options])


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def sent_ability(data: QueryDict) -> dict[str, Any] | None:
    """The ability that the fields of a form describe; None if it has none. Never raises: odd names are left out."""
    found = [(name, match) for name in data if (match := NAME.match(name))][:MOST_FIELDS]
    if not found:
        return None
    root: dict[str, Any] = {}
    kinds: list[tuple[list[str], str]] = []
    # Shorter paths first, so that an object is there before its parts.
    for name, match in sorted(found, key=lambda item: item[1][2].count(".")):
        steps = match[2].split(".") if match[2] else []
        if len(steps) > MOST_LEVELS:
            continue
        if match[1] == "k":
            kinds.append((steps, str(data[name])))
        elif steps:
            _put(root, steps, _read(match[1], data.getlist(name)))
    ability = _with_lists(root)
    for steps, word in kinds:
        _vary(ability, steps, word)
    return dict(ability) if isinstance(ability, dict) else None


def _read(letter: str, values: Sequence[str]) -> Any:
    text = values[-1].strip() if values else ""
    if letter == "o":
        return {}
    if letter == "l":
        return _List()
    if letter == "m":
        return [value for value in values if value]
    if letter == "f":
        return text == "1"
    if letter in "nt" and re.fullmatch(r"-?\d{1,6}", text):
        return int(text)
    return text


class _List(dict[str, Any]):
    """The items of a list by their numbers, while the fields of a form are read."""


def _put(root: dict[str, Any], steps: Sequence[str], value: Any) -> None:
    here = root
    for step in steps[:-1]:
        inside = here.setdefault(step, {})
        if not isinstance(inside, dict):
            return
        here = inside
    if not (isinstance(value, dict) and isinstance(here.get(steps[-1]), dict)):
        here[steps[-1]] = value


def _with_lists(value: Any) -> Any:
    """The read fields with lists in place of numbered parts."""
    if not isinstance(value, dict):
        return value
    if isinstance(value, _List):
        numbered = sorted((int(key), item) for key, item in value.items() if key.isdecimal())
        return [_with_lists(item) for _number, item in numbered]
    return {key: _with_lists(item) for key, item in value.items()}


def _vary(ability: Any, steps: Sequence[str], word: str) -> None:
    """Change the kind of an amount, a condition, a price or a static, if another was chosen."""
    if not steps:
        return
    above = part_at(ability, steps[:-1])
    here = _get(above, steps[-1])
    if word == "integer" and type(here) is not int:
        _set(above, steps[-1], None)
    elif word == "parts" and not isinstance(here, dict):
        _set(above, steps[-1], {})
    elif word not in ("integer", "parts") and not (isinstance(here, dict) and word in here):
        _set(above, steps[-1], {word: None})


def part_at(value: Any, steps: Sequence[str]) -> Any:
    """The part of an ability to which steps lead; None if there is none."""
    for step in steps:
        value = _get(value, step)
    return value


def _get(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return None


def _set(value: Any, step: str, new: Any) -> None:
    if isinstance(value, dict):
        value[step] = new
    elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        value[int(step)] = new


def steps_of(path: str) -> list[str]:
    """The steps of a path of the linter, `.do[0].op`, or of a form, `do.0.op`."""
    if path[:1] in (".", "["):
        return [name or number for name, number in PATH.findall(path)]
    return path.split(".") if path else []


def changed(ability: dict[str, Any], command: str, path: str, word: str = "") -> None:
    """Carry out a command on a part of an ability: `add`, `item`, `remove`, `up`, `down`, `set` or `rename`."""
    steps = steps_of(path)
    here, above = part_at(ability, steps), part_at(ability, steps[:-1])
    if command == "add" and isinstance(here, dict):
        here.setdefault(word, None)
    elif command == "item" and isinstance(here, list):
        here.append(None)
    elif command == "rename" and isinstance(here, dict):
        old, _arrow, new = word.partition(">")
        if old in here:
            here[new] = here.pop(old)
    elif command == "set" and steps:
        _set(above, steps[-1], word)
    elif command == "remove" and steps:
        _remove(above, steps[-1])
    elif command in ("up", "down") and isinstance(above, list) and steps[-1].isdecimal():
        _move(above, int(steps[-1]), -1 if command == "up" else 1)


def _remove(above: Any, step: str) -> None:
    if isinstance(above, dict):
        above.pop(step, None)
    elif isinstance(above, list) and step.isdecimal() and int(step) < len(above):
        del above[int(step)]


def _move(items: list[Any], number: int, by: int) -> None:
    other = number + by
    if 0 <= number < len(items) and 0 <= other < len(items):
        items[number], items[other] = items[other], items[number]
