"""A file is recognized by its structure, as itself only, and no bytes raise anything but a refusal."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss.fields import field_of
from tests.transfers import samples, written
from tests.transfers.read import refused
from tests.transfers.test_challonge import VERSION_1, VERSION_21
from tests.transfers.test_startgg import SETS
from tests.transfers.test_tom import WHOLE
from tournaments.archive.lines import FORMAT, HEAD, Writer
from tournaments.common.refusals import InvalidInput
from tournaments.transfers.reading import READERS, read, recognized
from tournaments.transfers.words import FORMATS

FIELD = field_of(["P001", "P002", "P003"], [("P001", "P002", "2-1-0"), ("P003", None, "2-0-0")])
EVENT_FILE = Writer().line(HEAD, {"format": FORMAT, "version": 3, "event": "e-1", "ledger": {}})
FILES = [
    ("event_file", EVENT_FILE),
    ("event_file", gzip.compress(EVENT_FILE, mtime=0)),
    ("trf", samples.TRF),
    ("trf", samples.TRF.replace(b"\n", b"\r")),
    ("trf", samples.TRF.decode().encode("utf-16")),
    ("nrtm", samples.NRTM),
    ("limitless", samples.LIMITLESS),
    ("limitless", json.dumps(samples.LIMITLESS_DETAILS).encode()),
    ("limitless", json.dumps(samples.LIMITLESS_STANDINGS).encode()),
    ("limitless", json.dumps(samples.LIMITLESS_PAIRINGS).encode()),
    ("topdeck", samples.TOPDECK),
    ("topdeck", json.dumps(json.loads(samples.TOPDECK)[0]).encode()),
    ("topdeck", json.dumps(json.loads(samples.TOPDECK)[0]["standings"]).encode()),
    ("topdeck", json.dumps(json.loads(samples.TOPDECK)[0]["rounds"]).encode()),
    ("melee", samples.MELEE_STANDINGS),
    ("melee", samples.MELEE_PAIRINGS),
    ("melee", samples.MELEE_DECKLISTS),
    ("challonge", samples.CHALLONGE_PARTICIPANTS),
    ("challonge", samples.CHALLONGE_MATCHES),
    ("challonge", json.dumps(VERSION_1).encode()),
    ("challonge", json.dumps(VERSION_1["tournament"]["participants"]).encode()),
    ("challonge", json.dumps(VERSION_1["tournament"]["matches"]).encode()),
    ("challonge", json.dumps(VERSION_21).encode()),
    ("startgg", samples.STARTGG),
    ("startgg", json.dumps(SETS).encode()),
    ("tom", WHOLE),
    ("tom", WHOLE.decode().encode("utf-16")),
    ("roster", samples.ROSTER),
    ("roster", b"Player 1\nPlayer 2\n"),
    ("roster", "Prénom;Nom\r\nZoé;Lune".encode("cp1252")),
    ("roster", b"Order code,Email,Attendee name,Product,Checked in\nA1,one@example.org,Player 1,Ticket,no\n"),
    ("roster", "Référence commande;Nom participant;Prénom participant;Tarif\n1;Lune;Ada;Adulte\n".encode()),
    ("roster", b"Rank,Player,Points\n1,Player 1,9\n"),
    ("roster", b"<html><table><tr><td>Name</td></tr><tr><td>Player 1</td></tr></table></html>"),
    ("roster", b"[TAG] Player 1\n[TAG] Player 2\n"),
    *((each.name, each.write(FIELD)) for each in (*written.WITH_BYES, *written.WITHOUT_BYES)),
]


@pytest.mark.parametrize("at", range(len(FILES)))
def test_a_file_is_recognized_as_itself_only(at):
    name, data = FILES[at]
    assert name in FORMATS
    assert recognized(data, "event.csv") == name
    for other in READERS.keys() - {name}:
        refused(data, other)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n ",
        b'{"players": [{"name": "Player 1"}]}',
        b'["Player 1", "Player 2"]',
        b'[{"name": "Player 1"}]',
        b'{"players": [{"na',
        b"\x89PNG\r\n\x1a\n\0\0\0",
        b"PK\x03\x04\x14\0\x06\0",
        b"<!DOCTYPE html><html></html>",
        b"<?xml version='1.0'?><a/>",
        gzip.compress(b"Player 1\n", mtime=0),
        b"x" * (8 * 2**20 + 1),
    ],
    ids=range(12),
)
def test_what_is_none_of_the_formats_is_not_recognized(data):
    assert recognized(data) == ""
    for format in READERS:
        refused(data, format)


@pytest.mark.parametrize("format", ["", "roster", "event_file", "excel"])
def test_a_format_that_is_read_elsewhere_or_nowhere_is_refused(format):
    with pytest.raises(InvalidInput) as raised:
        read(samples.TRF, format)
    assert raised.value.code == "transfer_format_unknown"


def test_damaged_json_is_refused_with_its_line():
    assert "Line 3" in refused(b'{"players": [],\n "rounds": [],\n "name": }', "nrtm")


@pytest.mark.parametrize("opening", [b"[", b'{"data":', b'{"players":[], "rounds": ['])
@pytest.mark.slow
def test_nested_values_are_refused_without_overflow(opening):
    data = opening * 100_000
    assert recognized(data) == ""
    for format in READERS:
        refused(data, format)
    closed = b'{"players": [], "preliminaryRounds": 1, "rounds": ' + b"[" * 60 + b"]" * 60 + b"}"
    assert recognized(closed) == ""
    assert "nested" in refused(closed, "nrtm")


def test_a_gzip_bomb_is_not_unpacked():
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join(packer.compress(bytes(2**20)) for _ in range(50)) + packer.flush()
    assert recognized(bomb) == ""


def check(data: bytes) -> None:
    """Recognize and read bytes as every format: nothing but a refusal may come of it."""
    format = recognized(data)
    assert format in {"", *FORMATS}
    for each in READERS:
        try:
            found = read(data, each)
        except InvalidInput as refusal:
            assert refusal.code == "transfer_unreadable" and str(refusal.message)
        else:
            assert format == each and found.players


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=60)
def test_arbitrary_bytes_raise_nothing_but_a_refusal(data):
    check(data)


SAMPLES = [data for name, data in FILES if name not in ("event_file", "roster")]


@given(st.sampled_from(SAMPLES), st.data())
@settings(max_examples=120)
def test_a_damaged_file_raises_nothing_but_a_refusal(sample, data):
    at = data.draw(st.integers(0, len(sample)))
    gone = data.draw(st.integers(0, 12))
    put = data.draw(
        st.sampled_from([b"", b"\n", b'"', b",", b"0", b"-1", b"null", b"[]", b"{}", b"true", b'"x"', b"1e999"])
    )
    check(sample[:at] + put + sample[at + gone :])


LEAVES = st.none() | st.booleans() | st.integers(-2, 10**20) | st.floats() | st.text(max_size=5)


def replaced(value, path, leaf):
    """The value with what stands at a place replaced; `path` are numbers that choose a child at each level."""
    if not path or not isinstance(value, dict | list) or not value:
        return leaf
    if isinstance(value, dict):
        key = sorted(value)[path[0] % len(value)]
        return {**value, key: replaced(value[key], path[1:], leaf)}
    at = path[0] % len(value)
    return [*value[:at], replaced(value[at], path[1:], leaf), *value[at + 1 :]]


@given(
    st.sampled_from([json.loads(data) for data in SAMPLES if data[:1] in b"[{"]),
    st.lists(st.integers(0, 50), min_size=1, max_size=9),
    LEAVES | st.lists(LEAVES, max_size=2) | st.dictionaries(st.text(max_size=3), LEAVES, max_size=2),
)
@settings(max_examples=150)
@pytest.mark.slow
def test_any_value_in_any_place_of_a_document_raises_nothing_but_a_refusal(document, path, leaf):
    check(json.dumps(replaced(document, path, leaf)).encode())
