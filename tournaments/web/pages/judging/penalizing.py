"""Penalties: list those of an event, give and withdraw them, and reopen a decklist with a penalty."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput
from tournaments.decks.selectors import reopened, reopened_members
from tournaments.decks.services import AFTER_LOCK, close_list
from tournaments.events.access import entrant_for_staff, event_for_staff, may, own_entrants
from tournaments.events.models import Entrant, Member
from tournaments.events.selectors import current_stage, named_in
from tournaments.events.teams import in_order, member_named
from tournaments.judging.access import is_head_judge, penalty_for_judge
from tournaments.judging.infractions import LADDERS
from tournaments.judging.penalties import give_penalty, reopen_with_penalty, withdraw_penalty
from tournaments.judging.selectors import (
    open_match_of,
    penalties_of,
    penalties_of_entrant,
    penalties_shared_with,
    proposals,
)
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import ToConfirm, refusals_on
from tournaments.web.pages.judging.forms import CHOOSE_INFRACTION, PenaltyForm, ReopenForm
from tournaments.web.pages.judging.penalty_lines import PenaltyLine, costs_here, penalty_lines
from tournaments.web.pages.results.desk import effect_words
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.judging import LEVELS

A_PAGE, MOST_FOUND = 50, 20


@login_required
@require_safe
def penalties(request: HttpRequest, event_id: str) -> HttpResponse:
    """The penalties of an event, newest first, and a search for the player to give one to."""
    event = event_for_staff(request.user, event_id, "judge")
    wanted = request.GET.get("find", "").strip()[:80]
    mine = {own.public_id for own in own_entrants(request.user, event)}
    page = Paginator(penalties_of(event), A_PAGE).get_page(request.GET.get("page"))
    found = (
        [pair for pair in named_in(event, full=True) if found_in(wanted, pair[1]) and pair[0] not in mine]
        if wanted
        else []
    )
    context = {
        "event": event,
        "page_of": page,
        "lines": penalty_lines(event, page.object_list),
        "find": wanted,
        "found": found[:MOST_FOUND],
    }
    return render(request, "web/judge/penalties.html", context)


@login_required
@accepted_once
def penalty_give(request: SignedInRequest, entrant_id: str) -> HttpResponse:
    """Give a penalty. The page shows the player's earlier ones and the level that the ladder proposes.

    If the penalty would change later matches, or was given to the same player just now, the page is shown again (409)
    with that, to be confirmed.
    """
    entrant = entrant_for_staff(request.user, entrant_id, "judge")
    advised = proposals(entrant)
    form = PenaltyForm(
        request.POST or None, proposals=advised, initial={"infraction": request.GET.get("infraction", "")}
    )
    if request.method == "POST" and form.is_valid():
        data, moved = form.cleaned_data, ToConfirm()
        with refusals_on(form), moved.caught():
            given = give_penalty(entrant=entrant, by=request.user, now=now(), **data)
            messages.success(request, _("Penalty given: %(level)s.") % {"level": LEVELS[given.level]})
            return redirect("web:penalties", entrant.event.public_id)
        if moved.refusal:
            confirmed = {"again": True} if moved.twice else {"acknowledged": True}
            asked = PenaltyForm(initial={**data, **confirmed}, proposals=advised)
            return _page(request, entrant, asked, 409, moved.effects, twice=moved.twice)
    return _page(request, entrant, form, 422 if form.errors else 200)


def _page(
    request: HttpRequest, entrant: Entrant, form: PenaltyForm, status: int, effects: Any = (), twice: str = ""
) -> HttpResponse:
    event = entrant.event
    lines = penalty_lines(event, penalties_of_entrant(entrant))
    context = {
        "event": event,
        "entrant": entrant,
        "match": open_match_of(entrant),
        "form": form,
        "costs": costs_here(current_stage(event)),
        "lines": lines,
        "twice": next((line for line in lines if line.penalty.public_id == twice), None),
        "elsewhere": _elsewhere(request, entrant),
        "effects": effect_words(event, effects),
        "reopens": may(request.user, event, "reopen_list") and event.status in AFTER_LOCK,
        "open_lists": _open_lists(entrant),
        "reopen_form": ReopenForm(members=_members(entrant)),
    }
    return render(request, "web/judge/penalty.html", context, status=status)


def _members(entrant: Entrant) -> list[Member]:
    """The members of a team; nobody for a player."""
    return in_order(entrant) if entrant.event.is_team_event else []


def _open_lists(entrant: Entrant) -> list[Member | None]:
    """The members of a team whose lists are open again, or None for the list of a player, if it is."""
    if entrant.event.is_team_event:
        opened = reopened_members(entrant.event)
        return [member for member in in_order(entrant) if member.pk in opened]
    return [None] if entrant.pk in reopened(entrant.event) else []


def _elsewhere(request: HttpRequest, entrant: Entrant) -> list[PenaltyLine]:
    """For a head judge: what the player was given at other events of the club, without what judges wrote about it."""
    if not is_head_judge(request.user, entrant.event):
        return []
    return penalty_lines(entrant.event, penalties_shared_with(entrant, now()), staff=False)


@login_required
@require_POST
def penalty_withdraw(request: SignedInRequest, penalty_id: str) -> HttpResponse:
    """Withdraw a penalty, together with the loss that it caused."""
    penalty = penalty_for_judge(request.user, penalty_id)
    withdraw_penalty(penalty=penalty, by=request.user, now=now())
    messages.success(request, _("The penalty is withdrawn."))
    return redirect("web:penalties", penalty.entrant.event.public_id)


@login_required
@require_POST
@accepted_once
def list_reopen(request: SignedInRequest, entrant_id: str) -> HttpResponse:
    """Reopen a player's decklist for one new version, with a reason and a penalty."""
    entrant = entrant_for_staff(request.user, entrant_id, "reopen_list")
    form = ReopenForm(request.POST, _members(entrant))
    if not form.is_valid():
        if "infraction" in form.errors:
            raise InvalidInput("infraction_unknown", str(CHOOSE_INFRACTION), details=sorted(LADDERS))
        raise InvalidInput("reason_missing", _("Give a reason."))
    reopen_with_penalty(entrant=entrant, by=request.user, now=now(), **form.said)
    messages.success(request, _("The list of %(name)s is open for one more version.") % {"name": entrant.full_name})
    return redirect("web:penalty_give", entrant_id)


@login_required
@require_POST
def list_close(request: SignedInRequest, entrant_id: str) -> HttpResponse:
    """Close a reopened decklist without a new version."""
    entrant = entrant_for_staff(request.user, entrant_id, "reopen_list")
    wanted = request.POST.get("member", "")
    member = member_named(entrant, wanted) if wanted else None
    close_list(entrant=entrant, member=member, by=request.user, now=now())
    messages.success(request, _("The list of %(name)s is closed.") % {"name": entrant.full_name})
    return redirect("web:penalty_give", entrant_id)
