"""The page of an audit: the board at any move, at a constant cost, and the report in words."""

import json
import re
import sqlite3
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

import engine
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits import replays
from tournaments.audits.models import MoveLog, ReplayPage
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import Job
from tournaments.demo.games import with_a_second_attack
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def audited(match: Match, log: dict[str, Any], by: User) -> MoveLog:
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(log).encode(), by=by, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return MoveLog.objects.get(pk=kept.pk)


def lengthened(log: dict[str, Any], count: int) -> dict[str, Any]:
    """Lengthen a game to `count` entries with empty checkpoints, inserted after move 20."""
    middle, rest = log["moves"][:20], log["moves"][20:]
    notes = [{"by": "table", "do": "checkpoint"} for _ in range(count - len(log["moves"]))]
    return {**log, "moves": [{**entry, "n": n} for n, entry in enumerate([*middle, *notes, *rest], 1)]}


def positioned(log: dict[str, Any], moves: list[dict[str, Any]], **start: Any) -> dict[str, Any]:
    """Return a log of the same players that begins at a declared position."""
    kept = {key: log[key] for key in ("format", "game", "ruleset", "catalog", "seats", "match")}
    turn = {"n": 9, "seat": "A", "phase": "combat", "first": "A"}
    return {**kept, "start": {"kind": "position", "source": "judge", "turn": turn, **start}, "moves": moves}


# ---------------------------------------------------------------------------------------------------- boards


def test_the_board_at_move_490_takes_no_more_queries_than_at_move_10(cast: Cast, match: Match) -> None:
    log = audited(match, lengthened(first_game(match), 500), cast.player)
    client = signed_in(cast.judge)
    client.get(address("audit_step", log.public_id, 1), headers=HTMX)

    def cost(n: int) -> int:
        client.get(address("audit_step", log.public_id, n), headers=HTMX)  # draws the boards, which are then kept
        with CaptureQueriesContext(connection) as caught:
            page = text(client.get(address("audit_step", log.public_id, n), headers=HTMX))
        assert f"After move {n} of 500" in page
        assert not any('"document"' in query["sql"] or '"report"' in query["sql"] for query in caught)
        return len(caught)

    assert 10 < cost(10) == cost(490) <= 18


def test_boards_are_drawn_when_first_opened_and_then_kept(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = audited(match, first_game(match), cast.player)
    assert not log.audit.pages.exists()
    client = signed_in(cast.judge)
    moves = (0, 31, 32, 33)
    shown = [text(client.get(address("audit_step", log.public_id, n), headers=HTMX)) for n in moves]
    assert set(log.audit.pages.values_list("number", flat=True)) <= {0, 1}

    def fail(*_args: object, **_more: object) -> None:
        raise AssertionError("replayed")

    monkeypatch.setattr(engine, "Replay", fail)
    monkeypatch.setattr(engine, "audit", fail)
    assert shown == [text(client.get(address("audit_step", log.public_id, n), headers=HTMX)) for n in moves]


def test_only_the_pages_of_boards_that_are_opened_are_drawn(cast: Cast, match: Match) -> None:
    log = audited(match, lengthened(first_game(match), 500), cast.player)
    assert replays.position(log.audit, 300) is not None
    assert list(log.audit.pages.values_list("number", flat=True)) == [9]
    assert replays.position(log.audit, 320) is not None  # first of page 10; the board before it is on page 9
    assert list(log.audit.pages.values_list("number", flat=True)) == [9, 10]
    assert replays.position(log.audit, 501) is None and replays.position(log.audit, -1) is None
    assert len(replays.all_moves(log.audit, 70)) == 70
    assert list(log.audit.pages.values_list("number", flat=True)) == [0, 1, 2, 9, 10]


@pytest.mark.slow
def test_all_moves_in_one_answer_are_those_that_are_read_one_by_one(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    last = replays.outline_of(log.audit)["last"]
    for reader in (cast.judge, cast.player):  # the player sees what their own seat sees
        client = signed_in(reader)
        one_by_one = [text(client.get(address("audit_step", log.public_id, n), headers=HTMX)) for n in range(last + 1)]
        assert client.get(address("audit_steps", log.public_id)).json()["steps"] == one_by_one
    assert one_by_one != signed_in(cast.judge).get(address("audit_steps", log.public_id)).json()["steps"]


@pytest.mark.slow
def test_all_moves_of_a_long_game_take_as_few_queries_as_those_of_a_short_one(cast: Cast, match: Match) -> None:
    def cost(log: MoveLog) -> int:
        client = signed_in(cast.judge)
        client.get(address("audit_steps", log.public_id))
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address("audit_steps", log.public_id)).status_code == 200
        return len(caught)

    game = first_game(match)
    assert cost(audited(match, game, cast.player)) == cost(audited(match, lengthened(game, 200), cast.player)) <= 20


def test_the_moves_of_a_very_long_game_are_read_one_by_one(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = audited(match, first_game(match), cast.player)
    client = signed_in(cast.judge)
    steps = f'data-steps="{address("audit_steps", log.public_id)}"'
    assert steps in text(client.get(address("audit_step", log.public_id, 1)))
    monkeypatch.setattr("tournaments.web.pages.audits.audits.MOST_STEPS", 10)
    assert client.get(address("audit_steps", log.public_id)).status_code == 404
    assert steps not in text(client.get(address("audit_step", log.public_id, 1)))


def test_boards_can_be_read_while_the_disk_is_full(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    log = audited(match, first_game(match), cast.player)

    def full(*_args: object, **_more: object) -> None:
        cause = sqlite3.OperationalError("disk full")
        cause.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise OperationalError("disk full") from cause

    monkeypatch.setattr(ReplayPage.objects, "bulk_create", full)
    assert "After move 12" in text(signed_in(cast.judge).get(address("audit_step", log.public_id, 12)))


def test_the_boards_equal_those_of_the_engine(cast: Cast, match: Match) -> None:
    document = first_game(match)
    log = audited(match, document, cast.player)
    replay = engine.Replay(document)
    last = len(document["moves"])
    api = signed_in(cast.judge)
    for n in (0, 1, 31, 32, 33, last):
        told = api.get(f"/api/v1/logs/{log.public_id}/board/?n={n}").json()
        assert (told["board"], told["n"], told["last"], told["refused"]) == (replay.board_at(n), n, last, False)
        assert (told["move"] or {"n": 0})["n"] == n
    assert api.get(f"/api/v1/logs/{log.public_id}/board/?n={last + 1}").status_code == 404
    assert api.get(f"/api/v1/logs/{log.public_id}/board/").status_code == 422


def test_a_page_of_a_log_of_500_moves_is_small(cast: Cast, match: Match) -> None:
    log = audited(match, lengthened(first_game(match), 500), cast.player)
    response = signed_in(cast.judge).get(address("audit_step", log.public_id, 250))
    assert len(response.content) < 60_000
    assert text(response).count('id="move-') == 21


def test_every_move_has_its_own_address_and_links_to_its_neighbors(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    page = text(signed_in(cast.judge).get(address("audit_step", log.public_id, 12)))
    for name, n in (("first", 0), ("previous", 11), ("next", 13)):
        assert f'id="go-{name}" href="{address("audit_step", log.public_id, n)}#replay"' in page
    assert "web/replay.js" in page
    assert page.count("hx-replace-url") == page.count('hx-target="#replay"')


# ---------------------------------------------------------------------------------------------------- the report


def test_a_verdict_says_what_to_do_next(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "What to do now:" in page
    assert "the log supports the claimed winner" in page
    assert "The decks in the log match the registered lists." in page
    for digest in (log.sha256, log.audit.digest, log.audit.report["digest"]):
        assert digest in page


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_an_interpretation_shows_the_option_in_force_first(cast: Cast, match: Match, language: str) -> None:
    User.objects.filter(pk=cast.judge.pk).update(language=language)
    document = first_game(match)
    # Time is called before the first turn, at equal scores: with I-TIME set to "judge", a judge decides.
    opening = [move for move in document["moves"] if move["do"] in ("first_player", "commander", "keep", "mulligan")]
    time = {"n": len(opening) + 1, "by": "table", "do": "time"}
    log = audited(match, {**document, "moves": [*opening, time], "options": {"I-TIME": "judge"}}, cast.player)
    assert "I-TIME" in log.audit.report["depends_on"]
    says = engine.load("star-safir").rulesets["safir-v2@1"].book.interpretations["I-TIME"].options
    page = text(signed_in(User.objects.get(pk=cast.judge.pk)).get(address("audit", log.public_id)))
    before, _, others = page.partition('id="I-TIME-others"')
    assert escape(says["judge"][language]) in before
    assert escape(says["score"][language]) in others


def test_facts_missing_from_a_partial_log_are_listed_with_the_rule_that_needs_them(cast: Cast, match: Match) -> None:
    document = first_game(match)
    fighter = next(ref for ref in document["seats"]["A"]["deck"]["main"] if is_fighter(ref))
    other = next(ref for ref in document["seats"]["B"]["deck"]["main"] if is_fighter(ref))
    seats = {seat: {"T1": {"fighters": [ref, None, None]}} for seat, ref in (("A", fighter), ("B", other))}
    attack = {"n": 1, "by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}
    log = audited(match, positioned(document, [attack], state={"seats": seats}), cast.judge)
    assert log.audit.verdict == "undetermined"
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "Undetermined" in page
    for item in log.audit.report["missing"]:
        assert f'<span class="code small">{item["fact"]}</span>' in page
        assert f"needs it for rule {item['rule']}" in page
    assert "which fighters have attacked this turn" in page
    assert "What is not known: " in page


def is_fighter(ref: str) -> bool:
    return any(
        catalog.cards[ref].kind == "combattant" for catalog in engine.catalogs("star-safir") if ref in catalog.cards
    )


def test_a_log_from_a_declared_position_is_consistent_and_shows_unknown_counters(cast: Cast, match: Match) -> None:
    concede = {"n": 1, "by": "B", "do": "concede"}
    document = positioned(first_game(match), [concede], state={"seats": {"A": {"pv": 12}, "B": {"pv": 9}}})
    log = audited(match, document, cast.judge)
    assert log.audit.verdict == "consistent_from"
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "every move is legal from the declared position" in page
    assert "make sure that both players agree to it" in page
    assert "<dt>PI</dt><dd>?</dd>" in page
    assert "<dt>PV</dt><dd>12</dd>" in page


def test_a_score_pad_is_plausible_and_its_counters_are_on_the_board(cast: Cast, match: Match) -> None:
    kept = {key: value for key, value in first_game(match).items() if key not in ("moves", "claimed")}
    pad = [
        {"n": 1, "by": "A", "do": "end_turn", "claims": {"A.pv": 0, "A.pi": 3}},
        {"n": 2, "by": "B", "do": "end_turn", "claims": {"B.pv": 3}},
    ]
    log = audited(match, {**kept, "moves": pad}, cast.player)
    assert log.audit.verdict == "plausible"
    page = text(signed_in(cast.player).get(address("audit_step", log.public_id, 2)))
    assert "Plausible" in page
    assert '<dt>PV</dt><dd>3 <span class="was">was 0</span></dd>' in page


def test_an_impossible_position_is_audited_as_impossible(cast: Cast, match: Match) -> None:
    document = positioned(first_game(match), [], state={"seats": {"A": {"pi": 16}}})
    log = audited(match, document, cast.judge)
    assert log.audit.verdict == "impossible_log"
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "above_maximum" in page
    assert "No move of this log could be replayed." in page
    assert signed_in(cast.judge).get(address("audit_step", log.public_id, 1)).status_code == 404


def test_a_counter_noted_wrong_links_to_its_move(cast: Cast, match: Match) -> None:
    document = first_game(match)
    document["moves"][4]["claims"] = {"A.pv": 25}
    log = audited(match, document, cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert escape("A’s PV") in page
    assert f'<a class="num" href="{address("audit_step", log.public_id, 5)}#replay">5</a>' in page


# Phrases of the page in each language: how the game ended, counters noted wrong, effects applied by hand.
ENDS = {"fr": "Coup %d\u00a0: 30 PV", "en": "Move %d: 30 PV", "it": "Mossa %d: 30 PV"}
FACTS = {
    "fr": ("PV de A", "encore faux 1 fois ensuite"),
    "en": ("A’s PV", "wrong 1 more time after that"),
    "it": ("PV di A", "sbagliato ancora 1 volta in seguito"),
}
BY_HAND = {
    "fr": "%s\u00a0: effet appliqué à la main au coup 11, sans décision d’arbitre.",
    "en": "%s: applied by hand at move 11, with no ruling.",
    "it": "%s: effetto applicato a mano alla mossa 11, senza decisione arbitrale.",
}


def read_in(language: str, log: MoveLog, judge: User) -> str:
    """Return the page of an audit as a judge with this language sees it."""
    User.objects.filter(pk=judge.pk).update(language=language)
    judge.refresh_from_db()
    return text(signed_in(judge).get(address("audit", log.public_id)))


@pytest.mark.parametrize("language", ENDS)
def test_an_audit_says_which_move_ended_the_game_and_by_which_rule(cast: Cast, match: Match, language: str) -> None:
    log = audited(match, first_game(match), cast.player)
    ended = log.audit.report["result"]["ended"]
    page = read_in(language, log, cast.judge)
    assert ENDS[language] % ended["n"] in page
    assert f"{ended['rule']}" in page and escape(ended["section"]) in page


@pytest.mark.parametrize("language", FACTS)
def test_a_counter_noted_wrong_twice_is_one_line_with_its_rule(cast: Cast, match: Match, language: str) -> None:
    document = first_game(match)
    for index in (4, 5):
        document["moves"][index]["claims"] = {"A.pv": 25}
    page = read_in(language, audited(match, document, cast.player), cast.judge)
    fact, later = FACTS[language]
    assert page.count(escape(fact)) == page.count(later) == 1
    assert "SAF-VI.4-3" in page


@pytest.mark.parametrize("language", BY_HAND)
def test_a_card_applied_by_hand_without_a_ruling_is_listed_once(cast: Cast, match: Match, language: str) -> None:
    document = first_game(match)
    ref = sorted(document["seats"]["A"]["deck"]["main"])[0]
    entries = [{"by": "A", "do": "manual", "ref": ref, "reason": "text"}] * 2
    moves = [*document["moves"][:10], *entries, *document["moves"][10:]]
    log = audited(match, {**document, "moves": [{**move, "n": n} for n, move in enumerate(moves, 1)]}, cast.judge)
    name = log.audit.report["cards"][ref][language]
    page = read_in(language, log, cast.judge)
    assert page.count(escape(BY_HAND[language] % name)) == 1
    assert f"{ref}:" not in page


def test_a_ruling_in_a_log_says_whether_the_result_depends_on_it(cast: Cast, match: Match) -> None:
    document = first_game(match)
    ruling = {"by": "judge", "do": "ruling", "reason": "A card fell.", "events": []}
    moves = [*document["moves"][:10], ruling, *document["moves"][10:]]
    moves = [{**move, "n": n} for n, move in enumerate(moves, 1)]
    log = audited(match, {**document, "moves": moves}, cast.judge)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "settled by a ruling" in page
    assert "without it the result would be the same" in page


def test_a_violation_links_to_its_interpretations_and_to_the_board_before_it(cast: Cast, match: Match) -> None:
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    log = audited(match, spoiled, cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    for violation in log.audit.report["first_illegal"]["violations"]:
        for interpretation in violation["depends_on"]:
            assert f'href="#{interpretation}"' in page
            assert f'id="{interpretation}"' in page
    assert '<a href="#replay">The board just before it</a>' in page


def test_the_page_of_a_failed_audit_says_that_the_log_is_kept(cast: Cast, match: Match) -> None:
    kept = submit_log(
        game=match.games.get(number=1), document=json.dumps(first_game(match)).encode(), by=cast.player, now=NOW
    )
    Job.objects.filter(kind="audits.run").update(status="failed", error="MemoryError")
    page = text(signed_in(cast.judge).get(address("audit", kept.public_id)))
    assert "The audit failed" in page
    assert "the log is saved" in page
    assert "every 3s" not in page


def test_the_ids_on_the_page_are_unique(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    ids = re.findall(r'\sid="([^"]+)"', text(signed_in(cast.judge).get(address("audit", log.public_id))))
    assert len(ids) == len(set(ids))
