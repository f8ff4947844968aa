"""Teams: boards add up to a match, and the rounds of team events are proven like any others."""

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tournaments.swiss.certificate import Position, refusals
from tournaments.swiss.field import Field, Match, SwissError, points_of
from tournaments.swiss.pairing import pair
from tournaments.swiss.proof import prove
from tournaments.swiss.simulate import simulate
from tournaments.swiss.teams import boards_won, is_by_board

BOARDS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=2, max_size=5)


@given(BOARDS)
def test_every_board_is_won_by_one_team_or_drawn(boards: list[tuple[int, int, int]]) -> None:
    first, second, drawn = boards_won(boards)
    assert first + second + drawn == len(boards)
    mirrored = boards_won([(lost, won, level) for won, lost, level in boards])
    assert mirrored == (second, first, drawn)


@given(BOARDS)
def test_the_team_that_won_more_boards_wins_the_match(boards: list[tuple[int, int, int]]) -> None:
    first, second, drawn = boards_won(boards)
    points = points_of(Match("a", "b", first, second, drawn))
    assert points == ((3, 0) if first > second else (0, 3) if second > first else (1, 1))


def test_a_board_of_another_shape_is_refused() -> None:
    with pytest.raises(SwissError) as refused:
        boards_won([(2, 0, 0), (1, 2)])
    assert (refused.value.code, refused.value.path) == ("board_invalid", "boards[1]")


def test_the_ranks_of_a_table_are_not_boards() -> None:
    assert is_by_board([[2, 1, 0], [0, 2, 0]])
    assert not is_by_board([[2, 5], [1, 9]])
    assert not is_by_board([2, 1, 0])
    assert not is_by_board([])


@examples(max_examples=20)
@given(st.integers(4, 31), st.integers(1, 5), st.integers(2, 5), st.integers(0, 10_000))
def test_every_round_of_a_team_event_is_proven(teams: int, rounds: int, boards: int, seed: int) -> None:
    field = simulate(players=teams, rounds=min(rounds, teams // 2), seed=seed, boards=boards)
    found = pair(field, seed=seed)
    position = Position([player.id for player in field.live()], field.rounds)
    assert found.certified
    certificate = prove(position)
    assert certificate is not None
    assert refusals(position, found.pairs, found.bye, certificate) == []


def test_the_matches_of_simulated_teams_count_their_boards() -> None:
    field = simulate(players=9, rounds=3, seed=1, boards=3)
    played = [match for match in field.matches() if match.b is not None]
    assert {match.games_a + match.games_b + match.drawn for match in played} == {3}
    assert simulate(players=9, rounds=3, seed=1) == simulate(players=9, rounds=3, seed=1, boards=1)
    assert isinstance(field, Field)
