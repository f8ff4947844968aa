"""Registering for an event: what it asks, applications for a place, and changing answers."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.accounts.guardians import person_for_guardian
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.access import application_for_player, event_for_viewer, own_applications, own_entrants
from tournaments.events.approval import withdraw
from tournaments.events.models import Entrant, Event
from tournaments.events.overlaps import overlaps_of_entrants
from tournaments.events.questions import answers_of, change_answers, questions_of
from tournaments.events.registration import apply_for_place, asks_something, register_person
from tournaments.events.selectors import current_stage, persons_to_enter, registration_at
from tournaments.events.services import why_closed
from tournaments.notices.models import Kind
from tournaments.notices.selectors import gets_letter
from tournaments.play.selectors import last_round_of
from tournaments.play.services.late import refuse_if_closed
from tournaments.web.forms.questions import QuestionsForm
from tournaments.web.pages.payments.paying import price_line
from tournaments.web.pages.teams.forms import RegisterTeamForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.events import OVER
from tournaments.web.words.overlaps import clashes


def _who(request: SignedInRequest) -> Person:
    """The person to register: the one named among those for whom the account acts, by default its owner."""
    wanted = request.POST.get("person") or request.GET.get("person", "")
    return person_for_guardian(request.user, wanted) if wanted else own_person(request.user)


def register(request: HttpRequest, event_id: str) -> HttpResponse:
    """Register for an event; while nobody can, say why and what to do, also to somebody who is not signed in."""
    event = event_for_viewer(request.user, event_id)
    if registration_at(event, now()) == "open":
        return _register(request, event)  # type: ignore[arg-type]  # it asks to sign in
    mine = own_entrants(request.user, event)
    if mine and request.method == "POST":
        return redirect("web:me", event.public_id)
    context = {
        "event": event,
        "why": why_closed(event, now()),
        "opens": registration_at(event, now()) == "later",
        "desk": _at_the_desk(event),
        "mine": mine,
    }
    return render(request, "web/player/register_closed.html", context, status=409 if request.method == "POST" else 200)


def _at_the_desk(event: Event) -> str:
    """Whether the desk can still enter somebody: `before` the first round, as a `late` entry, or `closed`."""
    if event.status in (Event.Status.DRAFT, *OVER):
        return ""
    if event.status != Event.Status.RUNNING:
        return "before"
    try:
        refuse_if_closed(event, current_stage(event), last_round_of(event))
    except Refusal as refusal:
        return "late" if refusal.code == "draft_pairings" else "closed"
    return "late"


@login_required
def _register(request: SignedInRequest, event: Event) -> HttpResponse:
    """Register for the event, or apply for a place if the desk decides on each registration.

    If registration asks something, a page asks it first. Somebody who is registered already is redirected to the seat
    page.
    """
    asks = asks_something(event) or event.is_team_event
    # Who had to sign in first comes back by GET.
    if request.method != "POST" and not (asks and persons_to_enter(request.user, event, now())):
        return redirect("web:event", event.public_id)
    person = _who(request)
    form = _form(request, event, person)
    if request.method != "POST" or (asks and not form.is_valid()):
        return _ask(request, event, person, form)
    said: dict[str, Any] = {"answers": form.answers(), "consent": form.consent()} if asks else {}
    if isinstance(form, RegisterTeamForm):
        said["team_name"] = form.cleaned_data["team_name"]
    try:
        if event.approval:
            return _applied(request, event, person, said)
        return _entered(request, event, register_person(event=event, person=person, by=request.user, now=now(), **said))
    except InvalidInput as refusal:
        form.refuse(refusal)
        return _ask(request, event, person, form)
    except Refusal as refusal:
        if refusal.code == "team_name_taken":
            form.add_error("team_name", str(refusal.message))
            return _ask(request, event, person, form)
        if refusal.code != "already_registered":
            raise
        messages.info(request, str(refusal.message))
        return redirect("web:me", event.public_id)


def _form(request: SignedInRequest, event: Event, person: Person) -> QuestionsForm:
    # A button on the page of the event posts a person alone: then nothing is filled in yet.
    sent = request.POST if set(request.POST) - {"csrfmiddlewaretoken", "person"} else None
    acts_for = person != own_person(request.user)
    answers = answers_of(event, person)
    kind = RegisterTeamForm if event.is_team_event else QuestionsForm
    return kind(sent, event, answers=answers, asks_consent=True, acts_for=acts_for)


def _ask(request: SignedInRequest, event: Event, person: Person, form: QuestionsForm) -> HttpResponse:
    context = {"event": event, "person": person, "form": form, "price": price_line(event, now())}
    return render(request, "web/player/register.html", context, status=422 if form.errors else 200)


def _applied(request: SignedInRequest, event: Event, person: Person, said: dict[str, Any]) -> HttpResponse:
    apply_for_place(event=event, person=person, by=request.user, now=now(), **said)
    mailed = gets_letter(request.user, Kind.PLACE)
    messages.success(
        request,
        _("Application sent. The organizer will decide, and you will get an e-mail.")
        if mailed
        else _("Application sent. The organizer will decide. The answer will be on this page."),
    )
    return redirect("web:event", event.public_id)


def _entered(request: SignedInRequest, event: Event, entrant: Entrant) -> HttpResponse:
    if entrant.status == Entrant.Status.WAITING:
        messages.warning(request, _("The event is full: you are on the waiting list."))
    else:
        messages.success(request, _registered(event))
    for line in clashes(event, overlaps_of_entrants(event, [entrant])):
        messages.warning(request, line)
    if event.is_team_event:
        return redirect("web:team", entrant.public_id)
    several = len(own_entrants(request.user, event)) > 1
    query = f"?entrant={entrant.public_id}" if several else ""
    return redirect(reverse("web:me", args=[event.public_id]) + query)


def _registered(event: Event) -> str:
    """The message for a player who has just registered."""
    if event.is_team_event:
        return _("Your team is registered. Send its link to your team mates, so that they can join.")
    if event.lists == Event.Lists.REQUIRED:
        return _("You are registered. Submit your decklist before the lists are locked.")
    if event.lists == Event.Lists.OPTIONAL:
        return _("You are registered. You may submit a decklist, if you like.")
    return _("You are registered.")


@login_required
@require_POST
def application_withdraw(request: SignedInRequest, application_id: str) -> HttpResponse:
    """Withdraw an application that the desk has not decided on."""
    application = application_for_player(request.user, application_id)
    withdraw(application=application, by=request.user, now=now())
    messages.success(request, _("Application withdrawn."))
    return redirect("web:event", application.event.public_id)


@login_required
def my_answers(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Read one's own answers to the event's questions, and change them until registration closes."""
    event = event_for_viewer(request.user, event_id)
    person = _answering(request, event)
    open_ = registration_at(event, now()) == "open"
    form = QuestionsForm(request.POST or None, event, answers=answers_of(event, person))
    if request.method == "POST" and form.is_valid():
        try:
            change_answers(event=event, person=person, answers=form.answers(), by=request.user, now=now())
        except InvalidInput as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Answers saved."))
            return redirect("web:event", event.public_id)
    context = {"event": event, "person": person, "form": form, "open": open_}
    return render(request, "web/player/answers.html", context, status=422 if form.errors else 200)


def _answering(request: SignedInRequest, event: Event) -> Person:
    """The person of the account whose answers these are; 404 if they neither are in the event nor have applied."""
    persons = [member.person for entrant in own_entrants(request.user, event) for member in entrant.member_set.all()]
    persons += [application.person for application in own_applications(request.user, event)]
    own = [person for person in persons if person.account_id == request.user.pk]
    wanted = request.GET.get("person", "")
    found = next((person for person in own if wanted in ("", person.public_id)), None)
    if found is None or not questions_of(event):
        raise Http404
    return found
