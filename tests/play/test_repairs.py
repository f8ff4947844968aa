"""A mistake in pairings that are public is mended with the fewest tables disturbed, from costed choices."""

import pytest

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, match_of, play_out, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.play.repairs import ways_to_mend

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=6)


@pytest.fixture
def second(event: Event, cast: Cast) -> Round:
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return a_published_round(event, cast.organizer)


def seated(round_: Round) -> set[frozenset[str]]:
    return {frozenset(seat.entrant.public_id for seat in match.seats.all()) for match in round_.matches.all()}


def test_a_forgotten_player_takes_the_least_of_tables(event: Event, second: Round, cast: Cast) -> None:
    late = play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    before = seated(second)
    ways = ways_to_mend(second)
    assert ways[0].choice.new == 1
    assert ways[0].choice.pairing.bye == late.public_id
    play.mend_round(round_=second, way=ways[0].key, by=cast.organizer, now=NOW)
    assert seated(second) == before
    assert Match.objects.get(round=second, seats__entrant=late).kind == "bye"
    second.refresh_from_db()
    assert second.algorithm.endswith("+hand")
    assert second.cost == ways[0].choice.pairing.cost
    with assert_refused("results_moved"):
        play.mend_round(round_=second, way=ways[-1].key, by=cast.organizer, now=NOW)


def test_who_is_not_there_leaves_the_opponent_the_bye_or_another_table(event: Event, second: Round, cast: Cast) -> None:
    gone = match_of(second, cast.player).seats.get(entrant__member__person__account=cast.player).entrant
    play.drop(entrant=gone, by=cast.organizer, now=NOW)
    ways = ways_to_mend(second)
    play.mend_round(round_=second, way=ways[0].key, by=cast.organizer, now=NOW)
    assert not Match.objects.filter(round=second, seats__entrant=gone).exists()
    assert Match.objects.filter(round=second, table=None).count() == 1
    for match in Match.objects.filter(round=second, table__isnull=False):
        play.override_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.close_round(round_=second, by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_a_table_that_has_begun_is_not_changed(event: Event, second: Round, cast: Cast) -> None:
    match = match_of(second, cast.player)
    gone = match.seats.get(entrant__member__person__account=cast.player).entrant
    play.report_result(match=match, by=users_of(match)[0], games=[2, 0, 0], now=NOW)
    play.drop(entrant=gone, by=cast.organizer, now=NOW)
    way = ways_to_mend(second)[0]
    with assert_refused("table_begun") as caught:
        play.mend_round(round_=second, way=way.key, by=cast.organizer, now=NOW)
    assert match.table in caught.value.details


def test_who_plays_mends_no_pairings_and_a_bracket_has_nothing_to_mend(event: Event, second: Round, cast: Cast) -> None:
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    with assert_refused("staff_who_play"):
        play.mend_round(round_=second, way="x", by=cast.player, now=NOW)


@pytest.mark.slow
def test_a_bracket_is_not_mended(cast: Cast) -> None:
    round_ = a_published_round(a_bracket(cast), cast.organizer)
    assert round_.stage == current_stage(round_.stage.event)
    with assert_refused("no_repair"):
        ways_to_mend(round_)
