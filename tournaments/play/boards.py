"""The boards of team matches: who sits at them, and how the result of a match is stored board by board.

A team match is paired, reported and corrected as one match. Its score is a list with the games of each board; what
counts in the standings is how many boards each team won (`swiss.teams`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import FilteredRelation, Prefetch, Q, QuerySet, prefetch_related_objects

from tournaments.common.names import SortKey
from tournaments.events.models import Entrant, Member, Stage
from tournaments.events.selectors import NamedMember, members_named, names_of
from tournaments.play.models import Board, BoardReport, Game, Match, Report, Round, Seat
from tournaments.swiss.teams import boards_won, is_by_board

BATCH = 100  # rows per INSERT statement


def games_of(stage: Stage) -> int:
    """How many games may be played in a match of a stage: those of every board in a team match."""
    return stage.best_of * (stage.event.team_size if stage.event.has_boards else 1)


def totals(match: Match, score: Sequence[Any]) -> list[Any]:
    """The score in the form in which matches of two count: boards won by each team and drawn, for a team match.

    The score of any other match is returned as it is.
    """
    return list(boards_won(score)) if match.has_boards and is_by_board(score) else list(score)


def open_boards(stage: Stage, matches: QuerySet[Match]) -> None:
    """Create the boards of team matches of a stage, with the members who have those boards now. In a transaction.

    Boards that exist already are replaced. Byes have none, and neither have matches of an event without boards.
    """
    if not stage.event.has_boards:
        return
    tables = matches.filter(table__isnull=False).order_by()
    Board.objects.filter(match__in=tables).delete()
    sides: defaultdict[int, list[int]] = defaultdict(list)
    seats = Seat.objects.filter(match__in=tables).select_related(None).order_by("match", "number")
    for match, entrant in seats.values_list("match", "entrant"):
        sides[match].append(entrant)
    lineups: defaultdict[int, dict[int, int]] = defaultdict(dict)
    playing = Member.objects.filter(entrant__seats__match__in=tables, board__isnull=False)
    for entrant, board, member in playing.values_list("entrant", "board", "pk"):
        lineups[entrant][board or 0] = member
    boards = [
        Board(match_id=match, number=number, first_id=lineups[first][number], second_id=lineups[second][number])
        for match, (first, second) in sides.items()
        for number in range(1, stage.event.team_size + 1)
    ]
    # By construction: an entrant never meets itself, and a person is in one team of an event.
    assert all(board.first_id != board.second_id for board in boards), "team mates never sit at one board"
    Board.objects.bulk_create(boards, batch_size=BATCH)


def boards_of(match: Match) -> QuerySet[Board]:
    """The boards of a match by number, with the members who sit there, and with `live_reports` (for `reports_at`)."""
    boards = match.boards.all()
    return boards if "boards" in _loaded(match) else with_members(boards)


def with_members(boards: QuerySet[Board]) -> QuerySet[Board]:
    """Boards with the members who sit there, and with `live_reports` (for `reports_at`)."""
    live = BoardReport.objects.exclude(status=Report.Status.REPLACED)
    members = boards.select_related("first__person", "first__entrant", "second__person", "second__entrant")
    return members.prefetch_related(Prefetch("reports", queryset=live, to_attr="live_reports"))


def load_boards(matches: Iterable[Match]) -> None:
    """Load the boards of those matches that have some, as `boards_of` reads them, unless they are loaded already."""
    missing = [match for match in matches if match.has_boards and "boards" not in _loaded(match)]
    prefetch_related_objects(missing, with_boards())


def _loaded(match: Match) -> Collection[str]:
    return getattr(match, "_prefetched_objects_cache", {}).keys()


def with_boards() -> "Prefetch[Any]":
    """For `prefetch_related` of matches: their boards, as `boards_of` reads them."""
    return Prefetch("boards", with_members(Board.objects.all()))


def reports_at(board: Any) -> dict[str, BoardReport]:
    """The reports of a board that was read by `boards_of`, by status, without replaced ones.

    Of two contested reports, the newer one. Empty once the match has a result, which is then what counts.
    """
    return {} if board.match.has_result else {report.status: report for report in board.live_reports}


def reporters_at(boards: Iterable[Board]) -> dict[int, int | None]:
    """The account that reports for each member at these boards of a match, by member key. One query.

    It is the member's own account, or else that of the captain. None if neither has one: then the desk enters the
    result.
    """
    members = [member for board in boards for member in (board.first, board.second)]
    captains = Member.objects.filter(entrant__in={member.entrant_id for member in members}, captain=True)
    acts = dict(captains.values_list("entrant", "person__account"))
    return {member.pk: member.person.account_id or acts.get(member.entrant_id) for member in members}


def boards_in(round_: Round) -> dict[int, list[tuple[Member, Member]]]:
    """The two members at each board of a round, by the key of the match. Three queries, whatever its size.

    Of a draft, whose boards are opened when it is published, they are the members who have the boards now.
    """
    found: defaultdict[int, list[tuple[Member, Member]]] = defaultdict(list)
    seats = Seat.objects.filter(round=round_, match__table__isnull=False).select_related(None)
    members = Member.objects.filter(entrant__seats__round=round_).select_related("person", "entrant")
    known = {member.pk: member for member in members}
    opened = Board.objects.filter(match__round=round_).order_by("match", "number")
    for match, first, second in opened.values_list("match", "first", "second"):
        found[match].append((known[first], known[second]))
    if found:
        return dict(found)
    lineups: defaultdict[int, dict[int, Member]] = defaultdict(dict)
    for member in known.values():
        if member.board is not None:
            lineups[member.entrant_id][member.board] = member
    pairs: defaultdict[int, list[int]] = defaultdict(list)
    for match, entrant in seats.order_by("match", "number").values_list("match", "entrant"):
        pairs[match].append(entrant)
    for match, (first, second) in pairs.items():
        one, two = lineups[first], lineups[second]
        found[match] = [(one[number], two[number]) for number in sorted(one.keys() & two.keys())]
    return dict(found)


def own_boards(round_: Round, user: Any) -> dict[int, int]:
    """The board at which the account's person sits in a round, by entrant key; the first one for two in a team."""
    found: dict[int, int] = {}
    for side in ("first", "second"):
        boards = Board.objects.filter(match__round=round_, **{f"{side}__person__account": user}).order_by("-number")
        found |= dict(boards.values_list(f"{side}__entrant", "number"))
    return found


@dataclass(frozen=True)
class Sitting:
    """Where a member of a team sits in a round, or has a bye: then there is no table, board or opponent.

    `match` and `entrant` are keys, `team` and `against` the names of the two teams. `off_stream` is whether big screens
    withhold the name.
    """

    match: int
    match_id: str
    table: int | None
    kind: str
    board: int | None
    entrant: int
    team: str
    against: str
    name: str
    opponent: str
    key: SortKey
    off_stream: bool


def sittings_of(round_: Round) -> list[Sitting]:
    """Where each member of a team event by boards sits in a round, by family name; substitutes are left out.

    Of a draft, it is where they would sit now. Five queries and few objects, whatever the size of the round.
    """
    entrants = Entrant.objects.filter(seats__round=round_)
    teams, found = names_of(entrants), []
    members = members_named(Member.objects.filter(entrant__in=entrants).order_by("pk"))
    for match, match_id, table, kind, board, first, second in _board_rows(round_, members):
        for own, other in ((first, second), (second, first)):
            if own is None:
                continue
            one, against = members[own], members[other] if other is not None else None
            found.append(
                Sitting(
                    match=match,
                    match_id=match_id,
                    table=table,
                    kind=kind,
                    board=board,
                    entrant=one.entrant,
                    team=teams[one.entrant],
                    against=teams[against.entrant] if against else "",
                    name=one.name,
                    opponent=against.name if against else "",
                    key=one.key,
                    off_stream=one.off_stream,
                )
            )
    return sorted(found, key=lambda sitting: (sitting.key, sitting.name, sitting.match, sitting.board or 0))


BoardRow = tuple[int, str, int | None, str, int | None, int | None, int | None]


def _board_rows(round_: Round, members: Mapping[int, NamedMember]) -> Iterator[BoardRow]:
    """The boards of a round with the keys of their two members; members of a team with a bye have neither."""
    lineups: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for key, member in members.items():
        if member.board is not None:
            lineups[member.entrant][member.board] = key
    opened: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    boards = Board.objects.filter(match__round=round_).order_by("match", "number")
    for match, *board in boards.values_list("match", "number", "first", "second"):
        opened[match].append((board[0], board[1], board[2]))
    seats = Seat.objects.filter(round=round_).select_related(None).order_by("match", "number")
    read = ("match", "match__public_id", "match__table", "match__kind", "entrant")
    for match, rows in groupby(seats.values_list(*read), key=lambda row: row[:4]):
        teams = [lineups[entrant] for *_match, entrant in rows]
        if match[2] is None:
            yield from ((*match, None, member, None) for team in teams for member in team.values())
            continue
        drawn = [(number, teams[0][number], teams[1][number]) for number in sorted(teams[0].keys() & teams[1].keys())]
        yield from ((*match, *board) for board in opened[match[0]] or drawn)


def board_of_game(stage: Stage, number: int) -> int:
    """The number of the board at which a game of a team match is played, from the number of the game.

    Games are numbered through the boards: with a best of three, board 2 begins with game 4.
    """
    return (number - 1) // stage.best_of + 1


Players = Mapping[int, Sequence[int]]
"""The members of each team who may have played a game: keys of members by the key of the team."""


def players_of(games: Collection[Game]) -> dict[int, Players]:
    """The members of teams who may have played each of these games, by its key. Two queries, whatever their number.

    At a board that is one member of each team; a team that plays together is all of its members who have a place.
    Empty for the games of players who entered alone. Matches, with round, stage and event, should be loaded.
    """
    by_board = [game for game in games if game.match.has_boards]
    together = [game for game in games if game.match.round.stage.event.is_team_event and not game.match.has_boards]
    sides = Board.objects.filter(match__in={game.match_id for game in by_board}).select_related("first", "second")
    boards = {(board.match_id, board.number): board for board in sides} if by_board else {}
    found: dict[int, Players] = {}
    for game in by_board:
        board = boards.get((game.match_id, board_of_game(game.match.round.stage, game.number)))
        if board is not None:
            found[game.pk] = {member.entrant_id: (member.pk,) for member in (board.first, board.second)}
    if together:
        lineups = _lineups({game.match_id for game in together})
        found |= {game.pk: lineups[game.match_id] for game in together}
    return found


def _lineups(matches: Collection[int]) -> dict[int, dict[int, list[int]]]:
    """The members who have a place in the teams of these matches (keys): by match, then by team."""
    found: dict[int, dict[int, list[int]]] = {match: {} for match in matches}
    playing = Member.objects.filter(entrant__seats__match__in=matches, board__isnull=False).order_by("board")
    for match, entrant, member in playing.values_list("entrant__seats__match", "entrant", "pk"):
        found[match].setdefault(entrant, []).append(member)
    return found


def score_by_board(match: Match) -> list[list[int]] | None:
    """The games of each board; None if the result that counts, if any, was not played board by board."""
    games = [board.games for board in match.boards.all()]
    return None if not games or None in games else [each for each in games if each is not None]


def agreed_boards(match: Match) -> dict[int, list[int]]:
    """The games of the boards on whose result their two players agree, by the number of the board."""
    agreed = BoardReport.objects.filter(board__match=match, status=Report.Status.CONFIRMED)
    return dict(agreed.order_by("board__number").values_list("board__number", "games"))


def board_states(matches: QuerySet[Match]) -> dict[int, dict[int, str]]:
    """How the boards of team matches without a result stand, by match key and board number. One query.

    The state is a status of `Report`, or "" for a board that nobody has reported.
    """
    found: defaultdict[int, dict[int, str]] = defaultdict(dict)
    boards = Board.objects.filter(match__in=matches, match__games_drawn=None).order_by("match", "number")
    live = boards.annotate(
        live=FilteredRelation("reports", condition=~Q(reports__status=Report.Status.REPLACED))
    ).order_by("match", "number", "live__pk")
    for match, number, status in live.values_list("match", "number", "live__status"):
        # Of the two reports of a board that differ, the standing one comes first and says enough.
        found[match].setdefault(number, status or "")
    return dict(found)


def differing_boards(match: Match, score: Sequence[Any]) -> dict[int, list[int]]:
    """The boards whose players agree on another result than a score says, with what they agree on.

    Empty for a score that is not given board by board, such as a concession.
    """
    if not match.has_boards or not is_by_board(score):
        return {}
    return {number: games for number, games in agreed_boards(match).items() if list(score[number - 1]) != games}


def boards_played(matches: QuerySet[Match]) -> dict[int, tuple[tuple[int, int, int], ...]]:
    """The games of each board of team matches, by match key, for those played board by board. One query."""
    found: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    played = Board.objects.filter(match__in=matches, games_drawn__isnull=False).order_by("match", "number")
    for match, *games in played.values_list("match", "first_games", "second_games", "games_drawn"):
        found[match].append((games[0] or 0, games[1] or 0, games[2] or 0))
    return {match: tuple(games) for match, games in found.items()}


def write_boards(match: Match, score: Sequence[Any]) -> None:
    """Store the games of each board of a team match; empty for a result that is not given board by board."""
    given = list(score) if is_by_board(score) else []
    for board in match.boards.all():
        found = given[board.number - 1] if board.number <= len(given) else (None, None, None)
        board.first_games, board.second_games, board.games_drawn = found
        board.save(update_fields=["first_games", "second_games", "games_drawn"])


def clear_boards(match: Match) -> None:
    """Take the games of all boards away."""
    match.boards.update(first_games=None, second_games=None, games_drawn=None)


def games_counted(match: Match, score: Sequence[Any]) -> set[int]:
    """The numbers of the games that a score counts.

    The games of a team match are numbered through its boards: with a best of three, board 2 begins with game 4.
    """
    if match.has_ranks:
        return {1}
    if not match.has_boards:
        return set(range(1, sum(score) + 1))
    best_of = match.round.stage.best_of
    boards = score if is_by_board(score) else []
    return {at * best_of + game for at, board in enumerate(boards) for game in range(1, sum(board) + 1)}
