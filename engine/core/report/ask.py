"""Answer the question behind most judge calls: is this move legal now?

`ask` takes a log or a declared position, and one entry. It is what `python -m engine ask` runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.core.replay.position import read_position
from engine.core.replay.replay import SETTLED, CatalogSource, Replay, perform
from engine.core.replay.unknown import Finding, consider, open_facts
from engine.core.report.report import describe, error_json, error_line, reason_line, violations_json
from engine.core.shown.words import Words, cards_at, names_of
from engine.core.table.context import Context
from engine.core.table.game import Game
from engine.core.table.implied import fill_in
from engine.core.table.log import Entry, parse_entry, read
from engine.core.table.naming import UNFIT, unfit
from engine.core.table.overrides import remaining
from engine.core.table.state import State
from engine.core.table.verbs import find_verb
from engine.core.text.errors import Ambiguous, EngineError, Malformed, Missing, Violation
from engine.core.text.rulebook import Rulebook

EXITS = {"legal": 0, "illegal": 1, "unreadable": 2, "undetermined": 3}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    `answer` is "legal", "illegal" (see `violations`), "undetermined" (`missing` lists the facts to ask for, or `error`
    the readings of an ambiguous move) or "unreadable" (see `error`). `agree` lists undeclared facts that make no
    difference to the answer. `state` is the position, kept for the names of its cards.
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
        """The exit code on the command line: 0 legal, 1 illegal, 2 unreadable, 3 undetermined."""
        return EXITS[self.answer]

    def as_json(self, lang: str = "en") -> dict[str, Any]:
        """Return the answer as JSON values, with its messages in `lang`."""
        words = self.words(lang)
        return {
            "answer": self.answer,
            "violations": violations_json(self.violations, self.book, words) if self.violations else [],
            "missing": [{"fact": item.fact, "rule": item.rule} for item in self.missing],
            "agree": list(self.agree),
            "error": error_json(self.error, lang),
        }

    def as_text(self, lang: str = "en") -> str:
        """Return the answer as lines of text in `lang`."""
        words = self.words(lang)
        say = words.say
        lines = [say("verdict.unreadable") if self.answer == "unreadable" else say(f"answer.{self.answer}")]
        if self.error is not None:
            lines += [error_line(self.error, lang), say("report.code", code=self.error["code"])]
        if self.book is not None:
            lines += [f"  {reason_line(item, self.book, words)}" for item in self.violations]
        lines += [say("answer.missing", fact=words.fact(item.fact), rule=item.rule) for item in self.missing]
        if self.agree:
            lines.append(say("answer.agree", facts=", ".join(map(words.fact, self.agree))))
        return "\n".join(lines)

    def words(self, lang: str) -> Words:
        """Return the words in `lang` for the cards, places and facts that this answer names."""
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
    """Say whether `move` is legal at the end of a log or in a declared position.

    `position` is a log, or an object with a `start` and no `moves`; `move` is an entry of a log, whose `n` may be
    anything. Each is JSON text or its parsed form. `catalogs` are Catalog objects or their JSON, used in addition to
    the shipped ones.

    Never raises for what the documents contain: the answer is then `unreadable` and carries the error. If the known
    facts alone prove a violation, the move is illegal and no missing fact is asked for.

    Example: `ask(log, {"by": "A", "do": "end_turn"}).answer == "legal"`.
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
        # Declared frames can each be well formed and still not fit the board. Without such frames, this is a bug.
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
    """Judge the move. Raises EngineError for a move that cannot be read, with a path that begins with "move"."""
    try:
        entry = parse_entry(read(move))
        verb = find_verb(game.verbs(), entry.do)
        parsed = verb.parse(state, entry)
        reasons = remaining(game, state, verb, parsed, verb.check(state, parsed), perform)
    except EngineError as error:
        error.path = f"move: {error.path}" if error.path else "move"
        raise
    # A concession, a ruling and the like depend on no undeclared fact. Without such facts, the check above is enough.
    if entry.do in SETTLED or not open_facts(state):
        if reasons and entry.do not in SETTLED and _implied(game, state, entry):
            return Finding()
        violations = tuple(reason for reason in reasons if not isinstance(reason, Missing))
        missing = () if violations else tuple(reason for reason in reasons if isinstance(reason, Missing))
        return Finding(violations, missing)
    return consider(game, state, verb, parsed)


def _implied(game: Game, state: State, entry: Entry) -> bool:
    """Whether the move becomes legal after moves that a log may leave out, such as leaving an uneventful phase."""
    ctx = Context(state.copy())  # the moves filled in must not change the position that was asked about
    ctx.begin()
    return fill_in(game, ctx, entry, partial(perform, game, ctx, fresh=False)).move is not None


def situation(document: Any, catalogs: Sequence[CatalogSource]) -> tuple[Game, State, Rulebook]:
    """Return the game, the state and the rules of a declared position, or of the end of a log. Raises EngineError."""
    if isinstance(document, Mapping) and "moves" not in document and "start" in document:
        game, state = read_position(document, catalogs)
        return game, state, game.rulesets[state.terms.ruleset].book
    replay = Replay(document, catalogs=catalogs, keep=False)
    while replay.step() is not None:
        pass
    # A log with an illegal or unreadable entry has no agreed position at its end to ask about.
    if replay.stopped is not None:
        if replay.stopped.error is not None:
            raise replay.stopped.error
        n = replay.stopped.n
        message = f"the log itself stops at move {n}: audit it first"
        raise Malformed("refused_move", message, path=f"moves[{n - 1}]", n=n)
    return replay.game, replay.state, replay.ruleset.book
