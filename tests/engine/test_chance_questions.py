"""A game entered move by move as people tell it: the chance of each move is asked, never guessed, and then accepted."""

from __future__ import annotations

import random
from typing import Any

import pytest

import engine
from engine.core.replay import selfplay
from engine.core.replay.recorder import OpenGame, open_game
from engine.core.table.chance_questions import Question, Told
from engine.core.text.errors import Malformed

SEEDS = range(4)
MOST = 600  # entries of a game: what is chosen at random may go on for ever


def opened(name: str, seed: int) -> OpenGame:
    log = selfplay.play(name, seed)
    return open_game({key: value for key, value in log.items() if key not in ("moves", "claimed", "options")})


def an_answer(question: Question, rng: random.Random, unseen: bool) -> list[Any]:
    if unseen and question.unseen:
        return ["?"] * question.count
    cards = [ref for ref in question.options for _ in range((question.copies or {}).get(ref, 1))]
    return rng.sample(cards, question.count)


@pytest.mark.slow
@pytest.mark.parametrize("unseen", [True, False], ids=["unseen", "named"])
@pytest.mark.parametrize("name", engine.games())
def test_a_whole_game_is_entered_by_answering_what_is_asked(name: str, unseen: bool) -> None:
    finished = 0
    for seed in SEEDS:
        rng, game = random.Random(f"{name}/{seed}"), opened(name, seed)
        while game.result is None and len(game) < MOST:
            moves = game.legal_moves()
            assert moves, (seed, len(game), game.board()["turn"])
            move, answers = rng.choice(moves), []
            question, entry = game.complete(move, answers)
            while question is not None:
                answers.append(an_answer(question, rng, unseen))
                question, entry = game.complete(move, answers)
            game.accept(entry)
        finished += game.result is not None
    assert finished > 0


def test_nothing_is_asked_where_only_one_thing_can_have_happened() -> None:
    told = Told([])
    assert told.pick(["A", "A"]) == "A"
    assert told.deal({"X": 3, "Y": 0}, 2) == ["X", "X"]
    assert told.deal({"X": 3, "Y": 1}, 0) == []
    assert told.question is None


def test_a_question_has_what_can_be_told_and_whether_it_may_stay_unseen() -> None:
    told = Told([])
    assert told.deal({"X": 3, "Y": 1}, 2) == ["?", "?"]
    assert told.question == Question("draw", ("X", "Y"), 2, {"X": 3, "Y": 1}, unseen=True)
    revealed = Told([])
    revealed.deal({"X": 3, "Y": 1}, 2, "reveal")
    assert revealed.question is not None and not revealed.question.unseen


@pytest.mark.parametrize("answer", [["Z", "X"], ["X"], ["X", "X", "X"], ["?", "X"]])
def test_an_answer_that_is_not_possible_is_refused(answer: list[str]) -> None:
    with pytest.raises(Malformed):
        Told([answer]).deal({"X": 3, "Y": 1}, 2, "reveal")


def test_the_openings_of_saint_seiya_and_stellar_nexus_ask_for_what_everybody_sees() -> None:
    game = opened("saint-seiya", 1)
    (setup,) = [move for move in game.legal_moves("table") if move["do"] == "setup"]
    question, _entry = game.complete(setup)
    assert question is not None and question.kind == "first_player"
    question, _entry = game.complete(setup, [["A"]])
    assert question is not None and (question.kind, question.unseen) == ("reveal", False)
