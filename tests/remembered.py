"""Remember the rows a builder writes, and copy them when it is called again with the same arguments on the same rows.

Half of the time of the page tests went into building the same running event again and again. Copied are the rows that
the services wrote the first time, including their primary keys and public ids. Each process remembers its own.

On SQLite a rollback resets the counters of primary keys, so the next test begins with the same rows. PostgreSQL never
gives a key twice, so a copy has keys that nothing else has, and what is built upon a copy is found again.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any, NamedTuple, ParamSpec, TypeVar

import psycopg
from django.conf import Settings, settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone, translation

from tournaments.standings.selectors import _ranking

P = ParamSpec("P")
R = TypeVar("R")
# By table, then on SQLite by rowid; on PostgreSQL a row is its own text, by which it is found as well.
Rows = dict[str, dict[Any, Any]]
COUNTERS = "sqlite_sequence"  # maintained by SQLite itself
FIXED = ("auth_permission", "django_content_type", "django_migrations")  # no builder writes to them
MOST = 500  # what a process remembers: on PostgreSQL most of it is never found again
PLAIN = (str, int, float, bool, bytes, date, type(None))


class Written(NamedTuple):
    """What a builder did: rows deleted (`gone`) and inserted (`come`), on-commit callbacks, and its result.

    A changed row is in both.
    """

    gone: dict[str, list[Any]]
    come: dict[str, list[Any]]
    asked: list[tuple[Callable[[], object], bool]]
    result: Any


class Unknown(Exception):
    """A builder has an argument that `_described` cannot describe."""


@dataclass(frozen=True)
class _Row:
    """Stands for a row that a builder returned."""

    model: type[Model]
    pk: Any


_kept: OrderedDict[tuple[object, ...], Written] = OrderedDict()


def remembered(builder: Callable[P, R]) -> Callable[P, R]:
    """Copy what a builder wrote before if it is called with the same arguments while every table holds the same rows.

    This works only inside the transaction of a test. Elsewhere, and when a test overrides settings, the builder runs
    every time.
    """

    @functools.wraps(builder)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        if not _can_copy():
            return builder(*args, **kwargs)
        before = _rows()
        try:
            key = (builder, _described((args, kwargs)), _surroundings(), _digest(before))
        except Unknown:
            return builder(*args, **kwargs)
        if key not in _kept:
            _kept[key] = _observed(before, functools.partial(builder, *args, **kwargs))
            if len(_kept) > MOST:
                _kept.popitem(last=False)
        else:
            _kept.move_to_end(key)
            _write(_kept[key])
        return _fresh(_kept[key].result)

    return built


def forget_what_is_kept_by_row() -> None:
    """Empty the caches of the code under test that are keyed by primary keys, which are the same in several tests."""
    if _can_copy():
        cache.clear()
        _ranking.cache_clear()


def _can_copy() -> bool:
    return connection.in_atomic_block and type(settings._wrapped) is Settings


def _surroundings() -> tuple[object, ...]:
    return translation.get_language(), timezone.now().date()


def _described(value: Any) -> Any:
    """A hashable value that describes an argument of a builder completely. Raises `Unknown`."""
    if isinstance(value, Model):
        columns = value._meta.concrete_fields
        return type(value), tuple(repr(value.__dict__.get(column.attname)) for column in columns)
    if isinstance(value, (list, tuple)):
        return tuple(_described(item) for item in value)
    if isinstance(value, dict):
        return tuple((key, _described(item)) for key, item in sorted(value.items()))
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), _described([getattr(value, field.name) for field in fields(value)])
    if isinstance(value, PLAIN):
        return type(value), value
    raise Unknown(value)


def _observed(before: Rows, build: Callable[[], Any]) -> Written:
    asked = len(connection.run_on_commit)
    result = build()
    after, gone, come = _rows(), {}, {}
    for table in before.keys() | after.keys():
        old, new = before.get(table, {}), after.get(table, {})
        if old != new and table != COUNTERS:
            gone[table] = [row for row in old if old[row] != new.get(row)]
            come[table] = [new[row] for row in new if new[row] != old.get(row)]
    calls = [(function, robust) for _savepoints, function, robust in connection.run_on_commit[asked:]]
    return Written(gone, come, calls, _named(result))


def _write(written: Written) -> None:
    sqlite = connection.vendor == "sqlite"
    for table, rows in written.gone.items():
        (_delete_by_rowid if sqlite else _delete_by_text)(table, rows)
    for table, rows in written.come.items():
        if rows:
            (_insert_values if sqlite else _insert_texts)(table, rows)
    for function, robust in written.asked:
        transaction.on_commit(function, robust=robust)


def _delete_by_rowid(table: str, rows: list[Any]) -> None:
    connection.connection.executemany(f'DELETE FROM "{table}" WHERE rowid = ?', [(row,) for row in rows])


def _insert_values(table: str, rows: list[Any]) -> None:
    names, marks = ", ".join(("rowid", *_columns(table))), ", ".join("?" * len(rows[0]))
    connection.connection.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)


def _delete_by_text(table: str, rows: list[Any]) -> None:
    _directly(f'DELETE FROM "{table}" AS held WHERE held::text = ANY(%s)', [rows])


def _insert_texts(table: str, rows: list[Any]) -> None:
    read = f'SELECT unnest(%s::text[])::"{table}" AS line'
    _directly(f'INSERT INTO "{table}" SELECT (line).* FROM ({read}) AS lines', [rows])


def _directly(statement: str, values: list[Any] | None = None) -> psycopg.Cursor[tuple[Any, ...]]:
    """Execute a statement without Django, because a test may be counting its queries."""
    return psycopg.Cursor(connection.connection).execute(statement, values, prepare=True)


def _rows() -> Rows:
    """Every row of every table that a builder may write to."""
    if connection.vendor == "sqlite":
        return _rows_of_sqlite()
    found: Rows = {}
    for table, row in _directly(_all_rows()):
        found.setdefault(table, {})[row] = row
    return found


def _rows_of_sqlite() -> Rows:
    database = connection.connection  # without Django, because a test may be counting its queries
    found = {}
    for table in _tables():
        rows = database.execute(f'SELECT rowid, * FROM "{table}"').fetchall()
        if rows:
            found[table] = {row[0]: row for row in rows}
    return found


@functools.cache
def _all_rows() -> str:
    """The query for every row of PostgreSQL's tables, as text from which the row can be read again."""
    asked = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
    tables = [table for (table,) in _directly(asked) if table not in FIXED]
    return " UNION ALL ".join(f"SELECT '{table}', held::text FROM \"{table}\" AS held" for table in tables)


@functools.cache
def _tables() -> tuple[str, ...]:
    asked = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    return tuple(name for (name,) in connection.connection.execute(asked) if name not in FIXED)


@functools.cache
def _columns(table: str) -> tuple[str, ...]:
    return tuple(f'"{row[1]}"' for row in connection.connection.execute(f'PRAGMA table_info("{table}")'))


def _digest(rows: Rows) -> int:
    # In no order: PostgreSQL returns rows in that in which they happen to lie.
    return hash(frozenset((table, frozenset(held.values())) for table, held in rows.items()))


def _named(result: Any) -> Any:
    if isinstance(result, Model):
        return _Row(type(result), result.pk)
    if is_dataclass(result) and not isinstance(result, type):
        return type(result), [_named(getattr(result, field.name)) for field in fields(result)]
    return result


def _fresh(result: Any) -> Any:
    """A builder's result, read from the database again, so that no test sees what another did to the objects."""
    if isinstance(result, _Row):
        return result.model._base_manager.get(pk=result.pk)
    if isinstance(result, tuple):
        made, items = result
        return made(*_each(items))
    return result


def _each(items: Iterable[Any]) -> list[Any]:
    return [_fresh(item) for item in items]
