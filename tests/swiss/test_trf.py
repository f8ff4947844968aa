"""TRF16 is read and written without loss, and an invalid line is rejected with its number and the reason."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss.fields import messy_field
from tests.swiss.test_command_line import event, run, run_text
from tournaments.swiss import trf
from tournaments.swiss.exchange import text_of, written
from tournaments.swiss.field import Field, SwissError, points_of
from tournaments.swiss.standings import standings

SAMPLE = """\
012 Spring Open
062 4
001    1 m GM Anders, Ada                       2501 FRA     1234567 1990/02/01  1.5    1  0002 w 1  0003 w =
001    2      Bell, Bo                                                           1.0    3  0001 b 0  0004 w +
001    3      Ito, Chi                                                           1.5    1  0000 - U  0001 b =
001    4      Diaz, Dan                                                          0.0    4            0002 b -
"""

words = st.text(st.characters(categories=["L", "Nd"], include_characters=" ,-'"), min_size=1, max_size=33).map(
    trf._plain
)
names = words.filter(bool)


@st.composite
def tournaments(draw: st.DrawFn) -> trf.Tournament:
    """Any tournament the format can express: a random field with random values in the other columns."""
    field = messy_field(Random(draw(st.integers(0, 10**9))), draw(st.integers(1, 9)), draw(st.integers(0, 5)))
    made = trf.tournament_of(field, names={}, ranks={}, headers=[("012", draw(words)), ("XXR", "9")])
    competitors = tuple(
        replace(
            each,
            name=draw(names),
            rank=draw(st.integers(0, 9999)),
            rating=draw(st.integers(0, 9999)),
            half_points=draw(st.integers(0, 199) | st.integers(100, 999).map(lambda points: 2 * points)),
            sex=draw(st.sampled_from(["", "m", "w"])),
            title=draw(st.sampled_from(["", "GM", "WIM", "f"])),
            federation=draw(st.sampled_from(["", "FRA", "ITA"])),
            id=draw(st.sampled_from(["", "1", "12345678901"])),
            birth=draw(st.sampled_from(["", "1990/02/01", "1990"])),
        )
        for each in made.competitors
    )
    return replace(made, competitors=competitors)


@given(tournaments())
@settings(max_examples=60, deadline=None)
def test_writing_and_reading_a_tournament_gives_the_same_tournament(tournament: trf.Tournament) -> None:
    assert trf.read(trf.write(tournament)) == tournament


@given(st.integers(0, 10**9), st.integers(0, 9), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_a_round_trip_of_a_field_keeps_opponents_and_results(seed: int, players: int, rounds: int) -> None:
    field = messy_field(Random(seed), players, rounds)
    text = written(field, {}, standings(field))
    again = trf.field_of(trf.read(text))
    number = {player.id: str(place) for place, player in enumerate(field.players, start=1)}

    def told(some: Field, names: dict[str, str]) -> list[set[tuple[object, ...]]]:
        rounds = [
            {(tuple(names[seat] for seat in m.seats), points_of(m)[: len(m.seats)]) for m in matches}
            for matches in some.rounds
        ]
        # TRF cannot express a trailing round without a match.
        while rounds and not rounds[-1]:
            rounds.pop()
        return rounds

    assert told(again, {i: i for i in number.values()}) == told(field, number)


def test_every_column_of_a_line_is_read() -> None:
    tournament = trf.read(SAMPLE)
    assert tournament.headers == (("012", "Spring Open"), ("062", "4"))
    ada, _bo, chi, dan = tournament.competitors
    assert ada == trf.Competitor(
        1,
        "Anders, Ada",
        (trf.Entry(2, "w", "1"), trf.Entry(3, "w", "=")),
        half_points=3,
        rank=1,
        sex="m",
        title="GM",
        rating=2501,
        federation="FRA",
        id="1234567",
        birth="1990/02/01",
    )
    assert chi.entries[0] == trf.Entry(0, "-", "U")
    assert dan.entries == (None, trf.Entry(2, "b", "-"))
    assert trf.write(tournament) == SAMPLE


def test_crlf_a_byte_order_mark_and_empty_lines_are_accepted() -> None:
    assert trf.read("\ufeff" + SAMPLE.replace("\n", "\r\n\r\n")) == trf.read(SAMPLE)


def test_unrated_results_and_half_byes_are_recognized() -> None:
    text = SAMPLE.replace("0002 w 1", "0002 w W").replace("0001 b 0", "0001 b L").replace("0000 - U", "0000 - H")
    first = trf.field_of(trf.read(text)).rounds[0]
    assert [(match.seats, match.kind, points_of(match)[0]) for match in first] == [
        (("1", "2"), "played", 3),
        (("3",), "half_bye", 1),
    ]


def test_two_losses_are_a_double_loss_and_two_absences_a_forfeit_without_winner() -> None:
    lost = SAMPLE.replace("0002 w 1", "0002 w 0")
    assert trf.field_of(trf.read(lost)).rounds[0][0].kind == "double_loss"
    away = SAMPLE.replace("0004 w +", "0004 w -")
    match = trf.field_of(trf.read(away)).rounds[1][1]
    assert (match.kind, points_of(match)) == ("forfeit", (0, 0))


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("062 4", "0", 2, "code of three characters"),
        ("062 4", "0624", 2, "code of three characters"),
        ("001    2 ", "001    1 ", 4, "start number 1 stands on line 3 already"),
        ("001    2 ", "001    0 ", 4, "1 or more"),
        ("001    2 ", "001   -2 ", 4, "columns 5 to 8"),
        ("001    2 ", "001    2x", 4, "column 9 is blank"),
        ("Bell, Bo", "        ", 4, "columns 15 to 47"),
        ("2501", "25o1", 3, "columns 49 to 52"),
        ("  1.0    3", "  1.2    3", 4, "columns 81 to 84"),
        ("  1.0    3", "  1.0   -3", 4, "columns 86 to 89"),
        ("0002 w 1", "0002 w X", 3, "round 1: the colour is"),
        ("0002 w 1", "0002 x 1", 3, "round 1: the colour is"),
        ("0002 w 1", "OOO2 w 1", 3, "round 1: the opponent is a start number"),
        ("0002 w 1", "0002w  1", 3, "round 1 is not in its ten columns"),
        ("0002 w 1", "0009 w 1", 3, "round 1: the opponent 9 is no other player"),
        ("0002 w 1", "0001 w 1", 3, "round 1: the opponent 1 is no other player"),
        ("0002 w 1", "0004 w 1", 3, "round 1: 4 does not say to have met 1"),
        ("0002 w 1", "0002 b 1", 3, "tells another result or colour"),
        ("0002 w 1", "0002 w =", 3, "tells another result or colour"),
        ("0002 b -", "0002 b 0", 4, "tells another result or colour"),
        ("0000 - U", "0000 - 1", 5, "without an opponent"),
        ("0000 - U", "0000 w U", 5, "without an opponent"),
    ],
)
def test_a_bad_line_is_rejected_with_its_number_and_the_reason(old: str, new: str, line: int, why: str) -> None:
    assert old in SAMPLE
    with pytest.raises(SwissError) as refused:
        trf.read(SAMPLE.replace(old, new, 1))
    assert (refused.value.code, refused.value.path) == ("bad_trf", f"line {line}")
    assert why in refused.value.message


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_is_either_read_or_rejected_as_bad_trf(text: str) -> None:
    try:
        trf.read(text)
    except SwissError as refused:
        assert refused.code == "bad_trf"


def test_a_file_that_is_too_large_or_not_utf_8_is_rejected() -> None:
    with pytest.raises(SwissError) as refused:
        trf.read("x" * (trf.MOST_CHARACTERS + 1))
    assert refused.value.code == "too_large"
    with pytest.raises(SwissError) as refused:
        text_of(b"012 a\n001 \xff")
    assert (refused.value.code, refused.value.path) == ("bad_trf", "line 2")


def test_a_value_that_does_not_fit_its_columns_is_rejected() -> None:
    with pytest.raises(SwissError) as refused:
        trf.write(trf.Tournament((trf.Competitor(1, "x" * 34),)))
    assert refused.value.code == "bad_trf"
    assert "name of player 1" in refused.value.message


def test_names_are_shortened_and_cleaned_to_fit_a_line() -> None:
    field = trf.field_of(trf.read(SAMPLE))
    text = written(field, {"1": "Ada\n\tAnders\u2028" + "x" * 40, "2": "\n"}, standings(field))
    first, second, *_ = trf.read(text).competitors
    assert first.name == ("Ada Anders " + "x" * 40)[:33]
    assert second.name == "2"


def test_the_command_line_writes_and_reads_trf() -> None:
    simulated = event(9, 3)
    simulated["players"][0]["name"] = "Ada Anders"
    code, text = run_text("trf", "write", "--scheme", "fide", given=json.dumps(simulated))
    assert code == 0
    assert "062 9\n" in text and "Ada Anders" in text
    code, again, _ = run("trf", "read", given=text)
    assert code == 0
    assert again["players"][0] == {"id": "1", "seed": 1, "name": "Ada Anders"}
    assert [len(round_["matches"]) for round_ in again["rounds"]] == [5, 5, 5]
    status, out, error = run("trf", "read", given="001 nonsense")
    assert (status, out, error["error"], error["path"]) == (2, None, "bad_trf", "line 1")
