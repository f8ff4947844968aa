"""The seeds of an event: taken from the ratings of a league, or removed."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.seeding import BEFORE, seeds_of, set_seeds
from tournaments.events.selectors import full_names
from tournaments.leagues.access import league_for_manager
from tournaments.leagues.namesakes import reviews_of
from tournaments.leagues.rules import rates
from tournaments.leagues.seeding import take_seeds
from tournaments.leagues.selectors import leagues_of
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.choices import choice_field
from tournaments.web.requests import SignedInRequest


class SeedsForm(forms.Form):
    """One of the organizer's leagues that rate their players."""

    league = forms.ChoiceField(label=gettext_lazy("League"))

    def __init__(self, data: object = None, *, leagues: list[tuple[str, str]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict, or None
        choice_field(self, "league").choices = [("", "–"), *leagues]


@login_required
@accepted_once
def staff_seeds(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The seeds of the players, best first. A POST takes them from a league, or removes them."""
    event = event_for_staff(request.user, event_id, "manage_event")
    if request.POST.get("action") == "remove":
        set_seeds(event=event, order=[], by=request.user, now=now())
        messages.success(request, _("Seeds removed."))
        return redirect("web:staff_seeds", event_id)
    leagues = [(each.public_id, each.name) for each in leagues_of(request.user) if rates(each.rules)]
    form = SeedsForm(request.POST or None, leagues=leagues)
    if request.method == "POST" and form.is_valid():
        league = league_for_manager(request.user, form.cleaned_data["league"])
        seeded = take_seeds(event=event, league=league, by=request.user, now=now())
        message = ngettext("%(n)d player is seeded.", "%(n)d players are seeded.", len(seeded))
        messages.success(request, message % {"n": len(seeded)})
        return redirect("web:staff_seeds", event_id)
    order = seeds_of(event)
    names = full_names(event) if order else {}
    context = {
        "event": event,
        "form": form,
        "leagues": leagues,
        "seeds": [names.get(each, each) for each in order],
        "open": event.status in BEFORE,
        "reviews": reviews_of(event, request.user),
    }
    return render(request, "web/staff/seeds.html", context, status=422 if form.errors else 200)
