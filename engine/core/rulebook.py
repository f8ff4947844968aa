"""The registers of a game: its rules with their messages in three languages, and its interpretations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engine.core.errors import Violation

LANGUAGES = ("fr", "en", "it")
STATUSES = ("tested", "implemented", "manual", "n/a")
SOURCES = ("seed", "official", "implementation", "choice")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a rule text: its id, the section that states it, how far the engine enforces it, its messages.

    `outcome` is what breaking it makes of a move: "illegal", or "impossible" for chance that cannot have happened.
    `whys` holds the messages of its reasons, by name and language, where it can be broken in several ways.
    """

    id: str
    section: str
    status: str
    messages: Mapping[str, str]
    outcome: str = "illegal"
    whys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


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
    """Both registers of a game, by id, in the order of their files."""

    rules: Mapping[str, Rule]
    interpretations: Mapping[str, Interpretation]

    def message(self, violation: Violation, lang: str = "en") -> str:
        """The violation's sentence in `lang` ("fr", "en" or "it")."""
        rule = self.rules[violation.rule]
        messages = rule.whys[violation.why] if violation.why else rule.messages
        return messages[lang].format(**violation.args)


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
            )
            for r in rules
        }),
        MappingProxyType({
            i["id"]: Interpretation(i["id"], i["default"], i["options"], i["why"], i["source"]) for i in gaps
        }),
    )


def with_common_rules(book: Rulebook) -> Rulebook:
    """The registers of a game with those every game shares, kept beside this module (`LOG-…`, `I-TIME`)."""
    common = load_rulebook("engine.core")
    return Rulebook(
        MappingProxyType({**book.rules, **common.rules}),
        MappingProxyType({**book.interpretations, **common.interpretations}),
    )
