"""Games and matches lost by a penalty, now or in the next round, and how such a loss is taken back.

A loss that decides the match sets its result. Any other has to be counted by the result that is reported
(`play.loss_rules`). The service that gives the penalty writes the ledger entry for it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, next_stage
from tournaments.play.effects import apply_effect, effects_of
from tournaments.play.loading import differing_reports
from tournaments.play.loss_rules import counts_losses, losses_at, match_losers
from tournaments.play.models import Loss, Match, Report, Round, Seat
from tournaments.play.selectors import last_round
from tournaments.play.services.entries import record
from tournaments.play.services.results import clear_result, locked_match, score_now, settle

Kind = Match.Kind
What = Loss.What
BY_LOSS = (Kind.PENALTY_LOSS, Kind.DOUBLE_LOSS)


def lose_now(
    *,
    match: Match,
    entrant: Entrant,
    what: str,
    by: User,
    now: datetime,
    game: int | None = None,
    later: bool = False,
    acknowledged: bool = False,
) -> Loss:
    """Make an entrant lose a game of a match, or the match.

    `game` is the number of the game being played (by default the first that nobody has won or lost). That game is lost,
    or with `later` the next one. Where a match is one game or a multiplayer table, losing a game is losing the match;
    at a table that means the last rank.

    A match loss replaces a result that counts; `acknowledged` is as for `rule_result`. Raises Refusal `no_open_match`
    without an opponent there, `match_settled` for a game of a match with a result, `lost_at_a_board` for a game of a
    team match that is played by boards,
    `affects_later`; NotAllowed `own_match`; InvalidInput `no_such_game`.
    """
    with transaction.atomic():
        match = locked_match(match)
        seat = match.seats.filter(entrant=entrant).first()
        if seat is None or match.table is None:
            raise Refusal(
                "no_open_match", _("This player has no opponent in that round: let the penalty count in the next one.")
            )
        if match.seats.filter(entrant__member__person__account=by).exists():
            raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
        if is_one_game(match):
            what = What.MATCH
        if what == What.GAME and match.has_boards:
            raise Refusal("lost_at_a_board", _("Enter the lost game in the result of its board."))
        if what == What.GAME and match.games_drawn is not None:
            raise Refusal("match_settled", _("This match is already decided: let the penalty count in the next round."))
        number = _game(match, game, later) if what == What.GAME else None
        before = _result(match) if what == What.MATCH else None
        loss = Loss.objects.create(
            entrant=entrant,
            what=what,
            seat=seat,
            game=number,
            later=later and number is not None,
            before=before,
            at=now,
        )
        _count(match, by, now, acknowledged)
    return loss


def lose_next_round(*, entrant: Entrant, what: str, now: datetime) -> Loss:
    """Make an entrant lose a game or the match in the next round in which they have an opponent.

    A round with a bye does not count. Raises Refusal `event_state`, `entrant_dropped`, or `no_next_round` in the last
    round of the event.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status != Event.Status.RUNNING:
            raise Refusal("event_state", _("The event is not running."))
        if Entrant.objects.get(pk=entrant.pk).status == Entrant.Status.DROPPED:
            raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
        stage = current_stage(event)
        last = last_round(stage)
        final = last is not None and last.status != Round.Status.DRAFT and last.of_stage == stage.rounds_planned
        if final and next_stage(event) is None:
            raise Refusal("no_next_round", _("This is the last round: let the penalty count now."))
        return Loss.objects.create(entrant=entrant, what=what, at=now)


def take_loss_back(*, loss: Loss, by: User, now: datetime) -> None:
    """Undo a loss.

    If it decided the match, the result of before counts again, or the match is open again. A result that people entered
    since stands. Raises Refusal `round_state` if the loss decided the match and its round is closed.
    """
    with transaction.atomic():
        if loss.seat is None:
            loss.delete()
            return
        match = locked_match(loss.seat.match)
        decided = _decided_by_loss(match)
        if decided and match.round.status == Round.Status.CLOSED:
            raise Refusal(
                "round_state", _("This round is closed: its results can be kept or changed, but not played again.")
            )
        before = loss.before
        # A later loss has saved the result that this one made as its `before`. It takes over the older result.
        following = Loss.objects.filter(seat__match=match, what=What.MATCH, pk__gt=loss.pk).order_by("pk").first()
        if following is not None:
            following.before = before
            following.save(update_fields=["before"])
        loss.delete()
        if decided:
            _restore(match, before, by, now)
            # Other losses at this match may decide it by themselves.
            _count(match, by, now, True)


def serve_losses(round_: Round, by: User, now: datetime) -> None:
    """Apply waiting losses in a round that was just published, where the entrant has an opponent.

    Losses of later games that were never reached wait again first. In a bracket, the second of two opponents with a
    match loss goes on waiting, because one of them must advance.
    """
    _wait_again(round_)
    waiting = Loss.objects.filter(seat=None, entrant__event=round_.stage.event_id).select_related("entrant")
    seats = {
        seat.entrant_id: seat
        for seat in Seat.objects.filter(round=round_, match__table__isnull=False, entrant__losses__in=waiting)
    }
    for loss in waiting:
        seat = seats.get(loss.entrant_id)
        if seat is None:
            continue
        match = locked_match(seat.match)
        if not _fits(match, seat, loss):
            continue
        what = What.MATCH if is_one_game(match) else loss.what
        number = _first_free(match) if what == What.GAME else None
        Loss.objects.filter(pk=loss.pk).update(seat=seat, what=what, game=number, carried=True)
        after = {"entrant": loss.entrant.public_id, "what": what, "game": number}
        record(match.round.stage.event, by, "penalty.served", now, object=match.public_id, after=after)
        _count(match, by, now, True)


def unserve_losses(round_: Round, by: User, now: datetime) -> None:
    """Make the losses applied in a round wait again, and clear results they made: the round is a draft again."""
    carried = Loss.objects.filter(seat__round=round_, carried=True)
    decided = Match.objects.filter(round=round_, seats__losses__in=carried, kind__in=BY_LOSS)
    for match in decided.distinct():
        clear_result(locked_match(match), by, now)
    carried.update(seat=None, game=None, carried=False)


def is_one_game(match: Match) -> bool:
    """Whether losing a game of this match is losing the match."""
    return match.has_ranks or (match.round.stage.best_of == 1 and not match.has_boards)


def _fits(match: Match, seat: Seat, loss: Loss) -> bool:
    """Whether a loss can be served at a match: a game is left, and in a bracket the opponent has not lost already."""
    # One of the two must advance.
    if match.round.stage.is_bracket and match_losers(match) - {seat.number}:
        return False
    if loss.what == What.GAME and match.has_boards:
        return False
    return loss.what == What.MATCH or is_one_game(match) or _first_free(match) <= match.round.stage.best_of


def _wait_again(round_: Round) -> None:
    """Let losses of later games wait for this round, if their match ended before it came to the game."""
    unserved = Loss.objects.filter(later=True, seat__isnull=False, entrant__seats__round=round_).exclude(
        seat__round=round_
    )
    for loss in unserved.select_related("seat__match"):
        match = loss.seat.match if loss.seat else None
        if match and match.has_result and sum(score_now(locked_match(match))[0]) < loss.game:
            Loss.objects.filter(pk=loss.pk).update(seat=None, game=None, later=False)


def _game(match: Match, game: int | None, later: bool) -> int:
    """The number of the game that is lost; InvalidInput `no_such_game` if the match has no such game."""
    number = (game or _first_free(match)) + later
    taken = Loss.objects.filter(seat__match=match, game=number).exists()
    if not 1 <= number <= match.round.stage.best_of or taken:
        raise InvalidInput("no_such_game", _("This match has no such game."))
    return number


def _first_free(match: Match) -> int:
    """The number of the first game that nobody has won or lost."""
    won = set(match.games.exclude(winner=None).values_list("number", flat=True))
    lost = set(Loss.objects.filter(seat__match=match).values_list("game", flat=True))
    # No match has nearly so many games, so one is always found.
    return next(number for number in range(1, 100) if number not in won | lost)


def _result(match: Match) -> dict[str, Any] | None:
    if match.games_drawn is None:
        return None
    score, kind = score_now(match)
    return {"games": score, "kind": kind, "authority": match.authority}


def _count(match: Match, by: User, now: datetime, acknowledged: bool) -> None:
    """Settle a match that its losses decide. Waiting reports that do not count the losses are replaced."""
    for report in differing_reports(match):
        if report is not None and not counts_losses(match, report.games, report.kind):
            Report.objects.filter(pk=report.pk).update(status=Report.Status.REPLACED)
            _stand_in(match)
    found = _outcome(match)
    if found is None:
        return
    score, kind = found
    if match.has_result and not match.has_ranks and (score, kind) == score_now(match):
        return
    effects = effects_of(match, score, kind)
    if effects and not acknowledged:
        raise Refusal(
            "affects_later",
            _("Later matches depend on this result: look at what changes, then confirm it."),
            details=[effect.as_json() for effect in effects],
        )
    match.reports.filter(status=Report.Status.STANDING).update(status=Report.Status.REPLACED)
    settle(match, score, kind, Match.Authority.RULED, by, "result.penalized", now)
    for effect in effects:
        apply_effect(match.round.stage, effect)


def _stand_in(match: Match) -> None:
    """After a report was replaced, let its counter report stand; without one, nobody has reported."""
    if match.reports.filter(status=Report.Status.STANDING).exists():
        return
    stands = match.reports.filter(status=Report.Status.COUNTER).update(status=Report.Status.STANDING)
    if not stands:
        Match.objects.filter(pk=match.pk, games_drawn=None).update(authority=Match.Authority.NONE)


def _outcome(match: Match) -> tuple[list[Any], str] | None:
    """The score and kind that the losses alone make of a match; None if they do not decide it."""
    if match.has_ranks:
        return _ranked_last(match) if match.has_result else None
    beaten = match_losers(match)
    if not beaten:
        return None
    if len(beaten) == 2:
        if match.round.stage.is_bracket:
            raise InvalidInput("winner_missing", _("A match in a bracket cannot be drawn: enter who advances."))
        return [0, 0, 0], Kind.DOUBLE_LOSS
    needed = match.round.stage.games // 2 + 1
    return [*(0 if number in beaten else needed for number in (1, 2)), 0], Kind.PENALTY_LOSS


def _ranked_last(match: Match) -> tuple[list[Any], str] | None:
    """The ranks of a table with the seats that have a loss behind all others; None if they are already."""
    score, kind = score_now(match)
    if counts_losses(match, score, kind):
        return None
    lost = losses_at(match)
    ahead = [rank for number, (rank, _points) in enumerate(score, 1) if number not in lost]
    ranks = [
        [len(ahead) + 1 if number in lost else 1 + sum(other < rank for other in ahead), points]
        for number, (rank, points) in enumerate(score, 1)
    ]
    return ranks, kind


def _decided_by_loss(match: Match) -> bool:
    """Whether a loss set the result that counts, and nobody has changed it since."""
    if match.games_drawn is None:
        return False
    entries = LedgerEntry.objects.filter(chain=match.round.stage.event.public_id, object=match.public_id)
    last = entries.filter(code__startswith="result.").order_by("-number").first()
    return last is not None and last.code == "result.penalized"


def _restore(match: Match, before: Any, by: User, now: datetime) -> None:
    """Restore the result from before a loss, or clear it if there was none."""
    if before is None:
        clear_result(match, by, now)
        # `clear_result` updates the row only, and the caller goes on with this object.
        match.refresh_from_db()
        match.round = Round.objects.select_related("stage__event").get(pk=match.round_id)
    else:
        games: Sequence[Any] = before["games"]
        settle(match, games, before["kind"], before["authority"], by, "result.undone", now)
