"""The draft of a stage at the desk: its clock, step by step, and the seats of the pods."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.decks.engine_gate import is_pooled
from tournaments.events.access import stage_for_staff
from tournaments.play import services as play
from tournaments.play.services.draft_clock import draft_of, draft_open
from tournaments.web.answers import show
from tournaments.web.pages.rounds.forms import DraftStepForm
from tournaments.web.pages.rounds.structures import pods_shown
from tournaments.web.words.drafts import step_words

ACTIONS: dict[str, tuple[Callable[..., None], Any]] = {
    "start": (play.start_draft, gettext_lazy("The draft has started.")),
    "pause": (play.pause_draft, gettext_lazy("The draft is paused.")),
    "resume": (play.resume_draft, gettext_lazy("The draft is running again.")),
    "move": (play.move_draft, gettext_lazy("The draft is at this pick now.")),
    "undo": (play.undo_draft, gettext_lazy("The draft is back before its first pick.")),
}


@login_required
@require_safe
def staff_draft(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The clock of a draft with its actions, and the seats of the pods."""
    stage = stage_for_staff(request.user, event_id, number, "run_desk")
    at = now()
    draft = draft_of(stage, at)
    if draft is None:
        raise Http404
    context = {
        "event": stage.event,
        "stage": stage,
        "draft": draft,
        "open": stage.event.status == "running" and draft_open(stage),
        "steps": [(place, step_words(step)) for place, step in enumerate(draft.steps, 1)],
        "pods": pods_shown(stage),
        "pooled": is_pooled(stage),
        "now": at,
    }
    return show(request, "web/staff/draft.html", context, fragment="web/staff/_draft_desk.html")


@login_required
@require_POST
def staff_draft_clock(request: HttpRequest, event_id: str, number: int, action: str) -> HttpResponse:
    """Start, pause, resume or move the clock of a draft, or undo its start."""
    stage = stage_for_staff(request.user, event_id, number, "run_desk")
    if action not in ACTIONS:
        raise Http404
    service, done = ACTIONS[action]
    options = {"step": DraftStepForm(request.POST).step_or_refuse()} if action == "move" else {}
    service(stage=stage, by=request.user, now=now(), **options)
    messages.success(request, str(done))
    return redirect("web:staff_draft", event_id, number)
