"""Who may take an event away whole, and read a verification."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.archive.models import Export, Verification
from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, plays, roles_of
from tournaments.events.models import Event

_OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


def event_for_file(user: Any, event_id: str) -> Event:
    """An event of which this organizer may have the file; while it goes on, nobody who plays it: lists are in it."""
    event = event_for_staff(user, event_id, "manage_event")
    if event.status not in _OVER and plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the lists of others."))
    return event


def export_for_organizer(user: Any, public_id: str) -> Export:
    """A file that was asked for, for those who may have it now."""
    found = Export.objects.filter(public_id=public_id).select_related("event").defer("document").first()
    if found is None:
        raise Http404
    event_for_file(user, found.event.public_id)
    return found


def reads_faults(user: Any, event: Event) -> bool:
    """Whether somebody reads what a check of an event found in detail: its staff who do not play it."""
    return bool(roles_of(user, event)) and not plays(user, event)


def verification_for_anyone(public_id: str) -> Verification:
    """A verification: for whoever holds its id, which is drawn by chance."""
    found = Verification.objects.filter(public_id=public_id).defer("document").first()
    if found is None:
        raise Http404
    return found
