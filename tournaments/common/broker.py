"""Celery's settings, and the patched file-based queue of the default installation. See docs/jobs.md.

Kombu's filesystem transport has three faults. It writes a message under its final name, so a reader may pick up an
empty file, which kills its worker. It moves messages it reads to the system's temporary folder, which is not atomic
across file systems. It rewrites the table of bindings in place, so of two processes that start together, one may read
half of it. Here, every file is written under a temporary name and renamed, a message is taken by deleting its file, the
bindings are rewritten under a lock, and unreadable messages are moved to a folder of their own.
"""

import logging
import secrets
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any

from celery import current_app
from django.conf import settings
from kombu.entity import Exchange, Queue
from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

QUEUE, AUDITS = "arbitre", "audits"
POLLING_INTERVAL = 0.1  # seconds
FULL_INTERVAL = 0.01  # seconds, while a worker holds as many messages as it may
CONNECT_TIMEOUT = 0.8  # seconds a request may wait to connect to a broker that does not answer


ASKED_EVERY = 5.0  # seconds between two checks that the broker is reachable

_asked: tuple[float, bool] = (float("-inf"), True)


def is_reachable() -> bool:
    """Whether the queue accepts messages. The file queue always does; a broker is asked at most every few seconds."""
    global _asked
    if settings.CELERY_BROKER_URL.startswith("filesystem"):
        return True
    if time.monotonic() - _asked[0] >= ASKED_EVERY:
        _asked = (time.monotonic(), _answers())
    return _asked[1]


def _answers() -> bool:
    try:
        with current_app.connection_for_write() as connection:
            connection._ensure_connection(max_retries=1, reraise_as_library_errors=False)
    except Exception as error:  # each transport raises its own types
        logger.warning("the broker is not reachable (%s)", type(error).__name__)
        return False
    return True


class Channel(filesystem.Channel):
    """A channel over a folder of files, safe against concurrent processes and against being killed at any time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seen: dict[str, deque[str]] = {}
        self._folder = Path(self.data_folder_in)
        self._broken = Path(self.transport_options["broken_folder"])
        for folder in (self._folder, self._broken, Path(self.control_folder)):
            folder.mkdir(parents=True, exist_ok=True)

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:
        """Write a message to `queue`. File names sort by the time of writing."""
        name = f"{time.time_ns():020}_{secrets.token_hex(8)}.{queue}.msg"
        _write(Path(self.data_folder_out) / name, dumps(payload))

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        """Take the oldest message of `queue`. Raises Empty if there is none."""
        seen = self._seen.setdefault(queue, deque())
        if not seen:
            # One listing of the folder serves many messages: files written after it sort after it.
            seen.extend(sorted(self._names(queue)))
        while seen:
            payload = self._take(self._folder / seen.popleft())
            if payload is not None:
                return payload
        raise Empty

    def _take(self, path: Path) -> dict[str, Any] | None:
        """Take a message by deleting its file, which only one of several readers can do.

        Returns None if another reader was first. An unreadable message is set aside, and gives None too.
        """
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        payload = _message(content)
        if payload is None:
            logger.error("the message %s cannot be read; it is kept in %s", path.name, self._broken)
            with suppress(FileNotFoundError):
                path.replace(self._broken / path.name)
            return None
        try:
            path.unlink()
        except FileNotFoundError:
            return None
        return payload

    def _names(self, queue: str) -> Iterator[str]:
        wanted = f"{queue}.msg"
        return (path.name for path in self._folder.iterdir() if path.name.partition(".")[2] == wanted)

    def _purge(self, queue: str) -> int:
        self._seen.pop(queue, None)
        taken = [self._take(self._folder / name) for name in list(self._names(queue))]
        return len(taken) - taken.count(None)

    def _size(self, queue: str) -> int:
        return sum(1 for _ in self._names(queue))

    def get_table(self, exchange: str) -> list[Any]:
        """Return the bindings of an exchange; empty if it was never declared."""
        try:
            return [filesystem.exchange_queue_t(*row) for row in loads(self._exchange_file(exchange).read_bytes())]
        except FileNotFoundError:
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table_lock():
            table = self.get_table(exchange)
            if binding not in table:
                _write(self._exchange_file(exchange), dumps([binding, *table]))

    def _delete(self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any) -> None:
        self._purge(queue)
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table_lock():
            table = self.get_table(exchange)
            if binding in table:
                _write(self._exchange_file(exchange), dumps([row for row in table if row != binding]))

    @contextmanager
    def _table_lock(self) -> Iterator[None]:
        with (Path(self.control_folder) / "lock").open("wb") as file:
            filesystem.lock(file, filesystem.LOCK_EX)
            try:
                yield
            finally:
                filesystem.unlock(file)


class Transport(filesystem.Transport):
    """The transport behind `filesystem://`."""

    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        # Kombu's own state is shared by the whole process: bindings written to one folder would be taken for granted
        # in another, and not written there.
        self.state = virtual.BrokerState()

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:
        """Wait for messages in turns of at most 0.2 s, because a worker only notices a request to stop between two."""
        if self._full():
            # The worker acknowledges a finished job between two turns, and only then can take another message. This
            # turn must be short, or the polling interval would set the pace of small jobs.
            time.sleep(FULL_INTERVAL)
            raise TimeoutError
        super().drain_events(connection, timeout=min(timeout, 0.2) if timeout else timeout)

    def _full(self) -> bool:
        """Whether every channel that consumes messages holds as many as it may."""
        reading = [channel for channel in self.channels or () if channel._consumers]
        return bool(reading) and not any(channel.qos.can_consume() for channel in reading)


TRANSPORT_ALIASES["filesystem"] = "tournaments.common.broker:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "tournaments.common.redis_broker:Transport"
TRANSPORT_ALIASES["amqp"] = TRANSPORT_ALIASES["pyamqp"] = "tournaments.common.rabbitmq_broker:Transport"
TRANSPORT_ALIASES["amqps"] = "tournaments.common.rabbitmq_broker:SSLTransport"


def _write(path: Path, content: str) -> None:
    """Write a file atomically: a reader sees its old content or its new one, never a part."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        aside.write_text(content, encoding="utf-8")
        aside.replace(path)
    except OSError:  # for example a full disk, which a leftover part would fill further
        aside.unlink(missing_ok=True)
        raise


def _message(content: bytes) -> dict[str, Any] | None:
    """Parse a message's envelope; None if the content is not one."""
    try:
        payload: Any = loads(content)
    except Exception:  # kombu's `loads` also calls decoders named in the content, which may raise anything
        return None
    if not isinstance(payload, dict):
        return None
    properties = payload.get("properties")
    whole = isinstance(properties, dict) and {"delivery_tag", "delivery_info"} <= properties.keys()
    return payload if whole else None


def _transport_options(url: str) -> dict[str, Any]:
    if url.startswith("filesystem"):
        queue = Path(settings.VAR_DIR) / "queue"
        return {
            "data_folder_in": str(queue / "messages"),
            "data_folder_out": str(queue / "messages"),
            "control_folder": str(queue / "control"),
            "broken_folder": str(queue / "broken"),
            "polling_interval": POLLING_INTERVAL,
        }
    # Without `max_retries`, kombu retries until a dead broker is back, and the request hangs all that time.
    options: dict[str, Any] = {"max_retries": 0, "interval_start": 0}
    if url.startswith("redis"):
        options |= {
            "visibility_timeout": 3600,  # seconds until a message that was not acknowledged is delivered again
            "socket_connect_timeout": CONNECT_TIMEOUT,
            "socket_timeout": 2 * CONNECT_TIMEOUT,
            "socket_keepalive": True,
            "health_check_interval": 25,
        }
    return options


def queues(usual: str, audits: str) -> dict[str, Any]:
    """Celery's settings for the two queues: audits have their own, so that no other job waits behind many of them.

    A worker without `-Q` reads both in turn.
    """
    return {
        "task_default_queue": usual,
        "task_queues": [Queue(name, Exchange(name), name) for name in (usual, audits)],
        "task_routes": {"audits.*": {"queue": audits}},
    }


def settings_for(url: str) -> dict[str, Any]:
    """Celery's settings for a broker URL. The file queue is stored under `VAR_DIR/queue`."""
    return {
        "broker_url": url,
        "broker_transport_options": _transport_options(url),
        "broker_connection_timeout": CONNECT_TIMEOUT,
        "broker_connection_retry_on_startup": True,
        "task_serializer": "json",
        "result_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_acks_late": True,  # a broker delivers the message of a killed worker again
        "task_publish_retry": False,
        **queues(QUEUE, AUDITS),
        # The file queue is only polled, so each process needs its next message at hand. With a broker, prefetching
        # would only withhold messages from workers on other hosts.
        "worker_prefetch_multiplier": 2 if url.startswith("filesystem") else 1,
        "worker_pool": "tournaments.common.pool:TaskPool" if url.startswith("filesystem") else "prefork",
        "worker_hijack_root_logger": False,
        # Remote control creates a queue for each worker; in files, nobody would empty it once the worker is dead.
        "worker_enable_remote_control": not url.startswith("filesystem"),
        # Each worker runs the sweep itself; a separate beat may run it too, since sweeping twice is harmless.
        "beat_schedule": {
            "sweep": {
                "task": "common.sweep",
                "schedule": 10.0,
                "options": {"expires": 10.0, "headers": {"sent_by": "beat"}},  # so that a missing beat is noticed
            }
        },
        "beat_schedule_filename": str(Path(settings.VAR_DIR) / "beat"),
        "timezone": "UTC",
    }


# Named in config/celery.py. Celery imports it when it first needs a setting; by then Django's settings are loaded.
celery_settings = settings_for(settings.CELERY_BROKER_URL)
