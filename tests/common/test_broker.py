"""The file queue loses no message, never reads half of one, and survives unreadable ones."""

import multiprocessing
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from celery import Celery
from kombu import Exchange, Queue
from pytest_django import Settings

from tests.common.hammer import QUEUE, open_queue, produce
from tournaments.common import broker, jobs

Options = dict[str, Any]


@pytest.fixture
def options(settings: Settings, tmp_path: Path) -> Options:
    settings.VAR_DIR = tmp_path
    return dict(broker.settings_for("filesystem://")["broker_transport_options"])


def consume(options: Options, expected: int, seconds: float) -> list[int]:
    seen: list[int] = []
    until = time.monotonic() + seconds
    with open_queue(options) as connection, connection.SimpleQueue(QUEUE) as queue:
        while len(seen) < expected and time.monotonic() < until:
            try:
                message = queue.get(timeout=0.5)
            except Empty:
                continue
            seen.append(message.payload["number"])
            message.ack()
    return seen


@pytest.mark.slow
def test_five_thousand_messages_from_two_producers_each_arrive_once(options: Options) -> None:
    spawn = multiprocessing.get_context("spawn")
    producers = [spawn.Process(target=produce, args=(options, first, 2500)) for first in (0, 2500)]
    for producer in producers:
        producer.start()
    seen = consume(options, 5000, 60)
    for producer in producers:
        producer.join()
        assert producer.exitcode == 0
    assert sorted(seen) == list(range(5000))
    assert list(Path(options["broken_folder"]).iterdir()) == []
    assert list(Path(options["data_folder_in"]).iterdir()) == []


def test_two_readers_never_take_the_same_message(options: Options) -> None:
    produce(options, 0, 600)
    taken: list[list[int]] = [[], []]

    def read(index: int) -> None:
        taken[index] = consume(options, 600, 2)

    readers = [threading.Thread(target=read, args=(index,)) for index in (0, 1)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert sorted(taken[0] + taken[1]) == list(range(600))


def test_messages_arrive_in_the_order_they_were_sent(options: Options) -> None:
    produce(options, 0, 50)
    assert consume(options, 50, 5) == list(range(50))


@pytest.mark.parametrize("content", [b"", b'{"body": "eyJ', b"[]", b"\xff\xfe", b'{"body": "", "properties": {}}'])
def test_an_unreadable_message_is_set_aside_and_the_consumer_goes_on(options: Options, content: bytes) -> None:
    produce(options, 1, 1)
    bad = Path(options["data_folder_in"]) / "00000000000000000001_bad.hammer.msg"
    bad.write_bytes(content)
    assert consume(options, 1, 5) == [1]
    assert [path.name for path in Path(options["broken_folder"]).iterdir()] == [bad.name]
    assert not bad.exists()


def test_connections_that_start_together_keep_each_others_bindings(options: Options) -> None:
    def bind(number: int) -> None:
        with open_queue(options) as connection:
            connection.default_channel._queue_bind("hammer", f"key{number}", "", f"queue{number}")

    threads = [threading.Thread(target=bind, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_queue(options) as connection:
        assert len(connection.default_channel.get_table("hammer")) == 20


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@contextmanager
def closed_port() -> Iterator[int]:
    """A port that refuses connections. It stays bound, so that nobody else can listen there in the meantime."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


def seconds_of_a_request(url: str, monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)  # it would override Celery's own setting
    app = Celery("sender", set_as_current=False)
    app.conf.update(broker.settings_for(url))
    monkeypatch.setattr(jobs, "current_app", app)
    monkeypatch.setattr(jobs, "_quiet_until", float("-inf"))
    began = time.monotonic()
    assert not jobs.send(1, "standings.compute")
    return time.monotonic() - began


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_that_is_down_does_not_stall_a_request(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closed_port() as port:
        assert seconds_of_a_request(f"{scheme}://127.0.0.1:{port}//", monkeypatch) < 1


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_that_does_not_answer_delays_only_one_request(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with deaf_port() as port:
        assert seconds_of_a_request(f"{scheme}://127.0.0.1:{port}//", monkeypatch) < 3
    began = time.monotonic()
    assert not jobs.send(2, "standings.compute")
    assert time.monotonic() - began < 0.05


def test_a_reader_with_all_its_messages_does_not_wait_for_the_next_poll(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kombu.transport.virtual.base.sleep", lambda _seconds: pytest.fail("it waits for a poll"))
    produce(options, 0, 2)
    seen: list[Any] = []
    with open_queue(options) as connection:
        consumer = connection.Consumer(
            [Queue(QUEUE, Exchange(QUEUE), QUEUE)], callbacks=[lambda _body, message: seen.append(message)]
        )
        consumer.qos(prefetch_count=1)
        with consumer:
            connection.drain_events(timeout=2)
            with pytest.raises(TimeoutError):
                connection.drain_events(timeout=2)
            assert len(seen) == 1
            seen[0].ack()
            connection.drain_events(timeout=2)
    assert [message.payload["number"] for message in seen] == [0, 1]
