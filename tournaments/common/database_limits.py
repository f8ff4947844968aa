"""How long PostgreSQL lets a statement of a web process run, and wait for a lock.

Workers and commands have no such limits: an import or an erasure may take its time, and a migration its locks.
"""

from typing import Any

from django.conf import settings
from django.db import connections


def limit_statements() -> None:
    """Set the limits for all connections that this process will open. Called once, when a web process starts."""
    limits = {"statement_timeout": settings.DATABASE_STATEMENT_TIMEOUT, "lock_timeout": settings.DATABASE_LOCK_TIMEOUT}
    given = connections.settings["default"]
    if given["ENGINE"].endswith("postgresql"):
        given["OPTIONS"] |= limited(given["OPTIONS"], limits)


def limited(options: dict[str, Any], limits: dict[str, int]) -> dict[str, Any]:
    """The `options` of a connection with limits in seconds, of which 0 sets none.

    What the operator wrote in the URL comes last, so it wins. Without a limit nothing is sent, because PgBouncer
    refuses connections with options that it does not know.
    """
    ours = [f"-c {name}={seconds}s" for name, seconds in limits.items() if seconds]
    said = " ".join([*ours, *filter(None, [options.get("options", "")])])
    return {"options": said} if said else {}
