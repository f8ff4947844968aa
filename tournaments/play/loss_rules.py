"""Penalty losses at a match: which results take them into account, and when they decide the match by themselves.

Both `results` and `losses` in `play.services` need these rules. They are here because `losses` imports `results`.
"""

from collections.abc import Sequence
from typing import Any

from tournaments.common.prepared import Prepared
from tournaments.play.boards import totals
from tournaments.play.models import Loss, Match

Kind = Match.Kind
# Kinds that end the match regardless of the games played, so that a game loss changes nothing.
WHOLE = (Kind.CONCESSION, Kind.NO_SHOW, Kind.FORFEIT, Kind.DOUBLE_LOSS, Kind.DISQUALIFIED)


_LOSSES = Prepared(lambda match: Loss.objects.filter(seat__match=match).select_related("seat"), int)


def losses_at(match: Match) -> dict[int, list[Loss]]:
    """The losses at a match, by the number of the seat."""
    found: dict[int, list[Loss]] = {}
    for loss in _LOSSES.rows(match.pk):
        if loss.seat is not None:
            found.setdefault(loss.seat.number, []).append(loss)
    return found


def counts_losses(match: Match, score: Sequence[Any], kind: str) -> bool:
    """Whether a result takes the losses at its match into account.

    `score` is games won by seat 1, by seat 2, and drawn (`[2, 1, 0]`), or a rank and points for each seat. At a
    multiplayer table, seats with a loss must rank behind all others.
    """
    lost = losses_at(match)
    if not lost:
        return True
    if match.has_ranks:
        ranks = {number: rank for number, (rank, _points) in enumerate(score, 1)}
        ahead = [rank for number, rank in ranks.items() if number not in lost]
        return all(ranks[number] > max(ahead, default=0) for number in lost)
    beaten = match_losers(match, lost)
    if beaten == {1, 2}:
        return kind == Kind.DOUBLE_LOSS
    # A player who has lost the match cannot win or draw it; at most the opponent loses too.
    score = totals(match, score)
    if any(score[number - 1] >= score[2 - number] for number in beaten):
        return kind == Kind.DOUBLE_LOSS
    return kind in WHOLE or all(score[2 - number] >= _due(lost.get(number, ()), sum(score)) for number in (1, 2))


def match_losers(match: Match, lost: dict[int, list[Loss]] | None = None) -> set[int]:
    """The seats that have lost a match of two: by a match loss, or by enough game losses."""
    needed = match.round.stage.games // 2 + 1
    lost = losses_at(match) if lost is None else lost
    return {
        number
        for number, losses in lost.items()
        if any(loss.what == Loss.What.MATCH for loss in losses) or _due(losses, 0) >= needed
    }


def _due(losses: Sequence[Loss], played: int) -> int:
    """How many games are lost once `played` games were played.

    A loss of a later game counts only if the match comes to that game.
    """
    games = [loss for loss in losses if loss.what == Loss.What.GAME]
    return sum(not loss.later or played >= (loss.game or 0) for loss in games)
