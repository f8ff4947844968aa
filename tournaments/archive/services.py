"""Gestures on event files."""

import time
from datetime import datetime, timedelta
from io import BytesIO
from typing import IO, Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.archive.checked import keep_check
from tournaments.archive.importing import import_file
from tournaments.archive.lines import Unreadable
from tournaments.archive.models import Export, Verification
from tournaments.archive.present import verify_event
from tournaments.archive.reading import EventFile, read_file
from tournaments.archive.selectors import CHECK, state_of_check
from tournaments.archive.verification import prove, verify
from tournaments.archive.writing import pack_file
from tournaments.audits import replays
from tournaments.audits.models import Audit, ReplayPage
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event

MAX_UPLOAD = 8 * 1024 * 1024
MAX_UNPACKED = 64 * 1024 * 1024  # of a file that anybody sends
MAX_WAITING = 50  # files that wait to be read
LONGEST = 600.0  # seconds of one verification
KEPT = timedelta(days=1)


def ask_for_file(*, event: Event, names: bool, by: User, now: datetime) -> Export:
    """Have the file of an event written by a job. A day later it is forgotten: names and lists stand in it."""
    with transaction.atomic():
        asked = Export.objects.create(event=event, names=names, asked_by=by, asked_at=now)
        payload = {"export": asked.pk}
        jobs.enqueue("archive.export", str(asked.pk), payload=payload, now=now)
        jobs.enqueue("archive.forget_export", str(asked.pk), payload=payload, now=now, run_after=now + KEPT)
    return asked


def run_export(*, export_id: int, progress: Progress = unseen) -> None:
    """Write the file of an event as it stands; nothing happens when it is forgotten or written already."""
    asked = Export.objects.filter(pk=export_id, document=None).select_related("event").first()
    if asked is not None:
        document = pack_file(asked.event, names=asked.names, progress=progress)
        Export.objects.filter(pk=export_id).update(document=document)


def forget_export(*, export_id: int) -> None:
    """Delete a file that was asked for. Twice is once."""
    Export.objects.filter(pk=export_id).delete()


def ask_for_verification(*, document: bytes, now: datetime) -> Verification:
    """Have a file verified by a job; anybody may. A day later nothing is left of it."""
    if len(document) > MAX_UPLOAD:
        raise _unreadable(Unreadable("too_large"))
    with transaction.atomic():
        if Verification.objects.filter(document__isnull=False).count() >= MAX_WAITING:
            raise Refusal("verifications_wait", _("Many files wait to be verified. Try again in a few minutes."))
        asked = Verification.objects.create(document=document, asked_at=now)
        payload = {"verification": asked.pk}
        jobs.enqueue("archive.verify", str(asked.pk), payload=payload, now=now)
        jobs.enqueue("archive.forget", str(asked.pk), payload=payload, now=now, run_after=now + KEPT)
    return asked


def run_verification(*, verification_id: int, progress: Progress = unseen) -> None:
    """Verify a file and keep what was found instead of it. Twice is once."""
    asked = Verification.objects.filter(pk=verification_id, document__isnull=False).first()
    if asked is None or asked.document is None:
        return
    until = time.monotonic() + LONGEST

    def watched(percent: int) -> None:
        if time.monotonic() > until:
            raise Unreadable("too_long")
        progress(percent)

    try:
        report = verify(BytesIO(bytes(asked.document)), most=MAX_UNPACKED, progress=watched).as_json()
    except Unreadable as error:
        report = {"unreadable": _told(error)}
    Verification.objects.filter(pk=asked.pk).update(report=report, document=None)


def forget_verification(*, verification_id: int) -> None:
    """Delete a verification. Twice is once."""
    Verification.objects.filter(pk=verification_id).delete()


def ask_for_check(*, event: Event, now: datetime) -> None:
    """Have an event verified now, by a job. Nothing happens while one waits or runs: its answer serves both."""
    if state_of_check(event).busy:
        return
    with transaction.atomic():
        jobs.enqueue(CHECK, str(event.pk), payload={"event": event.pk}, now=now)


def run_check(*, event_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Verify an event as it stands and keep what was found. Raises `event_moves` when it never stands still."""
    event = Event.objects.filter(pk=event_id).first()
    if event is not None:
        keep_check(event=event, found=verify_event(event, progress=progress), now=now)


def _unreadable(error: Unreadable) -> InvalidInput:
    return InvalidInput("file_unreadable", _("This event file cannot be read."), details=[_told(error)])


def _told(error: Unreadable) -> dict[str, Any]:
    return {"reason": error.reason, "line": error.line, "field": error.field}


def import_event(*, stream: IO[bytes], owner: User | None, now: datetime, progress: Progress = unseen) -> Event:
    """Read a file, verify it, and keep its event here: see `importing.import_file`. Raises also `file_unreadable`."""
    try:
        file: EventFile = read_file(stream)
    except Unreadable as error:
        raise _unreadable(error) from error
    return import_file(file=file, found=prove(file, progress), owner=owner, now=now)


def draw_boards(*, event_id: str, progress: Progress = unseen) -> None:
    """Replay the logs of an imported event, so that its boards can be read. Twice is once."""
    missing = Audit.objects.filter(log__game__match__round__stage__event__public_id=event_id, pages=None)
    waiting = list(missing.exclude(verdict="").select_related("log__game__match__round__stage__event"))
    for done, audit in enumerate(waiting):
        progress(100 * done // len(waiting))
        pages, _outline = replays.of_log(audit)
        ReplayPage.objects.bulk_create(pages, batch_size=100, ignore_conflicts=True)
