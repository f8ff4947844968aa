"""Merging two logs of one game: the better-informed value wins, and a contradiction stops the merge."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.merge import Differ, merge
from tests.engine.cast import OPENING, play, told


def log_with(entry: dict[str, Any], **header: Any) -> dict[str, Any]:
    """A log of the opening moves and one more entry."""
    return told(*OPENING, entry, **header)


def test_what_one_player_did_not_see_is_filled_in_from_the_other_log() -> None:
    known, hidden = play("A", "F-1-1-1"), play("A", "?")
    assert merge(log_with(hidden), log_with(known))["moves"][-1]["args"]["card"] == "F-1-1-1"


def test_a_declined_choice_contradicts_a_choice_that_was_made() -> None:
    declined = {"by": "A", "do": "answer", "args": {"pick": None}}
    taken = {"by": "A", "do": "answer", "args": {"pick": "yes"}}
    for one, two in ((declined, taken), (taken, declined)):
        with pytest.raises(Differ) as difference:
            merge(log_with(one), log_with(two))
        assert difference.value.path.endswith(".args.pick")
    assert merge(log_with(declined), log_with(declined))["moves"][-1]["args"] == {"pick": None}


def test_a_claimed_draw_contradicts_a_claimed_winner() -> None:
    entry = play("A", "F-1-1-1")
    with pytest.raises(Differ, match="same game"):
        merge(log_with(entry, claimed={"winner": None}), log_with(entry, claimed={"winner": "A"}))


def test_a_claim_that_only_one_log_makes_is_kept() -> None:
    entry = play("A", "F-1-1-1")
    assert merge(log_with(entry), log_with(entry, claimed={"winner": None}))["claimed"] == {"winner": None}
