"""The strict JSON reader: what it refuses, with which code and at which place."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.table.log import Entry, forms
from engine.core.text import strictjson
from engine.core.text.errors import Malformed
from engine.core.text.strictjson import canonical, read

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("source", "code", "path"),
    [
        ('{"a": {"b": [1, {"c": 2, "c": 3}]}}', "duplicate_key", "a.b[1].c"),
        ('{"a": [0, NaN]}', "not_a_number", "a[1]"),
        ('{"a": -Infinity}', "not_a_number", "a"),
        ('{"a": [0, 1.0]}', "float", "a[1]"),
        ("1e3", "float", ""),
        ('{"a": "\\ud800"}', "lone_surrogate", "a"),
        ('{"\\udfff": 1}', "lone_surrogate", ""),
        ("[" * 33 + "]" * 33, "too_deep", "character 32"),
        ("[" * 100_000, "too_deep", "character 32"),
        ('{"a":' * 100_000, "too_deep", "character 160"),
        ('["' + "x" * 4097 + '"]', "string_too_long", "[0]"),
        ('{"' + "x" * 4097 + '": 1}', "string_too_long", ""),
        ("[" + "9" * 19 + "]", "too_large", "[0]"),
        ("9" * 10_000, "too_large", ""),
        ('{"a": 1,\n "b" 2}', "not_json", "line 2 column 6"),
        ("", "not_json", "line 1 column 1"),
        ("[1] [2]", "not_json", "line 1 column 5"),
        ("]" * 100_000, "not_json", "line 1 column 1"),
        (b'{"a": "\xe9"}', "not_utf8", "byte 7"),
        ('"\ud800"', "lone_surrogate", "character 1"),
    ],
)
def test_a_refusal_has_a_code_and_a_place(source: str | bytes, code: str, path: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(source)
    assert (caught.value.code, caught.value.path) == (code, path)


def test_the_size_limit_is_in_bytes_for_text_and_for_bytes() -> None:
    assert read('"éé"', max_bytes=6) == "éé"
    for source in ('"ééé"', '"ééé"'.encode(), "x" * 7):
        with pytest.raises(Malformed, match="larger than 6 bytes"):
            read(source, max_bytes=6)


def test_brackets_inside_strings_do_not_count_as_depth() -> None:
    assert read(json.dumps(["[" * 50, '\\"[[' * 20]), max_depth=1) == ["[" * 50, '\\"[[' * 20]


def test_a_byte_order_mark_is_ignored() -> None:
    assert read(b"\xef\xbb\xbf[1]") == read("\ufeff[1]") == [1]


def test_a_long_unterminated_string_is_refused() -> None:
    with pytest.raises(Malformed) as caught:
        read('"' + '\\"' * 1_000_000)
    assert caught.value.code == "not_json"


def test_the_canonical_form_has_sorted_keys_and_no_spaces() -> None:
    assert canonical({"b": [1, True], "a": "é"}) == '{"a":"é","b":[1,true]}'.encode()


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=6))
def test_the_canonical_form_of_an_entry_is_that_of_its_raw_value(value: dict[str, object]) -> None:
    entry = Entry(1, "A", "play", {}, None, {}, value)
    assert forms([entry]) == [canonical(value)]


@given(VALUES)
def test_any_value_is_written_and_read_back(value: object) -> None:
    assert read(json.dumps(value)) == read(canonical(value)) == value


@given(st.text(alphabet='[]{}",:\\u0123nulltrue. -eE', max_size=60) | st.binary(max_size=60))
def test_only_malformed_with_a_code_is_raised(source: str | bytes) -> None:
    try:
        read(source)
    except Malformed as error:
        assert error.code


LONG = st.sampled_from(['"' + "x" * n + '"' for n in (7, 8, 9, 16, 40)])
PIECES = st.sampled_from([
    '":"', '": 1"', '{"a":1,"a":2}', '{"a" : ":", "b":1 , "a":2}', "0", "-0", "1e2", "01", "true", "\t", "\x01", "é",
    "[", "]", "{", "}", ",", ":", '"a":', '"a"', '"[["', '"\\""', '"\\\\"', '"\\ud83d\\ude00"', '"\\udc00"', '"é"', "1",
    "-1", "12345678901234567890", "1.5", "NaN", "null", " ", "\\", '"',
])  # fmt: skip
TEXTS = st.lists(PIECES | LONG, max_size=30).map("".join)


def outcome(source: str) -> object:
    """Read a text under small limits: the value in a list, or the code and place of the refusal.

    The limits are small so that hypothesis reaches them with short texts.
    """
    try:
        return [read(source, max_depth=3, max_string=8)]
    except Malformed as error:
        return error.code, error.path


def refused_at_once(data: bytes) -> object:
    raise ValueError("a closer look")


def careful(source: str) -> object:
    """Return the outcome with every fast path disabled, so that the full walk decides."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strictjson, "_at_once", refused_at_once)
        patch.setattr(strictjson, "_is_shallow", lambda *_: False)
        patch.setattr(strictjson, "_may_hold_more", lambda *_: True)
        return outcome(source)


@settings(max_examples=500)
@given(TEXTS | VALUES.map(json.dumps) | VALUES.map(lambda value: json.dumps(value, ensure_ascii=False)))
@pytest.mark.slow
def test_the_fast_paths_agree_with_the_full_walk(source: str) -> None:
    assert outcome(source) == careful(source)


@pytest.mark.parametrize(
    "source",
    [
        '["[[[["]', '["\\"[[[["]', "[[[1]]]", "[[[[1]]]]", '{"a": "12345678"}', '{"a": "123456789"}', '["éééééééé"]',
        '["' + '\\"' * 9 + '"]', '["' + '\\"' * 8 + '"]', '["' + "\\\\" * 9 + '"]', '"' * 40, "[" + " " * 40 + "]",
        '{"a": 1, "a": 2}', '{"a" :1, "b":1, "b":2}', '{"a": ":", "b": ": ", "": ""}', '{":": 1, ":": 2}', "[1.5]",
        "-0", "[1e2]", '{"a":1}}', '["\t"]', '{"é": 1, "é": 2}', "9" * 18, "[01]", "nul", "\ufeff[]",
        "[" + "1" * 18 + "]", "[" + "1" * 19 + "]", '["' + "1" * 8 + '"]', '["\\\\udc00"]',
    ],
)  # fmt: skip
def test_the_fast_paths_agree_with_the_full_walk_on_edge_cases(source: str) -> None:
    assert outcome(source) == careful(source)
