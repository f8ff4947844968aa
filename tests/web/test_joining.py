"""Join links: a hall behind one network address can sign up by the organizer's link, past the usual limit."""

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
from tournaments.web import joining, rate_limits
from tournaments.web.rate_limits import RateLimit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def by_link(event: Event) -> Client:
    """Return a browser that followed the join link of an event."""
    client = Client()
    came = client.get(address("join", event.public_id, join_signature(event)))
    assert (came.status_code, came.url) == (302, address("event", event.public_id))
    return client


def tries(client: Client) -> int:
    """Submit an invalid sign-up: the status is 422, or 429 if a rate limit refuses it."""
    return client.post("/sign-up/", {"email": "nothing"}).status_code


def use_up(rate_limit: RateLimit, *who: str) -> None:
    for _ in range(rate_limit.limit):
        rate_limit.count(*who)


def test_a_hall_behind_one_address_can_sign_up_and_register_by_the_link(cast: Cast) -> None:
    event = an_open_event(cast)
    use_up(rate_limits.SIGN_UPS, "127.0.0.1")
    for _ in range(100):
        rate_limits.HALL_SIGN_UPS.count("127.0.0.1")
        rate_limits.EVENT_SIGN_UPS.count(event.public_id)
    client = by_link(event)
    form = {"given_name": "Ada", "email": "ada@example.com", "password": PASSWORD}
    assert client.post("/sign-up/", form).status_code == 302
    assert User.objects.filter(new_email="ada@example.com").exists()
    assert client.post(address("register", event.public_id)).status_code == 302
    assert event.entrants.count() == 1


def test_people_refused_without_the_link_are_told_about_it(cast: Cast) -> None:
    use_up(rate_limits.SIGN_UPS, "127.0.0.1")
    refused = Client().post("/sign-up/", {"email": "nothing"})
    assert (refused.status_code, "scan the QR code" in text(refused)) == (429, True)


@pytest.mark.parametrize("rate_limit", ["HALL_SIGN_UPS", "EVENT_SIGN_UPS"])
def test_sign_ups_by_the_link_are_limited_per_address_and_per_event(cast: Cast, rate_limit: str) -> None:
    event = an_open_event(cast)
    use_up(getattr(rate_limits, rate_limit), "127.0.0.1" if rate_limit == "HALL_SIGN_UPS" else event.public_id)
    assert tries(by_link(event)) == 429


def test_links_of_several_events_share_the_limit_of_an_address(cast: Cast) -> None:
    use_up(rate_limits.HALL_SIGN_UPS, "127.0.0.1")
    assert {tries(by_link(an_open_event(cast))) for _ in range(2)} == {429}


def test_the_link_raises_no_limit_once_the_event_is_over(cast: Cast) -> None:
    event = an_open_event(cast)
    client = by_link(event)
    use_up(rate_limits.SIGN_UPS, "127.0.0.1")
    assert tries(client) == 422
    cancel_event(event=event, by=cast.organizer, now=NOW)
    assert tries(client) == 429


def test_a_forged_signature_or_cookie_raises_no_limit(cast: Cast) -> None:
    event, draft = an_open_event(cast), an_event(cast)
    assert Client().get(address("join", event.public_id, "0" * 43)).status_code == 404
    assert Client().get(address("join", draft.public_id, join_signature(draft))).status_code == 404
    use_up(rate_limits.SIGN_UPS, "127.0.0.1")
    client = Client()
    client.cookies[joining.COOKIE] = f"{event.public_id}:forged"
    assert tries(client) == 429


def test_the_desk_and_the_api_give_the_link_and_the_desk_a_qr_code(cast: Cast) -> None:
    event = an_open_event(cast)
    link = join_address(event, "http://testserver")
    desk = text(signed_in(cast.organizer).get(address("staff", event.public_id)))
    assert link in desk and "<svg" in desk
    given = token_client(cast.organizer, "read").get(f"/api/v1/events/{event.public_id}/join-link/")
    assert given.json() == {"address": link}
