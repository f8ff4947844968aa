"""Actions of judges at the tables: answer calls, and note the turn that a table is in after time.

Each step of a call is a conditional update on its status, so of two judges who act at once only one succeeds.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import roles_of
from tournaments.events.models import Event, StaffRole
from tournaments.judging.models import Call, EndTurn
from tournaments.judging.selectors import end_of
from tournaments.play import services as play
from tournaments.play.access import seat_of
from tournaments.play.models import Match, Round
from tournaments.play.services.entries import record

Status = Call.Status


def call_judge(*, match: Match, by: User, now: datetime, matter: str = Call.Matter.UNSAID) -> Call:
    """Call a judge to the table, as one of its players.

    Idempotent: while a call from the table is live, that call is returned, whichever player made it. Raises
    InvalidInput `matter_unknown`, NotAllowed `not_your_table`, Refusal `round_state` and `no_opponent` (a bye).
    """
    if matter not in Call.Matter.values:
        raise InvalidInput("matter_unknown", _("There is no such reason for a call."), details=list(Call.Matter.values))
    with transaction.atomic():
        match = _open_table(match)
        seat = seat_of(by, match)
        if seat is None:
            raise NotAllowed("not_your_table", _("Only the players at this table can do this."))
        live = match.calls.filter(status__in=Call.LIVE).first()
        if live is not None:
            return live
        call = Call.objects.create(match=match, seat=seat, by=by, matter=matter, called_at=now)
        _record(call, by, "call.made", now, {"table": match.table, "seat": seat.number, "matter": matter})
    return call


def withdraw_call(*, call: Call, by: User, now: datetime) -> None:
    """Withdraw a call, as a player of its table. Idempotent.

    Raises Refusal `call_claimed` once a judge is on the way, NotAllowed `not_your_table`.
    """
    with transaction.atomic():
        if seat_of(by, call.match) is None:
            raise NotAllowed("not_your_table", _("Only the players at this table can do this."))
        if _moved(call, (Status.WAITING,), status=Status.WITHDRAWN, ended_at=now):
            _record(call, by, "call.withdrawn", now)
        elif call.status == Status.CLAIMED:
            raise Refusal("call_claimed", _("A judge is on the way."))


def claim_call(*, call: Call, by: User, now: datetime) -> None:
    """Take a call as a judge. If two judges take it at once, one wins. Idempotent.

    Raises Refusal `call_claimed` if another judge has it and `call_over` if it has ended, NotAllowed `own_match`, and
    `head_judge_needed` for an escalated call unless `by` is a head judge.
    """
    with transaction.atomic():
        _judges_alone(call, by)
        if call.escalated_at is not None:
            _require_head(call, by)
        if _moved(call, (Status.WAITING,), status=Status.CLAIMED, claimed_by=by, claimed_at=now):
            _record(call, by, "call.claimed", now)
        elif call.status == Status.CLAIMED and call.claimed_by_id != by.pk:
            raise Refusal("call_claimed", _("Another judge is already there."))
        elif call.status != Status.CLAIMED:
            raise Refusal("call_over", _("This call is over."))


def arrive_at_call(*, call: Call, by: User, now: datetime) -> None:
    """Note that the judge who took a call is at the table. Idempotent.

    Raises Refusal `call_waiting` and `call_over`, NotAllowed `call_not_yours` and `own_match`.
    """
    with transaction.atomic():
        _judges_alone(call, by)
        _require_holder(call, by)
        if call.status != Status.CLAIMED:
            raise Refusal("call_over", _("This call is over."))
        if call.arrived_at is None:
            _moved(call, (Status.CLAIMED,), arrived_at=now)
            _record(call, by, "call.arrived", now)


def release_call(*, call: Call, by: User, now: datetime) -> None:
    """Give a taken call back to the queue. Its waiting time counts on from when the player called."""
    _hand_on(call, by, now, "call.released")


def escalate_call(*, call: Call, by: User, now: datetime) -> None:
    """Escalate a taken call: it goes back to the queue, where only a head judge can take it."""
    _hand_on(call, by, now, "call.escalated", escalated_at=now)


def resolve_call(*, call: Call, by: User, now: datetime, minutes: int = 0) -> None:
    """End a call, as the judge who took it or a head judge, and give the table `minutes` more (0 to 60). Idempotent.

    Raises InvalidInput `minutes_invalid`, Refusal `call_waiting` and `call_over`, NotAllowed `call_not_yours` and
    `own_match`, and what `play.extend_table` raises once the round is closed.
    """
    if not 0 <= minutes <= 60:
        raise InvalidInput("minutes_invalid", _("Add 1 to 60 minutes."))
    with transaction.atomic():
        _judges_alone(call, by)
        if call.status == Status.RESOLVED:
            return
        _require_holder(call, by)
        if not _moved(call, (Status.CLAIMED,), status=Status.RESOLVED, ended_at=now):
            raise Refusal("call_over", _("This call is over."))
        if minutes:
            play.extend_table(match=call.match, minutes=minutes, by=by, now=now)
        _record(call, by, "call.resolved", now, {"minutes": minutes})


def note_turn(*, match: Match, turn: int, by: User, now: datetime) -> None:
    """Note which turn a table is in after time, from 1 to the number in the event's procedures. Idempotent.

    Raises InvalidInput `turn_invalid`, Refusal `round_state` and `no_opponent`, NotAllowed `own_match`.
    """
    with transaction.atomic():
        match = _open_table(match)
        if seat_of(by, match) is not None:
            raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
        most = end_of(match.round).count
        if not 1 <= turn <= most:
            words = _("At most %(most)d can be played after time is called.")
            raise InvalidInput("turn_invalid", words % {"most": most}, details=[most])
        before = EndTurn.objects.filter(match=match).values_list("turn", flat=True).first()
        if before == turn:
            return
        EndTurn.objects.update_or_create(match=match, defaults={"turn": turn, "noted_by": by, "noted_at": now})
        event = match.round.stage.event
        record(event, by, "table.turn_noted", now, object=match.public_id, after={"turn": turn, "of": most})


def _hand_on(call: Call, by: User, now: datetime, code: str, **more: datetime) -> None:
    """Put a taken call back in the queue; `more` are further fields to set."""
    with transaction.atomic():
        _judges_alone(call, by)
        _require_holder(call, by)
        nobody = {"status": Status.WAITING, "claimed_by": None, "claimed_at": None, "arrived_at": None}
        if not _moved(call, (Status.CLAIMED,), **nobody, **more):
            raise Refusal("call_over", _("This call is over."))
        _record(call, by, code, now)


def _moved(call: Call, before: tuple[str, ...], **after: object) -> bool:
    """Update a call if its status is still one of `before`; return whether it was. Refreshes `call` either way."""
    moved = Call.objects.filter(pk=call.pk, status__in=before).update(**after)
    match = call.match  # `refresh_from_db` drops it, with its round and event
    call.refresh_from_db()
    call.match = match
    return bool(moved)


def _judges_alone(call: Call, by: User) -> None:
    """Lock the call, and raise NotAllowed `own_match` if the judge is a player of its table."""
    # Copies what the checks look at instead of refreshing `call`, which would drop its match with round and event.
    fresh = Call.objects.select_for_update().get(pk=call.pk)
    call.status, call.claimed_by_id, call.escalated_at = fresh.status, fresh.claimed_by_id, fresh.escalated_at
    call.arrived_at = fresh.arrived_at
    if seat_of(by, call.match) is not None:
        raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))


def _require_holder(call: Call, by: User) -> None:
    """Refuse if nobody has taken the call, or if another judge has and `by` is not a head judge."""
    if call.status == Status.WAITING:
        raise Refusal("call_waiting", _("Take the call first: no judge has taken it yet."))
    if call.status == Status.CLAIMED and call.claimed_by_id != by.pk and not _is_head(call, by):
        raise NotAllowed("call_not_yours", _("Another judge is answering this call."))


def _require_head(call: Call, by: User) -> None:
    if not _is_head(call, by):
        raise NotAllowed("head_judge_needed", _("This call is waiting for the head judge."))


def _is_head(call: Call, by: User) -> bool:
    return StaffRole.Role.HEAD_JUDGE in roles_of(by, call.match.round.stage.event)


def _open_table(match: Match) -> Match:
    """The match, its row locked; refused unless its round is open and it is not a bye."""
    locked = Match.objects.select_for_update().get(pk=match.pk)
    locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
    running = locked.round.stage.event.status == Event.Status.RUNNING
    if not running or locked.round.status != Round.Status.PUBLISHED:
        raise Refusal("round_state", _("This round is not open."))
    if locked.table is None:
        raise Refusal("no_opponent", _("A bye has no table."))
    return locked


def _record(call: Call, by: User, code: str, now: datetime, after: dict[str, object] | None = None) -> None:
    data = {"match": call.match.public_id, **(after or {})}
    record(call.match.round.stage.event, by, code, now, object=call.public_id, after=data)
