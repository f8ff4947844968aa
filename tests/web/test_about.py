"""Legal pages, first-visit guides, the stream opt-out, a player's history, and an organizer's contact details."""

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, match_of, play_out
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import erase_account, own_person
from tournaments.common.models import LedgerEntry
from tournaments.events.invitations import invite
from tournaments.events.services import change_contact
from tournaments.play.selectors import history_of_account
from tournaments.web.checks import PUBLISHER, check_publisher


@pytest.mark.parametrize("name", ["privacy", "terms", "contact"])
def test_legal_pages_name_the_operator_and_the_contact_address(db, settings, name: str):
    settings.OPERATOR, settings.CONTACT = "Our Club", "desk@example.org"
    shown = text(Client().get(reverse(f"web:{name}")))
    assert "Our Club" in shown and "desk@example.org" in shown
    settings.CONTACT = ""
    assert "ask the organizer" in text(Client().get(reverse(f"web:{name}")))


def test_the_offline_worker_is_served_from_the_root_without_a_query(client):
    # Without the `db` fixture, any query would fail this test.
    answer = client.get("/offline-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "script-src" in answer.headers["Content-Security-Policy"]
    assert b'addEventListener("fetch"' in answer.content


@pytest.mark.parametrize(
    ("language", "words"), [("en", "tournaments"), ("fr", "tournois"), ("it", "tornei"), ("xx", "")]
)
def test_the_site_can_be_installed_as_an_app_in_each_language(client, language: str, words: str):
    answer = client.get("/manifest.webmanifest", {"language": language})
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert words in manifest["name"] and manifest["display"] == "standalone"
    assert (manifest["start_url"], manifest["scope"], manifest["id"]) == ("/", "/", "/")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        found = finders.find(icon["src"].removeprefix("/static/"))
        with Image.open(found) as image:
            assert icon["sizes"] == f"{image.width}x{image.height}"


def test_every_page_links_to_the_manifest_and_the_icons(client, db):
    shown = text(client.get("/"))
    assert 'rel="manifest" href="/manifest.webmanifest?language=en"' in shown
    assert 'rel="apple-touch-icon"' in shown and shown.count('name="theme-color"') == 2
    client.cookies["theme"] = "dark"
    assert text(client.get("/")).count('name="theme-color"') == 1


def test_the_page_for_no_network_says_nothing_about_its_reader(cast: Cast):
    client = signed_in(cast.player)
    client.cookies["theme"] = "dark"
    answer = client.get("/offline/")
    shown = text(answer)
    assert "No network" in shown and 'data-theme="dark"' in shown and answer.headers["Content-Language"] == "en"
    assert cast.player.public_id not in shown and "csrfmiddlewaretoken" not in shown


def test_the_footer_links_to_privacy_legal_notices_terms_and_contact(client, db):
    shown = text(client.get("/"))
    assert all(f'href="/{name}/"' in shown for name in ("privacy", "legal", "terms", "contact"))


def test_the_legal_notices_name_the_publisher_and_the_host(db, settings):
    settings.OPERATOR, settings.OPERATOR_ADDRESS, settings.CONTACT = "Our Club", "1 Main Street", "desk@example.org"
    settings.PUBLICATION_DIRECTOR, settings.OPERATOR_REGISTRATION = "Jane Roe", "RNA W751234567"
    settings.HOSTED_BY, settings.HOSTED_BY_ADDRESS, settings.HOSTED_BY_PHONE = "Some Host", "2 Side Street", "+33 1 00"
    shown = text(Client().get("/legal/"))
    given = (
        "Our Club",
        "1 Main Street",
        "desk@example.org",
        "Jane Roe",
        "W751234567",
        "Some Host",
        "2 Side",
        "+33 1 00",
    )
    assert all(word in shown for word in given) and "not filled this in" not in shown


def test_the_legal_notices_say_what_the_operator_has_not_filled_in(db, settings):
    for name in PUBLISHER:
        setattr(settings, name, "")
    shown = text(Client().get("/legal/"))
    assert shown.count("The operator has not filled this in.") == len(PUBLISHER)
    assert "Phone" not in shown and "VAT" not in shown


def test_the_legal_notices_say_how_long_data_is_kept_as_it_is_set(db, settings):
    settings.KEEP_NAMES_DAYS, settings.KEEP_PHOTOS_DAYS, settings.CARD_IMAGE_HOSTS = 0, 0, []
    settings.ACCOUNTS_END_AFTER = settings.BOOK_ENTRIES_END_AFTER = 0
    shown = text(Client().get("/legal/"))
    assert "Names: until they are erased" in shown and "photos:" not in shown and "To load the images" not in shown
    settings.KEEP_NAMES_DAYS, settings.KEEP_PHOTOS_DAYS, settings.CARD_IMAGE_HOSTS = 365, 1, ["cards.example.org"]
    shown = text(Client().get("/legal/"))
    assert "365 days after their last event" in shown and "photos: 1 day<" in shown and "cards.example.org" in shown


@pytest.mark.parametrize("missing", [(), ("HOSTED_BY",), PUBLISHER])
def test_a_site_in_production_is_warned_of_what_its_legal_notices_lack(settings, missing: tuple[str, ...]):
    settings.PRODUCTION = True
    for name in PUBLISHER:
        setattr(settings, name, "" if name in missing else "given")
    found = check_publisher()
    assert [each.id for each in found] == ["arbitre.W001"] * bool(missing)
    assert all(name in str(found) for name in missing)
    settings.PRODUCTION = False
    assert check_publisher() == []


def test_each_role_sees_its_guide_until_it_is_dismissed(cast: Cast):
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


def test_a_player_who_opted_out_of_streams_is_not_named_on_screens_or_in_public_exports(cast: Cast):
    event = a_running_event(cast, players=2, named="Other")
    round_ = a_published_round(event, cast.organizer)
    signed_in(cast.player).post("/account/stream/", {"off": "on"})
    for what in ("pairings", "standings"):
        shown = text(Client().get(address("screen", event.public_id, what)))
        assert "Player 1" not in shown
    assert "name withheld" in text(Client().get(address("screen", event.public_id, "pairings")))
    # Exports give the public the entrant's id in place of the name; staff still see both.
    table = address("export", event.public_id, "pairings", "csv")
    entrant = match_of(round_, cast.player).seats.get(entrant__member__person=own_person(cast.player)).entrant
    for user, named in ((None, False), (cast.stranger, False), (cast.organizer, True)):
        shown = text((signed_in(user) if user else Client()).get(table))
        assert ("Player 1" in shown, "Player 2" in shown, entrant.public_id in shown) == (named, True, True)
    assert "Player 1" in text(Client().get(address("pairings", event.public_id, 1))), "pages of the event show it"
    signed_in(cast.player).post("/account/stream/", {})
    assert "Player 1" in text(Client().get(table))


def test_the_history_page_lists_past_events_with_wins_and_points(cast: Cast):
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


def test_an_event_shows_the_organizers_contact_if_one_was_given(cast: Cast):
    event = an_open_event(cast)
    page, desk = address("event", event.public_id), address("staff_contact", event.public_id)
    assert "Organizer" not in text(Client().get(page))
    assert signed_in(cast.scorekeeper).post(desk, {"contact": "Me"}).status_code == 403
    signed_in(cast.organizer).post(desk, {"contact": " desk@example.org  or the bar"})
    assert "desk@example.org or the bar" in text(Client().get(page))
    assert "desk@" not in str(list(LedgerEntry.objects.values())), "the ledger holds no address"
    signed_in(cast.organizer).post(desk, {"contact": ""})
    assert "desk@example.org" not in text(Client().get(page))


def test_erasing_an_account_removes_its_addresses_from_events(cast: Cast):
    event = an_open_event(cast)
    change_contact(event=event, contact="desk@example.org", by=cast.organizer, now=NOW)
    invite(event=event, role="judge", email=cast.stranger.email, by=cast.organizer, now=NOW)
    erase_account(user=cast.stranger, now=NOW)
    assert event.invitations.get().email == ""
    erase_account(user=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.contact == ""
