"""Read several things from one state of the database, without locks."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads in the block see the database as it was at the first of them, without blocking writers.

    Do not write inside the block. If a transaction is open already, the reads simply belong to it.
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
    """Begin SQLite transactions without the write lock, which our settings take otherwise (IMMEDIATE)."""
    connection = transaction.get_connection()
    connection.ensure_connection()  # first, because connecting resets the mode to that of the settings
    usual = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = usual
