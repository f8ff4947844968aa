"""Permission checks for logs, audits, recordings and saved boards.

A log shows both players' hands and lists, so only the account that submitted it and judges who do not play in the event
can read it; the opponent cannot. These judges can let the players replay it, each as their seat saw the game. Only they
can open branches. The evidence of a result is public.

Functions here take a public id and return the object, or raise Http404 where it does not exist for this account and
NotAllowed where the account's role or its own part in the event forbids it (`staff_who_play`).
"""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.audits.models import Branch, BulkAudit, Feature, MoveLog, Photo, Position, Recording
from tournaments.audits.watching import feature_of
from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, may, plays
from tournaments.events.models import Event, StaffRole
from tournaments.play.access import game_for_log, match_for_judge, match_for_viewer, seat_of
from tournaments.play.models import Game, Match, Round, Seat

SEATS = "ABCDE"  # letters of a log's seats, in the order of the seats of its match


def log_for_reader(user: Any, public_id: str) -> MoveLog:
    """A log with its audit and game, for the account that submitted it or a judge who does not play in the event."""
    return _for_reader(user, _log(user, public_id))


def replay_for_reader(user: Any, public_id: str) -> MoveLog:
    """A log whose boards the account can see: one that it can read, or one that is shown to the players of its match.

    What such a player sees of it is up to `selectors.positions_shown`; everything else needs `log_for_reader`.
    """
    log = _log(user, public_id)
    shown = log.shared_at is not None and seat_of(user, log.game.match) is not None
    return log if shown else _for_reader(user, log)


def _log(user: Any, public_id: str) -> MoveLog:
    """A log of a match that the account can see, without its document."""
    log = (
        MoveLog.objects
        .filter(public_id=public_id)
        .select_related("audit", "game__match__round__stage__event", "uploaded_by")
        .defer("document", "audit__report")  # up to 8 MiB each, which a board does not need
        .first()
    )
    if log is None or not user.is_authenticated:
        raise Http404
    log.game.match = match_for_viewer(user, log.game.match.public_id)
    return log


def _for_reader(user: Any, log: MoveLog) -> MoveLog:
    match = log.game.match
    if log.uploaded_by_id != user.pk:
        match_for_judge(user, match.public_id)
        if plays(user, match.round.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read the logs of others."))
    return log


def log_for_judge(user: Any, public_id: str) -> MoveLog:
    """A log that the account can read, and whose match it can judge.

    Stricter than `log_for_reader`: submitting the log is not enough, the account must be a judge who does not play.
    """
    log = log_for_reader(user, public_id)
    match_for_judge(user, log.game.match.public_id)
    if plays(user, log.game.match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read the logs of others."))
    return log


def branch_for_judge(user: Any, key: int) -> Branch:
    """A branch of a log that the account can judge (`log_for_judge`)."""
    branch = Branch.objects.filter(pk=key).select_related("log", "dispute", "by").first()
    if branch is None:
        raise Http404
    branch.log = log_for_judge(user, branch.log.public_id)
    return branch


def event_for_bulk(user: Any, event_id: str) -> Event:
    """An event whose logs the account can audit in bulk: as a judge who does not play in it."""
    event = event_for_staff(user, event_id, "judge")
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read the logs of others."))
    return event


def bulk_for_judge(user: Any, public_id: str) -> BulkAudit:
    """A bulk audit of an event that the account judges and does not play in."""
    bulk = BulkAudit.objects.filter(public_id=public_id).select_related("asked_by").first()
    if bulk is None:
        raise Http404
    bulk.event = event_for_bulk(user, Event.objects.get(pk=bulk.event_id).public_id)
    return bulk


def match_to_ask_about(user: Any, public_id: str) -> Match:
    """A match about whose boards the account can ask: as a judge who does not play in the event.

    Asking about a board reads the registered lists of both players, so judges who play are refused.
    """
    match = match_for_judge(user, public_id)
    if plays(user, match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read the logs of others."))
    return match


@dataclass(frozen=True)
class Recorder:
    """A recording as seen by one account.

    `seat` is the letter of the account's own seat (None for a judge or a scribe); `actors` are the values of `by` that
    it can enter moves for: seats, "table", and for judges "judge".
    """

    recording: Recording
    seat: str | None
    actors: tuple[str, ...]

    @property
    def rules(self) -> bool:
        """Whether the account is a judge at the table, who can also enter rulings."""
        return "judge" in self.actors

    @property
    def is_scribe(self) -> bool:
        """Whether the account records for all seats without being a judge."""
        return self.seat is None and not self.rules


def feature_for_viewer(user: Any, match_id: str) -> Feature:
    """The feature of a match; 404 if it is not a feature match, or if one of its players opted out of streams."""
    feature = feature_of(match_for_viewer(user, match_id))
    if feature is None:
        raise Http404
    return feature


def game_to_record(user: Any, match_id: str, number: int) -> Game:
    """A game that the account can record: as a player of its match, or as a judge or scribe who does not play.

    A scribe of one table is refused (`other_table`) at all others.
    """
    match = _match_for_scribe(user, match_id)
    game = game_for_log(user, match_id, number) if match is None else match.games.filter(number=number).first()
    if game is None:
        raise Http404
    game.match = match or game.match
    if seat_of(user, game.match) is None and plays(user, game.match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read the logs of others."))
    return game


def _match_for_scribe(user: Any, match_id: str) -> Match | None:
    """The match, if the account can record it only as a scribe; None if it plays it, judges it, or has no role.

    A scribe finds the published tables even where the event hides its pairings from the public.
    """
    match = Match.objects.filter(public_id=match_id).select_related("round__stage__event").first()
    if match is None:
        return None
    event = match.round.stage.event
    if may(user, event, "judge") or not may(user, event, "record") or seat_of(user, match) is not None:
        return None
    if match.round.status == Round.Status.DRAFT:
        raise Http404
    table = table_of_scribe(user, event)
    if table not in (None, match.table):
        raise NotAllowed("other_table", _("You can only record the games of table %(table)d.") % {"table": table})
    return match


def table_of_scribe(user: Any, event: Event) -> int | None:
    """The only table whose games the account records, as a scribe who does not judge; None if it is not limited."""
    if may(user, event, "judge"):
        return None
    role = StaffRole.objects.filter(event=event, user=user, role=StaffRole.Role.SCRIBE).first()
    return role.table if role else None


def event_to_record(user: Any, event_id: str) -> Event:
    """An event whose games the account records, as a scribe or a judge who does not play in it."""
    event = event_for_staff(user, event_id, "record")
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read the logs of others."))
    return event


def recorder_for(user: Any, public_id: str) -> Recorder:
    """A recording with what the account can enter in it.

    Players enter moves for their own seat, seats shared with them and the table; scribes for all seats and the table;
    judges for everybody.
    """
    recording = Recording.objects.filter(public_id=public_id).select_related("game__match").first()
    if recording is None or not user.is_authenticated:
        raise Http404
    recording.game = game_to_record(user, recording.game.match.public_id, recording.game.number)
    seats = tuple(recording.header["seats"])
    own = seat_of(user, recording.game.match)
    if own is None:
        judge = ("judge",) if may(user, recording.game.match.round.stage.event, "judge") else ()
        return Recorder(recording, None, (*seats, "table", *judge))
    letter = SEATS[own.number - 1]
    return Recorder(recording, letter, (letter, *(seat for seat in recording.shared if seat != letter), "table"))


@dataclass(frozen=True)
class Signer:
    """A saved board as seen by one account.

    `seat` is the account's own seat, or None for a judge; any player of the match can sign on a judge's device.
    """

    position: Position
    seat: Seat | None


def position_for_judge(user: Any, public_id: str) -> Position:
    """A saved board with its photos, for judges who do not play in the event."""
    position = _position(user, public_id)
    position.match = match_to_ask_about(user, position.match.public_id)
    return position


def position_for_signer(user: Any, public_id: str) -> Signer:
    """A saved board to sign, for the players of its match and judges who do not play in the event."""
    position = _position(user, public_id)
    match = position.match = match_for_viewer(user, position.match.public_id)
    seat = seat_of(user, match)
    if seat is None:
        position.match = match_to_ask_about(user, match.public_id)
    return Signer(position, seat)


def photo_for_judge(user: Any, public_id: str) -> Photo:
    """A photo of a saved board, for judges who do not play in the event; 404 once the image is erased."""
    photo = Photo.objects.filter(public_id=public_id).exclude(jpeg=None).select_related("position").first()
    if photo is None:
        raise Http404
    position_for_judge(user, photo.position.public_id)
    return photo


def _position(user: Any, public_id: str) -> Position:
    position = Position.objects.filter(public_id=public_id).select_related("match", "by").first()
    if position is None or not user.is_authenticated:
        raise Http404
    return position
