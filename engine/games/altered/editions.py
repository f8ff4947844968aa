"""The rulesets of Altered: the text of September 2024, and the Complete Rules 3.0 of June 2025.

All that differs between them while a game is played is a field of `Edition`, with the numbers of the Complete Rules.
`editions.toml` has the numbers under which these state the rules of the register, the sentences that they change, and
the gaps that they close.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from engine.core.table.game import Ruleset, ruleset
from engine.core.table.state import State
from engine.core.text.rulebook import Rulebook

OF_2024, OF_2025 = "altered-2024@1", "altered-2025@1"
# The text of 2024 has modes chosen as a spell is declared (ALT-5.2.3.c), so it leaves no choice about I-ALT-23.
SETTLED_2024 = {"I-ALT-23": "declaration"}


@dataclass(frozen=True, slots=True)
class Edition:
    """How the rules of one edition differ from the text of 2024.

    - `late_choices`: targets are chosen while an effect resolves, just before the step that reaches them (1.2.6.c,
      6.1.g, 6.5.b), instead of as it is declared. A spell can then be played without a possible target.
    - `readies_reserve`: the morning also readies the cards of the Reserve (4.2.1.c).
    - `bars_exhausted`: an exhausted card of the Reserve cannot be played and has no support ability (2.4.5.c, 2.4.5.e).
    - `sacrifices_landmarks`: at night, the Landmarks that are too many are sacrificed, not discarded (4.2.5.c).
    - `later_words`: the words that came after the first sets are defined: Expedition Permanents (5.2.2), Cooldown
      (7.4.1), Scout (7.4.5), Augment (7.3.3), and effects that double (7.3.6) or exchange (7.3.8) what lies on cards.
    """

    late_choices: bool = False
    readies_reserve: bool = False
    bars_exhausted: bool = False
    sacrifices_landmarks: bool = False
    later_words: bool = False


EDITIONS: Mapping[str, Edition] = MappingProxyType({
    OF_2024: Edition(),
    OF_2025: Edition(*[True] * 5),
})  # fmt: skip


def edition(state: State) -> Edition:
    """Return the edition of the rules that a game is played by."""
    return EDITIONS[state.terms.ruleset]


def rulesets(book: Rulebook) -> Mapping[str, Ruleset]:
    """Return the rulesets by id, the newest last. `book` is the register, with the numbers of the text of 2024."""
    settled = {name: found["option"] for name, found in _published()["settled"].items()}
    return MappingProxyType({
        OF_2024: ruleset(OF_2024, book, SETTLED_2024),
        OF_2025: ruleset(OF_2025, _renumbered(book), settled),
    })


def _renumbered(book: Rulebook) -> Rulebook:
    """Return a register that says what the Complete Rules say, and under which numbers."""
    rules, published = dict(book.rules), _published()
    for name, number in published["sections"].items():
        rules[name] = replace(
            rules[name],
            section=f"Complete Rules 3.0, {number}",
            sections={"fr": f"Règles complètes 3.0, {number}", "it": f"Regole complete 3.0, {number}"},
            messages=published["messages"].get(name, rules[name].messages),
        )
    return replace(book, rules=MappingProxyType(rules))


@cache
def _published() -> Mapping[str, Any]:
    text = files("engine.games.altered").joinpath("editions.toml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = tomllib.loads(text)
    return found
