"""Through which hands a match comes. Staff who play have no staff right over their own match."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, event_for_viewer, may, may_read_hidden, plays, require
from tournaments.events.models import Event
from tournaments.play.models import Game, Match, Round, Seat


def _matches() -> QuerySet[Match]:
    return Match.objects.select_related("round__stage__event").prefetch_related("seats__entrant__member_set__person")


def _published(user: Any, match: Match | None) -> Match:
    """A match that exists for this account: drafts are there for staff alone, who do not play."""
    if match is None:
        raise Http404
    event = match.round.stage.event
    event_for_viewer(user, event.public_id)
    if match.round.status == Round.Status.DRAFT and not may_read_hidden(user, event, "view_staff_pages"):
        raise Http404
    return match


def match_for_viewer(user: Any, public_id: str) -> Match:
    """A match of a published round of a public event."""
    return _published(user, _matches().filter(public_id=public_id).first())


def seat_of(user: Any, match: Match) -> Seat | None:
    """The account's own seat at a match."""
    if not user.is_authenticated:
        return None
    return match.seats.filter(entrant__member__person__account=user).first()


def match_for_player(user: Any, public_id: str) -> Match:
    """A match at which the account sits."""
    match = match_for_viewer(user, public_id)
    if seat_of(user, match) is None:
        raise Http404
    return match


def match_for_staff(user: Any, public_id: str, gesture: str) -> Match:
    """A match on which the account may make a staff gesture: its role covers it and it is not its own match."""
    match = _matches().filter(public_id=public_id).first()
    if match is None:
        raise Http404
    require(user, match.round.stage.event, gesture)
    if match.round.status == Round.Status.DRAFT and plays(user, match.round.stage.event):
        raise Http404
    if seat_of(user, match) is not None:
        raise NotAllowed("own_match", _("Staff who play have no staff right over their own match."))
    return match


def match_for_judge(user: Any, public_id: str) -> Match:
    """A match the account may rule on."""
    return match_for_staff(user, public_id, "judge")


def round_for_staff(user: Any, event_id: str, number: int, gesture: str) -> Round:
    """A round of an event on which the account may make this gesture."""
    event = event_for_staff(user, event_id, gesture)
    return _round(event, number)


def round_for_viewer(user: Any, event_id: str, number: int) -> Round:
    """A published round; a draft exists for staff alone."""
    event = event_for_viewer(user, event_id)
    found = _round(event, number)
    if found.status == Round.Status.DRAFT and not may(user, event, "view_staff_pages"):
        raise Http404
    return found


def _round(event: Event, number: int) -> Round:
    found = Round.objects.filter(stage__event=event, number=number).select_related("stage__event").first()
    if found is None:
        raise Http404
    return found


def game_for_log(user: Any, match_id: str, number: int) -> Game:
    """A game for which the account may submit a log: as a player of its match, or as a judge who does not play it."""
    match = match_for_viewer(user, match_id)
    if seat_of(user, match) is None:
        match_for_judge(user, match_id)
    game = Game.objects.filter(match=match, number=number).select_related("match__round__stage__event").first()
    if game is None:
        raise Http404
    return game
