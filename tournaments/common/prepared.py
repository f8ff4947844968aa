"""Queries that every page runs, with their SQL built once: Django takes five times as long to build it as to run it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


class SmallInt(int):
    """The kind of a value that is compared with a small integer column: its stand-in must fit there."""


# Values by which the parameters are recognized in the compiled SQL. No query uses them as constants of its own. They
# fit their columns, because Django leaves out a comparison that the range of a column decides.
STAND_INS: dict[type, Callable[[int], Any]] = {
    str: lambda n: f"stand-in-{n}",
    int: lambda n: 1_987_654_321 + n,
    SmallInt: lambda n: 31_987 + n,
}


class Prepared(Generic[M]):
    """A query for whole rows of one table, annotations included, without `select_related`.

    `build` makes the query set from the values it will be run with, whose types are `kinds` (str, int or SmallInt). It
    must pass each value to the query unchanged, because the SQL is built once, with placeholders in place of the
    values; otherwise `rows` raises ValueError.

        STAFF = Prepared(lambda user: StaffRole.objects.filter(user=user), int)
        STAFF.rows(user.pk)
    """

    def __init__(self, build: Callable[..., QuerySet[M]], *kinds: type) -> None:
        self._build = build
        self._stand_ins = tuple(STAND_INS[kind](number) for number, kind in enumerate(kinds))

    def rows(self, *values: Any) -> list[M]:
        """Run the query with these values and return its rows."""
        model, sql, order = self._compiled
        given = [values[each] if isinstance(each, int) else each[0] for each in order]
        return list(model._default_manager.raw(sql, given))

    @cached_property
    def _compiled(self) -> tuple[type[M], str, list[int | tuple[Any]]]:
        """The model, the SQL, and for each parameter the index of its value, or a one-tuple with a constant."""
        query = self._build(*self._stand_ins)
        sql, params = query.query.sql_with_params()
        order = [self._stand_ins.index(each) if each in self._stand_ins else (each,) for each in params]
        missing = set(range(len(self._stand_ins))) - {each for each in order if isinstance(each, int)}
        if missing:
            raise ValueError(f"{connection.vendor}: the query does not use value {min(missing)} as it is")
        return query.model, sql, order
