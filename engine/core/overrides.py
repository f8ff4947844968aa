"""Rulings that say more than what changes on the board: a rule set aside for one move, a card vouched for.

Invariants are still enforced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.context import Context
from engine.core.errors import EngineError, Malformed, Missing, Violation
from engine.core.game import Game, Move, Verb
from engine.core.state import State

ALLOWED = "allowed"  # the note of a rule set aside for the next move of a seat: "A SAF-VI.3-5"
VOUCHED = "vouched"  # the note of a card of a seat that the judge answers for until the end of the game: "A SAF-077"

Perform = Callable[[Game, Context, Verb, Move], None]


def check_rule(game: Game, state: State, rule: str, path: str) -> None:
    """Refuse to set aside what is no rule of the text. Raises Malformed `unknown_rule`.

    Rules about what a log can hold (`LOG-…`) and about chance that cannot have been stay.
    """
    found = game.rulesets[state.terms.ruleset].book.rules.get(rule)
    if found is None or rule.startswith("LOG-") or found.outcome == "impossible":
        raise Malformed("unknown_rule", f"no rule {rule[:40]!r} that can be set aside", path=path)


def note_of(seat: str, what: str) -> str:
    """What is noted of such a ruling: the seat, and the rule or the card."""
    return f"{seat} {what}"


def is_note(game: Game, state: State, key: str, value: object) -> bool:
    """Whether a declared note of this key is one of these."""
    if not isinstance(value, str) or key not in (ALLOWED, VOUCHED):
        return False
    seat, _, what = value.partition(" ")
    if key == VOUCHED:
        return seat in game.seats and what in state.terms.cards
    try:
        check_rule(game, state, what, "")
    except Malformed:
        return False
    return seat in game.seats


def notes_for(state: State, seat: str) -> list[str]:
    """The notes that are for the next move of a seat."""
    return [note for note in state.memory.get(ALLOWED, ()) if isinstance(note, str) and note.split(" ")[0] == seat]


def remaining(
    game: Game, state: State, verb: Verb, move: Move, reasons: Sequence[Violation], perform: Perform
) -> Sequence[Violation]:
    """The reasons against a move once the rules set aside for it are left out.

    Where the move then breaks an invariant, or there is nothing to carry it out on, all of them stand.
    """
    aside = notes_for(state, move.by)
    kept = [reason for reason in reasons if isinstance(reason, Missing) or note_of(move.by, reason.rule) not in aside]
    if len(kept) == len(reasons):
        return reasons
    if kept:
        return kept
    try:
        perform(game, Context(state.copy()), verb, move)
    except (EngineError, LookupError, AssertionError):
        return reasons
    return ()
