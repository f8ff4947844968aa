"""Wakfu: two cards for one payment (I-WAK-19), undeclared facts, implied entries, refusals, resolution order."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

import pytest

from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.core.replay.replay import Replay, load_game, perform
from engine.core.report.ask import ask
from engine.core.report.audit import audit
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.text.errors import Violation
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
def test_the_pairs_of_cards_that_candidates_offer_are_those_that_check_accepts(hand: list[str]) -> None:
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
    """Return whether a move names a leader (`on`) exactly if one of its two cards is an equipment."""
    kinds = [state.terms.cards[move.args[key]].kind for key in ("card", "with")]
    return ("équipement" in kinds) == ("on" in move.args)


def play(state: State, move: Move) -> list[Violation]:
    """Return the reasons for which a play is illegal."""
    return load_game(GAME).verbs()["play"].check(state, move)


def test_games_where_one_payment_may_pay_for_two_cards_are_confirmed() -> None:
    paired = 0
    for seed in range(6):
        document = a_game(GAME, seed, options=TOGETHER)
        report = audit(document)
        assert (report.verdict, report.claims) == ("confirmed", ())
        paired += sum("with" in move.get("args", {}) for move in document["moves"])
    assert paired


def test_by_default_two_cards_for_one_payment_are_never_offered() -> None:
    replay = Replay(a_game(GAME, 1, hidden=()), keep=False)
    assert not [move for _ in replay for move in replay.game.candidates(replay.state) if "with" in move.args]


def test_undeclared_equipment_is_asked_for_before_a_total_is_refused() -> None:
    sides = {"A": side({"leader": "L attacks"}), "B": side({})}
    share = {"by": "A", "do": "distribute", "args": {"on": "B/leader", "points": 3}}
    position = {**header(), "start": {"kind": "position", "state": {"seats": sides}, "memory": MEMORY,
                                      "turn": {"n": 5, "seat": "A", "phase": "combat", "first": "A"}}}  # fmt: skip
    del position["moves"]
    assert ask(position, share, catalogs=[catalog()]).answer == "illegal"  # 3 points with a PAtt of 2 and no equipment
    del sides["A"]["equipment"]
    found = ask(position, share, catalogs=[catalog()])
    assert (found.answer, [item.fact for item in found.missing]) == ("undetermined", ["A/equipment"])


@pytest.mark.parametrize("cards", shipped_catalogs(GAME), ids=["plain", "effects"])
def test_a_log_without_its_optional_entries_and_draws_gives_the_same_result(cards: Catalog) -> None:
    written = kept = turns = 0
    for seed in range(8):
        document = a_game(GAME, seed, catalog=cards)
        whole, short = audit(document), without_implied(document)
        for log in (short, without_draws(short)):
            report = audit(log)
            assert (report.verdict, report.computed, report.score) == (whole.verdict, whole.computed, whole.score), seed
        written, kept = written + len(document["moves"]), kept + len(short["moves"])
        turns += sum(move["do"] == "begin_turn" for move in document["moves"])
    assert (written // turns, kept // turns) == (6, 4)  # entries for each turn, before and after


def beginning(phase: str, seats: dict[str, Any], *moves: dict[str, Any], **more: Any) -> Replay:
    """Replay a log to its end from a position in a phase of A's turn."""
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


def test_begin_turn_ends_the_turn_of_the_opponent() -> None:
    state = beginning("invocation", {}, BEGIN).state
    assert (state.turn, state.seat, state.phase) == (6, "B", "invocation")


def test_a_turn_does_not_end_by_itself_while_the_hand_is_over_the_limit() -> None:
    stopped = beginning("invocation", {"A": {"hand": 6}}, BEGIN).stopped
    assert stopped is not None
    assert [reason.rule for reason in stopped.violations] == ["WAK-PHA-1"]


def test_the_points_of_an_unblocked_attack_go_to_the_pv_automatically() -> None:
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    state = beginning("invocation", {"A": {"combat": ["C-3-2-T1"]}}, attack, BEGIN).state
    assert (state.seat, state.counters["B.pv"]) == ("B", 17)


def test_points_with_several_possible_targets_must_be_recorded() -> None:
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    block = {"by": "B", "do": "block", "args": {"blockers": ["B/combat/1"]}}
    seats = {"A": {"combat": ["C-3-2-T1"]}, "B": {"combat": ["C-1-1-0"]}}
    stopped = beginning("invocation", seats, attack, block, BEGIN).stopped
    assert stopped is not None
    assert (stopped.n, stopped.outcome) == (3, "illegal")


def test_points_that_need_not_be_used_are_lost_if_no_distribution_is_recorded() -> None:
    attack = {"by": "A", "do": "attack", "args": {"attackers": ["A/combat/1"]}}
    replay = beginning(
        "invocation",
        {"A": {"combat": ["C-3-2-T1"]}},
        attack,
        {"by": "A", "do": "end_turn"},
        options={"I-WAK-07": "free"},
    )
    assert (replay.state.seat, replay.state.counters["B.pv"]) == ("B", 20)


def test_a_movement_by_the_opponent_or_a_movement_effect_advances_to_its_phase() -> None:
    move = {"by": "B", "do": "move", "args": {"card": "B/rest/1"}}
    play = {"by": "A", "do": "play", "args": {"card": "X-M", "pay": []}}
    assert beginning("invocation", {"B": {"rest": ["C-1-1-0"]}}, move).state.phase == "contre"
    assert beginning("invocation", {"A": {"hand": ["X-M"]}}, play).state.phase == "mouvement"


def test_a_drop_of_one_card_is_drawn_automatically() -> None:
    """A creature of PAtt 3 beats one of PAtt 1 and Drop 1, so A draws one card and keeps it."""
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
def test_a_refusal_gives_the_reason_that_applies_in_its_position(rule: str, why: str) -> None:
    book = load_game(GAME).rulesets["wakfu-2008@1"].book
    found = refused(GAME, *REFUSALS[rule, why])
    assert (rule, why) in [(reason.rule, reason.why) for reason in found]
    assert all(book.message(reason, lang) for reason in found for lang in ("fr", "en", "it"))


def test_every_reason_in_the_register_has_a_refusal_case() -> None:
    assert reasons_of(GAME, "WAK-") <= {*REFUSALS}


@pytest.mark.parametrize("name", ["degagement", "invocation", "contre", "blocage", "combat", "drop", "invocation2"])
def test_an_effect_without_text_is_offered_whenever_check_accepts_it(name: str) -> None:
    given = {"turn": {"phase": name}, "seats": {seat: {"hand": ["X-BLANK"]} for seat in "AB"}}
    state = start({"game": GAME, "given": given})
    moves = [Move(seat, "play", {"card": "X-BLANK", "pay": []}) for seat in "AB"]
    legal = [move for move in moves if not play(state, move)]
    assert legal == [move for move in load_game(GAME).candidates(state) if move.do == "play"]
    assert bool(legal) == (name != "drop")


@pytest.mark.parametrize("active", ["A", "B"])
@pytest.mark.parametrize("mine", [["E-BOMB"], ["E-BOMB", "E-LAST"], ["E-LAST", "E-BOMB"], ["C-1-1-0"]])
def test_a_result_that_depends_on_the_order_depends_on_the_interpretation(active: str, mine: list[str]) -> None:
    """Every card in the combat is destroyed while both leaders are at 2 PV: a last effect may end the game."""
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
        found[option] = (state.result, dict(state.counters)), context.depends_on
    (one, depends_on), (two, _) = found.values()
    assert one == two or "I-WAK-24" in depends_on
    assert (one == two) == (active == "A" or "E-BOMB" not in mine)
