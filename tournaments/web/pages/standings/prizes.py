"""The prize desk: who gets what, and which prizes have been handed out."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.events.access import entrant_for_staff, event_for_staff, may
from tournaments.events.models import Entrant
from tournaments.events.selectors import current_stage, full_names
from tournaments.standings.access import category_for_staff
from tournaments.standings.prize_desk import prize_desk
from tournaments.standings.selectors import standings_of
from tournaments.standings.services import tick_category_prize, tick_prize
from tournaments.web.requests import SignedInRequest

ACTIONS = {"given": True, "back": False}


@login_required
def staff_prizes(request: HttpRequest, event_id: str) -> HttpResponse:
    """The prizes: who gets how many units, who wins the categories, and which have been handed out."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    desk = prize_desk(event, request.user)
    names = full_names(event) if desk.sheet.prizes or desk.awards or desk.not_due else {}
    awards = [
        {
            "award": award,
            "entrant": entrant,
            "name": names[entrant],
            "ticked": (award.category.number, entrant) in desk.categories,
        }
        for award in desk.awards
        for entrant in award.entrants
    ]
    context = {
        "event": event,
        "sheet": desk.sheet,
        "short": -desk.sheet.remainder if desk.sheet.remainder < 0 else 0,
        "lines": [
            {"prize": prize, "name": names[prize.entrant], "ticked": desk.units.get(prize.entrant)}
            for prize in desk.sheet.prizes
        ],
        "awards": awards,
        "not_due": [{"prize": each, "name": names[each.entrant]} for each in desk.not_due],
        "computing": standings_of(current_stage(event)).computing,
        "ticks": may(request.user, event, "run_desk"),
    }
    return render(request, "web/staff/prizes.html", context)


@login_required
@require_POST
def staff_prize(request: SignedInRequest, event_id: str, entrant_id: str, action: str) -> HttpResponse:
    """Mark a prize as handed out (`given`), or undo that (`back`)."""
    entrant = _winner(request, event_id, entrant_id, action)
    tick_prize(entrant=entrant, given=ACTIONS[action], by=request.user, now=now())
    return redirect("web:staff_prizes", event_id)


@login_required
@require_POST
def staff_category_prize(
    request: SignedInRequest, event_id: str, number: int, entrant_id: str, action: str
) -> HttpResponse:
    """Mark the prize of a category as handed out to one of its winners (`given`), or undo that (`back`)."""
    entrant = _winner(request, event_id, entrant_id, action)
    category = category_for_staff(request.user, event_id, number, "run_desk")
    tick_category_prize(category=category, entrant=entrant, given=ACTIONS[action], by=request.user, now=now())
    return redirect("web:staff_prizes", event_id)


def _winner(request: SignedInRequest, event_id: str, entrant_id: str, action: str) -> Entrant:
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id or action not in ACTIONS:
        raise Http404
    return entrant
