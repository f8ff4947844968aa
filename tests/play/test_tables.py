"""Multiplayer tables: seating, reports by one player and confirmation by another, corrections, and standings."""

import pytest

from tests.builders import NOW, a_published_round, a_table_event, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.common import jobs
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.stages import add_stage
from tournaments.play import services as play
from tournaments.play.field import ranking
from tournaments.play.models import Match
from tournaments.play.selectors import newest_report_id
from tournaments.standings.selectors import standings_of

pytestmark = pytest.mark.django_db

PLACES = [[1, 12], [2, 9], [3, 7], [4, 3], [5, 0]]


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_table_event(cast)


@pytest.fixture
def table(event: Event, cast: Cast) -> Match:
    return a_published_round(event, cast.organizer).matches.get()


def test_five_players_sit_at_one_table_and_have_one_game(table: Match) -> None:
    assert table.has_ranks
    assert (table.seats.count(), table.games.count()) == (5, 1)


def test_a_player_reports_and_another_confirms(table: Match) -> None:
    users = users_of(table)
    report = play.report_result(match=table, by=users[0], games=PLACES, now=NOW)
    with assert_refused("own_report"):
        play.confirm_result(match=table, report=report, by=users[0], now=NOW)
    play.confirm_result(match=table, report=report, by=users[3], now=NOW)
    table.refresh_from_db()
    assert (table.has_result, table.authority) == (True, "agreed")
    seats = list(table.seats.order_by("number").values_list("rank", "score", "points"))
    assert seats == [(1, 12, 24), (2, 9, 18), (3, 7, 12), (4, 3, 6), (5, 0, 0)]


def test_a_third_player_cannot_decide_between_differing_reports_but_can_call_a_judge(table: Match) -> None:
    users = users_of(table)
    first = play.report_result(match=table, by=users[0], games=PLACES, now=NOW)
    other = [[2, 12], [1, 9], *PLACES[2:]]
    play.report_result(match=table, by=users[1], games=other, now=NOW)
    for games in (PLACES, other):
        with assert_refused("reports_differ"):
            play.report_result(match=table, by=users[2], games=games, now=NOW)
    with assert_refused("reports_differ"):
        play.confirm_result(match=table, report=first, by=users[2], now=NOW)
    page = text(signed_in(users[2]).get(address("me", table.round.stage.event.public_id)))
    assert "Two players at this table reported different results" in page
    play.contest_result(match=table, report=first, by=users[2], now=NOW)
    table.refresh_from_db()
    assert table.disputed
    play.rule_result(match=table, by=_judge(table), games=PLACES, reason="seen", now=NOW)
    table.refresh_from_db()
    assert table.has_result
    play.report_result(match=table, by=users[2], games=PLACES, now=NOW)
    with assert_refused("already_confirmed"):
        play.report_result(match=table, by=users[2], games=other, now=NOW)


def _judge(table: Match):
    return table.round.stage.event.created_by


def test_the_desk_enters_ranks_and_needs_a_reason_to_change_them(table: Match, cast: Cast) -> None:
    tied = [[1, 9], [1, 9], [3, None], [3, None], [5, None]]
    play.enter_result(match=table, by=cast.scorekeeper, games=tied, now=NOW)
    assert list(table.seats.order_by("number").values_list("points", flat=True)) == [21, 21, 9, 9, 0]
    with assert_refused("reason_missing"):
        play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, now=NOW)
    play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, now=NOW, reason="slip misread")
    assert table.seats.get(number=1).points == 24


def test_a_player_disqualified_at_a_table_ranks_last_and_the_others_move_up(
    event: Event, table: Match, cast: Cast
) -> None:
    first = table.seats.get(number=1).entrant
    play.disqualify(entrant=first, by=cast.organizer, now=NOW, reason="Marked cards")
    with assert_refused("loss_not_counted"):
        play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, now=NOW)
    moved_up = [[5, 12], [1, 9], [2, 7], [3, 3], [4, 0]]
    play.enter_result(match=table, by=cast.scorekeeper, games=moved_up, now=NOW)
    assert list(table.seats.order_by("number").values_list("points", flat=True)) == [0, 24, 18, 12, 6]
    play.close_round(round_=table.round, by=cast.organizer, now=NOW)
    rows = ranking(current_stage(event))
    assert first.public_id not in {row.player for row in rows}
    assert [(row.rank, row.points) for row in rows] == [(1, 24), (2, 18), (3, 12), (4, 6)]


def test_a_finished_table_keeps_its_ranks_when_a_player_is_disqualified_afterwards(
    event: Event, table: Match, cast: Cast
) -> None:
    play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, now=NOW)
    first = table.seats.get(number=1).entrant
    play.disqualify(entrant=first, by=cast.organizer, now=NOW, reason="Marked cards")
    play.close_round(round_=table.round, by=cast.organizer, now=NOW)
    assert [(row.rank, row.points) for row in ranking(current_stage(event))] == [(1, 18), (2, 12), (3, 6), (4, 0)]
    assert table.seats.get(number=1).rank == 1


def test_impossible_ranks_are_refused(table: Match, cast: Cast) -> None:
    for places in (
        PLACES[:4],
        [[1, -1], *PLACES[1:]],
        [[2, 1], *PLACES[1:]],
        [1, 2, 3],
        [["1", 0], *PLACES[1:]],
        [[1, 10_000], *PLACES[1:]],
    ):
        with assert_refused("ranks_invalid"):
            play.enter_result(match=table, by=cast.scorekeeper, games=places, now=NOW)
    with assert_refused("kind_invalid"):
        play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, kind="forfeit", now=NOW)


def test_table_standings_count_rank_points_then_tables_won_then_victory_points(
    event: Event, table: Match, cast: Cast
) -> None:
    play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, now=NOW)
    play.close_round(round_=table.round, by=cast.organizer, now=NOW)
    rows = ranking(current_stage(event))
    ids = [seat.entrant.public_id for seat in table.seats.order_by("number")]
    assert [row.player for row in rows] == ids
    assert [row.points for row in rows] == [24, 18, 12, 6, 0]
    assert str(rows[0].terms["victory_share"]) == "12/31"
    jobs.run_due(NOW)
    assert [row["points"] for row in standings_of(current_stage(event)).rows] == [24, 18, 12, 6, 0]


def test_a_dropped_player_is_not_seated_in_the_next_round(event: Event, table: Match, cast: Cast) -> None:
    play.enter_result(match=table, by=cast.scorekeeper, games=PLACES, now=NOW)
    play.close_round(round_=table.round, by=cast.organizer, now=NOW)
    play.drop(entrant=table.seats.get(number=1).entrant, by=cast.organizer, now=NOW)
    again = a_published_round(event, cast.organizer)
    assert again.matches.get().seats.count() == 4
    # The four players left have all met: each of their 6 pairs is a repeat.
    assert again.cost["repeats"] == 6


def test_correcting_a_table_after_the_cut_shows_who_would_have_advanced(cast: Cast) -> None:
    event = a_table_event(cast, rounds=1)
    add_stage(event=event, kind="single_elimination", cut_top=2, by=cast.organizer, now=NOW)
    table = a_published_round(event, cast.organizer).matches.get()
    play.enter_result(match=table, by=cast.organizer, games=PLACES, now=NOW)
    play.close_round(round_=table.round, by=cast.organizer, now=NOW)
    play.start_stage(event=event, by=cast.organizer, now=NOW)
    came = list(current_stage(event).entries.values_list("entrant", flat=True))
    _first, second, third, *_rest = table.seats.select_related("entrant").order_by("number")
    other = [PLACES[0], [3, 7], [2, 9], *PLACES[3:]]
    same = [PLACES[1], PLACES[0], *PLACES[2:]]
    correct = {"match": table, "by": cast.organizer, "reason": "misread", "now": NOW}
    play.enter_result(games=same, **correct)
    with assert_refused("affects_later") as caught:
        play.enter_result(games=other, **correct)
    out, into = second.entrant.public_id, third.entrant.public_id
    assert caught.value.details == [{"what": "cut", "out": out, "into": into, "node": ""}]
    sent = {"acknowledged": "", "reason": "misread", "seen": newest_report_id(table)}
    ranks = {f"rank_{n}": rank for n, (rank, _score) in enumerate(other, 1)}
    scores = {f"score_{n}": score for n, (_rank, score) in enumerate(other, 1)}
    page = signed_in(cast.scorekeeper).post(address("staff_result", table.public_id), {**sent, **ranks, **scores})
    assert page.status_code == 409 and third.entrant.name in text(page) and "would have qualified" in text(page)
    play.enter_result(games=other, acknowledged=True, **correct)
    assert list(current_stage(event).entries.values_list("entrant", flat=True)) == came
    assert [row.player for row in ranking(event.stages.get(number=1))][1] == into
