"""Sentences that say in French, English or Italian what an ability does, written from its words.

The words come from `sentences.toml` here and in the package of each game. A sentence says what the engine carries out,
in our own words; it is not the text of the card.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from engine.core.abilities import language as words
from engine.core.abilities.language import Fields, Language, Tree
from engine.core.text import registry
from engine.core.text.rulebook import LANGUAGES

Names = Callable[[str], str | None]
DEFINITE = ("self", "it", "target", "host")  # selector keys that mean one certain card
ACTIVE = "active"  # whose turn it is
SIDES = ("own", "opposing", "any", ACTIVE)
BOUNDS = ("at_least", "at_most")
NUMBERS = ("add", "cost", "tough", "least", "at", "fighters", "toll")  # the keys of a static that hold its number
FLAGS = ("beside", "above", "alongside", "faced", "identical")  # selector keys that are true or absent
BARE, EACH, THE, ALL, ONE, SOME = "bare", "each", "the", "all", "one", "some"

# How an Italian preposition and the article after it are joined.
ITALIAN = {"di": "de", "da": "da", "a": "a", "su": "su"}
ENDINGS = {"il": "l ", "i": "i ", "la": "lla ", "le": "lle ", "l'": "ll'"}


class Unworded(Exception):
    """A word has no phrase, so that no true sentence can be written."""


class Phrase(NamedTuple):
    """A phrase about cards, with the gender and number that go with it."""

    text: str
    feminine: bool = False
    plural: bool = False


NOBODY = Phrase("")


class Noun(NamedTuple):
    """A noun in the singular and the plural, with its gender."""

    one: str
    many: str
    feminine: bool

    def counted(self, n: int, lang: str) -> str:
        """Return the form that follows a number. In French, 0 takes the singular."""
        return self.one if abs(n) == 1 or (lang == "fr" and n == 0) else self.many


def nobody(ref: str) -> str | None:
    """Return no name for a card."""
    return None


def sentence(ability: Any, game: str, lang: str, names: Names = nobody) -> str:
    """Return what an ability of a game does as a sentence in `lang` ("fr", "en" or "it").

    `names` gives the name of a card by its ref. An ability with faults gets a sentence that says so.

    >>> sentence({"on": "destroyed", "do": [{"op": "draw", "n": 1}]}, "star-safir", "en")
    'When this card is destroyed: draw 1 card.'
    """
    spoken = registry.module(game, "vocabulary").VOCABULARY.language
    writer = Writer(game, lang, names)
    if spoken is None or next(words.faults(ability, spoken), None) is not None:
        return writer.say("sentence.incomplete")
    try:
        return writer.ability(ability)
    except Unworded:
        return writer.say("sentence.unworded")


def sentences(ability: Any, game: str, names: Mapping[str, Names] | None = None) -> dict[str, str]:
    """Return the sentence of an ability in each language. `names` holds the names of cards for each language."""
    return {lang: sentence(ability, game, lang, (names or {}).get(lang, nobody)) for lang in LANGUAGES}


@cache
def _table(game: str) -> Mapping[str, Mapping[str, str]]:
    read: dict[str, Mapping[str, str]] = {}
    for package, name in (("engine.core.abilities", "sentences.toml"), (registry.package(game), "sentences.toml")):
        text = files(package).joinpath(name).read_text(encoding="utf-8")
        for group, entries in tomllib.loads(text).items():
            read.update({f"{group}.{key}": said for key, said in entries.items()})
    return read


def _agreeing(text: str, phrase: Phrase) -> str:
    """Resolve the <masculine|feminine> and [one|many] forms of a template for what it is about."""
    text = re.sub(r"<([^<>|]*)\|([^<>|]*)>", lambda found: found[2 if phrase.feminine else 1], text)
    return re.sub(r"\[([^\[\]|]*)\|([^\[\]|]*)\]", lambda found: found[2 if phrase.plural else 1], text)


def _contracted(text: str, lang: str) -> str:
    """Contract prepositions and articles, such as "de le" to "du" and "di il" to "del"."""
    if lang == "fr":
        for written, contracted in (("de le ", "du "), ("de les ", "des "), ("à le ", "au "), ("à les ", "aux ")):
            text = re.sub(rf"\b{written}", contracted, text)
        return re.sub(r"\b(d)e (?=[aeiouéèêAEIOUÉÈÊ])", r"\1'", text)
    if lang == "it":
        text = re.sub(
            r"\b(di|da|a|su) (il |i |la |le |l')", lambda found: ITALIAN[found[1]] + ENDINGS[found[2].strip()], text
        )
        return re.sub(r"\b([Uu])na (?=[aeiouAEIOU])", r"\1n'", text)
    return re.sub(r"\ban? other ", "another ", re.sub(r"\ba (?=[aeiouAEIOU])", "an ", text))


class Writer:
    """Writes phrases about the abilities of one game in one language."""

    def __init__(self, game: str, lang: str, names: Names = nobody) -> None:
        self.lang = lang
        self.language: Language = registry.module(game, "vocabulary").VOCABULARY.language or Language()
        self._names = names
        self._words = _table(game)
        self._targets: Sequence[Tree] = ()  # those that the ability has declared

    def known(self, key: str) -> bool:
        """Return whether there are words for a key."""
        return key in self._words

    def say(self, key: str, about: Phrase = NOBODY, /, **args: str) -> str:
        """Return the words of a key. They agree with `about`. Raises Unworded for a key without words."""
        found = self._words.get(key)
        if found is None:
            raise Unworded(key)
        return _agreeing(found[self.lang], about).format(**args)

    def noun(self, key: str) -> Noun:
        """Return a noun by its key. Raises Unworded."""
        one, many, *gender = self.say_raw(key).split("|")
        return Noun(one, many, gender == ["f"])

    def say_raw(self, key: str) -> str:
        """Return the words of a key as they are written in the register. Raises Unworded."""
        if key not in self._words:
            raise Unworded(key)
        return self._words[key][self.lang]

    def figure(self, name: str, form: int = 0) -> str:
        """Return a figure: 0 bare, 1 with the definite article, 2 with the indefinite one."""
        return self.say_raw(f"figure.{name}").split("|")[form]

    def quoted(self, name: str) -> str:
        """Return a name in quotation marks."""
        return self.say("sentence.ref", name=name)

    # Abilities

    def ability(self, ability: Tree) -> str:
        """Return the sentence of a sound ability. Raises Unworded."""
        if "static" in ability:
            written = self._static(ability["static"])
        elif "would" in ability:
            written = self._replacement(ability)
        else:
            written = self._triggered(ability)
        written = _contracted(written, self.lang)
        return written[:1].upper() + written[1:]

    def _triggered(self, ability: Tree) -> str:
        when = self.trigger(ability)
        if "if" in ability:
            when = self.say("sentence.if", when=when, cond=self.condition(ability["if"]))
        if "cost" in ability:
            when = self.say("sentence.price", when=when, price=self._price(ability["cost"]))
        for flag in ("once", "its"):
            if ability.get(flag):
                when = self.say(f"sentence.{flag}", when=when)
        what = [*self._declared(ability), *([self.operations(ability["do"])] if "do" in ability else [])]
        if "modes" in ability:
            modes = self._listed([self._mode(n, mode) for n, mode in enumerate(ability["modes"], 1)])
            what.append(self.say("sentence.modes", modes=modes))
        return self.say("sentence.trigger", when=when, what=self._listed(what))

    def trigger(self, ability: Tree) -> str:
        """Return when an ability is triggered: its event, the cards it watches, and whose turn it is."""
        key = f"trigger.{ability['on']}"
        turn = ability.get("turn", "own")
        about = self.cards(ability["of"], ONE, zoned=False) if "of" in ability else self._this()
        when = self.say(key, about, of=about.text, turn=self.say(f"turn.{turn}"))
        if "turn" in ability and "{turn}" not in self.say_raw(key):
            when = self.say("sentence.during", when=when, turn=self.say(f"turn.{turn}"))
        return when

    def _declared(self, tree: Tree) -> list[str]:
        targets = tree.get("targets", [])
        self._targets = targets
        return [self.say("sentence.target", of=self._target(target)) for target in targets]

    def _target(self, target: Tree) -> str:
        return self.say("card.player") if target.get("player") else self.cards(target, SOME).text

    def _mode(self, number: int, mode: Tree) -> str:
        what = self._listed([*self._declared(mode), self.operations(mode["do"])])
        if "if" in mode:
            return self.say("sentence.mode_if", n=str(number), cond=self.condition(mode["if"]), what=what)
        return self.say("sentence.mode", n=str(number), what=what)

    def _replacement(self, ability: Tree) -> str:
        side = ability.get("of", {}).get("side", "own")
        key = f"event.{ability['would']}"
        if ability["would"] == "draw":
            key, about = key if side == "own" else f"{key}_{side}", NOBODY
        else:
            about = self.cards(ability["of"], ONE, zoned=False) if "of" in ability else self._this()
        when = self.say(key, about, of=about.text)
        lead = "sentence.would_may" if ability.get("may") else "sentence.would"
        return self.say(lead, when=when, what=self.operations(ability["do"]))

    def _static(self, static: Tree) -> str:
        kind = next(kind for kind in self.language.statics if kind in static)
        where = f"sentence.lead_while_{static.get('while')}"
        own = where if self.known(where) else f"sentence.lead_{kind}"
        when = self.say(own if self.known(own) else "sentence.lead")
        if "if" in static:
            when = self.say("sentence.if", when=when, cond=self.condition(static["if"]))
        return self.say("sentence.trigger", when=when, what=self.static(kind, static))

    def static(self, kind: str, static: Tree) -> str:
        """Return what a static does, without the time for which it does it."""
        if kind == "points":
            return self._points(static)
        loose = kind in ("cost", "least") or static.get("forbid") == "play"  # reaches cards that are not in play yet
        about = self.cards(static["to"], THE, zoned=not loose) if "to" in static else self._this()
        args: dict[str, str] = {"of": about.text}
        signed = kind == "stat"
        number: Any = next((static[key] for key in NUMBERS if key in static), None)
        if kind == "cost":
            args["more"] = self.say("cost.less" if number < 0 else "cost.more")
            number = abs(number)
        if number is not None:
            args["n"] = self._number(number, signed)
        if kind == "stat":
            args["stat"] = self.figure(static["stat"])
        elif kind == "grant":
            args["keyword"] = self.quoted(static["grant"])
        elif kind == "forbid":
            args["what"] = self.say(f"forbidden.{static['forbid']}", about)
        elif kind == "double":
            args["the_stat"] = self.figure(static["double"], 1)
        elif kind == "toll":
            args["n"] = self._counted(static["toll"], self.noun("noun.card"))
        mode = static.get("mode", static.get("offer"))
        if mode is not None:
            args["mode"] = self.figure(mode)
        variants = (f"static.{kind}_{static[kind]}", f"static.{kind}_mode" if "mode" in static else "")
        key = next((variant for variant in variants if self.known(variant)), f"static.{kind}")
        said = self._equal(self.say(key, about, **args), number)
        if "each" in static:
            said = self.say("sentence.per", what=said, of=self.cards(static["each"], EACH).text)
        if "with" in static:
            said = self.say("sentence.joined", what=said, of=self.cards(static["with"], ONE, zoned=False).text)
        return said

    def _points(self, static: Tree) -> str:
        when = f"when.{static.get('when', 'each')}"
        group = static.get("group", 1)
        facts = [
            self.say(f"points_if.{key}", value=self._either(static[key]))
            for key in ("class", "named", "rank", "distinct", "classless")
            if static.get(key)
        ]
        n = static["points"]
        return self.say(
            "static.points",
            n=f"{self._number(n, signed=True)} {self.noun('noun.points').counted(n, self.lang)}",
            when=self.say(when if group == 1 else f"{when}_group", group=str(group)),
            of=self.say(f"points_of.{static.get('of', 'owned')}"),
            facts=f" ({', '.join(facts)})" if facts else "",
        )

    def _either(self, value: Any) -> str:
        """Return a word, or a list of words of which one is meant."""
        items = [str(item) for item in value] if isinstance(value, list) else [str(value)]
        said = items[0]
        for other in items[1:]:
            said = self.say("sentence.or", first=said, second=other)
        return said

    # Operations

    def operations(self, items: Sequence[Tree]) -> str:
        """Return operations in their order. One that others could be taken to belong to is put in brackets."""
        if len(items) == 1 and items[0]["op"] == "seq":
            return self.operations(items[0]["do"])
        written = [self.operation(item) for item in items]
        for index, item in enumerate(items[:-1]):
            if _is_block(item):
                written[index] = self.say("sentence.block", what=written[index])
        said = written[0]
        for other in written[1:]:
            said = self.say("sentence.then", first=said, second=other)
        return said

    def operation(self, item: Tree) -> str:
        """Return what one operation does. Raises Unworded."""
        name = str(item["op"])
        if name in ("choose", "seq", "manual"):
            return self._plain(name, item)
        fields = self.language.operations[name]
        if name == "target":
            kept = list(self._targets[: item["number"] - 1])
            self._targets = [*kept, *[{}] * (item["number"] - 1 - len(kept)), *item["targets"]]
        about = self._about(name, item, fields)
        key, args = self._chosen(name, item, fields, about)
        said = self.say(key, about, **args)
        if "do" in item and "{do}" not in self.say_raw(key):
            said = self.say("sentence.about_each", what=said, do=args["do"])
        if "else" in item:
            said = self.say("sentence.else", what=said, do=self.operations(item["else"]))
        if "by" in item and "by" in fields:
            said += self.say(f"by.{item['by']}")
        slot = f"slot.{item.get('at', '')}"
        if name == "token" and self.known(slot):
            said = self.say("sentence.for", what=said, duration=self.say(slot))
        if "for" in item:
            # What is still to be done is not what lasts, so a duration comes before it.
            place = "sentence.until" if "do" in item else "sentence.for"
            said = self.say(place, what=said, duration=self.say(f"duration.{item['for']}"))
        said = self._equal(said, item.get("n", item.get("at_most")))
        if "then" in item:
            key = "sentence.followed_anyway" if item.get("puis") else "sentence.followed"
            said = self.say(key, what=said, do=self.operations(item["then"]))
        return said

    def _plain(self, name: str, item: Tree) -> str:
        if name == "seq":
            return self.say("sentence.block", what=self.operations(item["do"]))
        if name == "manual":
            needs = item.get("needs")
            return self.say("operation.manual_needs", needs=needs) if needs else self.say("operation.manual")
        branches = self._listed([
            self.say("sentence.mode", n=str(n), what=self.operations(do)) for n, do in enumerate(item["of"], 1)
        ])
        by = item.get("by", "controller")
        if by == "opponent":
            return self.say("operation.choose_they", by=self.say("who.opponent"), branches=branches)
        return self.say("operation.choose_random" if by == "random" else "operation.choose", branches=branches)

    def _about(self, name: str, item: Tree, fields: Fields) -> Phrase:
        """Return what an operation is about: the cards of `of`, the cards of a player, or nothing."""
        if "of" in item and fields["of"].startswith("selector"):
            selector = {**item["of"], "side": "any"} if name == "sacrifice" and "who" in item else item["of"]
            how = {"search": BARE, "next": BARE, "swap": ALL}.get(name, SOME)
            if name == "each" and item["of"].get("take", "all") == "all":
                how = EACH
            return self.cards(selector, how, zoned=name not in ("search", "next"))
        if name == "target":
            return Phrase(self._target(item["targets"][0]))
        if name == "aim":
            return self._certain({"target": item["target"]}, "target")
        if name == "cannot":
            return Phrase(self.say(f"cards.{item['who']}"), feminine=True, plural=True)
        return NOBODY

    def _chosen(self, name: str, item: Tree, fields: Fields, about: Phrase) -> tuple[str, dict[str, str]]:
        """Return the key of an operation's words and their arguments."""
        args, key = {"of": about.text}, f"operation.{name}"
        variants = [
            str(item[field]) for field in ("at", "to", "in", "what", "mode") if isinstance(item.get(field), str)
        ]
        variants += ["from_hand"] if item.get("from") == "hand" else []
        variants += [field for field in ("of", "n") if field in item]
        variants += [flag for flag in ("may", "must", "exhausted") if item.get(flag)]
        if name == "next":
            variants += [] if "cost" not in item else ["free" if item["cost"] <= -words.MAX_AMOUNT else "cost"]
            variants += ["do"] if "do" in item else []
            args["more"] = self.say("cost.less" if item.get("cost", 0) < 0 else "cost.more")
        for variant in variants:
            key = f"{key}_{variant}" if self.known(f"{key}_{variant}") else key
        args |= self._arguments(name, item, about)
        if name == "inner" and item.get("cost") == 0:
            key = "operation.inner_free"
        if name == "march" and item["n"] < 0:
            key = "operation.march_back"
        who = item.get("who", "opponent" if name == "cancel" else "controller")
        if who != "controller" and self.known(f"{key}_they") and name != "cannot":
            key, args["who"] = f"{key}_they", self.say(f"who.{who}")
        return key, args

    def _arguments(self, name: str, item: Tree, about: Phrase) -> dict[str, str]:
        args: dict[str, str] = {}
        number = item.get("n", item.get("at_most", item.get("cost")))
        if name == "inner":
            args["price"] = self._price(item["cost"]) if item.get("cost") else ""
        elif name == "token":
            args["n"] = str(item["n"])
        elif name in ("buff", "newcomers"):
            args["n"] = self._number(item["n"], signed=True)
        elif name == "next":
            args["n"] = self._number(abs(item.get("cost", 0)))
        elif number is not None or name in ("look", "reveal", "search"):
            args["n"] = self._counted(1 if number is None else number, self._unit(name, item))
        if "stat" in item:
            args["stat"], args["the_stat"] = self.figure(item["stat"]), self.figure(item["stat"], 1)
        if "keyword" in item:
            args["keyword"] = self.quoted(item["keyword"])
        if "ref" in item:
            args["ref"] = self.quoted(self._names(item["ref"]) or item["ref"])
        if name == "exchange" and "with" in item:
            args["other"] = self.cards(item["with"], SOME).text
        elif name == "target":
            args["n"] = str(item["number"])
        if "mark" in item:
            args["mark"] = self.quoted(self.say(f"mark.{item['mark']}"))
        if name == "cannot":
            args["what"] = self.say(f"forbidden.{item['what']}", about)
        elif name == "activate":
            args["what"] = self.say(f"reaction.{item['what']}")
        elif name == "march":
            args["at"] = self.say(f"expedition.{item['at']}")
        elif name == "roll":
            args["sides"], args["least"] = str(item["sides"]), str(item["at_least"])
        if "cond" in item:
            args["cond"] = self.condition(item["cond"])
        if "do" in item:
            args["do"] = self._inside(item)
        return args

    def _inside(self, item: Tree) -> str:
        """Return the operations inside another. If a "otherwise" follows, nothing else may claim it."""
        outer = self._targets
        declared = self._declared(item) if "targets" in item else []
        said = self._listed([*declared, self.operations(item["do"])])
        self._targets = outer
        if "else" in item and _is_block(item["do"][-1]):
            return self.say("sentence.block", what=said)
        return said

    def _unit(self, name: str, item: Tree) -> Noun:
        if self.known(f"noun.{name}"):
            return self.noun(f"noun.{name}")
        counter = f"counter.{item.get('what')}"
        return self.noun(counter if self.known(counter) else "noun.card")

    def _price(self, price: Any) -> str:
        """Return a price: a number of orbs, or its parts."""
        parts = {"mana": price} if type(price) is int else price
        said = []
        for part, value in parts.items():
            unit = {"mana": "noun.orb", "counters": "noun.counter"}.get(part, "noun.card")
            n = self._counted(value, self.noun(unit)) if type(value) is int else ""
            of = self.cards(value, SOME).text if isinstance(value, dict) else ""
            said.append(self.say(f"price.{part}", n=n, of=of))
        return ", ".join(said)

    def _listed(self, items: Sequence[str]) -> str:
        said = items[0]
        for other in items[1:]:
            said = self.say("sentence.list", first=said, second=other)
        return said

    # Numbers

    def _number(self, value: Any, signed: bool = False) -> str:
        """Return a number, or X for an amount that `_equal` explains."""
        if type(value) is not int:
            return "+X" if signed else "X"
        return f"{value:+d}".replace("-", "−") if signed else str(value)

    def _counted(self, value: Any, unit: Noun) -> str:
        """Return a number with its unit."""
        if type(value) is not int:
            return f"X {unit.many}"
        if value == words.MAX_AMOUNT:  # how an ability says "all of them"
            the = "le" if unit.feminine else _article(unit.many)
            return self.say("quantity.every", Phrase("", unit.feminine), many=unit.many, the=the)
        return f"{self._number(abs(value))} {unit.counted(value, self.lang)}"

    def _equal(self, said: str, value: Any) -> str:
        """Explain the X of a phrase, if it has one."""
        return self.say("sentence.equal", what=said, amount=self.amount(value)) if isinstance(value, dict) else said

    def amount(self, value: Any) -> str:
        """Return an amount as a noun phrase."""
        if type(value) is int:
            return str(value)
        if "count" in value:
            return self.say("amount.count", of=self.cards(value["count"], BARE).text)
        if "stat" in value:
            return self.say(f"amount.stat_{value.get('of', 'source')}", stat=self.figure(value["stat"], 1))
        if "half_up" in value:
            return self.say("amount.half_up", amount=self.amount(value["half_up"]))
        if "roll" in value:
            return self.say("amount.roll", sides=str(value["roll"]))
        if "x" in value:
            return self.say("amount.x")
        bounds = {"least": str(value.get("at_least", "")), "most": str(value.get("at_most", ""))}
        inside = self.amount(value["bounded"])
        given = [key for key in ("at_least", "at_most") if key in value]
        if not given:
            return inside
        key = "bounded" if len(given) == 2 else given[0]
        return self.say(f"amount.{key}", amount=inside, **bounds)

    def _bound(self, tree: Tree) -> tuple[str, bool]:
        """Return the bounds of a number in words, and whether both are plain numbers."""
        given = {key: tree[key] for key in BOUNDS if key in tree}
        plain = all(type(value) is int for value in given.values())
        args = {"least": self.amount(given.get("at_least", 0)), "most": self.amount(given.get("at_most", 0))}
        if len(given) == 2:
            key = "between" if args["least"] != args["most"] or not plain else "exactly"
        else:
            key = next(iter(given), "at_least")
        return self.say(f"bound.{key}" if plain else f"bound.{key}_of", **args), plain

    def condition(self, cond: Tree) -> str:
        """Return a condition as a clause that follows "if"."""
        if "first" in cond:
            return self.say("condition.first" if cond["first"] else "condition.not_first")
        if "phase" in cond:
            return self.say("condition.phase", phase=self.say(f"phase.{cond['phase']}"))
        if "reading" in cond:
            return self.say("condition.reading", reading=cond["reading"], word=self.quoted(str(cond["is"])))
        if "counter" in cond:
            return self._counter(cond)
        if "x" in cond:
            return self.say("condition.x", bound=self._bound(cond)[0])
        selector = cond["count"]
        certain = next((key for key in DEFINITE if selector.get(key)), None)
        asked = {key: cond[key] for key in ("at_least", "at_most") if key in cond}
        if certain and asked in ({"at_least": 1}, {"at_most": 0}):
            facts = self._facts(selector, certain) or [self.say("condition.still")]
            key = "condition.there" if "at_least" in cond else "condition.not_there"
            return self.say(key, of=self._certain(selector, certain, facts=False).text, facts=", ".join(facts))
        return self.say("condition.count", of=self.cards(selector, BARE).text, bound=self._bound(cond)[0])

    def _counter(self, cond: Tree) -> str:
        """Return a condition on a counter: within bounds, even or odd, or both."""
        of = self.noun(f"counter.{cond['counter']}").many
        said = []
        if any(key in cond for key in BOUNDS):
            said.append(self.say("condition.count", of=of, bound=self._bound(cond)[0]))
        if "even" in cond:
            said.append(self.say("condition.even" if cond["even"] else "condition.odd", of=of))
        return self.say("sentence.and", first=said[0], second=said[1]) if len(said) == 2 else said[0]

    # Cards

    def _this(self) -> Phrase:
        return Phrase(self.say("card.self"), feminine=True)

    def cards(self, selector: Tree, how: str, zoned: bool = True) -> Phrase:
        """Return the cards that a selector reaches as a noun phrase.

        `how` says how many: some of them (`SOME`), `ONE`, `EACH`, `ALL`, or only what kind of cards (`BARE`). Cards are
        in the default zone unless the selector says otherwise; with `zoned` false they can be anywhere.
        """
        certain = next((key for key in DEFINITE if selector.get(key)), None)
        if certain:
            return self._certain(selector, certain)
        zone = selector.get("zone", self.language.known("zone")[0] if zoned else None)
        noun = self._noun(selector, zone)
        side = selector.get("side", "own")
        placed = self.known(f"place.{zone}")
        whose = "any" if placed or side == ACTIVE else side
        if how == SOME and selector.get("take") == "all":
            how = ALL
        number = selector.get("take", 1) if how == SOME else 1
        plural = how in (BARE, THE, ALL) or (how == SOME and number > 1)
        said = Phrase("", noun.feminine, plural)
        text = self.say(
            f"{how}.{whose}",
            said,
            n=self._upto(number, selector) if how == SOME else "",
            noun=noun.many if plural else noun.one,
            many=noun.many,
            the="le" if noun.feminine else _article(noun.many),
            other=self._other(selector, noun, how, whose),
        )
        facts = [] if how == BARE else self._choice(selector, how)
        text = " ".join([text, *self._facts(selector, None, zone)])
        return Phrase("".join([text, *facts]), noun.feminine, plural)

    def _noun(self, selector: Tree, zone: str | None) -> Noun:
        if "kind" in selector:
            return self.noun(f"kind.{selector['kind']}")
        if "type" in selector:
            return self.noun(f"type.{selector['type']}")
        return self.noun(f"zone.{zone}" if zone and self.known(f"zone.{zone}") else "noun.card")

    def _upto(self, number: int, selector: Tree) -> str:
        return self.say("quantity.up_to", n=str(number)) if selector.get("may") else str(number)

    def _other(self, selector: Tree, noun: Noun, how: str, side: str) -> str:
        if not selector.get("not_self"):
            return ""
        among = how in (BARE, THE, ALL) or side == "own"  # "one of your other cards" is in the plural
        plural = among or (how == SOME and selector.get("take", 1) != 1)
        return self.say("quantity.other", Phrase("", noun.feminine, plural))

    def _choice(self, selector: Tree, how: str) -> list[str]:
        """Return who chooses, and that all of them need not be taken."""
        said = [self.say("quantity.if_wished")] if how == ALL and selector.get("may") else []
        by = selector.get("by", "controller")
        return said if by == "controller" else [*said, self.say(f"by.{by}")]

    def _facts(self, selector: Tree, certain: str | None, zone: str | None = None) -> list[str]:
        """Return what else is said of the cards of a selector. Of a certain card, its kind and side are facts too."""
        side = selector.get("side", "own")
        zone = selector.get("zone") if certain else zone
        said = self._places(selector, zone, side)
        if certain:
            if "kind" in selector:
                said.append(self.noun(f"kind.{selector['kind']}").one)
            if side != "own" and not self.known(f"place.{zone}") and side != "any":
                said.append(self.say(f"side.{side}"))
            if selector.get("not_self"):
                said.append(self.say("with.not_self"))
            others = [key for key in DEFINITE if selector.get(key) and key != certain]
            said += [
                self.say("card.target_n" if key == "target" else f"card.{key}", n=str(selector.get("target", "")))
                for key in others
            ]
            if "type" in selector:
                said.append(self.noun(f"type.{selector['type']}").one)
        elif "type" in selector and "kind" in selector:
            said.append(self.noun(f"type.{selector['type']}").one)
        for key in ("subtype", "faction", "named", "not_named", "class"):
            if key in selector:
                said.append(self.say(f"with.{key}", **{key: self.quoted(selector[key])}))
        if "rank" in selector:
            said.append(self.say("with.rank", rank=self.quoted(self._either(selector["rank"]))))
        if "keyword" in selector:
            said.append(self.say("with.keyword", keyword=self.quoted(selector["keyword"])))
        if "where" in selector:
            said.append(self._where(selector["where"]))
        if "marks" in selector:
            marks = ", ".join(self.quoted(self.say(f"mark.{mark}")) for mark in selector["marks"])
            said.append(self.say("with.mark" if len(selector["marks"]) == 1 else "with.marks", marks=marks))
        said += [self.say(f"with.{flag}") for flag in FLAGS if selector.get(flag)]
        if "spot" in selector:
            said.append(self.say(f"spot.{selector['spot']}"))
        if certain and zone is not None and not self.known(f"place.{zone}") and zone != self.language.known("zone")[0]:
            said.append(self.noun(f"zone.{zone}").one)
        if "in" in selector:
            said.append(self.say(f"in.{selector['in']}"))
        if "total" in selector:
            stat = self.figure(selector["total"]["stat"])
            said.append(self.say("with.total", stat=stat, bound=self._bound(selector["total"])[0]))
        return said

    def _places(self, selector: Tree, zone: str | None, side: str) -> list[str]:
        """Return where the cards of a selector are, if that is a place, and whose turn it has to be."""
        said = [self.say("with.top", n=str(selector["top"]))] if "top" in selector else []
        places = self.say_raw(f"place.{zone}").split("|") if zone is not None and self.known(f"place.{zone}") else []
        if places:
            said.append(places[min(SIDES.index(side), len(places) - 1)])
        if side == ACTIVE and len(places) < len(SIDES):
            said.append(self.say("side.active"))
        return said

    def _where(self, where: Tree) -> str:
        bound, plain = self._bound(where)
        return self.say("with.where" if plain else "with.where_of", stat=self.figure(where["stat"], 2), bound=bound)

    def _certain(self, selector: Tree, certain: str, facts: bool = True) -> Phrase:
        """Return one certain card: the card itself, that of the event, or a target."""
        if certain == "target":
            number, several = int(selector["target"]), len(self._targets) > 1
            target = self._targets[number - 1] if 0 < number <= len(self._targets) else {}
            key = "card.target" if target.get("take", 1) == 1 else "card.targets"
            text = self.say(f"{key}_n" if several else key, n=str(number))
        else:
            text = self.say(f"card.{certain}")
        known = self._facts(selector, certain) if facts else []
        if known:
            text = self.say("sentence.facts", card=text, facts=", ".join(known))
        if selector.get("may"):
            text = self.say("quantity.if_you_wish", card=text)
        return Phrase(text, feminine=not (certain == "target" and self.lang == "it"))


def _is_block(item: Tree) -> bool:
    """Return whether an operation has others inside it, to which what follows could be taken to belong."""
    return item["op"] != "seq" and ("do" in item or "then" in item or item["op"] == "choose")


def _article(noun: str) -> str:
    """Return the Italian article of a masculine noun in the plural."""
    return "gli" if re.match(r"[aeiou]|s[^aeiou]|z|gn|ps", noun.casefold()) else "i"
