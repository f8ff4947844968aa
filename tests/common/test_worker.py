"""A real worker on a real queue is killed while it works; in the end, every job is done."""

import os
import signal

import pytest

from tests.workers import PATIENCE, all_done, ask, eventually, half_way, held, is_cut, kill, log_of, queue, worker
from tournaments.common.models import Job

__all__ = ["queue"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_three_times_while_jobs_arrive_loses_none(queue: dict[str, str]) -> None:
    """Each kill hits the two jobs that the worker's two processes are halfway through, mostly the same as before."""
    cut: list[Job] = []

    def two_more() -> bool:
        return len(half_way("test.slow", besides=cut)) == 2

    with held(queue):
        for turn in range(3):
            with worker(queue) as process:
                for number in range(8):
                    ask(f"{turn}-{number}")
                assert eventually(two_more), log_of(queue)
                now_cut = half_way("test.slow", besides=cut)
                ask(f"{turn}-late")
                kill(process)
            assert [is_cut(job) for job in now_cut] == [True, True]
            cut.extend(now_cut)
    with worker(queue) as process:
        assert eventually(all_done), log_of(queue)
        process.terminate()
        assert process.wait(PATIENCE) == 0
    asked = Job.objects.filter(kind="test.slow")
    assert asked.count() == 27
    assert sum(asked.values_list("attempts", flat=True)) >= 6


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("queue", ["files"], indirect=True)
@pytest.mark.parametrize(
    ("number", "to_all"),
    [
        pytest.param(signal.SIGTERM, False, id="terminated", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, True, id="terminated with its children"),
        pytest.param(signal.SIGINT, True, id="Ctrl-C"),
    ],
)
def test_a_worker_told_to_stop_exits_within_ten_seconds(
    queue: dict[str, str], number: signal.Signals, to_all: bool
) -> None:
    with worker(queue) as process:
        ask("e-1")
        assert eventually(all_done), log_of(queue)
        (os.killpg if to_all else os.kill)(process.pid, number)
        # Celery exits with 1 after an interrupt, even if it shut down cleanly.
        assert process.wait(10) == (1 if number == signal.SIGINT else 0), log_of(queue)
