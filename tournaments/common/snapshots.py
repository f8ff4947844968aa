"""Several reads of one state of the database, without a lock."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads in here see the database as it was at the first of them; nobody who writes waits for them.

    Nothing is written in here. Inside a transaction the reads are simply that transaction's.
    """
    connection = transaction.get_connection()
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _deferred(), transaction.atomic():
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _deferred() -> Iterator[None]:
    """Begin transactions of SQLite without its write lock, which ours take otherwise."""
    connection = transaction.get_connection()
    connection.ensure_connection()  # connecting sets the mode of the settings
    usual = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = usual
