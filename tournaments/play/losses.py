"""What is lost at a table without being played: which results count it, and which result it is by itself."""

from collections.abc import Sequence
from typing import Any

from tournaments.play.models import Loss, Match

Kind = Match.Kind
# Results by which the match is over whatever was played of it: a lost game changes nothing there.
WHOLE = (Kind.CONCESSION, Kind.NO_SHOW, Kind.FORFEIT, Kind.DOUBLE_LOSS, Kind.DISQUALIFIED)


def losses_at(match: Match) -> dict[int, list[Loss]]:
    """What is lost at a match, by the number of the seat."""
    found: dict[int, list[Loss]] = {}
    for loss in Loss.objects.filter(seat__match=match).select_related("seat"):
        if loss.seat is not None:
            found.setdefault(loss.seat.number, []).append(loss)
    return found


def counts_losses(match: Match, score: Sequence[Any], kind: str) -> bool:
    """Whether a result, `[2, 1, 0]` or a rank and points for each seat, is one with what is lost at its match."""
    lost = losses_at(match)
    if not lost:
        return True
    if match.has_ranks:
        ranks = {number: rank for number, (rank, _points) in enumerate(score, 1)}
        ahead = [rank for number, rank in ranks.items() if number not in lost]
        return all(ranks[number] > max(ahead, default=0) for number in lost)
    beaten = whole_match(match, lost)
    if beaten == {1, 2}:
        return kind == Kind.DOUBLE_LOSS
    if any(score[number - 1] >= score[2 - number] for number in beaten):
        return kind == Kind.DOUBLE_LOSS
    return kind in WHOLE or all(score[2 - number] >= _due(lost.get(number, ()), sum(score)) for number in (1, 2))


def whole_match(match: Match, lost: dict[int, list[Loss]] | None = None) -> set[int]:
    """The seats of a match of two that have lost it: the match itself, or as many games as it takes."""
    needed = match.round.stage.best_of // 2 + 1
    lost = losses_at(match) if lost is None else lost
    return {
        number
        for number, losses in lost.items()
        if any(loss.what == Loss.What.MATCH for loss in losses) or _due(losses, 0) >= needed
    }


def _due(losses: Sequence[Loss], played: int) -> int:
    """The games lost once so many were played: one of later only where the match came to it."""
    games = [loss for loss in losses if loss.what == Loss.What.GAME]
    return sum(not loss.later or played >= (loss.game or 0) for loss in games)
