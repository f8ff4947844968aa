"""Disputes: claims, rulings on a known state, appeals to the head judge, replays in brackets, two judges at once."""

from typing import Any

import pytest

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, match_of, play_out, users_of
from tests.cast import Cast, account
from tests.play.test_races import at_once
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits import disputes
from tournaments.audits.disputes import Wanted
from tournaments.audits.models import Dispute, Ruling
from tournaments.audits.selectors import disputed_matches, statements_of
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


def a_judge(match: Match, cast: Cast) -> User:
    """A judge of the event who is not the head judge."""
    judge = account("Second Judge")
    grant_role(event=match.round.stage.event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    return judge


def contested(match: Match, games: tuple[int, int, int] = (2, 1, 0)) -> None:
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=games, now=NOW)
    play.contest_result(match=match, report=report, by=second, now=NOW, reason="Not so.")


def changed(*games: int, reason: str = "Both agree now.") -> Wanted:
    return Wanted("change", reason, games)


def result(match: Match) -> tuple[Any, ...]:
    match.refresh_from_db()
    won = tuple(match.seats.order_by("number").values_list("games_won", flat=True))
    return (*won, match.games_drawn, match.authority, match.disputed)


def test_a_ruling_to_keep_a_contested_report_makes_it_the_result(match: Match, cast: Cast) -> None:
    contested(match)
    ruling = disputes.rule(match=match, by=cast.judge, wanted=Wanted("keep", "The slip says so."), now=NOW)
    assert (ruling.games, ruling.decision, ruling.dispute.status) == ([2, 1, 0], "keep", "ruled")
    assert result(match) == (2, 1, 0, "ruled", False)


def test_a_changed_result_counts_and_its_reason_is_a_ledger_note(match: Match, cast: Cast) -> None:
    contested(match)
    before = disputes.state_of(match)
    ruling = disputes.rule(match=match, by=cast.judge, wanted=changed(1, 2, 0), now=NOW, state=before)
    assert result(match) == (1, 2, 0, "ruled", False)
    event = match.round.stage.event
    told = statements_of(event, [ruling.dispute])[ruling.dispute.public_id, ruling.entry]
    assert (told.said, ruling.state) == ("Both agree now.", before)
    entry = LedgerEntry.objects.get(chain=event.public_id, number=ruling.entry)
    assert (entry.code, entry.after["state"]) == ("dispute.ruled", before)
    assert list(ledger.faults(event.public_id)) == []


def test_a_match_ruled_to_be_replayed_has_no_result_until_reported_again(match: Match, cast: Cast) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    wanted = Wanted("replay", "A drink was spilled.", game=2)
    ruling = disputes.rule(match=match, by=cast.judge, wanted=wanted, now=NOW)
    assert (ruling.games, ruling.game) == (None, 2)
    assert result(match) == (None, None, None, "", False)
    first, second = users_of(match)
    play.report_result(match=match, by=first, games=(2, 1, 0), now=NOW)
    play.report_result(match=match, by=second, games=(2, 1, 0), now=NOW)
    assert result(match) == (2, 1, 0, "agreed", False)


def test_a_match_of_a_closed_round_cannot_be_replayed(match: Match, cast: Cast) -> None:
    play_out(match.round, cast.organizer)
    with assert_refused("round_state"):
        disputes.rule(match=match, by=cast.judge, wanted=Wanted("replay", "Late."), now=NOW)
    assert not Ruling.objects.exists()


def test_a_ruling_on_an_outdated_state_changes_nothing(match: Match, cast: Cast) -> None:
    state = disputes.state_of(match)
    contested(match)
    with assert_refused("result_changed"):
        disputes.rule(match=match, by=cast.judge, wanted=changed(0, 2, 0), now=NOW, state=state)
    assert match.disputes.count() == 0
    assert result(match)[-1] is True


def test_a_result_claimed_to_be_wrong_stands_until_a_judge_rules(match: Match, cast: Cast) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    disputes.claim_wrong(match=match, by=cast.player, reason="The slip was misread.", now=NOW)
    assert result(match) == (2, 0, 0, "witnessed", False)
    assert [found.pk for found in disputed_matches(match.round.stage.event)] == [match.pk]
    with assert_refused("disputed"):
        disputes.claim_wrong(match=match, by=cast.player, reason="Again.", now=NOW)
    disputes.rule(match=match, by=cast.judge, wanted=Wanted("keep", "It was read right."), now=NOW)
    assert result(match) == (2, 0, 0, "ruled", False)
    assert not disputed_matches(match.round.stage.event)


def test_only_players_can_claim_and_only_until_the_next_round_is_paired(match: Match, cast: Cast) -> None:
    play_out(match.round, cast.organizer)
    with assert_refused("not_your_table"):
        disputes.claim_wrong(match=match, by=cast.judge, reason="Hm.", now=NOW)
    with assert_refused("reason_missing"):
        disputes.claim_wrong(match=match, by=cast.player, reason=" ", now=NOW)
    a_published_round(match.round.stage.event, cast.organizer)
    with assert_refused("too_late"):
        disputes.claim_wrong(match=match, by=cast.player, reason="Late.", now=NOW)


def test_an_appealed_ruling_stands_until_the_head_judge_gives_a_final_one(match: Match, cast: Cast) -> None:
    judge = a_judge(match, cast)
    contested(match)
    disputes.rule(match=match, by=judge, wanted=changed(1, 2, 0), now=NOW)
    disputes.appeal(match=match, by=cast.player, reason="The third game was mine.", now=NOW)
    assert result(match) == (1, 2, 0, "ruled", False)
    with assert_refused("head_judge_needed"):
        disputes.rule(match=match, by=judge, wanted=changed(1, 2, 0), now=NOW)
    disputes.rule(match=match, by=cast.judge, wanted=changed(2, 1, 0), now=NOW)
    assert result(match) == (2, 1, 0, "ruled", False)
    assert list(Ruling.objects.order_by("number").values_list("number", "head")) == [(1, False), (2, True)]
    with assert_refused("ruling_final"):
        disputes.appeal(match=match, by=cast.player, reason="And again.", now=NOW)


def test_without_a_ruling_there_is_nothing_to_appeal(match: Match, cast: Cast) -> None:
    contested(match)
    with assert_refused("nothing_to_appeal"):
        disputes.appeal(match=match, by=cast.player, reason="Now.", now=NOW)


@pytest.mark.parametrize("decision", ["keep", "replay"])
def test_a_score_is_refused_for_decisions_that_take_none(match: Match, cast: Cast, decision: str) -> None:
    contested(match)
    with assert_refused("score_not_taken"):
        disputes.rule(match=match, by=cast.judge, wanted=Wanted(decision, "Seen.", (0, 2, 0)), now=NOW)
    assert not Ruling.objects.exists() and result(match)[-1] is True
    api = f"/api/v1/matches/{match.public_id}/ruling/"
    sent = {"decision": decision, "reason": "Seen.", "games": [0, 2, 0]}
    answer = signed_in(cast.judge).post(api, sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "score_not_taken")


def test_only_decisions_that_would_be_accepted_are_offered(match: Match, cast: Cast) -> None:
    def offered() -> set[str]:
        return set(disputes.decisions_open(Match.objects.get(pk=match.pk), cast.judge, NOW))

    assert offered() == {"change", "replay"}, "there is nothing to keep"
    contested(match)
    assert offered() == {"keep", "change", "replay"}
    disputes.rule(match=match, by=cast.judge, wanted=Wanted("keep", "The slip says so."), now=NOW)
    play_out(match.round, cast.organizer)
    assert offered() == {"keep", "change"}, "nothing is played again in a closed round"
    Event.objects.update(status="finished")
    assert offered() == set()


def test_only_the_head_judge_is_offered_decisions_after_an_appeal(match: Match, cast: Cast) -> None:
    judge = a_judge(match, cast)
    contested(match)
    disputes.rule(match=match, by=judge, wanted=changed(1, 2, 0), now=NOW)
    disputes.appeal(match=match, by=cast.player, reason="No.", now=NOW)
    match = Match.objects.get(pk=match.pk)
    assert not disputes.decisions_open(match, judge, NOW)
    assert disputes.decisions_open(match, cast.judge, NOW) == {"keep", "change", "replay"}


def test_without_a_report_there_is_no_result_to_keep(match: Match, cast: Cast) -> None:
    with assert_refused("nothing_to_keep"):
        disputes.rule(match=match, by=cast.judge, wanted=Wanted("keep", "As it is."), now=NOW)
    with assert_refused("no_such_game"):
        disputes.rule(match=match, by=cast.judge, wanted=Wanted("replay", "Again.", game=9), now=NOW)
    assert not Dispute.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_if_two_judges_rule_at_once_one_wins_and_the_other_gets_an_error(cast: Cast) -> None:
    match = match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)
    judge = a_judge(match, cast)
    contested(match)
    state = disputes.state_of(match)
    told = at_once(
        lambda: disputes.rule(match=match, by=cast.judge, wanted=changed(2, 1, 0), now=NOW, state=state),
        lambda: disputes.rule(match=match, by=judge, wanted=changed(1, 2, 0), now=NOW, state=state),
    )
    assert told == ["done", "result_changed"]
    ruling = Ruling.objects.get()
    assert result(match) == (*ruling.games, "ruled", False)
    assert Dispute.objects.count() == LedgerEntry.objects.filter(code="dispute.ruled").count() == 1


# ------------------------------------------------------------------------------------------------- in a bracket

REPLAY = Wanted("replay", "The wrong decks were played.")


def first_of_the_bracket(cast: Cast, **options: object) -> Match:
    """A match of the first round of a bracket. The round is played and closed."""
    round_ = a_published_round(a_bracket(cast, **options), cast.organizer)
    play_out(round_, cast.organizer)
    return round_.matches.get(node="W1.1")


@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination"])
def test_replaying_a_bracket_match_withdraws_the_next_round(cast: Cast, kind: str) -> None:
    match = first_of_the_bracket(cast, kind=kind)
    stage = match.round.stage
    following = a_published_round(stage.event, cast.organizer)
    with assert_refused("affects_later") as caught:
        disputes.rule(match=match, by=cast.judge, wanted=REPLAY, now=NOW)
    assert [effect["what"] for effect in caught.value.details] == ["taken_back"]
    disputes.rule(match=match, by=cast.judge, wanted=REPLAY, now=NOW, acknowledged=True)
    assert list(stage.rounds.values_list("number", "status")) == [(match.round.number, "published")]
    assert result(match) == (None, None, None, "", False)
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW)
    play.close_round(round_=match.round, by=cast.scorekeeper, now=NOW)
    again = a_published_round(stage.event, cast.organizer)
    assert (again.number, again.matches.count()) == (following.number, 1 if kind == "single_elimination" else 2)
    winner = match.seats.get(number=2).entrant
    assert again.matches.filter(node__startswith="W", seats__entrant=winner).exists()
    assert list(ledger.faults(stage.event.public_id)) == []


def test_replaying_a_bracket_match_discards_a_draft_and_a_final_is_simply_replayed(cast: Cast) -> None:
    match = first_of_the_bracket(cast)
    play.pair_round(stage=match.round.stage, by=cast.organizer, now=NOW)
    disputes.rule(match=match, by=cast.judge, wanted=REPLAY, now=NOW, acknowledged=True)
    assert match.round.stage.rounds.count() == 1
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    play.close_round(round_=match.round, by=cast.scorekeeper, now=NOW)
    final = a_published_round(match.round.stage.event, cast.organizer)
    play_out(final, cast.organizer)
    disputes.rule(match=final.matches.get(), by=cast.judge, wanted=REPLAY, now=NOW)
    final.refresh_from_db()
    assert final.status == "published" and result(final.matches.get())[0] is None


def test_a_bracket_match_cannot_be_replayed_once_the_next_round_has_begun(cast: Cast) -> None:
    match = first_of_the_bracket(cast)
    following = a_published_round(match.round.stage.event, cast.organizer)
    final = following.matches.get()
    play.report_result(match=final, by=users_of(final)[0], games=(2, 0, 0), now=NOW)
    for acknowledged in (False, True):
        with assert_refused("next_round_begun"):
            disputes.rule(match=match, by=cast.judge, wanted=REPLAY, now=NOW, acknowledged=acknowledged)
    assert result(match)[:3] == (2, 0, 0) and not Ruling.objects.exists()


def test_page_and_api_warn_that_a_replay_withdraws_the_next_round(cast: Cast) -> None:
    match = first_of_the_bracket(cast)
    a_published_round(match.round.stage.event, cast.organizer)
    client, page = signed_in(cast.judge), address("rule", match.public_id)
    api = f"/api/v1/matches/{match.public_id}/ruling/"
    answer = client.post(api, {"decision": "replay", "reason": "So."}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "affects_later")
    sent = {"decision": "replay", "reason": "So.", "state": disputes.state_of(match)}
    shown = text(client.post(page, sent))
    assert "The next round, in which nothing has happened yet, is undone" in shown
    assert client.post(page, {**sent, "acknowledged": "True"}).status_code == 302
    assert match.round.stage.rounds.count() == 1
