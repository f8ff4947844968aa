"""Names: split into parts, shown to the public and to staff, sorted and searched."""

import doctest
import unicodedata
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tournaments.common import names
from tournaments.common.letters import folded
from tournaments.common.names import (
    FullName,
    Named,
    NameDistinction,
    found_in,
    shown,
    shown_to_staff,
    sort_key,
    split_name,
    tell_apart,
)

GIVEN = st.sampled_from(["Emma", "Léa", "EMMA", "Bob", "Ana María", "李", ""])
FAMILY = st.sampled_from([
    "Martin",
    "Marchand",
    "Li",
    "Lin",
    "de la Cruz",
    "de la Croix",
    "d'Arc",
    "O'Brien",
    "Saint-Exupéry",
    "M.",
    "12",
    "",
])
PEOPLE = st.builds(
    Named,
    st.builds(FullName, GIVEN, FAMILY, st.booleans()),
    nickname=st.sampled_from(["", "", "", "Emma", "Champion"]),
    in_full=st.booleans(),
    club=st.sampled_from(["", "Corbeaux", "Renards"]),
)


def test_the_examples_in_the_docstrings_are_correct():
    found = doctest.testmod(names)
    assert found.attempted >= 10 and not found.failed


@pytest.mark.parametrize("text", [chr(code) for code in range(0x80)] + ["É", "ﬁ", "\u2028", "İ"])
def test_the_fast_paths_give_the_same_names_as_the_slow_ones(text: str) -> None:
    text = f" Emma{text}B "
    apart = unicodedata.normalize("NFKD", text.casefold())
    assert folded(text) == "".join(letter for letter in apart if not unicodedata.combining(letter)).strip()
    spaced = (" " if unicodedata.category(letter) in names.BREAKING else letter for letter in text)
    assert names.one_line(text) == " ".join("".join(spaced).split())


@pytest.mark.parametrize(
    ("text", "given", "family", "first"),
    [
        ("Emma", "Emma", "", False),
        ("  Emma\tMartin ", "Emma", "Martin", False),
        ("Jean Paul Martin", "Jean Paul", "Martin", False),
        ("Vincent Van Gogh", "Vincent", "Van Gogh", False),
        ("Cruz, Ana de la", "Ana", "de la Cruz", False),
        ("Emma MARTIN", "Emma", "MARTIN", False),
        ("EMMA MARTIN", "EMMA", "MARTIN", False),
        ("DE LA CRUZ Ana", "Ana", "DE LA CRUZ", True),
        ("J. Martin", "J.", "Martin", False),
        ("Player 12", "Player 12", "", False),
        ("Martin,", "Martin", "", False),
        ("", "", "", False),
    ],
)
def test_a_full_name_is_split_into_its_parts(text, given, family, first):
    assert split_name(text) == FullName(given, family, first)


def public_names(*texts: str, **of_all: object) -> list[str]:
    people = {number: Named(split_name(text), **of_all) for number, text in enumerate(texts)}
    told = tell_apart(people)
    return [shown(person, told[number]) for number, person in people.items()]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Emma Martin", "Bob Smith"], ["Emma", "Bob"]),
        (["Emma Martin", "Emma Petit"], ["Emma M.", "Emma P."]),
        (["Emma Martin", "Emma Marchand"], ["Emma Mart.", "Emma Marc."]),
        (["Emma Li", "Emma Lin"], ["Emma Li", "Emma Lin"]),
        (["Bob Smith", "bob smith"], ["Bob Smith (1)", "bob smith (2)"]),
        (["Ana de la Cruz", "Ana Diaz"], ["Ana de la C.", "Ana D."]),
        (["TANAKA Yui", "ITO Yui"], ["T. Yui", "I. Yui"]),
        (["Player 1", "Player 12"], ["Player 1", "Player 12"]),
    ],
)
def test_public_names_are_as_short_as_possible(texts, expected):
    assert public_names(*texts) == expected


def test_people_who_agreed_are_shown_in_full_and_still_count_for_the_others():
    people = {
        1: Named(FullName("Emma", "Martin"), in_full=True),
        2: Named(FullName("Emma", "Marchand")),
        3: Named(FullName("Léa", "Petit"), nickname="Champion"),
    }
    told = tell_apart(people)
    assert [shown(people[key], told[key]) for key in people] == ["Emma Martin", "Emma Marc.", "Champion"]
    assert [shown_to_staff(people[key], told[key]) for key in people] == [
        "Emma Martin",
        "Emma Marchand",
        "Léa Petit (Champion)",
    ]


def test_clubs_tell_equal_names_apart_where_they_differ():
    people = {number: Named(FullName("Bob", "Smith"), club=club) for number, club in enumerate(["Corbeaux", "Renards"])}
    told = tell_apart(people)
    assert [shown(people[key], told[key]) for key in people] == ["Bob Smith (Corbeaux)", "Bob Smith (Renards)"]


@example([Named(FullName(""), nickname="Emma"), Named(FullName(""), nickname="Emma")])
@given(st.lists(PEOPLE, max_size=25))
def test_no_two_people_of_an_event_have_the_same_name(people):
    numbered = dict(enumerate(people))
    told = tell_apart(numbered)
    for as_read in (shown, shown_to_staff):
        read = [as_read(person, told[number]) for number, person in numbered.items()]
        known = [name.casefold() for name in read if name]
        assert len(set(known)) == len(known), read


@given(st.lists(PEOPLE, max_size=12))
def test_a_public_name_has_no_more_letters_than_it_needs(people):
    """With one letter less of any family name, it would be a prefix of another one with the same given name."""
    numbered = dict(enumerate(people))
    told = tell_apart(numbered)
    for number, distinction in told.items():
        family = names.parted(numbered[number].name.family)[1]
        if not 0 < distinction.letters <= len(family) or distinction.apart:
            continue
        start = folded(family)[: distinction.letters - 1]
        others = [
            other.name
            for key, other in numbered.items()
            if key != number and folded(other.name.given) == folded(numbered[number].name.given)
        ]
        assert any(folded(names.parted(other.family)[1]).startswith(start) for other in others)


def test_no_name_ends_in_two_dots():
    people = {number: Named(FullName("Léa", family)) for number, family in enumerate(["M.", "P.", "Martin"])}
    told = tell_apart(people)
    assert not any(".." in shown(people[key], told[key]) for key in people)


@given(st.lists(st.builds(FullName, GIVEN, FAMILY, st.booleans()), max_size=10))
def test_any_two_names_have_exactly_one_order(people):
    for one, other in combinations(people, 2):
        assert (sort_key(one) < sort_key(other)) + (sort_key(one) > sort_key(other)) + (
            sort_key(one) == sort_key(other)
        ) == 1


@pytest.mark.parametrize(
    ("wanted", "name", "found"),
    [
        ("cruz", "Ana de la Cruz", True),
        ("ZOE lune", "Zoé Lune", True),
        ("lune zoé", "Zoé Lune", True),
        ("emma martin", "Emma Ma.", True),
        ("emma petit", "Emma Ma.", False),
        ("", "Anybody", True),
    ],
)
def test_a_name_is_found_by_any_of_its_parts(wanted, name, found):
    assert found_in(wanted, name) is found


def test_a_shortened_name_hides_the_rest_of_the_family_name():
    assert FullName("Emma", "Martin").shortened(2) == "Emma Ma."
    assert shown(Named(FullName("Emma", "Martin")), NameDistinction(0)) == "Emma"
