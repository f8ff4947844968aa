"""Wake a process when an event may have changed, without polling all the time.

On PostgreSQL, the transaction that changes an event also sends a `NOTIFY`, which arrives when the change can be read.
Each process, on whatever host, listens on one connection. A notification only wakes the process: what has changed is
read from the ledger, so a lost notification costs a second at most. While the connection is down, the database is
polled four times a second, as it always is on SQLite. The same happens behind a pooler in transaction mode (PgBouncer),
which does not pass notifications on.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection
from django.db.models.signals import post_save

from tournaments.accounts.models import RightsChange
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.standings.models import StandingsTable

logger = logging.getLogger(__name__)

CHANNEL = "arbitre_live"
POLL_SECONDS = 0.25  # between two reads without notifications
SWEEP_SECONDS = 1.0  # with notifications: feature match moves become public with time, which notifies nobody
GATHER_SECONDS = 0.05  # between two reads, however many notifications arrive
RETRY_SECONDS = 2.0  # before the next attempt to connect


def follow() -> None:
    """Send a notification for each ledger entry, standings table and change of rights. Call it once, at the start."""
    ledger.follow(_entry_written)
    post_save.connect(_table_written, sender=StandingsTable, dispatch_uid="live")
    post_save.connect(_rights_changed, sender=RightsChange, dispatch_uid="live")


def _entry_written(entries: Sequence[LedgerEntry]) -> None:
    notify(entries[-1].chain)


def _table_written(instance: StandingsTable, **_: Any) -> None:
    notify(instance.stage.event.public_id)


def _rights_changed(**_signal: Any) -> None:
    notify("")


def notify(event_id: str) -> None:
    """Wake all listening processes once the current transaction is committed. Does nothing on SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, event_id])


class Polling:
    """Wakes at fixed intervals, for SQLite and tests."""

    def __init__(self, seconds: float = POLL_SECONDS) -> None:
        self._seconds = seconds

    async def wait(self) -> None:
        """Wait until it is time to read again."""
        await asyncio.sleep(self._seconds)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Listening:
    """Wakes on PostgreSQL's notifications; polls while it has no connection."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self._parameters = parameters
        self._woken = asyncio.Event()
        self._listens = False
        self._task: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Wait for a notification, or until it is time to read anyway."""
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        try:
            async with asyncio.timeout(SWEEP_SECONDS if self._listens else POLL_SECONDS):
                await self._woken.wait()
        except TimeoutError:
            return
        # Cleared after the pause, so that one read answers all notifications that came during it.
        await asyncio.sleep(GATHER_SECONDS)
        self._woken.clear()

    def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**self._parameters, autocommit=True) as connected:
                    await connected.execute(f"LISTEN {CHANNEL}")
                    self._listens = True
                    self._woken.set()  # changes made before LISTEN sent no notification to this process
                    async for _notification in connected.notifies():
                        self._woken.set()
            except (psycopg.Error, OSError) as error:
                logger.warning("no notifications from the database (%s): it is asked instead", type(error).__name__)
            finally:
                self._listens = False
            await asyncio.sleep(RETRY_SECONDS)


def wakeups() -> "Polling | Listening":
    """The way of waking that this installation's database supports."""
    if connection.vendor != "postgresql":
        return Polling()
    known = connection.get_connection_params()
    # Django's other parameters, such as its cursor class, are not for an asynchronous connection.
    names = ("dbname", "user", "password", "host", "port", "sslmode", "service", "passfile")
    return Listening({name: known[name] for name in names if known.get(name) is not None})
