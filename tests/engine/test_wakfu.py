"""Wakfu: two cards that one payment pays for (I-WAK-19), what positions and logs may leave out."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

import pytest

from engine.core.ask import ask
from engine.core.audit import audit
from engine.core.cards import Catalog, shipped_catalogs
from engine.core.context import Context
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.replay import Replay, load_game, perform
from engine.core.state import State
from tests.engine.games import a_game
from tests.engine.refused import reasons_of, refused
from tests.engine.scenario import start
from tests.engine.shortened import without_draws, without_implied
from tests.engine.wakfu import domain
from tests.engine.wakfu.cast import catalog, header, side
from tests.engine.wakfu.refusals import REFUSALS

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
        document = a_game(GAME, seed, options=TOGETHER)
        report = audit(document)
        assert (report.verdict, report.claims) == ("confirmed", ())
        paired += sum("with" in move.get("args", {}) for move in document["moves"])
    assert paired


def test_without_the_option_nobody_is_offered_two_cards_for_one_payment() -> None:
    replay = Replay(a_game(GAME, 1, hidden=()), keep=False)
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


@pytest.mark.parametrize("cards", shipped_catalogs(GAME), ids=["plain", "effects"])
def test_a_log_without_what_a_scribe_may_leave_out_comes_to_the_same(cards: Catalog) -> None:
    written = kept = turns = 0
    for seed in range(8):
        document = a_game(GAME, seed, catalog=cards)
        whole, short = audit(document), without_implied(document)
        for log in (short, without_draws(short)):
            report = audit(log)
            assert (report.verdict, report.computed, report.score) == (whole.verdict, whole.computed, whole.score), seed
        written, kept = written + len(document["moves"]), kept + len(short["moves"])
        turns += sum(move["do"] == "begin_turn" for move in document["moves"])
    assert (written // turns, kept // turns) == (6, 4)


def beginning(phase: str, seats: dict[str, Any], *moves: dict[str, Any], **more: Any) -> Replay:
    """A log from a position of A's turn, played to its end."""
    start = {
        "kind": "position",
        "turn": {"n": 5, "seat": "A", "phase": phase, "first": "A"},
        "state": {"seats": {seat: side(seats.get(seat, {})) for seat in "AB"}},
        "memory": MEMORY,
    }
    seats_only = {seat: {"player": f"p-{seat}"} for seat in "AB"}
    log = header(start=start, seats=seats_only, moves=[{"n": n, **move} for n, move in enumerate(moves, 1)], **more)
    replay = Replay(log, catalogs=[catalog()], keep=False)
    while replay.step() is not None:
        pass
    return replay


BEGIN = {"by": "B", "do": "begin_turn"}


def test_the_opponents_turn_ends_the_one_before() -> None:
    state = beginning("invocation", {}, BEGIN).state
    assert (state.turn, state.seat, state.phase) == (6, "B", "invocation")


def test_a_hand_beyond_the_pa_is_never_passed_over() -> None:
    stopped = beginning("invocation", {"A": {"hand": 6}}, BEGIN).stopped
    assert stopped is not None
    assert [reason.rule for reason in stopped.violations] == ["WAK-PHA-1"]


def test_an_attack_that_nobody_blocks_goes_to_the_pv_by_itself() -> None:
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    state = beginning("invocation", {"A": {"combat": ["C-3-2-T1"]}}, attack, BEGIN).state
    assert (state.seat, state.counters["B.pv"]) == ("B", 17)


def test_points_that_may_go_to_several_cards_must_be_written_down() -> None:
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    block = {"by": "B", "do": "block", "args": {"blockers": ["B/combat/1"]}}
    seats = {"A": {"combat": ["C-3-2-T1"]}, "B": {"combat": ["C-1-1-0"]}}
    stopped = beginning("invocation", seats, attack, block, BEGIN).stopped
    assert stopped is not None
    assert (stopped.n, stopped.outcome) == (3, "illegal")


def test_points_that_need_not_be_used_are_lost_where_nothing_more_is_written() -> None:
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    replay = beginning(
        "invocation",
        {"A": {"combat": ["C-3-2-T1"]}},
        attack,
        {"by": "A", "do": "end_turn"},
        options={"I-WAK-07": "free"},
    )
    assert (replay.state.seat, replay.state.counters["B.pv"]) == ("B", 20)


def test_the_opponent_may_move_a_card_at_once_and_an_effect_of_the_movement_needs_no_other_entry() -> None:
    move = {"by": "B", "do": "move", "args": {"card": "B/rest/1"}}
    play = {"by": "A", "do": "play", "args": {"card": "X-M", "pay": []}}
    assert beginning("invocation", {"B": {"rest": ["C-1-1-0"]}}, move).state.phase == "contre"
    assert beginning("invocation", {"A": {"hand": ["X-M"]}}, play).state.phase == "mouvement"


def test_the_only_card_of_a_drop_is_drawn_by_itself() -> None:
    """A creature of PAtt 3 against one of PAtt 1 and Drop 1: A wins and draws one card, which A keeps."""
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    block = {"by": "B", "do": "block", "args": {"blockers": ["B/combat/1"]}}
    shares = [
        {"by": "A", "do": "distribute", "args": {"on": "B/combat/1", "points": 1}},
        {"by": "A", "do": "distribute", "args": {"on": "B/leader", "points": 2}},
        {"by": "B", "do": "distribute", "args": {"on": "A/leader", "points": 1}},
    ]
    seats = {"A": {"combat": ["C-3-2-T1"]}, "B": {"combat": ["C-1-1-0"]}}
    state = beginning("invocation", seats, attack, block, *shares, {"by": "A", "do": "end_turn"}).state
    assert (state.seat, len(state.zones["A/hand"]), len(state.zones["A/deck"])) == ("B", 4, 19)


@pytest.mark.parametrize(("rule", "why"), REFUSALS)
def test_a_refusal_gives_the_reason_that_holds_in_its_position(rule: str, why: str) -> None:
    book = load_game(GAME).rulesets["wakfu-2008@1"].book
    found = refused(GAME, *REFUSALS[rule, why])
    assert (rule, why) in [(reason.rule, reason.why) for reason in found]
    assert all(book.message(reason, lang) for reason in found for lang in ("fr", "en", "it"))


def test_every_reason_in_the_register_is_given_by_a_refusal() -> None:
    assert reasons_of(GAME, "WAK-") <= {*REFUSALS}


@pytest.mark.parametrize("name", ["degagement", "invocation", "contre", "blocage", "combat", "drop", "invocation2"])
def test_an_effect_that_nobody_can_read_is_offered_whenever_check_lets_it_through(name: str) -> None:
    given = {"turn": {"phase": name}, "seats": {seat: {"hand": ["X-BLANK"]} for seat in "AB"}}
    state = start({"game": GAME, "given": given})
    moves = [Move(seat, "play", {"card": "X-BLANK", "pay": []}) for seat in "AB"]
    legal = [move for move in moves if not play(state, move)]
    assert legal == [move for move in load_game(GAME).candidates(state) if move.do == "play"]
    assert bool(legal) == (name != "drop")


@pytest.mark.parametrize("active", ["A", "B"])
@pytest.mark.parametrize("mine", [["E-BOMB"], ["E-BOMB", "E-LAST"], ["E-LAST", "E-BOMB"], ["C-1-1-0"]])
def test_two_orders_with_different_results_always_lean_on_the_gap(active: str, mine: list[str]) -> None:
    """Every card of the combat is destroyed, both leaders are at 2 PV."""
    other = "B" if active == "A" else "A"
    found = {}
    for option in ("entry", "active"):
        seats = {
            active: {"pv": 2, "combat": [f"{ref} attacks" for ref in mine]},
            other: {"pv": 2, "combat": [f"{ref} blocks" for ref in mine]},
        }
        given = {"turn": {"phase": "combat", "seat": active}, "seats": seats}
        state = start({"game": GAME, "given": given, "options": {"I-WAK-24": option}})
        context, verb = Context(state), load_game(GAME).verbs()["distribute"]
        for seat, foe in ((active, other), (other, active)):
            for n in range(len(mine)):
                move = Move(seat, "distribute", {"on": f"{foe}/combat/{n + 1}", "points": 1}, ())
                assert not verb.check(state, move)
                perform(load_game(GAME), context, verb, move)
        found[option] = (state.result, dict(state.counters)), context.leaned
    (one, leaned), (two, _) = found.values()
    assert one == two or "I-WAK-24" in leaned
    assert (one == two) == (active == "A" or "E-BOMB" not in mine)
