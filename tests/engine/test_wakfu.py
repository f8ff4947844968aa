"""Wakfu: two cards that one payment pays for (I-WAK-19), and an equipment left out of a position."""

from __future__ import annotations

import json
from dataclasses import astuple

import pytest

from engine.core import selfplay
from engine.core.ask import ask
from engine.core.audit import audit
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.replay import Replay, load_game
from engine.core.state import State
from tests.engine.scenario import start
from tests.engine.wakfu import domain
from tests.engine.wakfu.cast import catalog, header, side

GAME = "wakfu"
MEMORY: dict[str, list[str]] = {"shared": [], "won": [], "ready": []}
TOGETHER = {"I-WAK-19": "yes"}


HANDS = (["C-1-1-T1", "A-1-1-F1", "C-1-1-T1"], ["C-1-1-TF", "EQ-PM", "A-1-1-F1"], ["X-I", "A-1-1-F1", "C-1-1-T2"])


@pytest.mark.parametrize("hand", HANDS)
def test_the_two_cards_that_candidates_offer_are_those_that_check_lets_through(hand: list[str]) -> None:
    side = {"hand": hand, "rest": ["G-T", "G-F"]}
    state = start({"game": GAME, "options": TOGETHER, "given": {"turn": {"phase": "invocation"}, "seats": {"A": side}}})
    game, places = load_game(GAME), list(domain.places_of(state))
    moves = (
        Move("A", "play", {"card": one, "with": two, "pay": pay, **on})
        for one in dict.fromkeys(hand)
        for two in dict.fromkeys(hand)
        for pay in domain.payments(state, places)
        for on in ({}, {"on": "A/leader"}, {"on": "B/leader"})
    )
    legal = [json.dumps(astuple(move), sort_keys=True) for move in moves if fits(state, move) and not play(state, move)]
    offered = [json.dumps(astuple(move), sort_keys=True) for move in game.candidates(state) if "with" in move.args]
    assert sorted(legal) == sorted(offered) != []


def fits(state: State, move: Move) -> bool:
    """Whether a move names a leader as it is read: where there is an equipment, and nowhere else."""
    kinds = [state.terms.cards[move.args[key]].kind for key in ("card", "with")]
    return ("équipement" in kinds) == ("on" in move.args)


def play(state: State, move: Move) -> list[Violation]:
    """Why a card may not be played."""
    return load_game(GAME).verbs()["play"].check(state, move)


def test_games_in_which_a_payment_may_pay_for_two_cards_are_confirmed() -> None:
    paired = 0
    for seed in range(6):
        document = selfplay.play(GAME, seed, options=TOGETHER)
        report = audit(document)
        assert (report.verdict, report.claims) == ("confirmed", ())
        paired += sum("with" in move.get("args", {}) for move in document["moves"])
    assert paired


def test_without_the_option_nobody_is_offered_two_cards_for_one_payment() -> None:
    replay = Replay(selfplay.play(GAME, 1, hidden=()), keep=False)
    assert not [move for _ in replay for move in replay.game.candidates(replay.state) if "with" in move.args]


def test_an_equipment_nobody_stated_is_asked_for_before_a_total_is_refused() -> None:
    sides = {"A": side({"leader": "L attacks"}), "B": side({})}
    share = {"by": "A", "do": "distribute", "args": {"on": "B/leader", "points": 3}}
    position = {**header(), "start": {"kind": "position", "state": {"seats": sides}, "memory": MEMORY,
                                      "turn": {"n": 5, "seat": "A", "phase": "combat", "first": "A"}}}  # fmt: skip
    del position["moves"]
    assert ask(position, share, catalogs=[catalog()]).answer == "illegal"  # a PAtt of 2, and nothing worn
    del sides["A"]["equipment"]
    found = ask(position, share, catalogs=[catalog()])
    assert (found.answer, [item.fact for item in found.missing]) == ("undetermined", ["A/equipment"])
