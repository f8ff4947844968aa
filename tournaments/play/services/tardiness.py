"""Late players: note which seats are empty, and confirm the losses that are due there.

Nothing is lost automatically: a person confirms each loss once it is due.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.models import Event, Stage
from tournaments.events.procedures import Tardiness, read_procedures
from tournaments.play.models import EmptySeat, Game, Loss, Match, Round, Seat
from tournaments.play.selectors import newest_report_id, seats_said
from tournaments.play.services.desk import enter_result
from tournaments.play.services.entries import record
from tournaments.play.services.losses import lose_now


@dataclass(frozen=True)
class LateSeat:
    """An empty seat with what is due there now, and when the next step is due (None after the last).

    `due` is `waiting`, `late`, `game_loss` or `match_loss`.
    """

    empty: EmptySeat
    due: str
    next_at: datetime | None

    @property
    def game_loss_due(self) -> bool:
        """Whether a game loss is due and not confirmed yet."""
        return self.due == "game_loss" and self.empty.game_lost_at is None

    @property
    def match_loss_due(self) -> bool:
        """Whether a match loss is due."""
        return self.due == "match_loss"


def late_steps(stage: Stage, rule: Tardiness) -> list[tuple[str, int]]:
    """What is due at an empty seat, each with the minute from which it is. In a best of 1, a lost game is the match."""
    if stage.event.has_boards:  # one board may play on while another waits: only the match is lost
        return [("late", rule.grace), ("match_loss", rule.match_loss)]
    if stage.best_of == 1:
        return [("late", rule.grace), ("match_loss", rule.game_loss)]
    return [("late", rule.grace), ("game_loss", rule.game_loss), ("match_loss", rule.match_loss)]


def due_at(empty: EmptySeat, rule: Tardiness, now: datetime) -> LateSeat:
    """What is due at an empty seat at `now`."""
    steps = late_steps(empty.seat.round.stage, rule)
    passed = [(name, empty.since + timedelta(minutes=minutes)) for name, minutes in steps]
    due = [name for name, at in passed if at <= now]
    coming = [at for _name, at in passed if at > now]
    return LateSeat(empty, due[-1] if due else "waiting", coming[0] if coming else None)


def late_seats(round_: Round, now: datetime) -> list[LateSeat]:
    """The seats of a round that are still empty, at tables without a result, by table."""
    rule = read_procedures(round_.stage.event.procedures).tardiness
    empty = (
        EmptySeat.objects
        .filter(seat__round=round_, filled_at=None, seat__match__games_drawn=None)
        .select_related("seat__round__stage__event", "seat__match", "seat__entrant")
        .prefetch_related("seat__entrant__member_set__person")
        .order_by("seat__match__table", "seat__number")
    )
    return [due_at(seat, rule, now) for seat in empty]


Kind = Match.Kind


def note_empty(*, match: Match, seat: int, by: User, now: datetime) -> EmptySeat:
    """Note that a seat (its number) is empty, and start its countdown. Idempotent while it stays empty."""
    with transaction.atomic():
        match = _open(match, by)
        place = _seat(match, seat)
        empty, made = EmptySeat.objects.get_or_create(seat=place, defaults={"since": now, "noted_by": by})
        if not made and empty.filled_at is None:
            return empty
        # The seat was filled in between: this absence starts its own countdown.
        empty.since, empty.filled_at, empty.noted_by = now, None, by
        empty.save(update_fields=["since", "filled_at", "noted_by"])
        _record(match, place, by, "table.seat_empty", now)
    return empty


def note_filled(*, match: Match, seat: int, by: User, now: datetime) -> None:
    """Note that the late player has arrived. Losses that were confirmed stand. Idempotent."""
    with transaction.atomic():
        match = _open(match, by)
        place = _seat(match, seat)
        if EmptySeat.objects.filter(seat=place, filled_at=None).update(filled_at=now):
            _record(match, place, by, "table.seat_filled", now)


def confirm_game_loss(*, match: Match, seat: int, by: User, now: datetime) -> Game:
    """Confirm that the absent player of a seat loses a game: the first one that nobody has won.

    Raises Refusal `not_due` unless a game loss is due there and not confirmed yet.
    """
    with transaction.atomic():
        match = _open(match, by)
        late = _late(match, seat, now)
        if late is None or not late.game_loss_due:
            raise Refusal("not_due", _("No loss can be confirmed for this seat now."))
        game = match.games.filter(winner=None).order_by("number").first()
        assert game is not None, "a match without a result has games left"
        # On the game as well as in a `Loss`, so that the next loss takes the next game.
        game.winner, game.ended = match.seats.exclude(number=seat).get(), "tardiness"
        game.save(update_fields=["winner", "ended"])
        EmptySeat.objects.filter(pk=late.empty.pk).update(game_lost_at=now)
        lose_now(match=match, entrant=late.empty.seat.entrant, what=Loss.What.GAME, game=game.number, by=by, now=now)
        _record(match, late.empty.seat, by, "table.game_lost", now, {"game": game.number})
    return game


def confirm_match_loss(*, match: Match, by: User, now: datetime) -> None:
    """Confirm that absent players lose the match; a double loss if both are due to lose it.

    Raises Refusal `not_due` if no match loss is due.
    """
    with transaction.atomic():
        match = _open(match, by)
        absent = {number for number in (1, 2) if (late := _late(match, number, now)) and late.match_loss_due}
        if not absent:
            raise Refusal("not_due", _("No loss can be confirmed for this seat now."))
        needed = match.round.stage.games // 2 + 1
        games = [0 if number in absent else needed for number in (1, 2)]
        kind = Kind.DOUBLE_LOSS if len(absent) > 1 else Kind.NO_SHOW
        # The loss is confirmed whatever an absent player reported, so a report that waits gives way without a reason.
        seen = newest_report_id(match)
        enter_result(match=match, by=by, games=[*games, 0], kind=kind, seen=seen, now=now)


def _open(match: Match, by: User) -> Match:
    """The match, locked, if its seats can be noted as empty; else a refusal.

    It must be a match of two without a result, in a published round, that the user does not play.
    """
    locked = Match.objects.select_for_update().get(pk=match.pk)
    locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
    running = locked.round.stage.event.status == Event.Status.RUNNING
    if not running or locked.round.status != Round.Status.PUBLISHED:
        raise Refusal("round_state", _("This round is not open."))
    if locked.games_drawn is not None or locked.seats.count() != 2:
        raise Refusal("match_settled", _("This match is already decided, or does not have two players."))
    if locked.seats.filter(entrant__member__person__account=by).exists():
        raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
    return locked


def _seat(match: Match, number: int) -> Seat:
    seat = match.seats.select_related("entrant").filter(number=number).first()
    if seat is None:
        raise InvalidInput("seat_unknown", seats_said(match), details=[number])
    return seat


def _late(match: Match, number: int, now: datetime) -> LateSeat | None:
    """What is due at a seat of a match, or None if the seat is not empty."""
    empty = EmptySeat.objects.filter(seat__match=match, seat__number=number, filled_at=None)
    found = empty.select_related("seat__round__stage", "seat__entrant").first()
    rule = read_procedures(match.round.stage.event.procedures).tardiness
    return due_at(found, rule, now) if found else None


def _record(match: Match, seat: Seat, by: User, code: str, now: datetime, more: dict[str, int] | None = None) -> None:
    after = {"seat": seat.number, "entrant": seat.entrant.public_id, **(more or {})}
    record(match.round.stage.event, by, code, now, object=match.public_id, after=after)
