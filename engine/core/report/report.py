"""The report of an audit, as JSON values and as lines of text in French, English or Italian."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.core.cards.card import Card
from engine.core.replay.repair import LazyRepairs, Repair
from engine.core.shown import views
from engine.core.shown.commentary import line
from engine.core.shown.words import Words, names_of, texts
from engine.core.text.errors import Ambiguous, EngineError, Violation
from engine.core.text.phrases import error_message, speaker
from engine.core.text.rulebook import LANGUAGES, Rulebook

VERDICTS = (
    "confirmed", "consistent_from", "plausible", "overturned", "illegal_action", "impossible_log", "undetermined",
    "unfinished", "unreadable",
)  # fmt: skip
SHOWN = 5  # alternatives and options named in a line of text
_LINE = re.compile(r"\bline (?P<n>\d+)(?: column (?P<column>\d+))?")  # where an error is in a file of lines


@dataclass(frozen=True, slots=True)
class Refused:
    """The first move that was refused: which one, why, and what was legal instead (at most 50 moves).

    `at` maps each place that the move, its violations and its alternatives name to the ref of the card there, if it is
    known. `more_alternatives` tells whether more moves were legal than are listed.
    """

    n: int
    by: str
    do: str
    violations: tuple[Violation, ...]
    legal_alternatives: tuple[Mapping[str, Any], ...]
    args: Mapping[str, Any] = field(default_factory=dict)
    at: Mapping[str, str] = field(default_factory=dict)
    more_alternatives: bool = False


class Finding(NamedTuple):
    """A claim noted at the table that is wrong, at the entry where it was first noted.

    `rule` is the rule that gives the computed value, `since` the entry that last changed it (0: the set-up), `later`
    how many later claims have the same fact wrong.
    """

    n: int
    claim: str
    claimed: int | str | None
    computed: int | str | None
    rule: str | None = None
    since: int | None = None
    later: int = 0


class Ended(NamedTuple):
    """The entry that ended the game, the rule by which it did, and how."""

    n: int
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an audit. `as_json` and `as_text` give it in French, English or Italian.

    - `claimed`, `computed`: the winner, as a seat, "draw" or None.
    - `reason`, `ended`: how the game ended, and at which entry.
    - `score`: points by seat.
    - `claims`: the facts noted at the table that are wrong.
    - `missing`: the facts {n, fact, rule} that a declared position leaves out and the audit needs.
    - `subject_to`: the rulings, and the moves with an effect that nobody ruled on.
    - `depends_on`, `options`: the ids of the interpretations that matter, and the option in force for each.
    - `coverage`: {listed, enforced, manual} for cards, and {moves, left_to_rulings}.
    - `board`: the board before the refused or unreadable entry.
    - `digest`: the digest of the hash chain (SHA-256) over all entries.
    - `cards`: the cards of the catalogue, for their names.
    - `slips`: the search for repairs of a log that stops.
    """

    verdict: str
    ruleset: str | None = None
    first_illegal: Refused | None = None
    claimed: str | None = None
    computed: str | None = None
    reason: str | None = None
    score: Mapping[str, int] | None = None
    claims: tuple[Finding, ...] = ()
    subject_to: tuple[Mapping[str, Any], ...] = ()
    depends_on: tuple[str, ...] = ()
    coverage: Mapping[str, Any] | None = None
    missing: tuple[Mapping[str, Any], ...] = ()
    digest: str | None = None
    error: Mapping[str, Any] | None = None
    ended: Ended | None = None
    game: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    board: Mapping[str, Any] | None = field(default=None, repr=False)
    book: Rulebook | None = field(default=None, repr=False)
    cards: Mapping[str, Card] = field(default_factory=dict, repr=False)
    slips: LazyRepairs | None = field(default=None, repr=False, compare=False)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Ways to read the log if it stops because of a slip in how it was kept: at most three, best first."""
        return () if self.slips is None else self.slips.found

    @property
    def exit_code(self) -> int:
        """0 for confirmed, 2 for unreadable, 1 for any other verdict."""
        return {"confirmed": 0, "unreadable": 2}.get(self.verdict, 1)

    @property
    def _doubtful(self) -> bool:
        return any(item["outcome"] == "unverified" for item in self.subject_to)

    def words(self, lang: str) -> Words:
        """Return the words for what this report names."""
        at = {} if self.first_illegal is None else self.first_illegal.at
        return Words(lang, self.game, names_of(self.cards, lang), at)

    def as_json(self, lang: str = "en") -> dict[str, Any]:
        """Return the report as JSON values, with messages in `lang`.

        Cards are given as refs; `cards` has the names of those named.
        """
        words = self.words(lang)
        found = {
            "verdict": self.verdict,
            "ruleset": self.ruleset,
            "first_illegal": self._first_illegal(words),
            "result": {
                "claimed": self.claimed,
                "computed": self.computed,
                "reason": self.reason,
                "score": None if self.score is None else dict(self.score),
                "ended": ended_json(self.ended, self.book, lang),
            },
            "claims": [claim._asdict() for claim in self.claims],
            "subject_to": [dict(item) for item in self.subject_to],
            "depends_on": list(self.depends_on),
            "interpretations": interpretations_json(self.depends_on, self.options, self.book, lang),
            "coverage": None if self.coverage is None else dict(self.coverage),
            "missing": [dict(item) for item in self.missing],
            "digest": self.digest,
            "error": error_json(self.error, lang),
            "repairs": [repair_json(repair, words) for repair in self.repairs],
        }
        return {**found, "cards": self._named(found)}

    def _first_illegal(self, words: Words) -> dict[str, Any] | None:
        first = self.first_illegal
        if first is None:
            return None
        return {
            "n": first.n,
            "by": first.by,
            "do": first.do,
            "args": dict(first.args),
            "violations": violations_json(first.violations, self.book, words),
            "legal_alternatives": [dict(move) for move in first.legal_alternatives],
            "at": dict(first.at),
            "more_alternatives": first.more_alternatives,
        }

    def _named(self, found: Mapping[str, Any]) -> dict[str, dict[str, str]]:
        """Return the names, by language, of the cards whose refs occur in the report."""
        refs = sorted({ref for text in texts(found) for ref in text.split() if ref in self.cards})
        return {ref: {lang: str(names_of(self.cards, lang)(ref)) for lang in LANGUAGES} for ref in refs}

    def as_text(self, lang: str = "en") -> str:
        """Return the report as lines of text, with the board before the refused or unreadable entry."""
        return "\n".join(_Text(self, lang).lines())


class _Text:
    """The lines of one report in one language."""

    def __init__(self, report: Report, lang: str) -> None:
        self.report = report
        self.lang = lang
        self.words = report.words(lang)
        self.say = speaker(lang)

    def lines(self) -> Iterator[str]:
        """Yield every line, the most important first."""
        report = self.report
        yield self._verdict()
        yield from self._error()
        yield from self._refusal()
        yield from self._repairs()
        if report.score is not None:
            yield from self._result()
        yield from map(self._claim, report.claims)
        yield from self._conditions()
        for item in report.missing:
            yield self.say("report.missing", n=item["n"], fact=self.words.fact(item["fact"]), rule=item["rule"])
        yield from self._interpretations()
        if report.coverage is not None:
            yield self.say("report.coverage", **report.coverage)
        for key, value in (("ruleset", report.ruleset), ("digest", report.digest)):
            if value is not None:
                yield self.say(f"report.{key}", **{key: value})
        if report.board is not None:
            yield self.say("report.before")
            yield views.as_text(report.board, self.lang, names_of(report.cards, self.lang))

    def _verdict(self) -> str:
        """Return the verdict, or, for a log that is unreadable from some entry on, the number of that entry."""
        error = self.report.error
        if self.report.verdict == "unreadable" and error is not None and error["n"]:
            return self.say("report.unreadable_at", n=error["n"])
        return self.say(f"verdict.{self.report.verdict}")

    def _error(self) -> Iterator[str]:
        error = self.report.error
        if error is not None:
            yield error_line(error, self.lang)
            yield self.say("report.code", code=error["code"])
            options = [_option(option, self.words) for option in error.get("options", ())]
            if options:
                yield self.say("report.options", options=_listed(options, self.say))
            if self.report.verdict == "undetermined" and self.report._doubtful:
                yield self.say("report.may_explain")

    def _refusal(self) -> Iterator[str]:
        """Yield the refused move, each rule it broke, and what was legal instead."""
        first, book = self.report.first_illegal, self.report.book
        if first is None or book is None:
            return
        sort = {"impossible_log": "impossible", "undetermined": "would"}.get(self.report.verdict, "illegal")
        move = line(self.words, first.by, first.do, first.args)
        reasons = [reason_line(item, book, self.words) for item in first.violations]
        yield self.say(f"report.{sort}", n=first.n, move=move)
        yield from (f"  • {reason}" for reason in reasons)
        moves = [line(self.words, item["by"], item["do"], item["args"]) for item in first.legal_alternatives]
        if moves:
            yield self.say("report.alternatives", moves=_listed(moves, self.say, first.more_alternatives))
        elif not first.more_alternatives:
            yield self.say("report.no_alternative")

    def _repairs(self) -> Iterator[str]:
        """Yield the other readings: how the log may have been written down wrongly."""
        if self.report.slips is None:
            return
        found = [repair_json(repair, self.words)["message"] for repair in self.report.repairs]
        if found:
            yield self.say("repair.head")
            yield from (f"  • {message}" for message in found)
            yield self.say("repair.proof")
        elif self.report.first_illegal is not None:
            yield self.say("repair.none")

    def _result(self) -> Iterator[str]:
        report = self.report
        winner = self.words.winner
        yield self.say("report.result", claimed=winner(report.claimed), computed=winner(report.computed))
        if report.score:
            yield self.say("report.score", score=", ".join(f"{seat} {won}" for seat, won in report.score.items()))
        ended = ended_json(report.ended, report.book, self.lang)
        if ended is not None:
            why = f" ({ended['rule']}, {ended['section']})" if ended["rule"] else ""
            yield self.say("report.ended", n=ended["n"], reason=ended["words"] + why)

    def _claim(self, claim: Finding) -> str:
        value = self.words.value
        sentence = self.say(
            "report.claim",
            n=claim.n,
            fact=self.words.fact(claim.claim),
            claimed=value(claim.claimed),
            computed=value(claim.computed),
        )
        since = self.say("report.since", n=claim.since) if claim.since and claim.since != claim.n else ""
        why = since if claim.rule is None else f"{since} ({claim.rule})"
        return f"{sentence}{why}.{self._later(claim.later)}"

    def _later(self, count: int) -> str:
        return self.say("report.later_once" if count == 1 else "report.later", count=count) if count else ""

    def _conditions(self) -> Iterator[str]:
        """Yield the rulings, the take-backs, and each card that nobody ruled on, once."""
        seen = set()
        for item in self.report.subject_to:
            if item["outcome"] != "unverified":
                yield self._condition(item)
            elif item["ref"] not in seen:
                seen.add(item["ref"])
                sort = "by_hand" if item["do"] == "manual" else "unread"
                yield self.say(f"report.{sort}", n=item["n"], card=self._owned(item))

    def _condition(self, item: Mapping[str, Any]) -> str:
        about = [self.words.card(item["ref"])] if item["ref"] is not None else []
        about += item.get("rules", ())
        did = self.say(f"verb.{item['do']}") if item["do"] != "ruling" else self.say("report.a_ruling")
        sentence = ", ".join([did, *about])
        weighed = "" if "decisive" not in item else self.say(f"decisive.{'yes' if item['decisive'] else 'no'}")
        outcome = self.say(f"outcome.{item['outcome']}")
        return self.say("report.subject_to", n=item["n"], what=sentence, outcome=outcome) + weighed

    def _owned(self, item: Mapping[str, Any]) -> str:
        """Return a card's name, with the seat it belongs to if only one list has it."""
        card = self.words.card(item["ref"])
        return f"{card} ({item['seat']})" if item.get("seat") else card

    def _interpretations(self) -> Iterator[str]:
        report = self.report
        opened = interpretations_json(report.depends_on, report.options, report.book, self.lang)
        if opened:
            yield self.say("report.depends_on")
        yield from (self.say("report.interpretation", id=item["id"], says=item["says"]) for item in opened)


def _listed(items: Sequence[str], say: Callable[..., str], more: bool = False) -> str:
    """Join the first items of a list, and show whether there are more."""
    return say("move.next").join([*items[:SHOWN], *(["…"] if more or len(items) > SHOWN else [])])


def _option(option: Any, words: Words) -> str:
    """Return one meaning of an ambiguous entry in words."""
    if isinstance(option, list | tuple):
        return " + ".join(_option(item, words) for item in option)
    return words.item(option)


def reason_line(violation: Violation, book: Rulebook, words: Words) -> str:
    """Return a violation as a sentence: what is wrong, the rule, its section, and the interpretations it depends on."""
    cited = [violation.rule, book.section(violation.rule, words.lang)]
    given = book.left_open(violation.depends_on)
    depends_on = words.say("report.given", ids=", ".join(given)) if given else ""
    return f"{words.sentence(book, violation).rstrip('.')} ({', '.join(cited)}{depends_on})."


def violations_json(violations: Sequence[Violation], book: Rulebook | None, words: Words) -> list[dict[str, Any]]:
    """Return violations as JSON values: rule, section, why, args with refs, a message with names, depends_on."""
    assert book is not None, "violations come with the book they cite"
    return [
        {
            "rule": violation.rule,
            "section": book.section(violation.rule, words.lang),
            "why": violation.why,
            "args": dict(violation.args),
            "message": words.sentence(book, violation),
            "depends_on": book.left_open(violation.depends_on),
        }
        for violation in violations
    ]


def repair_json(repair: Repair, words: Words) -> dict[str, Any]:
    """Return a repair as JSON values: kind, n, entry, legal, reaches_end, supported, and a message with names."""
    found = {key: getattr(repair, key) for key in ("kind", "n", "entry", "legal", "reaches_end", "supported")}
    return {**found, "message": repair_line(found, words)}


def repair_line(repair: Mapping[str, Any], words: Words) -> str:
    """Return a repair in words: what changes, how the log goes on after it, and whether anything else speaks for it."""
    entry, legal = repair["entry"] or {}, repair["legal"]
    move = line(words, entry["by"], entry["do"], entry.get("args")) if entry else ""
    sort = "answered" if repair["kind"] == "response" and entry.get("resp") else repair["kind"]
    then = "to_end" if repair["reaches_end"] else "one" if legal == 1 else "some"
    rest = words.say(f"repair.{then}", legal=legal)
    sentence = words.say(f"repair.{sort}", n=repair["n"], next=repair["n"] + 1, move=move, rest=rest)
    return sentence if repair["supported"] else sentence + words.say("repair.unsupported")


def interpretations_json(
    ids: Sequence[str], options: Mapping[str, str], book: Rulebook | None, lang: str
) -> list[dict[str, Any]]:
    """Return interpretations as JSON values: id, the option in force, what it says, whether it is the default, why."""
    register = {} if book is None else book.interpretations
    found = []
    for id_ in ids:
        gap = register.get(id_)
        if gap is not None:
            option = options.get(id_, gap.default)
            says, why = gap.options[option][lang], gap.why[lang]
            found.append({"id": id_, "option": option, "says": says, "default": option == gap.default, "why": why})
    return found


def ended_json(ended: Ended | None, book: Rulebook | None, lang: str) -> dict[str, Any] | None:
    """Return the entry that ended the game as JSON values: n, rule, section, reason, and the reason in words."""
    if ended is None or book is None:
        return None
    rule = ended.rule or None  # a concession, for example, ends the game without any rule of its text
    section, sentence = rule and book.section(rule, lang), speaker(lang)(f"reason.{ended.reason}")
    return {"n": ended.n, "rule": rule, "section": section, "reason": ended.reason, "words": sentence}


def describe(error: EngineError, raw: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return an error as JSON values: code, message, path, n, and the options of an ambiguity.

    `value` is the value that does not belong there: the one the error names, or the one at its path in the entry `raw`.
    """
    found: dict[str, Any] = {"code": error.code, "message": error.message, "path": error.path, "n": error.n}
    if isinstance(error, Ambiguous):
        found["options"] = list(error.options)
    value = error.value or (None if not isinstance(raw, Mapping) else _value_at(raw, within(error.path, error.n)))
    if value is not None:
        found["value"] = value
    return found


def error_json(error: Mapping[str, Any] | None, lang: str) -> dict[str, Any] | None:
    """Return an error of `describe` with its message in `lang`; `detail` keeps the English one."""
    if error is None:
        return None
    detail = error.get("detail", error["message"])
    message = error_message(error["code"], detail, lang, error.get("value"))
    return {**error, "message": message, "detail": detail}


def error_line(error: Mapping[str, Any], lang: str) -> str:
    """Return an error of `describe` as a line of text: the entry, what is wrong, the value found, the place."""
    say = speaker(lang)
    inside = within(error["path"], error["n"])
    message = error_message(error["code"], error["message"], lang, error.get("value")).rstrip(".")
    inside = _LINE.sub(
        lambda at: say("report.at_column" if at["column"] else "report.at_line", **at.groupdict()), inside
    )
    if inside:
        first, stop, advice = message.partition(". ")
        message = f"{first} ({inside}){stop}{advice}"
    if not error["n"]:
        return say("report.error", message=message)
    return say("report.error_at", n=error["n"], message=_lowered(message))


def error_sentence(error: EngineError, lang: str) -> str:
    """Return what is wrong, and where, as a line of text in `lang`."""
    return error_line(describe(error), lang)


def _lowered(sentence: str) -> str:
    """Return a sentence as it continues after a colon."""
    first = sentence.partition(" ")[0]  # a word such as "JSON" keeps its capitals
    return sentence[:1].lower() + sentence[1:] if first[1:].islower() else sentence


def within(path: str, n: int | None) -> str:
    """Return the path of an error within its entry, for sentences that already name the entry by its number.

    >>> within("moves[4].args.slot", 5)
    'args.slot'
    """
    head, dot, rest = path.partition("].")
    return rest if n and dot and head.startswith("moves[") else "" if n and path == f"moves[{n - 1}]" else path


def _value_at(raw: Mapping[str, Any], path: str) -> Any:
    """Return the string or number at a path such as "args.slot"; for a claim, the fact it is about."""
    found: Any = raw
    if path.startswith("claims."):
        return path.removeprefix("claims.")
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) or type(found) is int else None
