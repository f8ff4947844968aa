"""Correct a mistake in a round that is already paired.

`repairs_of` lists the possible corrections with their cost, the one that moves the fewest tables first. `repair_round`
applies the chosen one and leaves all other tables alone. A mistake is a difference between the seated pairings and
those that would be paired from what the event knows now: results corrected since, and entrants who dropped or joined.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.decks.services import lock_late
from tournaments.events.access import plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.play.boards import games_of, open_boards
from tournaments.play.field import entered, field_of
from tournaments.play.models import BoardReport, Game, Loss, Match, Report, Round, Seat, TimeExtension
from tournaments.play.pairing_inputs import PairingInputs, awarded_in, cannot_pair, pairing_inputs_of
from tournaments.play.selectors import paired_in
from tournaments.play.services.entries import record
from tournaments.play.services.results import results_moved
from tournaments.swiss.field import SwissError
from tournaments.swiss.repair import Choice, Published, repair


@dataclass(frozen=True)
class Repair:
    """One way to repair a round.

    Its key is a digest of the tables, so that exactly the repair that was displayed is applied.
    """

    key: str
    choice: Choice


def repairs_of(round_: Round) -> list[Repair]:
    """The ways to repair a Swiss round that is not closed, fewest changed tables first; empty if nothing is wrong.

    Raises Refusal `no_repair` outside Swiss stages, `round_state` if the round is closed, `cannot_pair`.
    """
    if round_.stage.kind != Stage.Kind.SWISS:
        raise Refusal("no_repair", _("Only the pairings of a Swiss round can be repaired like this."))
    if round_.status == Round.Status.CLOSED:
        raise Refusal("round_state", _("This round is closed."))
    entrants = list(entered(round_.stage).only("event", "public_id", "status", "fixed_table", "club", "seed"))
    inputs = pairing_inputs_now(round_, entrants)
    field = inputs.on(field_of(round_.stage, before=round_.number, entrants=entrants))
    try:
        choices = repair(
            field,
            published(round_),
            seed=round_.seed,
            forbidden=inputs.forbidden,
            options=inputs.options,
            places=inputs.places,
        )
    except SwissError as error:
        raise cannot_pair(error)
    return [Repair(_key(choice), choice) for choice in choices if choice.changes]


def pairing_inputs_now(round_: Round, entrants: Sequence[Entrant] | None = None) -> PairingInputs:
    """The inputs that would apply to a paired round now, with the byes that were awarded when it was paired."""
    entrants = list(entered(round_.stage)) if entrants is None else entrants
    inputs = pairing_inputs_of(round_.stage, round_.number, entrants)
    there = {entrant.public_id for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    awarded = {player: kind for player, kind in awarded_in(round_).items() if player in there}
    return replace(inputs, options=replace(inputs.options, awarded=awarded))


def published(round_: Round) -> Published:
    """The round as it is seated, without players who missed it or have an awarded bye.

    Raises Refusal `no_repair` if several byes were given by hand: the algorithm knows of one at most.
    """
    awarded = awarded_in(round_)
    pairs: list[tuple[str, str]] = []
    tables: list[int] = []
    byes: list[str] = []
    seats = Seat.objects.filter(match__round=round_).order_by("match__table", "match", "number")
    rows = seats.values_list("match", "match__table", "match__kind", "entrant__public_id")
    for (_match, table, kind), group in groupby(rows, itemgetter(0, 1, 2)):
        ids = [row[3] for row in group]
        if table is not None:
            pairs.append((ids[0], ids[1]))
            tables.append(table)
        elif kind == Match.Kind.BYE and ids[0] not in awarded:
            byes += ids
    if len(byes) > 1:
        raise Refusal("no_repair", _("Some byes were given by hand: first seat two of these players together."))
    return Published(tuple(pairs), tuple(tables), byes[0] if byes else None)


def _key(choice: Choice) -> str:
    pairing = [choice.pairing.pairs, choice.pairing.tables, choice.pairing.bye]
    return hashlib.sha256(json.dumps(pairing).encode()).hexdigest()[:16]


KEEP = "keep"  # the key of the way that changes nothing


def repair_round(*, round_: Round, way: str, by: User, now: datetime) -> None:
    """Repair a round in the way with the key `way`, or `KEEP` its pairings as they are.

    Kept pairings count as checked: a draft can be published then. Raises Refusal `table_begun`, with the numbers, if a
    table that would change has begun; `results_moved` if `way` is no longer one of the ways; `round_state`. Raises
    NotAllowed `staff_who_play`.
    """
    with transaction.atomic():
        fresh = _locked_round(round_, by)
        # Computed under the locks, unlike a pairing: a key then stands for the very tables that were shown.
        ways = repairs_of(fresh)
        if way == KEEP:
            _keep(fresh, bool(ways), by, now)
            return
        chosen = next((found for found in ways if found.key == way), None)
        if chosen is None:
            raise Refusal("results_moved", _("Something has changed in the meantime: look at the choices again."))
        _refuse_if_begun(fresh, chosen)
        _seat(fresh, chosen, fresh.stage.event)
        if fresh.status == Round.Status.PUBLISHED:
            lock_late(entrants=paired_in(fresh), now=now)
        _record_repair(fresh, chosen, by, now)


def _locked_round(round_: Round, by: User) -> Round:
    """The round as it is now, with its event and its matches locked until the transaction ends."""
    event = Event.objects.select_for_update().get(pk=Stage.objects.get(pk=round_.stage_id).event_id)
    fresh = Round.objects.select_related("stage__event").filter(pk=round_.pk).first()
    if fresh is None or event.status != Event.Status.RUNNING:
        raise Refusal("round_state", _("This round is not open."))
    if plays(by, event):
        raise NotAllowed("staff_who_play", _("Staff who play cannot change pairings by hand."))
    # Reports lock the match, so no table can begin between the check and the change.
    list(Match.objects.select_for_update().filter(round=fresh).order_by("pk"))
    return fresh


def _record_repair(round_: Round, chosen: Repair, by: User, now: datetime) -> None:
    changes = [[change.table, list(change.was), list(change.now)] for change in chosen.choice.changes]
    event, pairing = round_.stage.event, chosen.choice.pairing
    entry = record(event, by, "round.mended", now, object=f"r{round_.number}", after={"changes": changes})
    Round.objects.filter(pk=round_.pk).update(
        algorithm=f"{pairing.version}+hand",
        cost=dict(pairing.cost),
        certified=pairing.certified,
        wishes=pairing_inputs_now(round_).as_json(),
        results_version=entry.number,
    )
    results_moved(round_.stage, entry.number, now)


def _keep(round_: Round, differs: bool, by: User, now: datetime) -> None:
    """Record that the pairings stay although something changed. If they would differ now, they are not certified."""
    entry = record(round_.stage.event, by, "round.kept", now, object=f"r{round_.number}")
    Round.objects.filter(pk=round_.pk).update(
        algorithm=round_.algorithm.removesuffix("+hand") + "+hand",
        certified=round_.certified and not differs,
        results_version=entry.number,
    )
    results_moved(round_.stage, entry.number, now)


def begun_tables(round_: Round) -> frozenset[int]:
    """The tables of a round at which something was done, so that they must stay as they are. Eight queries."""
    at_table = Match.objects.filter(round=round_, table__isnull=False)
    traces = (
        at_table.filter(games_drawn__isnull=False),
        at_table.filter(pk__in=Report.objects.filter(match__round=round_).values("match")),
        at_table.filter(pk__in=BoardReport.objects.filter(board__match__round=round_).values("board__match")),
        at_table.filter(pk__in=TimeExtension.objects.filter(match__round=round_).values("match")),
        at_table.filter(pk__in=Game.objects.filter(match__round=round_, logs__isnull=False).values("match")),
        at_table.filter(calls__isnull=False),
        at_table.filter(deck_checks__isnull=False),
        at_table.filter(pk__in=Loss.objects.filter(seat__round=round_, carried=False).values("seat__match")),
    )
    return frozenset(table for trace in traces for table in trace.values_list("table", flat=True) if table is not None)


def begun_in(way: Repair, begun: Collection[int]) -> list[int]:
    """The tables that have begun and would change in this way of repairing; while there are any, it is refused."""
    return sorted(set(begun).intersection(change.table for change in way.choice.changes))


def _refuse_if_begun(round_: Round, way: Repair) -> None:
    begun = begun_in(way, begun_tables(round_))
    if begun:
        raise Refusal("table_begun", _("Something has already happened at a table that would change."), details=begun)


def _seat(round_: Round, way: Repair, event: Event) -> None:
    """Replace the changed tables. A player who is seated now has not missed the round any more."""
    moved = {player for change in way.choice.changes for player in (*change.was, *change.now)}
    Match.objects.filter(round=round_, seats__entrant__public_id__in=moved).delete()
    by_id = {entrant.public_id: entrant for entrant in event.entrants.filter(public_id__in=moved)}
    open_ = round_.status == Round.Status.PUBLISHED
    needed = round_.stage.games // 2 + 1
    for change in way.choice.changes:
        if not change.now:
            continue
        bye = change.table is None
        match = Match.objects.create(
            round=round_,
            table=change.table,
            kind=Match.Kind.BYE if bye else Match.Kind.PLAYED,
            games_drawn=0 if bye and open_ else None,
            authority=Match.Authority.AGREED if bye and open_ else Match.Authority.NONE,
            flags={player: list(flags) for player, flags in way.choice.pairing.flags.items() if player in change.now},
        )
        won = {"games_won": needed, "points": 3} if bye and open_ else {}
        Seat.objects.bulk_create(
            Seat(round=round_, match=match, number=number, entrant=by_id[player], **won)
            for number, player in enumerate(_in_order(way, change.now), 1)
        )
        if open_ and not bye:
            Game.objects.bulk_create(Game(match=match, number=number + 1) for number in range(games_of(round_.stage)))
            open_boards(round_.stage, Match.objects.filter(pk=match.pk))


def _in_order(way: Repair, players: tuple[str, ...]) -> tuple[str, ...]:
    """The players of a table in the order of their seats."""
    return next((pair for pair in way.choice.pairing.pairs if set(pair) == set(players)), players)
