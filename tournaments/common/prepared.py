"""Queries that every page runs, with their SQL built once: Django takes five times as long to build it as to run it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable

M = TypeVar("M", bound=Model)


class SmallInt(int):
    """The kind of a value that is compared with a small integer column: its stand-in must fit there."""


class Keys(list[int]):
    """The kind of a value that is a list of keys, for `__in`. Its SQL is built once for each power of two."""


class Names(list[str]):
    """The same for a list of texts."""


ELEMENTS: dict[type, type] = {Keys: int, Names: str}  # of the kinds that are lists
MOST = 256  # elements of a list; for longer ones the query is built anew
# Values by which the parameters are recognized in the compiled SQL. No query uses them as constants of its own. They
# fit their columns, because Django leaves out a comparison that the range of a column decides.
STAND_INS: dict[type, Callable[[int], Any]] = {
    str: lambda n: f"stand-in-{n}",
    int: lambda n: 1_987_654_321 + n,
    SmallInt: lambda n: 31_987 + n,
}


class Prepared(Generic[M]):
    """A query for whole rows of one table, with annotations and `select_related`, but without prefetches.

    `build` makes the query set from the values it will be run with, whose types are `kinds` (str, int, SmallInt, Keys
    or Names). It must pass each value to the query unchanged, because the SQL is built once, with placeholders in place
    of the values; otherwise `rows` raises ValueError.

        STAFF = Prepared(lambda user: StaffRole.objects.filter(user=user), int)
        STAFF.rows(user.pk)
    """

    def __init__(self, build: Callable[..., QuerySet[M]], *kinds: type) -> None:
        self._build = build
        self._kinds = kinds
        self._compiled: dict[tuple[int, ...], _Compiled] = {}

    def rows(self, *values: Any) -> list[M]:
        """Run the query with these values and return its rows."""
        pairs = list(zip(self._kinds, values, strict=True))
        lists = [value for kind, value in pairs if kind in ELEMENTS]
        if not all(lists):
            return []
        if any(len(each) > MOST for each in lists):
            return list(self._build(*values))
        given = [_filled(value) if kind in ELEMENTS else [value] for kind, value in pairs]
        sizes = tuple(map(len, given))
        compiled = self._compiled.get(sizes)
        if compiled is None:
            compiled = self._compiled[sizes] = _Compiled(self._build, self._kinds, sizes)
        return cast(list[M], compiled.rows([each for several in given for each in several]))


def _filled(elements: Iterable[Any]) -> list[Any]:
    """The elements, the last one repeated up to the next power of two."""
    every = list(elements)
    return every + every[-1:] * ((1 << (len(every) - 1).bit_length()) - len(every))


class _Compiled:
    """A query with its SQL, for lists with as many elements as `sizes` says (1 for a value that is no list)."""

    def __init__(self, build: Callable[..., QuerySet[Any]], kinds: Sequence[type], sizes: Sequence[int]) -> None:
        numbers = iter(range(sum(sizes)))
        stand_ins = [
            [STAND_INS[ELEMENTS.get(kind, kind)](next(numbers)) for _ in range(size)]
            for kind, size in zip(kinds, sizes, strict=True)
        ]
        values = [each if kind in ELEMENTS else each[0] for kind, each in zip(kinds, stand_ins, strict=True)]
        # The connection itself: through the proxy, making models of the rows takes three times as long.
        self._compiler: Any = build(*values).query.get_compiler(connection=connections[DEFAULT_DB_ALIAS])
        self._sql, params = self._compiler.as_sql()
        columns = [column for column, *_rest in self._compiler.select]
        self._converters = self._compiler.get_converters(columns)
        flat = [each for several in stand_ins for each in several]
        # For each parameter, the index of its value, or a one-tuple with a constant.
        self._order: list[int | tuple[Any]] = [flat.index(each) if each in flat else (each,) for each in params]
        missing = set(range(len(flat))) - {each for each in self._order if isinstance(each, int)}
        if missing:
            value = next(at for at, several in enumerate(stand_ins) if flat[min(missing)] in several)
            raise ValueError(f"{connection.vendor}: the query does not use value {value} as it is")

    def rows(self, values: Sequence[Any]) -> list[Any]:
        given = [values[each] if isinstance(each, int) else each[0] for each in self._order]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, given)
            found = cursor.fetchall()
        rows = self._compiler.apply_converters(found, self._converters) if self._converters else found
        return list(ModelIterable(cast(Any, _Answered(self._compiler, rows))))


class _Answered:
    """Stands in for a query set, its query and its compiler, once the rows are there: Django makes models of them."""

    db = DEFAULT_DB_ALIAS
    _known_related_objects: Mapping[Any, Any] = {}

    def __init__(self, compiler: Any, rows: Iterable[Any]) -> None:
        self._rows = rows
        self.query = self
        self.select, self.klass_info = compiler.select, compiler.klass_info
        self.annotation_col_map = compiler.annotation_col_map

    def get_compiler(self, **_using: Any) -> "_Answered":
        return self

    def execute_sql(self, **_options: Any) -> None:
        """Django asks for the rows with `results_iter`."""

    def results_iter(self, _results: None) -> Iterable[Any]:
        return self._rows
