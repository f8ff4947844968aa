"""Sheets and lists of people as organizers bring them: the names in them, or a question, or a refusal."""

from __future__ import annotations

import pytest

from tests.events.sheets_of_people import ASKED, READ, REFUSED
from tests.refusals import assert_refused
from tournaments.common.refusals import InvalidInput
from tournaments.events.entry_files import EntryFile, read_file
from tournaments.events.entry_titles import meaning_of


def of(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def names(file: EntryFile) -> list[str]:
    return [f"{line.given_name}|{line.family_name}" for line in file.lines if not line.faults]


@pytest.mark.parametrize("sheet", READ)
def test_the_names_of_a_sheet_are_those_of_its_people(sheet: str) -> None:
    text, expected = READ[sheet]
    file = read_file(of(text), {})
    assert names(file) == expected
    again = read_file(of(text), file.reading.to_json())  # as it is stored and confirmed
    assert (again.lines, again.reading) == (file.lines, file.reading)


@pytest.mark.parametrize("sheet", ASKED)
def test_where_no_title_says_which_column_has_the_names_nobody_is_guessed(sheet: str) -> None:
    file = read_file(of(ASKED[sheet]), {})
    assert (file.reading.unsure, file.lines) == (True, ())
    assert read_file(of(ASKED[sheet]), file.reading.to_json()).reading == file.reading


@pytest.mark.parametrize("sheet", REFUSED)
def test_what_is_no_list_of_people_is_refused(sheet: str) -> None:
    with assert_refused("not_players"):
        read_file(of(REFUSED[sheet]), {})


@pytest.mark.parametrize(
    ("title", "meaning"),
    [
        ("What is your first name?", "given_name"), ("Prénom *", "given_name"), ("Ihr Vorname", "given_name"),
        ("Nom de famille", "family_name"), ("Apellidos", "family_name"), ("Sobrenome", "family_name"),
        ("Surname", "family_name"), ("Achternaam", "family_name"), ("Nazwisko", "family_name"),
        ("Name (Last, First)", "name_last_first"), ("Nazwisko i imię", "name_last_first"),
        ("Full name", "some_name"), ("Nombre completo", "some_name"), ("Joueurs", "some_name"),
        ("Deelnemer", "some_name"),
        ("Nick", "nickname"), ("Pseudo", "nickname"), ("Username", "nickname"),
        ("Team name", "club"), ("Nom de l’équipe", "club"), ("Verein (optional)", "club"), ("Druzyna", "club"),
        ("Correo electrónico", "email"), ("Player e-mail", "player_email"),
        ("Timestamp", "aside"), ("Date of birth", "aside"), ("Player ID", "aside"), ("Téléphone", "aside"),
        ("Name of your deck", ""), ("Parent’s name and phone", ""),
        ("Player 1", ""), ("Player A", ""), ("Ana Lopez", ""),
        ("I agree that my name and my results are shown on the web page of the club", ""),
    ],
)  # fmt: skip
def test_titles_are_understood_only_if_every_word_is_known(title: str, meaning: str) -> None:
    assert meaning_of(title) == meaning


def test_lines_above_and_below_the_people_are_told_and_not_lost() -> None:
    file = read_file(b"Spring Open;\nName;Club\nAna Lopez;Foxes\nName;Club\nTotal: 1;\n", {})
    assert [(line.number, line.faults, line.text) for line in file.lines if line.faults] == [
        (1, ("above_titles",), "Spring Open"),
        (4, ("titles_again",), "Name Club"),
        (5, ("no_name",), "Total: 1"),
    ]


def test_a_name_of_more_than_two_words_is_doubtful_unless_it_says_where_its_parts_are() -> None:
    names = "Ana García López\nAna de la Cruz\nGARCÍA LÓPEZ Ana\nGarcía López, Ana\nBob May\n"
    assert [line.doubts for line in read_file(names.encode(), {}).lines] == [("name_split",), (), (), (), ()]


@pytest.mark.parametrize(
    ("split", "given", "family", "first"),
    [
        (1, "Ana", "García López", False),
        (2, "Ana García", "López", False),
        (-1, "García López", "Ana", True),
        (0, "Ana García López", "", False),
        (3, "Ana García", "López", False),
    ],
)
def test_the_parts_of_a_name_can_be_told_apart_elsewhere(split: int, given: str, family: str, first: bool) -> None:
    (line,) = read_file("Ana García López".encode(), {}).lines
    changed = line.split_at(split)
    assert (changed.given_name, changed.family_name, changed.family_first) == (given, family, first)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "<table><tr><td>a" + "<!--" * 200_000,
        "<table>" + "<" * 900_000,
        "<table>" + "<a " * 300_000,
        "Ana" + " " * 900_000 + "x",
        "Ana" + "✓" * 200_000 + "x",
        "| Ana" + " " * 900_000 + "x |",
        "Ana - " * 150_000,
        "1. " * 300_000,
        "\x1a" * 900_000,
    ],
    ids=range(9),
)
def test_no_text_takes_long_to_read(text: str) -> None:
    try:
        assert len(read_file(text.encode(), {}).lines) <= 1
    except InvalidInput as refused:
        assert refused.code in ("not_players", "file_empty", "columns_wrong")
