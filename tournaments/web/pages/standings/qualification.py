"""Qualification: the page on which the first players of an event are entered into another one."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.leagues.access import organized_by
from tournaments.standings.qualification import MOST, State, candidates_of, qualify
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.choices import choice_field
from tournaments.web.requests import SignedInRequest

_OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


class QualifyForm(forms.Form):
    """Who enters which event: the first players, with or without those who dropped."""

    into = forms.ChoiceField(label=gettext_lazy("Event they qualify for"))
    first = forms.IntegerField(label=gettext_lazy("How many qualify"), min_value=1, max_value=MOST)
    skip_dropped = forms.BooleanField(label=gettext_lazy("Skip players who dropped"), required=False)

    def __init__(self, data: object = None, *, events: list[tuple[str, str]]) -> None:
        super().__init__(data, initial={"first": 8, "skip_dropped": True})  # type: ignore[arg-type]  # a QueryDict, or None
        choice_field(self, "into").choices = [("", "–"), *events]


@login_required
@accepted_once
def staff_qualify(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose the event and the number of places, see who would enter, and enter those who do not decline."""
    event = event_for_staff(request.user, event_id, "manage_event")
    sent = request.POST or request.GET
    others = organized_by(request.user).exclude(pk=event.pk).exclude(status__in=_OVER).order_by("-created_at", "-pk")
    form = QualifyForm(sent if "into" in sent else None, events=list(others.values_list("public_id", "name")))
    candidates, into = [], None
    if form.is_valid():
        into = event_for_staff(request.user, form.cleaned_data["into"], "manage_event")
        wanted = {name: form.cleaned_data[name] for name in ("first", "skip_dropped")}
        declined = _declined(request)
        if request.POST.get("action") == "enter":
            entered = qualify(
                source=event,
                into=into,
                declined=declined,
                invite="invite" in request.POST,
                by=request.user,
                now=now(),
                **wanted,
            )
            done = ngettext("%(n)d player is entered.", "%(n)d players are entered.", len(entered.entrants))
            messages.success(request, done % {"n": len(entered.entrants)})
            return redirect("web:staff_entrants", into.public_id)
        candidates = candidates_of(event, into, declined=declined, **wanted)
    context = {
        "event": event,
        "form": form,
        "into": into,
        "candidates": candidates,
        "entering": any(each.state == State.ENTERS for each in candidates),
        "declined": _declined(request),
    }
    return render(request, "web/staff/qualify.html", context, status=422 if form.errors else 200)


def _declined(request: SignedInRequest) -> list[str]:
    """The players who decline, as they were ticked."""
    return (request.POST or request.GET).getlist("declined")[: 2 * MOST]
