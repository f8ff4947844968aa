"""The round desk: draft pairings and why, the clock, results table by table, closing."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import event_for_staff, may, plays, require
from tournaments.events.models import Entrant
from tournaments.events.procedures import ending, read_procedures
from tournaments.events.selectors import current_stage, full_names
from tournaments.play import services as play
from tournaments.play.access import match_for_staff, round_for_staff
from tournaments.play.hands import tried
from tournaments.play.models import Match, Round, Seat
from tournaments.play.repairs import Way, ways_to_mend
from tournaments.play.selectors import follow_to_undo, hand_to_undo, is_hidden, is_outdated, newest_report_id
from tournaments.play.services.repairs import KEEP, begun_in, begun_tables
from tournaments.web.answers import safe_next, way_back
from tournaments.web.forms.refusals import Moved, refusals_on, refused_beside, status_of
from tournaments.web.forms.staff import (
    FollowForm,
    HandForm,
    MinutesForm,
    QuickResultForm,
    ResultForm,
    TableResultForm,
    TypedNumberForm,
    result_form,
)
from tournaments.web.once import once, once_computed
from tournaments.web.paging import page_of
from tournaments.web.procedure_words import ending_words
from tournaments.web.views.staff.corrections import is_stale, later_round, repairs, to_repair, why_closed
from tournaments.web.views.staff.dashboard import can_reopen, offered_at
from tournaments.web.views.staff.desk import (
    asked_of,
    counters_of,
    desk_of,
    effect_words,
    initial_of,
    is_last,
    names_at,
    places_of,
    result_words,
    table_row,
    wanted_places,
)
from tournaments.web.words import COSTS


def _to_round(round_: Round) -> HttpResponse:
    return redirect("web:staff_round", round_.stage.event.public_id, round_.number)


@login_required
def staff_round(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The desk of one round."""
    round_ = round_for_staff(request.user, event_id, number, "view_staff_pages")
    event = round_.stage.event
    at = now()
    places, asked = places_of(round_), asked_of(request)
    page = page_of(request, wanted_places(round_, places, asked))
    desk = desk_of(round_, request.user, at, places=places, only=[place.match for place in page])
    context = {
        "event": event,
        "round": round_,
        "now": at,
        "desk": desk,
        "asked": asked,
        "page_of": page,
        "may": offered_at(request.user, event),
        "undo": play.undo_open(round_),
        "repairs": repairs(request.user, round_),
        "outdated": repairs(request.user, round_) and is_outdated(round_),
        "stale": is_stale(round_),
        "minutes": MinutesForm(),
        "ending": ending_words(ending(read_procedures(event.procedures).match_end, bracket=round_.stage.is_bracket)),
        "followed": follow_to_undo(round_, at) if may(request.user, event, "run_desk") else None,
        "hand": _may_change(request, round_),
        "undo_hand": _may_change(request, round_) and hand_to_undo(round_) is not None,
    }
    return render(request, "web/staff/round.html", context)


def _may_change(request: HttpRequest, round_: Round) -> bool:
    """Whether a draft can be changed by hand by who looks at it."""
    return round_.status == Round.Status.DRAFT and not round_.stage.is_bracket and not is_hidden(round_, request.user)


def players_of(round_: Round, user: Any) -> list[tuple[str, str]]:
    """Who is seated in a round, by name, as a form offers them; nobody to staff who play while it is a draft."""
    if is_hidden(round_, user):
        return []
    names = full_names(round_.stage.event)
    seated = set(Seat.objects.filter(round=round_).values_list("entrant__public_id", flat=True))
    return [(public_id, name) for public_id, name in names.items() if public_id in seated]


@contextmanager
def tables_named() -> Iterator[None]:
    """Say in the sentence which tables keep a round open: the person at the desk goes there next."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code == "results_missing" and refusal.details:
            tables = ", ".join(map(str, refusal.details))
            refusal.message = _("%(sentence)s Tables: %(tables)s.") % {"sentence": refusal.message, "tables": tables}
        raise


@login_required
@require_POST
@once_computed
def staff_pair(request: HttpRequest, event_id: str) -> HttpResponse:
    """Pair the next round as a draft."""
    stage = current_stage(event_for_staff(request.user, event_id, "run_desk"))
    with tables_named():
        round_ = play.pair_round(stage=stage, by=request.user, now=now())
    messages.success(request, _("Round %(number)d is paired, as a draft.") % {"number": round_.number})
    return _to_round(round_)


@login_required
@require_POST
@once_computed
def staff_discard(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Throw a draft away; with `again`, pair it once more."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    made = None
    if "again" in request.POST:
        made = play.pair_again(round_=round_, by=request.user, now=now())
    else:
        play.discard_draft(round_=round_, by=request.user, now=now())
    messages.success(request, _("The draft of round %(number)d is thrown away.") % {"number": number})
    return _to_round(made) if made else redirect("web:staff", event_id)


@login_required
@require_POST
def staff_publish(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Show the pairings to all."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    play.publish_round(round_=round_, by=request.user, now=now())
    messages.success(request, _("The pairings of round %(number)d are published.") % {"number": number})
    return _to_round(round_)


@login_required
@require_POST
@once_computed
def staff_close(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Close a round; with `pair`, pair the next at once."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    made = None
    with tables_named():
        if "pair" in request.POST:
            made = play.close_and_pair(round_=round_, by=request.user, now=now())
        else:
            play.close_round(round_=round_, by=request.user, now=now())
    messages.success(request, _("Round %(number)d is closed.") % {"number": number})
    return _to_round(made or round_)


@login_required
@require_POST
@once_computed
def staff_follow(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The next round: close, pair, publish, the clock in some minutes."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    minutes = FollowForm(request.POST).minutes_or_refuse()
    with tables_named():
        made = play.follow_round(round_=round_, minutes=minutes, by=request.user, now=now())
    messages.success(request, _("The pairings of round %(number)d are published.") % {"number": made.number})
    return _to_round(made)


@login_required
@require_POST
def staff_undo_follow(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Take the next round back, a minute long."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    before = play.undo_follow(round_=round_, by=request.user, now=now())
    messages.success(request, _("Round %(number)d is open again.") % {"number": before.number})
    return _to_round(before)


@login_required
@require_POST
def staff_undo(request: HttpRequest, event_id: str, number: int, gesture: str) -> HttpResponse:
    """Take a step of a round back, its number typed: published pairings to a draft, a closed round to an open one."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if gesture not in UNDO:
        raise Http404
    service, done = UNDO[gesture]
    TypedNumberForm(request.POST).check(number)
    service(round_=round_, by=request.user, now=now())
    messages.success(request, str(done) % {"number": number})
    return _to_round(round_)


@login_required
def staff_hands(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """A change of a draft by hand: chosen, and told what it would cost before it is done."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    form = HandForm(request.GET or None, players=players_of(round_, request.user))
    gesture = request.GET.get("gesture", "")
    context: dict[str, Any] = {"event": round_.stage.event, "round": round_, "form": form, "gesture": gesture}
    if gesture and form.is_valid():
        change = _change(request, round_, form, gesture)
        names = dict(form.fields["first"].choices)
        found = tried(round_, change)
        context |= {
            "tried": found,
            "words": HANDS[gesture][2],
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


def _change(request: HttpRequest, round_: Round, form: HandForm, gesture: str) -> Callable[[], None]:
    """The gesture of a form, not done yet."""
    if gesture not in HANDS:
        raise Http404
    if not form.is_valid() or (gesture != "bye" and not form.cleaned_data["second"]):
        raise InvalidInput("not_seated", _("Choose players who are seated in this round."))
    names = ("first",) if gesture == "bye" else ("first", "second")
    chosen = [Entrant.objects.get(event=round_.stage.event_id, public_id=form.cleaned_data[name]) for name in names]
    who = {"entrant": chosen[0]} if gesture == "bye" else {"first": chosen[0], "second": chosen[1]}
    return partial(HANDS[gesture][0], round_=round_, by=request.user, now=now(), **who)


@login_required
@require_POST
@once
def staff_hand(request: HttpRequest, event_id: str, number: int, gesture: str) -> HttpResponse:
    """Change a draft by hand: two change places, two are seated together, one gets the bye; `undo` takes it back."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if gesture == "undo":
        play.undo_hand(round_=round_, by=request.user, now=now())
        messages.success(request, _("The last change by hand is taken back."))
        return _to_round(round_)
    _change(request, round_, HandForm(request.POST, players=players_of(round_, request.user)), gesture)()
    messages.success(request, str(HANDS[gesture][1]))
    return _to_round(round_)


@dataclass(frozen=True)
class WayShown:
    """A way to mend a round in words: what changes, and what it costs."""

    key: str
    new: int
    proven: bool
    changes: list[tuple[int | None, str, str]]
    cost: list[tuple[object, int]]
    begun: list[int]  # tables that keep it from being taken


def _shown(way: Way, names: Mapping[str, str], begun: Collection[int]) -> WayShown:
    choice = way.choice
    return WayShown(
        way.key,
        choice.new,
        choice.pairing.certified,
        [
            (change.table, *(_named(players, names) for players in (change.was, change.now)))
            for change in choice.changes
        ],
        [(COSTS[level], value) for level, value in choice.pairing.cost.items() if level in COSTS],
        begun_in(way, begun),
    )


def _named(players: Sequence[str], names: Mapping[str, str]) -> str:
    return " – ".join(names.get(player, player) for player in players) or _("nobody")


@login_required
@once
def staff_mend(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The ways to repair a round after a mistake, from the fewest tables disturbed to the best; one is applied.

    `corrected` is the match whose result was just corrected.
    """
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    event = round_.stage.event
    if plays(request.user, event):
        raise NotAllowed("staff_who_play", _("Staff who play do not change pairings by hand."))
    if request.method == "POST":
        way = request.POST.get("way", "")
        play.mend_round(round_=round_, way=way, by=request.user, now=now())
        done = (
            _("The pairings of round %(number)d stay as they are.")
            if way == KEEP
            else _("The pairings of round %(number)d are repaired.")
        )
        messages.success(request, done % {"number": number})
        return _to_round(round_)
    names = full_names(event)
    begun = begun_tables(round_)
    ways = [_shown(way, names, begun) for way in ways_to_mend(round_)]
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
HANDS: dict[str, tuple[Callable[..., None], Any, Any]] = {
    "swap": (play.swap_players, gettext_lazy("They have changed places."), gettext_lazy("Change places")),
    "seat": (play.seat_together, gettext_lazy("They are seated together."), gettext_lazy("Seat together")),
    "bye": (play.give_bye, gettext_lazy("The bye is given."), gettext_lazy("Give the first the bye")),
}
CLOCK: dict[str, tuple[Callable[..., None], Any]] = {
    "start": (play.start_clock, gettext_lazy("The clock runs.")),
    "pause": (play.pause_clock, gettext_lazy("The clock is paused.")),
    "resume": (play.resume_clock, gettext_lazy("The clock runs again.")),
}


@login_required
@require_POST
def staff_clock(request: HttpRequest, event_id: str, number: int, gesture: str) -> HttpResponse:
    """Start, pause or resume the round's clock."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    if gesture not in CLOCK:
        raise Http404
    service, done = CLOCK[gesture]
    service(round_=round_, by=request.user, now=now())
    messages.success(request, str(done))
    return _to_round(round_)


@login_required
@require_POST
@once
def staff_extend_round(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """Add minutes for all tables."""
    round_ = round_for_staff(request.user, event_id, number, "run_desk")
    minutes = MinutesForm(request.POST).minutes_or_refuse()
    play.extend_round(round_=round_, minutes=minutes, by=request.user, now=now())
    messages.success(request, _("%(minutes)d minutes more for all tables.") % {"minutes": minutes})
    return _to_round(round_)


@login_required
@require_POST
@once
def staff_extend_table(request: HttpRequest, match_id: str) -> HttpResponse:
    """Add minutes for one table, from the desk or from a judge's page."""
    match = match_for_staff(request.user, match_id, "extend_time")
    minutes = MinutesForm(request.POST).minutes_or_refuse()
    play.extend_table(match=match, minutes=minutes, by=request.user, now=now())
    said = _("%(minutes)d minutes more for table %(table)s.") % {"minutes": minutes, "table": match.table}
    messages.success(request, said)
    desk = reverse("web:staff_round", args=[match.round.stage.event.public_id, match.round.number])
    return redirect(safe_next(request, desk))


@login_required
def staff_result(request: HttpRequest, match_id: str) -> HttpResponse:
    """Enter a result: by one of the quick buttons, or by the whole form with kind and reason."""
    match = match_for_staff(request.user, match_id, "run_desk")
    if "score" in request.POST:
        return _quick_result(request, match, QuickResultForm(request.POST))
    form = result_form(match, request.POST or None, names=names_at(match), initial=initial_of(match))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        kind = data.get("kind", Match.Kind.PLAYED)
        changed = Moved()
        enter = play.override_result
        if "reopen" in request.POST:
            require(request.user, match.round.stage.event, "reopen_event")
            enter = play.correct_after_end
        with refused_beside(form), refusals_on(form), changed.told():
            enter(
                match=match,
                by=request.user,
                games=form.games,
                kind=kind,
                reason=data["reason"],
                seen=form.seen_report,
                acknowledged=data["acknowledged"],
                now=now(),
            )
            return _entered(request, match)
        if changed.refusal:
            return _shown_again(request, match, data, result_words(form.games, kind), changed)
    return _result_page(request, match, form, "", status_of(form))


def _shown_again(
    request: HttpRequest, match: Match, typed: dict[str, Any], wanted: str, changed: Moved
) -> HttpResponse:
    """The page of a result with what stands in its way, and the form as it was typed."""
    initial = {**typed, "seen": newest_report_id(match), "acknowledged": bool(changed.effects)}
    again = result_form(match, names=names_at(match), initial=initial)
    return _result_page(request, match, again, "" if changed.effects else wanted, 409, changed.effects)


def _result_page(
    request: HttpRequest,
    match: Match,
    form: ResultForm | TableResultForm,
    wanted: str,
    status: int,
    effects: Sequence[Mapping[str, str]] = (),
) -> HttpResponse:
    row = table_row(match, request.user)
    event = match.round.stage.event
    said = effect_words(event, effects)
    context = {
        "event": event,
        "match": row.match,
        "form": form,
        "row": row,
        "wanted": wanted,
        "effects": said,
        "may": offered_at(request.user, event),
        "closed": why_closed(match),
        "reopens": can_reopen(request.user, event),
        "later": later_round(match),
    }
    return render(request, "web/staff/result.html", context, status=status)


def _quick_result(request: HttpRequest, match: Match, form: QuickResultForm) -> HttpResponse:
    games = form.games()
    first, second, drawn = games
    score = {"first": first, "second": second, "drawn": drawn, "kind": Match.Kind.PLAYED}
    whole = result_form(match, {**score, "seen": newest_report_id(match)}, names=names_at(match))
    changed = Moved()
    with nullcontext() if request.htmx else refused_beside(whole), changed.told():
        play.override_result(match=match, by=request.user, games=games, seen=form.seen_report, now=now())
        return _entered(request, match)
    if changed.refusal is None:
        return _result_page(request, match, whole, "", status_of(whole))
    wanted = result_words(games, Match.Kind.PLAYED)
    if request.htmx and not changed.effects:
        return render(request, "web/staff/_result_entered.html", _row(request, match, wanted), status=409)
    return _shown_again(request, match, {**initial_of(match), **score}, wanted, changed)


def _row(request: HttpRequest, match: Match, wanted: str = "") -> dict[str, Any]:
    """One table as the desk shows it now; `wanted` is what somebody was about to enter over it."""
    return {
        "event": match.round.stage.event,
        "round": match.round,
        "row": table_row(match, request.user),
        "counters": counters_of(match.round),
        "asked": asked_of(request),
        "last": is_last(match.round),
        "may": offered_at(request.user, match.round.stage.event),
        "wanted": wanted,
    }


def _entered(request: HttpRequest, match: Match) -> HttpResponse:
    if request.htmx:
        return render(request, "web/staff/_result_entered.html", _row(request, match))
    messages.success(request, _("The result of table %(table)s counts.") % {"table": match.table})
    repair = to_repair(request, match)
    if repair is not None:
        return repair
    desk = reverse("web:staff_round", args=[match.round.stage.event.public_id, match.round.number])
    came = way_back(request)  # from a filtered desk back to it
    return redirect(came if came.partition("?")[0] == desk else desk)
