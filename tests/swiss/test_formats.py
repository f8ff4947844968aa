"""Proposed numbers of rounds and sizes of the cut."""

from __future__ import annotations

import pytest

from tournaments.swiss.formats import proposed_cut, proposed_rounds, why_proposed


@pytest.mark.parametrize(
    ("players", "rounds", "cut"),
    [
        (0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 2, 0), (4, 2, 0), (5, 3, 0), (8, 3, 0), (9, 5, 4), (16, 5, 4),
        (17, 5, 8), (32, 5, 8), (33, 6, 8), (64, 6, 8), (65, 7, 8), (128, 7, 8), (129, 8, 8), (226, 8, 8),
        (227, 9, 8), (409, 9, 8), (410, 10, 8), (5000, 10, 8),
    ],
)  # fmt: skip
def test_magic_rounds_and_cut_follow_appendix_e(players: int, rounds: int, cut: int) -> None:
    assert (proposed_rounds(players), proposed_cut(players)) == (rounds, cut)


@pytest.mark.parametrize(
    ("format", "players", "rounds"),
    [
        ("altered", 32, 3), ("altered", 4, 2), ("altered-bo1", 32, 4), ("altered-draft", 8, 3),
        ("star-safir", 9, 4), ("star-safir", 32, 5), ("star-safir", 33, 6), ("star-safir", 2000, 11), ("magic", 9, 5),
    ],
)  # fmt: skip
def test_formats_use_their_own_number_of_rounds_or_as_many_as_find_a_winner(
    format: str, players: int, rounds: int
) -> None:
    assert proposed_rounds(players, format) == rounds


@pytest.mark.parametrize(
    ("format", "players", "why"),
    [("altered", 32, "format"), ("altered", 4, "winner"), ("magic", 9, "table"), ("magic", 8, "winner"),
     ("star-safir", 40, "winner")],
)  # fmt: skip
def test_a_proposal_gives_its_reason(format: str, players: int, why: str) -> None:
    assert why_proposed(players, format) == why
