"""The entrants desk: who is in, with which list, who is there; walk-ins, drops, lists on paper."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.common.names import found_in
from tournaments.common.refusals import NotAllowed
from tournaments.decks.access import reads_history
from tournaments.decks.engine_gate import card_names, describe
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists, reopened, without_legal_list
from tournaments.decks.services import submit_decklist
from tournaments.events import services as events
from tournaments.events.access import entrant_for_staff, event_for_staff, may_read_hidden, own_entrants
from tournaments.events.claims import claim_address, typed_person
from tournaments.events.models import Entrant, Event
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage, entrants_of, named_in, names_of
from tournaments.play import services as play
from tournaments.play.access import decklist_for_viewer
from tournaments.web.brakes import DECKS, braked
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.forms.staff import DisqualifyForm, MergeEntrantsForm, PaperListForm, WalkInForm
from tournaments.web.meanings import OVER
from tournaments.web.once import once
from tournaments.web.paging import page_of
from tournaments.web.procedure_words import SETTLED
from tournaments.web.views.staff.dashboard import gestures_of
from tournaments.web.words import ENTRANT_STATES

PARTS = {
    "absent": gettext_lazy("Not checked in"),
    "listless": gettext_lazy("Without a legal list"),
    "owed": gettext_lazy("Entry owed"),
}


@dataclass(frozen=True)
class EntrantRow:
    """One line of the desk."""

    entrant: Entrant
    state: object
    decklist: Decklist | None
    can_check_in: bool
    can_drop: bool
    can_reinstate: bool
    can_type_list: bool
    settled: object
    playing_now: bool
    can_disqualify: bool


def rows_of(event: Event, user: Any, entrants: QuerySet[Entrant]) -> list[EntrantRow]:
    """Entrants with the state of their lists; four queries whatever their number."""
    current = current_lists(current_stage(event)).filter(entrant__in=entrants).defer("text", "cards")
    lists = {decklist.entrant_id: decklist for decklist in current}
    mine = own_entrants(user, event)
    free = _is_free(event)
    again = reopened(event)
    return [_row(event, entrant, lists.get(entrant.pk), mine, free, again) for entrant in entrants]


def _is_free(event: Event) -> bool:
    return read_procedures(event.procedures).entry.kind == "free"


def _row(
    event: Event,
    entrant: Entrant,
    decklist: Decklist | None,
    mine: Sequence[Entrant],
    free: bool,
    open_again: Collection[int],
) -> EntrantRow:
    takes_list = event.status == Event.Status.REGISTRATION or entrant.pk in open_again
    dropped = entrant.status == Entrant.Status.DROPPED
    playing = entrant.status == Entrant.Status.REGISTERED
    return EntrantRow(
        entrant=entrant,
        state=ENTRANT_STATES[entrant.status],
        decklist=decklist,
        can_check_in=playing and event.status == Event.Status.CHECK_IN and entrant.checked_in_at is None,
        can_drop=not dropped and event.status not in OVER,
        can_reinstate=dropped and event.status == Event.Status.RUNNING,
        settled=None if free else SETTLED[entrant.settled],
        can_type_list=not dropped and takes_list and (not mine or entrant in mine),
        playing_now=playing and event.status == Event.Status.RUNNING,
        can_disqualify=event.status == Event.Status.RUNNING and not entrant.disqualified and not mine,
    )


def _parts(event: Event, every: QuerySet[Entrant]) -> dict[str, QuerySet[Entrant]]:
    """Who is not here, has no legal list, owes the entry: the parts of the desk that mean something now."""
    playing = every.filter(status=Entrant.Status.REGISTERED)
    parts = {
        "absent": playing.filter(checked_in_at=None),
        "listless": playing.filter(pk__in=without_legal_list(current_stage(event)).values("pk")),
        "owed": playing.filter(settled=Entrant.Settled.NO),
    }
    silent = {"absent": event.status != Event.Status.CHECK_IN, "owed": _is_free(event)}
    return {name: rows for name, rows in parts.items() if not silent.get(name)}


def _desk(request: HttpRequest, event: Event, form: WalkInForm) -> HttpResponse:
    wanted = request.GET.get("find", "")
    every = entrants_of(event)
    parts = _parts(event, every)
    part = request.GET.get("show", "")
    shown = parts.get(part, every)
    names = names_of(shown) if wanted else {}
    keys = [key for key in shown.values_list("pk", flat=True) if found_in(wanted, names.get(key, ""))]
    page = page_of(request, keys)
    may = gestures_of(request.user, event)
    context = {
        "event": event,
        "rows": rows_of(event, request.user, every.filter(pk__in=list(page))),
        "page_of": page,
        "total": every.count(),
        "find": wanted,
        "part": part if part in parts else "",
        "parts": [(name, PARTS[name], count) for name in parts if (count := parts[name].count())],
        "form": form,
        "adding": bool(form.errors) or "adding" in request.GET,
        "may": may,
        "reads_lists": may_read_hidden(request.user, event, "read_decks"),
        "registration": event.status == Event.Status.REGISTRATION,
        "running": event.status == Event.Status.RUNNING,
        "checking_in": event.status == Event.Status.CHECK_IN,
        "legal": current_lists(current_stage(event)).filter(legal=True).count(),
        "here": every.filter(checked_in_at__isnull=False).count(),
    }
    return render(request, "web/staff/entrants.html", context, status=422 if form.errors else 200)


@login_required
def staff_entrants(request: HttpRequest, event_id: str) -> HttpResponse:
    """The list of the desk."""
    return _desk(request, event_for_staff(request.user, event_id, "view_staff_pages"), WalkInForm())


@login_required
@require_POST
@once
def staff_entrant_add(request: HttpRequest, event_id: str) -> HttpResponse:
    """Enter a person who has no account."""
    event = event_for_staff(request.user, event_id, "run_desk")
    form = WalkInForm(request.POST)
    if form.is_valid():
        enter = play.enter_late if event.status == Event.Status.RUNNING else events.add_entrant
        with refusals_on(form):
            entrant = enter(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("%(name)s is entered.") % {"name": entrant.name})
            return redirect(reverse("web:staff_entrants", args=[event.public_id]) + "?adding=1")  # the next one
    return _desk(request, event, form)


@login_required
@require_POST
def staff_disqualify(request: HttpRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Put an entrant out of the event, with a reason."""
    entrant = entrant_for_staff(request.user, entrant_id, "disqualify")
    if entrant.event.public_id != event_id:
        raise Http404
    form = DisqualifyForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    play.disqualify(entrant=entrant, by=request.user, now=now(), reason=reason)
    messages.success(request, _("%(name)s is disqualified.") % {"name": entrant.name})
    return redirect("web:staff_entrants", event_id)


GESTURES: dict[str, tuple[Callable[..., object], Any]] = {
    "check-in": (events.check_in, gettext_lazy("%(name)s is checked in.")),
    "drop": (play.drop, gettext_lazy("%(name)s is dropped.")),
    "reinstate": (play.reinstate, gettext_lazy("%(name)s plays on.")),
    "paid": (partial(events.settle_entry, how="paid"), gettext_lazy("The entry of %(name)s is paid.")),
    "voucher": (partial(events.settle_entry, how="voucher"), gettext_lazy("%(name)s has given a voucher.")),
    "owed": (partial(events.settle_entry, how=""), gettext_lazy("The entry of %(name)s is owed again.")),
}


def _entrant_of(request: HttpRequest, event_id: str, entrant_id: str) -> Entrant:
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id:
        raise Http404
    return entrant


@login_required
def staff_entry(request: HttpRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """The claim link of an entry without an account, and merging it into another entry."""
    entrant = _entrant_of(request, event_id, entrant_id)
    event = entrant.event
    others = [(public_id, name) for public_id, name in named_in(event) if public_id != entrant.public_id]
    form = MergeEntrantsForm(request.POST or None, entrants=others)
    if request.method == "POST" and form.is_valid():
        into = _entrant_of(request, event_id, form.cleaned_data["into"])
        kept = play.merge_entrants(entrant=entrant, into=into, by=request.user, now=now())
        messages.success(request, _("Both entries are one now: %(name)s.") % {"name": kept.name})
        return redirect("web:staff_entrants", event_id)
    site = f"{request.scheme}://{request.get_host()}"
    claim = claim_address(entrant, site) if event.is_public and typed_person(entrant) else ""
    context = {"event": event, "entrant": entrant, "form": form, "claim": claim}
    return render(request, "web/staff/entry.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def staff_entrant(request: HttpRequest, event_id: str, entrant_id: str, gesture: str) -> HttpResponse:
    """Check an entrant in, drop or reinstate one."""
    entrant = _entrant_of(request, event_id, entrant_id)
    if gesture not in GESTURES:
        raise Http404
    service, done = GESTURES[gesture]
    options = {"concede_match": True} if gesture == "drop" and "concede" in request.POST else {}
    service(entrant=entrant, by=request.user, now=now(), **options)
    if request.htmx:
        return _fresh_row(request, entrant)
    messages.success(request, str(done) % {"name": entrant.name})
    return redirect("web:staff_entrants", event_id)


def _fresh_row(request: HttpRequest, entrant: Entrant) -> HttpResponse:
    event = entrant.event
    fresh = entrants_of(event).get(pk=entrant.pk)
    decklist = current_lists(current_stage(event)).filter(entrant=entrant).first()
    may = gestures_of(request.user, event)
    reads_lists = may_read_hidden(request.user, event, "read_decks")
    context = {
        "event": event,
        "row": _row(event, fresh, decklist, own_entrants(request.user, event), _is_free(event), reopened(event)),
        "may": may,
        "reads_lists": reads_lists,
    }
    return render(request, "web/staff/_entrant_row.html", context)


@login_required
@once
@braked(DECKS)
def staff_paper_list(request: HttpRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Type in the list an entrant hands in on paper. What was registered before is not shown here."""
    entrant = _entrant_of(request, event_id, entrant_id)
    mine = own_entrants(request.user, entrant.event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play an event do not enter the lists of others."))
    form = PaperListForm(request.POST or None)
    faults: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        with refusals_on(form) as faults:
            decklist = submit_decklist(entrant=entrant, by=request.user, now=now(), text=form.cleaned_data["text"])
            said = _("The list of %(name)s is registered.") if decklist.legal else _("The list of %(name)s has faults.")
            messages.success(request, said % {"name": entrant.name})
            return redirect("web:staff_entrants", event_id)
    context = {"event": entrant.event, "entrant": entrant, "form": form, "faults": faults}
    return render(request, "web/staff/paper_list.html", context, status=422 if form.errors else 200)


def staff_deck(request: HttpRequest, pk: int) -> HttpResponse:
    """One version of a list with all its violations, and links to the others."""
    try:
        decklist = decklist_for_viewer(request.user, pk)
    except Http404:
        if request.user.is_authenticated:
            raise
        return redirect_to_login(request.get_full_path())
    event = decklist.entrant.event
    versions = Decklist.objects.filter(entrant=decklist.entrant, stage=decklist.stage).order_by("-version")
    if not reads_history(request.user, decklist.entrant):
        versions = versions.filter(pk=decklist.pk)
    context = {
        "event": event,
        "decklist": decklist,
        "lines": lines_of(event, decklist),
        "versions": versions.only("pk", "version", "legal", "submitted_at"),
        "violations": describe(event.game, decklist.violations, get_language() or "en"),
    }
    return render(request, "web/staff/deck.html", context)


@dataclass(frozen=True)
class DeckLines:
    """A list by name: the commander apart, then the cards with their numbers of copies."""

    commander: str
    cards: list[tuple[int, str, str]]

    @property
    def count(self) -> int:
        """Copies in the main deck."""
        return sum(copies for copies, _name, _ref in self.cards)


def lines_of(event: Event, decklist: Decklist) -> DeckLines:
    """The cards of a list by name."""
    names = card_names(event)
    commander = decklist.cards.get("commander") or ""
    cards = [(copies, names.get(ref, ref), ref) for ref, copies in decklist.cards.get("main", {}).items()]
    return DeckLines(names.get(commander, commander), sorted(cards, key=lambda line: (line[1], line[2])))
