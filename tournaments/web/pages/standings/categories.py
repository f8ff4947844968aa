"""Prize categories: the page on which organizers make them, and the lines that show their winners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import full_names, public_names
from tournaments.standings.access import category_for_staff, shows_all_standings
from tournaments.standings.awards import Award, awards_of, decks_shown, named
from tournaments.standings.categories import (
    MOST,
    add_category,
    askable,
    categories_of,
    change_category,
    move_category,
    remove_category,
)
from tournaments.standings.models import PrizeCategory
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.standings.category_forms import CategoryForm, CategoryNameForm, PickForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.prizes import rule_words


@dataclass(frozen=True)
class AwardLine:
    """A line of the prize categories: the category, whose best it is, and the names of the winners."""

    category: PrizeCategory
    group: str
    rank: int
    names: str


def award_lines(awards: Sequence[Award], names: Mapping[str, str]) -> list[AwardLine]:
    """The lines of some awards, with these names."""
    return [AwardLine(award.category, award.group, award.rank, who) for award, who in named(awards, names)]


def awards_shown(request: HttpRequest, event: Event, readers: frozenset[str]) -> list[AwardLine]:
    """The winners of the prize categories for a public page; none while some standings are hidden from its reader."""
    if not event.prize_categories.exists() or not shows_all_standings(readers, event):
        return []
    awards = awards_of(event, decks=decks_shown(event, request.user))
    return award_lines(awards, public_names(event) if awards else {})


@login_required
@accepted_once
def staff_categories(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The prize categories of an event, and a form that adds one."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = CategoryForm(request.POST or None, asked=askable(event))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            made = add_category(event=event, by=request.user, now=now(), **form.wanted())
            messages.success(request, _("Prize category added."))
            if made.rule == PrizeCategory.Rule.PICKED:
                return redirect("web:staff_category", event_id, made.number)
            return redirect("web:staff_categories", event_id)
    context = {
        "event": event,
        "form": form,
        "categories": [(category, rule_words(category)) for category in categories_of(event)],
        "one_each": read_procedures(event.procedures).prizes.one_each,
        "most": MOST,
    }
    return render(request, "web/staff/categories.html", context, status=422 if form.errors else 200)


@login_required
@accepted_once
def staff_category(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """A prize category: its name, who is picked for it, its place in the order, and its removal."""
    category = category_for_staff(request.user, event_id, number, "manage_event")
    event, action = category.event, request.POST.get("action", "")
    if action in ("up", "down"):
        move_category(category=category, earlier=action == "up", by=request.user, now=now())
        return redirect("web:staff_categories", event_id)
    if action == "remove":
        remove_category(category=category, by=request.user, now=now())
        messages.success(request, _("Prize category removed."))
        return redirect("web:staff_categories", event_id)
    names = full_names(event) if category.rule == PrizeCategory.Rule.PICKED else {}
    picked = list(category.picks.values_list("entrant__public_id", flat=True))
    pick = PickForm(
        request.POST if action == "pick" else None, players=[each for each in names.items() if each[0] not in picked]
    )
    form = CategoryNameForm(request.POST if action == "name" else None, initial={"name": category.name})
    wanted = _wanted(request, form, pick, picked)
    if wanted:
        with refusals_on(form):
            change_category(category=category, by=request.user, now=now(), **wanted)
            messages.success(request, _("Prize category saved."))
            return redirect("web:staff_category", event_id, number)
    context = {
        "event": event,
        "category": category,
        "rule": rule_words(category),
        "form": form,
        "pick": pick,
        "picked": [(entrant, names.get(entrant, entrant)) for entrant in picked],
    }
    return render(request, "web/staff/category.html", context, status=422 if form.errors or pick.errors else 200)


def _wanted(request: SignedInRequest, form: CategoryNameForm, pick: PickForm, picked: Sequence[str]) -> dict[str, Any]:
    """What a submitted form changes, as `change_category` takes it; empty if nothing, or if it is not valid."""
    action = request.POST.get("action", "")
    if action == "name" and form.is_valid():
        return {"name": form.cleaned_data["name"]}
    if action == "pick" and pick.is_valid():
        return {"entrants": [*picked, pick.cleaned_data["entrant"]]}
    if action == "unpick":
        return {"entrants": [each for each in picked if each != request.POST.get("entrant")]}
    return {}
