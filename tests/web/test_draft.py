"""The draft clock on pages: at the desk, on the pods' page, on a player's page and on the big screens."""

import pytest
from django.test import Client

from tests.builders import NOW, a_draft_event, an_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.events.models import Event, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_draft_event(cast)


def press(cast: Cast, event: Event, action: str, **fields: object) -> int:
    """Press a button of the draft clock at the desk and return the status."""
    where = address("staff_draft_clock", event.public_id, 1, action)
    return signed_in(cast.scorekeeper).post(where, fields).status_code


def test_the_desk_runs_the_draft_clock_and_all_pages_follow_it(cast: Cast, event: Event) -> None:
    desk = address("staff_draft", event.public_id, 1)
    page = text(signed_in(cast.scorekeeper).get(desk))
    assert "Start the draft" in page and "not started" in page and "Pod 1" in page
    assert "Continue at the desk" in page and address("staff_pools", event.public_id) not in page
    assert desk in text(signed_in(cast.scorekeeper).get(address("staff", event.public_id)))
    assert press(cast, event, "start") == 302
    shown = "Booster 1, pick 1: pass to the left"
    for place in (desk, address("stage", event.public_id, 1)):
        assert shown in text(signed_in(cast.scorekeeper).get(place))
    me = text(signed_in(cast.player).get(address("me", event.public_id)))
    assert shown in me and "Pod 1, seat" in me and "data-steps" in me
    assert shown in text(Client().get(address("screen", event.public_id, "clock")))
    seats = text(Client().get(address("screen", event.public_id, "pairings")))
    assert shown in seats and "Player 3" in seats and "Pod" in seats
    assert press(cast, event, "pause") == press(cast, event, "resume") == press(cast, event, "move", step=5) == 302
    assert "Booster 2, pick 1: pass to the right" in text(Client().get(address("stage", event.public_id, 1)))
    assert press(cast, event, "undo") == 302
    assert "Start the draft" in text(signed_in(cast.scorekeeper).get(desk))


def test_the_draft_page_links_to_the_pools(cast: Cast) -> None:
    event = an_event(cast, preset="altered-draft")
    Event.objects.update(status="running")
    Stage.objects.update(started_at=NOW)
    page = text(signed_in(cast.scorekeeper).get(address("staff_draft", event.public_id, 1)))
    assert address("staff_pools", event.public_id) in page


def test_only_the_desk_can_run_the_draft_clock(cast: Cast, event: Event) -> None:
    where = address("staff_draft_clock", event.public_id, 1, "start")
    assert signed_in(cast.stranger).post(where).status_code == 404
    assert signed_in(cast.judge).post(where).status_code == 403
    assert signed_in(cast.stranger).get(address("staff_draft", event.public_id, 1)).status_code == 404
    assert press(cast, event, "nothing") == 404
    assert press(cast, event, "move", step="x") == 422
