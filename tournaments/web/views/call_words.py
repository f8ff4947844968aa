"""Calls as pages show them: to the judges in their queue, to the player at the seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.accounts.models import User
from tournaments.events.models import Entrant, Event
from tournaments.judging.models import Call
from tournaments.judging.selectors import calls_of, live_call_of, live_calls, minutes_lost, minutes_offered
from tournaments.play.models import Match
from tournaments.web.forms.judging import CallForm
from tournaments.web.words import CALL_STATES, MATTERS


@dataclass(frozen=True)
class CallLine:
    """A call as the judges' page shows it. `offered` are the minutes to give back when it ends now."""

    call: Call
    names: str
    caller: str
    matter: object
    minutes: int
    offered: int
    judge: str
    mine: bool
    own: bool

    @property
    def state(self) -> object:
        """Its state in words."""
        return CALL_STATES[self.call.status]


def judge_name(user: User | None) -> str:
    """What a judge is called; prefetch `persons` in lists."""
    return next((person.name for person in user.persons.all()), user.public_id) if user else ""


def call_lines(event: Event, user: User, mine: Sequence[Entrant], at: datetime) -> list[CallLine]:
    """The live calls of an event, those that wait first, each with how long it has."""
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
        offered=minutes_offered(call, at),
        judge=judge_name(call.claimed_by),
        mine=call.claimed_by_id == user.pk,
        own=any(seat.entrant in mine for seat in seats),
    )


def call_history(match: Match, user: User, at: datetime) -> list[CallLine]:
    """All calls of a match, in order."""
    return [_line(call, user, (), at) for call in calls_of([match])]


def call_panel(match: Match | None, *, waits: bool = True) -> dict[str, Any]:
    """What the seat page says of a judge: the live call with its judge, or the form that calls one.

    Where it is known that no call `waits`, none is looked for.
    """
    if match is None or match.table is None:
        return {}
    call = live_call_of(match) if waits else None
    return {"call": call, "call_judge": judge_name(call.claimed_by) if call else "", "call_form": CallForm()}
