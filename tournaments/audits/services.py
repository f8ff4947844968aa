"""Submit move logs and audit them in a background job.

An audit reports what the engine found. It never changes a result: only people do.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine import face
from tournaments.accounts.models import User
from tournaments.audits.findings import Known, deck_findings, game_findings, registered_for
from tournaments.audits.models import Audit, MoveLog
from tournaments.audits.rulesets import ruleset_of
from tournaments.common import jobs, ledger
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import own_catalogs
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Game, Match, Seat

MAX_LOG = 8 * 1024 * 1024  # bytes
MAX_LOGS_A_GAME = 10  # for each account
WRITTEN_EVERY = 0.5  # seconds; in a batch of long logs, reports are saved this often


def submit_log(*, game: Game, document: bytes, by: User, now: datetime) -> MoveLog:
    """Store a move log of a game and queue its audit.

    Idempotent: if the account has submitted the same document before, returns that log. Raises InvalidInput
    `log_unreadable` (nothing is stored; the details have the engine's code, path and entry number, or the code
    `too_large`) or `wrong_ruleset` (with both rulesets), and Refusal `too_many_logs`.
    """
    event = game.match.round.stage.event
    # Read before the transaction: a log may have 8 MiB, and nothing is computed while a lock is held.
    fault = (
        {"code": "too_large", "path": "", "n": None}
        if len(document) > MAX_LOG
        else face.audits.log_fault(document, event.game, get_language() or "en", own_catalogs(event))
    )
    if fault:
        raise InvalidInput("log_unreadable", _("This log cannot be read."), details=[fault])
    _require_rules(event, document)
    digest = hashlib.sha256(document).hexdigest()
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game.pk)  # so that two uploads at once cannot both be the tenth
        own = dict(MoveLog.objects.filter(game=game, uploaded_by=by).values_list("sha256", "pk"))
        if digest in own:
            return MoveLog.objects.get(pk=own[digest])
        if len(own) >= MAX_LOGS_A_GAME:
            raise Refusal("too_many_logs", _("You have already submitted ten logs of this game."))
        log = MoveLog.objects.create(
            game=game, document=document.decode(), sha256=digest, uploaded_by=by, uploaded_at=now
        )
        # The job is queued in the same transaction, so a stored log is always audited. It is queued
        # before the ledger entry: nobody else can request it, and others would wait for the ledger's head meanwhile.
        audit = Audit.objects.create(log=log)
        jobs.enqueue("audits.run", str(audit.pk), payload={"audit": audit.pk}, now=now)
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="log.submitted",
            object=log.public_id,
            now=now,
            after={"match": game.match.public_id, "game": game.number, "sha256": digest},
        )
    return log


def _require_rules(event: Event, document: bytes) -> None:
    """Refuse a log of a game that was played by other rules than those of its event."""
    found, wanted = face.audits.ruleset_in(document), ruleset_of(event)
    if found != wanted:
        message = _("This log follows the rules %(found)s, but the event is played by %(wanted)s.")
        raise InvalidInput("wrong_ruleset", message % {"found": found, "wanted": wanted}, details=[found, wanted])


def share_replay(*, log: MoveLog, shared: bool, by: User, now: datetime) -> MoveLog:
    """Let the players of a match replay a log, each as their seat saw the game, or stop letting them. Idempotent.

    Raises Refusal `not_audited` before the audit is done.
    """
    if shared and not Audit.objects.filter(log=log).exclude(verdict="").exists():
        raise Refusal("not_audited", _("Wait for the audit: the game can only be replayed afterwards."))
    event = log.game.match.round.stage.event
    with transaction.atomic():
        kept = MoveLog.objects.select_for_update().defer("document").get(pk=log.pk)
        if (kept.shared_at is not None) != shared:
            kept.shared_at = now if shared else None
            kept.save(update_fields=["shared_at"])
            ledger.record(
                chain=event.public_id,
                actor=by.public_id,
                code="log.shared" if shared else "log.unshared",
                object=log.public_id,
                now=now,
            )
    log.shared_at = kept.shared_at
    return log


def withdraw_log(*, log: MoveLog, proofs: Mapping[int, play.Proof], by: User, now: datetime) -> None:
    """Delete a log with its audit; its game keeps the evidence that its other logs give.

    Call it in a transaction in which the match is locked, and only if nobody has ruled on the log. `proofs` is
    `proofs_of` the game, read before.
    """
    game = log.game
    audited = Audit.objects.filter(log=log).exclude(verdict="").exists()
    log.delete()
    if audited:
        play.withdraw_evidence(game=game, proofs=list(proofs_of(game, known=proofs).values()), by=by, now=now)


def proofs_of(
    game: Game, *, without: int | None = None, known: Mapping[int, play.Proof] | None = None
) -> dict[int, play.Proof]:
    """What the stored audits of a game's logs found, by the audit's key, the oldest audit first.

    `without` is the key of a log that is left out. Those that are in `known` are taken from there: a log can have
    8 MiB, and has to be read for its header. A log that is withdrawn meanwhile is left out.
    """
    known = known or {}
    audits = Audit.objects.filter(log__game=game).exclude(verdict="").order_by("computed_at", "pk")
    found: dict[int, play.Proof] = {}
    for pk in audits.exclude(log=without).values_list("pk", flat=True):
        if pk in known:
            found[pk] = known[pk]
        elif (audit := Audit.objects.select_related("log").filter(pk=pk).first()) is not None:
            found[pk] = _stored_proof(audit, game)
    return found


def _stored_proof(audit: Audit, game: Game) -> play.Proof:
    audit.log.game = game
    header, report = json.loads(audit.log.document), dict(audit.report or {})
    winner = _winner(game.match.seats.select_related("entrant"), header, report)
    return _proof(Findings(audit, report, audit.deck_findings, audit.digest, winner))


def merge_logs(*, one: MoveLog, two: MoveLog) -> face.audits.Merged:
    """Merge two logs of one game, or find their first difference. Nothing is stored.

    Raises InvalidInput `not_two_logs`.
    """
    if one.game_id != two.game_id or one.pk == two.pk:
        raise InvalidInput("not_two_logs", _("Choose two different logs of one game."))
    merged = face.audits.merge(one.document, two.document)
    if merged.document is None or _names_players(merged.document, one.game.match):
        return merged
    turned = face.audits.merge(two.document, one.document)  # the names of the players come from the first log
    return turned if turned.document and _names_players(turned.document, one.game.match) else merged


def _names_players(document: Mapping[str, Any], match: Match) -> bool:
    """Whether a log names the entrants of its match as its players."""
    named = {seat.get("player") for seat in document["seats"].values()}
    return named == set(match.seats.values_list("entrant__public_id", flat=True))


def submit_merged(*, one: MoveLog, two: MoveLog, by: User, now: datetime) -> MoveLog:
    """Merge two logs of one game and submit the result as another log of it.

    Raises Refusal `logs_differ` (the details have the first difference), and what `merge_logs` and `submit_log` raise.
    """
    merged = merge_logs(one=one, two=two)
    if merged.document is None:
        difference = {
            "path": merged.path,
            "n": merged.n,
            "n_two": merged.n_two,
            "one": merged.one,
            "two": merged.two,
        }
        raise Refusal("logs_differ", _("The two logs do not describe the same game."), details=[difference])
    document = json.dumps(merged.document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return submit_log(game=one.game, document=document.encode(), by=by, now=now)


def run_audits(*, audit_ids: Sequence[int], now: datetime) -> None:
    """Audit logs and save the reports. Idempotent: an audit that has a verdict is skipped.

    Reports are saved about every `WRITTEN_EVERY` seconds, in one short transaction per event. No boards are computed
    here: see `replays`.
    """
    # Ordered by event, because `_save` groups neighbors by event.
    waiting = (
        Audit.objects
        .filter(pk__in=audit_ids, verdict="")
        .select_related("log__game__match__round__stage__event")
        .prefetch_related("log__game__match__seats__entrant")
        .order_by("log__game__match__round__stage__event", "pk")
    )
    audits = list(waiting)
    known = registered_for([audit.log for audit in audits])
    found: list[Findings] = []
    written = time.monotonic()
    for audit in audits:
        found.append(_findings_of(audit, known))
        if time.monotonic() - written > WRITTEN_EVERY:
            _save(found, now)
            found, written = [], time.monotonic()
    _save(found, now)


@dataclass(frozen=True)
class Findings:
    """The findings of one audit, not saved yet."""

    audit: Audit
    report: dict[str, Any]
    findings: list[dict[str, Any]]
    digest: str
    winner: Seat | None

    @property
    def event(self) -> Event:
        """The event that the log belongs to."""
        return self.audit.log.game.match.round.stage.event


def _findings_of(audit: Audit, known: Known) -> Findings:
    """Replay a log and compare it with its game and the registered lists."""
    document, match = audit.log.document, audit.log.game.match
    report = face.audits.audit(document, own_catalogs(match.round.stage.event))
    header = json.loads(document)
    # A pad is plausible at best; this avoids parsing every other log a second time.
    pad = report["verdict"] == "plausible" and face.audits.is_pad(document)
    findings = [*game_findings(audit.log, header, known), *deck_findings(audit.log.game, header, known, pad=pad)]
    digest = hashlib.sha256(json.dumps(report, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return Findings(audit, report, findings, digest, _winner(match.seats.all(), header, report))


def _save(found: Iterable[Findings], now: datetime) -> None:
    """Save findings in one transaction per event, except where another worker has saved a report meanwhile."""
    for _event, those in groupby(found, key=lambda each: each.event.pk):
        saved = list(those)
        with transaction.atomic():
            # Whoever withdraws a log locks its match before its audit, so the matches come first here too.
            matches = Match.objects.filter(pk__in={each.audit.log.game.match_id for each in saved}).order_by("pk")
            list(matches.select_for_update().values_list("pk"))
            play.record_evidence([_proof(each) for each in saved if _save_one(each, now)], now=now)


def _save_one(found: Findings, now: datetime) -> bool:
    """Save the report of one audit; False if it already has one, or if its log is withdrawn."""
    row = Audit.objects.filter(pk=found.audit.pk, verdict="")
    return bool(
        row.update(
            verdict=found.report["verdict"],
            report=found.report,
            deck_findings=found.findings,
            digest=found.digest,
            computed_at=now,
        )
    )


def _proof(found: Findings) -> play.Proof:
    return play.Proof(
        game=found.audit.log.game,
        report_digest=found.digest,
        evidence=_evidence(found.report, found.findings),
        ended=found.report["result"]["reason"] or "",
        winner=found.winner,
    )


def _evidence(report: dict[str, Any], findings: list[dict[str, Any]]) -> str:
    """The evidence that a report gives for a game; none if the log is of another game or has other decks."""
    if findings:
        return Match.Evidence.NONE
    by_verdict = {
        "confirmed": Match.Evidence.REPLAYED,
        "consistent_from": Match.Evidence.CONSISTENT,
        "plausible": Match.Evidence.PLAUSIBLE,
    }
    return by_verdict.get(report["verdict"], Match.Evidence.NONE)


def _winner(seats: Iterable[Seat], header: dict[str, Any], report: dict[str, Any]) -> Seat | None:
    """The seat that won according to the engine; None if nobody did or the log does not name its entrant."""
    if report["verdict"] not in ("confirmed", "overturned"):
        return None
    player = header["seats"].get(report["result"]["computed"], {}).get("player")
    return next((seat for seat in seats if seat.entrant.public_id == player), None)
