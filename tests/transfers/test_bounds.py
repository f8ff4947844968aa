"""Files that are too large in any way are refused early, and texts that cannot be stored are cleaned."""

from __future__ import annotations

import json

import pytest

from tests.transfers.read import brought, refused
from tournaments.transfers.formats import decks
from tournaments.transfers.formats.bounds import MAX_DECKLIST, MAX_LINES, MAX_MARKS, MAX_ROWS, clean
from tournaments.transfers.formats.values import Value, moment_of
from tournaments.transfers.reading import recognized

MANY = range(5_001)
PAIRINGS = "Table,Player 1,Player 2,Result\n"


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("trf", "".join(f"001 {number + 1:4}      Player {number}\n" for number in MANY)),
        ("melee", "Rank,Player,Points,MatchWins\n" + "".join(f"1,Player {number},0,0\n" for number in MANY)),
        ("melee", PAIRINGS + "".join(f"1,Player {number},,\n" for number in MANY)),
        ("challonge", "Name,Seed,Misc\n" + "".join(f"Player {number},1,\n" for number in MANY)),
        ("startgg", "Id,GamerTag\n" + "".join(f"{number},Player\n" for number in MANY)),
    ],
    ids=["trf", "standings", "pairings", "participants", "attendees"],
)
def test_more_than_five_thousand_players_are_refused(format, data):
    assert recognized(data.encode()) == format
    assert refused(data.encode(), format) == "The file has more than 5,000 players."


@pytest.mark.slow
def test_too_many_lines_or_values_are_refused():
    assert refused((PAIRINGS + "1,A,B,1-0\n" * (MAX_ROWS + 1)).encode(), "melee") == "The file has too many lines."
    trf = "001    1      Player 1\n" + "\n" * MAX_LINES
    assert refused(trf.encode(), "trf") == "The file has too many lines."
    assert recognized((PAIRINGS + "\n" * MAX_LINES).encode()) == "roster"
    values = '{"players": [], "rounds": [' + "0," * MAX_MARKS + "0]}"
    assert refused(values.encode(), "nrtm") == "The file holds too many values."


def test_a_first_line_that_is_too_long_has_no_titles():
    assert recognized(b"Table,Player 1,Player 2,Result," + b"," * 70_000) == "roster"
    assert recognized(b"Table,Player 1,Player 2,Result," + b"," * 300) == "roster"


def test_names_are_one_line_without_what_cannot_be_stored():
    assert clean("Player\u202e 12\n\ud800\0") == "Player 12"
    found = brought([{"standing": 1, "name": "Player\n12\ud800", "id": 1}])
    assert found.players[0].name == "Player 12"
    found.players[0].name.encode()


def test_decklists_have_a_bound_and_no_impossible_counts():
    assert decks.pasted("x" * (MAX_DECKLIST + 1)) == ""
    assert decks.listed(["1 Card"] * MAX_DECKLIST) == ""
    assert decks.of_sections(Value({"main": [{"name": "Card", "count": 0}, {"name": "Card", "count": 10**6}]})) == ""
    assert decks.of_sections(Value({"main": [{"name": "Card", "count": "many"}]})) == ""
    assert decks.of_sections(Value({"leader": {"name": "Card One"}, "note": "text", "side": []})) == "1 Card One"


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_what_is_no_date_is_none(text):
    assert moment_of(text) is None


@pytest.mark.parametrize("raw", [10**30, -(10**30), float("inf"), "x"])
def test_numbers_out_of_reach_are_no_moments(raw):
    assert Value(raw).moment() is None


@pytest.mark.parametrize("raw", [True, [], {}])
def test_what_cannot_be_a_date_is_refused(raw):
    document = [{"TID": "t", "tournamentName": "x", "standings": [], "startDate": raw}]
    assert refused(document, "topdeck").startswith("[0].startDate: ")


def test_a_key_that_is_too_long_is_refused():
    data = [{"standing": 1, "name": "Player 12", "id": "x" * 201}]
    assert "too long" in refused(json.dumps(data).encode(), "topdeck")
