"""Kombu's Redis transport, patched for a worker that loses Redis twice in a row.

A channel that is being closed returns its unfinished messages. If its connection is closed already, kombu looks for the
address in an object that no longer exists, and the `AttributeError` ends the worker. Here, the usual connection error
is raised instead, and the worker reconnects.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError


class Channel(redis.Channel):
    """A channel over Redis that can be closed after its connection."""

    def _connparams(self, *args: Any, **kwargs: Any) -> Any:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("the connection is closed")
        return super()._connparams(*args, **kwargs)  # type: ignore[no-untyped-call]


class Transport(redis.Transport):
    """The transport behind `redis://` and `rediss://`."""

    Channel = Channel
