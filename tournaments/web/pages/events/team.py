"""The staff of an event: give roles by e-mail address or invitation link, revoke them, and set the contact."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.accounts.selectors import name_of
from tournaments.common.clock import now
from tournaments.common.mail import address_of, sends_mail
from tournaments.common.refusals import Refusal
from tournaments.events import invitations
from tournaments.events import services as events
from tournaments.events.access import event_for_staff, invitation_for_staff, may
from tournaments.events.models import Event, StaffRole
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.events.forms import GrantForm, HandOverForm, InviteForm
from tournaments.web.rate_limits import GRANTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address
from tournaments.web.words.events import role_words


@login_required
@accepted_once
@rate_limited(GRANTS)
def staff_team(request: SignedInRequest, event_id: str) -> HttpResponse:
    """List the staff with their roles; a POST gives a role by e-mail address."""
    event = event_for_staff(request.user, event_id, "invite_staff")
    form = GrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            events.grant_role(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The role is given."))
            return redirect("web:staff_team", event.public_id)
    return _team(request, event, form=form)


@login_required
@require_POST
@accepted_once
@rate_limited(GRANTS)
def staff_invite(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Create an invitation link for a role, and e-mail it if an address is given."""
    event = event_for_staff(request.user, event_id, "invite_staff")
    form = InviteForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            made = invitations.invite(event=event, by=request.user, now=now(), **form.cleaned_data)
            mailed = made.email and sends_mail()
            message = _("The invitation is on its way.") if mailed else _("The link is ready: pass it on.")
            messages.success(request, message)
            return redirect("web:staff_team", event.public_id)
    return _team(request, event, invite_form=form)


@login_required
@require_POST
@accepted_once
@rate_limited(GRANTS)
def staff_hand_over(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Make another account the owner of the event."""
    event = event_for_staff(request.user, event_id, "invite_staff")
    form = HandOverForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            owner = events.hand_over(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("%(name)s now owns the event.") % {"name": name_of(owner.user)})
            # Who does not stay may no longer have access to the desk.
            return redirect("web:staff", event.public_id) if form.cleaned_data["stay"] else redirect("web:home")
    return _team(request, event, hand_over_form=form)


@login_required
@require_POST
def staff_uninvite(request: SignedInRequest, invitation_id: str) -> HttpResponse:
    """Withdraw an invitation, which invalidates its link."""
    invitation = invitation_for_staff(request.user, invitation_id)
    invitations.withdraw(invitation=invitation, by=request.user, now=now())
    messages.success(request, _("The invitation is withdrawn."))
    return redirect("web:staff_team", invitation.event.public_id)


@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, invitation_id: str, secret: str) -> HttpResponse:
    """Accept an invitation through its link. Opening it does nothing; its button accepts the role."""
    held = invitations.invitation_for_holder(invitation_id, secret)
    refusal = None
    if request.method == "POST" and request.user.is_authenticated:
        try:
            invitations.accept(invitation=held, by=request.user, now=now())
        except Refusal as refused:
            refusal = refused
        else:
            messages.success(request, _("You are now on the staff."))
            return redirect(_first_page(request.user, held.event), held.event.public_id)
    context = {"invitation": held, "role": role_words(held), "refusal": refusal}
    return render(request, "web/account/invitation.html", context, status=refusal.status if refusal else 200)


def _first_page(user: Any, event: Event) -> str:
    """Where somebody who joins the team begins: scribes have no desk."""
    return "web:staff" if may(user, event, "view_staff_pages") else "web:record_tables"


def _team(request: HttpRequest, event: Event, **forms: Any) -> HttpResponse:
    roles = event.staff_roles.select_related("user").prefetch_related("user__persons").order_by("pk")
    context = {
        "event": event,
        "form": GrantForm(),
        "invite_form": InviteForm(),
        "hand_over_form": HandOverForm(),
        "team": [
            {
                "role": role,
                "words": role_words(role),
                "name": name_of(role.user),
                "revoke": reverse("web:staff_revoke", args=[event.public_id, role.pk]),
            }
            for role in roles
        ],
        "invited": [
            {"invitation": open_, "words": role_words(open_), "link": address_of(invitations.path_of(open_))}
            for open_ in invitations.open_invitations(event, now())
        ],
        **forms,
    }
    refused = any(form.errors for form in forms.values())
    return render(request, "web/staff/team.html", context, status=422 if refused else 200)


@login_required
@require_POST
def staff_contact(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Set the contact of the organizer that the event's page shows."""
    event = event_for_staff(request.user, event_id, "manage_event")
    events.change_contact(event=event, contact=request.POST.get("contact", ""), by=request.user, now=now())
    messages.success(request, _("Contact saved."))
    return redirect("web:staff", event.public_id)


@login_required
@require_POST
def staff_revoke(request: SignedInRequest, event_id: str, pk: int) -> HttpResponse:
    """Revoke a role."""
    event = event_for_staff(request.user, event_id, "invite_staff")
    role = get_object_or_404(StaffRole.objects.select_related("user"), event=event, pk=pk)
    events.revoke_role(role=role, by=request.user, now=now())
    messages.success(request, _("The role is taken back."))
    if role.user_id == request.user.pk:
        return redirect("web:home")  # the reader may no longer have access to the page of the team
    return redirect("web:staff_team", event.public_id)
