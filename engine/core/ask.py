"""The question of most judge calls: may this be done now?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.core.context import Context
from engine.core.errors import Ambiguous, EngineError, Malformed, Missing, Violation
from engine.core.game import Game
from engine.core.implied import lead_in
from engine.core.log import Entry, parse_entry, read
from engine.core.naming import UNFIT, unfit
from engine.core.overrides import remaining
from engine.core.position import read_position
from engine.core.replay import SETTLED, CatalogSource, Replay, perform
from engine.core.report import describe, error_json, error_line, reason_line, violations_json
from engine.core.rulebook import Rulebook
from engine.core.state import State
from engine.core.unknowns import Finding, consider, open_facts
from engine.core.verbs import find_verb
from engine.core.words import Words, cards_at, names_of

EXITS = {"legal": 0, "illegal": 1, "unreadable": 2, "undetermined": 3}


@dataclass(frozen=True, slots=True)
class Answer:
    """`answer` is legal, illegal, undetermined (`missing` says what to ask for) or unreadable (`error`).

    `agree` are facts left out that were tried: the answer is the same whatever they are. `state` is the position, for
    the names of its cards.
    """

    answer: str
    violations: tuple[Violation, ...] = ()
    missing: tuple[Missing, ...] = ()
    agree: tuple[str, ...] = ()
    error: Mapping[str, Any] | None = None
    book: Rulebook | None = None
    state: State | None = field(default=None, repr=False)

    @property
    def exit_code(self) -> int:
        """0 legal, 1 illegal, 2 unreadable, 3 undetermined."""
        return EXITS[self.answer]

    def as_json(self, lang: str = "en") -> dict[str, Any]:
        """The answer as JSON values, messages in `lang`."""
        words = self.words(lang)
        return {
            "answer": self.answer,
            "violations": violations_json(self.violations, self.book, words) if self.violations else [],
            "missing": [{"fact": item.fact, "rule": item.rule} for item in self.missing],
            "agree": list(self.agree),
            "error": error_json(self.error, lang),
        }

    def as_text(self, lang: str = "en") -> str:
        """The answer as lines of text."""
        words = self.words(lang)
        say = words.say
        lines = [say("verdict.unreadable") if self.answer == "unreadable" else say(f"answer.{self.answer}")]
        if self.error is not None:
            lines.append(error_line(self.error, lang))
        if self.book is not None:
            lines += [f"  {reason_line(item, self.book, words)}" for item in self.violations]
        lines += [say("answer.missing", fact=words.fact(item.fact), rule=item.rule) for item in self.missing]
        if self.agree:
            lines.append(say("answer.agree", facts=", ".join(map(words.fact, self.agree))))
        return "\n".join(lines)

    def words(self, lang: str) -> Words:
        """The words for what this answer names."""
        if self.state is None:
            return Words(lang)
        at = cards_at(self.state, [item.args for item in self.violations])
        return Words(lang, self.state.terms.game, names_of(self.state.terms.cards, lang), at)


def ask(
    position: bytes | str | Mapping[str, Any],
    move: bytes | str | Mapping[str, Any],
    *,
    catalogs: Sequence[CatalogSource] = (),
) -> Answer:
    """May `move` (an entry of a log) be made at the end of a log, or in a declared position?

    Never raises for what the documents contain: an `unreadable` answer has the error. A violation that the known
    facts prove makes the move illegal, whatever else is missing: then nothing is asked for.
    """
    try:
        game, state, book = situation(read(position), catalogs)
    except Ambiguous as error:
        return Answer("undetermined", error=describe(error))
    except EngineError as error:
        return Answer("unreadable", error=describe(error))
    try:
        found = _finding(game, state, move)
    except UNFIT:
        if not state.agenda:
            raise
        return Answer("unreadable", error=describe(unfit()))
    except Ambiguous as error:
        return Answer("undetermined", error=describe(error))
    except EngineError as error:
        return Answer("unreadable", error=describe(error))
    if found.violations:
        return Answer("illegal", found.violations, agree=found.agree, book=book, state=state)
    answer = "undetermined" if found.missing else "legal"
    return Answer(answer, missing=found.missing, agree=found.agree, book=book, state=state)


def _finding(game: Game, state: State, move: bytes | str | Mapping[str, Any]) -> Finding:
    """What speaks against the move. What cannot be read of it has a path that begins with "move"."""
    try:
        entry = parse_entry(read(move))
        verb = find_verb(game.verbs(), entry.do)
        parsed = verb.parse(state, entry)
        reasons = remaining(game, state, verb, parsed, verb.check(state, parsed), perform)
    except EngineError as error:
        error.path = f"move: {error.path}" if error.path else "move"
        raise
    if entry.do in SETTLED or not open_facts(state):
        if reasons and entry.do not in SETTLED and _implied(game, state, entry):
            return Finding()
        violations = tuple(reason for reason in reasons if not isinstance(reason, Missing))
        missing = () if violations else tuple(reason for reason in reasons if isinstance(reason, Missing))
        return Finding(violations, missing)
    return consider(game, state, verb, parsed)


def _implied(game: Game, state: State, entry: Entry) -> bool:
    """Whether the move is legal after others that need not be said: leaving a phase in which nothing happens."""
    ctx = Context(state.copy())
    ctx.begin()
    return lead_in(game, ctx, entry, partial(perform, game, ctx, fresh=False)).move is not None


def situation(document: Any, catalogs: Sequence[CatalogSource]) -> tuple[Game, State, Rulebook]:
    """The game, the state and the rules of a declared position, or of the end of a log. Raises EngineError."""
    if isinstance(document, Mapping) and "moves" not in document and "start" in document:
        game, state = read_position(document, catalogs)
        return game, state, game.rulesets[state.terms.ruleset].book
    replay = Replay(document, catalogs=catalogs, keep=False)
    while replay.step() is not None:
        pass
    if replay.stopped is not None:
        if replay.stopped.error is not None:
            raise replay.stopped.error
        n = replay.stopped.n
        message = f"the log itself stops at move {n}: audit it first"
        raise Malformed("refused_move", message, path=f"moves[{n - 1}]", n=n)
    return replay.game, replay.state, replay.ruleset.book
