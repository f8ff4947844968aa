"""Standings are exact, reproduce what real events published, and every figure can be opened."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss.fields import field_of, random_field
from tournaments.swiss.field import KINDS, Field, Match, Player, SwissError, points_of
from tournaments.swiss.standings import Row, standings
from tournaments.swiss.tiebreaks import mean, opponents_match_win, tallies
from tournaments.swiss.wire import field_of as field_from_json

EVENTS = Path(__file__).parents[2] / ".." / "shared" / "data" / "events" / "swiss_events.json"
TOLERANCE = Fraction(1, 100_000)
THIRD = Fraction(1, 3)


def events() -> list[dict[str, Any]]:
    return json.loads(EVENTS.read_text()) if EVENTS.exists() else []


def rows_of(field: Field, **options: Any) -> dict[str, Row]:
    return {row.player: row for row in standings(field, **options)}


def published_field(event: dict[str, Any]) -> Field:
    seats = {seat for round_ in event["rounds"] for match in round_["matches"] for seat in match[:2] if seat}
    return field_from_json({"players": [{"id": seat} for seat in sorted(seats)], "rounds": event["rounds"]})


@pytest.mark.skipif(not EVENTS.exists(), reason="../shared/data/events is absent")
def test_every_published_cell_of_the_real_events_is_reproduced() -> None:
    seen = cells = 0
    for event in events():
        rows = rows_of(published_field(event), gw_floored=event["gwp_column"] != "raw")
        for line in event["standings"]:
            row = rows[line["player"]]
            assert row.points == line["points"]
            for name, column in (("omw", "omwp"), ("gw", "gwp"), ("ogw", "ogwp")):
                gap = abs(row.terms[name] - Fraction(str(line[column])))
                assert gap < TOLERANCE, (event["url"], line["player"], name)
                cells += 1
        seen += 1
    assert seen == 42
    assert cells > 8_000


@pytest.mark.skipif(not EVENTS.exists(), reason="../shared/data/events is absent")
def test_the_order_of_the_real_events_is_never_contradicted() -> None:
    for event in events():
        if not event["rank_order_is_points_omw_gw_ogw"]:
            continue
        rows = rows_of(published_field(event), gw_floored=event["gwp_column"] != "raw")
        listed = [rows[line["player"]] for line in sorted(event["standings"], key=lambda line: line["rank"])]
        keys = [(row.points, row.terms["omw"], row.terms["gw"], row.terms["ogw"]) for row in listed]
        assert keys == sorted(keys, reverse=True), event["url"]


def test_three_opponents_of_3_6_and_9_points_of_12_give_19_36() -> None:
    field = field_of(
        ["x", "a", "b", "c", "p", "q", "r"],
        [("x", "a", "2-1-0"), ("b", "p", "2-0-0"), ("c", "q", "2-0-0")],
        [("x", "b", "2-1-0"), ("a", "p", "0-2-0"), ("c", "r", "2-0-0")],
        [("x", "c", "0-2-0"), ("a", "q", "2-0-0"), ("b", "r", "2-0-0")],
        [("a", "r", "0-2-0"), ("b", "q", "0-2-0"), ("c", "p", "0-2-0"), ("x", None, "0-0-0")],
    )
    tally = tallies(field)
    assert [tally[p].points for p in "abc"] == [3, 6, 9]
    assert [tally[p].rounds for p in "abc"] == [4, 4, 4]
    row = rows_of(field)["x"]
    assert row.terms["omw"] == Fraction(19, 36)
    assert round(float(row.terms["omw"]), 6) == 0.527778


def test_the_mean_of_a_third_a_half_and_three_quarters_is_19_36() -> None:
    assert mean([THIRD, Fraction(1, 2), Fraction(3, 4)], THIRD) == Fraction(19, 36)
    assert mean([], THIRD) == THIRD


def test_four_games_won_of_ten_are_two_fifths() -> None:
    field = field_of(
        ["a", "b", "c", "d"],
        [("a", "b", "2-0-0")],
        [("a", "c", "1-2-0")],
        [("a", "d", "1-2-0")],
        [("a", "b", "0-2-0")],
    )
    assert rows_of(field)["a"].terms["gw"] == Fraction(4, 10)


def test_a_bye_is_three_points_and_two_games_and_no_opponent() -> None:
    rows = rows_of(field_of("abc", [("a", "b", "2-0-0"), ("c", None, "2-0-0")]))
    assert (rows["c"].points, rows["c"].byes, rows["c"].record) == (3, 1, (0, 0, 0))
    assert rows["c"].terms == {"omw": THIRD, "gw": Fraction(1), "ogw": THIRD}
    assert rows["c"].explain.opponents == ()


def test_a_bye_counts_in_the_match_wins_of_that_player_as_an_opponent() -> None:
    rows = rows_of(field_of("abc", [("a", "b", "2-0-0"), ("c", None, "2-0-0")], [("b", "c", "2-0-0")]))
    assert rows["b"].terms["omw"] == (Fraction(1) + Fraction(1, 2)) / 2


def test_a_dropped_opponent_counts_over_the_rounds_played() -> None:
    played = field_of("abc", [("a", "b", "0-2-0")], [("a", "c", "2-0-0")])
    field = Field((Player("a"), Player("b", dropped=True), Player("c")), played.rounds)
    rows = rows_of(field)
    assert rows["a"].terms["omw"] == (Fraction(1) + THIRD) / 2
    assert [row.player for row in rows.values()] == ["a", "b", "c"]


def test_an_intentional_draw_is_three_drawn_games() -> None:
    field = Field((Player("a"), Player("b")), ((Match("a", "b", 0, 0, 3, "intentional_draw"),),))
    row = rows_of(field)["a"]
    assert (row.points, row.terms["gw"], row.explain.games, row.explain.game_points) == (1, THIRD, 3, 3)


def test_the_floor_is_a_third_or_what_is_asked() -> None:
    field = field_of("ab", [("a", "b", "2-0-0")])
    assert rows_of(field)["a"].terms["omw"] == THIRD
    assert rows_of(field, floor=Fraction(33, 100))["a"].terms["omw"] == Fraction(33, 100)
    assert rows_of(field, gw_floored=False)["b"].terms["gw"] == 0
    assert rows_of(field, gw_floored=False)["a"].terms["ogw"] == THIRD


def test_equal_on_every_term_is_an_equal_rank() -> None:
    rows = standings(field_of("abcdef", [("a", "b", "2-0-0"), ("c", "d", "2-0-0"), ("e", "f", "1-1-0")]))
    assert [(row.rank, row.player) for row in rows] == [(1, "a"), (1, "c"), (3, "e"), (3, "f"), (5, "b"), (5, "d")]


def test_a_late_entrants_missed_rounds_are_losses_that_count() -> None:
    played = field_of("abc", [("a", "b", "2-0-0")], [("c", "a", "2-0-0")])
    field = Field((Player("a"), Player("b"), Player("c", joined=2)), played.rounds)
    rows = rows_of(field)
    assert rows["c"].record == (1, 1, 0)
    assert rows["c"].explain.rounds == 2
    assert rows["a"].terms["omw"] == (THIRD + Fraction(1, 2)) / 2
    written = Field(field.players, ((*field.rounds[0], Match("c", None, 0, 0, 0, "missed")), field.rounds[1]))
    assert rows_of(written)["c"] == rows["c"]


def test_who_is_disqualified_leaves_the_ranks_and_stays_an_opponent() -> None:
    field = Field(
        tuple(Player(i) for i in "abc"),
        ((Match("a", "b", 2, 0, 0),), (Match("c", "a", 2, 0, 0, "disqualified"),)),
    )
    rows = rows_of(field)
    assert set(rows) == {"b", "c"}
    assert rows["b"].terms["omw"] == Fraction(1, 2)


def test_every_kind_has_its_points() -> None:
    two = {
        "played": [(3, 0), (1, 1)],
        "time": [(3, 0), (1, 1)],
        "intentional_draw": [(1, 1), (1, 1)],
        "double_loss": [(0, 0), (0, 0)],
        "no_show": [(3, 0), (0, 0)],
        "forfeit": [(3, 0), (0, 0)],
        "concession": [(3, 0), (0, 0)],
        "penalty_loss": [(3, 0), (0, 0)],
        "disqualified": [(3, 0), (0, 0)],
    }
    one = {"bye": 3, "half_bye": 1, "zero_bye": 0, "missed": 0}
    assert two.keys() | one.keys() == KINDS
    for kind, (won, level) in two.items():
        assert points_of(Match("a", "b", 2, 1, 0, kind)) == won
        assert points_of(Match("a", "b", 0, 0, 0, kind)) == level
    for kind, points in one.items():
        assert points_of(Match("a", None, 0, 0, 0, kind)) == (points, 0)


def test_a_half_bye_is_a_draw_and_a_zero_bye_a_loss() -> None:
    kinds = ("bye", "half_bye", "zero_bye", "missed")
    field = Field((Player("a"),), tuple((Match("a", None, 0, 0, 0, kind),) for kind in kinds))
    row = rows_of(field)["a"]
    assert (row.points, row.record, row.byes, row.explain.rounds) == (4, (0, 2, 1), 1, 4)


def test_an_unknown_scheme_and_a_floor_out_of_range_are_refused() -> None:
    with pytest.raises(SwissError) as refused:
        standings(field_of("ab"), "chess")
    assert refused.value.code == "unknown_scheme"
    with pytest.raises(SwissError) as refused:
        standings(field_of("ab"), floor=Fraction(2))
    assert refused.value.code == "bad_floor"


@given(st.integers(0, 10**9), st.integers(0, 14), st.integers(0, 6))
@settings(max_examples=80, deadline=None)
def test_rows_add_up_and_their_explanations_give_their_figures(seed: int, players: int, rounds: int) -> None:
    field = random_field(Random(seed), players, rounds, drops=2, odd_byes=1)
    rows = standings(field)
    assert sorted(row.player for row in rows) == sorted(player.id for player in field.players)
    tally = tallies(field)
    keys = [(row.points, *row.terms.values()) for row in rows]
    assert keys == sorted(keys, reverse=True)
    for place, row in enumerate(rows):
        won, lost, drawn = row.record
        assert row.points == 3 * won + drawn + 3 * row.byes
        assert won + lost + drawn + row.byes == row.explain.rounds
        assert row.rank == 1 + sum(key > keys[place] for key in keys)
        met = row.explain.opponents
        assert row.terms["omw"] == mean([m.match_win for m in met], THIRD)
        assert row.terms["ogw"] == mean([m.game_win for m in met], THIRD)
        assert opponents_match_win(tally[row.player], {m.player: m.match_win for m in met}, THIRD) == row.terms["omw"]
