"""Gestures on penalties: given on the ladder, and taken back. What they cost is done by `play.services` alone."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.services import AFTER_LOCK, reopen_list
from tournaments.events.access import may, own_entrants, roles_of
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.judging.infractions import LADDERS
from tournaments.judging.models import Penalty
from tournaments.judging.selectors import open_match_of, proposal
from tournaments.play import services as play
from tournaments.play.models import Loss, Match
from tournaments.play.services.entries import record

Level, When = Penalty.Level, Penalty.When
LONGEST = 2000  # characters of what happened
COSTLY = {Level.GAME_LOSS: Loss.What.GAME, Level.MATCH_LOSS: Loss.What.MATCH}


def give_penalty(
    *,
    entrant: Entrant,
    infraction: str,
    by: User,
    now: datetime,
    level: str = "",
    when: str = When.NOW,
    match: Match | None = None,
    game: int | None = None,
    note: str = "",
    acknowledged: bool = False,
) -> Penalty:
    """A judge gives a penalty: on the `level` that the ladder proposes, or on another.

    It counts `now` (in `match`, else in the match that the entrant is playing), in the `next_game` of that match, or in
    the `next_round`; a warning stays on record alone. `game` is the one being played; `acknowledged` as for
    `play.lose_now`. A disqualification is for who may disqualify, and says why.
    """
    if infraction not in LADDERS:
        raise InvalidInput("infraction_unknown", _("There is no such infraction."), details=sorted(LADDERS))
    if (level and level not in Level.values) or when not in When.values:
        raise InvalidInput("level_unknown", _("There is no such penalty."), details=[*Level.values, *When.values])
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        _refuse_own(entrant, match, by)
        if event.status not in AFTER_LOCK:
            raise Refusal("event_state", _("The event is not running."))
        advised = proposal(entrant, infraction)
        level = level or advised
        if level not in COSTLY:
            when = When.NOW
        match = match or open_match_of(entrant)
        loss = _cost(entrant, match, level, when, game, by, now, acknowledged)
        if level == Level.DISQUALIFICATION:
            if not may(by, event, "disqualify"):
                raise NotAllowed("role_too_low", _("Your role at this event does not allow this."))
            play.disqualify(entrant=entrant, by=by, now=now, reason=note)
        after = {
            "entrant": entrant.public_id,
            "match": match.public_id if match else "",
            "infraction": infraction,
            "level": level,
            "proposed": advised,
            "when": when,
            "game": loss.game if loss else None,
        }
        penalty = Penalty(
            entrant=entrant,
            match=match,
            infraction=infraction,
            level=level,
            proposed=advised,
            when=when,
            loss=loss,
            by=by,
            at=now,
        )
        said = note.strip()[:LONGEST]
        entry = record(event, by, "penalty.given", now, object=penalty.public_id, after=after, note=said)
        penalty.entry = entry.number
        penalty.save()
    return penalty


def reopen_with_penalty(
    *,
    entrant: Entrant,
    reason: str,
    by: User,
    now: datetime,
    infraction: str = "list_wrong",
    level: str = "",
    when: str = When.NOW,
) -> Penalty:
    """The head judge opens one player's list again, with a reason and a penalty; both versions are kept.

    A penalty that costs something is given while the event runs.
    """
    with transaction.atomic():
        reopen_list(entrant=entrant, by=by, reason=reason, now=now)
        return give_penalty(entrant=entrant, infraction=infraction, level=level, when=when, by=by, note=reason, now=now)


def withdraw_penalty(*, penalty: Penalty, by: User, now: datetime) -> None:
    """Take a penalty back with what it cost: who gave it, or a head judge. Twice is once.

    Refused once the result that hangs on it is of a closed round. Who is out of the event stays out.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=penalty.entrant.event_id)
        penalty = Penalty.objects.select_related("entrant__event", "loss__seat__match", "match").get(pk=penalty.pk)
        _refuse_own(penalty.entrant, penalty.match, by)
        if penalty.by_id != by.pk and StaffRole.Role.HEAD_JUDGE not in roles_of(by, event):
            raise NotAllowed("penalty_not_yours", _("Who gave a penalty takes it back, or the head judge."))
        if penalty.withdrawn_at is not None:
            return
        if penalty.level == Level.DISQUALIFICATION:
            raise Refusal("disqualified", _("Who was disqualified does not come back."))
        if penalty.loss is not None:
            play.take_loss_back(loss=penalty.loss, by=by, now=now)
        Penalty.objects.filter(pk=penalty.pk).update(withdrawn_at=now, loss=None)
        record(
            event,
            by,
            "penalty.withdrawn",
            now,
            object=penalty.public_id,
            before={"entrant": penalty.entrant.public_id, "infraction": penalty.infraction, "level": penalty.level},
        )


def _cost(
    entrant: Entrant,
    match: Match | None,
    level: str,
    when: str,
    game: int | None,
    by: User,
    now: datetime,
    acknowledged: bool,
) -> Loss | None:
    """What is lost, if anything is."""
    if level not in COSTLY:
        return None
    what = COSTLY[Level(level)]
    if when == When.NEXT_ROUND:
        return play.lose_next_round(entrant=entrant, what=what, now=now)
    if match is None:
        raise Refusal("no_open_match", _("This player has no opponent there: let it count in the next round."))
    later = when == When.NEXT_GAME and what == Loss.What.GAME
    return play.lose_now(
        match=match, entrant=entrant, what=what, game=game, later=later, by=by, now=now, acknowledged=acknowledged
    )


def _refuse_own(entrant: Entrant, match: Match | None, by: User) -> None:
    """Staff who play decide nothing about themselves, nor about who sits at their table."""
    mine = {own.pk for own in own_entrants(by, entrant.event)}
    seated = match or open_match_of(entrant)
    if entrant.pk in mine or (seated is not None and seated.seats.filter(entrant__in=mine).exists()):
        raise NotAllowed("own_match", _("Staff who play have no staff right over their own match."))
