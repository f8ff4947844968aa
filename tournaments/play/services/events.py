"""Start and finish of an event, drops: gestures that need both who is there and what was played."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.selectors import current_list, is_drafted, without_legal_list
from tournaments.decks.services import open_drafted
from tournaments.events.access import may, plays
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, first_stage, next_stage
from tournaments.events.services import move_event
from tournaments.play.models import Loss, Match, Round
from tournaments.play.selectors import last_round_of
from tournaments.play.services.entries import record
from tournaments.play.services.losses import lose_now
from tournaments.play.services.results import concede, results_moved
from tournaments.play.services.stages import enter_first_stage

Status = Event.Status


def start_event(*, event: Event, by: User, now: datetime, drop_absent: bool = False) -> None:
    """Start play. Entrants without a legal list or not checked in stand in the way, unless `drop_absent`.

    From the state "locked" nobody is asked to check in; from "check-in" the absent are those who did not.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        playing = event.entrants.filter(status=Entrant.Status.REGISTERED)
        missing = {entrant.public_id for entrant in without_legal_list(first_stage(event))}
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
    """Take a drop back before the next pairings miss the entrant a round.

    A player takes back an own drop, the desk any. The place must be free and the list legal.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        last = last_round_of(event)
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        if entrant.status != Entrant.Status.DROPPED:
            return
        if entrant.disqualified:
            raise Refusal("disqualified", _("Who was disqualified does not come back."))
        if not may(by, event, "run_desk") and _dropped_by(entrant) != by.public_id:
            raise NotAllowed("dropped_by_staff", _("The desk took this entrant out: ask there."))
        if event.status != Status.RUNNING:
            raise Refusal("event_state", _("Before the start, register again."))
        if (last.number if last else 0) != entrant.dropped_after:
            raise Refusal("rounds_missed", _("A round was paired without this entrant since."))
        stage = current_stage(event)
        listed = current_list(entrant, stage)
        if stage.deck_format and (listed is None or not listed.legal):
            raise Refusal("not_ready", _("This entrant has no legal decklist."), details=[entrant.public_id])
        playing = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
        if event.capacity is not None and playing >= event.capacity:
            raise Refusal("event_full", _("The event is full."))
        entrant.status, entrant.dropped_after = Entrant.Status.REGISTERED, None
        entrant.save(update_fields=["status", "dropped_after"])
        entry = record(event, by, "entrant.reinstated", now, object=entrant.public_id)
        results_moved(current_stage(event), entry.number, now)


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
