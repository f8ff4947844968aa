"""Actions on penalties: give one, reopen a decklist with one, and withdraw one.

What a penalty costs is applied to results by `play.services` only.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.services import AFTER_LOCK, reopen_list
from tournaments.events.access import may, own_entrants, roles_of
from tournaments.events.models import Entrant, Event, Member, StaffRole
from tournaments.judging.infractions import LADDERS
from tournaments.judging.models import Penalty
from tournaments.judging.selectors import open_match_of, proposal
from tournaments.play import services as play
from tournaments.play.models import Loss, Match
from tournaments.play.services.entries import record

Level, When = Penalty.Level, Penalty.When
LONGEST = 2000  # characters of the description; the rest is cut off
TWICE = timedelta(minutes=1)  # the same penalty again within this time is probably one that two judges gave
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
    again: bool = True,
) -> Penalty:
    """Give an entrant a penalty, at the `level` that the ladder proposes (the default) or another one.

    `when` it is served: "now", in `match` or else the match that the entrant is playing; "next_game" of that match; or
    "next_round". A warning or disqualification always counts now. `game` is the number of the game being played,
    `acknowledged` is as for `play.lose_now`, and `note` says what happened (required for a disqualification). With
    `again` False, raises Refusal `penalty_twice` if the entrant was given a penalty for the same infraction less than
    `TWICE` ago (the details have it): two judges may mean the same incident.

    Raises InvalidInput `infraction_unknown`, `level_unknown` and `reason_missing`; Refusal `event_state` before the
    decks are locked or after the event, `no_open_match`, and what `play.lose_now` raises; NotAllowed `own_match`, and
    `role_too_low` for a disqualification by somebody whose role does not cover it.
    """
    if not infraction:
        raise InvalidInput("infraction_unknown", _("Choose the infraction."), details=sorted(LADDERS))
    if infraction not in LADDERS:
        raise InvalidInput("infraction_unknown", _("There is no such infraction."), details=sorted(LADDERS))
    if (level and level not in Level.values) or when not in When.values:
        raise InvalidInput("level_unknown", _("There is no such penalty."), details=[*Level.values, *When.values])
    with transaction.atomic():
        # The event is always locked before the match, which `_cost` locks.
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        _refuse_own(entrant, match, by)
        if event.status not in AFTER_LOCK:
            raise Refusal("event_state", _("The event is not running."))
        if not again:
            _refuse_twice(entrant, infraction, now)
        advised = proposal(entrant, infraction)
        level = level or advised
        if level not in COSTLY or (level == Level.MATCH_LOSS and when == When.NEXT_GAME):
            when = When.NOW  # nothing is served later: a lost match leaves no next game
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
        # Created here and saved last: the ledger entry needs its public id, and it needs the number of that entry.
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
        note = note.strip()[:LONGEST]
        entry = record(event, by, "penalty.given", now, object=penalty.public_id, after=after, note=note)
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
    member: Member | None = None,
) -> Penalty:
    """Reopen an entrant's locked decklist, with a reason and a penalty. The old version of the list is kept.

    In a team, the list of a `member`; the penalty is the team's. For head judges; the caller checks the role. If either
    is refused, neither happens. A penalty that costs a game or match needs a running event.
    """
    with transaction.atomic():
        reopen_list(entrant=entrant, member=member, by=by, reason=reason, now=now)
        return give_penalty(entrant=entrant, infraction=infraction, level=level, when=when, by=by, note=reason, now=now)


def withdraw_penalty(*, penalty: Penalty, by: User, now: datetime) -> None:
    """Withdraw a penalty and undo what it cost, as the judge who gave it or a head judge. Idempotent.

    Raises Refusal `round_state` if the penalty decided a match of a closed round, `disqualified` for a
    disqualification, which cannot be undone; NotAllowed `penalty_not_yours` and `own_match`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=penalty.entrant.event_id)
        penalty = Penalty.objects.select_related("entrant__event", "loss__seat__match", "match").get(pk=penalty.pk)
        _refuse_own(penalty.entrant, penalty.match, by)
        if penalty.by_id != by.pk and StaffRole.Role.HEAD_JUDGE not in roles_of(by, event):
            raise NotAllowed(
                "penalty_not_yours", _("Only the judge who gave a penalty, or the head judge, can withdraw it.")
            )
        if penalty.withdrawn_at is not None:
            return
        if penalty.level == Level.DISQUALIFICATION:
            raise Refusal("disqualified", _("A disqualified player cannot be reinstated."))
        if penalty.loss is not None:
            play.take_loss_back(loss=penalty.loss, by=by, now=now)
        # The loss is deleted by now, so `penalty` itself cannot be saved.
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
    """Apply a game or match loss, now or later, and return it.

    None if the level costs nothing, and for a game where teams play by boards.
    """
    if level not in COSTLY:
        return None
    what = COSTLY[Level(level)]
    if what == Loss.What.GAME and entrant.event.has_boards:
        return None  # the lost game is entered in the result of its board
    if when == When.NEXT_ROUND:
        return play.lose_next_round(entrant=entrant, what=what, now=now)
    if match is None:
        raise Refusal(
            "no_open_match", _("This player has no opponent in that round: let the penalty count in the next one.")
        )
    later = when == When.NEXT_GAME and what == Loss.What.GAME
    return play.lose_now(
        match=match, entrant=entrant, what=what, game=game, later=later, by=by, now=now, acknowledged=acknowledged
    )


def _refuse_twice(entrant: Entrant, infraction: str, now: datetime) -> None:
    """Raise Refusal `penalty_twice` with the earlier penalty. Call it with the event locked."""
    earlier = entrant.penalties.filter(infraction=infraction, withdrawn_at=None, at__gte=now - TWICE).order_by("pk")
    last = earlier.select_related("by").last()
    if last is not None:
        words = _("This player was given a penalty for this just now. Give another one?")
        known = {"id": last.public_id, "level": last.level, "at": last.at.isoformat(), "by": last.by.public_id}
        raise Refusal("penalty_twice", words, details=[{**known, "infraction": infraction}])


def _refuse_own(entrant: Entrant, match: Match | None, by: User) -> None:
    """Raise NotAllowed `own_match` if the judge is the entrant, or plays in the entrant's match."""
    mine = {own.pk for own in own_entrants(by, entrant.event)}
    seated = match or open_match_of(entrant)
    if entrant.pk in mine or (seated is not None and seated.seats.filter(entrant__in=mine).exists()):
        raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
