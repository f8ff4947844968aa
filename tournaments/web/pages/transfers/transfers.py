"""Import the file of another program: upload it, see what is read and what is lost, and choose what it becomes."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.decks.entry_lists import submitted
from tournaments.events.access import event_for_staff
from tournaments.events.models import EntryInvitation
from tournaments.events.selectors import formats_of
from tournaments.transfers import services
from tournaments.transfers.access import transfer_for_owner
from tournaments.transfers.brought import Brought
from tournaments.transfers.contents import ENTRANTS, Contents, contents_of, described_as
from tournaments.transfers.making import best_of
from tournaments.transfers.models import Transfer
from tournaments.transfers.reading import ROSTER
from tournaments.transfers.selectors import events_to_enter, open_transfers, state_of
from tournaments.transfers.words import FORMATS, LOST
from tournaments.web.answers import show
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.entrants.imports import lists_shown
from tournaments.web.pages.transfers.forms import BroughtEventForm, EntrantsForm, GoalForm, TransferForm
from tournaments.web.rate_limits import IMPORTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.stages import STRUCTURES

SHOWN = 20  # players of a preview


@login_required
@accepted_once
@rate_limited(IMPORTS)
def transfer_new(request: SignedInRequest) -> HttpResponse:
    """Choose a file or paste a text. Nothing is made of it yet."""
    sent = request.method == "POST"
    form = TransferForm(request.POST if sent else None, request.FILES if sent else None)
    if sent and form.is_valid():
        with refusals_on(form):
            made = services.open_transfer(document=form.sent(), by=request.user, now=now())
            return redirect("web:transfer", made.public_id)
    waiting = [(each, FORMATS[each.format]) for each in open_transfers(request.user)]
    context = {"form": form, "waiting": waiting, "formats": list(FORMATS.values())}
    return render(request, "web/transfers/new.html", context, status=422 if form.errors else 200)


@login_required
def transfer(request: SignedInRequest, transfer_id: str) -> HttpResponse:
    """What a file holds, where a POST has an event made of it; afterwards the progress, then the event."""
    found = transfer_for_owner(request.user, transfer_id)
    context: dict[str, Any] = {"transfer": found, "words": FORMATS[found.format], "address": request.path}
    if found.status != Transfer.Status.OPEN:
        context |= {"state": state_of(found), **_outcome(found)}
        return show(request, "web/transfers/transfer.html", context, fragment="web/transfers/_making.html")
    contents = contents_of(found.format, bytes(found.document))
    form = _goal_form(request, contents)
    if form is not None and request.method == "POST" and form.is_valid():
        with refusals_on(form):
            settings = form.settings() if isinstance(form, BroughtEventForm) else None
            goal = form.cleaned_data["goal"]
            services.confirm_transfer(transfer=found, goal=goal, settings=settings, by=request.user, now=now())
            return redirect("web:transfer", transfer_id)
    events = list(events_to_enter(request.user)) if ENTRANTS in contents.goals else []
    context |= {
        "form": form,
        "contents": contents,
        "stopped": state_of(found).error,
        "entrants_form": EntrantsForm(events=events) if events else None,
        "takes_entrants": ENTRANTS in contents.goals,
        **_described(contents),
    }
    return render(request, "web/transfers/preview.html", context, status=422 if form and form.errors else 200)


@login_required
@require_POST
def transfer_end(request: SignedInRequest, transfer_id: str, action: str) -> HttpResponse:
    """Enter the players of a file in an event (`entrants`), or discard the file (`discard`)."""
    found = transfer_for_owner(request.user, transfer_id)
    if action == "discard":
        services.discard_transfer(transfer=found)
        messages.success(request, _("The file is discarded. Nothing was created."))
        return redirect("web:transfer_new")
    if action != "entrants":
        raise Http404
    event = event_for_staff(request.user, request.POST.get("event", ""), "run_desk")
    opened = services.enter_players_of(transfer=found, event=event, by=request.user, now=now())
    return redirect("web:staff_import", opened.public_id)


def _outcome(found: Transfer) -> dict[str, Any]:
    """What was made: how many addresses came along, and what became of the decklists."""
    if found.made is None:
        return {}
    addresses = EntryInvitation.objects.filter(entrant__event=found.made).exclude(email="").count()
    return {"addresses": addresses, **lists_shown(submitted(found.public_id), reads=True)}


def _goal_form(request: SignedInRequest, contents: Contents) -> GoalForm | None:
    """The form for an event of ours, or of another program; None for players alone."""
    data = request.POST if request.method == "POST" else None
    if contents.file is not None:
        return GoalForm(data, contents=contents)
    if contents.brought is None:
        return None
    return BroughtEventForm(data, contents=contents, saved=formats_of(request.user), initial=_initial(contents.brought))


def _initial(brought: Brought) -> dict[str, Any]:
    first = brought.stages[0] if brought.stages else None
    return {
        "name": brought.name[:120],
        "preset": "free",
        "rounds": max(first.rounds_planned or 0, len(first.rounds)) or None if first else None,
        "best_of": best_of(brought) or "",
        "starts_at": brought.starts_at,
    }


def _described(contents: Contents) -> dict[str, Any]:
    """What the page says about the file."""
    brought = contents.brought
    said: dict[str, Any] = {"figures": described_as(contents), "known": contents.format != ROSTER}
    if brought is not None:
        said |= {
            "stages": [(STRUCTURES[stage.kind], len(stage.rounds), stage.rounds_planned) for stage in brought.stages],
            "lost": [(LOST[lost.code], lost) for lost in brought.lost],
            "players": brought.players[:SHOWN],
            "more": max(0, len(brought.players) - SHOWN),
        }
    return said
