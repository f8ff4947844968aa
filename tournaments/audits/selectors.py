"""Read-only queries for pages and the API: logs, audits, disputes and branches, cut to what a reader can see."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from engine import face
from tournaments.audits import replays
from tournaments.audits.models import Audit, Branch, Dispute, MoveLog, Recording, Ruling
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import card_names, own_catalogs
from tournaments.events.access import may_read_hidden
from tournaments.events.models import Entrant, Event
from tournaments.play.access import seat_of
from tournaments.play.models import Match
from tournaments.play.selectors import newest_shown_round


def logs_shown(user: Any, match: Match) -> QuerySet[MoveLog]:
    """The logs of a match that this account can read, by game, oldest first; none for anonymous users."""
    logs = (
        MoveLog.objects
        .filter(game__match=match)
        .select_related("audit", "game", "uploaded_by")
        .defer("document")
        .order_by("game__number", "uploaded_at", "pk")
    )
    if not user.is_authenticated:
        return logs.none()
    if may_read_hidden(user, match.round.stage.event, "judge"):
        return logs
    return logs.filter(uploaded_by=user)


def replays_shown(user: Any, match: Match) -> QuerySet[MoveLog]:
    """Other people's logs that a judge shares with a player of their match, by game.

    None for an account without a seat in the match.
    """
    logs = MoveLog.objects.filter(game__match=match).select_related("audit", "game").defer("document")
    if seat_of(user, match) is None:
        return logs.none()
    shown = logs.filter(shared_at__isnull=False).exclude(uploaded_by=user)
    return shown.order_by("game__number", "uploaded_at", "pk")


@dataclass(frozen=True)
class GameToRecord:
    """A game of a table, with its newest recording if there is one."""

    number: int
    recording: Recording | None

    @property
    def handed_in(self) -> bool:
        """Whether its newest recording is handed in."""
        return self.recording is not None and self.recording.closed_at is not None


@dataclass(frozen=True)
class TableToRecord:
    """A table of the current round whose games somebody records; `match` is read with the names of its players."""

    match: Match
    games: list[GameToRecord]


def games_handed_in(match: Match) -> frozenset[int]:
    """The numbers of the games of a match whose recordings were handed in. One query."""
    handed_in = Recording.objects.filter(game__match=match).exclude(log=None).order_by()
    return frozenset(handed_in.values_list("game__number", flat=True))


def recorded_on_one_device(logs: Iterable[MoveLog]) -> frozenset[int]:
    """The keys of the logs that one player recorded for both, with the other one's agreement. One query."""
    found = Recording.objects.filter(log__in=[log.pk for log in logs]).order_by().values_list("log", "shared")
    return frozenset(log for log, shared in found if log is not None and shared)


def tables_to_record(event: Event, table: int | None) -> list[TableToRecord]:
    """The tables of the newest published round, or only the one with this number. Five queries, whatever its size."""
    round_ = newest_shown_round(event)
    if round_ is None:
        return []
    matches = Match.objects.filter(round=round_, table__isnull=False).order_by("table")
    if table is not None:
        matches = matches.filter(table=table)
    # In order of opening, so that the last one of a game is its newest.
    recordings = Prefetch("games__recordings", Recording.objects.order_by("opened_at", "pk"))
    shown = matches.prefetch_related("seats__entrant__member_set__person", "games", recordings)
    return [
        TableToRecord(
            match,
            [
                GameToRecord(game.number, next(reversed(game.recordings.all()), None))
                for game in sorted(match.games.all(), key=lambda game: game.number)
            ],
        )
        for match in shown
    ]


def disputed_matches(event: Event) -> QuerySet[Match]:
    """The matches that wait for a judge, oldest round first.

    These are matches with a contested result, a result claimed to be wrong, or an appealed ruling. Logs are prefetched
    without their documents and reports, which can be 8 MiB each.
    """
    logs = MoveLog.objects.select_related("audit", "game").defer("document", "audit__report")
    live = Dispute.objects.filter(status__in=Dispute.LIVE)
    # A contested report sets `disputed` on the match; it gets a `Dispute` only once a judge opens or rules on it.
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
    """The newest `count` logs of an event, for its judges; none for a judge who plays (`without` is their entrant)."""
    logs = (
        MoveLog.objects
        .filter(game__match__round__stage__event=event)
        .select_related("audit", "game__match__round")
        .defer("document", "audit__report")
        .order_by("-uploaded_at", "-pk")
    )
    return logs.none() if without is not None else logs[:count]


def findings_shown(user: Any, audit: Audit) -> list[dict[str, Any]]:
    """The deck findings of an audit: in full for judges who do not play in the event, without cards for others.

    Otherwise a player could read the opponent's registered list by submitting a log with an empty deck for them.
    """
    if may_read_hidden(user, audit.log.game.match.round.stage.event, "judge"):
        return list(audit.deck_findings)
    return [{"seat": finding["seat"], "code": finding["code"]} for finding in audit.deck_findings]


def sees_all(user: Any, log: MoveLog) -> bool:
    """Whether somebody who passed `access.replay_for_reader` sees every card of a log's boards.

    Judges who do not play in the event do.
    """
    return may_read_hidden(user, log.game.match.round.stage.event, "judge")


def reads_log(user: Any, log: MoveLog) -> bool:
    """Whether somebody who passed `access.replay_for_reader` can read the whole log and its audit."""
    return log.uploaded_by_id == user.pk or sees_all(user, log)


def position_shown(user: Any, log: MoveLog, n: int, around: int = 0) -> replays.Position | None:
    """The position of a log after entry `n` as this reader sees it, with the moves around it (`replays.position`).

    Judges see every card. A player sees only what their own seat sees, even in a log that they submitted. In a log that
    they did not submit, the moves of others only name the cards that this seat sees.
    """
    if not reads_log(user, log):
        return next((found for found in positions_shown(user, log, around) if found.n == n), None)
    found = replays.position(log.audit, n, around)
    return found if found is None or sees_all(user, log) else _seen_by(own_seat(user, log), found)


def positions_shown(user: Any, log: MoveLog, around: int = 0) -> Iterator[replays.Position]:
    """Every position of a log as `position_shown` gives them to this reader."""
    if not reads_log(user, log):
        return _witnessed_by(own_seat(user, log), log, around)
    found = replays.positions(log.audit, around)
    if sees_all(user, log):
        return found
    return map(partial(_seen_by, own_seat(user, log)), found)


def _witnessed_by(seat: str | None, log: MoveLog, around: int) -> Iterator[replays.Position]:
    """Every position of a log as a seat saw the game, with the moves of others told as this seat saw them."""
    cards = card_names(log.game.match.round.stage.event)
    seen = [_seen_by(seat, found) for found in replays.positions(log.audit)]
    moves = [
        face.boards.seen_move(found.move, found.before or found.board, found.board, seat, cards)
        for found in seen
        if found.move
    ]
    for found in seen:
        yield replace(found, moves=moves[max(0, found.n - around - 1) : found.n + around])


def _seen_by(seat: str | None, found: replays.Position) -> replays.Position:
    before = None if found.before is None else face.boards.seen_by(found.before, seat)
    return replace(found, board=face.boards.seen_by(found.board, seat), before=before)


def legal_after(user: Any, log: MoveLog, n: int) -> face.live.LegalMoves | None:
    """The moves that were legal after entry `n`, or before it if it was refused; None beyond the end of the replay.

    A judge gets the moves of every seat, a player only their own, because moves name cards in hand. Replays the log up
    to `n`: the cost grows with `n`.
    """
    if not log.audit.verdict:
        return None
    outline = replays.outline_of(log.audit)
    if n > outline["last"]:
        return None
    at = n - 1 if outline["refused"] and n == outline["last"] else n
    seats = None if sees_all(user, log) else [seat for seat in (own_seat(user, log),) if seat is not None]
    return face.live.legal_moves(log.document, at, own_catalogs(log.game.match.round.stage.event), seats)


def own_seat(user: Any, log: MoveLog) -> str | None:
    """The letter of the log's seat that belongs to this account, or None."""
    own = seat_of(user, log.game.match)
    players = replays.outline_of(log.audit)["players"]
    return next((letter for letter, player in players.items() if own and player == own.entrant.public_id), None)


def audit_state(audit: Audit) -> jobs.JobState | None:
    """The state of an audit's job while the audit has no verdict, else None."""
    return audit_states([audit]).get(audit.pk)


def audit_states(audits: Iterable[Audit]) -> dict[int, jobs.JobState]:
    """The states of the jobs of audits without a verdict, by the audit's key. At most one query."""
    waiting = [str(audit.pk) for audit in audits if not audit.verdict]
    states = jobs.states_of("audits.run", waiting) if waiting else {}
    return {int(key): state for key, state in states.items()}


def ask_move(
    *, event: Event, position: str | Mapping[str, Any], move: str | Mapping[str, Any], language: str
) -> dict[str, Any]:
    """Say whether a move is legal in a position of the event's game (see `face.audits.ask`). Nothing is stored.

    Raises InvalidInput `other_game`. A document that cannot be read is not an error here: the answer is `unreadable`.
    """
    catalogs = own_catalogs(event)
    if face.audits.game_of(position) not in (None, event.game):
        raise InvalidInput("other_game", _("This position is for another game, not for the game of this event."))
    return face.audits.ask(position, move, language, catalogs)


@dataclass(frozen=True)
class Contest:
    """The last time a result was contested: when, by whom (an account's public id), and their words."""

    at: datetime
    actor: str
    said: str


def contests_of(event: Event, matches: Iterable[Match]) -> dict[str, Contest]:
    """The last contest of each match, by the match's public id. One query."""
    entries = (
        LedgerEntry.objects
        .filter(chain=event.public_id, code="result.contested", object__in=[match.public_id for match in matches])
        .select_related("note")
        .order_by("number")
    )
    # `note` is the reverse of a one-to-one relation: the attribute does not exist once the note is erased.
    return {
        entry.object: Contest(entry.at, entry.actor, entry.note.text if hasattr(entry, "note") else "")
        for entry in entries
    }


SAID = ("claimed", "ruled", "appealed")  # the steps of a dispute in which somebody gives a reason


@dataclass(frozen=True)
class Saying:
    """What somebody wrote at a step of a dispute (`what` is one of `SAID`); `said` is empty once erased.

    `first` is whether a ruling was made on a match without a result.
    """

    what: str
    at: datetime
    actor: str
    said: str
    first: bool = False


def statements_of(event: Event, disputes: Iterable[Dispute]) -> dict[tuple[str, int], Saying]:
    """What was said in disputes, by (public id of the dispute, number of the ledger entry). One query."""
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
            bool((entry.after or {}).get("first")),
        )
        for entry in entries.select_related("note").order_by("number")
    }


def disputes_of(matches: Iterable[Match]) -> QuerySet[Dispute]:
    """The disputes of matches, newest first, with their rulings in order."""
    return (
        Dispute.objects
        .filter(match__in=[match.pk for match in matches])
        .select_related("match__round__stage__event")
        .prefetch_related(Prefetch("rulings", Ruling.objects.select_related("by").order_by("number")))
        .order_by("-pk")
    )


def live_disputes(event: Event) -> QuerySet[Dispute]:
    """The disputes of an event that wait for a judge, oldest first."""
    live = Dispute.objects.filter(match__round__stage__event=event, status__in=Dispute.LIVE)
    return live.select_related("match__round__stage__event").prefetch_related("rulings__by").order_by("opened_at", "pk")


def branches_of(matches: Iterable[Match]) -> QuerySet[Branch]:
    """The branches that judges opened in disputes of matches, oldest first."""
    listed = Branch.objects.filter(dispute__match__in=[match.pk for match in matches])
    return listed.select_related("log", "by", "dispute").defer("log__document").order_by("at", "pk")
