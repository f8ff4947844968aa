"""Names: taken apart, shown to everybody and to staff, sorted, found."""

import doctest
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tournaments.common import names
from tournaments.common.names import (
    FullName,
    Named,
    Telling,
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


def test_the_examples_of_the_docstrings_hold():
    found = doctest.testmod(names)
    assert found.attempted >= 10 and not found.failed


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
def test_a_name_is_taken_apart(text, given, family, first):
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
def test_the_public_name_is_as_short_as_it_can_be(texts, expected):
    assert public_names(*texts) == expected


def test_who_agreed_is_shown_in_full_and_tells_the_others_apart():
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
def test_no_two_people_of_an_event_have_one_name(people):
    numbered = dict(enumerate(people))
    told = tell_apart(numbered)
    for as_read in (shown, shown_to_staff):
        read = [as_read(person, told[number]) for number, person in numbered.items()]
        known = [name.casefold() for name in read if name]
        assert len(set(known)) == len(known), read


@given(st.lists(PEOPLE, max_size=12))
def test_a_public_name_says_no_more_than_it_must(people):
    """One letter less of any family name, and two people would be shown alike or begin alike."""
    numbered = dict(enumerate(people))
    told = tell_apart(numbered)
    for number, telling in told.items():
        family = names.parted(numbered[number].name.family)[1]
        if not 0 < telling.letters <= len(family) or telling.apart:
            continue
        start = names.folded(family)[: telling.letters - 1]
        others = [
            other.name
            for key, other in numbered.items()
            if key != number and names.folded(other.name.given) == names.folded(numbered[number].name.given)
        ]
        assert any(names.folded(names.parted(other.family)[1]).startswith(start) for other in others)


def test_no_name_ends_in_two_dots():
    people = {number: Named(FullName("Léa", family)) for number, family in enumerate(["M.", "P.", "Martin"])}
    told = tell_apart(people)
    assert not any(".." in shown(people[key], told[key]) for key in people)


@given(st.lists(st.builds(FullName, GIVEN, FAMILY, st.booleans()), max_size=10))
def test_the_order_of_names_is_an_order(people):
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
def test_a_name_is_found_by_any_part(wanted, name, found):
    assert found_in(wanted, name) is found


def test_a_shortened_name_hides_the_rest():
    assert FullName("Emma", "Martin").shortened(2) == "Emma Ma."
    assert shown(Named(FullName("Emma", "Martin")), Telling(0)) == "Emma"
