"""Create an event, and its staff pages: dashboard, steps, details, card catalogue and ledger."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from tournaments.clubs.access import club_for_staff, clubs_managed_by
from tournaments.clubs.services import add_event
from tournaments.common import jobs, ledger
from tournaments.common.clock import now
from tournaments.common.letters import folded
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import is_pooled
from tournaments.decks.selectors import (
    BEFORE_START,
    Choice,
    catalogue_choices,
    chosen_of,
    newer_of,
    newest_catalogues,
)
from tournaments.decks.services import choose_catalogue, create_event, lock_decks, unlock_decks
from tournaments.events import services as events
from tournaments.events.access import event_for_staff, require
from tournaments.events.joining import join_address
from tournaments.events.models import Entrant, Event
from tournaments.events.overlaps import overlaps_of
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import OVER, formats_of
from tournaments.payments.selectors import to_look_at
from tournaments.play import services as play
from tournaments.play.selectors import ledger_shown
from tournaments.play.services.details import Changed, change_details
from tournaments.play.services.draft_clock import steps_of
from tournaments.web.answers import safe_next
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.events.dashboard import dashboard_of, not_paid, not_ready
from tournaments.web.pages.events.forms import CancelForm, CatalogueForm, DetailsForm, EventForm, StartForm
from tournaments.web.pages.events.ledger import lines_of
from tournaments.web.pages.events.menu import menu_of
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.overlaps import overlap_lines

LEDGER_PAGE = 50


@login_required
@accepted_once
def event_new(request: SignedInRequest) -> HttpResponse:
    """Create an event owned by the reader, and warn of overlapping events."""
    form = EventForm(
        request.POST or None,
        saved=formats_of(request.user),
        catalogues=newest_catalogues(request.user),
        clubs=clubs_managed_by(request.user),
        now=now(),
        initial={"club": request.GET.get("club", "")},
    )
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            event = _made(request, dict(form.cleaned_data))
            messages.success(request, _("The event is created. Only its staff see it until you open it."))
            _say_catalogue(request, event)
            for line in overlap_lines(event, overlaps_of(event)):
                messages.warning(request, line)
            return redirect("web:staff", event.public_id)
    return render(request, "web/staff/event_new.html", {"form": form}, status=422 if form.errors else 200)


def _made(request: SignedInRequest, wanted: dict[str, Any]) -> Event:
    """Create an event, for a club if one is chosen: both or neither."""
    at, chosen = now(), wanted.pop("club", "")
    with transaction.atomic():
        event = create_event(by=request.user, now=at, **wanted)
        if chosen:
            add_event(club=club_for_staff(request.user, chosen, "manage"), event=event, by=request.user, now=at)
    return event


def _say_catalogue(request: HttpRequest, event: Event) -> None:
    """Say which cards the lists of a new event are read with. The dashboard warns of the demonstration."""
    chosen = chosen_of(catalogue_choices(event, request.user)) if event.has_engine else None
    if chosen is not None and not chosen.is_demonstration:
        words = ngettext(
            "Decklists are read with %(catalog)s, version %(version)d: %(cards)d card.",
            "Decklists are read with %(catalog)s, version %(version)d: %(cards)d cards.",
            chosen.cards,
        )
        messages.success(request, words % asdict(chosen))


@login_required
def staff_details(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Change the details of an event: name, description, places, venue and times.

    With `preview` nothing is saved, and the page shows the description as players would see it.
    """
    event = event_for_staff(request.user, event_id, "manage_event")
    previews = "preview" in request.POST
    form = DetailsForm(request.POST or None, event=event, now=None if previews else now())
    valid = request.method == "POST" and form.is_valid()
    preview = form.cleaned_data["description"] if valid and previews else None
    if valid and preview is None:
        with refusals_on(form):
            changed = change_details(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _done_by(event, changed))
            return redirect("web:staff", event_id)
    status = Entrant.Status
    context = {
        "event": event,
        "form": form,
        "preview": preview,
        "playing": event.entrants.filter(status=status.REGISTERED).count(),
        "waiting": event.entrants.filter(status=status.WAITING).count(),
    }
    return render(request, "web/staff/details.html", context, status=422 if form.errors else 200)


def _done_by(event: Event, changed: Changed) -> str:
    """The message after the details were changed."""
    sentences = [_("Details saved.")]
    if changed.moved_up:
        words = ngettext(
            "%(n)d entrant from the waiting list now has a place.",
            "%(n)d entrants from the waiting list now have a place.",
            changed.moved_up,
        )
        if event.is_team_event:
            words = ngettext(
                "%(n)d team from the waiting list now has a place.",
                "%(n)d teams from the waiting list now have a place.",
                changed.moved_up,
            )
        sentences.append(words % {"n": changed.moved_up})
    if changed.too_many:
        words = ngettext(
            "%(n)d entrant is over the limit. Nobody is removed.",
            "%(n)d entrants are over the limit. Nobody is removed.",
            changed.too_many,
        )
        if event.is_team_event:
            words = ngettext(
                "%(n)d team is over the limit. No team is removed.",
                "%(n)d teams are over the limit. No team is removed.",
                changed.too_many,
            )
        sentences.append(words % {"n": changed.too_many})
    return " ".join(sentences)


@login_required
def staff(request: HttpRequest, event_id: str) -> HttpResponse:
    """The dashboard of an event: its state and its next step."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    procedures = read_procedures(event.procedures)
    invitation = join_address(event, f"{request.scheme}://{request.get_host()}")
    board = dashboard_of(event, request.user)
    traits = {
        "approval": event.approval,
        "draft": bool(steps_of(board.stage)),
        "pooled": is_pooled(board.stage),
        "meeting": procedures.meeting.held,
        "paid": procedures.entry.kind == "paid",
        "prizes": bool(procedures.prizes.shares) or event.prize_categories.exists(),
    }
    context = {
        "event": event,
        "board": board,
        "menu": menu_of(event, board.stage, board.rounds, board.may, {name for name, is_so in traits.items() if is_so}),
        "overlaps": [] if event.status in OVER else overlap_lines(event, overlaps_of(event)),
        "cards": _cards_of(event, request.user) if "manage_event" in board.may else None,
        "no_worker_runs": jobs.no_worker_runs(now()),
        "invitation": invitation,
        "prizes": traits["prizes"],
        "payments_to_look_at": to_look_at(event) if traits["paid"] and "run_desk" in board.may else 0,
    }
    return render(request, "web/staff/event.html", context)


def _cards_of(event: Event, user: Any) -> dict[str, Choice | None] | None:
    """What the dashboard says of the card catalogue: that it is a demonstration, or that there is a newer version."""
    if not event.has_engine or event.lists == Event.Lists.NONE or event.status not in BEFORE_START:
        return None
    choices = catalogue_choices(event, user)
    return {"chosen": chosen_of(choices), "newer": newer_of(choices)}


def _start(request: SignedInRequest, event: Event, at: datetime) -> None:
    # With `keep`, entrants who only lack a list stay, so only the others are counted for the confirmation.
    kept = request.POST.get("listless") == "keep"
    drops = StartForm(request.POST).drops(sum(item.must_go or not kept for item in not_ready(event)))
    play.start_event(
        event=event,
        by=request.user,
        now=at,
        drop_absent=drops,
        keep_listless=kept,
        without_check_in="without_check_in" in request.POST,
    )


def _reopen(request: SignedInRequest, event: Event, at: datetime) -> None:
    require(request.user, event, "reopen_event")
    play.reopen_event(event=event, by=request.user, now=at, reason=request.POST.get("reason", "")[:2000])


def _cancel(request: SignedInRequest, event: Event, at: datetime) -> None:
    form = CancelForm(request.POST)
    if not form.is_valid() or folded(form.cleaned_data["name"]) != folded(event.name):
        raise InvalidInput("confirmation_wrong", _("Type the name of the event as it appears on the page."))
    events.cancel_event(event=event, by=request.user, now=at, reason=form.cleaned_data["reason"])


def _plain(service: Callable[..., object]) -> Callable[[HttpRequest, Event, datetime], None]:
    """A step whose form has nothing but a button."""

    def take(request: HttpRequest, event: Event, at: datetime) -> None:
        service(event=event, by=request.user, now=at)

    return take


STEPS: dict[str, tuple[Callable[[SignedInRequest, Event, datetime], None], object]] = {
    "open": (_plain(events.open_registration), gettext_lazy("Registration is open.")),
    "lock": (_plain(lock_decks), gettext_lazy("Registration is closed and decklists are locked.")),
    "unlock": (_plain(unlock_decks), gettext_lazy("Registration and decklists are open again.")),
    "check_in": (_plain(events.open_check_in), gettext_lazy("Check-in is open.")),
    "start": (_start, gettext_lazy("The event has started.")),
    "finish": (_plain(play.finish_event), gettext_lazy("The event is finished; its standings are final.")),
    "reopen": (_reopen, gettext_lazy("The event is reopened: results can be corrected. Finish it again afterwards.")),
    "cancel": (_cancel, gettext_lazy("The event is cancelled.")),
}


@login_required
@require_POST
def staff_step(request: SignedInRequest, event_id: str, step: str) -> HttpResponse:
    """Carry out one of `STEPS`, such as opening registration or starting the event."""
    event = event_for_staff(request.user, event_id, "manage_event")
    if step not in STEPS:
        raise Http404
    take, done = STEPS[step]
    take(request, event, now())
    messages.success(request, str(done))
    return redirect(safe_next(request, reverse("web:staff", args=[event.public_id])))


@login_required
def staff_start(request: HttpRequest, event_id: str) -> HttpResponse:
    """Ask for confirmation before a locked event starts without check-in, and say who is not ready."""
    event = event_for_staff(request.user, event_id, "manage_event")
    if event.status != Event.Status.LOCKED:
        return redirect("web:staff", event.public_id)
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED)
    count, unready = playing.count(), not_ready(event)
    context = {
        "event": event,
        "playing": count,
        "ready": count - sum(item.must_go for item in unready),
        "absent": playing.filter(checked_in_at=None).count(),
        "unready": unready,
        "not_paid": not_paid(event),
    }
    return render(request, "web/staff/start.html", context)


@login_required
@accepted_once
def staff_cards(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose the card catalogue of the event, before its start.

    If registered decklists become legal or illegal with it, the page shows them first and asks for confirmation.
    """
    event = event_for_staff(request.user, event_id, "manage_event")
    choices = catalogue_choices(event, request.user)
    form = CatalogueForm(request.POST or None, choices=choices)
    changing: list[Any] = []
    if request.method == "POST" and form.is_valid():
        with refusals_on(form), _changes_to_confirm(changing):
            accept = request.POST.getlist("accept")
            choose_catalogue(event=event, by=request.user, now=now(), accept=accept, **form.cleaned_data)
            messages.success(request, _("Decklists are read with this catalogue."))
            return redirect("web:staff_cards", event.public_id)
    context = {
        "event": event,
        "form": form,
        "chosen": chosen_of(choices),
        "newer": newer_of(choices),
        "changing": changing,
        "can_change": event.status in BEFORE_START,
    }
    return render(request, "web/staff/cards.html", context, status=422 if form.errors else 409 if changing else 200)


@contextmanager
def _changes_to_confirm(changing: list[Any]) -> Iterator[None]:
    """Catch the refusal that some decklists become legal or illegal, and add them to `changing`."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code != "verdicts_change":
            raise
        changing += refusal.details


@login_required
def staff_ledger(request: HttpRequest, event_id: str) -> HttpResponse:
    """The ledger of the event, newest entries first. `?verify=1` recomputes the whole chain of hashes."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    entries = ledger_shown(event, request.user).select_related("note").order_by("-number")
    page = page_of(request, entries, LEDGER_PAGE)
    context = {"event": event, "page_of": page, "lines": lines_of(event, list(page))}
    if request.GET.get("verify"):
        faults = list(ledger.faults(event.public_id))
        context |= {"verified": True, "faults": faults, "said": _verdict(len(faults))}
    return render(request, "web/staff/ledger.html", context)


def _verdict(faults: int) -> str:
    if not faults:
        return _("The chain is intact: no entry was changed or removed.")
    return ngettext("The chain has %(n)d problem.", "The chain has %(n)d problems.", faults) % {"n": faults}
