"""Page loads without an account are limited per network address, well above what a hall behind one address needs."""

import asyncio
import re
import time
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client, RequestFactory

from tests.builders import a_published_round, a_running_event
from tests.cast import PASSWORD, Cast
from tests.web.pages import address, signed_in
from tournaments.web import page_loads
from tournaments.web.live.streams import BeforeDjango
from tournaments.web.page_loads import Loads, PageLoadMiddleware
from tournaments.web.rate_limits import network_of

OURS = "tournaments.web.page_loads.PageLoadMiddleware"
HALL = 2_500  # phones behind one address
DEFAULT = "30000/min"


@pytest.fixture
def few(settings: LazySettings) -> None:
    """Limit page loads to three per day and network address."""
    settings.PAGE_LOADS = "3/day"
    chain = [name for name in settings.MIDDLEWARE if name != OURS]
    chain.insert(chain.index("django_htmx.middleware.HtmxMiddleware") + 1, OURS)
    settings.MIDDLEWARE = chain


class Clock:
    """A clock that tests set, in seconds."""

    def __init__(self) -> None:
        self.moment = 600.0

    def __call__(self) -> float:
        return self.moment


def statuses(client: Client, path: str, times: int, **more: Any) -> list[int]:
    return [client.get(path, **more).status_code for _ in range(times)]


def test_a_hall_of_2500_phones_stays_within_the_limit() -> None:
    """After publication each phone loads three pages in ten seconds; without streams it polls three parts in 20."""
    clock = Clock()
    loads = Loads.of(DEFAULT)
    loads._clock = clock
    refused = 0
    for second in range(60):
        clock.moment = 600.0 + second
        at_publication = HALL * 3 // 10 if second < 10 else 0
        polling = HALL * 3 // 20
        refused += sum(loads.wait("203.0.113.7") > 0 for _load in range(at_publication + polling))
    assert refused == 0


def test_an_address_beyond_the_limit_waits_for_the_next_period_and_others_do_not() -> None:
    clock = Clock()
    loads = Loads(3, 60, clock)
    clock.moment = 610.5
    assert [loads.wait("198.51.100.1") for _ in range(5)] == [0, 0, 0, 50, 50]
    assert loads.wait("198.51.100.2") == 0
    clock.moment = 660.0
    assert loads.wait("198.51.100.1") == 0


def test_the_number_of_counted_addresses_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_loads, "MOST_ADDRESSES", 10)
    loads = Loads(1, 60, Clock())
    assert {loads.wait(f"198.51.100.{n}") for n in range(100)} == {0}
    assert len(loads._counts) == 10
    assert loads.wait("198.51.100.1") > 0, "those that are counted stay counted"


@pytest.mark.parametrize(("rate", "limit", "seconds"), [("30000/min", 30_000, 60), ("5/s", 5, 1), ("9/hour", 9, 3600)])
def test_a_rate_is_a_number_per_unit_of_time(rate: str, limit: int, seconds: int) -> None:
    loads = Loads.of(rate)
    assert (loads.limit, loads.seconds) == (limit, seconds)


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("", ""),
    ],
)
def test_an_ipv6_address_counts_as_its_64_bit_network(told: str, counted: str) -> None:
    assert network_of(told) == counted


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "title"), [("en", "Too many page loads"), ("fr", ""), ("it", "")])
def test_beyond_the_limit_a_page_says_so_and_reloads_itself(few: None, language: str, title: str) -> None:
    client = Client(headers={"accept-language": language})
    assert statuses(client, "/privacy/", 3) == [200, 200, 200]
    answer = client.get("/privacy/")
    shown = answer.content.decode()
    wait = int(answer.headers["Retry-After"])
    assert answer.status_code == 429 and 1 <= wait <= 24 * 3600 + page_loads.SPREAD
    assert re.search(rf'http-equiv="refresh" content="{wait}"', shown) and f'<html lang="{language}"' in shown
    assert title in shown and 'href="/sign-in/"' in shown
    assert answer.headers["Cache-Control"] == "no-store" and "default-src" in answer.headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_beyond_the_limit_a_fragment_is_left_as_it_is(few: None) -> None:
    client = Client()
    statuses(client, "/", 3)
    answer = client.get("/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content, answer.headers["HX-Reswap"]) == (429, b"", "none")


@pytest.mark.django_db
def test_only_page_loads_are_counted(few: None) -> None:
    client = Client()
    for path, times in (("/healthz", 5), ("/static/web/app.css", 5), ("/api/v1/presets/", 5), ("/sign-in/", 5)):
        assert set(statuses(client, path, times)) == {200}, path
    assert {client.post("/sign-in/", {"email": "nothing"}).status_code for _ in range(5)} == {422}
    assert statuses(client, "/privacy/", 4) == [200, 200, 200, 429]


@pytest.mark.django_db
def test_pages_that_do_not_exist_are_counted_too(few: None) -> None:
    assert statuses(Client(), "/nothing/", 4) == [404, 404, 404, 429]


@pytest.mark.django_db(transaction=True)
def test_live_streams_are_not_counted() -> None:
    reached: list[str] = []

    async def django(scope: Any, receive: Any, send: Any) -> None:
        reached.append("django")

    async def streams(scope: Any, receive: Any, send: Any) -> None:
        reached.append("streams")

    app = BeforeDjango(django, streams)  # type: ignore[arg-type]
    asyncio.run(app({"type": "http", "path": "/live/e-1/token/"}, None, None))  # type: ignore[arg-type]
    assert reached == ["streams"]


@pytest.mark.django_db
def test_signed_in_users_are_not_counted(few: None, cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    page = address("pairings", event.public_id, 1)
    player = signed_in(cast.player)
    assert set(statuses(player, page, 6)) == {200}
    assert statuses(Client(), page, 4) == [200, 200, 200, 429]
    assert player.get(page).status_code == 200
    late = Client()
    assert late.post("/sign-in/", {"email": cast.opponent.email, "password": PASSWORD}).status_code == 302
    assert late.get(page).status_code == 200


@pytest.mark.django_db
def test_a_forged_session_or_forwarded_address_does_not_escape_the_limit(few: None) -> None:
    client, found = Client(), []
    for n in range(4):
        client.cookies["sessionid"] = f"made-up-{n}"
        found.append(client.get("/privacy/", headers={"x-forwarded-for": f"198.51.100.{n}"}).status_code)
    assert found == [200, 200, 200, 429]


def test_counting_takes_less_than_a_tenth_of_a_millisecond(settings: LazySettings) -> None:
    settings.PAGE_LOADS = DEFAULT
    middleware = PageLoadMiddleware(lambda request: HttpResponse())
    request = RequestFactory().get("/e/e-1/", REMOTE_ADDR="2001:db8::1")
    request.user = AnonymousUser()
    without = HttpResponse
    times = 5_000
    start = time.process_time()
    for _ in range(times):
        middleware(request)
    taken = time.process_time() - start
    start = time.process_time()
    for _ in range(times):
        without()
    taken -= time.process_time() - start
    assert taken / times < 0.0001
