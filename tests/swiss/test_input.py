"""Malformed input is rejected with a code and the path of the defect."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tournaments.swiss import wire
from tournaments.swiss.field import MAX_PLAYERS, Field, Match, Player, SwissError
from tournaments.swiss.scoring import Scoring, scoring_of

TWO = [{"id": "a"}, {"id": "b"}]


def event(*matches: Any, players: Any = TWO) -> dict[str, Any]:
    return {"players": players, "rounds": [{"matches": list(matches)}]}


REFUSED: list[tuple[Any, str, str]] = [
    ([], "bad_input", ""),
    ({}, "missing", "players"),
    ({"players": 3}, "bad_input", "players"),
    ({"players": ["a"]}, "bad_player", "players[0]"),
    ({"players": [{"name": "a"}]}, "bad_player", "players[0]"),
    ({"players": [{"id": 1}]}, "bad_player", "players[0].id"),
    ({"players": [{"id": ""}]}, "bad_player", "players[0]"),
    ({"players": [{"id": "a" * 201}]}, "bad_player", "players[0]"),
    ({"players": [{"id": "\ud800"}]}, "bad_player", "players[0].id"),
    ({"players": [{"id": "a", "seed": "1"}]}, "bad_player", "players[0].seed"),
    ({"players": [{"id": "a", "seed": True}]}, "bad_player", "players[0].seed"),
    ({"players": [{"id": "a", "dropped": 1}]}, "bad_player", "players[0].dropped"),
    ({"players": [{"id": "a", "joined": 0}]}, "bad_player", "players[0]"),
    ({"players": [{"id": "a", "droped": True}]}, "unknown_key", "players[0].droped"),
    ({"players": [{"id": "a"}, {"id": "a"}]}, "duplicate_player", "players[1]"),
    ({"players": TWO, "rounds": {}}, "bad_input", "rounds"),
    ({"players": TWO, "rounds": [[]]}, "bad_round", "rounds[0]"),
    ({"players": TWO, "rounds": [{"matches": 1}]}, "bad_input", "rounds[0].matches"),
    (event(["a", "b"]), "bad_match", "rounds[0].matches[0]"),
    (event("a-b"), "bad_match", "rounds[0].matches[0]"),
    (event(["a", 2, "2-0-0"]), "bad_match", "rounds[0].matches[0]"),
    (event([None, None]), "bad_match", "rounds[0].matches[0]"),
    (event([None, None, "0-0-0"]), "no_player", "rounds[0].matches[0]"),
    (event([None, "a", "2-0-0"]), "no_player", "rounds[0].matches[0]"),
    (event(["a", "z", "2-0-0"]), "unknown_player", "rounds[0].matches[0]"),
    (event(["a", "a", "2-0-0"]), "self_match", "rounds[0].matches[0]"),
    (event(["a", "b", "2-0-0"], ["b", None, "2-0-0"]), "paired_twice", "rounds[0].matches[1]"),
    (event(["a", "b", "-1-0-0"]), "negative_games", "rounds[0].matches[0]"),
    (event(["a", "b", "2--1-0"]), "negative_games", "rounds[0].matches[0]"),
    (event(["a", "b", "2-0"]), "bad_score", "rounds[0].matches[0]"),
    (event(["a", "b", "２-0-0"]), "bad_score", "rounds[0].matches[0]"),
    (event(["a", "b", None]), "bad_score", "rounds[0].matches[0]"),
    (event(["a", "b", "2000-0-0"]), "bad_score", "rounds[0].matches[0]"),
    (event({"a": "a", "b": "b"}), "bad_score", "rounds[0].matches[0]"),
    (event({"a": "a", "b": "b", "score": "2-0-0", "kind": "won"}), "unknown_kind", "rounds[0].matches[0]"),
    (event({"a": "a", "b": "b", "score": "2-0-0", "kind": 3}), "unknown_kind", "rounds[0].matches[0].kind"),
    (event({"a": "a", "b": "b", "score": "2-0-0", "won": 3}), "unknown_key", "rounds[0].matches[0].won"),
    (event({"a": "a", "b": None, "score": "2-0-0", "kind": "played"}), "kind_needs_two", "rounds[0].matches[0]"),
    (event({"a": "a", "b": "b", "score": "2-0-0", "kind": "bye"}), "kind_needs_one", "rounds[0].matches[0]"),
    (event({"a": "a", "b": "b", "score": "1-1-0", "kind": "concession"}), "no_winner", "rounds[0].matches[0]"),
]


@pytest.mark.parametrize(("data", "code", "path"), REFUSED)
def test_a_malformed_event_is_rejected_with_code_and_path(data: Any, code: str, path: str) -> None:
    with pytest.raises(SwissError) as refused:
        wire.field_of(data)
    assert (refused.value.code, refused.value.path) == (code, path)
    assert refused.value.message


@pytest.mark.parametrize(
    ("options", "code", "path"),
    [
        ([], "bad_input", "options"),
        ({"sed": 1}, "unknown_option", "options.sed"),
        ({"last_round_by_standing": True}, "unknown_option", "options.last_round_by_standing"),
        ({"seed": "7"}, "bad_seed", "options.seed"),
        ({"seed": True}, "bad_seed", "options.seed"),
        ({"seed": 1.5}, "bad_seed", "options.seed"),
        ({"forbidden": [["a"]]}, "bad_pair", "options.forbidden[0]"),
        ({"forbidden": "ab"}, "bad_input", "options.forbidden"),
    ],
)
def test_a_malformed_option_is_rejected_with_code_and_path(options: Any, code: str, path: str) -> None:
    with pytest.raises(SwissError) as refused:
        wire.options_of({"options": options})
    assert (refused.value.code, refused.value.path) == (code, path)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"[" * 200_000, b"[Infinity]", b"1" * 5_000],
)
def test_input_that_is_not_json_is_rejected(text: bytes) -> None:
    with pytest.raises(SwissError) as refused:
        wire.parse(text)
    assert refused.value.code == "malformed_json"


def test_short_notations_are_read_as_documented() -> None:
    field = wire.field_of({
        "players": [{"id": i, "name": i.upper()} for i in "abcdefg"],
        "rounds": [
            {
                "name": "Round 1",
                "matches": [
                    ["a", "b", "0-0-3"],
                    ["c", None, "2-0-0"],
                    ["d", "e", "0-0-0"],
                    {"a": "f", "b": "g", "score": "0-0-3", "kind": "double_loss"},
                ],
            },
            {"matches": [{"a": "a", "b": None, "kind": "bye"}, {"a": "b", "b": None, "kind": "missed"}]},
        ],
    })
    kinds = [match.kind for match in field.matches()]
    assert kinds == ["intentional_draw", "bye", "played", "double_loss", "bye", "missed"]
    assert field.rounds[1][0] == Match("a", None, 2, 0, 0, "bye")


def test_more_players_than_the_limit_are_rejected() -> None:
    one = Player("a")
    with pytest.raises(SwissError) as refused:
        Field((one,) * (MAX_PLAYERS + 1), ())
    assert refused.value.code == "too_many_players"


def test_rounds_and_games_out_of_range_are_rejected() -> None:
    with pytest.raises(SwissError) as refused:
        Field((), ((),) * 1001)
    assert refused.value.code == "too_many_rounds"
    with pytest.raises(SwissError) as refused:
        Field((Player("a"), Player("b")), ((Match("a", "b", 1000, 0, 0),),))
    assert refused.value.code == "too_many_games"
    with pytest.raises(SwissError) as refused:
        Field((Player("a"), Player("b")), ((Match("a", "b", -1, 0, 0),),))
    assert refused.value.code == "negative_games"


def test_the_figures_of_a_scoring_are_numbers_or_texts_of_fewer_than_twenty_characters() -> None:
    longest = "3." + "0" * 17
    assert scoring_of({"win": longest, "draw": 1, "floor": "1/3"}) == Scoring(
        Fraction(3), Fraction(1), floor=Fraction(1, 3)
    )
    for wrong in (f"{longest}0", "", "three", "1/0", True, None, [3], 1_000, -1_000):
        with pytest.raises(SwissError) as refused:
            scoring_of({"draw": 1, "win": wrong})
        assert (refused.value.code, refused.value.path) == ("bad_scoring", "scoring.win"), wrong


def test_a_scoring_has_no_other_keys() -> None:
    for wrong in ({"win": 3, "bye": 3}, [3, 1, 0], None):
        with pytest.raises(SwissError) as refused:
            scoring_of(wrong)
        assert (refused.value.code, refused.value.path) == ("bad_scoring", "scoring")
