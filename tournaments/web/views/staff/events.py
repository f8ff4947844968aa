"""Creating an event, its dashboard with the one next step, its team and its ledger."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from tournaments.accounts.selectors import name_of
from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import is_pooled
from tournaments.decks.selectors import catalogue_choices
from tournaments.decks.services import choose_catalogue, lock_decks, unlock_decks
from tournaments.events import services as events
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event, StaffRole
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage, formats_of
from tournaments.play import services as play
from tournaments.play.selectors import ledger_shown
from tournaments.standings.services import choose_scheme
from tournaments.standings.words import SCHEMES, WORDS
from tournaments.web.brakes import GRANTS, braked
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.forms.staff import CancelForm, CatalogueForm, EventForm, GrantForm, SchemeForm, StartForm
from tournaments.web.once import once
from tournaments.web.views.staff.dashboard import dashboard_of, not_ready
from tournaments.web.views.staff.ledger import lines_of
from tournaments.web.words import ROLES

LEDGER_PAGE = 50


@login_required
@once
def event_new(request: HttpRequest) -> HttpResponse:
    """Create an event; whoever does becomes its owner."""
    form = EventForm(request.POST or None, saved=formats_of(request.user))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            event = events.create_event(by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The event is created. Only its staff see it until you open it."))
            return redirect("web:staff", event.public_id)
    return render(request, "web/staff/event_new.html", {"form": form}, status=422 if form.errors else 200)


@login_required
def staff(request: HttpRequest, event_id: str) -> HttpResponse:
    """The dashboard: where the event stands and what comes next."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    procedures = read_procedures(event.procedures)
    invitation = request.build_absolute_uri(reverse("web:event", args=[event.public_id]))
    context = {
        "event": event,
        "board": dashboard_of(event, request.user),
        "invitation": invitation,
        "pooled": is_pooled(current_stage(event)),
        "meeting": procedures.meeting.held,
        "prizes": bool(procedures.prizes.shares),
    }
    return render(request, "web/staff/event.html", context)


def _start(request: HttpRequest, event: Event, at: datetime) -> None:
    drops = StartForm(request.POST).drops(len(not_ready(event)))
    play.start_event(event=event, by=request.user, now=at, drop_absent=drops)


def _cancel(request: HttpRequest, event: Event, at: datetime) -> None:
    form = CancelForm(request.POST)
    if not form.is_valid() or form.cleaned_data["name"].strip().casefold() != event.name.strip().casefold():
        raise InvalidInput("confirmation_wrong", _("Type the name of the event, as the page shows it."))
    events.cancel_event(event=event, by=request.user, now=at, reason=form.cleaned_data["reason"])


def _plain(service: Callable[..., object]) -> Callable[[HttpRequest, Event, datetime], None]:
    """A step of which the form holds nothing but its button."""

    def take(request: HttpRequest, event: Event, at: datetime) -> None:
        service(event=event, by=request.user, now=at)

    return take


STEPS: dict[str, tuple[Callable[[HttpRequest, Event, datetime], None], object]] = {
    "open": (_plain(events.open_registration), gettext_lazy("Registration is open.")),
    "lock": (_plain(lock_decks), gettext_lazy("Registration is closed and decklists are locked.")),
    "unlock": (_plain(unlock_decks), gettext_lazy("Registration and decklists are open again.")),
    "check_in": (_plain(events.open_check_in), gettext_lazy("Check-in is open.")),
    "start": (_start, gettext_lazy("The event has started.")),
    "finish": (_plain(play.finish_event), gettext_lazy("The event is finished; its standings are final.")),
    "cancel": (_cancel, gettext_lazy("The event is cancelled.")),
}


@login_required
@require_POST
def staff_step(request: HttpRequest, event_id: str, step: str) -> HttpResponse:
    """Take one step of the event's life."""
    event = event_for_staff(request.user, event_id, "manage_event")
    if step not in STEPS:
        raise Http404
    take, done = STEPS[step]
    take(request, event, now())
    messages.success(request, str(done))
    return redirect("web:staff", event.public_id)


@login_required
@once
@braked(GRANTS)
def staff_team(request: HttpRequest, event_id: str) -> HttpResponse:
    """Who may do what at the event; the owner gives a role by e-mail address."""
    event = event_for_staff(request.user, event_id, "invite_staff")
    form = GrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            events.grant_role(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The role is given."))
            return redirect("web:staff_team", event.public_id)
    roles = event.staff_roles.select_related("user").prefetch_related("user__persons").order_by("pk")
    team = [{"role": role, "words": ROLES[role.role], "name": name_of(role.user)} for role in roles]
    context = {"event": event, "form": form, "team": team}
    return render(request, "web/staff/team.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def staff_revoke(request: HttpRequest, event_id: str, pk: int) -> HttpResponse:
    """Take a role back."""
    event = event_for_staff(request.user, event_id, "invite_staff")
    role = get_object_or_404(StaffRole.objects.select_related("user"), event=event, pk=pk)
    events.revoke_role(role=role, by=request.user, now=now())
    messages.success(request, _("The role is taken back."))
    if role.user_id == request.user.pk:
        return redirect("web:home")  # one's own page may just have closed
    return redirect("web:staff_team", event.public_id)


@login_required
@once
def staff_scheme(request: HttpRequest, event_id: str) -> HttpResponse:
    """By what the standings of the stage being played are ordered."""
    event = event_for_staff(request.user, event_id, "manage_event")
    scheme = current_stage(event).scheme
    own = {"scheme": "mtr", "tiebreaks": scheme}
    form = SchemeForm(request.POST or None, initial={"scheme": scheme} if scheme in SCHEMES else own)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_scheme(event=event, scheme=form.chosen(), by=request.user, now=now())
            messages.success(request, _("The standings are counted again in this order."))
            return redirect("web:staff_scheme", event.public_id)
    context = {"event": event, "form": form, "tiebreaks": WORDS}
    return render(request, "web/staff/scheme.html", context, status=422 if form.errors else 200)


@login_required
@once
def staff_cards(request: HttpRequest, event_id: str) -> HttpResponse:
    """Which catalogue the event's lists are read with; organizers choose it before any list is there."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = CatalogueForm(request.POST or None, choices=catalogue_choices(event))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_catalogue(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Decklists are read with this catalogue."))
            return redirect("web:staff_cards", event.public_id)
    context = {"event": event, "form": form}
    return render(request, "web/staff/cards.html", context, status=422 if form.errors else 200)


@login_required
def staff_ledger(request: HttpRequest, event_id: str) -> HttpResponse:
    """Everything that happened, newest first; `?verify=1` recomputes the whole chain."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    entries = ledger_shown(event, request.user).select_related("note").order_by("-number")
    page = Paginator(entries, LEDGER_PAGE).get_page(request.GET.get("page"))
    context = {"event": event, "page_of": page, "lines": lines_of(event, list(page))}
    if request.GET.get("verify"):
        faults = list(ledger.faults(event.public_id))
        context |= {"verified": True, "faults": faults, "said": _verdict(len(faults))}
    return render(request, "web/staff/ledger.html", context)


def _verdict(faults: int) -> str:
    if not faults:
        return _("The chain is whole: no entry was changed or taken out.")
    return ngettext("The chain has %(n)d fault.", "The chain has %(n)d faults.", faults) % {"n": faults}
