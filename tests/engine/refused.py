"""What a refusal says: the rule, the reason of that rule, the sentence in each language."""

from __future__ import annotations

from typing import Any

from engine.core import log
from engine.core.context import Context
from engine.core.errors import Violation
from engine.core.replay import load_game, perform
from tests.engine.scenario import start


def refused(game: str, given: dict[str, Any], entries: list[dict[str, Any]]) -> list[Violation]:
    """Why the last of some entries may not be made in a position; `given` may hold `options` too."""
    state = start({"game": game, "options": given.get("options", {}), "given": given})
    verbs, context = load_game(game).verbs(), Context(state)
    for n, raw in enumerate(entries, 1):
        entry = log.parse_entry({"n": n, **raw}, n)
        verb = verbs[entry.do]
        move = verb.parse(state, entry)
        reasons = verb.check(state, move)
        if reasons:
            assert n == len(entries), reasons
            return reasons
        perform(load_game(game), context, verb, move)
    return []


def reasons_of(game: str, prefix: str) -> set[tuple[str, str]]:
    """Every reason that the rules of a game give, by rule and name."""
    book = load_game(game).rulesets
    rules = next(iter(book.values())).book.rules.values()
    return {(rule.id, why) for rule in rules if rule.id.startswith(prefix) for why in rule.whys}
