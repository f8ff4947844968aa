"""The registers of a game: its rules with their messages in three languages, and its interpretations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from engine.core.errors import Violation

LANGUAGES = ("fr", "en", "it")
STATUSES = ("tested", "implemented", "manual", "n/a")
OTHER = "*"  # in `givers`: every fact, or every verb, that is not named
SOURCES = ("seed", "official", "implementation", "choice")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a rule text: its id, the section that states it, how far the engine enforces it, its messages.

    `outcome` is what breaking it makes of a move: "illegal", or "impossible" for chance that cannot have happened.
    `whys` holds the messages of its reasons, by name and language, where it can be broken in several ways; `sections`
    the names of its section by language, where the rule text is not one publisher's but our own.
    """

    id: str
    section: str
    status: str
    messages: Mapping[str, str]
    outcome: str = "illegal"
    whys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A gap of a rule text made into data: the options, the default, why, and where the default comes from."""

    id: str
    default: str
    options: Mapping[str, Mapping[str, str]]
    why: Mapping[str, str]
    source: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Both registers of a game, by id, in the order of their files.

    `givers` names the rules that give the value of a fact, by fact ("pv") and by the verb that changed it last.
    """

    rules: Mapping[str, Rule]
    interpretations: Mapping[str, Interpretation]
    givers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def message(self, violation: Violation, lang: str = "en", args: Mapping[str, Any] | None = None) -> str:
        """The violation's sentence in `lang` ("fr", "en" or "it"); `args` are its arguments in words, if given."""
        rule = self.rules[violation.rule]
        messages = rule.whys[violation.why] if violation.why else rule.messages
        return messages[lang].format(**(violation.args if args is None else args))

    def section(self, rule: str, lang: str = "en") -> str:
        """The section that states a rule, as its text calls it."""
        found = self.rules[rule]
        return found.sections.get(lang, found.section)

    def giver(self, fact: str, verb: str) -> str | None:
        """The rule that gives the value of a fact after `verb` changed it; None where no rule of the text does."""
        verbs = self.givers.get(fact, self.givers.get(OTHER, {}))
        return verbs.get(verb, verbs.get(OTHER))


@cache
def load_rulebook(package: str) -> Rulebook:
    """Read `rules.toml` and `interpretations.toml` of a game package such as `engine.games.star_safir`."""
    folder = files(package)
    rules = tomllib.loads(folder.joinpath("rules.toml").read_text(encoding="utf-8"))["rule"]
    gaps = tomllib.loads(folder.joinpath("interpretations.toml").read_text(encoding="utf-8"))["interpretation"]
    return Rulebook(
        MappingProxyType({
            r["id"]: Rule(
                r["id"],
                r["section"],
                r["status"],
                {lang: r[lang] for lang in LANGUAGES},
                r.get("outcome", "illegal"),
                {name: {lang: words[lang] for lang in LANGUAGES} for name, words in r.get("why", {}).items()},
                r.get("sections", {}),
            )
            for r in rules
        }),
        MappingProxyType({
            i["id"]: Interpretation(i["id"], i["default"], i["options"], i["why"], i["source"]) for i in gaps
        }),
        _givers(folder),
    )


def _givers(folder: Traversable) -> Mapping[str, Mapping[str, str]]:
    """The register `facts.toml` of a game package, if it has one."""
    file = folder.joinpath("facts.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def with_common_rules(book: Rulebook) -> Rulebook:
    """The registers of a game with those every game shares, kept beside this module (`LOG-…`, `I-TIME`)."""
    common = load_rulebook("engine.core")
    return Rulebook(
        MappingProxyType({**book.rules, **common.rules}),
        MappingProxyType({**book.interpretations, **common.interpretations}),
        book.givers,
    )
