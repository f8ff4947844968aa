"""What is tried too often is refused for a while, with a page that says so."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.builders import a_published_round, a_running_event, an_entrant, an_open_event, match_of
from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in
from tournaments.web import brakes
from tournaments.web.brakes import Brake, TooMany, address_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def assert_refused_after(client: Client, brake: Brake, address: str, form: dict[str, str]) -> None:
    """The next POST after `limit` of them is refused, with its sentence and the time to wait."""
    for _ in range(brake.limit):
        assert client.post(address, form).status_code != 429
    answer = client.post(address, form)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(brake.seconds))
    assert "too_many_attempts" in answer.content.decode()


def test_the_limit_counts_from_the_first_one_and_starts_afresh_when_freed() -> None:
    brake = Brake("test", 2, 60)
    for _ in range(2):
        brake.pass_or_refuse("somebody")
    with pytest.raises(TooMany):
        brake.pass_or_refuse("somebody")
    brake.pass_or_refuse("somebody else")
    brake.free("somebody")
    brake.pass_or_refuse("somebody")


def test_an_address_that_tries_many_accounts_signs_in_to_none(client: Client, cast: Cast) -> None:
    for number in range(brakes.FAILURES.limit):
        client.post("/sign-in/", {"email": f"nobody.{number}@example.com", "password": "wrong-password"})
    right = {"email": cast.player.email, "password": PASSWORD}
    assert client.post("/sign-in/", right).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.7").post("/sign-in/", right).status_code == 302, "others sign in"


def test_accounts_are_not_made_in_bulk_from_one_address(client: Client) -> None:
    assert_refused_after(client, brakes.SIGN_UPS, "/sign-up/", {"email": "nothing"})


def test_roles_are_not_tried_on_addresses_in_bulk(cast: Cast) -> None:
    event = an_open_event(cast)
    address = reverse("web:staff_team", args=[event.public_id])
    assert_refused_after(
        signed_in(cast.organizer), brakes.GRANTS, address, {"email": "nobody@example.com", "role": "judge"}
    )


def test_decklists_are_not_sent_in_bulk(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    assert_refused_after(
        signed_in(cast.player), brakes.DECKS, reverse("web:deck", args=[event.public_id]), {"text": ""}
    )


def test_logs_are_not_sent_in_bulk(cast: Cast) -> None:
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    assert_refused_after(
        signed_in(cast.player), brakes.UPLOADS, reverse("web:log_upload", args=[match.public_id, 1]), {}
    )


@pytest.mark.parametrize(("behind", "address"), [(False, "192.0.2.1"), (True, "203.0.113.9")])
def test_the_address_behind_a_proxy_is_the_last_one_it_names(settings, behind: bool, address: str) -> None:
    settings.BEHIND_PROXY = behind
    forwarded = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": "198.51.100.1, 203.0.113.9"}
    assert address_of(RequestFactory().get("/", **forwarded)) == address
    assert address_of(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")) == "192.0.2.1"
