"""Invitations to take over an entry: the desk sends them and follows them up; players accept them through a link."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.accounts.guardians import person_for_guardian, persons_of
from tournaments.common.clock import now
from tournaments.common.mail import sends_mail
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.selectors import current_lists, lists_open
from tournaments.events import entry_invitations as invitations
from tournaments.events.access import entrant_for_staff, event_for_staff
from tournaments.events.entry_invitations import Invited, State
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.entrants.forms import AddressForm
from tournaments.web.paging import page_of
from tournaments.web.rate_limits import GRANTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address


@login_required
@accepted_once
@rate_limited(GRANTS)
def staff_invitations(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Who is invited to take over their entry, and who did. A POST invites everybody, or reminds those invited."""
    event = event_for_staff(request.user, event_id, "run_desk")
    if request.method == "POST":
        again = "again" in request.POST
        count = invitations.invite(event=event, by=request.user, now=now(), again=again)
        messages.success(request, _asked(count))
        return redirect("web:staff_invitations", event_id)
    every = invitations.invited_of(event, entrants_of(event), now())
    page = page_of(request, sorted(every, key=lambda each: (State.ALL.index(each.state), each.entrant.sort_key)))
    context = {
        "event": event,
        "rows": page,
        "page_of": page,
        "counts": _counts(every),
        "sending": invitations.sending_of(event),
        "open": event.status in invitations.SENT_IN,
        "to_invite": invitations.to_invite(event, now()).count(),
        "to_remind": invitations.to_invite(event, now(), again=True).count(),
        "collects_lists": event.lists != Event.Lists.NONE,
        "with_list": _with_list(event),
    }
    return render(request, "web/staff/invitations.html", context)


def _counts(every: Sequence[Invited]) -> Mapping[str, int]:
    return {state: sum(each.state == state for each in every) for state in State.ALL}


def _with_list(event: Event) -> set[int]:
    """The keys of the entrants with a decklist, legal or not."""
    return set(current_lists(current_stage(event)).values_list("entrant", flat=True))


def _asked(count: int) -> str:
    """The message after letters were asked for."""
    if not count:
        return _("Nobody to invite now. Invitations can be sent again after a day.")
    if not sends_mail():
        return _("This site sends no e-mails. Give each player the link on the page of their entry.")
    return ngettext("%(n)d invitation is on its way.", "%(n)d invitations are on their way.", count) % {"n": count}


@login_required
@require_POST
@accepted_once
@rate_limited(GRANTS)
def staff_entry_invitation(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Save the address of an entrant (`save`), also with a letter (`send`), or withdraw the invitation (`withdraw`)."""
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id:
        raise Http404
    command = request.POST.get("command", "save")
    if command == "withdraw":
        invitations.withdraw(entrant=entrant, by=request.user, now=now())
        messages.success(request, _("The invitation is withdrawn and the address deleted."))
        return redirect("web:staff_entry", event_id, entrant_id)
    form = AddressForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            _save(request, entrant, form.cleaned_data["email"], send=command == "send")
            return redirect("web:staff_entry", event_id, entrant_id)
    for error in form.errors.values():
        messages.error(request, " ".join(str(said) for said in error))
    return redirect("web:staff_entry", event_id, entrant_id)


def _save(request: SignedInRequest, entrant: Entrant, email: str, *, send: bool) -> None:
    made = invitations.set_address(entrant=entrant, email=email, by=request.user, now=now())
    if not send or made is None:
        messages.success(request, _("The address is saved."))
        return
    again = made.asked_at is not None
    one = [entrant.public_id]
    count = invitations.invite(event=entrant.event, entrants=one, by=request.user, now=now(), again=again)
    messages.success(request, _asked(count))


@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def entry_invitation(request: HttpRequest, invitation_id: str, secret: str) -> HttpResponse:
    """What a letter links to: take over an entry, for oneself or a child. Opening it takes nothing over."""
    held = invitations.invitation_for_holder(invitation_id, secret)
    user = request.user if request.user.is_authenticated else None
    refusal = None
    if request.method == "POST":
        if user is None:
            raise InvalidInput("account_needed", _("Sign in first, or create an account."))
        person = person_for_guardian(user, request.POST.get("person", ""))
        try:
            entrant = invitations.accept(invitation=held, person=person, by=user, now=now())
        except Refusal as refused:
            refusal = refused
        else:
            return _taken_over(request, entrant)
    elif request.method == "GET":
        invitations.note_opened(invitation=held, now=now())
    context: dict[str, Any] = {
        "event": held.entrant.event,
        "entrant": held.entrant,
        "open": invitations.is_open(held, now()),
        "mine": user is not None and held.accepted_by_id == user.pk,
        "persons": persons_of(user) if user else [],
        "collects_lists": lists_open(held.entrant.event, now()),
        "refusal": refusal,
    }
    return render(request, "web/account/entry_invitation.html", context, status=refusal.status if refusal else 200)


def _taken_over(request: HttpRequest, entrant: Entrant) -> HttpResponse:
    """Lead on to the decklist, if one is still wanted, else to the player's page."""
    event = entrant.event
    messages.success(request, _("The entry is yours now, with its seat, its lists and its results."))
    wanted = lists_open(event, now()) and entrant.pk not in _with_list(event)
    return redirect("web:deck" if wanted else "web:me", event.public_id)
