"""The tables and matches of melee.gg: standings, pairings with sentences, decklists, JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.swiss.fields import field_of
from tests.transfers import samples, written
from tests.transfers.read import brought, lost, refused, short
from tournaments.transfers.making import best_of


def test_standings_are_players_with_addresses():
    found = brought(samples.MELEE_STANDINGS)
    assert [(each.key, each.name, each.given_name, each.family_name, each.email) for each in found.players] == [
        ("player_1", "Player 1", "Player", "1", "one@example.org"),
        ("player_2", "Player 2", "Player", "2", ""),
    ]
    assert not found.stages
    assert lost(found) == {"ranks": 6, "federations": 1, "matches_missing": 1}


def test_the_same_name_twice_in_one_phase_is_refused():
    table = b"Rank,Player,Points,MatchWins\n1,Player 1,3,1\n2,Player 1,0,0\n"
    assert refused(table, "melee").startswith("Line 3: ")


def test_pairings_are_read_with_their_cut():
    found = brought(samples.MELEE_PAIRINGS)
    swiss, cut = found.stages
    assert [[short(match) for match in matches] for matches in swiss.rounds] == [
        [
            ("Player 1", "Player 2", (2, 1, 0), "played"),
            ("Player 3", "Player 4", (0, 0, 3), "intentional_draw"),
        ],
        [
            ("Player 1", "Player 3", (0, 2, 0), "played"),
            ("Player 4", "Player 2", (0, 1, 0), "forfeit"),
        ],
    ]
    assert (cut.kind, cut.seeds[0], len(cut.rounds), best_of(found)) == ("single_elimination", "Player 3", 2, 3)
    assert short(cut.rounds[1][0]) == ("Player 1", "Player 2", None, "played")
    assert lost(found) == {}


@pytest.mark.parametrize(
    ("second", "result", "expected"),
    [
        ("Player 12", "Player 1 won 2-0-0", ((2, 0, 0), "played")),
        ("Player 12", "Player 12 won 2-0-0", ((0, 2, 0), "played")),
        ("Player 12", "Player 12 won 1-2-0", ((1, 2, 0), "played")),
        ("Player 12", "1-1-1 Draw", ((1, 1, 1), "played")),
        ("Player 12", "1-2", ((1, 2, 0), "played")),
        ("Player 12", "Draw", ((0, 0, 1), "played")),
        ("Player 12", "0-0-0 Draw", ((0, 0, 1), "played")),
        ("Player 12", "Player 1 forfeited the match", ((0, 1, 0), "forfeit")),
        ("Player 12", "Double loss", ((0, 0, 0), "double_loss")),
        ("Player 12", "", (None, "played")),
        ("", "Player 1 was assigned a bye", ((1, 0, 0), "bye")),
        ("Bye", "Player 1 won 2-0-0", ((1, 0, 0), "bye")),
        ("", "Player 1 was assigned a loss", ((0, 0, 0), "zero_bye")),
    ],
)
def test_the_sentence_of_a_result_is_understood(second, result, expected):
    table = f"Table,Player 1,Player 2,Result\n1,Player 1,{second},{result}\n"
    (match,) = brought(table.encode()).matches()
    assert (match.games, match.kind) == expected


def test_decklists_are_text_as_players_paste_it():
    found = brought(samples.MELEE_DECKLISTS)
    assert found.players[0].decklist == "3 Card One\n1 Card Two | Of Two Names\nSideboard\n2 Card Three"
    assert [(each.key, each.name) for each in found.players] == [("player_1", "Player 1"), ("player_2", "Player 2")]
    assert lost(found) == {"columns": 1, "decklists": 1}


def matches() -> list[dict[str, Any]]:
    field = field_of(["P001", "P002", "P003"], [("P001", "P002", "2-1-0"), ("P003", None, "2-0-0")])
    return json.loads(written.as_melee_json(field))


def test_matches_are_read_from_json():
    found = brought({"Name": "Event", "Matches": matches()})
    assert (found.name, best_of(found)) == ("Event", 3)
    assert [short(match) for match in found.matches()] == [
        ("p001", "p002", (2, 1, 0), "played"), ("p003", (2, 0, 0), "bye"),
    ]  # fmt: skip
    assert lost(found) == {"structure": 1}


def test_unfinished_forfeited_and_lost_matches_are_read_from_json():
    changed = matches()
    changed[0]["HasResult"] = False
    assert next(brought(changed).matches()).games is None
    changed[0] |= {"HasResult": True, "ResultString": "Player 1 forfeited the match"}
    assert short(next(brought(changed).matches())) == ("p001", "p002", (0, 1, 0), "forfeit")
    changed[1]["ByeReasonDescription"] = "Loss"
    changed[1]["ResultString"] = ""
    assert short(list(brought(changed).matches())[1]) == ("p003", (0, 0, 0), "zero_bye")


def test_teams_are_refused():
    changed = matches()
    team = changed[0]["Competitors"][0]["Team"]
    team["Players"] *= 2
    assert refused(changed, "melee") == "[0].Competitors[0]: Teams of several players cannot be read."


def test_a_bracket_that_is_not_named_is_found_by_who_plays_on():
    players = [f"P00{number}" for number in range(1, 7)]
    field = field_of(
        players,
        [("P001", "P002", "2-0-0"), ("P003", "P004", "2-0-0"), ("P005", "P006", "2-0-0")],
        [("P001", "P003", "2-0-0"), ("P005", "P002", "2-0-0"), ("P004", "P006", "2-0-0")],
        [("P001", "P004", "2-0-0"), ("P005", "P003", "0-2-0")],
        [("P001", "P003", "2-1-0")],
    )
    found = brought(written.as_melee_json(field))
    assert [(stage.kind, len(stage.rounds)) for stage in found.stages] == [("swiss", 2), ("single_elimination", 2)]
    assert found.stages[1].seeds[0] == "p001"


def test_an_open_quotation_mark_is_refused_with_its_line():
    assert refused(b'Table,Player 1,Player 2,Result\n1,A,B,1-0\n2,"C,D,1-0\n', "melee").startswith("Line 3: ")
