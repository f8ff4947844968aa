"""Pairing settings: the options of a Swiss stage, players kept apart, clubs and fixed tables."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import own_entrants
from tournaments.events.hall_tables import MAX_TABLE, tables_in, tables_of, written
from tournaments.events.models import Entrant, Event, ForbiddenPair, Stage
from tournaments.events.naming import refresh_shown_names
from tournaments.events.seeding import BY_SEED
from tournaments.events.selectors import current_stage
from tournaments.events.services import record
from tournaments.swiss.formats import proposed_rounds, why_proposed

OPTIONS = ("pairing_order", "last_by_standing", "clubs_apart", "even_sides", "byes_on_request")
MAX_FORBIDDEN = 500
_OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


@dataclass(frozen=True)
class Proposal:
    """The number of Swiss rounds proposed for a number of players, and why (`swiss.formats.why_proposed`)."""

    players: int
    rounds: int
    why: str


def proposal_of(stage: Stage) -> Proposal:
    """The rounds proposed for a Swiss stage, by its entries, or before it starts by those who would be in it now."""
    if stage.started_at is not None and stage.entries.exists():
        players = stage.entries.count()
    else:
        players = stage.event.entrants.filter(status=Entrant.Status.REGISTERED).count()
        players = min(players, stage.cut_top or players)
    preset = stage.event.preset
    return Proposal(players, proposed_rounds(players, preset), why_proposed(players, preset))


def described_pairing(stage: Stage) -> dict[str, Any]:
    """The pairing options of a stage, as they appear in the ledger and the API."""
    return {name: getattr(stage, name) for name in OPTIONS}


def choose_pairing(*, stage: Stage, by: User, now: datetime, **options: Any) -> Stage:
    """Change pairing options (`OPTIONS`) of a Swiss stage, for the rounds that are not paired yet.

    The orders `fold` and `slide` go by seeds, which the players of a first stage only have once they are given
    (`events.seeding`).

    Refused: `event_state`, `not_swiss`, `option_unknown` (with the names), `no_seeds`.
    """
    with transaction.atomic():
        event = _open_event(stage.event_id)
        stage = Stage.objects.select_for_update().get(pk=stage.pk)
        if stage.kind != Stage.Kind.SWISS:
            raise Refusal("not_swiss", _("Only a Swiss stage has these options."))
        before = described_pairing(stage)
        _check(stage, options)
        for name, value in options.items():
            setattr(stage, name, value)
        after = described_pairing(stage)
        if after != before:
            stage.save(update_fields=OPTIONS)
            record(event, by, "stage.pairing_chosen", now, object=f"s{stage.number}", before=before, after=after)
    return stage


def _check(stage: Stage, options: dict[str, Any]) -> None:
    known = {"pairing_order": Stage.Order.values, "byes_on_request": Stage.ByeOnRequest.values}
    wrong = sorted(
        name for name, value in options.items() if name not in OPTIONS or value not in known.get(name, (True, False))
    )
    if wrong:
        raise InvalidInput("option_unknown", _("This structure has no such option."), details=wrong)
    seeded = stage.number > 1 or stage.event.entrants.filter(seed__isnull=False).exists()
    if options.get("pairing_order") in BY_SEED and not seeded:
        raise InvalidInput(
            "no_seeds", _("Nobody has a seed yet: set the seeds first, or choose random order or standings.")
        )


def forbid_pair(
    *, event: Event, first: Entrant, second: Entrant, reason: str, by: User, now: datetime
) -> ForbiddenPair:
    """Never pair two entrants in Swiss rounds from now on. Idempotent. Only staff can read the reason.

    Refused: `reason_missing`, `pair_wrong`, `event_state`, `staff_who_play`, `too_many_pairs`.
    """
    reason = reason.strip()[:200]
    if not reason:
        raise InvalidInput("reason_missing", _("A pair that must not meet needs a reason."))
    if first.pk == second.pk or {first.event_id, second.event_id} != {event.pk}:
        raise InvalidInput("pair_wrong", _("Choose two entrants of this event."))
    # The constraint `a_forbidden_pair_in_order` wants the lower key first, so that each pair has a single row.
    older, younger = sorted((first, second), key=lambda entrant: entrant.pk)
    with transaction.atomic():
        event = _open_event(event.pk)
        _refuse_own(event, by, older, younger)
        known = event.forbidden_pairs.filter(first=older, second=younger).first()
        if known is not None:
            return known
        if event.forbidden_pairs.count() >= MAX_FORBIDDEN:
            raise Refusal("too_many_pairs", _("No more pairs can be kept apart."), details=[MAX_FORBIDDEN])
        pair = ForbiddenPair.objects.create(event=event, first=older, second=younger, reason=reason, at=now)
        record(event, by, "pair.forbidden", now, after=_ids(pair), note=reason)
    return pair


def allow_pair(*, pair: ForbiddenPair, by: User, now: datetime) -> None:
    """Remove a forbidden pair, so that its entrants may be paired again. Idempotent.

    Refused: `event_state`, `staff_who_play`.
    """
    with transaction.atomic():
        event = _open_event(pair.event_id)
        _refuse_own(event, by, pair.first, pair.second)
        if ForbiddenPair.objects.filter(pk=pair.pk).delete()[0]:
            record(event, by, "pair.allowed", now, before=_ids(pair))


def note_needs(*, entrant: Entrant, club: str, table: int | None, by: User, now: datetime) -> Entrant:
    """Set an entrant's club, and the fixed table that they need (None for any). Idempotent.

    Refused: `out_of_bounds`, `event_state`, `staff_who_play`, `table_outside`, `table_taken`.
    """
    if table is not None and not 1 <= table <= MAX_TABLE:
        raise InvalidInput("out_of_bounds", _("Some values are not possible."), details=["table"])
    try:
        with transaction.atomic():
            event = _open_event(entrant.event_id)
            entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
            _refuse_own(event, by, entrant)
            _refuse_outside(event, table)
            before, now_at = entrant.fixed_table, as_name(club)
            if (before, entrant.club) == (table, now_at):
                return entrant
            entrant.club, entrant.fixed_table = now_at, table
            entrant.save(update_fields=["club", "fixed_table"])
            refresh_shown_names(event)  # equal names are distinguished by their clubs
            after = {"table": table, "club": bool(entrant.club)}  # no club name: nothing can be erased from the ledger
            record(event, by, "entrant.needs_noted", now, object=entrant.public_id, after=after)
    except IntegrityError:  # the constraint `one_entrant_per_fixed_table`
        raise Refusal("table_taken", _("This table is reserved for somebody else."), details=[table])
    return entrant


def choose_tables(*, stage: Stage, tables: str, skipped: str, by: User, now: datetime) -> Stage:
    """Choose the tables of the hall for a stage's rounds that are not paired yet; "" to number them from 1.

    `tables` and `skipped` are ranges as in `hall_tables`.

    Refused: `tables_invalid`, `event_state`, and `tables_fixed` (with the numbers) if an entrant needs a table that
    would be left out.
    """
    places = set(tables_in(tables, skipped))
    chosen = {"hall": written(tables), "hall_skipped": written(skipped) if places else ""}
    with transaction.atomic():
        event = _open_event(stage.event_id)
        stage = Stage.objects.select_for_update().get(pk=stage.pk)
        before = {name: getattr(stage, name) for name in chosen}
        if before == chosen:
            return stage
        playing = event.entrants.exclude(status=Entrant.Status.DROPPED).exclude(fixed_table=None)
        # A fixed table is a need, such as step-free access, so it must not be taken away silently.
        needed = {table for table in playing.values_list("fixed_table", flat=True) if table is not None}
        lost = sorted(needed - places) if places else []
        if lost:
            sentence = _("A player has a fixed table that is not among these.")
            raise Refusal("tables_fixed", sentence, details=lost)
        for name, value in chosen.items():
            setattr(stage, name, value)
        stage.save(update_fields=list(chosen))
        record(event, by, "stage.tables_chosen", now, object=f"s{stage.number}", before=before, after=chosen)
    return stage


def forget(*, person: Person, **_signal: Any) -> None:
    """On the erasure of a person, delete the club and the reasons of forbidden pairs. The pairs themselves stay."""
    entrants = Entrant.objects.filter(member__person=person).values("pk")
    ForbiddenPair.objects.filter(Q(first__in=entrants) | Q(second__in=entrants)).update(reason="")
    Entrant.objects.filter(pk__in=entrants).update(club="")


def _open_event(pk: int) -> Event:
    event = Event.objects.select_for_update().get(pk=pk)
    if event.status in _OVER:
        raise Refusal("event_state", _("The event is over."))
    return event


def _refuse_own(event: Event, by: User, *entrants: Entrant) -> None:
    own = {entrant.pk for entrant in own_entrants(by, event)}
    if any(entrant.pk in own for entrant in entrants):
        raise NotAllowed("staff_who_play", _("Staff who play cannot decide about their own entry."))


def _refuse_outside(event: Event, table: int | None) -> None:
    places = tables_of(current_stage(event))
    if table is not None and places and table not in places:
        raise InvalidInput("table_outside", _("This stage is not played at this table."), details=[table])


def _ids(pair: ForbiddenPair) -> dict[str, list[str]]:
    return {"entrants": [pair.first.public_id, pair.second.public_id]}
