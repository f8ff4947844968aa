"""The page of pairing settings: stage options, byes awarded in advance, players kept apart, clubs and tables."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.events.access import entrant_for_staff, event_for_staff, forbidden_pair_for_staff, stage_for_staff
from tournaments.events.hall_tables import tables_of
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.pairing_settings import (
    allow_pair,
    choose_pairing,
    choose_tables,
    described_pairing,
    forbid_pair,
    note_needs,
    proposal_of,
)
from tournaments.events.seeding import seeds_of
from tournaments.events.selectors import current_stage, entrants_of, forbidden_pairs_of, full_names, in_the_same_hall
from tournaments.play import services as play
from tournaments.play.selectors import awarded_byes_of, rounds_to_pair
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.events.dashboard import actions_of
from tournaments.web.pages.rounds.pairing_forms import (
    AwardByeForm,
    ForbiddenPairForm,
    NeedsForm,
    PairingForm,
    TablesForm,
)
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.events import OVER


def _players(event: Event) -> list[tuple[str, str]]:
    names = full_names(event)
    here = set(event.entrants.exclude(status=Entrant.Status.DROPPED).values_list("public_id", flat=True))
    return [(public_id, name) for public_id, name in names.items() if public_id in here]  # `names` is sorted


def _options(stage: Stage, sent: Any = None) -> PairingForm:
    unseeded = stage.number == 1 and not seeds_of(stage.event)
    return PairingForm(sent, auto_id=f"s{stage.number}_%s", unseeded=unseeded, initial=described_pairing(stage))


def _tables(stage: Stage, sent: Any = None) -> TablesForm:
    initial = {"tables": stage.hall, "skipped": stage.hall_skipped}
    return TablesForm(sent, auto_id=f"t{stage.number}_%s", initial=initial)


def _halls(event: Event, faulty: tuple[int, Any]) -> list[dict[str, Any]]:
    """Each stage with its tables, its form for them, and the other events that use some of them on the same day."""
    return [
        {
            "stage": stage,
            "count": len(tables_of(stage)),
            "form": faulty[1] if stage.number == faulty[0] else _tables(stage),
            "shared": in_the_same_hall(stage),
        }
        for stage in event.stages.select_related("event")
    ]


def _forms(event: Event, players: list[tuple[str, str]], sent: Any = None, which: str = "") -> dict[str, forms.Form]:
    """The forms that add something; the one called `which` is bound to the submitted data."""
    rounds = rounds_to_pair(current_stage(event))
    return {
        "bye": AwardByeForm(sent if which == "bye" else None, auto_id="bye_%s", players=players, rounds=rounds),
        "pair": ForbiddenPairForm(sent if which == "pair" else None, auto_id="pair_%s", players=players),
        "needs": NeedsForm(sent if which == "needs" else None, auto_id="needs_%s", players=players),
    }


def _page(
    request: HttpRequest,
    event: Event,
    faulty: dict[str, forms.Form] | None = None,
    stage: tuple[int, Any] = (0, None),
    hall: tuple[int, Any] = (0, None),
) -> HttpResponse:
    """The page with all settings.

    Submitted forms with errors are passed as `faulty` (those of `_forms`), and as `stage` and `hall` (the number of the
    stage, and its form for options or tables).
    """
    swiss = event.stages.filter(kind=Stage.Kind.SWISS).select_related("event")
    current = current_stage(event)
    ahead = rounds_to_pair(current)
    context = {
        "event": event,
        "may": actions_of(request.user, event),
        "over": event.status in OVER,
        "swiss": current.kind == Stage.Kind.SWISS,
        "stages": [
            {
                "stage": found,
                "form": stage[1] if found.number == stage[0] else _options(found),
                "proposed": proposal_of(found),
            }
            for found in swiss
        ],
        "halls": _halls(event, hall),
        "byes": [
            {"bye": bye, "open": bye.stage_id == current.pk and bye.number in ahead} for bye in awarded_byes_of(event)
        ],
        "pairs": forbidden_pairs_of(event),
        "needing": entrants_of(event).filter(~Q(club="") | Q(fixed_table__isnull=False)),
        "forms": {**_forms(event, _players(event)), **(faulty or {})},
    }
    return render(request, "web/staff/pairing.html", context, status=422 if faulty or stage[0] or hall[0] else 200)


@login_required
def staff_pairing(request: HttpRequest, event_id: str) -> HttpResponse:
    """The pairing settings of an event."""
    return _page(request, event_for_staff(request.user, event_id, "run_desk"))


@login_required
@require_POST
def staff_pairing_stage(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Change the pairing options of a Swiss stage."""
    stage = stage_for_staff(request.user, event_id, number, "manage_event")
    form = _options(stage, request.POST)
    if form.is_valid():
        with refusals_on(form):
            choose_pairing(stage=stage, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Saved. The next rounds are paired with these settings."))
            return redirect("web:staff_pairing", event_id)
    return _page(request, stage.event, stage=(number, form))


@login_required
@require_POST
def staff_pairing_tables(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Choose the tables of a stage."""
    stage = stage_for_staff(request.user, event_id, number, "run_desk")
    form = _tables(stage, request.POST)
    if form.is_valid():
        with refusals_on(form):
            choose_tables(stage=stage, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Saved. The next rounds are seated at these tables."))
            return redirect("web:staff_pairing", event_id)
    return _page(request, stage.event, hall=(number, form))


@login_required
@require_POST
@accepted_once
def staff_pairing_add(request: HttpRequest, event_id: str, what: str) -> HttpResponse:
    """Award a bye (`bye`), forbid a pair (`pair`), or set the club and fixed table of an entrant (`needs`)."""
    event = event_for_staff(request.user, event_id, "run_desk")
    if what not in ("bye", "pair", "needs"):
        raise Http404
    form = _forms(event, _players(event), request.POST, what)[what]
    if form.is_valid():
        with refusals_on(form):
            messages.success(request, _add(request, event, what, form.cleaned_data))
            return redirect("web:staff_pairing", event_id)
    return _page(request, event, {what: form})


def _add(request: HttpRequest, event: Event, what: str, data: dict[str, Any]) -> str:
    """Carry out an addition and return the message about it."""
    action: dict[str, Any] = {"by": request.user, "now": now()}
    if what == "pair":
        first, second = (event.entrants.get(public_id=data[name]) for name in ("first", "second"))
        forbid_pair(event=event, first=first, second=second, reason=data["reason"], **action)
        return _("They will not meet in later rounds.")
    entrant = event.entrants.get(public_id=data["entrant"])
    if what == "bye":
        play.award_bye(entrant=entrant, number=data["number"], kind=data["kind"], **action)
        return _("%(name)s has a bye in round %(number)d.") % {"name": entrant.full_name, "number": data["number"]}
    note_needs(entrant=entrant, club=data["club"], table=data["table"], **action)
    return _("Club and table of %(name)s saved.") % {"name": entrant.full_name}


@login_required
@require_POST
def staff_pairing_allow(request: SignedInRequest, event_id: str, pk: int) -> HttpResponse:
    """Allow a forbidden pair again."""
    pair = forbidden_pair_for_staff(request.user, event_id, pk, "run_desk")
    allow_pair(pair=pair, by=request.user, now=now())
    messages.success(request, _("They may meet again."))
    return redirect("web:staff_pairing", event_id)


@login_required
@require_POST
def staff_pairing_unbye(request: SignedInRequest, event_id: str, entrant_id: str, number: int) -> HttpResponse:
    """Withdraw an awarded bye."""
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    bye = awarded_byes_of(entrant.event).filter(entrant=entrant, number=number).first()
    if bye is None or entrant.event.public_id != event_id:
        raise Http404
    play.take_bye_back(bye=bye, by=request.user, now=now())
    messages.success(request, _("%(name)s plays round %(number)d.") % {"name": entrant.full_name, "number": number})
    return redirect("web:staff_pairing", event_id)
