"""The one bridge between the results of events and the arithmetic of leagues (`swiss.league`)."""

import hashlib
import json
from collections import defaultdict
from fractions import Fraction
from typing import Any

from django.db.models import Q

from tournaments.events.models import Event, Member, Stage
from tournaments.events.visibility import PUBLIC
from tournaments.leagues.models import BookEntry, League
from tournaments.play.field import ranking
from tournaments.play.models import Match, Round, Seat
from tournaments.standings.access import shows_all_standings
from tournaments.standings.selectors import in_final_order, seeded
from tournaments.swiss.league import LeagueEvent, Placing

COUNTED = (Event.Status.RUNNING, Event.Status.FINISHED, Event.Status.ARCHIVED)
# Nobody comes to an event by these alone.
_AWAY = (Match.Kind.MISSED, Match.Kind.ZERO_BYE, Match.Kind.HALF_BYE)
_ABSENT = (Match.Kind.NO_SHOW, Match.Kind.DOUBLE_LOSS)


def counted_events(league: League) -> list[Event]:
    """The events whose points are added up, in the order of the league: played or over, their standings open to all."""
    entries = league.entries.filter(event__status__in=COUNTED).select_related("event")
    return [entry.event for entry in entries if shows_all_standings({PUBLIC}, entry.event)]


def same_players(league: League) -> dict[str, str]:
    """Which person the owner's book says to be which other one, by public ids."""
    said = BookEntry.objects.filter(owner=league.owner_id).exclude(same_as=None)
    return dict(said.values_list("person__public_id", "same_as__public_id"))


def members_of(events: list[Event]) -> dict[str, tuple[str, ...]]:
    """The persons of every entrant of these events, by public ids."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    members = Member.objects.filter(event__in=events).order_by("pk")
    for entrant, person in members.values_list("entrant__public_id", "person__public_id"):
        found[entrant].append(person)
    return {entrant: tuple(persons) for entrant, persons in found.items()}


def stamp_of(league: League) -> str:
    """A digest of everything that the standings of a league are computed from."""
    events = counted_events(league)
    stages = Stage.objects.filter(event__in=events).order_by("event", "number")
    inputs: list[Any] = [
        league.rules,
        [[event.public_id, event.status] for event in events],
        [list(row) for row in stages.values_list("event__public_id", "number", "results_version", "scheme")],
        sorted(same_players(league).items()),
        sorted(members_of(events).items()),
    ]
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def placings_of(event: Event, members: dict[str, tuple[str, ...]]) -> LeagueEvent:
    """Who came to an event, ranked as its results stand now. Who was disqualified is not among them."""
    came = _came(event)
    stages = [stage for stage in event.stages.order_by("number") if stage.number == 1 or stage.started_at is not None]
    tables = [
        [{"entrant": row.player, "rank": row.rank, "points": row.points} for row in ranking(stage)] for stage in stages
    ]
    placings = tuple(
        Placing(row["entrant"], members[row["entrant"]], row["rank"], Fraction(row["points"]))
        for row in in_final_order(tables, seeded=seeded(stages))
        if row["entrant"] in came and row["entrant"] in members
    )
    return LeagueEvent(event.public_id, placings)


def _came(event: Event) -> set[str]:
    """The entrants (public ids) who were there: seated in a round that is published, and not only to be missed."""
    seats = Seat.objects.filter(match__round__stage__event=event).exclude(match__round__status=Round.Status.DRAFT)
    there = seats.exclude(match__kind__in=_AWAY).exclude(Q(match__kind__in=_ABSENT) & Q(points=0))
    return set(there.values_list("entrant__public_id", flat=True))
