"""Start, finish and reopen an event; drop, disqualify and reinstate entrants.

These actions need both the entrants and what was played, which `events` does not know.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.selectors import is_drafted, lacks_legal_list, without_legal_list
from tournaments.decks.services import open_drafted, open_late, open_missing
from tournaments.events.access import may, plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage, enumerated, first_stage, incomplete_teams, next_stage
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
    """Start an event. Entrants who are not checked in, or lack a required legal decklist, are in the way (`not_ready`).

    - `drop_absent`: drop these entrants
    - `keep_listless`: keep those who only lack a list; it may come in until their first pairing is published. Refused
      (`late_entry_closed`) unless the event allows late entries.
    - `without_check_in`: start from "locked", without check-in. Pages and the API pass what the user confirmed; without
      it the start is refused (`check_in_not_held`, with the number of players who have not checked in).

    From "locked" nobody has to be checked in; from "check-in", everybody who is not counts as absent. Raises Refusal
    `too_few` if fewer than two entrants are ready.
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
        not_ready = _not_ready(event, keep_listless=keep_listless)
        unready = playing.filter(public_id__in=not_ready).order_by("pk")
        if not_ready and not drop_absent:
            words = (
                _("Some teams are absent, incomplete or lack a legal decklist. Drop them or wait for them: %(names)s")
                if event.is_team_event
                else _("Some players are absent or have no legal decklist. Drop them or wait for them: %(names)s")
            )
            raise Refusal("not_ready", words % {"names": enumerated(unready)}, details=sorted(not_ready))
        dropping = list(unready)
        if playing.count() - len(dropping) < 2:
            raise Refusal(
                "too_few",
                _("An event needs at least two teams that are ready.")
                if event.is_team_event
                else _("An event needs at least two players who are ready."),
            )
        move_event(
            event, by=by, now=now, allowed=(Status.LOCKED, Status.CHECK_IN), to=Status.RUNNING, code="event.started"
        )
        for entrant in dropping:
            # Dropped after round 0: such entrants do not appear in the standings (`field.entered`).
            _drop(entrant, 0, by, now)
        stage = event.stages.select_for_update().select_related("event").get(number=1)
        enter_first_stage(stage, now)
        if is_drafted(stage):
            open_drafted(stage=stage, by=by, now=now)
        else:
            open_missing(stage=stage, by=by, now=now)


def _not_ready(event: Event, *, keep_listless: bool) -> set[str]:
    """The public ids of entrants who lack a required legal list, and during check-in of those who are not there.

    In a team event also those of the teams that have a board without a player.

    `keep_listless` is as for `start_event`.
    """
    incomplete = {entrant.public_id for entrant in incomplete_teams(event)}
    not_ready = {entrant.public_id for entrant in without_legal_list(first_stage(event))}
    if keep_listless:
        if not_ready and not takes_late(event):
            raise Refusal(
                "late_entry_closed",
                _("This event does not allow late entries: wait for the lists, or drop these players."),
            )
        not_ready = set()
    if event.status == Status.CHECK_IN:
        absent = event.entrants.filter(status=Entrant.Status.REGISTERED, checked_in_at=None)
        not_ready |= set(absent.values_list("public_id", flat=True))
    return not_ready | incomplete


def takes_late(event: Event) -> bool:
    """Whether the event's procedures allow late entries, and with them late lists."""
    return read_procedures(event.procedures).late_entry.allowed


def finish_event(*, event: Event, by: User, now: datetime) -> None:
    """Finish an event and make its standings final.

    Raises Refusal `round_open` while its last round is open, `stage_to_come` while another stage is planned.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        last = last_round_of(event)
        if last is None or last.status != Round.Status.CLOSED:
            raise Refusal("round_open", _("Close the last round first."))
        if next_stage(event) is not None:
            raise Refusal("stage_to_come", _("Another stage is planned: play it, or remove it first."))
        move_event(event, by=by, now=now, allowed=(Status.RUNNING,), to=Status.FINISHED, code="event.finished")


def reopen_event(*, event: Event, by: User, now: datetime, reason: str) -> None:
    """Set a finished event running again, for corrections. Its standings become provisional.

    Raises InvalidInput `reason_missing` without a reason.
    """
    if not reason.strip():
        raise InvalidInput("reason_missing", _("Enter a reason for reopening the event."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        note = reason.strip()[:2000]
        move_event(
            event, by=by, now=now, allowed=(Status.FINISHED,), to=Status.RUNNING, code="event.reopened", note=note
        )


def drop(*, entrant: Entrant, by: User, now: datetime, concede_match: bool = False) -> None:
    """Drop an entrant from the rounds to come; what was played stays. Idempotent.

    Before the start, the place goes to the first entrant on the waiting list. While pairings are a draft, a drop is
    refused (`draft_pairings`), since the draft seats the entrant. A published match without a result can still be
    played; with `concede_match`, and always in a bracket, the opponent wins it. A team is dropped by its captain or the
    desk alone (NotAllowed `not_captain`).
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status in (Status.FINISHED, Status.ARCHIVED, Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        last = last_round_of(event)
        if last is not None and last.status == Round.Status.DRAFT:
            raise Refusal("draft_pairings", _("Discard the draft pairings first: they include this entrant."))
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        entrant.event = event
        _refuse_mate(entrant, by)
        if entrant.status == Entrant.Status.DROPPED:
            return
        freed = entrant.status == Entrant.Status.REGISTERED
        match = _open_match(entrant, last)
        if match is not None and (concede_match or match.round.stage.is_bracket):
            concede(match=match, entrant=entrant, by=by, now=now)
        entry = _drop(entrant, last.number if last else 0, by, now)
        if event.status == Status.RUNNING:
            # Some tiebreaks treat opponents who dropped differently, so standings are computed again.
            results_moved(current_stage(event), entry.number, now)
        elif freed:
            move_up(event, by, now)


def _refuse_mate(entrant: Entrant, by: User) -> None:
    """Refuse a member of a team who is not its captain (`not_captain`): one player does not take the others along.

    The desk may do it, even if it plays in the team.
    """
    event = entrant.event
    if not event.is_team_event or may(by, event, "run_desk"):
        return
    if not entrant.member_set.filter(person__account=by, captain=True).exists():
        raise NotAllowed("not_captain", _("Only the captain and the desk can change a team."))


def disqualify(*, entrant: Entrant, by: User, now: datetime, reason: str) -> None:
    """Disqualify an entrant: out of standings and prizes, while results played stay. Idempotent.

    A published match without a result is lost. At a multiplayer table that means the last rank, and the others move up.
    While pairings are a draft, this is refused (`draft_pairings`), as for a drop.
    """
    if not reason.strip():
        raise InvalidInput("reason_missing", _("A disqualification needs a reason."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status != Status.RUNNING:
            raise Refusal("event_state", _("The event is not running."))
        if plays(by, event):
            raise NotAllowed("staff_who_play", _("Staff who play cannot remove anybody from the event."))
        last = last_round_of(event)
        if last is not None and last.status == Round.Status.DRAFT:
            raise Refusal("draft_pairings", _("Discard the draft pairings first: they include this entrant."))
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
    """The entrant's match of two in the published round, if it has no result; else None."""
    if last is None or last.status != Round.Status.PUBLISHED or last.stage.is_tables:
        return None
    waiting = last.matches.filter(seats__entrant=entrant, table__isnull=False, games_drawn=None)
    return waiting.select_related("round__stage__event").first()


def _open_table(entrant: Entrant, last: Round | None) -> Match | None:
    """The entrant's multiplayer table in the published round, if it has no result; else None."""
    if last is None or last.status != Round.Status.PUBLISHED or not last.stage.is_tables:
        return None
    return last.matches.filter(seats__entrant=entrant, table__isnull=False, games_drawn=None).first()


def reinstate(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Undo a drop. Idempotent.

    Players can undo their own drop until a round is paired without them; the desk can undo any drop. Rounds paired
    meanwhile count as missed, if the event allows late entries. A missing required list may come in until the entrant's
    next pairing is published. Before the start, if the event is full, the entrant joins the waiting list. Once the
    event is running, the desk lets in entrants from the waiting list in the same way.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        # The locked row instead of the one that `entrant` would read again.
        entrant.event = event
        _refuse_mate(entrant, by)
        waits = entrant.status == Entrant.Status.WAITING and event.status == Status.RUNNING
        if entrant.status != Entrant.Status.DROPPED and not waits:
            return
        if entrant.disqualified:
            raise Refusal("disqualified", _("A disqualified player cannot be reinstated."))
        desk = may(by, event, "run_desk")
        if waits and not desk:
            raise Refusal("entrant_waiting", _("This entrant is on the waiting list: there is no place yet."))
        if not desk and _dropped_by(entrant) != by.public_id:
            raise NotAllowed("dropped_by_staff", _("The desk dropped this entrant: ask at the desk."))
        if event.status == Status.RUNNING:
            _back_in_play(entrant, desk, by, now)
        elif event.status in _BEFORE_START:
            _back_before_start(entrant, by, now)
        else:
            raise Refusal("event_state", _("The event is over."))


def _back_before_start(entrant: Entrant, by: User, now: datetime) -> None:
    """Give a dropped entrant their place again, or the last place on the waiting list if the event is full."""
    event = entrant.event
    if _is_full(event):
        # The waiting list is ordered by this time: whoever comes back queues last.
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
        raise Refusal("rounds_missed", _("A round has been paired without this entrant since then."))
    if missed:
        refuse_if_closed(event, stage, last_round(stage))
    elif _is_full(event):
        raise Refusal("event_full", _("The event is full."))
    if _open_list(entrant, by, now) and not takes_late(event):
        raise Refusal("not_ready", _("This entrant has no legal decklist."), details=[entrant.public_id])
    _come_back(entrant, Entrant.Status.REGISTERED)
    if last is None and stage.kind != Stage.Kind.SWISS:
        # No round is paired yet, so the entrant can still be drawn with the others.
        draw_first_stage_anew(stage, now)
    rounds = miss_rounds(entrant, stage) if missed else []
    after = {"missed": rounds} if rounds else None
    entry = record(event, by, "entrant.reinstated", now, object=entrant.public_id, after=after)
    results_moved(stage, entry.number, now)


def _open_list(entrant: Entrant, by: User, now: datetime) -> bool:
    """Whether a returning entrant lacks the required legal list; if so, open their list."""
    lacks = entrant.event.lists == Event.Lists.REQUIRED and lacks_legal_list(entrant, current_stage(entrant.event))
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
    """The public id of the account that dropped an entrant, from the ledger; "" if nobody did."""
    drops = LedgerEntry.objects.filter(
        chain=entrant.event.public_id, code="entrant.dropped", object=entrant.public_id
    ).order_by("-number")
    return drops.values_list("actor", flat=True).first() or ""


def move_up(event: Event, by: User | None, now: datetime) -> bool:
    """Give a free place to the first entrant on the waiting list. False if nobody waits.

    Call it with the event's row locked.
    """
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
