"""Gestures on decklists: submitted until the lock, then locked."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import read_card_list, read_list
from tournaments.decks.models import Catalogue, Decklist
from tournaments.decks.selectors import catalogue_choices, current_list
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import move_event

MAX_TEXT = 64 * 1024
MAX_VERSIONS = 100


def submit_decklist(*, entrant: Entrant, text: str | bytes, by: User, now: datetime) -> Decklist:
    """Register a version of an entrant's list. An illegal list is kept with all its faults, to be mended.

    Text that cannot be read is refused with every line at fault, and nothing is stored. Sending the list that
    counts already again changes nothing.
    """
    if len(text) > MAX_TEXT:
        raise InvalidInput("deck_too_large", _("A decklist is at most 64 KiB of text."))
    event = entrant.event
    mine = own_entrants(by, event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play an event do not enter the lists of others."))
    reading = read_list(event, text, get_language() or "en")
    if reading.faults:
        raise InvalidInput("deck_unreadable", _("Some lines cannot be read."), details=reading.faults)
    with transaction.atomic():
        # The event's row keeps the lock of the decks out, the entrant's row a second version of the same number.
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status != Event.Status.REGISTRATION:
            raise Refusal("decks_locked", _("Decklists are locked."))
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        if entrant.status == Entrant.Status.DROPPED:
            raise Refusal("entrant_dropped", _("This entrant has left the event."))
        stage = current_stage(event)
        last = current_list(entrant, stage)
        if last is not None and last.digest == reading.digest:
            return last
        if last is not None and last.version >= MAX_VERSIONS:
            raise Refusal("too_many_versions", _("This list was changed a hundred times: ask the desk."))
        decklist = Decklist.objects.create(
            entrant=entrant,
            stage=stage,
            version=last.version + 1 if last else 1,
            text=reading.text,
            cards=reading.cards,
            digest=reading.digest,
            legal=not reading.violations,
            violations=reading.violations,
            submitted_by=by,
            submitted_at=now,
        )
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="deck.submitted",
            object=entrant.public_id,
            now=now,
            before={"digest": last.digest} if last else None,
            after={"digest": decklist.digest, "version": decklist.version, "legal": decklist.legal},
        )
    return decklist


def import_catalogue(*, game: str, content: bytes, name: str, now: datetime) -> Catalogue:
    """Keep an organizer's list of cards as a new version of the catalogue it names; the same one again changes nothing.

    A list with faults is refused with every line at fault, and nothing is kept.
    """
    read = read_card_list(game, content, name, get_language() or "en")
    with transaction.atomic():
        kept = Catalogue.objects.filter(sha256=read.sha256).first()
        if kept is not None:
            return kept
        versions = Catalogue.objects.filter(game=game, catalog=read.catalog).count()
        return Catalogue.objects.create(
            game=game,
            catalog=read.catalog,
            version=versions + 1,
            sha256=read.sha256,
            cards=read.cards,
            document=read.document,
            created_at=now,
        )


def choose_catalogue(*, event: Event, sha256: str, by: User, now: datetime) -> None:
    """Have an event's decklists read with another catalogue, before any list is there. Twice is once."""
    chosen = next((choice for choice in catalogue_choices(event) if choice.sha256 == sha256), None)
    if chosen is None:
        raise InvalidInput("catalogue_not_found", _("There is no such catalogue for this game."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status not in (Event.Status.DRAFT, Event.Status.REGISTRATION):
            raise Refusal("event_state", _("The event has moved on: this step is not open now."))
        if Decklist.objects.filter(entrant__event=event).exists():
            raise Refusal("decks_exist", _("Decklists were read with this catalogue: it does not change any more."))
        before = event.catalog_sha256
        if before == chosen.sha256:
            return
        event.catalog, event.catalog_sha256 = chosen.catalog, chosen.sha256
        event.save(update_fields=["catalog", "catalog_sha256"])
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="event.catalogue_chosen",
            object=event.public_id,
            now=now,
            before={"sha256": before},
            after={"catalog": chosen.catalog, "sha256": chosen.sha256},
        )


def lock_decks(*, event: Event, by: User, now: datetime) -> None:
    """Close registration; no list changes from here on."""
    with transaction.atomic():
        move_event(
            event, by=by, now=now, allowed=(Event.Status.REGISTRATION,), to=Event.Status.LOCKED, code="decks.locked"
        )


def unlock_decks(*, event: Event, by: User, now: datetime) -> None:
    """Open registration and lists again, before anybody is checked in."""
    with transaction.atomic():
        move_event(
            event,
            by=by,
            now=now,
            allowed=(Event.Status.LOCKED,),
            to=Event.Status.REGISTRATION,
            code="decks.unlocked",
        )
