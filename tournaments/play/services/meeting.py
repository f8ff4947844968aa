"""The player meeting, held as round 0: where players sit, and taking attendance.

Players sit in alphabetical order. Players whose chair is empty are dropped; everybody else is checked in.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.selectors import without_legal_list
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_and_keys_of
from tournaments.events.services import check_in
from tournaments.play.models import Round
from tournaments.play.services.entries import record
from tournaments.play.services.events import drop

CHAIRS = 2  # at a table


@dataclass(frozen=True)
class Chair:
    """A seat at the meeting: its number from 1, who sits there, and whether a required legal list is missing."""

    number: int
    entrant: Entrant
    name: str
    owes_deck: bool

    @property
    def public_id(self) -> str:
        """The public id of the entrant who sits there."""
        return self.entrant.public_id

    @property
    def table(self) -> int:
        """The number of the table, from 1."""
        return (self.number + CHAIRS - 1) // CHAIRS


def chairs_of(event: Event) -> list[Chair]:
    """The chairs of all registered entrants, by name; equal names in order of registration. Three queries."""
    owing = set(without_legal_list(current_stage(event)).values_list("pk", flat=True))
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED).order_by("registered_at", "pk")
    names, places = names_and_keys_of(playing)
    named = [(names.get(entrant.pk, entrant.public_id), entrant) for entrant in playing]
    by_name = sorted(named, key=lambda each: places.get(each[1].pk, ()))
    return [Chair(number, entrant, name, entrant.pk in owing) for number, (name, entrant) in enumerate(by_name, 1)]


def hold_meeting(*, event: Event, empty: Collection[str], by: User, now: datetime) -> list[Entrant]:
    """Take attendance before round 1: drop the entrants of the `empty` chairs (public ids), and return them.

    While check-in is open, everybody else is checked in. Raises Refusal `meeting_over` before the lock of the lists or
    once round 1 is paired, InvalidInput `entrant_unknown` with the ids that have no chair.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        open_states = (Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)
        if event.status not in open_states or Round.objects.filter(stage__event=event).exists():
            raise Refusal("meeting_over", _("The player meeting is held between locking the lists and round 1."))
        chairs = chairs_of(event)
        unknown = sorted(set(empty) - {chair.entrant.public_id for chair in chairs})
        if unknown:
            raise InvalidInput("entrant_unknown", _("Some of these entrants have no chair."), details=unknown)
        absent = [chair.entrant for chair in chairs if chair.entrant.public_id in empty]
        for entrant in absent:
            drop(entrant=entrant, by=by, now=now)
        if event.status == Event.Status.CHECK_IN:
            for chair in chairs:
                if chair.entrant not in absent:
                    check_in(entrant=chair.entrant, by=by, now=now)
        after = {"chairs": len(chairs), "empty": len(absent)}
        record(event, by, "meeting.held", now, object=event.public_id, after=after)
    return absent
