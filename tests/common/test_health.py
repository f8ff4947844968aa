"""The health check, the warning that no worker runs, and the visitor's address behind proxies."""

from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from engine.version import VERSION
from tests.builders import an_event
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.common import clock, jobs
from tournaments.common.models import Job
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


def test_health_is_503_without_the_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(now: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(jobs, "overdue", down)
    assert client.get("/healthz").status_code == 503


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
