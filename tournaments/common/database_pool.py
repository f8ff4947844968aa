"""The pool of PostgreSQL connections of this process, as gauges (see `common.metrics`). Empty without a pool."""

from typing import Any

from django.db import connections

from tournaments.common.metrics import Labels

SIZES = {"open": "pool_size", "free": "pool_available", "allowed": "pool_max"}


def sizes() -> dict[Labels, float]:
    """How many connections are open, how many of those are free, and how many there may be."""
    measured = _measured()
    return {(("state", state),): measured.get(name, 0) for state, name in SIZES.items()} if measured else {}


def waiting() -> dict[Labels, float]:
    """How many threads wait for a connection."""
    measured = _measured()
    return {(): measured.get("requests_waiting", 0)} if measured else {}


def _measured() -> dict[str, int]:
    pool: Any = getattr(connections["default"], "pool", None)  # SQLite has none
    return dict(pool.get_stats()) if pool is not None else {}
