"""A card nobody can read is in doubt whenever it could act: no game is confirmed over it, and nobody is accused."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

import engine
from engine.core import registry, views
from engine.core.audit import audit
from engine.core.cards import Catalog, load_catalog, vocabulary_of
from engine.core.replay import Replay
from engine.core.report import Report
from tests.engine.cast import OPENING, begin, catalog, deck, end, header, play, told
from tests.engine.games import a_game

GAMES = engine.games()
F = "F-1-1-1"
DOUBTED = ("undetermined", "unfinished")  # the verdicts of a log in which something is in doubt


@cache
def cards_of(game: str) -> dict[str, Any]:
    """The shipped catalogue of a game with the most effects, as JSON."""
    folder = files(registry.package(game)).joinpath("cards")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    found: dict[str, Any] = json.loads(folder.joinpath(names[-1]).read_text(encoding="utf-8"))
    return found


@cache
def played(game: str, seed: int) -> dict[str, Any]:
    """A random legal game with these cards."""
    return a_game(game, seed, catalog=load_catalog(cards_of(game)))


def with_cards(log: dict[str, Any], document: dict[str, Any]) -> tuple[dict[str, Any], Catalog]:
    """The log as if it had been played with another catalogue."""
    cards = load_catalog(document)
    return {**log, "catalog": {"id": cards.id, "sha256": cards.sha256}}, cards


def unsaid(card: dict[str, Any]) -> dict[str, Any]:
    """The card as a list without texts has it: its figures, and nothing about what it does."""
    return {**{key: value for key, value in card.items() if key not in ("abilities", "keywords")}, "text": "?"}


def shown_to_all(game: str, seed: int) -> dict[str, None]:
    """The cards that everybody saw at some moment of the game."""
    replay = Replay(played(game, seed), keep=False)
    found: dict[str, None] = {}
    while replay.step() is not None:
        found.update(dict.fromkeys(refs_in(views.board(replay.state, replay.catalog, None))))
    return found


def refs_in(shown: Any) -> list[str]:
    """Every ref of a board, but for the cards that only lie aside."""
    if isinstance(shown, list):
        return [ref for item in shown for ref in refs_in(item)]
    if isinstance(shown, dict):
        own = [shown["ref"]] if "kind" in shown else []
        return own + [ref for key, item in shown.items() if key != "aside" for ref in refs_in(item)]
    return []


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_with_a_card_of_unknown_text_is_neither_confirmed_nor_illegal(game: str) -> None:
    document = cards_of(game)
    tried = 0
    for seed in range(4):
        seen = sorted(shown_to_all(game, seed))
        for ref in random.Random(seed).sample(seen, min(4, len(seen))):
            cards = [unsaid(card) if card["ref"] == ref else card for card in document["cards"]]
            report = audited_with({**document, "id": "unsaid", "cards": cards}, played(game, seed))
            assert report.verdict in DOUBTED, (seed, ref, report.verdict)
            assert ref in [item["ref"] for item in report.subject_to], (seed, ref)
            tried += 1
    assert tried >= 10


def audited_with(document: dict[str, Any], log: dict[str, Any]) -> Report:
    changed, cards = with_cards(log, document)
    return audit(changed, catalogs=[cards])


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_whose_cards_nobody_can_read_at_all_accuses_nobody(game: str) -> None:
    document = cards_of(game)
    blank = {**document, "id": "unsaid", "cards": [unsaid(card) for card in document["cards"]]}
    for seed in range(3):
        report = audited_with(blank, played(game, seed))
        assert report.verdict in DOUBTED, (seed, report.verdict, report.error)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_of_unknown_text_is_in_doubt_in_every_zone_where_it_may_act(game: str) -> None:
    """A judge puts a card there in the middle of a game, and rules on nothing it does."""
    document = cards_of(game)
    blanks = [blank_card(game, kind) for kind in vocabulary_of(game).kinds]
    cards = {**document, "id": "unsaid", "cards": [*document["cards"], *blanks]}
    layout = registry.module(game, "game").LAYOUT
    log = played(game, 3)
    middle = len(log["moves"]) // 2
    for zone in layout.zones:
        if zone in (*layout.hidden, *layout.idle):
            continue
        for blank in blanks:
            entry = {"by": "judge", "do": "ruling", "reason": "-", "events": [{"create": ["A", blank["ref"], zone]}]}
            report = audited_with(cards, inserted(log, middle, entry))
            if report.first_illegal is not None and report.first_illegal.do == "ruling":
                continue  # the zone is full
            assert report.verdict in DOUBTED, (zone, blank["ref"], report.verdict)
            assert blank["ref"] in [item["ref"] for item in report.subject_to], (zone, blank["ref"])


@pytest.mark.parametrize("game", GAMES)
def test_the_zones_in_which_cards_do_nothing_are_discards_and_what_is_set_aside(game: str) -> None:
    words = ("discard", "graveyard", "exile", "aside", "destroyed")
    layout = registry.module(game, "game").LAYOUT
    assert [zone for zone in layout.idle if not any(word in zone for word in words)] == []


def blank_card(game: str, kind: str) -> dict[str, Any]:
    """A card of a kind of which the text is unknown."""
    figures = dict.fromkeys(vocabulary_of(game).kinds[kind], 1)
    number = list(vocabulary_of(game).kinds).index(kind)
    return {"ref": f"BLANK-{number}", "name": kind, "kind": kind, **figures, "text": "?"}


def inserted(log: dict[str, Any], at: int, entry: dict[str, Any]) -> dict[str, Any]:
    """The log with one more entry after the first `at`."""
    moves = [*log["moves"][:at], entry, *log["moves"][at:]]
    return {**log, "moves": [{**move, "n": n} for n, move in enumerate(moves, 1)]}


# --- what a judge can do about it ------------------------------------------------------------------------------------

KEYWORD = {seat: {"deck": deck(F, "K-1")} for seat in "AB"}  # K-1 bears a keyword that the engine does not enforce
CONCEDE = {"by": "B", "do": "concede"}


def audited(*entries: dict[str, Any], **changes: Any) -> Report:
    return engine.audit(told(*entries, **{"seats": KEYWORD, **changes}), catalogs=[catalog()])


def ruling(*events: dict[str, Any], ref: str | None = None) -> dict[str, Any]:
    return {"by": "judge", "do": "ruling", "reason": "as it was", **({"ref": ref} if ref else {}), "events": [*events]}


VOUCH = {"vouch": ["A", "K-1"]}


def outcomes(report: Report) -> list[tuple[int, str | None, str]]:
    return [(item["n"], item["ref"], item["outcome"]) for item in report.subject_to]


def test_a_card_that_may_act_again_after_a_ruling_is_in_doubt_again() -> None:
    report = audited(*OPENING, play("A", "K-1"), ruling(ref="K-1"), end("A"), CONCEDE)
    assert report.verdict == "undetermined"
    assert outcomes(report) == [(5, "K-1", "ruled"), (6, "K-1", "ruled"), (7, "K-1", "unverified")]


def test_a_card_that_a_judge_vouches_for_is_not_in_doubt_again() -> None:
    report = audited(*OPENING, play("A", "K-1"), ruling(VOUCH, ref="K-1"), end("A"), begin("B", "?"), CONCEDE)
    assert report.verdict == "confirmed"
    assert outcomes(report) == [(5, "K-1", "ruled"), (6, "K-1", "ruled")]


def test_a_card_vouched_for_before_it_is_played_is_never_in_doubt() -> None:
    moves = (*OPENING, ruling(VOUCH), play("A", "K-1"), end("A"), begin("B", "?"))
    assert audited(*moves, CONCEDE).verdict == "confirmed"
    assert audited(*moves, {"by": "A", "do": "manual", "ref": "K-1"}, CONCEDE).verdict == "confirmed"
    assert audited(*moves, {"by": "B", "do": "manual", "ref": "K-1"}, CONCEDE).verdict == "undetermined"


def test_a_judge_vouches_for_the_card_of_one_player() -> None:
    other = ruling({"vouch": ["B", "K-1"]})
    report = audited(*OPENING, play("A", "K-1"), other, end("A"), CONCEDE)
    assert outcomes(report)[-1] == (7, "K-1", "unverified")


def test_a_ruling_that_leaves_the_board_as_it_is_may_follow_the_end() -> None:
    report = audited(*OPENING, play("A", "K-1"), end("A"), CONCEDE, ruling(ref="K-1"), claimed={"winner": "A"})
    assert (report.verdict, report.computed) == ("confirmed", "A")
    late = audited(*OPENING, play("A", "K-1"), end("A"), CONCEDE, ruling({"counter": ["A", "pv", 1]}, ref="K-1"))
    assert late.first_illegal is not None
    assert [reason.rule for reason in late.first_illegal.violations] == ["SAF-I-1"]


def test_a_judge_cannot_vouch_for_a_card_that_is_not_in_the_catalogue() -> None:
    report = audited(*OPENING, ruling({"vouch": ["A", "Z-9"]}))
    assert report.error is not None
    assert (report.verdict, report.error["code"]) == ("unreadable", "unknown_card")


def test_a_refusal_beside_a_card_in_doubt_accuses_nobody() -> None:
    report = audited(*OPENING, play("A", "K-1"), end("B"))
    assert (report.verdict, report.computed) == ("undetermined", None)
    assert report.first_illegal is not None


def test_a_refused_move_that_names_a_card_nobody_can_read_accuses_nobody() -> None:
    report = audited(*OPENING, play("A", F), play("A", "K-1", slot=1))
    assert report.verdict == "undetermined"
    assert outcomes(report) == [(6, "K-1", "unverified")]


def test_a_card_that_was_taken_back_and_stands_no_more_is_not_in_doubt() -> None:
    back = {"by": "judge", "do": "back_to", "args": {"n": 4}}
    report = audited(*OPENING, play("A", "K-1"), back, play("A", F), CONCEDE, claimed={"winner": "A"})
    assert report.verdict == "confirmed"
    assert outcomes(report) == [(5, "K-1", "taken_back")]


def test_a_card_that_stands_after_a_take_back_is_in_doubt_again() -> None:
    back = {"by": "judge", "do": "back_to", "args": {"n": 5}}
    report = audited(*OPENING, play("A", "K-1"), end("A"), back, end("A"), CONCEDE)
    assert report.verdict == "undetermined"


def test_a_game_from_a_position_with_a_card_nobody_can_read_is_not_consistent() -> None:
    start = position(T1={"fighters": ["K-1", None, None], "magics": [None] * 3, "discard": []})
    report = engine.audit({**start, "moves": [{"n": 1, "by": "A", "do": "end_turn"}]}, catalogs=[catalog()])
    assert report.verdict == "undetermined"
    assert outcomes(report) == [(1, "K-1", "unverified")]


def position(**side: Any) -> dict[str, Any]:
    """The header of a log that starts from a position in which A has this on the mat."""
    empty = {"fighters": [None] * 3, "magics": [None] * 3, "discard": []}
    filled = {"pv": 0, "pi": 0, "hand": 5, "deck": 20, "commander": None, "aside": None, "T1": empty, "T2": empty,
              "T3": empty}  # fmt: skip
    memory = {note: [] for note in ("attacked", "arrived", "sacrificed", "moved")}
    turn = {"n": 5, "seat": "A", "phase": "invocation", "first": "A"}
    start = {"kind": "position", "turn": turn, "state": {"seats": {"A": {**filled, **side}, "B": filled}},
             "memory": memory}  # fmt: skip
    return {**header(seats={"A": {}, "B": {}}), "start": start}


def test_a_recorder_takes_the_doubt_back_with_the_entry() -> None:
    game = engine.open_game({**header(seats=KEYWORD), "moves": []}, catalogs=[catalog()])
    for entry in OPENING:
        game.accept(entry)
    assert game.accept(play("A", "K-1")).doubts == ("K-1",)
    game.undo()
    assert game.accept(play("A", F)).doubts == ()
    assert game.accept(play("A", "K-1", slot=2)).doubts == ("K-1",)
