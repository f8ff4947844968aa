"""A clock that is set back blocks no job: what waits for an hour that comes again does not wait for it."""

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
AHEAD = NOW + HOUR  # what the clock said before it was set back to NOW


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[RunningJob]:
    seen: list[RunningJob] = []
    monkeypatch.setitem(jobs._handlers, KIND, seen.append)
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *_args, **_options: None)
    return seen


def ask(now: datetime, *, after: timedelta = timedelta(0)) -> Job:
    with transaction.atomic():
        return jobs.enqueue(KIND, "e-1", now=now, run_after=now + after)


def test_a_lease_of_the_time_ahead_has_run_out(calls: list[RunningJob]) -> None:
    job = ask(NOW)
    Job.objects.update(status="running", lease_until=AHEAD + jobs.LEASE, lease_token="lost")
    assert jobs.run(job.pk, now=NOW)
    assert [call.id for call in calls] == [job.pk]


def test_a_lease_of_the_time_ahead_does_not_hold_up_the_next_job_of_its_key(calls: list[RunningJob]) -> None:
    ask(NOW)
    Job.objects.update(status="running", lease_until=AHEAD + jobs.LEASE, lease_token="lost")
    following = ask(NOW)
    assert jobs.run(following.pk, now=NOW)


def test_a_lease_of_a_machine_a_few_seconds_ahead_is_respected(calls: list[RunningJob]) -> None:
    job = ask(NOW)
    Job.objects.update(status="running", lease_until=NOW + 10 * SECOND + jobs.LEASE, lease_token="theirs")
    assert not jobs.run(job.pk, now=NOW)


def test_a_job_asked_for_in_the_time_ahead_is_due_at_once(calls: list[RunningJob]) -> None:
    ask(AHEAD)
    assert not jobs.run_due(NOW)
    jobs.sweep(NOW)
    assert jobs.run_due(NOW) == 1


def test_it_still_waits_as_long_as_it_asked_for(calls: list[RunningJob]) -> None:
    ask(AHEAD, after=30 * MINUTE)
    jobs.sweep(NOW)
    assert not jobs.run_due(NOW + 29 * MINUTE)
    assert jobs.run_due(NOW + 30 * MINUTE) == 1


def test_the_next_attempt_of_a_job_is_never_further_away_than_the_longest_delay(calls: list[RunningJob]) -> None:
    ask(NOW - MINUTE)
    Job.objects.update(attempts=3, run_after=AHEAD)
    jobs.sweep(NOW)
    assert jobs.run_due(NOW) == 1


def test_a_long_delay_that_was_asked_for_by_the_clock_of_now_stays(calls: list[RunningJob]) -> None:
    ask(NOW, after=24 * HOUR)
    jobs.sweep(NOW + MINUTE)
    assert Job.objects.get().run_after == NOW + 24 * HOUR


def test_a_daily_job_that_was_done_in_the_time_ahead_is_asked_for_again(
    calls: list[RunningJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_daily", {KIND})
    year = timedelta(days=365)
    Job.objects.create(kind=KIND, key="", status="done", run_after=NOW + year, created_at=NOW + year)
    jobs.ask_daily(NOW)
    assert Job.objects.filter(status="pending").count() == 1


def test_a_clock_that_is_right_is_followed_with_two_short_statements(
    calls: list[RunningJob], django_assert_num_queries: object
) -> None:
    ask(NOW)
    with django_assert_num_queries(2):
        jobs._follow_clock(NOW)
