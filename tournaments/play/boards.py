"""The boards of team matches: who sits at them, and how the result of a match is stored board by board.

A team match is paired, reported and corrected as one match. Its score is a list with the games of each board; what
counts in the standings is how many boards each team won (`swiss.teams`).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from tournaments.events.models import Member, Stage
from tournaments.play.models import Board, Game, Match, Round, Seat
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
    """The boards of a match with the members who sit there, by number."""
    return match.boards.select_related("first__person", "first__entrant", "second__person", "second__entrant")


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
