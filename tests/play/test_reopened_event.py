"""Reopening a finished event (service, page and API), and confirming a start without check-in."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, match_of, play_out
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of a finished event with one round."""
    event = a_running_event(cast, players=2, rounds=1)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    return match_of(round_, cast.player)


@pytest.fixture
def event(match: Match) -> Event:
    return Event.objects.get()


@pytest.fixture
def second_organizer(event: Event, cast: Cast) -> User:
    """An organizer who does not own the event."""
    user = account("Second Organizer")
    grant_role(event=event, email=user.email, role="organizer", by=cast.organizer, now=NOW)
    return user


def status(event: Event) -> str:
    return Event.objects.get(pk=event.pk).status


def test_reopening_sets_a_finished_event_running_with_the_reason_in_the_ledger(
    event: Event, match: Match, cast: Cast
) -> None:
    play.reopen_event(event=event, by=cast.organizer, now=NOW, reason=" Table 1 was misread. ")
    entry = LedgerEntry.objects.get(code="event.reopened")
    assert (status(event), entry.note.text, entry.before) == ("running", "Table 1 was misread.", {"status": "finished"})
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), reason="Misread.", now=NOW)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert status(event) == "finished" and match.seats.get(number=2).games_won == 2


def test_a_round_of_a_finished_event_cannot_be_closed(event: Event, match: Match, cast: Cast) -> None:
    match.round.status = "published"
    match.round.save()
    with assert_refused("event_state"):
        play.close_round(round_=match.round, by=cast.organizer, now=NOW)


@pytest.mark.parametrize("state", ["running", "archived", "cancelled", "check_in"])
def test_only_a_finished_event_can_be_reopened(event: Event, cast: Cast, state: str) -> None:
    Event.objects.update(status=state)
    with assert_refused("event_state"):
        play.reopen_event(event=event, by=cast.organizer, now=NOW, reason="Why not.")
    assert status(event) == state


def test_reopening_needs_a_reason(event: Event, cast: Cast) -> None:
    with assert_refused("reason_missing"):
        play.reopen_event(event=event, by=cast.organizer, now=NOW, reason="  ")
    assert status(event) == "finished"


def test_only_the_owner_sees_the_reopen_step_and_can_use_it(event: Event, cast: Cast, second_organizer: User) -> None:
    desk, step = address("staff", event.public_id), address("staff_step", event.public_id, "reopen")
    for user, answered in ((cast.stranger, 404), (cast.player, 404), (cast.scorekeeper, 403), (second_organizer, 403)):
        client = signed_in(user)
        assert client.post(step, {"reason": "So."}).status_code == answered
        assert step not in text(client.get(desk))
    owner = signed_in(cast.organizer)
    assert step in text(owner.get(desk))
    assert owner.post(step, {"reason": ""}).status_code == 422
    assert status(event) == "finished"
    assert owner.post(step, {"reason": "So."}).url == desk
    assert status(event) == "running"
    assert step not in text(owner.get(desk)), "a running event is not reopened"


def test_only_the_owner_can_reopen_an_event_through_the_api(event: Event, cast: Cast, second_organizer: User) -> None:
    def asks(user: User, **said: Any) -> tuple[int, str]:
        client = APIClient()
        client.force_authenticate(user)
        answer = client.post(f"/api/v1/events/{event.public_id}/steps/", {"step": "reopen", **said}, format="json")
        return answer.status_code, answer.json().get("code", answer.json().get("status"))

    assert asks(second_organizer, reason="So.") == (403, "role_too_low")
    assert asks(cast.stranger, reason="So.") == (404, "not_found")
    assert asks(cast.organizer) == (422, "reason_missing")
    assert asks(cast.organizer, reason="So.") == (200, "running")
    assert asks(cast.organizer, reason="So.") == (409, "event_state")


# ------------------------------------------------------------------------------------- a start without check-in


@pytest.fixture
def locked(cast: Cast) -> Event:
    event = an_open_event(cast)
    for number, user in enumerate((cast.player, cast.opponent, account("Third")), 1):
        an_entrant(event, user, deck=number)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    return event


def test_starting_without_check_in_needs_confirmation_and_shows_how_many_are_not_checked_in(
    locked: Event, cast: Cast
) -> None:
    client, page = signed_in(cast.organizer), address("staff_start", locked.public_id)
    assert f'href="{page}"' in text(client.get(address("staff", locked.public_id)))
    asked = text(client.get(page))
    assert "3 players have not checked in." in asked and "All 3 registered players will be paired in round 1" in asked
    step = address("staff_step", locked.public_id, "start")
    refused = client.post(step)
    assert (refused.status_code, "check_in_not_held" in text(refused)) == (409, True)
    assert status(locked) == "locked"
    assert client.post(step, {"without_check_in": "1"}).status_code == 302
    assert status(locked) == "running"
    assert client.get(page).url == address("staff", locked.public_id)


def test_the_confirmation_page_is_only_for_those_who_manage_the_event(locked: Event, cast: Cast) -> None:
    page = address("staff_start", locked.public_id)
    for user, answered in ((cast.stranger, 404), (cast.scorekeeper, 403), (cast.judge, 403)):
        assert signed_in(user).get(page).status_code == answered


def test_the_api_starts_without_check_in_only_on_request(locked: Event, cast: Cast) -> None:
    client = APIClient()
    client.force_authenticate(cast.organizer)
    steps = f"/api/v1/events/{locked.public_id}/steps/"
    answer = client.post(steps, {"step": "start"}, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["details"]) == (409, "check_in_not_held", [3])
    assert client.post(steps, {"step": "start", "without_check_in": True}, format="json").status_code == 200
    assert status(locked) == "running"
