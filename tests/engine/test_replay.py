"""Replay step by step: outcomes, boards at any move, and hidden cards identified when they are played."""

from __future__ import annotations

import pytest

from engine.core.replay import selfplay
from engine.core.replay.replay import CHECKPOINT, Replay
from engine.core.text.errors import Malformed
from tests.engine.cast import OPENING, begin, catalog, end, first, keep, play, told

F = "F-1-1-1"


def replay(*entries: dict[str, object]) -> Replay:
    found = Replay(told(*entries), catalogs=[catalog()])
    list(found)
    return found


def test_a_hidden_card_is_identified_when_it_is_played() -> None:
    game = replay(*OPENING, play("A", F))
    assert [step.outcome for step in game] == ["ok"] * 5
    assert game.state.unseen["A"][F] == 1  # of two copies listed
    assert game.board_at(5)["seats"]["A"]["T1"]["fighters"][0]["ref"] == F


def test_playing_a_third_copy_of_a_card_listed_twice_is_impossible() -> None:
    game = replay(*OPENING, play("A", F), play("A", F, slot=2), play("A", F, slot=3))
    assert game.stopped is not None
    assert (game.stopped.n, game.stopped.outcome) == (7, "impossible")
    assert game.stopped.violations[0].rule == "LOG-copies"


def test_playing_a_card_that_is_not_in_the_list_is_impossible() -> None:
    game = replay(*OPENING, play("A", "F-1-1-2"))
    assert game.stopped is not None
    assert (game.stopped.outcome, game.stopped.violations[0].rule) == ("impossible", "LOG-list")


def test_a_card_whose_copies_are_all_in_the_discard_cannot_be_drawn() -> None:
    turns = (play("A", "M-1"), play("A", "M-1"), end("A"), begin("B", "?"), end("B"), begin("A", "M-1"))
    game = replay(*OPENING, *turns)
    assert game.stopped is not None
    assert (game.stopped.n, game.stopped.outcome) == (10, "impossible")


def test_playing_a_card_that_is_not_in_a_known_hand_is_illegal() -> None:
    game = replay(first(), keep("A", [F, F, "M-1", "M-1", "F-2-1-3"]), keep("B"), begin("A"), play("A", "F-9-9-1"))
    assert game.stopped is not None
    assert game.stopped.outcome == "illegal"
    assert {reason.rule for reason in game.stopped.violations} == {"LOG-hand", "SAF-VI.2-1"}


def test_a_play_without_a_slot_is_ambiguous_unless_only_one_slot_is_free() -> None:
    def unslotted(card: str) -> dict[str, object]:
        return {"by": "A", "do": "play", "args": {"card": card, "territory": 1}}

    game = replay(*OPENING, unslotted(F))
    assert game.stopped is not None
    assert game.stopped.outcome == "ambiguous"
    assert getattr(game.stopped.error, "options", None) == (1, 2, 3)
    sure = replay(*OPENING, play("A", F), play("A", F, slot=3), unslotted("F-2-1-3"))
    assert sure.board_at(7)["seats"]["A"]["T1"]["fighters"][1]["ref"] == "F-2-1-3"


def test_the_state_at_any_move_equals_the_state_reached_by_stepping() -> None:
    document = selfplay.play("star-safir", 3)
    whole = Replay(document)
    list(whole)
    walked = Replay(document, keep=False)
    total = len(document["moves"])
    for n in range(1, total + 1):
        walked.step()
        # A sample of the moves; at CHECKPOINT the stored state is used as it is.
        if n % 7 == 0 or n in (CHECKPOINT, total):
            assert whole.state_at(n) == walked.state


def test_a_board_is_available_without_replaying_the_whole_log() -> None:
    game = Replay(told(*OPENING, play("A", F)), catalogs=[catalog()])
    assert game.board_at(4)["seats"]["A"]["pi"] == 4
    assert len(game.steps) == 4


@pytest.mark.parametrize("n", [-1, 6, 10**6])
def test_a_move_number_outside_the_log_has_no_board(n: int) -> None:
    game = Replay(told(*OPENING, play("A", F)), catalogs=[catalog()])
    with pytest.raises(Malformed) as caught:
        game.board_at(n)
    assert caught.value.code == "no_such_move"


def test_the_last_board_is_the_one_before_the_refused_move() -> None:
    game = replay(*OPENING, end("B"))
    assert game.board_at(4)["turn"] == {"n": 1, "seat": "A", "phase": "invocation", "first": "A"}
    with pytest.raises(Malformed):
        game.board_at(5)


def test_a_step_lists_its_events() -> None:
    game = replay(*OPENING, play("A", "F-2-1-3"))
    assert [event[0] for event in game.steps[4].events] == ["name", "counter", "move", "note"]
