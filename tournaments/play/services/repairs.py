"""A round mended: the tables of the way that was chosen are seated anew, all others stay as they are."""

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


def mend_round(*, round_: Round, way: str, by: User, now: datetime) -> None:
    """Seat a round as one of `ways_to_mend` says, named by its key.

    Refused when a table that would change has begun (`table_begun`, with its number), or when the way is not one of
    those there are now.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=Stage.objects.get(pk=round_.stage_id).event_id)
        fresh = Round.objects.select_related("stage__event").filter(pk=round_.pk).first()
        if fresh is None or event.status != Event.Status.RUNNING:
            raise Refusal("round_state", _("This round is not open."))
        if plays(by, event):
            raise NotAllowed("staff_who_play", _("Staff who play do not change pairings by hand."))
        list(Match.objects.select_for_update().filter(round=fresh).order_by("pk"))  # no report comes in between
        chosen = next((found for found in ways_to_mend(fresh) if found.key == way), None)
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


def _refuse_if_begun(round_: Round, way: Way) -> None:
    touched = Match.objects.filter(round=round_, table__in=[change.table for change in way.choice.changes])
    begun = [
        match.table
        for match in touched.order_by("table")
        if match.games_drawn is not None
        or Report.objects.filter(match=match).exists()
        or TimeExtension.objects.filter(match=match).exists()
        or Game.objects.filter(match=match, logs__isnull=False).exists()
    ]
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
