"""The stages of an event: plan, configure and remove them, start the next one, undo its start."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff, stage_for_staff
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage, full_names, next_stage
from tournaments.events.stages import AFTER_CUT, OPTIONS, add_stage, configure_stage, remove_stage
from tournaments.play import services as play
from tournaments.play.selectors import last_round_of
from tournaments.play.services.draft_clock import steps_of
from tournaments.play.services.stages import CutShown
from tournaments.swiss.formats import proposed_cut
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.events.forms import StageForm
from tournaments.web.requests import SignedInRequest

MOST_DECLINED = 1000
FIELDS = ("kind", "rounds_planned", "best_of", "round_minutes", *AFTER_CUT)


def _initial(stage: Stage) -> dict[str, Any]:
    return {name: getattr(stage, name) for name in (*FIELDS, *(name for names in OPTIONS.values() for name in names))}


def _playing(event: Event) -> int:
    return event.entrants.filter(status=Entrant.Status.REGISTERED).count()


def _open(event: Event, stage: Stage) -> bool:
    """Whether a stage can still be configured."""
    before = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)
    return stage.started_at is None and (event.status in before or (stage.number > 1 and event.status == "running"))


def _page(request: HttpRequest, event: Event, sent: tuple[int, StageForm] | None = None) -> HttpResponse:
    """The page of all stages; `sent` is a submitted form with errors, with its stage's number (0 for a new stage)."""
    number, form = sent or (-1, None)
    stages = list(event.stages.all())
    lines = [
        {
            "stage": stage,
            "form": form if stage.number == number else _form(stage),
            "open": _open(event, stage),
            "last": stage is stages[-1] and stage.number > 1 and stage.started_at is None,
            "drafts": bool(steps_of(stage)),
            "faulty": stage.number == number,
        }
        for stage in stages
    ]
    later = next_stage(event)
    begun = current_stage(event)
    last = last_round_of(event)
    # The usual next stage is a bracket that is played like the stage before it.
    template = {"best_of": begun.best_of, "round_minutes": begun.round_minutes, "kind": "single_elimination"}
    context = {
        "event": event,
        "lines": lines,
        "new": form
        if number == 0
        else StageForm(auto_id="new_%s", initial={**template, "cut_top": proposed_cut(_playing(event)) or None}),
        "next": later,
        "cut": _cut_page(request, event),
        "can_start": later is not None and last is not None and last.status == "closed",
        "can_undo": begun.number > 1 and not begun.rounds.exists(),
        "over": event.status in (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED),
    }
    return render(request, "web/staff/stages.html", context, status=422 if form is not None else 200)


@dataclass(frozen=True)
class CutPage:
    """The cut as the page shows it: seeds with names, whether they move up, and the address that lets one decline.

    `declined` holds public ids with names and the address that takes it back; `asked` are those of the address.
    """

    shown: CutShown
    places: list[tuple[int, str, bool, str]]
    declined: list[tuple[str, str, str]]
    asked: list[str]

    @property
    def moved_up(self) -> list[str]:
        """The names of those who move up."""
        return [name for _seed, name, moved, _address in self.places if moved]


def _cut_page(request: HttpRequest, event: Event) -> CutPage | None:
    asked = _declined(request)
    shown = play.cut_shown(event, asked)
    if shown is None:
        return None
    names = full_names(event)

    def address(declined: Iterable[str]) -> str:
        return "?" + urlencode([("declined", player) for player in declined]) + "#cut"

    places = [
        (seed, names[player], player in shown.moved_up, address([*asked, player]))
        for seed, player in enumerate(shown.players, 1)
    ]
    back = [
        (player, names[player], address(other for other in asked if other != player) if player in asked else "")
        for player in shown.declined
    ]
    return CutPage(shown, places, back, [player for player in asked if player in shown.declined])


def _declined(request: HttpRequest) -> list[str]:
    """The players who decline their place, each once, from the address or the form."""
    sent = (request.POST if request.method == "POST" else request.GET).getlist("declined")
    return list(dict.fromkeys(sent))[:MOST_DECLINED]


def _form(stage: Stage, sent: Any = None) -> StageForm:
    return StageForm(sent, auto_id=f"s{stage.number}_%s", first=stage.number == 1, initial=_initial(stage))


@login_required
@accepted_once
def staff_stages(request: SignedInRequest, event_id: str) -> HttpResponse:
    """List the stages; a POST adds one."""
    event = event_for_staff(request.user, event_id, "manage_event")
    if request.method != "POST":
        return _page(request, event)
    form = StageForm(request.POST, auto_id="new_%s")
    if form.is_valid():
        with refusals_on(form):
            add_stage(event=event, by=request.user, now=now(), **form.wanted)
            messages.success(request, _("Stage added."))
            return redirect("web:staff_stages", event.public_id)
    return _page(request, event, (0, form))


@login_required
@require_POST
def staff_stage(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Change a stage that has not started, or remove it."""
    stage = stage_for_staff(request.user, event_id, number, "manage_event")
    if "remove" in request.POST:
        remove_stage(stage=stage, by=request.user, now=now())
        messages.success(request, _("Stage removed."))
        return redirect("web:staff_stages", event_id)
    form = _form(stage, request.POST)
    if form.is_valid():
        with refusals_on(form):
            configure_stage(stage=stage, by=request.user, now=now(), **form.wanted)
            messages.success(request, _("Stage changed."))
            return redirect("web:staff_stages", event_id)
    return _page(request, stage.event, (number, form))


@login_required
@require_POST
def staff_stage_start(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Start the next stage with the entrants who make the cut, without those who `declined`.

    With `undo`, undo that start; with `again`, start the stage again without them.
    """
    event = event_for_staff(request.user, event_id, "manage_event")
    if "undo" in request.POST:
        play.undo_stage(event=event, by=request.user, now=now())
        messages.success(request, _("The start of the stage is undone."))
        return redirect("web:staff_stages", event_id)
    start = play.restart_stage if "again" in request.POST else play.start_stage
    stage = start(event=event, by=request.user, now=now(), declined=_declined(request))
    messages.success(request, _("Stage %(number)d has started.") % {"number": stage.number})
    return redirect("web:staff", event_id)
