"""Saves the findings of a check, whether it ran at night or was requested by an organizer."""

import logging
from datetime import datetime

from tournaments.archive.faults import VerificationReport
from tournaments.archive.models import Check
from tournaments.events.models import Event

logger = logging.getLogger(__name__)


def save_check(*, event: Event, found: VerificationReport, now: datetime) -> None:
    """Save the findings in place of those of the previous check.

    Faults that the previous check did not have are logged, without names: only the event's public id and their codes.
    """
    before = Check.objects.filter(event=event).first()
    known = {(fault["code"], fault["where"]) for fault in before.report["faults"]} if before else set()
    new = {(fault.code, fault.where) for fault in found.faults} - known
    if new:
        codes = ", ".join(sorted({code for code, _where in new}))
        logger.error("event %s does not hold up to entry %s: %s", event.public_id, found.entry, codes)
    values = {"at": now, "entry": found.entry, "faulty": found.faulty, "report": found.as_json()}
    Check.objects.update_or_create(event=event, defaults=values)
