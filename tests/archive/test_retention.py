"""What is over for long enough is forgotten, and no more than that."""

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
    """An event that is over, with somebody who came late and has no account, and a note."""
    event = a_running_event(cast, players=2, rounds=2)
    first = a_published_round(event, cast.organizer)
    play.override_result(match=match_of(first, cast.player), by=cast.organizer, games=[2, 0, 0], now=NOW)
    play.override_result(
        match=match_of(first, cast.player), by=cast.organizer, games=[0, 2, 0], reason="Player 1 misread", now=NOW
    )
    play.close_round(round_=first, by=cast.organizer, now=NOW)
    play.enter_late(event=event, given_name="Player 9", family_name="", by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    return event


def test_names_without_an_account_and_notes_go_after_the_days_that_are_set(event: Event, settings) -> None:
    settings.KEEP_NAMES_DAYS = 365
    assert (forget_old(now=NOW + timedelta(days=364)).persons, LedgerNote.objects.count()) == (0, 1)
    done = forget_old(now=LATER)
    assert (done.persons, done.notes) == (1, 1)
    assert not Person.objects.filter(given_name="Player 9").exists()
    assert Person.objects.filter(given_name="Player 1").exists(), "who has an account erases it oneself"
    assert not list(ledger.faults(event.public_id)) and verified(file_of(event)).holds
    assert forget_old(now=LATER).persons == 0


def test_by_default_names_are_kept(event: Event) -> None:
    assert (forget_old(now=LATER).persons, LedgerNote.objects.count()) == (0, 1)


def test_who_plays_elsewhere_still_is_kept(event: Event, cast: Cast, settings) -> None:
    settings.KEEP_NAMES_DAYS = 1
    Event.objects.update(status=Event.Status.RUNNING)
    assert forget_old(now=LATER).persons == 0


def test_sessions_links_and_failed_jobs_that_are_over_go(cast: Cast) -> None:
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


def test_the_command_says_what_was_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("forget_old")
    assert "sessions: 0\nlinks: 0\n" in capsys.readouterr().out


def test_it_is_asked_for_once_a_day_however_often_workers_sweep() -> None:
    for hours in (0, 1, 23):
        jobs.ask_daily(NOW + timedelta(hours=hours))
        jobs.run_due(NOW + timedelta(hours=hours))
    asked = Job.objects.filter(kind="archive.retention")
    assert asked.count() == 1
    jobs.ask_daily(NOW + timedelta(hours=25))
    assert asked.count() == 2
