"""The registers of a game: its rules, with their messages in three languages, and its interpretations."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from engine.core.text.errors import Violation

LANGUAGES = ("fr", "en", "it")
STATUSES = ("tested", "implemented", "manual", "n/a")
OTHER = "*"  # in `givers`: any fact, or any verb, that is not named
SOURCES = ("seed", "official", "implementation", "choice")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, the section of the rule text that states it, its status and its messages.

    `status` is one of `STATUSES` and says how far the engine enforces the rule. `outcome` is what a move that breaks it
    becomes: "illegal", or "impossible" for chance that cannot have happened. If a rule can be broken in several ways,
    `whys` holds a message for each, by name and language. `of` holds the messages for a `card` that is not a card: its
    kind, or "-" where none is listed. `sections` has the name of the section in the other languages, unless it is the
    heading of a text that exists in one language only.
    """

    id: str
    section: str
    status: str
    messages: Mapping[str, str]
    outcome: str = "illegal"
    whys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A gap in a rule text, as data: the options, the default, why it is the default, and where it comes from."""

    id: str
    default: str
    options: Mapping[str, Mapping[str, str]]
    why: Mapping[str, str]
    source: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Both registers of a game, by id, in the order of their files.

    `givers` names the rule that gives the value of a fact, by fact ("pv") and by the verb that changed the fact last.
    """

    rules: Mapping[str, Rule]
    interpretations: Mapping[str, Interpretation]
    givers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def message(self, violation: Violation, lang: str = "en", args: Mapping[str, Any] | None = None) -> str:
        """Return the sentence for a violation in `lang` ("fr", "en" or "it").

        `args` replaces the violation's arguments, for example by the same arguments in words.
        """
        rule = self.rules[violation.rule]
        card = str(violation.args.get("card", ""))
        messages = rule.whys[violation.why] if violation.why else rule.of.get(card, rule.messages)
        return messages[lang].format(**(violation.args if args is None else args))

    def section(self, rule: str, lang: str = "en") -> str:
        """Return the section that states a rule, under the name its text uses."""
        found = self.rules[rule]
        return found.sections.get(lang, found.section)

    def left_open(self, interpretations: Iterable[str]) -> list[str]:
        """Return those of the interpretations that the rules leave open, in the same order."""
        return [name for name in interpretations if name in self.interpretations]

    def giver(self, fact: str, verb: str) -> str | None:
        """Return the rule that gives the value of a fact after `verb` changed it, or None if no rule does."""
        verbs = self.givers.get(fact, self.givers.get(OTHER, {}))
        return verbs.get(verb, verbs.get(OTHER))


@cache
def load_rulebook(package: str) -> Rulebook:
    """Read `rules.toml` and `interpretations.toml` of a game package such as `engine.games.star_safir`."""
    folder = files(package)
    rules = tomllib.loads(folder.joinpath("rules.toml").read_text(encoding="utf-8"))["rule"]
    gaps = tomllib.loads(folder.joinpath("interpretations.toml").read_text(encoding="utf-8"))["interpretation"]
    # Read-only, because the register is cached and shared by everything that plays this game.
    return Rulebook(
        MappingProxyType({
            r["id"]: Rule(
                r["id"],
                r["section"],
                r["status"],
                {lang: r[lang] for lang in LANGUAGES},
                r.get("outcome", "illegal"),
                _named(r.get("why", {})),
                _named(r.get("of", {})),
                r.get("sections", {}),
            )
            for r in rules
        }),
        MappingProxyType({
            i["id"]: Interpretation(i["id"], i["default"], i["options"], i["why"], i["source"]) for i in gaps
        }),
        _givers(folder),
    )


def _named(messages: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {name: {lang: words[lang] for lang in LANGUAGES} for name, words in messages.items()}


def _givers(folder: Traversable) -> Mapping[str, Mapping[str, str]]:
    """Read the register `facts.toml` of a game package, empty if it has none."""
    file = folder.joinpath("facts.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def with_common_rules(book: Rulebook) -> Rulebook:
    """Return the registers of a game with those shared by every game (`LOG-…`, `I-TIME`), kept beside this module."""
    common = load_rulebook("engine.core.text")
    return Rulebook(
        MappingProxyType({**book.rules, **common.rules}),
        MappingProxyType({**book.interpretations, **common.interpretations}),
        book.givers,
    )
