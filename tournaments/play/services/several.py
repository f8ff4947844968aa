"""One action of the desk for several entrants at once; each succeeds or is refused separately."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import entrants_of
from tournaments.events.services import check_in, undo_check_in
from tournaments.payments.services import mark_owed, mark_paid
from tournaments.play.services.events import drop, reinstate

MOST = 500  # at once
ACTIONS: Mapping[str, Callable[..., None]] = {
    "check_in": check_in,
    "undo_check_in": undo_check_in,
    "drop": drop,
    "reinstate": reinstate,
    "paid": mark_paid,
    "owed": mark_owed,
}


@dataclass
class Several:
    """The entrants for whom the action was done, and those for whom it was refused, with the refusal."""

    done: list[Entrant] = field(default_factory=list)
    refused: list[tuple[Entrant, Refusal]] = field(default_factory=list)


def for_several(*, event: Event, entrants: Collection[str], action: str, by: User, now: datetime) -> Several:
    """Check in, undo check-in, drop, reinstate, or mark as paid or as not paid several entrants, by their public ids.

    Each has its own transaction and ledger entry, so a refusal for one leaves the others done. Nothing is done for
    anybody if an id is unknown (InvalidInput `entrant_unknown`, with the ids), the action is (`gesture_unknown`), or
    there are more than `MOST` (`too_many_entrants`).
    """
    if action not in ACTIONS:
        raise InvalidInput("gesture_unknown", _("There is no such choice."), details=list(ACTIONS))
    wanted = set(entrants)
    if len(wanted) > MOST:
        raise InvalidInput("too_many_entrants", _("Choose at most 500 entrants at once."), details=[MOST])
    found = list(entrants_of(event).filter(public_id__in=wanted))
    if unknown := sorted(wanted - {entrant.public_id for entrant in found}):
        raise InvalidInput("entrant_unknown", _("Some of these are not entrants of this event."), details=unknown)
    report = Several()
    for entrant in found:
        try:
            ACTIONS[action](entrant=entrant, by=by, now=now)
        except Refusal as refusal:
            report.refused.append((entrant, refusal))
        else:
            report.done.append(entrant)
    return report
