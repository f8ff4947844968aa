"""Permission checks for calls, penalties and deck checks.

Functions take a public id and return the object, or raise Http404 if it does not exist for this account and NotAllowed
if the account's role, or its own part in the event, forbids the action.
"""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.events.access import own_entrants, plays, require, roles_of
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.judging.models import Call, DeckCheck, Penalty
from tournaments.play.access import match_for_judge, match_for_viewer, round_for_staff, seat_of
from tournaments.play.models import Round


def call_for_judge(user: Any, public_id: str) -> Call:
    """A call that the account can answer, as a judge who is not a player of the match."""
    call = _call(public_id)
    call.match = match_for_judge(user, call.match.public_id)
    return call


def call_for_player(user: Any, public_id: str) -> Call:
    """A call from a match in which the account plays."""
    call = _call(public_id)
    call.match = match_for_viewer(user, call.match.public_id)
    if seat_of(user, call.match) is None:
        raise Http404
    return call


def penalty_for_judge(user: Any, public_id: str) -> Penalty:
    """A penalty of an event that the account judges."""
    penalty = Penalty.objects.filter(public_id=public_id).select_related("entrant__event", "match", "loss").first()
    if penalty is None:
        raise Http404
    require(user, penalty.entrant.event, "judge")
    return penalty


def penalties_for_reader(user: Any, entrant_id: str) -> Entrant:
    """An entrant whose penalties the account can read: their own, or any as a judge."""
    entrant = Entrant.objects.filter(public_id=entrant_id).select_related("event").first()
    if entrant is None:
        raise Http404
    if not any(own.pk == entrant.pk for own in own_entrants(user, entrant.event)):
        require(user, entrant.event, "judge")
    return entrant


def is_head_judge(user: Any, event: Event) -> bool:
    """Whether the account is a head judge of the event and does not play in it."""
    return StaffRole.Role.HEAD_JUDGE in roles_of(user, event) and not plays(user, event)


def entrant_for_head_judge(user: Any, public_id: str) -> Entrant:
    """An entrant of an event of which the account is a head judge; 404 for strangers, 403 for other staff."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    if entrant is None:
        raise Http404
    require(user, entrant.event, "view_staff_pages")
    if not is_head_judge(user, entrant.event):
        raise NotAllowed("role_too_low", _("Your role at this event does not allow this."))
    return entrant


def round_for_checks(user: Any, event_id: str, number: int) -> Round:
    """A published round whose decks the account can check, as a judge who does not play in the event."""
    round_ = round_for_staff(user, event_id, number, "judge")
    if round_.status == Round.Status.DRAFT:
        raise Http404
    _refuse_players(user, round_.stage.event)
    return round_


def check_for_judge(user: Any, public_id: str) -> DeckCheck:
    """A deck check that the account can carry out, as a judge who does not play in the event."""
    found = DeckCheck.objects.filter(public_id=public_id).select_related(
        "match__round__stage__event", "entrant__event", "decklist"
    )
    check = found.first()
    if check is None:
        raise Http404
    event = check.entrant.event
    require(user, event, "judge")
    _refuse_players(user, event)
    return check


def _refuse_players(user: Any, event: Event) -> None:
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read other players’ lists."))


def _call(public_id: str) -> Call:
    call = Call.objects.filter(public_id=public_id).select_related("match", "seat", "claimed_by").first()
    if call is None:
        raise Http404
    return call
