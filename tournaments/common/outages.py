"""What is nobody's fault and passes: the database cannot be reached or is busy, or the disk is full.

Each is a refusal with HTTP 503 and a time to wait, never a 500. See docs/operations.md.
"""

import errno
import sqlite3

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal

WAIT = 5  # seconds after which a page tries again
LONGER_WAIT = 60  # a disk is not emptied in a moment
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FULL_DATABASE = "53100"
GONE = ("08", "57P")  # PostgreSQL's classes of a connection that failed, and of a server that stops
CROWDED = ("53300",)  # it has no connection left
SQLITE_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Outage(Refusal):
    """Something that everything needs is away (HTTP 503). `wait` is in seconds."""

    status = 503

    def __init__(self, code: str, message: object, *, wait: int = WAIT) -> None:
        super().__init__(code, message)
        self.wait = wait


def outage_of(error: BaseException | None) -> Outage | None:
    """The outage that an exception tells of; None for any other exception."""
    if isinstance(error, Outage):
        return error
    if is_full(error):
        sentence = _("The disk of this site is full: nothing more can be saved. Tell the people who run the site.")
        return Outage("storage_full", sentence, wait=LONGER_WAIT)
    if is_lost(error):
        return Outage("database_unreachable", _("The database cannot be reached for the moment."))
    if _sqlite_code(error) in SQLITE_BUSY:
        return Outage("database_busy", _("The database is busy: too much is being saved at once."))
    return None


def is_full(error: BaseException | None) -> bool:
    """Whether an exception says that the disk is full, the database's or that of files."""
    if isinstance(error, OSError):
        return error.errno in FULL_DISK
    return _sqlite_code(error) in SQLITE_FULL or _sqlstate(error) == FULL_DATABASE


def is_lost(error: BaseException | None) -> bool:
    """Whether an exception says that the connection to the database was lost, or that there was none to be had."""
    if not isinstance(error, OperationalError | InterfaceError) or _sqlite_code(error) is not None:
        return False
    state = _sqlstate(error)
    return not state or state.startswith(GONE) or state in CROWDED


def _sqlstate(error: BaseException | None) -> str:
    return str(getattr(getattr(error, "__cause__", None), "sqlstate", None) or "")


def _sqlite_code(error: BaseException | None) -> int | None:
    """The primary result code of an error of SQLite; None for any other exception."""
    cause = getattr(error, "__cause__", None)
    code = getattr(cause, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(cause, sqlite3.Error) and isinstance(code, int) else None
