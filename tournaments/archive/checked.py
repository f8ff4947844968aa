"""Keeps what a check of an event found, asked for by night or by an organizer."""

import logging
from datetime import datetime

from tournaments.archive.faults import Found
from tournaments.archive.models import Check
from tournaments.events.models import Event

logger = logging.getLogger(__name__)


def keep_check(*, event: Event, found: Found, now: datetime) -> None:
    """Keep what was found instead of the check before.

    Faults that were not there the last time are logged, by codes and public ids alone.
    """
    before = Check.objects.filter(event=event).first()
    known = {(fault["code"], fault["where"]) for fault in before.report["faults"]} if before else set()
    new = {(fault.code, fault.where) for fault in found.faults} - known
    if new:
        codes = ", ".join(sorted({code for code, _where in new}))
        logger.error("event %s does not hold up to entry %s: %s", event.public_id, found.entry, codes)
    values = {"at": now, "entry": found.entry, "faulty": found.faulty, "report": found.as_json()}
    Check.objects.update_or_create(event=event, defaults=values)
