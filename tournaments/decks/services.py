"""Actions on decklists and pools: submission, lock, reopening, and the rules they are checked by.

Players submit until the deadline or the lock. After the lock, a list takes new versions only while it has an open
`Reopening`: one made by a judge, or a late one, which `lock_late` closes when the entrant's first pairing is published.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Protocol

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import deck_formats, is_pooled, judge, read_list, read_pool
from tournaments.decks.models import Catalogue, Decklist, Pool, Reopening
from tournaments.decks.selectors import (
    can_register_pool,
    can_submit_list,
    catalogue_choices,
    current_list,
    current_pool,
    no_legal_list,
)
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.services import move_event

MAX_TEXT = 64 * 1024
MAX_VERSIONS = 100
AFTER_LOCK = (Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)


class Takes(Protocol):
    """A check of whether an entrant's list or pool can be submitted now, by the player or at the desk."""

    def __call__(self, entrant: Entrant, now: datetime, *, desk: bool = False) -> bool: ...


def submit_decklist(*, entrant: Entrant, text: str | bytes, by: User, now: datetime) -> Decklist:
    """Submit a new version of an entrant's decklist and return it.

    An illegal list is saved with all its violations, so that the player can correct it. If the text cannot be read,
    nothing is saved. Submitting the current list again changes nothing. In a limited stage the list is also checked
    against the entrant's pool, which has to be registered first.

    Refused: `deck_too_large`, `staff_who_play`, `pool_missing`, `deck_unreadable` (with every faulty line),
    `list_outdated`, `lists_not_collected`, `decks_locked`, `entrant_dropped`, `too_many_versions`.
    """
    _check_hand(entrant, text, by)
    event, stage = entrant.event, current_stage(entrant.event)
    # Reading a list may take long, so it happens before the locks are taken. Under them, what it was read by must still
    # be the same.
    pool = _pool_to_build_from(entrant, stage)
    reading = read_list(stage, text, get_language() or "en", pool.cards if pool else None)
    if reading.faults:
        raise InvalidInput("deck_unreadable", _("Some lines cannot be read."), details=reading.faults)
    with transaction.atomic():
        read_by = _read_by(stage, event)
        event, entrant = _open_to(entrant, can_submit_list, by, now)
        stage = current_stage(event)
        if _read_by(stage, event) != read_by or pool != _pool_to_build_from(entrant, stage):
            raise Refusal("list_outdated", _("What this list is judged by changed meanwhile: submit it again."))
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
            checked=reading.checked,
            violations=reading.violations,
            submitted_by=by,
            submitted_at=now,
        )
        # A judge reopens a list for a single version. A late reopening stays open until `lock_late`.
        Reopening.objects.filter(entrant=entrant, closed_at=None, late=False).update(closed_at=now)
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


def reopen_list(*, entrant: Entrant, by: User, reason: str, now: datetime) -> Reopening:
    """Reopen an entrant's decklist after the lock for one new version, submitted by the player or typed in by staff.

    The version before stays in the history.

    Refused: `reason_missing`, `event_state`, `staff_who_play`, `entrant_dropped`, `list_open` (it is open already).
    """
    if not reason.strip():
        raise InvalidInput("reason_missing", _("Say why."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status not in AFTER_LOCK:
            raise Refusal("event_state", _("The event has moved on: this step is not open now."))
        if any(own.pk == entrant.pk for own in own_entrants(by, event)):
            raise NotAllowed("staff_who_play", _("Staff who play decide nothing about their own entrant."))
        if Entrant.objects.select_for_update().get(pk=entrant.pk).status == Entrant.Status.DROPPED:
            raise Refusal("entrant_dropped", _("This entrant has left the event."))
        if Reopening.objects.filter(entrant=entrant, closed_at=None).exists():
            raise Refusal("list_open", _("This list is open already."))
        opened = Reopening.objects.create(entrant=entrant, by=by, at=now)
        _record_list(event, entrant, by, "deck.reopened", now, reason.strip()[:2000])
    return opened


def close_list(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Close a reopened list without a new version. Idempotent. Refused: `staff_who_play`."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if any(own.pk == entrant.pk for own in own_entrants(by, event)):
            raise NotAllowed("staff_who_play", _("Staff who play decide nothing about their own entrant."))
        if Reopening.objects.filter(entrant=entrant, closed_at=None).update(closed_at=now):
            _record_list(event, entrant, by, "deck.closed", now, "")


def open_late(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Accept the decklist and pool of a late entrant until `lock_late`. Call it inside a transaction."""
    if entrant.event.lists != Event.Lists.NONE:
        open_lists(entrants=[entrant.pk], by=by, now=now)


def open_missing(*, stage: Stage, by: User, now: datetime) -> None:
    """Accept the decklists that are missing or illegal at the start until `lock_late`, like those of late entrants.

    Call it inside the transaction that starts the event.
    """
    if stage.event.lists == Event.Lists.NONE:
        return
    open_lists(entrants=list(no_legal_list(stage).values_list("pk", flat=True)), by=by, now=now)


def open_lists(*, entrants: Collection[int], by: User, now: datetime) -> None:
    """Accept the decklists and pools of entrants, given by primary key, until `lock_late`. Call it in a transaction."""
    # An entrant has at most one open reopening (`a_list_is_reopened_once`), so one that exists becomes a late one.
    open_ones = Reopening.objects.filter(entrant__in=entrants, closed_at=None)
    open_ones.update(late=True)
    closed = set(entrants) - set(open_ones.values_list("entrant", flat=True))
    Reopening.objects.bulk_create(Reopening(entrant_id=key, by=by, at=now, late=True) for key in sorted(closed))


def follow_entries(
    sender: object, event: Event, entrants: list[Entrant], by: User, now: datetime, **kwargs: Any
) -> None:
    """Accept the decklists of entrants whom the desk enters after the lock. Receives `events.signals.came_in`."""
    if event.status in AFTER_LOCK and event.lists != Event.Lists.NONE:
        open_lists(entrants=[entrant.pk for entrant in entrants], by=by, now=now)


def open_drafted(*, stage: Stage, by: User, now: datetime) -> None:
    """Accept the pools and decklists of a draft until `lock_late`. Call it in the transaction that starts the stage."""
    entrants = stage.event.entrants.filter(status=Entrant.Status.REGISTERED)
    open_lists(entrants=list(entrants.values_list("pk", flat=True)), by=by, now=now)


def lock_late(*, entrants: Collection[int], now: datetime) -> None:
    """Lock the decklists of late entrants (primary keys) when their first pairing is published. In a transaction."""
    Reopening.objects.filter(entrant__in=entrants, closed_at=None, late=True).update(closed_at=now)


def unlock_late(*, entrants: Collection[int], locked_at: datetime) -> None:
    """Undo `lock_late` when the pairings are withdrawn. `locked_at` is the `now` of that call. In a transaction."""
    Reopening.objects.filter(entrant__in=entrants, closed_at=locked_at, late=True).update(closed_at=None)


def _record_list(event: Event, entrant: Entrant, by: User, code: str, now: datetime, note: str) -> None:
    ledger.record(chain=event.public_id, actor=by.public_id, code=code, object=entrant.public_id, now=now, note=note)


def register_pool(*, entrant: Entrant, text: str | bytes, by: User, now: datetime) -> Pool:
    """Register a new version of the cards that an entrant opened or drafted, and return it.

    A decklist that was submitted already is checked again. Registering the current pool again changes nothing.

    Refused: `deck_too_large`, `staff_who_play`, `no_pools`, `deck_unreadable` (with every faulty line), `pool_empty`,
    `list_outdated`, `lists_not_collected`, `decks_locked`, `entrant_dropped`, `too_many_versions`.
    """
    _check_hand(entrant, text, by)
    event, stage = entrant.event, current_stage(entrant.event)
    if not is_pooled(stage):
        raise Refusal("no_pools", _("Decks of this event are not built from a pool."))
    reading = read_pool(event, text, get_language() or "en")
    if reading.faults:
        raise InvalidInput("deck_unreadable", _("Some lines cannot be read."), details=reading.faults)
    if not reading.cards:
        raise InvalidInput("pool_empty", _("There is no card in this pool."))
    with transaction.atomic():
        read_by = _read_by(stage, event)
        event, entrant = _open_to(entrant, can_register_pool, by, now)
        stage = current_stage(event)
        if _read_by(stage, event) != read_by:
            raise Refusal("list_outdated", _("What this list is judged by changed meanwhile: submit it again."))
        last = current_pool(entrant, stage)
        if last is not None and last.digest == reading.digest:
            return last
        if last is not None and last.version >= MAX_VERSIONS:
            raise Refusal("too_many_versions", _("This list was changed a hundred times: ask the desk."))
        pool = Pool.objects.create(
            entrant=entrant,
            stage=stage,
            version=last.version + 1 if last else 1,
            text=reading.text,
            cards=reading.cards,
            digest=reading.digest,
            registered_by=by,
            registered_at=now,
        )
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="pool.registered",
            object=entrant.public_id,
            now=now,
            before={"digest": last.digest} if last else None,
            after={"digest": pool.digest, "version": pool.version, "cards": pool.count},
        )
        _judge_again(entrant, pool, by, now)
    return pool


def _check_hand(entrant: Entrant, text: str | bytes, by: User) -> None:
    """Refuse a text that is too long, and staff who play and submit for somebody else."""
    if len(text) > MAX_TEXT:
        raise InvalidInput("deck_too_large", _("A decklist is at most 64 KiB of text."))
    mine = own_entrants(by, entrant.event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play an event do not enter the lists of others."))


def _open_to(entrant: Entrant, takes: Takes, by: User, now: datetime) -> tuple[Event, Entrant]:
    """Lock the event and the entrant, refuse if nothing can be submitted for them now, and return both.

    The event's lock keeps decks from being locked meanwhile, the entrant's a second version of the same number.
    """
    event = Event.objects.select_for_update().get(pk=entrant.event_id)
    entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
    entrant.event = event  # `takes` must decide by the locked row, not by an older copy
    if event.lists == Event.Lists.NONE:
        raise Refusal("lists_not_collected", _("This event collects no decklists."))
    if not takes(entrant, now, desk=entrant not in own_entrants(by, event)):
        late = event.status == Event.Status.REGISTRATION
        message = _("The deadline for decklists has passed: ask at the desk.") if late else _("Decklists are locked.")
        raise Refusal("decks_locked", message)
    if entrant.status == Entrant.Status.DROPPED:
        raise Refusal("entrant_dropped", _("This entrant has left the event."))
    return event, entrant


def _read_by(stage: Stage, event: Event) -> tuple[object, ...]:
    """Everything a list is read and checked by, except the pool."""
    return stage.pk, stage.deck_format, stage.deck_options, event.catalog_sha256


def _pool_to_build_from(entrant: Entrant, stage: Stage) -> Pool | None:
    """The current pool of an entrant in a limited stage, refused if there is none; None in a constructed stage."""
    if not is_pooled(stage):
        return None
    pool = current_pool(entrant, stage)
    if pool is None:
        raise Refusal("pool_missing", _("Register the pool first: the deck is built from it."))
    return pool


def _judge_again(entrant: Entrant, pool: Pool, by: User, now: datetime) -> None:
    """Check the current decklist again after its pool has changed."""
    decklist = current_list(entrant, pool.stage)
    violations = judge(pool.stage, decklist.cards, pool.cards) if decklist else []
    if decklist is None or violations == decklist.violations:
        return
    decklist.violations, decklist.legal = violations, not violations
    decklist.save(update_fields=["violations", "legal"])
    ledger.record(
        chain=entrant.event.public_id,
        actor=by.public_id,
        code="deck.judged_again",
        object=entrant.public_id,
        now=now,
        after={"version": decklist.version, "legal": decklist.legal},
    )


def choose_deck_format(*, event: Event, deck_format: str, options: Mapping[str, str], by: User, now: datetime) -> None:
    """Choose the deck rules of an event, before any list or pool was submitted. Idempotent.

    `options` maps ids of the format's interpretations to the chosen option; those left out take their default. The
    choice holds for the current stage and all later ones.

    Refused: `deck_format_unknown`, `deck_option_unknown` (with the ids), `event_state`, `decks_exist`.
    """
    known = {form.id: form for form in deck_formats(event.game, "en")}
    if deck_format not in known:
        raise InvalidInput("deck_format_unknown", _("This game has no such deck format."), details=list(known))
    defaults = {option.id: option for option in known[deck_format].options}
    wrong = [name for name, value in options.items() if name not in defaults or value not in defaults[name].choices]
    if wrong:
        raise InvalidInput("deck_option_unknown", _("This deck format has no such option."), details=wrong)
    # Only what differs from the default is stored, so that equal choices compare equal.
    chosen = {name: value for name, value in sorted(options.items()) if value != defaults[name].default}
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        stage = current_stage(event)
        _require_unsubmitted(event)
        before = {"format": stage.deck_format, "options": stage.deck_options}
        after = {"format": deck_format, "options": chosen}
        if before == after:
            return
        event.stages.filter(number__gte=stage.number).update(deck_format=deck_format, deck_options=chosen)
        event.ruleset = known[deck_format].ruleset  # a format may belong to another edition of the rules
        event.save(update_fields=["ruleset"])
        _record(event, by, "event.deck_format_chosen", now, before, after)


def show_pools(*, event: Event, shown: str, by: User, now: datetime) -> None:
    """Choose who may read the pools of the current and later stages (`Stage.PoolsShown`). Idempotent.

    Refused: `pools_shown_unknown`.
    """
    if shown not in Stage.PoolsShown.values:
        raise InvalidInput("pools_shown_unknown", _("There is no such choice."), details=list(Stage.PoolsShown.values))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        stage = current_stage(event)
        before = stage.pools_shown
        if before == shown:
            return
        event.stages.filter(number__gte=stage.number).update(pools_shown=shown)
        _record(event, by, "event.pools_shown", now, {"shown": before}, {"shown": shown})


def _require_unsubmitted(event: Event) -> None:
    """Refuse to change what lists are read by, after registration or once a list or pool was submitted."""
    if event.status not in (Event.Status.DRAFT, Event.Status.REGISTRATION):
        raise Refusal("event_state", _("The event has moved on: this step is not open now."))
    if any(kind.objects.filter(entrant__event=event).exists() for kind in (Decklist, Pool)):
        raise Refusal("decks_exist", _("Decklists or pools are there already: what they are read by stays."))


def _record(event: Event, by: User, code: str, now: datetime, before: object, after: object) -> None:
    ledger.record(
        chain=event.public_id,
        actor=by.public_id,
        code=code,
        object=event.public_id,
        now=now,
        before=before,
        after=after,
    )


def choose_catalogue(*, event: Event, sha256: str, by: User, now: datetime) -> None:
    """Choose the card catalogue of an event, before any list or pool was submitted. Idempotent.

    Refused: `catalogue_not_found`, `event_state`, `decks_exist`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        # `delete_catalogue` locks the same rows, so the catalogue cannot be deleted meanwhile.
        list(Catalogue.objects.select_for_update().filter(sha256=sha256).order_by("pk").values("pk"))
        chosen = next((choice for choice in catalogue_choices(event, by) if choice.sha256 == sha256), None)
        if chosen is None:
            raise InvalidInput("catalogue_not_found", _("There is no such catalogue for this game."))
        _require_unsubmitted(event)
        before = event.catalog_sha256
        if before == chosen.sha256:
            return
        event.catalog, event.catalog_sha256 = chosen.catalog, chosen.sha256
        event.save(update_fields=["catalog", "catalog_sha256"])
        after = {"catalog": chosen.catalog, "sha256": chosen.sha256}
        _record(event, by, "event.catalogue_chosen", now, {"sha256": before}, after)


def lock_decks(*, event: Event, by: User, now: datetime) -> None:
    """Lock decklists and close registration. Refused: `event_state`."""
    with transaction.atomic():
        move_event(
            event, by=by, now=now, allowed=(Event.Status.REGISTRATION,), to=Event.Status.LOCKED, code="decks.locked"
        )


def unlock_decks(*, event: Event, by: User, now: datetime) -> None:
    """Unlock decklists and open registration again, before check-in is opened. Refused: `event_state`."""
    with transaction.atomic():
        move_event(
            event,
            by=by,
            now=now,
            allowed=(Event.Status.LOCKED,),
            to=Event.Status.REGISTRATION,
            code="decks.unlocked",
        )
