"""How people come to an event: who can find it, its join link, and what registration asks of them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, question_of
from tournaments.events.joining import join_address
from tournaments.events.listing import renew_join_link
from tournaments.events.models import Event
from tournaments.events.questions import (
    MOST,
    add_question,
    change_question,
    move_question,
    questions_of,
    remove_question,
)
from tournaments.events.registration import SETTINGS, choose_registration
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.events.registration_forms import QuestionForm, RegistrationForm
from tournaments.web.requests import SignedInRequest


@login_required
@accepted_once
def staff_registration(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The settings of registration, and the join link."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = RegistrationForm(request.POST or None, initial=_initial(event))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_registration(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Registration settings saved."))
            return redirect("web:staff_registration", event_id)
    return _settings(request, event, form, QuestionForm())


def _settings(
    request: SignedInRequest, event: Event, form: RegistrationForm, question_form: QuestionForm
) -> HttpResponse:
    context = {
        "event": event,
        "form": form,
        "question_form": question_form,
        "questions": questions_of(event),
        "most": MOST,
        "join_link": join_address(event, f"{request.scheme}://{request.get_host()}"),
    }
    status = 422 if form.errors or question_form.errors else 200
    return render(request, "web/staff/registration.html", context, status=status)


@login_required
@require_POST
@accepted_once
def staff_join_link(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Replace the join link, so that the old one stops working."""
    event = event_for_staff(request.user, event_id, "manage_event")
    renew_join_link(event=event, by=request.user, now=now())
    messages.success(request, _("There is a new join link. The old one no longer works."))
    return redirect("web:staff_registration", event_id)


def _initial(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in SETTINGS}


@login_required
@require_POST
@accepted_once
def staff_question_add(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Add a question to everybody who registers."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = QuestionForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            add_question(event=event, by=request.user, now=now(), **form.wanted())
            messages.success(request, _("Question added."))
            return redirect(reverse("web:staff_registration", args=[event_id]) + "#questions")
    return _settings(request, event, RegistrationForm(initial=_initial(event)), form)


@login_required
@accepted_once
def staff_question(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Change a question, move it up or down, or remove it."""
    event = event_for_staff(request.user, event_id, "manage_event")
    question = question_of(event, number)
    form = QuestionForm(request.POST or None, question=question)
    action = request.POST.get("action", "")
    back = reverse("web:staff_registration", args=[event_id]) + "#questions"
    if action in ("up", "down"):
        move_question(question=question, earlier=action == "up", by=request.user, now=now())
        return redirect(back)
    if action == "remove":
        remove_question(question=question, by=request.user, now=now())
        messages.success(request, _("Question removed. Answers already given are kept."))
        return redirect(back)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            change_question(question=question, by=request.user, now=now(), **form.wanted())
            messages.success(request, _("Question saved."))
            return redirect(back)
    context = {"event": event, "form": form, "question": question, "answered": question.answers.count()}
    return render(request, "web/staff/question.html", context, status=422 if form.errors else 200)
