"""Rate limits of pages: what is tried too often is refused for a while, with a page that says so."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.api import scenes
from tests.builders import a_published_round, a_running_event, an_entrant, an_open_event, match_of
from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in
from tournaments.events.joining import join_signature
from tournaments.web import rate_limits
from tournaments.web.rate_limits import RateLimit, TooMany

pytestmark = pytest.mark.django_db

HALL = 300  # people who share a network address


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def assert_refused_after(client: Client, rate_limit: RateLimit, address: str, form: dict[str, str]) -> None:
    """Assert that a POST is refused with a message and the time to wait once there were `limit` of them."""
    for _ in range(rate_limit.limit):
        assert client.post(address, form).status_code != 429
    answer = client.post(address, form)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(rate_limit.seconds))
    assert "too_many_attempts" in answer.content.decode()


@dataclass
class Tried:
    """A page with a rate limit: the browser, the address, and the form to send at the n-th attempt."""

    client: Client
    address: str
    form: Callable[[int], dict[str, str]] = field(default=lambda n: {})


def _joining(cast: Cast) -> Tried:
    """Sign up in a browser that followed the join link of an event."""
    event = an_open_event(cast)
    client = Client()
    client.get(reverse("web:join", args=[event.public_id, join_signature(event)]))
    return Tried(client, "/sign-up/", lambda n: {"email": "nothing"})


def _at_the_table(cast: Cast, name: str, *more: object) -> Tried:
    match = match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)
    return Tried(signed_in(cast.player), reverse(f"web:{name}", args=[match.public_id, *more]))


def _of_event(cast: Cast, name: str, *more: object, by: str = "organizer") -> Tried:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    return Tried(signed_in(getattr(cast, by)), reverse(f"web:{name}", args=[event.public_id, *more]))


def _of_cards(cast: Cast) -> Tried:
    """Write what a card of an own catalogue does."""
    scenes.with_cards(cast)
    return Tried(signed_in(cast.organizer), reverse("web:card_effects", args=["star-safir", "own", "OWN-1"]))


WRONG = {"password": "wrong-password"}
# For each rate limit, a page that it applies to. A new limit must be added here, or its test fails.
TRIED: dict[str, Callable[[Cast], Tried]] = {
    "GUESSES": lambda cast: Tried(Client(), "/sign-in/", lambda n: {**WRONG, "email": "player.1@example.com"}),
    "FAILURES": lambda cast: Tried(Client(), "/sign-in/", lambda n: {**WRONG, "email": f"nobody.{n}@example.com"}),
    "ACCOUNT_GUESSES": lambda cast: Tried(Client(), "/sign-in/", lambda n: {**WRONG, "email": "player.1@example.com"}),
    "SIGN_UPS": lambda cast: Tried(Client(), "/sign-up/", lambda n: {"email": "nothing"}),
    "HALL_SIGN_UPS": _joining,
    "EVENT_SIGN_UPS": _joining,
    "RESETS": lambda cast: Tried(Client(), "/password/", lambda n: {"email": f"nobody.{n}@example.com"}),
    "LETTERS": lambda cast: Tried(Client(), "/password/", lambda n: {"email": "player.1@example.com"}),
    "UPLOADS": lambda cast: _at_the_table(cast, "log_upload", 1),
    "GRANTS": lambda cast: _of_event(cast, "staff_team"),
    "DECKS": lambda cast: _of_event(cast, "deck", by="player"),
    "PAYMENTS": lambda cast: _of_event(cast, "pay", by="player"),
    "PAPERS": lambda cast: _of_event(cast, "print_pdf", "decks"),
    "IMPORTS": lambda cast: _of_event(cast, "staff_import_new"),
    "CARDS": lambda cast: Tried(signed_in(cast.organizer), reverse("web:catalogues")),
    "EFFECTS": _of_cards,
    "CALLS": lambda cast: _at_the_table(cast, "call_judge"),
    "FILES": lambda cast: _of_event(cast, "event_file"),
    "CHECKS": lambda cast: _of_event(cast, "check_now"),
    "VERIFICATIONS": lambda cast: Tried(Client(), reverse("web:verify")),
}
RATE_LIMITS = [name for name, rate_limit in vars(rate_limits).items() if isinstance(rate_limit, RateLimit)]
FEW = 2


@pytest.fixture
def few(request: pytest.FixtureRequest) -> Iterator[RateLimit]:
    """Lower the rate limit named by the parameter to two attempts."""
    rate_limit: RateLimit = getattr(rate_limits, request.param)
    limit = rate_limit.limit
    object.__setattr__(rate_limit, "limit", FEW)  # views hold the object itself, and it is frozen
    yield rate_limit
    object.__setattr__(rate_limit, "limit", limit)


@pytest.mark.parametrize(("few", "name"), [(name, name) for name in RATE_LIMITS], indirect=["few"], ids=RATE_LIMITS)
def test_each_rate_limit_refuses_further_attempts_on_its_page(cast: Cast, few: RateLimit, name: str) -> None:
    tried = TRIED[name](cast)
    for n in range(FEW):
        assert tried.client.post(tried.address, tried.form(n)).status_code != 429
    answer = tried.client.post(tried.address, tried.form(FEW))
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(few.seconds))
    assert 'role="alert"' in answer.content.decode() or "too_many_attempts" in answer.content.decode()


@pytest.mark.parametrize("name", RATE_LIMITS)
def test_each_rate_limit_is_within_bounds_and_has_a_unique_name(name: str) -> None:
    rate_limit: RateLimit = getattr(rate_limits, name)
    assert 1 <= rate_limit.limit <= 500 and 60 <= rate_limit.seconds <= 3600
    assert [each for each in RATE_LIMITS if getattr(rate_limits, each).name == rate_limit.name] == [name]


def test_a_rate_limit_counts_per_person_and_can_be_reset() -> None:
    rate_limit = RateLimit("test", 2, 60)
    for _ in range(2):
        rate_limit.count_or_refuse("somebody")
    with pytest.raises(TooMany):
        rate_limit.count_or_refuse("somebody")
    rate_limit.count_or_refuse("somebody else")
    rate_limit.free("somebody")
    rate_limit.count_or_refuse("somebody")


def test_an_address_with_too_many_failures_cannot_sign_in_to_any_account(client: Client, cast: Cast) -> None:
    for _ in range(rate_limits.FAILURES.limit):
        rate_limits.FAILURES.count("127.0.0.1")
    right = {"email": cast.player.email, "password": PASSWORD}
    assert client.post("/sign-in/", right).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.7").post("/sign-in/", right).status_code == 302, "others sign in"


def test_a_hall_of_300_can_mistype_once_each_and_still_sign_in(client: Client, cast: Cast) -> None:
    for _ in range(HALL - 1):
        rate_limits.FAILURES.count("127.0.0.1")
    wrong = {"email": cast.opponent.email, "password": "wrong-password"}
    assert client.post("/sign-in/", {**wrong, "password": PASSWORD}).status_code == 302
    assert Client().post("/sign-in/", wrong).status_code == 422, "the last of them mistypes too"


def test_reset_links_are_limited_loosely_per_address_and_tightly_per_mailbox(client: Client, cast: Cast) -> None:
    for _ in range(HALL // 2):
        rate_limits.RESETS.count("127.0.0.1")
    assert client.post("/password/", {"email": cast.player.email}).status_code == 200
    for _ in range(rate_limits.LETTERS.limit):
        answer = client.post("/password/", {"email": cast.player.email})
    assert answer.status_code == 429
    assert client.post("/password/", {"email": cast.opponent.email}).status_code == 200


def test_sign_ups_from_one_address_are_limited(client: Client) -> None:
    assert_refused_after(client, rate_limits.SIGN_UPS, "/sign-up/", {"email": "nothing"})


def test_granting_roles_is_limited(cast: Cast) -> None:
    event = an_open_event(cast)
    address = reverse("web:staff_team", args=[event.public_id])
    assert_refused_after(
        signed_in(cast.organizer), rate_limits.GRANTS, address, {"email": "nobody@example.com", "role": "judge"}
    )


def test_submitting_decklists_is_limited(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    assert_refused_after(
        signed_in(cast.player), rate_limits.DECKS, reverse("web:deck", args=[event.public_id]), {"text": ""}
    )


def test_submitting_logs_is_limited(cast: Cast) -> None:
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    assert_refused_after(
        signed_in(cast.player), rate_limits.UPLOADS, reverse("web:log_upload", args=[match.public_id, 1]), {}
    )


def test_visitors_behind_a_trusted_proxy_are_counted_separately(client: Client, settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    for _ in range(rate_limits.SIGN_UPS.limit + 1):
        proxied = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": "198.51.100.1, 203.0.113.9"}
        answer = client.post("/sign-up/", {"email": "nothing"}, **proxied)
    assert answer.status_code == 429
    other = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9, 203.0.113.10"}
    assert client.post("/sign-up/", {"email": "nothing"}, **other).status_code == 422


def test_a_forwarded_address_is_ignored_without_a_trusted_proxy(client: Client, settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    for number in range(rate_limits.SIGN_UPS.limit + 1):
        made_up = {"REMOTE_ADDR": "198.51.100.7", "HTTP_X_FORWARDED_FOR": f"203.0.113.{number}"}
        answer = client.post("/sign-up/", {"email": "nothing"}, **made_up)
    assert answer.status_code == 429
