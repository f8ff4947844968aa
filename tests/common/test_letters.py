"""Letters: what nobody sees is removed from names, and names that look the same count as the same."""

import doctest
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.common import letters
from tournaments.common.letters import folded, look, visible
from tournaments.common.names import as_name, found_in, one_line, sort_key

STATIC = Path(letters.__file__).parents[1] / "web/static/web"


def test_the_examples_in_the_docstrings_are_correct():
    found = doctest.testmod(letters)
    assert found.attempted >= 4 and not found.failed


@pytest.mark.parametrize(
    "hidden",
    [
        *("\u200b", "\u2060", "\ufeff", "\u00ad", "\u180e", "\u034f", "\u061c", "\u200e", "\u200f", "\u202e", "\u2066"),
        *("\ufe0f", "\ufe00", "\u180b", "\u2062", "\u17b4", "\u17b5", "\u206f", "\ufff9", "\U000e0041", "\U000e0100"),
        *("\u200c", "\u200d", "\u200d\u200d", "\U000e0020\U000e007f", "\U0001d173", "\ud800"),
    ],
)
def test_what_nobody_sees_is_removed_from_a_latin_name(hidden):
    assert one_line(f"Gh{hidden}ost") in ("Ghost", "Gh ost")  # half a pair is a control character: a space
    if hidden != "\ud800":
        assert one_line(f"{hidden}Gh{hidden}ost{hidden}") == "Ghost"
        assert folded(f"Gh{hidden}ost") == "ghost"


@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u3000", "\u00a0", "\u2003"])
def test_a_blank_letter_is_a_space(blank):
    assert one_line(f"{blank}Emma{blank}{blank}Martin{blank}") == "Emma Martin"
    assert as_name(blank * 3) == ""


@pytest.mark.parametrize(
    "name",
    [
        "علی‌رضا",  # Persian: the joiner breaks a connection between letters
        "می‌خواهم",
        "രാമന്‍",  # Malayalam: a chillu at the end of the word
        "ශ්‍රී",  # Sinhala
        "क्‍ष",  # Devanagari
        "র‍্যাব",  # Bengali
        "葛\U000e0100城",  # the variant of an ideograph that a family writes
        "Nguyễn Thị Ánh",
        "เก๋ สุดา",
        "မြွှံ့",
        "שָׁלוֹם",
        "李小龍",
        "Emma ❤️‍🔥",
        "👩🏽‍🚀 Lea",
        "Kim 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
        "Team 1️⃣",
        "ᠮᠣᠩᠭᠣᠯ᠎ᠠ",
        "神\ufa19",  # a compatibility ideograph, which NFC would replace by another
    ],
)
def test_what_changes_the_drawing_of_a_name_stays(name):
    assert one_line(unicodedata.normalize("NFC", name) if "\ufa19" not in name else name) == as_name(name)
    assert one_line(name) == (name if "\ufa19" in name else unicodedata.normalize("NFC", name))


def test_marks_on_one_letter_are_bounded():
    piled = "Z" + "".join(chr(0x300 + n) for n in range(60)) + "oe\u0301" + "\u0301" * 40
    marks = [letter for letter in visible(piled) if unicodedata.combining(letter)]
    assert len(marks) <= 2 * letters.MARKS
    assert visible("ก" + "็" * 30) == "ก็"
    assert len(visible("ب" + "".join(chr(0x64B + n) for n in range(8)) * 5)) <= 1 + letters.OWN_MARKS
    assert visible("\u0301\u0302Emma") == "Emma"
    assert visible("Emma\u20dd\u20dd\u20dd") == "Emma\u20dd"


@pytest.mark.parametrize("text", ["", " ", "-", "...", "!?", "☠☠", "🦊", "👩‍🚀", "\u3164", "\u200b", "\u0301", "©"])
def test_a_name_without_a_letter_or_digit_is_none(text):
    """Nobody can call it out, type it into a search or sort it: an emoji or a sign alone is no name."""
    assert as_name(text) == ""


@pytest.mark.parametrize("text", ["X", "7", "李", "ش", "٣", "Ⅳ", "-k-", "🦊 Fox"])
def test_one_letter_or_digit_of_any_script_is_enough(text):
    assert as_name(text) == text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ghost", "G\u200bhost"),
        ("Ghost", "Gho\u00adst"),
        ("Emma Martin", "Emma\u200b Martin\u200f"),
        ("Emma Martin", "𝐄mma 𝓜artin"),
        ("Emma Martin", "Ｅｍｍａ Martin"),
        ("Emma Martin", "Ⓔⓜⓜⓐ Martin"),
        ("Emma Martin", "🅔🅜🅜🅐 Martin"),
        ("Emma Martin", "ᴇᴍᴍᴀ Martin"),
        ("Zoé", "Zoe\u0301"),
        ("Fin", "ﬁn"),
        ("O'Brien", "O’Brien"),
        ("Saint-Exupéry", "Saint‑Exupery"),
        ("علی", "علي"),
    ],
)
def test_two_names_that_look_the_same_count_as_the_same(first, second):
    assert folded(first) == folded(second)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Łukasz Łazarz", "lukasz lazarz"),
        ("Søren Ødegård", "soren odegard"),
        ("Đặng Đình", "dang dinh"),
        ("Işıl Yıldız", "isil yildiz"),
        ("İnci", "inci"),
        ("Æsa Cæsar", "aesa caesar"),
        ("Œdipe", "oedipe"),
        ("Þórður Guðjohnsen", "thordur gudjohnsen"),
        ("Weiß GROẞ", "weiss gross"),
        ("Ħamrun", "hamrun"),
        ("Ŋaajo", "ngaajo"),
        ("Ŧ Ɓ Ɗ Ƙ Ɨ", "t b d k i"),
        ("Ĳsbrand", "ijsbrand"),
        ("Ǿrsted", "orsted"),
    ],
)
def test_letters_with_a_stroke_are_found_as_they_are_typed_without(name, typed):
    assert folded(name) == typed
    assert found_in(typed, name)


def test_letters_with_a_stroke_are_sorted_among_the_others():
    names = ["Ana Zorn", "Jan Łazarz", "Eva Lazo", "Bo Øst", "Bo Olsen", "Åsa Þórs", "Ida Thorn", "Kim Tia"]
    assert sorted(names, key=sort_key) == [
        *("Jan Łazarz", "Eva Lazo", "Bo Olsen", "Bo Øst", "Ida Thorn", "Åsa Þórs", "Kim Tia", "Ana Zorn"),
    ]


@pytest.mark.parametrize(("one", "other"), [("は", "ば"), ("สุดา", "สดา"), ("कत", "क्त"), ("Bo", "Ko")])
def test_marks_that_make_another_letter_are_kept_apart(one, other):
    assert folded(one) != folded(other)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Emma Martin", "Еmmа Маrtіn"),
        ("EMMA", "ЕММА"),
        ("EMMA", "ΕΜΜΑ"),
        ("Oscar", "Оѕсаr"),
        ("Player One", "PIayer One"),
        ("Bob 0", "Bob O"),
        ("Ato", "Αtο"),
        ("Cora", "Соrа"),
        ("Marnie", "Mamie"),
    ],
)
def test_twins_of_other_alphabets_look_alike_and_are_not_the_same(first, second):
    assert look(first) == look(second) and folded(first) != folded(second)


def test_other_names_do_not_look_alike():
    names = ["Emma", "Anna", "Иван", "Олег", "Νίκος", "Mal", "Mail", "Player 1", "Player 11", "Player 10", "Player 2"]
    assert len({look(name) for name in names}) == len(names)


@given(st.text(max_size=30))
def test_a_name_that_is_cleaned_twice_stays_as_it_is(text):
    once = one_line(text)
    assert one_line(once) == once
    assert as_name(as_name(text)) == as_name(text)


def test_the_pages_fold_letters_as_the_server_does():
    script = (STATIC / "folding.js").read_text()
    spelt = re.findall(r'"(.)": "([^"]+)"', script)
    assert len(spelt) > 20
    assert {letter: folded(letter) for letter, _plain in spelt} == dict(spelt)
