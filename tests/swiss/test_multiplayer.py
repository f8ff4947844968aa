"""Standings of tables of two to five: rank points, tables won, and the share of victory points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss.test_command_line import run
from tournaments.swiss.columns import Part
from tournaments.swiss.field import SwissError
from tournaments.swiss.multiplayer import TERMS, Place, Table, standings, tables_of
from tournaments.swiss.standings import Row

HALF = Fraction(1, 2)


def rows_of(players: str, *rounds: Sequence[Table]) -> dict[str, Row]:
    return {row.player: row for row in standings(list(players), rounds)}


def parts(row: Row, name: str) -> tuple[Part, ...]:
    return next(figure.parts for figure in row.explain if figure.name == name)


def ranked(order: str) -> Table:
    return tuple(Place(player, rank=rank) for rank, player in enumerate(order, start=1))


def test_first_place_gets_one_rank_point_and_last_place_none_at_every_table_size() -> None:
    for size in range(2, 6):
        rows = rows_of("abcde"[:size], [ranked("abcde"[:size])])
        points = [rows[player].terms["rank_points"] for player in "abcde"[:size]]
        assert points == [Fraction(size - 1 - i, size - 1) for i in range(size)]


def test_tied_players_share_the_mean_of_their_places() -> None:
    rows = rows_of("abcd", [(Place("a", 9), Place("b", 5), Place("c", 5), Place("d", 1))])
    assert [rows[player].terms["rank_points"] for player in "abcd"] == [1, HALF, HALF, 0]
    first = rows_of("abc", [(Place("a", rank=1), Place("b", rank=1), Place("c", rank=3))])
    assert [first[player].terms["rank_points"] for player in "abc"] == [Fraction(3, 4), Fraction(3, 4), 0]
    assert [first[player].terms["tables_won"] for player in "abc"] == [HALF, HALF, 0]


def test_ties_in_rank_points_are_broken_by_tables_won_then_victory_points() -> None:
    rounds = [
        [(Place("a", 8), Place("b", 1), Place("c", 0)), (Place("d", 3), Place("e", 2), Place("f", 1))],
        [(Place("d", 5), Place("b", 4), Place("a", 0)), (Place("e", 9), Place("f", 2), Place("c", 1))],
    ]
    rows = rows_of("abcdef", *rounds)
    assert rows["a"].terms["rank_points"] == rows["b"].terms["rank_points"] == 1
    assert rows["a"].rank < rows["b"].rank
    assert rows["a"].terms["victory_share"] == Fraction(8, 9) / 2
    assert [part.round for part in parts(rows["a"], "victory_share")] == [1, 2]
    share = parts(rows["a"], "victory_share")[0]
    assert (share.got, share.of) == (8, 9)


def test_a_table_of_one_counts_as_a_bye_but_not_as_a_table_won() -> None:
    row = rows_of("a", [(Place("a"),)])["a"]
    assert (row.terms["rank_points"], row.terms["tables_won"], row.terms["victory_share"]) == (1, 0, 0)
    assert parts(row, "rank_points")[0].note == "bye"


def test_players_share_equally_at_a_table_without_victory_points() -> None:
    assert rows_of("ab", [ranked("ab")])["b"].terms["victory_share"] == HALF


@given(st.integers(0, 10**9), st.integers(2, 12), st.integers(0, 4))
@settings(max_examples=60)
def test_every_table_awards_half_a_rank_point_per_player_one_win_and_one_share(
    seed: int, players: int, rounds: int
) -> None:
    rng = Random(seed)
    ids = [f"P{number:02}" for number in range(players)]
    played: list[list[Table]] = []
    seats = tables = 0
    for _ in range(rounds):
        order, made = rng.sample(ids, players), []
        while len(order) > 1:
            size = rng.randint(2, min(5, len(order)))
            made.append(tuple(Place(order.pop(), rng.randint(0, 4)) for _ in range(size)))
            seats, tables = seats + size, tables + 1
        played.append(made)
    rows = standings(ids, played)
    assert sum(row.terms["rank_points"] for row in rows) == Fraction(seats, 2)
    assert sum(row.terms["tables_won"] for row in rows) == tables
    assert sum(part.value for row in rows for part in parts(row, "victory_share")) == tables
    keys = [tuple(row.terms.values()) for row in rows]
    assert [row.rank for row in rows] == [1 + sum(other > key for other in keys) for key in keys]
    for row in rows:
        for name in TERMS[:2]:
            assert sum(part.value for part in parts(row, name)) == row.terms[name]


@pytest.mark.parametrize(
    ("tables", "code"),
    [
        ([()], "table_size"),
        ([tuple(Place(player) for player in "abcdef")], "table_size"),
        ([(Place("a"), Place("z"))], "unknown_player"),
        ([(Place("a"), Place("a"))], "paired_twice"),
        ([(Place("a"), Place("b")), (Place("b"), Place("c"))], "paired_twice"),
        ([(Place("a", rank=1), Place("b"))], "bad_rank"),
        ([(Place("a", rank=1), Place("b", rank=3))], "bad_rank"),
        ([(Place("a", rank=2), Place("b", rank=2))], "bad_rank"),
        ([(Place("a", -1), Place("b"))], "bad_points"),
    ],
)
def test_an_invalid_table_is_rejected_with_its_code_and_path(tables: list[Table], code: str) -> None:
    with pytest.raises(SwissError) as refused:
        standings(list("abcdef"), [tables])
    assert refused.value.code == code
    assert refused.value.path.startswith("rounds[0].tables[")


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ([], "bad_input", "players"),
        ({"players": [1]}, "bad_player", "players[0]"),
        ({"players": [{"id": "a"}, {"id": "a"}]}, "duplicate_player", "players"),
        ({"players": [], "rounds": {}}, "bad_input", "rounds"),
        ({"players": [], "rounds": [{"matches": []}]}, "bad_round", "rounds[0]"),
        ({"players": [], "rounds": [{"tables": [[{"seat": 1}]]}]}, "bad_place", "rounds[0].tables[0][0]"),
        (
            {"players": [], "rounds": [{"tables": [[{"player": "a", "rank": True}]]}]},
            "bad_place",
            "rounds[0].tables[0][0].rank",
        ),
    ],
)
def test_malformed_multiplayer_input_is_rejected_with_code_and_path(given: Any, code: str, path: str) -> None:
    with pytest.raises(SwissError) as refused:
        standings(*tables_of(given))
    assert (refused.value.code, refused.value.path) == (code, path)


def test_the_command_line_ranks_multiplayer_tables() -> None:
    event = {
        "players": [{"id": player} for player in "abc"],
        "rounds": [{"tables": [[{"player": "a", "points": 3}, {"player": "b", "points": 9}, {"player": "c"}]]}],
    }
    code, out, _ = run("standings", "--scheme", "multiplayer", given=event)
    assert code == 0
    assert [(row["rank"], row["player"], row["rank_points"]) for row in out["standings"]] == [
        (1, "b", 1.0),
        (2, "a", 0.5),
        (3, "c", 0.0),
    ]
    assert out["standings"][1]["exact"]["victory_share"] == "1/4"
