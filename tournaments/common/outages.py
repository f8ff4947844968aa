"""Outages: what is nobody's fault and passes, such as an unreachable or busy database, or a full disk.

Each becomes a refusal with HTTP 503 and a time to wait, never a 500. See docs/operations.md.
"""

import errno
import sqlite3

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal

WAIT = 5  # seconds after which a page tries again
LONGER_WAIT = 60  # seconds: nobody frees a full disk in a moment
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# PostgreSQL's SQLSTATEs: disk_full; prefixes for a failed connection and a server that stops; too_many_connections.
FULL_DATABASE = "53100"
GONE = ("08", "57P")
CROWDED = ("53300",)
SQLITE_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Outage(Refusal):
    """Something that every request needs is unavailable (HTTP 503). Clients may retry after `wait` seconds."""

    status = 503

    def __init__(self, code: str, message: object, *, wait: int = WAIT) -> None:
        super().__init__(code, message)
        self.wait = wait


def outage_of(error: BaseException | None) -> Outage | None:
    """The outage behind an exception, or None for any other exception.

    Its codes are `storage_full`, `database_unreachable` and `database_busy`.
    """
    if isinstance(error, Outage):
        return error
    if is_full(error):
        sentence = _("The disk of this site is full: nothing more can be saved. Tell the operator of the site.")
        return Outage("storage_full", sentence, wait=LONGER_WAIT)
    if is_lost(error):
        return Outage("database_unreachable", _("The database cannot be reached at the moment."))
    if _sqlite_code(error) in SQLITE_BUSY:
        return Outage("database_busy", _("The database is busy: too many people are saving at once."))
    return None


def is_full(error: BaseException | None) -> bool:
    """Whether an exception means that a disk is full, be it the database's or the one that holds files."""
    if isinstance(error, OSError):
        return error.errno in FULL_DISK
    return _sqlite_code(error) in SQLITE_FULL or _sqlstate(error) == FULL_DATABASE


def is_lost(error: BaseException | None) -> bool:
    """Whether an exception means that the connection to PostgreSQL was lost, or that none could be made."""
    if not isinstance(error, OperationalError | InterfaceError) or _sqlite_code(error) is not None:
        return False
    state = _sqlstate(error)
    # Without an SQLSTATE, the error comes from the client library: the server did not answer.
    return not state or state.startswith(GONE) or state in CROWDED


def _sqlstate(error: BaseException | None) -> str:
    return str(getattr(getattr(error, "__cause__", None), "sqlstate", None) or "")


def _sqlite_code(error: BaseException | None) -> int | None:
    """The primary result code of an SQLite error, without its extension; None for any other exception."""
    cause = getattr(error, "__cause__", None)
    code = getattr(cause, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(cause, sqlite3.Error) and isinstance(code, int) else None
