"""Copy everything from SQLite to PostgreSQL and compare the copy, value by value. Used by a command only."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

import environ
import psycopg
from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import Error, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor

TARGET = "postgresql"  # the alias of the new database
ENCODE = "in the user and password, write any character that is not a letter or digit as %40, %2F and so on"
ROWS = 500  # read at a time: rows of photos and boards are large
Said = Callable[[str], Any]


class MoveRefused(Exception):
    """A move that cannot be made; the message says why. The new database is as it was, but for its empty tables."""


def move(url: str, *, force: bool, say: Said) -> None:
    """Copy all rows of the SQLite database to the PostgreSQL database at `url`, in one transaction.

    Nobody can write to SQLite meanwhile. Each table is read again and compared before the commit. `say` is called with
    a line for each table. Raises MoveRefused if this database is not SQLite or not migrated, if the other cannot be
    used, or holds an account or event and `force` is false, or if a row does not fit or is not the same afterwards.
    """
    if connection.vendor != "sqlite":
        raise MoveRefused("this database is not SQLite: DATABASE_URL must name the one to copy")
    if _unmigrated():
        raise MoveRefused("this database is not migrated: run manage.py migrate first")
    if newer := _from_a_newer_version():
        raise MoveRefused(f"a newer version of Arbitre has migrated this database ({newer}): move it with that version")
    with _target(url):
        try:
            call_command("migrate", database=TARGET, interactive=False, verbosity=0)
            if not force and _holds_data():
                raise MoveRefused("the new database is not empty; --force replaces all that is in it")
            with transaction.atomic(), transaction.atomic(using=TARGET):
                _copy_all(say)
        except Error as error:
            raise MoveRefused(f"nothing was copied: {' '.join(str(error).split())}") from error


@contextmanager
def _target(url: str) -> Iterator[None]:
    """Connect to the other database under the alias `TARGET`."""
    try:
        config = environ.Env.db_url_config(url) | {"ENGINE": "django.db.backends.postgresql"}
    except ValueError:  # whose message may hold a part of the password
        raise MoveRefused(f"the address of the new database cannot be read: {ENCODE}") from None
    if not url.startswith(("postgres://", "postgresql://")) or not config["NAME"]:
        raise MoveRefused("the new database must be named as postgres://user:password@host:5432/name")
    connections.databases[TARGET] = connections.configure_settings({"default": config})["default"]
    try:
        yield
    finally:
        connections[TARGET].close()
        del connections[TARGET]
        del connections.databases[TARGET]


def _unmigrated() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _from_a_newer_version() -> str:
    """A migration of ours that this version does not have: it may have added columns that a copy would leave out."""
    ours = {app.label for app in apps.get_app_configs() if app.name.startswith("tournaments.")}
    loader = MigrationExecutor(connection).loader
    unknown = [f"{app}.{name}" for app, name in loader.applied_migrations if app in ours]
    known = {f"{app}.{name}" for app, name in loader.disk_migrations}
    return min(set(unknown) - known, default="")


def _holds_data() -> bool:
    kinds = (apps.get_model("accounts", "User"), apps.get_model("events", "Event"))
    return any(kind._base_manager.using(TARGET).exists() for kind in kinds)


def tables() -> list[type[models.Model]]:
    """Every table of the installed apps, with those that join two others, but not the list of migrations."""
    kinds = apps.get_models(include_auto_created=True)
    return [kind for kind in kinds if kind._meta.managed and not kind._meta.proxy]


def _copy_all(say: Said) -> None:
    """Empty the new tables, copy all rows, then compare them and check what they refer to."""
    kinds, target = tables(), connections[TARGET]
    names = ", ".join(target.ops.quote_name(kind._meta.db_table) for kind in kinds)
    with target.cursor() as cursor:
        # Also what migrations wrote there: it comes from the old database, with the ids that it has there.
        cursor.execute(f"TRUNCATE {names}")
    for number, kind in enumerate(kinds, 1):
        rows = _copy(kind)
        _compare(kind)
        say(f"{number}/{len(kinds)} {kind._meta.db_table}: {rows} rows")
    with target.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # until here, a row may refer to one that comes later
        for statement in target.ops.sequence_reset_sql(no_style(), kinds):
            cursor.execute(statement)


def _copy(kind: type[models.Model]) -> int:
    """Copy the rows of one table with PostgreSQL's COPY; return how many there were."""
    fields, target = kind._meta.local_concrete_fields, connections[TARGET]
    quoted = target.ops.quote_name
    columns = ", ".join(quoted(str(field.column)) for field in fields)
    command = f"COPY {quoted(kind._meta.db_table)} ({columns}) FROM STDIN"
    rows = 0
    try:
        with target.cursor() as cursor, cursor.copy(command) as copy:
            for row in _rows(kind, "default"):
                rows += 1
                copy.write_row([_stored(field, value) for field, value in zip(fields, row, strict=True)])
    except (psycopg.Error, Error) as error:
        raise MoveRefused(f"nothing was copied: {kind._meta.db_table}{_why(error)}") from None
    return rows


def _why(error: Exception) -> str:
    """What PostgreSQL says about a row, with the column but without the row: it may hold names and addresses."""
    known = error if isinstance(error, psycopg.Error) else error.__cause__
    if not isinstance(known, psycopg.Error) or known.diag.message_primary is None:
        return f": {error}"
    column = re.search(r"column (\w+)", known.diag.context or "")
    return f"{'.' + column[1] if column else ''}: {known.diag.message_primary}"


def _stored(field: "models.Field[Any, Any]", value: Any) -> Any:
    """A value as PostgreSQL's driver takes it."""
    return field.get_db_prep_save(value, connection=connections[TARGET])


def _rows(kind: type[models.Model], alias: str) -> Iterator[tuple[Any, ...]]:
    """All rows of a table in one database, in the order of their keys, as Python values."""
    names = [field.attname for field in kind._meta.local_concrete_fields]
    found = kind._base_manager.using(alias).order_by("pk").values_list(*names)
    return found.iterator(chunk_size=ROWS)


def _compare(kind: type[models.Model]) -> None:
    """Read a table from both databases. Raises MoveRefused for the first row that differs, or is in one of them."""
    fields = kind._meta.local_concrete_fields
    binary = [at for at, field in enumerate(fields) if isinstance(field, models.BinaryField)]
    for old, new in zip_longest(_rows(kind, "default"), _rows(kind, TARGET)):
        if old is None or new is None or _plain(old, binary) != _plain(new, binary):
            key = (old or new)[0]
            raise MoveRefused(f"nothing was copied: a row of {kind._meta.db_table} came out different ({key})")


def _plain(row: tuple[Any, ...], binary: list[int]) -> list[Any]:
    """A row in which binary values are bytes, whatever the database returns them as."""
    plain = list(row)
    for at in binary:
        plain[at] = None if plain[at] is None else bytes(plain[at])
    return plain
