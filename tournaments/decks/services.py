"""Actions on decklists and pools: submission, lock, reopening, and the rules they are checked by.

In a team every member has a list. Players submit until the deadline or the lock. After the lock, a list takes new
versions only while it has an open `Reopening`: one made by a judge, or a late one, which `lock_late` closes when the
entrant's first pairing is published.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.face.lists import DeckFormat, deck_formats
from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.engine_gate import is_demonstration, is_pooled, judge, read_list, read_pool
from tournaments.decks.models import Catalogue, Decklist, Pool, Reopening
from tournaments.decks.rechecks import Recheck, pools_fit, rechecks
from tournaments.decks.selectors import (
    BEFORE_START,
    Choice,
    best_catalogue,
    can_register_pool,
    can_submit_list,
    catalogue_choices,
    current_list,
    current_lists,
    current_pool,
    last_version,
    lists_of,
    members_without_legal_list,
    no_legal_list,
)
from tournaments.decks.team_decks import judge_together, member_in_ledger, verdicts_in_ledger
from tournaments.events import services as events
from tournaments.events.access import may_read_hidden, own_entrants
from tournaments.events.models import Entrant, Event, Member, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.services import check_bounds, move_event

MAX_TEXT = 64 * 1024
MAX_VERSIONS = 100
AFTER_LOCK = (Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)


class Takes(Protocol):
    """A check of whether an entrant's list or pool can be submitted now, by the player or at the desk."""

    def __call__(self, entrant: Entrant, now: datetime, *, desk: bool = False) -> bool: ...


def submit_decklist(
    *, entrant: Entrant, text: str | bytes, by: User, now: datetime, member: Member | None = None
) -> Decklist:
    """Submit a new version of an entrant's decklist, or in a team of that of a `member`, and return it.

    An illegal list is saved with all its violations, so that the player can correct it. If the text cannot be read,
    nothing is saved. Submitting the current list again changes nothing. In a limited stage the list is also checked
    against the entrant's pool, which has to be registered first. In a team with a limit of copies, all its lists are
    checked together: each list that holds a card too often is illegal, whoever submitted first.

    Refused: `deck_too_large`, `staff_who_play`, `member_missing`, `not_own_list`, `not_in_team`, `team_lists`,
    `pool_missing`, `deck_unreadable` (with every faulty line), `list_outdated`, `lists_not_collected`, `decks_locked`,
    `entrant_dropped`, `too_many_versions`.
    """
    _check_hand(entrant, text, by)
    _check_member(entrant, member, by)
    event, stage = entrant.event, current_stage(entrant.event)
    # Reading a list may take long, so it happens before the locks are taken. Under them, what it was read by must still
    # be the same.
    pool = _pool_to_build_from(entrant, stage)
    reading = read_list(stage, text, get_language() or "en", pool.cards if pool else None)
    if reading.faults:
        raise InvalidInput("deck_unreadable", _("Some lines cannot be read."), details=reading.faults)
    with transaction.atomic():
        read_by = _read_by(stage, event)
        event, entrant = _open_to(entrant, partial(can_submit_list, member=member), by, now)
        _require_in_team(entrant, member)
        stage = current_stage(event)
        if _read_by(stage, event) != read_by or pool != _pool_to_build_from(entrant, stage):
            raise Refusal(
                "list_outdated", _("The rules or cards for this list have changed in the meantime: submit it again.")
            )
        last = current_list(entrant, stage, member)
        if last is not None and last.digest == reading.digest:
            return last
        if last is not None and lists_of(entrant, stage, member).count() >= MAX_VERSIONS:
            raise Refusal(
                "too_many_versions", _("This list has been changed a hundred times, which is the limit: ask the desk.")
            )
        decklist = Decklist.objects.create(
            entrant=entrant,
            member=member,
            stage=stage,
            version=last_version(entrant, stage) + 1,
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
        Reopening.objects.filter(entrant=entrant, member=member, closed_at=None, late=False).update(closed_at=now)
        rejudged = judge_together(entrant, stage) if member else []
        decklist = next((each.decklist for each in rejudged if each.decklist == decklist), decklist)
        mates = [each for each in rejudged if each.decklist != decklist]
        who = (event.public_id, by.public_id, "deck.submitted", entrant.public_id)
        submitted = ledger.Entry(*who, now, **_submission(last, decklist))
        ledger.record_all([submitted, *verdicts_in_ledger(event, entrant, mates, by, now)])
    return decklist


def reopen_list(*, entrant: Entrant, by: User, reason: str, now: datetime, member: Member | None = None) -> Reopening:
    """Reopen an entrant's decklist after the lock for one new version, submitted by the player or typed in by staff.

    In a team, that of a `member`. The version before stays in the history.

    Refused: `reason_missing`, `member_missing`, `event_state`, `staff_who_play`, `entrant_dropped`, `list_open` (it is
    open already).
    """
    _require_member(entrant, member)
    if not reason.strip():
        raise InvalidInput("reason_missing", _("Give a reason."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status not in AFTER_LOCK:
            raise Refusal("event_state", _("The event has moved on: this step is no longer possible."))
        if any(own.pk == entrant.pk for own in own_entrants(by, event)):
            raise NotAllowed("staff_who_play", _("Staff who play cannot decide about their own entry."))
        if Entrant.objects.select_for_update().get(pk=entrant.pk).status == Entrant.Status.DROPPED:
            raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
        whose = Q(member=None) | Q(member=member)
        if Reopening.objects.filter(whose, entrant=entrant, closed_at=None).exists():
            raise Refusal("list_open", _("This list is already open."))
        opened = Reopening.objects.create(entrant=entrant, member=member, by=by, at=now)
        _record_list(event, entrant, member, by, "deck.reopened", now, reason.strip()[:2000])
    return opened


def close_list(*, entrant: Entrant, by: User, now: datetime, member: Member | None = None) -> None:
    """Close a reopened list, in a team that of a `member`, without a new version. Idempotent.

    Refused: `staff_who_play`, `member_missing`.
    """
    _require_member(entrant, member)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if any(own.pk == entrant.pk for own in own_entrants(by, event)):
            raise NotAllowed("staff_who_play", _("Staff who play cannot decide about their own entry."))
        if Reopening.objects.filter(entrant=entrant, member=member, closed_at=None).update(closed_at=now):
            _record_list(event, entrant, member, by, "deck.closed", now, "")


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
    if stage.event.is_team_event:
        _open_members(members_without_legal_list(stage), by, now)
    else:
        open_lists(entrants=list(no_legal_list(stage).values_list("pk", flat=True)), by=by, now=now)


def _open_members(members: Iterable[Member], by: User, now: datetime) -> None:
    """Accept the decklists of these members of teams until `lock_late`, as `open_lists` does for entrants."""
    wanted = {member.pk: member for member in members}
    open_ones = Reopening.objects.filter(member__in=list(wanted), closed_at=None)
    open_ones.update(late=True)
    closed = wanted.keys() - set(open_ones.values_list("member", flat=True))
    Reopening.objects.bulk_create(
        Reopening(entrant_id=wanted[key].entrant_id, member_id=key, by=by, at=now, late=True) for key in sorted(closed)
    )


def open_lists(*, entrants: Collection[int], by: User, now: datetime) -> None:
    """Accept the decklists and pools of entrants, given by primary key, until `lock_late`. Call it in a transaction.

    In a team, those of all members.
    """
    # An entrant has at most one open reopening (`a_list_is_reopened_once`), so one that exists becomes a late one.
    open_ones = Reopening.objects.filter(entrant__in=entrants, member=None, closed_at=None)
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


def _record_list(
    event: Event, entrant: Entrant, member: Member | None, by: User, code: str, now: datetime, note: str
) -> None:
    after = {"member": member.person.public_id} if member else None
    who = {"chain": event.public_id, "actor": by.public_id, "object": entrant.public_id}
    ledger.record(**who, code=code, now=now, after=after, note=note)


def _submission(last: Decklist | None, made: Decklist) -> dict[str, Any]:
    """What the ledger says of a submitted list: the digest before, and the new version."""
    after = {"digest": made.digest, "version": made.version, "legal": made.legal, **member_in_ledger(made)}
    return {"before": {"digest": last.digest} if last else None, "after": after}


def _record_of(
    event: Event, entrant: Entrant, by: User, code: str, now: datetime, *, after: object, before: object = None
) -> None:
    """Record a change of an entrant's list in the ledger."""
    ledger.record(
        chain=event.public_id,
        actor=by.public_id,
        code=code,
        object=entrant.public_id,
        now=now,
        before=before,
        after=after,
    )


def register_pool(*, entrant: Entrant, text: str | bytes, by: User, now: datetime) -> Pool:
    """Register a new version of the cards that an entrant opened or drafted, and return it.

    A decklist that was submitted already is checked again. Registering the current pool again changes nothing.

    Refused: `deck_too_large`, `staff_who_play`, `no_pools`, `deck_unreadable` (with every faulty line), `pool_empty`,
    `list_outdated`, `lists_not_collected`, `decks_locked`, `entrant_dropped`, `too_many_versions`.
    """
    _check_hand(entrant, text, by)
    event, stage = entrant.event, current_stage(entrant.event)
    if event.is_team_event:
        refuse_pools_of_teams(stage)
    if not is_pooled(stage):
        raise Refusal("no_pools", _("Decks of this event are not built from a pool."))
    reading = read_pool(event, text, get_language() or "en")
    if reading.faults:
        raise InvalidInput("deck_unreadable", _("Some lines cannot be read."), details=reading.faults)
    if not reading.cards:
        raise InvalidInput("pool_empty", _("This pool contains no cards."))
    with transaction.atomic():
        read_by = _read_by(stage, event)
        event, entrant = _open_to(entrant, can_register_pool, by, now)
        stage = current_stage(event)
        if _read_by(stage, event) != read_by:
            raise Refusal(
                "list_outdated", _("The rules or cards for this list have changed in the meantime: submit it again.")
            )
        last = current_pool(entrant, stage)
        if last is not None and last.digest == reading.digest:
            return last
        if last is not None and last.version >= MAX_VERSIONS:
            raise Refusal(
                "too_many_versions", _("This list has been changed a hundred times, which is the limit: ask the desk.")
            )
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


def check_size(text: str | bytes) -> None:
    """Refuse (`deck_too_large`) a decklist or pool that is too long to be read."""
    if len(text) > MAX_TEXT:
        raise InvalidInput("deck_too_large", _("A decklist can have 64 KiB of text at most."))


def _check_hand(entrant: Entrant, text: str | bytes, by: User) -> None:
    """Refuse a text that is too long, and staff who play and submit for somebody else."""
    check_size(text)
    mine = own_entrants(by, entrant.event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot enter the lists of others."))


def _check_member(entrant: Entrant, member: Member | None, by: User) -> None:
    """Refuse a list that does not say whose it is in a team, and one that a player submits for a team mate."""
    _require_member(entrant, member)
    if member is None:
        return
    refuse_pools_of_teams(current_stage(entrant.event))
    if member.person.account_id != by.pk and own_entrants(by, entrant.event):
        raise NotAllowed("not_own_list", _("Each member of a team can only submit their own decklist."))


def _require_member(entrant: Entrant, member: Member | None) -> None:
    """Refuse (`member_missing`) what concerns one list of a team but does not say whose."""
    if entrant.event.is_team_event and member is None:
        raise InvalidInput("member_missing", _("Each member of a team has a decklist: say whose this is."))


def _require_in_team(entrant: Entrant, member: Member | None) -> None:
    """Refuse (`not_in_team`) somebody who left the team meanwhile. Call it with the entrant locked."""
    if member is not None and not Member.objects.filter(pk=member.pk, entrant=entrant).exists():
        raise InvalidInput("not_in_team", _("This person is not in the team."))


def refuse_pools_of_teams(stage: Stage) -> None:
    """Refuse (`team_lists`) the pools and decklists of a team in a stage whose decks are built from pools."""
    if is_pooled(stage):
        message = _("Teams cannot register decks built from a pool here: choose to collect no decklists.")
        raise Refusal("team_lists", message)


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
        raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
    return event, entrant


def _read_by(stage: Stage, event: Event) -> tuple[object, ...]:
    """Everything a list is read and checked by, except the pool."""
    return stage.pk, stage.deck_format, stage.deck_options, stage.team_deck_limit, event.catalog_sha256


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
    before = {"legal": decklist.legal}
    decklist.violations, decklist.legal = violations, not violations
    decklist.save(update_fields=["violations", "legal"])
    after = {"version": decklist.version, "legal": decklist.legal}
    _record_of(entrant.event, entrant, by, "deck.judged_again", now, after=after, before=before)


def choose_deck_format(
    *,
    event: Event,
    deck_format: str,
    options: Mapping[str, str],
    by: User,
    now: datetime,
    team_limit: int | None = None,
) -> None:
    """Choose the deck rules of an event, before any list or pool was submitted. Idempotent.

    `options` maps ids of the format's interpretations to the chosen option; those left out take their default.
    `team_limit` is the most copies of a card across the decks of a team; None for no limit. The choice holds for the
    current stage and all later ones.

    Refused: `deck_format_unknown`, `deck_option_unknown` (with the ids), `out_of_bounds`, `no_team_limit`, `no_teams`,
    `team_lists`, `event_state`, `decks_exist`.
    """
    known = {form.id: form for form in deck_formats(event.game, "en")}
    if deck_format not in known:
        raise InvalidInput("deck_format_unknown", _("This game has no such deck format."), details=list(known))
    defaults = {option.id: option for option in known[deck_format].options}
    wrong = [name for name, value in options.items() if name not in defaults or value not in defaults[name].choices]
    if wrong:
        raise InvalidInput("deck_option_unknown", _("This deck format has no such option."), details=wrong)
    check_bounds(team_deck_limit=team_limit)
    if team_limit is not None and not known[deck_format].limits_teams:
        raise InvalidInput("no_team_limit", _("These deck rules do not limit copies, so neither can a team."))
    # Only what differs from the default is stored, so that equal choices compare equal.
    chosen = {name: value for name, value in sorted(options.items()) if value != defaults[name].default}
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        stage = current_stage(event)
        _require_unsubmitted(event)
        _check_teams(event, known[deck_format], team_limit)
        before = _rules_in_ledger(stage.deck_format, stage.deck_options, stage.team_deck_limit)
        after = _rules_in_ledger(deck_format, chosen, team_limit)
        if before == after:
            return
        rules = {"deck_format": deck_format, "deck_options": chosen, "team_deck_limit": team_limit}
        event.stages.filter(number__gte=stage.number).update(**rules)
        if event.ruleset not in known[deck_format].rulesets:  # it belongs to another edition of the rules
            event.ruleset = known[deck_format].ruleset
            event.save(update_fields=["ruleset"])
        _record(event, by, "event.deck_format_chosen", now, before, after)


def _rules_in_ledger(deck_format: str, options: Mapping[str, str], team_limit: int | None) -> dict[str, object]:
    rules: dict[str, object] = {"format": deck_format, "options": options}
    return rules if team_limit is None else {**rules, "team_limit": team_limit}


def _check_teams(event: Event, chosen: DeckFormat, team_limit: int | None) -> None:
    """Refuse a team limit where nobody plays in a team, and decks that teams would build from a pool."""
    if team_limit is not None and not event.is_team_event:
        raise Refusal("no_teams", _("No teams play this event: everybody plays alone."))
    if event.is_team_event and event.lists != Event.Lists.NONE and chosen.pooled:
        message = _("Teams cannot register decks built from a pool here: choose to collect no decklists.")
        raise Refusal("team_lists", message)


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


def can_choose_format(event: Event) -> bool:
    """Whether the deck rules of an event can still be chosen: registration is not over, and no list was submitted."""
    try:
        _require_unsubmitted(event)
    except Refusal:
        return False
    return True


def _require_unsubmitted(event: Event) -> None:
    """Refuse to change what lists are read by, after registration or once a list or pool was submitted."""
    if event.status not in (Event.Status.DRAFT, Event.Status.REGISTRATION):
        raise Refusal("event_state", _("The event has moved on: this step is no longer possible."))
    if any(kind.objects.filter(entrant__event=event).exists() for kind in (Decklist, Pool)):
        raise Refusal(
            "decks_exist", _("Decklists or pools have been submitted: their format and cards can no longer change.")
        )


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


def create_event(*, by: User, now: datetime, catalogue: str = "", **details: Any) -> Event:
    """Create an event as `events.services.create_event` does, and choose its card catalogue (SHA-256).

    Without a `catalogue`, an event that would be read with the demonstration gets the account's newest catalogue of the
    game, or else the newest one that the operator shares.

    Refused: what `events.services.create_event` refuses, and `catalogue_not_found`.
    """
    with transaction.atomic():
        event = events.create_event(by=by, now=now, **details)
        best = best_catalogue(event.game, by) if not catalogue and is_demonstration(event) else None
        if chosen := catalogue or (best.sha256 if best else ""):
            choose_catalogue(event=event, sha256=chosen, by=by, now=now)
            event.refresh_from_db()
    return event


def choose_catalogue(*, event: Event, sha256: str, by: User, now: datetime, accept: Collection[str] = ()) -> None:
    """Choose the card catalogue of an event, before its start. Idempotent.

    Registered decklists are checked again. If some become legal or illegal, `accept` has to name their entrants (public
    ids); otherwise nothing changes, and the refusal says which they are. A list with cards that the catalogue lacks is
    read again from its text, as a new version; if that is not possible, it is kept, and illegal.

    Refused: `catalogue_not_found`, `event_state`, `verdicts_change` (with the lists), `decks_exist` (pools have cards
    that the catalogue lacks), `list_outdated` (a list changed meanwhile).
    """
    choice = _choice(event, sha256, by)
    _require_not_started(event)
    if event.catalog_sha256 == choice.sha256:
        return
    # Checking lists may take long, so it happens before the locks are taken.
    again = rechecks(event, choice)
    if not pools_fit(event, choice):
        raise Refusal("decks_exist", _("Some registered pools have cards that this catalogue does not have."))
    _require_accepted(event, again, accept, by)
    with transaction.atomic():
        _move(event, choice, again, by, now)


def _require_accepted(event: Event, again: Sequence[Recheck], accept: Collection[str], by: User) -> None:
    """Refuse if a list becomes legal or illegal and `accept` does not name its entrant."""
    changed = [each for each in again if each.changes_verdict]
    if {each.entrant for each in changed} <= set(accept):
        return
    language, reasons = get_language() or "en", may_read_hidden(by, event, "read_decks")
    details = [each.as_json(language, reasons=reasons) for each in changed]
    raise Refusal("verdicts_change", _("Some decklists would become legal or illegal."), details=details)


def _move(event: Event, choice: Choice, again: Sequence[Recheck], by: User, now: datetime) -> None:
    """Move an event to another catalogue, with its lists as they were checked again. Inside a transaction."""
    read_by = _read_by(current_stage(event), event)
    event = Event.objects.select_for_update().get(pk=event.pk)
    # `delete_catalogue` locks the same rows, so the catalogue cannot be deleted meanwhile.
    list(Catalogue.objects.select_for_update().filter(sha256=choice.sha256).order_by("pk").values("pk"))
    _choice(event, choice.sha256, by)
    _require_not_started(event)
    _require_same_lists(event, again, read_by)
    before = {"sha256": event.catalog_sha256}
    event.catalog, event.catalog_sha256 = choice.catalog, choice.sha256
    event.save(update_fields=["catalog", "catalog_sha256"])
    after = {"catalog": choice.catalog, "sha256": choice.sha256}
    entry = partial(ledger.Entry, event.public_id, by.public_id, now=now)
    stored = [each for list_ in again for each in _store_recheck(list_, by, now, entry)]
    chosen = entry("event.catalogue_chosen", event.public_id, before=before, after=after)
    ledger.record_all([chosen, *stored])


def _choice(event: Event, sha256: str, by: User) -> Choice:
    """The catalogue of this digest, refused if the organizer may not choose it for the event."""
    found = next((choice for choice in catalogue_choices(event, by) if choice.sha256 == sha256), None)
    if found is None:
        raise InvalidInput("catalogue_not_found", _("There is no such catalogue for this game."))
    return found


def _require_not_started(event: Event) -> None:
    if event.status not in BEFORE_START:
        raise Refusal("event_state", _("The event has moved on: this step is no longer possible."))


def _require_same_lists(event: Event, again: Sequence[Recheck], read_by: tuple[object, ...]) -> None:
    """Refuse if lists were submitted, or the deck rules changed, after the lists had been checked again."""
    stage = current_stage(event)
    checked = {(each.decklist.pk, each.decklist.legal) for each in again}
    now_there = set(current_lists(stage).filter(checked=True).values_list("pk", "legal"))
    if checked != now_there or _read_by(stage, event) != read_by:
        raise Refusal("list_outdated", _("Decklists have changed in the meantime: choose the catalogue again."))


def _store_recheck(again: Recheck, by: User, now: datetime, entry: Callable[..., ledger.Entry]) -> list[ledger.Entry]:
    """Store what the new catalogue makes of a list, and return the entries for the ledger. Inside a transaction.

    A list whose cards were read anew is a new version, because the ledger has the digest of every version.
    """
    old = again.decklist
    judged = partial(entry, "deck.judged_again", again.entrant, before={"legal": old.legal})
    if again.digest != old.digest:
        submitted = {"text": old.text, "submitted_by": by, "submitted_at": now}
        read = {"cards": again.cards, "digest": again.digest, "violations": again.violations, "legal": again.legal}
        version = last_version(old.entrant, old.stage) + 1
        new = Decklist.objects.create(
            entrant=old.entrant, member=old.member, stage=old.stage, version=version, **submitted, **read
        )
        submitted_anew = entry("deck.submitted", again.entrant, **_submission(old, new))
        verdict = {"version": new.version, "legal": new.legal, **member_in_ledger(new)}
        return [submitted_anew, *([judged(after=verdict)] if new.legal != old.legal else [])]
    if (again.violations, again.legal) == (old.violations, old.legal):
        return []
    Decklist.objects.filter(pk=old.pk).update(violations=again.violations, legal=again.legal)
    return [judged(after={"version": old.version, "legal": again.legal, **member_in_ledger(old)})]


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
