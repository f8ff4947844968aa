"""Single matches with what pages show of them. Every report and every seat page reads them, so the SQL is built once.

Long lists are read by `selectors.matches_of`, which loads the same with each match.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Model, OuterRef, QuerySet, Subquery, prefetch_related_objects

from tournaments.accounts.models import User
from tournaments.common.prepared import Keys, Names, Prepared, SmallInt
from tournaments.events.models import Entrant, Event, Member
from tournaments.play.boards import with_boards
from tournaments.play.models import Match, Report, Round, Seat, TimeExtension


def newest_report() -> Subquery:
    """The key of the newest report of a match, or None."""
    return Subquery(Report.objects.filter(match=OuterRef("pk")).order_by("-pk").values("pk")[:1])


def waiting_reports() -> QuerySet[Report]:
    """The reports that wait for the other player, with their seats."""
    waiting = (Report.Status.STANDING, Report.Status.COUNTER)
    return Report.objects.filter(status__in=waiting).select_related("seat")


def _matches() -> QuerySet[Match]:
    return Match.objects.annotate(newest_report=newest_report()).select_related("round__stage__event", "round__clock")


_NAMED = Prepared(lambda names: _matches().filter(public_id__in=names).order_by("pk"), Names)
_OF_ENTRANT = Prepared(
    lambda event, entrant: (
        _matches()
        .filter(seats__entrant=entrant, round__stage__event=event)
        .exclude(round__status=Round.Status.DRAFT)
        .order_by("round__number")
    ),
    int,
    int,
)
_SEATS = Prepared(lambda matches: Seat.objects.filter(match__in=matches).select_related("entrant"), Keys)
_MEMBERS = Prepared(lambda entrants: Member.objects.filter(entrant__in=entrants).select_related("person"), Keys)
_EXTENSIONS = Prepared(lambda matches: TimeExtension.objects.filter(match__in=matches), Keys)
_WAITING = Prepared(lambda matches: waiting_reports().filter(match__in=matches), Keys)
_ROUND = Prepared(
    lambda event, number: _shown_rounds().filter(stage__event__public_id=event, number=number), str, SmallInt
)
_NEWEST_ROUND = Prepared(
    lambda event: _shown_rounds().filter(stage__event__public_id=event).order_by("-stage__number", "-number")[:1], str
)


def _shown_rounds() -> QuerySet[Round]:
    return Round.objects.exclude(status=Round.Status.DRAFT).select_related("stage__event", "clock")


def shown_round(event_id: str, number: int | None) -> Round | None:
    """The round of an event with this number, or the newest one, with its clock; drafts are left out."""
    rows = _NEWEST_ROUND.rows(event_id) if number is None else _ROUND.rows(event_id, number)
    return next(iter(rows), None)


def differing_reports(match: Match) -> tuple[Report | None, Report | None]:
    """The standing report and the counter report of a match, read from the database; None where absent.

    The counter report is None without a standing one. One query.
    """
    found = {report.status: report for report in _WAITING.rows([match.pk])}
    standing = found.get(Report.Status.STANDING)
    return standing, found.get(Report.Status.COUNTER) if standing else None


def matches_named(names: Collection[str]) -> list[Match]:
    """The matches with these public ids, loaded as by `selectors.matches_of`. Five queries."""
    return loaded(_NAMED.rows(names))


def match_named(public_id: str) -> Match | None:
    """The match with this public id, with its seats (`with_seats`), or None. Three queries."""
    return next(iter(with_seats(_NAMED.rows([public_id]))), None)


def matches_of_entrant(event: Event, entrant: Entrant) -> list[Match]:
    """All published matches of an entrant in an event, first round first, loaded as by `selectors.matches_of`."""
    return loaded(_OF_ENTRANT.rows(event.pk, entrant.pk))


def with_seats(matches: list[Match]) -> list[Match]:
    """The same matches, with their seats, entrants, members and people. Two queries."""
    _attach(matches, "seats", _SEATS.rows([match.pk for match in matches]), "match")
    entrants: defaultdict[int, list[Entrant]] = defaultdict(list)
    for match in matches:
        for seat in match.seats.all():
            entrants[seat.entrant_id].append(seat.entrant)
    members = _MEMBERS.rows(list(entrants))
    for key, copies in entrants.items():
        for entrant in copies:
            _attach([entrant], "member_set", [each for each in members if each.entrant_id == key], "entrant")
    return matches


def own_seat(match: Match, user: User) -> Seat | None:
    """The account's seat at a match read with its seats, or None; the lower one for a guardian with two. No query."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    own = (seat for seat in seats if any(each.person.account_id == user.pk for each in seat.entrant.member_set.all()))
    return next(own, None)


def loaded(matches: list[Match]) -> list[Match]:
    """The same matches, with all that `selectors.matches_of` loads. Four queries; one more for teams by boards."""
    keys = [match.pk for match in with_seats(matches)]
    _attach(matches, "extensions", _EXTENSIONS.rows(keys), "match")
    waiting = _by(_WAITING.rows(keys), "match")
    for match in matches:
        match.waiting_reports = waiting[match.pk]  # type: ignore[attr-defined]  # as `to_attr` of a prefetch
    in_teams = [match for match in matches if match.round.stage.event.has_boards]
    if in_teams:
        prefetch_related_objects(in_teams, with_boards())
    return matches


def _by(rows: Iterable[Any], field: str) -> defaultdict[int, list[Any]]:
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[getattr(row, f"{field}_id")].append(row)
    return found


def _attach(items: Iterable[Model], relation: str, rows: Iterable[Model], field: str) -> None:
    """Let `item.relation.all()` give the rows that point to each item by `field`, as Django's prefetch does."""
    found = _by(rows, field)
    for item in items:
        queryset = getattr(item, relation).get_queryset()
        queryset._result_cache, queryset._prefetch_done = found[item.pk], True
        for row in found[item.pk]:
            row._meta.get_field(field).set_cached_value(row, item)
        item.__dict__.setdefault("_prefetched_objects_cache", {})[relation] = queryset
