"""A player's own pages (seat, decklist, pool, result), and all player actions from registering to dropping."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournaments.audits import disputes
from tournaments.audits.models import Dispute, Feature, Position
from tournaments.audits.positions import to_sign
from tournaments.audits.watching import feature_of
from tournaments.common.clock import now
from tournaments.common.prepared import Prepared
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.engine_gate import card_names, describe, draft_list, is_pooled, list_notes
from tournaments.decks.models import Decklist, Pool
from tournaments.decks.selectors import (
    can_register_pool,
    can_submit_list,
    current_list,
    current_pool,
    is_open_late,
    lists_of,
    lists_open,
    pools_of,
)
from tournaments.decks.services import register_pool, submit_decklist
from tournaments.events import services as events
from tournaments.events.access import event_for_viewer, own_entrants, readers_of
from tournaments.events.models import Entrant, Event, Member, Stage
from tournaments.events.overlaps import overlaps_of_entrants
from tournaments.events.procedures import ending, read_procedures
from tournaments.events.selectors import current_stage
from tournaments.judging.models import Call, Penalty
from tournaments.judging.selectors import penalties_of_entrant
from tournaments.play import services as play
from tournaments.play.access import lists_exchanged, match_for_player, seat_of
from tournaments.play.boards import own_boards
from tournaments.play.loading import matches_of_entrant
from tournaments.play.models import AwardedBye, Game, Loss, Match, Report
from tournaments.play.selectors import (
    awarded_byes_of,
    chooser_of,
    newest_shown_round,
    rounds_to_pair,
)
from tournaments.play.services.draft_clock import open_draft
from tournaments.standings.access import shows_all_standings
from tournaments.standings.selectors import final_rows
from tournaments.web.answered_in_place import answered_in_place
from tournaments.web.answers import show
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.boards import initial_boards
from tournaments.web.pages.decks.forms import DeckForm, OwnPoolForm
from tournaments.web.pages.decks.saving import NotSaved, save_list
from tournaments.web.pages.disputes.forms import ReasonForm
from tournaments.web.pages.disputes.rulings import DisputeLine, dispute_lines
from tournaments.web.pages.judging.call_lines import call_panel
from tournaments.web.pages.judging.penalty_lines import losses_here, penalty_lines
from tournaments.web.pages.payments.paying import fee_of
from tournaments.web.pages.results.board_reporting import board_boxes
from tournaments.web.pages.results.forms import BoardsForm, ContestForm, PlacesForm, ReportForm
from tournaments.web.pages.results.reporting import report_box
from tournaments.web.pages.rounds.pairing_forms import AskByeForm
from tournaments.web.rate_limits import DECKS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.decks import DECK_FORMATS
from tournaments.web.words.events import BEFORE_PLAY, OVER, state_of
from tournaments.web.words.overlaps import clashes
from tournaments.web.words.procedures import ending_words


@dataclass(frozen=True)
class Own:
    """The reader's own entrant that a page is about.

    `?entrant=` chooses among several, as a guardian may have; the first one is the default. In a team, `?member=`
    chooses in the same way among the account's `members` (by the public id of the person): `member` is whose decklist
    the page shows.
    """

    event: Event
    entrant: Entrant
    all: list[Entrant]
    member: Member | None = None
    members: Sequence[Member] = ()

    @property
    def several(self) -> bool:
        """Whether the account has several entrants at the event."""
        return len(self.all) > 1

    @property
    def query(self) -> str:
        """The query string of this entrant's pages; "" if the account has only one entrant, and one member in it."""
        chosen = {"entrant": self.entrant.public_id} if self.several else {}
        if self.member and len(self.members) > 1:
            chosen["member"] = self.member.person.public_id
        return f"?{urlencode(chosen)}" if chosen else ""

    def page(self, name: str) -> HttpResponse:
        """Redirect to one of this entrant's pages, by URL name."""
        return redirect(reverse(f"web:{name}", args=[self.event.public_id]) + self.query)


def _own(request: HttpRequest, event_id: str) -> Own:
    """The account's entrant at an event; 404 if it does not play there, or the address names another's."""
    event = event_for_viewer(request.user, event_id)
    entrants = own_entrants(request.user, event)
    wanted = request.GET.get("entrant", "")
    for entrant in entrants:
        if wanted in ("", entrant.public_id):
            members = _own_members(request, entrant) if event.is_team_event else []
            return Own(event, entrant, entrants, _chosen(request, members), members)
    raise Http404


def _own_members(request: HttpRequest, team: Entrant) -> list[Member]:
    members = team.member_set.filter(person__account=request.user).order_by("pk")  # type: ignore[misc]  # signed in
    return list(members)


def _chosen(request: HttpRequest, members: Sequence[Member]) -> Member | None:
    """The member that the address names, or the first one; None outside of teams."""
    wanted = request.GET.get("member", "")
    found = next((member for member in members if wanted in ("", member.person.public_id)), None)
    if members and found is None:
        raise Http404
    return found


def _collected(own: Own) -> Own:
    """Return `own`; 404 if the event does not collect decklists."""
    if own.event.lists == Event.Lists.NONE:
        raise Http404
    return own


def to_seat(request: HttpRequest, match: Match) -> HttpResponse:
    """Redirect a player of a match to the seat page of the entrant who plays it."""
    event = match.round.stage.event
    entrants = own_entrants(request.user, event)
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    entrant = next(entrant for seat in seats for entrant in entrants if entrant.pk == seat.entrant_id)
    return Own(event, entrant, entrants).page("me")


@never_cache
@login_required
@require_safe
def me(request: HttpRequest, event_id: str) -> HttpResponse:
    """The seat page: table, opponent, time left, and what to do next."""
    return show(
        request, "web/player/me.html", _me(_own(request, event_id), request.user), fragment="web/player/_me.html"
    )


def _me(own: Own, user: Any) -> dict[str, Any]:
    event, entrant, at = own.event, own.entrant, now()
    entrant.event = event
    matches = matches_of_entrant(event, entrant)
    round_ = newest_shown_round(event)
    match = next((match for match in matches if round_ and match.round_id == round_.pk), None)
    there = _there(entrant, match)
    return {
        "event": event,
        "own": own,
        "entrant": entrant,
        **_lists_shown(own, at),
        "rank": _final_rank(own, user),
        "round": round_,
        **_match_shown(entrant, match, there, user),
        "board_boxes": board_boxes(match, user) if match else [],
        "own_board": own_boards(round_, user).get(entrant.pk) if round_ and event.has_boards else None,
        "clock": getattr(round_, "clock", None),
        "penalties": penalty_lines(event, penalties_of_entrant(entrant), staff=False) if "penalties" in there else [],
        **_draft(own, at),
        "byes": awarded_byes_of(event).filter(entrant=entrant) if "byes" in there else [],
        "bye_form": _bye_form(own),
        "ending": _ending(event),
        "history": _history(matches, entrant),
        "matches": matches,
        "followed_seat": entrant,
        "rulings": _rulings(event, matches) if "disputes" in there else [],
        "before_play": event.status in BEFORE_PLAY,
        "clashes": _clashes(own),
        "fee": fee_of(entrant, event, at),
        "over": event.status in OVER,
        "now": at,
    }


def _lists_shown(own: Own, at: datetime) -> dict[str, Any]:
    """What the seat page shows of the entrant's decklist and pool, and what is still to do before play."""
    event, entrant = own.event, own.entrant
    asks_list = event.lists == Event.Lists.REQUIRED
    return {
        "decklist": current_list(entrant, current_stage(event), own.member),
        "can_submit_list": can_submit_list(entrant, at, member=own.member),
        "collects_lists": event.lists != Event.Lists.NONE,
        "asks_list": asks_list,
        "to_do": _to_do(own, asks_list=asks_list),
        "open_late": is_open_late(entrant, own.member),
        "can_register_pool": can_register_pool(entrant, at),
        **_limited(own),
    }


def _match_shown(entrant: Entrant, match: Match | None, there: Collection[str], user: Any) -> dict[str, Any]:
    """What the seat page shows of the entrant's match; `there` names which of `FEW_HAVE` have to be read."""
    seats = list(match.seats.all()) if match else []
    seat = next((seat for seat in seats if seat.entrant_id == entrant.pk), None)
    proven = match.games.all() if match and "proofs" in there else ()
    return {
        "match": match,
        "opponents": [other for other in seats if other is not seat],
        "seat": seat,
        "seats": seats,
        "lists": lists_exchanged(match, user) if match else {},
        "chooser": chooser_of(match) if match else None,
        "box": report_box(match, seat, proven) if match and seat and len(seats) > 1 else None,
        **call_panel(match, waits="calls" in there),
        "losses": losses_here(match) if "losses" in there else [],
        "to_sign": to_sign(match, seat) if match and seat and "positions" in there else [],
        "feature": feature_of(match) if match and "features" in there else None,
    }


def _rulings(event: Event, matches: Iterable[Match]) -> list[DisputeLine]:
    return [line for line in dispute_lines(event, matches, names=False) if line.last]


FEW_HAVE = ("calls", "losses", "positions", "features", "penalties", "byes", "disputes", "proofs")


def _with_what_few_have(entrant: int, match: int) -> QuerySet[Entrant]:
    """An entrant with a flag for each of `FEW_HAVE`: whether its match, or the entrant itself, has any."""
    return Entrant.objects.filter(pk=entrant).annotate(
        any_calls=Exists(Call.objects.filter(match=match, status__in=Call.LIVE)),
        any_losses=Exists(Loss.objects.filter(seat__match=match)),
        any_positions=Exists(Position.objects.filter(match=match)),
        any_features=Exists(Feature.objects.filter(match=match)),
        any_penalties=Exists(Penalty.objects.filter(entrant=entrant)),
        any_byes=Exists(AwardedBye.objects.filter(entrant=entrant)),
        any_proofs=Exists(Game.objects.filter(match=match, evidence=Match.Evidence.REPLAYED)),
        any_disputes=Exists(Dispute.objects.filter(match__seats__entrant=entrant)),
    )


_FEW_HAVE = Prepared(_with_what_few_have, int, int)


def _there(entrant: Entrant, match: Match | None) -> frozenset[str]:
    """Which of `FEW_HAVE` this entrant has. One query, so that the page queries only what is there."""
    (found,) = _FEW_HAVE.rows(entrant.pk, match.pk if match else 0)
    return frozenset(name for name in FEW_HAVE if getattr(found, f"any_{name}"))


def _to_do(own: Own, *, asks_list: bool) -> str:
    """What this player has to do before play begins; if nothing, what the state of the event means."""
    event, entrant = own.event, own.entrant
    if entrant.status == Entrant.Status.REGISTERED:
        if asks_list and lists_open(event, now()):
            return _("Submit your decklist before the lists are locked.")
        if event.status == Event.Status.REGISTRATION:
            return _("You are registered. On the day, check in here.")
        if event.status == Event.Status.CHECK_IN and entrant.checked_in_at is None:
            return _("Check in here, or you will not be paired.")
        if event.status == Event.Status.CHECK_IN:
            return _("Your table appears here by itself when round 1 is published.")
    return str(state_of(event, now()).long)


def _final_rank(own: Own, user: Any) -> int | None:
    """The entrant's final rank; None while the event is not over, or if the standings are hidden from this player."""
    event = own.event
    if not event.is_over or not shows_all_standings(readers_of(user, event), event):
        return None
    return next((row["rank"] for row in final_rows(event) if row["entrant"] == own.entrant.public_id), None)


def _clashes(own: Own) -> list[str]:
    """Sentences about events that the entrant plays at the same time; empty once play has begun."""
    if own.event.status not in BEFORE_PLAY or own.entrant.status == Entrant.Status.DROPPED:
        return []
    return clashes(own.event, overlaps_of_entrants(own.event, [own.entrant]))


@login_required
@require_POST
def choose_start(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Choose who starts, as the higher seed of a match."""
    match = match_for_player(request.user, match_id)
    seat = request.POST.get("seat", "")
    play.choose_start(match=match, seat=int(seat) if seat in ("1", "2") else 0, by=request.user, now=now())
    messages.success(request, _("Choice saved."))
    return to_seat(request, match)


def _bye_form(own: Own, sent: Any = None) -> AskByeForm | None:
    """The form to ask for a bye; None if the stage gives no byes on request, or no round is left to pair."""
    stage = current_stage(own.event)
    kinds = AwardedBye.Kind.values[: Stage.ByeOnRequest.values.index(stage.byes_on_request)]
    rounds = rounds_to_pair(stage)
    if own.entrant.status == Entrant.Status.DROPPED or stage.kind != Stage.Kind.SWISS or not kinds or not rounds:
        return None
    return AskByeForm(sent, auto_id="bye_%s", rounds=rounds, kinds=kinds)


def _ending(event: Event) -> list[str]:
    """How a match of the current stage ends when time is called, in sentences."""
    return ending_words(ending(read_procedures(event.procedures).match_end, bracket=current_stage(event).is_bracket))


def _draft(own: Own, at: datetime) -> dict[str, Any]:
    """Template context of the draft in progress, with the entrant's place in it."""
    stage = current_stage(own.event)
    draft = open_draft(stage, at)
    return {"draft": draft, "place": stage.entries.filter(entrant=own.entrant).first() if draft else None}


def _limited(own: Own) -> dict[str, Any]:
    """Template context of the pool: whether decks are built from one, and the entrant's own."""
    stage = current_stage(own.event)
    pooled = is_pooled(stage)
    return {"pooled": pooled, "pool": current_pool(own.entrant, stage) if pooled else None}


def _history(matches: Iterable[Match], entrant: Entrant) -> list[dict[str, Any]]:
    """The entrant's matches, each with its own seat and its opponents' seats."""
    lines = []
    for match in matches:
        seats = list(match.seats.all())
        own = next(seat for seat in seats if seat.entrant_id == entrant.pk)
        lines.append({"match": match, "seat": own, "opponents": [seat for seat in seats if seat is not own]})
    return lines


@login_required
@require_POST
def drop_self(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Drop from the event; the results so far stay."""
    own = _own(request, event_id)
    play.drop(entrant=own.entrant, by=request.user, now=now(), concede_match="concede" in request.POST)
    messages.success(request, _("You have dropped. Your results so far stay."))
    return own.page("me")


@login_required
@require_POST
def ask_bye_self(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Ask for a bye in a round, or, with `back` (the key of such a bye), give it back."""
    own = _own(request, event_id)
    if "back" in request.POST:
        bye = awarded_byes_of(own.event).filter(entrant=own.entrant, pk=_key_in(request.POST["back"])).first()
        if bye is None:
            raise Http404
        play.take_bye_back(bye=bye, by=request.user, now=now(), asked=True)
        messages.success(request, _("You play round %(number)d.") % {"number": bye.number})
        return own.page("me")
    form = _bye_form(own, request.POST)
    if form is None or not form.is_valid():
        raise Refusal("bye_not_offered", _("In this stage, players cannot ask for this kind of bye."))
    play.ask_bye(entrant=own.entrant, by=request.user, now=now(), **form.cleaned_data)
    messages.success(request, _("You sit out round %(number)d.") % {"number": form.cleaned_data["number"]})
    return own.page("me")


def _key_in(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


@login_required
@require_POST
def check_in_self(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Check in, or, with `back`, undo the check-in."""
    own = _own(request, event_id)
    if "back" in request.POST:
        events.undo_check_in(entrant=own.entrant, by=request.user, now=now())
        messages.success(request, _("You are no longer checked in."))
        return own.page("me")
    events.check_in(entrant=own.entrant, by=request.user, now=now())
    messages.success(request, _("You are checked in."))
    return own.page("me")


@never_cache
@login_required
@accepted_once
@rate_limited(DECKS)
def deck(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The player's decklist: submit it, see its violations and versions. Read-only once it is locked."""
    own = _collected(_own(request, event_id))
    if request.method != "POST":
        return show(request, "web/player/deck.html", _deck(own))
    form = DeckForm(request.POST, request.FILES)
    if not form.is_valid():
        return show(request, "web/player/deck.html", _deck(own, form), status=422)
    text = form.cleaned_data["list"]
    save = partial(submit_decklist, entrant=own.entrant, member=own.member, text=text, by=request.user, now=now())
    kept = save_list(request, own.event, text, save)
    if isinstance(kept, NotSaved):
        return show(request, "web/player/deck.html", _deck(own, not_saved=kept), status=kept.status)
    _tell(request, kept)
    return own.page("deck")


def _tell(request: HttpRequest, kept: Decklist) -> None:
    if not kept.checked:
        messages.success(request, _("Version %(n)d is registered, unchecked.") % {"n": kept.version})
    elif kept.legal:
        messages.success(request, _("Version %(n)d is registered and legal.") % {"n": kept.version})
    else:
        messages.warning(
            request, _("Version %(n)d is saved, but it is not legal yet: see what is wrong.") % {"n": kept.version}
        )


def _list_form(own: Own, text: str, not_saved: NotSaved | None, kind: type[DeckForm] = DeckForm) -> DeckForm:
    """A form with the list that was not saved, or else with the current one, as text that can be edited."""
    draft = not_saved.draft if not_saved else draft_list(own.event, text, get_language() or "en")
    return kind(initial={"text": draft.text})


def _deck(own: Own, form: DeckForm | None = None, not_saved: NotSaved | None = None) -> dict[str, Any]:
    event, entrant = own.event, own.entrant
    stage = current_stage(event)
    versions = list(lists_of(entrant, stage, own.member))
    decklist = versions[0] if versions else None
    open_ = can_submit_list(entrant, now(), member=own.member)
    return {
        "event": event,
        "own": own,
        "entrant": entrant,
        "decklist": decklist,
        "versions": versions,
        "violations": _violations(event, decklist),
        "notes": list_notes(stage, decklist.text, get_language() or "en") if decklist else [],
        "lines": _card_lines(event, decklist),
        "form": (form or _list_form(own, decklist.text if decklist else "", not_saved)) if open_ else None,
        "not_saved": not_saved,
        "open": open_,
        "open_late": is_open_late(entrant, own.member),
        "deck_format": DECK_FORMATS.get(stage.deck_format, stage.deck_format),
        "team_limit": stage.team_deck_limit if event.is_team_event else None,
        **_limited(own),
    }


@never_cache
@login_required
@accepted_once
@rate_limited(DECKS)
def pool(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The player's pool of opened or drafted cards: register it, see its versions. Read-only once lists are locked."""
    own = _collected(_own(request, event_id))
    if not is_pooled(current_stage(own.event)):
        raise Http404
    if request.method != "POST":
        return show(request, "web/player/pool.html", _pool(own))
    form = OwnPoolForm(request.POST, request.FILES)
    if not form.is_valid():
        return show(request, "web/player/pool.html", _pool(own, form), status=422)
    text = form.cleaned_data["list"]
    save = partial(register_pool, entrant=own.entrant, text=text, by=request.user, now=now())
    kept = save_list(request, own.event, text, save)
    if isinstance(kept, NotSaved):
        return show(request, "web/player/pool.html", _pool(own, not_saved=kept), status=kept.status)
    said = ngettext(
        "Your pool is registered: %(n)d card. Now build your deck.",
        "Your pool is registered: %(n)d cards. Now build your deck.",
        kept.count,
    )
    messages.success(request, said % {"n": kept.count})
    return own.page("deck")


def _pool(own: Own, form: DeckForm | None = None, not_saved: NotSaved | None = None) -> dict[str, Any]:
    event = own.event
    versions = list(pools_of(own.entrant, current_stage(event)))
    kept = versions[0] if versions else None
    late = is_open_late(own.entrant)
    open_ = can_register_pool(own.entrant, now())
    return {
        "event": event,
        "own": own,
        "entrant": own.entrant,
        "pool": kept,
        "versions": versions,
        "lines": _pool_lines(event, kept),
        "form": (form or _list_form(own, kept.text if kept else "", not_saved, OwnPoolForm)) if open_ else None,
        "not_saved": not_saved,
        "open": open_,
        "open_late": late,
    }


def _pool_lines(event: Event, kept: Pool | None) -> list[dict[str, Any]]:
    names = card_names(event) if kept else {}
    return [
        {"count": count, "ref": ref, "name": names.get(ref, ref)} for ref, count in (kept.cards if kept else {}).items()
    ]


def _violations(event: Event, decklist: Decklist | None) -> list[dict[str, Any]]:
    return describe(event, decklist.violations, get_language() or "en") if decklist else []


def _card_lines(event: Event, decklist: Decklist | None) -> list[dict[str, Any]]:
    """The decklist as the engine read it: commander first, each card with its count, reference and name."""
    if decklist is None:
        return []
    names, cards = card_names(event), decklist.cards
    lines = [{"count": 1, "ref": cards["commander"], "leads": True}] if cards.get("commander") else []
    lines += [{"count": count, "ref": ref} for ref, count in cards.get("main", {}).items()]
    return [{**line, "name": names.get(line["ref"], line["ref"])} for line in lines]


@never_cache
@login_required
@answered_in_place
@accepted_once
def report(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Report the result of the player's match, with the complete form or from a button on another page."""
    match = match_for_player(request.user, match_id)
    form = _report_form(match, request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                data = form.cleaned_data if isinstance(form, ReportForm) else form.result
                return _report(request, match, data)
            except InvalidInput as refusal:
                form.add_error(None, str(refusal.message))
    return show(request, "web/player/report.html", _report_page(request, match, form), status=status)


def _report_form(match: Match, sent: Any) -> ReportForm | PlacesForm | BoardsForm:
    if match.has_boards:
        return BoardsForm(sent, match=match, initial=initial_boards(match))
    if not match.has_ranks:
        return ReportForm(sent)
    names = [seat.entrant.name for seat in sorted(match.seats.all(), key=lambda seat: seat.number)]
    return PlacesForm(sent, names=names)


def _report(request: SignedInRequest, match: Match, data: dict[str, Any]) -> HttpResponse:
    # The page says how the result stands and follows it: a message would go on saying what no longer holds.
    play.report_result(match=match, by=request.user, games=data["score"], kind=data["kind"], now=now())
    return to_seat(request, match)


def _report_page(request: HttpRequest, match: Match, form: ReportForm | PlacesForm | BoardsForm) -> dict[str, Any]:
    seat = seat_of(request.user, match)
    return {
        "event": match.round.stage.event,
        "match": match,
        "round": match.round,
        "seats": list(match.seats.all()),
        "box": report_box(match, seat) if seat else None,
        "form": form,
        "now": now(),
    }


def _shown_report(match: Match, request: HttpRequest) -> Report:
    """The report that the page showed, by its key in the form; the service looks whether there is one."""
    number = request.POST.get("report", "")
    return Report(pk=int(number) if number.isdecimal() and len(number) < 18 else 0, match=match)


@login_required
@require_POST
@answered_in_place
@accepted_once
def confirm(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Confirm the opponent's report that the page showed, or accept it in place of one's own."""
    match = match_for_player(request.user, match_id)
    play.confirm_result(match=match, report=_shown_report(match, request), by=request.user, now=now())
    return to_seat(request, match)


@login_required
@require_POST
@accepted_once
def contest(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Contest the report that the page showed, which calls a judge."""
    match = match_for_player(request.user, match_id)
    form = ContestForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else request.POST.get("reason", "")[:2000]
    play.contest_result(match=match, report=_shown_report(match, request), by=request.user, now=now(), reason=reason)
    return to_seat(request, match)


@login_required
@require_POST
@accepted_once
def claim(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Claim that the result of the player's match is wrong, which opens a dispute."""
    match = match_for_player(request.user, match_id)
    disputes.claim_wrong(match=match, by=request.user, reason=_reason(request), now=now())
    return redirect("web:match", match.public_id)


@login_required
@require_POST
@accepted_once
def appeal(request: SignedInRequest, match_id: str) -> HttpResponse:
    """Appeal the ruling on the player's match to the head judge."""
    match = match_for_player(request.user, match_id)
    disputes.appeal(match=match, by=request.user, reason=_reason(request), now=now())
    return redirect("web:match", match.public_id)


def _reason(request: HttpRequest) -> str:
    form = ReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else request.POST.get("reason", "")[: disputes.LONGEST]
