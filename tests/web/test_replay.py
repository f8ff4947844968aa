"""The page of an audit: the whole report in words, and the board at any move at the same cost."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

import engine
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits.models import MoveLog
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
    """The same game with notes of the board, empty ones, in its middle: `count` entries in all."""
    middle, rest = log["moves"][:20], log["moves"][20:]
    notes = [{"by": "table", "do": "checkpoint"} for _ in range(count - len(log["moves"]))]
    return {**log, "moves": [{**entry, "n": n} for n, entry in enumerate([*middle, *notes, *rest], 1)]}


def positioned(log: dict[str, Any], moves: list[dict[str, Any]], **start: Any) -> dict[str, Any]:
    """A log of the same players that begins at a declared position."""
    kept = {key: log[key] for key in ("format", "game", "ruleset", "catalog", "seats", "match")}
    turn = {"n": 9, "seat": "A", "phase": "combat", "first": "A"}
    return {**kept, "start": {"kind": "position", "source": "judge", "turn": turn, **start}, "moves": moves}


# ---------------------------------------------------------------------------------------------------- any move


def test_the_board_at_move_10_and_at_move_490_of_500_costs_the_same(cast: Cast, match: Match) -> None:
    log = audited(match, lengthened(first_game(match), 500), cast.player)
    client = signed_in(cast.judge)
    client.get(address("audit_step", log.public_id, 1), headers=HTMX)

    def cost(n: int) -> int:
        with CaptureQueriesContext(connection) as caught:
            page = text(client.get(address("audit_step", log.public_id, n), headers=HTMX))
        assert f"After move {n} of 500" in page
        assert not any('"document"' in query["sql"] or '"report"' in query["sql"] for query in caught)
        return len(caught)

    assert 10 < cost(10) == cost(490) <= 19


def test_a_board_is_read_where_no_engine_replays_anything(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = audited(match, first_game(match), cast.player)

    def fail(*_args: object, **_more: object) -> None:
        raise AssertionError("replayed")

    monkeypatch.setattr(engine, "Replay", fail)
    monkeypatch.setattr(engine, "audit", fail)
    client = signed_in(cast.judge)
    for n in (0, 31, 32, 33):
        assert client.get(address("audit_step", log.public_id, n)).status_code == 200


def test_the_boards_are_those_of_the_engine(cast: Cast, match: Match) -> None:
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


def test_a_page_of_500_moves_is_light(cast: Cast, match: Match) -> None:
    log = audited(match, lengthened(first_game(match), 500), cast.player)
    response = signed_in(cast.judge).get(address("audit_step", log.public_id, 250))
    assert len(response.content) < 60_000
    assert text(response).count('id="move-') == 21


def test_every_move_has_its_own_address_and_keys_lead_to_its_neighbours(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    page = text(signed_in(cast.judge).get(address("audit_step", log.public_id, 12)))
    for name, n in (("first", 0), ("previous", 11), ("next", 13)):
        assert f'id="go-{name}" href="{address("audit_step", log.public_id, n)}#replay"' in page
    assert "web/replay.js" in page
    assert page.count("hx-replace-url") == page.count('hx-target="#replay"')


def test_an_audit_of_a_long_log_tells_its_progress(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    def tell(job: jobs.RunningJob, percent: int) -> None:
        if job.kind == "audits.run":
            told.append(percent)

    monkeypatch.setattr(jobs.RunningJob, "progress", tell)
    audited(match, lengthened(first_game(match), 500), cast.player)
    assert told == sorted(told)
    assert len(told) > 10
    assert told[0] < 10 and told[-1] > 90


def test_an_audit_that_was_taken_over_keeps_nothing(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_job: jobs.RunningJob, _percent: int) -> None:
        raise jobs.LeaseLost

    monkeypatch.setattr(jobs.RunningJob, "progress", lost)
    log = audited(match, first_game(match), cast.player)
    assert (log.audit.verdict, log.audit.pages.count()) == ("", 0)


# ---------------------------------------------------------------------------------------------------- the report


def test_a_verdict_says_what_to_do_next(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "What to do now:" in page
    assert "it speaks for the claimed winner" in page
    assert "The decks of the log are what was registered." in page
    for digest in (log.sha256, log.audit.digest, log.audit.report["digest"]):
        assert digest in page


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_an_interpretation_is_opened_to_the_option_in_force(cast: Cast, match: Match, language: str) -> None:
    User.objects.filter(pk=cast.judge.pk).update(language=language)
    document = first_game(match)
    # Time is called at level scores before the first turn; I-TIME, switched, leaves it to the judge.
    opening = [move for move in document["moves"] if move["do"] in ("first_player", "commander", "keep", "mulligan")]
    time = {"n": len(opening) + 1, "by": "table", "do": "time"}
    log = audited(match, {**document, "moves": [*opening, time], "options": {"I-TIME": "judge"}}, cast.player)
    assert "I-TIME" in log.audit.report["depends_on"]
    says = engine.load("star-safir").rulesets["safir-v2@1"].book.interpretations["I-TIME"].options
    page = text(signed_in(User.objects.get(pk=cast.judge.pk)).get(address("audit", log.public_id)))
    before, _, others = page.partition('id="I-TIME-others"')
    assert escape(says["judge"][language]) in before
    assert escape(says["score"][language]) in others


def test_what_a_partial_log_lacks_is_asked_for_with_the_rule_that_needs_it(cast: Cast, match: Match) -> None:
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
        assert f"needs it by rule {item['rule']}" in page
    assert "which fighters have attacked this turn" in page
    assert "facts are not known" in page


def is_fighter(ref: str) -> bool:
    return any(
        catalog.cards[ref].kind == "combattant" for catalog in engine.catalogs("star-safir") if ref in catalog.cards
    )


def test_a_log_from_a_declared_position_is_consistent_and_its_unknown_points_are_question_marks(
    cast: Cast, match: Match
) -> None:
    concede = {"n": 1, "by": "B", "do": "concede"}
    document = positioned(first_game(match), [concede], state={"seats": {"A": {"pv": 12}, "B": {"pv": 9}}})
    log = audited(match, document, cast.judge)
    assert log.audit.verdict == "consistent_from"
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "every move is legal from the declared position" in page
    assert "make sure that both players agree to it" in page
    assert '<dt>PI</dt><dd class="num">?</dd>' in page
    assert '<dt>PV</dt><dd class="num">12</dd>' in page


def test_a_score_pad_is_plausible_and_its_points_stand_on_the_board(cast: Cast, match: Match) -> None:
    kept = {key: value for key, value in first_game(match).items() if key not in ("moves", "claimed")}
    pad = [
        {"n": 1, "by": "A", "do": "end_turn", "claims": {"A.pv": 0, "A.pi": 3}},
        {"n": 2, "by": "B", "do": "end_turn", "claims": {"B.pv": 3}},
    ]
    log = audited(match, {**kept, "moves": pad}, cast.player)
    assert log.audit.verdict == "plausible"
    page = text(signed_in(cast.player).get(address("audit_step", log.public_id, 2)))
    assert "Plausible" in page
    assert '<dt>PV</dt><dd class="num">3 <span class="changed__was">was 0</span></dd>' in page


def test_a_position_that_cannot_be_is_audited_and_said_to_be_impossible(cast: Cast, match: Match) -> None:
    document = positioned(first_game(match), [], state={"seats": {"A": {"pi": 16}}})
    log = audited(match, document, cast.judge)
    assert log.audit.verdict == "impossible_log"
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "above_maximum" in page
    assert "No move of this log could be replayed." in page
    assert signed_in(cast.judge).get(address("audit_step", log.public_id, 1)).status_code == 404


def test_a_fact_noted_wrong_leads_to_its_move(cast: Cast, match: Match) -> None:
    document = first_game(match)
    document["moves"][4]["claims"] = {"A.pv": 25}
    log = audited(match, document, cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert escape("A's PV") in page
    assert f'<a class="num" href="{address("audit_step", log.public_id, 5)}#replay">5</a>' in page


ENDS = {"fr": "Coup %d\u00a0: 30 PV", "en": "Move %d: 30 PV", "it": "Mossa %d: 30 PV"}
FACTS = {
    "fr": ("PV de A", "encore faux 1 fois ensuite"),
    "en": ("A's PV", "wrong 1 more time after that"),
    "it": ("PV di A", "sbagliato ancora 1 volta in seguito"),
}
BY_HAND = {
    "fr": "%s\u00a0: effet appliqué à la main au coup 11, et personne n’a statué.",
    "en": "%s: applied by hand at move 11, and nobody ruled on it.",
    "it": "%s: effetto applicato a mano alla mossa 11, e nessuno ha deciso in merito.",
}


def read_in(language: str, log: MoveLog, judge: User) -> str:
    """The page of an audit as a judge with this language reads it."""
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
def test_a_fact_noted_wrong_twice_is_one_line_with_the_rule_that_gives_its_value(
    cast: Cast, match: Match, language: str
) -> None:
    document = first_game(match)
    for index in (4, 5):
        document["moves"][index]["claims"] = {"A.pv": 25}
    page = read_in(language, audited(match, document, cast.player), cast.judge)
    fact, later = FACTS[language]
    assert page.count(escape(fact)) == page.count(later) == 1
    assert "SAF-VI.4-3" in page


@pytest.mark.parametrize("language", BY_HAND)
def test_a_card_that_nobody_ruled_on_is_named_once(cast: Cast, match: Match, language: str) -> None:
    document = first_game(match)
    ref = sorted(document["seats"]["A"]["deck"]["main"])[0]
    entries = [{"by": "A", "do": "manual", "ref": ref, "reason": "text"}] * 2
    moves = [*document["moves"][:10], *entries, *document["moves"][10:]]
    log = audited(match, {**document, "moves": [{**move, "n": n} for n, move in enumerate(moves, 1)]}, cast.judge)
    name = log.audit.report["cards"][ref][language]
    page = read_in(language, log, cast.judge)
    assert page.count(escape(BY_HAND[language] % name)) == 1
    assert f"{ref}:" not in page


def test_a_ruling_says_whether_the_result_hangs_on_it(cast: Cast, match: Match) -> None:
    document = first_game(match)
    ruling = {"by": "judge", "do": "ruling", "reason": "A card fell.", "events": []}
    moves = [*document["moves"][:10], ruling, *document["moves"][10:]]
    moves = [{**move, "n": n} for n, move in enumerate(moves, 1)]
    log = audited(match, {**document, "moves": moves}, cast.judge)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    assert "settled by a ruling" in page
    assert "without it the result would be the same" in page


def test_a_violation_links_to_the_interpretation_it_leans_on_and_to_the_board_before(cast: Cast, match: Match) -> None:
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    log = audited(match, spoiled, cast.player)
    page = text(signed_in(cast.judge).get(address("audit", log.public_id)))
    for violation in log.audit.report["first_illegal"]["violations"]:
        for interpretation in violation["depends_on"]:
            assert f'href="#{interpretation}"' in page
            assert f'id="{interpretation}"' in page
    assert '<a href="#replay">The board just before it</a>' in page


def test_an_audit_that_failed_says_that_nothing_is_lost(cast: Cast, match: Match) -> None:
    kept = submit_log(
        game=match.games.get(number=1), document=json.dumps(first_game(match)).encode(), by=cast.player, now=NOW
    )
    Job.objects.filter(kind="audits.run").update(status="failed", error="MemoryError")
    page = text(signed_in(cast.judge).get(address("audit", kept.public_id)))
    assert "The audit failed" in page
    assert "the log is kept" in page
    assert "every 3s" not in page


def test_every_id_of_the_page_is_there_once(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    ids = re.findall(r'\sid="([^"]+)"', text(signed_in(cast.judge).get(address("audit", log.public_id))))
    assert len(ids) == len(set(ids))
