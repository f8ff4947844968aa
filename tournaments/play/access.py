"""Through which hands a match comes. Staff who play have no staff right over their own match.

What is published is shown as the visibility of the event says.
"""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.decks.access import decklist_for_reader
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_list, current_lists
from tournaments.events.access import (
    event_for_staff,
    event_for_viewer,
    hidden_now,
    may,
    may_read_hidden,
    own_entrants,
    plays,
    readers_of,
    require,
    require_shown,
)
from tournaments.events.models import Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.visibility import DECKLISTS, OPPONENT, PAIRINGS, Moment, part_of, read_visibility, shows
from tournaments.play.models import Game, Match, Round, Seat
from tournaments.play.selectors import visible_rounds


def _matches() -> QuerySet[Match]:
    return Match.objects.select_related("round__stage__event").prefetch_related("seats__entrant__member_set__person")


def _published(user: Any, match: Match | None) -> Match:
    """A match that exists for this account: drafts are there for staff alone, who do not play."""
    if match is None:
        raise Http404
    event = match.round.stage.event
    require_shown(user, event)
    if match.round.status == Round.Status.DRAFT and not may_read_hidden(user, event, "view_staff_pages"):
        raise Http404
    return match


def _moment(round_: Round) -> Moment:
    stage = round_.stage
    return Moment(part_of(stage.number), round_.status == Round.Status.CLOSED, stage.event.is_over)


def shows_pairings(readers: Collection[str], round_: Round) -> bool:
    return shows(read_visibility(round_.stage.event.visibility), PAIRINGS, readers, _moment(round_))


def shown_rounds(event: Event, readers: Collection[str], *, staff: bool = False) -> list[Round]:
    """The rounds whose pairings such a reader sees now, in order; drafts for staff alone."""
    rounds = visible_rounds(event, staff=staff)
    return [round_ for round_ in rounds if round_.status == Round.Status.DRAFT or shows_pairings(readers, round_)]


def require_pairings(user: Any, stage: Stage) -> Stage:
    """The stage, when the pairings of all its published rounds are shown to this account: else `hidden_now`."""
    readers = readers_of(user, stage.event)
    rounds = stage.rounds.exclude(status=Round.Status.DRAFT).select_related("stage__event")
    if not all(shows_pairings(readers, round_) for round_ in rounds):
        raise hidden_now()
    return stage


def match_for_viewer(user: Any, public_id: str) -> Match:
    """A match of a published round of a public event, when it is shown to this account or is its own."""
    match, _seat = _viewed(user, public_id)
    return match


def _viewed(user: Any, public_id: str) -> tuple[Match, Seat | None]:
    """As `match_for_viewer`, with the account's own seat at it."""
    match = _published(user, _matches().filter(public_id=public_id).first())
    seat = seat_of(user, match)
    if match.round.status != Round.Status.DRAFT and seat is None:
        _require_shown(user, match.round)
    return match, seat


def _require_shown(user: Any, round_: Round) -> None:
    if not shows_pairings(readers_of(user, round_.stage.event), round_):
        raise hidden_now()


def decklist_for_viewer(user: Any, pk: int) -> Decklist:
    """One version of a list: as `decklist_for_reader`, and the one that counts for an opponent to whom it is shown."""
    decklist = Decklist.objects.filter(pk=pk).select_related("entrant__event", "stage").first()
    if decklist is not None and _shown_to_opponent(user, decklist):
        return decklist
    return decklist_for_reader(user, pk)


def _shown_to_opponent(user: Any, decklist: Decklist) -> bool:
    """Whether the list counts, and its entrant met one of the account's own in a round that shows it."""
    event = decklist.entrant.event
    mine = own_entrants(user, event)
    if not mine or current_list(decklist.entrant, current_stage(event)) != decklist:
        return False
    met = Match.objects.filter(table__isnull=False, seats__entrant=decklist.entrant).filter(seats__entrant__in=mine)
    rounds = Round.objects.filter(matches__in=met).select_related("stage__event")
    return any(_exchanges(round_) for round_ in rounds)


def _exchanges(round_: Round) -> bool:
    """Whether opponents of a round read each other's list now."""
    table = read_visibility(round_.stage.event.visibility)
    return round_.status != Round.Status.DRAFT and shows(table, DECKLISTS, {OPPONENT}, _moment(round_))


def lists_exchanged(match: Match) -> dict[int, Decklist]:
    """The lists that count of those who sit at a match, by entrant, when opponents read each other's now."""
    if match.table is None or not _exchanges(match.round):
        return {}
    lists = current_lists(match.round.stage).filter(entrant__in=match.seats.values("entrant"))
    return {decklist.entrant_id: decklist for decklist in lists.defer("text")}


def seat_of(user: Any, match: Match) -> Seat | None:
    """The account's own seat at a match."""
    if not user.is_authenticated:
        return None
    return match.seats.filter(entrant__member__person__account=user).first()


def match_for_player(user: Any, public_id: str) -> Match:
    """A match at which the account sits."""
    match, seat = _viewed(user, public_id)
    if seat is None:
        raise Http404
    return match


def match_for_staff(user: Any, public_id: str, gesture: str) -> Match:
    """A match on which the account may make a staff gesture: its role covers it and it is not its own match."""
    match = _matches().filter(public_id=public_id).first()
    if match is None:
        raise Http404
    _require_staff(user, match, gesture)
    if seat_of(user, match) is not None:
        raise NotAllowed("own_match", _("Staff who play have no staff right over their own match."))
    return match


def _require_staff(user: Any, match: Match, gesture: str) -> None:
    """404 or 403 for whose role does not cover the gesture; a draft is not there for staff who play."""
    require(user, match.round.stage.event, gesture)
    if match.round.status == Round.Status.DRAFT and plays(user, match.round.stage.event):
        raise Http404


def match_for_judge(user: Any, public_id: str) -> Match:
    """A match the account may rule on."""
    return match_for_staff(user, public_id, "judge")


def round_for_staff(user: Any, event_id: str, number: int, gesture: str) -> Round:
    """A round of an event on which the account may make this gesture."""
    event = event_for_staff(user, event_id, gesture)
    return _round(event, number)


def round_for_viewer(user: Any, event_id: str, number: int) -> Round:
    """A published round that is shown to this account; a draft exists for staff alone."""
    event = event_for_viewer(user, event_id)
    found = next((round_ for round_ in visible_rounds(event, staff=True) if round_.number == number), None)
    if found is None:
        raise Http404
    if found.status == Round.Status.DRAFT and not may(user, event, "view_staff_pages"):
        raise Http404
    if found.status != Round.Status.DRAFT:
        _require_shown(user, found)
    return found


def _round(event: Event, number: int) -> Round:
    found = Round.objects.filter(stage__event=event, number=number).select_related("stage__event").first()
    if found is None:
        raise Http404
    return found


def game_for_log(user: Any, match_id: str, number: int) -> Game:
    """A game for which the account may submit a log: as a player of its match, or as a judge who does not play it."""
    match, seat = _viewed(user, match_id)
    if seat is None:
        _require_staff(user, match, "judge")
    game = match.games.filter(number=number).first()
    if game is None:
        raise Http404
    game.match = match
    return game
