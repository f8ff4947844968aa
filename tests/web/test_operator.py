"""The operator's page: for accounts made by `manage.py createsuperuser`, with what has failed."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from psycopg.errors import LockNotAvailable

from tests.builders import an_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.archive.models import Check
from tournaments.common import clock, jobs, kept_backups
from tournaments.common.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a long enough pass phrase")
    call_command("createsuperuser", email="operator@example.org", interactive=False, verbosity=0)
    return signed_in(User.objects.get(email="operator@example.org"))


def test_only_an_operator_sees_the_page_and_the_way_to_it(cast: Cast, operator: Client) -> None:
    assert signed_in(cast.organizer).get(address("operator")).status_code == 404
    assert address("operator") not in text(signed_in(cast.organizer).get(address("account")))
    assert address("operator") in text(operator.get(address("account")))
    answer = operator.get(address("operator"))
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


def test_a_site_without_backups_says_so(operator: Client, settings: Any) -> None:
    settings.BACKUP_DIR = ""
    assert "BACKUP_DIR is not set" in text(operator.get(address("operator")))


@pytest.mark.parametrize(("hours", "late"), [(3, False), (26, True)])
def test_the_age_of_the_newest_backup_is_shown(
    operator: Client, settings: Any, tmp_path: Path, hours: int, late: bool
) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    assert "None has been made yet" in text(operator.get(address("operator")))
    (tmp_path / kept_backups.LAST_GOOD).write_text((clock.now() - timedelta(hours=hours)).isoformat())
    shown = text(operator.get(address("operator")))
    assert f"{hours} hours ago" in shown
    assert (">Late<" in shown) == late


def test_failed_jobs_and_checks_are_listed(cast: Cast, operator: Client) -> None:
    moment = clock.now()
    failed = Job.objects.create(
        kind="mail.send",
        key="7",
        status=Job.Status.FAILED,
        error="SMTPServerDisconnected",
        run_after=moment,
        created_at=moment,
        finished_at=moment,
    )
    event = an_event(cast)
    Check.objects.create(event=event, at=moment, entry=1, faulty=2, report={})
    shown = text(operator.get(address("operator")))
    assert f"{failed.pk} mail.send 7" in shown
    assert "SMTPServerDisconnected" in shown
    assert address("checks", event.public_id) in shown


def test_a_database_that_is_too_busy_is_said_to_be_so(operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(now: object) -> None:
        raise OperationalError("locked") from LockNotAvailable()

    monkeypatch.setattr(jobs, "overdue", locked)
    shown = text(operator.get(address("operator")))
    assert "too busy to say" in shown
    assert ">Gone<" not in shown
