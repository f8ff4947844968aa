"""Actions of the desk: enter or correct a result together with its drops, and undo the last entry."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.play.models import Match, Report, Round
from tournaments.play.services.events import drop, reinstate, reopen_event
from tournaments.play.services.results import StaffResult, clear_result, set_result, settle

Kind = Match.Kind
# Ledger codes of the entries after which a result counts.
COUNTED = ("result.entered", "result.confirmed", "result.ruled", "result.conceded", "result.penalized")


def enter_result(
    *,
    match: Match,
    by: User,
    games: Sequence[Any],
    now: datetime,
    kind: str = Kind.PLAYED,
    reason: str = "",
    drops: Collection[Entrant] = (),
    seen: int | None = None,
    acknowledged: bool = False,
    reopen: bool = False,
) -> bool:
    """Enter or correct a result at the desk, with the players who drop with its slip. False if nothing changed.

    `games` and `kind` are as for `report_result`, with the kinds that only staff may give. Entering the same result
    again does nothing, whoever it came from.

    - `seen`: the newest report that the person has looked at (`selectors.newest_report_id`). None if they have not
      looked, as with a slip from a pile: then a report that waits is not replaced without a reason either.
    - `acknowledged`: the person has read what the change does to later matches.
    - `reopen`: if the event is finished, reopen it for this correction and for the same reason. Callers check that the
      account may do that.

    Raises what `report_result` raises for a score that is not possible; NotAllowed `own_match`; InvalidInput
    `drop_elsewhere` if an entrant in `drops` does not sit at this table; Refusal `round_state`, `event_state`,
    `disputed`; and if another result is in the way, with details for the page that asks for confirmation:

    - Refusal `result_changed`: another result came in that the person has not seen (`results_standing`)
    - InvalidInput `reason_missing`: another result counts, or waits and was not looked at (`results_standing`)
    - Refusal `affects_later`: later matches or a later stage depend on the old result (`effects.effects_of`)
    """
    with transaction.atomic():
        # A drop and a reopening change the event, whose row is locked before that of the match.
        if drops or reopen:
            event = Event.objects.select_for_update().get(pk=match.round.stage.event_id)
            # Otherwise somebody else has reopened it a moment ago.
            if reopen and event.status == Event.Status.FINISHED:
                reopen_event(event=event, by=by, now=now, reason=reason)
        given = StaffResult(games, kind, Match.Authority.WITNESSED, reason, seen, acknowledged)
        entered = set_result(match, given, by, now)
        dropped = _drop_with_slip(match, drops, by, now)
        return entered or dropped


def _drop_with_slip(match: Match, drops: Collection[Entrant], by: User, now: datetime) -> bool:
    """Drop players of a table. Returns False if all of them had dropped already."""
    keys = {entrant.pk for entrant in drops}
    seated = Entrant.objects.filter(seats__match=match, pk__in=keys)
    if len(seated) < len(keys):
        raise InvalidInput("drop_elsewhere", _("Only the players of this table can drop with its slip."))
    playing = [entrant for entrant in seated if entrant.status != Entrant.Status.DROPPED]
    for entrant in playing:
        drop(entrant=entrant, by=by, now=now)
    return bool(playing)


def undo_result(*, match: Match, by: User, now: datetime) -> None:
    """Undo the result that this account entered last at a table of an open round, with the drops of its slip.

    The result that counted before counts again, and a report that waited waits again. Raises Refusal `nothing_to_undo`
    if the last change of the result was another one, `round_state` if the round is not open.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=match.round.stage.event_id)
        locked = Match.objects.select_for_update().get(pk=match.pk)
        locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
        entries = LedgerEntry.objects.filter(chain=event.public_id, object=locked.public_id).order_by("-number")
        moves = list(entries.filter(code__startswith="result.")[:1])
        if not moves or moves[0].code != "result.entered" or moves[0].actor != by.public_id:
            raise Refusal("nothing_to_undo", _("The last entry for this table is not yours."))
        if locked.round.status != Round.Status.PUBLISHED:
            raise Refusal("round_state", _("This round is not open."))
        entered = moves[0]
        # The report that came with the entry has the same time.
        locked.reports.filter(seat=None, status=Report.Status.CONFIRMED, at=entered.at).update(
            status=Report.Status.REPLACED
        )
        counted = entries.filter(code__in=COUNTED, number__lt=entered.number).first()
        if entered.before is not None:
            # A result that was brought in with its whole round has no entry of its own: the desk vouches for it.
            after = counted.after if counted else {**entered.before, "authority": Match.Authority.WITNESSED}
            settle(locked, after["games"], after["kind"], after["authority"], by, "result.undone", now)
        else:
            clear_result(locked, by, now)
        _reinstate_dropped(event, locked, entered, by, now)


def _reinstate_dropped(event: Event, match: Match, entered: LedgerEntry, by: User, now: datetime) -> None:
    """Reinstate players who dropped with the slip.

    Their drops have the time of the entry, because an action reads the clock only once.
    """
    seated = Entrant.objects.filter(seats__match=match, status=Entrant.Status.DROPPED)
    gone = LedgerEntry.objects.filter(
        chain=event.public_id,
        code="entrant.dropped",
        object__in=list(seated.values_list("public_id", flat=True)),
        at=entered.at,
        actor=by.public_id,
    )
    for entry in gone:
        reinstate(entrant=Entrant.objects.get(public_id=entry.object), by=by, now=now)
