"""Kombu's Redis transport, patched for a worker that loses Redis twice in a row, and for a Redis that is full.

A channel that is being closed returns its unfinished messages. If its connection is closed already, kombu looks for the
address in an object that no longer exists, and the `AttributeError` ends the worker. Here, the usual connection error
is raised instead, and the worker reconnects.

A full Redis refuses even the acknowledgement of a message, which kombu takes for a mistake of the program that ends the
worker. Here it counts as a connection error too: the message comes again later, when its job is done already.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import OutOfMemoryError


class Channel(redis.Channel):
    """A channel over Redis that can be closed after its connection."""

    def _connparams(self, *args: Any, **kwargs: Any) -> Any:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("the connection is closed")
        return super()._connparams(*args, **kwargs)  # type: ignore[no-untyped-call]


class Transport(redis.Transport):
    """The transport behind `redis://` and `rediss://`."""

    Channel = Channel
    connection_errors = (*redis.Transport.connection_errors, OutOfMemoryError)
