"""The audit: a verdict for every kind of log, the first illegal move, the true result, and what they depend on."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.replay import selfplay
from engine.core.report.report import Report
from tests.engine.cast import OPENING, begin, catalog, deck, end, header, play, told

F = "F-1-1-1"
CONCEDE = {"by": "B", "do": "concede"}


def audited(*entries: dict[str, Any], **changes: Any) -> Report:
    return engine.audit(told(*entries, **changes), catalogs=[catalog()])


def with_keyword() -> dict[str, Any]:
    return {seat: {"deck": deck(F, "K-1")} for seat in "AB"}


def test_a_legal_game_with_its_winner_is_confirmed() -> None:
    report = audited(*OPENING, CONCEDE, claimed={"winner": "A"})
    assert (report.verdict, report.computed, report.reason, report.exit_code) == ("confirmed", "A", "concession", 0)


def test_a_wrong_claimed_winner_is_overturned() -> None:
    report = audited(*OPENING, CONCEDE, claimed={"winner": "B"})
    assert (report.verdict, report.claimed, report.computed, report.exit_code) == ("overturned", "B", "A", 1)


def test_a_wrong_claimed_score_is_a_finding() -> None:
    report = audited(*OPENING, CONCEDE, claimed={"winner": "A", "score": {"A": 30, "B": 0}})
    assert report.verdict == "confirmed"
    assert [claim[:4] for claim in report.claims] == [(5, "A.score", 30, 0)]


def test_a_log_that_stops_early_is_unfinished() -> None:
    report = audited(*OPENING, claimed={"winner": "A"})
    assert (report.verdict, report.computed) == ("unfinished", None)


def test_a_wrong_claim_is_a_finding_and_changes_nothing() -> None:
    entry = {**play("A", F), "claims": {"A.pi": 9, "A.hand": 4, "A/T1/fighters/1": F, "A/T1/fighters/2": None}}
    report = audited(*OPENING, entry, CONCEDE, claimed={"winner": "A"})
    assert report.verdict == "confirmed"
    assert [claim[:4] for claim in report.claims] == [(5, "A.pi", 9, 3)]


def test_a_claim_about_an_unknown_fact_is_unreadable() -> None:
    report = audited(*OPENING, {**end("A"), "claims": {"A.gold": 1}})
    assert report.error is not None
    assert (report.verdict, report.error["code"], report.error["n"]) == ("unreadable", "unknown_claim", 5)


def test_the_first_illegal_move_comes_with_rule_board_and_alternatives() -> None:
    report = audited(*OPENING, play("A", F), play("A", F), claimed={"winner": "A"})
    first = report.first_illegal
    assert first is not None
    assert (report.verdict, report.exit_code, first.n, first.by, first.do) == ("illegal_action", 1, 6, "A", "play")
    assert [reason.rule for reason in first.violations] == ["SAF-II-1"]
    assert {"by": "A", "do": "play", "args": {"card": F, "territory": 1, "slot": 2}} in first.legal_alternatives
    assert report.board is not None
    assert report.board["seats"]["A"]["T1"]["fighters"][0]["ref"] == F
    assert report.computed is None


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_the_report_is_available_in_three_languages(lang: str) -> None:
    report = audited(*OPENING, play("A", F), play("A", F))
    found = report.as_json(lang)["first_illegal"]["violations"][0]
    assert set(found) == {"rule", "section", "why", "args", "message", "depends_on"}
    assert found["message"].rstrip(".") in report.as_text(lang)
    assert "SAF-II-1" in report.as_text(lang)


def test_the_report_has_the_documented_keys() -> None:
    report = audited(*OPENING, end("B"))
    found = report.as_json()
    assert list(found) == [
        "verdict", "ruleset", "first_illegal", "result", "claims", "subject_to", "depends_on", "interpretations",
        "coverage", "missing", "digest", "error", "repairs", "cards",
    ]  # fmt: skip
    assert list(found["first_illegal"]) == [
        "n",
        "by",
        "do",
        "args",
        "violations",
        "legal_alternatives",
        "at",
        "more_alternatives",
    ]
    assert {"claimed", "computed", "score"} <= set(found["result"])


def test_a_move_after_the_end_is_illegal_and_the_winner_stands() -> None:
    report = audited(*OPENING, CONCEDE, end("A"), claimed={"winner": "A"})
    assert report.first_illegal is not None
    assert (report.verdict, report.first_illegal.n, report.computed) == ("illegal_action", 6, "A")
    assert report.first_illegal.violations[0].rule == "SAF-I-1"


def test_an_impossible_draw_is_an_impossible_log() -> None:
    report = audited(*OPENING, end("A"), begin("B", "F-7-7-7"))
    assert (report.verdict, report.exit_code) == ("impossible_log", 1)


def test_an_ambiguous_move_leaves_the_game_undetermined() -> None:
    report = audited(*OPENING, {"by": "A", "do": "play", "args": {"card": F, "territory": 1}})
    assert report.error is not None
    assert (report.verdict, report.error["options"]) == ("undetermined", [1, 2, 3])


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"by": "A", "do": "dance"}, "unknown_verb"),
        ({"by": "judge", "do": "back_to", "args": {"n": 5}}, "no_such_move"),
        ({"by": "judge", "do": "checkpoint", "args": {"state": 1}}, "wrong_type"),
        ({"by": "judge", "do": "gap"}, "missing_key"),
        (play("A", "Z-9"), "unknown_card"),
        (play("A", F, territory=4), "unknown_territory"),
        (play("A", F, slot=0), "unknown_slot"),
        ({**end("A"), "resp": True}, "no_window"),
        ({**end("A"), "args": {"x": 1}}, "unknown_key"),
        ({"by": "judge", "do": "ruling", "events": [{"explode": ["A"]}]}, "unknown_event"),
        ({"by": "judge", "do": "ruling", "events": [{"counter": ["A", "gold", 1]}]}, "unknown_counter"),
    ],
)
def test_an_unreadable_entry_is_reported_with_its_code_and_number(entry: dict[str, Any], code: str) -> None:
    report = audited(*OPENING, entry)
    assert report.error is not None
    assert (report.verdict, report.exit_code, report.error["code"], report.error["n"]) == ("unreadable", 2, code, 5)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"ruleset": "safir-v9@1"}, "unknown_ruleset"),
        ({"catalog": {"id": "nowhere"}}, "unknown_catalog"),
        ({"catalog": {"id": "test-safir", "sha256": "00"}}, "catalog_mismatch"),
        ({"options": {"I-SAF-99": "yes"}}, "unknown_interpretation"),
        ({"options": {"I-SAF-04": "sideways"}}, "unknown_option"),
        ({"seats": {"A": {"deck": {"main": {}}}}}, "unknown_seat"),
        ({"seats": {"A": {}, "B": {}}}, "missing_deck"),
        ({"seats": {seat: {"deck": {"main": {"Z-1": 2}}} for seat in "AB"}}, "unknown_card"),
    ],
)
def test_a_header_that_cannot_be_played_is_unreadable(change: dict[str, Any], code: str) -> None:
    report = engine.audit(header(**change), catalogs=[catalog()])
    assert report.error is not None
    assert (report.verdict, report.error["code"]) == ("unreadable", code)


def test_a_card_the_engine_does_not_execute_needs_a_ruling() -> None:
    report = audited(*OPENING, play("A", "K-1"), CONCEDE, claimed={"winner": "A"}, seats=with_keyword())
    assert (report.verdict, report.computed) == ("undetermined", None)
    assert report.subject_to == ({"n": 5, "do": "play", "ref": "K-1", "outcome": "unverified"},)
    assert report.coverage is not None
    assert report.coverage["manual"] == ["K-1"]


def test_a_ruling_on_the_card_settles_it_and_stays_in_the_report() -> None:
    ruling = {"by": "judge", "do": "ruling", "ref": "K-1", "reason": "no target", "events": []}
    report = audited(*OPENING, play("A", "K-1"), ruling, CONCEDE, claimed={"winner": "A"}, seats=with_keyword())
    assert report.verdict == "confirmed"
    assert [(item["n"], item["outcome"]) for item in report.subject_to] == [(5, "ruled"), (6, "ruled")]


def test_a_manual_effect_without_a_ruling_is_undetermined() -> None:
    report = audited(*OPENING, {"by": "A", "do": "manual", "ref": F, "reason": "text"}, CONCEDE)
    assert (report.verdict, report.subject_to[0]["outcome"]) == ("undetermined", "unverified")


def test_an_illegal_move_after_an_unverified_effect_is_undetermined() -> None:
    report = audited(*OPENING, play("A", "K-1"), play("A", F), seats=with_keyword())
    assert report.verdict == "undetermined"
    assert report.first_illegal is not None


def ruling(*events: dict[str, Any]) -> dict[str, Any]:
    return {"by": "judge", "do": "ruling", "reason": "judge’s call", "events": list(events)}


def test_a_ruling_that_decides_the_game_is_marked_as_decisive() -> None:
    report = audited(*OPENING, ruling({"counter": ["B", "pv", 30]}), claimed={"winner": "B"})
    assert (report.verdict, report.computed) == ("confirmed", "B")
    assert report.subject_to[0]["decisive"] is True
    idle = audited(*OPENING, ruling({"counter": ["B", "pv", 1]}), CONCEDE, claimed={"winner": "A"})
    assert idle.subject_to[0]["decisive"] is False


def test_a_ruling_moves_cards_within_the_invariants() -> None:
    events = (
        {"draw": ["A", ["M-1"]]},
        {"place": ["A", "F-2-1-3", "T2/fighters/1"]},
        {"return": ["A", "T2/fighters/1"]},
        {"place": ["A", "F-2-1-3", "T3/fighters/3"]},
        {"discard": ["A", "T3/fighters/3"]},
    )
    entry = {**ruling(*events), "claims": {"A.hand": 5, "A.deck": 24, "A/T2/fighters/1": None}}
    report = audited(*OPENING, entry, CONCEDE, claimed={"winner": "A"})
    assert (report.verdict, report.claims) == ("confirmed", ())


@pytest.mark.parametrize(
    "event",
    [
        # A has 4 PI (the limits are 0 and 15), an empty slot, and 25 cards in the deck, F-7-7-7 not among them.
        {"counter": ["A", "pi", -5]},
        {"counter": ["A", "pi", 12]},
        {"discard": ["A", "T1/fighters/1"]},
        {"draw": ["A", ["F-7-7-7"]]},
        {"draw": ["A", ["?"] * 26]},
    ],
)
def test_a_ruling_that_breaks_an_invariant_is_refused_and_undone(event: dict[str, Any]) -> None:
    report = audited(*OPENING, ruling({"counter": ["A", "pv", 3]}, event))
    assert report.first_illegal is not None
    assert [reason.rule for reason in report.first_illegal.violations] == ["LOG-ruling"]
    assert report.score == {"A": 0, "B": 0}


def test_only_the_judge_may_rule() -> None:
    report = audited(*OPENING, {**ruling(), "by": "A"})
    assert report.first_illegal is not None
    assert report.first_illegal.violations[0].rule == "LOG-actor"


@pytest.mark.parametrize(
    ("entry", "options", "computed", "reason"),
    [
        ({"by": "table", "do": "draw_agreed"}, {}, "draw", "agreement"),
        ({"by": "judge", "do": "game_loss", "args": {"seat": "A"}}, {}, "B", "penalty"),
        ({"by": "judge", "do": "time"}, {}, "B", "time"),
        ({"by": "judge", "do": "time"}, {"I-TIME": "draw"}, "draw", "time"),
    ],
)
def test_a_game_may_end_by_agreement_penalty_or_time(
    entry: dict[str, Any], options: dict[str, str], computed: str, reason: str
) -> None:
    lead = ruling({"counter": ["B", "pv", 2]})
    report = audited(*OPENING, lead, entry, options=options, claimed={"winner": computed})
    assert (report.verdict, report.computed, report.reason) == ("confirmed", computed, reason)


def test_time_left_to_the_judge_is_undetermined() -> None:
    report = audited(*OPENING, {"by": "judge", "do": "time"}, options={"I-TIME": "judge"})
    assert (report.verdict, report.depends_on) == ("undetermined", ("I-TIME",))


@pytest.mark.parametrize(
    ("option", "verdict", "computed"), [("draw", "confirmed", "draw"), ("judge", "undetermined", None)]
)
def test_both_players_reaching_30_pv_at_once_is_settled_by_i_saf_15(
    option: str, verdict: str, computed: str | None
) -> None:
    both = ruling({"counter": ["A", "pv", 30]}, {"counter": ["B", "pv", 31]})
    report = audited(*OPENING, both, options={"I-SAF-15": option})
    assert (report.verdict, report.computed) == (verdict, computed)
    assert "I-SAF-15" in report.depends_on


def test_a_violation_says_which_interpretation_it_depends_on() -> None:
    report = audited(*OPENING, play("A", "F-9-9-0"))
    assert report.first_illegal is not None
    assert report.first_illegal.violations[0].depends_on == ("I-SAF-01",)
    assert "I-SAF-01" in report.depends_on


def test_the_public_functions_of_the_engine_are_available() -> None:
    assert engine.games() == ("altered", "saint-seiya", "star-safir", "stellar-nexus", "wakfu")
    assert engine.load("star-safir").id == "star-safir"
    assert callable(engine.check_deck)
    assert callable(engine.audit)
    assert engine.Replay(told(*OPENING), catalogs=[catalog()]).board_at(0)["seats"]["A"]["deck"] == 30


def test_a_move_after_30_pv_is_illegal_and_the_true_winner_is_still_reported() -> None:
    document = selfplay.play("star-safir", 7)
    end_of_game = engine.audit(document)
    assert (end_of_game.verdict, end_of_game.reason) == ("confirmed", "pv")
    winner = end_of_game.computed
    seat = "B" if document["moves"][-1]["by"] == "A" else "A"
    document["moves"].append({"n": len(document["moves"]) + 1, **begin(seat, "?")})
    document["claimed"]["winner"] = seat
    report = engine.audit(document)
    assert report.first_illegal is not None
    assert (report.verdict, report.first_illegal.n) == ("illegal_action", len(document["moves"]))
    assert (report.computed, report.score) == (winner, end_of_game.score)
    assert [reason.rule for reason in report.first_illegal.violations] == ["SAF-I-1"]
    assert report.first_illegal.legal_alternatives == ()


def test_the_digest_covers_the_entries_after_a_refused_one() -> None:
    one = audited(*OPENING, end("B"), CONCEDE)
    two = audited(*OPENING, end("B"), {**CONCEDE, "by": "A"})
    assert (one.verdict, two.verdict) == ("illegal_action", "illegal_action")
    assert one.digest != two.digest


def emptied(options: dict[str, str], claimed: str | None = None) -> Report:
    """Return the report on a log that stops when both decks are empty, A having 3 PV and B 1."""
    side = {"pi": 4, "hand": 5, "deck": 0, "commander": None, "aside": None}
    mat = {f"T{t}": {"fighters": [None] * 3, "magics": [None] * 3, "discard": []} for t in (1, 2, 3)}
    start = {
        "kind": "position",
        "turn": {"n": 40, "seat": "A", "phase": "lancement", "first": "A"},
        "state": {"seats": {seat: {**side, **mat, "pv": pv} for seat, pv in (("A", 3), ("B", 1))}},
    }
    moves = [{"n": 1, "by": "A", "do": "begin_turn"}]
    changes = {"claimed": {"winner": claimed}} if claimed else {}
    return engine.audit(header(start=start, seats={}, options=options, moves=moves, **changes), catalogs=[catalog()])


def test_two_empty_decks_leave_a_game_open_and_the_report_names_i_saf_17() -> None:
    report = emptied({})
    assert (report.verdict, report.computed, report.score) == ("consistent_from", None, {"A": 3, "B": 1})
    assert "I-SAF-17" in report.depends_on


def test_a_game_with_two_empty_decks_is_decided_by_pv_if_i_saf_17_says_so() -> None:
    report = emptied({"I-SAF-17": "score"})
    assert (report.verdict, report.computed, report.reason) == ("consistent_from", "A", "decks")
    assert emptied({"I-SAF-17": "score"}, "B").verdict == "overturned"
    assert "I-SAF-17" in report.depends_on


FACE_DOWN = {"by": "A", "do": "play", "args": {"card": "?", "face": "down", "territory": 2, "slot": 3}}
SHOWN = {"by": "A", "do": "reveal", "args": {"territory": 2, "slot": 3, "card": "MM-HIDE"}}
HIDING = {seat: {"player": seat, "deck": deck("MM-HIDE", "MM-SLAY")} for seat in "AB"}


def hidden_to_the_end(*shown: dict[str, Any], endgame: bool = False) -> Report:
    moves = (*OPENING, FACE_DOWN, {"by": "B", "do": "concede"}, *shown)
    named = {"I-SAF-23": "endgame"} if endgame else {}
    return engine.audit(told(*moves, options=named, seats=HIDING, claimed={"winner": "A"}), catalogs=[catalog()])


def test_an_unrevealed_card_leaves_the_verdict_open_if_all_must_be_revealed_at_the_end() -> None:
    report = hidden_to_the_end(endgame=True)
    assert (report.verdict, report.computed) == ("undetermined", "A")
    assert report.missing == ({"n": 6, "fact": "A/T2/magics/3", "rule": "SAF-VII-Cache"},)
    assert report.as_json()["missing"][0]["fact"] == "A/T2/magics/3"
    assert "chiedi al tavolo magie di A, territorio 2, spazio 3 (SAF-VII-Cache)" in report.as_text("it")
    assert hidden_to_the_end(SHOWN, endgame=True).verdict == "confirmed"


def test_revealing_a_card_without_cache_at_the_end_is_an_illegal_action() -> None:
    other = {**SHOWN, "args": {**SHOWN["args"], "card": "MM-SLAY"}}
    report = hidden_to_the_end(other, endgame=True)
    assert report.verdict == "illegal_action" and report.first_illegal is not None
    assert [violation.rule for violation in report.first_illegal.violations] == ["SAF-VII-Cache"]
    assert report.first_illegal.legal_alternatives == ({key: SHOWN[key] for key in ("by", "do", "args")},)


def test_an_unrevealed_card_is_not_checked_by_default_and_the_report_says_so() -> None:
    report = hidden_to_the_end()
    assert (report.verdict, report.missing) == ("confirmed", ())
    assert "I-SAF-23" in report.depends_on


# --- rules set aside -----------------------------------------------------------------------------------------------


def allow(seat: str, rule: str) -> dict[str, Any]:
    return ruling({"allow": [seat, rule]})


def test_a_rule_set_aside_allows_one_move_and_the_report_is_subject_to_it() -> None:
    late = {"by": "A", "do": "end_turn"}
    report = audited(*OPENING, late, allow("A", "SAF-VI-0"), begin("A"), CONCEDE, claimed={"winner": "A"})
    assert (report.verdict, report.computed) == ("confirmed", "A")
    assert report.subject_to == (
        {"n": 6, "do": "ruling", "ref": None, "outcome": "ruled", "rules": ["SAF-VI-0"], "decisive": True},
    )
    assert "SAF-VI-0" in report.as_text("fr")
    without = audited(*OPENING, late, begin("A"), CONCEDE)
    assert without.first_illegal is not None
    assert [reason.rule for reason in without.first_illegal.violations] == ["SAF-VI-0"]


def test_a_rule_is_set_aside_for_one_move_of_one_seat() -> None:
    late = {"by": "A", "do": "end_turn"}
    for moves in (
        (allow("B", "SAF-VI-0"), begin("A")),
        (allow("A", "SAF-VI.3-5"), begin("A")),
        (allow("A", "SAF-VI-0"), begin("A"), begin("A")),
    ):
        report = audited(*OPENING, late, *moves)
        assert report.verdict == "illegal_action"
        assert report.first_illegal is not None
        assert report.first_illegal.n == 5 + len(moves)


def test_a_rule_set_aside_leaves_the_invariants_in_force() -> None:
    first_one, second_one = play("A", "F-1-1-1"), play("A", "F-1-1-1")
    report = audited(*OPENING, first_one, allow("A", "SAF-II-1"), second_one)
    assert report.first_illegal is not None
    assert [reason.rule for reason in report.first_illegal.violations] == ["SAF-II-1"]
    nobody = {"by": "A", "do": "attack", "args": {"territory": 2, "attackers": [1], "target": 1}}
    report = audited(*OPENING, allow("A", "SAF-VI.3-1"), nobody)
    assert report.verdict == "illegal_action"


@pytest.mark.parametrize("rule", ["SAF-0", "LOG-hand", "", "I-SAF-04"])
def test_only_rules_of_the_rule_text_can_be_set_aside(rule: str) -> None:
    report = audited(*OPENING, allow("A", rule))
    assert report.error is not None
    assert (report.verdict, report.error["code"]) == ("unreadable", "unknown_rule")


# --- the report as text --------------------------------------------------------------------------------------------

# The reports below are compared word by word: what a judge reads is part of the interface.
REFUSED = {
    "fr": "Le coup 6 (A joue Fighter 1 1 1 dans le territoire 1, emplacement 1) est illégal :",
    "en": "Move 6 (A plays Fighter 1 1 1 in territory 1, slot 1) is illegal:",
    "it": "La mossa 6 (A gioca Fighter 1 1 1 nel territorio 1, spazio 1) è illegale:",
}
ENDED = {
    "fr": "La partie finit au coup 5 : concession.",
    "en": "The game ends at move 5: concession.",
    "it": "La partita finisce alla mossa 5: concessione.",
}
FALSE = {
    "fr": "Coup 5 : PI de A, noté 9 ; le moteur trouve 3 (SAF-VI.2-1). Encore faux une fois plus tard.",
    "en": "Move 5: A’s PI, noted as 9; the engine finds 3 (SAF-VI.2-1). Wrong once more after that.",
    "it": "Mossa 5: PI di A, annotato 9; il motore trova 3 (SAF-VI.2-1). Ancora sbagliato una volta in seguito.",
}
STOPS = {
    "fr": "Illisible : la lecture s’arrête au coup 6. Ce qui précède est vérifié.",
    "en": "Unreadable: reading stops at move 6. What comes before it is checked.",
    "it": "Illeggibile: la lettura si ferma alla mossa 6. Ciò che precede è verificato.",
}
UNREAD = {
    "fr": "Le moteur ne sait pas lire Keyworded : cette carte pouvait agir dès le coup 5 et aucun arbitre",
    "en": "The engine cannot read Keyworded: it could act from move 5 on, and no judge has ruled on it.",
    "it": "Il motore non sa leggere Keyworded: poteva agire dalla mossa 5 e nessun arbitro ha deciso.",
}
WOULD = {
    "fr": "Le coup 6 (A joue Fighter 1 1 1 dans le territoire 1, emplacement 1) serait illégal, mais une carte",
    "en": "Move 6 (A plays Fighter 1 1 1 in territory 1, slot 1) would be illegal, but a card that the engine",
    "it": "La mossa 6 (A gioca Fighter 1 1 1 nel territorio 1, spazio 1) sarebbe illegale, ma una carta che il motore",
}


@pytest.mark.parametrize("lang", REFUSED)
def test_a_refused_move_is_described_with_the_rule_it_breaks_and_its_section(lang: str) -> None:
    report = audited(*OPENING, play("A", F), play("A", F))
    lines = report.as_text(lang).splitlines()
    assert lines[lines.index(REFUSED[lang]) + 1].endswith("(SAF-II-1, II. Le tapis de jeu).")
    assert F not in report.as_text(lang)


@pytest.mark.parametrize("lang", ENDED)
def test_a_report_says_which_entry_ended_the_game(lang: str) -> None:
    report = audited(*OPENING, CONCEDE, claimed={"winner": "A"})
    assert ENDED[lang] in report.as_text(lang)
    ended = report.as_json(lang)["result"]["ended"]
    assert (ended["n"], ended["rule"], ended["reason"]) == (5, None, "concession")
    assert ended["words"] in ENDED[lang]


def test_the_entry_that_reaches_30_pv_ends_the_game_by_saf_i_1() -> None:
    document = selfplay.play("star-safir", 7)
    ended = engine.audit(document).as_json()["result"]["ended"]
    assert (ended["n"], ended["rule"], ended["section"]) == (len(document["moves"]), "SAF-I-1", "I. Les bases")


def test_a_game_whose_end_was_taken_back_ends_where_it_ends_again() -> None:
    back = {"by": "judge", "do": "back_to", "args": {"n": 4}}
    assert audited(*OPENING, CONCEDE, back).ended is None
    ended = audited(*OPENING, CONCEDE, back, end("A"), {**CONCEDE, "by": "A"}).ended
    assert ended is not None and ended.n == 8


@pytest.mark.parametrize("lang", FALSE)
def test_a_repeated_wrong_claim_is_folded_into_the_first(lang: str) -> None:
    first_note, again = ({**entry, "claims": {"A.pi": 9}} for entry in (play("A", F), play("A", "F-2-1-3", slot=2)))
    report = audited(*OPENING, first_note, again, CONCEDE, claimed={"winner": "A"})
    assert [tuple(claim) for claim in report.claims] == [(5, "A.pi", 9, 3, "SAF-VI.2-1", 5, 1)]
    assert FALSE[lang] in report.as_text(lang)


def test_a_wrong_claim_cites_no_rule_after_a_ruling_and_the_set_up_rule_if_nothing_changed() -> None:
    entry = {**ruling({"counter": ["A", "pi", 2]}), "claims": {"A.pi": 0, "B.pi": 0}}
    report = audited(*OPENING, entry, CONCEDE)
    assert [(claim.claim, claim.rule, claim.since) for claim in report.claims] == [
        ("A.pi", None, 5),
        ("B.pi", "SAF-V-3", 0),
    ]


@pytest.mark.parametrize("lang", STOPS)
def test_one_unreadable_entry_does_not_empty_the_report(lang: str) -> None:
    noted = {**play("A", F), "claims": {"A.pi": 9}}
    manual = {"by": "A", "do": "dance"}
    report = audited(*OPENING, noted, manual, CONCEDE)
    assert (report.verdict, report.exit_code, report.score) == ("unreadable", 2, {"A": 0, "B": 0})
    assert [claim.claim for claim in report.claims] == ["A.pi"]
    assert report.coverage is not None and report.coverage["moves"] == 6
    assert report.board is not None and report.board["seats"]["A"]["T1"]["fighters"][0]["ref"] == F
    assert report.digest is not None and "I-SAF-01" in report.depends_on
    assert report.as_text(lang).splitlines()[0] == STOPS[lang]


BAD_SHAPES: tuple[Any, ...] = (
    {"by": "A"},
    {"by": "A", "do": "end_turn", "zz": 1},
    {"by": 7, "do": "end_turn"},
    {"by": "A", "do": "end_turn", "n": 99},
    "end_turn",
)


@pytest.mark.parametrize("entry", BAD_SHAPES, ids=str)
def test_a_malformed_entry_does_not_empty_the_report(entry: Any) -> None:
    document = told(*OPENING, {**play("A", F), "claims": {"A.pi": 9}}, CONCEDE)
    document["moves"][5] = {"n": 6, **entry} if isinstance(entry, dict) else entry
    report = engine.audit(document, catalogs=[catalog()])
    assert report.error is not None and report.board is not None and report.coverage is not None
    assert (report.verdict, report.error["n"], report.score) == ("unreadable", 6, {"A": 0, "B": 0})
    assert [claim.claim for claim in report.claims] == ["A.pi"]
    assert report.board["seats"]["A"]["T1"]["fighters"][0]["ref"] == F and report.coverage["moves"] == 5
    assert report.as_text("fr").startswith(STOPS["fr"])


def test_an_illegal_move_before_an_unreadable_entry_is_reported_too() -> None:
    document = told(*OPENING, end("B"), CONCEDE)
    del document["moves"][5]["do"]
    report = engine.audit(document, catalogs=[catalog()])
    assert (report.verdict, report.exit_code) == ("unreadable", 2)
    assert report.first_illegal is not None and report.first_illegal.n == 5


def test_an_entirely_unreadable_log_has_no_score_and_no_board() -> None:
    report = engine.audit("{")
    assert (report.score, report.board, report.as_text("en").splitlines()[0]) == (None, None, "Unreadable.")


@pytest.mark.parametrize("lang", UNREAD)
def test_a_card_the_engine_cannot_execute_is_named_once_with_the_first_move_it_could_act_at(lang: str) -> None:
    report = audited(*OPENING, play("A", "K-1"), play("A", F, slot=2), CONCEDE, seats=with_keyword())
    assert report.verdict == "undetermined"
    assert report.as_text(lang).count(UNREAD[lang]) == 1


@pytest.mark.parametrize("lang", WOULD)
def test_a_refusal_while_such_a_card_could_act_is_worded_in_the_conditional(lang: str) -> None:
    report = audited(*OPENING, play("A", "K-1"), play("A", F), seats=with_keyword())
    assert WOULD[lang] in report.as_text(lang)


def test_a_card_of_only_one_list_is_named_with_its_seat() -> None:
    seats = {"A": {"deck": deck(F, "K-1")}, "B": {"deck": deck(F)}}
    report = audited(*OPENING, play("A", "K-1"), CONCEDE, seats=seats)
    assert report.subject_to[0]["seat"] == "A"
    assert "The engine cannot read Keyworded (A):" in report.as_text("en")


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_interpretations_are_reported_with_the_text_of_the_option_in_force(lang: str) -> None:
    report = audited(*OPENING, {"by": "judge", "do": "time"}, options={"I-TIME": "draw"})
    opened = {item["id"]: item for item in report.as_json(lang)["interpretations"]}["I-TIME"]
    assert report.book is not None
    gap = report.book.interpretations["I-TIME"]
    assert (opened["option"], opened["default"], opened["says"]) == ("draw", False, gap.options["draw"][lang])
    assert opened["says"] in report.as_text(lang) and opened["why"] == gap.why[lang]


def test_the_report_has_the_names_of_the_cards_it_mentions_and_of_no_others() -> None:
    report = audited(*OPENING, play("A", F), play("A", F)).as_json("fr")
    assert report["cards"][F] == dict.fromkeys(("fr", "en", "it"), "Fighter 1 1 1")
    assert "K-1" not in report["cards"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "Le moteur ne connaît pas ce jeu : « chess »."),
        ({"ruleset": "nope"}, "Le moteur n’a pas cette version des règles : « nope » (ruleset)."),
        ({"y": 1}, "Cette clé n’a pas sa place ici : « y »."),
        ({"options": {"I-SAF-04": "sideways"}}, "« sideways » (options.I-SAF-04)."),
    ],
)
def test_the_unreadable_part_of_a_header_is_quoted(change: dict[str, Any], said: str) -> None:
    report = engine.audit(header(**change), catalogs=[catalog()])
    assert said in report.as_text("fr")


def test_the_options_of_an_ambiguous_entry_are_listed() -> None:
    report = audited(*OPENING, {"by": "A", "do": "play", "args": {"card": F, "territory": 1}})
    assert "Cela peut être : 1 ; 2 ; 3" in report.as_text("fr")


def test_an_error_has_a_message_in_the_language_asked_for_and_a_detail_in_english() -> None:
    report = audited(*OPENING, {"by": "A", "do": "melt"})
    assert report.error is not None
    detail = report.error["message"]
    english = report.as_json("en")["error"]["message"]
    assert english.startswith("The game has no such action: “melt”. Allowed: activate, answer, ")
    french = report.as_json("fr")["error"]
    assert french["detail"] == detail
    assert french["message"].startswith("Cette action n’existe pas dans ce jeu : « melt ». Valeurs permises")
    assert "Mossa 5: questa azione non esiste nel gioco: «melt» (do). Valori ammessi: activate," in report.as_text("it")


def test_the_coverage_counts_the_moves_left_to_rulings() -> None:
    report = audited(*OPENING, play("A", "K-1"), CONCEDE, seats=with_keyword())
    assert report.coverage is not None
    assert (report.coverage["moves"], report.coverage["left_to_rulings"]) == (6, 1)
