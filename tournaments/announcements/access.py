"""Permissions for announcements."""

from typing import Any

from django.http import Http404

from tournaments.announcements.models import Announcement
from tournaments.events.access import require


def announcement_for_staff(user: Any, public_id: str) -> Announcement:
    """An announcement of an event at which the account may make and withdraw announcements."""
    found = Announcement.objects.filter(public_id=public_id).select_related("event").first()
    if found is None:
        raise Http404
    require(user, found.event, "announce")
    return found
