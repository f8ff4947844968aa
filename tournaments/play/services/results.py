"""Gestures on a result. A match's row is their lock; the ledger's head comes last.

A report by one player waits until the opponent confirms it, or reports otherwise. While the two differ each may still
give way; a judge is called when one of them asks. What counts is written on the match and its seats by `settle` alone,
which also asks for new standings. No audit changes a result: people do.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.models import Entrant, Event, Stage
from tournaments.play.effects import apply_effect, effects_of
from tournaments.play.field import swiss_match
from tournaments.play.losses import counts_losses
from tournaments.play.models import Game, Match, Report, Round, Seat
from tournaments.play.selectors import differing_reports, is_of_one_account, newest_report_id
from tournaments.play.services.entries import record
from tournaments.swiss.field import SwissError, points_of
from tournaments.swiss.tables import table_points

Kind = Match.Kind
# Reports that wait for the players.
WAITING = (Report.Status.STANDING, Report.Status.COUNTER)
# What a player may report; the other kinds are staff's.
PLAYER_KINDS = (Kind.PLAYED, Kind.INTENTIONAL_DRAW, Kind.CONCESSION)
MAX_SCORE = 9_999
STAFF_KINDS = (*PLAYER_KINDS, Kind.NO_SHOW, Kind.DOUBLE_LOSS, Kind.TIME, Kind.PENALTY_LOSS, Kind.FORFEIT)


def report_result(*, match: Match, by: User, games: Sequence[Any], now: datetime, kind: str = Kind.PLAYED) -> Report:
    """A player gives the result of the match: games won by seat 1, by seat 2, drawn.

    At a table of several `games` holds the rank and the victory points (or None) of each seat instead, such as
    `[(2, 5), (1, 9), (3, None)]`; another player of the table confirms it.

    The same report twice is one. The opponent's same report confirms it; a different one stands beside it (`COUNTER`)
    until one of the two gives way. A player's own report that still waits is replaced.
    """
    if kind not in PLAYER_KINDS:
        raise InvalidInput("kind_invalid", _("Only staff can give this kind of result."))
    with transaction.atomic():
        match = locked_match(match)
        seat = _seat_of(match, by)
        if is_of_one_account(match):
            raise NotAllowed("one_account", _("All players of this table are yours: the desk enters the result."))
        score = _score(match, games, kind)
        if match.has_result:
            return _already_settled(match, score, kind)
        if match.disputed:
            raise Refusal("disputed", _("The result is contested: a judge decides."))
        standing = match.reports.filter(status=Report.Status.STANDING).first()
        if standing is None:
            return _report(match, by, seat, score, kind, now)
        counter = match.reports.filter(status=Report.Status.COUNTER).first()
        _only_those_who_differ(seat, standing, counter)
        own, other = (standing, counter) if standing.seat_id == seat.pk else (counter, standing)
        if own is not None and _says(own, score, kind):
            return own
        if other is not None and _says(other, score, kind):
            _confirm(match, other, by, now)
            return other
        status = Report.Status.STANDING if own is standing else Report.Status.COUNTER
        match.reports.filter(status=status).update(status=Report.Status.REPLACED)
        return _report(match, by, seat, score, kind, now, status)


def confirm_result(*, match: Match, report: Report, by: User, now: datetime) -> None:
    """The opponent agrees with the report shown, or gives way to it where the two differ; the result counts.

    Twice is once.
    """
    with transaction.atomic():
        match = locked_match(match)
        seat = _seat_of(match, by)
        shown = _standing(match, report)
        if shown.status == Report.Status.CONFIRMED:
            return
        if shown.seat_id == seat.pk:
            raise NotAllowed("own_report", _("Your opponent confirms your report."))
        standing, counter = differing_reports(match)
        if standing is not None:
            _only_those_who_differ(seat, standing, counter)
        _confirm(match, shown, by, now)


def contest_result(*, match: Match, report: Report, by: User, now: datetime, reason: str = "") -> None:
    """Call a judge to a report: the match is disputed until the judge rules.

    The opponent may, and where the two reports differ everybody at the table.
    """
    with transaction.atomic():
        match = locked_match(match)
        seat = _seat_of(match, by)
        standing = _standing(match, report)
        if standing.status == Report.Status.CONFIRMED:
            raise Refusal("already_confirmed", _("This result is confirmed already."))
        differ = match.reports.filter(status=Report.Status.COUNTER).exists()
        if standing.seat_id == seat.pk and not differ:
            raise NotAllowed("own_report", _("Report another result to change your own."))
        match.reports.filter(status__in=WAITING).update(status=Report.Status.CONTESTED)
        _dispute(match, by, now, note=reason)


def override_result(
    *,
    match: Match,
    by: User,
    games: Sequence[Any],
    now: datetime,
    kind: str = Kind.PLAYED,
    reason: str = "",
    seen: int | None = None,
    acknowledged: bool = False,
) -> None:
    """The desk enters a result. One that counts is changed with a reason alone; the same one is a silent tick.

    When players sit elsewhere by the result that counts, `effects_of` says what changes and what stands, and the change
    is refused (`affects_later`) unless it is `acknowledged`.

    `seen` is the newest report of the page that was clicked (`selectors.newest_report_id`): when another came in
    since, nothing is done and the desk is told.
    """
    _staff_result(match, by, games, kind, reason, now, Match.Authority.WITNESSED, "result.entered", seen, acknowledged)


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
    """A judge's ruling sets the result and ends the dispute; it always has a reason.

    `seen` and `acknowledged` as in `override_result`.
    """
    if not reason.strip():
        raise InvalidInput("reason_missing", _("A ruling needs a reason."))
    _staff_result(match, by, games, kind, reason, now, Match.Authority.RULED, "result.ruled", seen, acknowledged)


def concede(*, match: Match, entrant: Entrant, by: User, now: datetime, kind: str = Kind.CONCESSION) -> None:
    """Give a match of two without a result to the opponent of an entrant who leaves it; inside a transaction."""
    match = locked_match(match)
    needed = match.round.stage.best_of // 2 + 1
    score = [0 if seat.entrant_id == entrant.pk else needed for seat in match.seats.order_by("number")]
    match.reports.filter(status=Report.Status.STANDING).update(status=Report.Status.REPLACED)
    settle(match, [*score, 0], kind, Match.Authority.WITNESSED, by, "result.conceded", now)


def void_result(*, match: Match, by: User, now: datetime, note: str = "") -> None:
    """Take the result of a match away, so that it is played and reported again; a dispute ends. Only while its round
    is open.
    """
    with transaction.atomic():
        match = locked_match(match)
        if match.seats.filter(entrant__member__person__account=by).exists():
            raise NotAllowed("own_match", _("Staff who play have no staff right over their own match."))
        if match.seats.count() < 2:
            raise Refusal("no_opponent", _("A bye has no result to give."))
        if match.round.status == Round.Status.CLOSED:
            raise Refusal("round_state", _("This round is closed: its results stand, or are changed."))
        before = None if match.games_drawn is None else dict(zip(("games", "kind"), score_now(match), strict=True))
        match.reports.exclude(status=Report.Status.REPLACED).update(status=Report.Status.REPLACED)
        match.seats.update(games_won=None, rank=None, score=None, points=None)
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


def record_evidence(
    *, game: Game, report_digest: str, evidence: str, ended: str, winner: Seat | None, now: datetime
) -> None:
    """Note what an audit found of a game. The result is left as it is, and so is stronger evidence found before."""
    strength = list(Match.Evidence.values)
    with transaction.atomic():
        match = locked_match(game.match, running=False)
        known = Game.objects.get(pk=game.pk)
        if strength.index(evidence) >= strength.index(known.evidence):
            if known.winner is not None and evidence == known.evidence and winner != known.winner:
                ended, winner = "contradicted", None  # two logs that prove as much prove nothing of the winner
            known.report_digest, known.evidence, known.ended, known.winner = report_digest, evidence, ended[:20], winner
            known.save(update_fields=["report_digest", "evidence", "ended", "winner"])
            Match.objects.filter(pk=match.pk).update(evidence=_evidence_of(match))
        record(
            match.round.stage.event,
            None,
            "game.audited",
            now,
            object=match.public_id,
            after={"game": game.number, "evidence": evidence, "report": report_digest},
        )


def results_moved(stage: Stage, version: int, now: datetime) -> None:
    """Stamp a stage with the version of its results and ask for standings of it."""
    Stage.objects.filter(pk=stage.pk).update(results_version=version)
    jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)


def locked_match(match: Match, *, running: bool = True) -> Match:
    """The match as it is now, its row locked until the transaction ends, with its round and event.

    Raises Refusal `round_state` before the round is published, and where `running` `event_state` unless the event runs.
    """
    locked = Match.objects.select_for_update().get(pk=match.pk)
    locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
    if locked.round.status == Round.Status.DRAFT:
        raise Refusal("round_state", _("This round is not published."))
    if running and locked.round.stage.event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    return locked


def _seat_of(match: Match, by: User) -> Seat:
    seat = match.seats.filter(entrant__member__person__account=by).first()
    if seat is None:
        raise NotAllowed("not_your_table", _("Only the players of this table report its result."))
    if match.round.status == Round.Status.CLOSED:
        raise Refusal("round_state", _("This round is closed: ask the desk."))
    return seat


def _standing(match: Match, report: Report) -> Report:
    """The report as the database has it now, if the page that was clicked still tells the truth."""
    fresh = match.reports.filter(pk=report.pk).first()
    waits = {report.pk for report in differing_reports(match) if report is not None}
    if fresh is None or (fresh.pk not in waits and fresh.status != Report.Status.CONFIRMED):
        raise Refusal("report_changed", _("The report changed meanwhile: look at it again."))
    return fresh


def _score(match: Match, games: Sequence[Any], kind: str) -> list[Any]:
    """The score, if it can be one of this match and counts what is lost in it."""
    score = _possible_score(match, games, kind)
    if not counts_losses(match, score, kind):
        raise InvalidInput("loss_not_counted", _("A player has lost a game or this match: the result has to count it."))
    return score


def _possible_score(match: Match, games: Sequence[Any], kind: str) -> list[Any]:
    if match.has_ranks:
        return _ranks(match, games, kind)
    best_of = match.round.stage.best_of
    needed = best_of // 2 + 1
    if match.seats.count() != 2:
        raise Refusal("no_opponent", _("A bye has no result to give."))
    if len(games) != 3 or any(not isinstance(count, int) or not 0 <= count <= 9 for count in games):
        raise InvalidInput("score_invalid", _("A score is games won by each side and games drawn."))
    first, second, drawn = games
    impossible = first > needed or second > needed or (first == needed and second == needed) or drawn > best_of
    if impossible:
        raise InvalidInput(
            "score_invalid", _("This score is not possible in a best of %(games)d.") % {"games": best_of}
        )
    if kind == Kind.INTENTIONAL_DRAW and first != second:
        raise InvalidInput("score_invalid", _("An intentional draw has no winner."))
    if kind in (Kind.CONCESSION, Kind.NO_SHOW, Kind.FORFEIT, Kind.PENALTY_LOSS) and first == second:
        raise InvalidInput("score_invalid", _("This kind of result has a winner, who won more games."))
    if kind == Kind.DOUBLE_LOSS and (first or second):
        raise InvalidInput("score_invalid", _("In a double loss nobody wins a game."))
    if kind == Kind.PLAYED and first == second == drawn == 0:
        raise InvalidInput("score_invalid", _("No game was played: say which kind of result it is."))
    if match.round.stage.is_bracket and (first == second or kind in (Kind.INTENTIONAL_DRAW, Kind.DOUBLE_LOSS)):
        raise InvalidInput("winner_missing", _("No match of a bracket is drawn: say who goes on."))
    return [first, second, drawn]


def _ranks(match: Match, places: Sequence[Any], kind: str) -> list[Any]:
    """The ranks and victory points of a table, if they can be its."""
    seats = match.seats.count()
    if kind not in (Kind.PLAYED, Kind.TIME):
        raise InvalidInput("kind_invalid", _("A table of several is played, or ended by time."))
    if len(places) != seats or any(not isinstance(place, list | tuple) or len(place) != 2 for place in places):
        raise InvalidInput("ranks_invalid", _("Say the rank of each seat, and its victory points if there are any."))
    if any(not isinstance(rank, int) or not isinstance(score, int | None) for rank, score in places):
        raise InvalidInput("ranks_invalid", _("Say the rank of each seat, and its victory points if there are any."))
    if any(score is not None and not 0 <= score <= MAX_SCORE for _rank, score in places):
        raise InvalidInput("ranks_invalid", _("Victory points are between 0 and %(most)d.") % {"most": MAX_SCORE})
    try:
        table_points([rank for rank, _score in places])
    except SwissError:
        raise InvalidInput(
            "ranks_invalid", _("Ranks start at 1, and equal ranks leave the next ones free: 1, 2, 2, 4.")
        )
    return [list(place) for place in places]


def _already_settled(match: Match, score: list[Any], kind: str) -> Report:
    """The same result again is a silent tick; another one is for the desk."""
    confirmed = match.reports.filter(status=Report.Status.CONFIRMED).order_by("-pk").first()
    if confirmed is None or confirmed.games != score or confirmed.kind != kind:
        raise Refusal("already_confirmed", _("This match has another result already: ask the desk."))
    return confirmed


def _report(
    match: Match,
    by: User,
    seat: Seat | None,
    score: list[Any],
    kind: str,
    now: datetime,
    status: str = Report.Status.STANDING,
) -> Report:
    report = Report.objects.create(match=match, by=by, seat=seat, games=score, kind=kind, status=status, at=now)
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


def _says(report: Report, score: list[Any], kind: str) -> bool:
    return report.games == score and report.kind == kind


def _only_those_who_differ(seat: Seat, standing: Report, counter: Report | None) -> None:
    """At a table of several, where two reports differ one of these two gives way: a third does not decide."""
    if counter is not None and seat.pk not in (standing.seat_id, counter.seat_id):
        raise Refusal(
            "reports_differ", _("Two players of this table gave different results: one gives way, or call a judge.")
        )


def _confirm(match: Match, report: Report, by: User, now: datetime) -> None:
    match.reports.filter(status__in=WAITING).exclude(pk=report.pk).update(status=Report.Status.REPLACED)
    Report.objects.filter(pk=report.pk).update(status=Report.Status.CONFIRMED)
    report.status = Report.Status.CONFIRMED
    settle(match, report.games, report.kind, Match.Authority.AGREED, by, "result.confirmed", now)


def _dispute(match: Match, by: User, now: datetime, note: str) -> None:
    Match.objects.filter(pk=match.pk).update(disputed=True)
    record(match.round.stage.event, by, "result.contested", now, object=match.public_id, note=note.strip()[:2000])


def _staff_result(
    match: Match,
    by: User,
    games: Sequence[Any],
    kind: str,
    reason: str,
    now: datetime,
    authority: str,
    code: str,
    seen: int | None,
    acknowledged: bool,
) -> None:
    if kind not in STAFF_KINDS:
        raise InvalidInput("kind_invalid", _("There is no such kind of result."))
    with transaction.atomic():
        match = locked_match(match)
        if match.seats.filter(entrant__member__person__account=by).exists():
            raise NotAllowed("own_match", _("Staff who play have no staff right over their own match."))
        score = _score(match, games, kind)
        if match.has_result and score_now(match) == (score, kind) and match.authority in (authority, "ruled"):
            return
        if seen is not None and seen != newest_report_id(match):
            raise Refusal("result_changed", _("The result changed meanwhile: look at it again."))
        if match.has_result and not reason.strip():
            raise InvalidInput("reason_missing", _("Changing a result that counts needs a reason."))
        if match.disputed and authority == Match.Authority.WITNESSED:
            raise Refusal("disputed", _("The result is contested: a judge decides."))
        effects = effects_of(match, score, kind)
        if effects and not acknowledged:
            raise Refusal(
                "affects_later",
                _("What was played since stands on this result: look at what changes, then confirm it."),
                details=[effect.as_json() for effect in effects],
            )
        match.reports.filter(status=Report.Status.STANDING).update(status=Report.Status.REPLACED)
        Report.objects.create(match=match, by=by, games=score, kind=kind, status=Report.Status.CONFIRMED, at=now)
        settle(match, score, kind, authority, by, code, now, note=reason)
        for effect in effects:
            apply_effect(match.round.stage, effect)


def score_now(match: Match) -> tuple[list[Any], str]:
    """The score that counts and its kind: games won by each seat and games drawn, or rank and points of each seat."""
    if match.has_ranks:
        return [[seat.rank, seat.score] for seat in match.seats.order_by("number")], match.kind
    won = [seat.games_won or 0 for seat in match.seats.order_by("number")]
    return [*won, match.games_drawn or 0], match.kind


def _evidence_of(match: Match, played: int | None = None) -> str:
    """The weakest evidence of the games that a result counts: the first `played`, by default those of the result."""
    if played is None:
        played = _games_counted(match, score_now(match)[0])
    order = list(Match.Evidence.values)
    found = [game.evidence for game in match.games.all() if game.number <= played]
    return min(found, key=order.index, default=Match.Evidence.NONE) if len(found) == played else Match.Evidence.NONE


def _games_counted(match: Match, score: Sequence[Any]) -> int:
    return 1 if match.has_ranks else sum(score)


def clear_result(match: Match, by: User, now: datetime) -> None:
    """Leave a match without a result that counts; the newest report of a player waits again."""
    players = match.reports.filter(seat__isnull=False).exclude(status=Report.Status.COUNTER)
    report = players.order_by("-pk").first()
    waits = report is not None and report.status == Report.Status.REPLACED
    if report is not None and waits:
        Report.objects.filter(pk=report.pk).update(status=Report.Status.STANDING)
    authority = Match.Authority.CLAIMED if waits else Match.Authority.NONE
    Match.objects.filter(pk=match.pk).update(kind=Kind.PLAYED, games_drawn=None, authority=authority, evidence="")
    match.seats.update(games_won=None, points=None, rank=None, score=None)
    entry = record(match.round.stage.event, by, "result.undone", now, object=match.public_id)
    results_moved(match.round.stage, entry.number, now)


def settle(
    match: Match, score: Sequence[Any], kind: str, authority: str, by: User, code: str, now: datetime, note: str = ""
) -> None:
    """Write the result that counts, tell it to the ledger under `code`, and ask for standings of it.

    The match is locked (`locked_match`) and the score was checked.
    """
    before = None if match.games_drawn is None else dict(zip(("games", "kind"), score_now(match), strict=True))
    drawn = 0 if match.has_ranks else score[2]
    match.kind, match.games_drawn, match.authority, match.disputed = kind, drawn, authority, False
    match.evidence = _evidence_of(match, _games_counted(match, score))
    match.save(update_fields=["kind", "games_drawn", "authority", "evidence", "disputed"])
    seats = list(match.seats.select_related("entrant").order_by("number"))
    if match.has_ranks:
        _write_ranks(seats, score)
    else:
        _write_games(match, seats, score)
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
    match._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]  # Django's own
    for seat, points in zip(seats, points_of(swiss_match(match)), strict=True):
        seat.points = points
        seat.save(update_fields=["games_won", "points"])


def _write_ranks(seats: list[Seat], places: Sequence[Any]) -> None:
    points = table_points([rank for rank, _score in places])
    for seat, (rank, score), worth in zip(seats, places, points, strict=True):
        seat.rank, seat.score, seat.points = rank, score, worth
        seat.save(update_fields=["rank", "score", "points"])
