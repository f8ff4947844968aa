"""Start and finish of an event, drops: gestures that need both who is there and what was played."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.selectors import current_list, is_drafted, without_legal_list
from tournaments.decks.services import open_drafted, open_late, open_missing
from tournaments.events.access import may, plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage, first_stage, next_stage
from tournaments.events.services import move_event
from tournaments.play.models import Loss, Match, Round
from tournaments.play.selectors import last_round, last_round_of
from tournaments.play.services.entries import record
from tournaments.play.services.late import miss_rounds, refuse_if_closed
from tournaments.play.services.losses import lose_now
from tournaments.play.services.results import concede, results_moved
from tournaments.play.services.stages import draw_first_stage_anew, enter_first_stage

Status = Event.Status
_BEFORE_START = (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN)


def start_event(
    *,
    event: Event,
    by: User,
    now: datetime,
    drop_absent: bool = False,
    keep_listless: bool = False,
    without_check_in: bool = True,
) -> None:
    """Start play. Entrants who are not checked in, or lack the legal list that is required, stand in the way.

    With `keep_listless` those who only lack a list stay, as the event's rule lets in who comes late: their lists may
    come in until their first pairing is published. With `drop_absent` the others are dropped. From the state "locked"
    nobody is asked to check in; from "check-in" the absent are those who did not. Pages and the API pass
    `without_check_in` as the person said it: a start from "locked" is refused without it (`check_in_not_held`, with how
    many have not checked in).
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        playing = event.entrants.filter(status=Entrant.Status.REGISTERED)
        if event.status == Status.LOCKED and not without_check_in:
            raise Refusal(
                "check_in_not_held",
                _("Check-in was not held: confirm that the event starts without it, or open check-in."),
                details=[playing.filter(checked_in_at=None).count()],
            )
        missing = {entrant.public_id for entrant in without_legal_list(first_stage(event))}
        if keep_listless:
            if missing and not takes_late(event):
                raise Refusal("late_entry_closed", _("This event lets nobody in late: wait for the lists, or drop."))
            missing = set()
        if event.status == Status.CHECK_IN:
            missing |= set(playing.filter(checked_in_at=None).values_list("public_id", flat=True))
        if missing and not drop_absent:
            raise Refusal(
                "not_ready",
                _("Some entrants are absent or have no legal decklist: drop them or wait for them."),
                details=sorted(missing),
            )
        absent = list(playing.filter(public_id__in=missing).order_by("pk"))
        if playing.count() - len(absent) < 2:
            raise Refusal("too_few", _("An event needs at least two entrants who are ready."))
        move_event(
            event, by=by, now=now, allowed=(Status.LOCKED, Status.CHECK_IN), to=Status.RUNNING, code="event.started"
        )
        for entrant in absent:
            _drop(entrant, 0, by, now)
        stage = event.stages.select_for_update().select_related("event").get(number=1)
        enter_first_stage(stage, now)
        if is_drafted(stage):
            open_drafted(stage=stage, by=by, now=now)
        else:
            open_missing(stage=stage, by=by, now=now)


def takes_late(event: Event) -> bool:
    """Whether the event's rule lets people come after the start, and their lists with them."""
    return read_procedures(event.procedures).late_entry.allowed


def finish_event(*, event: Event, by: User, now: datetime) -> None:
    """End the event: its last round is closed, no stage is still to come, its standings are final."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        last = last_round_of(event)
        if last is None or last.status != Round.Status.CLOSED:
            raise Refusal("round_open", _("Close the last round first."))
        if next_stage(event) is not None:
            raise Refusal("stage_to_come", _("Another stage is planned: play it, or take it away first."))
        move_event(event, by=by, now=now, allowed=(Status.RUNNING,), to=Status.FINISHED, code="event.finished")


def reopen_event(*, event: Event, by: User, now: datetime, reason: str) -> None:
    """Set a finished event running again, so that results can be corrected: its standings are provisional again."""
    if not reason.strip():
        raise InvalidInput("reason_missing", _("Say why the event is reopened."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        note = reason.strip()[:2000]
        move_event(
            event, by=by, now=now, allowed=(Status.FINISHED,), to=Status.RUNNING, code="event.reopened", note=note
        )


def drop(*, entrant: Entrant, by: User, now: datetime, concede_match: bool = False) -> None:
    """Take an entrant out of the rounds to come; what was played stays. Twice is once.

    Before the start the place goes to who waits longest.

    While pairings are a draft they name the entrant: the draft must be thrown away first. A match that is published and
    has no result is played on, or with `concede_match` won by the opponent, as it always is in a bracket.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status in (Status.FINISHED, Status.ARCHIVED, Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        last = last_round_of(event)
        if last is not None and last.status == Round.Status.DRAFT:
            raise Refusal("draft_pairings", _("Throw the draft pairings away first: they count this entrant in."))
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        if entrant.status == Entrant.Status.DROPPED:
            return
        freed = entrant.status == Entrant.Status.REGISTERED
        match = _open_match(entrant, last)
        if match is not None and (concede_match or match.round.stage.is_bracket):
            concede(match=match, entrant=entrant, by=by, now=now)
        entry = _drop(entrant, last.number if last else 0, by, now)
        if event.status == Status.RUNNING:
            results_moved(current_stage(event), entry.number, now)  # some schemes weigh who dropped
        elif freed:
            move_up(event, by, now)


def disqualify(*, entrant: Entrant, by: User, now: datetime, reason: str) -> None:
    """Put an entrant out of the event: out of ranks and prizes; what was played stays. Twice is once.

    A match that is published and has no result is lost; at a table of several that is the last rank, and the others
    move up. The draft of a round is thrown away first, as for a drop.
    """
    if not reason.strip():
        raise InvalidInput("reason_missing", _("A disqualification needs a reason."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status != Status.RUNNING:
            raise Refusal("event_state", _("The event is not running."))
        if plays(by, event):
            raise NotAllowed("staff_who_play", _("Staff who play put nobody out of the event."))
        last = last_round_of(event)
        if last is not None and last.status == Round.Status.DRAFT:
            raise Refusal("draft_pairings", _("Throw the draft pairings away first: they count this entrant in."))
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        if entrant.disqualified:
            return
        match = _open_match(entrant, last)
        if match is not None:
            concede(match=match, entrant=entrant, by=by, now=now, kind=Match.Kind.DISQUALIFIED)
        table = _open_table(entrant, last)
        if table is not None:
            lose_now(match=table, entrant=entrant, what=Loss.What.MATCH, by=by, now=now)
        if entrant.status != Entrant.Status.DROPPED:
            _drop(entrant, last.number if last else 0, by, now)
        Entrant.objects.filter(pk=entrant.pk).update(disqualified=True)
        entry = record(event, by, "entrant.disqualified", now, object=entrant.public_id, note=reason.strip()[:2000])
        results_moved(current_stage(event), entry.number, now)


def _open_match(entrant: Entrant, last: Round | None) -> Match | None:
    """The match of two at which an entrant sits in a published round, while it has no result."""
    if last is None or last.status != Round.Status.PUBLISHED or last.stage.is_tables:
        return None
    waiting = last.matches.filter(seats__entrant=entrant, table__isnull=False, games_drawn=None)
    return waiting.select_related("round__stage__event").first()


def _open_table(entrant: Entrant, last: Round | None) -> Match | None:
    """The table of several at which an entrant sits in a published round, while it has no result."""
    if last is None or last.status != Round.Status.PUBLISHED or not last.stage.is_tables:
        return None
    return last.matches.filter(seats__entrant=entrant, table__isnull=False, games_drawn=None).first()


def reinstate(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Take a drop back. Idempotent.

    A player takes back an own drop before a round is paired without them; the desk any drop. Rounds that were paired
    meanwhile count as missed, where the event lets people in late. A list that is required and not there may come in
    until the first pairing that follows. Before the start a full event puts the entrant on its waiting list. Once the
    event is running, the desk lets in people from the waiting list in the same way.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        entrant.event = event
        waits = entrant.status == Entrant.Status.WAITING and event.status == Status.RUNNING
        if entrant.status != Entrant.Status.DROPPED and not waits:
            return
        if entrant.disqualified:
            raise Refusal("disqualified", _("Who was disqualified does not come back."))
        desk = may(by, event, "run_desk")
        if waits and not desk:
            raise Refusal("entrant_waiting", _("This entrant is on the waiting list: there is no place yet."))
        if not desk and _dropped_by(entrant) != by.public_id:
            raise NotAllowed("dropped_by_staff", _("The desk took this entrant out: ask there."))
        if event.status == Status.RUNNING:
            _back_in_play(entrant, desk, by, now)
        elif event.status in _BEFORE_START:
            _back_before_start(entrant, by, now)
        else:
            raise Refusal("event_state", _("The event is over."))


def _back_before_start(entrant: Entrant, by: User, now: datetime) -> None:
    """Give a dropped entrant a place again, or the last one of the waiting list."""
    event = entrant.event
    if _is_full(event):
        entrant.registered_at = now
        _come_back(entrant, Entrant.Status.WAITING)
    else:
        _come_back(entrant, Entrant.Status.REGISTERED)
    if event.status != Status.REGISTRATION:
        _open_list(entrant, by, now)
    record(event, by, "entrant.reinstated", now, object=entrant.public_id, after={"status": entrant.status})


def _back_in_play(entrant: Entrant, desk: bool, by: User, now: datetime) -> None:
    event = entrant.event
    stage, last = current_stage(event), last_round_of(event)
    missed = (last.number if last else 0) != (entrant.dropped_after or 0)
    if missed and not desk:
        raise Refusal("rounds_missed", _("A round was paired without this entrant since."))
    if missed:
        refuse_if_closed(event, stage, last_round(stage))
    elif _is_full(event):
        raise Refusal("event_full", _("The event is full."))
    if _open_list(entrant, by, now) and not takes_late(event):
        raise Refusal("not_ready", _("This entrant has no legal decklist."), details=[entrant.public_id])
    _come_back(entrant, Entrant.Status.REGISTERED)
    if last is None and stage.kind != Stage.Kind.SWISS:
        draw_first_stage_anew(stage, now)
    rounds = miss_rounds(entrant, stage) if missed else []
    after = {"missed": rounds} if rounds else None
    entry = record(event, by, "entrant.reinstated", now, object=entrant.public_id, after=after)
    results_moved(stage, entry.number, now)


def _open_list(entrant: Entrant, by: User, now: datetime) -> bool:
    """Open the list of an entrant who comes back without the legal one that is required; whether it lacks."""
    stage = current_stage(entrant.event)
    listed = current_list(entrant, stage)
    lacks = entrant.event.lists == Event.Lists.REQUIRED and (listed is None or not listed.legal)
    if lacks:
        open_late(entrant=entrant, by=by, now=now)
    return lacks


def _come_back(entrant: Entrant, status: str) -> None:
    entrant.status, entrant.dropped_after = status, None
    entrant.save(update_fields=["status", "dropped_after", "registered_at"])


def _is_full(event: Event) -> bool:
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
    return event.capacity is not None and playing >= event.capacity


def _dropped_by(entrant: Entrant) -> str:
    """The public id of the account that dropped an entrant."""
    drops = LedgerEntry.objects.filter(
        chain=entrant.event.public_id, code="entrant.dropped", object=entrant.public_id
    ).order_by("-number")
    return drops.values_list("actor", flat=True).first() or ""


def move_up(event: Event, by: User, now: datetime) -> bool:
    """Give a free place to who waits longest, inside the event's lock; whether somebody does."""
    first = event.entrants.filter(status=Entrant.Status.WAITING).order_by("registered_at", "pk").first()
    if first is None:
        return False
    Entrant.objects.filter(pk=first.pk).update(status=Entrant.Status.REGISTERED)
    record(event, by, "entrant.moved_up", now, object=first.public_id)
    return True


def _drop(entrant: Entrant, after: int, by: User, now: datetime) -> LedgerEntry:
    entrant.status, entrant.dropped_after = Entrant.Status.DROPPED, after
    entrant.save(update_fields=["status", "dropped_after"])
    return record(entrant.event, by, "entrant.dropped", now, object=entrant.public_id, after={"after_round": after})
