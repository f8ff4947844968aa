"""The tiebreaks of team events, worked out by hand."""

from fractions import Fraction

import pytest

from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.standings import standings

WON, LOST, DRAWN = (2, 0, 0), (1, 2, 0), (1, 1, 1)
SCHEME = "points,board_points,board_buchholz,board_sonneborn_berger,berlin"


def by_boards(a: str, b: str, *boards: tuple[int, int, int]) -> Match:
    won = sum(first > second for first, second, _ in boards)
    lost = sum(first < second for first, second, _ in boards)
    return Match(a, b, won, lost, len(boards) - won - lost, boards=boards)


def test_the_figures_of_three_teams_of_three() -> None:
    """A beats B by 2½ to ½ and loses to C by 1 to 2; the team that does not play has a bye, which is two boards.

    - board points: A 2½ + 1 = 3½, and no bye; B ½ + 2 (bye) = 2½; C 2 (bye) + 2 = 4
    - match points: A 3, B 3, C 6
    - Buchholz of boards: A 2½ + 4, B 3½, C 3½
    - Olympiad Sonneborn-Berger: A 2½·3 (B) + 1·6 (C) = 13½; B ½·3 (A) = 1½; C 2·3 (A) = 6
    - Berlin, weights 3, 2, 1: A 3 + 2 + ½ and 0 + 2 + 0; B ½; C 3 + 0 + 1
    """
    first = by_boards("A", "B", WON, WON, DRAWN), Match("C", None, 2, 0, 0, "bye")
    second = by_boards("A", "C", LOST, WON, LOST), Match("B", None, 2, 0, 0, "bye")
    rows = standings(Field(tuple(map(Player, "ABC")), (first, second)), SCHEME)
    half = Fraction(1, 2)
    assert {row.player: (row.points, *row.terms.values()) for row in rows} == {
        "C": (6, 4, 3 + half, 6, 4),
        "A": (3, 3 + half, 6 + half, 13 + half, 7 + half),
        "B": (3, 2 + half, 3 + half, 1 + half, half),
    }
    assert [row.player for row in rows] == ["C", "A", "B"]


def test_a_figure_of_boards_says_what_it_is_made_of() -> None:
    field = Field((Player("A"), Player("B")), ((by_boards("A", "B", WON, LOST, DRAWN),),))
    figures = {figure.name: figure.parts for figure in standings(field, SCHEME)[0].explain}
    (berlin,) = figures["berlin"]
    assert (berlin.value, berlin.player, berlin.round) == (Fraction(7, 2), "B", 1)


def test_a_match_that_was_not_played_has_boards_but_no_weights() -> None:
    field = Field((Player("A"), Player("B")), ((Match("A", "B", 2, 0, 0, "no_show"),),))
    row = standings(field, "points,board_points,berlin")[0]
    assert row.terms == {"board_points": 2, "berlin": 0}


@pytest.mark.parametrize(
    ("boards", "code"),
    [((WON, WON, WON), "boards_differ"), ((WON, LOST), "boards_differ"), (((2, -1, 0),), "board_invalid")],
)
def test_boards_that_do_not_add_up_to_their_match_are_refused(boards: tuple[object, ...], code: str) -> None:
    with pytest.raises(SwissError) as refused:
        Field((Player("A"), Player("B")), ((Match("A", "B", 2, 1, 0, boards=boards),),))  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.path) == (code, "rounds[0].matches[0].boards")
