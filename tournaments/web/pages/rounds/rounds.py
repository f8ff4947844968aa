"""The round desk: pair, edit, publish and repair a round, run its clock, enter results and close it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import event_for_staff, may, plays
from tournaments.events.models import Entrant, Event
from tournaments.events.procedures import ending, read_procedures
from tournaments.events.selectors import current_stage, full_names, names_by_id
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.manual_edits import preview
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import edit_to_undo, follow_to_undo, is_hidden, is_outdated, tables_said
from tournaments.play.services.repairs import KEEP, Repair, begun_in, begun_tables, repairs_of
from tournaments.web.answers import safe_next
from tournaments.web.form_tokens import accepted_once, accepted_once_computed
from tournaments.web.pages.events.dashboard import offered_at
from tournaments.web.pages.results.corrections import is_stale, repairs
from tournaments.web.pages.results.desk import (
    asked_of,
    desk_of,
    places_of,
    wanted_places,
)
from tournaments.web.pages.rounds.forms import EditForm, FollowForm, MinutesForm, TypedNumberForm
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.procedures import ending_words
from tournaments.web.words.stages import COSTS


def _to_round(round_: Round) -> HttpResponse:
    return redirect("web:staff_round", round_.stage.event.public_id, round_.number)


@login_required
def staff_round(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The desk of a round."""
    round_ = round_for_staff(request.user, event_id, number, "view_staff_pages")
    event = round_.stage.event
    at = now()
    places, asked = places_of(round_), asked_of(request)
    page = page_of(request, wanted_places(round_, places, asked))
    desk = desk_of(round_, request.user, at, places=places, only=[place.match for place in page])
    offered = offered_at(request.user, event)
    context = {
        "event": event,
        "round": round_,
        "now": at,
        "desk": desk,
        "asked": asked,
        "has_tables": tables_said(round_) if asked.find and not page.object_list else "",
        "page_of": page,
        "may": offered,
        "undo": play.undo_open(round_, at),
        "repairs": repairs(request.user, round_),
        "outdated": repairs(request.user, round_) and is_outdated(round_),
        "stale": is_stale(round_),
        "minutes": MinutesForm(),
        "ending": ending_words(ending(read_procedures(event.procedures).match_end, bracket=round_.stage.is_bracket)),
        "followed": follow_to_undo(round_, at) if may(request.user, event, "run_desk") else None,
        "may_edit": _may_change(request, round_),
        "may_swap": "run_desk" in offered and play.swap_open(round_, request.user, at),
        "may_undo_edit": _may_change(request, round_) and edit_to_undo(round_) is not None,
    }
    return render(request, "web/staff/round.html", context)


def _may_change(request: HttpRequest, round_: Round) -> bool:
    """Whether the reader can edit the pairings of a round manually: it is a draft, and no bracket."""
    return round_.status == Round.Status.DRAFT and not round_.stage.is_bracket and not is_hidden(round_, request.user)


def players_of(round_: Round, user: Any) -> list[tuple[str, str]]:
    """The players of a round who can change places as choices, by name; none if the draft is hidden from this reader.

    Once the pairings are published, only players at whose table nothing was done.
    """
    if is_hidden(round_, user):
        return []
    names = full_names(round_.stage.event)
    seats = Seat.objects.filter(round=round_)
    if round_.status != Round.Status.DRAFT:
        seats = seats.exclude(match__table__in=begun_tables(round_))
    seated = set(seats.values_list("entrant__public_id", flat=True))
    return [(public_id, name) for public_id, name in names.items() if public_id in seated]


@contextmanager
def tables_named() -> Iterator[None]:
    """Add the numbers of the tables that keep a round open to the message of a `results_missing` refusal.

    Whoever is at the desk has to go there next.
    """
    try:
        yield
    except Refusal as refusal:
        if refusal.code == "results_missing" and refusal.details:
            tables = ", ".join(map(str, refusal.details))
            refusal.message = _("%(sentence)s Tables: %(tables)s.") % {"sentence": refusal.message, "tables": tables}
        raise


def _asked(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view that pairs a round: a round in which nobody meets is asked about first (`nobody_meets`).

    The page that asks sends the same form again, with `acknowledged`.
    """

    @wraps(view)
    def asking(request: SignedInRequest, event_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, event_id, *args, **kwargs)
        except Refusal as refusal:
            if refusal.code != "nobody_meets":
                raise
            sent = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
            event = event_for_staff(request.user, event_id, "run_desk")
            context = {"event": event, "refusal": refusal, "sent": sent}
            return render(request, "web/staff/nobody_meets.html", context, status=refusal.status)

    return asking


def _acknowledged(request: HttpRequest) -> bool:
    return "acknowledged" in request.POST


@login_required
@require_POST
@accepted_once_computed
@_asked
def staff_pair(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Pair the next round as a draft."""
    stage = current_stage(event_for_staff(request.user, event_id, "run_desk"))
    with tables_named():
        round_ = play.pair_round(stage=stage, by=request.user, now=now(), acknowledged=_acknowledged(request))
    messages.success(request, _("Round %(number)d is paired as a draft.") % {"number": round_.number})
    return _to_round(round_)


@login_required
@require_POST
@accepted_once_computed
def staff_discard(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Discard a draft; with `again`, pair its round again at once."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    made = None
    if "again" in request.POST:
        made = play.pair_again(round_=round_, by=request.user, now=now())
    else:
        play.discard_draft(round_=round_, by=request.user, now=now())
    messages.success(request, _("The draft of round %(number)d is discarded.") % {"number": number})
    return _to_round(made) if made else redirect("web:staff", event_id)


@login_required
@require_POST
def staff_publish(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Publish the pairings of a round."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    play.publish_round(round_=round_, by=request.user, now=now())
    messages.success(request, _("The pairings of round %(number)d are published.") % {"number": number})
    return _to_round(round_)


@login_required
@require_POST
@accepted_once_computed
@_asked
def staff_close(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Close a round; with `pair`, also pair the next one."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    made = None
    with tables_named():
        if "pair" in request.POST:
            made = play.close_and_pair(round_=round_, by=request.user, now=now(), acknowledged=_acknowledged(request))
        else:
            play.close_round(round_=round_, by=request.user, now=now())
    messages.success(request, _("Round %(number)d is closed.") % {"number": number})
    return _to_round(made or round_)


@login_required
@require_POST
@accepted_once_computed
@_asked
def staff_follow(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Close a round, pair and publish the next one, and let its clock start in some minutes, in one action."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    minutes = FollowForm(request.POST).minutes_or_refuse()
    with tables_named():
        made = play.follow_round(
            round_=round_, minutes=minutes, by=request.user, now=now(), acknowledged=_acknowledged(request)
        )
    messages.success(request, _("The pairings of round %(number)d are published.") % {"number": made.number})
    return _to_round(made)


@login_required
@require_POST
def staff_undo_follow(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Undo `staff_follow`, which is possible for a minute."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    before = play.undo_follow(round_=round_, by=request.user, now=now())
    messages.success(request, _("Round %(number)d is open again.") % {"number": before.number})
    return _to_round(before)


@login_required
@require_POST
def staff_undo(request: HttpRequest, event_id: str, number: int, action: str) -> HttpResponse:
    """Make published pairings a draft again (`unpublish`), or reopen a closed round (`reopen`).

    The number of the round has to be typed to confirm.
    """
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if action not in UNDO:
        raise Http404
    service, done = UNDO[action]
    TypedNumberForm(request.POST).check(number)
    service(round_=round_, by=request.user, now=now())
    messages.success(request, str(done) % {"number": number})
    return _to_round(round_)


@login_required
def staff_hands(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Choose a manual edit of a draft, and preview what it would change and cost."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    players = players_of(round_, request.user)
    form = EditForm(request.GET or None, players=players)
    action = request.GET.get("command", "")
    context: dict[str, Any] = {"event": round_.stage.event, "round": round_, "form": form, "action": action}
    if action and form.is_valid():
        change = _change(request, round_, form, action)
        names = dict(players)
        found = preview(round_, change)
        context |= {
            "tried": found,
            "words": EDITS[action][2],
            "changes": [
                (change.table, *(_named(players, names) for players in (change.was, change.now)))
                for change in found.changes
            ],
            "forbidden": [_named(pair, names) for pair in found.forbidden],
            "cost": [
                (COSTS[level], found.before[level], value, value - found.before[level])
                for level, value in found.after.items()
                if level in COSTS
            ],
        }
    return render(request, "web/staff/hands.html", context, status=422 if form.errors else 200)


def _change(request: HttpRequest, round_: Round, form: EditForm, action: str) -> Callable[[], None]:
    """The service call for a manual edit, ready to be run.

    Raises InvalidInput `not_seated` if the players are not chosen, and a 404 for an unknown action.
    """
    if action not in EDITS:
        raise Http404
    if not form.is_valid() or (action != "bye" and not form.cleaned_data["second"]):
        raise InvalidInput("not_seated", _("Choose players who are seated in this round."))
    names = ("first",) if action == "bye" else ("first", "second")
    chosen = [Entrant.objects.get(event=round_.stage.event_id, public_id=form.cleaned_data[name]) for name in names]
    who = {"entrant": chosen[0]} if action == "bye" else {"first": chosen[0], "second": chosen[1]}
    return partial(EDITS[action][0], round_=round_, by=request.user, now=now(), **who)


@login_required
@require_POST
@accepted_once
def staff_hand(request: SignedInRequest, event_id: str, number: int, action: str) -> HttpResponse:
    """Edit a draft manually: swap two players, seat two together, give one the bye, or `undo` the last edit."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if action == "undo":
        play.undo_edit(round_=round_, by=request.user, now=now())
        messages.success(request, _("The last change by hand is undone."))
        return _to_round(round_)
    _change(request, round_, EditForm(request.POST, players=players_of(round_, request.user)), action)()
    messages.success(request, str(EDITS[action][1]))
    return _to_round(round_)


@dataclass(frozen=True)
class RepairShown:
    """A way to repair a round, in words.

    `new` is how many tables change, `proven` whether the pairing is proven to be optimal, and `changes` holds table,
    players before and players after.
    """

    key: str
    new: int
    proven: bool
    changes: list[tuple[int | None, str, str]]
    cost: list[tuple[object, int]]
    begun: list[int]  # tables that would change but have begun, so that this way cannot be applied


def _shown(way: Repair, names: Mapping[str, str], begun: Collection[int]) -> RepairShown:
    choice = way.choice
    return RepairShown(
        way.key,
        choice.new,
        choice.pairing.certified,
        [(change.table, _named(change.was, names), _named(change.now, names)) for change in choice.changes],
        [(COSTS[level], value) for level, value in choice.pairing.cost.items() if level in COSTS],
        begun_in(way, begun),
    )


MANY = 500


def _names_in(ways: Iterable[Repair], event: Event) -> dict[str, str]:
    """The names of the players whose tables would change, by public id."""
    changes = [change for way in ways for change in way.choice.changes]
    players = {player for change in changes for player in (*change.was, *change.now)}
    # SQLite limits the number of values in a query, so all names are read if many tables change.
    some = event.entrants.filter(public_id__in=players) if len(players) <= MANY else event.entrants.all()
    return names_by_id(some, full=True)


def _named(players: Sequence[str], names: Mapping[str, str]) -> str:
    return " – ".join(names.get(player, player) for player in players) or _("nobody")


@login_required
@accepted_once
def staff_mend(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Repair the pairings of a round after a mistake: lists the ways, and a POST applies one.

    The way that changes the fewest tables comes first. `?corrected=` names the match whose result was just corrected.
    """
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    event = round_.stage.event
    if plays(request.user, event):
        raise NotAllowed("staff_who_play", _("Staff who play cannot change pairings by hand."))
    if request.method == "POST":
        way = request.POST.get("way", "")
        play.repair_round(round_=round_, way=way, by=request.user, now=now())
        done = (
            _("The pairings of round %(number)d stay as they are.")
            if way == KEEP
            else _("The pairings of round %(number)d are repaired.")
        )
        messages.success(request, done % {"number": number})
        return _to_round(round_)
    found = repairs_of(round_)
    names, begun = _names_in(found, event), begun_tables(round_)
    ways = [_shown(way, names, begun) for way in found]
    corrected = Match.objects.filter(public_id=request.GET.get("corrected", ""), round__stage=round_.stage_id)
    context = {
        "event": event,
        "round": round_,
        "open": repairs(request.user, round_),
        "outdated": is_outdated(round_) or is_stale(round_),
        "ways": ways,
        "possible": any(not way.begun for way in ways),
        "corrected": corrected.select_related("round").first(),
    }
    return render(request, "web/staff/mend.html", context)


UNDO: dict[str, tuple[Callable[..., None], Any]] = {
    "unpublish": (play.unpublish_round, gettext_lazy("The pairings of round %(number)d are a draft again.")),
    "reopen": (play.reopen_round, gettext_lazy("Round %(number)d is open again.")),
}
EDITS: dict[str, tuple[Callable[..., None], Any, Any]] = {
    "swap": (play.swap_players, gettext_lazy("They have swapped seats."), gettext_lazy("Swap seats")),
    "seat": (play.seat_together, gettext_lazy("They are seated together."), gettext_lazy("Seat together")),
    "bye": (play.give_bye, gettext_lazy("The bye is given."), gettext_lazy("Give the first the bye")),
}
CLOCK: dict[str, tuple[Callable[..., None], Any]] = {
    "start": (play.start_clock, gettext_lazy("The clock is running.")),
    "cancel": (play.cancel_clock_start, gettext_lazy("The planned start of the clock is cancelled.")),
    "pause": (play.pause_clock, gettext_lazy("The clock is paused.")),
    "resume": (play.resume_clock, gettext_lazy("The clock is running again.")),
}


@login_required
@require_POST
def staff_clock(request: HttpRequest, event_id: str, number: int, action: str) -> HttpResponse:
    """Start, pause or resume the round's clock, or cancel its planned start."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if action not in CLOCK:
        raise Http404
    service, done = CLOCK[action]
    service(round_=round_, by=request.user, now=now())
    messages.success(request, str(done))
    return _to_round(round_)


@login_required
@require_POST
@accepted_once
def staff_extend_round(request: SignedInRequest, event_id: str, number: int) -> HttpResponse:
    """Add minutes for all tables of a round."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    minutes = MinutesForm(request.POST).minutes_or_refuse()
    play.extend_round(round_=round_, minutes=minutes, by=request.user, now=now())
    said = ngettext("%(minutes)d more minute for all tables.", "%(minutes)d more minutes for all tables.", minutes)
    messages.success(request, said % {"minutes": minutes})
    return _to_round(round_)


@login_required
@require_POST
@accepted_once
def staff_extend_table(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Add minutes for one table, from the desk or from a judge's page."""
    match = match_for_staff(request.user, match_id, "extend_time")
    minutes = MinutesForm(request.POST).minutes_or_refuse()
    play.extend_table(match=match, minutes=minutes, by=request.user, now=now())
    said = ngettext(
        "%(minutes)d more minute for table %(table)s.", "%(minutes)d more minutes for table %(table)s.", minutes
    )
    messages.success(request, said % {"minutes": minutes, "table": match.table})
    desk = reverse("web:staff_round", args=[match.round.stage.event.public_id, match.round.number])
    return redirect(safe_next(request, desk))
