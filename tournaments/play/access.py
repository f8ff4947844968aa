"""Access functions for rounds, matches, games and decklists: the only way views and the API reach them.

A match that must not exist for a user is a 404; a role that is too low is a 403 (`NotAllowed`). Staff who play have no
staff rights over their own match. Published pairings and lists are shown as the event's visibility settings say.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.prepared import Prepared
from tournaments.common.refusals import NotAllowed
from tournaments.decks.access import decklist_for_reader, decklist_of_key, is_current
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
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
from tournaments.events.models import Event, Member, Stage
from tournaments.events.visibility import DECKLISTS, OPPONENT, PAIRINGS, PUBLIC, Moment, part_of, read_visibility, shows
from tournaments.play.boards import boards_of, sittings_of
from tournaments.play.loading import match_named, own_seat
from tournaments.play.models import Board, Game, Match, Round, Seat
from tournaments.play.selectors import pairings_of, visible_rounds

# Every page of a match asks this, so its SQL is built once.
_OWN_SEAT = Prepared(
    lambda match, user: Seat.objects.filter(match=match, entrant__member__person__account=user).order_by("number")[:1],
    int,
    int,
)


def _published(user: Any, match: Match | None) -> Match:
    """The match, if it exists for this account; else 404.

    A match of a draft exists only for staff who do not play.
    """
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
    """The rounds whose pairings such a reader may see now, in order; drafts only with `staff`."""
    rounds = visible_rounds(event, staff=staff)
    return [round_ for round_ in rounds if round_.status == Round.Status.DRAFT or shows_pairings(readers, round_)]


def require_pairings(user: Any, stage: Stage) -> Stage:
    """The stage, if the account may see the pairings of all its published rounds; else `hidden_now`."""
    readers = readers_of(user, stage.event)
    rounds = stage.rounds.exclude(status=Round.Status.DRAFT).select_related("stage__event")
    if not all(shows_pairings(readers, round_) for round_ in rounds):
        raise hidden_now()
    return stage


@dataclass(frozen=True)
class Place:
    """Where somebody sits in the round that an event is playing.

    `table` is None for a bye, and `board` for everybody but a member of a team that plays by boards.
    """

    event: Event
    round: Round
    table: int | None
    name: str
    board: int | None = None


def places_now(events: Iterable[Event]) -> list[Place]:
    """Where everybody sits in the newest published round of each event, as far as everybody may see it, by table.

    Where teams play by boards, their members are found too, after the teams.
    """
    found = []
    for event in events:
        rounds = shown_rounds(event, frozenset({PUBLIC}))
        if rounds and rounds[-1].status == Round.Status.PUBLISHED:
            pairings = pairings_of(rounds[-1])
            found += [Place(event, rounds[-1], each.table, name) for each in pairings for _key, name in each.seats]
            members = sittings_of(rounds[-1]) if event.has_boards else []
            found += [Place(event, rounds[-1], each.table, each.name, each.board) for each in members]
    return found


def match_for_viewer(user: Any, public_id: str) -> Match:
    """A match that the account may see: one that is shown to it now, or its own.

    Raises a 404 if the event is not public or the match does not exist for this account, `hidden_now` (403) if the
    pairings of the round are not shown to it now.
    """
    match, _seat = _viewed(user, public_id)
    return match


def _viewed(user: Any, public_id: str, matches: QuerySet[Match] | None = None) -> tuple[Match, Seat | None]:
    """Like `match_for_viewer`, with the account's own seat at the match."""
    if matches is None:  # read with its seats
        match = _published(user, match_named(public_id))
        seat = own_seat(match, user) if user.is_authenticated else None
    else:
        match = _published(user, matches.filter(public_id=public_id).first())
        seat = seat_of(user, match)
    if match.round.status != Round.Status.DRAFT and seat is None:
        _require_shown(user, match.round)
    return match, seat


def _require_shown(user: Any, round_: Round) -> None:
    if not shows_pairings(readers_of(user, round_.stage.event), round_):
        raise hidden_now()


def decklist_for_viewer(user: Any, pk: int) -> Decklist:
    """One version of a decklist that the account may read.

    Opponents may read the version that counts, where the event shows it to them; otherwise as `decklist_for_reader`.
    """
    decklist = decklist_of_key(pk)
    if decklist is not None and _shown_to_opponent(user, decklist):
        return decklist
    return decklist_for_reader(user, pk)


def _shown_to_opponent(user: Any, decklist: Decklist) -> bool:
    """Whether this is the list that counts, and an own entrant met its owner in a round that shows it."""
    event = decklist.entrant.event
    mine = own_entrants(user, event)
    if not mine or not is_current(decklist):
        return False
    # Two chained filters, as each must match a seat of its own.
    met = Match.objects.filter(table__isnull=False, seats__entrant=decklist.entrant).filter(seats__entrant__in=mine)
    if event.has_boards:  # the opponent is whom the account met at its board, not their whole team
        own = Member.objects.filter(entrant__in=mine, person__account=user)
        across = Q(first=decklist.member_id, second__in=own) | Q(second=decklist.member_id, first__in=own)
        met = met.filter(pk__in=Board.objects.filter(across).values("match"))
    rounds = Round.objects.filter(matches__in=met).select_related("stage__event")
    return any(_exchanges(round_) for round_ in rounds)


def _exchanges(round_: Round) -> bool:
    """Whether the opponents of a round may read each other's lists now."""
    table = read_visibility(round_.stage.event.visibility)
    return round_.status != Round.Status.DRAFT and shows(table, DECKLISTS, {OPPONENT}, _moment(round_))


def lists_exchanged(match: Match, user: Any) -> dict[int, Decklist]:
    """The lists that count at a match, by entrant key; empty unless opponents may read each other's now.

    In a team match by boards, those at the account's own board; in any other team match none, as a team has several.
    """
    if match.table is None or not _exchanges(match.round):
        return {}
    lists = current_lists(match.round.stage).filter(entrant__in=match.seats.values("entrant"))
    if match.round.stage.event.is_team_event:
        own = match.boards.filter(Q(first__person__account=user) | Q(second__person__account=user)).order_by("number")
        here = own.values_list("first", "second").first()
        lists = lists.filter(member__in=here or ())
    return {decklist.entrant_id: decklist for decklist in lists.defer("text")}


def seat_of(user: Any, match: Match) -> Seat | None:
    """The account's own seat at a match, or None. For a guardian with two seats, the one with the lower number."""
    if not user.is_authenticated:
        return None
    seat = next(iter(_OWN_SEAT.rows(match.pk, user.pk)), None)
    if seat is not None:
        # The caller's match has its round and event loaded already.
        seat.match = match
    return seat


def match_for_player(user: Any, public_id: str) -> Match:
    """A match at which the account has a seat; else 404."""
    match, seat = _viewed(user, public_id)
    if seat is None:
        raise Http404
    return match


def board_for_player(user: Any, public_id: str, number: int) -> Board:
    """A board of a team match at which the account, or one that it acts for, plays in one of the teams; else 404."""
    board = boards_of(match_for_player(user, public_id)).filter(number=number).first()
    if board is None:
        raise Http404
    return board


def match_for_staff(user: Any, public_id: str, action: str) -> Match:
    """A match on which the account may do the staff action `action`.

    Raises a 404 for an account without a role, `role_too_low` (403) if its role does not cover the action, `own_match`
    (403) if it plays the match.
    """
    match = match_named(public_id)
    if match is None:
        raise Http404
    _require_staff(user, match, action)
    if seat_of(user, match) is not None:
        raise NotAllowed("own_match", _("Staff who play have no staff rights over their own match."))
    return match


def _require_staff(user: Any, match: Match, action: str) -> None:
    """Raise a 404 or 403 unless a role of the account covers `action`; 404 for staff who play if it is a draft."""
    require(user, match.round.stage.event, action)
    if match.round.status == Round.Status.DRAFT and plays(user, match.round.stage.event):
        raise Http404


def match_for_judge(user: Any, public_id: str) -> Match:
    """A match on which the account may rule."""
    return match_for_staff(user, public_id, "judge")


def round_for_staff(user: Any, event_id: str, number: int, action: str) -> Round:
    """A round of an event, by number, on which the account may do `action`."""
    event = event_for_staff(user, event_id, action)
    return _round(event, number)


def round_for_viewer(user: Any, event_id: str, number: int) -> Round:
    """A round whose pairings the account may see, by number; a draft only for staff.

    Staff who play get the draft too, but callers must leave its tables out for them (`selectors.is_hidden`).
    """
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
    """A game for which the account may submit a log: as a player of the match, or as a judge."""
    match, seat = _viewed(user, match_id, Match.objects.select_related("round__stage__event"))
    if seat is None:
        _require_staff(user, match, "judge")
    game = match.games.filter(number=number).first()
    if game is None:
        raise Http404
    game.match = match
    return game
