"""Gestures on decklists and pools: submitted until the lock, then locked."""

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
    catalogue_choices,
    current_list,
    current_pool,
    no_legal_list,
    takes_list,
    takes_pool,
)
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.services import move_event

MAX_TEXT = 64 * 1024
MAX_VERSIONS = 100
AFTER_LOCK = (Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)


class Takes(Protocol):
    """Whether something of an entrant may come in now."""

    def __call__(self, entrant: Entrant, now: datetime, *, desk: bool = False) -> bool: ...


def submit_decklist(*, entrant: Entrant, text: str | bytes, by: User, now: datetime) -> Decklist:
    """Register a version of an entrant's list. An illegal list is kept with all its faults, to be mended.

    Text that cannot be read is refused with every line at fault, and nothing is stored. Sending the list that
    counts already again changes nothing. In a limited stage the entrant's pool comes first, and judges the list.
    """
    _check_hand(entrant, text, by)
    event, stage = entrant.event, current_stage(entrant.event)
    pool = _pool_to_build_from(entrant, stage)
    reading = read_list(stage, text, get_language() or "en", pool.cards if pool else None)
    if reading.faults:
        raise InvalidInput("deck_unreadable", _("Some lines cannot be read."), details=reading.faults)
    with transaction.atomic():
        read_by = _read_by(stage, event)
        event, entrant = _open_to(entrant, takes_list, by, now)
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
    """Open one entrant's list again after the lock, for one version: the player's, or one typed in by staff. The
    version before stays. Refused while it is open already.
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
    """Close a reopened list again without a new version. Twice is once."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if any(own.pk == entrant.pk for own in own_entrants(by, event)):
            raise NotAllowed("staff_who_play", _("Staff who play decide nothing about their own entrant."))
        if Reopening.objects.filter(entrant=entrant, closed_at=None).update(closed_at=now):
            _record_list(event, entrant, by, "deck.closed", now, "")


def open_late(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Let the list of a late entrant come in, and its pool: until `lock_late`. Inside a transaction."""
    if entrant.event.lists != Event.Lists.NONE:
        open_lists(entrants=[entrant.pk], by=by, now=now)


def open_missing(*, stage: Stage, by: User, now: datetime) -> None:
    """Let the lists that are absent or illegal at the start still come in, as those of late entrants: until
    `lock_late`. Inside the transaction that starts the event.
    """
    if stage.event.lists == Event.Lists.NONE:
        return
    open_lists(entrants=list(no_legal_list(stage).values_list("pk", flat=True)), by=by, now=now)


def open_lists(*, entrants: Collection[int], by: User, now: datetime) -> None:
    """Open the lists of entrants (keys) until `lock_late`; those that are open stay so. Inside a transaction."""
    open_ones = Reopening.objects.filter(entrant__in=entrants, closed_at=None)
    open_ones.update(late=True)
    closed = set(entrants) - set(open_ones.values_list("entrant", flat=True))
    Reopening.objects.bulk_create(Reopening(entrant_id=key, by=by, at=now, late=True) for key in sorted(closed))


def follow_entries(
    sender: object, event: Event, entrants: list[Entrant], by: User, now: datetime, **kwargs: Any
) -> None:
    """Open the lists of those whom the desk enters after the lock."""
    if event.status in AFTER_LOCK and event.lists != Event.Lists.NONE:
        open_lists(entrants=[entrant.pk for entrant in entrants], by=by, now=now)


def open_drafted(*, stage: Stage, by: User, now: datetime) -> None:
    """Let the pools and lists of a drafted stage come in: until `lock_late`. Inside the transaction that starts it."""
    entrants = stage.event.entrants.filter(status=Entrant.Status.REGISTERED)
    open_lists(entrants=list(entrants.values_list("pk", flat=True)), by=by, now=now)


def lock_late(*, entrants: Collection[int], now: datetime) -> None:
    """Lock the lists of those late entrants whose first pairing is published. Inside a transaction."""
    Reopening.objects.filter(entrant__in=entrants, closed_at=None, late=True).update(closed_at=now)


def unlock_late(*, entrants: Collection[int], locked_at: datetime) -> None:
    """Take `lock_late` back with the pairings that locked the lists. Inside a transaction."""
    Reopening.objects.filter(entrant__in=entrants, closed_at=locked_at, late=True).update(closed_at=None)


def _record_list(event: Event, entrant: Entrant, by: User, code: str, now: datetime, note: str) -> None:
    ledger.record(chain=event.public_id, actor=by.public_id, code=code, object=entrant.public_id, now=now, note=note)


def register_pool(*, entrant: Entrant, text: str | bytes, by: User, now: datetime) -> Pool:
    """Register a version of what an entrant opened or drafted; a list that is there already is judged again.

    Text that cannot be read is refused with every line at fault. The pool that counts sent again changes nothing.
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
        event, entrant = _open_to(entrant, takes_pool, by, now)
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
    """What is sent is not too long, and who sends it may for this entrant."""
    if len(text) > MAX_TEXT:
        raise InvalidInput("deck_too_large", _("A decklist is at most 64 KiB of text."))
    mine = own_entrants(by, entrant.event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play an event do not enter the lists of others."))


def _open_to(entrant: Entrant, takes: Takes, by: User, now: datetime) -> tuple[Event, Entrant]:
    """The event and the entrant, locked: the one keeps the lock of the decks out, the other a second version of the
    same number. Refused where such a list does not come in now from this hand.
    """
    event = Event.objects.select_for_update().get(pk=entrant.event_id)
    entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
    entrant.event = event
    if event.lists == Event.Lists.NONE:
        raise Refusal("lists_not_collected", _("This event collects no decklists."))
    if not takes(entrant, now, desk=entrant not in own_entrants(by, event)):
        late = event.status == Event.Status.REGISTRATION
        said = _("The deadline for decklists has passed: ask at the desk.") if late else _("Decklists are locked.")
        raise Refusal("decks_locked", said)
    if entrant.status == Entrant.Status.DROPPED:
        raise Refusal("entrant_dropped", _("This entrant has left the event."))
    return event, entrant


def _read_by(stage: Stage, event: Event) -> tuple[object, ...]:
    """What a list is read and judged by, its pool aside."""
    return stage.pk, stage.deck_format, stage.deck_options, event.catalog_sha256


def _pool_to_build_from(entrant: Entrant, stage: Stage) -> Pool | None:
    """The pool of an entrant in a limited stage, where a list needs one; None in a constructed one."""
    if not is_pooled(stage):
        return None
    pool = current_pool(entrant, stage)
    if pool is None:
        raise Refusal("pool_missing", _("Register the pool first: the deck is built from it."))
    return pool


def _judge_again(entrant: Entrant, pool: Pool, by: User, now: datetime) -> None:
    """Judge the list that counts by a pool that has changed."""
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
    """Have the lists of an event judged by other deck rules, before any list or pool is there.

    `options` are interpretations of the format (id to option); those left out take their default. Twice is once.
    """
    known = {form.id: form for form in deck_formats(event.game, "en")}
    if deck_format not in known:
        raise InvalidInput("deck_format_unknown", _("This game has no such deck format."), details=list(known))
    defaults = {option.id: option for option in known[deck_format].options}
    wrong = [name for name, said in options.items() if name not in defaults or said not in defaults[name].choices]
    if wrong:
        raise InvalidInput("deck_option_unknown", _("This deck format has no such option."), details=wrong)
    kept = {name: said for name, said in sorted(options.items()) if said != defaults[name].default}
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        stage = current_stage(event)
        _require_unsubmitted(event)
        before = {"format": stage.deck_format, "options": stage.deck_options}
        after = {"format": deck_format, "options": kept}
        if before == after:
            return
        event.stages.filter(number__gte=stage.number).update(deck_format=deck_format, deck_options=kept)
        event.ruleset = known[deck_format].ruleset
        event.save(update_fields=["ruleset"])
        _record(event, by, "event.deck_format_chosen", now, before, after)


def show_pools(*, event: Event, shown: str, by: User, now: datetime) -> None:
    """Choose who reads the pools of the stage being played: staff, or everybody from the lock or the end on."""
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
    """Refuse what would change the meaning of lists: after registration, or once a list or a pool is there."""
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
    """Have an event's decklists read with another catalogue, before any list is there. Twice is once."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
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
