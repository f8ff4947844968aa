"""Read queries on uploaded files."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.events.models import Event, StaffRole
from tournaments.play.models import Round
from tournaments.transfers.models import Transfer


@dataclass(frozen=True)
class TransferState:
    """The progress of a confirmed file in percent; `error` is the code of the refusal that stopped it, or ""."""

    progress: int
    error: str


def state_of(transfer: Transfer) -> TransferState:
    """The progress of creating an event from a file. A refusal opens the file again, and leaves its code in `error`."""
    if transfer.status == Transfer.Status.DONE:
        return TransferState(100, "")
    job = jobs.state_of("transfers.make", str(transfer.pk))
    failed = job is not None and job.status == "failed"
    return TransferState(job.progress if job else 0, job.error if job and failed else "")


def open_transfers(user: User) -> QuerySet[Transfer]:
    """The files of an account that wait for a decision, newest first, without their contents."""
    return Transfer.objects.filter(owner=user, status=Transfer.Status.OPEN).defer("document").order_by("-pk")


def events_to_enter(user: User) -> QuerySet[Event]:
    """The events to which an account can add entrants, newest first: those of which no round is paired yet."""
    roles = StaffRole.objects.filter(
        user=user, role__in=(StaffRole.Role.OWNER, StaffRole.Role.ORGANIZER, StaffRole.Role.SCOREKEEPER)
    )
    over = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)
    open_ = Event.objects.filter(pk__in=roles.values("event")).exclude(status__in=over)
    paired = Round.objects.filter(stage__event=OuterRef("pk"))
    return open_.exclude(Exists(paired)).order_by("-created_at", "-pk")
