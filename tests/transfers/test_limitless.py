"""The JSON of Limitless: three answers of its API, alone or together, with live brackets and decklists."""

from __future__ import annotations

import copy

from tests.transfers import samples
from tests.transfers.read import brought, lost, refused, short

PAIRINGS, STANDINGS, DETAILS = samples.LIMITLESS_PAIRINGS, samples.LIMITLESS_STANDINGS, samples.LIMITLESS_DETAILS


def test_the_three_answers_together_are_an_event():
    found = brought(samples.LIMITLESS)
    assert (found.format, found.name, found.best_of) == ("limitless", "Night Cup", 1)
    assert found.starts_at is not None and found.starts_at.isoformat() == "2026-11-26T15:00:00+00:00"
    swiss, cut = found.stages
    assert (swiss.kind, swiss.rounds_planned, cut.kind) == ("swiss", 2, "single_elimination")
    assert [[short(match) for match in matches] for matches in swiss.rounds] == [
        [
            ("one", "two", (1, 0, 0), "played"),
            ("three", "four", (0, 0, 1), "played"),
            ("five", (0, 0, 0), "zero_bye"),
        ],
        [("one", "three", (1, 0, 0), "played"), ("two", (1, 0, 0), "bye")],
    ]
    assert [len(matches) for matches in cut.rounds] == [2, 1]
    assert cut.seeds == ("one", "two", "three", "four")


def test_decklists_and_drops_are_read():
    found = {player.key: player for player in brought(samples.LIMITLESS).players}
    assert found["one"].decklist == "3 Card One\n1 Card Two"
    assert [found[key].dropped_after for key in ("one", "four", "five")] == [None, 1, 1]


def test_what_is_not_read_is_told():
    assert lost(brought(samples.LIMITLESS)) == {
        "ids": 1, "game": 3, "staff": 1, "late_losses": 1, "federations": 1, "ranks": 6, "deck_names": 1,
    }  # fmt: skip


def test_standings_alone_are_players_and_details_alone_are_refused():
    found = brought(STANDINGS)
    assert len(found.players) == 5 and not found.stages and lost(found)["matches_missing"] == 1
    assert "no player" in refused(DETAILS, "limitless")


def test_pairings_alone_are_an_event_of_user_names():
    found = brought(PAIRINGS)
    assert [player.name for player in found.players] == ["one", "two", "three", "four", "five"]
    assert lost(found)["structure"] == 2


def test_ties_double_losses_and_open_matches_are_told_apart():
    changed = copy.deepcopy(PAIRINGS[:5])
    changed[0]["winner"], changed[3]["winner"] = -1, None
    matches = [short(match) for match in brought(changed).matches()]
    assert matches[0] == ("one", "two", (0, 0, 0), "double_loss")
    assert matches[3] == ("one", "three", None, "played")


def test_a_list_of_pokemon_without_counts_is_told_as_lost():
    changed = copy.deepcopy(STANDINGS)
    changed[0]["decklist"] = [{"id": "x", "name": "Somebody"}]
    found = brought(changed)
    assert not found.players[0].decklist and lost(found)["decklists"] == 1


def test_a_round_robin_is_one():
    document = {"details": copy.deepcopy(DETAILS), "standings": STANDINGS, "pairings": PAIRINGS[:5]}
    document["details"]["phases"][0]["type"] = "ROUND_ROBIN"
    assert brought(document).stages[0].kind == "round_robin"


def test_a_winner_who_did_not_play_is_refused():
    changed = copy.deepcopy(PAIRINGS)
    changed[0]["winner"] = "three"
    assert refused(changed, "limitless") == "[0]: The winner is neither of the two players."


def test_a_bracket_with_other_labels_is_put_in_the_order_of_play():
    changed = copy.deepcopy(PAIRINGS)
    for number, pairing in enumerate(changed[5:]):
        pairing["match"] = f"M{number}"
    assert [len(matches) for matches in brought(changed).stages[1].rounds] == [2, 1]
