"""Children of a guardian's account, claim links for entries made at the desk, and merging two entries."""

import re

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tests.web.test_shell import INLINE
from tournaments.accounts.guardians import add_person, persons_of
from tournaments.accounts.services import change_language, own_person
from tournaments.common.logs import without_secrets
from tournaments.events.claims import claim_signature
from tournaments.events.models import Entrant
from tournaments.events.services import add_entrant

CHILD = {"given_name": "Ada", "family_name": "Rossi", "public_name": ""}


@pytest.fixture
def walk_in(cast: Cast) -> Entrant:
    """An entrant without an account, added at the desk."""
    return add_entrant(event=an_open_event(cast), given_name="Ada", family_name="Rossi", by=cast.organizer, now=NOW)


def claim_page(entrant: Entrant) -> str:
    return address("claim_entry", entrant.public_id, claim_signature(entrant))


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_pages_are_in_the_language_of_the_account(cast, walk_in, language):
    add_person(guardian=cast.player, given_name="Child")
    for user in (cast.player, cast.scorekeeper):
        change_language(user=user, language=language)
    for user, page, heading in (
        (cast.player, "/account/persons/", "My children"),
        (cast.player, claim_page(walk_in), "Is this your entry?"),
        (cast.scorekeeper, address("staff_entry", walk_in.event.public_id, walk_in.public_id), "Entered twice?"),
    ):
        shown = signed_in(user).get(page)
        assert shown.status_code == 200, page
        with translation.override(language):
            translated = escape(gettext(heading))
        assert language == "en" or translated != escape(heading), heading
        assert f'<html lang="{language}"' in text(shown), page
        assert re.search(rf"<h[12][^>]*>{re.escape(translated)}</h[12]>", text(shown)), page
        assert not INLINE.search(text(shown)), page


def test_a_guardian_adds_a_child_and_has_a_seat_page_for_each(cast):
    event = an_open_event(cast)
    client = signed_in(cast.player)
    client.post("/account/persons/", CHILD)
    child = persons_of(cast.player)[1]
    assert "Register: Ada R." in text(client.get(address("event", event.public_id)))
    client.post(address("register", event.public_id))
    answer = client.post(address("register", event.public_id), {"person": child.public_id})
    entrant = Entrant.objects.get(event=event, member__person=child)
    assert answer.url == address("me", event.public_id) + f"?entrant={entrant.public_id}"
    seats = client.get(answer.url)
    assert seats.context["entrant"] == entrant
    assert answer.url.replace("&", "&amp;") in text(client.get("/account/persons/"))
    assert signed_in(cast.opponent).get(answer.url).status_code == 404


def test_only_the_guardian_can_register_change_or_erase_a_child(cast):
    event = an_open_event(cast)
    child = add_person(guardian=cast.player, given_name="Ada")
    stranger = signed_in(cast.stranger)
    assert stranger.post(address("register", event.public_id), {"person": child.public_id}).status_code == 404
    assert stranger.post(address("person_change", child.public_id), CHILD).status_code == 404
    assert stranger.post(address("person_remove", child.public_id)).status_code == 404
    assert not event.entrants.exists()


def test_a_guardian_can_rename_and_erase_a_child(cast):
    child = add_person(guardian=cast.player, given_name="Ada")
    client = signed_in(cast.player)
    client.post(address("person_change", child.public_id), {**CHILD, "given_name": "Bea"})
    assert "Bea R." in text(client.get("/account/persons/"))
    assert client.post(address("person_change", child.public_id), {"given_name": ""}).status_code == 422
    client.post(address("person_remove", child.public_id))
    assert "Bea" not in text(client.get("/account/persons/"))


def test_a_claim_link_leads_through_signing_in_to_the_seat_page(cast, walk_in):
    page = claim_page(walk_in)
    shown = Client().get(page)
    assert f"/sign-in/?next={page}" in text(shown) and shown["Cache-Control"] == "no-store"
    assert Client().post(page, {"person": "x"}).status_code == 422
    person = own_person(cast.player).public_id
    assert signed_in(cast.player).post(page, {"person": person}).url == address("me", walk_in.event.public_id)
    assert signed_in(cast.opponent).get(page).status_code == 404


def test_only_the_desk_sees_the_claim_link(cast, walk_in):
    desk = address("staff_entry", walk_in.event.public_id, walk_in.public_id)
    assert claim_page(walk_in) in text(signed_in(cast.scorekeeper).get(desk))
    assert signed_in(cast.judge).get(desk).status_code == 403
    assert signed_in(cast.stranger).get(desk).status_code == 404


def test_the_desk_can_merge_two_entries(cast, walk_in):
    event = walk_in.event
    again = add_entrant(event=event, given_name="Ada", family_name="R", by=cast.organizer, now=NOW)
    page = address("staff_entry", event.public_id, again.public_id)
    assert signed_in(cast.stranger).post(page, {"into": walk_in.public_id}).status_code == 404
    signed_in(cast.scorekeeper).post(page, {"into": walk_in.public_id})
    assert list(event.entrants.all()) == [walk_in]


def test_the_secret_of_a_claim_link_is_removed_from_log_messages(cast, walk_in):
    message = claim_page(walk_in)
    message = without_secrets(message)
    assert claim_signature(walk_in) not in message
