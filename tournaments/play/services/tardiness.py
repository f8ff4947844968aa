"""Gestures at an empty seat: noted, filled, and the losses that a person confirms when they are due."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.models import Event
from tournaments.events.procedures import read_procedures
from tournaments.play.models import EmptySeat, Game, Loss, Match, Round, Seat
from tournaments.play.services.entries import record
from tournaments.play.services.losses import lose_now
from tournaments.play.services.results import override_result
from tournaments.play.tardiness import LateSeat, due_at

Kind = Match.Kind


def note_empty(*, match: Match, seat: int, by: User, now: datetime) -> EmptySeat:
    """Note that nobody sits at a seat (its number): its countdown runs from now. Twice is once."""
    with transaction.atomic():
        match = _open(match, by)
        place = _seat(match, seat)
        empty, made = EmptySeat.objects.get_or_create(seat=place, defaults={"since": now, "noted_by": by})
        if not made and empty.filled_at is None:
            return empty
        empty.since, empty.filled_at, empty.noted_by = now, None, by
        empty.save(update_fields=["since", "filled_at", "noted_by"])
        _record(match, place, by, "table.seat_empty", now)
    return empty


def note_filled(*, match: Match, seat: int, by: User, now: datetime) -> None:
    """Note that who was late has come; what is lost stays lost. Twice is once."""
    with transaction.atomic():
        match = _open(match, by)
        place = _seat(match, seat)
        if EmptySeat.objects.filter(seat=place, filled_at=None).update(filled_at=now):
            _record(match, place, by, "table.seat_filled", now)


def confirm_game_loss(*, match: Match, seat: int, by: User, now: datetime) -> Game:
    """Confirm that the player of a seat has lost a game by coming late: the first one that nobody has won."""
    with transaction.atomic():
        match = _open(match, by)
        late = _late(match, seat, now)
        if late is None or not late.game_loss_due:
            raise Refusal("not_due", _("No loss is due at this seat now."))
        game = match.games.filter(winner=None).order_by("number").first()
        assert game is not None, "a match without a result has games left"
        game.winner, game.ended = match.seats.exclude(number=seat).get(), "tardiness"
        game.save(update_fields=["winner", "ended"])
        EmptySeat.objects.filter(pk=late.empty.pk).update(game_lost_at=now)
        lose_now(match=match, entrant=late.empty.seat.entrant, what=Loss.What.GAME, game=game.number, by=by, now=now)
        _record(match, late.empty.seat, by, "table.game_lost", now, {"game": game.number})
    return game


def confirm_match_loss(*, match: Match, by: User, now: datetime) -> None:
    """Confirm that who has not come has lost the match; where both have not, both lose it."""
    with transaction.atomic():
        match = _open(match, by)
        absent = {number for number in (1, 2) if (late := _late(match, number, now)) and late.match_loss_due}
        if not absent:
            raise Refusal("not_due", _("No loss is due at this seat now."))
        needed = match.round.stage.best_of // 2 + 1
        games = [0 if number in absent else needed for number in (1, 2)]
        kind = Kind.DOUBLE_LOSS if len(absent) > 1 else Kind.NO_SHOW
        override_result(match=match, by=by, games=[*games, 0], kind=kind, now=now)


def _open(match: Match, by: User) -> Match:
    """The match, locked: of two, in a published round, without a result, and not one's own."""
    locked = Match.objects.select_for_update().get(pk=match.pk)
    locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
    running = locked.round.stage.event.status == Event.Status.RUNNING
    if not running or locked.round.status != Round.Status.PUBLISHED:
        raise Refusal("round_state", _("This round is not open."))
    if locked.games_drawn is not None or locked.seats.count() != 2:
        raise Refusal("match_settled", _("This match is decided, or has no two players."))
    if locked.seats.filter(entrant__member__person__account=by).exists():
        raise NotAllowed("own_match", _("Staff who play have no staff right over their own match."))
    return locked


def _seat(match: Match, number: int) -> Seat:
    seat = match.seats.select_related("entrant").filter(number=number).first()
    if seat is None:
        raise InvalidInput("seat_unknown", _("This table has no such seat."), details=[number])
    return seat


def _late(match: Match, number: int, now: datetime) -> LateSeat | None:
    """What is due at a seat, if it is empty."""
    empty = EmptySeat.objects.filter(seat__match=match, seat__number=number, filled_at=None)
    found = empty.select_related("seat__round__stage", "seat__entrant").first()
    rule = read_procedures(match.round.stage.event.procedures).tardiness
    return due_at(found, rule, now) if found else None


def _record(match: Match, seat: Seat, by: User, code: str, now: datetime, more: dict[str, int] | None = None) -> None:
    after = {"seat": seat.number, "entrant": seat.entrant.public_id, **(more or {})}
    record(match.round.stage.event, by, code, now, object=match.public_id, after=after)
