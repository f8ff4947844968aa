"""One gesture of the desk for several entrants: each is done or refused on its own."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import entrants_of
from tournaments.events.services import check_in, undo_check_in
from tournaments.play.services.events import drop, reinstate

MOST = 500  # at once
GESTURES: Mapping[str, Callable[..., None]] = {
    "check_in": check_in,
    "undo_check_in": undo_check_in,
    "drop": drop,
    "reinstate": reinstate,
}


@dataclass
class Several:
    """For whom the gesture was done, and who was refused, with why."""

    done: list[Entrant] = field(default_factory=list)
    refused: list[tuple[Entrant, Refusal]] = field(default_factory=list)


def for_several(*, event: Event, entrants: Collection[str], gesture: str, by: User, now: datetime) -> Several:
    """Check in, take check-ins back, drop or reinstate entrants (public ids).

    Each has a transaction and a ledger entry of its own; one that is refused leaves the others done. Nothing is done
    where an id is unknown (`entrant_unknown`), the gesture is (`gesture_unknown`), or there are too many
    (`too_many_entrants`).
    """
    if gesture not in GESTURES:
        raise InvalidInput("gesture_unknown", _("There is no such choice."), details=list(GESTURES))
    wanted = set(entrants)
    if len(wanted) > MOST:
        raise InvalidInput("too_many_entrants", _("Choose at most 500 entrants at once."), details=[MOST])
    found = list(entrants_of(event).filter(public_id__in=wanted))
    if unknown := sorted(wanted - {entrant.public_id for entrant in found}):
        raise InvalidInput("entrant_unknown", _("Some of these are not entrants of this event."), details=unknown)
    report = Several()
    for entrant in found:
        try:
            GESTURES[gesture](entrant=entrant, by=by, now=now)
        except Refusal as refusal:
            report.refused.append((entrant, refusal))
        else:
            report.done.append(entrant)
    return report
