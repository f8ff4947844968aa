"""Scenarios as data, and the one runner for them. Expected values are worked by hand from the rule text.

A scenario: `name` (the sentence it proves), `lines` of the rule text, `rules`, `options`, and one of

- `given` (a declared board: `turn`, `seats`, `memory`; what is left out is empty, 0, or a deck and a hand large
  enough) or `log` true (a game from its set-up, with `header` changes), then `moves`, and `expect`: `changes` (every
  fact that differs at the end, and no other), `refused` (the rules the last move breaks, all of them),
  `error` (the code of the error the last move is), `leans`
  (interpretations among those it rests on), `free_of` (interpretations it does not rest on), `doubts` (left to a
  ruling), `asks` (the options of a choice left open), `closing` (what the log comes to if it stops here: `winner` and
  `reason`, null where nobody won, and `missing`, the slots still to be shown);
- `deck` (`commander`, `main`, `side`, and `filler`: how many cards nobody asked for), perhaps `format`, `day` and
  `pool` (copies of each ref), and `expect`: `refused`, or nothing;
- `cards` (a catalogue), and `expect`: `problems`, the code, place and suggestions of each the linter finds.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from engine.core import lint, log
from engine.core.agenda import open_window, pending
from engine.core.context import Context
from engine.core.decklist import Decklist
from engine.core.decks import check_deck, find_format
from engine.core.errors import EngineError, Malformed, Violation
from engine.core.events import broken_invariants
from engine.core.game import Closing
from engine.core.places import place
from engine.core.position import read_position
from engine.core.registry import rulebook
from engine.core.replay import Replay, load_game, perform
from engine.core.state import Outcome, State
from tests.engine.kits import KITS, LISTS, Kit

GAME = "star-safir"
FOLDER = Path(__file__).parent.joinpath("scenarios")
SCENARIOS: list[tuple[str, dict[str, Any]]] = [
    (f"{game}, {file.stem}", {"game": game, **scenario})
    for game in LISTS
    for file in sorted(FOLDER.joinpath(game.replace("-", "_")).glob("*.json"))
    for scenario in json.loads(file.read_text(encoding="utf-8"))
]


def naming(rule: str) -> list[dict[str, Any]]:
    """The scenarios that name a rule."""
    return [scenario for _, scenario in SCENARIOS if rule in scenario["rules"]]


def kit_of(scenario: dict[str, Any]) -> Kit:
    """What is known of the game of a scenario; of Star Safir where it names none."""
    return KITS[scenario.get("game", GAME)]


def run(scenario: dict[str, Any], without: str | None = None) -> None:
    """Play a scenario and compare; `without` leaves out every violation of one rule.

    Raises AssertionError where the engine does not do what the scenario expects.
    """
    if "cards" in scenario:
        _run_cards(scenario)
    elif "deck" in scenario:
        _run_deck(scenario, without)
    else:
        _run_game(scenario, without)


def _kept(game: str, reasons: Sequence[Violation], without: str | None) -> list[Violation]:
    """The violations but those of the rule left out; each has its sentence in three languages."""
    book = rulebook(game)
    assert all(book.message(reason, lang) for reason in reasons for lang in ("fr", "en", "it"))
    return [reason for reason in reasons if reason.rule != without]


def _run_cards(scenario: dict[str, Any]) -> None:
    found = lint.lint({"id": "scenario", "game": scenario.get("game", GAME), "cards": scenario["cards"]}).problems
    problems = [[problem.code, problem.path, list(problem.suggestions)] for problem in found]
    assert problems == scenario["expect"]["problems"]


def _run_deck(scenario: dict[str, Any], without: str | None) -> None:
    game, listed = scenario.get("game", GAME), scenario["deck"]
    cards = LISTS[game]
    filler = cards.filler(listed.get("filler", 0))
    main = {**listed["main"], **{ref: filler.count(ref) for ref in filler}}
    form = replace(find_format(game, scenario.get("format")), options=scenario.get("options", {}))
    deck = Decklist(listed.get("commander"), main, listed.get("side", {}))
    day = date.fromisoformat(scenario["day"]) if "day" in scenario else None
    found = check_deck(game, deck, form, catalog=cards.catalog(), on=day, pool=scenario.get("pool"))
    found = _kept(game, found, without)
    expect = scenario["expect"]
    assert sorted(reason.rule for reason in found) == sorted(expect.get("refused", []))
    _check_leans(expect, {name for reason in found for name in reason.depends_on})


def _run_game(scenario: dict[str, Any], without: str | None) -> None:
    state = start(scenario)
    before, context = facts(state), Context(state)
    expect, error = scenario["expect"], None
    try:
        reasons = play(scenario, state, context, without)
    except EngineError as found:
        reasons, error = [], found.code
    assert error == expect.get("error")
    refused = sorted({reason.rule for reason in reasons}) if reasons else None
    assert refused == (sorted(expect["refused"]) if "refused" in expect else None)
    changes = {path: value for path, value in facts(state).items() if value != before[path]}
    assert changes == expect.get("changes", {})
    ask = pending(state)
    assert (None if ask is None else ask["options"]) == expect.get("asks")
    assert "doubts" not in expect or context.doubts == expect["doubts"]
    closing = Closing() if reasons else load_game(scenario.get("game", GAME)).closing(state)
    if "closing" in expect:
        won = closing.outcome or Outcome(None, "", "")
        shown = {"winner": won.winner, "reason": won.reason or None, "missing": [m.fact for m in closing.missing]}
        assert shown == {"winner": None, "reason": None, "missing": [], **expect["closing"]}
    named = {name for reason in reasons for name in reason.depends_on}
    _check_leans(expect, {*context.leaned, *closing.leans, *named})


def _check_leans(expect: dict[str, Any], leaned: Collection[str]) -> None:
    assert [name for name in expect.get("leans", []) if name not in leaned] == []
    assert [name for name in expect.get("free_of", []) if name in leaned] == []


def play(scenario: dict[str, Any], state: State, context: Context, without: str | None = None) -> list[Violation]:
    """Make the moves; the reasons why the last one may not be made."""
    game = load_game(scenario.get("game", GAME))
    for index, raw in enumerate(scenario["moves"]):
        entry = log.parse_entry({"n": index + 1, **raw}, index + 1)
        verb = game.verbs()[entry.do]
        move = verb.parse(state, entry)
        if entry.resp and not open_window(state):
            raise Malformed("no_window", "nothing opens a window to respond in")
        context.window = bool(scenario["moves"][index + 1 : index + 2]) and scenario["moves"][index + 1].get("resp")
        all_reasons = verb.check(state, move)
        if all_reasons:
            reasons = _kept(kit_of(scenario).game, all_reasons, without)
            assert index == len(scenario["moves"]) - 1, f"move {index + 1} is refused: {reasons}"
            return reasons  # none, where the rule left out was the only one: the move would go through
        perform(game, context, verb, move)
        assert not scenario.get("log") or not list(broken_invariants(state))
    return []


def start(scenario: dict[str, Any]) -> State:
    """The state before the moves."""
    options, kit = scenario.get("options", {}), kit_of(scenario)
    if scenario.get("log"):
        return Replay(kit.header(options=options, **scenario.get("header", {})), catalogs=[kit.catalog()]).state
    given = scenario["given"]
    document = {
        "format": 1,
        "game": kit.game,
        "ruleset": kit.ruleset,
        "options": options,
        "catalog": {"id": kit.catalog().id},
        "start": {
            "kind": "position",
            "turn": {**kit.turn, **given.get("turn", {})},
            "state": {
                "seats": {seat: kit.side(given.get("seats", {}).get(seat, {})) for seat in given.get("table", "AB")},
                "common": kit.common(given.get("common", {})),
            },
            "memory": {**kit.memory, **given.get("memory", {})},
        },
    }
    return read_position(document, [kit.catalog()])[1]


def facts(state: State) -> dict[str, Any]:
    """Everything a board shows, flat; slots and discards only where they hold something."""
    found: dict[str, Any] = {"turn": [state.turn, state.seat, state.phase], "result": None}
    if state.result is not None:
        found["result"] = [state.result.winner, state.result.reason]
    found.update(state.counters)
    for path, objects in state.zones.items():
        if path.partition("/")[2] in state.terms.layout.hidden:
            found[path] = len(objects)
        elif path.endswith("/discard"):
            found[path] = [state.refs[obj] for obj in objects]
        elif state.terms.capacity.get(path) == 1:
            found[path] = shown(state, objects[0]) if objects else None
        else:
            found[path] = [shown(state, obj) for obj in objects]
    return found


def shown(state: State, obj: int) -> str:
    """A card with the marks on it, how many beyond one, and where what it is attached to is: "G-T damage:2 engaged"."""
    ref = state.refs[obj] or "?"
    marks = [name if count == 1 else f"{name}:{count}" for name, count in sorted(state.marks.get(obj, {}).items())]
    on = [f"@{place(state, state.hosts[obj])}"] if obj in state.hosts else []
    return " ".join([ref, *marks, *on])
