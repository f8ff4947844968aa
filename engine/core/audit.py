"""The audit of a log: a verdict, the first illegal move with its rule, the true result, and what all that leans on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from engine.core import views
from engine.core.errors import Ambiguous, EngineError, Impossible, Missing, Violation
from engine.core.game import Closing
from engine.core.log import Log, parse
from engine.core.partial import standing
from engine.core.phrases import error_message, speaker
from engine.core.replay import CatalogSource, LogSource, Mismatch, Replay, Step
from engine.core.rulebook import Rulebook
from engine.core.state import Outcome
from engine.core.verbs import leader, ranked

MAX_ALTERNATIVES = 50
MAX_REPEATS = 4  # rulings left out one at a time, to see whether they decide
REPEATED_ENTRIES = 2_000  # … in logs no longer than this

VERDICTS = (
    "confirmed", "consistent_from", "plausible", "overturned", "illegal_action", "impossible_log", "undetermined",
    "unfinished", "unreadable",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refused:
    """The first move that may not be: which, why, and what could have been done instead (at most 50 moves)."""

    n: int
    by: str
    do: str
    violations: tuple[Violation, ...]
    legal_alternatives: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What the audit found. `as_json` and `as_text` say it in French, English or Italian.

    `claimed` and `computed` are winners (a seat, "draw" or None), `reason` how the game ended, `score` by seat;
    `claims` the facts noted that are not so; `subject_to` the rulings and the moves nobody ruled on; `depends_on` ids
    of interpretations; `coverage` {listed, enforced, manual} of cards and {moves, left_to_rulings}; `missing` the facts
    {n, fact, rule} that a declared position leaves out and the audit needs; `board` the one before the refused move;
    `digest` the SHA-256 chain over all entries.
    """

    verdict: str
    ruleset: str | None = None
    first_illegal: Refused | None = None
    claimed: str | None = None
    computed: str | None = None
    reason: str | None = None
    score: Mapping[str, int] | None = None
    claims: tuple[Mismatch, ...] = ()
    subject_to: tuple[Mapping[str, Any], ...] = ()
    depends_on: tuple[str, ...] = ()
    coverage: Mapping[str, Any] | None = None
    missing: tuple[Mapping[str, Any], ...] = ()
    digest: str | None = None
    error: Mapping[str, Any] | None = None
    board: Mapping[str, Any] | None = field(default=None, repr=False)
    book: Rulebook | None = field(default=None, repr=False)

    @property
    def exit_code(self) -> int:
        """0 confirmed, 2 unreadable, 1 any other verdict."""
        return {"confirmed": 0, "unreadable": 2}.get(self.verdict, 1)

    def as_json(self, lang: str = "en") -> dict[str, Any]:
        """The report as JSON values, messages in `lang`."""
        return {
            "verdict": self.verdict,
            "ruleset": self.ruleset,
            "first_illegal": self._first_illegal(lang),
            "result": {
                "claimed": self.claimed,
                "computed": self.computed,
                "reason": self.reason,
                "score": None if self.score is None else dict(self.score),
            },
            "claims": [claim._asdict() for claim in self.claims],
            "subject_to": [dict(item) for item in self.subject_to],
            "depends_on": list(self.depends_on),
            "coverage": None if self.coverage is None else dict(self.coverage),
            "missing": [dict(item) for item in self.missing],
            "digest": self.digest,
            "error": error_json(self.error, lang),
        }

    def _first_illegal(self, lang: str) -> dict[str, Any] | None:
        first = self.first_illegal
        if first is None:
            return None
        return {
            "n": first.n,
            "by": first.by,
            "do": first.do,
            "violations": violations_json(first.violations, self.book, lang),
            "legal_alternatives": [dict(move) for move in first.legal_alternatives],
        }

    def as_text(self, lang: str = "en") -> str:
        """The report as lines of text, with the board before the refused move."""
        say = speaker(lang)
        lines = [say(f"verdict.{self.verdict}")]
        if self.error is not None:
            lines.append(error_line(self.error, lang))
        lines += self._refusal(lang)
        if self.score is not None:
            score = ", ".join(f"{seat} {points}" for seat, points in self.score.items())
            lines.append(say("report.result", claimed=self.claimed or "-", computed=self.computed or "-", score=score))
        lines += [say("report.claim", **claim._asdict()) for claim in self.claims]
        for item in self.subject_to:
            words = {
                **item,
                "ref": " ".join(filter(None, (item["ref"], *item.get("rules", ())))),
                "outcome": say(f"outcome.{item['outcome']}"),
            }
            lines.append(say("report.subject_to", **words))
        lines += [say("report.missing", **item) for item in self.missing]
        if self.depends_on:
            lines.append(say("report.depends_on", ids=", ".join(self.depends_on)))
        if self.coverage is not None:
            lines.append(say("report.coverage", **self.coverage))
        for key, value in (("ruleset", self.ruleset), ("digest", self.digest)):
            if value is not None:
                lines.append(say(f"report.{key}", **{key: value}))
        return "\n".join(lines)

    def _refusal(self, lang: str) -> list[str]:
        first = self.first_illegal
        if first is None:
            return []
        say = speaker(lang)
        lines = [say("report.at", n=first.n, by=first.by, do=first.do)]
        for violation in violations_json(first.violations, self.book, lang):
            lines.append(say("report.violation", **violation))
            if violation["depends_on"]:
                lines.append(say("report.leans", ids=", ".join(violation["depends_on"])))
        lines.append(say("report.alternatives", count=len(first.legal_alternatives)))
        if self.board is not None:
            lines += [say("report.before"), views.as_text(self.board, lang)]
        return lines


def violations_json(violations: Sequence[Violation], book: Rulebook | None, lang: str) -> list[dict[str, Any]]:
    """Violations as JSON values: rule, section, args, message, depends_on."""
    assert book is not None, "violations come with the book they cite"
    return [
        {
            "rule": violation.rule,
            "section": book.rules[violation.rule].section,
            "args": dict(violation.args),
            "message": book.message(violation, lang),
            "depends_on": list(violation.depends_on),
        }
        for violation in violations
    ]


def audit(log: LogSource, *, catalogs: Sequence[CatalogSource] = ()) -> Report:
    """Replay a log (JSON text or its parsed form) and report. Never raises for what the log contains.

    `catalogs`: Catalog objects or their JSON, beside those shipped with the engine.
    """
    try:
        parsed = log if isinstance(log, Log) else parse(log)
        replay = Replay(parsed, catalogs=catalogs, keep=False)
    except Impossible as error:
        return Report("impossible_log", error=describe(error))
    except EngineError as error:
        return Report("unreadable", error=describe(error))
    return _Auditor(replay).report()


def describe(error: EngineError) -> dict[str, Any]:
    """An error as JSON values: code, message, path, n, and the options of an ambiguity."""
    found: dict[str, Any] = {"code": error.code, "message": error.message, "path": error.path, "n": error.n}
    if isinstance(error, Ambiguous):
        found["options"] = list(error.options)
    return found


def error_json(error: Mapping[str, Any] | None, lang: str) -> dict[str, Any] | None:
    """An error of `describe` with its message in `lang`."""
    if error is None:
        return None
    return {**error, "message": error_message(error["code"], error["message"], lang)}


def error_line(error: Mapping[str, Any], lang: str) -> str:
    """An error of `describe` as a line of text."""
    where = f" [{error['path']}]" if error["path"] else ""
    message = error_message(error["code"], error["message"], lang)
    return speaker(lang)("report.error", code=error["code"], message=message, where=where)


class _Auditor:
    """One audit: runs the replay to its end, then draws the conclusions."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.claims: list[Mismatch] = []
        self.subject_to: list[dict[str, Any]] = []
        self.noted: list[Step] = []
        self.moves = 0
        self.left = 0  # moves with something that the engine does not execute

    def report(self) -> Report:
        replay = self.replay
        while (step := replay.step()) is not None:
            self.moves += 1
            if step.claims:
                self.claims += step.claims
            if step.doubts or step.entry.do == "ruling":
                self.left += bool(step.doubts)
                self.noted.append(step)
        digest = replay.whole_digest
        stopped = replay.stopped
        entries = replay.log.entries
        kept = standing(entries, len(entries) if stopped is None else stopped.n - 1) if self.noted else {}
        for step in self.noted:
            self._note(step, step.n in kept or step is stopped)
        if stopped is not None and stopped.outcome == "malformed" and stopped.error is not None:
            leaned = tuple(replay.leaned)
            return Report(
                "unreadable", replay.ruleset.id, depends_on=leaned, error=describe(stopped.error), digest=digest
            )
        return self._conclude(stopped, digest)

    def _note(self, step: Step, kept: bool) -> None:
        """Remember what a ruling settles, and what still needs one, unless it was taken back."""
        entry = step.entry
        if not kept:
            refs = (entry.ref,) if entry.do == "ruling" else step.doubts
            self.subject_to += [{"n": step.n, "do": entry.do, "ref": ref, "outcome": "taken_back"} for ref in refs]
            return
        if entry.do == "ruling":
            if step.violations or step.error is not None:
                return
            for item in self.subject_to:
                if item["ref"] == entry.ref and item["outcome"] != "taken_back":
                    item["outcome"] = "ruled"
            rules = [value[1] for kind, value in entry.events if kind == "allow"]
            named = {"rules": rules} if rules else {}
            self.subject_to.append({"n": step.n, "do": "ruling", "ref": entry.ref, "outcome": "ruled", **named})
        for ref in step.doubts:
            self.subject_to.append({"n": step.n, "do": entry.do, "ref": ref, "outcome": "unverified"})

    def _conclude(self, stopped: Step | None, digest: str) -> Report:
        replay = self.replay
        header, result = replay.log.header, replay.state.result
        closing = _closing(replay)
        result = result or closing.outcome
        doubtful = any(item["outcome"] == "unverified" for item in self.subject_to)
        verdict = self._verdict(stopped, result, doubtful or bool(closing.missing))
        score = replay.game.score(replay.state)
        if result is not None or replay.pad:
            played = len(replay.log.entries) if stopped is None else stopped.n - 1
            claimed = (
                (seat, header.score[seat], score.get(seat))
                for seat in sorted(header.score)
                if seat in score or seat not in replay.game.seats
            )
            self.claims += [Mismatch(played, f"{seat}.score", one, two) for seat, one, two in claimed if one != two]
            self.claims += self._ranks(played, result, score)
        last = len(replay.log.entries) if stopped is None else stopped.n
        broken, lacking = _sorted(last, closing.missing if stopped is None else stopped.violations)
        refused = self._refused(stopped, broken) if stopped is not None and broken else None
        leaned = dict.fromkeys((*replay.leaned, *closing.leans))
        for violation in () if refused is None else refused.violations:
            leaned.update(dict.fromkeys(violation.depends_on))
        known = result is not None and not doubtful
        self._weigh_rulings()
        return Report(
            verdict,
            replay.ruleset.id,
            refused,
            header.winner,
            result.winner if known and result is not None else None,
            result.reason if known and result is not None else None,
            score,
            tuple(self.claims),
            tuple(self.subject_to),
            tuple(leaned),
            self._coverage(),
            () if broken else lacking,
            digest,
            describe(stopped.error) if stopped is not None and stopped.error is not None else None,
            views.board(replay.state, replay.catalog, views.JUDGE) if refused is not None else None,
            replay.ruleset.book,
        )

    def _ranks(self, n: int, result: Outcome | None, score: Mapping[str, int]) -> list[Mismatch]:
        """The claimed ranks that the score contradicts, where the score decided the game."""
        if result is None or (result.winner or "draw") != leader(score):
            return []
        found = ranked(score)
        claimed = self.replay.log.header.ranks
        return [
            Mismatch(n, f"{seat}.rank", claimed[seat], found.get(seat))
            for seat in sorted(claimed)
            if claimed[seat] != found.get(seat)
        ]

    def _verdict(self, stopped: Step | None, result: Outcome | None, doubtful: bool) -> str:
        if stopped is not None:
            if stopped.outcome == "impossible":
                return "impossible_log"
            if stopped.outcome in ("ambiguous", "unverified") or (doubtful and result is None):
                return "undetermined"
            return "illegal_action"
        sort = "consistent_from" if self.replay.partial else "plausible" if self.replay.pad else None
        if result is None:
            return "unfinished" if sort is None else "undetermined" if doubtful else sort
        if doubtful or result.winner is None:
            return "undetermined"
        claimed = self.replay.log.header.winner
        if sort is not None and claimed in (None, result.winner):
            return sort
        return "confirmed" if claimed is None or claimed == result.winner else "overturned"

    def _refused(self, step: Step, broken: tuple[Violation, ...]) -> Refused:
        entry, state, verbs = step.entry, self.replay.state, self.replay.game.verbs()
        same = (
            {"by": move.by, "do": move.do, "args": dict(move.args)}
            for move in self.replay.game.candidates(state)
            if move.do == entry.do and move.by == entry.by and not (state.unknown and verbs[move.do].check(state, move))
        )
        return Refused(entry.n, entry.by, entry.do, broken, tuple(islice(same, MAX_ALTERNATIVES)))

    def _weigh_rulings(self) -> None:
        """Say of each ruling whether the result would be another without it, when that is cheap to know."""
        rulings = [item for item in self.subject_to if item["do"] == "ruling"]
        entries = self.replay.log.entries
        if len(rulings) > MAX_REPEATS or len(entries) > REPEATED_ENTRIES:
            return
        for item in rulings:
            other = Replay(self.replay.log, catalogs=(self.replay.catalog,), keep=False, skip=(item["n"],))
            while other.step() is not None:
                pass
            item["decisive"] = _ending(other) != _ending(self.replay)

    def _coverage(self) -> dict[str, Any]:
        """How many different cards of the lists the engine executes, and which it does not; the same of the moves."""
        replay = self.replay
        refs: dict[str, None] = {}
        for seat in replay.log.header.seats.values():
            if seat.deck is not None:
                refs.update(dict.fromkeys(seat.deck.main))
                if seat.deck.commander is not None:
                    refs[seat.deck.commander] = None
        known = replay.catalog.cards
        manual = sorted([ref for ref in refs if not known[ref].executable])
        cards = {"listed": len(refs), "enforced": len(refs) - len(manual), "manual": manual}
        return {**cards, "moves": self.moves, "left_to_rulings": self.left}


def _closing(replay: Replay) -> Closing:
    """What the end of the log comes to, where no entry was refused before it."""
    return Closing() if replay.stopped is not None or replay.pad else replay.game.closing(replay.state)


def _sorted(n: int, reasons: Sequence[Violation]) -> tuple[tuple[Violation, ...], tuple[Mapping[str, Any], ...]]:
    """The rules that entry `n` broke, and the facts {n, fact, rule} that were missing to judge it."""
    lacking: dict[str, Mapping[str, Any]] = {}
    for reason in reasons:
        if isinstance(reason, Missing):
            lacking.setdefault(reason.fact, {"n": n, "fact": reason.fact, "rule": reason.rule})
    return tuple(reason for reason in reasons if not isinstance(reason, Missing)), tuple(lacking.values())


def _ending(replay: Replay) -> tuple[Any, ...]:
    result, stopped = replay.state.result or _closing(replay).outcome, replay.stopped
    return (
        None if result is None else result.winner,
        None if stopped is None else (stopped.n, stopped.outcome),
    )
