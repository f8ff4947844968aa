"""Standings are exact, reproduce published results of real events, and every figure can be broken down."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss import slow_standings
from tests.swiss.fields import field_of, messy_field, random_field, team_field
from tournaments.swiss import columns
from tournaments.swiss.columns import mean, share
from tournaments.swiss.field import KINDS, Field, Match, Player, SwissError, points_of
from tournaments.swiss.report import shown
from tournaments.swiss.schemes import scheme_of, schemes
from tournaments.swiss.scoring import Scoring
from tournaments.swiss.standings import SwissRow, decided_by, frozen, standings
from tournaments.swiss.tiebreaks import ABSOLUTE, RELATIVE
from tournaments.swiss.wire import field_of as field_from_json

EVENTS = Path(__file__).parents[2] / ".." / "shared" / "data" / "events" / "swiss_events.json"
TOLERANCE = Fraction(1, 100_000)
THIRD = Fraction(1, 3)


def events() -> list[dict[str, Any]]:
    return json.loads(EVENTS.read_text()) if EVENTS.exists() else []


def rows_of(field: Field, **options: Any) -> dict[str, SwissRow]:
    return {row.player: row for row in standings(field, **options)}


def published_field(event: dict[str, Any]) -> Field:
    seats = {seat for round_ in event["rounds"] for match in round_["matches"] for seat in match[:2] if seat}
    return field_from_json({"players": [{"id": seat} for seat in sorted(seats)], "rounds": event["rounds"]})


@pytest.mark.skipif(not EVENTS.exists(), reason="../shared/data/events is absent")
def test_every_published_figure_of_the_real_events_is_reproduced() -> None:
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
def test_the_published_order_of_the_real_events_is_never_contradicted() -> None:
    for event in events():
        if not event["rank_order_is_points_omw_gw_ogw"]:
            continue
        rows = rows_of(published_field(event), gw_floored=event["gwp_column"] != "raw")
        listed = [rows[line["player"]] for line in sorted(event["standings"], key=lambda line: line["rank"])]
        keys = [(row.points, row.terms["omw"], row.terms["gw"], row.terms["ogw"]) for row in listed]
        assert keys == sorted(keys, reverse=True), event["url"]


def test_opponents_with_3_6_and_9_of_12_points_give_an_omw_of_19_36() -> None:
    field = field_of(
        ["x", "a", "b", "c", "p", "q", "r"],
        [("x", "a", "2-1-0"), ("b", "p", "2-0-0"), ("c", "q", "2-0-0")],
        [("x", "b", "2-1-0"), ("a", "p", "0-2-0"), ("c", "r", "2-0-0")],
        [("x", "c", "0-2-0"), ("a", "q", "2-0-0"), ("b", "r", "2-0-0")],
        [("a", "r", "0-2-0"), ("b", "q", "0-2-0"), ("c", "p", "0-2-0"), ("x", None, "0-0-0")],
    )
    rows = rows_of(field)
    assert [rows[p].points for p in "abc"] == [3, 6, 9]
    row = rows["x"]
    assert row.terms["omw"] == Fraction(19, 36)
    assert round(float(row.terms["omw"]), 6) == 0.527778
    (opened,) = (figure for figure in row.explain if figure.name == "omw")
    assert [(part.player, part.got, part.of, part.note) for part in opened.parts] == [
        ("a", 3, 12, "floor"),
        ("b", 6, 12, ""),
        ("c", 9, 12, ""),
    ]


def test_four_games_won_of_ten_give_a_gw_of_two_fifths() -> None:
    field = field_of(
        ["a", "b", "c", "d"],
        [("a", "b", "2-0-0")],
        [("a", "c", "1-2-0")],
        [("a", "d", "1-2-0")],
        [("a", "b", "0-2-0")],
    )
    assert rows_of(field)["a"].terms["gw"] == Fraction(4, 10)


def test_a_bye_gives_three_points_and_two_games_but_no_opponent() -> None:
    rows = rows_of(field_of("abc", [("a", "b", "2-0-0"), ("c", None, "2-0-0")]))
    assert (rows["c"].points, rows["c"].byes, rows["c"].record) == (3, 1, (0, 0, 0))
    assert rows["c"].terms == {"omw": THIRD, "gw": Fraction(1), "ogw": THIRD}
    assert [figure.parts for figure in rows["c"].explain if figure.name == "omw"] == [()]


def test_an_opponents_bye_counts_in_their_match_win_share() -> None:
    rows = rows_of(field_of("abc", [("a", "b", "2-0-0"), ("c", None, "2-0-0")], [("b", "c", "2-0-0")]))
    assert rows["b"].terms["omw"] == (Fraction(1) + Fraction(1, 2)) / 2


def test_a_dropped_opponent_is_averaged_over_the_rounds_they_played() -> None:
    played = field_of("abc", [("a", "b", "0-2-0")], [("a", "c", "2-0-0")])
    field = Field((Player("a"), Player("b", dropped=True), Player("c")), played.rounds)
    rows = rows_of(field)
    assert rows["a"].terms["omw"] == (Fraction(1) + THIRD) / 2
    assert [row.player for row in rows.values()] == ["a", "b", "c"]


def test_an_intentional_draw_counts_as_three_drawn_games() -> None:
    field = Field((Player("a"), Player("b")), ((Match("a", "b", 0, 0, 3, "intentional_draw"),),))
    row = rows_of(field)["a"]
    (part,) = next(figure.parts for figure in row.explain if figure.name == "gw")
    assert (row.points, row.terms["gw"], part.got, part.of) == (1, THIRD, 3, 9)


def test_the_floor_is_one_third_unless_set_otherwise() -> None:
    field = field_of("ab", [("a", "b", "2-0-0")])
    assert rows_of(field)["a"].terms["omw"] == THIRD
    assert rows_of(field, floor=Fraction(33, 100))["a"].terms["omw"] == Fraction(33, 100)
    assert rows_of(field, gw_floored=False)["b"].terms["gw"] == 0
    assert rows_of(field, gw_floored=False)["a"].terms["ogw"] == THIRD


def test_players_equal_in_every_figure_share_a_rank() -> None:
    rows = standings(field_of("abcdef", [("a", "b", "2-0-0"), ("c", "d", "2-0-0"), ("e", "f", "1-1-0")]))
    assert [(row.rank, row.player) for row in rows] == [(1, "a"), (1, "c"), (3, "e"), (3, "f"), (5, "b"), (5, "d")]


def test_missed_rounds_of_a_late_entrant_count_as_losses() -> None:
    played = field_of("abc", [("a", "b", "2-0-0")], [("c", "a", "2-0-0")])
    field = Field((Player("a"), Player("b"), Player("c", joined=2)), played.rounds)
    rows = rows_of(field)
    assert rows["c"].record == (1, 1, 0)
    assert rows["a"].terms["omw"] == (THIRD + Fraction(1, 2)) / 2
    written = Field(field.players, ((*field.rounds[0], Match("c", None, 0, 0, 0, "missed")), field.rounds[1]))
    assert shown(rows_of(written)["c"]) == shown(rows["c"])


def test_a_disqualified_player_has_no_rank_but_stays_an_opponent() -> None:
    field = Field(
        tuple(Player(i) for i in "abc"),
        ((Match("a", "b", 2, 0, 0),), (Match("c", "a", 2, 0, 0, "disqualified"),)),
    )
    rows = rows_of(field)
    assert set(rows) == {"b", "c"}
    assert rows["b"].terms["omw"] == Fraction(1, 2)


def test_every_kind_of_match_gives_the_right_points() -> None:
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


def test_a_half_bye_counts_as_a_draw_and_a_zero_bye_as_a_loss() -> None:
    kinds = ("bye", "half_bye", "zero_bye", "missed")
    field = Field((Player("a"),), tuple((Match("a", None, 0, 0, 0, kind),) for kind in kinds))
    row = rows_of(field)["a"]
    assert (row.points, row.record, row.byes, shown(row)["rounds"]) == (4, (0, 2, 1), 1, 4)


def test_an_unknown_scheme_and_a_floor_out_of_range_are_rejected() -> None:
    with pytest.raises(SwissError) as refused:
        standings(field_of("ab"), "chess")
    assert refused.value.code == "unknown_scheme"
    with pytest.raises(SwissError) as refused:
        standings(field_of("ab"), floor=Fraction(2))
    assert refused.value.code == "bad_floor"


@given(st.integers(0, 10**9), st.integers(0, 14), st.integers(0, 6))
@settings(max_examples=60)
def test_rows_add_up_and_ranks_count_the_players_ahead(seed: int, players: int, rounds: int) -> None:
    field = random_field(Random(seed), players, rounds, drops=2, odd_byes=1)
    rows = standings(field)
    assert sorted(row.player for row in rows) == sorted(player.id for player in field.players)
    keys = [(row.points, *row.terms.values()) for row in rows]
    assert keys == sorted(keys, reverse=True)
    for place, row in enumerate(rows):
        won, lost, drawn = row.record
        assert row.points == 3 * won + drawn + 3 * row.byes
        assert won + lost + drawn + row.byes == shown(row)["rounds"]
        assert row.rank == 1 + sum(key > keys[place] for key in keys)


def slow_rows(field: Field, scheme: str, seed: int, **rules: Fraction) -> dict[str, tuple[int, list[Fraction]]]:
    """Rank and figures of each player, computed by the slow implementation."""
    chosen = scheme_of(scheme)
    base = scheme.rpartition(":")[0] or (scheme if scheme in slow_standings.SCHEMES else "mtr")
    slow = slow_standings.Slow(field, seed=seed, **{**slow_standings.SCHEMES[base], **rules})
    keys: dict[str, list[Fraction]] = {player: [] for player in slow.players}
    figures: dict[str, list[Fraction]] = {player: [] for player in slow.players}
    for name in chosen.tiebreaks:
        figure = getattr(slow, name)
        more = {player: figure(player, keys) if name in RELATIVE else figure(player) for player in slow.players}
        sign = -1 if name == "opponents_rank" else 1
        for player in slow.players:
            figures[player].append(more[player])
        keys = {player: [*keys[player], sign * more[player]] for player in slow.players}
    return {player: (slow.rank(keys, player), figures[player]) for player in slow.players}


LISTS = (
    "points,cumulative,wins,games_won,buchholz_median,opponents_rank,random",
    "points,direct",
    "fide:points,direct,buchholz_median,cumulative,opponents_rank,lost_squares,sos",
    "wins,opponents_rank,direct",
    "fide:points,win,won",
    "points,board_points,board_buchholz,board_sonneborn_berger,berlin",
)


@pytest.mark.parametrize("scheme", [*schemes(), *LISTS])
@given(st.integers(0, 10**9), st.integers(0, 9), st.integers(0, 5))
@settings(max_examples=15)
def test_every_figure_matches_the_slow_implementation(scheme: str, seed: int, players: int, rounds: int) -> None:
    field = messy_field(Random(seed), players, rounds)
    rows = standings(field, scheme, seed=seed)
    found = {row.player: (row.rank, [figure.value for figure in row.explain]) for row in rows}
    assert found == slow_rows(field, scheme, seed)


@given(st.integers(0, 10**9), st.integers(0, 9), st.integers(0, 5))
@settings(max_examples=25)
def test_the_figures_of_boards_match_the_slow_implementation(seed: int, teams: int, rounds: int) -> None:
    field = team_field(Random(seed), teams, rounds)
    scheme = "fide:berlin,board_sonneborn_berger,board_points,board_buchholz"
    found = {row.player: (row.rank, [figure.value for figure in row.explain]) for row in standings(field, scheme)}
    assert found == slow_rows(field, scheme, 0)


WORTHS = (("2", "1", "0"), ("3", "1", "1/2"), ("1", "1/2", "0"), ("3", "3/2", "1"))


@pytest.mark.parametrize("scheme", ["mtr", "pokemon", "fide", "points,omw,cumulative,buchholz"])
@given(
    st.integers(0, 10**9), st.integers(0, 9), st.integers(0, 5), st.sampled_from(WORTHS), st.sampled_from(["1/4", "0"])
)
@settings(max_examples=15)
def test_an_event_can_set_its_own_points_and_floor(
    scheme: str, seed: int, players: int, rounds: int, worth: tuple[str, ...], floor: str
) -> None:
    field = messy_field(Random(seed), players, rounds)
    win, draw, loss = map(Fraction, worth)
    rows = standings(field, scheme, seed=seed, scoring=Scoring(win, draw, loss, Fraction(floor)))
    found = {row.player: (row.rank, [figure.value for figure in row.explain]) for row in rows}
    told = {"win_points": win, "draw_points": draw, "loss_points": loss, "floor": Fraction(floor)}
    shares = {"draw": draw / win, "loss": loss / win} if scheme not in ("pokemon", "fide") else {}
    assert found == slow_rows(field, scheme, seed, **told, **shares)


def test_the_match_win_share_follows_the_points_of_the_event() -> None:
    """With 2, 1 and 0 points a draw is half a win, and 2 points per round are possible."""
    field = Field((Player("A"), Player("B")), ((Match("A", "B", 1, 1, 0),), (Match("A", "B", 2, 0, 0),)))
    rows = {row.player: row for row in standings(field, scoring=Scoring(Fraction(2), Fraction(1), Fraction(0)))}
    assert (rows["A"].points, rows["B"].points) == (3, 1)
    assert (rows["B"].terms["omw"], rows["A"].terms["omw"]) == (Fraction(3, 4), Fraction(1, 3))


@pytest.mark.parametrize("worth", [(0, 0, 0), (1, 2, 0), (3, 1, 2), (11, 1, 0)])
def test_invalid_points_are_rejected(worth: tuple[int, int, int]) -> None:
    with pytest.raises(SwissError) as caught:
        standings(Field((), ()), scoring=Scoring(*map(Fraction, worth)))
    assert caught.value.code == "bad_worth"


def test_win_counts_all_wins_and_won_only_those_that_were_played() -> None:
    rounds = ((Match("A", "B", 2, 0, 0),), (Match("A", None, 2, 0, 0, "bye"),), (Match("A", "B", 2, 0, 0, "no_show"),))
    row = standings(Field((Player("A"), Player("B")), rounds), "points,win,won,wins")[0]
    assert row.terms == {"win": 3, "won": 1, "wins": 2}
    assert "win" in schemes()["fide"].tiebreaks and "wins" not in schemes()["fide"].tiebreaks


def test_the_tested_schemes_and_lists_cover_every_tiebreak() -> None:
    named = {name for text in (*schemes(), *LISTS) for name in scheme_of(text).tiebreaks}
    assert named == ABSOLUTE.keys() | RELATIVE.keys()


@pytest.mark.parametrize("scheme", [*schemes(), *LISTS])
@given(st.integers(0, 10**9), st.integers(0, 8), st.integers(0, 5))
@settings(max_examples=10)
def test_the_parts_of_a_figure_combine_to_it(scheme: str, seed: int, players: int, rounds: int) -> None:
    for row in standings(messy_field(Random(seed), players, rounds), scheme):
        for figure in row.explain:
            values = [part.value for part in figure.parts if part.note != "cut"]
            if figure.how == "sum":
                assert sum(values) == figure.value, figure
            elif figure.how == "mean" and values:
                assert sum(values) / len(values) == figure.value, figure
            elif figure.how == "share":
                (part,) = figure.parts
                assert part.value == figure.value, figure
                if part.of and part.note == "":
                    assert Fraction(part.got or 0, part.of) == figure.value
            elif figure.how == "rounded":
                assert abs(values[0] - figure.value) <= Fraction(1, 2)


@given(st.integers(0, 10**9))
@settings(max_examples=10)
def test_figures_stay_exact_when_the_common_denominator_is_too_wide(seed: int) -> None:
    field = messy_field(Random(seed), 9, 5)
    wide = [(row.rank, row.player, row.terms) for row in standings(field, "pokemon")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "WIDEST", 2)
        rows = standings(field, "pokemon")
    assert rows == () or rows[0].table.columns["omw"].unit == 1
    assert [(row.rank, row.player, row.terms) for row in rows] == wide


def test_players_who_did_not_advance_keep_their_figures_of_the_cut() -> None:
    field = random_field(Random(5), 12, 5)
    cut = standings(Field(field.players, field.rounds[:3]))
    advancing = {row.player for row in cut[:4]}
    now = standings(field)
    rows = frozen(cut, now, advancing)
    assert {row.player for row in rows[:4]} == advancing
    assert [row.rank for row in rows[:4]] == sorted(row.rank for row in rows[:4])
    assert rows[4:] == cut[4:]
    figures = {row.player: row.terms for row in now}
    assert all(row.terms == figures[row.player] for row in rows[:4])


def test_the_figure_that_decided_between_two_rows_is_named() -> None:
    rows = standings(field_of("abcd", [("a", "b", "2-0-0"), ("c", "d", "2-1-0")]))
    assert [row.player for row in rows] == ["a", "c", "b", "d"]
    assert [decided_by(*pair) for pair in pairwise(rows)] == ["gw", "points", "ogw"]
    assert decided_by(rows[0], rows[0]) is None


def test_a_cut_with_an_unknown_player_is_rejected() -> None:
    rows = standings(field_of("ab", [("a", "b", "2-0-0")]))
    with pytest.raises(SwissError) as refused:
        frozen(rows, rows, {"z"})
    assert refused.value.code == "unknown_player"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_scheme"),
        ("chess", "unknown_scheme"),
        ("chess:points", "unknown_scheme"),
        ("points,luck", "unknown_tiebreak"),
        ("points,,omw", "unknown_tiebreak"),
        ("fide:", "unknown_tiebreak"),
        ("points,omw,points", "repeated_tiebreak"),
        (",".join(list(ABSOLUTE)[:13]), "too_many_tiebreaks"),
    ],
)
def test_an_invalid_list_of_tiebreaks_is_rejected_with_its_code(text: str, code: str) -> None:
    with pytest.raises(SwissError) as refused:
        scheme_of(text)
    assert (refused.value.code, refused.value.path) == (code, "scheme")


def test_mathematically_equal_shares_are_equal_however_they_were_computed() -> None:
    """Floats would separate 1/10 + 2/10 from 3/10."""
    for scale in range(1, 60):
        first = share([scale, 2 * scale], [10 * scale, 10 * scale], floor=Fraction(0))
        again = share([3, 0], [10, 10], floor=Fraction(0))
        assert mean(first, [[0, 1]], "ab", empty=THIRD).of(0) == mean(again, [[0, 1]], "ab", empty=THIRD).of(0)


def test_two_tied_players_who_met_are_ordered_by_their_match() -> None:
    field = field_of("abcd", [("a", "b", "0-2-0"), ("c", "d", "2-0-0")], [("a", "c", "2-0-0"), ("b", "d", "0-2-0")])
    rows = rows_of(field, scheme="points,direct")
    assert [rows[p].terms["direct"] for p in "abcd"] == [
        0,
        0,
        0,
        0,
    ]  # not all have met, and everybody could still be caught
    pair = rows_of(field_of("ab", [("a", "b", "0-2-0")], [("b", None, "0-0-0")]), scheme="wins,direct")
    assert [(pair[p].rank, pair[p].terms["direct"]) for p in "ab"] == [(2, 0), (1, 0)]
    level = field_of("abc", [("a", "b", "0-2-0"), ("c", None, "2-0-0")], [("a", None, "2-0-0"), ("c", "b", "2-0-0")])
    by_match = rows_of(level, scheme="points,direct")
    assert [by_match[p].points for p in "abc"] == [3, 3, 6]
    assert (by_match["b"].rank, by_match["a"].rank) == (2, 3)


def test_a_dropped_opponent_counts_at_most_three_quarters_in_pokemon() -> None:
    played = field_of("abc", [("b", "a", "2-0-0")], [("b", "c", "2-0-0")])
    field = Field((Player("a"), Player("b", dropped=True), Player("c")), played.rounds)
    assert rows_of(field, scheme="pokemon")["a"].terms["omw"] == Fraction(3, 4)


def test_yugioh_adds_the_squares_of_the_rounds_lost() -> None:
    field = field_of("ab", [("a", "b", "0-2-0")], [("a", "b", "2-0-0")], [("a", "b", "0-2-0")])
    assert rows_of(field, scheme="yugioh")["a"].terms["lost_squares"] == 1 + 9
    assert rows_of(field, scheme="yugioh")["a"].terms["omw_1000"] == 667


def test_fide_counts_trailing_absences_as_draws_and_cuts_them_first() -> None:
    field = field_of("abc", [("a", "b", "2-0-0"), ("c", None, "2-0-0")], [("a", "c", "2-0-0")], [("a", "c", "2-0-0")])
    rows = rows_of(field, scheme="fide")
    assert (rows["a"].points, rows["b"].points, rows["c"].points) == (3, 0, 1)
    # b lost once and was absent twice: 0 + 1/2 + 1/2 as an opponent, and min(0, 3/2) for each of b's own absences.
    assert rows["a"].terms["buchholz"] == 1 + 1 + 1
    assert rows["b"].terms["buchholz"] == 3
    assert rows["b"].terms["buchholz_cut1"] == 3
    # c: min(1, 3/2) for the bye, then a, who has 3 points, twice.
    assert rows["c"].terms["buchholz"] == 1 + 3 + 3
    assert rows["c"].terms["sonneborn_berger"] == 1
