"""What the site says of itself, of its roles, and of who keeps off its screens."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, match_of, play_out
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import erase_account, own_person
from tournaments.common.models import LedgerEntry
from tournaments.events.invitations import invite
from tournaments.events.services import change_contact
from tournaments.play.selectors import history_of_account


@pytest.mark.parametrize("name", ["privacy", "terms", "contact"])
def test_a_page_says_who_runs_the_site_and_where_to_write(db, settings, name: str):
    settings.OPERATOR, settings.CONTACT = "Our Club", "desk@example.org"
    shown = text(Client().get(reverse(f"web:{name}")))
    assert "Our Club" in shown and "desk@example.org" in shown
    settings.CONTACT = ""
    assert "ask the organizer" in text(Client().get(reverse(f"web:{name}")))


def test_the_worker_of_the_seat_page_is_a_script_at_the_root_and_asks_the_database_nothing(client):
    answer = client.get("/offline-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "script-src" in answer.headers["Content-Security-Policy"]
    assert b'addEventListener("fetch"' in answer.content


def test_every_page_leads_to_privacy_terms_and_contact(client, db):
    shown = text(client.get("/"))
    assert all(f'href="/{name}/"' in shown for name in ("privacy", "terms", "contact"))


def test_the_first_visit_of_each_role_explains_itself_until_it_is_put_away(cast: Cast):
    event = a_running_event(cast, players=2)
    for user, page, guide in (
        (cast.organizer, "staff", "organizer"),
        (cast.scorekeeper, "staff", "scorekeeper"),
        (cast.judge, "staff", "judge"),
        (cast.judge, "judge", "judge"),
        (cast.player, "me", "player"),
    ):
        assert f'id="guide-{guide}"' in text(signed_in(user).get(address(page, event.public_id))), guide
    client, page = signed_in(cast.player), address("me", event.public_id)
    for _ in range(2):
        assert client.post(address("guide_read", "player"), {"next": page}).headers["Location"] == page
    assert "guide-player" not in text(client.get(page))
    client.post(address("guides_again"))
    assert "guide-player" in text(client.get(page))
    assert client.post(address("guide_read", "nobody")).status_code == 404


def test_who_keeps_off_streams_has_no_name_on_screens_and_in_tables_for_the_public(cast: Cast):
    event = a_running_event(cast, players=2, named="Other")
    round_ = a_published_round(event, cast.organizer)
    signed_in(cast.player).post("/account/stream/", {"off": "on"})
    for what in ("pairings", "standings"):
        shown = text(Client().get(address("screen", event.public_id, what)))
        assert "Player 1" not in shown
    assert "name withheld" in text(Client().get(address("screen", event.public_id, "pairings")))
    table = address("export", event.public_id, "pairings", "csv")
    entrant = match_of(round_, cast.player).seats.get(entrant__member__person=own_person(cast.player)).entrant
    for user, named in ((None, False), (cast.stranger, False), (cast.organizer, True)):
        shown = text((signed_in(user) if user else Client()).get(table))
        assert ("Player 1" in shown, "Player 2" in shown, entrant.public_id in shown) == (named, True, True)
    assert "Player 1" in text(Client().get(address("pairings", event.public_id, 1))), "pages of the event show it"
    signed_in(cast.player).post("/account/stream/", {})
    assert "Player 1" in text(Client().get(table))


def test_a_player_looks_back_on_events_with_wins_and_points(cast: Cast):
    event = a_running_event(cast, players=3)
    round_ = a_published_round(event, cast.organizer)
    address_, client = address("history"), signed_in(cast.player)
    play_out(round_, cast.organizer)
    seat = match_of(round_, cast.player).seats.get(entrant__member__person=own_person(cast.player))
    entrant = history_of_account(cast.player).get()
    won = seat.points == 3
    assert (entrant.matches, entrant.won, entrant.points) == (1, int(won), seat.points)
    assert event.name in text(client.get(address_))
    assert event.name not in text(signed_in(cast.stranger).get(address_))


def test_an_event_says_how_its_organizer_is_reached_where_wished(cast: Cast):
    event = an_open_event(cast)
    page, desk = address("event", event.public_id), address("staff_contact", event.public_id)
    assert "Organizer" not in text(Client().get(page))
    assert signed_in(cast.scorekeeper).post(desk, {"contact": "Me"}).status_code == 403
    signed_in(cast.organizer).post(desk, {"contact": " desk@example.org  or the bar"})
    assert "desk@example.org or the bar" in text(Client().get(page))
    assert "desk@" not in str(list(LedgerEntry.objects.values())), "the ledger holds no address"
    signed_in(cast.organizer).post(desk, {"contact": ""})
    assert "desk@example.org" not in text(Client().get(page))


def test_an_erased_account_leaves_no_address_at_its_events(cast: Cast):
    event = an_open_event(cast)
    change_contact(event=event, contact="desk@example.org", by=cast.organizer, now=NOW)
    invite(event=event, role="judge", email=cast.stranger.email, by=cast.organizer, now=NOW)
    erase_account(user=cast.stranger, now=NOW)
    assert event.invitations.get().email == ""
    erase_account(user=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.contact == ""
