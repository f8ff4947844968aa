"""Effects: order of triggers, chance, hidden cards, loops, and rulings while a choice is open."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

import pytest

from engine.core.abilities.language import MAX_SIDES, faults, used, vocabulary
from engine.core.cards.catalog import load_catalog
from engine.core.cards.lint import lint
from engine.core.effects import force, triggers
from engine.core.effects.host import MAX_FRAMES, Stack
from engine.core.replay.replay import Replay, load_game, perform
from engine.core.report.audit import audit
from engine.core.table import log
from engine.core.table.context import Context
from engine.core.table.events import apply, broken_invariants
from engine.core.table.state import State, to_json
from engine.core.text.errors import EngineError
from engine.games.star_safir.vocabulary import LANGUAGE
from tests.engine.cast import OPENING, begin, catalog, deck, end, keep, play, told
from tests.engine.domain import every_argument
from tests.engine.scenario import GAME, SCENARIOS, start

FILES = ("star-safir, words", "star-safir, choices")
WORDS = [scenario for file, scenario in SCENARIOS if file in FILES and "given" in scenario]
SEATS = {
    seat: {"player": seat, "deck": deck("MM-LOOK", "MM-SEEK", "MM-MIX", "MM-SHOW", "MM-ROB", "MM-DICE", "M-1")}
    for seat in "AB"
}


def opened(*hand: str, **fields: Any) -> tuple[Any, ...]:
    """Return the opening of a game in which A keeps a hand with these cards, the others unknown."""
    return (*OPENING[:1], keep("A", [*hand, *["?"] * (5 - len(hand))]), *OPENING[2:])


def last(*moves: Any) -> tuple[Replay, Any]:
    """Replay a game with the decks of SEATS; return the replay and its last step."""
    replay = Replay(told(*moves, seats=SEATS), catalogs=[catalog()])
    return replay, list(replay)[-1]


def magic(card: str, *chance: Any, slot: int = 1) -> dict[str, Any]:
    entry = play("A", card, 1, slot)
    return {**entry, "chance": list(chance)} if chance else entry


def agree(state: State, refs: list[str]) -> None:
    """Assert that `candidates` lists exactly the moves that `check` accepts, and that the state is not changed."""
    game, before = load_game(GAME), to_json(state)
    verbs = game.verbs()
    legal = [json.dumps(astuple(move)) for move in every_argument(refs) if not verbs[move.do].check(state, move)]
    assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in game.candidates(state))
    assert to_json(state) == before


@pytest.mark.parametrize("scenario", WORDS, ids=[scenario["name"] for scenario in WORDS])
def test_candidates_match_check_with_statics_prohibitions_and_open_choices(
    scenario: dict[str, Any],
) -> None:
    state, game = start(scenario), load_game(GAME)
    for seat in "AB":  # hidden cards can only be those of the tried domain
        state.unseen[seat] = dict.fromkeys(["F-1-1-1", "M-1", "MM-HIDE"], 99)
    refs = ["F-1-1-1", "M-1", "MM-HIDE", *{ref: None for ref in state.refs if ref is not None}]
    refs = list(dict.fromkeys(refs))
    context = Context(state)
    agree(state, refs)
    for index, raw in enumerate(scenario["moves"]):
        entry = log.parse_entry({"n": index + 1, **raw}, index + 1)
        verb = game.verbs()[entry.do]
        move = verb.parse(state, entry)
        if verb.check(state, move):
            return
        perform(game, context, verb, move)
        agree(state, refs)


def test_the_card_of_an_event_triggers_first_then_its_watchers_in_the_order_of_play() -> None:
    state = start({"given": {"seats": {"A": {"T1": {"fighters": ["E-EYE", "E-EYE", "E-EYE"]}}}}})
    one, two, three = (state.zones[f"A/T1/fighters/{slot}"][0] for slot in (1, 2, 3))
    state.memory["live"] = [three, one, two]
    frames = triggers.set_going(state, "destroyed", force.seen(state, two))
    found = [(frame["src"][0], frame["ops"][0]["what"]) for frame in frames]
    assert found == [(two, "pi"), (two, "pv"), (three, "pi"), (one, "pi")]
    stack = Stack(Context(state))
    triggers.push(stack, frames)
    assert stack.frames[-1] == frames[0]


def test_a_card_seen_on_top_of_the_deck_is_the_next_one_drawn() -> None:
    look = magic("MM-LOOK", {"look": ["M-1", "?"]})
    turn = (end("A"), begin("B", "?"), end("B"))
    replay, step = last(*opened("MM-LOOK"), look, *turn, begin("A", "M-1"))
    assert step.outcome == "ok"
    hidden, _ = last(*opened("MM-LOOK"), look, *turn, begin("A", "?"))
    assert "M-1" in [hidden.state.refs[obj] for obj in hidden.state.zones["A/hand"]]
    _, step = last(*opened("MM-LOOK"), look, *turn, begin("A", "MM-MIX"))
    assert (step.outcome, step.error.code) == ("impossible", "already_named")
    assert [replay.state.refs[obj] for obj in replay.state.zones["A/deck"]].count(None) == 24


def test_a_shuffle_forgets_what_was_seen() -> None:
    seen = magic("MM-LOOK", {"look": ["M-1", "?"]})
    moves = (seen, magic("MM-MIX"), end("A"), begin("B", "?"), end("B"), begin("A", "MM-SEEK"))
    replay, step = last(*opened("MM-LOOK", "MM-MIX"), *moves)
    assert step.outcome == "ok"
    assert {replay.state.refs[obj] for obj in replay.state.zones["A/deck"]} == {None}
    assert replay.state.unseen["A"]["M-1"] == 2


def test_a_card_that_is_seen_must_fit_the_registered_list() -> None:
    _, step = last(*opened("MM-LOOK", "M-1", "M-1"), magic("MM-LOOK", {"look": ["M-1", "?"]}))
    assert (step.outcome, step.error.code) == ("impossible", "no_copy_left")


def test_a_search_offers_only_cards_that_the_deck_may_hold() -> None:
    replay, step = last(*opened("MM-SEEK"), magic("MM-SEEK"))
    assert step.outcome == "ok"
    options = replay.state.agenda[-1]["ask"]["options"]
    assert sorted(options) == ["M-1", "MM-DICE", "MM-LOOK", "MM-MIX", "MM-ROB", "MM-SEEK", "MM-SHOW"]
    chosen = {"by": "A", "do": "answer", "args": {"pick": "M-1"}}
    replay, step = last(*opened("MM-SEEK"), magic("MM-SEEK"), chosen)
    assert step.outcome == "ok"
    assert "M-1" in [replay.state.refs[obj] for obj in replay.state.zones["A/hand"]]
    both = ("M-1", "M-1")
    _, step = last(*opened("MM-SEEK", *both), magic("MM-SEEK"), chosen)
    assert [(reason.rule, reason.why) for reason in step.violations] == [("SAF-VIII-1", "choice")]


@pytest.mark.parametrize(
    ("card", "chance", "code"),
    [
        ("MM-DICE", [], "missing_chance"),
        ("MM-DICE", [{"roll": [6, 7]}], "missing_chance"),
        ("MM-DICE", [{"roll": [8, 4]}], "missing_chance"),
        ("MM-DICE", [{"roll": [6, 4]}, {"roll": [6, 4]}], "unknown_chance"),
        ("MM-DICE", [{"pick": "A/T1/fighters/1"}], "missing_chance"),
        ("MM-LOOK", [{"look": ["?"]}], "missing_chance"),
        ("MM-LOOK", [{"look": ["?", "NOBODY"]}], "unknown_card"),
        ("MM-SHOW", [{"reveal": ["?"]}], "missing_chance"),
        ("MM-ROB", [{"pick": "NOBODY"}], "unknown_card"),
        ("MM-ROB", [{"first_player": "A"}], "unknown_chance"),
    ],
)
def test_impossible_chance_is_refused_with_a_code_and_changes_nothing(card: str, chance: list[Any], code: str) -> None:
    replay, step = last(*opened(card), magic(card, *chance))
    assert step.error.code == code
    assert replay.state.zones["A/T1/magics/1"] == []


@pytest.mark.parametrize("chance", [{"roll": [6]}, {"roll": [6, True]}, {"pick": 3}, {"look": "M-1"}])
def test_chance_of_the_wrong_shape_is_malformed(chance: dict[str, Any]) -> None:
    report = audit(told(*opened("MM-DICE"), magic("MM-DICE", chance), seats=SEATS), catalogs=[catalog()])
    assert report.error is not None and report.error["code"] == "wrong_type"


LOOP = {"ref": "LOOP", "name": "Loop", "kind": "combattant", "atk": 1, "val": 1, "def": 1}
LOOPS = {
    "one destroys the other, and the other the one": [
        {"would": "destroyed", "of": {"side": "own"}, "do": [{"op": "destroy", "of": {"side": "own", "take": "all"}}]},
    ],
    "each choice leads to the next": [
        {"on": "played", "do": [{"op": "may", "do": [{"op": "return", "of": {"self": True}}]}]},
        {"would": "returned", "do": [{"op": "may", "do": [{"op": "return", "of": {"self": True}}]}]},
    ],
}  # fmt: skip


def looping(abilities: list[Any]) -> Any:
    filler = [{**LOOP, "ref": f"N-{n}", "name": f"N {n}"} for n in range(15)]
    return load_catalog({"id": "loops", "game": GAME, "cards": [{**LOOP, "abilities": abilities}, *filler]})


def test_effects_that_trigger_each_other_endlessly_are_an_error() -> None:
    cards = looping(LOOPS["one destroys the other, and the other the one"])
    seats = {s: {"player": s, "deck": {"main": {"LOOP": 2, **{f"N-{n}": 2 for n in range(14)}}}} for s in "AB"}
    full = (play("A", "LOOP"), play("A", "N-1", 1, 2), play("A", "N-0", 1, 3))
    moves = (*opened("LOOP", "N-1", "N-0"), *full, {"by": "A", "do": "sacrifice", "args": {"territory": 1, "slot": 3}})
    report = audit(told(*moves, seats=seats, catalog={"id": "loops"}), catalogs=[cards])
    assert report.error is not None and report.error["code"] == "endless_effects"


def test_a_loop_that_spans_choices_is_stopped_and_does_not_grow_without_bound() -> None:
    cards = looping(LOOPS["each choice leads to the next"])
    seats = {s: {"player": s, "deck": {"main": {"LOOP": 2, **{f"N-{n}": 2 for n in range(14)}}}} for s in "AB"}
    yes = {"by": "A", "do": "answer", "args": {"pick": "yes"}}
    document = told(*opened("LOOP"), play("A", "LOOP"), *[yes] * MAX_FRAMES, seats=seats, catalog={"id": "loops"})
    replay = Replay(document, catalogs=[cards])
    steps = list(replay)
    assert steps[-1].error is not None and steps[-1].error.code == "endless_effects"
    assert len(steps) < MAX_FRAMES
    assert len(json.dumps(to_json(replay.state)["agenda"])) < 2_000


EXAMPLE = {"op": "gain", "what": "pi", "n": 1, "who": "controller"}


def test_the_example_card_of_the_design_is_executed_and_passes_the_linter_with_a_hint() -> None:
    card = {"ref": "DEMO-SAF-014", "game": GAME, "name": "Guet", "kind": "combattant", "factions": ["Humain"],
            "atk": 2, "val": 3, "def": 5, "keywords": [{"kw": "Rempart"}], "text": "Gagnez 1 PI.",
            "abilities": [{"on": "destroyed", "do": [EXAMPLE]}]}  # fmt: skip
    document = {"id": "one", "game": GAME, "cards": [card]}
    report = lint(document)
    assert (report.problems, [hint.code for hint in report.hints]) == ((), ["UNBOUND"])
    assert load_catalog(document)["DEMO-SAF-014"].executable


@pytest.mark.parametrize(
    ("ability", "path"),
    [
        ({"on": "start_turn", "of": {}, "do": [{"op": "draw", "n": 1}]}, ".of"),
        ({"on": "played", "static": {}}, ""),
        ({"would": "destroyd", "do": [{"op": "draw", "n": 1}]}, ".would"),
        ({"would": ["destroyed"], "do": [{"op": "draw", "n": 1}]}, ".would"),
        ({"static": {"stat": "atk", "cost": 1, "to": {}}}, ".static"),
        ({"static": {"forbid": "sleep", "to": {}}}, ".static.forbid"),
        ({"static": {"grant": "Transformation", "to": {}}}, ".static.grant"),
        ({"static": {"cost": 1, "to": {"where": {"stat": "atk"}}}}, ".static"),
        ({"static": {"stat": "atk", "add": {"roll": 6}, "to": {}}}, ".static"),
        ({"on": "played", "do": [{"op": "cannot", "what": "attack", "for": "turn"}]}, ".do[0]"),
        ({"on": "played", "do": [{"op": "gain", "what": "pi", "n": {"roll": MAX_SIDES + 1}}]}, ".do[0].n.roll"),
        ({"on": "played", "do": [{"op": "gain", "what": "pi", "n": {"roll": 6, "count": {}}}]}, ".do[0].n"),
        ({"on": "played", "do": [{"op": "draw", "n": 1, "who": []}]}, ".do[0].who"),
    ],
)
def test_an_invalid_ability_is_reported_with_its_path(ability: dict[str, Any], path: str) -> None:
    assert [fault.path for fault in faults(ability, LANGUAGE)] == [path]


def test_every_word_that_a_card_uses_is_counted_in_its_group() -> None:
    groups = vocabulary(LANGUAGE)
    found = [
        word for card in catalog().cards.values() for ability in card.abilities for word in used(ability, LANGUAGE)
    ]
    assert {group for group, _ in found} == set(groups)
    assert all(word in groups[group] for group, word in found)


def test_an_error_in_the_middle_of_an_answer_leaves_the_choice_open() -> None:
    state = start(next(item for item in WORDS if "recorded with the answer" in item["name"]))
    game, context = load_game(GAME), Context(state)
    verbs = game.verbs()
    entry = log.parse_entry({"n": 1, **play("A", "MM-DRAW")}, 1)
    perform(game, context, verbs["play"], verbs["play"].parse(state, entry))
    before = to_json(state)
    short = log.parse_entry({"n": 2, "by": "A", "do": "answer", "args": {"pick": None}, "chance": [{"draw": ["?"]}]}, 2)
    with pytest.raises(EngineError):
        perform(game, context, verbs["answer"], verbs["answer"].parse(state, short))
    assert to_json(state) == before


def test_an_answer_to_a_choice_with_one_option_is_accepted_and_changes_nothing() -> None:
    """MM-SLAY has one possible target, so no choice is opened; a scribe may still record the only answer."""
    seats = {seat: {"player": seat, "deck": deck("MM-SLAY", "F-1-1-1")} for seat in "AB"}
    moves = (*OPENING, play("A", "F-1-1-1"), end("A"), begin("B", "?"), play("B", "MM-SLAY"))
    answer = {"by": "B", "do": "answer", "args": {"pick": "A/T1/fighters/1"}}

    def played(*answers: Any) -> tuple[Replay, Any]:
        replay = Replay(told(*moves, *answers, seats=seats), catalogs=[catalog()])
        return replay, list(replay)[-1]

    silent, step = played()
    assert (step.outcome, silent.state.agenda) == ("ok", ())
    written, step = played(answer)
    assert (step.outcome, step.events, to_json(written.state)) == ("ok", (), to_json(silent.state))
    for wrong in ((answer, answer), ({**answer, "by": "A"},), ({**answer, "args": {"pick": "A/T1/fighters/2"}},)):
        assert played(*wrong)[1].outcome == "illegal"


def test_swapping_two_cards_is_undone_exactly() -> None:
    state = start({"given": {"seats": {"A": {"T1": {"fighters": ["F-1-1-1", None, None]}},
                                       "B": {"T2": {"fighters": ["F-2-2-2", None, None]}}}}})  # fmt: skip
    one, two = state.zones["A/T1/fighters/1"][0], state.zones["B/T2/fighters/1"][0]
    before = to_json(state)
    inverse = apply(state, ("swap", one, two))
    assert (state.where[one], state.zones["A/T1/fighters/1"]) == ("B/T2/fighters/1", [two])
    assert not list(broken_invariants(state))
    apply(state, inverse)
    assert to_json(state) == before


@pytest.mark.parametrize(("option", "takes"), [("yes", 1), (None, 0)])
def test_a_choice_may_be_left_to_the_opponent(option: str | None, takes: int) -> None:
    offer = {"op": "may", "who": "opponent", "do": [{"op": "gain", "what": "pv", "n": 1, "who": "opponent"}]}
    cards = looping([{"on": "played", "do": [offer]}])
    seats = {s: {"player": s, "deck": {"main": {"LOOP": 2, **{f"N-{n}": 2 for n in range(14)}}}} for s in "AB"}
    answer = {"by": "B", "do": "answer", "args": {"pick": option}}
    document = told(*opened("LOOP"), play("A", "LOOP"), answer, seats=seats, catalog={"id": "loops"})
    replay = Replay(document, catalogs=[cards])
    assert [step.outcome for step in replay][-1] == "ok"
    assert replay.state.counters["B.pv"] == takes


MEANWHILE = {
    "the target of a choice": ("E-SLAY", [], {"discard": ["B", "T1/fighters/1"]}, "B/T1/fighters/1"),
    "the card to be moved": ("E-MARCH", ["A/T1/fighters/2"], {"return": ["A", "T1/fighters/2"]}, "A/T2/fighters/1"),
    "the card in danger": ("MM-SLAY", ["B/T1/fighters/2"], {"return": ["B", "T1/fighters/2"]}, "B/T1/fighters/3"),
    "its guard": ("MM-SLAY", ["B/T1/fighters/2"], {"discard": ["B", "T1/fighters/3"]}, "B/T1/fighters/3"),
    "the cards of a hand": ("MM-DROP", [], {"draw": ["B", ["?"]]}, "F-1-1-1"),
}  # fmt: skip


@pytest.mark.parametrize("what", MEANWHILE)
def test_a_ruling_between_a_choice_and_its_answer_does_not_crash(what: str) -> None:
    card, answers, event, pick = MEANWHILE[what]
    mine = {"pi": 1, "hand": [card], "T1": {"fighters": [None, "F-1-1-1", "F-1-2-1"]}}
    theirs = {"hand": ["F-1-1-1", "F-2-2-2"], "T1": {"fighters": ["F-2-1-1", "E-TWICE", "E-GUARD"]}}
    state, game = start({"given": {"seats": {"A": mine, "B": theirs}}}), load_game(GAME)
    verbs, context = game.verbs(), Context(state)
    entries = [play("A", card), *({"by": "A", "do": "answer", "args": {"pick": item}} for item in answers)]
    entries += [{"by": "judge", "do": "ruling", "ref": card, "reason": "it was not there", "events": [event]}]
    for n, raw in enumerate(entries, 1):
        entry = log.parse_entry({"n": n, **raw}, n)
        perform(game, context, verbs[entry.do], verbs[entry.do].parse(state, entry))
    by = state.agenda[-1]["ask"]["by"]
    last_entry = log.parse_entry({"n": 9, "by": by, "do": "answer", "args": {"pick": pick}}, 9)
    move = verbs["answer"].parse(state, last_entry)
    assert not verbs["answer"].check(state, move)
    perform(game, context, verbs["answer"], move)
    assert not [problem for problem in broken_invariants(state) if "hidden" not in problem]
