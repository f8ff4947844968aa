"""Deck checks: pick tables at random or by hand, count decks against their lists, and give the table its time back.

The seed of a random draw is in the ledger, so anybody can verify the draw (`order_of`).
"""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
from tournaments.events.access import plays
from tournaments.events.models import Entrant, Event, Member
from tournaments.judging.models import DeckCheck
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.play.services.entries import record

ALGORITHM = "checks-1"  # hashed with the seed and stored with every draw: a change to `order_of` needs a new name
MOST_TABLES = 20  # in one draw
MOST_COPIES = 99  # of one card
MOST_OTHERS = 500  # characters


@dataclass(frozen=True)
class Difference:
    """A card of the list with another number of copies counted than listed."""

    card: str
    listed: int
    counted: int


def order_of(seed: int, tables: Iterable[int]) -> list[int]:
    """The tables in the order in which a seed draws them: by the SHA-256 of algorithm, seed and table number."""
    return sorted(tables, key=lambda table: hashlib.sha256(f"{ALGORITHM}/{seed}/{table}".encode()).digest())


def draw_checks(*, round_: Round, tables: int, by: User, now: datetime) -> list[DeckCheck]:
    """Pick `tables` random tables of the current round that have no result and no deck check, and open their checks.

    Draws fewer if there are not enough. The ledger has the seed and the tables it was drawn from, so the draw can be
    repeated with `order_of`. Returns one check for each deck.

    Raises InvalidInput `draw_invalid` (1 to `MOST_TABLES`), Refusal `round_state` and `no_table_to_check`, NotAllowed
    `staff_who_play`.
    """
    if not 1 <= tables <= MOST_TABLES:
        raise InvalidInput("draw_invalid", _("Choose 1 to %(most)d tables.") % {"most": MOST_TABLES})
    with transaction.atomic():
        event = _open(round_, by)
        free = round_.matches.filter(table__isnull=False, games_drawn=None, deck_checks=None)
        by_table = {match.table or 0: match for match in free}
        if not by_table:
            raise Refusal("no_table_to_check", _("No table is left to check."))
        seed = secrets.randbits(52)  # as a JSON number, exact in every reader (JavaScript's limit is 53 bits)
        drawn = order_of(seed, by_table)[:tables]
        checks = [check for table in drawn for check in _open_checks(by_table[table], seed, by, now)]
        after = {"seed": seed, "algorithm": ALGORITHM, "from": sorted(by_table), "tables": drawn}
        record(event, by, "check.drawn", now, object=f"r{round_.number}", after=after)
    return checks


def check_table(*, match: Match, by: User, now: datetime, board: int | None = None) -> list[DeckCheck]:
    """Open checks for the decks of a chosen table of the current round; in a team match, of all boards or of one.

    Idempotent: returns the checks that the table, or its board, has already with those that are opened. Raises
    InvalidInput `no_such_board`, Refusal `no_opponent` for a bye and `round_state`, NotAllowed `staff_who_play`.
    """
    with transaction.atomic():
        event = _open(match.round, by)
        if match.table is None:
            raise Refusal("no_opponent", _("A bye has no table."))
        wanted = _decks_at(match, board)
        known = [check for check in match.deck_checks.all() if (check.entrant_id, check.member_id) in wanted]
        made = _open_checks(match, None, by, now, [deck for deck in wanted if deck not in _checked(known)])
        if made:
            at_board = {} if board is None else {"board": board}
            record(event, by, "check.opened", now, object=match.public_id, after={"table": match.table, **at_board})
    return [*known, *made]


def _checked(checks: Iterable[DeckCheck]) -> set[tuple[int, int | None]]:
    return {(check.entrant_id, check.member_id) for check in checks}


def _boards_said(match: Match) -> str:
    count = match.boards.count()
    if not count:
        return _("This match has no boards.")
    return ngettext("This match has only board %(n)d.", "This match has boards 1 to %(n)d.", count) % {"n": count}


def _decks_at(match: Match, board: int | None = None) -> list[tuple[int, int | None]]:
    """Whose decks are at a table, or at a board of a team match: the keys of the entrant and, in a team, the member."""
    boards = match.boards.select_related("first", "second") if board is None else match.boards.filter(number=board)
    if board is not None and not boards:
        raise InvalidInput("no_such_board", _boards_said(match))
    sides = [member for each in boards for member in (each.first, each.second)]
    if sides:
        return [(member.entrant_id, member.pk) for member in sides]
    entrants = list(match.seats.order_by("number").values_list("entrant", flat=True))
    if not match.round.stage.event.is_team_event:
        return [(entrant, None) for entrant in entrants]
    members = Member.objects.filter(entrant__in=entrants, board__isnull=False).order_by("entrant", "board")
    return [(member.entrant_id, member.pk) for member in members]


def finish_check(
    *, check: DeckCheck, counted: Mapping[str, int], by: User, now: datetime, others: str = "", minutes: int = 0
) -> DeckCheck:
    """Save the count of a deck and give the table `minutes` more (0 to 60).

    `counted` has the copies found of each card of the list; cards that are left out were as listed. `others` is free
    text about cards that are not on the list.

    Raises InvalidInput `count_invalid` and `minutes_invalid`, Refusal `check_done` if the deck was counted already,
    NotAllowed `staff_who_play`.
    """
    listed = listed_cards(check.decklist)
    wrong = [card for card, copies in counted.items() if card not in listed or not 0 <= copies <= MOST_COPIES]
    if wrong:
        raise InvalidInput("count_invalid", _("Count the cards of the list: 0 to 99 of each."), details=wrong[:20])
    if not 0 <= minutes <= 60:
        raise InvalidInput("minutes_invalid", _("Add 1 to 60 minutes."))
    with transaction.atomic():
        _refuse_players(check.match.round.stage.event, by)
        stored = {card: counted.get(card, copies) for card, copies in listed.items()}
        others = " ".join(others.split())[:MOST_OTHERS]
        waiting = DeckCheck.objects.filter(pk=check.pk, done_at=None)
        # Conditional, so that of two counts at once only the first is saved and the time is given once.
        if not waiting.update(done_at=now, by=by, counted=stored, others=others, minutes=minutes):
            raise Refusal("check_done", _("This deck has already been checked."))
        check.refresh_from_db(fields=["done_at", "by", "counted", "others", "minutes"])
        if minutes:
            play.extend_table(match=check.match, minutes=minutes, by=by, now=now)
        after = {
            "match": check.match.public_id,
            "entrant": check.entrant.public_id,
            **({"member": check.member.person.public_id} if check.member else {}),
            "version": check.decklist.version if check.decklist else None,
            "differs": differs(check),
            "counted": counted_digest(stored),
            "minutes": minutes,
        }
        record(check.match.round.stage.event, by, "check.done", now, object=check.public_id, after=after)
    return check


def counted_digest(counted: Mapping[str, int]) -> str:
    """SHA-256 of a count. The ledger gets this digest and not the count, which would reveal the cards of the list."""
    return hashlib.sha256(json.dumps(counted, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def listed_cards(decklist: Decklist | None) -> dict[str, int]:
    """Copies by card of a list, commander first; empty without a list or for one that the engine could not read."""
    if decklist is None:
        return {}
    commander = decklist.cards.get("commander")
    cards = {commander: 1} if commander else {}
    for card, copies in decklist.cards.get("main", {}).items():
        cards[card] = cards.get(card, 0) + copies
    return cards


def differences(check: DeckCheck) -> list[Difference]:
    """The cards of which a finished check counted another number than listed."""
    listed = listed_cards(check.decklist)
    return [
        Difference(card, copies, check.counted[card])
        for card, copies in listed.items()
        if check.counted.get(card, copies) != copies
    ]


def differs(check: DeckCheck) -> bool:
    """Whether the deck checked differs from the list, other cards included."""
    return bool(check.others or differences(check))


def checks_of(round_: Round) -> QuerySet[DeckCheck]:
    """The checks of a round, by table and seat, with the names of the players."""
    found = DeckCheck.objects.filter(match__round=round_)
    checks = found.select_related("match", "entrant", "member__person", "decklist", "by")
    return checks.prefetch_related("entrant__member_set__person").order_by("match__table", "pk")


def minutes_to_offer(check: DeckCheck, now: datetime) -> int:
    """The time extension in minutes to offer with the last check of a table, 60 at most.

    It is the time since the check began, rounded up, and three minutes to shuffle and set up again. 0 while another
    deck of the table is still being checked, and once the round is closed.
    """
    if check.match.deck_checks.filter(done_at=None).exclude(pk=check.pk).exists():
        return 0
    lasted = -int(-(now - check.opened_at).total_seconds() // 60)
    return min(60, lasted + 3) if check.match.round.status == Round.Status.PUBLISHED else 0


def _open(round_: Round, by: User) -> Event:
    event = Event.objects.select_for_update().get(pk=round_.stage.event_id)  # or two draws could pick the same table
    _refuse_players(event, by)
    if not Round.objects.filter(pk=round_.pk, status=Round.Status.PUBLISHED).exists():
        raise Refusal("round_state", _("This round is not open."))
    return event


def _refuse_players(event: Event, by: User) -> None:
    if plays(by, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read other players’ lists."))


def lists_at(match: Match) -> list[tuple[str, Decklist | None]]:
    """The full name of each player at a table with the list that counts, in the order of seats and boards."""
    seats = match.seats.select_related("entrant").prefetch_related("entrant__member_set__person")
    entrants = {seat.entrant_id: seat.entrant for seat in seats.order_by("number")}
    found = current_lists(match.round.stage).filter(entrant__in=list(entrants)).select_related("member__person")
    registered = {(decklist.entrant_id, decklist.member_id): decklist for decklist in found}
    decks = _decks_at(match)
    return [(_owner(entrants[key], member), registered.get((key, member))) for key, member in decks]


def _owner(entrant: Entrant, member_key: int | None) -> str:
    """The full name of an entrant, or of a member with the name of the team."""
    found = next((member for member in entrant.member_set.all() if member.pk == member_key), None)
    return f"{found.full_name} ({entrant.full_name})" if found else entrant.full_name


def _open_checks(
    match: Match,
    seed: int | None,
    by: User,
    now: datetime,
    decks: Collection[tuple[int, int | None]] | None = None,
) -> list[DeckCheck]:
    """Open a check for each deck (keys of entrant and member) at a table; without `decks`, for all of them."""
    wanted = _decks_at(match) if decks is None else decks
    lists = current_lists(match.round.stage).filter(entrant__in=[entrant for entrant, _member in wanted])
    registered = {(decklist.entrant_id, decklist.member_id): decklist for decklist in lists}
    return [
        DeckCheck.objects.create(
            match=match,
            entrant_id=entrant,
            member_id=member,
            decklist=registered.get((entrant, member)),
            seed=seed,
            by=by,
            opened_at=now,
        )
        for entrant, member in wanted
    ]
