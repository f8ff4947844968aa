"""Changing an event's details after its creation: the effect, who is notified, and when it is refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from tests.builders import NOW, a_running_event, an_entrant, an_event, an_open_event
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.services import cancel_event, open_registration
from tournaments.notices.services import choose_notices
from tournaments.play.services.details import Changed, change_details

pytestmark = pytest.mark.django_db


def change(event: Event, cast: Cast, **given: Any) -> Changed:
    return change_details(event=event, by=cast.organizer, now=NOW, **given)


def waiting_for(cast: Cast, *, places: int, players: int) -> Event:
    """An open event with `places` places, for which `players` players have registered."""
    event = an_open_event(cast, capacity=places)
    for number in range(players):
        an_entrant(event, account(f"Guest {number}"), deck=None)
    return event


def states(event: Event) -> list[str]:
    return list(event.entrants.order_by("registered_at", "pk").values_list("status", flat=True))


def test_raising_the_capacity_lets_in_those_who_have_waited_longest(cast: Cast) -> None:
    event = waiting_for(cast, places=1, players=4)
    changed = change(event, cast, capacity=3)
    assert (changed.moved_up, changed.too_many) == (2, 0)
    assert states(event) == ["registered"] * 3 + ["waiting"]
    assert change(event, cast, capacity=None).moved_up == 1
    assert LedgerEntry.objects.filter(chain=event.public_id, code="entrant.moved_up").count() == 3


def test_lowering_the_capacity_removes_nobody_and_lets_nobody_in(cast: Cast) -> None:
    event = waiting_for(cast, places=3, players=4)
    changed = change(event, cast, capacity=1)
    assert (changed.moved_up, changed.too_many) == (0, 2)
    assert change(event, cast, capacity=2).moved_up == 0
    assert states(event) == ["registered"] * 3 + ["waiting"]


def test_waiting_players_come_in_after_the_lock_but_not_once_the_event_is_running(cast: Cast) -> None:
    event = waiting_for(cast, places=1, players=2)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    assert change(event, cast, capacity=2).moved_up == 1
    running = a_running_event(cast, players=2, capacity=8)
    Entrant.objects.create(event=running, registered_at=NOW, status=Entrant.Status.WAITING)
    assert change(running, cast, capacity=9).moved_up == 0


def test_details_left_out_stay_and_repeating_a_change_does_nothing(cast: Cast) -> None:
    event = an_open_event(cast, capacity=8)
    changed = change(event, cast, name="  Autumn   Open ").event
    assert (changed.name, changed.capacity, changed.place) == ("Autumn Open", 8, "")
    change(event, cast, name="Autumn Open")
    (entry,) = LedgerEntry.objects.filter(chain=event.public_id, code="event.details_changed")
    assert entry.after == {"changed": ["name"]} and entry.note.text == "Autumn Open"


def test_free_text_stays_out_of_the_ledger(cast: Cast) -> None:
    event = an_open_event(cast)
    change(event, cast, name="Cup of Player 12", place="Player 12's house", capacity=4)
    entry = LedgerEntry.objects.get(chain=event.public_id, code="event.details_changed")
    assert entry.before == {"capacity": None}
    assert entry.after == {"capacity": 4, "changed": ["capacity", "name", "place"]}


@pytest.mark.parametrize(
    ("given", "code"),
    [({"name": "  "}, "name_missing"), ({"capacity": 0}, "out_of_bounds"), ({"time_zone": "x"}, "time_zone_unknown")],
)
def test_invalid_details_are_refused(cast: Cast, given: dict[str, Any], code: str) -> None:
    with assert_refused(code):
        change(an_event(cast), cast, **given)


def test_details_cannot_change_once_the_event_is_over(cast: Cast) -> None:
    event = an_open_event(cast)
    cancel_event(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_state"):
        change(event, cast, name="Another")


def test_the_page_shows_the_waiting_list_and_the_effect_of_a_change(cast: Cast) -> None:
    event, client = waiting_for(cast, places=1, players=3), signed_in(cast.organizer)
    page = address("staff_details", event.public_id)
    assert "2 wait for a place." in text(client.get(page))
    form = {"name": event.name, "place": "", "time_zone": "", "starts_at": ""}
    assert "1 entrant from the waiting list now has a place." in text(
        client.post(page, {**form, "capacity": "2"}, follow=True)
    )
    assert "Nobody is removed." in text(client.post(page, {**form, "capacity": "1"}, follow=True))
    assert client.post(page, {**form, "name": ""}).status_code == 422


def letters() -> list[tuple[str, str]]:
    mail.outbox.clear()
    jobs.run_due(NOW)
    return [(letter.to[0], letter.body) for letter in mail.outbox]


def entered(cast: Cast) -> Event:
    event = an_open_event(cast)
    an_entrant(event, cast.player, deck=None)
    an_entrant(event, cast.opponent, deck=None)
    User.objects.update(email_confirmed_at=NOW)
    letters()
    return event


def test_entrants_get_one_e_mail_about_a_new_place_or_time(cast: Cast) -> None:
    event = entered(cast)
    change(event, cast, place="Station")
    change(event, cast, place="Town hall", time_zone="Europe/Paris", starts_at=NOW + timedelta(days=9))
    told = letters()
    assert [to for to, _body in told] == [cast.player.email, cast.opponent.email]
    assert "You play here: Town hall" in told[0][1] and "(Europe/Paris)" in told[0][1]


def test_a_new_name_or_capacity_sends_no_e_mail(cast: Cast) -> None:
    event = entered(cast)
    change(event, cast, name="Autumn Open", capacity=8)
    assert letters() == []


def test_no_e_mail_is_sent_to_those_who_turned_it_off(cast: Cast) -> None:
    event = entered(cast)
    choose_notices(user=cast.player, kinds=["pairing"])
    change(event, cast, place="Town hall")
    assert [to for to, _body in letters()] == [cast.opponent.email]


@pytest.mark.parametrize(("moved", "due"), [(timedelta(days=20), 19), (timedelta(days=5), 4)])
def test_the_decklist_reminder_follows_the_new_day_of_the_event(cast: Cast, moved: timedelta, due: int) -> None:
    event = an_event(cast, starts_at=NOW + timedelta(days=10))
    open_registration(event=event, by=cast.organizer, now=NOW)
    an_entrant(event, cast.player, deck=None)
    User.objects.update(email_confirmed_at=NOW)
    change(event, cast, starts_at=NOW + moved)
    found = []
    for day in range(1, 21):
        mail.outbox.clear()
        jobs.run_due(NOW + timedelta(days=day))
        found += [day for letter in mail.outbox if "Decklist missing" in letter.subject]
    assert found == [due]
