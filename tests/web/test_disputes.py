"""Disputes on pages: claims in the judge queue, the form of a ruling, what both players see, and appeals."""

import re

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast, account
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits import disputes
from tournaments.audits.disputes import Wanted
from tournaments.audits.models import Dispute
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    found = match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)
    play.enter_result(match=found, by=cast.scorekeeper, games=(2, 1, 0), now=NOW)
    return found


@pytest.fixture
def judge(cast: Cast, match: Match) -> User:
    second = account("Second Judge")
    grant_role(event=match.round.stage.event, email=second.email, role="judge", by=cast.organizer, now=NOW)
    return second


def state_in(page: str) -> str:
    """Return the digest of the match's state, sent along so that a ruling on an older state is refused."""
    found = re.search(r'name="state" value="([0-9a-f]{64})"', page)
    assert found
    return found[1]


def test_a_players_claim_appears_in_the_judge_queue(cast: Cast, match: Match) -> None:
    player = signed_in(cast.player)
    assert "This result is wrong" in text(player.get(address("match", match.public_id)))
    answer = player.post(address("claim", match.public_id), {"reason": "The slip was misread."})
    assert answer.url == address("match", match.public_id)
    assert "A judge is looking into your match." in text(player.get(answer.url))
    queue = text(signed_in(cast.judge).get(address("judge", match.round.stage.event.public_id)))
    assert "says that the result is wrong: “The slip was misread.”" in queue


def test_both_players_see_the_ruling_and_one_appeals(cast: Cast, match: Match, judge: User) -> None:
    event = match.round.stage.event
    page = text(signed_in(judge).get(address("judge_match", match.public_id)))
    form = {"decision": "change", "first": "1", "second": "2", "drawn": "0", "kind": "played",
            "reason": "Game 3 was conceded.", "state": state_in(page)}  # fmt: skip
    assert signed_in(judge).post(address("rule", match.public_id), form).status_code == 302
    for user in users_of(match):
        for name, key in (("me", event.public_id), ("match", match.public_id)):
            told = text(signed_in(user).get(address(name, key)))
            assert "The result is changed: 1–2" in told and "Game 3 was conceded." in told
    assert "Game 3 was conceded." not in text(signed_in(cast.stranger).get(address("match", match.public_id)))
    signed_in(cast.player).post(address("appeal", match.public_id), {"reason": "It was not."})
    queue = text(signed_in(judge).get(address("judge", event.public_id)))
    assert "appeals to the head judge: “It was not.”" in queue
    refused = signed_in(judge).post(address("rule", match.public_id), {**form, "state": ""})
    assert (refused.status_code, "head_judge_needed" in text(refused)) == (403, True)
    kept = signed_in(cast.judge).post(address("rule", match.public_id), {"decision": "keep", "reason": "Seen by two."})
    assert kept.status_code == 302
    final = text(signed_in(cast.player).get(address("match", match.public_id)))
    assert "The result is kept: 1–2" in final and "Appeal to the head judge" not in final


def test_a_judge_who_rules_second_is_shown_the_first_ruling(cast: Cast, match: Match, judge: User) -> None:
    rule = address("rule", match.public_id)
    state = state_in(text(signed_in(judge).get(address("judge_match", match.public_id))))
    disputes.rule(match=match, by=cast.judge, wanted=Wanted("change", "Both agree.", (0, 2, 0)), now=NOW)
    answer = signed_in(judge).post(rule, {"decision": "replay", "reason": "A card fell.", "state": state})
    page = text(answer)
    assert answer.status_code == 409
    assert "The result is changed: 0–2" in page and "“Both agree.”" in page
    assert "A card fell." in page and "It is played again" in page
    again = signed_in(judge).post(rule, {"decision": "replay", "reason": "A card fell.", "state": state_in(page)})
    assert again.status_code == 302
    match.refresh_from_db()
    assert not match.has_result


def test_only_players_of_the_match_can_claim_or_appeal(cast: Cast, match: Match) -> None:
    for name in ("claim", "appeal"):
        page = address(name, match.public_id)
        for user in (cast.judge, cast.organizer, cast.stranger):
            assert signed_in(user).post(page, {"reason": "x"}).status_code == 404
        assert signed_in(cast.player).get(page).url == address("match", match.public_id)
    assert not Dispute.objects.exists()


def test_the_number_of_queries_does_not_grow_with_the_rulings(cast: Cast, match: Match) -> None:
    page = address("me", match.round.stage.event.public_id)

    def ruled(*games: int) -> int:
        disputes.rule(match=match, by=cast.judge, wanted=Wanted("change", "Seen.", games), now=NOW)
        return queries_of(signed_in(cast.player), page)

    assert ruled(1, 2, 0) == ruled(2, 0, 0) == ruled(0, 2, 0)


@pytest.mark.parametrize(("language", "words"), [("fr", "Le résultat est modifié"), ("it", "Il risultato è cambiato")])
def test_a_ruling_is_shown_in_the_language_of_the_player(cast: Cast, match: Match, language: str, words: str) -> None:
    disputes.rule(match=match, by=cast.judge, wanted=Wanted("change", "Seen.", (1, 2, 0)), now=NOW)
    User.objects.filter(pk=cast.player.pk).update(language=language)
    page = signed_in(User.objects.get(pk=cast.player.pk)).get(address("me", match.round.stage.event.public_id))
    assert words in text(page)


# ---------------------------------------------------------------------------------------------- the form of a ruling


def offered(page: str) -> dict[str, str]:
    """Return the decisions that the form offers: {value: label}."""
    found = re.findall(r'<input type="radio" name="decision" value="(\w+)"[^>]*>\s*<span>([^<]*)', page)
    return dict(found)


def test_the_form_offers_four_decisions_and_preselects_none(match: Match, judge: User) -> None:
    page = text(signed_in(judge).get(address("judge_match", match.public_id)))
    assert offered(page) == {
        "keep": "Keep the result: 2–1",
        "change": "Change the result",
        "replay_game": "Play one game again",
        "replay": "Play the match again",
    }
    assert not re.search(r'name="decision"[^>]*checked', page)
    score = re.search(r'<input[^>]*name="first"[^>]*>', page)
    assert score and "required" not in score[0], "a field that is not shown keeps nothing from being sent"


@pytest.mark.parametrize(
    ("decision", "game", "said"),
    [
        ("keep", "", "The result is kept: 2–1"),
        ("replay", "", "It is played again: the whole match"),
        ("replay_game", "2", "It is played again: game 2"),
    ],
)
def test_decisions_other_than_a_changed_result_need_no_score(
    cast: Cast, match: Match, judge: User, decision: str, game: str, said: str
) -> None:
    sent = {"decision": decision, "reason": "Seen.", "first": "", "second": "", "drawn": "0", "game": game}
    assert signed_in(judge).post(address("rule", match.public_id), sent).status_code == 302
    assert said in text(signed_in(cast.player).get(address("match", match.public_id)))


@pytest.mark.parametrize("decision", ["keep", "replay"])
def test_a_ruling_is_refused_if_the_typed_score_contradicts_the_decision(
    match: Match, judge: User, decision: str
) -> None:
    sent = {"decision": decision, "reason": "Seen by two.", "first": "0", "second": "2", "drawn": "0", "kind": "played"}
    answer = signed_in(judge).post(address("rule", match.public_id), sent)
    page = text(answer)
    assert (answer.status_code, "You typed 0–2" in page, "Seen by two." in page) == (422, True, True)
    assert not Dispute.objects.exists()
    same = {**sent, "first": "2", "second": "1"}
    assert signed_in(judge).post(address("rule", match.public_id), same).status_code == 302, "it is what stands"


@pytest.mark.parametrize(
    ("sent", "said"),
    [({}, "Choose what you decide."), ({"decision": "replay_game"}, "Choose the game to play again.")],
)
def test_a_ruling_without_a_complete_decision_is_refused(
    match: Match, judge: User, sent: dict[str, str], said: str
) -> None:
    answer = signed_in(judge).post(address("rule", match.public_id), {**sent, "reason": "Seen."})
    assert (answer.status_code, said in text(answer)) == (422, True)
    assert not Dispute.objects.exists()


def test_a_ruling_refused_after_the_end_of_the_event_keeps_the_input(match: Match, judge: User, cast: Cast) -> None:
    client, page = signed_in(judge), address("judge_match", match.public_id)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    Event.objects.update(status="finished")
    assert offered(text(client.get(page))) == {}
    assert "its owner has to reopen it" in text(client.get(page))
    sent = {"decision": "change", "first": "0", "second": "2", "drawn": "0", "kind": "played", "reason": "Found late."}
    answer = client.post(address("rule", match.public_id), sent)
    shown = text(answer)
    assert (answer.status_code, "event_state" in shown, "Found late." in shown) == (409, True, True)
    assert re.search(r'name="second" value="2"', shown) and re.search(r'value="change"[^>]*checked', shown)


# ---------------------------------------------------------------------------------------------- what the pages say


@pytest.fixture
def open_match(cast: Cast) -> Match:
    """A match without a result."""
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


def differ(match: Match) -> None:
    """Let the two players report different results."""
    for user, games in zip(users_of(match), ((2, 0, 0), (0, 2, 0)), strict=True):
        play.report_result(match=match, by=user, games=games, now=NOW)


def test_two_reports_that_differ_are_not_said_to_wait_for_the_opponent(cast: Cast, open_match: Match) -> None:
    differ(open_match)
    event, wrong = open_match.round.stage.event, ("by one player", "waiting for the opponent", "has not answered yet")
    one, other = users_of(open_match)
    pages = [(user, address("match", open_match.public_id)) for user in (one, other, cast.stranger)]
    pages += [(user, address("me", event.public_id)) for user in (one, other)]
    pages += [(cast.judge, address("judge_match", open_match.public_id))]
    pages += [(cast.scorekeeper, address("staff_round", event.public_id, 1))]
    pages += [(cast.stranger, address("pairings", event.public_id, 1))]
    for user, page in pages:
        told = text(signed_in(user).get(page))
        assert not [words for words in wrong if words in told], (page, user)
        assert "differ" in told or "Contested" in told or "do not agree" in told, page
    judge = text(signed_in(cast.judge).get(address("judge_match", open_match.public_id)))
    assert "The players report different results." in judge
    assert "differs from the later report" in judge and "differs from the earlier report" in judge
    detail = signed_in(cast.judge).get(f"/api/v1/matches/{open_match.public_id}/").json()
    assert detail["axes"]["differ"] is True and detail["differing_report"]["status"] == "counter"
    play.report_result(match=open_match, by=one, games=(0, 2, 0), now=NOW)
    assert signed_in(cast.judge).get(f"/api/v1/matches/{open_match.public_id}/").json()["axes"]["differ"] is False


def test_one_report_still_waits_for_the_opponent(cast: Cast, open_match: Match) -> None:
    play.report_result(match=open_match, by=users_of(open_match)[0], games=(2, 0, 0), now=NOW)
    judge = text(signed_in(cast.judge).get(address("judge_match", open_match.public_id)))
    assert "Reported by one player." in judge and "waiting for the opponent" in judge
    assert "Contested" not in judge


def test_a_first_result_is_not_said_to_be_changed(cast: Cast, open_match: Match) -> None:
    differ(open_match)
    event = open_match.round.stage.event
    disputes.rule(match=open_match, by=cast.judge, wanted=Wanted("change", "Seen.", (2, 1, 0)), now=NOW)
    for user in users_of(open_match):
        for name, key in (("me", event.public_id), ("match", open_match.public_id)):
            told = text(signed_in(user).get(address(name, key)))
            assert "The result is set: 2–1" in told and "The result is changed" not in told
    disputes.rule(match=open_match, by=cast.judge, wanted=Wanted("change", "Again.", (2, 0, 0)), now=NOW)
    assert "The result is changed: 2–0" in text(signed_in(cast.judge).get(address("judge_match", open_match.public_id)))


def test_the_refusal_of_a_second_ruling_comes_before_the_result(cast: Cast, open_match: Match, judge: User) -> None:
    rule = address("rule", open_match.public_id)
    grant_role(event=open_match.round.stage.event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    state = state_in(text(signed_in(judge).get(address("judge_match", open_match.public_id))))
    disputes.rule(match=open_match, by=cast.judge, wanted=Wanted("change", "Seen.", (2, 1, 0)), now=NOW)
    sent = {"decision": "change", "first": "0", "second": "2", "drawn": "0", "kind": "played", "reason": "Seen too."}
    answer = text(signed_in(judge).post(rule, {**sent, "state": state}))
    refusal = answer.index("Your ruling was not made")
    assert answer.count("Your ruling was not made") == 1
    assert answer.index("<h1>") < refusal < answer.index('<h2 id="result">')
    assert 'href="#ruling"' in answer and "result has changed" not in answer
    for wrong in ({"decision": "change", "reason": "x"}, {"reason": "x"}, {**sent, "reason": ""}):
        refused = text(signed_in(judge).post(rule, wrong))
        assert refused.index('role="alert"') < refused.index('<h2 id="result">'), wrong


def test_a_refused_ruling_does_not_offer_to_keep_what_nobody_reported(cast: Cast, open_match: Match) -> None:
    client, rule = signed_in(cast.judge), address("rule", open_match.public_id)
    assert "keep" not in offered(text(client.get(address("judge_match", open_match.public_id))))
    for sent in ({"decision": "keep", "reason": "x"}, {"decision": "change", "reason": "x"}, {"reason": "x"}):
        refused = client.post(rule, sent)
        assert refused.status_code in (409, 422)
        assert "keep" not in offered(text(refused)) and "change" in offered(text(refused)), sent
    play.report_result(match=open_match, by=users_of(open_match)[0], games=(2, 0, 0), now=NOW)
    assert "keep" not in offered(text(client.get(address("judge_match", open_match.public_id))))
