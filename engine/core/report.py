"""The report of an audit, as JSON values and as lines of text in French, English or Italian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core import views
from engine.core.errors import Ambiguous, EngineError, Violation
from engine.core.phrases import error_message, speaker
from engine.core.replay import Mismatch
from engine.core.rulebook import Rulebook

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
