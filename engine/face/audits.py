"""Logs: whether they can be read, their audits, how two of them differ, and the words of a stored report.

Documents go in and come out as JSON text or plain values.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import engine
from engine.core.replay import merge as half_logs
from engine.core.replay import partial
from engine.core.report.ask import ask as engine_ask
from engine.core.report.difference import difference as engine_difference
from engine.core.report.report import error_json, error_sentence, interpretations_json, repair_line, violations_json
from engine.core.shown.words import Words
from engine.core.table import log as logs
from engine.core.table.header import load_game
from engine.core.table.state import COMMON
from engine.core.text.errors import EngineError as EngineError
from engine.core.text.errors import Impossible, Violation
from engine.core.text.phrases import error_message as error_message
from engine.core.text.phrases import speaker
from engine.core.text.registry import rulebook
from engine.core.text.rulebook import Rulebook
from engine.face.boards import Catalogs, Document


def log_fault(document: bytes, game: str, language: str, catalogs: Catalogs = ()) -> dict[str, Any] | None:
    """Why the engine cannot read a document as a log of this game: `{code, message, path, n}`; None if it can.

    A log that starts from an impossible board is readable: that is a finding of its audit.
    """
    if b"\\u0000" in document:  # PostgreSQL cannot store NUL, and the report quotes what it cannot read
        return {"code": "nul", "message": error_message("not_json", "", language), "path": "", "n": None}
    try:
        log = logs.parse(document)
        if log.header.game != game:
            return {
                "code": "wrong_game",
                "message": error_message("wrong_game", "", language, log.header.game),
                "path": "game",
                "n": None,
            }
        engine.Replay(log, catalogs=catalogs, keep=False)  # sets the game up, without replaying any entry
    except Impossible:
        return None
    except EngineError as error:
        return {"code": error.code, "message": error_sentence(error, language), "path": error.path, "n": error.n}
    return None


def audit(document: str, catalogs: Catalogs = (), options: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Audit a log and return the engine's report as JSON values, with English messages (see `in_language`).

    `options` overrides interpretations for this audit only, by their id.
    """
    try:
        return engine.audit(with_options(document, options or {}), catalogs=catalogs).as_json("en")
    except EngineError:  # the header cannot be read, so there is nothing to override; the report says so
        return engine.audit(document, catalogs=catalogs).as_json("en")


def ruleset_in(document: bytes) -> str:
    """The id of the ruleset in the header of a log that can be read."""
    return logs.parse(document).header.ruleset


def with_options(document: str, options: Mapping[str, str]) -> logs.Log:
    """A log with interpretations overridden, except those that its rules settle.

    Its raw header stays as recorded, so the hash chain still holds.
    """
    log = logs.parse(document)
    rules = load_game(log.header.game).rulesets.get(log.header.ruleset)
    if rules is not None:
        options = {name: option for name, option in options.items() if name in rules.book.interpretations}
    return replace(log, header=replace(log.header, options={**log.header.options, **options}))


def ask(position: Document, move: Document, language: str, catalogs: Catalogs = ()) -> dict[str, Any]:
    """Say whether `move`, a log entry, is legal in `position`, a declared position or the end of a log.

    Returns `{answer, violations, missing, error}` as `python -m engine ask --json` does, and adds to each missing fact
    the section of its rule. `answer` is "legal", "illegal", "undetermined" or "unreadable".
    """
    answer = engine_ask(position, move, catalogs=catalogs)
    found = answer.as_json(language)
    if answer.book is not None:
        book = answer.book
        found["missing"] = [{**item, "section": book.section(item["rule"], language)} for item in found["missing"]]
    return found


def difference(one: Document, two: Document, language: str, catalogs: Catalogs = ()) -> list[dict[str, Any]]:
    """The facts that differ between two positions, as `{fact, one, two}`. Raises ValueError if one is unreadable."""
    try:
        return engine_difference(one, two, catalogs=catalogs)
    except EngineError as error:
        raise ValueError(error_sentence(error, language)) from error


def game_of(position: Document) -> str | None:
    """The id of the game that a position or log names; None if it cannot be read."""
    game = _top(position).get("game")
    return game if isinstance(game, str) else None


def options_of(position: Document) -> dict[str, str]:
    """The interpretations that a position or log overrides, by id; empty if it cannot be read."""
    options = _top(position).get("options")
    return dict(options) if isinstance(options, Mapping) else {}


def _top(document: Document) -> Mapping[str, Any]:
    try:
        value = logs.read(document)
    except EngineError:
        return {}
    return value if isinstance(value, Mapping) else {}


def report_in(report: Mapping[str, Any], game: str, language: str) -> dict[str, Any]:
    """A stored report with its messages in `language`, in the same form as the engine gave it."""
    book, words = rulebook(game), _words_of(report, game, language)
    first, result = report["first_illegal"], report["result"]
    options = {item["id"]: item["option"] for item in report["interpretations"]}
    translated = {**report, "error": error_json(report["error"], language)}
    translated["interpretations"] = interpretations_json(report["depends_on"], options, book, language)
    if result["ended"] is not None:
        ended = result["ended"]
        section = book.section(ended["rule"], language) if ended["rule"] else None
        words_of_reason = words.say(f"reason.{ended['reason']}")
        translated["result"] = {**result, "ended": {**ended, "section": section, "words": words_of_reason}}
    if first is not None:
        broken = first["violations"]
        violations = [Violation(v["rule"], v["args"], tuple(v["depends_on"]), why=v["why"]) for v in broken]
        translated["first_illegal"] = {**first, "violations": violations_json(violations, book, words)}
    # Reports from before there were repairs have no such key.
    translated["repairs"] = [{**item, "message": repair_line(item, words)} for item in report.get("repairs", ())]
    return translated


def in_language(report: Mapping[str, Any], game: str, language: str) -> dict[str, Any]:
    """A stored report prepared for a page in `language`.

    Like `report_in`, and also puts into words the reason why the game ended and the claims, and adds the section of
    each rule and the names of the cards (`names`, by ref).
    """
    book, words = rulebook(game), _words_of(report, game, language)
    translated = report_in(report, game, language)
    reason = translated["result"]["reason"]
    translated["result"] = {**translated["result"], "reason": words.say(f"reason.{reason}") if reason else None}
    translated["missing"] = [{**item, "section": book.section(item["rule"], language)} for item in report["missing"]]
    translated["claims"] = [_claim_in_words(claim, book, words) for claim in report["claims"]]
    return {**translated, "names": {ref: known[language] for ref, known in report["cards"].items()}}


def _words_of(report: Mapping[str, Any], game: str, language: str) -> Words:
    """Words for what a stored report names. Card names come from the report, so no catalogue has to be loaded."""
    names = {ref: known[language] for ref, known in report["cards"].items()}
    first = report["first_illegal"]
    return Words(language, game, names.get, first["at"] if first else {})


def _claim_in_words(claim: Mapping[str, Any], book: Rulebook, words: Words) -> dict[str, Any]:
    """A wrong claim in words, with the section of the rule that determines its value."""
    section = book.section(claim["rule"], words.lang) if claim["rule"] else ""
    values = {key: words.value(claim[key]) for key in ("claimed", "computed")}
    return {**claim, **values, "words": words.fact(claim["claim"]), "section": section}


def interpretations(game: str, ids: list[str], options: Mapping[str, str], language: str) -> list[dict[str, Any]]:
    """The interpretations `ids` that a verdict depends on, explained in `language`.

    `options` are the log's overrides; without one, the default is in force. Each item has `id`, `why` (the gap in the
    rules), `option` and `says` (the option in force and its text), `by_default`, and `others`, the other options as
    `(option, text)`.
    """
    register = rulebook(game).interpretations
    return [_opened(register[id_], options, language) for id_ in ids if id_ in register]


def known_interpretations(game: str, language: str) -> list[dict[str, Any]]:
    """All interpretations of a game, as `{id, why, default, options}`: why there is a gap, and each option's text."""
    register = rulebook(game).interpretations
    return [
        {
            "id": gap.id,
            "why": gap.why[language],
            "default": gap.default,
            "options": {option: words[language] for option, words in gap.options.items()},
        }
        for gap in register.values()
    ]


def _opened(gap: Any, options: Mapping[str, str], language: str) -> dict[str, Any]:
    option = options.get(gap.id, gap.default)
    return {
        "id": gap.id,
        "why": gap.why[language],
        "option": option,
        "says": gap.options[option][language],
        "by_default": option == gap.default,
        "others": [(key, words[language]) for key, words in gap.options.items() if key != option],
    }


@dataclass(frozen=True)
class Merged:
    """The result of merging two logs.

    Either `document`, the merged log, or None and the first difference: its path, the number of the entry in each log
    (None where that log ends earlier, and for the header), and both values. `kind` is "move", "noted" (all moves agree,
    but not the figures noted beside one) or "header" (only that differs).
    """

    document: dict[str, Any] | None
    path: str = ""
    n: int | None = None
    n_two: int | None = None
    one: Any = None
    two: Any = None

    @property
    def kind(self) -> str:
        """What differs first; "" for two logs of the same game."""
        if self.document is not None:
            return ""
        if self.n is None and self.n_two is None:
            return "header"
        return "noted" if f".{half_logs.NOTED}" in self.path else "move"


def merge(one: str, two: str) -> Merged:
    """Merge two logs of one game, taking from each what it knows, or find their first difference."""
    try:
        return Merged(half_logs.merge(one, two))
    except half_logs.Differ as difference:
        return Merged(None, difference.path, difference.n, difference.n_two, difference.one, difference.two)


def read_entry(text: str, language: str) -> dict[str, Any]:
    """Parse a log entry from JSON text. Raises ValueError with the reason if it is not a JSON object."""
    try:
        value = logs.read(text)
    except EngineError as error:
        raise ValueError(error_sentence(error, language)) from error
    if not isinstance(value, dict):
        raise ValueError(speaker(language)("expected.object"))
    return value


def entry_of(document: str, n: int | None) -> dict[str, Any] | None:
    """Entry `n` of a log as it was written; None if the log ends before."""
    moves: list[dict[str, Any]] = json.loads(document)["moves"]
    return moves[n - 1] if n is not None and n <= len(moves) else None


def is_pad(document: str) -> bool:
    """Whether a log is a score pad: claims at the end of each turn and perhaps how the game ended, but no moves."""
    log = logs.parse(document)
    return log.header.start is None and partial.is_pad(load_game(log.header.game), log.entries)


def pad_of(game: str, seats: Sequence[str]) -> tuple[str, list[str]]:
    """The verb of a score pad's entries, and the facts that can be claimed with it.

    The facts are the counters of each seat, such as "A.pv", or the shared counters if the game has no others.
    """
    loaded = load_game(game)
    own = [f"{seat}.{name}" for name in loaded.layout.counters for seat in seats]
    return loaded.pad[0], own or [f"{COMMON}.{name}" for name in loaded.layout.shared]


def rulesets(game: str) -> list[str]:
    """The ids of the rulesets that a game can be replayed by, the newest last."""
    return list(load_game(game).rulesets)


def canonical(document: Mapping[str, Any]) -> bytes:
    """A log in canonical form: sorted keys, no spaces, UTF-8."""
    return logs.canonical(document)
