"""Judge calls: players make and withdraw them; judges claim, release, escalate and resolve them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.judging import services
from tournaments.judging.access import call_for_judge, call_for_player
from tournaments.play.access import match_for_player, match_for_staff
from tournaments.web.pages.judging.forms import CallForm, ResolveForm, TurnForm
from tournaments.web.pages.player.player import to_seat
from tournaments.web.rate_limits import CALLS, rate_limited
from tournaments.web.requests import SignedInRequest


@login_required
@require_POST
@rate_limited(CALLS)
def call_judge(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Call a judge to the reader's table. Idempotent."""
    match = match_for_player(request.user, match_id)
    services.call_judge(match=match, by=request.user, matter=CallForm(request.POST).matter_or_refuse(), now=now())
    messages.success(request, _("A judge is called to table %(table)s. Stay at your table.") % {"table": match.table})
    return to_seat(request, match)


@login_required
@require_POST
def call_withdraw(request: SignedInRequest, call_id: str) -> HttpResponse:
    """Withdraw a call: no judge is needed any more."""
    call = call_for_player(request.user, call_id)
    services.withdraw_call(call=call, by=request.user, now=now())
    messages.success(request, _("The call is withdrawn."))
    return to_seat(request, call.match)


STEPS = {
    "claim": (services.claim_call, gettext_lazy("Go to table %(table)s.")),
    "arrive": (services.arrive_at_call, gettext_lazy("You are at table %(table)s.")),
    "release": (services.release_call, gettext_lazy("Table %(table)s is waiting for another judge.")),
    "escalate": (services.escalate_call, gettext_lazy("Table %(table)s is waiting for the head judge.")),
}


@login_required
@require_POST
def call_step(request: SignedInRequest, call_id: str, action: str) -> HttpResponse:
    """Claim a call, arrive at its table, release or escalate it, or resolve it with a time extension for the table."""
    call = call_for_judge(request.user, call_id)
    if action == "resolve":
        minutes = ResolveForm(request.POST).minutes_or_refuse()
        services.resolve_call(call=call, by=request.user, minutes=minutes, now=now())
        message = _("The call of table %(table)s is over.")
    elif action in STEPS:
        service, done = STEPS[action]
        message = str(done)
        service(call=call, by=request.user, now=now())
    else:
        raise Http404
    messages.success(request, message % {"table": call.match.table})
    return redirect("web:judge", call.match.round.stage.event.public_id)


@login_required
@require_POST
def note_turn(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Note which of the turns after time a table is playing."""
    match = match_for_staff(request.user, match_id, "extend_time")
    services.note_turn(match=match, turn=TurnForm(request.POST).turn_or_none, by=request.user, now=now())
    return redirect("web:staff_round", match.round.stage.event.public_id, match.round.number)
