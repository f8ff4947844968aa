"""Altered beyond its scenarios: candidates, random games, hidden orbs, positions, score pads, implied entries."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import astuple, replace
from typing import Any

import pytest

import engine
from engine.core.cards.catalog import load_catalog, shipped_catalogs
from engine.core.decks.rules import check_deck
from engine.core.replay.replay import Replay
from engine.core.report.ask import ask
from engine.core.report.audit import audit
from engine.core.table import events
from engine.core.table.header import load_game
from engine.core.table.state import to_json
from engine.core.text.errors import Malformed, Unsupported
from engine.core.text.registry import rulebook
from engine.core.text.rulebook import with_common_rules
from engine.games.altered import editions
from engine.games.altered.vocabulary import TUMULTE
from tests.engine.altered import real
from tests.engine.altered.cast import catalog, deck, header
from tests.engine.altered.shortened import shortened
from tests.engine.games import a_game
from tests.engine.kits import KITS

GAME = "altered"
KIT = KITS[GAME]
DEMO, _ = shipped_catalogs(GAME)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_candidates_are_exactly_the_moves_that_check_accepts(seed: int) -> None:
    replay = Replay(a_game(GAME, seed), keep=False)
    verbs, refs, n, compared = replay.game.verbs(), list(DEMO.cards), 0, 0
    while replay.step() is not None:
        state, n = replay.state, n + 1
        # A sample of the positions: all of the rarer phases, and more while a choice is open.
        if n % 8 and not (state.agenda and n % 2 == 0) and state.phase in ("apres-midi", "matin"):
            continue
        before = to_json(state)
        written = KIT.every_argument(state, refs)
        legal = [json.dumps(astuple(move)) for move in written if not verbs[move.do].check(state, move)]
        assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in replay.game.candidates(state))
        assert to_json(state) == before
        compared += 1
    assert compared > 10


def test_12_random_games_keep_the_invariants_and_use_the_rare_verbs() -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        replay = Replay(a_game(GAME, seed), keep=False)
        while (step := replay.step()) is not None:
            assert step.outcome == "ok", (seed, step)
            assert not list(events.broken_invariants(replay.state))
            seen[step.entry.do] += 1
    assert seen["quick"] and seen["react"] and seen["answer"] and seen["cleanup"]


def draw(*refs: str) -> list[dict[str, Any]]:
    return [{"draw": list(refs)}]


OPENING: tuple[dict[str, Any], ...] = (
    {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]},
    {"by": "table", "do": "adventure"},
    {"by": "A", "do": "mana3", "args": {"cards": ["?", "?", "?"]}, "chance": draw(*["?"] * 6)},
    {"by": "B", "do": "mana3", "args": {"cards": ["?", "?", "?"]}, "chance": draw("X-MODES", *["?"] * 5)},
)


def told(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a log of these entries after an opening; it is A's first afternoon."""
    seats = {seat: {"player": seat, "deck": deck("P-0-0-111", "X-MODES", "R-1-1", "X-AIM")} for seat in "AB"}
    moves = [{"n": index + 1, **entry} for index, entry in enumerate((*OPENING, *entries))]
    return header(**{"seats": seats, "moves": moves, **changes})


def outcomes(document: dict[str, Any]) -> list[str]:
    return [step.outcome for step in Replay(document, catalogs=[catalog()])]


def test_a_known_card_that_may_have_become_an_orb_is_not_assumed_to_be_in_hand() -> None:
    """B drew X-MODES and five unknown cards, and three of the six became orbs: any card may be among the three left."""
    other: dict[str, Any] = {"by": "B", "do": "play", "args": {"card": "P-0-0-111", "expedition": "heros"}}
    entries: list[dict[str, Any]] = [
        {"by": "A", "do": "pass"},
        other,
        {**other, "args": {**other["args"], "expedition": "compagnon"}},
        other,
    ]
    assert outcomes(told(*entries)) == ["ok"] * 8
    # Three copies are all that the deck has.
    assert outcomes(told(*entries, other)) == ["ok"] * 8 + ["impossible"]


def test_orbs_are_visible_only_to_their_player() -> None:
    named = {"by": "A", "do": "mana3", "args": {"cards": ["X-AIM", "?", "?"]}, "chance": draw("X-AIM", *["?"] * 5)}
    moves = [{"n": n + 1, **entry} for n, entry in enumerate((*OPENING[:2], named))]
    replay = Replay(told(moves=moves), catalogs=[catalog()])
    mana = {seat: replay.board_at(3, seat)["seats"]["A"]["mana"] for seat in "AB"}
    assert [card if card == "?" else card["ref"] for card in mana["A"]] == ["X-AIM", "?", "?"]
    assert mana["B"] == ["?", "?", "?"]


def test_the_orbs_of_a_hidden_hand_are_not_named_in_the_log() -> None:
    document = a_game(GAME, 3, hidden=("A",))
    orbs = [move["args"] for move in document["moves"] if move["do"] in ("mana3", "expand") and move["by"] == "A"]
    assert {ref for args in orbs for ref in args.get("cards", [args.get("card")])} <= {"?", None}


def test_a_list_may_lack_a_hero_but_a_hero_must_be_a_hero_card() -> None:
    for commander, verdict, code in ((None, "unfinished", None), ("P-0-0-111", "unreadable", "unknown_card")):
        document = told()
        document["seats"]["A"]["deck"]["commander"] = commander
        report = audit(document, catalogs=[catalog()])
        assert report.verdict == verdict
        assert (report.error or {}).get("code") == code


def position(**sides: Any) -> dict[str, Any]:
    """Return a position in an afternoon of A after B has passed; facts left out are unknown."""
    return {
        "format": 1, "game": GAME, "ruleset": KIT.ruleset, "catalog": {"id": "test-altered"},
        "start": {"kind": "position", "turn": dict(KIT.turn), "memory": {"passed": ["B"]}, "state": {"seats": sides}},
    }  # fmt: skip


NOTHING: dict[str, Any] = {"hero": None, "exp_heros": [], "exp_compagnon": [], "landmarks": []}


def test_playing_a_card_asks_for_undeclared_orbs_and_cards_in_play() -> None:
    play = {"by": "A", "do": "play", "args": {"card": "P-2-1-111", "expedition": "heros"}}
    hand = {**NOTHING, "hand": ["P-2-1-111"]}
    for orbs, answer, facts in (
        ({}, "undetermined", ["A/mana"]),
        ({"mana": 2}, "legal", []),
        ({"mana": 1}, "illegal", []),
    ):
        found = ask(position(A={**hand, **orbs}, B=NOTHING), play, catalogs=[catalog()])
        assert (found.answer, [item.fact for item in found.missing]) == (answer, facts)
    found = ask(position(A={**hand, "mana": 2}), play, catalogs=[catalog()])
    assert (found.answer, [item.fact for item in found.missing]) == ("undetermined", ["B/hero"])


def test_the_last_pass_of_a_day_is_legal_but_its_outcome_asks_for_the_board() -> None:
    last = {"by": "A", "do": "pass"}
    assert ask(position(), last, catalogs=[catalog()]).answer == "legal"
    report = audit(
        header(seats={"A": {}, "B": {}}, start=position()["start"], moves=[{"n": 1, **last}]), catalogs=[catalog()]
    )
    assert (report.verdict, [item["fact"] for item in report.missing]) == ("undetermined", ["A.heros"])


def test_a_token_may_stand_on_a_declared_board() -> None:
    document = {**told(), "moves": [], "start": position(A={"exp_heros": [{"ref": "J-111", "marks": {}}]})["start"]}
    assert audit(document, catalogs=[catalog()]).verdict == "consistent_from"


def test_a_score_pad_of_steps_is_plausible_or_breaks_a_rule() -> None:
    pad = [{"n": 1, "by": "A", "do": "pass", "claims": {"A.heros": 1, "B.heros": 0}},
           {"n": 2, "by": "B", "do": "pass", "claims": {"A.heros": 2, "A.compagnon": 0, "B.compagnon": 1}}]  # fmt: skip
    seats = {seat: {"deck": {"commander": "H", "main": {"P-0-0-111": 3}}} for seat in "AB"}
    report = audit(header(seats=seats, moves=pad), catalogs=[catalog()])
    assert (report.verdict, report.score) == ("plausible", {"A": 2, "B": 1})
    leap = [*pad, {"n": 3, "by": "A", "do": "pass", "claims": {"A.heros": 4}}]
    report = audit(header(seats=seats, moves=leap), catalogs=[catalog()])
    assert report.first_illegal is not None
    assert [reason.rule for reason in report.first_illegal.violations] == ["ALT-1.3.2.e"]


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_a_board_as_text_shows_its_cards_in_each_language(lang: str) -> None:
    play = {"by": "A", "do": "play", "args": {"card": "P-0-0-111", "expedition": "heros"}}
    replay = engine.Replay(told(play), catalogs=[catalog()])
    text = engine.core.shown.views.as_text(replay.board_at(5), lang)
    assert "P-0-0-111 1/1/1]" in text and "H]" in text


def test_check_deck_accepts_a_catalogue_as_json() -> None:
    cards = [{"ref": "ONE", "name": "One", "kind": "personnage", "factions": ["OR"], "rarity": "common"}]
    document = {"id": "mine", "game": GAME, "cards": cards}
    listed = {"commander": None, "main": {"ONE": 30}}
    for given in (document, json.dumps(document), load_catalog(document)):
        assert check_deck(GAME, listed, "altered-sealed", catalog=given) == []
    with pytest.raises(Malformed) as caught:
        check_deck(GAME, listed, catalog={**document, "cards": [{"ref": "ONE"}]})
    assert caught.value.code == "missing_key"


def test_a_spell_cannot_be_a_tumult_card() -> None:
    document = position(A=NOTHING, B=NOTHING)
    document["start"]["state"]["common"] = {"tumultes": [{"ref": "S-1-2", "marks": {}}, "?", "?"]}
    error = ask(document, {"by": "A", "do": "pass"}, catalogs=[catalog()]).error
    assert error is not None and (error["code"], error["path"]) == ("bad_value", "start.state.common.tumultes")
    arrive = {"by": "B", "do": "pass", "chance": [{"reveal": ["S-3-2"]}, {"pick": "ouest"}]}
    report = audit(told(PLAY_A, PASS_B, {**arrive, "by": "A"}), catalogs=[catalog()])
    assert (report.verdict, (report.error or {}).get("code")) == ("unreadable", "missing_chance")


def test_a_card_with_a_later_keyword_is_left_to_the_judge() -> None:
    card = {"ref": "L-1", "name": "Later", "kind": "personnage", "keywords": [{"kw": "Exalté"}], "text": "Exalté."}
    found = engine.core.cards.catalog.load_catalog({"id": "later", "game": GAME, "cards": [card]})
    assert not found["L-1"].executable
    report = audit(told(options={"I-ALT-17": "enforced"}), catalogs=[catalog()])
    assert report.error is not None and report.error["code"] == "unknown_option"


@pytest.mark.parametrize("left", [0, 2])
def test_self_play_needs_enough_tumult_cards(left: int) -> None:
    cards = shipped_catalogs(GAME)[0].cards
    tumults = [ref for ref, card in cards.items() if card.kind == TUMULTE][left:]
    few = replace(shipped_catalogs(GAME)[0], cards={ref: card for ref, card in cards.items() if ref not in tumults})
    with pytest.raises(Unsupported) as refused:
        for seed in range(20):
            a_game(GAME, seed, catalog=few)
    assert (refused.value.code, "Tumult" in refused.value.message) == ("catalog_too_small", True)


needs_data = pytest.mark.skipif(not real.DATA.exists(), reason=real.ABSENT)
PAIRS = list(zip(real.STARTERS, (*real.STARTERS[1:], real.STARTERS[0]), strict=True))


@needs_data
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_game_between_real_starters_is_undetermined(first: str, second: str) -> None:
    for seed in range(3):
        document = real.game(seed, first, second)
        report = audit(document, catalogs=[real.catalog()])
        assert (report.verdict, report.computed, report.first_illegal, report.error) == (
            "undetermined",
            None,
            None,
            None,
        )
        doubted = [item["ref"] for item in report.subject_to]
        assert [hero for hero in real.heroes(document) if hero not in doubted] == []


@needs_data
def test_a_game_of_cards_that_a_judge_vouches_for_is_confirmed() -> None:
    document = real.game(2, "05", "01")
    vouched = [
        {"by": "judge", "do": "ruling", "ref": hero, "reason": "played as printed",
         "events": [{"vouch": [seat, ref]} for ref in (hero, *document["seats"][seat]["deck"]["main"])]}
        for seat, hero in zip("AB", real.heroes(document), strict=True)
    ]  # fmt: skip
    moves = [{**entry, "n": n} for n, entry in enumerate([*vouched, *document["moves"]], 1)]
    report = audit({**document, "moves": moves}, catalogs=[real.catalog()])
    assert (report.verdict, report.claims) == ("confirmed", ())


@needs_data
def test_candidates_match_check_with_cards_without_text() -> None:
    replay = Replay(real.game(1, "03", "05"), catalogs=[real.catalog()], keep=False)
    seats = replay.log.header.seats.values()
    refs = [ref for seat in seats if seat.deck is not None for ref in (*seat.deck.main, seat.deck.commander) if ref]
    verbs, n, compared = replay.game.verbs(), 0, 0
    while replay.step() is not None:
        state, n = replay.state, n + 1
        if n % 12:
            continue
        written = KIT.every_argument(state, list(dict.fromkeys(refs)))
        legal = [json.dumps(astuple(move)) for move in written if not verbs[move.do].check(state, move)]
        assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in replay.game.candidates(state))
        compared += 1
    assert compared > 5


def test_games_without_their_optional_entries_give_the_same_result() -> None:
    whole = left = days = 0
    for seed in range(8):
        document = a_game(GAME, seed)
        short = shortened(document)
        first, second = audit(document), audit(short)
        assert (first.verdict, first.computed, first.score) == (second.verdict, second.computed, second.score), seed
        whole, left = whole + len(document["moves"]), left + len(short["moves"])
        days += sum(entry["do"] == "pass" for entry in document["moves"]) // 2
    print(f"{whole / days:.1f} entries a day, {left / days:.1f} at least")
    assert left < whole


def refused(*entries: dict[str, Any], start: int = 0, **changes: Any) -> tuple[int, str, str] | None:
    """Return number, rule and English message of the first refused entry, or None if all are legal."""
    moves = [{"n": index + 1, **entry} for index, entry in enumerate((*OPENING[start:], *entries))]
    report = audit(told(moves=moves, **changes), catalogs=[catalog()])
    assert report.error is None, report.error
    if report.first_illegal is None:
        return None
    reason = report.first_illegal.violations[0]
    return report.first_illegal.n, reason.rule, rulebook(GAME).message(reason, "en")


PASS_A, PASS_B = {"by": "A", "do": "pass"}, {"by": "B", "do": "pass"}
EXPAND_A, EXPAND_B = ({"by": seat, "do": "expand", "args": {"card": None}} for seat in "AB")
PLAY_A, PLAY_B = (
    {"by": seat, "do": "play", "args": {"card": "P-0-0-111", "expedition": "heros"}} for seat in "AB"
)  # fmt: skip


def test_laying_tumults_a_morning_without_an_orb_and_the_last_pass_need_no_entry() -> None:
    short = [*OPENING[:1], *OPENING[2:], PASS_A, EXPAND_B, PLAY_B]
    moves = [{"n": n, **entry} for n, entry in enumerate(short, 1)]
    replay = Replay(told(moves=moves), catalogs=[catalog()])
    assert [step.outcome for step in replay] == ["ok"] * 6
    state = replay.state
    assert (state.turn, state.phase, state.seat) == (2, "apres-midi", "A")
    assert [len(state.zones[f"{seat}/hand"]) for seat in "AB"] == [5, 4]


def test_tumult_cards_laid_face_up_need_an_entry() -> None:
    moves = [{"n": n, **entry} for n, entry in enumerate((OPENING[0], OPENING[2]), 1)]
    report = audit(told(moves=moves, options={"I-ALT-05": "shown"}), catalogs=[catalog()])
    assert report.first_illegal is not None and report.first_illegal.n == 2


def test_a_second_expand_in_a_morning_is_refused() -> None:
    day = (PASS_A, PASS_B)
    assert refused(*day, EXPAND_B, EXPAND_B) == (
        8, "ALT-1.3.2.b", "B has already drawn and chosen a mana card this morning.",
    )  # fmt: skip
    assert refused(*day, EXPAND_B, EXPAND_A, EXPAND_B) == (
        9, "ALT-1.3.2.b", "B draws and adds to mana in the morning; the current phase is apres-midi.",
    )  # fmt: skip


def test_a_card_played_out_of_turn_does_not_imply_a_pass() -> None:
    assert refused(PLAY_B) == (5, "ALT-5.1.1.b", "B cannot play P-0-0-111: it is A’s turn.")
    assert refused(PASS_A, PLAY_B, PLAY_A) == (
        7, "ALT-5.1.1.b", "P-0-0-111: A has already passed and plays no more cards today.",
    )  # fmt: skip


def test_a_discard_due_at_night_cannot_be_skipped() -> None:
    stored = {"reserve": ["P-1-1-100", "P-1-1-010", "P-1-1-001"]}
    document = position(A={**KIT.side(stored), "hand": 5}, B={**KIT.side({}), "hand": 5})
    document["start"]["memory"] = {**KIT.memory, "passed": ["B"]}
    document["start"]["state"]["common"] = KIT.common({})
    moves = [{"n": 1, **EXPAND_B}]
    report = audit({**document, "seats": {"A": {}, "B": {}}, "moves": moves}, catalogs=[catalog()])
    assert (report.verdict, report.first_illegal and report.first_illegal.n) == ("illegal_action", 1)


GAPS = [gap for gap in with_common_rules(rulebook(GAME)).interpretations.values() if len(gap.options) > 1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.slow
def test_the_report_names_every_interpretation_that_would_change_the_result(seed: int) -> None:
    dice = random.Random(seed)
    left_open = load_game(GAME).rulesets[editions.OF_2024].book.interpretations
    gaps = [gap for gap in GAPS if gap.id in left_open]
    options = {gap.id: dice.choice(list(gap.options)) for gap in gaps} if seed % 2 else {}
    document = a_game(GAME, seed, options=options, ruleset=editions.OF_2024)
    report = audit(document)
    differing = 0
    for gap in gaps:
        for option in gap.options:
            other = audit({**document, "options": {**options, gap.id: option}})
            if (other.verdict, other.computed) != (report.verdict, report.computed):
                assert gap.id in report.depends_on, (gap.id, option)
                differing += 1
    assert differing


@pytest.mark.parametrize(
    ("side", "entry"),
    [
        ({"discard": ["N-S"]}, {"by": "B", "do": "play", "args": {"card": "B/discard/N-S"}}),
        ({"reserve": ["N-S"]}, {"by": "B", "do": "quick", "args": {"card": "B/reserve/1"}}),
        ({"hand": ["N-P"]}, {"by": "B", "do": "play", "args": {"card": "N-P", "expedition": "heros"}}),
        ({"hand": ["N-P"]}, {"by": "B", "do": "play", "args": {"card": "N-P"}}),
        ({"hero": "N-H"}, {"by": "B", "do": "pass"}),
        ({"hero": "N-H", "hand": ["P-3-1-000"]}, {"by": "B", "do": "play", "args": {"card": "P-3-1-000"}}),
    ],
)
def test_a_refused_move_is_undetermined_if_a_card_without_text_might_allow_it(
    side: dict[str, Any], entry: dict[str, Any]
) -> None:
    document = position(A=KIT.side({}), B=KIT.side(side))
    document["start"]["memory"] = dict(KIT.memory)
    document["start"]["state"]["common"] = KIT.common({})
    report = audit({**document, "seats": {"A": {}, "B": {}}, "moves": [{"n": 1, **entry}]}, catalogs=[catalog()])
    assert report.verdict == "undetermined"
    assert report.subject_to and not report.missing
