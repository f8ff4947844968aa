"""A producer of numbered messages that a new process can import: it needs Django's settings, but no app."""

from typing import Any

from kombu import Connection

from tournaments.common import broker  # noqa: F401  (registers the transport)

QUEUE = "hammer"


def open_queue(options: dict[str, Any]) -> Connection:
    """Open a connection to the file queue."""
    return Connection("filesystem://", transport_options=options)


def produce(options: dict[str, Any], first: int, count: int) -> None:
    """Send `count` messages of about 2 KiB, numbered from `first`."""
    with open_queue(options) as connection, connection.SimpleQueue(QUEUE) as queue:
        for number in range(first, first + count):
            queue.put({"number": number, "ballast": "x" * 2000})
