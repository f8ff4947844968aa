"""What pages and the API read of events."""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.accounts.guardians import persons_of
from tournaments.accounts.models import Person
from tournaments.common import ledger
from tournaments.common.names import (
    FullName,
    Named,
    SortKey,
    Telling,
    natural,
    shown,
    shown_to_staff,
    sort_key,
)
from tournaments.common.reading import read_kept, read_once
from tournaments.events.models import Entrant, Event, ForbiddenPair, Member, SavedFormat, StaffRole, Stage, StageEntry
from tournaments.events.tables import tables_of

HALF_A_DAY = timedelta(hours=12)
# Of a member: what `named` makes a name of.
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
    """Events that are public, and the account's own drafts; newest first, with their numbers of entrants."""
    seen = ~Q(status=Event.Status.DRAFT)
    if user.is_authenticated:
        seen |= Q(pk__in=user.staff_roles.values("event"))
    playing = Count("entrants", filter=Q(entrants__status=Entrant.Status.REGISTERED))
    return Event.objects.filter(seen).annotate(playing=playing).order_by("-created_at", "-pk")


def search(events: QuerySet[Event], wanted: Mapping[str, Any]) -> QuerySet[Event]:
    """Events narrowed by `find` (every word in the name, the place or the game), `game`, `since` and `until` (days of
    the start, UTC), and `over`.
    """
    for word in str(wanted.get("find") or "").split()[:8]:
        events = events.filter(Q(name__icontains=word) | Q(place__icontains=word) | Q(game_name__icontains=word))
    if wanted.get("game"):
        events = events.filter(game=wanted["game"])
    if wanted.get("since"):
        events = events.filter(starts_at__date__gte=wanted["since"])
    if wanted.get("until"):
        events = events.filter(starts_at__date__lte=wanted["until"])
    if wanted.get("over") is not None:
        events = events.filter(status__in=OVER) if wanted["over"] else events.exclude(status__in=OVER)
    return events


def entrants_of(event: Event) -> QuerySet[Entrant]:
    """All entrants with their members' persons, in the order they came."""
    return event.entrants.prefetch_related("member_set__person").order_by("registered_at", "pk")


def named(given: str, family: str, family_first: bool, nickname: str, in_full: bool, club: str) -> Named:
    """A person of an event from `NAME_FIELDS`."""
    return Named(FullName(given, family, family_first), nickname, in_full, club)


def names_of(entrants: QuerySet[Entrant], *, full: bool = False) -> dict[int, str]:
    """The names of entrants by their key, in one query: for lists so long that loading their rows would be felt.

    The names that everybody reads, or the `full` ones for staff.
    """
    names: dict[int, list[str]] = {}
    members = Member.objects.filter(entrant__in=entrants).order_by("pk")
    found = members.values_list("entrant", "person__public_id", "letters", "apart", *NAME_FIELDS)
    as_read = shown_to_staff if full else shown
    for entrant, public_id, letters, apart, *fields in found:
        names.setdefault(entrant, []).append(as_read(named(*fields), Telling(letters, apart)) or public_id)
    return {entrant: " / ".join(parts) for entrant, parts in names.items()}


def sort_keys_of(entrants: QuerySet[Entrant]) -> dict[int, SortKey]:
    """The places of entrants in a list by family name, by their key, in one query."""
    keys: dict[int, SortKey] = {}
    members = Member.objects.filter(entrant__in=entrants).order_by("pk")
    for entrant, *fields in members.values_list("entrant", *NAME_FIELDS):
        person = named(*fields)
        keys[entrant] = keys.get(entrant, ()) + (sort_key(person.name) or natural(person.nickname))
    return keys


def named_in(event: Event, *, full: bool = False) -> list[tuple[str, str]]:
    """The public ids of all entrants of an event with their names, by family name."""
    names, keys = names_of(event.entrants.all(), full=full), sort_keys_of(event.entrants.all())
    known = event.entrants.values_list("pk", "public_id")
    found = sorted((keys.get(key, ()), key, public_id) for key, public_id in known)
    return [(public_id, names.get(key, public_id)) for _place, key, public_id in found]


def public_names(event: Event) -> dict[str, str]:
    """The names that everybody reads of all entrants of an event, by their public id."""
    return dict(named_in(event))


def full_names(event: Event) -> dict[str, str]:
    """The names that staff read of all entrants of an event, by their public id."""
    return dict(named_in(event, full=True))


def off_stream(event: Event) -> dict[int, str]:
    """The entrants whose names are on no big screen and in no public table: public ids by key."""
    return dict(event.entrants.filter(members__off_stream=True).values_list("pk", "public_id"))


def current_stage(event: Event) -> Stage:
    """The stage being played, or the first one before the start."""
    return stages_begun(event)[-1]


def stages_begun(event: Event) -> list[Stage]:
    """The first stage, and those after it that have started, in order."""
    begun = event.stages.exclude(number__gt=1, started_at=None).order_by("number")
    return read_once(
        ("stages", event.pk), lambda: _bound(read_kept(event.public_id, "stages", lambda: list(begun)), event)
    )


def _bound(stages: Iterable[Stage], event: Event) -> list[Stage]:
    """Copies of stages that lead to the event as this page has read it: what is kept is given to many pages."""
    found = [copy(stage) for stage in stages]
    for stage in found:
        stage.event = event
    return found


def first_stage(event: Event) -> Stage:
    """The stage that everybody registers for."""
    return event.stages.order_by("number")[0]


def next_stage(event: Event) -> Stage | None:
    """The stage that comes after the one being played."""
    return event.stages.filter(number__gt=1, started_at=None).order_by("number").first()


def entries_with_names() -> "Prefetch[Any]":
    """The entries of stages by seed, with all that a list of them shows."""
    entries = StageEntry.objects.select_related("entrant").prefetch_related("entrant__member_set__person")
    return Prefetch("entries", queryset=entries.order_by("seed"))


def revision(event: Event) -> int:
    """The number of the event's last ledger entry."""
    return ledger.revision(event.public_id)


def staff_of(event: Event) -> QuerySet[StaffRole]:
    """Who holds which role at an event, with their accounts' persons."""
    return event.staff_roles.select_related("user").prefetch_related("user__persons").order_by("pk")


def formats_of(user: Any) -> QuerySet[SavedFormat]:
    """The formats an account saved, by name."""
    return SavedFormat.objects.filter(owner=user)


def entrants_of_account(user: Any) -> QuerySet[Entrant]:
    """The entrants an account acts for in events that are not over, newest first."""
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
    """Whether players may register themselves at an instant: `open`, `later` (it opens by the clock), or `closed`."""
    if event.status != Event.Status.REGISTRATION:
        return "closed"
    if event.registration_opens_at is not None and now < event.registration_opens_at:
        return "later"
    if event.registration_closes_at is not None and now >= event.registration_closes_at:
        return "closed"
    return "open"


def persons_to_enter(user: Any, event: Event, now: datetime) -> list[Person]:
    """For whom the account acts and who can be entered: not those who are in, or wait for a place."""
    if not user.is_authenticated or registration_at(event, now) != "open":
        return []
    here = Entrant.objects.filter(event=event, member__person__account=user).exclude(status=Entrant.Status.DROPPED)
    entered = set(here.values_list("member__person", flat=True))
    return [person for person in persons_of(user) if person.pk not in entered]


def in_the_same_hall(stage: Stage) -> list[tuple[Event, list[int]]]:
    """Events of the same staff that are played within half a day of this one, with the tables that both have."""
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
    """The pairs of an event that must not meet, with names."""
    names = ("first__member_set__person", "second__member_set__person")
    return event.forbidden_pairs.select_related("first", "second").prefetch_related(*names)
