"""Permissions for event files, verifications and checks."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.archive.models import Export, Verification
from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, may_read_hidden, plays
from tournaments.events.models import Event

_OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


def event_for_file(user: Any, event_id: str) -> Event:
    """Return an event whose file this user may download: they need the `manage_event` right.

    Until the event is over, staff who play in it may not, since the file contains everybody's decklists
    (`staff_who_play`). Raises Http404 for an event that the user cannot see.
    """
    event = event_for_staff(user, event_id, "manage_event")
    if event.status not in _OVER and plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read other players’ lists."))
    return event


def export_for_organizer(user: Any, public_id: str) -> Export:
    """Return a requested file, without its document; permissions are checked as they are now, not as when requested."""
    found = Export.objects.filter(public_id=public_id).select_related("event").defer("document").first()
    if found is None:
        raise Http404
    event_for_file(user, found.event.public_id)
    return found


def reads_faults(user: Any, event: Event) -> bool:
    """Whether a user can see the faults that a check found: staff of the event who do not play in it."""
    return may_read_hidden(user, event, "view_staff_pages")


def verification_for_anyone(public_id: str) -> Verification:
    """Return a verification, without its document. Its random id is the only secret: whoever has it may read it."""
    found = Verification.objects.filter(public_id=public_id).defer("document").first()
    if found is None:
        raise Http404
    return found
