"""Slips of the scribe: which repairs are offered for a log that stops, in which order, and how long the search is."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pytest

from engine.core.replay import repair as module
from engine.core.replay.repair import Repair, renumbered, repaired, repairs
from engine.core.replay.replay import Replay
from engine.core.report.audit import audit
from engine.core.table.log import parse
from tests.engine.cast import OPENING, begin, catalog, end, keep, play, told
from tests.engine.games import a_game

F, G = "F-1-1-1", "F-2-1-3"
Entry = dict[str, Any]


def attack(seat: str, territory: int = 1, attackers: tuple[int, ...] = (1,), target: int = 1) -> Entry:
    """Return the entry in which a seat attacks."""
    args = {"territory": territory, "attackers": list(attackers), "target": target}
    return {"by": seat, "do": "attack", "args": args}


# A has a fighter of ATK 2 in territory 1. Twice, B plays a fighter of DEF 1 there, and A attacks and destroys it.
GAME: tuple[Entry, ...] = (
    *OPENING,  # 1 to 4
    play("A", G),  # 5
    end("A"),
    begin("B", "?"),  # 7
    play("B", F),
    end("B"),
    begin("A", "?"),  # 10
    attack("A"),
    end("A"),
    begin("B", "?"),  # 13
    play("B", F),
    end("B"),
    begin("A", "?"),  # 16
    attack("A"),
    end("A"),
)


def offered(*entries: Entry, **header: Any) -> tuple[Repair, ...]:
    return repairs(parse(told(*entries, **header)), catalogs=[catalog()])


def without(n: int) -> tuple[Entry, ...]:
    """Return the entries of the game without entry `n`."""
    return (*GAME[: n - 1], *GAME[n:])


def test_the_game_of_these_tests_is_legal() -> None:
    assert audit(told(*GAME), catalogs=[catalog()]).first_illegal is None
    assert offered(*GAME) == ()


@pytest.mark.parametrize("n", [5, 8])
def test_a_missing_entry_is_offered_first(n: int) -> None:
    best = offered(*without(n))[0]
    assert (best.kind, best.reaches_end) == ("missing", True)
    assert best.entry == {"n": best.n, **GAME[n - 1]}
    assert audit(repaired(told(*without(n)), best), catalogs=[catalog()]).first_illegal is None


def test_a_repair_counts_the_legal_entries_from_the_refused_one_on() -> None:
    """Entry 10, an attack from an empty slot, is refused; with the repair it and the 7 entries after it are legal."""
    assert audit(told(*without(5)), catalogs=[catalog()]).verdict == "illegal_action"
    assert offered(*without(5))[0] == Repair("missing", 10, {"n": 10, **GAME[4]}, 8, True, 0, True)


def test_a_missing_entry_is_offered_with_the_required_chance_and_hidden_draws() -> None:
    log = a_game("saint-seiya", 4, hidden=())
    ends = [move for move in log["moves"] if move["do"] == "end_turn" and len(move.get("chance", ())) == 2]
    found = [repair.entry for repair in repairs(parse(cut(log, ends[0]["n"])))]
    assert found[0] is not None
    drawn, revealed = found[0]["chance"]
    assert drawn == {"draw": ["?"] * len(ends[0]["chance"][0]["draw"])}
    assert len(revealed["reveal"]) == 1


def test_an_entry_written_twice_is_removed() -> None:
    best = offered(*GAME[:11], *GAME[10:])[0]
    assert (best.kind, best.n, best.entry, best.legal) == ("doubled", 12, None, 8)
    assert repaired(told(*GAME[:11], *GAME[10:]), best)["moves"] == told(*GAME)["moves"]


def test_two_entries_in_the_wrong_order_are_swapped() -> None:
    mixed = (*GAME[:12], GAME[13], GAME[12], *GAME[14:])  # B plays its fighter before it begins its turn
    best = offered(*mixed)[0]
    assert (best.kind, best.n, best.reaches_end) == ("swapped", 13, True)
    assert best.entry == {**GAME[12], "n": 13}
    assert repaired(told(*mixed), best)["moves"] == told(*GAME)["moves"]


def test_a_wrong_slot_is_corrected_and_the_entry_keeps_its_claims() -> None:
    wrong = {**attack("A", attackers=(3,)), "claims": {"A.pv": 0}}
    best = offered(*GAME[:10], wrong, *GAME[11:])[0]
    assert (best.kind, best.n, best.supported) == ("aimed", 11, True)
    assert best.entry == {"n": 11, **attack("A"), "claims": {"A.pv": 0}}


def test_a_slip_that_shows_up_later_is_found_where_it_was_made() -> None:
    wrong = play("A", G, slot=2)  # legal, but entry 11 attacks from slot 1
    best = offered(*GAME[:4], wrong, *GAME[5:])[0]
    assert (best.kind, best.n, best.entry) == ("aimed", 5, {"n": 5, **GAME[4]})


def test_a_draw_of_too_few_cards_is_corrected() -> None:
    best = offered(*GAME[:2], keep("B", ["?"] * 4), *GAME[3:])[0]
    assert (best.kind, best.n, best.reaches_end, best.supported) == ("drawn", 3, True, True)
    assert best.entry == {"n": 3, "by": "B", "do": "keep"}  # five cards that nobody saw need not be written


def test_a_response_to_nothing_becomes_an_ordinary_entry() -> None:
    best = offered(*GAME[:5], {**end("A"), "resp": True}, *GAME[6:])[0]
    assert (best.kind, best.n, best.entry, best.reaches_end) == ("response", 6, {"n": 6, **end("A")}, True)


@pytest.mark.parametrize(("card", "left"), [(F, None), (G, G)])
def test_claims_noted_at_the_table_decide_between_two_repairs(card: str, left: str | None) -> None:
    """The entry of B's second fighter is missing: A's attack of ATK 2 destroys it with DEF 1, but not with DEF 3."""
    noted = {**end("A"), "claims": {"B/T1/fighters/1": left}}
    best = offered(*without(14)[:-1], noted)[0]
    assert (best.kind, best.contradicted) == ("missing", 0)
    assert best.entry is not None
    assert best.entry["args"]["card"] == card


@pytest.mark.parametrize(("winner", "contradicted"), [("A", 0), ("B", 1)])
def test_the_claimed_result_counts_as_a_claim(winner: str, contradicted: int) -> None:
    log = (*without(5), {"by": "B", "do": "concede"})
    assert offered(*log, claimed={"winner": winner})[0].contradicted == contradicted


def test_no_repair_of_a_second_attack_is_supported() -> None:
    """A fighter cannot attack twice. The log continues just as well without that attack, so no repair is supported."""
    twice = (*GAME[:11], attack("A", attackers=(1,), target=2), *GAME[11:])
    assert audit(told(*twice), catalogs=[catalog()]).verdict == "illegal_action"
    assert not any(found.supported for found in offered(*twice))


def test_a_broken_chain_has_no_repair() -> None:
    log = told(*GAME)
    log["moves"][8]["h"] = "0" * 64
    assert repairs(parse(log), catalogs=[catalog()]) == ()


def test_a_take_back_still_goes_back_to_the_same_place_after_a_repair() -> None:
    log = told(*without(5), {"by": "table", "do": "back_to", "args": {"n": 14}}, attack("A"))
    best = repairs(parse(log), catalogs=[catalog()])[0]
    made = repaired(log, best)
    assert made["moves"][-2]["args"] == {"n": 15}
    assert best.reaches_end
    assert audit(made, catalogs=[catalog()]).first_illegal is None


def test_an_entry_written_twice_before_a_take_back_to_it_is_removed() -> None:
    log = told(*GAME[:11], *GAME[10:14], {"by": "table", "do": "back_to", "args": {"n": 12}}, end("A"))
    best = repairs(parse(log), catalogs=[catalog()])[0]
    assert (best.kind, best.n, best.reaches_end) == ("doubled", 12, True)
    made = repaired(log, best)
    assert made["moves"][-2]["args"] == {"n": 11}
    assert audit(made, catalogs=[catalog()]).first_illegal is None


def test_a_log_from_a_declared_position_with_unknown_facts_is_searched() -> None:
    """A's attack comes from a slot declared empty; the position does not declare the rest of B's board."""
    side = {"fighters": [G, None, None], "magics": [None] * 3, "discard": []}
    seats = {"A": {"T1": side, "pi": 5, "pv": 0}, "B": {"T1": {"fighters": [F, F, None]}, "pi": 5, "pv": 0}}
    turn = {"n": 5, "seat": "A", "phase": "combat", "first": "A"}
    start = {"kind": "position", "turn": turn, "state": {"seats": seats}, "memory": {"attacked": []}}
    best = offered(attack("A", attackers=(2,)), end("A"), start=start)[0]
    assert (best.kind, best.n, best.entry) == ("aimed", 1, {"n": 1, **attack("A")})


def test_no_repair_changes_an_entry_before_a_gap() -> None:
    start = {"kind": "position", "turn": {"n": 3, "seat": "A", "phase": "combat", "first": "A"}, "state": {}}
    gap: Entry = {"by": "judge", "do": "gap", "args": {"start": start}}
    assert all(found.n > 6 for found in offered(*GAME[:5], gap, begin("B", "?"), play("B", F)))


def test_wrong_numbers_are_corrected() -> None:
    log = told(*GAME)
    log["moves"][9]["n"] = 9
    found = renumbered(log, 10, catalogs=[catalog()])
    assert found == (Repair("misnumbered", 10, {"n": 10, **GAME[9]}, 9, True, 0, True),)
    assert repaired(log, found[0])["moves"] == told(*GAME)["moves"]


def test_renumbering_is_not_offered_if_an_entry_is_illegal_too() -> None:
    log = told(*without(5))
    log["moves"][8]["n"] = 9
    assert renumbered(log, 9, catalogs=[catalog()]) == ()


def test_the_report_names_the_illegal_move_and_the_possible_slip() -> None:
    """The move is illegal as recorded, but an entry may be missing from the log: the judge decides."""
    report = audit(told(*without(5)), catalogs=[catalog()])
    lines = report.as_text("en").splitlines()
    assert report.verdict == "illegal_action"
    assert lines[1] == "Move 10 (A: the fighter in slot 1 attacks Fighter 1 1 1 in territory 1) is illegal:"
    at = lines.index("It may be a mistake in the log instead:")
    assert lines[at + 1] == (
        "  • If a move is missing before move 10 (A plays Fighter 2 1 3 in territory 1, slot 1), everything after it "
        "is legal (moves: 8)."
    )
    assert "not a proof" in lines[at + 3]


@pytest.mark.parametrize(
    ("lang", "start"),
    [
        ("fr", "S’il manque un coup avant le coup 10 (A joue"),
        ("it", "Se manca una mossa prima della mossa 10 (A gioca"),
    ],
)
def test_the_report_describes_repairs_in_french_and_italian(lang: str, start: str) -> None:
    found = audit(told(*without(5)), catalogs=[catalog()]).as_json(lang)["repairs"]
    assert found[0]["message"].startswith(start)
    assert [set(item) for item in found] == [{"kind", "n", "entry", "legal", "reaches_end", "supported", "message"}] * 2
    assert [item["supported"] for item in found] == [True, False]
    unsupported = {"fr": "ne va dans ce sens.", "it": "lo conferma."}[lang]
    assert [item["message"].endswith(unsupported) for item in found] == [False, True]


def test_a_repair_names_both_moves_that_were_written_down_in_the_wrong_order() -> None:
    log = told(*GAME[:12], GAME[13], GAME[12], *GAME[14:])
    first = audit(log, catalogs=[catalog()]).as_json()["repairs"][0]
    assert first["message"].startswith("If moves 13 and 14 were written down in the wrong order")


def test_every_kind_of_repair_has_its_own_message() -> None:
    logs = {
        "missing": told(*without(5)),
        "doubled": told(*GAME[:11], *GAME[10:]),
        "swapped": told(*GAME[:12], GAME[13], GAME[12], *GAME[14:]),
        "aimed": told(*GAME[:10], attack("A", attackers=(3,)), *GAME[11:]),
        "drawn": told(*GAME[:2], keep("B", ["?"] * 4), *GAME[3:]),
        "response": told(*GAME[:5], {**end("A"), "resp": True}, *GAME[6:]),
        "misnumbered": {**told(*GAME), "moves": [{**move, "n": 9} for move in told(*GAME)["moves"]]},
    }
    kind_of = {}
    for kind, log in logs.items():
        first = audit(log, catalogs=[catalog()]).as_json()["repairs"][0]
        assert first["kind"] == kind
        kind_of[first["message"]] = kind
    assert len(kind_of) == len(logs)
    assert all(message[:3] == "If " and message[-1] == "." and "{" not in message for message in kind_of)


def test_the_report_says_when_no_single_slip_explains_the_log() -> None:
    """A seat without a fighter attacks: no missing entry could make that legal."""
    report = audit(told(*OPENING[:3], attack("B")), catalogs=[catalog()])
    assert report.repairs == ()
    assert "No single mistake in the log explains it." in report.as_text()


@pytest.mark.parametrize("entries", [GAME, (*OPENING, {"by": "A", "do": "nope"})])
def test_the_report_does_not_mention_slips_if_nothing_was_refused(entries: tuple[Entry, ...]) -> None:
    said = audit(told(*entries), catalogs=[catalog()]).as_text()
    assert "slip" not in said


def test_a_score_pad_has_no_repairs() -> None:
    pad = [{**end("A"), "claims": {"A.pv": 9}}, {**end("B"), "claims": {"B.pv": 3}}]
    report = audit(told(*pad), catalogs=[catalog()])
    assert (report.verdict, report.repairs) == ("illegal_action", ())


def test_repairs_are_searched_only_on_demand() -> None:
    with mock.patch.object(module._Search, "found", side_effect=AssertionError) as search:
        assert audit(told(*without(5)), catalogs=[catalog()]).verdict == "illegal_action"
    assert not search.called


def cut(log: dict[str, Any], n: int) -> dict[str, Any]:
    """Return the log without its entry `n`."""
    moves = [move for move in log["moves"] if move["n"] != n]
    return {**log, "moves": [{**move, "n": number} for number, move in enumerate(moves, 1)]}


@pytest.mark.parametrize(
    ("game", "verb"),
    [
        ("altered", "pass"),
        ("saint-seiya", "play"),
        ("star-safir", "play"),
        ("stellar-nexus", "play"),
        ("wakfu", "play"),
    ],
)
@pytest.mark.slow
def test_an_entry_left_out_is_among_the_repairs_offered_in_every_game(game: str, verb: str) -> None:
    log = a_game(game, 4, hidden=())
    refused = 0
    for n in [move["n"] for move in log["moves"] if move["do"] == verb][2:9]:
        short = cut(log, n)
        if audit(short).verdict not in ("illegal_action", "undetermined", "impossible_log", "unreadable"):
            continue
        refused += 1
        found = [repair.entry for repair in repairs(parse(short))]
        assert any(entry and (entry["by"], entry["do"]) == (log["moves"][n - 1]["by"], verb) for entry in found), n
    assert refused


def played_in_a_search(log: dict[str, Any]) -> int:
    """Return how many entries one search for repairs plays."""
    count = 0
    step = Replay.step

    def counted(replay: Replay) -> Any:
        nonlocal count
        count += 1
        return step(replay)

    with mock.patch.object(Replay, "step", counted):
        repairs(parse(log))
    return count


def test_a_search_is_bounded_whatever_the_log() -> None:
    log = cut(a_game("wakfu", 5), 60)
    assert audit(log).first_illegal is not None
    assert played_in_a_search(log) < 2 * module.BUDGET + 2 * module.FURTHER
    # The budget must govern the search: with a smaller one it plays fewer entries.
    with mock.patch.object(module, "BUDGET", 100):
        assert played_in_a_search(log) < 10 * len(log["moves"])


def test_a_search_gives_the_same_repairs_every_time() -> None:
    log = cut(a_game("wakfu", 5), 60)
    before = json.dumps(log)
    assert repairs(parse(log)) == repairs(parse(log))
    assert json.dumps(log) == before
