"""Stellar Nexus beyond its scenarios: random games with effects, responses, the pile, positions, score pads."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import astuple
from typing import Any

import pytest

import engine
from engine.core import agenda, events, selfplay
from engine.core.audit import audit
from engine.core.cards import Catalog, shipped_catalogs
from engine.core.effects.language import operations_of
from engine.core.position import as_start
from engine.core.replay import Replay
from engine.core.state import from_json, to_json
from tests.engine.kits import KITS
from tests.engine.stellar_nexus import cast as stellar
from tests.engine.stellar_nexus.cast import catalog, deck, header

GAME = "stellar-nexus"
KIT = KITS[GAME]
PLAIN, EFFECTS = shipped_catalogs(GAME)
BOTH = pytest.mark.parametrize("cards", [PLAIN, EFFECTS], ids=["plain", "effects"])


@BOTH
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_candidates_are_exactly_the_moves_that_check_lets_through(seed: int, cards: Catalog) -> None:
    replay = Replay(selfplay.play(GAME, seed, catalog=cards), keep=False)
    verbs, refs, n = replay.game.verbs(), list(cards.cards), 0
    while replay.step() is not None:
        n += 1
        state = replay.state
        if n % 20 and not (state.agenda and n % 4 == 0):
            continue
        before = to_json(state)
        written = KIT.every_argument(state, refs)
        legal = [json.dumps(astuple(move)) for move in written if not verbs[move.do].check(state, move)]
        assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in replay.game.candidates(state))
        assert to_json(state) == before


def played(seeds: range, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What occurred in games of the effects catalogue that the audit confirms, whose every state is sound."""
    seen: Counter[str] = Counter()
    push = agenda.Stack.push

    def counted(stack: agenda.Stack, frame: agenda.Frame) -> None:
        if frame.get("step") == "do":
            seen.update(f"operation {word}" for word in operations_of(frame["ops"][:1]))
        push(stack, frame)

    for seed in seeds:
        document = selfplay.play(GAME, seed, catalog=EFFECTS)
        with monkeypatch.context() as patch:
            patch.setattr(agenda.Stack, "push", counted)
            replay = Replay(document, keep=False)
            while (step := replay.step()) is not None:
                assert step.outcome == "ok", (seed, step)
                assert not list(events.broken_invariants(replay.state))
                assert from_json(json.loads(json.dumps(to_json(replay.state))), replay.state.terms) == replay.state
                seen[f"verb {step.entry.do}"] += 1
                seen["response"] += step.entry.resp
        report = audit(document)
        assert (report.verdict, report.claims) == ("confirmed", ()), seed
        seen[f"end {report.reason}"] += 1
    return seen


def test_random_games_with_effects_are_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = played(range(4), monkeypatch)
    assert seen["response"] and seen["verb activate"] and seen["verb answer"]


@BOTH
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_tail_of_a_game_cut_anywhere_is_judged_like_the_whole(seed: int, cards: Catalog) -> None:
    document = selfplay.play(GAME, seed, catalog=cards)
    whole = Replay(document)
    list(whole)
    assert whole.state.result is not None
    moves, cuts = document["moves"], 0
    responses = [index for index, move in enumerate(moves) if move.get("resp")]
    for cut in (*range(3, len(moves), 11), *responses[:3]):
        start = as_start(whole.game, whole.state_at(cut))
        tail = [{**move, "n": index + 1} for index, move in enumerate(moves[cut:])]
        report = audit(json.loads(json.dumps({**document, "start": start, "moves": tail})))
        assert (report.verdict, report.computed) == ("consistent_from", whole.state.result.winner), cut
        cuts += 1
    assert cuts > 5


def test_a_fact_left_out_is_asked_for_where_it_matters_and_nowhere_else() -> None:
    attack = {"by": "A", "do": "attack", "args": {"creature": "A/field/1"}}
    done, block = (
        {"by": "A", "do": "attack", "args": {"done": True}},
        {"by": "B", "do": "block", "args": {"done": True}},
    )
    given = {"A": stellar.side({"field": ["C-1-2-2"]}), "B": stellar.side({})}
    turn = {"n": 5, "seat": "A", "phase": "attaque", "first": "A"}
    memory: dict[str, list[str]] = {note: [] for note in stellar.NOTES}

    def asked(*entries: dict[str, Any], **changes: Any) -> list[str]:
        start = {"kind": "position", "turn": turn, "state": {"seats": given}, "memory": memory, **changes}
        moves = [{"n": index + 1, **entry} for index, entry in enumerate(entries)]
        document = header(seats={"A": {}, "B": {}}, start=start, moves=moves)
        return [item["fact"] for item in audit(document, catalogs=[catalog()]).missing]

    assert asked(attack, done, block) == []
    assert asked(attack, memory={key: value for key, value in memory.items() if key != "arrived"}) == ["memory.arrived"]
    given["A"]["field"] = ["C-1-2-2"]
    assert asked(attack) == ["A/field/1.marks"]
    given["A"]["field"] = [{"ref": "C-1-2-2", "marks": {}}]
    del given["B"]["pv"]
    assert asked(attack, done) == []


OPENING = (
    {"by": "A", "do": "hero", "args": {"card": "H-20"}},
    {"by": "B", "do": "hero", "args": {"card": "H-20"}},
    {"by": "A", "do": "keep", "chance": [{"draw": ["X-DRAW", "C-0-1-1", "?", "?", "?", "?"]}]},
    {"by": "B", "do": "keep", "chance": [{"draw": ["X-NO", "?", "?", "?", "?", "?"]}]},
    {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]},
    {"by": "A", "do": "begin_turn", "chance": [{"resource": ["R-K"]}]},
    {"by": "A", "do": "end_phase"},
)


def told(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A log that begins in A's first main phase."""
    seats = {seat: {"player": seat, "deck": deck("X-DRAW", "X-NO", "C-0-1-1")} for seat in "AB"}
    moves = [{"n": index + 1, **entry} for index, entry in enumerate((*OPENING, *entries))]
    return header(seats=seats, moves=moves, **changes)


def play(by: str, card: str, **more: Any) -> dict[str, Any]:
    return {"by": by, "do": "play", "args": {"card": card}, **more}


def test_what_a_spell_draws_is_recorded_in_the_response_that_ends_the_pile() -> None:
    spell, answer = play("A", "X-DRAW"), play("B", "X-NO", resp=True)
    replay = Replay(told(spell, answer), catalogs=[catalog()])
    assert {step.outcome for step in replay} == {"ok"}
    replay = Replay(told(play("A", "X-DRAW", chance=[{"draw": ["?"]}])), catalogs=[catalog()])
    assert {step.outcome for step in replay} == {"ok"}
    last = list(Replay(told(play("A", "X-DRAW", chance=[{"draw": ["?"]}]), answer), catalogs=[catalog()]))[-1]
    assert last.error is not None and last.error.code == "unknown_chance"


def test_a_response_where_nothing_waits_is_refused_by_name() -> None:
    last = list(Replay(told(play("B", "X-NO", resp=True)), catalogs=[catalog()]))[-1]
    assert last.error is not None and last.error.code == "no_window"


def test_a_log_without_a_hero_or_with_another_card_in_its_place_cannot_be_read() -> None:
    for commander, code in ((None, "missing_deck"), ("C-0-1-1", "unknown_card")):
        document = told()
        document["seats"]["A"]["deck"]["commander"] = commander
        report = audit(document, catalogs=[catalog()])
        assert report.error is not None and report.error["code"] == code


def test_teams_are_refused_and_not_judged_as_a_duel() -> None:
    report = audit(told(options={"I-STN-16": "teams"}), catalogs=[catalog()])
    assert report.error is not None and report.error["code"] == "unknown_option"


def test_a_hidden_hero_is_seen_by_its_player_alone() -> None:
    moves = [{"n": 1, "by": "A", "do": "hero", "args": {"card": "?"}}]
    replay = Replay(header(moves=moves), catalogs=[catalog()])
    assert replay.board_at(1, "A")["seats"]["A"]["hidden_hero"]["ref"] == "H-20"
    assert replay.board_at(1, "B")["seats"]["A"]["hidden_hero"] == "?"


def test_a_score_pad_of_pv_adds_up_or_names_the_rule() -> None:
    pad = [{"n": 1, "by": "A", "do": "end_turn", "claims": {"A.pv": 20, "B.pv": 18}},
           {"n": 2, "by": "B", "do": "end_turn", "claims": {"A.pv": 15}}]  # fmt: skip
    seats = {seat: {"deck": deck("C-0-1-1")} for seat in "AB"}
    report = audit(header(seats=seats, moves=pad), catalogs=[catalog()])
    assert (report.verdict, report.score) == ("plausible", {"A": 15, "B": 18})
    grown = [*pad, {"n": 3, "by": "A", "do": "end_turn", "claims": {"B.pv": 19}}]
    report = audit(header(seats=seats, moves=grown), catalogs=[catalog()])
    assert report.first_illegal is not None
    assert [reason.rule for reason in report.first_illegal.violations] == ["STN-HER-1"]


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_a_board_in_words_names_every_row(lang: str) -> None:
    replay = engine.Replay(told(play("A", "C-0-1-1")), catalogs=[catalog()])
    text = engine.core.views.as_text(replay.board_at(len(OPENING) + 1), lang)
    assert "[Cast C-0-1-1 0/1/1" in text and "[Cast R-K]" in text
