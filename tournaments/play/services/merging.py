"""Merge two entries of an event that are the same player: a walk-in entered twice, or one who had also registered."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.models import Decklist, Pool, Reopening
from tournaments.events.access import own_entrants
from tournaments.events.claims import replace_person, typed_person
from tournaments.events.models import Entrant, Event, ForbiddenPair, Member, Stage, StageEntry
from tournaments.events.naming import refresh_shown_names
from tournaments.events.selectors import current_stage
from tournaments.payments.models import Payment
from tournaments.play.merged_entrants import Line, ledger_values, lines_of
from tournaments.play.models import AwardedBye, Match, Round, Seat
from tournaments.play.selectors import last_round_of
from tournaments.play.services.entries import record
from tournaments.play.services.events import move_up
from tournaments.play.services.results import results_moved

Status = Event.Status
_BEFORE = (Status.DRAFT, Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN)
# Models whose rows a merge carries over. Any other related row prevents the merge, so a new model is safe by default.
_CARRIED = {Member, StageEntry, Decklist, Pool, Seat, AwardedBye, ForbiddenPair, Reopening, Payment}
# Kinds of a round that an entry did not play. If the other entry has a match in that round, that one stays.
_UNPLAYED = (Match.Kind.MISSED, Match.Kind.ZERO_BYE)


def merge_entrants(*, entrant: Entrant, into: Entrant, by: User, now: datetime) -> Entrant:
    """Merge `entrant` into `into`, which keeps everything that either of them played, and return it.

    If one of the two has an account, the result has it. Once the event is running, only entries of a first Swiss stage
    or a first stage of multiplayer tables can be merged. Where one of them missed a round that the other played, the
    played match stays. Of two decklists, that of `into` stays.

    Raises InvalidInput `pair_wrong`; NotAllowed `staff_who_play`; Refusal:

    - `event_state`: the event is over
    - `merge_closed`: too much depends on the entries, for example audits, a later stage or a disqualification
    - `draft_pairings`: pairings are a draft, which seats this entrant
    - `have_met`, `both_played` (with the rounds): they are two people
    - `two_accounts`: both belong to an account
    - `payment_open`: `entrant` has a payment that is not over
    """
    if entrant.pk == into.pk or entrant.event_id != into.event_id:
        raise InvalidInput("pair_wrong", _("Choose two entrants of this event."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        gone, kept = (Entrant.objects.select_for_update().get(pk=pk) for pk in (entrant.pk, into.pk))
        _refuse(event, gone, kept, by)
        after = _carry_rounds(gone, kept)
        place_freed = gone.status == kept.status == Entrant.Status.REGISTERED and event.status in _BEFORE
        _carry_rest(gone, kept)
        _one_person(gone, kept)
        gone_id = gone.public_id
        gone.delete()
        refresh_shown_names(event)
        entry = record(
            event, by, "entrant.merged", now, object=kept.public_id, before={"entrant": gone_id}, after=after
        )
        if event.status == Status.RUNNING:
            # Standings name both entrants until they are computed again.
            results_moved(current_stage(event), entry.number, now)
        if place_freed:
            move_up(event, by, now)
    return kept


def _refuse(event: Event, gone: Entrant, kept: Entrant, by: User) -> None:
    mine = own_entrants(by, event)
    if gone in mine or kept in mine:
        raise NotAllowed("staff_who_play", _("Staff who play cannot decide about their own entry."))
    if event.status not in (*_BEFORE, Status.RUNNING):
        raise Refusal("event_state", _("The event is over."))
    stage = current_stage(event)
    fits = stage.number == 1 and stage.kind in (Stage.Kind.SWISS, Stage.Kind.TABLES)
    teams = any(each.member_set.count() != 1 for each in (gone, kept))
    closed = (event.status == Status.RUNNING and not fits) or gone.disqualified or kept.disqualified
    if closed or teams or _stands_on(gone):
        raise Refusal("merge_closed", _("These entries can no longer be merged: too much depends on them."))
    last = last_round_of(event)
    if last is not None and last.status == Round.Status.DRAFT:
        raise Refusal("draft_pairings", _("Discard the draft pairings first: they include this entrant."))
    if Match.objects.filter(seats__entrant=gone).filter(seats__entrant=kept).exists():
        raise Refusal("have_met", _("They have sat at the same table: they are two players."))
    if both := sorted(_rounds_played(gone) & _rounds_played(kept)):
        raise Refusal("both_played", _("Both have played in the same round: they are two players."), details=both)
    if gone.payments.filter(status=Payment.Status.WAITING).exists():
        raise Refusal("payment_open", _("A payment of this entry is open: wait until it has ended."))
    if typed_person(gone) is None and typed_person(kept) is None:
        raise Refusal("two_accounts", _("Both entries belong to accounts: have one of them drop instead."))


def _stands_on(entrant: Entrant) -> bool:
    """Whether the entrant has related rows that a merge does not carry over."""
    fields: Sequence[Any] = Entrant._meta.get_fields(include_hidden=True)
    return any(
        relation.related_model._default_manager.filter(**{relation.field.name: entrant}).exists()
        for relation in fields
        if (relation.one_to_many or relation.one_to_one) and relation.related_model not in _CARRIED
    )


def _seats(entrant: Entrant) -> QuerySet[Seat]:
    return Seat.objects.filter(entrant=entrant)


def _rounds_played(entrant: Entrant) -> set[int]:
    return set(_seats(entrant).exclude(match__kind__in=_UNPLAYED).values_list("round__number", flat=True))


def _carry_rounds(gone: Entrant, kept: Entrant) -> dict[str, Any]:
    """Give the rounds that `gone` played to `kept`; a missed round gives way to a played one.

    Returns what the merge's ledger entry needs so that earlier rounds can be verified (`play.merged_entrants`).
    """
    played = set(_seats(gone).exclude(match__kind__in=_UNPLAYED).values_list("round", flat=True))
    lines = _take_lines(_seats(kept).filter(round__in=played), kept)
    lines += _take_lines(_seats(gone).filter(round__in=list(_seats(kept).values_list("round", flat=True))), gone)
    values = ledger_values(_seats(gone).values_list("round__number", flat=True), lines)
    for match in Match.objects.filter(seats__entrant=gone):
        if gone.public_id in match.flags:
            match.flags[kept.public_id] = match.flags.pop(gone.public_id)
            match.save(update_fields=["flags"])
    _seats(gone).update(entrant=kept)
    return values


def _take_lines(seats: QuerySet[Seat], entrant: Entrant) -> list[tuple[str, Line]]:
    lines = [(entrant.public_id, line) for line in lines_of(seats)]
    Match.objects.filter(pk__in=list(seats.values_list("match", flat=True))).delete()
    return lines


def _carry_rest(gone: Entrant, kept: Entrant) -> None:
    """Carry over lists and pools that `kept` lacks, awarded byes, forbidden pairs, and the state of the entry."""
    for model in (StageEntry, Decklist, Pool):
        stages = list(model.objects.filter(entrant=kept).values_list("stage", flat=True))
        model.objects.filter(entrant=gone).exclude(stage__in=stages).update(entrant=kept)
    StageEntry.objects.filter(entrant=gone).delete()
    _carry_openings(gone, kept)
    numbers = list(AwardedBye.objects.filter(entrant=kept).values_list("number", flat=True))
    AwardedBye.objects.filter(entrant=gone).exclude(number__in=numbers).update(entrant=kept)
    _carry_pairs(gone, kept)
    Payment.objects.filter(entrant=gone).update(entrant=kept)
    active = Entrant.Status.REGISTERED
    if active in (gone.status, kept.status):
        kept.status, kept.dropped_after = active, None
    elif Entrant.Status.WAITING in (gone.status, kept.status):
        kept.status, kept.dropped_after = Entrant.Status.WAITING, None
    kept.registered_at = min(gone.registered_at, kept.registered_at)
    kept.checked_in_at = kept.checked_in_at or gone.checked_in_at
    kept.settled, kept.club = kept.settled or gone.settled, kept.club or gone.club
    table = gone.fixed_table
    # Freed first: no two entrants of an event may have the same fixed table.
    Entrant.objects.filter(pk=gone.pk).update(fixed_table=None)
    kept.fixed_table = kept.fixed_table or table
    kept.save()


def _carry_openings(gone: Entrant, kept: Entrant) -> None:
    """Keep only the reopened list of `kept` open, and a late list only until its first pairing is published."""
    open_ = Reopening.objects.filter(closed_at=None)
    open_.filter(entrant=gone).delete()
    Reopening.objects.filter(entrant=gone).update(entrant=kept)
    if _seats(kept).filter(match__table__isnull=False).exclude(round__status=Round.Status.DRAFT).exists():
        open_.filter(entrant=kept, late=True).delete()


def _carry_pairs(gone: Entrant, kept: Entrant) -> None:
    for pair in ForbiddenPair.objects.filter(Q(first=gone) | Q(second=gone)):
        other = pair.second_id if pair.first_id == gone.pk else pair.first_id
        pair.delete()
        if other == kept.pk:
            continue
        # Pairs are stored with the lower key first, so that each exists only once.
        older, younger = sorted((other, kept.pk))
        if not ForbiddenPair.objects.filter(first=older, second=younger).exists():
            pair.pk, pair.first_id, pair.second_id = None, older, younger
            pair.save(force_insert=True)


def _one_person(gone: Entrant, kept: Entrant) -> None:
    """Keep the person who has an account, if one of the two does, and delete the other."""
    theirs, ours = (each.member_set.select_related("person").get().person for each in (gone, kept))
    Member.objects.filter(entrant=gone).delete()
    if theirs.account_id is not None:
        Member.objects.filter(entrant=kept).update(person=theirs)
        theirs, ours = ours, theirs
    replace_person(theirs, ours)
