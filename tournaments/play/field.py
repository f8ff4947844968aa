"""The one bridge between the tables of an event and the pure arithmetic of `tournaments.swiss`."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from django.db.models import QuerySet

from tournaments.events.models import Entrant, Stage
from tournaments.play.models import Match, Round, Seat
from tournaments.swiss.field import Field, Player
from tournaments.swiss.field import Match as SwissMatch


def field_of(stage: Stage, *, before: int | None = None, entrants: list[Entrant] | None = None) -> Field:
    """The entrants of a stage and the results that count of its published rounds before round `before`.

    A match whose result does not count yet is left out of its round. Two queries, whatever the size.
    """
    if entrants is None:
        entrants = list(entered(stage))
    players = tuple(
        Player(id=entrant.public_id, dropped=entrant.status == Entrant.Status.DROPPED) for entrant in entrants
    )
    rounds: dict[int, list[SwissMatch]] = defaultdict(list)
    for number, match in _results(stage, before):
        results = rounds[number]  # a round without results is a round nonetheless
        if match is not None:
            results.append(match)
    return Field(players, tuple(tuple(rounds[number]) for number in sorted(rounds)))


_SEAT = (
    "match__round__number",
    "match_id",
    "entrant__public_id",
    "games_won",
    "match__games_drawn",
    "match__disputed",
    "match__kind",
)


def _results(stage: Stage, before: int | None) -> Iterator[tuple[int, SwissMatch | None]]:
    """The matches of a stage's published rounds, None where no result counts: plain rows, for the sake of time."""
    seats = Seat.objects.filter(match__round__stage=stage).exclude(match__round__status=Round.Status.DRAFT)
    if before is not None:
        seats = seats.filter(match__round__number__lt=before)
    rows = seats.order_by("match__round__number", "match_id", "number").values_list(*_SEAT)
    for (number, _match), group in groupby(rows, itemgetter(0, 1)):
        (_, _, a, games_a, drawn, disputed, kind), *others = group
        if drawn is None or disputed:
            yield number, None
            continue
        b, games_b = others[0][2:4] if others else (None, 0)
        yield number, SwissMatch(a, b, games_a or 0, games_b or 0, drawn, kind)


def entered(stage: Stage) -> QuerySet[Entrant]:
    """Who takes part in a stage: neither on the waiting list, nor gone before the first round."""
    return stage.event.entrants.exclude(status=Entrant.Status.WAITING).exclude(dropped_after=0)


def swiss_match(match: Match) -> SwissMatch:
    """A match of two seats or of one, as the arithmetic sees it."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    away = seats[1] if len(seats) > 1 else None
    return SwissMatch(
        a=seats[0].entrant.public_id,
        b=away.entrant.public_id if away else None,
        games_a=seats[0].games_won or 0,
        games_b=(away.games_won or 0) if away else 0,
        drawn=match.games_drawn or 0,
        kind=match.kind,
    )


def round_seed(stage: Stage, number: int, attempt: int = 0) -> int:
    """The pairing seed of a round, from the stage's: 52 bits, so that every client reads it exactly."""
    digest = hashlib.sha256(f"{stage.seed}/{stage.number}/{number}/{attempt}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 12
