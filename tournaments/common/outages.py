"""Outages: what is nobody's fault and passes, such as an unreachable, busy or read-only database, or a full disk.

Each becomes a refusal with HTTP 503 and a time to wait, never a 500. See docs/faults.md.
"""

import errno
import sqlite3

from django.db import InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal

WAIT = 5  # seconds after which a page tries again
LONGER_WAIT = 60  # seconds: nobody frees a full disk in a moment, or makes a database writable again
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# PostgreSQL's SQLSTATEs, or what they begin with.
FULL_DATABASE = "53100"
READ_ONLY = "25006"  # a standby, or a server that was switched to reading only
GONE = ("08", "57P", "25P03", "25P04")  # no connection, a server that stops, sessions that it ends for lasting too long
CROWDED = ("53300",)  # no connection is left
BUSY = ("55P03", "53200", "53400")  # a lock that was not free in time, no memory, a limit of the server's configuration
CANCELED = "57014"  # by statement_timeout, or by an administrator
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

    Its codes are `storage_full`, `database_unreachable`, `database_read_only`, `database_busy` and `database_slow`.
    """
    if isinstance(error, Outage):
        return error
    if is_full(error):
        sentence = _("The disk of this site is full: nothing more can be saved. Tell the operator of the site.")
        return Outage("storage_full", sentence, wait=LONGER_WAIT)
    if is_lost(error):
        return Outage("database_unreachable", _("The database cannot be reached at the moment."))
    if is_read_only(error):
        sentence = _("Nothing can be saved at the moment: the database is read-only.")
        return Outage("database_read_only", sentence, wait=LONGER_WAIT)
    if is_busy(error):
        return Outage("database_busy", _("The database is busy: too many people are saving at once."))
    if is_slow(error):
        return Outage("database_slow", _("The database took too long to answer."))
    return None


def is_full(error: BaseException | None) -> bool:
    """Whether an exception means that a disk is full, be it the database's or the one that holds files."""
    if isinstance(error, OSError):
        return error.errno in FULL_DISK
    return _sqlite_code(error) in SQLITE_FULL or _sqlstate(error) == FULL_DATABASE


def is_lost(error: BaseException | None) -> bool:
    """Whether an exception means that the connection to PostgreSQL was lost, or that none could be made."""
    if not isinstance(error, OperationalError | InterfaceError | InternalError) or _sqlite_code(error) is not None:
        return False
    state = _sqlstate(error)
    # Without an SQLSTATE, the error comes from the client library: the server did not answer.
    return not state or state.startswith(GONE) or state in CROWDED


def is_read_only(error: BaseException | None) -> bool:
    """Whether an exception means that the database accepts no writes."""
    return _sqlstate(error) == READ_ONLY or _sqlite_code(error) == sqlite3.SQLITE_READONLY


def is_busy(error: BaseException | None) -> bool:
    """Whether an exception means that others kept the database too busy, for example with a lock."""
    return _sqlite_code(error) in SQLITE_BUSY or _sqlstate(error) in BUSY


def is_slow(error: BaseException | None) -> bool:
    """Whether an exception means that PostgreSQL canceled a statement, usually because it took too long."""
    return _sqlstate(error) == CANCELED


def _sqlstate(error: BaseException | None) -> str:
    return str(getattr(getattr(error, "__cause__", None), "sqlstate", None) or "")


def _sqlite_code(error: BaseException | None) -> int | None:
    """The primary result code of an SQLite error, without its extension; None for any other exception."""
    cause = getattr(error, "__cause__", None)
    code = getattr(cause, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(cause, sqlite3.Error) and isinstance(code, int) else None
