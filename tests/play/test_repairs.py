"""Repairing mistakes in published pairings: the repairs offered, their cost, and when they are refused."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import (
    NOW,
    a_bracket,
    a_large_event,
    a_published_round,
    a_running_event,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.play.services.repairs import repairs_of

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


def test_the_first_repair_for_a_forgotten_player_changes_the_fewest_tables(
    event: Event, second: Round, cast: Cast
) -> None:
    late = play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    before = seated(second)
    ways = repairs_of(second)
    assert ways[0].choice.new == 1
    assert ways[0].choice.pairing.bye == late.public_id
    play.repair_round(round_=second, way=ways[0].key, by=cast.organizer, now=NOW)
    assert seated(second) == before
    assert Match.objects.get(round=second, seats__entrant=late).kind == "bye"
    second.refresh_from_db()
    assert second.algorithm.endswith("+hand")
    assert second.cost == ways[0].choice.pairing.cost
    with assert_refused("results_moved"):
        play.repair_round(round_=second, way=ways[-1].key, by=cast.organizer, now=NOW)


def test_a_bye_given_by_a_repair_counts_at_once_as_a_match_won(event: Event, second: Round, cast: Cast) -> None:
    late = play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    play.repair_round(round_=second, way=repairs_of(second)[0].key, by=cast.organizer, now=NOW)
    bye = Match.objects.get(round=second, seats__entrant=late)
    seat = bye.seats.get()
    assert second.stage.best_of == 3
    assert (bye.authority, bye.games_drawn, seat.games_won, seat.points) == ("agreed", 0, 2, 3)


def test_listing_repairs_needs_the_same_number_of_queries_for_any_field(cast: Cast) -> None:
    costs = []
    for players in (6, 20):
        event = a_large_event(cast, players)
        round_ = a_published_round(event, cast.organizer)
        play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
        with CaptureQueriesContext(connection) as queries:
            assert repairs_of(Round.objects.select_related("stage__event").get(pk=round_.pk))
        costs.append(len(queries))
    assert costs[0] == costs[1]


def test_a_dropped_player_is_removed_and_the_opponent_gets_a_bye_or_another_table(
    event: Event, second: Round, cast: Cast
) -> None:
    gone = match_of(second, cast.player).seats.get(entrant__member__person__account=cast.player).entrant
    play.drop(entrant=gone, by=cast.organizer, now=NOW)
    ways = repairs_of(second)
    play.repair_round(round_=second, way=ways[0].key, by=cast.organizer, now=NOW)
    assert not Match.objects.filter(round=second, seats__entrant=gone).exists()
    assert Match.objects.filter(round=second, table=None).count() == 1
    for match in Match.objects.filter(round=second, table__isnull=False):
        play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.close_round(round_=second, by=cast.organizer, now=NOW)


@pytest.mark.slow
def test_a_repair_of_a_table_that_has_begun_is_refused(event: Event, second: Round, cast: Cast) -> None:
    match = match_of(second, cast.player)
    gone = match.seats.get(entrant__member__person__account=cast.player).entrant
    play.report_result(match=match, by=users_of(match)[0], games=[2, 0, 0], now=NOW)
    play.drop(entrant=gone, by=cast.organizer, now=NOW)
    way = repairs_of(second)[0]
    with assert_refused("table_begun") as caught:
        play.repair_round(round_=second, way=way.key, by=cast.organizer, now=NOW)
    assert match.table in caught.value.details


def test_staff_who_play_cannot_repair_pairings(event: Event, second: Round, cast: Cast) -> None:
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    with assert_refused("staff_who_play"):
        play.repair_round(round_=second, way="x", by=cast.player, now=NOW)


@pytest.mark.slow
def test_a_bracket_cannot_be_repaired(cast: Cast) -> None:
    round_ = a_published_round(a_bracket(cast), cast.organizer)
    assert round_.stage == current_stage(round_.stage.event)
    with assert_refused("no_repair"):
        repairs_of(round_)
