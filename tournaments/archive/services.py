"""Actions on event files: exporting, verifying and importing them, and checking an event in the database.

Everything but the import is done by jobs: `ask_for_…` stores the request and enqueues the job, `run_…` is called by it.
"""

import time
from datetime import datetime, timedelta
from io import BytesIO
from typing import IO, Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.archive.checked import save_check
from tournaments.archive.importing import import_file
from tournaments.archive.lines import MAX_BYTES, Unreadable
from tournaments.archive.models import Export, Verification
from tournaments.archive.present import verify_event
from tournaments.archive.reading import EventFile, read_file
from tournaments.archive.selectors import CHECK, state_of_check
from tournaments.archive.verification import prove, verify
from tournaments.archive.writing import pack_file
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event

MAX_UPLOAD = 8 * 1024 * 1024
MAX_UNPACKED = 64 * 1024 * 1024  # for uploaded files: anybody may send one, without an account
MAX_WAITING = 50  # uploaded files that are not verified yet
LONGEST = 600.0  # seconds for one verification
KEPT = timedelta(days=1)  # how long written files and reports are kept


def ask_for_file(*, event: Event, names: bool, by: User, now: datetime) -> Export:
    """Request the file of an event, written by a job. Deleted a day later, since it contains names and decklists."""
    with transaction.atomic():
        export = Export.objects.create(event=event, names=names, asked_by=by, asked_at=now)
        payload = {"export": export.pk}
        jobs.enqueue("archive.export", str(export.pk), payload=payload, now=now)
        jobs.enqueue("archive.forget_export", str(export.pk), payload=payload, now=now, run_after=now + KEPT)
    return export


def run_export(*, export_id: int, progress: Progress = unseen) -> None:
    """Write a requested file from the current state of the event. Does nothing if it is written or deleted already."""
    export = Export.objects.filter(pk=export_id, document=None).select_related("event").first()
    if export is not None:
        document = pack_file(export.event, names=export.names, progress=progress)
        Export.objects.filter(pk=export_id).update(document=document)


def forget_export(*, export_id: int) -> None:
    """Delete a requested file. Idempotent."""
    Export.objects.filter(pk=export_id).delete()


def ask_for_verification(*, document: bytes, now: datetime) -> Verification:
    """Request the verification of a file, done by a job; needs no account. File and report are deleted a day later.

    Raises `file_unreadable` for more than `MAX_UPLOAD` bytes, `verifications_wait` if `MAX_WAITING` files are waiting.
    """
    if len(document) > MAX_UPLOAD:
        raise _unreadable(Unreadable("too_large"))
    with transaction.atomic():
        if Verification.objects.filter(document__isnull=False).count() >= MAX_WAITING:
            raise Refusal("verifications_wait", _("Many files are waiting to be verified. Try again in a few minutes."))
        verification = Verification.objects.create(document=document, asked_at=now)
        payload = {"verification": verification.pk}
        jobs.enqueue("archive.verify", str(verification.pk), payload=payload, now=now)
        jobs.enqueue("archive.forget", str(verification.pk), payload=payload, now=now, run_after=now + KEPT)
    return verification


def run_verification(*, verification_id: int, progress: Progress = unseen) -> None:
    """Verify an uploaded file and store the report in its place. Idempotent.

    If the file cannot be read, or takes longer than `LONGEST`, the report is `{"unreadable": {…}}`.
    """
    verification = Verification.objects.filter(pk=verification_id, document__isnull=False).first()
    if verification is None or verification.document is None:
        return
    until = time.monotonic() + LONGEST

    def within_time(percent: int) -> None:
        # The checks call this after every step, so it is also the place to stop a verification that takes too long.
        if time.monotonic() > until:
            raise Unreadable("too_long")
        progress(percent)

    try:
        report = verify(BytesIO(bytes(verification.document)), most=MAX_UNPACKED, progress=within_time).as_json()
    except Unreadable as error:
        report = {"unreadable": _as_json(error)}
    Verification.objects.filter(pk=verification.pk).update(report=report, document=None)


def forget_verification(*, verification_id: int) -> None:
    """Delete a verification. Idempotent."""
    Verification.objects.filter(pk=verification_id).delete()


def ask_for_check(*, event: Event, now: datetime) -> None:
    """Request a check of an event, done by a job. Does nothing while one is waiting or running: it serves both."""
    if state_of_check(event).busy:
        return
    with transaction.atomic():
        jobs.enqueue(CHECK, str(event.pk), payload={"event": event.pk}, now=now)


def run_check(*, event_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Verify the current state of an event and save the findings. Raises `event_moves` if it keeps changing."""
    event = Event.objects.filter(pk=event_id).first()
    if event is not None:
        save_check(event=event, found=verify_event(event, progress=progress), now=now)


def _unreadable(error: Unreadable) -> InvalidInput:
    return InvalidInput("file_unreadable", _("This event file cannot be read."), details=[_as_json(error)])


def _as_json(error: Unreadable) -> dict[str, Any]:
    return {"reason": error.reason, "line": error.line, "field": error.field}


def import_event(
    *,
    stream: IO[bytes],
    owner: User | None,
    now: datetime,
    play_on: bool = False,
    uploaded: bool = False,
    progress: Progress = unseen,
) -> Event:
    """Read a file, verify it with its logs replayed, and import its event; see `importing.import_file`.

    Raises `file_unreadable`, besides the refusals of `import_file`.
    """
    file = read_event_file(stream, most=MAX_UNPACKED if uploaded else MAX_BYTES)
    found = prove(file, progress)
    return import_file(file=file, found=found, owner=owner, now=now, play_on=play_on, uploaded=uploaded)


def read_event_file(stream: IO[bytes], *, most: int = MAX_UNPACKED) -> EventFile:
    """Read an event file of at most `most` bytes unpacked. Raises `file_unreadable`."""
    try:
        return read_file(stream, most=most)
    except Unreadable as error:
        raise _unreadable(error) from error
