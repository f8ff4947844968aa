"""Write rounds that were paired and played in another program, as they are in its file.

The ledger says of each round just that: one entry with its tables and results. The pairings of such a round are never
computed again, and nothing claims that they were.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Entrant, Stage
from tournaments.play.field import round_seed
from tournaments.play.models import BROUGHT, Clock, Game, Match, Round, Seat
from tournaments.play.services.results import results_moved
from tournaments.swiss.field import ALONE_POINTS, points_of
from tournaments.swiss.field import Match as Played
from tournaments.swiss.options import AWARDS

BATCH = 500
Kind, Authority = Match.Kind, Match.Authority


@dataclass(frozen=True)
class BroughtTable:
    """A table of two, or the round of an entrant without an opponent.

    - `games`: games won by the first, by the second, and drawn; None while there is no result
    - `kind`: how it ended; for one entrant the kind of bye
    - `table`: its number in the hall, if the file has one
    - `node`: its place in a bracket
    """

    entrants: tuple[Entrant, ...]
    games: tuple[int, int, int] | None = None
    kind: str = Kind.PLAYED
    table: int | None = None
    node: str = ""


def bring_rounds(*, stage: Stage, rounds: Sequence[Sequence[BroughtTable]], by: User, now: datetime) -> None:
    """Write the rounds of a started stage; the last one stays open if a table of it has no result.

    Entrants who have no table in a round but play later have missed it. Call it inside the transaction that makes the
    event. The results have the authority of the desk: `by` vouches for the file.

    Raises InvalidInput `round_unfinished` if another round than the last has a table without a result.
    """
    entries: list[ledger.Entry] = []
    for at, tables in enumerate(rounds):
        number = stage.first_round + at
        unfinished = any(len(table.entrants) > 1 and table.games is None for table in tables)
        if unfinished and at + 1 < len(rounds):
            message = _("Round %(number)d has matches without a result, and it is not the last one.")
            raise InvalidInput("round_unfinished", message % {"number": number}, details=[number])
        missed = _missed(rounds, at)
        round_ = _write_round(stage, number, tables, missed, open_=unfinished, now=now)
        entries.append(_entry_of(stage, round_, by, now))
    if entries:
        written = ledger.record_all(entries)
        results_moved(stage, written[-1].number, now)


def _missed(rounds: Sequence[Sequence[BroughtTable]], at: int) -> list[Entrant]:
    """The entrants who have no table in this round, but one in a later round."""
    here = {entrant.pk for table in rounds[at] for entrant in table.entrants}
    later = {entrant.pk: entrant for tables in rounds[at + 1 :] for table in tables for entrant in table.entrants}
    return [entrant for pk, entrant in later.items() if pk not in here]


def _write_round(
    stage: Stage, number: int, tables: Sequence[BroughtTable], missed: Sequence[Entrant], *, open_: bool, now: datetime
) -> Round:
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        status=Round.Status.PUBLISHED if open_ else Round.Status.CLOSED,
        seed=round_seed(stage, number, 0),
        algorithm=BROUGHT,
        results_version=0,
        created_at=now,
        published_at=now,
        closed_at=None if open_ else now,
    )
    Clock.objects.create(round=round_, seconds=60 * stage.round_minutes)
    numbers = _table_numbers(tables)
    matches = [_match(round_, table, place) for table, place in zip(tables, numbers, strict=True)]
    matches += [
        Match(round=round_, table=None, kind=Kind.MISSED, games_drawn=0, authority=Authority.WITNESSED)
        for _each in missed
    ]
    Match.objects.bulk_create(matches, batch_size=BATCH)
    seated = [(table.entrants, _seat_values(table, stage.best_of)) for table in tables]
    seated += [((entrant,), [{"games_won": 0, "points": 0}]) for entrant in missed]
    Seat.objects.bulk_create(
        (
            Seat(round=round_, match=match, number=place, entrant=entrant, **values)
            for match, (entrants, seats) in zip(matches, seated, strict=True)
            for place, (entrant, values) in enumerate(zip(entrants, seats, strict=True), 1)
        ),
        batch_size=BATCH,
    )
    # Logs are submitted for a game: somebody may still have one of a round that is over.
    Game.objects.bulk_create(
        (Game(match=match, number=n) for match in matches if match.table for n in range(1, stage.best_of + 1)),
        batch_size=BATCH,
    )
    return round_


def _table_numbers(tables: Sequence[BroughtTable]) -> list[int | None]:
    """The number of each table, None for a bye: those of the file, or counted from 1 unless each has one of its own."""
    said = [table.table for table in tables if len(table.entrants) > 1]
    usable = all(said) and len(set(said)) == len(said)
    counted = iter(said if usable else range(1, len(said) + 1))
    return [next(counted) if len(table.entrants) > 1 else None for table in tables]


def _match(round_: Round, table: BroughtTable, place: int | None) -> Match:
    if len(table.entrants) == 1:
        awarded = Authority.AGREED if table.kind in AWARDS else Authority.WITNESSED
        return Match(round=round_, kind=table.kind, games_drawn=0, authority=awarded, node=table.node)
    if table.games is None:
        return Match(round=round_, table=place, node=table.node)
    return Match(
        round=round_,
        table=place,
        kind=table.kind,
        games_drawn=table.games[2],
        authority=Authority.WITNESSED,
        node=table.node,
    )


def _seat_values(table: BroughtTable, best_of: int) -> list[dict[str, int]]:
    """The games won and the points of each seat; nothing without a result."""
    if len(table.entrants) == 1:
        won = best_of // 2 + 1 if table.kind == Kind.BYE else 0
        return [{"games_won": won, "points": ALONE_POINTS[table.kind]}]
    if table.games is None:
        return [{}, {}]
    played = Played("1", "2", *table.games, kind=table.kind)
    return [
        {"games_won": won, "points": points} for won, points in zip(table.games[:2], points_of(played), strict=True)
    ]


def _entry_of(stage: Stage, round_: Round, by: User, now: datetime) -> ledger.Entry:
    matches = round_.matches.exclude(kind=Kind.MISSED).prefetch_related("seats").order_by("pk")
    pairs: list[list[str]] = []
    results: dict[str, Any] = {}
    for match in matches:
        seats = list(match.seats.all())
        pairs.append([seat.entrant.public_id for seat in seats])
        if match.table is not None and match.games_drawn is not None:
            games = [*(seat.games_won for seat in seats), match.games_drawn]
            results[match.public_id] = {"games": games, "kind": match.kind, "authority": match.authority}
    said = {"seed": round_.seed, "algorithm": round_.algorithm, "status": round_.status}
    return ledger.Entry(
        stage.event.public_id,
        by.public_id,
        "round.brought",
        f"r{round_.number}",
        now,
        after={**said, "pairs": pairs, "results": results},
    )
