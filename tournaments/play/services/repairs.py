"""A round mended: the tables of the way that was chosen are seated anew, all others stay as they are."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.decks.services import lock_late
from tournaments.events.access import plays
from tournaments.events.models import Event, Stage
from tournaments.play.models import Game, Match, Report, Round, Seat, TimeExtension
from tournaments.play.repairs import Way, ways_to_mend, wishes_now
from tournaments.play.selectors import paired_in
from tournaments.play.services.entries import record
from tournaments.play.services.results import results_moved

KEEP = "keep"  # the way that changes nothing


def mend_round(*, round_: Round, way: str, by: User, now: datetime) -> None:
    """Seat a round as one of `ways_to_mend` says, named by its key, or `KEEP` its pairings as they are.

    Refused when a table that would change has begun (`table_begun`, with its number), or when the way is not one of
    those there are now. Pairings that are kept count as looked at: a draft can be published.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=Stage.objects.get(pk=round_.stage_id).event_id)
        fresh = Round.objects.select_related("stage__event").filter(pk=round_.pk).first()
        if fresh is None or event.status != Event.Status.RUNNING:
            raise Refusal("round_state", _("This round is not open."))
        if plays(by, event):
            raise NotAllowed("staff_who_play", _("Staff who play do not change pairings by hand."))
        list(Match.objects.select_for_update().filter(round=fresh).order_by("pk"))  # no report comes in between
        ways = ways_to_mend(fresh)
        if way == KEEP:
            _keep(fresh, bool(ways), by, now)
            return
        chosen = next((found for found in ways if found.key == way), None)
        if chosen is None:
            raise Refusal("results_moved", _("Something changed meanwhile: look at the choices again."))
        _refuse_if_begun(fresh, chosen)
        _seat(fresh, chosen, event)
        if fresh.status == Round.Status.PUBLISHED:
            lock_late(entrants=paired_in(fresh), now=now)
        pairing = chosen.choice.pairing
        entry = record(
            event,
            by,
            "round.mended",
            now,
            object=f"r{fresh.number}",
            after={"changes": [[change.table, list(change.was), list(change.now)] for change in chosen.choice.changes]},
        )
        Round.objects.filter(pk=fresh.pk).update(
            algorithm=f"{pairing.version}+hand",
            cost=dict(pairing.cost),
            certified=pairing.certified,
            wishes=wishes_now(fresh).as_json(),
            results_version=entry.number,
        )
        results_moved(fresh.stage, entry.number, now)


def _keep(round_: Round, differs: bool, by: User, now: datetime) -> None:
    """Note that the pairings stay although something changed since; where they would differ now they are not proven."""
    entry = record(round_.stage.event, by, "round.kept", now, object=f"r{round_.number}")
    Round.objects.filter(pk=round_.pk).update(
        algorithm=round_.algorithm.removesuffix("+hand") + "+hand",
        certified=round_.certified and not differs,
        results_version=entry.number,
    )
    results_moved(round_.stage, entry.number, now)


def begun_tables(round_: Round) -> frozenset[int]:
    """The tables of a round at which something was done: they stay as they are seated. Four queries."""
    at_table = Match.objects.filter(round=round_, table__isnull=False)
    traces = (
        at_table.filter(games_drawn__isnull=False),
        at_table.filter(pk__in=Report.objects.filter(match__round=round_).values("match")),
        at_table.filter(pk__in=TimeExtension.objects.filter(match__round=round_).values("match")),
        at_table.filter(pk__in=Game.objects.filter(match__round=round_, logs__isnull=False).values("match")),
    )
    return frozenset(table for trace in traces for table in trace.values_list("table", flat=True) if table is not None)


def begun_in(way: Way, begun: Collection[int]) -> list[int]:
    """The tables that have begun and would change: they keep a way from being taken."""
    return sorted(set(begun).intersection(change.table for change in way.choice.changes))


def _refuse_if_begun(round_: Round, way: Way) -> None:
    begun = begun_in(way, begun_tables(round_))
    if begun:
        raise Refusal("table_begun", _("Something was done at a table that would change."), details=begun)


def _seat(round_: Round, way: Way, event: Event) -> None:
    """Take the changed tables away and set the new ones; who was missed and is seated now has not missed the round."""
    moved = {player for change in way.choice.changes for player in (*change.was, *change.now)}
    Match.objects.filter(round=round_, seats__entrant__public_id__in=moved).delete()
    by_id = {entrant.public_id: entrant for entrant in event.entrants.filter(public_id__in=moved)}
    open_ = round_.status == Round.Status.PUBLISHED
    needed = round_.stage.best_of // 2 + 1
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
            Game.objects.bulk_create(Game(match=match, number=number + 1) for number in range(round_.stage.best_of))


def _in_order(way: Way, players: tuple[str, ...]) -> tuple[str, ...]:
    """The players of a table in the order of their seats."""
    return next((pair for pair in way.choice.pairing.pairs if set(pair) == set(players)), players)
