"""Actions on disputes: a player claims, a judge rules, a player appeals, and the head judge's ruling is final.

Every action locks the match's row first. Results change only through `play.services`. A ruling names the state of the
match that it is based on (`state_of`); if that state has changed, nothing happens and the judge gets `result_changed`.
Claims, reasons and appeals are stored as ledger notes, which can be erased.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits.models import Dispute, MoveLog, Ruling, Signature
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import roles_of
from tournaments.events.models import Event, StaffRole
from tournaments.judging.penalties import give_penalty
from tournaments.play import services as play
from tournaments.play.access import seat_of
from tournaments.play.models import Match, Report, Round
from tournaments.play.selectors import seats_said
from tournaments.play.services.results import score_now

Decision = Ruling.Decision
LONGEST = 2000  # characters of a claim, a reason or an appeal; the rest is cut off


@dataclass(frozen=True)
class RulingPenalty:
    """A penalty given with a ruling, to the entrant at `seat` (from 1). Without `level`, the ladder proposes it."""

    seat: int
    infraction: str
    level: str = ""
    when: str = "now"


@dataclass(frozen=True)
class Wanted:
    """The ruling that a judge wants to give.

    `decision`: "keep", "change" or "replay" (`Ruling.Decision`).
    `games`, `kind`: the new result, for "change" only; other decisions refuse `games`, so that a ruling never sets a
    result other than the one it names.
    `game`: the number of the game to replay, for "replay"; None for the whole match.
    """

    decision: str
    reason: str
    games: Sequence[Any] | None = None
    kind: str = Match.Kind.PLAYED
    game: int | None = None
    penalty: RulingPenalty | None = None


def state_of(match: Match) -> str:
    """SHA-256 of everything a ruling is based on.

    Covers the result, the reports, the logs with their audits, the rulings so far, and saved boards with their
    signatures if there are any.
    """
    fresh = Match.objects.get(pk=match.pk)
    reports = fresh.reports.order_by("pk").values_list("pk", "games", "kind", "status")
    logs = MoveLog.objects.filter(game__match=fresh).order_by("pk").values_list("public_id", "sha256", "audit__digest")
    seats = fresh.seats.order_by("number").values_list("number", "games_won", "rank", "score")
    rulings = Ruling.objects.filter(dispute__match=fresh).order_by("pk").values_list("dispute__public_id", "number")
    boards = fresh.positions.order_by("pk").values_list("public_id", "digest")
    signed = (
        Signature.objects.filter(position__match=fresh).order_by("pk").values_list("digest", "seat__number", "agrees")
    )
    # Left out when empty, so that the digest of a match without boards does not depend on this feature.
    saved = [list(map(list, rows)) for rows in (boards, signed)] if boards else []
    result = [fresh.kind, fresh.games_drawn, fresh.authority, fresh.evidence, fresh.disputed]
    state = [result, *(list(map(list, rows)) for rows in (seats, reports, logs, rulings)), *saved]
    return hashlib.sha256(json.dumps(state, separators=(",", ":")).encode()).hexdigest()


def claim_wrong(*, match: Match, by: User, reason: str, now: datetime) -> Dispute:
    """Open a dispute as a player who says that the result, or something that happened in the match, is wrong.

    The result stands until a judge rules. Raises Refusal `disputed` if a judge is already looking into the match,
    `too_late` once the next round is paired, and `event_state`; NotAllowed `not_your_table`; InvalidInput
    `reason_missing`.
    """
    with transaction.atomic():
        match = _locked(match)
        _players_alone(match, by)
        note = _required(reason)
        _while_it_matters(match)
        if match.disputes.filter(status__in=Dispute.LIVE).exists() or match.disputed:
            raise Refusal("disputed", _("The result is contested. A judge will decide."))
        dispute = Dispute.objects.create(match=match, opened_at=now)
        _record(dispute, by, "dispute.claimed", now, note=note)
    return dispute


def may_claim(match: Match) -> bool:
    """Whether a player of the match can claim now that its result is wrong, for pages that offer it."""
    live = match.disputed or match.disputes.filter(status__in=Dispute.LIVE).exists()
    return match.has_result and not live and not no_longer_disputable([match])


def no_longer_disputable(matches: Iterable[Match]) -> frozenset[int]:
    """The keys of the matches whose results players can no longer dispute.

    That is when the next round is paired, or the event is not running. `matches` must come with their rounds, stages
    and events. One query.
    """
    listed = list(matches)
    stages = {match.round.stage_id for match in listed}
    last = dict(
        Round.objects.filter(stage__in=stages).order_by().values("stage").annotate(last=Max("number"))
        .values_list("stage", "last")
    )  # fmt: skip
    return frozenset(
        match.pk
        for match in listed
        if match.round.number < last[match.round.stage_id] or match.round.stage.event.status != Event.Status.RUNNING
    )


def _while_it_matters(match: Match) -> None:
    if match.round.stage.event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    if no_longer_disputable([match]):
        raise Refusal("too_late", _("The next round is paired, so earlier results can no longer be contested."))


def open_dispute(*, match: Match, now: datetime) -> tuple[Dispute, bool]:
    """Return the live dispute of a match and False, or open one and return it and True.

    A contested report has no dispute until a judge acts on it. The caller must write the ledger entry, last in the
    transaction: the ruling that ends the new dispute, or `record_opened`.
    """
    with transaction.atomic():
        match = _locked(match)
        live = match.disputes.filter(status__in=Dispute.LIVE).first()
        return (live, False) if live else (Dispute.objects.create(match=match, opened_at=now), True)


def record_opened(dispute: Dispute, *, by: User, now: datetime) -> None:
    """Write the ledger entry of a dispute that a judge opened without a complaint."""
    _record(dispute, by, "dispute.opened", now)


def rule(
    *,
    match: Match,
    by: User,
    wanted: Wanted,
    now: datetime,
    state: str = "",
    seen: int | None = None,
    acknowledged: bool = False,
) -> Ruling:
    """Rule on a match as a judge: keep its result, change it, or have the match (or one game) played again.

    `state` is the `state_of` the match on the page that the judge read (empty: do not check), `seen` the newest report
    there; if either has changed, raises Refusal `result_changed`. `acknowledged` is as for `play.rule_result` and
    `play.replay_match`.

    Raises NotAllowed `head_judge_needed` for an appealed ruling unless `by` is a head judge, InvalidInput
    `score_not_taken` for a score with a decision that takes none, `reason_missing`, `no_such_game` and `seat_unknown`,
    Refusal `nothing_to_keep`, and what `play` and `give_penalty` raise. If the penalty is refused, so is the ruling.
    """
    note = _required(wanted.reason)
    if wanted.decision != Decision.CHANGE and wanted.games is not None:
        raise InvalidInput(
            "score_not_taken",
            _("A score only goes with a changed result: leave it blank, or choose to change the result."),
        )
    with transaction.atomic():
        if wanted.penalty is not None or wanted.decision == Decision.REPLAY:
            # Penalties and replays lock the event. Everybody locks the event before the match, or two could deadlock.
            Event.objects.select_for_update().get(stages__rounds=match.round_id)
        match = _locked(match)
        now_state = state_of(match)
        if state and state != now_state:
            raise Refusal(
                "result_changed", _("Something was entered for this match in the meantime: look at it again.")
            )
        dispute, _new = open_dispute(match=match, now=now)
        head = StaffRole.Role.HEAD_JUDGE in roles_of(by, match.round.stage.event)
        if dispute.status == Dispute.Status.APPEALED and not head:
            raise NotAllowed("head_judge_needed", _("The ruling was appealed: the head judge will decide."))
        first = match.games_drawn is None
        games, kind = _carried_out(match, by, wanted, dispute, now, seen, acknowledged)
        number = dispute.rulings.count() + 1
        after = {
            "match": match.public_id,
            "decision": wanted.decision,
            "games": games,
            "kind": kind,
            "game": wanted.game,
            "state": now_state,
            "head": head,
            "first": first,
        }
        entry = _record(dispute, by, "dispute.ruled", now, after=after, note=note)
        dispute.status = Dispute.Status.RULED
        dispute.save(update_fields=["status"])
        ruling = Ruling.objects.create(
            dispute=dispute,
            number=number,
            by=by,
            at=now,
            head=head,
            decision=wanted.decision,
            games=games,
            kind=kind,
            game=wanted.game,
            state=now_state,
            entry=entry.number,
        )
        if wanted.penalty is not None:
            _punish(match, wanted.penalty, by, note, now, acknowledged)
        return ruling


def _punish(match: Match, penalty: RulingPenalty, by: User, note: str, now: datetime, acknowledged: bool) -> None:
    """Give the penalty that comes with a ruling, with the same reason."""
    seat = match.seats.select_related("entrant__event").filter(number=penalty.seat).first()
    if seat is None:
        raise InvalidInput("seat_unknown", seats_said(match), details=[penalty.seat])
    give_penalty(
        entrant=seat.entrant,
        infraction=penalty.infraction,
        level=penalty.level,
        when=penalty.when,
        match=match,
        by=by,
        note=note,
        now=now,
        acknowledged=acknowledged,
    )


def appeal(*, match: Match, by: User, reason: str, now: datetime) -> Dispute:
    """Appeal the last ruling of a match to the head judge, as one of its players. The ruling stands until then.

    Raises Refusal `nothing_to_appeal` without a ruling, `ruling_final` after a head judge's ruling, `too_late` once
    the next round is paired, and `event_state`; NotAllowed `not_your_table`; InvalidInput `reason_missing`.
    """
    with transaction.atomic():
        match = _locked(match)
        _players_alone(match, by)
        note = _required(reason)
        dispute = match.disputes.order_by("-pk").first()
        if dispute is None or dispute.status != Dispute.Status.RULED:
            raise Refusal("nothing_to_appeal", _("There is no ruling to appeal."))
        if dispute.rulings.filter(head=True).exists():
            raise Refusal("ruling_final", _("The head judge has ruled: this is final."))
        _while_it_matters(match)
        dispute.status, dispute.appealed_by, dispute.appealed_at = Dispute.Status.APPEALED, by, now
        dispute.save(update_fields=["status", "appealed_by", "appealed_at"])
        _record(dispute, by, "dispute.appealed", now, note=note)
    return dispute


def contested_report(match: Match) -> Report | None:
    """The report that a dispute is about: the first one contested since the last confirmed one."""
    settled = match.reports.filter(status=Report.Status.CONFIRMED).order_by("-pk").first()
    contested = match.reports.filter(status=Report.Status.CONTESTED, pk__gt=settled.pk if settled else 0)
    return contested.order_by("pk").first()


def kept(match: Match) -> tuple[list[Any], str] | None:
    """The games and kind that a "keep" ruling would confirm, or None if there is nothing to keep.

    That is the current result, or the contested report if the match has no undisputed result.
    """
    if match.games_drawn is not None and not match.disputed:
        seats = list(match.seats.order_by("number"))
        if match.has_boards:
            return score_now(match)
        if match.has_ranks:
            return [[seat.rank, seat.score] for seat in seats], match.kind
        return [*(seat.games_won or 0 for seat in seats), match.games_drawn], match.kind
    report = contested_report(match)
    return (report.games, report.kind) if report else None


def decisions_open(match: Match, by: User, now: datetime) -> frozenset[str]:
    """The decisions that `rule` would accept from this judge at `now`, for pages that offer them."""
    event = match.round.stage.event
    live = match.disputes.filter(status=Dispute.Status.APPEALED).exists()
    if event.status != Event.Status.RUNNING or match.round.status == Round.Status.DRAFT:
        return frozenset()
    if live and StaffRole.Role.HEAD_JUDGE not in roles_of(by, event):
        return frozenset()
    decisions = {Decision.CHANGE}
    if kept(match) is not None:
        decisions.add(Decision.KEEP)
    if play.can_be_replayed(match, now):
        decisions.add(Decision.REPLAY)
    return frozenset(decisions)


def _carried_out(
    match: Match, by: User, wanted: Wanted, dispute: Dispute, now: datetime, seen: int | None, acknowledged: bool
) -> tuple[list[Any] | None, str]:
    """Apply a decision to the result; return the games (None for a replay) and kind that count now."""
    if wanted.decision == Decision.REPLAY:
        if wanted.game is not None and not match.games.filter(number=wanted.game).exists():
            raise InvalidInput("no_such_game", _("This match has no such game."))
        play.replay_match(match=match, by=by, now=now, note=dispute.public_id, acknowledged=acknowledged)
        return None, Match.Kind.PLAYED
    games, kind = (wanted.games, wanted.kind) if wanted.decision == Decision.CHANGE else _to_keep(match)
    if games is None:
        raise InvalidInput("score_invalid", _("Enter the games won by each side, and the games drawn."))
    # The judge's words are stored once, as the note of the dispute; the entry of the result refers to it by id.
    play.rule_result(
        match=match,
        by=by,
        games=games,
        kind=kind,
        reason=dispute.public_id,
        now=now,
        seen=seen,
        acknowledged=acknowledged,
    )
    return list(games), kind


def _to_keep(match: Match) -> tuple[list[Any], str]:
    found = kept(match)
    if found is None:
        raise Refusal("nothing_to_keep", _("Nobody has reported a result that could be kept."))
    return found


def _locked(match: Match) -> Match:
    locked = Match.objects.select_for_update().get(pk=match.pk)
    locked.round = Round.objects.select_related("stage__event").get(pk=locked.round_id)
    return locked


def _players_alone(match: Match, by: User) -> None:
    if seat_of(by, match) is None:
        raise NotAllowed("not_your_table", _("Only the players at this table can do this."))


def _required(reason: str) -> str:
    if not reason.strip():
        raise InvalidInput("reason_missing", _("Give a reason."))
    return reason.strip()[:LONGEST]


def _record(
    dispute: Dispute, by: User, code: str, now: datetime, *, after: object = None, note: str = ""
) -> LedgerEntry:
    return ledger.record(
        chain=dispute.match.round.stage.event.public_id,
        actor=by.public_id,
        code=code,
        object=dispute.public_id,
        now=now,
        after=after if after is not None else {"match": dispute.match.public_id},
        note=note,
    )
