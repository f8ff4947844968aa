"""Checks that organizers request: one job at a time, the states of a check, and its findings."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from tests.api.scenes import token_client
from tests.archive.test_nightly import tamper
from tests.builders import NOW, a_running_event, a_stage_played
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.archive import services
from tournaments.archive.management.commands import verify as command
from tournaments.archive.models import Check
from tournaments.archive.selectors import CHECK, state_of_check
from tournaments.archive.services import ask_for_check
from tournaments.common import clock, heads, jobs
from tournaments.common.models import Job
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.web.rate_limits import CHECKS

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    event = a_running_event(cast)
    a_stage_played(event, cast.organizer, 1)
    jobs.run_due(NOW)
    return event


def waiting() -> int:
    return Job.objects.filter(kind=CHECK).count()


def press(event: Event, user: object) -> str:
    """Press the button as `user`; return the text of the page that follows, or the status if it is refused."""
    answer = signed_in(user).post(address("check_now", event.public_id), follow=True)
    return text(answer) if answer.status_code == 200 else str(answer.status_code)


def test_the_button_starts_one_check_and_the_page_shows_its_progress(cast: Cast, event: Event) -> None:
    page = address("checks", event.public_id)
    assert "Verify now" in text(signed_in(cast.organizer).get(page))
    assert "The check is waiting to start." in press(event, cast.organizer)
    assert "Verify now" not in press(event, cast.organizer)
    assert waiting() == 1
    jobs.run_due(clock.now())
    shown = text(signed_in(cast.organizer).get(page))
    assert "No problems were found in what was checked." in shown and "Verify now" in shown
    assert state_of_check(event).state == "done"


def test_the_page_polls_only_while_a_check_is_waiting_or_running(cast: Cast, event: Event) -> None:
    page, organizer = address("checks", event.public_id), signed_in(cast.organizer)
    ask_for_check(event=event, now=clock.now())
    part = organizer.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "every 2s" in part and "<html" not in part
    assert "every 2s" not in Client().get(page).content.decode()
    jobs.run_due(clock.now())
    assert "every 2s" not in organizer.get(page, headers={"HX-Request": "true"}).content.decode()


def test_only_organizers_can_start_a_check(cast: Cast, event: Event) -> None:
    page = address("checks", event.public_id)
    for user in (cast.scorekeeper, cast.judge, cast.player, cast.stranger):
        assert "Verify now" not in text(signed_in(user).get(page))
    assert "Verify now" not in text(Client().get(page))
    assert press(event, cast.judge) == "403" and press(event, cast.stranger) == "404"
    assert waiting() == 0


def test_checks_beyond_the_hourly_limit_are_refused(cast: Cast, event: Event) -> None:
    cache.clear()
    for _time in range(CHECKS.limit):
        press(event, cast.organizer)
    assert press(event, cast.organizer) == "429"


def test_no_second_check_is_started_while_one_is_running(
    cast: Cast, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []

    def looking(*_given: object, **_options: object) -> None:
        found.append(state_of_check(event).state)
        ask_for_check(event=event, now=clock.now())
        raise Refusal("event_moves", "It moves.")

    monkeypatch.setattr(services, "verify_event", looking)
    ask_for_check(event=event, now=clock.now())
    jobs.run_due(clock.now())
    assert found == ["running"] and waiting() == 1


def test_a_failed_check_is_shown_to_staff_until_another_one_succeeds(
    cast: Cast, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moving(*_given: object, **_options: object) -> None:
        raise Refusal("event_moves", "It moves.")

    with monkeypatch.context() as patched:
        patched.setattr(services, "verify_event", moving)
        ask_for_check(event=event, now=clock.now())
        jobs.run_due(clock.now())
    page = address("checks", event.public_id)
    assert "The event kept changing" in text(signed_in(cast.organizer).get(page))
    assert "The event kept changing" not in text(Client().get(page))
    services.run_check(event_id=event.pk, now=clock.now() + timedelta(seconds=1))
    assert state_of_check(event).state == "done"


def test_the_message_of_a_crash_is_not_shown(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object, **_options: object) -> None:
        raise ValueError("of a row")

    monkeypatch.setattr(services, "verify_event", broken)
    monkeypatch.setattr(jobs, "ATTEMPTS", 1)
    ask_for_check(event=event, now=clock.now())
    jobs.run_due(clock.now())
    assert (state_of_check(event).state, state_of_check(event).error) == ("failed", "failed")


def test_the_api_returns_the_check_and_shows_faults_only_to_staff(cast: Cast, event: Event) -> None:
    where = f"/api/v1/events/{event.public_id}/checks/"
    organizer = token_client(cast.organizer, "organize", "read")
    assert organizer.get(where).json() == {
        "event": event.public_id,
        "state": "none",
        "progress": 0,
        "error": "",
        "last": None,
    }
    tamper()
    assert organizer.post(where).json()["state"] == "asked"
    jobs.run_due(clock.now())
    shown = organizer.get(where).json()
    assert shown["state"] == "done" and shown["last"]["faulty"] == 2
    assert {fault["code"] for fault in shown["last"]["faults"]} == {"points_differ"}
    assert token_client(cast.player, "read").get(where).json()["last"]["faults"] is None
    assert Check.objects.get().faulty == 2


def test_the_verify_command_accepts_the_signed_head_from_the_api(event: Event) -> None:
    head = Client().get(f"/api/v1/events/{event.public_id}/head/").json()
    assert heads.read_head(head) == heads.head_of(event.public_id)
    assert heads.is_signed(command.read_head(head)) and head["key"] in heads.public_keys()
