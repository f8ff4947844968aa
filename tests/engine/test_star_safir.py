"""Star Safir: reasons of refusals, resolution orders that decide a game, entries and draws that a log may leave out."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from engine.core.cards.catalog import shipped_catalogs
from engine.core.replay.replay import Replay, load_game, perform
from engine.core.report.audit import audit
from engine.core.report.report import Report
from engine.core.table.agenda import pending
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.text.registry import rulebook
from engine.games.star_safir.game import AFTER_BEGINNING
from tests.engine import scenario
from tests.engine.cast import begin, catalog, deck, end, first, keep, play, told
from tests.engine.games import a_game
from tests.engine.shortened import without_draws

GAME = "star-safir"
PLAIN, EFFECTS = shipped_catalogs(GAME)
BOOK = rulebook(GAME)
BOTH = pytest.mark.parametrize("cards", [PLAIN, EFFECTS], ids=["plain", "effects"])


def test_every_reason_of_a_rule_is_given_in_a_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[tuple[str, str], None] = {}
    kept = scenario._kept

    def noticed(game: str, reasons: Any, without: str | None) -> Any:
        given.update({(reason.rule, reason.why): None for reason in reasons})
        return kept(game, reasons, without)

    monkeypatch.setattr(scenario, "_kept", noticed)
    for _, item in scenario.SCENARIOS:
        if item["game"] == GAME and "refused" in item["expect"]:
            scenario.run(item)
    own = (rule for rule in BOOK.rules.values() if rule.id.startswith("SAF-"))
    reasons = [(rule.id, why) for rule in own for why in rule.whys]
    assert [reason for reason in reasons if reason not in given] == []


def outcome(report: Report) -> tuple[Any, ...]:
    """Return the part of a report that an interpretation may change."""
    stopped = None if report.first_illegal is None else report.first_illegal.n
    return report.verdict, report.computed, report.score, stopped, report.error is None


@cache
def played(seed: int) -> tuple[dict[str, Any], Report]:
    """Return a random game of cards with effects, and its audit."""
    document = a_game(GAME, seed, catalog=EFFECTS)
    return document, audit(document)


# I-SAF-23 changes what a log must contain (face-down cards revealed at the end) rather than how its moves resolve.
@pytest.mark.parametrize("gap", [gap for gap in BOOK.interpretations if gap != "I-SAF-23"])
def test_a_game_that_ends_differently_under_another_option_depends_on_the_interpretation(gap: str) -> None:
    for seed in range(6):
        document, told_of = played(seed)
        for option in [name for name in BOOK.interpretations[gap].options if name != BOOK.interpretations[gap].default]:
            other = audit({**document, "options": {gap: option}})
            assert outcome(other) == outcome(told_of) or gap in told_of.depends_on, (seed, option)


# Fighters with an effect when they leave or instead of leaving, and magics that affect several cards at once.
FIGHTERS = ("E-CROWN", "E-WISH", "E-EYE", "E-FAREWELL", "E-VOL", "E-GUARD", "E-MOURN", "E-VIGIL", "E-LAST", "F-5-1-1")
MAGICS = ("MM-STORM", "MM-FLOOD", "MM-EBB", "MM-BOTH", "MM-RED", "MM-TITHE", "MM-TAKE")


def battle(dice: random.Random) -> tuple[dict[str, Any], Move]:
    """Return a random position in which both players are close to 30 PV, and a move of A."""
    magic = dice.choice(MAGICS)
    sides: dict[str, dict[str, Any]] = {}
    for seat in "AB":
        there = [dice.choice(FIGHTERS) for _ in range(dice.randint(1, 3))]
        land = {"fighters": [*there, None, None][:3]}
        sides[seat] = {"pv": dice.choice((27, 28, 29)), "pi": 1, "hand": [magic], "T1": land}
    mine, theirs = (sum(ref is not None for ref in sides[seat]["T1"]["fighters"]) for seat in "AB")
    attack = {"territory": 1, "attackers": list(range(1, mine + 1)), "target": dice.randint(1, theirs)}
    moves = (
        Move("A", "attack", attack, ()),
        Move("A", "end_turn", {}, ()),
        Move("A", "play", {"card": magic, "territory": 1, "slot": 1}, ()),
    )
    return {"seats": sides}, dice.choice(moves)


def fought(given: dict[str, Any], move: Move, options: dict[str, str]) -> tuple[tuple[Any, ...], list[str]]:
    """Return how a battle ends if every choice is the first option, and the interpretations it depends on."""
    game, state = load_game(GAME), scenario.start({"game": GAME, "given": given, "options": options})
    ctx = Context(state)
    assert game.verbs()[move.do].check(state, move) == []
    perform(game, ctx, game.verbs()[move.do], move)
    while (ask := pending(state)) is not None and state.result is None:
        answer = Move(ask["by"], "answer", {"pick": ask["options"][0]}, ())
        perform(game, ctx, game.verbs()["answer"], answer)
    return (state.result, state.counters["A.pv"], state.counters["B.pv"]), list(ctx.depends_on)


@pytest.mark.parametrize(("gap", "option"), [("I-SAF-32", "opponent"), ("I-SAF-33", "after")])
@pytest.mark.slow
def test_a_battle_whose_end_depends_on_the_order_depends_on_the_interpretation(gap: str, option: str) -> None:
    different = 0
    for seed in range(400):
        given, move = battle(random.Random(seed))
        (one, depends_on), (two, _) = fought(given, move, {}), fought(given, move, {gap: option})
        assert one == two or gap in depends_on, (seed, move)
        different += one != two
    assert different


def same(short: dict[str, Any], document: dict[str, Any]) -> bool:
    """Return whether a shortened log has the verdict, result and score of the whole one."""
    one, two = audit(short), audit(document)
    return (one.verdict, one.computed, one.score) == (two.verdict, two.computed, two.score)


def shortened(document: dict[str, Any]) -> dict[str, Any]:
    """Return the log with only one of the two entries (`end_turn`, `begin_turn`) between turns.

    An entry is kept if it is a response or records chance that everybody saw, which cannot be reconstructed.
    """
    kept: list[dict[str, Any]] = []
    for entry in reversed(document["moves"]):
        after = kept[-1] if kept else {"do": ""}
        begun = entry["do"] == "begin_turn" and after["do"] in AFTER_BEGINNING
        ended = entry["do"] == "end_turn" and after["do"] == "begin_turn"
        seen = entry.get("resp") or any("draw" not in item for item in entry.get("chance", ()))
        if not (begun or ended) or seen:
            kept.append(entry)
    return {**document, "moves": [{**entry, "n": n} for n, entry in enumerate(reversed(kept), 1)]}


@BOTH
def test_a_log_with_one_of_the_two_entries_between_turns_gives_the_same_result(cards: Any) -> None:
    written = kept = turns = 0
    for seed in range(8):
        document = a_game(GAME, seed, catalog=cards)
        short = shortened(document)
        assert same(short, document), seed
        written, kept = written + len(document["moves"]), kept + len(short["moves"])
        turns += sum(entry["do"] == "begin_turn" for entry in document["moves"])
    assert kept <= written - turns * 3 // 4  # most turns do with one entry less


@BOTH
def test_a_log_without_recorded_draws_gives_the_same_result(cards: Any) -> None:
    for seed in range(10):
        document = a_game(GAME, seed, catalog=cards)
        assert same(without_draws(document), document), seed


OPENED = (first("A"), keep("A"), keep("B"), begin("A"))


def verdict(*entries: dict[str, Any]) -> str:
    """Return the verdict on a log with these entries."""
    return audit(told(*entries), catalogs=[catalog()]).verdict


FIGHT = {"by": "B", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}


@pytest.mark.parametrize(
    "entries",
    [
        (play("B", "U-1"), FIGHT, FIGHT),  # a second attack: U-1 may have «Double ATK»
        (
            play("B", "U-1"),
            end("B"),
            begin("A", "?"),
            {**FIGHT, "by": "A"},
            {"by": "B", "do": "answer", "args": {"pick": "yes"}},
        ),
        (play("B", "U-1"), {"by": "B", "do": "move", "args": {"territory": 1, "slot": 1, "to": 2, "to_slot": 1}}),
        (play("B", "U-1"), play("B", "F-9-9-1")),  # 9 PI with 3 left: U-1 may reduce costs
    ],
)
def test_no_move_is_illegal_while_a_card_without_text_might_allow_it(
    entries: tuple[dict[str, Any], ...],
) -> None:
    seats = {seat: {"player": f"p-{seat}", "deck": deck("F-1-1-1", "U-1")} for seat in "AB"}
    document = told(*OPENED, play("A", "F-1-1-1"), end("A"), begin("B", "?"), *entries, seats=seats)
    report = audit(document, catalogs=[catalog()])
    assert (report.verdict, report.subject_to[0]["ref"]) == ("undetermined", "U-1")


@pytest.mark.parametrize("by", ["A", "B"])
def test_a_commander_without_text_may_be_activated_at_any_time(by: str) -> None:
    seats = {seat: {"player": f"p-{seat}", "deck": {**deck("F-1-1-1"), "commander": "C-UNREAD"}} for seat in "AB"}
    used = {"by": by, "do": "activate"}
    report = audit(told(*OPENED, used, used, play("A", "F-1-1-1"), used, seats=seats), catalogs=[catalog()])
    assert (report.verdict, report.first_illegal) == ("unfinished", None)
    assert {item["ref"] for item in report.subject_to} == {"C-UNREAD"}


def test_begin_turn_ends_the_turn_of_the_opponent_and_scores_it() -> None:
    turn = (play("A", "F-1-1-1"), begin("B", "?"), begin("A", "?"), begin("B", "?"))
    board = Replay(told(*OPENED, *turn), catalogs=[catalog()]).board_at(len(OPENED) + len(turn))
    assert (board["turn"]["n"], board["turn"]["seat"]) == (4, "B")
    assert (board["seats"]["A"]["pv"], board["seats"]["B"]["pv"]) == (2, 0)


def test_the_first_action_of_a_turn_begins_it_with_an_unknown_draw() -> None:
    entries = (*OPENED, end("A"), play("B", "F-1-1-1"))
    state = Replay(told(*entries), catalogs=[catalog()]).state_at(len(entries))
    assert (state.seat, state.phase) == ("B", "invocation")
    assert [state.refs[obj] for obj in state.zones["B/hand"]] == [None] * 5  # 5 cards, one drawn, one played


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ((play("B", "F-1-1-1"),), "seat"),  # neither the end of a turn nor the start of the next is recorded
        ((begin("A"),), "begun"),
        ((end("A"), begin("A", "?")), "seat"),  # a whole turn is never left out
        ((end("A"), end("B"), end("B")), "seat"),
    ],
)
def test_an_action_out_of_turn_is_still_refused(entries: tuple[dict[str, Any], ...], why: str) -> None:
    report = audit(told(*OPENED, *entries), catalogs=[catalog()])
    assert report.first_illegal is not None
    assert [(reason.rule, reason.why) for reason in report.first_illegal.violations] == [("SAF-VI-0", why)]


def test_begin_turn_is_implied_before_the_action_of_a_turn_but_not_while_a_choice_is_open() -> None:
    state = scenario.start({"game": GAME, "given": {"turn": {"phase": "lancement"}}})
    game = load_game(GAME)
    assert game.implied(state, "A", "reveal") is None
    assert game.implied(state, "B", "begin_turn") is None
    assert game.implied(state, "table", "play") is None
    found = game.implied(state, "A", "end_turn")
    assert found is not None
    assert (found.do, found.chance) == ("begin_turn", (("draw", ("?",)),))
    state.agenda = ({"step": "window", "ask": {"by": "B", "options": [], "optional": True, "rule": "LOG-answer"}},)
    assert game.implied(state, "A", "end_turn") is None
