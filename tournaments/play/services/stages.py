"""Start a stage from the standings of the one before, and undo that until a round of it is paired."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.selectors import is_drafted
from tournaments.decks.services import lock_late, open_drafted
from tournaments.events.models import Entrant, Event, Stage, StageEntry
from tournaments.events.selectors import current_stage, next_stage
from tournaments.play.field import entered, placed, played_out
from tournaments.play.models import DraftClock, Round
from tournaments.play.selectors import declined_places, last_round, last_round_of
from tournaments.play.services.entries import record
from tournaments.play.services.results import results_moved
from tournaments.swiss.bracket import double_elimination, single_elimination
from tournaments.swiss.cut import Cut, Placed, cut
from tournaments.swiss.field import SwissError
from tournaments.swiss.formats import proposed_rounds
from tournaments.swiss.pods import Pod, pods_by_chance, pods_by_rank
from tournaments.swiss.round_robin import round_robin
from tournaments.swiss.tables import table_sizes

Kind = Stage.Kind
TABLE_ROUNDS = POD_ROUNDS = 3


@dataclass(frozen=True)
class CutShown:
    """Who would play in a stage (public ids, best seed first), who declined, and who moves up because of that.

    `begun` is whether the stage has started already, without a round; it is then started again.
    """

    stage: Stage
    players: tuple[str, ...]
    declined: tuple[str, ...]
    moved_up: tuple[str, ...]
    begun: bool


def cut_shown(event: Event, declined: Collection[str] = ()) -> CutShown | None:
    """The cut of the stage that can be started, or started again, now, without those who `declined` (public ids).

    None if no stage can be. Of a stage that has begun, those who declined when it was started are left out too.
    """
    before, stage, last = current_stage(event), next_stage(event), last_round_of(event)
    if event.status != Event.Status.RUNNING or last is None or last.status != Round.Status.CLOSED:
        return None
    begun = last.stage_id != before.pk
    if begun:
        before, stage = last.stage, before
        declined = {*declined, *declined_places(stage)}
    elif stage is None or (before.is_bracket and not played_out(before, last)):
        return None
    lines = placed(before)
    try:
        without = _cut(stage, [line for line in lines if line.player not in declined]).players
        everybody = _cut(stage, lines).players
    except Refusal:
        return None
    gone = tuple(line.player for line in lines if line.player in declined)
    return CutShown(stage, without, gone, tuple(player for player in without if player not in everybody), begun)


def start_stage(*, event: Event, by: User, now: datetime, declined: Collection[str] = ()) -> Stage:
    """Start the next stage with the players who advance by its cut, best seed first.

    The cut is computed from the results themselves, not from stored standings. Players who dropped and those who
    `declined` their place (public ids) are passed over, and the next ranks move up. Raises InvalidInput
    `entrant_unknown` if somebody who declined is not in the stage before, and Refusal:

    - `round_open`, `stage_open`: the stage before is not finished
    - `no_next_stage`, `stage_started`
    - `cannot_start_stage`: its structure cannot seat so many players (the details hold the code of the `SwissError`)
    - `results_moved`: a result changed meanwhile
    """
    before = current_stage(event)
    # Standings of a large stage take long: computed before the transaction, and checked by version inside it.
    lines = placed(before)
    unknown = set(declined) - set(entered(before).values_list("public_id", flat=True))
    if unknown:
        raise InvalidInput(
            "entrant_unknown", _("Some of these do not play in the stage before."), details=sorted(unknown)
        )
    lines = [line for line in lines if line.player not in declined]
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        last = _refuse_if_open(event, before)
        stage = next_stage(event)
        if stage is None:
            raise Refusal("no_next_stage", _("No stage is planned after this one."))
        stage = Stage.objects.select_for_update().select_related("event").get(pk=stage.pk)
        if before.is_bracket and not played_out(before, last):
            raise Refusal("stage_open", _("The bracket is not over."))
        chosen = _cut(stage, lines)
        stage.started_at, stage.first_round = now, last.number + 1
        _enter(stage, chosen)
        if is_drafted(stage):
            open_drafted(stage=stage, by=by, now=now)
        entry = record(
            event, by, "stage.started", now, object=f"s{stage.number}", after=_ledger_values(stage, chosen, declined)
        )
        # Checked after `record`, which locks the ledger: no result can change from here on.
        fresh = Stage.objects.get(pk=before.pk)
        if fresh.results_version != before.results_version:
            raise Refusal("results_moved", _("Something changed while the stage was being started. Start it again."))
        results_moved(stage, entry.number, now)
    return stage


def undo_stage(*, event: Event, by: User, now: datetime) -> None:
    """Undo the start of the current stage, as long as no round of it is paired. It can be started again.

    Raises Refusal `no_stage_to_undo` in the first stage, `stage_begun` once a round is paired.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        stage = current_stage(event)
        if stage.number == 1 or event.status != Event.Status.RUNNING:
            raise Refusal("no_stage_to_undo", _("No later stage has started."))
        if stage.rounds.exists():
            raise Refusal("stage_begun", _("A round of this stage is paired: undo that first."))
        if is_drafted(stage):
            # Starting the stage opened the pools and lists of its players.
            lock_late(entrants=list(stage.entries.values_list("entrant", flat=True)), now=now)
        stage.entries.all().delete()
        DraftClock.objects.filter(stage=stage).delete()
        Stage.objects.filter(pk=stage.pk).update(started_at=None, first_round=1)
        record(event, by, "stage.undone", now, object=f"s{stage.number}")


def restart_stage(*, event: Event, by: User, now: datetime, declined: Collection[str]) -> Stage:
    """Start the current stage again without those who `declined`, in one transaction, while no round of it is paired.

    Those who declined before stay out. Raises what `undo_stage` and `start_stage` raise.
    """
    with transaction.atomic():
        gone = {*declined, *declined_places(current_stage(event))}
        undo_stage(event=event, by=by, now=now)
        return start_stage(event=Event.objects.get(pk=event.pk), by=by, now=now, declined=gone)


def enter_first_stage(stage: Stage, now: datetime) -> None:
    """Start the first stage, inside the transaction that starts the event.

    Sets the number of rounds. In all structures but Swiss, also enters the players: first those to whom the organizer
    gave a seed, then the others, drawn from the stage's seed.
    """
    playing = stage.event.entrants.filter(status=Entrant.Status.REGISTERED)
    seeds = dict(playing.values_list("public_id", "seed"))
    stage.started_at = now
    if stage.kind == Kind.SWISS:
        stage.rounds_planned = stage.rounds_planned or proposed_rounds(len(seeds), stage.event.preset)
        stage.save(update_fields=["started_at", "rounds_planned"])
    else:
        # Those without a seed are on one rank, so the cut orders them at random from the seed of the stage.
        last = 1 + max((seed for seed in seeds.values() if seed is not None), default=0)
        ranked = sorted((seed or last, player) for player, seed in seeds.items())
        _enter(stage, _cut(stage, [Placed(player, rank, 0) for rank, player in ranked]))


def draw_first_stage_anew(stage: Stage, now: datetime) -> None:
    """Draw the seeds of a first stage again, among those who play now, before a round of it is paired."""
    stage.entries.all().delete()
    enter_first_stage(stage, stage.started_at or now)


def _refuse_if_open(event: Event, before: Stage) -> Round:
    if event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    if current_stage(event).pk != before.pk:
        raise Refusal("stage_started", _("Somebody else has just started this stage."))
    last = last_round(before)
    if last is None or last.status != Round.Status.CLOSED:
        raise Refusal("round_open", _("Close the last round first."))
    return last


def _cut(stage: Stage, lines: list[Placed]) -> Cut:
    try:
        chosen = cut(lines, seed=stage.seed, top=stage.cut_top, points=stage.cut_points)
        _rounds(stage, len(chosen.players))
    except SwissError as error:
        raise Refusal(
            "cannot_start_stage", _("This stage cannot be played with this number of players."), details=[error.code]
        )
    return chosen


def _rounds(stage: Stage, players: int) -> int:
    """The number of rounds of a stage with so many players; `SwissError` if its structure does not seat them."""
    if stage.kind == Kind.SINGLE_ELIMINATION:
        return single_elimination(players).rounds
    if stage.kind == Kind.DOUBLE_ELIMINATION:
        return double_elimination(players, reset=stage.reset).rounds
    if stage.kind == Kind.ROUND_ROBIN:
        return len(round_robin([str(number) for number in range(players)], twice=stage.twice))
    if players < 2:
        raise SwissError("too_few_players", "a stage needs two players", "players")
    if stage.kind == Kind.TABLES:
        # Only checks that so many players can be seated.
        table_sizes(players, usual=stage.table_size)
        return stage.rounds_planned or TABLE_ROUNDS
    if stage.kind == Kind.PODS:
        # Only checks that pods of this size can be formed, so any seed and any names do.
        pods_by_chance([str(number) for number in range(players)], seed=0, usual=stage.pod_size)
        return stage.rounds_planned or POD_ROUNDS
    return stage.rounds_planned or proposed_rounds(players, stage.event.preset)


def _enter(stage: Stage, chosen: Cut) -> None:
    stage.rounds_planned = _rounds(stage, len(chosen.players))
    stage.save(update_fields=["started_at", "first_round", "rounds_planned"])
    by_id = {entrant.public_id: entrant for entrant in stage.event.entrants.filter(public_id__in=chosen.players)}
    places = _pod_places(stage, chosen) if stage.kind == Kind.PODS else {}
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entrant=by_id[player], seed=seed, pod=pod, place=place)
        for seed, player in enumerate(chosen.players, 1)
        for pod, place in [places.get(player, (None, None))]
    )


def _pod_places(stage: Stage, chosen: Cut) -> dict[str, tuple[int, int]]:
    """The pod and seat of each player: drawn at random in a first stage, by standings in a later one."""
    pods: tuple[Pod, ...]
    if stage.number == 1:
        pods = pods_by_chance(chosen.players, seed=stage.seed, usual=stage.pod_size)
    else:
        pods = pods_by_rank(chosen.players, seed=stage.seed, usual=stage.pod_size)
    return {
        player: (number, place) for number, pod in enumerate(pods, 1) for place, player in enumerate(pod.players, 1)
    }


def _ledger_values(stage: Stage, chosen: Cut, declined: Collection[str]) -> dict[str, object]:
    gone = {"declined": sorted(declined)} if declined else {}
    return {"kind": stage.kind, "seeds": list(chosen.players), "drawn": list(chosen.drawn), **gone}
