"""The ban list of an organizer."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.events import bans as banning
from tournaments.leagues.access import person_for_book
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.leagues.ban_forms import BanAddressForm, BanForm
from tournaments.web.requests import SignedInRequest


@login_required
@accepted_once
def bans(request: SignedInRequest) -> HttpResponse:
    """The account's own ban list; a POST adds an e-mail address."""
    form = BanAddressForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            banning.ban_address(owner=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The address is on the ban list."))
            return redirect("web:bans")
    context = {"form": form, "bans": banning.bans_of(request.user), "today": now().date()}
    return render(request, "web/leagues/bans.html", context, status=422 if form.errors else 200)


@login_required
@accepted_once
def ban_person(request: SignedInRequest, person_id: str) -> HttpResponse:
    """Put a person of the player book on the ban list."""
    person = person_for_book(request.user, person_id)
    form = BanForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            banning.ban_person(owner=request.user, person=person, now=now(), **form.cleaned_data)
            messages.success(request, _("%(name)s is on the ban list.") % {"name": person.full_name})
            return redirect("web:bans")
    context = {"form": form, "person": person}
    return render(request, "web/leagues/ban.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def ban_lift(request: SignedInRequest, pk: int) -> HttpResponse:
    """Remove an entry from the ban list."""
    banning.lift_ban(ban=banning.ban_for_owner(request.user, pk))
    messages.success(request, _("Removed from the ban list."))
    return redirect("web:bans")
