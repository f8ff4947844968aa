"""What the pages of results and pairings can offer now: corrections, and the repair of pairings after one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.events.access import may, plays
from tournaments.events.models import Event, Stage
from tournaments.play.models import Match, Round
from tournaments.play.selectors import paired_before_correction


def repairs(user: Any, round_: Round) -> bool:
    """Whether an account may repair the pairings of a round now: a Swiss round that is not closed."""
    event = round_.stage.event
    open_ = event.status == Event.Status.RUNNING and round_.status != Round.Status.CLOSED
    return open_ and round_.stage.kind == Stage.Kind.SWISS and may(user, event, "run_desk") and not plays(user, event)


def is_stale(round_: Round) -> bool:
    """Whether a round is a draft that cannot be published, because results changed after it was paired."""
    return round_.status == Round.Status.DRAFT and round_.results_version != round_.stage.results_version


def to_repair(request: HttpRequest, match: Match) -> HttpResponse | None:
    """Redirect to the repair of the round that was paired with the old result of a match; None if there is none.

    If the reader may not repair pairings, adds a message that says which round to have repaired, and returns None.
    """
    later = paired_before_correction(match)
    if later is None:
        return None
    if repairs(request.user, later):
        page = reverse("web:staff_mend", args=[later.stage.event.public_id, later.number])
        return redirect(f"{page}?corrected={match.public_id}")
    message = _("Round %(number)d was paired with the old result: ask the desk to repair its pairings.")
    messages.warning(request, message % {"number": later.number})
    return None


def later_round(match: Match) -> Round | None:
    """The next round of the stage, or None if it is not paired yet."""
    return match.round.stage.rounds.filter(number__gt=match.round.number).order_by("number").first()


def why_closed(match: Match) -> str:
    """Why the desk cannot enter a result of this match now; "" if it can."""
    status = match.round.stage.event.status
    if status == Event.Status.FINISHED:
        return _("The event is finished. Its owner can reopen it, and then the result can be corrected.")
    if status != Event.Status.RUNNING:
        return _("The event is not running: its results stay as they are.")
    if match.round.status == Round.Status.DRAFT:
        return _("These pairings are a draft: they have no results yet.")
    if match.table is None:
        return _("A bye has no result to enter.")
    return _("The result is contested. A judge will decide.") if match.disputed else ""
