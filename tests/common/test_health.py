"""The health check, the warning that no worker runs, and the visitor's address behind proxies."""

from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from engine.version import VERSION
from tests.builders import an_event
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.archive.models import Check
from tournaments.common import broker, clock, heartbeats, jobs, tasks
from tournaments.common.models import Heartbeat, Job
from tournaments.common.proxies import client_address

WAITS = "No background job has run"


def ask(minutes: int) -> None:
    """Enqueue a job that has been due for some minutes."""
    due = clock.now() - timedelta(minutes=minutes)
    with transaction.atomic():
        jobs.enqueue("standings.compute", "0", now=min(due, clock.now()), run_after=due)


@pytest.mark.django_db
def test_health_reports_how_long_the_oldest_job_has_waited(client: Client) -> None:
    assert client.get("/healthz").content == f"ok\nqueue 0\nversion {VERSION}\n".encode()
    ask(minutes=3)
    word, seconds = client.get("/healthz").content.split()[1:3]
    assert (word, 180 <= int(seconds) < 200) == (b"queue", True)


@pytest.mark.django_db
def test_health_is_503_without_the_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(now: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(jobs, "overdue", down)
    assert client.get("/healthz").status_code == 503


def told(client: Client, status: int = 200) -> list[str]:
    """The lines of the health check after the three that are always there, or all lines of a 503."""
    answer = client.get("/healthz")
    assert answer.status_code == status
    lines = answer.content.decode().splitlines()
    return lines[3:] if status == 200 else lines


@pytest.fixture
def _read_only(transactional_db: None) -> Iterator[None]:
    """A database that can only be read."""
    sqlite = connection.vendor == "sqlite"
    setting = "PRAGMA query_only={}" if sqlite else "SET default_transaction_read_only={}"
    with connection.cursor() as cursor:
        cursor.execute(setting.format(1 if sqlite else "on"))
        yield
        cursor.execute(setting.format(0 if sqlite else "off"))


@pytest.mark.usefixtures("_read_only")
def test_health_is_503_if_the_database_takes_no_writes(client: Client) -> None:
    assert told(client, 503) == ["database read-only"]


@pytest.mark.django_db(transaction=True)
def test_health_does_not_wait_long_for_others_who_write(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeats, "LONGEST_WAIT", 100)
    assert told(client) == []
    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor:
            cursor.execute("UPDATE common_heartbeat SET at = at")  # holds a lock until it is rolled back
        assert told(client) == []
        assert Heartbeat.objects.count() == 1
    finally:
        other.rollback()
        other.close()


@pytest.mark.django_db(transaction=True)
def test_the_trial_write_leaves_the_usual_waiting_time_behind(client: Client) -> None:
    names = (
        ("PRAGMA busy_timeout",) if connection.vendor == "sqlite" else ("SHOW lock_timeout", "SHOW statement_timeout")
    )

    def waiting() -> list[object]:
        with connection.cursor() as cursor:
            return [cursor.execute(name) and cursor.fetchone() for name in names]

    before = waiting()
    told(client)
    assert waiting() == before


@pytest.mark.django_db
def test_health_counts_failed_jobs_and_failed_checks(cast: Cast, client: Client) -> None:
    event = an_event(cast)
    ask(minutes=0)
    Job.objects.update(status=Job.Status.FAILED)
    assert told(client) == ["failed jobs 1"]
    Check.objects.create(event=event, at=clock.now(), entry=1, faulty=2, report={})
    assert told(client) == ["failed jobs 1", "failed checks 1"]
    Check.objects.update(faulty=0)
    Job.objects.all().delete()
    assert told(client) == []


@pytest.mark.django_db(transaction=True)
def test_health_says_when_no_worker_has_swept_for_minutes(client: Client) -> None:
    now, minute = clock.now(), timedelta(minutes=1)
    tasks.sweep.run()
    assert heartbeats.gone(now) == []
    heartbeats.stamp(heartbeats.WORKER, now - 4 * minute)
    assert told(client) == ["worker gone"]
    tasks.sweep.run()
    assert told(client) == []


@pytest.mark.django_db
def test_a_worker_that_never_came_is_gone_once_a_job_waits_for_it(client: Client) -> None:
    assert told(client) == []
    ask(minutes=3)
    assert told(client) == ["worker gone"]


@pytest.mark.django_db
def test_a_worker_that_is_busy_with_long_jobs_is_not_gone(client: Client) -> None:
    now = clock.now()
    heartbeats.stamp(heartbeats.WORKER, now - timedelta(minutes=9))
    ask(minutes=0)
    Job.objects.update(status=Job.Status.RUNNING, lease_until=now + timedelta(minutes=1))
    assert told(client) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("minutes", "lines"), [(1, []), (4, ["beat gone"]), (8 * 24 * 60, [])])
def test_health_says_when_a_beat_that_was_there_has_stopped(client: Client, minutes: int, lines: list[str]) -> None:
    tasks.sweep.push_request(**broker.settings_for("redis://")["beat_schedule"]["sweep"]["options"]["headers"])
    try:
        tasks.sweep.run()
    finally:
        tasks.sweep.pop_request()
    assert told(client) == []
    Heartbeat.objects.filter(name="beat").update(at=clock.now() - timedelta(minutes=minutes))
    assert told(client) == lines


@pytest.mark.django_db
def test_without_a_worker_nothing_is_said_of_beat(client: Client) -> None:
    for name in (heartbeats.WORKER, heartbeats.BEAT):
        heartbeats.stamp(name, clock.now() - timedelta(hours=1))
    assert told(client) == ["worker gone"]


@pytest.mark.django_db
def test_the_health_check_makes_few_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    told(client)
    with django_assert_max_num_queries(12):
        told(client)


@pytest.mark.django_db
def test_a_job_that_is_not_due_or_is_running_does_not_count_as_waiting() -> None:
    now = clock.now()
    ask(minutes=-5)
    assert jobs.overdue(now) == timedelta(0)
    ask(minutes=5)
    Job.objects.update(status=Job.Status.RUNNING, lease_until=now + timedelta(seconds=10))
    assert jobs.overdue(now) == timedelta(0)


@pytest.mark.django_db
def test_a_job_waits_from_when_it_was_asked_for_however_long_ago_it_was_due() -> None:
    now, hour = clock.now(), timedelta(hours=1)
    with transaction.atomic():
        jobs.enqueue("notices.mail", "e-1:1", now=now, run_after=now - 72 * hour)
    Job.objects.update(run_after=now - 72 * hour)  # as it was once written
    assert (jobs.overdue(now), jobs.no_worker_runs(now)) == (timedelta(0), False)
    assert jobs.overdue(now + hour) == hour


@pytest.mark.django_db
def test_a_job_that_is_moved_forward_waits_from_then() -> None:
    now, day = clock.now(), timedelta(days=1)
    with transaction.atomic():
        jobs.enqueue("notices.mail", "e-1:1", now=now - 3 * day, run_after=now + day)
        jobs.enqueue("notices.mail", "e-1:1", now=now, run_after=now - 2 * day)
    assert Job.objects.count() == 1 and jobs.overdue(now) == timedelta(0)


@pytest.mark.django_db
def test_staff_see_a_warning_when_no_worker_runs(cast: Cast) -> None:
    event = an_event(cast)
    page = signed_in(cast.organizer).get(f"/e/{event.public_id}/staff/").content.decode()
    assert WAITS not in page
    ask(minutes=5)
    assert WAITS in signed_in(cast.organizer).get(f"/e/{event.public_id}/staff/").content.decode()


@pytest.mark.parametrize(
    ("remote", "forwarded", "who"),
    [
        ("198.51.100.7", "203.0.113.1", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("10.0.0.1", "203.0.113.66, 203.0.113.1, 10.0.0.2", "203.0.113.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.1, nonsense", "10.0.0.1"),
        ("fd00::1", "2001:db8::5", "2001:db8::5"),
        ("", "203.0.113.1", ""),
    ],
)
def test_the_client_address_is_the_last_one_that_is_not_our_proxy(
    settings, remote: str, forwarded: str, who: str
) -> None:
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]
    assert client_address(remote, forwarded) == who
