"""What pages and the API read of leagues."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db.models import Count, Q, QuerySet

from tournaments.accounts.models import Person
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.common.tables import Table
from tournaments.events.models import Event
from tournaments.leagues.access import organized_by
from tournaments.leagues.models import League, LeagueTable
from tournaments.leagues.rules import read_rules
from tournaments.swiss.league import Rules


@dataclass(frozen=True)
class ShownResult:
    """What one event gave a player, as `swiss.league.Result` tells it."""

    event: Event
    entrant: str
    place: int
    sharing: int
    match_points: Fraction
    by_rank: Fraction
    by_matches: Fraction
    attendance: Fraction
    why: str

    @property
    def points(self) -> Fraction:
        """What competes for a place among the best."""
        return self.by_rank + self.by_matches

    @property
    def given(self) -> Fraction:
        """What goes into the total."""
        return self.attendance + (self.points if self.why == "counts" else 0)


@dataclass(frozen=True)
class ShownLine:
    """A player of a league with every result, best first. The name is the one that the person chose to show."""

    rank: int
    sharing: int
    player: str
    name: str
    total: Fraction
    results: list[ShownResult]

    @cached_property
    def came(self) -> int:
        """How many events the player came to."""
        return len({result.event.pk for result in self.results})

    @cached_property
    def dropped(self) -> int:
        """How many results do not count."""
        return sum(result.why != "counts" for result in self.results)


@dataclass(frozen=True)
class ShownLeague:
    """The newest standings of a league, and whether newer ones are on their way."""

    league: League
    table: LeagueTable | None
    lines: list[ShownLine]
    computing: bool
    failed: bool

    @property
    def rules(self) -> Rules:
        """By which the points are given."""
        return read_rules(self.league.rules)

    def line_of(self, player: str) -> ShownLine | None:
        """The line of a player, by the person's public id."""
        return next((line for line in self.lines if line.player == player), None)


def open_leagues() -> QuerySet[League]:
    """The leagues that are listed for everybody, newest first, with how many events they hold."""
    return _listed(Q(visibility=League.Visibility.PUBLIC))


def leagues_of(user: Any) -> QuerySet[League]:
    """An account's own leagues, in the same way."""
    return _listed(Q(owner=user))


def leagues_seen(user: Any) -> QuerySet[League]:
    """The leagues that are listed for everybody, and the account's own."""
    seen = Q(visibility=League.Visibility.PUBLIC)
    return _listed(seen | Q(owner=user) if user.is_authenticated else seen)


def _listed(which: Q) -> QuerySet[League]:
    return League.objects.filter(which).annotate(size=Count("entries")).order_by("-created_at", "-pk")


def events_shown(league: League, *, owner: bool) -> list[Event]:
    """The events of a league in the order in which they were added; drafts for its owner alone."""
    events = [entry.event for entry in league.entries.select_related("event")]
    return [event for event in events if owner or event.is_public]


def events_to_add(league: League) -> QuerySet[Event]:
    """What its owner organizes and it does not hold yet, newest first."""
    organized: QuerySet[Event] = organized_by(league.owner)
    return organized.exclude(league_entries__league=league).order_by("-created_at", "-pk")


def standings_of(league: League) -> ShownLeague:
    """The newest standings with names; the same queries whatever the size."""
    table = LeagueTable.objects.filter(league=league).first()
    state = jobs.state_of("leagues.compute", str(league.pk))
    computing = state is not None and state.status in ("pending", "running")
    failed = state is not None and state.status == "failed"
    return ShownLeague(league, table, _lines(table.rows) if table else [], computing, failed)


def _lines(rows: Iterable[Mapping[str, Any]]) -> list[ShownLine]:
    rows = list(rows)
    names = Person.objects.in_bulk([row["player"] for row in rows], field_name="public_id")
    ids = {result["event"] for row in rows for result in row["results"]}
    events = Event.objects.in_bulk(list(ids), field_name="public_id")
    return [
        ShownLine(
            rank=row["rank"],
            sharing=row["sharing"],
            player=row["player"],
            name=names[row["player"]].name if row["player"] in names else row["player"],
            total=Fraction(row["total"]),
            results=[_result(result, events) for result in row["results"]],
        )
        for row in rows
    ]


FIGURES = ("match_points", "by_rank", "by_matches", "attendance")


def _result(kept: Mapping[str, Any], events: Mapping[str, Event]) -> ShownResult:
    figures = {name: Fraction(kept[name]) for name in FIGURES}
    return ShownResult(**{**kept, **figures, "event": events[kept["event"]]})


def table_of(shown: ShownLeague) -> Table:
    """The standings to take away, a row a result; a player's results stand together. Figures are exact fractions."""
    columns = ("rank", "player", "name", "total", "event", "event_name", "place", *FIGURES, "why")
    rows = (
        (
            line.rank,
            line.player,
            line.name,
            str(line.total),
            result.event.public_id,
            result.event.name,
            result.place,
            *(str(getattr(result, name)) for name in FIGURES),
            result.why,
        )
        for line in shown.lines
        for result in line.results
    )
    return Table("league", columns, tuple(rows))


def as_document(league: League, table: Table) -> dict[str, Any]:
    """A table as a JSON document: the league, the table's name, its rows."""
    return {"league": league.public_id, "table": table.name, "rows": table.as_dicts()}


def ledger_of(league: League) -> QuerySet[LedgerEntry]:
    """What happened to a league, first things first."""
    return LedgerEntry.objects.filter(chain=league.public_id).order_by("number")
