"""What pages and the API read of events."""

from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.common import ledger
from tournaments.events.models import Entrant, Event, ForbiddenPair, SavedFormat, StaffRole, Stage, StageEntry


def visible_events(user: Any) -> QuerySet[Event]:
    """Events that are public, and the account's own drafts; newest first, with their numbers of entrants."""
    seen = ~Q(status=Event.Status.DRAFT)
    if user.is_authenticated:
        seen |= Q(pk__in=user.staff_roles.values("event"))
    playing = Count("entrants", filter=Q(entrants__status=Entrant.Status.REGISTERED))
    return Event.objects.filter(seen).annotate(playing=playing).order_by("-created_at", "-pk")


def entrants_of(event: Event) -> QuerySet[Entrant]:
    """All entrants with their members' persons, in the order they came."""
    return event.entrants.prefetch_related("member_set__person").order_by("registered_at", "pk")


def current_stage(event: Event) -> Stage:
    """The stage being played, or the first one before the start."""
    return event.stages.exclude(number__gt=1, started_at=None).order_by("-number")[0]


def first_stage(event: Event) -> Stage:
    """The stage that everybody registers for."""
    return event.stages.order_by("number")[0]


def next_stage(event: Event) -> Stage | None:
    """The stage that comes after the one being played."""
    return event.stages.filter(number__gt=1, started_at=None).order_by("number").first()


def entries_with_names() -> Prefetch:
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
    over = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)
    return (
        Entrant.objects
        .filter(member__person__account=user)
        .exclude(event__status__in=over)
        .select_related("event")
        .prefetch_related("member_set__person")
        .order_by("-registered_at", "-pk")
        .distinct()
    )


def forbidden_pairs_of(event: Event) -> QuerySet[ForbiddenPair]:
    """The pairs of an event that must not meet, with names."""
    names = ("first__member_set__person", "second__member_set__person")
    return event.forbidden_pairs.select_related("first", "second").prefetch_related(*names)
