"""Board standings of a team event: what each member scored at each board, in the closed rounds of a stage.

A person who sat at two boards has a line for each. A board is worth what a match is worth in the event: a board won
counts as a win. Boards of a match that was not played board by board, such as a no-show, count for nobody.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction

from tournaments.common.names import natural
from tournaments.events.models import Member, Stage
from tournaments.events.scoring import read_scoring
from tournaments.play.field import OWN_SCHEMES
from tournaments.play.models import Board, Round
from tournaments.standings.selectors import standings_of
from tournaments.swiss.crosstable import Rules
from tournaments.swiss.schemes import scheme_of

_Key = tuple[Fraction, bool, int]


@dataclass
class Tally:
    """The boards that a member won, lost and drew at one board number, and the games won and lost there."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    games_won: int = 0
    games_lost: int = 0


@dataclass(frozen=True)
class BoardRow:
    """A line of the board standings.

    Lines of one board are ordered by points, then by the rank of the team; equal lines share their `rank`.
    """

    rank: int
    board: int
    person: str
    name: str
    entrant: str
    team: str
    team_rank: int | None
    points: Fraction
    tally: Tally

    @property
    def played(self) -> int:
        """How many boards were played."""
        return self.tally.won + self.tally.lost + self.tally.drawn


def board_standings(stage: Stage) -> list[BoardRow]:
    """The board standings of a stage: board 1 first, each from its best. Empty if no boards were played."""
    tallies = _tallies(stage)
    members = Member.objects.select_related("entrant").prefetch_related("entrant__member_set__person")
    known = {member.pk: member for member in members.filter(event=stage.event_id)}
    ranks = {row["entrant"]: int(row["rank"]) for row in standings_of(stage).rows}
    win, draw, loss = _worth(stage)
    lines: defaultdict[int, list[tuple[_Key, BoardRow]]] = defaultdict(list)
    for (board, key), tally in tallies.items():
        who = known[key]
        team, team_rank = who.entrant, ranks.get(who.entrant.public_id)
        points = win * tally.won + draw * tally.drawn + loss * tally.lost
        row = BoardRow(0, board, who.person.public_id, who.name, team.public_id, team.name, team_rank, points, tally)
        # Teams without a rank, which are disqualified, come after the others.
        lines[board].append(((-points, team_rank is None, team_rank or 0), row))
    return [row for board in sorted(lines) for row in _ranked(lines[board])]


def _ranked(lines: list[tuple["_Key", BoardRow]]) -> list[BoardRow]:
    lines.sort(key=lambda line: (line[0], natural(line[1].name)))
    rows: list[BoardRow] = []
    rank, shared = 0, None
    for place, (key, row) in enumerate(lines, 1):
        if key != shared:
            rank, shared = place, key
        rows.append(replace(row, rank=rank))
    return rows


def _tallies(stage: Stage) -> dict[tuple[int, int], Tally]:
    """What each member (by key) scored at each board, by the number of the board and the member."""
    boards = Board.objects.filter(
        match__round__stage=stage,
        match__round__status=Round.Status.CLOSED,
        match__disputed=False,
        games_drawn__isnull=False,
    )
    tallies: defaultdict[tuple[int, int], Tally] = defaultdict(Tally)
    for number, first, second, won, lost in boards.values_list(
        "number", "first", "second", "first_games", "second_games"
    ):
        for member, own, other in ((first, won, lost), (second, lost, won)):
            own, other = own or 0, other or 0
            tally = tallies[number, member]
            tally.won += own > other
            tally.lost += own < other
            tally.drawn += own == other
            tally.games_won += own
            tally.games_lost += other
    return tallies


def _worth(stage: Stage) -> tuple[Fraction, Fraction, Fraction]:
    """What a board won, drawn and lost is worth: the points of a match by the event's scoring."""
    base = Rules() if stage.scheme in OWN_SCHEMES else scheme_of(stage.scheme).rules
    rules = read_scoring(stage.event.scoring).rules(base)
    win, draw, loss = (Fraction(points, rules.unit) for points in (rules.win, rules.draw, rules.loss))
    return win, draw, loss
