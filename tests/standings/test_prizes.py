"""Prizes: payout by rank or points, the remainder, and ticks for prizes handed out."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import NOW, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.procedures import Prizes, Share
from tournaments.standings.models import PrizeTick, StandingsTable
from tournaments.standings.prizes import prize_sheet
from tournaments.standings.selectors import final_rows, prizes_of
from tournaments.standings.services import tick_prize

RANKED = [{"entrant": f"p{rank}", "rank": rank, "points": 12 - 3 * rank} for rank in range(1, 5)]


def units(rows: list[dict[str, Any]], **told: Any) -> list[tuple[str, int]]:
    return [(prize.entrant, prize.units) for prize in prize_sheet(rows, Prizes(**told)).prizes]


def test_prizes_by_rank() -> None:
    shares = (Share(1, 1, 8), Share(2, 3, 4))
    assert units(RANKED, shares=shares) == [("p1", 8), ("p2", 4), ("p3", 4)]


def test_prizes_by_points_go_to_everybody_who_reaches_them() -> None:
    shares = (Share(3, 5, 1), Share(6, 99, 3))
    assert units(RANKED, by="points", shares=shares) == [("p1", 3), ("p2", 3), ("p3", 1)]


def test_players_who_share_a_rank_divide_the_units_of_their_places() -> None:
    rows = [{**row, "rank": 1} for row in RANKED[:2]]
    sheet = prize_sheet(rows, Prizes(units=10, shares=(Share(1, 1, 6), Share(2, 2, 3))))
    assert [(prize.entrant, prize.units) for prize in sheet.prizes] == [("p1", 4), ("p2", 4)]
    assert sheet.remainder == 2


@given(
    st.lists(st.integers(0, 30), max_size=20), st.lists(st.tuples(st.integers(1, 20), st.integers(0, 9)), max_size=5)
)
def test_units_given_and_left_add_up_to_the_pool(points: list[int], told: list[tuple[int, int]]) -> None:
    rows = [{"entrant": str(n), "rank": n, "points": had} for n, had in enumerate(sorted(points, reverse=True), 1)]
    prizes = Prizes(units=50, shares=tuple(Share(first, first + 2, count) for first, count in told))
    sheet = prize_sheet(rows, prizes)
    assert sheet.given + sheet.remainder == 50
    assert all(prize.units > 0 for prize in sheet.prizes)


@pytest.fixture
def event(cast: Cast) -> Event:
    """Four players after one round, two of them winners. Pays 8 units for first and 2 for second, of a pool of 9."""
    event = a_running_event(cast)
    shares = [{"first": 1, "last": 1, "units": 8}, {"first": 2, "last": 2, "units": 2}]
    Event.objects.filter(pk=event.pk).update(procedures={"prizes": {"units": 9, "shares": shares}})
    event.refresh_from_db()
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(NOW + timedelta(seconds=1))
    return event


@pytest.mark.django_db
def test_the_sheet_follows_the_standings_and_shows_missing_units(event: Event) -> None:
    sheet = prizes_of(event)
    rows = final_rows(event)
    assert [prize.entrant for prize in sheet.prizes] == [row["entrant"] for row in rows[:2]]
    assert (sheet.given, sheet.remainder) == (10, -1)


@pytest.mark.django_db
def test_players_of_a_later_stage_rank_above_those_left_behind(event: Event) -> None:
    first = StandingsTable.objects.get()
    last = first.rows[-1]["entrant"]
    cut = Stage.objects.create(event=event, number=2, seed=1, results_version=9)
    rows = [{**row, "rank": place} for place, row in enumerate((first.rows[3], first.rows[1]), 1)]
    StandingsTable.objects.create(
        stage=cut, round_number=1, results_version=9, scheme="mtr", rows=rows, computed_at=NOW
    )
    found = final_rows(event)
    assert [row["rank"] for row in found] == [1, 2, 3, 4]
    assert [row["entrant"] for row in found] == [
        last, *(first.rows[place]["entrant"] for place in (1, 0, 2))
    ]  # fmt: skip
    assert found[0]["points"] == first.rows[3]["points"]


@pytest.mark.django_db
def test_ticking_a_prize_and_removing_the_tick_are_idempotent(event: Event, cast: Cast) -> None:
    winner = Entrant.objects.get(public_id=prizes_of(event).prizes[0].entrant)
    for given_ in (True, True, False, False):
        tick_prize(entrant=winner, given=given_, by=cast.scorekeeper, now=NOW)
    codes = LedgerEntry.objects.filter(code__startswith="prize.").order_by("number").values_list("code", flat=True)
    assert list(codes) == ["prize.given", "prize.taken_back"]
    assert not PrizeTick.objects.exists()


@pytest.mark.django_db
def test_a_prize_that_is_not_due_cannot_be_ticked(event: Event, cast: Cast) -> None:
    last = Entrant.objects.get(public_id=final_rows(event)[-1]["entrant"])
    with assert_refused("no_prize"):
        tick_prize(entrant=last, given=True, by=cast.scorekeeper, now=NOW)
