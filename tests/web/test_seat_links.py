"""Seat links: without an account they show one seat and check it in, and allow nothing else."""

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_event, an_open_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.common.logs import without_secrets
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.seats import seat_signature
from tournaments.events.services import add_entrant, open_check_in

pytestmark = pytest.mark.django_db


def seat(entrant: Entrant, name: str = "seat") -> str:
    return address(name, entrant.public_id, seat_signature(entrant))


@pytest.fixture
def checking_in(cast: Cast) -> Event:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    add_entrant(event=event, given_name="Walk-in", family_name="", by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    open_check_in(event=event, by=cast.organizer, now=NOW)
    return event


def test_an_entrant_without_an_account_checks_in_by_their_seat_link(checking_in: Event) -> None:
    entrant = checking_in.entrants.get(member__person__account=None)
    page = Client().get(seat(entrant))
    assert (page.status_code, "Check in" in text(page)) == (200, True)
    assert (page["Cache-Control"], page["Referrer-Policy"]) == ("no-store", "strict-origin")
    for _twice in range(2):
        assert Client().post(seat(entrant, "seat_check_in")).url == seat(entrant)
    entrant.refresh_from_db()
    assert entrant.checked_in_at
    assert LedgerEntry.objects.get(code="entrant.checked_in").actor == entrant.public_id
    assert "You are checked in" in text(Client().get(seat(entrant)))


def test_a_check_in_can_be_undone_by_the_seat_link(checking_in: Event) -> None:
    entrant = checking_in.entrants.get(member__person__account=None)
    Client().post(seat(entrant, "seat_check_in"))
    assert "Undo check-in" in text(Client().get(seat(entrant)))
    Client().post(seat(entrant, "seat_check_in"), {"back": "1"})
    entrant.refresh_from_db()
    assert entrant.checked_in_at is None
    assert LedgerEntry.objects.get(code="entrant.check_in_undone").actor == entrant.public_id
    assert "Check in" in text(Client().get(seat(entrant)))


def test_a_seat_link_shows_table_and_opponent_once_published(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    entrant = event.entrants.get(member__person__account=cast.player)
    assert "Player 2" not in text(Client().get(seat(entrant)))
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    page = text(Client().get(seat(entrant)))
    assert "Player 2" in page and f'<p class="seat-number">{match.table}</p>' in page
    assert address("report", match.public_id) not in page


def test_a_seat_link_opens_only_its_own_seat(cast: Cast, checking_in: Event) -> None:
    first, second = checking_in.entrants.order_by("pk")
    for signature in (seat_signature(second), "x", "é", seat_signature(first)[:-1]):
        assert Client().get(address("seat", first.public_id, signature)).status_code == 404
        assert Client().post(address("seat_check_in", first.public_id, signature)).status_code == 404
    draft = an_event(cast)
    hidden = Entrant.objects.create(event=draft, registered_at=NOW)
    assert Client().get(seat(hidden)).status_code == 404
    assert Client().get(seat(first, "seat_check_in")).url == seat(first)


def test_only_the_desk_can_print_seat_links(cast: Cast, checking_in: Event) -> None:
    page = address("print_page", checking_in.public_id, "seat_links")
    shown = text(signed_in(cast.scorekeeper).get(page))
    assert shown.count("<svg") == 2 and "Walk-in" in shown
    for user, status in ((cast.judge, 403), (cast.player, 404), (cast.stranger, 404)):
        assert signed_in(user).get(page).status_code == status
    pdf = signed_in(cast.scorekeeper).post(address("print_pdf", checking_in.public_id, "seat_links"), follow=True)
    assert pdf.content.startswith(b"%PDF-")
    assert "seat_links" not in text(signed_in(cast.judge).get(address("printing", checking_in.public_id)))


def test_the_secret_of_a_seat_link_is_removed_from_log_messages(checking_in: Event) -> None:
    entrant = checking_in.entrants.first()
    assert entrant
    line = f"Not Found: {seat(entrant)}"
    line = without_secrets(line)
    assert seat_signature(entrant) not in line and entrant.public_id in line
