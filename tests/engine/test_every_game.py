"""What must hold for random games of every game: invariants, verdicts, tails, candidates, half-logs, recorder."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from engine.core.cards.catalog import Catalog, shipped_catalogs, vocabulary_of
from engine.core.cards.lint import lint
from engine.core.decks.rules import check_deck
from engine.core.replay.merge import merge
from engine.core.replay.position import as_start
from engine.core.replay.recorder import open_game
from engine.core.replay.replay import Replay, load_game
from engine.core.report.audit import audit
from engine.core.report.report import VERDICTS, Report
from engine.core.table import events
from engine.core.table.context import Context
from engine.core.table.state import from_json, to_json
from tests.engine.games import a_game
from tests.engine.kits import KITS
from tests.engine.spoils import reads

ROOT = Path(__file__).parents[2]
SMALL = 6  # with more cards in a rest zone (Wakfu) there are too many payments to try

# The ways in which each game ends by its own rules, the most frequent one first.
ENDINGS = {
    "altered": ("distance", "arena"),
    "saint-seiya": ("points",),
    "star-safir": ("pv",),
    "stellar-nexus": ("hero", "deck"),
    "wakfu": ("fallen", "deck"),
}
RESPONSES = ("star-safir", "stellar-nexus")  # the games in which a move can be a response to another
NONSENSE: tuple[Any, ...] = (
    0, 1, 9, -1, None, True, "?", "", "A/rest/1", "A/leader", "B/combat/99", [], [1, 1], ["A/leader"], {}, "x" * 300,
)  # fmt: skip


CATALOGS = [catalog for game in KITS for catalog in shipped_catalogs(game)]
each_catalog = pytest.mark.parametrize("catalog", CATALOGS, ids=[catalog.id for catalog in CATALOGS])


@each_catalog
@pytest.mark.parametrize("seed", range(2))
def test_the_invariants_hold_after_every_event_and_the_state_survives_a_json_round_trip(
    catalog: Catalog, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    emit = Context.emit

    def checked(ctx: Context, *event: object) -> None:
        emit(ctx, *event)
        assert not list(events.broken_invariants(ctx.state))

    document = a_game(catalog.game, seed, catalog=catalog)
    monkeypatch.setattr(Context, "emit", checked)
    replay = Replay(document, keep=False)
    while (step := replay.step()) is not None:
        assert step.outcome == "ok"
        assert from_json(json.loads(json.dumps(to_json(replay.state))), replay.state.terms) == replay.state


@each_catalog
@pytest.mark.slow
def test_8_random_games_are_confirmed(catalog: Catalog) -> None:
    ends: Counter[str] = Counter()
    for seed in range(8):
        report = audit(a_game(catalog.game, seed, catalog=catalog))
        assert (report.verdict, report.claims) == ("confirmed", ()), (seed, report.as_text("en"))
        ends[str(report.reason)] += 1
    assert ends[ENDINGS[catalog.game][0]] >= 4


PAGE = ROOT / "docs" / "engine.md"
CALLED = ("concession", "agreement", "time", "penalty")  # ways to end that are common to all games


def rare(game: str) -> list[str]:
    """Return the words that random games never use according to docs/engine.md."""
    table = PAGE.read_text(encoding="utf-8").split("### Words that random games do not use")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([\w -]+) \| (\w+) `([\w:]+)` \|", table, re.MULTILINE)
    return [f"{kind} {word}" for where, kind, word in rows if where in (game, "every game")]


def told(game: str, count: int, hash_seed: str) -> list[str]:
    """Return the summary of so many random games of each catalogue, from a process of its own with this hash seed."""
    return subprocess.run(
        [sys.executable, "-m", "tests.engine.played", game, str(count)], cwd=ROOT, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True,
    ).stdout.splitlines()  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", KITS)
def test_200_random_games_are_confirmed_50_the_same_under_two_hash_seeds_and_every_word_occurs(game: str) -> None:
    lines = told(game, 200, "1")
    firsts = [line for at, line in enumerate(lines[:-1]) if at % 200 < 50]
    assert told(game, 50, "2")[:-1] == firsts
    *games, seen = (json.loads(line) for line in lines)
    print(seen)
    assert len(games) == 200 * len(shipped_catalogs(game))
    assert [item for item in games if item[4:] != ["confirmed", 0]] == []
    vocabulary = vocabulary_of(game)
    assert vocabulary.language is not None
    wanted = [f"verb {verb}" for verb in load_game(game).habits]
    wanted += [f"end {end}" for end in (*ENDINGS[game], *CALLED)]
    wanted += [f"seats {count}" for count in range(2, len(load_game(game).seats) + 1)]
    wanted += ["response"] if game in RESPONSES else []
    wanted += [f"operation {word}" for word in vocabulary.language.operations]
    wanted += [f"trigger {word}" for word in vocabulary.language.triggers]
    wanted += [f"keyword {word}" for word in vocabulary.keywords]
    assert sorted(word for word in wanted if not seen.get(word)) == sorted(rare(game))


@each_catalog
def test_the_tail_of_a_random_game_is_consistent_from_its_position(catalog: Catalog) -> None:
    dice = random.Random(5)
    for seed in range(4):
        document = a_game(catalog.game, seed, catalog=catalog)
        replay = Replay(document)
        for cut in (0, 1, *(dice.randrange(2, len(document["moves"])) for _ in range(4))):
            start = json.loads(json.dumps(as_start(replay.game, replay.state_at(cut))))
            moves = [{**move, "n": n} for n, move in enumerate(document["moves"][cut:], 1)]
            report = audit({**document, "start": start, "moves": moves})
            assert (report.verdict, report.claims) == ("consistent_from", ()), (seed, cut, report.as_text("en"))


def named(value: Any, facts: list[str]) -> bool:
    """Return whether a declared value refers to a place that is left out."""
    if isinstance(value, str):
        return any(value == fact or value.startswith(f"{fact}/") for fact in facts)
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(named(item, facts) for item in items)


def sides(start: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what a position declares, by the first part of the paths of its facts."""
    state = start["state"]
    shared = {"common": state["common"]} if "common" in state else {}
    return {**state["seats"], **shared, "turn": start["turn"], "memory": start["memory"]}


def blanked(document: dict[str, Any], facts: list[str]) -> dict[str, Any]:
    """Return the log with facts of its position left out, and everything that refers to them."""
    start = json.loads(json.dumps(document["start"]))
    for fact in facts:
        side, _, key = fact.partition("/")
        sides(start)[side].pop(key, None)
    for side in start["state"]["seats"].values():
        for zone, cards in list(side.items()):
            rows = cards if isinstance(cards, list) else [cards]
            if any(isinstance(card, dict) and named(card.get("on"), facts) for card in rows):
                del side[zone]
    if named(start.get("lasting", []), facts):
        del start["lasting"]
    return {**document, "start": start}


@each_catalog
def test_leaving_out_facts_may_make_a_verdict_undetermined_but_never_different(catalog: Catalog) -> None:
    asked = 0
    for seed in range(3):
        dice = random.Random(f"blank/{seed}")
        document = a_game(catalog.game, seed, catalog=catalog)
        replay = Replay(document)
        for cut in dice.sample(range(2, len(document["moves"]) - 1), 2):
            start = json.loads(json.dumps(as_start(replay.game, replay.state_at(cut))))
            moves = [{**move, "n": n} for n, move in enumerate(document["moves"][cut:], 1)]
            if start.get("agenda") or moves[0].get("resp"):
                continue
            if seed % 2:  # the wrong player: usually an illegal move
                moves[0] = {**moves[0], "by": "B" if moves[0]["by"] == "A" else "A"}
            rest = {**document, "start": start, "moves": moves}
            sure = audit(rest)
            paths = [f"{side}/{key}" for side, told in sides(start).items() for key in told]
            for _ in range(4):
                facts = dice.sample(paths, dice.randint(1, 3))
                asked += same_or_asked(sure, audit(blanked(rest, facts)), (seed, cut, facts))
    assert asked


def same_or_asked(sure: Report, found: Report, case: Any) -> bool:
    """Return whether a fact is asked for; otherwise assert that the verdict is the same as with all facts."""
    if found.verdict == "undetermined":
        assert found.missing or sure.verdict == "undetermined", case
        return True
    assert (found.verdict, found.computed) == (sure.verdict, sure.computed), (case, found.as_text("en"))
    if sure.verdict == "illegal_action":
        assert sure.first_illegal is not None and found.first_illegal is not None
        rules = [reason.rule for reason in sure.first_illegal.violations]
        assert found.first_illegal.n == sure.first_illegal.n, case
        assert all(reason.rule in rules for reason in found.first_illegal.violations), case
    return False


@pytest.mark.parametrize("game", KITS)
def test_a_random_deck_is_legal_and_the_shipped_cards_are_clean(game: str) -> None:
    for catalog in shipped_catalogs(game):
        document = json.loads(
            ROOT.joinpath("engine", "games", KITS[game].folder, "cards", f"{catalog.id}.json").read_text("utf-8")
        )
        assert lint(document).problems == ()
        assert len(catalog.cards) >= 60
    for seed in range(5):
        seats = a_game(game, seed)["seats"]
        assert [check_deck(game, seat["deck"]) for seat in seats.values()] == [[] for _ in seats]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_candidates_of_wakfu_are_exactly_the_moves_that_check_accepts(seed: int) -> None:
    kit = KITS["wakfu"]
    replay = Replay(a_game(kit.game, seed, hidden=()), keep=False)
    verbs, compared, n = replay.game.verbs(), 0, 0
    while replay.step() is not None:
        state, n = replay.state, n + 1
        if n % 3 or max(len(state.zones[f"{seat}/rest"]) for seat in "AB") > SMALL:
            continue
        hands = {state.refs[obj] for seat in "AB" for obj in state.zones[f"{seat}/hand"]}
        # Three cards in hand, and one that may not be: its plays must be refused.
        refs = [*sorted(ref for ref in hands if ref is not None)[:3], "DEMO-WAK-001"]
        tried = [move for move in kit.every_argument(state, refs) if not verbs[move.do].check(state, move)]
        legal = [json.dumps(astuple(move)) for move in tried]
        known = [move for move in replay.game.candidates(state) if move.args.get("card", refs[0]) in refs or "/" in str(
            move.args.get("card"))]  # fmt: skip
        paid = [move for move in known if len(move.args.get("pay", ())) <= 3]  # as many as the domain tries
        assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in paid)
        compared += 1
    assert compared > 5


def altered(document: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return a log with one entry deleted, doubled, swapped, of another actor, without a key or with a bad argument."""
    found: dict[str, Any] = json.loads(json.dumps(document))
    moves = found["moves"]
    index, other, what = dice.randrange(len(moves)), dice.randrange(len(moves)), dice.randrange(6)
    entry = moves[index]
    if what == 0:
        del moves[index]
    elif what == 1:
        moves.insert(index, dict(entry))
    elif what == 2:
        moves[index], moves[other] = moves[other], moves[index]
    elif what == 3:
        entry["by"] = dice.choice(["A", "B", "table", "judge", None])
    elif what == 4:
        entry.pop(dice.choice(sorted(entry)))
    else:
        keys = sorted({key for move in moves for key in move.get("args", {})}) or ["card"]
        entry.setdefault("args", {})[dice.choice(keys)] = dice.choice(NONSENSE)
    for n, move in enumerate(moves):
        move["n"] = n + 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", KITS)
def test_a_mutated_log_always_gets_a_verdict(game: str) -> None:
    dice = random.Random(3)
    seen: Counter[str] = Counter()
    for seed in range(8):
        document = a_game(game, seed)
        for number in range(15):
            report = audit(altered(document, dice))
            assert report.verdict in VERDICTS
            assert reads(report, 15 * seed + number)
            seen[report.verdict] += 1
    print(seen)
    assert {"illegal_action", "unreadable"} <= set(seen)


@pytest.mark.parametrize("game", KITS)
@pytest.mark.slow
def test_the_half_logs_of_both_players_merge_into_the_whole_log(game: str) -> None:
    for seed in range(4):
        whole, mine, theirs = (a_game(game, seed, hidden=hidden) for hidden in ((), ("B",), ("A",)))
        for document in (whole, mine, theirs):
            for move in document["moves"]:
                move.pop("claims", None)
        assert merge(mine, theirs)["moves"] == whole["moves"]
        assert audit(merge(mine, theirs)).verdict == "confirmed"


@pytest.mark.parametrize("game", KITS)
def test_the_recorder_offers_and_accepts_every_move_of_a_game_and_undoes_the_last(game: str) -> None:
    document = a_game(game, 4)
    header = {key: value for key, value in document.items() if key not in ("moves", "claimed")}
    live = open_game({**header, "moves": []})
    for entry in document["moves"][:40]:
        offered = live.legal_moves(entry["by"])
        assert entry["do"] in [move["do"] for move in offered] or entry["do"] in ("concede", "time", "draw_agreed")
        live.accept(entry)
    before = live.digest
    last = live.undo()
    live.accept(last)
    assert live.digest == before


@pytest.mark.slow
@pytest.mark.parametrize("game", KITS)
def test_the_digest_does_not_depend_on_the_hash_seed(game: str) -> None:
    code = (
        "from engine.core.replay import selfplay; from engine.core.table import log\n"
        "from engine.core.replay.replay import Replay\n"
        f"r = Replay(log.canonical(selfplay.play('{game}', 11)), keep=False)\n"
        "while r.step(): pass\n"
        "print(r.digest, r.state.digest(), r.depends_on)"
    )
    found = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert found[0] == found[1] != ""
