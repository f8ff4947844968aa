"""Places that are not paid in time go to the waiting list, if anybody waits."""

from datetime import datetime, timedelta

import pytest

from tests.builders import NOW, an_entrant, an_event
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.services import change_procedures, open_registration, settle_entry
from tournaments.play import services as play
from tournaments.play.services.unpaid import pay_by

pytestmark = pytest.mark.django_db
DAY = timedelta(hours=24)


@pytest.fixture
def event(cast: Cast) -> Event:
    """An event with one place, of which the fee is to be paid within a day."""
    event = an_event(cast, capacity=1)
    entry = {"entry": {"kind": "paid", "cents": 1200, "hours": 24}}
    change_procedures(event=event, procedures=entry, by=cast.organizer, now=NOW)
    open_registration(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def states(*entrants: Entrant) -> list[str]:
    return [Entrant.objects.get(pk=entrant.pk).status for entrant in entrants]


def both(event: Event, cast: Cast, now: datetime) -> tuple[Entrant, Entrant]:
    """An entrant with the place and one who waits, after the jobs that are due by then."""
    one, two = (an_entrant(event, user, deck=None) for user in (cast.player, cast.opponent))
    jobs.run_due(NOW)
    jobs.run_due(now)
    return one, two


def test_an_overdue_place_goes_to_the_first_who_waits(event: Event, cast: Cast) -> None:
    one, two = both(event, cast, NOW + DAY)
    assert states(one, two) == ["waiting", "registered"]
    codes = LedgerEntry.objects.filter(chain=event.public_id).order_by("number").values_list("code", "actor")
    assert list(codes)[-2:] == [("entrant.place_lost", "system"), ("entrant.moved_up", "system")]


def test_a_place_stays_until_the_time_is_over(event: Event, cast: Cast) -> None:
    one, two = both(event, cast, NOW + DAY - timedelta(minutes=1))
    assert states(one, two) == ["registered", "waiting"]
    assert pay_by(one) == NOW + DAY


def test_whoever_gets_the_place_has_as_long_to_pay(event: Event, cast: Cast) -> None:
    one, two = both(event, cast, NOW + DAY)
    two.refresh_from_db()
    assert pay_by(two) == NOW + 2 * DAY
    jobs.run_due(NOW + 2 * DAY - timedelta(minutes=1))
    assert states(one, two) == ["waiting", "registered"]
    jobs.run_due(NOW + 2 * DAY)
    assert states(one, two) == ["registered", "waiting"]


def test_nobody_loses_a_place_that_nobody_waits_for(event: Event, cast: Cast) -> None:
    one = an_entrant(event, cast.player, deck=None)
    jobs.run_due(NOW + 9 * DAY)
    assert states(one) == ["registered"]
    two = an_entrant(event, cast.opponent, deck=None)
    jobs.run_due(NOW + 9 * DAY)
    assert states(one, two) == ["waiting", "registered"]


@pytest.mark.parametrize("how", ["paid", "voucher"])
def test_a_settled_entry_keeps_its_place(event: Event, cast: Cast, how: str) -> None:
    one = an_entrant(event, cast.player, deck=None)
    settle_entry(entrant=one, how=how, by=cast.scorekeeper, now=NOW)
    two = an_entrant(event, cast.opponent, deck=None)
    jobs.run_due(NOW + 2 * DAY)
    assert states(one, two) == ["registered", "waiting"]


def test_whoever_is_checked_in_keeps_the_place(event: Event, cast: Cast) -> None:
    one, two = both(event, cast, NOW)
    Entrant.objects.filter(pk=one.pk).update(checked_in_at=NOW)
    jobs.run_due(NOW + 2 * DAY)
    assert states(one, two) == ["registered", "waiting"]


def test_a_running_event_takes_no_place_away(event: Event, cast: Cast) -> None:
    one, two = both(event, cast, NOW)
    Event.objects.update(status="running")
    jobs.run_due(NOW + 2 * DAY)
    assert states(one, two) == ["registered", "waiting"]


def test_hours_that_are_set_later_count_from_when_the_place_was_given(event: Event, cast: Cast) -> None:
    change_procedures(event=event, procedures={"entry": {"hours": 0}}, by=cast.organizer, now=NOW)
    one, two = both(event, cast, NOW + 2 * DAY)
    assert states(one, two) == ["registered", "waiting"]
    later, entry = NOW + 2 * DAY, {"entry": {"hours": 24}}
    change_procedures(event=event, procedures=entry, by=cast.organizer, now=later)
    jobs.run_due(later)
    assert states(one, two) == ["waiting", "registered"]


def test_the_seat_page_says_until_when_to_pay(event: Event, cast: Cast) -> None:
    an_entrant(event, cast.player, deck=None)
    page = signed_in(cast.player).get(f"/e/{event.public_id}/me/").content.decode()
    assert "Pay by" in page and "8 Mar 2026" in page


def test_a_drop_gives_the_place_to_the_next_with_time_to_pay(event: Event, cast: Cast) -> None:
    one, two = both(event, cast, NOW)
    play.drop(entrant=one, by=cast.player, now=NOW + DAY / 2)
    two.refresh_from_db()
    assert pay_by(two) == NOW + DAY * 3 / 2
