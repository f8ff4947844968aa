"""Penalty pages: give one beside the history, show it to player and desk, and give one with a ruling."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, match_of, play_out
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.audits import disputes
from tournaments.events.models import Entrant, Event
from tournaments.events.services import grant_role
from tournaments.judging.infractions import LADDER, LADDERS
from tournaments.judging.models import Penalty
from tournaments.judging.penalties import give_penalty
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.web.words.judging import CATEGORIES, INFRACTIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=2)


@pytest.fixture
def match(cast: Cast, event: Event) -> Match:
    return match_of(a_published_round(event, cast.organizer), cast.player)


@pytest.fixture
def player(cast: Cast, event: Event, match: Match) -> Entrant:
    return Entrant.objects.get(event=event, member__person__account=cast.player)


def test_every_infraction_and_category_has_a_name() -> None:
    assert set(INFRACTIONS) == set(LADDERS) and set(CATEGORIES) == set(LADDER)


def test_the_page_for_giving_a_penalty_shows_the_players_earlier_penalties(
    cast: Cast, event: Event, match: Match, player: Entrant
) -> None:
    client, page = signed_in(cast.judge), address("penalty_give", player.public_id)
    give_penalty(entrant=player, infraction="cards_drawn", by=cast.judge, now=NOW, note="drew <two>")
    shown = text(client.get(page))
    assert "Drew too many cards: Game loss" in shown and "drew &lt;two&gt;" in shown
    sent = {"infraction": "cards_drawn", "level": "", "when": "now", "note": "a second one"}
    answer = client.post(page, sent)
    assert answer.url == address("penalties", event.public_id)
    assert Penalty.objects.order_by("-pk")[0].level == "game_loss"
    assert client.post(page, {**sent, "infraction": "hat"}).status_code == 422
    listed = text(client.get(answer.url + "?find=player"))
    assert "round 1: game 1" in listed and "Player 2" in listed
    told = text(signed_in(cast.player).get(address("me", event.public_id)))
    assert "has lost game 1 without playing it" in told and "My penalties" in told and "a second one" not in told
    assert "game 1 lost: Player 1" in text(signed_in(cast.scorekeeper).get(address("staff_round", event.public_id, 1)))


def test_a_penalty_form_begins_with_no_infraction_and_is_refused_without_one(
    cast: Cast, event: Event, player: Entrant
) -> None:
    client, page = signed_in(cast.judge), address("penalty_give", player.public_id)
    assert '<option value="" selected>– choose the infraction –</option>' in text(client.get(page))
    refused = client.post(page, {"level": "", "when": "now", "infraction": ""})
    assert (refused.status_code, "Choose the infraction." in text(refused)) == (422, True)
    with assert_refused("infraction_unknown"):
        give_penalty(entrant=player, infraction="", by=cast.judge, now=NOW)
    reopening = {"reason": "A card is missing.", "level": "", "when": "now"}
    grant_role(event=event, email=cast.judge.email, role="head_judge", by=cast.organizer, now=NOW)
    reopen = client.post(address("list_reopen", player.public_id), reopening)
    assert "Choose the infraction." in text(reopen)
    assert not Penalty.objects.exists()


def test_a_penalty_that_affects_a_later_round_must_be_acknowledged(cast: Cast) -> None:
    event = a_bracket(cast, players=4, rounds=1)
    first = a_published_round(event, cast.organizer)
    match = first.matches.filter(table__isnull=False).order_by("table").first()
    play_out(first, cast.organizer)
    a_published_round(event, cast.organizer)
    winner = match.seats.get(points=3).entrant
    with assert_refused("affects_later"):
        give_penalty(entrant=winner, infraction="misplay", level="match_loss", match=match, by=cast.judge, now=NOW)
    assert not Penalty.objects.exists() and not winner.losses.exists()
    give_penalty(
        entrant=winner, infraction="misplay", level="match_loss", match=match, by=cast.judge, now=NOW, acknowledged=True
    )
    final = event.stages.get(number=2).rounds.get(number=first.number + 1)
    assert not final.matches.filter(seats__entrant=winner, node__startswith="W").exclude(pk=match.pk).exists()


def test_withdrawing_a_penalty_on_the_page_reopens_the_match(
    cast: Cast, event: Event, match: Match, player: Entrant
) -> None:
    given = give_penalty(entrant=player, infraction="insult", level="match_loss", by=cast.judge, now=NOW)
    assert Match.objects.get().has_result
    assert signed_in(cast.judge).post(address("penalty_withdraw", given.public_id)).status_code == 302
    assert not Match.objects.get().has_result and Penalty.objects.get().served == "withdrawn"


def test_only_judges_can_see_and_give_penalties(cast: Cast, event: Event, player: Entrant) -> None:
    given = give_penalty(entrant=player, infraction="misplay", by=cast.judge, now=NOW)
    pages = (address("penalties", event.public_id), address("penalty_give", player.public_id))
    for user, status in ((cast.stranger, 404), (cast.player, 404), (cast.scorekeeper, 403)):
        client = signed_in(user)
        assert {client.get(page).status_code for page in pages} == {status}
        assert client.post(address("penalty_withdraw", given.public_id)).status_code == status


def test_the_list_takes_as_many_queries_for_ten_penalties_as_for_one(cast: Cast, event: Event, player: Entrant) -> None:
    client, page = signed_in(cast.judge), address("penalties", event.public_id)
    give_penalty(entrant=player, infraction="misplay", level="warning", by=cast.judge, now=NOW)
    few = queries_of(client, page)
    for _time in range(9):
        give_penalty(entrant=player, infraction="misplay", level="warning", by=cast.judge, now=NOW)
    assert queries_of(client, page) == few


def test_a_dispute_shows_calls_and_penalties_and_a_ruling_can_give_a_penalty(
    cast: Cast, event: Event, match: Match, player: Entrant
) -> None:
    call_judge(match=match, by=cast.player, now=NOW, matter="slow")
    give_penalty(entrant=player, infraction="slow_play", by=cast.judge, now=NOW, note="warned once")
    play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    disputes.claim_wrong(match=match, by=cast.player, reason="no", now=NOW)
    client, page = signed_in(cast.judge), address("judge_match", match.public_id)
    shown = text(client.get(page))
    assert "Player 1 called a judge" in shown and "The pace of play" in shown and "warned once" in shown
    seat = match.seats.get(entrant=player).number
    sent = {
        "decision": "keep",
        "reason": "played on purpose",
        "penalty": "slow_play",
        "penalty_seat": str(seat),
        "penalty_when": "next_round",
    }
    missing = client.post(address("rule", match.public_id), {**sent, "penalty_seat": ""})
    assert missing.status_code == 422 and Penalty.objects.count() == 1
    assert client.post(address("rule", match.public_id), sent).status_code == 302
    given = Penalty.objects.order_by("-pk")[0]
    assert (given.level, given.served, given.match_id) == ("game_loss", "waits", match.pk)


def test_a_ruling_is_refused_if_its_penalty_is(cast: Cast, event: Event, match: Match) -> None:
    play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    wanted = disputes.Wanted("keep", "so", penalty=disputes.RulingPenalty(1, "slow_play", "game_loss"))
    with assert_refused("match_settled"):
        disputes.rule(match=match, by=cast.judge, wanted=wanted, now=NOW)
    assert Match.objects.get().authority == "witnessed"


# ------------------------------------------------------------------------------------- the same penalty twice


def test_the_same_penalty_within_seconds_asks_first_and_names_the_earlier_one(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    entrant = match.seats.order_by("number")[0].entrant
    other = match.seats.order_by("number")[1].entrant
    second = account("Second Judge")
    grant_role(event=event, email=second.email, role="judge", by=cast.organizer, now=NOW)
    page, sent = address("penalty_give", entrant.public_id), {"infraction": "slow_play", "when": "now", "note": "seen"}
    assert signed_in(cast.judge).post(page, sent).status_code == 302
    asked = signed_in(second).post(page, sent)
    shown = text(asked)
    assert (asked.status_code, Penalty.objects.count()) == (409, 1)
    assert "was given a penalty for this just now: Slow play." in shown and "Give another penalty" in shown
    alert = shown[shown.index('role="alert"') : shown.index("<form class=")]
    assert "Judge" in alert and "Warning" in alert
    assert 'name="again" value="True"' in shown
    assert signed_in(second).post(page, {**sent, "infraction": "late"}).status_code == 302, "another infraction"
    assert signed_in(second).post(address("penalty_give", other.public_id), sent).status_code == 302, "another player"
    assert signed_in(second).post(page, {**sent, "again": "True"}).status_code == 302
    assert Penalty.objects.filter(entrant=entrant, infraction="slow_play").count() == 2


def test_the_api_asks_before_the_same_penalty_is_given_twice(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    entrant = match.seats.order_by("number")[0].entrant
    client, url = signed_in(cast.judge), f"/api/v1/entrants/{entrant.public_id}/penalties/"
    first = client.post(url, {"infraction": "slow_play"}, "application/json")
    twice = client.post(url, {"infraction": "slow_play"}, "application/json")
    assert (first.status_code, twice.status_code, twice.json()["code"]) == (201, 409, "penalty_twice")
    assert twice.json()["details"][0]["id"] == first.json()["id"]
    assert client.post(url, {"infraction": "slow_play", "again": True}, "application/json").status_code == 201
    Penalty.objects.update(withdrawn_at=NOW)
    assert client.post(url, {"infraction": "slow_play"}, "application/json").status_code == 201, "they were withdrawn"


def test_the_same_penalty_a_minute_later_is_another_one(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    entrant = match_of(a_published_round(event, cast.organizer), cast.player).seats.order_by("number")[0].entrant
    for seconds in (0, 61):
        at = NOW + timedelta(seconds=seconds)
        give_penalty(entrant=entrant, infraction="slow_play", by=cast.judge, now=at, again=False)
    with assert_refused("penalty_twice"):
        at = NOW + timedelta(seconds=65)
        give_penalty(entrant=entrant, infraction="slow_play", by=cast.judge, now=at, again=False)
