"""The tables themselves. Columns are names that do not change with the language; drafts are in none of them.

A CSV is UTF-8 with a byte-order mark, so that spreadsheets read accents; a cell that such a program would take for a
formula gets an apostrophe in front.
"""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Any

from tournaments.decks.engine_gate import card_names
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.play.models import Match, Round
from tournaments.standings.selectors import standings_of

Row = tuple[Any, ...]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Table:
    """A table: its name, the names of its columns, its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def as_dicts(self) -> list[dict[str, Any]]:
        """The rows with their columns' names; instants as ISO 8601."""
        return [
            {
                name: value.isoformat() if isinstance(value, datetime) else value
                for name, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]


def as_csv(table: Table) -> bytes:
    """A table as CSV (RFC 4180), empty cells for what is not there."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return out.getvalue().encode("utf-8-sig")


def as_json(event: Event, table: Table) -> bytes:
    """A table as a JSON document: the event, the table's name, its rows."""
    document = {"event": event.public_id, "table": table.name, "rows": table.as_dicts()}
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text


def table_of(event: Event, name: str) -> Table:
    """A table of an event as it stands now; KeyError for a name that is none."""
    return TABLES[name](event)


def _entrants(event: Event) -> Table:
    columns = ("entrant", "name", "status", "registered_at", "checked_in_at", "dropped_after")
    rows = (
        (each.public_id, each.name, each.status, each.registered_at, each.checked_in_at, each.dropped_after)
        for each in entrants_of(event)
    )
    return Table("entrants", columns, tuple(rows))


def _matches(event: Event) -> Iterator[Match]:
    shown = Match.objects.filter(round__stage__event=event).exclude(round__status=Round.Status.DRAFT)
    yield from (
        shown
        .select_related("round__stage")
        .prefetch_related("seats__entrant__member_set__person")
        .order_by("round__stage__number", "round__number", "table", "pk")
    )


SEATED = ("stage", "round", "table", "match", "seat", "entrant", "name")


def _seated(match: Match) -> Iterator[tuple[Any, Row]]:
    for seat in sorted(match.seats.all(), key=lambda seat: seat.number):
        where = (match.round.stage.number, match.round.number, match.table, match.public_id)
        yield seat, (*where, seat.number, seat.entrant.public_id, seat.entrant.name)


def _pairings(event: Event) -> Table:
    """A row a seat; a bye has one seat and no table."""
    rows = (row for match in _matches(event) for _seat, row in _seated(match))
    return Table("pairings", SEATED, tuple(rows))


def _results(event: Event) -> Table:
    """A row a seat of the matches whose result counts."""
    columns = (*SEATED, "kind", "authority", "games_won", "games_drawn", "points", "rank", "score")
    rows = (
        (*row, match.kind, match.authority, seat.games_won, match.games_drawn, seat.points, seat.rank, seat.score)
        for match in _matches(event)
        if match.has_result
        for seat, row in _seated(match)
    )
    return Table("results", columns, tuple(rows))


def _standings(event: Event) -> Table:
    """The newest standings of the stage being played; tiebreaks are exact fractions."""
    state = standings_of(current_stage(event))
    names = {entrant.public_id: entrant.name for entrant in entrants_of(event)}
    columns = ("rank", "entrant", "name", "points", "won", "lost", "drawn", *state.terms)
    rows = (
        (
            row["rank"],
            row["entrant"],
            names.get(row["entrant"], ""),
            row["points"],
            *row["record"],
            *(row["exact"][term] for term in state.terms),
        )
        for row in state.rows
    )
    return Table("standings", columns, tuple(rows))


def _decks(event: Event) -> Table:
    """A row a card of the lists that count; `part` is commander, main or side."""
    lists = current_lists(current_stage(event)).select_related("entrant").order_by("entrant__registered_at", "pk")
    found = list(lists.prefetch_related("entrant__member_set__person"))
    names = card_names(event) if found else {}
    columns = ("entrant", "name", "version", "digest", "legal", "part", "card", "card_name", "copies")
    rows = (
        (
            each.entrant.public_id,
            each.entrant.name,
            each.version,
            each.digest,
            each.legal,
            part,
            ref,
            names.get(ref, ref),
            copies,
        )
        for each in found
        for part, value in each.cards.items()
        if value
        for ref, copies in (value.items() if isinstance(value, dict) else ((str(value), 1),))
    )
    return Table("decks", columns, tuple(rows))


TABLES: Mapping[str, Callable[[Event], Table]] = {
    "entrants": _entrants,
    "pairings": _pairings,
    "results": _results,
    "standings": _standings,
    "decks": _decks,
}
