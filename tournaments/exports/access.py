"""Permissions for exports: everybody may export what they may see on pages."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.decks.access import lists_are_open
from tournaments.events.access import event_for_staff, event_for_viewer, is_shown, plays, readers_of
from tournaments.events.models import Event
from tournaments.exports.datasets import TABLES, exported_stage
from tournaments.standings.access import event_for_statistics, require_all_standings, require_standings


def event_for_export(user: Any, event_id: str, table: str, stage: int | None = None) -> Event:
    """The event, if this user may export the table of it that is called `table`; 404 for an unknown table.

    `stage` is the number of the stage whose standings are asked for, instead of `stage_to_show`; 404 if it has not
    begun. Refused: `hidden_now` (standings that are not shown), `staff_who_play` and `role_too_low` (decklists).
    """
    if table not in TABLES:
        raise Http404
    if table == "answers":
        return event_for_staff(user, event_id, "run_desk")
    if table == "metagame":
        return event_for_statistics(user, event_id)
    shown = event_for_viewer(user, event_id) if table != "decks" else None
    if table in ("standings", "boards") and shown is not None:
        require_standings(user, exported_stage(shown, stage))
    if table in ("final", "categories") and shown is not None:
        require_all_standings(user, shown)
    if shown is not None:
        return shown
    event = Event.objects.filter(public_id=event_id).first()
    if event is not None and is_shown(user, event) and lists_are_open(event, readers_of(user, event)):
        return event
    event = event_for_staff(user, event_id, "read_decks")
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read other players’ lists."))
    return event
