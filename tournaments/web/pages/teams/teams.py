"""The teams of an event at the desk, the page of one team, and joining a team by its link."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.accounts.guardians import person_for_guardian, persons_of
from tournaments.accounts.services import own_person
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.selectors import team_lists
from tournaments.events import teams
from tournaments.events.access import event_for_staff, may
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.registration import asks_something
from tournaments.events.selectors import current_stage, missing_players
from tournaments.events.teams import BEFORE_START, captain_of, in_order, team_address, teams_of
from tournaments.play import services as play
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.questions import QuestionsForm
from tournaments.web.forms.refusals import refused_beside, status_of
from tournaments.web.pages.entrants.twins import warn_of_twins
from tournaments.web.pages.teams.forms import LineupForm, MemberForm, TeamListForm, TeamNameForm, TeamSettingsForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.entrants import missing_words
from tournaments.web.words.events import OVER


@login_required
def staff_teams(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The teams of an event, and how teams play it."""
    event = event_for_staff(request.user, event_id, "view_staff_pages")
    return _desk(request, event, _settings_form(event), TeamListForm())


def _settings_form(event: Event, sent: Any = None) -> TeamSettingsForm:
    return TeamSettingsForm(sent, initial={name: getattr(event, name) for name in teams.SETTINGS})


def _desk(
    request: SignedInRequest, event: Event, settings_form: TeamSettingsForm, list_form: TeamListForm
) -> HttpResponse:
    fixed = event.status not in BEFORE_START or event.entrants.exists() or event.applications.exists()
    context = {
        "event": event,
        "teams": [(team, in_order(team)) for team in teams_of(event)],
        "incomplete": {key: missing_words(missing) for key, missing in missing_players(event).items()},
        "settings_form": settings_form,
        "list_form": list_form,
        "fixed": fixed,
        "manages": may(request.user, event, "manage_event"),
        "adds": event.is_team_event and event.status not in OVER and may(request.user, event, "run_desk"),
    }
    status = max(status_of(settings_form), status_of(list_form))
    return render(request, "web/staff/teams.html", context, status=status)


@login_required
@require_POST
@accepted_once
def staff_teams_choose(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose how teams play an event."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = _settings_form(event, request.POST)
    if form.is_valid():
        with refused_beside(form):
            teams.choose_teams(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Team settings saved."))
            return redirect("web:staff_teams", event_id)
    return _desk(request, event, form, TeamListForm())


@login_required
@require_POST
@accepted_once
def staff_teams_add(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Enter the teams of a plain list."""
    event = event_for_staff(request.user, event_id, "run_desk")
    form = TeamListForm(request.POST)
    if form.is_valid():
        with refused_beside(form):
            entered = play.enter_teams_at_desk(
                event=event, teams=teams.read_teams(form.cleaned_data["teams"]), by=request.user, now=now()
            )
            count = len(entered)
            sentence = ngettext("%(n)d team is entered.", "%(n)d teams are entered.", count)
            messages.success(request, sentence % {"n": count})
            warn_of_twins(request, entered)
            return redirect("web:staff_teams", event_id)
    return _desk(request, event, _settings_form(event), form)


@never_cache
@login_required
@accepted_once
def team(request: SignedInRequest, entrant_id: str) -> HttpResponse:
    """The page of a team for its members and the desk, and what they change there."""
    if request.method != "POST":
        return _team_page(request, teams.team_for_member(request.user, entrant_id))
    command = request.POST.get("command", "")
    if command == "leave":
        return _leave(request, entrant_id)
    found = teams.team_for_captain(request.user, entrant_id)
    try:
        if command in COMMANDS and COMMANDS[command](request, found):
            return redirect("web:team", entrant_id)
    except (InvalidInput, Refusal) as refusal:
        messages.error(request, str(refusal.message))
        return _team_page(request, teams.team_for_captain(request.user, entrant_id), refusal.status)
    return _team_page(request, found, 422)


def _leave(request: SignedInRequest, entrant_id: str) -> HttpResponse:
    found = teams.team_for_member(request.user, entrant_id)
    person = person_for_guardian(request.user, request.POST.get("person", ""))
    teams.remove_member(team=found, person=person, by=request.user, now=now())
    messages.success(request, _("%(name)s has left the team.") % {"name": person.name})
    return redirect("web:event", found.event.public_id)


def _rename(request: SignedInRequest, found: Entrant) -> bool:
    form = TeamNameForm(request.POST)
    if form.is_valid():
        teams.rename_team(team=found, name=form.cleaned_data["name"], by=request.user, now=now())
        messages.success(request, _("Name saved."))
    return form.is_valid()


def _lineup(request: SignedInRequest, found: Entrant) -> bool:
    form = LineupForm(request.POST, event=found.event, team=found, full=may(request.user, found.event, "run_desk"))
    if form.is_valid():
        play.change_lineup(team=found, boards=form.boards, by=request.user, now=now())
        messages.success(request, _("Boards saved."))
    return form.is_valid()


def _named(request: SignedInRequest, member: Member) -> str:
    """The name of a member: the full one for the desk, else the public one."""
    return member.full_name if may(request.user, member.entrant.event, "run_desk") else member.name


def _captain(request: SignedInRequest, found: Entrant) -> bool:
    member = teams.member_named(found, request.POST.get("person", ""))
    teams.make_captain(team=found, person=member.person, by=request.user, now=now())
    messages.success(request, _("%(name)s is the captain now.") % {"name": _named(request, member)})
    return True


def _remove(request: SignedInRequest, found: Entrant) -> bool:
    member = teams.member_named(found, request.POST.get("person", ""))
    teams.remove_member(team=found, person=member.person, by=request.user, now=now())
    messages.success(request, _("%(name)s is no longer in the team.") % {"name": _named(request, member)})
    return True


def _add(request: SignedInRequest, found: Entrant) -> bool:
    teams.team_for_desk(request.user, found.public_id)
    form = MemberForm(request.POST)
    if form.is_valid():
        member = teams.add_member(team=found, name=form.cleaned_data["name"], by=request.user, now=now())
        messages.success(request, _("%(name)s is in the team.") % {"name": member.full_name})
    return form.is_valid()


COMMANDS: Mapping[str, Callable[[SignedInRequest, Entrant], bool]] = {
    "rename": _rename,
    "lineup": _lineup,
    "captain": _captain,
    "remove": _remove,
    "add": _add,
}
"""What the captain and the desk can do on the page of a team. Each returns False if its form is not valid."""


def _team_page(request: SignedInRequest, found: Entrant, status: int = 200) -> HttpResponse:
    event, members = found.event, in_order(found)
    captain = captain_of(found)
    desk = may(request.user, event, "run_desk")
    acts = desk or (captain is not None and captain.person.account_id == request.user.pk)
    open_ = event.status in BEFORE_START
    here = found.status != Entrant.Status.DROPPED
    context = {
        "event": event,
        "team": found,
        "members": [(member, member.full_name if desk else member.name) for member in members],
        **_lists(event, found, acts=acts),
        "free": teams.free_boards(event, members),
        "mine": {member.pk for member in members if member.person.account_id == request.user.pk},
        "acts": acts,
        "open": open_,
        "link": team_address(found, f"{request.scheme}://{request.get_host()}") if acts and open_ and here else "",
        "has_room": teams.has_room(event, members),
        "name_form": TeamNameForm(initial={"name": found.team_name}),
        "lineup_form": LineupForm(event=event, team=found, full=desk),
        "member_form": MemberForm() if desk and open_ else None,
        "over": event.status in OVER,
    }
    return render(request, "web/player/team.html", context, status=status)


def _lists(event: Event, found: Entrant, *, acts: bool) -> dict[str, Any]:
    """Whose decklists are registered, for the captain and the desk, and the limit that they share. No cards."""
    if event.lists == Event.Lists.NONE:
        return {"collects_lists": False}
    stage = current_stage(event)
    registered = {decklist.member_id: decklist for decklist in team_lists(found, stage)} if acts else {}
    return {"collects_lists": True, "lists": registered, "team_limit": stage.team_deck_limit}


@never_cache
def team_join(request: HttpRequest, entrant_id: str, signature: str) -> HttpResponse:
    """The link of a team: who is in it, and a form to join it."""
    found = teams.team_for_link(entrant_id, signature)
    if request.method == "POST" and request.user.is_authenticated:
        return _join(request, found)  # type: ignore[arg-type]  # signed in
    return _join_page(request, found, None)


def _join(request: SignedInRequest, found: Entrant) -> HttpResponse:
    event = found.event
    wanted = request.POST.get("person", "")
    person = person_for_guardian(request.user, wanted) if wanted else own_person(request.user)
    asks = asks_something(event)
    sent = request.POST if "asked" in request.POST else None
    form = QuestionsForm(sent, event, asks_consent=True, acts_for=person != own_person(request.user))
    if asks and not form.is_valid():
        return _join_page(request, found, form, person.public_id, 422 if sent else 200)
    said: dict[str, Any] = {"answers": form.answers(), "consent": form.consent()} if asks else {}
    try:
        teams.join_team(team=found, person=person, by=request.user, now=now(), **said)
    except InvalidInput as refusal:
        form.refuse(refusal)
        return _join_page(request, found, form, person.public_id, 422)
    messages.success(request, _("%(name)s is in the team.") % {"name": person.name})
    return redirect("web:team", found.public_id)


def _join_page(
    request: HttpRequest, found: Entrant, form: Form | None, person: str = "", status: int = 200
) -> HttpResponse:
    event, members = found.event, in_order(found)
    inside = {member.person_id for member in members}
    persons = persons_of(request.user) if request.user.is_authenticated else []
    context = {
        "event": event,
        "team": found,
        "members": members,
        "persons": [each for each in persons if each.pk not in inside],
        "person": person,
        "form": form,
        "open": event.status in BEFORE_START and found.status != Entrant.Status.DROPPED,
        "has_room": teams.has_room(event, members),
    }
    return render(request, "web/player/team_join.html", context, status=status)
