"""Load the scenarios and run them. A scenario is a rule of a game as data; all games share this runner.

Expected values are worked out by hand from the rule text, never taken from the engine: otherwise a scenario would
confirm the mistakes of the engine.

Every scenario has a `name` (the statement it proves), the `lines` of the rule text it comes from (or the `numbers` of
published rules that differ from it), the `rules` it covers, perhaps `options` (interpretations by id) and another
`ruleset` than the game's first, and `expect`. There are four kinds:

- Play. Starts from `given`, a declared board (`turn`, `seats`, `common`, `memory`; what is left out is empty or 0, or a
  hand and a deck that are large enough), or with `log: true` from the set-up (`header` changes the header of the log).
  Then come `moves`. `expect` may have
  - `changes`: every fact that differs at the end, and no other (none if left out);
  - `refused`: all the rules that the last move breaks; `error`: the code of the error that the last move raises;
  - `depends_on`: interpretations that the result depends on; `free_of`: interpretations that it must not depend on;
  - `doubts`: what is left to a ruling; `asks`: the options of a choice that is still open;
  - `closing`: the result if the log stops here, with `winner` and `reason` (null if nobody won) and `missing` (the
    slots still to be revealed).
- Deck. Checks `deck` (`commander`, `main`, `side`, and `filler`, the number of filler cards to add) under `format`, on
  `day` and with `pool` (copies by ref). `expect` has `refused`, the rules broken, or is empty for a legal deck.
- Team. Checks `decks` (each as `deck` above, by its owner) together under `limit` and `format`. `expect` has `refused`.
- Catalogue. Lints `cards`; `expect` has `problems`: the code, the path and the suggestions of each problem.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from engine.core.cards import lint
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import check_deck, find_format
from engine.core.decks.team_decks import check_team
from engine.core.replay.position import read_position
from engine.core.replay.replay import Replay, load_game, perform
from engine.core.table import log
from engine.core.table.agenda import open_window, pending
from engine.core.table.context import Context
from engine.core.table.events import broken_invariants
from engine.core.table.game import Closing
from engine.core.table.places import place
from engine.core.table.state import Outcome, State
from engine.core.text.errors import EngineError, Malformed, Violation
from engine.core.text.registry import rulebook
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
    """Return the scenarios that name a rule."""
    return [scenario for _, scenario in SCENARIOS if rule in scenario["rules"]]


def kit_of(scenario: dict[str, Any]) -> Kit:
    """Return the kit of the game of a scenario, by default Star Safir."""
    return KITS[scenario.get("game", GAME)]


def run(scenario: dict[str, Any], without: str | None = None) -> None:
    """Run a scenario and compare the outcome with what it expects; `without` drops the violations of one rule.

    Raises AssertionError if the engine does something else.
    """
    if "cards" in scenario:
        _run_cards(scenario)
    elif "deck" in scenario:
        _run_deck(scenario, without)
    elif "decks" in scenario:
        _run_team(scenario, without)
    else:
        _run_game(scenario, without)


def _kept(game: str, reasons: Sequence[Violation], without: str | None) -> list[Violation]:
    """Return the violations except those of the rule `without`; assert that each has a message in three languages."""
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
    _check_dependencies(expect, {name for reason in found for name in reason.depends_on})


def _run_team(scenario: dict[str, Any], without: str | None) -> None:
    game = scenario.get("game", GAME)
    decks, catalog = scenario["decks"], LISTS[game].catalog()
    found = _kept(game, check_team(game, decks, scenario["limit"], scenario.get("format"), catalog=catalog), without)
    assert sorted(reason.rule for reason in found) == sorted(scenario["expect"].get("refused", []))


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
    _check_dependencies(expect, {*context.depends_on, *closing.depends_on, *named})


def _check_dependencies(expect: dict[str, Any], depends_on: Collection[str]) -> None:
    assert [name for name in expect.get("depends_on", []) if name not in depends_on] == []
    assert [name for name in expect.get("free_of", []) if name in depends_on] == []


def play(scenario: dict[str, Any], state: State, context: Context, without: str | None = None) -> list[Violation]:
    """Play the moves and return the reasons for which the last one is illegal; fail if an earlier one is refused."""
    game = load_game(scenario.get("game", GAME))
    for index, raw in enumerate(scenario["moves"]):
        entry = log.parse_entry({"n": index + 1, **raw}, index + 1)
        verb = game.verbs()[entry.do]
        move = verb.parse(state, entry)
        if entry.resp and not open_window(state):
            raise Malformed("no_window", "nothing opens a window to respond in")
        # As in a replay: a window for responses opens only if the next entry is marked as one.
        context.window = bool(scenario["moves"][index + 1 : index + 2]) and scenario["moves"][index + 1].get("resp")
        all_reasons = verb.check(state, move)
        if all_reasons:
            reasons = _kept(kit_of(scenario).game, all_reasons, without)
            assert index == len(scenario["moves"]) - 1, f"move {index + 1} is refused: {reasons}"
            return reasons  # empty if `without` was the only rule broken: without it the move would be legal
        perform(game, context, verb, move)
        # A declared position has no decklists, so the count of its unseen cards is no invariant.
        assert not scenario.get("log") or not list(broken_invariants(state))
    return []


def start(scenario: dict[str, Any]) -> State:
    """Return the state before the moves of a scenario."""
    options, kit = scenario.get("options", {}), kit_of(scenario)
    if scenario.get("log"):
        return Replay(kit.header(options=options, **scenario.get("header", {})), catalogs=[kit.catalog()]).state
    given = scenario["given"]
    document = {
        "format": 1,
        "game": kit.game,
        "ruleset": scenario.get("ruleset", kit.ruleset),
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
    """Return everything that a board shows as one flat mapping from path to value.

    A hidden zone gives the number of its cards, a discard the refs, a slot its card or None, a row its cards in order.
    """
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
    """Return a card as text: ref, marks (with their count if above 1) and host: "G-T damage:2 engaged @A/field/1"."""
    ref = state.refs[obj] or "?"
    marks = [name if count == 1 else f"{name}:{count}" for name, count in sorted(state.marks.get(obj, {}).items())]
    on = [f"@{place(state, state.hosts[obj])}"] if obj in state.hosts else []
    return " ".join([ref, *marks, *on])
