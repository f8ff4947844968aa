"""Random games of Star Safir: invariants, candidates and `check`, skipped choices, response windows, mutated logs."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.core.abilities.language import faults
from engine.core.cards.catalog import shipped_catalogs
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from engine.core.replay.replay import Replay
from engine.core.report.audit import audit
from engine.core.report.report import VERDICTS
from engine.core.table import events, log
from engine.core.table.state import from_json, to_json
from engine.games.star_safir.vocabulary import LANGUAGE
from tests.engine.cast import OPENING, begin, deck, end, keep, play, told
from tests.engine.cast import catalog as cast
from tests.engine.domain import every_argument
from tests.engine.games import a_game
from tests.engine.spoils import reads

GAME = "star-safir"
ROOT = Path(__file__).parents[2]
EFFECTS = next(found for found in shipped_catalogs(GAME) if found.id == "safir-effects")
SEATED = {seat: {"player": seat, "deck": deck("E-OFFER", "E-EITHER")} for seat in "AB"}


@pytest.mark.parametrize("seed", range(12))
def test_the_invariants_and_the_json_round_trip_hold_after_every_move(seed: int) -> None:
    replay = Replay(a_game(GAME, seed), keep=False)
    while (step := replay.step()) is not None:
        assert step.outcome == "ok"
        assert not list(events.broken_invariants(replay.state))
        if step.n % 5 == 0:
            assert from_json(json.loads(json.dumps(to_json(replay.state))), replay.state.terms) == replay.state


def test_the_same_seed_gives_the_same_game_and_another_seed_a_different_one() -> None:
    assert selfplay.play(GAME, 5) == selfplay.play(GAME, 5)
    assert selfplay.play(GAME, 5) != selfplay.play(GAME, 6)


def test_decks_players_match_and_hidden_seats_may_be_given() -> None:
    catalog = shipped_catalogs(GAME)[0]
    refs = [ref for ref, card in catalog.cards.items() if card.kind == "combattant"][:15]
    decks = {seat: Decklist(None, dict.fromkeys(refs, 2)) for seat in "AB"}
    players, match = {"A": "p-17", "B": "p-32"}, {"event": "e-1", "round": 2, "table": 3, "game": 1}
    document = selfplay.play(GAME, 1, catalog=catalog, decks=decks, players=players, match=match, hidden=("B",))
    assert document["seats"]["B"] == {"player": "p-32", "deck": {"commander": None, "main": dict.fromkeys(refs, 2)}}
    assert document["match"] == match
    draws = {seat: [entry["chance"] for entry in document["moves"] if entry["by"] == seat and "chance" in entry]
             for seat in "AB"}  # fmt: skip
    assert "?" not in json.dumps(draws["A"])
    assert "DEMO" not in json.dumps(draws["B"])
    assert audit(document).verdict == "confirmed"


# Seeds whose games have two responses in a row.
@pytest.mark.parametrize("seed", [18, 70, 84])
def test_two_responses_in_one_window_are_both_written_as_responses(seed: int) -> None:
    hidden = [ref for ref, card in EFFECTS.cards.items() if any(item["kw"] == "Caché" for item in card.keywords)]
    fighters = [ref for ref, card in EFFECTS.cards.items() if card.kind == "combattant"][:12]
    decks = {seat: Decklist(None, dict.fromkeys([*hidden[:3], *fighters], 2)) for seat in "AB"}
    document = a_game(GAME, seed, catalog=EFFECTS, decks=decks)
    responses = ["resp" in entry for entry in document["moves"]]
    assert (True, True) in pairwise(responses)
    assert audit(document).verdict == "confirmed"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "options"),
    [(1, {}), (2, {}), (4, {"I-SAF-18": "yes", "I-SAF-10": "before"}), (5, {"I-SAF-19": "yes", "I-SAF-20": "any"}),
     (8, {"I-SAF-07": "no", "I-SAF-08": "no", "I-SAF-01": "free"}), (9, {"I-SAF-27": "declared"})],
)  # fmt: skip
def test_candidates_are_exactly_the_moves_that_check_accepts(seed: int, options: dict[str, str]) -> None:
    replay = Replay(a_game(GAME, seed, options=options), keep=False)
    verbs = replay.game.verbs()
    refs = list(replay.catalog.cards)
    positions = 0
    while True:
        if positions % 6 == 0 or positions < 6:  # the set-up and a sample of the rest: each comparison is slow
            state = replay.state
            before = to_json(state)
            legal = [
                json.dumps(astuple(move)) for move in every_argument(refs) if not verbs[move.do].check(state, move)
            ]
            candidates = [json.dumps(astuple(move)) for move in replay.game.candidates(state)]
            assert sorted(legal) == sorted(candidates)
            assert to_json(state) == before
        positions += 1
        if replay.step() is None:
            break


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (3, 4))])
def test_with_effects_candidates_are_exactly_the_moves_that_check_accepts(seed: int) -> None:
    replay = Replay(a_game(GAME, seed, catalog=EFFECTS), keep=False)
    verbs = replay.game.verbs()
    refs = list(replay.catalog.cards)
    positions = 0
    while True:
        state = replay.state
        if state.agenda or positions % 12 == 0:  # every open choice, and a sample of the other positions
            before = to_json(state)
            legal = [
                json.dumps(astuple(move)) for move in every_argument(refs) if not verbs[move.do].check(state, move)
            ]
            assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in replay.game.candidates(state))
            assert to_json(state) == before
        positions += 1
        if replay.step() is None:
            break


def test_an_open_choice_that_the_next_entry_skips_is_declined_or_ambiguous() -> None:
    opening = (*OPENING[:1], keep("A", ["E-OFFER", "E-EITHER", "?", "?", "?"]), *OPENING[2:])
    passed = Replay(told(*opening, play("A", "E-OFFER"), end("A"), seats=SEATED), catalogs=[cast()])
    assert [step.outcome for step in passed][-1] == "ok"
    assert (passed.state.counters["A.pv"], passed.state.agenda) == (0, ())
    report = audit(told(*opening, play("A", "E-EITHER"), end("A"), seats=SEATED), catalogs=[cast()])
    assert report.verdict == "undetermined"
    assert report.error is not None and (report.error["code"], report.error["options"]) == ("unanswered", ["1", "2"])


TRAPPED = (
    *OPENING[:1], keep("A", ["F-2-1-3", "?", "?", "?", "?"]), *OPENING[2:], play("A", "F-2-1-3"), end("A"),
    begin("B", "?"),
    {"by": "B", "do": "play", "args": {"card": "?", "face": "down", "territory": 1, "slot": 1}},
    play("B", "F-1-1-1"), end("B"), begin("A", "?"),
    {"by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}},
)  # fmt: skip
TRAP = {"by": "B", "do": "reveal", "resp": True, "args": {"territory": 1, "slot": 1, "card": "MM-TRAP"}}
HUNTED = {seat: {"player": seat, "deck": deck("F-2-1-3", "F-1-1-1", "MM-TRAP")} for seat in "AB"}


def test_a_face_down_card_can_be_revealed_between_an_attack_and_its_fight() -> None:
    replay = Replay(told(*TRAPPED, TRAP, end("A"), seats=HUNTED), catalogs=[cast()])
    assert [step.outcome for step in replay] == ["ok"] * (len(TRAPPED) + 2)
    state = replay.state
    assert [state.refs[obj] for obj in state.zones["A/T1/discard"]] == [
        "F-2-1-3"
    ]  # destroyed by the trap before it could fight
    assert state.refs[state.zones["B/T1/fighters/1"][0]] == "F-1-1-1"
    assert "I-SAF-16" in replay.depends_on and state.agenda == ()


def test_without_a_response_the_fight_follows_at_once() -> None:
    replay = Replay(told(*TRAPPED, {**TRAP, "resp": False}, seats=HUNTED), catalogs=[cast()])
    assert [step.outcome for step in replay][-1] == "ok"
    assert [replay.state.refs[obj] for obj in replay.state.zones["B/T1/discard"]] == ["F-1-1-1", "MM-TRAP"]


def test_with_i_saf_16_between_no_window_opens() -> None:
    options = {"I-SAF-16": "between"}
    report = audit(told(*TRAPPED, TRAP, seats=HUNTED, options=options), catalogs=[cast()])
    assert report.error is not None and report.error["code"] == "no_window"


def test_the_effects_of_a_card_start_and_stop_with_the_rulings_that_place_and_discard_it() -> None:
    opening = (*OPENING[:1], keep("A", ["F-2-1-3", "?", "?", "?", "?"]), *OPENING[2:])
    seats = {seat: {"player": seat, "deck": deck("F-2-1-3", "F-1-1-1", "E-REMPART")} for seat in "AB"}
    attack = {"by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}
    placed = {
        "by": "judge",
        "do": "ruling",
        "ref": "E-REMPART",
        "reason": "it was there",
        "events": [{"place": ["B", "E-REMPART", "T1/fighters/2"]}, {"place": ["B", "F-1-1-1", "T1/fighters/1"]}],
    }
    taken = {"by": "judge", "do": "ruling", "ref": "E-REMPART", "reason": "it was not",
             "events": [{"discard": ["B", "T1/fighters/2"]}]}  # fmt: skip
    before = told(*opening, play("A", "F-2-1-3"), placed, attack, seats=seats)
    last = list(Replay(before, catalogs=[cast()]))[-1]
    assert [violation.rule for violation in last.violations] == ["SAF-VII-Rempart"]
    after = told(*opening, play("A", "F-2-1-3"), placed, taken, attack, seats=seats)
    assert list(Replay(after, catalogs=[cast()]))[-1].outcome == "ok"


def test_an_endless_loop_of_effects_is_an_error_and_changes_nothing() -> None:
    opening = (*OPENING[:1], keep("A", ["E-LOOP", "F-2-1-3", "F-2-1-3", "?", "?"]), *OPENING[2:])
    full = (play("A", "F-2-1-3"), play("A", "F-2-1-3", 1, 2), play("A", "E-LOOP", 1, 3))
    fatal = {"by": "A", "do": "sacrifice", "args": {"territory": 1, "slot": 3}}
    seats = {seat: {"player": seat, "deck": deck("E-LOOP", "F-2-1-3")} for seat in "AB"}
    replay = Replay(told(*opening, *full, fatal, seats=seats), catalogs=[cast()])
    last = list(replay)[-1]
    assert last.error is not None and last.error.code == "endless_effects"
    assert replay.state.refs[replay.state.zones["A/T1/fighters/3"][0]] == "E-LOOP"
    assert replay.state.agenda == ()


def test_a_refused_entry_leaves_the_choice_it_skipped_open() -> None:
    opening = (*OPENING[:1], keep("A", ["E-OFFER", "?", "?", "?", "?"]), *OPENING[2:])
    replay = Replay(told(*opening, play("A", "E-OFFER"), begin("A", "?"), seats=SEATED), catalogs=[cast()])
    steps = list(replay)
    assert steps[-1].outcome == "illegal"
    assert [frame["step"] for frame in replay.state.agenda] == ["branch"]


def test_an_ability_too_deep_or_too_wide_is_a_fault() -> None:
    deep: dict[str, Any] = {"op": "draw", "n": 1}
    for _ in range(12):
        deep = {"op": "may", "do": [deep]}
    assert [fault.message for fault in faults({"on": "played", "do": [deep]}, LANGUAGE)] == ["more than 12 levels"]
    wide = {"on": "played", "do": [{"op": "draw", "n": 1}] * 64}
    assert [fault.message for fault in faults(wide, LANGUAGE)] == ["more than 64 objects"]


def altered(document: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return a log with one entry deleted, doubled, swapped or changed; in most cases the entries are renumbered."""
    found: dict[str, Any] = json.loads(json.dumps(document))
    moves = found["moves"]
    index = dice.randrange(len(moves))
    what = dice.randrange(6)
    if what == 0:
        del moves[index]
    elif what == 1:
        moves.insert(index, dict(moves[index]))
    elif what == 2:
        other = dice.randrange(len(moves))
        moves[index], moves[other] = moves[other], moves[index]
    elif what == 3:
        moves[index]["by"] = dice.choice(["A", "B", "table", "judge", None])
    elif what == 4:
        moves[index].pop(dice.choice(sorted(moves[index])))
    else:
        args = moves[index].setdefault("args", {})
        args[dice.choice(["card", "territory", "slot", "attackers", "target", "back"])] = dice.choice([
            0,
            1,
            3,
            9,
            -1,
            None,
            True,
            "?",
            "DEMO-SAF-001",
            [],
            [1, 1],
            [2],
            {},
            "x" * 300,
        ])
    # Without renumbering, a wrong `n` would hide most other corruptions.
    if dice.random() < 0.7:
        for n, move in enumerate(moves):
            move["n"] = n + 1
    return found


def test_mutated_logs_always_get_a_verdict() -> None:
    dice = random.Random(1)
    seen: dict[str, int] = {}
    for seed in range(20):
        document = a_game(GAME, seed)
        for number in range(15):
            report = audit(altered(document, dice))
            assert report.verdict in VERDICTS
            seen[report.verdict] = seen.get(report.verdict, 0) + 1
            assert reads(report, 15 * seed + number)
    print(seen)
    assert {"illegal_action", "unreadable"} <= set(seen)


@pytest.mark.slow
def test_mutated_logs_with_effects_always_get_a_verdict() -> None:
    dice = random.Random(2)
    seen: dict[str, int] = {}
    for seed in range(16):
        document = a_game(GAME, seed, catalog=EFFECTS)
        for number in range(15):
            found = altered(document, dice)
            moves = found["moves"]
            if dice.random() < 0.15:
                kinds = [{"look": ["?"]}, {"reveal": ["?"]}, {"pick": "yes"}, {"roll": [6, 1]}, {"draw": ["?"]}]
                dice.choice(moves)["chance"] = [dice.choice(kinds)]
            if dice.random() < 0.5:
                entry = dice.choice(moves)
                args = dice.choice([{"pick": dice.choice([None, "A/T1/fighters/1", "yes", 1])}, entry.get("args", {})])
                moves.insert(dice.randrange(len(moves)), {**entry, "do": "answer", "args": args})
                for n, move in enumerate(moves):
                    move["n"] = n + 1
            report = audit(found)
            assert report.verdict in VERDICTS
            seen[report.verdict] = seen.get(report.verdict, 0) + 1
            assert reads(report, 15 * seed + number)
    print(seen)
    assert {"illegal_action", "undetermined", "unreadable"} <= set(seen)


def test_the_digest_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "from engine.core.replay import selfplay; from engine.core.table import log\n"
        "from engine.core.replay.replay import Replay\n"
        f"r = Replay(log.canonical(selfplay.play('{GAME}', 11)), keep=False)\n"
        "while r.step(): pass\n"
        "print(r.digest, r.state.digest(), r.depends_on)"
    )
    found = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert found[0] == found[1] != ""


def test_the_canonical_text_of_a_log_has_the_digest_of_the_document() -> None:
    document = selfplay.play(GAME, 12)
    assert audit(log.canonical(document)).digest == audit(document).digest
