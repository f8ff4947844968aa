"""The ratings of a league: one period of Glicko-2 for each event, in the order of the league."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.accounts.models import Person
from tournaments.common import jobs
from tournaments.events.models import Event, Stage
from tournaments.leagues.models import League, LeagueTable
from tournaments.leagues.points import same_players
from tournaments.leagues.rules import rates
from tournaments.play.models import Seat
from tournaments.standings.statistics import PLAYED
from tournaments.swiss.glicko import Outcome, Rating, rated
from tournaments.swiss.league import one

PROVISIONAL = 110
"""The deviation above which a rating is provisional."""
DIGITS = 6


@dataclass(frozen=True)
class ShownRating:
    """A player's rating in a league. `low` and `high` are two deviations away: 95 % of strengths are between them.

    `change` is what the last event that the player played in added. Players of equal rating share their `rank`.
    """

    rank: int
    player: str
    name: str
    rating: float
    deviation: float
    volatility: float
    matches: int
    change: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.rating - 2 * self.deviation

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.rating + 2 * self.deviation

    @property
    def provisional(self) -> bool:
        """Whether too few matches are known for the rating to be reliable."""
        return self.deviation > PROVISIONAL


@dataclass(frozen=True)
class ShownRatings:
    """The newest ratings of a league, best first, and whether newer ones are being computed or could not be."""

    table: LeagueTable | None
    rows: list[ShownRating]
    computing: bool
    failed: bool


def computed_ratings(
    league: League, events: Sequence[Event], members: Mapping[str, tuple[str, ...]]
) -> list[dict[str, Any]]:
    """The ratings after these events, as JSON, best first; empty if the league does not rate.

    `members` are the persons of the entrants, by public ids. Players who are merged in the player book are one.
    """
    if not rates(league.rules):
        return []
    same = same_players(league)
    alone = {entrant: one(persons[0], same) for entrant, persons in members.items() if len(persons) == 1}
    ratings: dict[str, Rating] = {}
    changes: dict[str, float] = {}
    for event in events:
        outcomes = list(_outcomes(event, alone))
        if not outcomes:
            continue
        after = rated(ratings, outcomes)
        played = {player for each in outcomes for player in (each.first, each.second)}
        changes |= {player: after[player].rating - ratings.get(player, Rating()).rating for player in played}
        ratings = after
    ordered = sorted(ratings, key=lambda player: (-round(ratings[player].rating, DIGITS), player))
    return [
        {
            "player": player,
            "rating": round(ratings[player].rating, DIGITS),
            "deviation": round(ratings[player].deviation, DIGITS),
            "volatility": round(ratings[player].volatility, DIGITS + 3),
            "matches": ratings[player].matches,
            "change": round(changes[player], DIGITS),
        }
        for player in ordered
    ]


def _outcomes(event: Event, alone: Mapping[str, str]) -> Iterator[Outcome]:
    """The matches of an event that were played by two persons and have an undisputed result, in a fixed order.

    Byes, forfeits, penalties and intentional draws do not count, and neither do tables of several players or teams.
    """
    counts = Seat.objects.filter(
        round__stage__event=event, match__kind__in=PLAYED, match__games_drawn__isnull=False, match__disputed=False
    ).exclude(round__stage__kind=Stage.Kind.TABLES)
    before: tuple[int, str, int] | None = None
    for match, entrant, points in counts.order_by("match", "number").values_list(
        "match", "entrant__public_id", "points"
    ):
        here = (match, entrant, points or 0)
        if before is not None and before[0] == match:
            first, second = alone.get(before[1]), alone.get(entrant)
            if first is not None and second is not None and first != second:
                yield Outcome(first, second, (1 + (before[2] > here[2]) - (before[2] < here[2])) / 2)
        before = here


def ratings_of(league: League) -> ShownRatings:
    """The newest ratings of a league with names. The number of queries does not depend on its size."""
    table = LeagueTable.objects.filter(league=league).first()
    state = jobs.state_of("leagues.compute", str(league.pk))
    rows = table.ratings if table and rates(league.rules) else []
    # Stored rows have ids only, as those of the standings.
    names = Person.objects.in_bulk([row["player"] for row in rows], field_name="public_id")
    shown: list[ShownRating] = []
    for place, row in enumerate(rows, 1):
        rank = shown[-1].rank if shown and shown[-1].rating == row["rating"] else place
        name = names[row["player"]].name if row["player"] in names else row["player"]
        shown.append(ShownRating(rank=rank, name=name, **row))
    status = state.status if state is not None else ""
    return ShownRatings(table, shown, status in ("pending", "running"), status == "failed")
