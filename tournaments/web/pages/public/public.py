"""The public pages: the list of events, an event, its entrants, pairings and stages, and a match."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.audits.axes import axes_of
from tournaments.audits.disputes import may_claim
from tournaments.audits.models import Audit
from tournaments.audits.recording import to_take_back
from tournaments.audits.selectors import games_handed_in, logs_shown, replays_shown
from tournaments.audits.watching import feature_of, features_shown
from tournaments.clubs.selectors import club_of, public_convention_of
from tournaments.common.clock import now
from tournaments.common.names import SortKey, found_in
from tournaments.common.reading import read_kept
from tournaments.decks.access import lists_are_open
from tournaments.decks.selectors import current_lists
from tournaments.events.access import (
    ACTIONS,
    event_for_viewer,
    event_named,
    may,
    own_applications,
    own_entrants,
    own_parts,
    readers_of,
    roles_of,
    stage_for_viewer,
)
from tournaments.events.joining import event_for_join
from tournaments.events.listing import welcome
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.procedures import ending, read_procedures
from tournaments.events.questions import questions_of
from tournaments.events.selectors import (
    current_stage,
    entrants_of,
    names_and_keys_of,
    persons_to_enter,
    registration_at,
    search,
    sort_keys_of,
    stages_begun,
    visible_events,
)
from tournaments.events.visibility import PUBLIC
from tournaments.play.access import (
    lists_exchanged,
    match_for_viewer,
    require_pairings,
    round_for_viewer,
    seat_of,
    shown_rounds,
)
from tournaments.play.boards import Sitting, own_boards, sittings_of
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import Pairing, chooser_of, is_hidden, matches_of, pairings_of, visible_rounds
from tournaments.play.services.draft_clock import open_draft
from tournaments.profiles.links import links_in
from tournaments.profiles.selectors import FollowedEvent, followed_now, follows_event
from tournaments.standings.access import shows_all_standings
from tournaments.standings.winners import winners_of
from tournaments.web.answers import show, wants_fragment
from tournaments.web.blanks import blank, leaves_blanks, marked, own_ids, own_in
from tournaments.web.joining import remember
from tournaments.web.live.address import Shown, audience_of
from tournaments.web.pages.disputes.rulings import dispute_lines
from tournaments.web.pages.payments.paying import price_line
from tournaments.web.pages.public.forms import SearchForm
from tournaments.web.pages.results.reporting import report_box
from tournaments.web.pages.rounds.structures import cross_table, parts_of, pods_shown
from tournaments.web.pages.standings.final import picture_words
from tournaments.web.paging import page_of
from tournaments.web.secret_address import secret_address
from tournaments.web.shared import Kept, answer_with, body_for_all, nothing_else, rendered_once
from tournaments.web.words.decks import DECK_FORMATS, RULESETS
from tournaments.web.words.events import BEFORE_PLAY, LISTS, OVER
from tournaments.web.words.procedures import ending_words

EVENTS_A_PAGE = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The events that this visitor may see, current ones first; `?find=` and other parameters narrow the list."""
    return _events(request, over=None)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """The events that are over, newest first."""
    return _events(request, over=True)


def _events(request: HttpRequest, *, over: bool | None) -> HttpResponse:
    form = SearchForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    found = search(visible_events(request.user), {**wanted, "over": over})
    page = page_of(request, found, EVENTS_A_PAGE)
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page_of": page,
        "groups": _by_phase(page),
        "doors": _doors(request.user, page),
        "followed": [] if over or any(wanted.values()) else _followed_parts(request.user),
        "form": form,
        "searching": any(wanted.values()) or not form.is_valid(),
        "archive": over,
        "query": query.urlencode(),
    }
    return render(request, "web/public/home.html", context)


def _doors(user: Any, events: Iterable[Event]) -> dict[int, list[tuple[str, str]]]:
    """For each event key, links to the account's own pages there, as pairs of words and address."""
    played, roles = own_parts(user, events)
    doors = {}
    for event in events:
        held = roles.get(event.pk, set())
        ways = (
            (_("My seat"), "me", event.pk in played),
            (_("Desk"), "staff", held & ACTIONS["view_staff_pages"]),
            (_("Judges"), "judge", held & ACTIONS["judge"]),
            (_("Recording"), "record_tables", held & ACTIONS["record"] and not held & ACTIONS["judge"]),
        )
        doors[event.pk] = [(words, reverse(f"web:{name}", args=[event.public_id])) for words, name, its in ways if its]
    return doors


def _followed_parts(user: Any) -> list[tuple[str, list[FollowedEvent]]]:
    """What happens to what the account follows, with a title for each part; empty if nothing does."""
    found = followed_now(user, now())
    parts = [(_("Live"), found.live), (_("Next"), found.coming), (_("Last results"), found.over)]
    return [(title, lines) for title, lines in parts if lines]


def _by_phase(events: Iterable[Event]) -> dict[str, list[Event]]:
    groups: dict[str, list[Event]] = {"drafts": [], "now": [], "open": [], "later": [], "closed": [], "over": []}
    at = now()
    for event in events:
        if event.status == Event.Status.DRAFT:
            groups["drafts"].append(event)
        elif event.status in (Event.Status.REGISTRATION, Event.Status.LOCKED):
            groups[registration_at(event, at)].append(event)
        else:
            groups["over" if event.status in OVER else "now"].append(event)
    return groups


@secret_address
@require_safe
def join(request: HttpRequest, event_id: str, signature: str) -> HttpResponse:
    """Follow the join link of an event, which leads to its page.

    The visitor can then sign up under the event's own rate limits, because a whole hall shares one network address.
    A private event is shown to an account that followed the link, so a visitor has to sign in first.
    """
    joined = event_for_join(event_id, signature)
    if joined.listing == Event.Listing.PRIVATE and not request.user.is_authenticated:
        response = redirect_to_login(request.get_full_path())
    else:
        response = redirect("web:event", joined.public_id)
    if request.user.is_authenticated:
        welcome(event=joined, user=request.user, now=now())
    remember(request, response, joined)
    return response


@require_safe
@rendered_once("event entrant decks round clock feature standings stage payment")
def event(request: HttpRequest, event_id: str) -> HttpResponse:
    """The page of an event: what it is, its state, and what to do next."""
    shown = event_for_viewer(request.user, event_id)
    stage = current_stage(shown)
    procedures = read_procedures(shown.procedures)
    readers = readers_of(request.user, shown)
    open_ = shown.is_over and shows_all_standings(readers, shown)
    mine, applications = own_entrants(request.user, shown), own_applications(request.user, shown)
    winners = winners_of(shown, readers, get_language() or "en") if open_ else []
    context = {
        "event": shown,
        "stage": stage,
        "preset": PRESETS.get(shown.preset),
        "ending": ending_words(ending(procedures.match_end, bracket=stage.is_bracket)),
        "price": price_line(shown, now()),
        "deck_format": DECK_FORMATS.get(stage.deck_format, stage.deck_format),
        "rules": RULESETS.get(shown.ruleset, shown.ruleset),
        "playing": shown.entrants.filter(status=Entrant.Status.REGISTERED).count(),
        "mine": mine,
        "followed": follows_event(request.user, shown),
        "applications": applications,
        "questions": bool(mine or applications) and bool(questions_of(shown)),
        "to_enter": persons_to_enter(request.user, shown, now()),
        "registration": registration_at(shown, now()),
        "before_play": shown.status in BEFORE_PLAY or shown.status == Event.Status.DRAFT,
        "lists": LISTS[shown.lists],
        "round": next(reversed(shown_rounds(shown, readers)), None),
        "rounds_planned": _rounds_planned(shown),
        "winners": winners,
        "picture_alt": picture_words(shown) if winners else "",
        "features": features_shown(request.user, shown),
        "club": club_of(shown),
        "convention": public_convention_of(shown),
        "now": now(),
    }
    return show(request, "web/public/event.html", context, fragment="web/public/_event.html")


def _rounds_planned(event: Event) -> str:
    """The planned rounds of the stages, such as “3 + 2”; empty while the rounds of one are not known."""
    planned = [stage.rounds_planned for stage in event.stages.order_by("number")]
    return " + ".join(map(str, planned)) if all(planned) else ""


ENTRANTS_TOPICS = "entrant event decks deck"


@require_safe
@rendered_once(ENTRANTS_TOPICS, own=nothing_else, linked=True)
def entrants(request: HttpRequest, event_id: str) -> HttpResponse:
    """The entrants of an event: playing, on the waiting list, or dropped."""
    shown = event_for_viewer(request.user, event_id)

    def body() -> str:
        return render_to_string("web/public/_entrants.html", _entered(request, shown), request)

    # Readers who see links to the decklists are an audience of their own.
    open_lists = "lists" if lists_are_open(shown, readers_of(request.user, shown)) else ""
    table = body_for_all(request, event_id, ENTRANTS_TOPICS, body, open_lists, linked=True)
    if wants_fragment(request):
        return answer_with(request, table)
    mine = own_in(request, shown)
    context = {
        "event": shown,
        "table": marked(table.text, mine),
        "any": shown.entrants.exists(),
        "own_ids": own_ids(request, mine),
        "find": request.GET.get("find", ""),
    }
    return show(request, "web/public/entrants.html", context)


def _entered(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Template context of one page of the entrants, by family name.

    It must not hold anything personal: it is cached for all readers who may, or may not, read decklists.
    """
    wanted = request.GET.get("find", "")
    names, places = names_and_keys_of(event.entrants.all())
    found = [key for key in sorted(names, key=places.__getitem__) if found_in(wanted, names[key])]
    page = page_of(request, found)
    entrants = entrants_of(event).in_bulk(list(page))
    return {
        "event": event,
        "page_of": page,
        "entrants": [entrants[key] for key in page],
        "total": len(names),
        "find": wanted,
        "lists": _open_lists(event, request),
        "links": links_in(event.public_id).by_entrant,
    }


def _open_lists(event: Event, request: HttpRequest) -> dict[int, int]:
    """The keys of the current decklists by entrant key; empty unless this reader may see all of them.

    Without those of teams, which have several: the page of all decklists lists them.
    """
    if not lists_are_open(event, readers_of(request.user, event)):
        return {}
    return dict(current_lists(current_stage(event)).filter(member=None).values_list("entrant", "pk"))


@dataclass(frozen=True)
class NameLine:
    """One line of the pairings by name: a player, or a member of a team that plays by boards."""

    name: str
    entrant: int
    opponents: str
    match: Pairing | Sitting
    key: SortKey = ()
    team: str = ""
    board: int | None = None


PAIRINGS_TOPICS = "round result table game dispute match clock entrant stage event"


def _followed(request: HttpRequest, number: int, readers: Collection[str] = (PUBLIC,)) -> Shown | None:
    """The live parts of a page of pairings: the lines of its tables. None if it is ordered by name."""
    if request.GET.get("by") == "name":
        return None
    return Shown(audience_of(readers), get_language() or "", number)


def _own_lines(request: HttpRequest, event_id: str, number: int) -> dict[str, str]:
    """The blank with the reader's own table, for the cached page of a round."""
    rounds = visible_rounds(event_named(event_id), staff=False)
    found = next((round_ for round_ in rounds if round_.number == number), None)
    if found is None:  # made a draft again a moment ago
        raise Http404
    return {"tables": _own_tables(request, found)}


@require_safe
@rendered_once(PAIRINGS_TOPICS, _followed, _own_lines, linked=True)
def pairings(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The pairings of a round, ordered by table or by name (`?by=name`)."""
    round_ = round_for_viewer(request.user, event_id, number)
    shown = round_.stage.event
    readers = readers_of(request.user, shown)
    mine = own_in(request, shown)
    draft = round_.status == Round.Status.DRAFT

    def body() -> str:
        return render_to_string("web/public/_pairings.html", _tables(request, round_), request)

    def all_tables() -> Kept:
        follows = _followed(request, number, readers)
        return body_for_all(request, event_id, PAIRINGS_TOPICS, body, follows=follows, linked=True)

    # A draft must not be cached for all staff, because staff who play see none of its tables.
    tables = Kept.of(body()) if draft else all_tables()
    if wants_fragment(request):
        return answer_with(request, tables)
    by_name = request.GET.get("by") == "name"
    context = {
        "event": shown,
        "round": round_,
        "rounds": shown_rounds(shown, readers, staff=may(request.user, shown, "view_staff_pages")),
        "by_name": by_name,
        "find": request.GET.get("find", ""),
        "own_ids": own_ids(request, mine),
        "own_tables": "" if draft else blank("tables") if leaves_blanks(request) else _own_tables(request, round_),
        "tables": marked(tables.text, mine),
        "followed_round": None if draft or by_name else round_.number,
    }
    return show(request, "web/public/pairings.html", context)


@dataclass(frozen=True)
class OwnTable:
    """Where one of the reader's entrants sits in a round: the table (None for a bye), the opponents, and the board."""

    table: int | None
    opponents: str
    board: int | None = None


def _own_tables(request: HttpRequest, round_: Round) -> SafeString:
    """One line for each of the reader's own entrants, with their table in a round, as HTML."""
    event_ = round_.stage.event
    mine = own_entrants(request.user, event_)
    if not mine:
        return mark_safe("")
    tables = read_kept(event_.public_id, ("tables", round_.pk), lambda: _all_tables(round_))
    boards = own_boards(round_, request.user) if event_.has_boards else {}
    own = [replace(tables[entrant.pk], board=boards.get(entrant.pk)) for entrant in mine if entrant.pk in tables]
    return render_to_string("web/public/_own_tables.html", {"event": event_, "own_tables": own})


def _pairings(round_: Round) -> list[Pairing]:
    """The pairings of a round, cached between pages (see `common.reading`)."""
    return read_kept(round_.stage.event.public_id, ("pairings", round_.pk), lambda: pairings_of(round_))


def _sittings(round_: Round) -> list[Sitting]:
    """Where the members of teams sit in a round, cached between pages; empty unless teams play by boards."""
    if not round_.stage.event.has_boards:
        return []
    return read_kept(round_.stage.event.public_id, ("sittings", round_.pk), lambda: sittings_of(round_))


def _all_tables(round_: Round) -> dict[int, OwnTable]:
    """Where every entrant sits in a round, by entrant key."""
    return {
        entrant: OwnTable(pairing.table, ", ".join(name for other, name in pairing.seats if other != entrant))
        for pairing in _pairings(round_)
        for entrant, _name in pairing.seats
    }


def _tables(request: HttpRequest, round_: Round) -> dict[str, Any]:
    """Template context of one page of a round's tables. It must not hold anything personal, because it is cached."""
    event_ = round_.stage.event
    wanted = request.GET.get("find", "")
    by_name = request.GET.get("by") == "name"
    hidden = is_hidden(round_, request.user)
    tables = [] if hidden else _pairings(round_)
    sittings = [] if hidden else _sittings(round_)
    every = lines_by_name(round_, tables, sittings) if by_name else []
    lines = [line for line in every if found_in(wanted, line.name) or (line.team and found_in(wanted, line.team))]
    seated = {each.match for each in sittings if wanted and found_in(wanted, each.name)}
    shown = [table.match for table in tables if table.match in seated or _seats(table, wanted)]
    page = page_of(request, lines if by_name else shown)
    return {
        "event": event_,
        "round": round_,
        "page_of": page,
        "matches": [] if by_name else matches_of(round_).filter(pk__in=list(page)),
        "lines": list(page) if by_name else [],
        "ids": dict(event_.entrants.values_list("pk", "public_id")) if by_name else {},
        "by_name": by_name,
        "links": links_in(event_.public_id).by_entrant,
        "find": wanted,
        "clock": getattr(round_, "clock", None),
        "now": now(),
    }


def _seats(table: Pairing, wanted: str) -> bool:
    return any(found_in(wanted, name) for _entrant, name in table.seats)


def lines_by_name(round_: Round, tables: Iterable[Pairing], sittings: Iterable[Sitting]) -> list[NameLine]:
    """One line for each player of a round, by family name; for each member where teams play by boards."""
    if round_.stage.event.has_boards:
        return [
            NameLine(each.name, each.entrant, each.opponent, each, each.key, each.team, each.board) for each in sittings
        ]
    places, lines = sort_keys_of(round_.stage.event.entrants.all()), []
    for table in tables:
        for entrant, name in table.seats:
            others = ", ".join(other for key, other in table.seats if key != entrant)
            lines.append(NameLine(name, entrant, others, table, places.get(entrant, ())))
    return sorted(lines, key=lambda line: (line.key, line.entrant))


@require_safe
@rendered_once("stage round result table game entrant clock")
def stage(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The page of a stage: its bracket, cross table or draft pods. Other stages redirect to their standings."""
    shown = require_pairings(request.user, stage_for_viewer(request.user, event_id, number))
    drawn = shown.is_bracket or shown.kind in (Stage.Kind.ROUND_ROBIN, Stage.Kind.PODS)
    if not drawn or shown.started_at is None:
        return redirect(reverse("web:standings", args=[event_id]) + f"?stage={number}")
    mine = own_entrants(request.user, shown.event)
    at = now()
    context = {
        "event": shown.event,
        "stage": shown,
        "mine": mine,
        "parts": parts_of(shown, mine) if shown.is_bracket else [],
        "cross": cross_table(shown) if shown.kind == Stage.Kind.ROUND_ROBIN else [],
        "pods": pods_shown(shown, mine) if shown.kind == Stage.Kind.PODS else [],
        "draft": open_draft(shown, at),
        "now": at,
        "structure_of": number,
        "stages": stages_begun(shown.event),
    }
    return show(request, "web/public/stage.html", context, fragment="web/public/_stage.html")


@require_safe
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """The page of a match: its players and result, with the result's authority and evidence."""
    shown = match_for_viewer(request.user, match_id)
    return show(request, "web/public/match.html", match_context(request, shown), fragment="web/public/_match.html")


def _winners(match: Match, seats: Iterable[Seat]) -> dict[int, str]:
    """The names of the winners of games that were replayed to their end, by the key of the game."""
    names = {seat.pk: seat.entrant.name for seat in seats}
    proven = [game for game in match.games.all() if game.evidence == Match.Evidence.REPLAYED]
    return {game.pk: names[game.winner_id] for game in proven if game.winner_id in names}


def match_context(request: HttpRequest, shown: Match) -> dict[str, Any]:
    """The template context of the match page for this reader."""
    event_ = shown.round.stage.event
    seat = seat_of(request.user, shown)
    seats = list(shown.seats.all())
    # Staff have no staff rights over a match that they play themselves.
    roles = roles_of(request.user, event_) if seat is None else frozenset()
    axes = axes_of([shown])
    return {
        "event": event_,
        "match": shown,
        "round": shown.round,
        "seats": seats,
        "axes": axes,
        "contested": axes[shown.pk].contested,
        "lists": lists_exchanged(shown, request.user) if seat else {},
        "chooser": chooser_of(shown),
        "games": [game for game in shown.games.all() if game.evidence or game.ended],
        "audited": Audit.objects.filter(log__game__match=shown).exists(),
        "seat": seat,
        "winners": _winners(shown, seats),
        "handed_in": games_handed_in(shown) if seat or roles & ACTIONS["judge"] else frozenset(),
        "box": report_box(shown, seat, shown.games.all()) if seat else None,
        "disputes": dispute_lines(event_, [shown], names=False) if seat else [],
        "logs": logs_shown(request.user, shown),
        "replays": replays_shown(request.user, shown) if seat else [],
        "to_take_back": to_take_back(request.user, shown) if seat or roles & ACTIONS["record"] else [],
        "may_claim": seat is not None and may_claim(shown),
        "judges": bool(roles & ACTIONS["judge"]),
        "features": bool(roles & ACTIONS["feature"]),
        "feature": feature_of(shown),
        "open": shown.round.status == Round.Status.PUBLISHED,
        "now": now(),
    }
