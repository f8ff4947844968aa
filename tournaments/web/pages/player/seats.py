"""The page of a seat link: a player without an account can find their seat and check in."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.events.access import entrant_for_seat_link
from tournaments.events.services import check_in, undo_check_in
from tournaments.play.selectors import open_matches_of
from tournaments.web.secret_address import secret_address


@secret_address
@require_safe
def seat(request: HttpRequest, entrant_id: str, signature: str) -> HttpResponse:
    """Where the entrant of a seat link sits now."""
    entrant = entrant_for_seat_link(entrant_id, signature)
    match = open_matches_of([entrant]).get(entrant.pk)
    context = {
        "event": entrant.event,
        "entrant": entrant,
        "linked_seat": entrant,
        "signature": signature,
        "match": match,
        "round": match.round if match else None,
        "opponents": [each for each in match.seats.all() if each.entrant_id != entrant.pk] if match else [],
        "clock": getattr(match.round, "clock", None) if match else None,
        "now": now(),
    }
    return render(request, "web/player/seat_link.html", context)


@secret_address
@require_POST
def seat_check_in(request: HttpRequest, entrant_id: str, signature: str) -> HttpResponse:
    """Check in the entrant of a seat link, or, with `back`, undo the check-in."""
    entrant = entrant_for_seat_link(entrant_id, signature)
    if "back" in request.POST:
        undo_check_in(entrant=entrant, by=entrant, now=now())
        messages.success(request, _("%(name)s is no longer checked in.") % {"name": entrant.name})
        return redirect("web:seat", entrant_id, signature)
    check_in(entrant=entrant, by=entrant, now=now())  # by the entrant itself: no account is signed in
    messages.success(request, _("%(name)s is checked in.") % {"name": entrant.name})
    return redirect("web:seat", entrant_id, signature)
