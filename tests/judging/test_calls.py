"""Calls: a player calls, a judge takes, releases, escalates or ends the call; and turns after time."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import User
from tournaments.common import clock
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.judging.models import Call
from tournaments.judging.selectors import live_calls, minutes_lost, minutes_offered, minutes_waited
from tournaments.judging.services import (
    arrive_at_call,
    call_judge,
    claim_call,
    escalate_call,
    note_turn,
    release_call,
    resolve_call,
    withdraw_call,
)
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast)


@pytest.fixture
def match(cast: Cast, event: Event) -> Match:
    return match_of(a_published_round(event, cast.organizer), cast.player)


@pytest.fixture
def call(cast: Cast, match: Match) -> Call:
    return call_judge(match=match, by=cast.player, now=NOW)


def floor_judge(cast: Cast, event: Event, name: str = "Second Judge") -> User:
    """A judge who is not the head judge."""
    user = account(name)
    grant_role(event=event, email=user.email, role="judge", by=cast.organizer, now=NOW)
    return user


def later(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def codes(event: Event) -> list[str]:
    entries = LedgerEntry.objects.filter(chain=event.public_id, code__startswith="call.").order_by("number")
    return [entry.code for entry in entries]


def test_repeated_calls_from_either_player_are_one_call(cast: Cast, event: Event, match: Match) -> None:
    calls = {call_judge(match=match, by=user, now=NOW).pk for user in [*users_of(match), cast.player]}
    assert len(calls) == 1 and codes(event) == ["call.made"]


def test_only_the_players_of_a_table_can_call_and_only_while_its_round_is_open(
    cast: Cast, event: Event, match: Match
) -> None:
    with assert_refused("not_your_table"):
        call_judge(match=match, by=cast.judge, now=NOW)
    with assert_refused("matter_unknown"):
        call_judge(match=match, by=cast.player, now=NOW, matter="weather")
    for table in match.round.matches.all():
        play.enter_result(match=table, by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    with assert_refused("round_state"):
        call_judge(match=match, by=cast.player, now=NOW)


def test_nobody_can_call_a_judge_to_a_bye(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    bye = a_published_round(event, cast.organizer).matches.get(table=None)
    with assert_refused("no_opponent"):
        call_judge(match=bye, by=users_of(bye)[0], now=NOW)


def test_a_call_can_be_withdrawn_until_a_judge_takes_it(cast: Cast, event: Event, call: Call) -> None:
    claim_call(call=call, by=cast.judge, now=NOW)
    with assert_refused("call_claimed"):
        withdraw_call(call=call, by=users_of(call.match)[1], now=NOW)
    release_call(call=call, by=cast.judge, now=NOW)
    for user in users_of(call.match):
        withdraw_call(call=call, by=user, now=NOW)
    assert codes(event) == ["call.made", "call.claimed", "call.released", "call.withdrawn"]
    assert not live_calls(event) and call_judge(match=call.match, by=cast.player, now=NOW).pk != call.pk


def test_only_one_of_two_judges_can_take_a_call_and_the_other_gets_an_error(
    cast: Cast, event: Event, call: Call
) -> None:
    second = floor_judge(cast, event)
    stale = Call.objects.select_related("match__round__stage__event").get(pk=call.pk)
    claim_call(call=call, by=second, now=NOW)
    claim_call(call=call, by=second, now=NOW)
    with assert_refused("call_claimed"):
        claim_call(call=stale, by=cast.judge, now=NOW)
    assert Call.objects.get().claimed_by == second and codes(event).count("call.claimed") == 1


def test_only_the_head_judge_can_take_an_escalated_call(cast: Cast, event: Event, call: Call) -> None:
    second, third = floor_judge(cast, event), floor_judge(cast, event, "Third Judge")
    with assert_refused("call_waiting"):
        escalate_call(call=call, by=second, now=NOW)
    claim_call(call=call, by=second, now=NOW)
    with assert_refused("call_not_yours"):
        escalate_call(call=call, by=third, now=NOW)
    escalate_call(call=call, by=second, now=later(3))
    with assert_refused("head_judge_needed"):
        claim_call(call=call, by=second, now=later(3))
    claim_call(call=call, by=cast.judge, now=later(4))
    resolve_call(call=call, by=cast.judge, now=later(9))
    assert codes(event)[-2:] == ["call.claimed", "call.resolved"]


def test_a_long_call_offers_its_minutes_as_a_time_extension(cast: Cast, call: Call) -> None:
    assert [minutes_offered(call, later(minutes)) for minutes in (0.5, 1, 1.5, 6.2, 90)] == [0, 0, 2, 7, 60]
    claim_call(call=call, by=cast.judge, now=later(2))
    for _time in range(2):
        resolve_call(call=call, by=cast.judge, now=later(6.2), minutes=7)
    assert [extension.minutes for extension in call.match.extensions.all()] == [7]
    assert minutes_lost(call, later(60)) == 7


def test_the_time_since_the_judge_arrived_is_offered_beside_the_wait(cast: Cast, event: Event, call: Call) -> None:
    claim_call(call=call, by=cast.judge, now=later(6))
    assert (minutes_waited(call, later(9)), minutes_offered(call, later(9))) == (6, 3), "since the judge took it"
    for at in (8, 9):
        arrive_at_call(call=call, by=cast.judge, now=later(at))
    assert (minutes_waited(call, later(11)), minutes_offered(call, later(11))) == (8, 3), "since the judge arrived"
    assert minutes_offered(call, later(9)) == 0, "a minute is no time extension"
    release_call(call=call, by=cast.judge, now=later(12))
    assert (call.arrived_at, minutes_waited(call, later(14))) == (None, 14), "the table waits again"
    assert codes(event)[-3:] == ["call.claimed", "call.arrived", "call.released"]


def test_only_the_judge_who_took_a_call_arrives_at_its_table(cast: Cast, event: Event, call: Call) -> None:
    second = floor_judge(cast, event)
    with assert_refused("call_waiting"):
        arrive_at_call(call=call, by=second, now=NOW)
    claim_call(call=call, by=cast.judge, now=NOW)
    with assert_refused("call_not_yours"):
        arrive_at_call(call=call, by=second, now=NOW)
    resolve_call(call=call, by=cast.judge, now=NOW)
    with assert_refused("call_over"):
        arrive_at_call(call=call, by=cast.judge, now=NOW)


def test_a_judge_who_is_on_the_way_is_not_said_to_be_at_the_table(cast: Cast, event: Event, match: Match) -> None:
    call = call_judge(match=match, by=cast.player, now=NOW)
    judge = signed_in(cast.judge)
    step, queue = address("call_step", call.public_id, "claim"), address("judge", event.public_id)
    judge.post(step)
    second = floor_judge(cast, event)
    staff = [(second, queue), (cast.scorekeeper, address("staff_round", event.public_id, 1))]
    staff += [(cast.scorekeeper, address("staff_results", event.public_id, 1))]
    seats = [(user, address("me", event.public_id)) for user in users_of(match)]
    listed = f"/api/v1/events/{event.public_id}/calls/"
    for user, page in staff:
        assert "Judge is on the way" in text(signed_in(user).get(page)), page
        assert "at the table" not in text(signed_in(user).get(page)), page
    for user, page in seats:
        assert "A judge is on the way." in text(signed_in(user).get(page))
    assert "a judge is on the way" in text(judge.get(address("judge_match", match.public_id)))
    assert judge.get(listed).json()["results"][0]["arrived_at"] is None
    assert "I’m at the table" in text(judge.get(queue))
    assert judge.post(address("call_step", call.public_id, "arrive")).url == queue
    for user, page in staff:
        assert "Judge is at the table" in text(signed_in(user).get(page)), page
    for user, page in seats:
        assert "A judge is at your table." in text(signed_in(user).get(page))
    assert "a judge is at the table" in text(judge.get(address("judge_match", match.public_id)))
    told = judge.get(listed).json()["results"][0]
    assert (told["status"], told["arrived_at"] is not None) == ("claimed", True)


def test_the_judges_page_begins_with_the_calls(cast: Cast, event: Event, match: Match) -> None:
    call = call_judge(match=match, by=cast.player, now=NOW)
    page = text(signed_in(cast.judge).get(address("judge", event.public_id)))
    content = page[page.index('id="content"') :]
    found = content.index(f'id="{call.public_id}"')
    assert found < content.index(address("penalties", event.public_id)) < content.index('id="disputes"')


def test_a_call_outlives_its_round_but_then_offers_no_time_extension(cast: Cast, match: Match, call: Call) -> None:
    for table in match.round.matches.all():
        play.enter_result(match=table, by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    (seen,) = live_calls(match.round.stage.event)
    assert minutes_offered(seen, later(10)) == 0
    claim_call(call=seen, by=cast.judge, now=later(10))
    with assert_refused("round_state"):
        resolve_call(call=seen, by=cast.judge, now=later(11), minutes=5)
    assert Call.objects.get().status == Call.Status.CLAIMED
    resolve_call(call=seen, by=cast.judge, now=later(11))


def test_a_judge_who_plays_cannot_answer_calls_from_their_own_table(cast: Cast, event: Event, call: Call) -> None:
    grant_role(event=event, email=cast.opponent.email, role="judge", by=cast.organizer, now=NOW)
    judge = users_of(call.match)[0]
    grant_role(event=event, email=judge.email, role="head_judge", by=cast.organizer, now=NOW)
    for service in (claim_call, release_call, escalate_call, resolve_call):
        with assert_refused("own_match"):
            service(call=call, by=judge, now=NOW)


def test_a_round_with_a_call_cannot_be_unpublished(cast: Cast, match: Match, call: Call) -> None:
    with assert_refused("round_begun"):
        play.unpublish_round(round_=match.round, by=cast.organizer, now=NOW)


def test_a_player_calls_a_judge_on_the_seat_page_and_follows_the_call_there(
    cast: Cast, event: Event, match: Match
) -> None:
    client, seat = signed_in(cast.player), address("me", event.public_id)
    assert "Call a judge" in text(client.get(seat))
    for _time in range(2):
        assert client.post(address("call_judge", match.public_id), {"matter": "rules"}).url == seat
    call = Call.objects.get()
    assert "A judge has been called." in text(client.get(seat))
    assert "A judge has been called." in text(signed_in(users_of(match)[1]).get(seat))
    claim_call(call=call, by=cast.judge, now=NOW)
    assert "Judge has taken your call" in text(client.get(seat))
    resolve_call(call=call, by=cast.judge, now=NOW)
    assert "Call a judge to this table" in text(client.get(seat))
    assert client.post(address("call_judge", match.public_id), {"matter": "weather"}).status_code == 422


def test_strangers_and_players_of_other_tables_cannot_act_on_a_call(cast: Cast, event: Event, call: Call) -> None:
    other = users_of(event.stages.get().rounds.get().matches.exclude(pk=call.match_id).get())[0]
    for user in (cast.stranger, other):
        client = signed_in(user)
        assert client.post(address("call_judge", call.match.public_id)).status_code == 404
        assert client.post(address("call_withdraw", call.public_id)).status_code == 404
        assert client.post(address("call_step", call.public_id, "claim")).status_code == 404
    assert signed_in(cast.scorekeeper).post(address("call_step", call.public_id, "claim")).status_code == 403
    assert Client().post(address("call_judge", call.match.public_id)).status_code == 302
    assert Call.objects.get().status == Call.Status.WAITING


def test_judges_take_and_end_calls_on_their_page(cast: Cast, event: Event, match: Match) -> None:
    call = call_judge(match=match, by=cast.player, now=clock.now() - timedelta(minutes=4), matter="slow")
    client, queue = signed_in(cast.judge), address("judge", event.public_id)
    page = text(client.get(queue))
    assert "waiting for 5 minutes" in page and "The pace of play" in page and "I’m on my way" in page
    assert client.post(address("call_step", call.public_id, "claim")).url == queue
    page = text(client.get(queue))
    assert 'name="minutes" type="number" min="0" max="60" value="0"' in page, "the judge has only just come"
    assert "The table waited 5 minutes for a judge." in page
    assert client.post(address("call_step", call.public_id, "resolve"), {"minutes": "61"}).status_code == 422
    assert client.post(address("call_step", call.public_id, "resolve"), {"minutes": "5"}).url == queue
    assert match.extensions.get().minutes == 5 and "No calls." in text(client.get(queue))
    assert client.post(address("call_step", call.public_id, "dance")).status_code == 404


def test_the_call_queue_takes_about_as_many_queries_for_two_calls_as_for_one(cast: Cast, match: Match) -> None:
    event = match.round.stage.event
    client, page = signed_in(cast.judge), address("judge", event.public_id)
    call_judge(match=match, by=cast.player, now=NOW)
    few = queries_of(client, page)
    other = match.round.matches.exclude(pk=match.pk).get()
    claim_call(call=call_judge(match=other, by=users_of(other)[0], now=NOW), by=cast.judge, now=NOW)
    assert queries_of(client, page) <= few + 1  # one more for the names of the judges who took a call


def test_the_desk_sees_which_judge_is_at_a_table_and_its_turn_after_time(
    cast: Cast, event: Event, match: Match
) -> None:
    Event.objects.filter(pk=event.pk).update(procedures={"match_end": {"unit": "turn", "count": 5}})
    claim_call(call=call_judge(match=match, by=cast.player, now=NOW), by=cast.judge, now=NOW)
    play.start_clock(round_=match.round, by=cast.organizer, now=clock.now() - timedelta(hours=2))
    client, desk = signed_in(cast.scorekeeper), address("staff_round", event.public_id, 1)
    assert "Judge is on the way" in text(client.get(desk))
    arrive_at_call(call=Call.objects.get(), by=cast.judge, now=NOW)
    page = text(client.get(desk))
    assert "Judge is at the table" in page and "Now turn 1 of 5" in page
    for turn in ("1", "2", "2"):
        assert client.post(address("note_turn", match.public_id), {"turn": turn}).url == desk
    assert "turn 2 of 5" in text(client.get(desk)) and "Now turn 3 of 5" in text(client.get(desk))
    assert "turn 2 of 5" in text(client.get(address("staff_results", event.public_id, 1)))
    assert client.post(address("note_turn", match.public_id), {"turn": "6"}).status_code == 422
    assert LedgerEntry.objects.filter(code="table.turn_noted").count() == 2


def test_staff_who_play_cannot_note_turns_at_their_own_table(cast: Cast, event: Event, match: Match) -> None:
    with assert_refused("own_match"):
        note_turn(match=match, turn=1, by=cast.player, now=NOW)
    assert signed_in(cast.stranger).post(address("note_turn", match.public_id), {"turn": "1"}).status_code == 404
