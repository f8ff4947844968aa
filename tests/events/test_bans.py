"""The ban list of an organizer: who cannot register, what they are told, and what the desk sees."""

from datetime import timedelta

import pytest

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import erase_account, own_person, person_without_account
from tournaments.events.bans import ban_address, ban_person, banned_lines, bans_of, lift_ban
from tournaments.events.bans import follow_person as move_bans
from tournaments.events.imports import open_import, preview_of
from tournaments.events.models import Ban, Event
from tournaments.events.registration import apply_for_place, choose_registration, register_person
from tournaments.events.services import change_contact

pytestmark = pytest.mark.django_db


def registers(event: Event, cast: Cast) -> None:
    register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW)


def test_a_banned_person_gets_a_neutral_refusal_with_the_contact(cast: Cast) -> None:
    event = an_open_event(cast)
    change_contact(event=event, contact="desk@club.example", by=cast.organizer, now=NOW)
    ban = ban_person(owner=cast.organizer, person=own_person(cast.player), reason="Cheated", now=NOW)
    with assert_refused("registration_not_accepted") as caught:
        registers(event, cast)
    assert "desk@club.example" in str(caught.value.message) and "Cheated" not in str(caught.value.message)
    answer = signed_in(cast.player).post(address("register", event.public_id))
    assert answer.status_code == 409 and "Cheated" not in text(answer) and not event.entrants.exists()
    lift_ban(ban=ban)
    registers(event, cast)


def test_an_address_is_banned_by_its_digest_and_for_one_organizer_alone(cast: Cast) -> None:
    event = an_open_event(cast)
    email = cast.player.email or ""
    ban = ban_address(owner=cast.organizer, email=f" {email.upper()} ", now=NOW)
    assert email not in str(ban.__dict__) and ban.person is None
    ban_address(owner=cast.organizer, email=email, reason="Again", now=NOW)
    assert Ban.objects.count() == 1
    with assert_refused("registration_not_accepted"):
        registers(event, cast)
    Ban.objects.update(owner=cast.stranger)
    registers(event, cast)
    with assert_refused("address_invalid"):
        ban_address(owner=cast.organizer, email="nobody", now=NOW)


def test_a_ban_ends_after_its_last_day_and_holds_for_applications(cast: Cast) -> None:
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, approval=True)
    person = own_person(cast.player)
    ban_person(owner=cast.organizer, person=person, until=NOW.date(), now=NOW)
    with assert_refused("registration_not_accepted"):
        apply_for_place(event=event, person=person, by=cast.player, now=NOW)
    apply_for_place(event=event, person=person, by=cast.player, now=NOW + timedelta(days=1))


def test_the_desk_is_warned_of_the_name_and_goes_ahead(cast: Cast) -> None:
    event = an_open_event(cast)
    ban_person(owner=cast.organizer, person=own_person(cast.player), now=NOW)
    desk = signed_in(cast.scorekeeper)
    where = address("staff_entrant_add", event.public_id)
    assert "ban list" not in text(desk.post(where, {"given_name": "Player 9"}, follow=True))
    assert "ban list" in text(desk.post(where, {"given_name": "player 1"}, follow=True))
    assert event.entrants.count() == 2


def test_the_preview_of_a_file_says_which_lines_are_on_the_ban_list(cast: Cast) -> None:
    event = an_open_event(cast)
    ban_person(owner=cast.organizer, person=own_person(cast.player), now=NOW)
    ban_address(owner=cast.organizer, email="other@example.org", now=NOW)
    ban_address(owner=cast.stranger, email="mine@example.org", now=NOW)
    document = b"Name,E-mail\nPlayer 8,mine@example.org\nplayer 1,\nPlayer 9,Other@example.org\n"
    made = open_import(event=event, document=document, by=cast.organizer, now=NOW)
    assert banned_lines(event, preview_of(made).entering, NOW) == [3, 4]
    assert "check lines 3, 4" in text(signed_in(cast.scorekeeper).get(address("staff_import", made.public_id)))
    Ban.objects.update(until=NOW.date() - timedelta(days=1))
    assert banned_lines(event, preview_of(made).entering, NOW) == []


def test_a_ban_follows_a_person_who_is_merged_with_another(cast: Cast) -> None:
    typed, known = person_without_account(given_name="Player", family_name="1"), own_person(cast.player)
    ban = ban_person(owner=cast.organizer, person=typed, reason="First", now=NOW)
    move_bans(old=typed, new=known)
    ban.refresh_from_db()
    assert (ban.person, ban.reason) == (known, "First")
    ban_person(owner=cast.organizer, person=typed, reason="Second", now=NOW)
    move_bans(old=typed, new=known)
    assert [(each.person, each.reason) for each in bans_of(cast.organizer)] == [(typed, "Second"), (known, "First")]


def test_only_the_owner_reads_and_changes_the_list(cast: Cast) -> None:
    event = an_open_event(cast)
    registers(event, cast)
    organizer, person = signed_in(cast.organizer), own_person(cast.player).public_id
    where = address("ban_person", person)
    assert organizer.get(where).status_code == 200 and signed_in(cast.stranger).get(where).status_code == 404
    assert organizer.post(where, {"reason": "Cheated", "until": "2030-01-01"}).status_code == 302
    assert organizer.post(address("bans"), {"email": "player9@example.com"}).status_code == 302
    assert "Cheated" in text(organizer.get(address("bans")))
    assert "Cheated" not in text(signed_in(cast.stranger).get(address("bans")))
    assert len(organizer.get(address("account_data")).json()["bans"]) == 2
    lift = address("ban_lift", Ban.objects.get(person=own_person(cast.player)).pk)
    assert signed_in(cast.stranger).post(lift).status_code == 404
    assert organizer.post(lift).status_code == 302 and Ban.objects.count() == 1


def test_bans_of_an_erased_person_are_deleted_by_person_and_by_address(cast: Cast) -> None:
    ban_person(owner=cast.organizer, person=own_person(cast.player), now=NOW)
    ban_address(owner=cast.organizer, email=cast.player.email or "", now=NOW)
    ban_person(owner=cast.player, person=own_person(cast.opponent), now=NOW)
    erase_account(user=cast.player, now=NOW)
    assert not Ban.objects.exists()
