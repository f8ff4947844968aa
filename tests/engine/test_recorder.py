"""The recorder (`engine.open_game`): what it accepts, what it refuses and why, undo, and agreement with the audit."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.core.replay import recorder
from engine.core.replay.position import as_start
from engine.core.replay.recorder import OpenGame, Refusal
from engine.core.table.state import to_json
from engine.core.text.errors import EngineError, Malformed
from tests.engine.cast import OPENING, begin, catalog, deck, end, header, play
from tests.engine.games import a_game

GAME = "star-safir"


def header_of(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in ("moves", "claimed")}


def opened(seed: int, moves: int | None = None) -> tuple[OpenGame, dict[str, Any]]:
    """Return a recorder with the first `moves` moves of a random game, and the whole log."""
    document = a_game(GAME, seed)
    game = engine.open_game(header_of(document))
    for entry in document["moves"][:moves]:
        game.accept(entry)
    return game, document


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_recorded_game_has_the_verdict_and_the_digest_of_its_audit(seed: int) -> None:
    game, document = opened(seed)
    report = engine.audit(game.log())
    direct = engine.audit({**header_of(document), "moves": document["moves"]})
    assert (report.verdict, report.digest) == (direct.verdict, game.digest)
    assert direct.verdict == "undetermined" or report.verdict == "confirmed"
    assert len(game) == len(document["moves"]) == len(game.steps)
    assert game.result is not None
    assert game.result.winner == document["claimed"]["winner"]


def test_the_log_agrees_with_its_audit_at_every_move() -> None:
    document = a_game(GAME, 21)
    game = engine.open_game(header_of(document))
    for entry in document["moves"][:60]:
        before = game.digest
        game.accept({key: value for key, value in entry.items() if key != "n"})
        report = engine.audit(game.log())
        assert (report.digest, report.first_illegal, report.error) == (game.digest, None, None)
        assert game.digest != before
    replay = engine.Replay(game.log())
    for seat in ("A", "B", "judge", None):
        assert game.board(seat) == replay.board_at(len(game), seat)


@settings(max_examples=15)
@given(st.integers(1, 30), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_undoing_and_repeating_moves_leaves_the_same_game(seed: int, counts: list[int]) -> None:
    document = a_game(GAME, seed)
    game = engine.open_game(header_of(document))
    rest = list(document["moves"][:40])
    for count in counts:
        for entry in rest[: count * 2]:
            game.accept(entry)
        del rest[: count * 2]
        digest, log, board = game.digest, game.log(), game.board()
        taken = [game.undo() for _ in range(min(count, len(game)))]
        assert engine.audit(game.log()).digest == game.digest
        for entry in reversed(taken):
            game.accept(entry)
        assert (game.digest, game.log(), game.board()) == (digest, log, board)


def test_every_legal_move_is_accepted_and_belongs_to_one_actor() -> None:
    game, document = opened(5, 30)
    moves = game.legal_moves()
    assert moves
    assert sorted(map(str, moves)) == sorted(
        str(move) for by in ("A", "B", "table", "judge") for move in game.legal_moves(by)
    )
    digest = game.digest
    for move in moves:
        try:
            game.accept(move)
        except Malformed as error:  # `legal_moves` leaves chance open
            assert error.code == "missing_chance"
            continue
        game.undo()
        assert game.digest == digest
    assert document["moves"][30]["do"] in {move["do"] for move in moves} | {"concede", "ruling", "manual"}


def test_a_refused_move_has_its_reasons_in_three_languages_and_changes_nothing() -> None:
    game, document = opened(7, 25)
    board, digest, log = game.board(), game.digest, game.log()
    turn = board["turn"]["seat"]
    other = "B" if turn == "A" else "A"
    with pytest.raises(Refusal) as caught:
        game.accept({"by": other, "do": "end_turn"})
    refusal = caught.value
    assert (refusal.code, refusal.n, refusal.outcome, refusal.missing) == ("refused_move", 26, "illegal", ())
    assert refusal.violations
    sentences = [refusal.messages(lang) for lang in ("fr", "en", "it")]
    assert all(len(found) == len(refusal.violations) for found in sentences)
    assert len({*map(str, sentences)}) == 3
    assert (game.board(), game.digest, game.log(), len(game)) == (board, digest, log, 25)
    for entry in document["moves"][25:]:
        game.accept(entry)
    assert engine.audit(game.log()).digest == game.digest


# Entries that are nearly right, so that many get past the parser, and values of no shape at all.
ENTRIES = st.one_of(
    st.fixed_dictionaries(
        {"by": st.sampled_from(["A", "B", "table", "judge", "Z"]),
         "do": st.sampled_from(["play", "attack", "move", "end_turn", "begin_turn", "ruling", "keep", "x"])},
        optional={"args": st.dictionaries(st.sampled_from(["card", "territory", "slot", "target", "attackers", "x"]),
                                          st.integers(-1, 4) | st.just("?") | st.just([1])),
                  "n": st.integers(1, 30), "h": st.just("0" * 64), "resp": st.booleans(), "chance": st.just([])},
    ),
    st.text(max_size=20), st.binary(max_size=20), st.none(), st.lists(st.integers(), max_size=2),
)  # fmt: skip
LIVE, _ = opened(9, 20)


@settings(max_examples=150)
@given(ENTRIES)
def test_any_entry_is_accepted_and_undone_or_refused_with_a_code_and_changes_nothing(entry: Any) -> None:
    digest, log = LIVE.digest, LIVE.log()
    try:
        LIVE.accept(entry)
    except EngineError as error:
        assert error.code
    else:
        LIVE.undo()
    assert (LIVE.digest, LIVE.log(), len(LIVE)) == (digest, log, 20)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("{", "not_json"),
        ("[]", "wrong_type"),
        ({"by": "A"}, "missing_key"),
        ({"by": "A", "do": "keep", "n": 7}, "wrong_number"),
        ({"by": "A", "do": "nope"}, "unknown_verb"),
        ({"by": "A", "do": "keep", "x": {"a": 0.5}}, "float"),
        ({"by": "A", "do": "keep", "x": "y" * 5000}, "string_too_long"),
        ({"by": "A", "do": "keep", "h": "0" * 64}, "chain_broken"),
    ],
)
def test_an_unreadable_entry_is_refused_with_the_code_it_has_in_a_log(entry: Any, code: str) -> None:
    game, _ = opened(3, 0)
    with pytest.raises(EngineError) as caught:
        game.accept(entry)
    assert caught.value.code == code
    assert len(game) == 0


def test_the_depth_of_an_entry_is_counted_as_in_its_log() -> None:
    game, _ = opened(3, 0)
    deep: Any = 1
    for _ in range(30):
        deep = [deep]
    with pytest.raises(Malformed) as caught:
        game.accept({"by": "table", "do": "first_player", "x": deep})
    assert caught.value.code == "too_deep"


def test_a_full_log_accepts_no_more_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    game, document = opened(3, 4)
    monkeypatch.setattr(recorder, "MAX_MOVES", 4)
    with pytest.raises(Malformed) as caught:
        game.accept(document["moves"][4])
    assert caught.value.code == "too_many_moves"
    monkeypatch.setattr(recorder, "MAX_MOVES", 5)
    monkeypatch.setattr(recorder, "MAX_BYTES", len(game.log()))
    with pytest.raises(Malformed) as caught:
        game.accept(document["moves"][4])
    assert caught.value.code == "too_large"


def test_a_take_back_is_recorded_and_undone_like_any_move() -> None:
    game, document = opened(11, 14)
    later = game.board()
    step = game.accept({"by": "judge", "do": "back_to", "args": {"n": 10}})
    assert (step.outcome, len(game)) == ("ok", 15)
    assert game.board() == engine.Replay(game.log()).board_at(10)
    assert engine.audit(game.log()).digest == game.digest
    with pytest.raises(EngineError):
        game.accept({"by": "judge", "do": "back_to", "args": {"n": 99}})
    assert len(game) == 15
    for entry in document["moves"][10:14]:
        game.accept({key: value for key, value in entry.items() if key != "n"})
    assert game.board() == later
    for _ in range(5):
        game.undo()
    assert (game.board(), len(game)) == (later, 14)


def test_nothing_can_be_undone_in_an_empty_log() -> None:
    game, _ = opened(3, 0)
    with pytest.raises(Malformed) as caught:
        game.undo()
    assert caught.value.code == "no_such_move"


def test_a_game_can_be_reopened_from_its_own_log() -> None:
    game, document = opened(4, 12)
    again = engine.open_game(game.log())
    assert (again.digest, again.log(), again.board()) == (game.digest, game.log(), game.board())
    again.accept(document["moves"][12])


def test_objects_the_caller_changes_later_do_not_affect_the_game() -> None:
    document = a_game(GAME, 4)
    header = header_of(document)
    game = engine.open_game(header)
    entry = json.loads(json.dumps(document["moves"][0]))
    game.accept(entry)
    log = game.log()
    entry["by"] = "Z"
    header["seats"]["A"]["player"] = "somebody else"
    assert game.log() == log


@pytest.mark.parametrize(
    ("header", "code"),
    [("[]", "wrong_type"), ({}, "missing_key"), ({"format": 2}, "missing_key"), ("", "not_json")],
)
def test_an_unreadable_header_is_refused(header: Any, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        engine.open_game(header)
    assert caught.value.code == code


# --- undo restores the whole state, whatever the entry was ----------------------------------------------------------


def shape(game: OpenGame) -> tuple[Any, ...]:
    """Return everything that two equal games must share, including the state and the interpretations used."""
    replay = game._replay
    return (
        to_json(replay.state), replay.depends_on, game.digest, game.log(), [step.outcome for step in game.steps],
        replay.partial, game.board("A"),
    )  # fmt: skip


def afresh(game: OpenGame) -> tuple[Any, ...]:
    """Return the shape of a new game opened with the log of this one."""
    return shape(engine.open_game(game.log(), catalogs=[catalog()]))


@pytest.mark.parametrize("seed", range(1, 13))
def test_any_sequence_of_moves_and_undos_leaves_the_game_of_its_log(seed: int) -> None:
    document = a_game(GAME, seed, catalog=engine.catalogs(GAME)[seed % 2])
    entries, rng = document["moves"], random.Random(seed)
    game = engine.open_game(header_of(document))
    told = [shape(game)]
    at = 0
    for _ in range(25):
        if rng.random() < 0.6:
            for entry in entries[at : at + rng.randint(1, 12)]:
                game.accept(entry)
                at += 1
                if at == len(told):
                    told.append(shape(game))
        else:
            for _ in range(min(at, rng.randint(1, 9))):
                at -= 1
                assert game.undo()["do"] == entries[at]["do"]
        assert shape(game) == told[at]
    assert shape(game) == shape(engine.open_game(game.log()))
    assert engine.audit(game.log()).digest == game.digest


def test_a_response_opens_its_window_and_undoing_it_closes_the_window() -> None:
    trap = {"by": "B", "do": "play", "args": {"card": "?", "face": "down", "territory": 1, "slot": 1}}
    lists = {seat: {"deck": deck("MM-TRAP", "F-1-1-1")} for seat in "AB"}
    game = engine.open_game(header(seats=lists), catalogs=[catalog()])
    turns = (*OPENING, play("A", "F-1-1-1"), end("A"), begin("B", "?"), play("B", "F-1-1-1"), trap, end("B"))
    for entry in (*turns, begin("A", "?")):
        game.accept(entry)
    quiet = shape(game)
    attack = {"by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}
    sprung = {"by": "B", "do": "reveal", "args": {"territory": 1, "slot": 1, "card": "MM-TRAP"}, "resp": True}
    game.accept(attack)
    alone = shape(game)
    offered = {"by": "B", "do": "reveal", "args": {"territory": 1, "slot": 1, "card": "MM-TRAP"}}
    assert offered in game.responses()
    assert {move["by"] for move in game.responses()} == {"B"}
    assert game.moves(("A",), responding=True) == ([], False)
    assert shape(game) == alone
    with pytest.raises(EngineError):
        game.accept({**sprung, "args": {**sprung["args"], "card": "F-1-1-1"}})
    assert shape(game) == alone
    game.accept(sprung)
    assert game.board()["seats"]["A"]["T1"]["fighters"][0] is None
    assert shape(game) == afresh(game)
    assert game.undo()["do"] == "reveal"
    assert shape(game) == alone == afresh(game)
    game.undo()
    assert shape(game) == quiet


def test_checkpoints_gaps_and_take_backs_are_undone_like_moves() -> None:
    game = engine.open_game(header(), catalogs=[catalog()])
    side = {"fighters": [None] * 3, "magics": [None] * 3, "discard": []}
    board = {seat: {"pv": 3, "pi": 5, "hand": 4, "deck": 20, "T1": side, "T2": side, "T3": side} for seat in "AB"}
    start = {"kind": "position", "turn": {"n": 5, "seat": "A", "phase": "invocation", "first": "A"},
             "state": {"seats": board}, "memory": {"sacrificed": []}}  # fmt: skip
    entries = (
        *OPENING, play("A", "F-1-1-1"), {"by": "table", "do": "checkpoint", "args": {"turn": {"n": 9}}},
        {"by": "judge", "do": "back_to", "args": {"n": 4}}, play("A", "M-1"),
        {"by": "judge", "do": "gap", "args": {"start": start}}, play("A", "F-2-1-3"), end("A"),
    )  # fmt: skip
    told = [shape(game)]
    for entry in entries:
        game.accept(entry)
        told.append(shape(game))
        assert told[-1] == afresh(game)
    for expected in reversed(told[:-1]):
        game.undo()
        assert shape(game) == expected
    for entry in entries:
        game.accept(entry)
    assert shape(game) == told[-1]


def test_a_game_can_start_from_a_declared_position_with_an_open_choice() -> None:
    whole = engine.open_game(
        header(seats={s: {"deck": deck("E-EITHER", "F-1-1-1")} for s in "AB"}), catalogs=[catalog()]
    )
    for entry in (*OPENING, play("A", "E-EITHER")):
        whole.accept(entry)
    document = {**header(seats={s: {"deck": deck("E-EITHER", "F-1-1-1")} for s in "AB"}),
                "start": as_start(engine.load(GAME), whole._replay.state)}  # fmt: skip
    game = engine.open_game(document, catalogs=[catalog()])
    assert game.legal_moves("A") == whole.legal_moves("A")
    assert [move["args"]["pick"] for move in game.legal_moves()] == ["1", "2"]
    before = shape(game)
    for one in (game, whole):
        one.accept({"by": "A", "do": "answer", "args": {"pick": "2"}})
        one.accept(end("A"))
    assert game.board()["seats"] == whole.board()["seats"]
    assert engine.audit(game.log(), catalogs=[catalog()]).verdict == "consistent_from"
    game.undo()
    game.undo()
    assert shape(game) == before


@pytest.mark.parametrize("name", engine.games())
def test_chance_of_returns_the_kinds_of_chance_that_entries_record(name: str) -> None:
    document = a_game(name, 3, hidden=())
    game = engine.open_game({**document, "moves": []})
    agreed = asked = 0
    for entry in document["moves"]:
        args = entry.get("args", {})
        wanted = next(
            (move for move in game.legal_moves(entry["by"]) if (move["do"], move["args"]) == (entry["do"], args)), None
        )
        if wanted is not None:
            kinds = [list(item) for item in entry.get("chance", [])]
            asked += 1
            agreed += [list(item) for item in game.chance_of(wanted)] == kinds
        game.accept(entry)
    assert asked > 10
    assert agreed >= asked * 9 // 10  # the chance of some effects is only known once hidden cards are


def test_the_opening_can_be_recorded_with_only_the_suggested_chance() -> None:
    document = a_game("star-safir", 3)
    game = engine.open_game({**document, "moves": []})
    for do in ("first_player", "keep", "keep", "begin_turn", "end_turn", "begin_turn"):
        move = next(move for move in game.legal_moves() if move["do"] == do)
        game.accept({**move, "chance": game.chance_of(move)})
    assert game.board()["seats"][game.board()["turn"]["seat"]]["hand"] == ["?"] * 6
    assert game.chance_of({"by": "A", "do": "juggle", "args": {}}) == []


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_a_refusal_shows_card_names_and_not_refs(lang: str) -> None:
    moves = [{"n": n, **entry} for n, entry in enumerate(OPENING, 1)]
    live = engine.open_game({**header(), "moves": moves}, catalogs=[catalog()])
    with pytest.raises(Refusal) as caught:
        live.accept(play("A", "F-9-9-0"))
    said = caught.value.messages(lang)
    assert any("Fighter 9 9 0" in sentence for sentence in said)
    assert not any("F-9-9-0" in sentence for sentence in said)
