"""Stellar Nexus beyond its scenarios: random games, responses, positions, score pads, implied entries, refusals."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import astuple
from importlib.resources import files
from typing import Any

import pytest

import engine
from engine.core.abilities.language import operations_of
from engine.core.cards.catalog import Catalog, load_catalog, shipped_catalogs
from engine.core.effects.host import Stack
from engine.core.replay.position import as_start
from engine.core.replay.replay import Replay, load_game
from engine.core.report.audit import audit
from engine.core.table import events
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State, from_json, to_json
from engine.core.text.registry import rulebook
from engine.core.text.rulebook import with_common_rules
from tests.engine import scenario
from tests.engine.games import a_game
from tests.engine.kits import KITS
from tests.engine.stellar_nexus import cast as stellar
from tests.engine.stellar_nexus.cast import FILLER, catalog, deck, header
from tests.engine.stellar_nexus.refusals import REFUSALS, Refusal

GAME = "stellar-nexus"
KIT = KITS[GAME]
PLAIN, EFFECTS = shipped_catalogs(GAME)
BOTH = pytest.mark.parametrize("cards", [PLAIN, EFFECTS], ids=["plain", "effects"])


def unread() -> Catalog:
    """Return the effects catalogue in which every third card has an unknown text."""
    file = files("engine.games.stellar_nexus").joinpath("cards", f"{EFFECTS.id}.json")
    document = json.loads(file.read_text(encoding="utf-8"))
    for card in document["cards"][::3]:
        card.pop("abilities", None)
        card["text"] = "?"
    return load_catalog({**document, "id": "unread"})


@pytest.mark.slow
@pytest.mark.parametrize("cards", [PLAIN, EFFECTS, unread()], ids=["plain", "effects", "unread"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_candidates_are_exactly_the_moves_that_check_accepts(seed: int, cards: Catalog) -> None:
    replay = Replay(a_game(GAME, seed, catalog=cards), catalogs=[cards], keep=False)
    verbs, refs, n = replay.game.verbs(), list(cards.cards), 0
    while replay.step() is not None:
        n += 1
        state = replay.state
        if n % 20 and not (state.agenda and n % 4 == 0):
            continue  # a sample of the positions, more of them while a choice is open
        before = to_json(state)
        written = KIT.every_argument(state, refs)
        legal = [json.dumps(astuple(move)) for move in written if not verbs[move.do].check(state, move)]
        assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in replay.game.candidates(state))
        assert to_json(state) == before


def played(seeds: range, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Play games of the effects catalogue, assert that the audit confirms them, and count what occurred in them."""
    seen: Counter[str] = Counter()
    push = Stack.push

    def counted(stack: Stack, frame: Frame) -> None:
        if frame.get("step") == "do":
            seen.update(f"operation {word}" for word in operations_of(frame["ops"][:1]))
        push(stack, frame)

    for seed in seeds:
        document = a_game(GAME, seed, catalog=EFFECTS)
        with monkeypatch.context() as patch:
            patch.setattr(Stack, "push", counted)
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
@pytest.mark.slow
def test_the_tail_of_a_game_cut_anywhere_has_the_same_winner(seed: int, cards: Catalog) -> None:
    document = a_game(GAME, seed, catalog=cards)
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


def test_an_undeclared_fact_is_asked_for_only_where_it_matters() -> None:
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
    """Return a log of these entries after an opening; it is A's first main phase."""
    seats = {seat: {"player": seat, "deck": deck("X-DRAW", "X-NO", "C-0-1-1")} for seat in "AB"}
    moves = [{"n": index + 1, **entry} for index, entry in enumerate((*OPENING, *entries))]
    return header(seats=seats, moves=moves, **changes)


def play(by: str, card: str, **more: Any) -> dict[str, Any]:
    return {"by": by, "do": "play", "args": {"card": card}, **more}


def test_the_draw_of_a_spell_is_not_recorded_with_the_spell_if_a_response_follows() -> None:
    spell, answer = play("A", "X-DRAW"), play("B", "X-NO", resp=True)
    replay = Replay(told(spell, answer), catalogs=[catalog()])
    assert {step.outcome for step in replay} == {"ok"}
    replay = Replay(told(play("A", "X-DRAW", chance=[{"draw": ["?"]}])), catalogs=[catalog()])
    assert {step.outcome for step in replay} == {"ok"}
    last = list(Replay(told(play("A", "X-DRAW", chance=[{"draw": ["?"]}]), answer), catalogs=[catalog()]))[-1]
    assert last.error is not None and last.error.code == "unknown_chance"


def test_a_response_to_nothing_is_refused_with_a_code() -> None:
    last = list(Replay(told(play("B", "X-NO", resp=True)), catalogs=[catalog()]))[-1]
    assert last.error is not None and last.error.code == "no_window"


def test_a_log_needs_a_hero_in_every_list() -> None:
    for commander, code in ((None, "missing_deck"), ("C-0-1-1", "unknown_card")):
        document = told()
        document["seats"]["A"]["deck"]["commander"] = commander
        report = audit(document, catalogs=[catalog()])
        assert report.error is not None and report.error["code"] == code


def test_team_play_is_refused() -> None:
    report = audit(told(options={"I-STN-16": "teams"}), catalogs=[catalog()])
    assert report.error is not None and report.error["code"] == "unknown_option"


def test_a_hidden_hero_is_visible_only_to_its_player() -> None:
    moves = [{"n": 1, "by": "A", "do": "hero", "args": {"card": "?"}}]
    replay = Replay(header(moves=moves), catalogs=[catalog()])
    assert replay.board_at(1, "A")["seats"]["A"]["hidden_hero"]["ref"] == "H-20"
    assert replay.board_at(1, "B")["seats"]["A"]["hidden_hero"] == "?"


def test_a_score_pad_of_pv_is_plausible_or_breaks_a_rule() -> None:
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
def test_a_board_as_text_shows_its_cards_in_each_language(lang: str) -> None:
    replay = engine.Replay(told(play("A", "C-0-1-1")), catalogs=[catalog()])
    text = engine.core.shown.views.as_text(replay.board_at(len(OPENING) + 1), lang)
    assert "[Cast C-0-1-1 0/1/1" in text and "[Cast R-K]" in text


ENDS = ("end_phase", "end_turn")


def without_what_is_implied(document: dict[str, Any]) -> dict[str, Any]:
    """Return the log without the entries that the next kept entry implies."""
    replay = Replay(document)
    list(replay)
    kept: list[dict[str, Any]] = []
    for index, entry in reversed(list(enumerate(document["moves"]))):
        after = kept[-1] if kept else {"resp": True}
        idle = entry["do"] in ENDS or entry.get("args") == {"done": True}
        if idle and not (entry.get("chance") or entry.get("resp") or after.get("resp")):
            found = replay.game.implied(replay.state_at(index), after["by"], after["do"])
            if found is not None and (found.by, found.do, found.args) == (*whose(entry), entry.get("args", {})):
                continue
            if entry["do"] == "end_phase" and after["do"] == "end_turn":
                continue
        kept.append(entry)
    return {**document, "moves": [{**entry, "n": n} for n, entry in enumerate(reversed(kept), 1)]}


def whose(entry: dict[str, Any]) -> tuple[str, str]:
    return entry["by"], entry["do"]


@BOTH
@pytest.mark.parametrize("seeds", [range(5), range(5, 10)])
def test_a_log_without_its_implied_entries_gives_the_same_result(seeds: range, cards: Catalog) -> None:
    written = turns = 0
    for seed in seeds:
        document = a_game(GAME, seed, catalog=cards)
        short = without_what_is_implied(document)
        told, found = audit(document), audit(short)
        assert (found.verdict, found.computed, found.score, found.claims) == (
            told.verdict, told.computed, told.score, told.claims,
        ), seed  # fmt: skip
        written += len(document["moves"]) - len(short["moves"])
        turns += sum(entry["do"] == "begin_turn" for entry in document["moves"])
    assert written > 2 * turns


def test_a_log_without_effects_needs_no_end_phase_entry() -> None:
    for seed in range(4):
        document = a_game(GAME, seed, catalog=PLAIN)
        short = without_what_is_implied(document)
        rest = [entry for entry in short["moves"] if entry["do"] != "end_phase"]
        found = audit({**short, "moves": [{**entry, "n": n} for n, entry in enumerate(rest, 1)]})
        told = audit(document)
        assert (found.verdict, found.computed, found.score) == (told.verdict, told.computed, told.score)


def implied_before(seat: str, do: str, **given: Any) -> tuple[str, str] | None:
    """Return (by, do) of the entry implied before another in a position of A's turn, or None."""
    state = scenario.start({"game": GAME, "given": given})
    found = load_game(GAME).implied(state, seat, do)
    return None if found is None else (found.by, found.do)


@pytest.mark.parametrize(
    ("phase", "memory", "seat", "do", "expected"),
    [
        ("pioche", {}, "A", "play", ("A", "end_phase")),
        ("principale1", {}, "A", "play", None),
        ("principale1", {}, "A", "attack", ("A", "end_phase")),
        ("attaque", {}, "A", "attack", None),
        ("principale2", {}, "A", "attack", None),
        ("finale", {}, "A", "play", None),
        ("principale1", {}, "B", "begin_turn", ("A", "end_turn")),
        ("desengagement", {}, "B", "begin_turn", None),
        ("principale1", {}, "B", "attack", None),
        ("attaque", {"attacking": ["A/field/1"]}, "B", "block", ("A", "attack")),
        ("attaque", {"attacking": ["A/field/1"]}, "A", "attack", None),
        ("attaque", {"attacking": ["A/field/1"]}, "A", "activate", None),
        ("attaque", {"attacking": ["A/field/1"], "declared": ["A"]}, "A", "attack", None),
        ("attaque", {"attacking": ["A/field/1"], "declared": ["A"]}, "A", "end_turn", ("B", "block")),
        ("attaque", {"attacking": ["A/field/1"], "declared": ["A"]}, "B", "begin_turn", ("B", "block")),
        ("attaque", {"attacking": ["A/field/1"], "declared": ["A"]}, "B", "play", None),
    ],
)
def test_the_entry_that_is_implied_before_another(
    phase: str, memory: dict[str, Any], seat: str, do: str, expected: tuple[str, str] | None
) -> None:
    seats = {"A": {"field": ["C-1-1-1"]}}
    assert implied_before(seat, do, seats=seats, turn={"phase": phase}, memory=memory) == expected


def stripped(document: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """Return the log without its recorded chance of these kinds."""
    moves = []
    for entry in document["moves"]:
        chance = [item for item in entry.get("chance", []) if not set(item) & set(kinds)]
        moves.append({**entry, "chance": chance} if chance else {k: v for k, v in entry.items() if k != "chance"})
    return {**document, "moves": moves}


@BOTH
def test_unrecorded_draws_are_unknown_cards(cards: Catalog) -> None:
    for seed in range(4):
        document = a_game(GAME, seed, catalog=cards, hidden=())
        told, found = audit(document), audit(stripped(document, "draw"))
        assert (found.verdict, found.computed, found.score) == (told.verdict, told.computed, told.score), seed


def test_unrecorded_resources_are_in_doubt_only_if_a_listed_one_has_a_power() -> None:
    turn = {"by": "A", "do": "end_turn"}, {"by": "B", "do": "begin_turn"}, play("B", "C-1-2-2")
    # RP-K has an affinity: if it might be among the unrecorded resources, the payment is in doubt.
    for extra, doubts in ((0, ()), (1, ("STN-RSS-2",))):
        document = stripped(told(*turn), "resource")
        listed = deck("X-DRAW", "X-NO", "C-1-2-2")
        listed["main"] |= {"R-K": 10 - extra, **({"RP-K": 1} if extra else {})}
        document["seats"]["B"]["deck"] = listed
        last = list(Replay(document, catalogs=[catalog()]))[-1]
        assert (last.outcome, last.doubts) == ("unverified" if extra else "ok", doubts)


DONE = {"by": "A", "do": "attack", "args": {"done": True}}
UNBLOCKED = {"by": "B", "do": "block", "args": {"done": True}}


def attack(n: int) -> dict[str, Any]:
    return {"by": "A", "do": "attack", "args": {"creature": f"A/field/{n}"}}


def block(creature: int, attacker: int) -> dict[str, Any]:
    return {"by": "B", "do": "block", "args": {"creature": f"B/field/{creature}", "attacker": f"A/field/{attacker}"}}


def fought(seats: dict[str, Any], *moves: dict[str, Any], **options: str) -> tuple[State, Context]:
    """Play a fight in A's attack phase; return the state and the context, which has the interpretations used."""
    item = {"game": GAME, "given": {"seats": seats, "turn": {"phase": "attaque"}}, "moves": moves, "options": options}
    state = scenario.start(item)
    context = Context(state)
    assert scenario.play(item, state, context) == []
    return state, context


@pytest.mark.parametrize("option", ["lost", "hero"])
@pytest.mark.parametrize("points", [0, 1, 3, 6])
@pytest.mark.parametrize("worn", list(itertools.product((0, 1, 5), repeat=2)))
def test_an_attacker_never_deals_more_than_its_attack(points: int, worn: tuple[int, int], option: str) -> None:
    defenders = [{"ref": "C-1-0-2", "marks": {"damage": damage} if damage else {}} for damage in worn]
    seats = {"A": {"field": [f"C-1-{points}-6"]}, "B": {"field": defenders}}
    state, context = fought(seats, attack(1), DONE, block(1, 1), block(2, 1), UNBLOCKED, **{"I-STN-07": option})
    dealt = sum(event[3] for event in context.events if event[0] == "mark" and event[2] == "damage" and event[3] > 0)
    gone = sum(-event[2] for event in context.events if event[0] == "counter")
    assert dealt + gone <= points
    # Each blocker of endurance 2 takes what its earlier damage leaves of it, and no more.
    assert dealt == min(points, sum(max(0, 2 - damage) for damage in worn))
    assert state.counters["B.pv"] == 20 - gone


# Interpretations about the order in which a fight is resolved, with two options of each.
ORDERS = {"I-STN-25": ("entry", "active"), "I-STN-26": ("attacker", "defender"), "I-STN-31": ("once", "after")}


@pytest.mark.parametrize("blocks", [*itertools.permutations([(1, 1), (2, 2)]), ((1, 2),), ((1, 1),), ()])
@pytest.mark.parametrize("first", [1, 2])
def test_a_result_that_depends_on_the_order_depends_on_the_interpretation(
    first: int, blocks: tuple[tuple[int, int], ...]
) -> None:
    seats = {"A": {"pv": 2, "field": ["D-ZAP", "C-1-2-2"]}, "B": {"pv": 2, "field": ["D-ZAP", "D-ZAP"]}}
    moves = [attack(first), attack(3 - first), DONE, *(block(*pair) for pair in blocks), UNBLOCKED]
    found = {}
    for chosen in itertools.product(*ORDERS.values()):
        state, context = fought(seats, *moves, **dict(zip(ORDERS, chosen, strict=True)))
        found[chosen] = (state.result, context.depends_on)
    for (one, (ended, depends_on)), (two, (other, _)) in itertools.permutations(found.items(), 2):
        apart = [gap for gap, a, b in zip(ORDERS, one, two, strict=True) if a != b]
        assert ended == other or any(gap in depends_on for gap in apart), (one, two)


def comes_back(copies: int, hand: list[str], option: str) -> str:
    """Return the verdict on a creature that uses its ability, returns to the hand, is played and uses it again.

    `copies` is how many copies the deck has, `hand` the declared hand, `option` the option of I-STN-24.
    """
    listed = deck("A-GAIN", "X-HOME")
    listed["main"]["A-GAIN"] = copies
    listed["main"][FILLER[-1]] = 3 - copies
    listed["main"] = {ref: n for ref, n in listed["main"].items() if n}
    given = {"A": stellar.side({"field": ["A-GAIN"], "hand": hand, "deck": 29 - len(hand), "ready": 4,
                                "resource_pile": 6}), "B": stellar.side({})}  # fmt: skip
    start = {"kind": "position", "turn": {"n": 5, "seat": "A", "phase": "principale1", "first": "A"},
             "state": {"seats": given}, "memory": {note: [] for note in stellar.NOTES}}  # fmt: skip
    uses = {"by": "A", "do": "activate", "args": {"card": "A/field/1"}}
    moves = [uses, play("A", "X-HOME"), play("A", "A-GAIN"), uses]
    document = header(
        seats={"A": {"deck": listed}, "B": {}}, start=start, options={"I-STN-24": option},
        moves=[{"n": n, **move} for n, move in enumerate(moves, 1)],
    )  # fmt: skip
    return audit(document, catalogs=[catalog()]).verdict


def test_a_copy_from_a_hidden_hand_is_not_assumed_to_be_the_card_returned_to_it() -> None:
    # With three copies and an unknown card in hand, the creature played may be another one, which has not used its
    # ability; with one copy, or a hand that is known, it can only be the same one.
    assert comes_back(3, ["X-HOME", "?"], "once") == "consistent_from"
    assert comes_back(1, ["X-HOME", "?"], "once") == "illegal_action"
    assert comes_back(3, ["X-HOME"], "once") == "illegal_action"
    assert comes_back(1, ["X-HOME"], "again") == "consistent_from"


def test_using_cards_without_text_is_never_illegal() -> None:
    seats = {seat: {"player": seat, "deck": deck("U-SPELL", "X-NO", "C-0-1-1")} for seat in "AB"}
    seats["A"]["deck"]["commander"] = "U-HERO"
    uses = {"by": "A", "do": "activate", "args": {"card": "A/hero"}, "chance": [{"draw": ["?"]}]}
    spell = play("A", "U-SPELL", chance=[{"draw": ["?"]}])
    document = told(uses, uses, spell)
    document["seats"] = seats
    document["moves"][0]["args"] = {"card": "U-HERO"}
    document["moves"][2]["chance"] = [{"draw": ["U-SPELL", "C-0-1-1", "?", "?", "?", "?"]}]
    report = audit(document, catalogs=[catalog()])
    assert (report.verdict, report.first_illegal, report.error) == ("unfinished", None, None)
    steps = list(Replay(document, catalogs=[catalog()]))[len(OPENING) :]
    assert [step.outcome for step in steps] == ["unverified"] * 3
    vouched = {"by": "judge", "do": "ruling", "events": [{"vouch": ["A", ref]} for ref in ("U-HERO", "U-SPELL")]}
    found = told(vouched, uses, spell)
    found["seats"], found["moves"][: len(OPENING)] = seats, document["moves"][: len(OPENING)]
    assert [step.outcome for step in Replay(found, catalogs=[catalog()])][len(OPENING) :] == ["ok"] * 3


BOOK = with_common_rules(rulebook(GAME))


@pytest.mark.parametrize("item", REFUSALS, ids=[f"{item.rule} {item.why}" for item in REFUSALS])
def test_a_refusal_gives_the_right_rule_reason_and_message(item: Refusal) -> None:
    given = {"log": True} if item.given is None else {"given": item.given}
    position = {"game": GAME, "options": item.options, "moves": item.moves, **given}
    state = scenario.start(position)
    reasons = scenario.play(position, state, Context(state))
    assert [(reason.rule, reason.why) for reason in reasons] == [(item.rule, item.why)]
    assert BOOK.message(reasons[0], "en") == item.says


def test_every_reason_in_the_register_has_a_refusal_case() -> None:
    named = {(item.rule, item.why) for item in REFUSALS if item.why}
    own = (rule for rule in BOOK.rules.values() if rule.id.startswith("STN-"))
    assert named == {(rule.id, why) for rule in own for why in rule.whys}


def test_a_refused_move_does_not_apply_the_entries_it_would_imply() -> None:
    fresh = told(play("A", "C-0-1-1"), attack(1))
    replay = Replay(fresh, catalogs=[catalog()])
    assert [step.outcome for step in replay][-1] == "illegal"
    assert replay.state.phase == "principale1"
    gone = told({"by": "B", "do": "begin_turn"}, play("A", "C-0-1-1"))
    report = audit(gone, catalogs=[catalog()])
    assert report.first_illegal is not None and report.first_illegal.n == len(OPENING) + 2
