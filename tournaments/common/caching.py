"""The Redis cache, with the memory of each process standing in for it while Redis is away."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)

TIMEOUT = 0.5  # seconds a request waits for Redis to accept a connection, and again for its answer
QUIET = 5.0  # seconds during which a Redis that did not answer is not asked again

_away_until = float("-inf")  # shared by the process, because every thread has its own cache object


class RedisOrMemory(BaseCache):
    """A Django cache backend: Redis while it answers, otherwise the memory of this process.

    Rate limits of pages and of the API therefore hold either way, though each process counts alone without Redis.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        # One retry on a new connection: a pooled one is stale after Redis has restarted.
        options = {"socket_connect_timeout": TIMEOUT, "socket_timeout": TIMEOUT, "retry": Retry(NoBackoff(), 1)}
        self._redis = RedisCache(server, {**params, "OPTIONS": {**params.get("OPTIONS", {}), **options}})
        self._memory = LocMemCache("while-redis-is-away", {**params, "OPTIONS": {}})

    def ask(self, method: str, *args: Any, **options: Any) -> Any:
        """Call a cache method on Redis, or on the memory of this process while Redis is away."""
        global _away_until
        if time.monotonic() >= _away_until:
            try:
                return getattr(self._redis, method)(*args, **options)
            except RedisError as error:
                _away_until = time.monotonic() + QUIET
                logger.warning("the cache is not reachable (%s); memory stands in for it", type(error).__name__)
        return getattr(self._memory, method)(*args, **options)

    def answers(self) -> bool:
        """Whether Redis answers. While it is known to be away, it is not asked (see `QUIET`)."""
        self.ask("get", "health")
        return time.monotonic() >= _away_until


def _asking(method: str) -> Callable[..., Any]:
    def ask(self: RedisOrMemory, *args: Any, **options: Any) -> Any:
        return self.ask(method, *args, **options)

    return ask


# BaseCache builds some of these from several others; each must be a single call to one of the two backends.
METHODS = ("add", "get", "set", "touch", "delete", "get_many", "set_many", "delete_many", "has_key", "incr", "clear")
for _method in METHODS:
    setattr(RedisOrMemory, _method, _asking(_method))


def is_reachable() -> bool:
    """Whether the cache of this installation answers. A cache in memory always does."""
    return not hasattr(cache, "answers") or bool(cache.answers())
