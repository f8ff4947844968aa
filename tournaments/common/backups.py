"""Back up the whole database to one file while the site runs, and restore it. Used by commands only, not by pages.

A backup is an uncompressed tar with two members: `manifest.json`, and `database`, which is a SQLite database or a dump
made by `pg_dump`. Uploaded files are stored in the database, so nothing else needs a backup.
"""

import json
import os
import secrets
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from django.db import DatabaseError, connection
from django.dispatch import Signal

from tournaments.common.management.typed import why

FORMAT = "arbitre-backup"
MANIFEST, DATABASE = "manifest.json", "database"
PAGES = 1_000  # SQLite pages copied per step; writers get their turn between two steps


before_copy = Signal()
"""Sent before the database is copied or replaced by a backup: receivers save what must outlive it. Raises OSError."""

restored = Signal()
"""Sent when a backup has been restored and migrated: receivers bring it up to date, and return a sentence about it."""


class BackupRefused(Exception):
    """A backup that cannot be made or restored; the message says why."""


def backup(path: Path, *, now: datetime) -> None:
    """Write a backup of the database to `path`: either the complete file or nothing.

    `now` is recorded in the manifest. Raises BackupRefused if the file exists already, or if `pg_dump` is missing or
    fails, and OSError if a file cannot be written.
    """
    if path.is_dir():
        raise BackupRefused(f"{path} is a folder: add the name of a file")
    if path.exists():
        raise BackupRefused(f"{path} is there already")
    if not path.parent.is_dir():
        raise BackupRefused(f"there is no folder {path.parent}")
    # In the same folder, because a rename is only atomic there. Two backups at once have two names.
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        _save_journal()
        with _scratch() as copy:
            (_copy_sqlite if _is_sqlite() else _dump_postgresql)(copy)
            manifest = {"format": FORMAT, "version": 1, "database": connection.vendor, "made_at": now.isoformat()}
            with _private_file(aside) as out, tarfile.open(fileobj=out, mode="w") as tar:
                written = json.dumps(manifest).encode()
                entry = tarfile.TarInfo(MANIFEST)
                entry.size = len(written)
                tar.addfile(entry, BytesIO(written))
                tar.add(copy, DATABASE)
        if path.exists():
            raise BackupRefused(f"{path} is there already")
        aside.rename(path)
    except OSError as error:
        error.filename = error.filename or str(path.parent)  # a full disk names none
        raise
    finally:
        aside.unlink(missing_ok=True)


def check(path: Path) -> str:
    """Read a backup again from its beginning to its end; return a sentence on what was checked.

    It is not restored: that the site runs on it is not shown by this. Raises BackupRefused if it cannot be read.
    """
    with _opened(path) as copy:
        if _is_sqlite():
            with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as database:
                _check_sqlite(database)
            return "checked: SQLite finds the database in it intact"
        _run_tool("pg_restore", "--file=/dev/null", str(copy))  # reads and unpacks every row, and sends it nowhere
        return "checked: pg_restore reads all of the dump in it"


def restore(path: Path, *, force: bool = False) -> None:
    """Restore a backup into the database, replacing everything in it.

    Raises BackupRefused if the database holds an account or an event and `force` is false, if the file is missing,
    damaged or not a backup of this version, or if it was made from another database engine.
    """
    with _opened(path) as copy:
        if not force and not _is_empty():
            raise BackupRefused("the database is not empty; --force replaces all that is in it")
        if force:
            _before_replacing()
        (_restore_sqlite if _is_sqlite() else _restore_postgresql)(copy)


@contextmanager
def _opened(path: Path) -> Iterator[Path]:
    """The database in a backup, as a temporary file. Raises BackupRefused, and OSError if a file cannot be read."""
    if not path.exists():
        raise BackupRefused(f"there is no file {path}")
    with _scratch() as copy:
        try:
            with tarfile.open(path) as tar:
                manifest = _manifest(tar)
                if manifest["database"] != connection.vendor:
                    raise BackupRefused(f"a backup of {manifest['database']}; this database is {connection.vendor}")
                source = tar.extractfile(DATABASE)
                if source is None:
                    raise KeyError(DATABASE)
                with copy.open("wb") as target:
                    shutil.copyfileobj(source, target)
        except (tarfile.TarError, KeyError, ValueError, EOFError, zlib.error) as error:
            raise BackupRefused(_unread(path)) from error
        yield copy


def _unread(path: Path) -> str:
    """Why a file cannot be read as a backup."""
    with path.open("rb") as file:
        begins = file.read(40)
    if begins.startswith((b"age-encryption.org", b"-----BEGIN AGE")):
        return f"{path} is encrypted: decrypt it first, with age --decrypt"
    if begins.startswith(b"SQLite format 3"):
        return f"{path} is a SQLite database and not a file that manage.py backup wrote"
    return f"{path} is not a backup, or it is damaged"


def _save_journal() -> None:
    try:
        before_copy.send(sender=None)
    except OSError as error:
        raise BackupRefused(f"the erasure journal cannot be written: {why(error)}") from error


def _before_replacing() -> None:
    """Save what must outlive the present database, if it can be read: it may be damaged, or of another version."""
    with suppress(DatabaseError):
        _save_journal()


def _manifest(tar: tarfile.TarFile) -> dict[str, Any]:
    member = tar.extractfile(MANIFEST)
    manifest = json.loads(member.read(10_000)) if member is not None else None
    if not isinstance(manifest, dict) or (manifest.get("format"), manifest.get("version")) != (FORMAT, 1):
        raise BackupRefused("this is not a backup, or one of another version")
    return manifest


def _private_file(path: Path) -> BinaryIO:
    """Create a file that only its owner can read from the moment it exists, whatever the umask."""
    path.unlink(missing_ok=True)  # left over from a backup that was killed
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="arbitre-backup-") as folder:
        yield Path(folder) / DATABASE


def _is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def _is_empty() -> bool:
    """Whether the database holds no account and no event; without their tables (before `migrate`) it is empty too."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table in ("accounts_user", "events_event"):
            if table in tables:
                cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608 - a name of ours
                if cursor.fetchone():
                    return False
    return True


def _copy_sqlite(copy: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(copy)) as target:
        try:
            connection.connection.backup(target, pages=PAGES)
        except sqlite3.Error as error:
            raise BackupRefused(f"no backup was made, in the folder {copy.parent}: {error}") from error


def _restore_sqlite(copy: Path) -> None:
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as source:
        # Checked first: once the copy has begun, the present database is gone.
        _check_sqlite(source)
        connection.ensure_connection()
        try:
            source.backup(connection.connection)
        except sqlite3.Error as error:
            raise BackupRefused(f"nothing was restored: {error}") from error
    connection.close()


def _check_sqlite(database: sqlite3.Connection) -> None:
    try:
        (found,) = database.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise BackupRefused(f"the database of this backup is damaged: {found}")


def _dump_postgresql(copy: Path) -> None:
    _run_tool("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={copy}")


def _restore_postgresql(copy: Path) -> None:
    connection.close()  # a lock held by this session would block --clean
    flags = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run_tool("pg_restore", *flags, str(copy), dbname=True)


def _run_tool(name: str, *arguments: str, dbname: bool = False) -> None:
    """Run a PostgreSQL client program on this database.

    The password is passed in the environment, because arguments appear in the list of processes. `dbname` adds
    `--dbname`, without which `pg_restore` does not connect but writes SQL to its output.
    """
    program = shutil.which(name)
    if program is None:
        raise BackupRefused(
            f"{name} is not installed: install the client of PostgreSQL, or back up where its server is"
        )
    database = connection.settings_dict
    where = {
        "PGHOST": database["HOST"],
        "PGPORT": str(database["PORT"]),
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
    }
    where |= {"PGDATABASE": database["NAME"]}
    environment = os.environ | {key: value for key, value in where.items() if value}
    target = (f"--dbname={database['NAME']}",) if dbname else ()
    done = subprocess.run(  # noqa: S603 - arguments of ours
        [program, *target, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupRefused(f"{name}: {done.stderr.strip()[-500:]}")
