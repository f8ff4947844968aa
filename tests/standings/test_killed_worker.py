"""Killing the worker that computes standings while results arrive: in the end every job is done."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.builders import NOW, a_published_round, a_running_event, users_of
from tests.cast import make_cast
from tests.workers import all_done, eventually, half_way, held, is_cut, kill, log_of, queue, worker
from tournaments.common.models import Job
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.selectors import standings_of

__all__ = ["queue"]

KIND = "standings.compute"
# By table number modulo 3: what both players report, and the points of seat 1 and seat 2.
OUTCOMES = (((2, 0, 0), (3, 0)), ((1, 2, 0), (0, 3)), ((1, 1, 1), (1, 1)))


def confirm(*matches: Match) -> None:
    """Report the results of these tables by both players. Can run in any thread."""
    try:
        for match in matches:
            games, _points = OUTCOMES[match.table % 3]
            for user in users_of(match):
                play.report_result(match=match, by=user, games=games, now=NOW)
    finally:
        connection.close()


@pytest.mark.slow  # not in every run: tests/common/test_worker.py kills a worker each time
@pytest.mark.django_db(transaction=True)
def test_standings_are_correct_after_a_worker_was_killed_three_times_during_results(queue: dict[str, str]) -> None:
    """Each kill interrupts a computation between reading and writing; results arrive before, during and after."""
    cast = make_cast()
    event = a_running_event(cast, players=32)
    stage = current_stage(event)
    matches = list(a_published_round(event, cast.organizer).matches.order_by("table"))
    cut: list[Job] = []
    tables = iter(matches)
    confirm(next(tables))
    with ThreadPoolExecutor(1) as players:
        for _turn in range(3):
            with worker(queue) as process:
                assert eventually(all_done), log_of(queue)  # the new worker finishes what the killed one left
                with held(queue):
                    confirm(next(tables))
                    assert eventually(lambda: half_way(KIND, besides=cut)), log_of(queue)
                    confirm(next(tables))
                    (job,) = half_way(KIND, besides=cut)
                    arriving = players.submit(confirm, next(tables), next(tables))
                    kill(process)
                    arriving.result()
            confirm(next(tables))
            assert is_cut(job) and not all_done()
            cut.append(job)
    with worker(queue):
        assert eventually(all_done), log_of(queue)
        assert standings_of(stage).rows == []
        play.close_round(round_=matches[0].round, by=cast.organizer, now=NOW)
        assert eventually(all_done), log_of(queue)
    lost = Job.objects.filter(kind=KIND, attempts__gte=1)
    assert len({job.pk for job in cut} & {job.pk for job in lost}) == 3
    stage.refresh_from_db()
    shown = standings_of(stage)
    assert shown.table is not None and shown.table.results_version == stage.results_version
    assert next(tables, None) is None
    assert {row["entrant"]: row["points"] for row in shown.rows} == {
        seat.entrant.public_id: points
        for match in matches
        for seat, points in zip(match.seats.order_by("number"), OUTCOMES[match.table % 3][1], strict=True)
    }
