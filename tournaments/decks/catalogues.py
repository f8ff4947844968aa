"""Organizers' card catalogues: a card list is uploaded, read by a job, previewed, and then saved or discarded."""

import re
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.face.lists import CardList, difference_of, look_at, with_its_images, without_its_images
from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import read_card_list
from tournaments.decks.images import MOST_HOSTS, hosts_of, save_images
from tournaments.decks.models import Catalogue, CatalogueUpload
from tournaments.decks.selectors import events_with, newest_owned

MAX_BYTES = 8 * 1024 * 1024
BOM = b"\xef\xbb\xbf"  # the mark that some programs write at the start of a file
MAX_CATALOGUES = 50  # versions per account
MAX_UPLOADS = 5  # uploads per account that are neither saved nor discarded
FORGOTTEN = timedelta(days=1)
JOB = "decks.read_cards"
Status = CatalogueUpload.Status


def name_from(file: str) -> str:
    """The id of a catalogue, made from the name of its file.

    >>> name_from("My Cards.csv")
    'my-cards'
    """
    return re.sub(r"[^0-9a-z]+", "-", PurePath(file).stem.casefold()).strip("-")[:64].strip("-") or "cards"


def with_suspensions(cards: bytes, history: bytes) -> bytes:
    """Join two JSON files, a community's list of cards and its history of suspensions, to the one that is uploaded."""
    return b'{"cards": ' + cards.removeprefix(BOM) + b', "legality": ' + history.removeprefix(BOM) + b"}"


def open_upload(*, game: str, name: str, document: bytes, by: User, now: datetime) -> CatalogueUpload:
    """Upload a file of cards of at most 8 MiB, to be read by a job. It is deleted after a day.

    `game` is "" if the file says its game.

    Refused: `cards_too_large`, `too_many_uploads`.
    """
    if len(document) > MAX_BYTES:
        raise InvalidInput("cards_too_large", _("A list of cards has at most 8 MiB."))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that uploads at once cannot exceed the limit
        if by.catalogue_uploads.exclude(status=Status.KEPT).count() >= MAX_UPLOADS:
            raise Refusal("too_many_uploads", _("Five lists of cards are already waiting for your decision."))
        upload = CatalogueUpload.objects.create(owner=by, game=game, name=name, document=document, sent_at=now)
        payload = {"upload": upload.pk}
        jobs.enqueue(JOB, str(upload.pk), payload=payload, now=now)
        jobs.enqueue("decks.forget_cards", str(upload.pk), payload=payload, now=now, run_after=now + FORGOTTEN)
    return upload


def read_upload(*, upload_id: int, progress: Progress = unseen) -> None:
    """Read an uploaded card list and store the result: all its faults, or the catalogue with a preview. Idempotent."""
    upload = CatalogueUpload.objects.filter(pk=upload_id, status=Status.SENT).first()
    if upload is None:
        return
    progress(5)
    found: dict[str, Any]
    try:
        # Messages are translated when they are shown (`faults_in_words`): a job has no reader.
        read = read_card_list(upload.game, bytes(upload.document), upload.name, "en")
    except InvalidInput as refusal:
        found = {"status": Status.FAULTY, "document": b"", "report": {"faults": list(refusal.details)}}
    else:
        progress(50)
        changes = _changes(newest_owned(upload.owner, read.game, read.catalog), read)
        progress(70)
        named = {"catalog": read.catalog, "sha256": read.sha256, "cards": read.cards}
        report = {**named, "look": look_at(read.document), "file": dict(read.file), "changes": changes}
        report["images"] = dict(list(hosts_of(read.images.values()).items())[:MOST_HOSTS])
        whole = with_its_images(read).encode()
        found = {"status": Status.READABLE, "document": whole, "report": report, "game": read.game}
    # No effect if the upload was discarded meanwhile, or read by another worker.
    CatalogueUpload.objects.filter(pk=upload.pk, status=Status.SENT).update(**found)


def _changes(last: Catalogue | None, read: CardList) -> dict[str, Any] | None:
    """The version that a list of cards follows, and how many cards differ; None if it is the first of its name.

    If it has exactly the cards of that version (`same`), no new one is made: only the images are replaced.
    """
    if last is None:
        return None
    same = last.sha256 == read.sha256
    return {"version": last.version, "same": same, **difference_of(last.document, read.document)}


def keep_upload(*, upload: CatalogueUpload, now: datetime) -> Catalogue:
    """Save an upload that was read as the next version of a catalogue. Idempotent.

    A version with exactly the same cards gets its images instead. The catalogue is that of the account, or else the one
    with this name of a club that the account manages.

    Refused: `cards_not_read` (not read yet, or faulty), `too_many_catalogues`.
    """
    with transaction.atomic():
        owner = _locked_owner(upload)
        upload = CatalogueUpload.objects.select_for_update(of=("self",)).get(pk=upload.pk)
        if upload.kept is not None:
            return upload.kept
        if upload.status != Status.READABLE:
            raise Refusal("cards_not_read", _("This list of cards has not been read yet, or has problems."))
        report = upload.report
        document, images = without_its_images(bytes(upload.document).decode())
        named = (upload.game, report["catalog"], report["sha256"], report["cards"])
        read = CardList(*named, document, report.get("file", {}), images)
        upload.kept = save_version(read, report["look"], now, owner)
        upload.status, upload.document = Status.KEPT, b""
        upload.save(update_fields=["kept", "status", "document"])
    return upload.kept


def _locked_owner(upload: CatalogueUpload) -> User:
    """The account under which the next version is saved, locked together with the one that uploaded it."""

    def found() -> int:
        last = newest_owned(upload.owner, upload.game, upload.report.get("catalog", ""))
        return upload.owner_id if last is None or last.owner_id is None else last.owner_id

    users = User.objects.select_for_update().filter(pk__in={upload.owner_id, found()}).order_by("pk")
    locked = {user.pk: user for user in users}
    return locked.get(found(), locked[upload.owner_id])  # asked again: what the club has may have changed


def discard_upload(*, upload: CatalogueUpload) -> None:
    """Discard an upload. A catalogue saved from it stays."""
    CatalogueUpload.objects.filter(pk=upload.pk).delete()


def forget_upload(*, upload_id: int) -> None:
    """Delete an upload a day after it was sent. Idempotent."""
    CatalogueUpload.objects.filter(pk=upload_id).delete()


def delete_catalogue(*, catalogue: Catalogue) -> None:
    """Delete a catalogue, unless an event uses it (`catalogue_used`) and nobody else has the same content."""
    with transaction.atomic():
        # `services.choose_catalogue` locks these rows too, so an event cannot choose a catalogue that is being deleted.
        same = list(Catalogue.objects.select_for_update().filter(sha256=catalogue.sha256).order_by("pk").values("pk"))
        if len(same) < 2 and events_with(catalogue).exists():
            raise Refusal("catalogue_used", _("An event uses this catalogue, so it cannot be deleted."))
        Catalogue.objects.filter(pk=catalogue.pk).delete()


def import_catalogue(
    *, game: str, content: bytes, name: str, now: datetime, legality: bytes | None = None
) -> Catalogue:
    """Save a file of cards as a new version of a shared catalogue, which every organizer may choose. Idempotent.

    `game` is "" if the file says its game; `legality` is the history of suspensions that goes with it.

    Raises `InvalidInput` `cards_unreadable`, with every faulty line.
    """
    read = read_card_list(game, content, name, get_language() or "en", legality)
    look = look_at(read.document)
    with transaction.atomic():
        kept = save_version(read, look, now, None)
        # The row may have come with an imported event. `update`, because `save` refuses to change a catalogue.
        Catalogue.objects.filter(pk=kept.pk, shared=False).update(shared=True)
    return kept


def save_version(
    read: CardList, look: dict[str, Any], now: datetime, owner: User | None, replacing: Catalogue | None = None
) -> Catalogue:
    """Return the owner's catalogue with this content, or save its next version. Inside a transaction.

    Either way it has the images of the list, and no others. `owner` None is the installation. `replacing` is a version
    that the caller is going to delete.

    Refused: `too_many_catalogues`.
    """
    known = Catalogue.objects.filter(owner=owner)
    same = known.filter(sha256=read.sha256).first()
    if same is not None:
        save_images(same, read.images)
        return same
    if owner is not None and known.count() - (replacing is not None) >= MAX_CATALOGUES:
        raise Refusal("too_many_catalogues", _("You already have fifty catalogues: delete one."))
    last = known.filter(game=read.game, catalog=read.catalog).order_by("-version").defer("document").first()
    made = Catalogue.objects.create(
        owner=owner,
        group_id=last.group_id if last else None,
        game=read.game,
        catalog=read.catalog,
        version=last.version + 1 if last else 1,
        sha256=read.sha256,
        cards=read.cards,
        document=read.document,
        report={**look, "file": dict(read.file)},
        created_at=now,
    )
    save_images(made, read.images)
    return made
