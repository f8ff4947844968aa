"""Merging two logs of one game: the better-informed value wins, and a contradiction stops the merge."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.replay.merge import Differ, merge
from tests.engine.cast import OPENING, play, told


def log_with(entry: dict[str, Any], **header: Any) -> dict[str, Any]:
    """A log of the opening moves and one more entry."""
    return told(*OPENING, entry, **header)


def test_what_one_player_did_not_see_is_filled_in_from_the_other_log() -> None:
    known, hidden = play("A", "F-1-1-1"), play("A", "?")
    assert merge(log_with(hidden), log_with(known))["moves"][-1]["args"]["card"] == "F-1-1-1"


def test_a_declined_choice_contradicts_a_choice_that_was_made() -> None:
    declined = {"by": "A", "do": "answer", "args": {"pick": None}}
    taken = {"by": "A", "do": "answer", "args": {"pick": "yes"}}
    for one, two in ((declined, taken), (taken, declined)):
        with pytest.raises(Differ) as difference:
            merge(log_with(one), log_with(two))
        assert difference.value.path.endswith(".args.pick")
    assert merge(log_with(declined), log_with(declined))["moves"][-1]["args"] == {"pick": None}


def test_a_claimed_draw_contradicts_a_claimed_winner() -> None:
    entry = play("A", "F-1-1-1")
    with pytest.raises(Differ, match="same game"):
        merge(log_with(entry, claimed={"winner": None}), log_with(entry, claimed={"winner": "A"}))


def test_a_claim_that_only_one_log_makes_is_kept() -> None:
    entry = play("A", "F-1-1-1")
    assert merge(log_with(entry), log_with(entry, claimed={"winner": None}))["claimed"] == {"winner": None}


def named(log: dict[str, Any], *players: str) -> dict[str, Any]:
    seats = {
        seat: {**value, "player": player} for (seat, value), player in zip(log["seats"].items(), players, strict=True)
    }
    return {**log, "seats": seats}


LOG = log_with(play("A", "F-1-1-1"))
SAME_GAME = {
    "names of the seats": named(LOG, "Ana", "Bob"),
    "no names at all": {
        **LOG,
        "seats": {key: {k: v for k, v in seat.items() if k != "player"} for key, seat in LOG["seats"].items()},
    },
    "order of the keys": dict(reversed(list(LOG.items()))),
    "another table": {**LOG, "match": {"event": "Friday", "round": 3, "table": "12"}},
    "remarks": {**LOG, "x": {"app": "notes"}, "moves": [{**move, "x": {"by": "Bob"}} for move in LOG["moves"]]},
    "who recorded it": {**LOG, "recorded_by": {"who": "scribe", "when": "afterwards"}},
    "hashes": {**LOG, "moves": [{**move, "h": "0" * 64} for move in LOG["moves"]]},
    "empty arguments": {**LOG, "moves": [{"args": {}, **move} for move in LOG["moves"]]},
}


@pytest.mark.parametrize("what", SAME_GAME)
def test_two_logs_of_the_same_moves_are_the_same_game(what: str) -> None:
    one = named(LOG, "e-1", "e-2")
    merged = merge(one, SAME_GAME[what])
    assert [move["do"] for move in merged["moves"]] == [move["do"] for move in LOG["moves"]]
    assert merged["seats"]["A"]["player"] == "e-1", "names come from the first log"
    assert merge(SAME_GAME[what], one)["moves"] == merged["moves"]


def test_the_first_move_that_differs_is_found_whatever_the_headers_say() -> None:
    other = named(log_with(play("A", "F-1-1-2")), "Ana", "Bob")
    other["claimed"] = {"winner": "B"}
    other["moves"][1] = {**other["moves"][1], "claims": {"A.pv": 3}}
    one = {**LOG, "claimed": {"winner": "A"}}
    one["moves"] = [dict(move) for move in one["moves"]]
    one["moves"][1]["claims"] = {"A.pv": 4}
    n = len(LOG["moves"])
    with pytest.raises(Differ) as difference:
        merge(one, other)
    assert (difference.value.n, difference.value.path) == (n, f"moves[{n - 1}].args.card")
    other["moves"][-1] = one["moves"][-1]
    with pytest.raises(Differ) as difference:
        merge(one, other)
    assert (difference.value.n, difference.value.path) == (None, "claimed.winner")
    with pytest.raises(Differ) as difference:
        merge(one, {**other, "claimed": one["claimed"]})
    assert (difference.value.n, difference.value.path) == (2, "moves[1].claims.A.pv")


def test_a_log_that_ends_earlier_differs_at_the_next_move_of_the_other() -> None:
    short = {**LOG, "moves": LOG["moves"][:-1]}
    n = len(LOG["moves"])
    for one, two, numbers in ((LOG, short, (n, None)), (short, LOG, (None, n))):
        with pytest.raises(Differ) as difference:
            merge(one, two)
        assert (difference.value.n, difference.value.n_two) == numbers


def test_players_who_both_call_themselves_a_have_recorded_the_same_game() -> None:
    one = named(LOG, "Ana", "Bob")
    letters = {"A": "B", "B": "A"}
    swapped = {
        **one,
        "seats": {letters[seat]: value for seat, value in one["seats"].items()},
        "moves": [
            {**move, "by": letters.get(move["by"], move["by"])}
            | ({"chance": [{"first_player": "B"}]} if "first_player" in str(move.get("chance")) else {})
            for move in one["moves"]
        ],
    }
    merged = merge(one, swapped)
    assert [move["by"] for move in merged["moves"]] == [move["by"] for move in one["moves"]]
    mistaken = named(LOG, "Bob", "Ana")  # only the names are the wrong way round
    assert merge(one, mistaken)["moves"] == merged["moves"]


def test_moves_that_were_taken_back_do_not_make_another_game() -> None:
    first = play("A", "F-1-1-1")
    n = len(LOG["moves"])
    taken_back = told(*OPENING, play("A", "F-1-1-2"), {"by": "table", "do": "back_to", "args": {"n": n - 1}}, first)
    assert merge(taken_back, LOG)["moves"] == merge(LOG, LOG)["moves"]
    more = told(*OPENING, first, play("A", "F-2-2-2"))
    with pytest.raises(Differ) as difference:
        merge({**taken_back, "moves": [*taken_back["moves"], {**play("A", "F-3-3-3"), "n": n + 3}]}, more)
    assert (difference.value.n, difference.value.n_two) == (n + 3, n + 1)
