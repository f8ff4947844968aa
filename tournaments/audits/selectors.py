"""What pages and the API read of logs and audits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.audits import engine_gate, replays
from tournaments.audits.models import Audit, Branch, Dispute, MoveLog, Ruling
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import own_catalogs
from tournaments.events.access import may_read_hidden
from tournaments.events.models import Entrant, Event
from tournaments.play.access import seat_of
from tournaments.play.models import Match


def logs_shown(user: Any, match: Match) -> QuerySet[MoveLog]:
    """The logs of a match that this account may read, game by game."""
    logs = (
        MoveLog.objects
        .filter(game__match=match)
        .select_related("audit", "game", "uploaded_by")
        .defer("document")
        .order_by("game__number", "uploaded_at")
    )
    if not user.is_authenticated:
        return logs.none()
    if may_read_hidden(user, match.round.stage.event, "judge"):
        return logs
    return logs.filter(uploaded_by=user)


def disputed_matches(event: Event) -> QuerySet[Match]:
    """Matches that wait for a judge, oldest round first, with their logs but for the documents: results contested,
    results claimed to be wrong, rulings appealed.
    """
    logs = MoveLog.objects.select_related("audit", "game").defer("document", "audit__report")
    live = Dispute.objects.filter(status__in=Dispute.LIVE)
    return (
        Match.objects
        .filter(Q(disputed=True) | Q(disputes__status__in=Dispute.LIVE), round__stage__event=event)
        .distinct()
        .select_related("round__stage__event")
        .prefetch_related("seats__entrant__member_set__person__account", "reports__by", Prefetch("games__logs", logs))
        .prefetch_related(Prefetch("disputes", live, to_attr="live_disputes"))
        .order_by("round__number", "table")
    )


def recent_logs(event: Event, *, without: Entrant | None = None, count: int = 20) -> QuerySet[MoveLog]:
    """The newest logs of an event for its judges; none for a judge who plays it (`without`, the own entrant)."""
    logs = (
        MoveLog.objects
        .filter(game__match__round__stage__event=event)
        .select_related("audit", "game__match__round")
        .defer("document", "audit__report")
        .order_by("-uploaded_at", "-pk")
    )
    return logs.none() if without is not None else logs[:count]


def findings_shown(user: Any, audit: Audit) -> list[dict[str, Any]]:
    """What the comparison of decks found: its cards for judges who do not play the event, its codes for others.

    A player who submits a log with an empty deck for the opponent must not read the registered list from it.
    """
    if may_read_hidden(user, audit.log.game.match.round.stage.event, "judge"):
        return list(audit.deck_findings)
    return [{"seat": finding["seat"], "code": finding["code"]} for finding in audit.deck_findings]


def sees_all(user: Any, log: MoveLog) -> bool:
    """Whether a reader whom `access.log_for_reader` let in sees every card of a log's boards.

    Judges who do not play the event do; who did not send the log is one.
    """
    return log.uploaded_by_id != user.pk or may_read_hidden(user, log.game.match.round.stage.event, "judge")


def position_shown(user: Any, log: MoveLog, n: int, around: int = 0) -> replays.Position | None:
    """The position of a log after entry `n` as its reader sees it (`replays.position`).

    Judges see every card. A player sees the cards that the own seat of the log sees, whoever wrote the log.
    """
    found = replays.position(log.audit, n, around)
    if found is None or sees_all(user, log):
        return found
    seat = _own_seat(user, log)
    before = None if found.before is None else engine_gate.seen_by(found.before, seat)
    return replace(found, board=engine_gate.seen_by(found.board, seat), before=before)


def legal_after(user: Any, log: MoveLog, n: int) -> list[dict[str, Any]] | None:
    """The moves that were legal after entry `n`, or before it where it was refused; None beyond the replay.

    A judge reads those of every seat, a player the own ones, for they name a hand. The log is replayed up to there.
    """
    outline = log.audit.outline
    if not log.audit.verdict or n > outline["last"]:
        return None
    at = n - 1 if outline["refused"] and n == outline["last"] else n
    moves = engine_gate.legal_moves(log.document, at, own_catalogs(log.game.match.round.stage.event))
    return moves if sees_all(user, log) else [move for move in moves if move["by"] == _own_seat(user, log)]


def _own_seat(user: Any, log: MoveLog) -> str | None:
    """The seat of a log at which this account sits; None for nobody's."""
    own = seat_of(user, log.game.match)
    said = log.audit.outline.get("players", {})
    return next((letter for letter, player in said.items() if own and player == own.entrant.public_id), None)


def audit_state(audit: Audit) -> jobs.JobState | None:
    """How far the job of an audit is, while it has no verdict."""
    return audit_states([audit]).get(audit.pk)


def audit_states(audits: Iterable[Audit]) -> dict[int, jobs.JobState]:
    """How far the jobs of those audits are that have no verdict, by the audit's key; one query at most."""
    waiting = [str(audit.pk) for audit in audits if not audit.verdict]
    states = jobs.states_of("audits.run", waiting) if waiting else {}
    return {int(key): state for key, state in states.items()}


def may_be_done(
    *, event: Event, position: str | Mapping[str, Any], move: str | Mapping[str, Any], language: str
) -> dict[str, Any]:
    """May a move be made in a position of the event's game? `engine_gate.ask` says how it is answered; nothing is kept.

    Raises InvalidInput `other_game`. What cannot be read is an answer: `unreadable`, with its error.
    """
    catalogs = own_catalogs(event)
    if engine_gate.game_of(position) not in (None, event.game):
        raise InvalidInput("other_game", _("This position is of another game than the event's."))
    return engine_gate.ask(position, move, language, catalogs)


@dataclass(frozen=True)
class Contest:
    """When a result was last contested, by whom (an account's public id), and what was said."""

    at: datetime
    actor: str
    said: str


def contests_of(event: Event, matches: Iterable[Match]) -> dict[str, Contest]:
    """The last contest of each match, by the match's public id; one query."""
    entries = (
        LedgerEntry.objects
        .filter(chain=event.public_id, code="result.contested", object__in=[match.public_id for match in matches])
        .select_related("note")
        .order_by("number")
    )
    return {
        entry.object: Contest(entry.at, entry.actor, entry.note.text if hasattr(entry, "note") else "")
        for entry in entries
    }


SAID = ("claimed", "ruled", "appealed")  # what of a dispute comes with somebody's words


@dataclass(frozen=True)
class Saying:
    """What somebody said in a dispute: `claimed`, `ruled` or `appealed`. The words may have been erased."""

    what: str
    at: datetime
    actor: str
    said: str


def sayings_of(event: Event, disputes: Iterable[Dispute]) -> dict[tuple[str, int], Saying]:
    """What was said in disputes, by the dispute's public id and the number of the ledger's entry; one query."""
    wanted, codes = [dispute.public_id for dispute in disputes], [f"dispute.{what}" for what in SAID]
    if not wanted:
        return {}
    entries = LedgerEntry.objects.filter(chain=event.public_id, object__in=wanted, code__in=codes)
    return {
        (entry.object, entry.number): Saying(
            entry.code.removeprefix("dispute."),
            entry.at,
            entry.actor,
            entry.note.text if hasattr(entry, "note") else "",
        )
        for entry in entries.select_related("note").order_by("number")
    }


def disputes_of(matches: Iterable[Match]) -> QuerySet[Dispute]:
    """The disputes of matches with their rulings, the newest first."""
    return (
        Dispute.objects
        .filter(match__in=[match.pk for match in matches])
        .select_related("match__round__stage__event")
        .prefetch_related(Prefetch("rulings", Ruling.objects.select_related("by").order_by("number")))
        .order_by("-pk")
    )


def live_disputes(event: Event) -> QuerySet[Dispute]:
    """The disputes of an event that wait for a judge, the oldest first."""
    live = Dispute.objects.filter(match__round__stage__event=event, status__in=Dispute.LIVE)
    return live.select_related("match__round__stage__event").prefetch_related("rulings__by").order_by("opened_at", "pk")


def branches_of(matches: Iterable[Match]) -> QuerySet[Branch]:
    """The branches that judges opened in disputes of matches, the first one first."""
    listed = Branch.objects.filter(dispute__match__in=[match.pk for match in matches])
    return listed.select_related("log", "by", "dispute").defer("log__document").order_by("at", "pk")
