"""What is tried too often is refused for a while, with a page that says so."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.builders import a_published_round, a_running_event, an_entrant, an_open_event, match_of
from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in
from tournaments.events.joining import join_signature
from tournaments.web import brakes
from tournaments.web.brakes import Brake, TooMany

pytestmark = pytest.mark.django_db

HALL = 300  # people who share a network address


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


@dataclass
class Tried:
    """A page that a brake bounds: who sends it what, the n-th time."""

    client: Client
    address: str
    form: Callable[[int], dict[str, str]] = field(default=lambda n: {})


def _joining(cast: Cast) -> Tried:
    """Who came by the link of an event signs up."""
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


WRONG = {"password": "wrong-password"}
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
    "PAPERS": lambda cast: _of_event(cast, "print_pdf", "decks"),
    "IMPORTS": lambda cast: _of_event(cast, "staff_import_new"),
    "CARDS": lambda cast: Tried(signed_in(cast.organizer), reverse("web:catalogues")),
    "CALLS": lambda cast: _at_the_table(cast, "call_judge"),
    "FILES": lambda cast: _of_event(cast, "event_file"),
    "CHECKS": lambda cast: _of_event(cast, "check_now"),
    "VERIFICATIONS": lambda cast: Tried(Client(), reverse("web:verify")),
}
BRAKES = [name for name, brake in vars(brakes).items() if isinstance(brake, Brake)]
FEW = 2


@pytest.fixture
def few(request: pytest.FixtureRequest) -> Iterator[Brake]:
    """A brake that lets two through."""
    brake: Brake = getattr(brakes, request.param)
    limit = brake.limit
    object.__setattr__(brake, "limit", FEW)
    yield brake
    object.__setattr__(brake, "limit", limit)


@pytest.mark.parametrize(("few", "name"), [(name, name) for name in BRAKES], indirect=["few"], ids=BRAKES)
def test_each_brake_refuses_beyond_its_limit_on_a_page_that_carries_it(cast: Cast, few: Brake, name: str) -> None:
    tried = TRIED[name](cast)
    for n in range(FEW):
        assert tried.client.post(tried.address, tried.form(n)).status_code != 429
    answer = tried.client.post(tried.address, tried.form(FEW))
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(few.seconds))
    assert 'role="alert"' in answer.content.decode() or "too_many_attempts" in answer.content.decode()


@pytest.mark.parametrize("name", BRAKES)
def test_a_brake_is_bounded_and_its_name_is_its_own(name: str) -> None:
    brake: Brake = getattr(brakes, name)
    assert 1 <= brake.limit <= 500 and 60 <= brake.seconds <= 3600
    assert [each for each in BRAKES if getattr(brakes, each).name == brake.name] == [name]


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
    for _ in range(brakes.FAILURES.limit):
        brakes.FAILURES.count("127.0.0.1")
    right = {"email": cast.player.email, "password": PASSWORD}
    assert client.post("/sign-in/", right).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.7").post("/sign-in/", right).status_code == 302, "others sign in"


def test_a_hall_of_three_hundred_mistypes_once_each_and_still_signs_in(client: Client, cast: Cast) -> None:
    for _ in range(HALL - 1):
        brakes.FAILURES.count("127.0.0.1")
    wrong = {"email": cast.opponent.email, "password": "wrong-password"}
    assert client.post("/sign-in/", {**wrong, "password": PASSWORD}).status_code == 302
    assert Client().post("/sign-in/", wrong).status_code == 422, "the last of them mistypes too"


def test_a_hall_asks_for_new_passwords_and_a_mailbox_gets_few(client: Client, cast: Cast) -> None:
    for _ in range(HALL // 2):
        brakes.RESETS.count("127.0.0.1")
    assert client.post("/password/", {"email": cast.player.email}).status_code == 200
    for _ in range(brakes.LETTERS.limit):
        answer = client.post("/password/", {"email": cast.player.email})
    assert answer.status_code == 429
    assert client.post("/password/", {"email": cast.opponent.email}).status_code == 200


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


def test_behind_a_proxy_of_ours_each_visitor_is_counted_alone(client: Client, settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    for _ in range(brakes.SIGN_UPS.limit + 1):
        proxied = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": "198.51.100.1, 203.0.113.9"}
        answer = client.post("/sign-up/", {"email": "nothing"}, **proxied)
    assert answer.status_code == 429
    other = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9, 203.0.113.10"}
    assert client.post("/sign-up/", {"email": "nothing"}, **other).status_code == 422


def test_who_comes_without_a_proxy_of_ours_makes_up_no_address(client: Client, settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    for number in range(brakes.SIGN_UPS.limit + 1):
        made_up = {"REMOTE_ADDR": "198.51.100.7", "HTTP_X_FORWARDED_FOR": f"203.0.113.{number}"}
        answer = client.post("/sign-up/", {"email": "nothing"}, **made_up)
    assert answer.status_code == 429
