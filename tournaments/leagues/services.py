"""Gestures of an organizer on a league, and its standings: computed outside, written inside, by a job."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.models import LedgerEntry
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event
from tournaments.leagues.models import League, LeagueEvent, LeagueTable
from tournaments.leagues.points import counted_events, members_of, placings_of, same_players, stamp_of
from tournaments.leagues.rules import checked, read_rules
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
    """A league without events; unless told otherwise its owner alone sees it."""
    name, kept = _name(name), checked({}, rules or {})
    _check_visibility(visibility)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # the lock of how many there are
        if by.leagues.count() >= MAX_LEAGUES:
            raise Refusal("too_many_leagues", _("You keep fifty leagues already: delete one."), details=[MAX_LEAGUES])
        made = League.objects.create(owner=by, name=name, visibility=visibility, rules=kept, created_at=now)
        ledger.open_chain(made.public_id)
        _record(made, by, "league.created", now, after=_told(made))
        ask(made, now)
    return made


def _check_visibility(visibility: str) -> None:
    if visibility not in League.Visibility.values:
        raise InvalidInput("visibility_unknown", _("A league is private, unlisted or public."))


def _name(name: str) -> str:
    name = one_line(name)[:120]
    if not name:
        raise InvalidInput("name_missing", _("The league needs a name."))
    return name


def change_league(
    *, league: League, by: User, now: datetime, name: str | None = None, visibility: str | None = None, **rules: Any
) -> League:
    """Change a league's name, who sees it, and its rules (`rules.NAMES`); what is not given stays. Twice is once."""
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        before = _told(league)
        if name is not None:
            league.name = _name(name)
        if visibility is not None:
            _check_visibility(visibility)
            league.visibility = visibility
        league.rules = checked(league.rules, rules)
        after = _told(league)
        league.save(update_fields=["name", "visibility", "rules"])
        if after != before:
            _record(league, by, "league.changed", now, before=before, after=after)
            ask(league, now)
    return league


def _told(league: League) -> dict[str, Any]:
    """What the ledger tells of a league: no name, for it may be somebody's."""
    return {"visibility": league.visibility, **league.rules}


def delete_league(*, league: League, by: User, now: datetime) -> None:
    """Delete a league with its standings. Its events and the book stay as they are; so does its ledger."""
    with transaction.atomic():
        if League.objects.filter(pk=league.pk).delete()[0]:
            _record(league, by, "league.deleted", now)


def add_event(*, league: League, event: Event, by: User, now: datetime) -> None:
    """Let an event count. Twice is once."""
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.entries.filter(event=event).exists():
            return
        if league.entries.count() >= MAX_EVENTS:
            raise Refusal("league_full", _("A league holds a hundred events at most."), details=[MAX_EVENTS])
        LeagueEvent.objects.create(league=league, event=event, added_at=now)
        _record(league, by, "league.event_added", now, object=event.public_id)
        ask(league, now)


def remove_event(*, league: League, event: Event, by: User, now: datetime) -> None:
    """Let an event count no more. Twice is once."""
    with transaction.atomic():
        league = League.objects.select_for_update().get(pk=league.pk)
        if league.entries.filter(event=event).delete()[0]:
            _record(league, by, "league.event_removed", now, object=event.public_id)
            ask(league, now)


def ask(league: League, now: datetime) -> None:
    """Ask for the standings of a league, inside the transaction of what changes them."""
    jobs.enqueue("leagues.compute", str(league.pk), payload={"league": league.pk}, now=now)


def event_moved(entry: LedgerEntry) -> None:
    """Something happened in an event: the leagues in which it counts are looked at again."""
    leagues = League.objects.filter(entries__event__public_id=entry.chain).order_by("pk")
    for each in leagues:
        ask(each, entry.at)


def compute_league(*, league_id: int, now: datetime, progress: Progress = unseen) -> LeagueTable | None:
    """Compute and keep the standings of everything as it is; None when they are kept already, or the league is gone.

    All is read at one stamp. When it moves meanwhile nothing is kept, and all is read again.
    """
    while True:
        progress(0)
        read = League.objects.filter(pk=league_id).first()
        if read is None:
            return None
        stamp = stamp_of(read)
        if LeagueTable.objects.filter(league=read, stamp=stamp).exists():
            return None
        events, lines = _added_up(read, progress)
        with transaction.atomic():
            kept = League.objects.select_for_update().filter(pk=league_id).first()
            if kept is None:
                return None
            if stamp_of(kept) != stamp:
                continue
            values = {"stamp": stamp, "rows": lines, "events": events, "computed_at": now}
            return LeagueTable.objects.update_or_create(league=kept, defaults=values)[0]


def _added_up(read: League, progress: Progress) -> tuple[list[str], list[dict[str, Any]]]:
    events = counted_events(read)
    members = members_of(events)
    placings = []
    for done, event in enumerate(events, 1):
        placings.append(placings_of(event, members))
        progress(99 * done // len(events))
    lines = league(placings, read_rules(read.rules), same_players(read))
    return [event.public_id for event in events], [_row(line) for line in lines]


def _row(line: Line) -> dict[str, Any]:
    """A line as JSON, every figure an exact fraction."""
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
