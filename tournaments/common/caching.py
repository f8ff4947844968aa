"""The cache in Redis, which may be away: what is counted and kept is then counted and kept in each process's memory."""

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

TIMEOUT = 0.5  # seconds that a request waits for Redis, to connect and to answer
QUIET = 5.0  # seconds for which a Redis that did not answer is not asked again

_away_until = float("-inf")  # of the whole process: every thread has a cache object of its own


class RedisOrMemory(BaseCache):
    """Redis while it answers, else the memory of the process; the limits of pages and of the API hold either way."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        # A connection that went stale is tried once more, on a fresh one.
        options = {"socket_connect_timeout": TIMEOUT, "socket_timeout": TIMEOUT, "retry": Retry(NoBackoff(), 1)}
        self._redis = RedisCache(server, {**params, "OPTIONS": {**params.get("OPTIONS", {}), **options}})
        self._memory = LocMemCache("while-redis-is-away", {**params, "OPTIONS": {}})

    def ask(self, method: str, *args: Any, **options: Any) -> Any:
        """Call a method of Redis, or of the memory while Redis is away."""
        global _away_until
        if time.monotonic() >= _away_until:
            try:
                return getattr(self._redis, method)(*args, **options)
            except RedisError as error:
                _away_until = time.monotonic() + QUIET
                logger.warning("the cache is not reachable (%s); memory stands in for it", type(error).__name__)
        return getattr(self._memory, method)(*args, **options)

    def answers(self) -> bool:
        """Whether Redis answers; it is not asked more often than any request asks it."""
        self.ask("get", "health")
        return time.monotonic() >= _away_until


def _asking(method: str) -> Callable[..., Any]:
    def ask(self: RedisOrMemory, *args: Any, **options: Any) -> Any:
        return self.ask(method, *args, **options)

    return ask


METHODS = ("add", "get", "set", "touch", "delete", "get_many", "set_many", "delete_many", "has_key", "incr", "clear")
for _method in METHODS:
    setattr(RedisOrMemory, _method, _asking(_method))


def is_reachable() -> bool:
    """Whether the cache of this installation answers; memory always does."""
    return not hasattr(cache, "answers") or bool(cache.answers())
