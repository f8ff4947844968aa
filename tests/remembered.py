"""What a builder writes is kept, and copied where it is called again with the same words on the same rows.

Half of the time of the tests of pages went into building the same running event again and again. What is copied are
the rows that the services wrote the first time, with their identifiers; a process keeps them for itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.conf import Settings, settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone, translation

from tournaments.standings.selectors import _ranking

P = ParamSpec("P")
R = TypeVar("R")
Rows = dict[str, dict[int, tuple[Any, ...]]]  # by table and rowid
COUNTERS = "sqlite_sequence"  # SQLite writes it itself
PLAIN = (str, int, float, bool, bytes, date, type(None))


class Written(NamedTuple):
    """What a builder did: the rows that went and came, what it asked for on commit, and what it returned."""

    gone: dict[str, list[tuple[int]]]
    come: dict[str, list[tuple[Any, ...]]]
    asked: list[tuple[Callable[[], object], bool]]
    result: Any


class Unknown(Exception):
    """Something that a builder was given has no description."""


@dataclass(frozen=True)
class _Row:
    """A row that a builder returned."""

    model: type[Model]
    pk: Any


_kept: dict[tuple[object, ...], Written] = {}


def remembered(builder: Callable[P, R]) -> Callable[P, R]:
    """Copy what a builder wrote where it is called again with the same words, and every table holds the same rows.

    Only on SQLite, whose counters go back with a transaction, and inside the transaction of a test; elsewhere, and
    under settings of a test's own, the builder builds each time.
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
        else:
            _write(_kept[key])
        return _fresh(_kept[key].result)

    return built


def forget_what_is_kept_by_row() -> None:
    """Empty what the code under test keeps of rows, whose identifiers another test of the process has had too."""
    if _can_copy():
        cache.clear()
        _ranking.cache_clear()


def _can_copy() -> bool:
    return connection.vendor == "sqlite" and connection.in_atomic_block and type(settings._wrapped) is Settings


def _surroundings() -> tuple[object, ...]:
    return translation.get_language(), timezone.now().date()


def _described(value: Any) -> Any:
    """Something hashable that says all there is to say of what a builder was given. Raises `Unknown`."""
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
            gone[table] = [(row,) for row in old if old[row] != new.get(row)]
            come[table] = [new[row] for row in new if new[row] != old.get(row)]
    calls = [(function, robust) for _savepoints, function, robust in connection.run_on_commit[asked:]]
    return Written(gone, come, calls, _named(result))


def _write(written: Written) -> None:
    database = connection.connection
    for table, rows in written.gone.items():
        database.executemany(f'DELETE FROM "{table}" WHERE rowid = ?', rows)
    for table, rows in written.come.items():
        if rows:
            names, marks = ", ".join(("rowid", *_columns(table))), ", ".join("?" * len(rows[0]))
            database.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)
    for function, robust in written.asked:
        transaction.on_commit(function, robust=robust)


def _rows() -> Rows:
    """Every row of every table, as SQLite has it, without Django's queries that a test may be counting."""
    database = connection.connection
    found = {}
    for table in _tables():
        rows = database.execute(f'SELECT rowid, * FROM "{table}"').fetchall()
        if rows:
            found[table] = {row[0]: row for row in rows}
    return found


@functools.cache
def _tables() -> tuple[str, ...]:
    asked = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    return tuple(name for (name,) in connection.connection.execute(asked))


@functools.cache
def _columns(table: str) -> tuple[str, ...]:
    return tuple(f'"{row[1]}"' for row in connection.connection.execute(f'PRAGMA table_info("{table}")'))


def _digest(rows: Rows) -> int:
    return hash(tuple((table, *held.values()) for table, held in rows.items()))


def _named(result: Any) -> Any:
    if isinstance(result, Model):
        return _Row(type(result), result.pk)
    if is_dataclass(result) and not isinstance(result, type):
        return type(result), [_named(getattr(result, field.name)) for field in fields(result)]
    return result


def _fresh(result: Any) -> Any:
    """What a builder returned, read anew: no test finds what another one did to the object."""
    if isinstance(result, _Row):
        return result.model._base_manager.get(pk=result.pk)
    if isinstance(result, tuple):
        made, items = result
        return made(*_each(items))
    return result


def _each(items: Iterable[Any]) -> list[Any]:
    return [_fresh(item) for item in items]
