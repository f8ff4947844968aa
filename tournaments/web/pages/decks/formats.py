"""Deck formats and pools of an event, saved formats of an account, and copies of events."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.face.lists import deck_formats
from tournaments.audits.rulesets import choose_ruleset, ruleset_of, rulesets_of
from tournaments.clubs.access import clubs_managed_by
from tournaments.common.clock import now
from tournaments.common.letters import folded
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput, NotAllowed
from tournaments.decks.access import pool_for_reader
from tournaments.decks.engine_gate import card_names, is_pooled
from tournaments.decks.models import Pool
from tournaments.decks.selectors import (
    current_lists,
    current_pools,
    desk_can_enter_lists,
    desk_can_enter_missing,
    pools_of,
    takers_of_pools,
)
from tournaments.decks.services import can_choose_format, choose_deck_format, register_pool, show_pools
from tournaments.events import services as events
from tournaments.events.access import (
    entrant_for_staff,
    event_for_staff,
    format_for_owner,
    may,
    may_read_hidden,
    own_entrants,
)
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage, entrants_of, formats_of, names_of
from tournaments.play.services.details import lists_choices
from tournaments.play.services.events import takes_late
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on, status_of
from tournaments.web.pages.decks.forms import DeckFormatForm, NameForm, PoolForm, PoolsShownForm, RulesetForm
from tournaments.web.pages.decks.saving import NotSaved, save_list
from tournaments.web.paging import page_of
from tournaments.web.rate_limits import DECKS, rate_limited
from tournaments.web.requests import SignedInRequest


@login_required
@accepted_once
def staff_format(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose the deck format that lists are checked by. Possible until the first list is submitted."""
    event = event_for_staff(request.user, event_id, "manage_event")
    known = deck_formats(event.game, get_language() or "en")
    form = DeckFormatForm(request.POST or None, known=known, stage=current_stage(event))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_deck_format(event=event, by=request.user, now=now(), **form.choice)
            messages.success(request, _("Decklists are checked by this format."))
            return redirect("web:staff_format", event.public_id)
    return _format_page(request, event, form, _ruleset_form(event))


@login_required
@require_POST
@accepted_once
def staff_ruleset(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose the rules that games are played and audited by. Possible until a game is recorded."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = _ruleset_form(event, request.POST)
    if form.is_valid():
        with refusals_on(form):
            choose_ruleset(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Games are played and audited by these rules."))
            return redirect("web:staff_format", event.public_id)
    known = deck_formats(event.game, get_language() or "en")
    return _format_page(request, event, DeckFormatForm(known=known, stage=current_stage(event)), form)


def _ruleset_form(event: Event, data: Any = None) -> RulesetForm:
    known = rulesets_of(event)
    return RulesetForm(data, known=known, chosen=ruleset_of(event) if known else "")


def _format_page(request: HttpRequest, event: Event, form: DeckFormatForm, rules: RulesetForm) -> HttpResponse:
    context = {
        "event": event,
        "form": form,
        "rules": rules,
        "choosing_rules": rules.errors or len(rulesets_of(event)) > 1,
        "can_choose": can_choose_format(event),
        "late_lists": takes_late(event),
        "can_collect_none": Event.Lists.NONE in lists_choices(event),
    }
    status = 422 if form.errors or rules.errors else 200
    return render(request, "web/staff/format.html", context, status=status)


@login_required
@accepted_once
def staff_pools(request: SignedInRequest, event_id: str) -> HttpResponse:
    """List the registered pools; organizers also choose who may read them."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    stage = current_stage(event)
    if not is_pooled(stage):
        raise Http404
    form = PoolsShownForm(request.POST or None, initial={"shown": stage.pools_shown})
    if request.method == "POST":
        event_for_staff(request.user, event_id, "manage_event")
        if form.is_valid():
            show_pools(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Pool visibility saved."))
            return redirect("web:staff_pools", event.public_id)
    context = {"event": event, "form": form, "manages": may(request.user, event, "manage_event")}
    context |= _pools(request, event)
    return render(request, "web/staff/pools.html", context, status=422 if form.errors else 200)


def _pools(request: HttpRequest, event: Event) -> dict[str, Any]:
    """One page of the list of pools. The number of queries does not grow with it."""
    stage, user = current_stage(event), request.user
    wanted = request.GET.get("find", "")[:80]
    named = names_of(event.entrants.all(), full=True)
    keys = entrants_of(event).values_list("pk", flat=True)
    page = page_of(request, [key for key in keys if found_in(wanted, named.get(key, ""))])
    entrants = entrants_of(event).filter(pk__in=list(page))
    pools = {pool.entrant_id: pool for pool in current_pools(stage).filter(entrant__in=entrants).defer("text")}
    current = current_lists(stage).filter(entrant__in=entrants).defer("text", "cards")
    lists = {decklist.entrant_id: decklist for decklist in current}
    mine = own_entrants(user, event)
    reads_all = may_read_hidden(user, event, "read_decks")
    typing = may(user, event, "run_desk")
    open_, missing = desk_can_enter_lists(event), desk_can_enter_missing(event)
    late = takers_of_pools(event)
    rows = [
        {
            "entrant": entrant,
            "pool": pools.get(entrant.pk),
            "decklist": lists.get(entrant.pk),
            "can_type": typing
            and (open_ or entrant.pk in late or (missing and entrant.pk not in pools))
            and entrant.status != entrant.Status.DROPPED
            and (not mine or entrant in mine),
            "reads": entrant in mine or reads_all,
        }
        for entrant in entrants
    ]
    counts = {"total": len(named), "registered": current_pools(stage).count()}
    return {"rows": rows, "page_of": page, "find": wanted, **counts}


@login_required
@accepted_once
@rate_limited(DECKS)
def staff_type_pool(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Type in the pool of an entrant. The pool registered before is not shown, since not all staff may read it."""
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id:
        raise Http404
    mine = own_entrants(request.user, entrant.event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot enter the lists of others."))
    form, not_saved = PoolForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        save = partial(register_pool, entrant=entrant, by=request.user, now=now(), text=text)
        saved = save_list(request, entrant.event, text, save)
        if not isinstance(saved, NotSaved):
            messages.success(request, _("The pool of %(name)s is registered.") % {"name": entrant.full_name})
            return redirect("web:staff_pools", event_id)
        form, not_saved = PoolForm(initial={"text": saved.draft.text}), saved
    context = {"event": entrant.event, "entrant": entrant, "form": form, "not_saved": not_saved}
    status = not_saved.status if not_saved else status_of(form)
    return render(request, "web/staff/type_pool.html", context, status=status)


@require_safe
def pool(request: HttpRequest, pk: int) -> HttpResponse:
    """One version of a pool, for those who may read it; for everybody once the event shows its pools."""
    shown = pool_for_reader(request.user, pk)
    event = shown.entrant.event
    context = {
        "event": event,
        "pool": shown,
        "lines": pool_lines(event, shown),
        "versions": pools_of(shown.entrant, shown.stage).only("pk", "version"),
    }
    return render(request, "web/public/pool.html", context)


def pool_lines(event: Event, shown: Pool) -> list[tuple[int, str, str]]:
    """The cards of a pool, sorted by name, as (copies, name, reference)."""
    names = card_names(event)
    lines = [(copies, names.get(ref, ref), ref) for ref, copies in shown.cards.items()]
    return sorted(lines, key=lambda line: (folded(line[1]), line[2]))


@login_required
@require_POST
@accepted_once
def staff_clone(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Create a new event with the settings of this one."""
    event = event_for_staff(request.user, event_id, "manage_event")
    made = events.clone_event(event=event, name=_name(request), by=request.user, now=now())
    messages.success(request, _("The event is created. Only its staff see it until you open it."))
    return redirect("web:staff", made.public_id)


@login_required
@require_POST
@accepted_once
def staff_save_format(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Save the settings of this event as a format of the account."""
    event = event_for_staff(request.user, event_id, "manage_event")
    events.save_format(event=event, name=_name(request), by=request.user, now=now())
    messages.success(request, _("The format is saved: you find it when you create an event."))
    return redirect("web:formats")


def _name(request: HttpRequest) -> str:
    form = NameForm(request.POST)
    if not form.is_valid():
        raise InvalidInput("name_missing", _("Enter a name of at most 120 characters."))
    return str(form.cleaned_data["name"])


@login_required
@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """The formats that the account has saved, or that its clubs own."""
    context = {"formats": formats_of(request.user), "clubs": clubs_managed_by(request.user)}
    return render(request, "web/staff/formats.html", context)


@login_required
@require_POST
def format_delete(request: HttpRequest, format_id: str) -> HttpResponse:
    """Delete a saved format."""
    events.delete_format(saved=format_for_owner(request.user, format_id))
    messages.success(request, _("The format is deleted. Events made from it stay as they are."))
    return redirect("web:formats")
