"""Whose decklists an account may read: its own, and as staff those of an event, but never an opponent's."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.decks.models import Decklist
from tournaments.events.access import own_entrants, require


def decklist_for_reader(user: Any, pk: int) -> Decklist:
    """One version of a list: for its entrant's members, and for staff who do not play the event themselves."""
    decklist = Decklist.objects.filter(pk=pk).select_related("entrant__event", "stage").first()
    if decklist is None:
        raise Http404
    event = decklist.entrant.event
    mine = own_entrants(user, event)
    if decklist.entrant in mine:
        return decklist
    require(user, event, "read_decks")
    if mine:
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the lists of others."))
    return decklist
