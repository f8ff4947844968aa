"""Who reads a log and its audit: who submitted it, and judges who do not play the event; these open branches.

A log holds the hands and the lists of both players, so the opponent does not read it; the evidence alone is public.
"""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.audits.models import Branch, BulkAudit, Feature, MoveLog, Photo, Position, Recording
from tournaments.audits.watching import feature_of
from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, plays
from tournaments.events.models import Event
from tournaments.play.access import game_for_log, match_for_judge, match_for_viewer, seat_of
from tournaments.play.models import Game, Match, Seat

SEATS = "ABCDE"  # of a log, in the order of the seats of its match


def log_for_reader(user: Any, public_id: str) -> MoveLog:
    """A submitted log with its audit and its game."""
    log = (
        MoveLog.objects
        .filter(public_id=public_id)
        .select_related("audit", "game__match__round__stage__event", "uploaded_by")
        .defer("document", "audit__report")  # up to 8 MiB each, which a board does not need
        .first()
    )
    if log is None or not user.is_authenticated:
        raise Http404
    match = log.game.match = match_for_viewer(user, log.game.match.public_id)
    if log.uploaded_by_id != user.pk:
        match_for_judge(user, match.public_id)
        if plays(user, match.round.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return log


def log_for_judge(user: Any, public_id: str) -> MoveLog:
    """A log with whose match the account may deal as a judge, and which it may read."""
    log = log_for_reader(user, public_id)
    match_for_judge(user, log.game.match.public_id)
    if plays(user, log.game.match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return log


def branch_for_judge(user: Any, key: int) -> Branch:
    """A branch of a log that the account may judge."""
    branch = Branch.objects.filter(pk=key).select_related("log", "dispute", "by").first()
    if branch is None:
        raise Http404
    branch.log = log_for_judge(user, branch.log.public_id)
    return branch


def event_for_bulk(user: Any, event_id: str) -> Event:
    """An event of which the account may have all logs audited again: as a judge who does not play it."""
    event = event_for_staff(user, event_id, "judge")
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return event


def bulk_for_judge(user: Any, public_id: str) -> BulkAudit:
    """A bulk audit of an event that the account judges and does not play."""
    bulk = BulkAudit.objects.filter(public_id=public_id).select_related("asked_by").first()
    if bulk is None:
        raise Http404
    bulk.event = event_for_bulk(user, Event.objects.get(pk=bulk.event_id).public_id)
    return bulk


def match_to_ask_about(user: Any, public_id: str) -> Match:
    """A match whose lists a judge reads to ask about a board of it: who plays the event does not."""
    match = match_for_judge(user, public_id)
    if plays(user, match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return match


@dataclass(frozen=True)
class Recorder:
    """Somebody at a recording: the own seat's letter (None for a judge), and for whom moves may be entered."""

    recording: Recording
    seat: str | None
    actors: tuple[str, ...]


def feature_for_viewer(user: Any, match_id: str) -> Feature:
    """A match that the public follows: there is none once a player of it keeps off streams."""
    feature = feature_of(match_for_viewer(user, match_id))
    if feature is None:
        raise Http404
    return feature


def game_to_record(user: Any, match_id: str, number: int) -> Game:
    """A game that the account may record: as a player of its match, or as a judge who does not play the event."""
    game = game_for_log(user, match_id, number)
    if seat_of(user, game.match) is None and plays(user, game.match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return game


def recorder_for(user: Any, public_id: str) -> Recorder:
    """A recording with what the account may do in it: players for their seat and those shared with them, judges all."""
    recording = Recording.objects.filter(public_id=public_id).select_related("game__match").first()
    if recording is None or not user.is_authenticated:
        raise Http404
    recording.game = game_to_record(user, recording.game.match.public_id, recording.game.number)
    seats = tuple(recording.header["seats"])
    own = seat_of(user, recording.game.match)
    if own is None:
        return Recorder(recording, None, (*seats, "table", "judge"))
    letter = SEATS[own.number - 1]
    return Recorder(recording, letter, (letter, *(seat for seat in recording.shared if seat != letter), "table"))


@dataclass(frozen=True)
class Signer:
    """Somebody before a kept board: the own seat, or None for a judge, on whose device any player signs."""

    position: Position
    seat: Seat | None


def position_for_judge(user: Any, public_id: str) -> Position:
    """A kept board, whole, with its photos: judges who do not play the event."""
    position = _position(user, public_id)
    position.match = match_to_ask_about(user, position.match.public_id)
    return position


def position_for_signer(user: Any, public_id: str) -> Signer:
    """A kept board as who signs it meets it: the players of its match, and judges who do not play the event."""
    position = _position(user, public_id)
    match = position.match = match_for_viewer(user, position.match.public_id)
    seat = seat_of(user, match)
    if seat is None:
        position.match = match_to_ask_about(user, match.public_id)
    return Signer(position, seat)


def photo_for_judge(user: Any, public_id: str) -> Photo:
    """A photo of a kept board that is still there: judges who do not play the event."""
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
