"""A card that the engine cannot execute puts the game in doubt whenever it could act.

Such a game is not confirmed and no move in it is judged illegal, until a judge rules on the card or vouches for it.
"""

from __future__ import annotations

import json
import random
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

import engine
from engine.core.cards.catalog import Catalog, load_catalog, vocabulary_of
from engine.core.replay.replay import Replay
from engine.core.report.audit import audit
from engine.core.report.report import Report
from engine.core.shown import views
from engine.core.text import registry
from tests.engine.cast import OPENING, begin, catalog, deck, end, header, play, told
from tests.engine.games import a_game

GAMES = engine.games()
F = "F-1-1-1"
DOUBTED = ("undetermined", "unfinished")  # the verdicts of a log in which something is in doubt


@cache
def cards_of(game: str) -> dict[str, Any]:
    """Return the shipped catalogue of a game with the most effects (the last by name), as JSON."""
    folder = files(registry.package(game)).joinpath("cards")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    found: dict[str, Any] = json.loads(folder.joinpath(names[-1]).read_text(encoding="utf-8"))
    return found


@cache
def played(game: str, seed: int) -> dict[str, Any]:
    """Return a random legal game with these cards."""
    return a_game(game, seed, catalog=load_catalog(cards_of(game)))


def with_cards(log: dict[str, Any], document: dict[str, Any]) -> tuple[dict[str, Any], Catalog]:
    """Return the log as if it had been played with another catalogue, and that catalogue."""
    cards = load_catalog(document)
    return {**log, "catalog": {"id": cards.id, "sha256": cards.sha256}}, cards


def unsaid(card: dict[str, Any]) -> dict[str, Any]:
    """Return the card as a list without texts would have it: its figures, and nothing about its effects."""
    return {**{key: value for key, value in card.items() if key not in ("abilities", "keywords")}, "text": "?"}


def shown_to_all(game: str, seed: int) -> dict[str, None]:
    """Return the refs of the cards that were public at some moment of the game."""
    replay = Replay(played(game, seed), keep=False)
    found: dict[str, None] = {}
    while replay.step() is not None:
        found.update(dict.fromkeys(refs_in(views.board(replay.state, replay.catalog, None))))
    return found


def refs_in(shown: Any) -> list[str]:
    """Return every ref on a board, except those of cards set aside. A selector has a kind too, but no ref."""
    if isinstance(shown, list):
        return [ref for item in shown for ref in refs_in(item)]
    if isinstance(shown, dict):
        own = [shown["ref"]] if "kind" in shown and "ref" in shown else []
        return own + [ref for key, item in shown.items() if key != "aside" for ref in refs_in(item)]
    return []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_random_game_with_one_card_without_text_is_neither_confirmed_nor_illegal(game: str) -> None:
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
def test_a_random_game_in_which_no_card_has_a_text_is_neither_confirmed_nor_illegal(game: str) -> None:
    document = cards_of(game)
    blank = {**document, "id": "unsaid", "cards": [unsaid(card) for card in document["cards"]]}
    for seed in range(3):
        report = audited_with(blank, played(game, seed))
        assert report.verdict in DOUBTED, (seed, report.verdict, report.error)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_card_without_text_is_in_doubt_in_every_zone_where_it_may_act(game: str) -> None:
    """A ruling puts the card into the zone in the middle of a game, and says nothing about its effects."""
    document = cards_of(game)
    blanks = [blank_card(game, kind) for kind in vocabulary_of(game).kinds]
    cards = {**document, "id": "unsaid", "cards": [*document["cards"], *blanks]}
    layout = registry.module(game, "game").LAYOUT
    log = played(game, 3)
    middle = len(log["moves"]) // 2
    for zone in layout.zones:
        if zone in (*layout.hidden, *layout.idle):
            continue  # cards there do nothing by their text
        for blank in blanks:
            entry = {"by": "judge", "do": "ruling", "reason": "-", "events": [{"create": ["A", blank["ref"], zone]}]}
            report = audited_with(cards, inserted(log, middle, entry))
            if report.first_illegal is not None and report.first_illegal.do == "ruling":
                continue  # the ruling was refused: the zone is full
            assert report.verdict in DOUBTED, (zone, blank["ref"], report.verdict)
            assert blank["ref"] in [item["ref"] for item in report.subject_to], (zone, blank["ref"])


@pytest.mark.parametrize("game", GAMES)
def test_only_discards_and_zones_of_cards_set_aside_are_idle(game: str) -> None:
    words = ("discard", "graveyard", "exile", "aside", "destroyed")
    layout = registry.module(game, "game").LAYOUT
    assert [zone for zone in layout.idle if not any(word in zone for word in words)] == []


def blank_card(game: str, kind: str) -> dict[str, Any]:
    """Return a card of a kind, with unknown text."""
    figures = dict.fromkeys(vocabulary_of(game).kinds[kind], 1)
    number = list(vocabulary_of(game).kinds).index(kind)
    return {"ref": f"BLANK-{number}", "name": kind, "kind": kind, **figures, "text": "?"}


def inserted(log: dict[str, Any], at: int, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the log with one more entry after the first `at`."""
    moves = [*log["moves"][:at], entry, *log["moves"][at:]]
    return {**log, "moves": [{**move, "n": n} for n, move in enumerate(moves, 1)]}


# --- what a judge can do about it ------------------------------------------------------------------------------------

KEYWORD = {seat: {"deck": deck(F, "K-1")} for seat in "AB"}  # K-1 has a `manual` effect
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


def test_a_judge_vouches_for_the_card_of_one_player_only() -> None:
    other = ruling({"vouch": ["B", "K-1"]})
    report = audited(*OPENING, play("A", "K-1"), other, end("A"), CONCEDE)
    assert outcomes(report)[-1] == (7, "K-1", "unverified")


def test_a_ruling_that_does_not_change_the_board_may_follow_the_end_of_the_game() -> None:
    report = audited(*OPENING, play("A", "K-1"), end("A"), CONCEDE, ruling(ref="K-1"), claimed={"winner": "A"})
    assert (report.verdict, report.computed) == ("confirmed", "A")
    late = audited(*OPENING, play("A", "K-1"), end("A"), CONCEDE, ruling({"counter": ["A", "pv", 1]}, ref="K-1"))
    assert late.first_illegal is not None
    assert [reason.rule for reason in late.first_illegal.violations] == ["SAF-I-1"]


def test_a_judge_cannot_vouch_for_a_card_that_is_not_in_the_catalogue() -> None:
    report = audited(*OPENING, ruling({"vouch": ["A", "Z-9"]}))
    assert report.error is not None
    assert (report.verdict, report.error["code"]) == ("unreadable", "unknown_card")


def test_a_refused_move_is_undetermined_while_a_card_is_in_doubt() -> None:
    report = audited(*OPENING, play("A", "K-1"), end("B"))
    assert (report.verdict, report.computed) == ("undetermined", None)
    assert report.first_illegal is not None


def test_a_refused_play_of_a_card_the_engine_cannot_execute_is_undetermined() -> None:
    report = audited(*OPENING, play("A", F), play("A", "K-1", slot=1))
    assert report.verdict == "undetermined"
    assert outcomes(report) == [(6, "K-1", "unverified")]


def test_a_card_whose_play_was_taken_back_is_not_in_doubt() -> None:
    back = {"by": "judge", "do": "back_to", "args": {"n": 4}}
    report = audited(*OPENING, play("A", "K-1"), back, play("A", F), CONCEDE, claimed={"winner": "A"})
    assert report.verdict == "confirmed"
    assert outcomes(report) == [(5, "K-1", "taken_back")]


def test_a_card_still_in_play_after_a_take_back_is_in_doubt_again() -> None:
    back = {"by": "judge", "do": "back_to", "args": {"n": 5}}
    report = audited(*OPENING, play("A", "K-1"), end("A"), back, end("A"), CONCEDE)
    assert report.verdict == "undetermined"


def test_a_game_from_a_position_with_a_card_the_engine_cannot_execute_is_undetermined() -> None:
    start = position(T1={"fighters": ["K-1", None, None], "magics": [None] * 3, "discard": []})
    report = engine.audit({**start, "moves": [{"n": 1, "by": "A", "do": "end_turn"}]}, catalogs=[catalog()])
    assert report.verdict == "undetermined"
    assert outcomes(report) == [(1, "K-1", "unverified")]


def position(**side: Any) -> dict[str, Any]:
    """Return the header of a log that starts from a position with these changes to A's side."""
    empty = {"fighters": [None] * 3, "magics": [None] * 3, "discard": []}
    filled = {"pv": 0, "pi": 0, "hand": 5, "deck": 20, "commander": None, "aside": None, "T1": empty, "T2": empty,
              "T3": empty}  # fmt: skip
    memory = {note: [] for note in ("attacked", "arrived", "sacrificed", "moved")}
    turn = {"n": 5, "seat": "A", "phase": "invocation", "first": "A"}
    start = {"kind": "position", "turn": turn, "state": {"seats": {"A": {**filled, **side}, "B": filled}},
             "memory": memory}  # fmt: skip
    return {**header(seats={"A": {}, "B": {}}), "start": start}


def test_undoing_an_entry_also_undoes_its_doubt() -> None:
    game = engine.open_game({**header(seats=KEYWORD), "moves": []}, catalogs=[catalog()])
    for entry in OPENING:
        game.accept(entry)
    assert game.accept(play("A", "K-1")).doubts == ("K-1",)
    game.undo()
    assert game.accept(play("A", F)).doubts == ()
    assert game.accept(play("A", "K-1", slot=2)).doubts == ("K-1",)
