"""TRF is read and written without loss, is accepted by a pairing engine, and an invalid line is rejected by number."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser

from tests.swiss.fields import messy_field
from tests.swiss.test_command_line import event, run, run_text
from tournaments.swiss import trf
from tournaments.swiss.exchange import event_of, text_of, written
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
@settings(max_examples=60)
def test_writing_and_reading_a_tournament_gives_the_same_tournament(tournament: trf.Tournament) -> None:
    assert trf.read(trf.write(tournament)) == tournament


@given(st.integers(0, 10**9), st.integers(1, 9), st.integers(0, 5))
@settings(max_examples=60)
def test_a_round_trip_of_a_field_keeps_opponents_and_results(seed: int, players: int, rounds: int) -> None:
    field = messy_field(Random(seed), players, rounds)
    text = written(field, {}, standings(field))
    again = trf.field_of(trf.read(text))
    number = {player.id: str(place) for place, player in enumerate(field.players, start=1)}

    def told(some: Field, names: dict[str, str]) -> list[set[tuple[object, ...]]]:
        # Whoever has no match in a round is absent from it, as after a zero bye.
        rounds = [
            {
                (tuple(names[seat] for seat in m.seats), points_of(m)[: len(m.seats)])
                for m in matches
                if m.b is not None or points_of(m)[0]
            }
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


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n", "\r\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    assert trf.read(SAMPLE.replace("\n", end)) == trf.read(SAMPLE)


def test_comments_are_passed_over_and_letters_may_be_small() -> None:
    text = "### of the arbiter\n# 001\n" + SAMPLE.replace("0000 - U", "0000 - u").replace("0002 w 1", "0002 w W")
    assert trf.read(text.replace("0001 b 0", "0001 b l")) == trf.read(
        SAMPLE.replace("0002 w 1", "0002 w W").replace("0001 b 0", "0001 b L")
    )


@pytest.mark.parametrize("text", ["", "012 Spring Open\n", "### nothing\r", "\r\r"])
def test_a_file_without_players_is_never_an_empty_event(text: str) -> None:
    with pytest.raises(SwissError, match="no player"):
        trf.read(text)


@pytest.mark.parametrize(
    ("written_as", "kind"),
    [
        ("0000 - +", "bye"),
        ("0000 - =", "half_bye"),
        ("0000 - -", "zero_bye"),
        ("     - H", "half_bye"),
        ("       H", "half_bye"),
        ("0000   F", "bye"),
    ],
)
def test_a_round_without_opponent_is_read_however_it_is_written(written_as: str, kind: str) -> None:
    field = trf.field_of(trf.read(SAMPLE.replace("0000 - U", written_as.rjust(8))))
    assert [match.kind for match in field.rounds[0] if match.b is None] == [kind]


def test_what_a_file_says_about_the_next_round_is_read() -> None:
    text = SAMPLE + "XXR 5\nXXZ 4\nXXP 2 1\n240 H 003 0002\n240 F 004 0003\n"
    text += "260 001 003 0001 0003 0004\n260 001 002 2 4\n"
    coming = trf.coming(trf.read(text))
    assert coming == trf.Coming(5, {4: "zero_bye", 2: "half_bye"}, ((1, 2), (1, 3), (1, 4), (3, 4)))
    assert trf.coming(trf.read(text.replace("XXR 5", "142 7"))).planned == 7
    for unread in ("XXR many", "XXR 1", "XXZ 9", "XXP 1", "260 x", "240 Q 003 0001"):
        assert trf.coming(trf.read(SAMPLE + unread + "\n")) == trf.Coming(), unread


def test_whoever_has_an_entry_more_than_the_others_is_away_in_the_next_round() -> None:
    text = SAMPLE.replace("0001 b =", "0001 b =  0000 - H")
    tournament = trf.read(text)
    assert (tournament.rounds, tournament.played) == (3, 2)
    assert trf.coming(tournament).awarded == {3: "half_bye"}
    assert len(trf.field_of(tournament).rounds) == 2


def test_the_rounds_to_come_are_written_and_read_again() -> None:
    given = {**event(8, 2), "rounds_planned": 5, "options": {"seed": 1, "awarded": {"P2": "half_bye"}}}
    given["players"][4]["dropped"] = True
    given["options"]["forbidden"] = [["P1", "P8"]]
    code, text = run_text("trf", "write", given=json.dumps(given))
    assert code == 0
    numbers = {player["id"]: str(at) for at, player in enumerate(given["players"], 1)}
    dropped = numbers[given["players"][4]["id"]]
    assert "XXR 5\n142 5\n" in text and f"240 H 003 {int(numbers['P2']):04}\n" in text
    _code, again, _ = run("trf", "read", given=text)
    assert again["rounds_planned"] == 5
    assert again["options"]["awarded"] == {numbers["P2"]: "half_bye", dropped: "zero_bye"}
    assert again["options"]["forbidden"] == [sorted([numbers["P1"], numbers["P8"]])]
    code, paired, _ = run("pair", given=json.dumps(again))
    assert code == 0 and not {numbers["P2"], dropped} & {seat for pair in paired["pairs"] for seat in pair}
    for wrong in (0, "5", 10**6):
        status, _out, error = run("trf", "write", given=json.dumps({**given, "rounds_planned": wrong}))
        assert (status, error["path"]) == (2, "rounds_planned")


def test_a_pairing_engine_accepts_what_is_written_and_pairs_who_is_there(tmp_path: Path) -> None:
    """py4swiss reads 40 files in its strict mode, and pairs exactly those that can play the next round."""
    paired = 0
    for seed in range(40):
        rng = Random(seed)
        field = messy_field(rng, rng.randrange(6, 30), rng.randrange(0, 5))
        live = [player.id for player in field.live()]
        awarded = {player: rng.choice(["bye", "half_bye", "zero_bye"]) for player in live[: rng.randrange(3)]}
        plan = trf.Plan(len(field.rounds) + 4, awarded)
        file = tmp_path / f"{seed}.trf"
        file.write_text(written(field, {}, standings(field), plan=plan))
        read = TrfParser.parse(file)
        assert read.x_section.number_of_rounds == len(field.rounds) + 4
        number = {player.id: at for at, player in enumerate(field.players, 1)}
        there = {number[player] for player in live if player not in awarded}
        try:
            found = DutchEngine.generate_pairings(read)
        except PairingError:  # everybody has met everybody
            continue
        paired += 1
        assert {seat for pair in found for seat in (pair.white, pair.black)} - {0} == there
    assert paired > 30


DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "trf"
WRONG = {"incompatible_color", "incompatible_result", "missing_result", "invalid_code"}


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")
def test_files_of_other_programs_are_read_whole_or_refused_with_a_line() -> None:
    for file in sorted(DATA.glob("*.trf")):
        text = text_of(file.read_bytes())
        players = len(re.findall(r"(?:^|[\r\n])[01]01 ", text))
        if file.stem.removeprefix("p4s_") in WRONG:
            with pytest.raises(SwissError, match=r".") as refused:
                trf.read(text)
            assert re.fullmatch(r"line \d+", refused.value.path), file.name
        else:
            assert len(event_of(trf.read(text))["players"]) == players > 3, file.name


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
        ("062 4", "0O1  4", 2, "code of three characters"),
        ("062 4", " 001 4", 2, "code of three characters"),
        ("001    2 ", "001    1 ", 4, "Line 3 already has the start number 1"),
        ("001    2 ", "001    0 ", 4, "1 or more"),
        ("001    2 ", "001   -2 ", 4, "Columns 5 to 8"),
        ("001    2 ", "001    2x", 4, "Column 9 of a player’s line must be blank"),
        ("Bell, Bo", "        ", 4, "Columns 15 to 47"),
        ("2501", "25o1", 3, "Columns 49 to 52"),
        ("  1.0    3", "  1.2    3", 4, "Columns 81 to 84"),
        ("  1.0    3", "  1.0   -3", 4, "Columns 86 to 89"),
        ("0002 w 1", "0002 w X", 3, "Round 1: the colour must be"),
        ("0002 w 1", "0002 x 1", 3, "Round 1: the colour must be"),
        ("0002 w 1", "OOO2 w 1", 3, "Round 1: the opponent must be a start number"),
        ("0002 w 1", "0002w  1", 3, "Round 1 is not in its ten columns"),
        ("0002 w 1", "0009 w 1", 3, "Round 1: the opponent 9 is not another player"),
        ("0002 w 1", "0001 w 1", 3, "Round 1: the opponent 1 is not another player"),
        ("0002 w 1", "0004 w 1", 3, "Round 1: player 4 does not have player 1 as the opponent"),
        ("0002 w 1", "0002 b 1", 3, "gives another result or colour"),
        ("0002 w 1", "0002 w =", 3, "gives another result or colour"),
        ("0002 b -", "0002 b 0", 4, "gives another result or colour"),
        ("0000 - U", "0000 - 1", 5, "without an opponent"),
        ("001    2 ", "101    2 ", 4, "No line has the code 101"),
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
@settings(max_examples=100)
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


# ------------------------------------------------------------------------------------------------- teams

TEAM_LINE = "310   1 India                            IND     2486   15.0   28.0  11     1    5   15   28   44"
"""The example of the TRF26 standard."""


def test_the_columns_of_the_line_of_a_team_are_those_of_trf26() -> None:
    team = trf._team_26(TEAM_LINE[4:])
    assert team == trf.Team("India", (1, 5, 15, 28, 44), 1, 11, half_match_points=30, half_game_points=56)
    code, text = team.line_26
    # The nickname and the strength are not ours to give.
    assert f"{code} {text}" == TEAM_LINE.replace("IND  ", "     ").replace("2486", "    ")


teams = st.builds(
    trf.Team,
    name=words.map(lambda name: name[:31].strip()).filter(bool),
    players=st.lists(st.integers(1, 9), min_size=1, max_size=9, unique=True).map(tuple),
    number=st.integers(1, 999),
    rank=st.integers(1, 999),
    half_match_points=st.integers(0, 19_999),
    half_game_points=st.integers(0, 19_999),
)


@given(st.lists(teams, max_size=4))
def test_teams_are_written_and_read_without_loss(wanted: list[trf.Team]) -> None:
    players = tuple(trf.Competitor(number, f"Player {number}") for number in range(1, 10))
    lines = tuple(line for team in wanted for line in (team.line, team.line_26))
    made = trf.read(trf.write(trf.Tournament(players, lines)))
    assert trf.teams_of(made) == tuple(wanted)
    older = replace(made, headers=tuple((code, text) for code, text in made.headers if code == "013"))
    assert trf.teams_of(older) == tuple(trf.Team(team.name, team.players) for team in wanted)


@pytest.mark.parametrize("text", ["", "  x Foxes", "  1" + " " * 66 + "   1", TEAM_LINE[4:].replace("15.0", "15.3")])
def test_a_line_310_that_is_none_is_passed_over(text: str) -> None:
    players = tuple(trf.Competitor(number, f"Player {number}") for number in range(1, 45))
    assert trf.teams_of(trf.Tournament(players, (("310", text),))) == ()


@pytest.mark.parametrize(("number", "players"), [(1_000, 3), (0, 3), (1, 15)])
def test_more_teams_or_players_than_a_line_310_has_room_for_are_refused(number: int, players: int) -> None:
    with pytest.raises(SwissError):
        assert trf.Team("Foxes", tuple(range(1, players + 1)), number=number).line_26
