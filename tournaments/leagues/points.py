"""Reads the results of events for the computation of leagues: the only link from models to `swiss.league`."""

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
# Matches that are no proof of attendance: `_AWAY` never, `_ABSENT` unless the entrant got points from them.
_AWAY = (Match.Kind.MISSED, Match.Kind.ZERO_BYE, Match.Kind.HALF_BYE)
_ABSENT = (Match.Kind.NO_SHOW, Match.Kind.DOUBLE_LOSS)


def counted_events(league: League) -> list[Event]:
    """The events that give points now, in the order of the league: running or over, with standings open to everybody.

    Otherwise the points would give away standings that are hidden.
    """
    entries = league.entries.filter(event__status__in=COUNTED).select_related("event")
    return [entry.event for entry in entries if shows_all_standings({PUBLIC}, entry.event)]


def same_players(league: League) -> dict[str, str]:
    """The merges in the owner's player book: from a person to the one they were merged into, by public ids."""
    merges = BookEntry.objects.filter(owner=league.owner_id).exclude(same_as=None)
    return dict(merges.values_list("person__public_id", "same_as__public_id"))


def members_of(events: list[Event]) -> dict[str, tuple[str, ...]]:
    """The persons of all entrants of these events: public ids by the entrant's public id."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    members = Member.objects.filter(event__in=events).order_by("pk")
    for entrant, person in members.values_list("entrant__public_id", "person__public_id"):
        found[entrant].append(person)
    return {entrant: tuple(persons) for entrant, persons in found.items()}


def stamp_of(league: League) -> str:
    """A SHA-256 digest of everything that the standings of a league are computed from.

    Results enter it as the `results_version` of each stage, so that it costs little to check whether they changed.
    """
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
    """Everybody who attended an event, ranked by its current results; disqualified entrants are left out."""
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
    """The entrants (public ids) who attended: seated in a published round, in a match that proves attendance."""
    seats = Seat.objects.filter(match__round__stage__event=event).exclude(match__round__status=Round.Status.DRAFT)
    there = seats.exclude(match__kind__in=_AWAY).exclude(Q(match__kind__in=_ABSENT) & Q(points=0))
    return set(there.values_list("entrant__public_id", flat=True))
