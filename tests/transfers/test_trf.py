"""TRF is read with the event around its rounds, and what is lost is told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.utils.translation import override

from tests.transfers import samples
from tests.transfers.read import brought, lost, refused, short
from tournaments.swiss.field import SwissError
from tournaments.swiss.trf import field_of
from tournaments.swiss.trf import read as read_trf
from tournaments.transfers.reading import recognized

FILES = Path(__file__).parents[2] / ".." / "shared" / "data" / "trf"


def test_a_file_is_read_with_its_event_and_what_comes_next():
    found = brought(samples.TRF)
    assert (found.format, found.name, found.place) == ("trf", "Spring Open", "Lyon")
    assert found.starts_at == datetime(2026, 11, 26, 12, tzinfo=UTC)
    assert [(each.key, each.name, each.club) for each in found.players] == [
        (str(number), f"Player {number}", "") for number in (1, 2, 3, 4)
    ]
    assert [each.awarded for each in found.players] == ["", "", "", "zero_bye"]
    assert found.apart == (("1", "4"),)
    (stage,) = found.stages
    assert (stage.kind, stage.rounds_planned, stage.seeds) == ("swiss", 5, ())
    assert [[short(match) for match in matches] for matches in stage.rounds] == [
        [("1", "2", (1, 0, 0), "played"), ("3", (1, 0, 0), "bye")],
        [("1", "3", (0, 0, 1), "played"), ("2", "4", (1, 0, 0), "forfeit")],
    ]


def test_what_is_not_read_is_told():
    found = brought(samples.TRF)
    assert lost(found) == {
        "staff": 1, "ratings": 1, "titles": 1, "federations": 1, "ids": 1, "birth_dates": 1, "genders": 1,
    }  # fmt: skip
    assert found.lost[0].detail == ("102",)


@pytest.mark.parametrize("date", ["2026/11/26", "26.11.2026", "26/11/26", "11/26/2026", "2026-11-26 10:00"])
def test_dates_are_read_year_first_or_day_first(date):
    found = brought(samples.TRF.replace(b"2026/11/26", date.encode()))
    assert found.starts_at is not None
    assert found.starts_at.date().isoformat() == "2026-11-26"


def test_a_date_that_is_none_is_left_out():
    assert brought(samples.TRF.replace(b"2026/11/26", b"2026/31/31")).starts_at is None


def test_a_match_to_which_nobody_came_is_no_show():
    found = brought(samples.TRF.replace(b"0004 w +", b"0004 w -"))
    assert short(found.stages[0].rounds[1][1]) == ("2", "4", (0, 0, 0), "no_show")


def test_an_event_without_a_round_keeps_the_number_of_planned_rounds():
    found = brought(b"XXR 4\n001    1      Player 1\n001    2      Player 2\n")
    assert [(stage.rounds, stage.rounds_planned) for stage in found.stages] == [((), 4)]


def test_a_wrong_line_is_refused_with_its_number():
    assert refused(samples.TRF.replace(b"0001 b 0", b"0001 b 1"), "trf").startswith("Line ")


def test_a_wrong_line_is_explained_in_the_language_of_the_reader():
    with override("fr"):
        words = refused(samples.TRF.replace(b"001    2 ", b"001    1 "), "trf")
    assert "La ligne 7 a déjà le numéro de départ 1." in words


def test_rounds_without_points_at_the_end_are_a_drop_when_the_player_does_not_come_back():
    said = [f"001    {n}      Player {n}".ljust(80) + " 1.0    1  " for n in (1, 2)]
    lines = f"{said[0]}0002 w 1  0000 - Z\n{said[1]}0001 b 0  0000 - U\n".encode()
    assert [player.dropped_after for player in brought(b"XXR 2\n" + lines).players] == [1, None]
    assert [len(matches) for matches in brought(b"XXR 2\n" + lines).stages[0].rounds] == [1, 1]
    assert [player.dropped_after for player in brought(b"XXR 3\n" + lines).players] == [None, None]
    away = brought(b"XXR 3\nXXZ 1\n" + lines).players[0]
    assert (away.dropped_after, away.awarded) == (1, "")


@pytest.mark.skipif(not FILES.exists(), reason="../shared/data/trf is absent")
def test_the_files_of_other_programs_are_read_or_refused():
    read = 0
    for path in sorted(FILES.glob("*.trf")):
        data = path.read_bytes()
        assert recognized(data) == "trf", path.name
        try:
            field = field_of(read_trf(data.decode("latin-1")))
        except SwissError as error:
            assert refused(data, "trf") == f"{error.path.capitalize()}: {error.message}"
            continue
        found = brought(data)
        assert [player.key for player in found.players] == [player.id for player in field.players]
        assert found.rounds == len(field.rounds)
        read += 1
    assert read > 10


LINES = (
    b"001    1 m    A, A                              1500 FRA           0 2000/01/01  1.0    1     2 w 1\n"
    b"001    2 m    B, B                              1500 FRA           0 2000/01/01  0.0    2     1 b 0\n"
)


@pytest.mark.parametrize(
    ("before", "after", "passed_over"),
    [
        (b"012 Test\nDDD SSSS sTTT NNNN RRRR FFF\n0123456789012345678901234567890\n", b"", 2),
        (b"0123456789012345678901234567890\n012 Test\n", b"", 1),
        (b"         1         2         3         4\n012 Test\n", b"", 1),
        (b"----+----1----+----2----+----3\n", b"", 1),
        (b"001 SSSS sTTT NNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBBBBBBBB PPPP RRRR\n", b"", 1),
        (b"012 Test\n", b"Written by a chess program, version 9 (1 Nov 2026)\n", 1),
        (b"012 Test\n", b"==== end of file ====", 1),
        (b"012 Test\n", b"\x1a", 1),
        (b"012 Test\n", b"\x1a\x1a\r\n", 1),
    ],
    ids=range(9),
)
def test_rulers_and_what_programs_add_at_the_end_are_counted_and_no_reason_to_refuse_a_file(before, after, passed_over):
    for data in (before + LINES + after, (before + LINES + after).replace(b"\n", b"\r\n")):
        found = brought(data)
        assert (found.format, [player.name for player in found.players]) == ("trf", ["A, A", "B, B"])
        assert lost(found)["lines"] == passed_over


@pytest.mark.parametrize("code", [b" 001 ", b"OO1 ", b"00l ", b"001\t", b".001 "])
def test_a_line_that_is_nearly_a_players_is_refused_and_never_passed_over(code):
    line = LINES.splitlines(keepends=True)[1]
    assert refused(LINES + line.replace(b"001 ", code), "trf").startswith("Line 3: ")
