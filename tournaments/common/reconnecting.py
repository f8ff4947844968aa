"""Reconnect to PostgreSQL in the middle of a request, if nothing was lost with the connection.

A statement is sent once more on a new connection if it is a read outside a transaction, or the very first statement of
a transaction: in both cases, no earlier write was lost. Any other error is raised, and answered as an outage (see
`common.outages`).
"""

import logging
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.common.outages import is_lost

logger = logging.getLogger(__name__)

# Django's record of the open transaction. Connecting resets it, so it is saved and put back.
TRANSACTION = (
    "in_atomic_block",
    "savepoint_ids",
    "atomic_blocks",
    "savepoint_state",
    "run_on_commit",
    "commit_on_exit",
)


def follow(sender: object, connection: BaseDatabaseWrapper, **_more: object) -> None:
    """Wrap the statements of a new connection. A receiver of Django's signal `connection_created`."""
    if connection.vendor == "postgresql" and execute_with_reconnect not in connection.execute_wrappers:
        connection.execute_wrappers.append(execute_with_reconnect)


def execute_with_reconnect(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Execute a statement; if its connection was lost and nothing with it, reconnect and execute it once more."""
    connection, cursor = context["connection"], context["cursor"]
    nothing_to_lose = _is_idle(connection) and (connection.in_atomic_block or _reads(sql))
    try:
        return execute(sql, params, many, context)
    except (OperationalError, InterfaceError) as error:
        # A cursor with a name lives on the server, and was lost with the session.
        if not nothing_to_lose or getattr(cursor.cursor, "name", None) or not is_lost(error):
            raise
        logger.warning("the connection to the database was lost; it is made anew")
        _connect_again(connection)
        cursor.cursor = connection.create_cursor()
        return execute(sql, params, many, context)


def _is_idle(connection: BaseDatabaseWrapper) -> bool:
    """Whether no transaction is open on the server. A connection that is known to be broken (UNKNOWN) has none."""
    from psycopg.pq import TransactionStatus  # installed only where PostgreSQL is used

    return connection.connection.pgconn.transaction_status in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)


def _reads(sql: str) -> bool:
    return sql.lstrip().upper().startswith("SELECT")


def _connect_again(connection: BaseDatabaseWrapper) -> None:
    before = {name: getattr(connection, name) for name in TRANSACTION}
    connection.in_atomic_block = False
    connection.close()
    try:
        with connection.wrap_database_errors:  # an exhausted pool raises its own type of error
            connection.connect()
            if before["in_atomic_block"]:
                connection.set_autocommit(False)
    except OperationalError:
        if before["in_atomic_block"]:  # the state in which Django leaves a connection closed inside a transaction
            connection.closed_in_transaction = connection.needs_rollback = True
        raise
    finally:
        for name, value in before.items():
            setattr(connection, name, value)
