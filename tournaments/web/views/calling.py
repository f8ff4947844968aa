"""Calls: a player asks for a judge, judges go, hand on and end it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.judging import services
from tournaments.judging.access import call_for_judge, call_for_player
from tournaments.play.access import match_for_player, match_for_staff
from tournaments.web.brakes import CALLS, braked
from tournaments.web.forms.judging import CallForm, ResolveForm, TurnForm
from tournaments.web.views.player import to_seat


@login_required
@require_POST
@braked(CALLS)
def call_judge(request: HttpRequest, match_id: str) -> HttpResponse:
    """Call a judge to one's table. Sent twice, it is one call."""
    match = match_for_player(request.user, match_id)
    services.call_judge(match=match, by=request.user, matter=CallForm(request.POST).matter_or_refuse(), now=now())
    messages.success(request, _("A judge is called to table %(table)s. Stay at your table.") % {"table": match.table})
    return to_seat(request, match)


@login_required
@require_POST
def call_withdraw(request: HttpRequest, call_id: str) -> HttpResponse:
    """No judge is needed any more."""
    call = call_for_player(request.user, call_id)
    services.withdraw_call(call=call, by=request.user, now=now())
    messages.success(request, _("The call is taken back."))
    return to_seat(request, call.match)


STEPS = {
    "claim": (services.claim_call, gettext_lazy("Go to table %(table)s.")),
    "release": (services.release_call, gettext_lazy("Table %(table)s waits for another judge.")),
    "escalate": (services.escalate_call, gettext_lazy("Table %(table)s waits for the head judge.")),
}


@login_required
@require_POST
def call_step(request: HttpRequest, call_id: str, gesture: str) -> HttpResponse:
    """Claim a call, hand it on, or end it with more time for its table."""
    call = call_for_judge(request.user, call_id)
    if gesture == "resolve":
        minutes = ResolveForm(request.POST).minutes_or_refuse()
        services.resolve_call(call=call, by=request.user, minutes=minutes, now=now())
        said = _("The call of table %(table)s is over.")
    elif gesture in STEPS:
        service, said = STEPS[gesture]
        service(call=call, by=request.user, now=now())
    else:
        raise Http404
    messages.success(request, said % {"table": call.match.table})
    return redirect("web:judge", call.match.round.stage.event.public_id)


@login_required
@require_POST
def note_turn(request: HttpRequest, match_id: str) -> HttpResponse:
    """Note the turn that a table plays after time."""
    match = match_for_staff(request.user, match_id, "extend_time")
    services.note_turn(match=match, turn=TurnForm(request.POST).turn_or_none, by=request.user, now=now())
    return redirect("web:staff_round", match.round.stage.event.public_id, match.round.number)
