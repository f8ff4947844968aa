"""Deck checks: the checks of a round, and the page on which a judge counts a deck."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import card_names
from tournaments.events.models import Event
from tournaments.judging import checks
from tournaments.judging.access import check_for_judge, round_for_checks
from tournaments.judging.models import DeckCheck
from tournaments.play.models import Round
from tournaments.play.selectors import tables_said
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.judging.forms import CheckForm, ChooseForm, DrawForm
from tournaments.web.requests import SignedInRequest


@login_required
@accepted_once
def deck_checks(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """List the deck checks of a round; a POST draws random tables, or opens a check at a chosen table."""
    round_ = round_for_checks(request.user, event_id, number)
    if request.method == "POST":
        made = _open(request, round_)
        messages.success(request, _("Tables to check: %(n)d.") % {"n": len({check.match_id for check in made})})
        return redirect("web:deck_checks", event_id, number)
    context = {
        "event": round_.stage.event,
        "round": round_,
        "lines": [{"check": check, "differs": checks.differs(check)} for check in checks.checks_of(round_)],
        "draw": DrawForm(),
        "choose": ChooseForm(),
    }
    return render(request, "web/judge/checks.html", context)


def _open(request: SignedInRequest, round_: Round) -> list[DeckCheck]:
    if "table" not in request.POST:
        tables = DrawForm(request.POST).tables_or_none()
        return checks.draw_checks(round_=round_, tables=tables, by=request.user, now=now())
    chosen = ChooseForm(request.POST)
    match = round_.matches.filter(table=chosen.table_or_none()).first()
    if match is None:
        raise InvalidInput("audience_invalid", tables_said(round_))
    match.round = round_  # saves a query: this one has its stage and event loaded
    return checks.check_table(match=match, board=chosen.board_or_none(), by=request.user, now=now())


@login_required
@accepted_once
def deck_check(request: SignedInRequest, check_id: str) -> HttpResponse:
    """Count a deck against its registered list. A POST finishes the check and gives the table its time extension."""
    check, at = check_for_judge(request.user, check_id), now()
    event = check.entrant.event
    listed = checks.listed_cards(check.decklist)
    form = CheckForm(request.POST or None, listed=listed, minutes=checks.minutes_to_offer(check, at))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            checks.finish_check(check=check, by=request.user, now=at, **form.said())
            messages.success(request, _("The deck of %(name)s is checked.") % {"name": check.full_name})
            return redirect("web:deck_check", check_id)
    context = _check(event, check, form)
    return render(request, "web/judge/check.html", context, status=422 if form.errors else 200)


def _check(event: Event, check: DeckCheck, form: CheckForm) -> dict[str, Any]:
    names = card_names(event) if event.has_engine else {}
    return {
        "event": event,
        "check": check,
        "round": check.match.round,
        "form": form,
        "rows": [
            {"name": names.get(card, card), "card": card, "copies": copies, "field": form[form.name_of(card)]}
            for card, copies in checks.listed_cards(check.decklist).items()
        ],
        "found": [{"name": names.get(each.card, each.card), "each": each} for each in checks.differences(check)],
    }
