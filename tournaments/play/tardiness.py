"""Late players: what is due at a seat noted as empty. A human confirms each loss; nothing is lost by itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.events.procedures import Tardiness, read_procedures
from tournaments.play.models import EmptySeat, Round


@dataclass(frozen=True)
class LateSeat:
    """A seat that is empty: what is due (`waiting`, `late`, `game_loss`, `match_loss`), and when the next is."""

    empty: EmptySeat
    due: str
    next_at: datetime | None

    @property
    def game_loss_due(self) -> bool:
        """Whether the loss of a game waits for somebody to confirm it."""
        return self.due == "game_loss" and self.empty.game_lost_at is None

    @property
    def match_loss_due(self) -> bool:
        """Whether the loss of the match waits for somebody to confirm it."""
        return self.due == "match_loss"


def due_at(empty: EmptySeat, rule: Tardiness, now: datetime) -> LateSeat:
    """What is due at an empty seat at `now`. In a match of one game its loss is that of the match."""
    steps = [("late", rule.grace), ("game_loss", rule.game_loss), ("match_loss", rule.match_loss)]
    if empty.seat.round.stage.best_of == 1:
        steps = [("late", rule.grace), ("match_loss", rule.game_loss)]
    passed = [(name, empty.since + timedelta(minutes=minutes)) for name, minutes in steps]
    due = [name for name, at in passed if at <= now]
    coming = [at for _name, at in passed if at > now]
    return LateSeat(empty, due[-1] if due else "waiting", coming[0] if coming else None)


def late_seats(round_: Round, now: datetime) -> list[LateSeat]:
    """The seats of a round that are empty still, at tables without a result, by table."""
    rule = read_procedures(round_.stage.event.procedures).tardiness
    empty = (
        EmptySeat.objects
        .filter(seat__round=round_, filled_at=None, seat__match__games_drawn=None)
        .select_related("seat__round__stage", "seat__match", "seat__entrant")
        .prefetch_related("seat__entrant__member_set__person")
        .order_by("seat__match__table", "seat__number")
    )
    return [due_at(seat, rule, now) for seat in empty]
