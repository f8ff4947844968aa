"""What a change by hand would cost a Swiss draft, told before it is done."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from tournaments.events.models import Stage
from tournaments.play.field import field_of
from tournaments.play.models import Match, Round
from tournaments.play.repairs import wishes_now
from tournaments.swiss.pairing import cost_of_seating

Seating = dict[int, tuple[int | None, tuple[str, ...]]]
"""The table, None for a bye, and the entrants seat by seat, by the key of the match."""


@dataclass(frozen=True)
class Changed:
    """A table before and after; `table` is None for byes, which are told together."""

    table: int | None
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """What changes; the cost by level before and after, empty but in a Swiss stage; who must not meet and would."""

    changes: tuple[Changed, ...]
    before: dict[str, int]
    after: dict[str, int]
    forbidden: tuple[tuple[str, str], ...]


def tried(round_: Round, change: Callable[[], None]) -> Tried:
    """Do `change`, a gesture on the draft with all its refusals, look at what became of it, and take it back."""
    with transaction.atomic():
        was = seating(round_)
        change()
        now = seating(round_)
        transaction.set_rollback(True)
    swiss = round_.stage.kind == Stage.Kind.SWISS
    barred = {frozenset(pair) for pair in wishes_now(round_).forbidden}
    return Tried(
        changes=_changes(was, now),
        before=_cost(round_, was) if swiss else {},
        after=_cost(round_, now) if swiss else {},
        forbidden=tuple((ids[0], ids[1]) for _table, ids in now.values() if frozenset(ids) in barred),
    )


def seating(round_: Round) -> Seating:
    """Who sits where."""
    matches = Match.objects.filter(round=round_).prefetch_related("seats__entrant").order_by("table", "pk")
    return {
        match.pk: (
            match.table,
            tuple(seat.entrant.public_id for seat in sorted(match.seats.all(), key=lambda seat: seat.number)),
        )
        for match in matches
    }


def _changes(was: Seating, now: Seating) -> tuple[Changed, ...]:
    before, after = _by_table(was), _by_table(now)
    tables = sorted(before.keys() | after.keys(), key=lambda table: (table is None, table or 0))
    told = (Changed(table, before.get(table, ()), after.get(table, ())) for table in tables)
    return tuple(change for change in told if sorted(change.was) != sorted(change.now))


def _by_table(seated: Seating) -> dict[int | None, tuple[str, ...]]:
    tables: dict[int | None, tuple[str, ...]] = {}
    for table, ids in seated.values():
        tables[table] = (*tables.get(table, ()), *ids)
    return tables


def _cost(round_: Round, seated: Seating) -> dict[str, int]:
    """The cost of a seating by level; several byes add up, and byes that were awarded cost nothing."""
    wishes = wishes_now(round_)
    known = wishes.on(field_of(round_.stage, before=round_.number))
    seated_together = [ids for _table, ids in seated.values() if set(ids).isdisjoint(wishes.options.awarded)]
    return cost_of_seating(known, seated_together, wishes.options)
