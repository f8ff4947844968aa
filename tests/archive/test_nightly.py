"""The nightly check of running and recently finished events; a new fault is logged once and shown to the staff."""

import logging
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from tests.builders import NOW, a_running_event, a_stage_played, an_open_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.archive import checked, nightly
from tournaments.archive.models import Check
from tournaments.archive.nightly import FRESH, LATELY, check_events
from tournaments.common import clock, heads, jobs
from tournaments.common.models import Job
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.play import services as play

pytestmark = pytest.mark.django_db
NIGHT = NOW + timedelta(days=1)


@pytest.fixture
def event(cast: Cast) -> Event:
    event = a_running_event(cast)
    a_stage_played(event, cast.organizer, 1)
    jobs.run_due(NOW)
    return event


def tamper() -> None:
    with connection.cursor() as cursor:
        cursor.execute("update play_seat set points = 1 where points = 0")


def test_the_nightly_check_is_enqueued_once_a_day(event: Event) -> None:
    jobs.ask_daily(NIGHT)
    assert Job.objects.filter(kind="archive.check", key="").count() == 1
    jobs.run_due(NIGHT)
    check = Check.objects.get(event=event)
    assert (check.at, check.faulty) == (NIGHT, 0) and check.entry == heads.head_of(event.public_id).number


def test_running_and_recently_finished_events_are_checked(cast: Cast, event: Event) -> None:
    an_open_event(cast, name="Later")
    assert check_events(now=NIGHT) == 1
    play.finish_event(event=event, by=cast.organizer, now=NIGHT)
    assert check_events(now=NIGHT + LATELY - timedelta(minutes=1)) == 1
    assert check_events(now=NIGHT + LATELY + FRESH) == 0


def test_a_restarted_job_skips_events_that_were_just_checked(event: Event) -> None:
    assert check_events(now=NIGHT) == 1
    assert check_events(now=NIGHT + timedelta(hours=1)) == 0
    assert check_events(now=NIGHT + FRESH) == 1


def test_an_event_with_new_entries_since_its_last_check_is_checked_again(cast: Cast, event: Event) -> None:
    """A check that an organizer requests at noon must not make the nightly check skip the afternoon."""
    assert check_events(now=NIGHT - timedelta(hours=3)) == 1
    play.finish_event(event=event, by=cast.organizer, now=NIGHT - timedelta(hours=2))
    assert check_events(now=NIGHT) == 1


def test_a_fault_is_logged_only_once_and_without_names(event: Event, caplog: pytest.LogCaptureFixture) -> None:
    tamper()
    with caplog.at_level(logging.WARNING):
        check_events(now=NIGHT)
        check_events(now=NIGHT + timedelta(days=1))
    (record,) = [each for each in caplog.records if each.name == checked.__name__]
    assert record.levelno == logging.ERROR
    assert record.getMessage().startswith(f"event {event.public_id} does not hold up to entry ")
    assert record.getMessage().endswith(": points_differ")
    assert Check.objects.get().faulty == 2


def test_an_event_that_keeps_changing_is_skipped(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def moving(*_given: object, **_options: object) -> None:
        raise Refusal("event_moves", "It moves.")

    monkeypatch.setattr(nightly, "verify_event", moving)
    assert check_events(now=NIGHT) == 0 and not Check.objects.exists()


def test_the_progress_covers_all_events_together(cast: Cast, event: Event) -> None:
    a_running_event(cast, named="Guest", name="Another")
    told: list[int] = []
    assert check_events(now=NIGHT, progress=told.append) == 2
    assert told == sorted(told) and 50 in told and max(told) <= 100


def test_the_public_page_shows_what_was_checked_and_only_staff_see_the_faults(cast: Cast, event: Event) -> None:
    page = address("checks", event.public_id)
    assert "has not been checked yet" in text(Client().get(page))
    check_events(now=clock.now())
    public = text(Client().get(page))
    assert "No problems were found in what was checked." in public and "Up to ledger entry" in public
    assert "the games were not replayed" in public or "Move logs" not in public
    tamper()
    Check.objects.all().delete()
    check_events(now=clock.now())
    public, staff = text(Client().get(page)), text(signed_in(cast.judge).get(page))
    assert "2 problems were found" in public and "points_differ" not in public
    assert "points_differ" in staff
    assert "points_differ" not in text(signed_in(cast.player).get(page))
    assert "points_differ" not in text(signed_in(cast.stranger).get(page))


def test_the_staff_page_of_the_event_shows_that_faults_were_found(cast: Cast, event: Event) -> None:
    desk = address("staff", event.public_id)
    check_events(now=clock.now())
    assert "A check of this event found problems" not in text(signed_in(cast.organizer).get(desk))
    tamper()
    Check.objects.all().delete()
    check_events(now=clock.now())
    assert "A check of this event found problems" in text(signed_in(cast.organizer).get(desk))


def test_the_page_shows_the_signed_head_and_the_site_publishes_its_keys(event: Event) -> None:
    head = heads.head_of(event.public_id)
    assert head.signature in text(Client().get(address("checks", event.public_id)))
    assert Client().get("/verify/keys/").json() == {"keys": [head.key]}
