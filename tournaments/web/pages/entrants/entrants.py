"""The staff's list of entrants: check-in, drops, walk-ins, disqualification, and decklists on paper."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.accounts.selectors import name_of
from tournaments.common.clock import now
from tournaments.common.letters import folded
from tournaments.common.names import found_in
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.decks.access import reads_history
from tournaments.decks.engine_gate import card_names, describe
from tournaments.decks.entry_lists import unread_list
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import (
    current_lists,
    desk_can_enter_lists,
    desk_can_enter_missing,
    no_legal_list,
    reopened,
    without_legal_list,
)
from tournaments.decks.services import submit_decklist
from tournaments.events import services as events
from tournaments.events.access import entrant_for_staff, event_for_staff, may_read_hidden, own_entrants
from tournaments.events.bans import is_name_banned
from tournaments.events.claims import claim_address, typed_person
from tournaments.events.consent import consent_of, without_consent
from tournaments.events.entry_invitations import SENT_IN, State, invited_of
from tournaments.events.models import Application, Entrant, Event, Member
from tournaments.events.procedures import read_procedures
from tournaments.events.questions import unanswered
from tournaments.events.selectors import current_stage, entrants_of, missing_players, named_in, names_of, sort_keys_of
from tournaments.events.teams import in_order
from tournaments.events.twins import twins_in
from tournaments.leagues.known import KnownPlayer, known_person, known_players, of_name
from tournaments.leagues.namesakes import reviews_of
from tournaments.payments.services import mark_owed, mark_paid
from tournaments.play import services as play
from tournaments.play.access import decklist_for_viewer
from tournaments.play.selectors import last_round_of
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on, status_of
from tournaments.web.pages.decks.saving import NotSaved, save_list
from tournaments.web.pages.entrants.forms import (
    AddressForm,
    DisqualifyForm,
    MergeEntrantsForm,
    PaperListForm,
    WalkInForm,
)
from tournaments.web.pages.entrants.twins import warn_of_twins
from tournaments.web.pages.events.dashboard import actions_of, not_paid
from tournaments.web.paging import page_of
from tournaments.web.rate_limits import DECKS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.entrants import CONSENTS, ENTRANT_STATES, missing_words
from tournaments.web.words.events import BEFORE_PLAY, OVER
from tournaments.web.words.labels import labelled
from tournaments.web.words.procedures import SETTLED

PARTS = {
    "absent": gettext_lazy("Not checked in"),
    "incomplete": gettext_lazy("Incomplete"),
    "listless": gettext_lazy("Without a legal list"),
    "owed": gettext_lazy("Entry not paid"),
    "unanswered": gettext_lazy("Answers missing"),
    "unconsented": gettext_lazy("Consent missing"),
    "waiting": gettext_lazy("On the waiting list"),
    "dropped": gettext_lazy("Dropped"),
}
SORTS = ("name", "state", "list", "here")
_STATES = list(Entrant.Status.values)
PROPOSED = 500  # names of known players that the form proposes while typing
TWINS = 10  # pairs of names that look alike, named above the list
NAMED = 20  # refused entrants that are named in messages
MANY = 500  # from this many entrants on, those of the whole event are read: SQLite limits the values in a query
KEPT = ("find", "show", "sort", "page")  # parameters of the address that stay after an action


@dataclass(frozen=True)
class MemberRow:
    """A member of a team with their decklist."""

    member: Member
    decklist: Decklist | None


@dataclass(frozen=True)
class EntrantRow:
    """One row of the list: an entrant, and the actions that are possible now. A team has `members` with their lists."""

    entrant: Entrant
    state: object
    decklist: Decklist | None
    members: Sequence[MemberRow]
    can_check_in: bool
    can_undo_check_in: bool
    can_drop: bool
    can_reinstate: bool
    can_let_in: bool
    can_type_list: bool
    settled: object
    missing: str
    playing_now: bool
    can_disqualify: bool
    invitation: str


def rows_of(event: Event, user: Any, entrants: QuerySet[Entrant]) -> list[EntrantRow]:
    """The rows of entrants. Six queries, whatever their number."""
    current = current_lists(current_stage(event)).filter(entrant__in=entrants).defer("text", "cards")
    lists = {(decklist.entrant_id, decklist.member_id): decklist for decklist in current}
    desk = _desk_of(event, user)
    invited = {each.entrant.pk: _shown_state(each.state) for each in invited_of(event, entrants, now())}
    return [_row(desk, entrant, lists, invited[entrant.pk]) for entrant in entrants]


Lists = Mapping[tuple[int, int | None], Decklist]
"""The current decklists by the keys of the entrant and, in a team, of the member."""


def _shown_state(state: str) -> str:
    """The state of an entrant's invitation, as far as the list of entrants shows it: "" for most."""
    return "" if state in (State.NO_ADDRESS, State.ACCOUNT) else state


@dataclass(frozen=True)
class _Desk:
    """What all rows of a list have in common.

    `mine` are the reader's own entrants, `free` whether there is no entry fee, `open_again` the keys of entrants with a
    reopened decklist, `missing` whether the desk can enter missing decklists, `short` how many players a team lacks.
    """

    event: Event
    mine: Sequence[Entrant]
    free: bool
    open_again: Collection[int]
    missing: bool
    short: Mapping[int, int]


def _desk_of(event: Event, user: Any) -> _Desk:
    return _Desk(
        event,
        own_entrants(user, event),
        _is_free(event),
        reopened(event),
        desk_can_enter_missing(event),
        missing_players(event),
    )


def _is_free(event: Event) -> bool:
    return read_procedures(event.procedures).entry.kind == "free"


def _members(desk: _Desk, team: Entrant, lists: Lists) -> list[MemberRow]:
    members = in_order(team) if desk.event.is_team_event else []
    return [MemberRow(member, lists.get((team.pk, member.pk))) for member in members]


def _row(desk: _Desk, entrant: Entrant, lists: Lists, invitation: str) -> EntrantRow:
    event, mine = desk.event, desk.mine
    decklist, members = lists.get((entrant.pk, None)), _members(desk, entrant, lists)
    registered = [each.decklist for each in members] or [decklist]
    legal = all(each is not None and each.legal for each in registered)
    can_submit_list = desk_can_enter_lists(event) or entrant.pk in desk.open_again or (desk.missing and not legal)
    dropped = entrant.status == Entrant.Status.DROPPED
    playing = entrant.status == Entrant.Status.REGISTERED
    checking_in = playing and event.status == Event.Status.CHECK_IN
    return EntrantRow(
        entrant=entrant,
        state=ENTRANT_STATES[entrant.status],
        decklist=decklist,
        members=members,
        can_check_in=checking_in and entrant.checked_in_at is None,
        can_undo_check_in=checking_in and entrant.checked_in_at is not None,
        can_drop=not dropped and event.status not in OVER,
        can_reinstate=dropped and not entrant.disqualified and event.status in (*BEFORE_PLAY, Event.Status.RUNNING),
        can_let_in=entrant.status == Entrant.Status.WAITING and event.status == Event.Status.RUNNING,
        settled=None if desk.free else SETTLED[entrant.settled],
        missing=missing_words(desk.short[entrant.pk]) if entrant.pk in desk.short else "",
        # Staff who play see only their own list, and disqualify nobody.
        can_type_list=event.lists != Event.Lists.NONE
        and not dropped
        and can_submit_list
        and (not mine or entrant in mine),
        playing_now=playing and event.status == Event.Status.RUNNING,
        can_disqualify=event.status == Event.Status.RUNNING and not entrant.disqualified and not mine,
        invitation=invitation,
    )


def _parts(event: Event, every: QuerySet[Entrant]) -> dict[str, QuerySet[Entrant]]:
    """The filters of the list that make sense now, each with its entrants."""
    playing = every.filter(status=Entrant.Status.REGISTERED)
    parts = {
        "absent": playing.filter(checked_in_at=None),
        "incomplete": playing.filter(pk__in=missing_players(event)),
        "listless": playing.filter(pk__in=without_legal_list(current_stage(event)).values("pk")),
        "owed": playing.filter(settled=Entrant.Settled.NO),
        "unanswered": playing.filter(pk__in=unanswered(event).values("pk")),
        "unconsented": playing.filter(pk__in=without_consent(event).values("pk")),
        "waiting": every.filter(status=Entrant.Status.WAITING),
        "dropped": every.filter(status=Entrant.Status.DROPPED),
    }
    silent = {"absent": event.status != Event.Status.CHECK_IN, "owed": _is_free(event)}
    return {name: rows for name, rows in parts.items() if not silent.get(name)}


def _sorted(event: Event, keys: Sequence[int], sort: str) -> list[int]:
    """Sort entrants (by primary key) by a column, then by family name. A leading `-` reverses the order."""
    every = event.entrants.filter(pk__in=keys) if len(keys) < MANY else event.entrants.all()
    names = sort_keys_of(every)
    by_name = sorted(keys, key=lambda key: (names.get(key, ()), key))
    column = sort.lstrip("-")
    marks: dict[int, int] = {}
    if column == "state":
        marks = {key: _STATES.index(status) for key, status in every.values_list("pk", "status")}
    elif column == "here":
        marks = dict.fromkeys(every.filter(checked_in_at=None).values_list("pk", flat=True), 1)
    elif column == "list":
        legal = current_lists(current_stage(event)).order_by("legal").values_list("entrant", "legal")
        for key, is_legal in legal:  # of a team, the list with faults comes first and counts
            marks.setdefault(key, 2 if is_legal else 1)
    if sort.startswith("-"):
        by_name.reverse()
    return sorted(by_name, key=lambda key: marks.get(key, 0), reverse=sort.startswith("-"))


def _kept(request: HttpRequest) -> str:
    """The query string that stays after an action: search, filter, order and page."""
    return urlencode([(name, request.GET[name]) for name in KEPT if request.GET.get(name)])


def _back(request: HttpRequest, event_id: str, entrant: Entrant | None = None) -> HttpResponse:
    """Redirect to the list as it was, at the row of an entrant."""
    query, row = _kept(request), f"#{entrant.public_id}" if entrant else ""
    return redirect(reverse("web:staff_entrants", args=[event_id]) + (f"?{query}" if query else "") + row)


def _desk(
    request: HttpRequest,
    event: Event,
    form: WalkInForm,
    same: Sequence[str] = (),
    status: int = 200,
    proposed: Sequence[KnownPlayer] = (),
) -> HttpResponse:
    """The list of entrants.

    `same` are the public ids of those who already have the name of a walk-in, `proposed` the players of this name from
    earlier events.
    """
    every = entrants_of(event)
    adding = bool(form.errors or same or proposed) or "adding" in request.GET
    if adding:
        form.fields["given_name"].widget.attrs["autofocus"] = True
    context = {
        "event": event,
        **_listed(request, event, every),
        "total": every.count(),
        "query": _kept(request),
        "form": form,
        "same": every.filter(public_id__in=same),
        "proposed": proposed,
        "chosen": form.data.get("known", ""),
        "names": _known_names(request, event),
        "adding": adding,
        "may": actions_of(request.user, event),
        "reads_lists": may_read_hidden(request.user, event, "read_decks"),
        "collects_lists": event.lists != Event.Lists.NONE,
        "can_add": event.status not in OVER,
        "late": last_round_of(event) is not None,
        "applied": event.applications.filter(status=Application.Status.WAITING).count(),
        "free": _is_free(event),
        "checking_in": event.status == Event.Status.CHECK_IN,
        "not_paid": not_paid(event) if event.status == Event.Status.CHECK_IN else 0,
        "over": event.status in OVER,
        "legal": _with_legal_list(event),
        "here": every.filter(checked_in_at__isnull=False).count(),
        "reviews": reviews_of(event, request.user),
        # A live update of the list leaves what stands above it alone.
        "twins": [] if "HX-Request" in request.headers or event.status in OVER else twins_in(event)[:TWINS],
    }
    return render(request, "web/staff/entrants.html", context, status=422 if form.errors else status)


def _known_names(request: HttpRequest, event: Event) -> list[str]:
    """The names that the form proposes while typing. A live update of the list leaves the form alone."""
    if (
        "HX-Request" in request.headers
        or event.is_team_event
        or event.status in OVER
        or "run_desk" not in actions_of(request.user, event)
    ):
        return []
    return list(dict.fromkeys(player.name for player in known_players(event, request.user)))[:PROPOSED]


def _with_legal_list(event: Event) -> int:
    """How many entrants have a legal decklist; of teams, those in which every member with a board has one."""
    stage = current_stage(event)
    if not event.is_team_event:
        return current_lists(stage).filter(legal=True).count()
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED)
    return playing.exclude(pk__in=no_legal_list(stage).values("pk")).count()


def _listed(request: HttpRequest, event: Event, every: QuerySet[Entrant]) -> dict[str, Any]:
    """Template context of the rows that the address asks for: filtered, searched, sorted, and one page of them."""
    wanted, part = request.GET.get("find", ""), request.GET.get("show", "")
    parts = _parts(event, every)
    sort = request.GET.get("sort", "")
    sort = sort if sort.removeprefix("-") in SORTS else "name"
    shown = parts.get(part, every)
    names = names_of(shown, full=True) if wanted else {}
    keys = [key for key in shown.values_list("pk", flat=True) if found_in(wanted, names.get(key, ""))]
    page = page_of(request, _sorted(event, keys, sort))
    rows = {row.entrant.pk: row for row in rows_of(event, request.user, every.filter(pk__in=list(page)))}
    return {
        "rows": [rows[key] for key in page],
        "page_of": page,
        "find": wanted,
        "part": part if part in parts else "",
        "sort": sort,
        "parts": [(name, PARTS[name], count) for name in parts if (count := parts[name].count())],
    }


@login_required
def staff_entrants(request: HttpRequest, event_id: str) -> HttpResponse:
    """The staff's list of entrants."""
    return _desk(request, event_for_staff(request.user, event_id, "view_staff_pages"), WalkInForm())


@login_required
@require_POST
@accepted_once
def staff_entrant_add(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Enter a person at the desk: a new one, or one who is known from an earlier event.

    Asks first if the name is in the event already, or if somebody of this name is known.
    """
    event = event_for_staff(request.user, event_id, "run_desk")
    form = WalkInForm(request.POST)
    if not form.is_valid():
        return _desk(request, event, form)
    another, chosen, names = "another" in request.POST, request.POST.get("known", ""), dict(form.cleaned_data)
    person = known_person(event, request.user, chosen) if chosen else None
    if person is not None:
        names = {"given_name": person.given_name, "family_name": person.family_name}
    proposed = [] if another or person else of_name(known_players(event, request.user), **names)
    try:
        with refusals_on(form):
            if proposed:
                events.refuse_same_name(event, **names, another=False)
                return _desk(request, event, form, status=409, proposed=proposed)
            entrant = play.enter_at_desk(
                event=event, by=request.user, now=now(), another=another, person=person, **names
            )
            messages.success(request, _entered(entrant))
            warn_of_twins(request, [entrant])
            if is_name_banned(entrant, now()):
                messages.warning(
                    request, _("Somebody with this name is on the organizer’s ban list: drop them, or continue.")
                )
            query = _kept(request)
            address = reverse("web:staff_entrants", args=[event.public_id])
            # The form stays open, to enter the next player.
            return redirect(f"{address}?{query}&adding=1" if query else f"{address}?adding=1")
    except Refusal as refusal:
        if refusal.code != "name_taken":
            raise
        return _desk(request, event, form, [str(public_id) for public_id in refusal.details], refusal.status, proposed)
    return _desk(request, event, form)


def _entered(entrant: Entrant) -> str:
    """The message about an entrant who was just entered."""
    if entrant.status == Entrant.Status.WAITING:
        return _("The event is full: %(name)s is on the waiting list.") % {"name": entrant.full_name}
    if entrant.checked_in_at is not None:
        return _("%(name)s is entered and checked in.") % {"name": entrant.full_name}
    return _("%(name)s is entered.") % {"name": entrant.full_name}


@login_required
@require_POST
def staff_entrants_several(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Check in, drop or reinstate the selected entrants. Those refused are named with the reason."""
    event = event_for_staff(request.user, event_id, "run_desk")
    chosen = request.POST.getlist("entrant")
    if not chosen:
        messages.warning(
            request, _("Select at least one team.") if event.is_team_event else _("Select at least one entrant.")
        )
        return _back(request, event_id)
    action = request.POST.get("command", "")
    report = play.for_several(event=event, entrants=chosen, action=action, by=request.user, now=now())
    if report.done:
        messages.success(request, _done_for(event, action, len(report.done)))
    for entrant, refusal in report.refused[:NAMED]:
        messages.warning(request, labelled(entrant.full_name, refusal.message))
    if (more := len(report.refused) - NAMED) > 0:
        messages.warning(
            request,
            ngettext("%(n)d more could not be changed.", "%(n)d more could not be changed.", more) % {"n": more},
        )
    return _back(request, event_id)


def _done_for(event: Event, action: str, count: int) -> str:
    """The message after an action on several entrants."""
    paid = {
        "paid": ngettext("%(n)d entry is marked as paid.", "%(n)d entries are marked as paid.", count),
        "owed": ngettext("%(n)d entry is marked as not paid.", "%(n)d entries are marked as not paid.", count),
    }
    if action in paid:
        return paid[action] % {"n": count}
    teams = {
        "check_in": ngettext("%(n)d team is checked in.", "%(n)d teams are checked in.", count),
        "undo_check_in": ngettext(
            "%(n)d team is no longer checked in.", "%(n)d teams are no longer checked in.", count
        ),
        "drop": ngettext("%(n)d team is dropped.", "%(n)d teams are dropped.", count),
        "reinstate": ngettext("%(n)d team is reinstated.", "%(n)d teams are reinstated.", count),
    }
    if event.is_team_event:
        return teams[action] % {"n": count}
    sentences = {
        "check_in": ngettext("%(n)d entrant is checked in.", "%(n)d entrants are checked in.", count),
        "undo_check_in": ngettext(
            "%(n)d entrant is no longer checked in.", "%(n)d entrants are no longer checked in.", count
        ),
        "drop": ngettext("%(n)d entrant is dropped.", "%(n)d entrants are dropped.", count),
        "reinstate": ngettext("%(n)d entrant is reinstated.", "%(n)d entrants are reinstated.", count),
    }
    return sentences[action] % {"n": count}


@login_required
@require_POST
def staff_disqualify(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Disqualify an entrant, with a reason."""
    entrant = entrant_for_staff(request.user, entrant_id, "disqualify")
    if entrant.event.public_id != event_id:
        raise Http404
    form = DisqualifyForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    play.disqualify(entrant=entrant, by=request.user, now=now(), reason=reason)
    messages.success(request, _("%(name)s is disqualified.") % {"name": entrant.full_name})
    return _back(request, event_id, entrant)


ACTIONS: dict[str, tuple[Callable[..., object], Any]] = {
    "check-in": (events.check_in, gettext_lazy("%(name)s is checked in.")),
    "undo-check-in": (events.undo_check_in, gettext_lazy("%(name)s is no longer checked in.")),
    "drop": (play.drop, gettext_lazy("%(name)s is dropped.")),
    "reinstate": (play.reinstate, gettext_lazy("%(name)s is back in the event.")),
    "paid": (mark_paid, gettext_lazy("The entry of %(name)s is marked as paid.")),
    "voucher": (partial(events.settle_entry, how="voucher"), gettext_lazy("%(name)s has given a voucher.")),
    "owed": (mark_owed, gettext_lazy("The entry of %(name)s is no longer marked as paid.")),
}


def _entrant_of(request: HttpRequest, event_id: str, entrant_id: str) -> Entrant:
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    if entrant.event.public_id != event_id:
        raise Http404
    return entrant


@login_required
def staff_entry(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """The claim link and the invitation of an entry without an account, and the form to merge it into another one."""
    entrant = _entrant_of(request, event_id, entrant_id)
    event = entrant.event
    others = [(public_id, name) for public_id, name in named_in(event, full=True) if public_id != entrant.public_id]
    form = MergeEntrantsForm(request.POST or None, entrants=others)
    if request.method == "POST" and form.is_valid():
        into = _entrant_of(request, event_id, form.cleaned_data["into"])
        kept = play.merge_entrants(entrant=entrant, into=into, by=request.user, now=now())
        messages.success(request, _("Both entries are one now: %(name)s") % {"name": kept.full_name})
        return redirect("web:staff_entrants", event_id)
    site = f"{request.scheme}://{request.get_host()}"
    claim = claim_address(entrant, site) if event.is_public and typed_person(entrant) else ""
    (invited,) = invited_of(event, entrants_of(event).filter(pk=entrant.pk), now())
    member = entrant.member_set.select_related("person").first()
    consent = consent_of(event, member.person) if member else None
    context = {
        "event": event,
        "entrant": entrant,
        "form": form,
        "claim": claim,
        "invited": invited,
        "address_form": AddressForm(initial={"email": invited.email}),
        "open": event.status in SENT_IN,
        "asks": event.questions.exists(),
        "unanswered": unanswered(event).filter(pk=entrant.pk).exists(),
        "fee": SETTLED[entrant.settled] if read_procedures(event.procedures).entry.kind == "paid" else "",
        "consent": consent,
        "consent_words": CONSENTS[consent.how if consent else ""],
        "consent_by": name_of(consent.by) if consent and consent.by else "",
    }
    return render(request, "web/staff/entry.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def staff_entrant(request: SignedInRequest, event_id: str, entrant_id: str, action: str) -> HttpResponse:
    """Carry out one of `ACTIONS` for an entrant; answers htmx with the fresh row."""
    entrant = _entrant_of(request, event_id, entrant_id)
    if action not in ACTIONS:
        raise Http404
    service, done = ACTIONS[action]
    options = {"concede_match": True} if action == "drop" and "concede" in request.POST else {}
    service(entrant=entrant, by=request.user, now=now(), **options)
    if request.htmx:
        return _fresh_row(request, entrant)
    messages.success(request, str(done) % {"name": entrant.full_name})
    return _back(request, event_id, entrant)


def _fresh_row(request: HttpRequest, entrant: Entrant) -> HttpResponse:
    """The row of an entrant after an action. Replacing only the row keeps the focus where it was."""
    event = entrant.event
    (row,) = rows_of(event, request.user, entrants_of(event).filter(pk=entrant.pk))
    context = {
        "event": event,
        "row": row,
        "may": actions_of(request.user, event),
        "reads_lists": may_read_hidden(request.user, event, "read_decks"),
        "collects_lists": event.lists != Event.Lists.NONE,
        "over": event.status in OVER,
        "part": request.GET.get("show", ""),
        "query": _kept(request),
    }
    return render(request, "web/staff/_entrant_row.html", context)


@login_required
@accepted_once
@rate_limited(DECKS)
def staff_paper_list(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Type in a decklist handed in on paper. The list registered before is not shown: not all staff may read it."""
    entrant = _entrant_of(request, event_id, entrant_id)
    mine = own_entrants(request.user, entrant.event)
    if mine and entrant not in mine:
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot enter the lists of others."))
    members = in_order(entrant) if entrant.event.is_team_event else []
    initial = {"text": unread_list(entrant, request.user)}  # one that came in with the entry and cannot be read
    form, not_saved = PaperListForm(request.POST or None, initial=initial, members=members), None
    if request.method == "POST" and form.is_valid():
        text, member = form.cleaned_data["text"], form.member_chosen
        save = partial(submit_decklist, entrant=entrant, member=member, by=request.user, now=now(), text=text)
        saved = save_list(request, entrant.event, text, save)
        if not isinstance(saved, NotSaved):
            return _paper_list_saved(request, saved)
        again = {"text": saved.draft.text, "member": form.cleaned_data.get("member")}
        form, not_saved = PaperListForm(initial=again, members=members), saved
    context = {"event": entrant.event, "entrant": entrant, "form": form, "not_saved": not_saved}
    status = not_saved.status if not_saved else status_of(form)
    return render(request, "web/staff/paper_list.html", context, status=status)


def _paper_list_saved(request: HttpRequest, saved: Decklist) -> HttpResponse:
    message = _("The list of %(name)s is registered.") if saved.legal else _("The list of %(name)s has problems.")
    messages.success(request, message % {"name": saved.full_name})
    return redirect("web:staff_entrants", saved.entrant.event.public_id)


def staff_deck(request: HttpRequest, pk: int) -> HttpResponse:
    """One version of a decklist with all its violations, and links to the other versions."""
    try:
        decklist = decklist_for_viewer(request.user, pk)
    except Http404:
        if request.user.is_authenticated:
            raise
        # Signing in may help: it may be the reader's own list.
        return redirect_to_login(request.get_full_path())
    event = decklist.entrant.event
    whose = {"entrant": decklist.entrant, "member": decklist.member}
    versions = Decklist.objects.filter(**whose, stage=decklist.stage).order_by("-version")
    reads_all = reads_history(request.user, decklist)
    if not reads_all:
        versions = versions.filter(pk=decklist.pk)
    context = {
        "event": event,
        "decklist": decklist,
        "name": decklist.full_name if reads_all else decklist.name,
        "lines": lines_of(event, decklist),
        "versions": versions.only("pk", "version", "legal", "submitted_at"),
        "violations": describe(event, decklist.violations, get_language() or "en"),
    }
    return render(request, "web/staff/deck.html", context)


@dataclass(frozen=True)
class DeckLines:
    """A decklist by card names: the commander ("" if there is none), and (copies, name, reference) of the main deck."""

    commander: str
    cards: list[tuple[int, str, str]]

    @property
    def count(self) -> int:
        """The number of cards in the main deck."""
        return sum(copies for copies, _name, _ref in self.cards)


def lines_of(event: Event, decklist: Decklist) -> DeckLines:
    """The cards of a decklist by name, sorted."""
    names = card_names(event)
    commander = decklist.cards.get("commander") or ""
    cards = [(copies, names.get(ref, ref), ref) for ref, copies in decklist.cards.get("main", {}).items()]
    return DeckLines(names.get(commander, commander), sorted(cards, key=lambda line: (folded(line[1]), line[2])))
