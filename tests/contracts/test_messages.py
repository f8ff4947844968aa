"""What `make check` says about a translation that is missing or badly formed."""

import pytest
from babel.messages.catalog import Message

from tournaments.locale.messages import ALIKE, STRAIGHT, counts_without_singular, fault_of


@pytest.mark.parametrize(
    ("source", "text", "fault"),
    [
        ("Round %(number)s", "Ronde %(number)s", ""),
        ("Round %(number)s", "", "not translated:"),
        ("Round %(number)s", "Ronde", "placeholders left out:"),
        ("Round", "Ronde %(number)s", "placeholders that the source does not have:"),
        ("Round %(number)s", "Round %(number)s", "the same as the English:"),
        ("Table %(table)s", "Table %(table)s", ""),
        ("%(won)s–%(lost)s", "%(won)s–%(lost)s", ""),
        ("The round", "D'abord la ronde", "typewritten:"),
        ("The round:", "La ronde :", "typewritten:"),
        ("The round:", "La ronde\N{NO-BREAK SPACE}:", ""),
        (("%(n)s win", "%(n)s wins"), ("%(n)s win", "%(n)s gagnés"), "the same as the English:"),
    ],
)
def test_a_faulty_translation_is_reported_with_the_reason(source: str | tuple[str, ...], text: str, fault: str) -> None:
    assert fault_of(Message(source, text, flags=["python-format"]), ALIKE["fr"]) == fault


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ("%(cards)d cards", True),
        ("In %(wait)s more minutes", True),
        (("%(cards)d card", "%(cards)d cards"), False),
        ("At most %(most)d cards", False),
        ("Table %(number)d has matches", False),
        ("%(name)s plays two games", False),
    ],
)
def test_a_message_that_counts_needs_a_singular(source: str | tuple[str, ...], lacks: bool) -> None:
    assert counts_without_singular(Message(source, flags=["python-format"])) is lacks


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("the player's list", True),
        ("the players' lists", True),
        ("the player’s list", False),
        ("write 'A', then B", False),
    ],
)
def test_english_has_a_printers_apostrophe(text: str, wrong: bool) -> None:
    assert bool(STRAIGHT.search(text)) is wrong
