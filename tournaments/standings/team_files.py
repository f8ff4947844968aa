"""The players of a team event in TRF: one line for each with the games at the boards, and one for each team."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from django.db.models import Case, Sum, When
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant, Member, Stage
from tournaments.events.teams import in_order, teams_of
from tournaments.play.models import Board, Match, Round, Seat
from tournaments.standings.selectors import standings_of
from tournaments.swiss import trf
from tournaments.swiss.field import DRAW, WIN, Field, Player, SwissError
from tournaments.swiss.field import Match as SwissMatch


def players_trf(stage: Stage) -> str:
    """The closed rounds of a stage of team matches in TRF, player by player; `013` and `310` say who is in which team.

    Start numbers follow the rank of the teams, then the boards. Lines `310` have the points of the teams too, and are
    left out if there are more teams than they can number. A bye of a team is one for the members who have a board
    now; whoever did not sit at a board has no result in that round.

    Raises Refusal `no_trf` unless teams play by boards, and `too_many_players`.
    """
    if not stage.event.has_boards:
        raise Refusal("no_trf", _("TRF can hold the players of teams only if they play by boards."))
    ranks = {row["entrant"]: place for place, row in enumerate(standings_of(stage).rows)}
    teams = sorted(teams_of(stage.event), key=lambda team: (ranks.get(team.public_id, len(ranks)), team.pk))
    members = [member for team in teams for member in in_order(team)]
    number = {member.pk: place for place, member in enumerate(members, 1)}
    field = Field(tuple(Player(str(place)) for place in number.values()), tuple(_rounds(stage, members, number)))
    lines = [("012", stage.event.name), ("062", str(len(members))), ("082", str(len(teams)))]
    lines.append(("092", "Team: Swiss-System"))
    names = {str(number[member.pk]): member.name for member in members}
    try:
        made = trf.tournament_of(field, names=names, ranks={}, headers=lines)
    except SwissError as error:
        raise Refusal("too_many_players", _("TRF has room for 9,999 players only.")) from error
    return trf.write(replace(made, headers=(*made.headers, *_team_lines(stage, teams, number, made))))


def _team_lines(
    stage: Stage, teams: Sequence[Entrant], number: Mapping[int, int], made: trf.Tournament
) -> list[tuple[str, str]]:
    game_points = {each.number: each.half_points for each in made.competitors}
    match_points = _half_match_points(stage)
    ranks = {row["entrant"]: row["rank"] for row in standings_of(stage).rows}
    written = []
    for place, team in enumerate(teams, 1):
        players = tuple(number[member.pk] for member in in_order(team))
        written.append(
            trf.Team(
                team.name,
                players,
                number=place,
                rank=ranks.get(team.public_id, len(teams)),
                half_match_points=match_points.get(team.pk, 0),
                half_game_points=sum(game_points[player] for player in players),
            )
        )
    fits = len(written) <= trf.MOST_TEAMS
    return [*(team.line for team in written), *(team.line_26 for team in written if fits)]


def _half_match_points(stage: Stage) -> dict[int, int]:
    """Twice the match points of each team, by entrant key: 2 for a match won or a bye, 1 for a draw."""
    worth = Case(When(points=WIN, then=4), When(points=DRAW, then=2), default=0)
    seats = Seat.objects.filter(round__stage=stage, round__status=Round.Status.CLOSED, match__disputed=False)
    return dict(seats.order_by().values("entrant").annotate(half=Sum(worth)).values_list("entrant", "half"))


def _rounds(stage: Stage, members: Iterable[Member], number: dict[int, int]) -> list[tuple[SwissMatch, ...]]:
    playing: defaultdict[int, list[int]] = defaultdict(list)
    for member in members:
        if member.board is not None:
            playing[member.entrant_id].append(number[member.pk])
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).order_by("number")
    boards: defaultdict[int, list[SwissMatch]] = defaultdict(list)
    found = Board.objects.filter(match__round__in=closed, match__games_drawn__isnull=False, match__disputed=False)
    for board in found.select_related("match").prefetch_related("match__seats"):
        boards[board.match.round_id].append(_at_board(board, number))
    byes = Seat.objects.filter(round__in=closed, match__kind=Match.Kind.BYE).values_list("round", "entrant")
    for round_, entrant in byes:
        boards[round_] += [SwissMatch(str(player), None, 2, 0, 0, "bye") for player in playing[entrant]]
    return [tuple(boards[round_.pk]) for round_ in closed]


def _at_board(board: Board, number: dict[int, int]) -> SwissMatch:
    first, second = str(number[board.first_id]), str(number[board.second_id])
    if board.games is not None:
        won, lost, drawn = board.games
        return SwissMatch(first, second, won, lost, drawn)
    # A match that was not played: its winner wins every board without a game.
    won, lost = (seat.games_won or 0 for seat in board.match.seats.all())
    return SwissMatch(first, second, won, lost, 0, "forfeit" if won != lost else "double_loss")
