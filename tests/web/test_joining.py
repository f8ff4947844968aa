"""A hall of people who share one network address signs up by the organizer's link; others are bounded as before."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from tests.api.scenes import token_client
from tests.builders import NOW, an_event, an_open_event
from tests.cast import PASSWORD, Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.events.joining import join_address, join_signature
from tournaments.events.models import Event
from tournaments.events.services import cancel_event
from tournaments.web import brakes, joining
from tournaments.web.brakes import Brake

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def by_link(event: Event) -> Client:
    """A browser that came by the event's link."""
    client = Client()
    came = client.get(address("join", event.public_id, join_signature(event)))
    assert (came.status_code, came.url) == (302, address("event", event.public_id))
    return client


def tries(client: Client) -> int:
    return client.post("/sign-up/", {"email": "nothing"}).status_code


def use_up(brake: Brake, *who: str) -> None:
    for _ in range(brake.limit):
        brake.count(*who)


def test_a_hundred_people_of_one_network_sign_up_and_register_by_the_link(cast: Cast) -> None:
    event = an_open_event(cast)
    use_up(brakes.SIGN_UPS, "127.0.0.1")
    for _ in range(100):
        brakes.HALL_SIGN_UPS.count("127.0.0.1")
        brakes.EVENT_SIGN_UPS.count(event.public_id)
    client = by_link(event)
    form = {"given_name": "Ada", "email": "ada@example.com", "password": PASSWORD}
    assert client.post("/sign-up/", form).status_code == 302
    assert User.objects.filter(new_email="ada@example.com").exists()
    assert client.post(address("register", event.public_id)).status_code == 302
    assert event.entrants.count() == 1


def test_who_comes_without_the_link_is_told_of_it(cast: Cast) -> None:
    use_up(brakes.SIGN_UPS, "127.0.0.1")
    refused = Client().post("/sign-up/", {"email": "nothing"})
    assert (refused.status_code, "scan the QR code" in text(refused)) == (429, True)


@pytest.mark.parametrize("brake", ["HALL_SIGN_UPS", "EVENT_SIGN_UPS"])
def test_the_link_has_its_own_bounds(cast: Cast, brake: str) -> None:
    event = an_open_event(cast)
    use_up(getattr(brakes, brake), "127.0.0.1" if brake == "HALL_SIGN_UPS" else event.public_id)
    assert tries(by_link(event)) == 429


def test_other_links_of_the_same_address_share_its_bound(cast: Cast) -> None:
    use_up(brakes.HALL_SIGN_UPS, "127.0.0.1")
    assert {tries(by_link(an_open_event(cast))) for _ in range(2)} == {429}


def test_the_link_lets_nobody_in_once_the_event_is_over(cast: Cast) -> None:
    event = an_open_event(cast)
    client = by_link(event)
    use_up(brakes.SIGN_UPS, "127.0.0.1")
    assert tries(client) == 422
    cancel_event(event=event, by=cast.organizer, now=NOW)
    assert tries(client) == 429


def test_a_made_up_signature_or_cookie_lets_nobody_in(cast: Cast) -> None:
    event, draft = an_open_event(cast), an_event(cast)
    assert Client().get(address("join", event.public_id, "0" * 43)).status_code == 404
    assert Client().get(address("join", draft.public_id, join_signature(draft))).status_code == 404
    use_up(brakes.SIGN_UPS, "127.0.0.1")
    client = Client()
    client.cookies[joining.COOKIE] = f"{event.public_id}:forged"
    assert tries(client) == 429


def test_the_desk_shows_the_link_with_its_qr_code_and_the_api_gives_it(cast: Cast) -> None:
    event = an_open_event(cast)
    link = join_address(event, "http://testserver")
    desk = text(signed_in(cast.organizer).get(address("staff", event.public_id)))
    assert link in desk and "<svg" in desk
    given = token_client(cast.organizer, "read").get(f"/api/v1/events/{event.public_id}/join-link/")
    assert given.json() == {"address": link}
