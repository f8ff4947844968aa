"""Rounds of large events for the benchmarks."""

from tests.builders import a_published_round
from tests.cast import Cast
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Match, Seat


def played_round(event: Event, cast: Cast) -> None:
    """Play and close a round in which every match ends 2-0.

    All results but one are written directly to the database, to save time. The last one goes through the service, which
    requests new standings.
    """
    round_ = a_published_round(event, cast.organizer)
    open_tables = Match.objects.filter(round=round_, table__gt=1)
    Seat.objects.filter(match__in=open_tables, number=1).update(games_won=2, points=3)
    Seat.objects.filter(match__in=open_tables, number=2).update(games_won=0, points=0)
    open_tables.update(games_drawn=0, authority=Match.Authority.WITNESSED)
    play.enter_result(match=round_.matches.get(table=1), by=cast.scorekeeper, games=(2, 0, 0), now=now())
    play.close_round(round_=round_, by=cast.organizer, now=now())
