"""How a process learns that an event may have moved, without asking all the time.

On PostgreSQL who writes notifies: `NOTIFY` is part of the transaction that moves the event, so it comes when that is
there to be read. One connection a process listens, on all hosts. Notifications only wake: what has moved is read from
the ledger, so a lost one costs a second at most, and while nobody listens the database is asked four times a second, as
it always is on SQLite. A pooler in transaction mode (PgBouncer) passes no notifications on: that is the same case.
"""

import asyncio
import logging
from typing import Any

import psycopg
from django.db import connection
from django.db.models.signals import post_save

from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.standings.models import StandingsTable

logger = logging.getLogger(__name__)

CHANNEL = "arbitre_live"
POLL_SECONDS = 0.25  # between two readings where nobody notifies
SWEEP_SECONDS = 1.0  # where somebody does: a move of a feature match is due by the clock, and notifies nobody
GATHER_SECONDS = 0.05  # between two readings, however many notifications come
RETRY_SECONDS = 2.0


def follow() -> None:
    """Notify of what moves an event: ledger entries and standings tables. Called once, when Django is set up."""
    ledger.follow(_entry_written)
    post_save.connect(_table_written, sender=StandingsTable, dispatch_uid="live")


def _entry_written(entry: LedgerEntry) -> None:
    notify(entry.chain)


def _table_written(instance: StandingsTable, **_: Any) -> None:
    notify(instance.stage.event.public_id)


def notify(event_id: str) -> None:
    """Wake who listens, once the present transaction is committed. Nothing on SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, event_id])


class Polling:
    """Wakes after a fixed time: for SQLite, and for tests."""

    def __init__(self, seconds: float = POLL_SECONDS) -> None:
        self._seconds = seconds

    async def wait(self) -> None:
        """Return when it is time to read again."""
        await asyncio.sleep(self._seconds)

    def close(self) -> None:
        """There is nothing to close."""


class Listening:
    """Wakes when PostgreSQL notifies; polls while its connection is not there."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self._parameters = parameters
        self._woken = asyncio.Event()
        self._listens = False
        self._task: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Return when something has been notified, or when it is time to look anyway."""
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        try:
            async with asyncio.timeout(SWEEP_SECONDS if self._listens else POLL_SECONDS):
                await self._woken.wait()
        except TimeoutError:
            return
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
                    self._woken.set()  # what came before nobody has heard
                    async for _notification in connected.notifies():
                        self._woken.set()
            except (psycopg.Error, OSError) as error:
                logger.warning("no notifications from the database (%s): it is asked instead", type(error).__name__)
            finally:
                self._listens = False
            await asyncio.sleep(RETRY_SECONDS)


def wakeups() -> "Polling | Listening":
    """What this installation's database can do."""
    if connection.vendor != "postgresql":
        return Polling()
    known = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port", "sslmode", "service", "passfile")
    return Listening({name: known[name] for name in names if known.get(name) is not None})
