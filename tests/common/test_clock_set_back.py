"""A clock that is set back blocks no job: no job waits until the clock is back where it was."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction

from tournaments.common import jobs
from tournaments.common.jobs import RunningJob
from tournaments.common.models import Job

pytestmark = pytest.mark.django_db
KIND = "test.work"
NOW = datetime(2026, 3, 14, 10, 0, tzinfo=UTC)
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
AHEAD = NOW + HOUR  # the time before the clock was set back to NOW


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[RunningJob]:
    seen: list[RunningJob] = []
    monkeypatch.setitem(jobs._handlers, KIND, seen.append)
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *_args, **_options: None)
    return seen


def ask(now: datetime, *, after: timedelta = timedelta(0)) -> Job:
    with transaction.atomic():
        return jobs.enqueue(KIND, "e-1", now=now, run_after=now + after)


def test_a_lease_from_before_the_clock_was_set_back_has_expired(calls: list[RunningJob]) -> None:
    job = ask(NOW)
    Job.objects.update(status="running", lease_until=AHEAD + jobs.LEASE, lease_token="lost")
    assert jobs.run(job.pk, now=NOW)
    assert [call.id for call in calls] == [job.pk]


def test_a_lease_from_before_the_clock_was_set_back_does_not_block_its_key(calls: list[RunningJob]) -> None:
    ask(NOW)
    Job.objects.update(status="running", lease_until=AHEAD + jobs.LEASE, lease_token="lost")
    following = ask(NOW)
    assert jobs.run(following.pk, now=NOW)


def test_a_lease_from_a_machine_a_few_seconds_ahead_is_respected(calls: list[RunningJob]) -> None:
    job = ask(NOW)
    Job.objects.update(status="running", lease_until=NOW + 10 * SECOND + jobs.LEASE, lease_token="theirs")
    assert not jobs.run(job.pk, now=NOW)


def test_a_job_enqueued_before_the_clock_was_set_back_is_due_after_the_sweep(calls: list[RunningJob]) -> None:
    ask(AHEAD)
    assert not jobs.run_due(NOW)
    jobs.sweep(NOW)
    assert jobs.run_due(NOW) == 1


def test_a_job_enqueued_before_the_clock_was_set_back_keeps_its_delay(calls: list[RunningJob]) -> None:
    ask(AHEAD, after=30 * MINUTE)
    jobs.sweep(NOW)
    assert not jobs.run_due(NOW + 29 * MINUTE)
    assert jobs.run_due(NOW + 30 * MINUTE) == 1


def test_a_retry_is_never_further_away_than_the_longest_delay(calls: list[RunningJob]) -> None:
    ask(NOW - MINUTE)
    Job.objects.update(attempts=3, run_after=AHEAD)
    jobs.sweep(NOW)
    assert jobs.run_due(NOW) == 1


def test_a_long_delay_by_the_current_clock_is_not_changed(calls: list[RunningJob]) -> None:
    ask(NOW, after=24 * HOUR)
    jobs.sweep(NOW + MINUTE)
    assert Job.objects.get().run_after == NOW + 24 * HOUR


def test_a_daily_job_done_before_the_clock_was_set_back_is_enqueued_again(
    calls: list[RunningJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_daily", {KIND})
    year = timedelta(days=365)
    Job.objects.create(kind=KIND, key="", status="done", run_after=NOW + year, created_at=NOW + year)
    jobs.ask_daily(NOW)
    assert Job.objects.filter(status="pending").count() == 1


def test_checking_a_clock_that_is_right_takes_two_queries(
    calls: list[RunningJob], django_assert_num_queries: object
) -> None:
    ask(NOW)
    with django_assert_num_queries(2):
        jobs._follow_clock(NOW)
