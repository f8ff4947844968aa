"""Read queries on events, stages, entrants and their names, for pages and the API."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery

from tournaments.accounts.guardians import persons_of
from tournaments.accounts.models import Person
from tournaments.accounts.owning import owned_by
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.common.moments import midnight
from tournaments.common.names import (
    FullName,
    Named,
    NameDistinction,
    SortKey,
    found_in,
    natural,
    shown,
    shown_to_staff,
    sort_key,
)
from tournaments.common.reading import read_kept, read_once
from tournaments.events.hall_tables import tables_of
from tournaments.events.models import (
    Application,
    Entrant,
    Event,
    ForbiddenPair,
    Member,
    SavedFormat,
    StaffRole,
    Stage,
    StageEntry,
)

HALF_A_DAY = timedelta(hours=12)
# The columns of `Member` from which `named` builds a name, in the order of its arguments.
NAME_FIELDS = (
    "person__given_name",
    "person__family_name",
    "person__family_first",
    "person__public_name",
    "person__shown_in_full",
    "entrant__club",
)
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


def visible_events(user: Any) -> QuerySet[Event]:
    """The events that lists show to this user, newest first; `playing` is how many are registered.

    These are public events, those in which the user plays or to which they were invited, and as staff also drafts.
    """
    seen = Q(listing=Event.Listing.PUBLIC)
    if user.is_authenticated:
        seen |= Q(pk__in=Member.objects.filter(person__account=user).values("event"))
        seen |= Q(pk__in=user.guest_of.values("event"))
        seen |= Q(pk__in=Application.objects.filter(person__account=user).values("event"))
    seen &= ~Q(status=Event.Status.DRAFT)
    if user.is_authenticated:
        seen |= Q(pk__in=user.staff_roles.values("event"))
    return counted(Event.objects.filter(seen)).order_by("-created_at", "-pk")


def counted(events: QuerySet[Event]) -> QuerySet[Event]:
    """The events with the number of registered entrants, `playing`."""
    return events.annotate(playing=Count("entrants", filter=Q(entrants__status=Entrant.Status.REGISTERED)))


def events_shown_to_everybody() -> QuerySet[Event]:
    """The events that a page may name to any reader: no drafts, and none that is unlisted or private."""
    return Event.objects.filter(listing=Event.Listing.PUBLIC).exclude(status=Event.Status.DRAFT)


def events_for_search_engines() -> QuerySet[Any]:
    """The events that search engines may list, newest first; `changed_at` is when their ledger last grew.

    `is_for_search_engines` says the same of one event.
    """
    entries = LedgerEntry.objects.filter(chain=OuterRef("public_id")).order_by("-number")
    return (
        events_shown_to_everybody()
        .annotate(changed_at=Subquery(entries.values("at")[:1]))
        .order_by("-created_at", "-pk")
    )


def is_for_search_engines(event: Event) -> bool:
    """Whether search engines may list an event."""
    return event.is_public and event.listing == Event.Listing.PUBLIC


def search(events: QuerySet[Event], wanted: Mapping[str, Any]) -> QuerySet[Event]:
    """Filter events. Keys of `wanted`, each optional:

    - `find`: words that must all occur in the name, the place or the name of the game (the first 8 count);
    - `game`: the id of a game;
    - `since`, `until`: the first and last day of the start, in UTC;
    - `over`: true for events that are over, false for the others.
    """
    if words := " ".join(str(wanted.get("find") or "").split()[:8]):
        # Compared here: databases disagree on which letters are equal, and SQLite knows only those of ASCII.
        texts = events.order_by().values_list("pk", "name", "place", "game_name")
        events = events.filter(pk__in=[key for key, *found in texts if found_in(words, " ".join(found))])
    if wanted.get("game"):
        events = events.filter(game=wanted["game"])
    if wanted.get("since"):
        events = events.filter(starts_at__gte=midnight(wanted["since"]))
    if wanted.get("until"):
        events = events.filter(starts_at__lt=midnight(wanted["until"]) + timedelta(days=1))
    if wanted.get("over") is not None:
        events = events.filter(status__in=OVER) if wanted["over"] else events.exclude(status__in=OVER)
    return events


def entrants_of(event: Event) -> QuerySet[Entrant]:
    """All entrants with their members' persons prefetched, in the order of registration."""
    return event.entrants.prefetch_related("member_set__person").order_by("registered_at", "pk")


def named(given: str, family: str, family_first: bool, nickname: str, in_full: bool, club: str) -> Named:
    """Build the name of a person in an event from the values of `NAME_FIELDS`."""
    return Named(FullName(given, family, family_first), nickname, in_full, club)


def missing_players(event: Event) -> dict[int, int]:
    """How many boards without a player each incomplete team has, by its key; empty for an event without teams."""
    if not event.is_team_event:
        return {}
    seated = Count("member", filter=Q(member__board__isnull=False))
    teams = event.entrants.filter(status=Entrant.Status.REGISTERED).annotate(seated=seated)
    found = teams.values_list("pk", "seated")
    return {key: event.team_size - number for key, number in found if number < event.team_size}


def incomplete_teams(event: Event) -> QuerySet[Entrant]:
    """The registered teams of a team event that have a board without a player; empty for any other event."""
    return event.entrants.filter(pk__in=missing_players(event)).order_by("pk")


def enumerated(entrants: QuerySet[Entrant], most: int = 8) -> str:
    """The full names of entrants for a sentence to staff: the first `most`, then an ellipsis."""
    names = sorted(names_of(entrants, full=True).values())
    return ", ".join(names[:most] + ["…"] * (len(names) > most))


def names_of(entrants: QuerySet[Entrant], *, full: bool = False) -> dict[int, str]:
    """The names of entrants by primary key, in one query; `full` names for staff, else the public ones.

    For long lists, where loading a model instance for each row would take too long.
    """
    names, _keys = names_and_keys_of(entrants, full=full, sorts=False)
    return names


def sort_keys_of(entrants: QuerySet[Entrant]) -> dict[int, SortKey]:
    """The keys that sort entrants by family name, by primary key, in one query."""
    keys: dict[int, SortKey] = {}
    members = Member.objects.filter(entrant__in=entrants).order_by("pk")
    for entrant, team, *fields in members.values_list("entrant", "entrant__team_name", *NAME_FIELDS):
        keys[entrant] = natural(team) if team else keys.get(entrant, ()) + _sort_key(named(*fields))
    return keys


def names_and_keys_of(
    entrants: QuerySet[Entrant], *, full: bool = False, sorts: bool = True
) -> tuple[dict[int, str], dict[int, SortKey]]:
    """`names_of` and `sort_keys_of` in one query. Without `sorts` the sort keys are left empty."""
    names: dict[int, str] = {}
    keys: dict[int, SortKey] = {}
    members = Member.objects.filter(entrant__in=entrants).order_by("pk")
    read = ("entrant", "entrant__team_name", "person__public_id", "letters", "apart", *NAME_FIELDS)
    as_read = shown_to_staff if full else shown
    for entrant, team, public_id, letters, apart, *fields in members.values_list(*read):
        if team:
            names[entrant], keys[entrant] = team, natural(team)
            continue
        person = named(*fields)
        name = as_read(person, NameDistinction(letters, apart)) or public_id
        names[entrant] = f"{names[entrant]} / {name}" if entrant in names else name
        if sorts:
            keys[entrant] = keys.get(entrant, ()) + _sort_key(person)
    return names, keys


@dataclass(frozen=True)
class NamedMember:
    """A member of an entrant in brief: the name as `names_of` gives it, what it is sorted by, and the board."""

    entrant: int
    name: str
    key: SortKey
    board: int | None
    off_stream: bool


def members_named(members: QuerySet[Member], *, full: bool = False) -> dict[int, NamedMember]:
    """Members by primary key, in one query; `full` names for staff, else the public ones."""
    as_read, found = shown_to_staff if full else shown, {}
    read = ("pk", "entrant", "board", "person__off_stream", "person__public_id", "letters", "apart", *NAME_FIELDS)
    for key, entrant, board, off, public_id, letters, apart, *fields in members.values_list(*read):
        person = named(*fields)
        name = as_read(person, NameDistinction(letters, apart)) or public_id
        found[key] = NamedMember(entrant, name, _sort_key(person), board, off)
    return found


def _sort_key(person: Named) -> SortKey:
    return sort_key(person.name) or natural(person.nickname)


def named_in(event: Event, *, full: bool = False) -> list[tuple[str, str]]:
    """`(public id, name)` of all entrants of an event, sorted by family name."""
    names, keys = names_and_keys_of(event.entrants.all(), full=full)
    known = event.entrants.values_list("pk", "public_id")
    found = sorted((keys.get(key, ()), key, public_id) for key, public_id in known)
    return [(public_id, names.get(key, public_id)) for _place, key, public_id in found]


def public_names(event: Event) -> dict[str, str]:
    """The public names of all entrants of an event by public id, unsorted."""
    return names_by_id(event.entrants.all())


def names_by_id(entrants: QuerySet[Entrant], *, full: bool = False) -> dict[str, str]:
    """`names_of` by public id, unsorted, in two queries."""
    names = names_of(entrants, full=full)
    return {public_id: names.get(key, public_id) for key, public_id in entrants.values_list("pk", "public_id")}


def full_names(event: Event) -> dict[str, str]:
    """The full names (for staff) of all entrants of an event by public id, sorted by family name."""
    return dict(named_in(event, full=True))


def off_stream(event: Event) -> dict[int, str]:
    """The entrants whose names are withheld from big screens and public tables: public ids by primary key."""
    return dict(event.entrants.filter(members__off_stream=True).values_list("pk", "public_id"))


def current_stage(event: Event) -> Stage:
    """The stage being played; before the start of the event, the first one."""
    return stages_begun(event)[-1]


def stages_begun(event: Event) -> list[Stage]:
    """The first stage and all later ones that have started, in order."""

    def read() -> list[Stage]:
        return list(event.stages.exclude(number__gt=1, started_at=None).order_by("number"))

    return read_once(("stages", event.pk), lambda: _bound(read_kept(event.public_id, "stages", read), event))


def _bound(stages: Iterable[Stage], event: Event) -> list[Stage]:
    """Copies of the stages whose `event` is the given instance.

    Cached stages are shared between requests, so they must not be changed, and their own event may be out of date.
    """
    found = [copy(stage) for stage in stages]
    for stage in found:
        stage.event = event
    return found


def first_stage(event: Event) -> Stage:
    """The stage that players register for."""
    return event.stages.order_by("number")[0]


def next_stage(event: Event) -> Stage | None:
    """The stage after the one being played, or None."""
    return event.stages.filter(number__gt=1, started_at=None).order_by("number").first()


def entries_with_names() -> "Prefetch[Any]":
    """A prefetch of stage entries by seed, with everything needed to show their names."""
    entries = StageEntry.objects.select_related("entrant").prefetch_related("entrant__member_set__person")
    return Prefetch("entries", queryset=entries.order_by("seed"))


def revision(event: Event) -> int:
    """The number of the event's last ledger entry."""
    return ledger.revision(event.public_id)


def staff_of(event: Event) -> QuerySet[StaffRole]:
    """The staff roles of an event, with the accounts and their persons."""
    return event.staff_roles.select_related("user").prefetch_related("user__persons").order_by("pk")


def formats_of(user: Any) -> QuerySet[SavedFormat]:
    """The saved formats of an account and of the clubs it manages, by name."""
    return SavedFormat.objects.filter(owned_by(user))


def entrants_of_account(user: Any) -> QuerySet[Entrant]:
    """The entrants of an account, and of those it is guardian of, in events that are not over; newest first."""
    return (
        Entrant.objects
        .filter(member__person__account=user)
        .exclude(event__status__in=OVER)
        .select_related("event")
        .prefetch_related("member_set__person")
        .order_by("-registered_at", "-pk")
        .distinct()
    )


def registration_at(event: Event, now: datetime) -> str:
    """Whether players can register at `now`: `open`, `later` (the opening time has not come yet) or `closed`."""
    if event.status != Event.Status.REGISTRATION:
        return "closed"
    if event.registration_opens_at is not None and now < event.registration_opens_at:
        return "later"
    if event.registration_closes_at is not None and now >= event.registration_closes_at:
        return "closed"
    return "open"


def persons_to_enter(user: Any, event: Event, now: datetime) -> list[Person]:
    """The persons of an account (its own, and those it is guardian of) who can be registered now.

    Those already registered, on the waiting list, or with an application are left out. Empty while registration is not
    open.
    """
    if not user.is_authenticated or registration_at(event, now) != "open":
        return []
    here = Entrant.objects.filter(event=event, member__person__account=user).exclude(status=Entrant.Status.DROPPED)
    entered = set(here.values_list("member__person", flat=True))
    open_ = (Application.Status.WAITING, Application.Status.DECLINED)
    applied = Application.objects.filter(event=event, person__account=user, status__in=open_)
    entered |= set(applied.values_list("person", flat=True))
    return [person for person in persons_of(user) if person.pk not in entered]


def in_the_same_hall(stage: Stage) -> list[tuple[Event, list[int]]]:
    """Events with common staff that start within 12 hours of this one and share tables, with the shared tables.

    A stage without a list of tables shares none. Drafts and events that are over are left out.
    """
    event, mine = stage.event, set(tables_of(stage))
    if not mine or event.starts_at is None:
        return []
    hidden = (Event.Status.DRAFT, *OVER)
    near = (event.starts_at - HALF_A_DAY, event.starts_at + HALF_A_DAY)
    theirs = Stage.objects.filter(
        event__in=StaffRole.objects.filter(user__in=event.staff_roles.values("user")).values("event"),
        event__starts_at__range=near,
    )
    found: dict[Event, set[int]] = {}
    for other in theirs.exclude(event=event).exclude(event__status__in=hidden).exclude(hall="").select_related("event"):
        found.setdefault(other.event, set()).update(mine.intersection(tables_of(other)))
    return [(other, sorted(shared)) for other, shared in found.items() if shared]


def forbidden_pairs_of(event: Event) -> QuerySet[ForbiddenPair]:
    """The forbidden pairs of an event, with the names prefetched."""
    names = ("first__member_set__person", "second__member_set__person")
    return event.forbidden_pairs.select_related("first", "second").prefetch_related(*names)
