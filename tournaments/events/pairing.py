"""What pairing minds: the options of a Swiss stage, pairs that must not meet, clubs and fixed tables."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event, ForbiddenPair, Stage
from tournaments.events.naming import tell_names_apart
from tournaments.events.selectors import current_stage
from tournaments.events.services import record
from tournaments.events.tables import MAX_TABLE, tables_in, tables_of, written
from tournaments.swiss.formats import proposed_rounds, why_proposed

OPTIONS = ("pairing_order", "last_by_standing", "clubs_apart", "even_sides", "byes_on_request")
MAX_FORBIDDEN = 500
_OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)
_BY_SEED = (Stage.Order.FOLD, Stage.Order.SLIDE)


@dataclass(frozen=True)
class Proposal:
    """How many Swiss rounds are proposed for so many players, and why (`swiss.formats.why_proposed`)."""

    players: int
    rounds: int
    why: str


def proposal_of(stage: Stage) -> Proposal:
    """The rounds proposed for a Swiss stage: for who came into it, or as many as would now."""
    if stage.started_at is not None and stage.entries.exists():
        players = stage.entries.count()
    else:
        players = stage.event.entrants.filter(status=Entrant.Status.REGISTERED).count()
        players = min(players, stage.cut_top or players)
    preset = stage.event.preset
    return Proposal(players, proposed_rounds(players, preset), why_proposed(players, preset))


def described_pairing(stage: Stage) -> dict[str, Any]:
    """The pairing options of a stage, as the ledger and the API tell them."""
    return {name: getattr(stage, name) for name in OPTIONS}


def choose_pairing(*, stage: Stage, by: User, now: datetime, **options: Any) -> Stage:
    """Change pairing options (`OPTIONS`) of a Swiss stage; they hold for the rounds that are not paired yet.

    `fold` and `slide` go by seeds, which a first stage does not have.
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
    if options.get("pairing_order") in _BY_SEED and stage.number == 1:
        raise InvalidInput("no_seeds", _("A first stage has no seeds: choose chance or standing."))


def forbid_pair(
    *, event: Event, first: Entrant, second: Entrant, reason: str, by: User, now: datetime
) -> ForbiddenPair:
    """Keep two entrants from meeting in Swiss rounds to come, with a reason that staff alone read. Twice is once."""
    reason = reason.strip()[:200]
    if not reason:
        raise InvalidInput("reason_missing", _("A pair that must not meet needs a reason."))
    if first.pk == second.pk or {first.event_id, second.event_id} != {event.pk}:
        raise InvalidInput("pair_wrong", _("Choose two entrants of this event."))
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
    """Let two entrants meet again."""
    with transaction.atomic():
        event = _open_event(pair.event_id)
        _refuse_own(event, by, pair.first, pair.second)
        if ForbiddenPair.objects.filter(pk=pair.pk).delete()[0]:
            record(event, by, "pair.allowed", now, before=_ids(pair))


def note_needs(*, entrant: Entrant, club: str, table: int | None, by: User, now: datetime) -> Entrant:
    """Say which club an entrant comes from, and which table it needs (None for any)."""
    if table is not None and not 1 <= table <= MAX_TABLE:
        raise InvalidInput("out_of_bounds", _("Some figures are not possible."), details=["table"])
    try:
        with transaction.atomic():
            event = _open_event(entrant.event_id)
            entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
            _refuse_own(event, by, entrant)
            _refuse_outside(event, table)
            before, now_at = entrant.fixed_table, " ".join(club.split())[:80]
            if (before, entrant.club) == (table, now_at):
                return entrant
            entrant.club, entrant.fixed_table = now_at, table
            entrant.save(update_fields=["club", "fixed_table"])
            tell_names_apart(event)
            told = {"table": table, "club": bool(entrant.club)}  # the ledger keeps no name
            record(event, by, "entrant.needs_noted", now, object=entrant.public_id, after=told)
    except IntegrityError:
        raise Refusal("table_taken", _("This table is kept for somebody else."), details=[table])
    return entrant


def choose_tables(*, stage: Stage, tables: str, skipped: str, by: User, now: datetime) -> Stage:
    """Say at which tables of the hall a stage is played, for the rounds that are not paired yet; "" for any.

    Refused (`tables_fixed`) when somebody needs a table that would not be among them.
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
        needed = {table for table in playing.values_list("fixed_table", flat=True) if table is not None}
        lost = sorted(needed - places) if places else []
        if lost:
            sentence = _("Somebody needs a table that is not among these.")
            raise Refusal("tables_fixed", sentence, details=lost)
        for name, value in chosen.items():
            setattr(stage, name, value)
        stage.save(update_fields=list(chosen))
        record(event, by, "stage.tables_chosen", now, object=f"s{stage.number}", before=before, after=chosen)
    return stage


def forget(*, person: Person, **_signal: Any) -> None:
    """Erase what is written of a person: the club, and why a pair is kept apart. The pair itself stays apart."""
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
        raise NotAllowed("staff_who_play", _("Staff who play decide nothing about their own entrant."))


def _refuse_outside(event: Event, table: int | None) -> None:
    places = tables_of(current_stage(event))
    if table is not None and places and table not in places:
        raise InvalidInput("table_outside", _("This stage is not played at this table."), details=[table])


def _ids(pair: ForbiddenPair) -> dict[str, list[str]]:
    return {"entrants": [pair.first.public_id, pair.second.public_id]}
