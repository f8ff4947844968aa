"""A connection to PostgreSQL that was lost is made anew in the middle of a request, where nothing is lost with it.

A statement is sent once more on a fresh connection when it is a read outside a transaction, or the very first one of a
transaction: then nothing was written before it that the lost connection took along. Any other is raised, and answered
as an outage (`common.outages`).
"""

import logging
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.common.outages import is_lost

logger = logging.getLogger(__name__)

# What Django knows of an open transaction, which a new connection forgets.
TRANSACTION = (
    "in_atomic_block",
    "savepoint_ids",
    "atomic_blocks",
    "savepoint_state",
    "run_on_commit",
    "commit_on_exit",
)


def follow(sender: object, connection: BaseDatabaseWrapper, **_more: object) -> None:
    """Watch the statements of a connection: a receiver of Django's `connection_created`."""
    if connection.vendor == "postgresql" and send_again not in connection.execute_wrappers:
        connection.execute_wrappers.append(send_again)


def send_again(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Send a statement, and once more where its connection was lost and nothing with it."""
    connection, cursor = context["connection"], context["cursor"]
    nothing_to_lose = _is_idle(connection) and (connection.in_atomic_block or _reads(sql))
    try:
        return execute(sql, params, many, context)
    except (OperationalError, InterfaceError) as error:
        if not nothing_to_lose or getattr(cursor.cursor, "name", None) or not is_lost(error):
            raise
        logger.warning("the connection to the database was lost; it is made anew")
        _connect_again(connection)
        cursor.cursor = connection.create_cursor()
        return execute(sql, params, many, context)


def _is_idle(connection: BaseDatabaseWrapper) -> bool:
    """Whether the server knows of no open transaction."""
    from psycopg.pq import TransactionStatus  # the library is there where PostgreSQL is

    return connection.connection.pgconn.transaction_status in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)


def _reads(sql: str) -> bool:
    return sql.lstrip().upper().startswith("SELECT")


def _connect_again(connection: BaseDatabaseWrapper) -> None:
    kept = {name: getattr(connection, name) for name in TRANSACTION}
    connection.in_atomic_block = False
    connection.close()
    connection.connect()
    if kept["in_atomic_block"]:
        connection.set_autocommit(False)
    for name, value in kept.items():
        setattr(connection, name, value)
