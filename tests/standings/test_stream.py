"""Standings while results keep arriving."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from tests.builders import NOW, a_published_round, a_running_event, play_out
from tests.cast import Cast, make_cast
from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.common.models import Job
from tournaments.common.snapshots import snapshot
from tournaments.events.models import Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings import services, tasks
from tournaments.standings.models import StandingsTable
from tournaments.standings.selectors import changes_of, ranking_of, standings_of
from tournaments.standings.services import LAST_KEPT, compute_standings, rest_until

KIND = "standings.compute"
LATER = NOW + timedelta(seconds=1)


def correct(match: Match, cast: Cast, games: tuple[int, int, int]) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=games, now=NOW, reason="Slip misread")


def an_event_after_one_round(cast: Cast) -> tuple[Event, Match]:
    event = a_running_event(cast, players=4)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    jobs.run_due(LATER)
    return event, first.matches.order_by("table")[0]


def while_counting(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Make something happen once, after the results are read and before their table is stored."""
    ranking = services.ranking

    def counted(*args: Any) -> Any:
        monkeypatch.setattr(services, "ranking", ranking)
        happens()
        return ranking(*args)

    monkeypatch.setattr(services, "ranking", counted)


@pytest.mark.django_db
def test_a_table_is_stored_even_if_a_result_arrives_while_it_is_computed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, match = an_event_after_one_round(cast)
    stage = current_stage(event)
    correct(match, cast, (0, 2, 0))
    read = Stage.objects.get(pk=stage.pk).results_version
    while_counting(monkeypatch, lambda: correct(match, cast, (1, 1, 0)))
    table = compute_standings(stage_id=stage.pk, now=NOW)
    shown = standings_of(stage)
    assert table is not None and table.results_version == read
    assert shown.table == table and shown.computing
    assert sorted(row["points"] for row in shown.rows) == [0, 0, 3, 3]
    jobs.run_due(LATER)
    assert not standings_of(stage).computing
    assert sorted(row["points"] for row in standings_of(stage).rows) == [0, 1, 1, 3]


@pytest.mark.django_db
def test_an_older_table_never_replaces_a_newer_one(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event, match = an_event_after_one_round(cast)
    stage = current_stage(event)
    correct(match, cast, (0, 2, 0))

    def overtaken() -> None:
        correct(match, cast, (1, 1, 0))
        compute_standings(stage_id=stage.pk, now=NOW)

    while_counting(monkeypatch, overtaken)
    assert compute_standings(stage_id=stage.pk, now=NOW) is None
    shown = standings_of(stage)
    assert not shown.computing
    assert sorted(row["points"] for row in shown.rows) == [0, 1, 1, 3]


@pytest.mark.django_db
def test_results_of_a_round_in_progress_store_no_new_table(cast: Cast) -> None:
    event, _match = an_event_after_one_round(cast)
    stage = current_stage(event)
    second = a_published_round(event, cast.organizer)
    jobs.run_due(LATER)
    before = standings_of(stage).table
    assert before is not None
    for match in second.matches.all():
        correct(match, cast, (2, 0, 0))
        assert standings_of(stage).computing
        jobs.run_due(LATER)
    after = standings_of(stage).table
    assert after == before and after.results_version > before.results_version
    assert after.first_version == before.first_version
    assert not standings_of(stage).computing
    assert ranking_of(stage).version == after.results_version


@pytest.mark.django_db
def test_there_are_no_changes_since_a_version_with_the_same_rows(cast: Cast) -> None:
    event, _match = an_event_after_one_round(cast)
    stage = current_stage(event)
    seen = standings_of(stage).table
    assert seen is not None
    correct(a_published_round(event, cast.organizer).matches.all()[0], cast, (2, 0, 0))
    jobs.run_due(LATER)
    changes = changes_of(stage, since=seen.results_version)
    assert changes is not None and changes.moved == []


@pytest.mark.django_db
def test_only_the_newest_tables_and_the_last_of_each_round_are_kept(cast: Cast) -> None:
    event, match = an_event_after_one_round(cast)
    stage = current_stage(event)
    first = standings_of(stage).table
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    for turn in range(LAST_KEPT + 5):
        correct(match, cast, (0, 2, 0) if turn % 2 else (1, 1, 0))
        jobs.run_due(LATER)
    tables = StandingsTable.objects.filter(stage=stage)
    assert tables.filter(round_number=2).count() == LAST_KEPT
    assert list(tables.filter(round_number=1)) == [first]
    assert standings_of(stage).table == tables.order_by("-results_version").first()


@pytest.mark.django_db
def test_a_worker_rests_as_long_as_the_last_computation_took(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event, match = an_event_after_one_round(cast)
    stage = current_stage(event)
    at = now()
    StandingsTable.objects.filter(stage=stage).update(computed_at=at, took=1_000)
    assert rest_until(stage.pk, at) == at + timedelta(seconds=2)
    correct(match, cast, (0, 2, 0))
    monkeypatch.setattr(tasks, "current_task", object())
    jobs.run(Job.objects.get(kind=KIND, status="pending").pk, now=at)
    waiting = Job.objects.get(kind=KIND, status="pending")
    assert waiting.run_after == at + timedelta(seconds=2) and standings_of(stage).computing
    StandingsTable.objects.filter(stage=stage).update(computed_at=at - timedelta(seconds=2))
    jobs.run(waiting.pk, now=waiting.run_after)
    assert not standings_of(stage).computing


@pytest.mark.django_db
def test_a_worker_does_not_rest_after_a_quick_computation(cast: Cast) -> None:
    event, _match = an_event_after_one_round(cast)
    StandingsTable.objects.update(took=20)
    assert rest_until(current_stage(event).pk, now()) is None


@pytest.mark.django_db
def test_a_worker_does_not_rest_for_a_clock_that_was_set_back(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event, match = an_event_after_one_round(cast)
    StandingsTable.objects.update(computed_at=now() + timedelta(hours=1), took=1_000)
    correct(match, cast, (0, 2, 0))
    monkeypatch.setattr(tasks, "current_task", object())
    jobs.run(Job.objects.get(kind=KIND, status="pending").pk)
    assert not standings_of(current_stage(event)).computing


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_reads_one_state_and_blocks_no_writer() -> None:
    event = a_running_event(make_cast())

    def renamed() -> None:
        try:
            Event.objects.filter(pk=event.pk).update(name="Renamed")
        finally:
            connection.close()

    names = Event.objects.filter(pk=event.pk).values_list("name", flat=True)
    with ThreadPoolExecutor(1) as others, snapshot():
        before = names.get()
        others.submit(renamed).result(timeout=10)
        assert names.get() == before != "Renamed"
    assert names.get() == "Renamed"
    with transaction.atomic():
        Event.objects.filter(pk=event.pk).update(name="Again")
    assert names.get() == "Again"
