"""Retention: data is deleted when its time is over, and nothing else is."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import transaction

from tests.archive.files import file_of, verified
from tests.builders import NOW, a_published_round, a_running_event, match_of, play_out
from tests.cast import Cast
from tournaments.accounts.models import Person, SignInLink
from tournaments.accounts.services import make_sign_in_link
from tournaments.archive.retention import forget_old
from tournaments.common import jobs, ledger
from tournaments.common.models import Job, LedgerNote
from tournaments.events.models import Event
from tournaments.play import services as play

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=400)


@pytest.fixture
def event(cast: Cast) -> Event:
    """A finished event with a late entrant who has no account, and a note in the ledger."""
    event = a_running_event(cast, players=2, rounds=2)
    first = a_published_round(event, cast.organizer)
    play.enter_result(match=match_of(first, cast.player), by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.enter_result(
        match=match_of(first, cast.player), by=cast.organizer, games=[0, 2, 0], reason="Player 1 misread", now=NOW
    )
    play.close_round(round_=first, by=cast.organizer, now=NOW)
    play.enter_late(event=event, given_name="Player 9", family_name="", by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    return event


def test_persons_without_an_account_and_notes_are_erased_after_the_configured_days(event: Event, settings) -> None:
    settings.KEEP_NAMES_DAYS = 365
    assert (forget_old(now=NOW + timedelta(days=364)).persons, LedgerNote.objects.count()) == (0, 1)
    done = forget_old(now=LATER)
    assert (done.persons, done.notes) == (1, 1)
    assert not Person.objects.filter(given_name="Player 9").exists()
    assert Person.objects.filter(given_name="Player 1").exists(), "who has an account erases it oneself"
    assert not list(ledger.faults(event.public_id)) and verified(file_of(event)).holds
    assert forget_old(now=LATER).persons == 0


def test_names_are_kept_by_default(event: Event) -> None:
    assert (forget_old(now=LATER).persons, LedgerNote.objects.count()) == (0, 1)


def test_persons_in_an_event_that_is_not_over_are_kept(event: Event, cast: Cast, settings) -> None:
    settings.KEEP_NAMES_DAYS = 1
    Event.objects.update(status=Event.Status.RUNNING)
    assert forget_old(now=LATER).persons == 0


def test_expired_sessions_links_and_old_failed_jobs_are_deleted(cast: Cast) -> None:
    for days in (-1, 1):
        Session.objects.create(session_key=f"key{days}", session_data="", expire_date=LATER + timedelta(days=days))
    make_sign_in_link(user=cast.player, now=NOW)
    make_sign_in_link(user=cast.player, now=LATER)
    with transaction.atomic():
        job = jobs.enqueue("standings.compute", "0", now=NOW)
    Job.objects.filter(pk=job.pk).update(status=Job.Status.FAILED, finished_at=NOW)
    done = forget_old(now=LATER)
    assert (done.sessions, done.links, done.failed_jobs) == (1, 1, 1)
    assert (Session.objects.count(), SignInLink.objects.count()) == (1, 1)


def test_the_command_prints_how_many_of_each_were_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("forget_old")
    assert "sessions: 0\nlinks: 0\n" in capsys.readouterr().out


def test_retention_is_enqueued_once_a_day_however_often_workers_sweep() -> None:
    for hours in (0, 1, 23):
        jobs.ask_daily(NOW + timedelta(hours=hours))
        jobs.run_due(NOW + timedelta(hours=hours))
    asked = Job.objects.filter(kind="archive.retention")
    assert asked.count() == 1
    jobs.ask_daily(NOW + timedelta(hours=25))
    assert asked.count() == 2
