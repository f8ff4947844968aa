"""Actions on results: reports by players, entries of the desk, rulings of judges, and evidence from audits.

A report by one player waits until the opponent confirms it or reports something else. While two reports differ, either
player may still accept the other's; a judge is called only when one of them asks. Only `settle` writes the result that
counts, on the match and its seats, and it also queues the computation of new standings. Audits never change a result.

Every action locks the match's row first and the head of the ledger last.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs, ledger
from tournaments.common.prepared import Keys, Prepared
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.models import Entrant, Event, Stage
from tournaments.play.boards import (
    clear_boards,
    differing_boards,
    games_counted,
    score_by_board,
    totals,
    write_boards,
)
from tournaments.play.effects import Effect, apply_effect, effects_of
from tournaments.play.field import swiss_match
from tournaments.play.loading import differing_reports, own_seat, with_seats
from tournaments.play.loss_rules import counts_losses
from tournaments.play.models import BoardReport, Game, Match, Report, Round, Seat
from tournaments.play.selectors import is_of_one_account, newest_report_id
from tournaments.play.services.entries import record
from tournaments.swiss.field import SwissError, points_of
from tournaments.swiss.tables import table_points
from tournaments.swiss.teams import is_by_board

Kind = Match.Kind
# States of reports that wait for the players.
WAITING = (Report.Status.STANDING, Report.Status.COUNTER)
# Kinds that players may report; only staff may enter the others.
PLAYER_KINDS = (Kind.PLAYED, Kind.INTENTIONAL_DRAW, Kind.CONCESSION)
MAX_SCORE = 9_999
# The desk adds nothing to the same result that both players agreed on; a ruling does, since it gives a reason.
NO_LESS_THAN: dict[str, tuple[str, ...]] = {
    Match.Authority.WITNESSED: (Match.Authority.AGREED, Match.Authority.WITNESSED, Match.Authority.RULED),
    Match.Authority.RULED: (Match.Authority.RULED,),
}
# The ledger code of a result set by staff, by its authority.
STAFF_CODES: dict[str, str] = {
    Match.Authority.WITNESSED: "result.entered",
    Match.Authority.RULED: "result.ruled",
}
STAFF_KINDS = (*PLAYER_KINDS, Kind.NO_SHOW, Kind.DOUBLE_LOSS, Kind.TIME, Kind.PENALTY_LOSS, Kind.FORFEIT)


def report_result(*, match: Match, by: User, games: Sequence[Any], now: datetime, kind: str = Kind.PLAYED) -> Report:
    """Report the result of a match as a player, and return the report: games won by seat 1, by seat 2, and drawn.

    At a multiplayer table, `games` holds the rank and the victory points (or None) of each seat instead, such as `[(2,
    5), (1, 9), (3, None)]`; any other player of the table can confirm it. In a match of teams that play by boards, it
    holds the games of each board, such as `[[2, 1, 0], [0, 2, 0], [2, 0, 0]]`; any member of a team can report or
    confirm for it. Boards whose players agree already (`board_reports`) keep their result.

    Reporting the same again changes nothing. The opponent's identical report confirms the first; a different one
    becomes a counter report until one of the two players accepts the other's. A player's own waiting report is
    replaced.

    Raises InvalidInput `kind_invalid`, `score_invalid`, `ranks_invalid`, `boards_missing`, `winner_missing` or
    `loss_not_counted`;
    NotAllowed `not_your_table`, or `one_account` if one account acts for the whole table; Refusal `no_opponent`,
    `round_state`, `event_state`, `disputed`, `already_confirmed`, `reports_differ` or `board_agreed`.

        report_result(match=match, by=user, games=[2, 1, 0], now=now)
    """
    if kind not in PLAYER_KINDS:
        raise InvalidInput("kind_invalid", _("Only staff can give this kind of result."))
    with transaction.atomic():
        match, seat = _at_table(match, by)
        # A guardian of both players would confirm the report that they sent themselves.
        if is_of_one_account(match):
            raise NotAllowed("one_account", _("You act for all players at this table: the desk enters the result."))
        score = checked_score(match, games, kind)
        if match.has_result:
            return _already_settled(match, score, kind)
        if match.disputed:
            raise Refusal("disputed", _("The result is contested. A judge will decide."))
        _refuse_other_boards(match, score)
        standing, counter = differing_reports(match)
        if standing is None:
            return write_report(match, by, seat, score, kind, now)
        _only_those_who_differ(seat, standing, counter)
        own, other = (standing, counter) if standing.seat_id == seat.pk else (counter, standing)
        if own is not None and _says(own, score, kind):
            return own
        if other is not None and _says(other, score, kind):
            count_report(match, other, by, now)
            return other
        status = Report.Status.STANDING if own is standing else Report.Status.COUNTER
        match.reports.filter(status=status).update(status=Report.Status.REPLACED)
        return write_report(match, by, seat, score, kind, now, status)


def confirm_result(*, match: Match, report: Report, by: User, now: datetime) -> None:
    """Confirm a report as the opponent, so that the result counts. Idempotent.

    If two reports differ, this accepts the other player's. Raises NotAllowed `own_report`; Refusal `report_changed` if
    the report does not wait any more, `reports_differ` for a third player of the table, `board_agreed` if the players
    of a board have agreed on another result since.
    """
    with transaction.atomic():
        match, seat = _at_table(match, by)
        standing, counter = differing_reports(match)
        shown = _shown(match, report, standing, counter)
        if shown.status == Report.Status.CONFIRMED:
            return
        if shown.seat_id == seat.pk:
            raise NotAllowed("own_report", _("Your opponent has to confirm your report."))
        if standing is not None:
            _only_those_who_differ(seat, standing, counter)
        _refuse_other_boards(match, shown.games)
        count_report(match, shown, by, now)


def contest_result(*, match: Match, report: Report, by: User, now: datetime, reason: str = "") -> None:
    """Contest a report: a judge is called, and the match is disputed until the judge rules.

    The opponent may do so; while two reports differ, everybody at the table may. Raises Refusal `already_confirmed`,
    `report_changed`; NotAllowed `own_report`.
    """
    with transaction.atomic():
        match, seat = _at_table(match, by)
        standing, counter = differing_reports(match)
        shown = _shown(match, report, standing, counter)
        if shown.status == Report.Status.CONFIRMED:
            raise Refusal("already_confirmed", _("This result is already confirmed."))
        if shown.seat_id == seat.pk and counter is None:
            raise NotAllowed("own_report", _("Report another result to change your own."))
        match.reports.filter(status__in=WAITING).update(status=Report.Status.CONTESTED)
        open_dispute(match, by, now, note=reason)


def rule_result(
    *,
    match: Match,
    by: User,
    games: Sequence[Any],
    now: datetime,
    kind: str = Kind.PLAYED,
    reason: str,
    seen: int | None = None,
    acknowledged: bool = False,
) -> None:
    """Set the result by a judge's ruling, and end the dispute. A ruling always needs a reason.

    `seen` and `acknowledged` are as for `enter_result`.
    """
    if not reason.strip():
        raise InvalidInput("reason_missing", _("A ruling needs a reason."))
    set_result(match, StaffResult(games, kind, Match.Authority.RULED, reason, seen, acknowledged), by, now)


def concede(*, match: Match, entrant: Entrant, by: User, now: datetime, kind: str = Kind.CONCESSION) -> None:
    """Let the opponent of `entrant` win a match of two that has no result. Call it inside a transaction."""
    match = locked_match(match)
    needed = match.round.stage.games // 2 + 1
    score = [0 if seat.entrant_id == entrant.pk else needed for seat in match.seats.order_by("number")]
    match.reports.filter(status=Report.Status.STANDING).update(status=Report.Status.REPLACED)
    settle(match, [*score, 0], kind, Match.Authority.WITNESSED, by, "result.conceded", now)


def void_result(*, match: Match, by: User, now: datetime, note: str = "") -> None:
    """Take away the result of a match, so that it is played and reported again. Ends a dispute.

    Only while the round is open (`round_state`). Raises NotAllowed `own_match`, Refusal `no_opponent` for a bye.
    """
    with transaction.atomic():
        match = locked_match(match)
        if match.seats.filter(entrant__member__person__account=by).exists():
            raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
        if match.seats.count() < 2:
            raise Refusal("no_opponent", _("A bye has no result to give."))
        if match.round.status == Round.Status.CLOSED:
            raise Refusal(
                "round_state", _("This round is closed: its results can be kept or changed, but not played again.")
            )
        before = None if match.games_drawn is None else dict(zip(("games", "kind"), score_now(match), strict=True))
        # Otherwise an old report could still be confirmed, or stand in the way of a new one.
        for reports in (match.reports.all(), BoardReport.objects.filter(board__match=match)):
            reports.exclude(status=Report.Status.REPLACED).update(status=Report.Status.REPLACED)
        match.seats.update(games_won=None, rank=None, score=None, points=None)
        clear_boards(match)
        Match.objects.filter(pk=match.pk).update(
            games_drawn=None,
            kind=Kind.PLAYED,
            authority=Match.Authority.NONE,
            evidence=Match.Evidence.NONE,
            disputed=False,
        )
        entry = record(
            match.round.stage.event, by, "result.voided", now, object=match.public_id, before=before, note=note[:2000]
        )
        results_moved(match.round.stage, entry.number, now)


@dataclass(frozen=True)
class Proof:
    """What an audit found about a game: evidence, how the game ended (its reason), and the winner as far as proven.

    `report_digest` is the SHA-256 of the audit's report.
    """

    game: Game
    report_digest: str
    evidence: str
    ended: str
    winner: Seat | None


def record_evidence(proofs: Sequence[Proof], *, now: datetime) -> None:
    """Record what audits found about games of one event.

    Results stay as they are. Evidence that is weaker than what an earlier audit found is ignored.
    """
    if not proofs:
        return
    with transaction.atomic():
        # An audit may end after the event has: what it found is recorded all the same.
        matches = locked_matches({proof.game.match_id for proof in proofs}, running=False)
        games = Game.objects.select_related("winner").in_bulk([proof.game.pk for proof in proofs])
        for proof in proofs:
            _note_proof(matches[proof.game.match_id], games[proof.game.pk], proof)
        event = matches[proofs[0].game.match_id].round.stage.event
        ledger.record_all([_entry_of(event, matches[proof.game.match_id], proof, now) for proof in proofs])


def withdraw_evidence(*, game: Game, proofs: Sequence[Proof], by: User, now: datetime) -> None:
    """Take back what an audit found about a game, because its log is withdrawn. The result stays as it is.

    `proofs` is what the audits of the other logs of the game found, the oldest audit first.
    """
    with transaction.atomic():
        match = locked_matches([game.match_id], running=False)[game.match_id]
        known = Game.objects.select_related("winner").get(pk=game.pk)
        before = _found(known)
        known.report_digest, known.evidence, known.ended, known.winner = "", Match.Evidence.NONE, "", None
        known.save(update_fields=["report_digest", "evidence", "ended", "winner"])
        for proof in proofs:
            _note_proof(match, known, proof)
        _refresh_evidence(match)
        if _found(known) != before:
            event = match.round.stage.event
            record(
                event, by, "game.evidence_withdrawn", now, object=match.public_id, before=before, after=_found(known)
            )


def _found(game: Game) -> dict[str, Any]:
    return {"game": game.number, "evidence": str(game.evidence), "report": game.report_digest}


def _note_proof(match: Match, known: Game, proof: Proof) -> None:
    # Declared from the weakest to the strongest.
    strength = list(Match.Evidence.values)
    if strength.index(proof.evidence) < strength.index(known.evidence):
        return
    ended, winner = proof.ended[:20], proof.winner
    if known.winner is not None and proof.evidence == known.evidence and winner != known.winner:
        # Two logs with evidence of the same strength and different winners prove no winner.
        ended, winner = "contradicted", None
    known.report_digest, known.evidence, known.ended, known.winner = proof.report_digest, proof.evidence, ended, winner
    known.save(update_fields=["report_digest", "evidence", "ended", "winner"])
    _refresh_evidence(match)


def _refresh_evidence(match: Match) -> None:
    evidence = _evidence_of(match)
    if evidence != match.evidence:
        match.evidence = evidence
        match.save(update_fields=["evidence"])


def _entry_of(event: Event, match: Match, proof: Proof, now: datetime) -> ledger.Entry:
    found = {"game": proof.game.number, "evidence": proof.evidence, "report": proof.report_digest}
    return ledger.Entry(event.public_id, ledger.SYSTEM, "game.audited", match.public_id, now, after=found)


def results_moved(stage: Stage, version: int, now: datetime) -> None:
    """Mark the results of a stage as changed (`version`, a ledger number), and queue the computation of standings."""
    # The caller has written its ledger entry: the stage's stamp comes after the head in the order of locks.
    Stage.objects.filter(pk=stage.pk).update(results_version=version)
    # By name, because `standings` is a layer above.
    jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)


_LOCKED = Prepared(lambda keys: Match.objects.select_for_update().filter(pk__in=keys).order_by("pk"), Keys)
_ROUNDS = Prepared(lambda keys: Round.objects.filter(pk__in=keys).select_related("stage__event").order_by(), Keys)


def locked_match(match: Match, *, running: bool = True) -> Match:
    """The match as it is now, with its round and event, and its row locked until the transaction ends.

    Raises Refusal `round_state` if the round is a draft, and with `running`, `event_state` unless the event is running.
    """
    return locked_matches([match.pk], running=running)[match.pk]


def locked_matches(keys: Collection[int], *, running: bool = True) -> dict[int, Match]:
    """Several matches by key, each as by `locked_match`. Raises `Match.DoesNotExist` if one is missing."""
    # Locked in the order of their keys, so that two actions on several matches cannot deadlock.
    matches = _LOCKED.rows(keys)
    if len(matches) < len(keys):
        raise Match.DoesNotExist
    rounds = {round_.pk: round_ for round_ in _ROUNDS.rows({match.round_id for match in matches})}
    for match in matches:
        match.round = rounds[match.round_id]
        if match.round.status == Round.Status.DRAFT:
            raise Refusal("round_state", _("This round is not published."))
        if running and match.round.stage.event.status != Event.Status.RUNNING:
            raise Refusal("event_state", _("The event is not running."))
    return {match.pk: match for match in matches}


def _at_table(match: Match, by: User) -> tuple[Match, Seat]:
    """The match, locked and with its seats, and the seat of one of its players.

    Raises what `locked_match` does; NotAllowed `not_your_table`, Refusal `round_state` if the round is closed.
    """
    (match,) = with_seats([locked_match(match)])
    seat = own_seat(match, by)
    if seat is None:
        raise NotAllowed("not_your_table", _("Only the players at this table can report its result."))
    if match.round.status == Round.Status.CLOSED:
        raise Refusal("round_state", _("This round is closed: ask the desk."))
    return match, seat


def _shown(match: Match, report: Report, standing: Report | None, counter: Report | None) -> Report:
    """The current state of the report that the user saw. Refusal `report_changed` if it no longer waits."""
    waits = next((each for each in (standing, counter) if each is not None and each.pk == report.pk), None)
    found = waits or match.reports.filter(pk=report.pk, status=Report.Status.CONFIRMED).first()
    if found is None:
        raise Refusal("report_changed", _("The report has changed in the meantime: look at it again."))
    return found


def checked_score(match: Match, games: Sequence[Any], kind: str) -> list[Any]:
    """The score, checked: possible in this match, and taking losses at it into account.

    Raises InvalidInput as `report_result` does.
    """
    score = _possible_score(match, games, kind)
    if not counts_losses(match, score, kind):
        raise InvalidInput(
            "loss_not_counted", _("A player has a game loss or a match loss here: the result has to include it.")
        )
    return score


def _possible_score(match: Match, games: Sequence[Any], kind: str) -> list[Any]:
    if match.has_ranks:
        return _ranks(match, games, kind)
    if match.seats.count() != 2:
        raise Refusal("no_opponent", _("A bye has no result to give."))
    if match.has_boards:
        return _team_score(match, games, kind)
    first, second, drawn = possible_games(games, match.round.stage.best_of)
    _check_kind(match, (first, second, drawn), kind)
    return [first, second, drawn]


def possible_games(games: Any, best_of: int) -> tuple[int, int, int]:
    """Games won by each side and games drawn, if possible in a best of `best_of`; else InvalidInput `score_invalid`."""
    counts = list(games) if isinstance(games, list | tuple) else []
    if len(counts) != 3 or any(not isinstance(count, int) or not 0 <= count <= 9 for count in counts):
        raise InvalidInput("score_invalid", _("Enter the games won by each side, and the games drawn."))
    first, second, drawn = counts
    needed = best_of // 2 + 1
    impossible = first > needed or second > needed or (first == needed and second == needed) or drawn > best_of
    if impossible:
        raise InvalidInput(
            "score_invalid", _("This score is not possible in a best of %(games)d.") % {"games": best_of}
        )
    return first, second, drawn


def _team_score(match: Match, games: Sequence[Any], kind: str) -> list[Any]:
    """The score of a team match, checked: the games of each board, or what a result that was not played gives."""
    if kind not in (Kind.PLAYED, Kind.TIME):
        first, second, drawn = possible_games(games, match.round.stage.games)
        _check_kind(match, (first, second, drawn), kind)
        return [first, second, drawn]
    stage = match.round.stage
    if len(games) != stage.games or not is_by_board(games):
        raise InvalidInput("boards_missing", _("Give the result of each board."))
    boards = [list(possible_games(board, stage.best_of)) for board in games]
    if kind == Kind.PLAYED and any(sum(board) == 0 for board in boards):
        raise InvalidInput(
            "score_invalid", _("No game was played at a board: enter its result, or choose the kind of result.")
        )
    first, second, drawn = totals(match, boards)
    _check_kind(match, (first, second, drawn), kind)
    return boards


def _check_kind(match: Match, games: tuple[int, int, int], kind: str) -> None:
    """Refuse a score that does not go with the kind of the result, or that a bracket cannot have."""
    first, second, drawn = games
    if kind == Kind.INTENTIONAL_DRAW and first != second:
        raise InvalidInput("score_invalid", _("An intentional draw has no winner."))
    if kind in (Kind.CONCESSION, Kind.NO_SHOW, Kind.FORFEIT, Kind.PENALTY_LOSS) and first == second:
        raise InvalidInput("score_invalid", _("This kind of result has a winner, who won more games."))
    if kind == Kind.DOUBLE_LOSS and (first or second):
        raise InvalidInput("score_invalid", _("In a double loss nobody wins a game."))
    if kind == Kind.PLAYED and first == second == drawn == 0:
        raise InvalidInput("score_invalid", _("No game was played: choose the kind of result."))
    if match.round.stage.is_bracket and (first == second or kind in (Kind.INTENTIONAL_DRAW, Kind.DOUBLE_LOSS)):
        raise InvalidInput("winner_missing", _("A match in a bracket cannot be drawn: enter who advances."))


def _ranks(match: Match, places: Sequence[Any], kind: str) -> list[Any]:
    """The ranks and victory points of a table, checked."""
    seats = match.seats.count()
    if kind not in (Kind.PLAYED, Kind.TIME):
        raise InvalidInput("kind_invalid", _("A multiplayer table is either played or ended by time."))
    if len(places) != seats or any(not isinstance(place, list | tuple) or len(place) != 2 for place in places):
        raise InvalidInput("ranks_invalid", _("Give the rank of each seat, and its victory points if there are any."))
    if any(not isinstance(rank, int) or not isinstance(score, int | None) for rank, score in places):
        raise InvalidInput("ranks_invalid", _("Give the rank of each seat, and its victory points if there are any."))
    if any(score is not None and not 0 <= score <= MAX_SCORE for _rank, score in places):
        raise InvalidInput("ranks_invalid", _("Victory points are between 0 and %(most)d.") % {"most": MAX_SCORE})
    try:
        table_points([rank for rank, _score in places])
    except SwissError:
        raise InvalidInput("ranks_invalid", _("Ranks start at 1. After equal ranks, skip the next ones: 1, 2, 2, 4."))
    return [list(place) for place in places]


def _already_settled(match: Match, score: list[Any], kind: str) -> Report:
    """The confirmed report, if it says the same; else a refusal, because only the desk can change the result."""
    confirmed = match.reports.filter(status=Report.Status.CONFIRMED).order_by("-pk").first()
    if confirmed is None or confirmed.games != score or confirmed.kind != kind:
        raise Refusal("already_confirmed", _("This match already has another result: ask the desk."))
    return confirmed


def write_report(
    match: Match,
    by: User,
    seat: Seat | None,
    score: list[Any],
    kind: str,
    now: datetime,
    status: str = Report.Status.STANDING,
) -> Report:
    """Create a report of a locked match, with a ledger entry."""
    report = Report.objects.create(match=match, by=by, seat=seat, games=score, kind=kind, status=status, at=now)
    # A counter report adds nothing: the match is claimed already.
    if status == Report.Status.STANDING:
        Match.objects.filter(pk=match.pk).update(authority=Match.Authority.CLAIMED)
    record(
        match.round.stage.event,
        by,
        "result.reported",
        now,
        object=match.public_id,
        after={"games": score, "kind": kind},
    )
    return report


def _refuse_other_boards(match: Match, score: Sequence[Any]) -> None:
    """Refuse a report of a whole team match that says something else than the players of a board agree on."""
    others = differing_boards(match, score)
    if others:
        raise Refusal(
            "board_agreed",
            _("The players of a board agree on another result: report that one, or ask the desk."),
            details=sorted(others),
        )


def _says(report: Report, score: list[Any], kind: str) -> bool:
    return report.games == score and report.kind == kind


def _only_those_who_differ(seat: Seat, standing: Report, counter: Report | None) -> None:
    """Refuse a third player of a multiplayer table while two reports differ: one of those two has to give way."""
    if counter is not None and seat.pk not in (standing.seat_id, counter.seat_id):
        raise Refusal(
            "reports_differ",
            _(
                "Two players at this table reported different results: one of them can accept the other’s, "
                "or call a judge."
            ),
        )


def count_report(match: Match, report: Report, by: User, now: datetime) -> None:
    """Let a report of a locked match count, as both sides agree on it."""
    match.reports.filter(status__in=WAITING).exclude(pk=report.pk).update(status=Report.Status.REPLACED)
    Report.objects.filter(pk=report.pk).update(status=Report.Status.CONFIRMED)
    report.status = Report.Status.CONFIRMED
    settle(match, report.games, report.kind, Match.Authority.AGREED, by, "result.confirmed", now)


def open_dispute(match: Match, by: User, now: datetime, note: str, board: int | None = None) -> None:
    """Mark a locked match as contested, because of one `board` if a number is given, with a ledger entry."""
    Match.objects.filter(pk=match.pk).update(disputed=True)
    after = None if board is None else {"board": board}
    record(
        match.round.stage.event,
        by,
        "result.contested",
        now,
        object=match.public_id,
        after=after,
        note=note.strip()[:2000],
    )


@dataclass(frozen=True)
class StaffResult:
    """A result as a member of staff gives it, before it is checked.

    `authority` is WITNESSED from the desk and RULED from a judge. `seen` and `acknowledged` are as for `enter_result`.
    """

    games: Sequence[Any]
    kind: str
    authority: str
    reason: str
    seen: int | None
    acknowledged: bool


def set_result(match: Match, given: StaffResult, by: User, now: datetime) -> bool:
    """Set the result of a match for the desk or a judge. Returns False if the same result counted already.

    Raises what `enter_result` raises.
    """
    if given.kind not in STAFF_KINDS:
        raise InvalidInput("kind_invalid", _("There is no such kind of result."))
    with transaction.atomic():
        match = locked_match(match)
        if match.seats.filter(entrant__member__person__account=by).exists():
            raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
        score = checked_score(match, given.games, given.kind)
        # Checked first, so that two people at the desk who enter the same slip both succeed.
        if _counts_already(match, score, given):
            return False
        _check_conflict(match, score, given)
        _check_agreed_boards(match, score, given.reason)
        if match.disputed and given.authority == Match.Authority.WITNESSED:
            raise Refusal("disputed", _("The result is contested. A judge will decide."))
        effects = _acknowledged_effects(match, score, given)
        match.reports.filter(status=Report.Status.STANDING).update(status=Report.Status.REPLACED)
        # Each change by staff has a report too, so that `newest_report_id` shows it to other pages.
        Report.objects.create(match=match, by=by, games=score, kind=given.kind, status=Report.Status.CONFIRMED, at=now)
        settle(match, score, given.kind, given.authority, by, STAFF_CODES[given.authority], now, note=given.reason)
        for effect in effects:
            apply_effect(match.round.stage, effect)
    return True


def _counts_already(match: Match, score: list[Any], given: StaffResult) -> bool:
    same = match.has_result and score_now(match) == (score, given.kind)
    return same and match.authority in NO_LESS_THAN[given.authority]


def _check_conflict(match: Match, score: list[Any], given: StaffResult) -> None:
    """Refuse to replace another result that this person has not seen, or to change one that counts without a reason.

    The details of the refusal are the other results. The same result from two people is no conflict.
    """
    entered = {"games": score, "kind": given.kind}
    others = [standing for standing in results_standing(match) if standing != entered]
    if not others:
        return
    if given.seen is not None and given.seen != newest_report_id(match):
        raise Refusal(
            "result_changed",
            _("Something was entered for this match in the meantime: look at it again."),
            details=others,
        )
    if not given.reason.strip() and (match.has_result or given.seen is None):
        raise InvalidInput(
            "reason_missing", _("There is already another result: changing it needs a reason."), details=others
        )


def _check_agreed_boards(match: Match, score: list[Any], reason: str) -> None:
    """Refuse to enter another result for a board than its players agreed on, without a reason.

    The details of the refusal are these boards with what was agreed. Once the match has a result, that one counts.
    """
    others = {} if match.has_result or reason.strip() else differing_boards(match, score)
    if others:
        raise InvalidInput(
            "reason_missing",
            _("The players of a board agreed on another result: changing it needs a reason."),
            details=[{"board": number, "games": games} for number, games in others.items()],
        )


def results_standing(match: Match) -> list[dict[str, Any]]:
    """The result that counts; or else the one or two reports that wait. Each has `games` and `kind`."""
    if match.has_result:
        return [dict(zip(("games", "kind"), score_now(match), strict=True))]
    reports = (report for report in differing_reports(match) if report is not None)
    return [{"games": report.games, "kind": report.kind} for report in reports]


def _acknowledged_effects(match: Match, score: list[Any], given: StaffResult) -> list[Effect]:
    """What the result changes in later matches. Refusal `affects_later` if there is anything nobody acknowledged."""
    effects = effects_of(match, score, given.kind)
    if effects and not given.acknowledged:
        raise Refusal(
            "affects_later",
            _("Later matches depend on this result: look at what changes, then confirm it."),
            details=[effect.as_json() for effect in effects],
        )
    return effects


def score_now(match: Match) -> tuple[list[Any], str]:
    """The score that counts, and its kind.

    The score is games won by each seat and games drawn; at a multiplayer table, the rank and points of each seat; of a
    team match, the games of each board.
    """
    if match.has_boards and (boards := score_by_board(match)) is not None:
        return boards, match.kind
    if match.has_ranks:
        return [[seat.rank, seat.score] for seat in match.seats.order_by("number")], match.kind
    won = [seat.games_won or 0 for seat in match.seats.order_by("number")]
    return [*won, match.games_drawn or 0], match.kind


def _evidence_of(match: Match, played: set[int] | None = None) -> str:
    """The weakest evidence among the games that the result counts: the games `played`, or those of the result."""
    if played is None and match.games_drawn is None and not match.has_ranks:
        return str(Match.Evidence.NONE)  # no result counts any game
    if played is None:
        played = games_counted(match, score_now(match)[0])
    order = list(Match.Evidence.values)
    found = [game.evidence for game in match.games.all() if game.number in played]
    weakest = min(found, key=order.index, default=Match.Evidence.NONE)
    return weakest if len(found) == len(played) else Match.Evidence.NONE


def clear_result(match: Match, by: User, now: datetime) -> None:
    """Leave a match without a result that counts. The newest report of a player waits again."""
    players = match.reports.filter(seat__isnull=False).exclude(status=Report.Status.COUNTER)
    report = players.order_by("-pk").first()
    waits = report is not None and report.status == Report.Status.REPLACED
    if report is not None and waits:
        Report.objects.filter(pk=report.pk).update(status=Report.Status.STANDING)
    authority = Match.Authority.CLAIMED if waits else Match.Authority.NONE
    Match.objects.filter(pk=match.pk).update(kind=Kind.PLAYED, games_drawn=None, authority=authority, evidence="")
    match.seats.update(games_won=None, points=None, rank=None, score=None)
    clear_boards(match)
    entry = record(match.round.stage.event, by, "result.undone", now, object=match.public_id)
    results_moved(match.round.stage, entry.number, now)


def settle(
    match: Match, score: Sequence[Any], kind: str, authority: str, by: User, code: str, now: datetime, note: str = ""
) -> None:
    """Write the result that counts, add a ledger entry with `code`, and queue the computation of standings.

    The match must be locked (`locked_match`), and the score checked.
    """
    before = None if match.games_drawn is None else dict(zip(("games", "kind"), score_now(match), strict=True))
    drawn = 0 if match.has_ranks else totals(match, score)[2]
    match.kind, match.games_drawn, match.authority, match.disputed = kind, drawn, authority, False
    match.evidence = _evidence_of(match, games_counted(match, score))
    match.save(update_fields=["kind", "games_drawn", "authority", "evidence", "disputed"])
    seats = list(match.seats.select_related("entrant").order_by("number"))
    if match.has_ranks:
        _write_ranks(seats, score)
    else:
        _write_games(match, seats, totals(match, score))
        if match.has_boards:
            write_boards(match, score)
    entry = record(
        match.round.stage.event,
        by,
        code,
        now,
        object=match.public_id,
        before=before,
        after={"games": list(score), "kind": kind, "authority": authority},
        note=note.strip()[:2000],
    )
    results_moved(match.round.stage, entry.number, now)


def _write_games(match: Match, seats: list[Seat], score: Sequence[int]) -> None:
    for seat, won in zip(seats, score, strict=False):
        seat.games_won = won
    # `swiss_match` must see the new `games_won`, which are not saved yet.
    match._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]  # Django's own
    for seat, points in zip(seats, points_of(swiss_match(match)), strict=True):
        seat.points = points
        seat.save(update_fields=["games_won", "points"])


def _write_ranks(seats: list[Seat], places: Sequence[Any]) -> None:
    points = table_points([rank for rank, _score in places])
    for seat, (rank, score), worth in zip(seats, places, points, strict=True):
        seat.rank, seat.score, seat.points = rank, score, worth
        seat.save(update_fields=["rank", "score", "points"])
