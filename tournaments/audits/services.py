"""Gestures on logs: submitted, then audited by a job. An audit tells; it never changes a result."""

import hashlib
import json
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits import engine_gate, replays
from tournaments.audits.findings import deck_findings, game_findings
from tournaments.audits.models import Audit, MoveLog, ReplayPage
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import own_catalogs
from tournaments.play import services as play
from tournaments.play.models import Game, Match, Seat

MAX_LOG = 8 * 1024 * 1024
MAX_LOGS_A_GAME = 10  # of one account
REPORTED = 95  # percent: what is left are comparisons and the writing


def submit_log(*, game: Game, document: bytes, by: User, now: datetime) -> MoveLog:
    """Keep a move log of a game and have it audited. The same document from the same account is kept once.

    A document that the engine cannot read at all is refused with its code and path, and nothing is stored.
    """
    event = game.match.round.stage.event
    fault = (
        {"code": "too_large", "path": "", "n": None}
        if len(document) > MAX_LOG
        else engine_gate.log_fault(document, event.game, own_catalogs(event))
    )
    if fault:
        raise InvalidInput("log_unreadable", _("This log cannot be read."), details=[fault])
    digest = hashlib.sha256(document).hexdigest()
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game.pk)
        own = MoveLog.objects.filter(game=game, uploaded_by=by)
        kept = own.filter(sha256=digest).first()
        if kept is not None:
            return kept
        if own.count() >= MAX_LOGS_A_GAME:
            raise Refusal("too_many_logs", _("You have submitted ten logs of this game already."))
        log = MoveLog.objects.create(
            game=game, document=document.decode(), sha256=digest, uploaded_by=by, uploaded_at=now
        )
        audit = Audit.objects.create(log=log)
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="log.submitted",
            object=log.public_id,
            now=now,
            after={"match": game.match.public_id, "game": game.number, "sha256": digest},
        )
        jobs.enqueue("audits.run", str(audit.pk), payload={"audit": audit.pk}, now=now)
    return log


def merge_logs(*, one: MoveLog, two: MoveLog) -> engine_gate.Merged:
    """Two logs of one game as one, or their first difference. Nothing is kept.

    Raises `not_two_logs`.
    """
    if one.game_id != two.game_id or one.pk == two.pk:
        raise InvalidInput("not_two_logs", _("Two different logs of one game are compared."))
    return engine_gate.merge(one.document, two.document)


def submit_merged(*, one: MoveLog, two: MoveLog, by: User, now: datetime) -> MoveLog:
    """Keep the merged log of two as one more log of their game, and have it audited. Raises `logs_differ`."""
    merged = merge_logs(one=one, two=two)
    if merged.document is None:
        told = {"path": merged.path, "n": merged.n, "one": merged.one, "two": merged.two}
        raise Refusal("logs_differ", _("The two logs do not tell the same game."), details=[told])
    document = json.dumps(merged.document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return submit_log(game=one.game, document=document.encode(), by=by, now=now)


def run_audit(*, audit_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Audit a log and keep the report, with the board after every move. Run twice, it says the same and is kept once.

    `progress` is told the percent done, and ends the work by an exception when it is no more ours.
    """
    audit = Audit.objects.select_related("log__game__match__round__stage__event").get(pk=audit_id)
    if audit.verdict:
        return
    match = audit.log.game.match
    pages, outline = replays.of_log(audit, progress)
    report = engine_gate.audit(audit.log.document, own_catalogs(match.round.stage.event))
    progress(REPORTED)
    header = json.loads(audit.log.document)
    pad = report["verdict"] == "plausible" and engine_gate.is_pad(audit.log.document)
    findings = [*game_findings(audit.log, header), *deck_findings(match, header, pad=pad)]
    digest = hashlib.sha256(json.dumps(report, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    with transaction.atomic():
        kept = Audit.objects.filter(pk=audit.pk, verdict="").update(
            verdict=report["verdict"],
            report=report,
            deck_findings=findings,
            digest=digest,
            outline=outline,
            computed_at=now,
        )
        if kept:
            ReplayPage.objects.bulk_create(pages, batch_size=100)
            play.record_evidence(
                game=audit.log.game,
                report_digest=digest,
                evidence=_evidence(report, findings),
                ended=report["result"]["reason"] or "",
                winner=_winner(match, header, report),
                now=now,
            )


def _evidence(report: dict[str, Any], findings: list[dict[str, Any]]) -> str:
    """What a report proves of a game. A log of another game or of other decks proves nothing."""
    if findings:
        return Match.Evidence.NONE
    by_verdict = {
        "confirmed": Match.Evidence.REPLAYED,
        "consistent_from": Match.Evidence.CONSISTENT,
        "plausible": Match.Evidence.PLAUSIBLE,
    }
    return by_verdict.get(report["verdict"], Match.Evidence.NONE)


def _winner(match: Match, header: dict[str, Any], report: dict[str, Any]) -> Seat | None:
    """The seat of the match that the engine found to have won, where the log names its entrant."""
    if report["verdict"] not in ("confirmed", "overturned"):
        return None
    player = header["seats"].get(report["result"]["computed"], {}).get("player")
    return match.seats.filter(entrant__public_id=player).first()
