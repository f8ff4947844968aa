"""Who may take what away: what everybody may read on pages, and decklists for those to whom they are open."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, event_for_viewer, plays
from tournaments.events.models import Event
from tournaments.exports.tables import TABLES


def event_for_export(user: Any, event_id: str, table: str) -> Event:
    """The event of which this account may have a table; 404 for a table that there is not."""
    if table not in TABLES:
        raise Http404
    if table != "decks":
        return event_for_viewer(user, event_id)
    event = event_for_staff(user, event_id, "read_decks")
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the lists of others."))
    return event
