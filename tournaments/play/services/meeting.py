"""The player meeting held: empty chairs are dropped, who sits there is checked in."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.events.services import check_in
from tournaments.play.meeting import chairs_of
from tournaments.play.models import Round
from tournaments.play.services.entries import record
from tournaments.play.services.events import drop


def hold_meeting(*, event: Event, empty: Collection[str], by: User, now: datetime) -> list[Entrant]:
    """Drop the entrants of the `empty` chairs (public ids), before round 1; the dropped. Who sits is checked in
    while check-in is open.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        open_states = (Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)
        if event.status not in open_states or Round.objects.filter(stage__event=event).exists():
            raise Refusal("meeting_over", _("The player meeting is between the lock of the lists and round 1."))
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
