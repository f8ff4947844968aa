"""Random games of Star Safir with random options, with and without effects: invariants, verdicts, corrupted logs."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.core.replay.replay import Replay
from engine.core.report.audit import audit
from engine.core.report.report import Report
from engine.core.table import events
from engine.core.table.context import Context
from engine.core.table.state import State, from_json, to_json
from engine.core.text.registry import rulebook
from engine.core.text.rulebook import with_common_rules
from tests.engine.games import a_game
from tests.engine.spoils import reads

GAME = "star-safir"
PLAIN, EFFECTS = shipped_catalogs(GAME)
GAPS = with_common_rules(rulebook(GAME)).interpretations


def switched(seed: int) -> dict[str, str]:
    """Return a random option for every interpretation."""
    dice = random.Random(seed)
    return {gap.id: dice.choice(list(gap.options)) for gap in GAPS.values()}


def left_open(report: Report) -> bool:
    """Return whether a judge must decide: a ruling or a fact is missing, or the options leave the result open."""
    return bool(report.subject_to or report.missing) or report.computed is None


@pytest.mark.parametrize("catalog", [PLAIN, EFFECTS], ids=["plain", "effects"])
@pytest.mark.parametrize("seed", range(10))
def test_every_event_keeps_the_invariants_and_can_be_undone(
    seed: int, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    emit = Context.emit

    def checked(ctx: Context, *event: Any) -> None:
        # Bookkeeping: these events move no card and change no counter.
        if event[0] in ("agenda", "turn", "note", "clear", "wipe"):
            emit(ctx, *event)
            return
        before = to_json(ctx.state)
        inverse = events.apply(ctx.state, event)
        assert not list(events.broken_invariants(ctx.state)), event
        events.apply(ctx.state, inverse)
        assert to_json(ctx.state) == before, event
        emit(ctx, *event)

    document = a_game(GAME, seed, catalog=catalog, options=switched(seed))
    monkeypatch.setattr(Context, "emit", checked)
    replay = Replay(document, keep=False)
    while (step := replay.step()) is not None:
        assert step.outcome in ("ok", "unverified"), step
        assert not list(events.broken_invariants(replay.state))
        assert again(replay.state) == replay.state


def again(state: State) -> State:
    """Return the state after a JSON round trip."""
    return from_json(json.loads(json.dumps(to_json(state))), state.terms)


@pytest.mark.parametrize("catalog", [PLAIN, EFFECTS], ids=["plain", "effects"])
@pytest.mark.slow
def test_a_random_game_with_random_options_is_confirmed_or_left_to_a_judge(catalog: Catalog) -> None:
    chosen: Counter[tuple[str, str]] = Counter()
    moved = 0
    for seed in range(40):
        options = switched(seed)
        chosen.update(options.items())
        document = a_game(GAME, seed, catalog=catalog, options=options)
        moved += any(entry["do"] == "move" for entry in document["moves"])
        report = audit(document)
        assert report.verdict == "confirmed" or (report.verdict == "undetermined" and left_open(report)), (seed, report)
        assert report.claims == ()
    assert moved
    assert all(chosen[gap.id, option] for gap in GAPS.values() for option in gap.options)


@pytest.mark.slow
def test_200_random_games_include_responses_face_down_cards_and_declined_commanders() -> None:
    seen: Counter[str] = Counter()
    for seed in range(200):
        for entry in a_game(GAME, seed, catalog=EFFECTS)["moves"]:
            seen["response"] += bool(entry.get("resp"))
            seen["commander left out"] += entry["do"] == "commander" and entry["args"]["card"] is None
            seen["face down"] += "face" in entry.get("args", {})
    print(seen)
    assert [word for word in ("response", "commander left out", "face down") if not seen[word]] == []


def retargeted(entry: dict[str, Any], dice: random.Random) -> None:
    """Change the target of an entry: another slot, territory, attacker, answer or actor."""
    args = entry.setdefault("args", {})
    if entry["do"] == "answer":
        places = [
            None,
            "yes",
            "1",
            "2",
            *(f"{seat}/T{t}/fighters/{s}" for seat in "AB" for t in (1, 2) for s in (1, 2, 3)),
        ]
        args["pick"] = dice.choice(places)
    elif entry["do"] == "attack":
        args[dice.choice(["territory", "target"])] = dice.randint(1, 3)
        args["attackers"] = dice.sample([1, 2, 3], dice.randint(1, 3))
    elif "territory" in args:
        args[dice.choice(["territory", "slot"])] = dice.randint(1, 3)
    else:
        entry["by"] = dice.choice(["A", "B", "table", "judge"])


def spoiled(document: dict[str, Any], dice: random.Random) -> tuple[dict[str, Any], int]:
    """Return a log with one entry deleted, doubled, swapped, made a response or retargeted; and its index."""
    found: dict[str, Any] = json.loads(json.dumps(document))
    moves = found["moves"]
    at = dice.randrange(len(moves) - 1)
    how = dice.choice(["delete", "double", "swap", "respond", "aim", "aim", "aim"])
    if how == "delete":
        del moves[at]
    elif how == "double":
        moves.insert(at, dict(moves[at]))
    elif how == "swap":
        moves[at], moves[at + 1] = moves[at + 1], moves[at]
    elif how == "respond":
        moves[at]["resp"] = not moves[at].get("resp", False)
    else:
        retargeted(moves[at], dice)
    for n, move in enumerate(moves, 1):
        move["n"] = n
    return found, at


@pytest.mark.parametrize("catalog", [PLAIN, EFFECTS], ids=["plain", "effects"])
@pytest.mark.slow
def test_a_corrupted_log_is_not_refused_before_the_corrupted_entry(catalog: Catalog) -> None:
    dice, seen = random.Random(7), Counter[str]()
    for seed in range(25):
        document = a_game(GAME, seed, catalog=catalog, options=switched(seed) if seed % 2 else None)
        honest = audit(document)
        for number in range(8):
            log, at = spoiled(document, dice)
            report = audit(log)
            seen[report.verdict] += 1
            refused = report.first_illegal.n if report.first_illegal is not None else (report.error or {}).get("n")
            assert refused is None or refused >= at, (seed, at, report)  # `resp` also affects the entry before it
            if report.first_illegal is not None:
                assert report.first_illegal.violations and report.board is not None
                assert [move["do"] for move in report.first_illegal.legal_alternatives] == (
                    [report.first_illegal.do] * len(report.first_illegal.legal_alternatives)
                )
            if report.verdict == "confirmed":
                assert report.computed == honest.computed
            assert reads(report, 15 * seed + number)
    print(dict(seen))
    assert {"illegal_action", "confirmed", "unreadable"} <= set(seen)
