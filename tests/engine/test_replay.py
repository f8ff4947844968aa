"""Replay step by step: outcomes, boards at any move, and hidden cards bound late."""

from __future__ import annotations

import pytest

from engine.core import selfplay
from engine.core.errors import Malformed
from engine.core.replay import CHECKPOINT, Replay
from tests.engine.cast import OPENING, begin, catalog, end, first, keep, play, told

F = "F-1-1-1"


def replay(*entries: dict[str, object]) -> Replay:
    found = Replay(told(*entries), catalogs=[catalog()])
    list(found)
    return found


def test_a_hidden_card_is_bound_when_it_is_played() -> None:
    game = replay(*OPENING, play("A", F))
    assert [step.outcome for step in game] == ["ok"] * 5
    assert game.state.unseen["A"][F] == 1
    assert game.board_at(5)["seats"]["A"]["T1"]["fighters"][0]["ref"] == F


def test_a_third_copy_of_two_is_impossible() -> None:
    game = replay(*OPENING, play("A", F), play("A", F, slot=2), play("A", F, slot=3))
    assert game.stopped is not None
    assert (game.stopped.n, game.stopped.outcome) == (7, "impossible")
    assert game.stopped.violations[0].rule == "LOG-copies"


def test_a_card_that_is_not_in_the_list_is_impossible() -> None:
    game = replay(*OPENING, play("A", "F-1-1-2"))
    assert game.stopped is not None
    assert (game.stopped.outcome, game.stopped.violations[0].rule) == ("impossible", "LOG-list")


def test_a_card_of_the_discard_cannot_be_drawn() -> None:
    turns = (play("A", "M-1"), play("A", "M-1"), end("A"), begin("B", "?"), end("B"), begin("A", "M-1"))
    game = replay(*OPENING, *turns)
    assert game.stopped is not None
    assert (game.stopped.n, game.stopped.outcome) == (10, "impossible")


def test_a_card_of_a_known_hand_is_not_another() -> None:
    game = replay(first(), keep("A", [F, F, "M-1", "M-1", "F-2-1-3"]), keep("B"), begin("A"), play("A", "F-9-9-1"))
    assert game.stopped is not None
    assert game.stopped.outcome == "illegal"
    assert {reason.rule for reason in game.stopped.violations} == {"LOG-hand", "SAF-VI.2-1"}


def test_two_free_slots_are_ambiguous_and_one_is_taken_silently() -> None:
    def unslotted(card: str) -> dict[str, object]:
        return {"by": "A", "do": "play", "args": {"card": card, "territory": 1}}

    game = replay(*OPENING, unslotted(F))
    assert game.stopped is not None
    assert game.stopped.outcome == "ambiguous"
    assert getattr(game.stopped.error, "options", None) == (1, 2, 3)
    sure = replay(*OPENING, play("A", F), play("A", F, slot=3), unslotted("F-2-1-3"))
    assert sure.board_at(7)["seats"]["A"]["T1"]["fighters"][1]["ref"] == "F-2-1-3"


def test_the_board_at_any_move_is_the_one_met_on_the_way() -> None:
    document = selfplay.play("star-safir", 3)
    whole = Replay(document)
    list(whole)
    walked = Replay(document, keep=False)
    total = len(document["moves"])
    for n in range(1, total + 1):
        walked.step()
        if n % 7 == 0 or n in (CHECKPOINT, total):
            assert whole.state_at(n) == walked.state


def test_a_board_is_had_without_playing_the_whole_log() -> None:
    game = Replay(told(*OPENING, play("A", F)), catalogs=[catalog()])
    assert game.board_at(4)["seats"]["A"]["pi"] == 4
    assert len(game.steps) == 4


@pytest.mark.parametrize("n", [-1, 6, 10**6])
def test_there_is_no_board_beyond_the_log(n: int) -> None:
    game = Replay(told(*OPENING, play("A", F)), catalogs=[catalog()])
    with pytest.raises(Malformed) as caught:
        game.board_at(n)
    assert caught.value.code == "no_such_move"


def test_the_last_board_of_a_refused_move_is_the_one_before_it() -> None:
    game = replay(*OPENING, end("B"))
    assert game.board_at(4)["turn"] == {"n": 1, "seat": "A", "phase": "invocation", "first": "A"}
    with pytest.raises(Malformed):
        game.board_at(5)


def test_a_step_lists_its_events() -> None:
    game = replay(*OPENING, play("A", "F-2-1-3"))
    assert [event[0] for event in game.steps[4].events] == ["name", "counter", "move", "note"]
