"""Judge calls in words: for the judges' queue, and for the player at the seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.accounts.models import User
from tournaments.accounts.selectors import name_of
from tournaments.events.models import Entrant, Event
from tournaments.judging.models import Call
from tournaments.judging.selectors import (
    calls_of,
    live_call_of,
    live_calls,
    minutes_attended,
    minutes_lost,
    minutes_offered,
    minutes_waited,
)
from tournaments.play.models import Match
from tournaments.web.pages.judging.forms import CallForm
from tournaments.web.words.judging import ARRIVED, CALL_STATES, MATTERS


@dataclass(frozen=True)
class CallLine:
    """A call as the judges' page shows it.

    `minutes` is how long it has taken so far, `waited` how long of that the table waited for a judge, and `attended`
    how long the judge has had it; `offered` is the time extension to offer if it ends now (0 for none). `mine` is
    whether this judge has claimed it, `own` whether it is a match of this judge as a player.
    """

    call: Call
    names: str
    caller: str
    matter: object
    minutes: int
    waited: int
    attended: int
    offered: int
    judge: str
    mine: bool
    own: bool

    @property
    def state(self) -> object:
        """The state of the call in words."""
        return call_state(self.call)


def call_state(call: Call) -> object:
    """The state of a call in words; a judge who is on the way is not at the table yet."""
    there = call.status == Call.Status.CLAIMED and call.arrived_at is not None
    return ARRIVED if there else CALL_STATES[call.status]


def judge_name(user: User | None) -> str:
    """The name of a judge; "" for None. Prefetch `persons` when listing many."""
    return name_of(user) if user else ""


def call_lines(event: Event, user: User, mine: Sequence[Entrant], at: datetime) -> list[CallLine]:
    """The live calls of an event, waiting ones first. `mine` are the entrants of `user` at the event."""
    lines = [_line(call, user, mine, at) for call in live_calls(event)]
    return sorted(lines, key=lambda line: line.call.status != Call.Status.WAITING)


def _line(call: Call, user: User, mine: Sequence[Entrant], at: datetime) -> CallLine:
    seats = call.match.seats.all()
    return CallLine(
        call=call,
        names=" – ".join(seat.entrant.full_name for seat in seats),
        caller=call.seat.entrant.full_name if call.seat else "",
        matter=MATTERS[call.matter] if call.matter else "",
        minutes=minutes_lost(call, at),
        waited=minutes_waited(call, at),
        attended=minutes_attended(call, at),
        offered=minutes_offered(call, at),
        judge=judge_name(call.claimed_by),
        mine=call.claimed_by_id == user.pk,
        own=any(seat.entrant in mine for seat in seats),
    )


def call_history(match: Match, user: User, at: datetime) -> list[CallLine]:
    """All calls of a match, in the order in which they were made."""
    return [_line(call, user, (), at) for call in calls_of([match])]


def call_panel(match: Match | None, *, waits: bool = True) -> dict[str, Any]:
    """Template context of the judge call on the seat page: the live call with its judge, or the form to make one.

    Pass `waits=False` if it is known that there is no live call: that saves a query.
    """
    if match is None or match.table is None:  # no match, or a bye
        return {}
    call = live_call_of(match) if waits else None
    return {"call": call, "call_judge": judge_name(call.claimed_by) if call else "", "call_form": CallForm()}
