"""The JSON of TopDeck.gg: standings, rounds with byes and a cut, decklists, and tables of several."""

from __future__ import annotations

import json
from typing import Any

from tests.transfers import samples
from tests.transfers.read import brought, lost, refused, short
from tournaments.transfers.making import best_of


def document() -> dict[str, Any]:
    return json.loads(samples.TOPDECK)[0]


def test_a_tournament_is_read():
    found = brought(samples.TOPDECK)
    assert (found.format, found.name, found.place, best_of(found)) == (
        "topdeck", "Harbour Open", "The Harbour, Nantes", 3,
    )  # fmt: skip
    assert found.starts_at is not None and found.starts_at.isoformat() == "2026-11-26T19:00:00+00:00"
    swiss, cut = found.stages
    assert [[short(match) for match in matches] for matches in swiss.rounds] == [
        [
            ("u1", "u2", (2, 1, 0), "played"),
            ("u3", "u4", (0, 2, 0), "played"),
            ("u5", (2, 0, 0), "bye"),
        ],
        [
            ("u4", "u1", (0, 2, 0), "played"),
            ("u5", "u2", (0, 0, 1), "played"),
            ("u3", (2, 0, 0), "bye"),
        ],
    ]
    assert (cut.kind, set(cut.seeds), cut.seeds[0]) == ("single_elimination", {"u1", "u2", "u3", "u4"}, "u1")
    assert [short(match) for match in cut.rounds[1]] == [("u1", "u2", None, "played")]


def test_decklists_in_the_file_are_read_and_links_are_told():
    found = brought(samples.TOPDECK)
    lists = [player.decklist for player in found.players]
    assert lists[0] == "Mainboard\n3 Card One\n1 Card Two\n\nSideboard\n2 Card Three"
    assert lists[1] == "" and lists[2] == "4 Card One\nSideboard\n1 Card Four"
    assert lost(found) == {"ids": 1, "game": 2, "ratings": 1, "ranks": 11, "deck_links": 1}


def test_standings_and_rounds_can_come_alone():
    standings = brought(document()["standings"])
    assert len(standings.players) == 5 and lost(standings)["matches_missing"] == 1
    rounds = brought(document()["rounds"])
    assert [player.name for player in rounds.players] == [f"Player {number}" for number in (1, 2, 3, 4, 5)]
    assert rounds.rounds == 4


def test_attendees_have_addresses_drops_and_a_waiting_list():
    found = brought([
        {"uid": "a", "name": "Player 1", "email": "one@example.org", "status": "player", "discord": "one"},
        {"uid": None, "name": "Player 2", "email": None, "status": "dropped"},
        {"uid": "c", "name": "Player 3", "email": None, "status": "waitlist"},
    ])  # fmt: skip
    assert [(player.key, player.email, player.dropped_after) for player in found.players] == [
        ("a", "one@example.org", None), ("Player 2", "", 0),
    ]  # fmt: skip
    assert lost(found) == {"contacts": 1, "waiting": 1, "matches_missing": 1}


def test_tables_of_several_leave_the_players_only():
    changed = document()
    changed["rounds"][0]["tables"][0]["players"].append({"name": "Player 5", "id": "u5"})
    found = brought(changed)
    assert not found.stages and len(found.players) == 5
    assert lost(found)["multiplayer"] == 1 and "matches_missing" not in lost(found)


def test_a_finished_table_without_a_winner_is_a_double_loss():
    changed = document()
    changed["rounds"][0]["tables"][0] |= {"winner": None, "winner_id": None}
    assert short(brought(changed).stages[0].rounds[0][0]) == ("u1", "u2", (0, 0, 0), "double_loss")


def test_a_table_of_one_is_a_bye_and_an_empty_one_is_nothing():
    changed = document()
    changed["rounds"][0]["tables"][2] = {"table": 3, "players": [{"name": "Player 5", "id": "u5"}], "status": "Active"}
    changed["rounds"][0]["tables"].append({"table": 4, "players": [], "status": "Pending"})
    assert short(brought(changed).stages[0].rounds[0][2]) == ("u5", (2, 0, 0), "bye")


def test_a_winner_can_be_named_without_an_id():
    changed = document()
    changed["rounds"][0]["tables"][0]["winner_id"] = None
    assert brought(changed).stages[0].rounds[0][0].games == (2, 1, 0)


def test_two_tournaments_and_rounds_after_the_cut_are_refused():
    assert "several tournaments" in refused([document(), document()], "topdeck")
    changed = document()
    changed["rounds"].append(changed["rounds"][0])
    assert refused(changed, "topdeck") == "rounds[4]: A Swiss round cannot follow the bracket."


def test_a_player_of_a_table_who_is_not_in_the_standings_is_refused():
    changed = document()
    del changed["standings"][1]
    assert refused(changed, "topdeck") == "Round 1, u1 – u2: “u2” is not in the list of players."
