"""What the results desk does in one keystroke: a slip entered with its drops, and the last entry undone."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.play.models import Match, Report, Round, Seat
from tournaments.play.selectors import standing_report
from tournaments.play.services.events import drop, reinstate
from tournaments.play.services.results import clear_result, override_result, score_now, settle

Kind = Match.Kind
COUNTED = ("result.entered", "result.confirmed", "result.ruled", "result.conceded", "result.penalized")


def enter_slip(
    *,
    match: Match,
    by: User,
    games: Sequence[int],
    now: datetime,
    kind: str = Kind.PLAYED,
    reason: str = "",
    drops: Collection[Entrant] = (),
) -> bool:
    """Enter a slip: its result and who drops with it. False when all of it stood already.

    A result that counts, or a report that waits, and says something else is changed with a reason alone
    (`reason_missing`; the details say what stands).
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=match.round.stage.event_id)
        stands = _stands(match)
        given = {"games": list(games), "kind": kind}
        if stands is not None and stands != given and not reason.strip():
            raise InvalidInput(
                "reason_missing", _("Another result stands here: changing it needs a reason."), details=[stands]
            )
        before = match.reports.count()
        override_result(match=match, by=by, games=games, kind=kind, reason=reason, now=now)
        playing = [entrant for entrant in drops if entrant.status != Entrant.Status.DROPPED]
        for entrant in playing:
            if not Seat.objects.filter(match=match, entrant=entrant, entrant__event=event).exists():
                raise InvalidInput("drop_elsewhere", _("Only the players of this table drop with its slip."))
            drop(entrant=entrant, by=by, now=now)
        return bool(playing) or match.reports.count() > before


def _stands(match: Match) -> dict[str, object] | None:
    """The result that counts, or the report that waits."""
    fresh = Match.objects.get(pk=match.pk)
    if fresh.has_result:
        score, kind = score_now(fresh)
        return {"games": score, "kind": kind}
    report = standing_report(match)
    return {"games": report.games, "kind": report.kind} if report else None


def undo_slip(*, match: Match, by: User, now: datetime) -> None:
    """Take back the result that this account entered last at a table of the open round, with the drops of its slip.

    What counted before counts again, and a report that waited waits again.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=match.round.stage.event_id)
        locked = Match.objects.select_for_update().get(pk=match.pk)
        locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
        entries = LedgerEntry.objects.filter(chain=event.public_id, object=locked.public_id).order_by("-number")
        moves = list(entries.filter(code__startswith="result.")[:1])
        if not moves or moves[0].code != "result.entered" or moves[0].actor != by.public_id:
            raise Refusal("nothing_to_undo", _("The last word on this table is not an entry of yours."))
        if locked.round.status != Round.Status.PUBLISHED:
            raise Refusal("round_state", _("This round is not open."))
        entered = moves[0]
        locked.reports.filter(seat=None, status=Report.Status.CONFIRMED, at=entered.at).update(
            status=Report.Status.REPLACED
        )
        counted = entries.filter(code__in=COUNTED, number__lt=entered.number).first()
        if entered.before is not None and counted is not None:
            after = counted.after
            settle(locked, after["games"], after["kind"], after["authority"], by, "result.undone", now)
        else:
            clear_result(locked, by, now)
        _take_drops_back(event, locked, entered, by, now)


def _take_drops_back(event: Event, match: Match, entered: LedgerEntry, by: User, now: datetime) -> None:
    """Reinstate who dropped in the same gesture: the instant is taken once, so it is the gesture's own."""
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
