"""Without Redis, pages, sign-in and the API still work, rate limits are counted in memory, and `/healthz` says so."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from celery import Celery
from django.core.cache import cache, caches
from django.test import Client
from kombu import Connection
from pytest_django import Settings

from engine.version import VERSION
from tests.api.scenes import token_client
from tests.cast import PASSWORD, Cast
from tournaments.common import broker, caching
from tournaments.web.rate_limits import RateLimit, TooMany

pytestmark = pytest.mark.services


class Server:
    """A Redis of our own on a free port."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with closing(socket.socket()) as tried:
                if tried.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@pytest.fixture
def redis(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    server = Server(tmp_path)
    settings.CACHES = {"default": {"BACKEND": "tournaments.common.caching.RedisOrMemory", "LOCATION": server.url}}
    settings.CELERY_BROKER_URL = server.url
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)  # it would override Celery's own setting
    app = Celery("sender", set_as_current=False)
    app.conf.update(broker.settings_for(server.url))
    monkeypatch.setattr(broker, "current_app", app)
    monkeypatch.setattr(broker, "ASKED_EVERY", 0.0)
    monkeypatch.setattr(caching, "_away_until", float("-inf"))
    cache.clear()
    yield server
    server.send(signal.SIGCONT)
    server.kill()
    app.close()
    caches["default"]._memory.clear()


def lines(client: Client) -> list[str]:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    return answer.content.decode().splitlines()


def test_cached_values_are_in_redis_and_not_in_memory_while_redis_answers(redis: Server) -> None:
    cache.set("a", 1)
    assert (cache.get("a"), cache.incr("a"), cache.get_many(["a", "b"])) == (1, 2, {"a": 2})
    assert caches["default"]._redis.get("a") == 2
    assert caches["default"]._memory.get("a") is None


@pytest.mark.django_db
def test_health_reports_an_unreachable_cache_and_queue_until_they_are_back(
    redis: Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lines(client) == ["ok", "queue 0", f"version {VERSION}"]
    redis.kill()
    assert lines(client) == ["ok", "queue 0", f"version {VERSION}", "cache unreachable", "queue unreachable"]
    redis.start()
    monkeypatch.setattr(caching, "_away_until", float("-inf"))
    assert lines(client) == ["ok", "queue 0", f"version {VERSION}"]


@pytest.mark.django_db
def test_sign_in_pages_and_the_api_work_without_redis(redis: Server, client: Client, cast: Cast) -> None:
    redis.kill()
    signed = client.post("/sign-in/", {"email": cast.player.email, "password": PASSWORD})
    assert (signed.status_code, client.get("/account/").status_code) == (302, 200)
    assert token_client(cast.player, "read").get("/api/v1/me/").status_code == 200


def test_rate_limits_are_counted_in_memory_while_redis_is_away(redis: Server) -> None:
    rate_limit = RateLimit("test", 3, 60)
    redis.kill()
    for _time in range(3):
        rate_limit.count_or_refuse("me")
    with pytest.raises(TooMany):
        rate_limit.count_or_refuse("me")
    rate_limit.count_or_refuse("somebody else")


@pytest.mark.django_db
def test_api_throttling_is_counted_in_memory_while_redis_is_away(
    redis: Server, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rest_framework.throttling.UserRateThrottle.rate", "2/min", raising=False)
    redis.kill()
    client = token_client(cast.player, "read")
    answers = [client.get("/api/v1/me/").status_code for _time in range(3)]
    assert answers == [200, 200, 429]


def test_a_dead_redis_is_not_tried_again_by_every_request(
    redis: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    redis.kill()
    for number in range(50):
        cache.set(f"k{number}", number)
    assert [record.message for record in caplog.records if "cache" in record.message] == [
        "the cache is not reachable (ConnectionError); memory stands in for it"
    ]
    assert cache.get("k7") == 7


def test_a_redis_that_does_not_answer_delays_one_request_by_about_a_second(redis: Server) -> None:
    cache.set("a", 1)
    redis.send(signal.SIGSTOP)
    begun = time.monotonic()
    for _time in range(20):
        cache.get("a")
    assert time.monotonic() - begun < 3 * caching.TIMEOUT


def test_a_restarted_redis_is_used_at_once(redis: Server) -> None:
    cache.set("a", 1)
    redis.kill()
    redis.start()
    cache.set("a", 2)
    assert caches["default"]._redis.get("a") == 2


def test_a_channel_closed_after_its_connection_raises_a_connection_error(redis: Server) -> None:
    connection = Connection(redis.url)
    channel = connection.channel()
    channel._pool = None  # the state after the connections were discarded
    connection.transport.client = None
    with pytest.raises(connection.connection_errors, match="closed"):
        _ = channel.pool


def test_a_message_that_a_full_redis_does_not_let_go_raises_a_connection_error(redis: Server) -> None:
    with Connection(redis.url) as connection:
        queue = connection.SimpleQueue("full")
        queue.put({})
        message = queue.get(timeout=5)
        connection.default_channel.client.config_set("maxmemory", 1)
        with pytest.raises(connection.connection_errors, match="maxmemory"):
            message.ack()
        connection.default_channel.client.config_set("maxmemory", 0)
