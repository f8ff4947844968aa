"""Rulings that do more than change the board: setting a rule aside for one move, and vouching for a card.

Both are kept as notes in the memory of the state. Invariants (card counts, capacities, bounds) are enforced all the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.table.context import Context
from engine.core.table.game import Game, Move, Verb
from engine.core.table.state import State
from engine.core.text.errors import EngineError, Malformed, Missing, Violation

ALLOWED = "allowed"  # key of notes such as "A SAF-VI.3-5": a rule set aside for the next move of that seat
VOUCHED = "vouched"  # key of notes such as "A SAF-077": the judge settles what that card does for the rest of the game

Perform = Callable[[Game, Context, Verb, Move], None]


def check_rule(game: Game, state: State, rule: str, path: str) -> None:
    """Check that a ruling may set this rule aside. Raises Malformed `unknown_rule` if not.

    Only rules of the game's own text qualify: `LOG-…` rules, which say what a log can hold, and rules about chance that
    cannot have happened always apply.
    """
    found = game.rulesets[state.terms.ruleset].book.rules.get(rule)
    if found is None or rule.startswith("LOG-") or found.outcome == "impossible":
        raise Malformed("unknown_rule", f"no rule {rule[:40]!r} that can be set aside", path=path)


def note_of(seat: str, what: str) -> str:
    """Return the note that records such a ruling: the seat, then the rule id or the card's ref."""
    return f"{seat} {what}"


def is_note(game: Game, state: State, key: str, value: object) -> bool:
    """Return whether `value` is a valid note under `key`, one of `ALLOWED` and `VOUCHED`."""
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
    """Return the rules set aside for the next move of a seat, as notes."""
    return [note for note in state.memory.get(ALLOWED, ()) if isinstance(note, str) and note.split(" ")[0] == seat]


def remaining(
    game: Game, state: State, verb: Verb, move: Move, reasons: Sequence[Violation], perform: Perform
) -> Sequence[Violation]:
    """Return the reasons against a move that are left after the rules set aside for it are ignored.

    If none is left, the move is tried on a copy of the state. If it cannot be carried out there (it breaks an
    invariant, or the object it acts on does not exist), all the original reasons are returned.
    """
    aside = notes_for(state, move.by)
    # A missing fact is not a rule that is broken: setting the rule aside does not make the fact known.
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
