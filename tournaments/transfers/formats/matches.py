"""Builds matches from what files say about them: who won, a score, or nothing yet."""

from __future__ import annotations

from tournaments.transfers.brought import BroughtMatch
from tournaments.transfers.formats.bounds import MAX_GAMES

WON, LOST, DRAWN = (1, 0, 0), (0, 1, 0), (0, 0, 1)
NOTHING = (0, 0, 0)


def alone(player: str, kind: str = "bye") -> BroughtMatch:
    """The round of a player without an opponent: a bye is 1-0, the other kinds are 0-0."""
    return BroughtMatch((player,), WON if kind == "bye" else NOTHING, kind)


def unfinished(first: str, second: str, table: int | None = None) -> BroughtMatch:
    """A match that has no result yet."""
    return BroughtMatch((first, second), None, table=table)


def decided(first: str, second: str, winner: str, table: int | None = None, kind: str = "played") -> BroughtMatch:
    """A match of which only the winner is known; `winner` is "" for a draw."""
    games = DRAWN if not winner else WON if winner == first else LOST
    return BroughtMatch((first, second), games, kind, table)


def scored(
    first: str, second: str, games: tuple[int, int, int], table: int | None = None, kind: str = "played"
) -> BroughtMatch:
    """A match with a score in games; 0-0-0 is kept as a drawn game, because it needs a result."""
    return BroughtMatch((first, second), games if any(games) or kind != "played" else DRAWN, kind, table)


def both_lost(first: str, second: str, table: int | None = None) -> BroughtMatch:
    """A match that both players lost."""
    return BroughtMatch((first, second), NOTHING, "double_loss", table)


def agreed(first: str, second: str, table: int | None = None, games: tuple[int, int, int] = DRAWN) -> BroughtMatch:
    """An intentional draw."""
    return BroughtMatch((first, second), games, "intentional_draw", table)


def are_games(*numbers: int) -> bool:
    """Whether these can be numbers of games: files also write points of a game as scores of a match."""
    return all(0 <= number <= MAX_GAMES for number in numbers)


def winner_of(match: BroughtMatch) -> str:
    """The key of the winner; "" if there is none."""
    if match.games is None or match.kind in ("double_loss", "no_show", "half_bye", "zero_bye"):
        return ""
    if len(match.seats) == 1:
        return match.seats[0]
    first, second, _drawn = match.games
    return "" if first == second else match.seats[first < second]


def loser_of(match: BroughtMatch) -> str:
    """The key of the only player who lost; "" if there is none."""
    winner = winner_of(match)
    return next((seat for seat in match.seats if winner and seat != winner), "")
