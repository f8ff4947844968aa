"""Read queries on leagues and their standings, for pages and the API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Count, Q, QuerySet

from tournaments.accounts.models import Person
from tournaments.clubs.access import clubs_managed_by, may
from tournaments.clubs.models import Club
from tournaments.common import jobs
from tournaments.common.csv_tables import Table
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.selectors import visible_events
from tournaments.leagues.access import manages, organized_by
from tournaments.leagues.models import League, LeagueTable
from tournaments.leagues.rules import read_rules
from tournaments.swiss.league import Rules


@dataclass(frozen=True)
class ShownResult:
    """What one event gave a player: `swiss.league.Result` with the event loaded."""

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
        """The points that compete to be among the best results; attendance is not part of them."""
        return self.by_rank + self.by_matches

    @property
    def given(self) -> Fraction:
        """The points that this result adds to the total."""
        return self.attendance + (self.points if self.why == "counts" else 0)


@dataclass(frozen=True)
class ShownLine:
    """A player of a league with all results, best first. `name` is the one that the person chose to show.

    `sharing` is the number of players who share the rank.
    """

    rank: int
    sharing: int
    player: str
    name: str
    total: Fraction
    results: list[ShownResult]

    @cached_property
    def came(self) -> int:
        """The number of events that the player attended."""
        return len({result.event.pk for result in self.results})

    @cached_property
    def dropped(self) -> int:
        """The number of results that do not count."""
        return sum(result.why != "counts" for result in self.results)


@dataclass(frozen=True)
class ShownLeague:
    """The newest standings of a league, and whether newer ones are being computed or could not be."""

    league: League
    table: LeagueTable | None
    lines: list[ShownLine]
    computing: bool
    failed: bool

    @property
    def rules(self) -> Rules:
        """The rules by which points are given."""
        return read_rules(self.league.rules)

    def line_of(self, player: str) -> ShownLine | None:
        """The line of a player, by the person's public id, or None."""
        return next((line for line in self.lines if line.player == player), None)


def open_leagues() -> QuerySet[League]:
    """The public leagues, newest first; `size` is the number of their events."""
    return _listed(Q(visibility=League.Visibility.PUBLIC))


def leagues_of(user: Any) -> QuerySet[League]:
    """An account's own leagues and those of the clubs it manages, as `open_leagues`."""
    return _listed(_own(user))


def _own(user: Any) -> Q:
    return Q(owner=user) | Q(club__in=clubs_managed_by(user))


def leagues_of_club(club: Club, user: Any) -> QuerySet[League]:
    """The leagues of a club: the public ones, or all for people who manage the club."""
    shown = Q() if may(user, club, "manage") else Q(visibility=League.Visibility.PUBLIC)
    return _listed(Q(club=club) & shown)


def leagues_seen(user: Any) -> QuerySet[League]:
    """The public leagues and the account's own, as `open_leagues`."""
    seen = Q(visibility=League.Visibility.PUBLIC)
    return _listed(seen | _own(user) if user.is_authenticated else seen)


def _listed(which: Q) -> QuerySet[League]:
    return League.objects.filter(which).annotate(size=Count("entries")).order_by("-created_at", "-pk")


def events_shown(league: League, reader: Any) -> list[Event]:
    """The events of a league that lists show to this reader, in the order in which they were added.

    Who manages the league sees all of them.
    """
    events = [entry.event for entry in league.entries.select_related("event")]
    hidden = _hidden(league, {event.pk for event in events}, reader)
    return [event for event in events if event.pk not in hidden]


def _hidden(league: League, events: set[int], reader: Any) -> set[int]:
    """Of the keys of these events, those that lists do not show to this reader of a league."""
    if manages(reader, league) or not events:
        return set()
    return events - set(visible_events(reader).filter(pk__in=events).values_list("pk", flat=True))


def events_to_add(league: League, user: Any) -> QuerySet[Event]:
    """The events that the account organizes and that are not in the league yet, newest first."""
    organized: QuerySet[Event] = organized_by(user)
    return organized.exclude(league_entries__league=league).order_by("-created_at", "-pk")


def standings_of(league: League, reader: Any, *, beside: str | None = None) -> ShownLeague:
    """The newest standings of a league with names. The number of queries does not depend on its size.

    The results of events that lists do not show to this reader count in the totals, and are left out otherwise.

    With `beside` (a person's public id), only the lines of the players who share that person's rank.
    """
    # A league has one table; computing it again replaces it (`services`).
    table = LeagueTable.objects.filter(league=league).first()
    state = jobs.state_of("leagues.compute", str(league.pk))
    computing = state is not None and state.status in ("pending", "running")
    failed = state is not None and state.status == "failed"
    rows = table.rows if table else []
    if beside is not None:
        ranks = {row["rank"] for row in rows if row["player"] == beside}
        rows = [row for row in rows if row["rank"] in ranks]
    return ShownLeague(league, table, _lines(league, rows, reader), computing, failed)


def _lines(league: League, rows: Sequence[Mapping[str, Any]], reader: Any) -> list[ShownLine]:
    # Stored rows have ids only: a person who changes or erases their name does so in old standings too.
    names = Person.objects.in_bulk([row["player"] for row in rows], field_name="public_id")
    ids = {result["event"] for row in rows for result in row["results"]}
    events = Event.objects.in_bulk(list(ids), field_name="public_id")
    hidden = _hidden(league, {event.pk for event in events.values()}, reader)
    events = {public_id: event for public_id, event in events.items() if event.pk not in hidden}
    return [
        ShownLine(
            rank=row["rank"],
            sharing=row["sharing"],
            player=row["player"],
            name=names[row["player"]].name if row["player"] in names else row["player"],
            total=_fraction(row["total"]),
            results=[_result(result, events) for result in row["results"] if result["event"] in events],
        )
        for row in rows
    ]


FIGURES = ("match_points", "by_rank", "by_matches", "attendance")
_fraction = lru_cache(maxsize=4096)(Fraction)  # parsing is slow, and thousands of lines have few distinct numbers


def _result(kept: Mapping[str, Any], events: Mapping[str, Event]) -> ShownResult:
    figures = {name: _fraction(kept[name]) for name in FIGURES}
    return ShownResult(**{**kept, **figures, "event": events[kept["event"]]})


def table_of(shown: ShownLeague) -> Table:
    """The standings as a table for export: one row per result, grouped by player. Numbers are exact fractions."""
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
    """A table as a JSON document: the league, the name of the table, its rows."""
    return {"league": league.public_id, "table": table.name, "rows": table.as_dicts()}


def ledger_of(league: League) -> QuerySet[LedgerEntry]:
    """The ledger entries of a league, oldest first."""
    return LedgerEntry.objects.filter(chain=league.public_id).order_by("number")
