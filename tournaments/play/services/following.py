"""Close a round, pair and publish the next and start its clock, in one action that can be undone for a minute."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.idempotency import writing
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.services import unlock_late
from tournaments.events.models import Event, Stage
from tournaments.play.models import Clock, Round, Seat
from tournaments.play.selectors import follow_to_undo, paired_in
from tournaments.play.services.entries import record
from tournaments.play.services.results import results_moved
from tournaments.play.services.rounds import close_planned, plan_after, publish_round, write_round

MOST_MINUTES = 60


def follow_round(*, round_: Round, minutes: int, by: User, now: datetime, acknowledged: bool = False) -> Round:
    """Close a round, pair and publish the next one, and let its clock start in 0 to 60 minutes.

    The pairing is computed first. All writes are one transaction, so a refusal leaves the round open as it was.
    `acknowledged` is as for `pair_round`.
    """
    if not 0 <= minutes <= MOST_MINUTES:
        raise InvalidInput("minutes_invalid", _("The clock can start at once or in up to 60 minutes."))
    plan = plan_after(round_, acknowledged=acknowledged)
    with writing():
        plan = close_planned(round_, plan, by, now)
        made = write_round(plan, by, now)
        publish_round(round_=made, by=by, now=now)
        # Set here, because `start_clock` starts a clock at once.
        Clock.objects.filter(round=made).update(started_at=now + timedelta(minutes=minutes))
        after = {"closed": round_.number, "minutes": minutes}
        record(plan.stage.event, by, "round.followed", now, object=f"r{made.number}", after=after)
    made.refresh_from_db()
    return made


def undo_follow(*, round_: Round, by: User, now: datetime) -> Round:
    """Undo `follow_round` within a minute, as long as nothing else has happened in the event.

    The round before is open again, as it was. Pairing the next round again uses the same seed. Raises Refusal
    `undo_closed` once it is too late.
    """
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        followed = follow_to_undo(round_, now)
        if followed is None or not Round.objects.filter(pk=round_.pk, status=Round.Status.PUBLISHED).exists():
            raise Refusal("undo_closed", _("You can undo this for a minute, as long as nothing else happens."))
        before = Round.objects.get(stage=stage, number=followed.after["closed"])
        # The lists that publishing locked are recognized by its time.
        unlock_late(entrants=paired_in(round_), locked_at=round_.published_at or now)
        Seat.objects.filter(round=round_).delete()
        # Deleted without a `round.discarded` entry, so that the seed does not count as used.
        Round.objects.filter(pk=round_.pk).delete()
        _reopen(before, by, now)
        entry = record(event, by, "round.follow_undone", now, object=f"r{round_.number}")
        results_moved(stage, entry.number, now)
    before.refresh_from_db()
    return before


def _reopen(round_: Round, by: User, now: datetime) -> None:
    closed = Round.objects.filter(pk=round_.pk, status=Round.Status.CLOSED)
    if closed.update(status=Round.Status.PUBLISHED, closed_at=None):
        entry = record(round_.stage.event, by, "round.reopened", now, object=f"r{round_.number}")
        results_moved(round_.stage, entry.number, now)
