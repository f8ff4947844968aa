"""A real worker on a real queue is killed while it works; in the end, every job is done."""

import os
import signal

import pytest

from tests.workers import PATIENCE, all_done, ask, eventually, half_way, held, is_cut, kill, log_of, queue, worker
from tournaments.common import jobs, request_ids
from tournaments.common.models import Heartbeat, Job

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


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_many_audits_do_not_delay_other_jobs(queue: dict[str, str]) -> None:
    """Even a worker of one process that reads both queues takes its next job from the other one."""
    audits = [str(number) for number in range(60)]
    with worker(queue, "--concurrency", "1"):
        with held(queue):
            for key in audits:
                ask(key, "audits.slow")
            assert eventually(lambda: half_way("audits.slow")), log_of(queue)
            ask("standings")
        assert eventually(lambda: Job.objects.filter(kind="test.slow", status="done").exists()), log_of(queue)
    done = Job.objects.get(kind="test.slow").finished_at
    assert Job.objects.filter(kind="audits.slow", finished_at__lt=done).count() < len(audits) / 3


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_log_of_a_worker_names_the_kind_of_a_job_and_the_request_that_enqueued_it(queue: dict[str, str]) -> None:
    with worker(queue):
        with request_ids.known_as("7f3a91c0de24"):
            ask("e-1")
        assert eventually(all_done), log_of(queue)
        assert eventually(lambda: Heartbeat.objects.filter(name="worker").exists()), log_of(queue)
    assert "[7f3a91c0de24] done by a test" in log_of(queue)
    assert "Task test.slow[" in log_of(queue)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_does_the_jobs_that_the_previous_version_sends(
    queue: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_handlers", {})  # so that the message has the name that all jobs had
    with worker(queue):
        ask("e-1")
        assert eventually(all_done), log_of(queue)
    assert "Task common.run_job[" in log_of(queue)
