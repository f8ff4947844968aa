"""Actions of an organizer on a league, and the job that computes its standings.

The computation runs outside of the transaction that writes the result, so that nothing is locked for long.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.clubs.models import Club
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import LedgerEntry
from tournaments.common.names import as_name
from tournaments.common.prepared import Prepared
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event
from tournaments.leagues.models import League, LeagueEvent, LeagueTable
from tournaments.leagues.points import counted_events, members_of, placings_of, same_players, stamp_of
from tournaments.leagues.ratings import computed_ratings
from tournaments.leagues.rules import checked, complete, read_rules
from tournaments.swiss.league import Line, Result, league

MAX_LEAGUES = 50
MAX_EVENTS = 100


def create_league(
    *,
    name: str,
    by: User,
    now: datetime,
    visibility: str = League.Visibility.PRIVATE,
    rules: Mapping[str, Any] | None = None,
) -> League:
    """Create a league without events, private unless another `visibility` is given.

    Refused: `name_missing`, `out_of_bounds` (with the names of the rules), `visibility_unknown`, `too_many_leagues`.
    """
    name, checked_rules = _name(name), checked({}, rules or {})
    _check_visibility(visibility)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that two requests at once cannot exceed the limit
        if by.leagues.count() >= MAX_LEAGUES:
            raise Refusal("too_many_leagues", _("You already have fifty leagues: delete one."), details=[MAX_LEAGUES])
        league = League.objects.create(owner=by, name=name, visibility=visibility, rules=checked_rules, created_at=now)
        ledger.open_chain(league.public_id)
        _record(league, by, "league.created", now, after=_as_recorded(league))
        ask(league, now)
    return league


def _check_visibility(visibility: str) -> None:
    if visibility not in League.Visibility.values:
        raise InvalidInput("visibility_unknown", _("A league is private, unlisted or public."))


def _name(name: str) -> str:
    name = as_name(name, 120)
    if not name:
        raise InvalidInput("name_missing", _("The league needs a name."))
    return name


def change_league(
    *, league: League, by: User, now: datetime, name: str | None = None, visibility: str | None = None, **rules: Any
) -> League:
    """Change the name, visibility or rules (`rules.NAMES`) of a league; the others stay. Idempotent.

    Refused: `name_missing`, `visibility_unknown`, `out_of_bounds` (with the names of the rules).
    """
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        before = _as_recorded(league)
        if name is not None:
            league.name = _name(name)
        if visibility is not None:
            _check_visibility(visibility)
            league.visibility = visibility
        league.rules = checked(league.rules, rules)
        after = _as_recorded(league)
        league.save(update_fields=["name", "visibility", "rules"])
        if after != before:
            _record(league, by, "league.changed", now, before=before, after=after)
            ask(league, now)
    return league


def give_to_club(*, league: League, club: Club | None, by: User, now: datetime) -> League:
    """Let the owners and organizers of a club manage a league; with None, only its owner. Idempotent.

    The owner's player book still says who is the same player.
    """
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        before = league.club.public_id if league.club else None
        after = club.public_id if club else None
        if before != after:
            league.club = club
            league.save(update_fields=["club"])
            _record(league, by, "league.club_changed", now, before={"club": before}, after={"club": after})
    return league


def _as_recorded(league: League) -> dict[str, Any]:
    """What the ledger records of a league. Its name is left out, as it may contain that of a person."""
    return {"visibility": league.visibility, **complete(league.rules)}


def delete_league(*, league: League, by: User, now: datetime) -> None:
    """Delete a league with its standings. Its events, the player book and the league's ledger stay. Idempotent."""
    with transaction.atomic():
        if League.objects.filter(pk=league.pk).delete()[0]:
            _record(league, by, "league.deleted", now)


def add_event(*, league: League, event: Event, by: User, now: datetime) -> None:
    """Add an event to a league. Idempotent. Refused: `league_full` (at most `MAX_EVENTS`)."""
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.entries.filter(event=event).exists():
            return
        if league.entries.count() >= MAX_EVENTS:
            raise Refusal("league_full", _("A league can have a hundred events at most."), details=[MAX_EVENTS])
        LeagueEvent.objects.create(league=league, event=event, added_at=now)
        _record(league, by, "league.event_added", now, object=event.public_id)
        ask(league, now)


def remove_event(*, league: League, event: Event, by: User, now: datetime) -> None:
    """Remove an event from a league. Idempotent."""
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.entries.filter(event=event).delete()[0]:
            _record(league, by, "league.event_removed", now, object=event.public_id)
            ask(league, now)


def ask(league: League, now: datetime) -> None:
    """Enqueue the computation of a league's standings. Call it in the transaction of what changes them."""
    jobs.enqueue("leagues.compute", str(league.pk), payload={"league": league.pk}, now=now)


_WHERE_IT_COUNTS = Prepared(
    lambda event_id: League.objects.filter(entries__event__public_id=event_id).order_by("pk"), str
)


def event_moved(entries: Sequence[LedgerEntry]) -> None:
    """Enqueue the standings of all leagues that contain an event. A follower of the ledger (`common.ledger.follow`)."""
    # Every entry enqueues it, as `compute_league` returns at once if nothing that it reads has changed.
    for each in _WHERE_IT_COUNTS.rows(entries[-1].chain):
        ask(each, entries[-1].at)


def compute_league(*, league_id: int, now: datetime, progress: Progress = unseen) -> LeagueTable | None:
    """Compute and store the standings of a league; None if they are up to date, or the league is gone.

    Everything must belong to one state of the inputs, identified by a stamp (`points.stamp_of`). If the stamp has
    changed by the end of the computation, the result is dropped and the computation starts over.
    """
    while True:
        progress(0)
        read = League.objects.filter(pk=league_id).first()
        if read is None:
            return None
        stamp = stamp_of(read)
        if LeagueTable.objects.filter(league=read, stamp=stamp).exists():
            return None
        values = _added_up(read, progress)
        with transaction.atomic():
            kept = League.objects.select_for_update().filter(pk=league_id).first()
            if kept is None:
                return None
            if stamp_of(kept) != stamp:
                continue  # an input changed during the computation
            values |= {"stamp": stamp, "computed_at": now}
            return LeagueTable.objects.update_or_create(league=kept, defaults=values)[0]


def _added_up(read: League, progress: Progress) -> dict[str, Any]:
    """The fields of the league's table: events, rows and ratings."""
    events = counted_events(read)
    members = members_of(events)
    placings = []
    for done, event in enumerate(events, 1):
        placings.append(placings_of(event, members))
        progress(99 * done // len(events))
    lines = league(placings, read_rules(read.rules), same_players(read))
    return {
        "events": [event.public_id for event in events],
        "rows": [_row(line) for line in lines],
        "ratings": computed_ratings(read, events, members),
    }


def _row(line: Line) -> dict[str, Any]:
    """A line as JSON. Numbers are exact fractions, written as strings."""
    return {
        "rank": line.rank,
        "sharing": line.sharing,
        "player": line.player,
        "total": str(line.total),
        "results": [_result(result) for result in line.results],
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "event": result.event,
        "entrant": result.entrant,
        "place": result.place,
        "sharing": result.sharing,
        "match_points": str(result.match_points),
        "by_rank": str(result.by_rank),
        "by_matches": str(result.by_matches),
        "attendance": str(result.attendance),
        "why": result.why,
    }


def _record(
    league: League, by: User, code: str, now: datetime, *, object: str = "", before: Any = None, after: Any = None
) -> None:
    ledger.record(
        chain=league.public_id,
        actor=by.public_id,
        code=code,
        object=object or league.public_id,
        now=now,
        before=before,
        after=after,
    )
