"""The log reader: log format 1, a code for every refusal, and the hash chain over the entries."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.replay.replay import Replay
from engine.core.report.audit import audit
from engine.core.table import log
from engine.core.text.errors import EngineError
from tests.engine.cast import OPENING, begin, catalog, header, keep, told


def refused(document: Any) -> EngineError:
    with pytest.raises(EngineError) as caught:
        log.parse(document)
    return caught.value


def test_a_log_is_read_from_text_bytes_or_values() -> None:
    document = told(*OPENING)
    text = json.dumps(document)
    assert log.parse(document) == log.parse(text) == log.parse(text.encode())


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"colour": 1}, "unknown_key", ""),
        ({"format": 2}, "unsupported_format", "format"),
        ({"format": True}, "unsupported_format", "format"),
        ({"seats": {"A": {"deck": {"main": {"X": 0}}}}}, "bad_value", "seats.A.deck.main"),
        ({"seats": {"A": {"deck": {"main": {"X": 10**9}}}}}, "bad_value", "seats.A.deck.main"),
        ({"seats": {"A": {"deck": {"main": {"X": 900, "Y": 900}}}}}, "too_many_cards", "seats.A.deck.main"),
        ({"seats": {"Z": {}}}, "unknown_key", "seats"),
        ({"claimed": {"winner": "Z"}}, "bad_value", "claimed.winner"),
        ({"claimed": {"score": {"A": "many"}}}, "wrong_type", "claimed.score.A"),
        ({"match": {"round": []}}, "wrong_type", "match.round"),
        ({"recorded_by": {"who": "nobody"}}, "bad_value", "recorded_by.who"),
        ({"start": "position"}, "wrong_type", "start"),
        ({"moves": {}}, "wrong_type", "moves"),
        ({"options": {"I-SAF-04": 1}}, "wrong_type", "options.I-SAF-04"),
    ],
)
def test_a_wrong_header_is_refused_with_a_code_and_path(change: dict[str, Any], code: str, path: str) -> None:
    error = refused(header(**change))
    assert (error.code, error.path) == (code, path)


@pytest.mark.parametrize(
    ("entry", "code", "path"),
    [
        ({"by": "A"}, "missing_key", "moves[1]"),
        ({"by": "Z", "do": "keep"}, "bad_value", "moves[1].by"),
        ({"by": ["A"], "do": "keep"}, "bad_value", "moves[1].by"),
        ({"by": "A", "do": 3}, "wrong_type", "moves[1].do"),
        ({"by": "A", "do": "keep", "hand": 5}, "unknown_key", "moves[1]"),
        ({"by": "A", "do": "keep", "args": []}, "wrong_type", "moves[1].args"),
        ({"by": "A", "do": "keep", "chance": [{"dice": 6}]}, "unknown_chance", "moves[1].chance[0]"),
        ({"by": "A", "do": "keep", "chance": [{"draw": [3]}]}, "wrong_type", "moves[1].chance[0]"),
        ({"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 999}]}, "too_many_cards", "moves[1].chance[0]"),
        ({"by": "A", "do": "keep", "claims": {"A.pi": []}}, "wrong_type", "moves[1].claims.A.pi"),
        ({"by": "A", "do": "keep", "events": []}, "unknown_key", "moves[1].events"),
        ({"by": "A", "do": "keep", "resp": 1}, "wrong_type", "moves[1].resp"),
        ({"by": "A", "do": "keep", "h": "abc"}, "bad_value", "moves[1].h"),
        ({"by": "A", "do": "keep", "n": 3}, "wrong_number", "moves[1].n"),
        ({"by": "A", "do": "keep", "n": True}, "wrong_number", "moves[1].n"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_number(entry: dict[str, Any], code: str, path: str) -> None:
    error = refused(told(OPENING[0], entry))
    assert (error.code, error.path, error.n) == (code, path, 2)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"format": 1, "format": 1}', "duplicate_key"),
        ('{"format": 1.0}', "float"),
        ('{"format": NaN}', "not_a_number"),
        ('{"x": "\\ud800"}', "lone_surrogate"),
        ("[" * 100_000, "too_deep"),
        ('{"x": ' + "[" * 40 + "]" * 40 + "}", "too_deep"),
        ('{"x": "' + "a" * 5000 + '"}', "string_too_long"),
        (" " * (log.MAX_BYTES + 1), "too_large"),
        ("", "not_json"),
        ("[]", "wrong_type"),
        (b"\xff\xfe", "not_utf8"),
    ],
)
def test_hostile_text_is_refused_with_a_code(text: str | bytes, code: str) -> None:
    assert refused(text).code == code
    report = audit(text)
    assert report.verdict == "unreadable"
    assert report.error is not None
    assert report.error["code"] == code


@pytest.mark.parametrize(
    ("value", "code"),
    [(1.5, "float"), ("\ud800", "lone_surrogate"), ({1: 2}, "not_json"), ({1, 2}, "not_json"), (10**30, "too_large")],
)
def test_a_parsed_document_may_hold_only_json_values(value: object, code: str) -> None:
    assert refused(header(x=value)).code == code


def test_a_document_that_contains_itself_is_too_deep() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert refused(header(x=loop)).code == "too_deep"


def test_more_than_20000_entries_are_refused() -> None:
    moves = [{"n": n + 1, "by": "A", "do": "end_turn"} for n in range(log.MAX_MOVES + 1)]
    assert refused(header(moves=moves)).code == "too_many_moves"


def test_the_canonical_form_has_sorted_keys_and_no_spaces() -> None:
    assert log.canonical({"b": "é", "a": [1, None]}) == '{"a":[1,null],"b":"é"}'.encode()


def chained(document: dict[str, Any]) -> dict[str, Any]:
    parsed = log.parse(document)
    digest = log.chain_start(parsed.header)
    for entry, raw in zip(parsed.entries, document["moves"], strict=True):
        digest = log.chain(digest, entry)
        raw["h"] = digest.hex()
    return document


def test_a_chained_log_is_accepted_with_the_same_digest_as_without_hashes() -> None:
    bare = audit(told(*OPENING), catalogs=[catalog()])
    assert audit(chained(told(*OPENING)), catalogs=[catalog()]).digest == bare.digest


def test_an_entry_altered_after_chaining_breaks_the_chain() -> None:
    document = chained(told(*OPENING))
    document["moves"][1]["chance"] = [{"draw": ["F-1-1-1", "?", "?", "?", "?"]}]
    report = audit(document, catalogs=[catalog()])
    assert report.error is not None
    assert (report.error["code"], report.error["n"]) == ("chain_broken", 2)


def test_the_claimed_result_is_outside_the_chain() -> None:
    one, two = told(*OPENING), told(*OPENING, claimed={"winner": "A"})
    assert audit(one, catalogs=[catalog()]).digest == audit(two, catalogs=[catalog()]).digest


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["A", "?", "F-1-1-1", "play"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
KEYS = st.sampled_from(["n", "by", "do", "args", "chance", "claims", "ref", "reason", "events", "resp", "h", "x"])


@settings(max_examples=150)
@given(st.lists(st.dictionaries(KEYS, JSON, max_size=5), max_size=3))
@pytest.mark.slow
def test_no_list_of_entries_makes_the_audit_raise(entries: list[dict[str, Any]]) -> None:
    assert audit(told(first_entry(), keep("A"), *entries), catalogs=[catalog()]).verdict in ("unreadable", "unfinished")


@settings(max_examples=150)
@given(st.binary(max_size=60) | st.text(max_size=60) | JSON.map(json.dumps))
def test_no_text_makes_the_audit_raise(text: str | bytes) -> None:
    assert audit(text).verdict == "unreadable"


@settings(max_examples=200)
@given(st.sampled_from(sorted(log.HEADER_KEYS)), JSON, st.sampled_from(["", "A", "deck", "winner", "kind", "id"]))
def test_no_header_makes_the_audit_raise(key: str, value: Any, inner: str) -> None:
    for change in (value, {inner: value}, {"A": {"deck": {"main": {"F-1-1-1": 30}, "commander": value}}, "B": value}):
        assert audit({**told(*OPENING), key: change}, catalogs=[catalog()]).verdict in (
            "unreadable", "unfinished", "impossible_log", "illegal_action",
        )  # fmt: skip


@settings(max_examples=100)
@given(st.sampled_from(["play", "attack", "sacrifice", "mulligan", "move", "end_turn", "begin_turn", "ruling"]), JSON)
def test_no_argument_makes_the_audit_raise(do: str, args: Any) -> None:
    entry = {"by": "A", "do": do, "args": args}
    assert audit(told(*OPENING, entry), catalogs=[catalog()]).verdict in ("unreadable", "illegal_action", "unfinished")


def first_entry() -> dict[str, Any]:
    return OPENING[0]


def test_unrecorded_draws_are_unknown_cards() -> None:
    unnoted = ({"by": "A", "do": "keep"}, {"by": "B", "do": "mulligan", "args": {"back": 2}})
    document = told(OPENING[0], *unnoted, begin("A"), {"by": "A", "do": "end_turn"}, begin("B"))
    assert audit(document, catalogs=[catalog()]).verdict == "unfinished"
    state = Replay(document, catalogs=[catalog()]).state_at(6)
    assert [state.refs[obj] for obj in state.zones["B/hand"]] == [None] * 6


@pytest.mark.parametrize("reason", ["", "1000000000000000000", '},1000000000000000000,{"by":"A"', "é\\"])
def test_chaining_all_entries_at_once_equals_chaining_them_one_by_one(reason: str) -> None:
    entries = (*OPENING, {"by": "judge", "do": "ruling", "reason": reason, "events": []}, {"by": "B", "do": "concede"})
    parsed = log.parse(chained(told(*entries)))
    assert log.forms(()) == []
    assert [log.link(b"", form) for form in log.forms(parsed.entries)] == [log.chain(b"", e) for e in parsed.entries]
    digest = log.chain_start(parsed.header)
    for entry in parsed.entries:
        digest = log.chain(digest, entry)
    assert audit(parsed, catalogs=[catalog()]).digest == digest.hex()
