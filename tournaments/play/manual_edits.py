"""Preview a manual edit of a draft: what would change, and what it would cost in a Swiss stage."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from tournaments.events.models import Stage
from tournaments.play.field import field_of
from tournaments.play.models import Match, Round
from tournaments.play.services.repairs import pairing_inputs_now
from tournaments.swiss.pairing import cost_of_seating

Seating = dict[int, tuple[int | None, tuple[str, ...]]]
"""By match key: the table (None for a bye), and the public ids of the entrants in the order of the seats."""


@dataclass(frozen=True)
class Changed:
    """A table before and after an edit, with public ids. All byes count as one entry, with `table` None."""

    table: int | None
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True)
class Preview:
    """What an edit would change.

    `before` and `after` are the cost by level, empty unless the stage is Swiss; `forbidden` lists the forbidden pairs
    that would meet.
    """

    changes: tuple[Changed, ...]
    before: dict[str, int]
    after: dict[str, int]
    forbidden: tuple[tuple[str, str], ...]


def preview(round_: Round, change: Callable[[], None]) -> Preview:
    """Preview `change`, a service call that edits the draft.

    The call runs in a transaction that is rolled back, so the preview meets the same refusals as the edit itself.

        preview(draft, partial(swap_players, round_=draft, first=a, second=b, by=user, now=now))
    """
    with transaction.atomic():
        was = seating(round_)
        change()
        now = seating(round_)
        transaction.set_rollback(True)
    swiss = round_.stage.kind == Stage.Kind.SWISS
    barred = {frozenset(pair) for pair in pairing_inputs_now(round_).forbidden}
    return Preview(
        changes=_changes(was, now),
        before=_cost(round_, was) if swiss else {},
        after=_cost(round_, now) if swiss else {},
        forbidden=tuple((ids[0], ids[1]) for _table, ids in now.values() if frozenset(ids) in barred),
    )


def seating(round_: Round) -> Seating:
    """Who sits where in a round."""
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
    changes = (Changed(table, before.get(table, ()), after.get(table, ())) for table in tables)
    return tuple(change for change in changes if sorted(change.was) != sorted(change.now))


def _by_table(seated: Seating) -> dict[int | None, tuple[str, ...]]:
    tables: dict[int | None, tuple[str, ...]] = {}
    for table, ids in seated.values():
        tables[table] = (*tables.get(table, ()), *ids)
    return tables


def _cost(round_: Round, seated: Seating) -> dict[str, int]:
    """The cost of a seating by level. Several byes add up; awarded byes cost nothing."""
    inputs = pairing_inputs_now(round_)
    known = inputs.on(field_of(round_.stage, before=round_.number))
    seated_together = [ids for _table, ids in seated.values() if set(ids).isdisjoint(inputs.options.awarded)]
    return cost_of_seating(known, seated_together, inputs.options)
