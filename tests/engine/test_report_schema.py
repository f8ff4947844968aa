"""Every report matches docs/report.schema.json, and the schema rejects documents that are not reports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import engine
from engine.core.replay import selfplay
from engine.core.report.report import VERDICTS, Report
from tests.engine.cast import OPENING, catalog, deck, end, play, told

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(ROOT.joinpath("docs", "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
F = "F-1-1-1"
CONCEDE = {"by": "B", "do": "concede"}
MANUAL = {"by": "A", "do": "manual", "ref": "K-1"}
RULING = {"by": "judge", "do": "ruling", "ref": "K-1", "reason": "as written", "events": [{"counter": ["A", "pv", 3]}]}
KEYWORD = {"seats": {seat: {"deck": deck(F, "K-1")} for seat in "AB"}}


def of(*entries: dict[str, Any], **changes: Any) -> Report:
    return engine.audit(told(*entries, **changes), catalogs=[catalog()])


def impossible() -> dict[str, Any]:
    """Return a random log with a draw of more copies of a card than its list has."""
    document = selfplay.play("star-safir", 2, hidden=())
    for move in document["moves"]:
        for item in move.get("chance", []):
            if "draw" in item and len(item["draw"]) > 3:
                item["draw"] = [item["draw"][0]] * len(item["draw"])
                return document
    raise AssertionError("nothing was drawn")


REPORTS = {
    "confirmed": lambda: of(*OPENING, CONCEDE, claimed={"winner": "A"}),
    "a false score": lambda: of(*OPENING, CONCEDE, claimed={"winner": "A", "score": {"A": 30, "B": 0}}),
    "a false fact": lambda: of(*OPENING, {**play("A", F), "claims": {"A.pi": 9}}, CONCEDE),
    "overturned": lambda: of(*OPENING, CONCEDE, claimed={"winner": "B"}),
    "unfinished": lambda: of(*OPENING),
    "illegal_action": lambda: of(*OPENING, end("B")),
    "after the end": lambda: of(*OPENING, CONCEDE, end("A")),
    "impossible_log": lambda: engine.audit(impossible()),
    "undetermined": lambda: of(*OPENING, MANUAL, CONCEDE, **KEYWORD),
    "ruled": lambda: of(*OPENING, MANUAL, RULING, CONCEDE, **KEYWORD),
    "left to the judge": lambda: of(*OPENING, {"by": "judge", "do": "time"}, options={"I-TIME": "judge"}),
    "plausible": lambda: of({**end("A"), "claims": {"A.pv": 0}}, {**end("B"), "claims": {"B.pv": 3}}),
    "unreadable": lambda: engine.audit("{"),
    "unreadable entry": lambda: of(*OPENING, {"by": "A", "do": "nope"}),
    "no ruleset": lambda: of(ruleset="nope"),
}  # fmt: skip


def faults(document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def test_the_schema_is_valid_for_its_draft_and_names_its_version() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:arbitre:report:1"
    assert {*VERDICTS} <= {*SCHEMA["properties"]["verdict"]["enum"]}


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_every_kind_of_report_matches_the_schema(name: str, lang: str) -> None:
    document = json.loads(json.dumps(REPORTS[name]().as_json(lang)))
    assert faults(document) == []
    if name in VERDICTS:
        assert document["verdict"] == name


def test_every_verdict_on_a_whole_log_is_covered() -> None:
    seen = {REPORTS[name]().verdict for name in REPORTS}
    assert {
        "confirmed", "overturned", "illegal_action", "impossible_log", "undetermined", "unfinished", "unreadable",
    } <= seen  # fmt: skip


def test_reports_on_the_documented_logs_match_the_schema() -> None:
    page = ROOT.joinpath("docs", "log-format.md").read_text(encoding="utf-8")
    documents = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    logs = [document for document in documents if isinstance(document, dict) and "seats" in document]
    assert logs
    for document in logs:
        assert faults(json.loads(json.dumps(engine.audit({"moves": [], **document}).as_json()))) == []


@pytest.mark.parametrize("seed", range(1, 13))
def test_the_report_on_a_random_game_matches_the_schema(seed: int) -> None:
    document = selfplay.play("star-safir", seed)
    del document["moves"][len(document["moves"]) // 2]
    for n, move in enumerate(document["moves"], 1):
        move["n"] = n
    assert faults(json.loads(json.dumps(engine.audit(document).as_json()))) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("verdict", "perhaps"), ("digest", "0"), ("x", 1), ("error", {"code": "x"}), ("claims", None), ("result", {}),
     ("first_illegal", {"n": 0})],
)  # fmt: skip
def test_the_schema_rejects_documents_that_are_not_reports(key: str, value: Any) -> None:
    document = REPORTS["confirmed"]().as_json()
    assert faults({**document, key: value})
    assert faults({name: held for name, held in document.items() if name != "verdict"})
