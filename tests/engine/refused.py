"""The reasons for which a move is refused: the rule, and which of the rule's reasons applies."""

from __future__ import annotations

from typing import Any

from engine.core.replay.replay import load_game, perform
from engine.core.table import log
from engine.core.table.context import Context
from engine.core.text.errors import Violation
from tests.engine.scenario import start


def refused(game: str, given: dict[str, Any], entries: list[dict[str, Any]]) -> list[Violation]:
    """Return why the last of `entries` is illegal in the declared position `given`, or an empty list if all are legal.

    `given` may hold `options` (interpretations by id) too. Fails if an entry before the last one is refused.
    """
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
    """Return (rule id, reason) for every reason in the register of a game whose rule id starts with `prefix`."""
    book = load_game(game).rulesets
    rules = next(iter(book.values())).book.rules.values()
    return {(rule.id, why) for rule in rules if rule.id.startswith(prefix) for why in rule.whys}
