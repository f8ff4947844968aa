"""Actions on files of other programs: upload one, and create an event or entrants from it.

`open_transfer` stores a file, `confirm_transfer` has an event made of it by a job. Players alone are entered in an
event through `events.imports`, where each line can be checked (`enter_players_of`).
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.archive.importing import import_file
from tournaments.archive.services import MAX_UPLOAD
from tournaments.archive.verification import prove
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events import imports
from tournaments.events.models import EntryImport, Event
from tournaments.transfers.brought import BroughtPlayer
from tournaments.transfers.contents import ARCHIVE, ENTRANTS, contents_of, described_as
from tournaments.transfers.entering import name_of
from tournaments.transfers.making import Settings, make_event
from tournaments.transfers.models import Transfer
from tournaments.transfers.reading import recognized

MAKE = "transfers.make"
KEPT = timedelta(days=1)
MAX_OPEN = 20  # files of one account that wait for a decision
Status = Transfer.Status


def open_transfer(*, document: bytes, by: User, now: datetime) -> Transfer:
    """Store an uploaded file, and recognize its format. Nothing is created yet; it is deleted after `KEPT`.

    Refused: `file_too_large` (8 MiB), `transfer_format_unknown`, `too_many_transfers`, and what the reader of its
    format raises.
    """
    if len(document) > MAX_UPLOAD:
        raise InvalidInput("file_too_large", _("The file is larger than 8 MiB."), details=[MAX_UPLOAD])
    format_ = recognized(document)
    if not format_:
        message = _("This kind of file cannot be read here. Nothing was imported.")
        raise InvalidInput("transfer_format_unknown", message)
    summary = asdict(described_as(contents_of(format_, document)))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that two uploads at once cannot exceed the limit
        if Transfer.objects.filter(owner=by, status=Status.OPEN).count() >= MAX_OPEN:
            raise Refusal(
                "too_many_transfers", _("Several of your files are waiting for a decision. Discard some of them.")
            )
        transfer = Transfer.objects.create(
            owner=by, format=format_, document=document, summary=summary, uploaded_at=now
        )
        payload = {"transfer": transfer.pk}
        jobs.enqueue("transfers.forget", str(transfer.pk), payload=payload, now=now, run_after=now + KEPT)
    return transfer


def confirm_transfer(*, transfer: Transfer, goal: str, settings: Settings | None, by: User, now: datetime) -> Transfer:
    """Have a job create an event from a file, to continue here or as an archive. Idempotent.

    `settings` is for the files of other programs; an event file of ours says all that itself.

    Refused: `goal_unknown`, `settings_missing`.
    """
    contents = contents_of(transfer.format, bytes(transfer.document)) if transfer.document else None
    if contents is not None and (goal == ENTRANTS or goal not in contents.goals):
        raise InvalidInput("goal_unknown", _("This cannot be created from this file."), details=list(contents.goals))
    if contents is not None and contents.brought is not None and settings is None:
        raise InvalidInput("settings_missing", _("Give the name of the event and the game."))
    said = _as_json(replace(settings, archive=goal == ARCHIVE)) if settings else {"archive": goal == ARCHIVE}
    with transaction.atomic():
        mine = Transfer.objects.filter(pk=transfer.pk, status=Status.OPEN)
        if mine.update(status=Status.CONFIRMED, settings=said):
            jobs.enqueue(MAKE, str(transfer.pk), payload={"transfer": transfer.pk}, now=now)
    transfer.refresh_from_db()
    return transfer


def _as_json(settings: Settings) -> dict[str, Any]:
    said = asdict(settings)
    return {**said, "starts_at": settings.starts_at.isoformat() if settings.starts_at else None}


def _from_json(said: dict[str, Any]) -> Settings:
    starts_at = said["starts_at"]
    return Settings(**{**said, "starts_at": datetime.fromisoformat(starts_at) if starts_at else None})


def run_transfer(*, transfer_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Create the event of a confirmed file; run by the job `transfers.make`. Running it again creates no other event.

    A refusal opens the file again, so that another choice can be made, and is raised.
    """
    transfer = Transfer.objects.filter(pk=transfer_id, status=Status.CONFIRMED).select_related("owner").first()
    if transfer is None:
        return
    try:
        contents = contents_of(transfer.format, bytes(transfer.document))
        found = prove(contents.file, progress) if contents.file else None  # replays logs: long, so before the lock
        with transaction.atomic():
            # Read again under the lock: a job may run twice.
            locked = Transfer.objects.select_for_update().get(pk=transfer_id)
            if locked.status != Status.CONFIRMED:
                return
            if contents.file is not None and found is not None:
                event = import_file(
                    file=contents.file,
                    found=found,
                    owner=transfer.owner,
                    now=now,
                    play_on=not transfer.settings["archive"],
                    uploaded=True,
                )
            else:
                assert contents.brought is not None, "a roster is never confirmed"
                settings = _from_json(transfer.settings)
                event = make_event(
                    brought=contents.brought,
                    settings=settings,
                    by=transfer.owner,
                    now=now,
                    source=transfer.public_id,
                )
            _finish(locked, event)
    except Refusal:
        Transfer.objects.filter(pk=transfer_id, status=Status.CONFIRMED).update(status=Status.OPEN)
        raise


def _finish(transfer: Transfer, event: Event | None) -> None:
    # The file may hold personal data that is not needed any more.
    transfer.status, transfer.document, transfer.made = Status.DONE, b"", event
    transfer.save(update_fields=["status", "document", "made"])


def enter_players_of(*, transfer: Transfer, event: Event, by: User, now: datetime) -> EntryImport:
    """Pass the players of a file to the import of entrants of an event, where they are checked line by line.

    Refused: `already_used`, and what `events.imports.open_import` raises.
    """
    contents = contents_of(transfer.format, bytes(transfer.document)) if transfer.document else None
    if contents is None:
        raise Refusal("already_used", _("This file has already been used."))
    document, chosen = bytes(transfer.document), None
    if contents.brought is not None:
        document, chosen = _as_list(contents.brought.players)
    with transaction.atomic():
        if not Transfer.objects.filter(pk=transfer.pk, status=Status.OPEN).update(status=Status.DONE, document=b""):
            raise Refusal("already_used", _("This file has already been used."))
        return imports.open_import(event=event, document=document, by=by, now=now, chosen=chosen)


def _as_list(players: Sequence[BroughtPlayer]) -> tuple[bytes, dict[str, Any]]:
    """The players as a CSV file, and how `entry_files` reads it."""
    columns = ("given_name", "family_name", "club", "email", "decklist")
    written = io.StringIO()
    rows = csv.writer(written)
    for number, player in enumerate(players, 1):
        name = name_of(player, number)
        rows.writerow((name.given, name.family, player.club, player.email, player.decklist))
    chosen = {"encoding": "utf-8", "delimiter": "comma", "header": False, "columns": list(columns)}
    return written.getvalue().encode(), chosen


def discard_transfer(*, transfer: Transfer) -> None:
    """Delete a file that has not been used, else `already_used`."""
    if not Transfer.objects.filter(pk=transfer.pk, status=Status.OPEN).delete()[0]:
        raise Refusal("already_used", _("This file has already been used."))


def forget_transfer(*, transfer_id: int) -> None:
    """Delete a file; the event created from it stays. Idempotent."""
    Transfer.objects.filter(pk=transfer_id).delete()
