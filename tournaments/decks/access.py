"""Whose decklists and pools an account may read: its own, and as staff those of an event, but never an opponent's
before they are open to all.
"""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.decks.models import Decklist, Pool
from tournaments.events.access import event_for_viewer, own_entrants, require
from tournaments.events.models import Entrant, Event, Stage


def decklist_for_reader(user: Any, pk: int) -> Decklist:
    """One version of a list: for its entrant's members, and for staff who do not play the event themselves."""
    decklist = Decklist.objects.filter(pk=pk).select_related("entrant__event", "stage").first()
    if decklist is None:
        raise Http404
    _require_reader(user, decklist.entrant)
    return decklist


def pool_for_reader(user: Any, pk: int) -> Pool:
    """One version of a pool: as a decklist, and for everybody once the stage shows its pools."""
    pool = Pool.objects.filter(pk=pk).select_related("entrant__event", "stage__event").first()
    if pool is None:
        raise Http404
    if not pools_are_open(pool.stage):
        _require_reader(user, pool.entrant)
    else:
        event_for_viewer(user, pool.entrant.event.public_id)
    return pool


def pools_are_open(stage: Stage) -> bool:
    """Whether everybody reads the pools of a stage: the organizer chose when, and it is then."""
    over = {Event.Status.FINISHED, Event.Status.ARCHIVED}
    locked = over | {Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING}
    when = {Stage.PoolsShown.OVER: over, Stage.PoolsShown.LOCKED: locked}
    return stage.event.status in when.get(Stage.PoolsShown(stage.pools_shown), ())


def _require_reader(user: Any, entrant: Entrant) -> None:
    mine = own_entrants(user, entrant.event)
    if entrant in mine:
        return
    require(user, entrant.event, "read_decks")
    if mine:
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the lists of others."))
