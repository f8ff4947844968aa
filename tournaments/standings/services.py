"""Compute and store standings, choose their scheme and scoring, and tick prizes that were handed out.

Standings are always computed from the results, never from an older table, so a correction of an old round needs no
special care.
"""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.common.snapshots import snapshot
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.scoring import number, read_scoring, scoring_invalid
from tournaments.events.selectors import current_stage
from tournaments.play.field import OWN_SCHEMES, ranking, results_of, terms_of
from tournaments.play.models import Round
from tournaments.play.selectors import rounds_closed
from tournaments.play.services.results import results_moved
from tournaments.standings.awards import awards_for
from tournaments.standings.models import CategoryTick, PrizeCategory, PrizeTick, StandingsTable
from tournaments.standings.selectors import decimal, prizes_of
from tournaments.swiss.crosstable import Rules
from tournaments.swiss.field import SwissError
from tournaments.swiss.schemes import newest, plain, scheme_of
from tournaments.swiss.scoring import POINTS
from tournaments.swiss.standings import Row, SwissRow

QUICK = 100
"""Milliseconds. After a computation that took less, a worker does not rest (`rest_until`)."""
LONGEST_REST = 1_000
"""Milliseconds. A worker never rests longer than this."""
LAST_KEPT = 10
"""The newest tables kept for each stage and scheme, so that recent corrections can be compared."""
PRUNED_AT_MOST = 500  # tables deleted at once; the rest goes the next time


def compute_standings(*, stage_id: int, now: datetime, progress: Progress = unseen) -> StandingsTable | None:
    """Compute and store the standings for the current version of a stage's results.

    Returns None if that version, or a newer one, is already stored. If no row changes, the newest table is extended to
    this version and no other is stored; results of a round in progress, which do not count yet, change no row.

    The results are read in one snapshot and counted afterwards. Results that arrive meanwhile do not wait for this, and
    this table is stored all the same: their own job follows. `progress` raises to stop a worker that lost the job.
    """
    progress(0)
    started = time.perf_counter()
    with snapshot():
        stage = Stage.objects.select_related("event").get(pk=stage_id)
        newest = _newest(stage)
        if newest is not None and newest.results_version >= stage.results_version:
            return None
        results, counted = results_of(stage), rounds_closed(stage)
    rows = [row_as_json(row) for row in ranking(stage, results)]
    progress(50)
    # `_save` compares digests, so that it need not load the rows of the newest table.
    digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
    fresh = StandingsTable(
        stage=stage,
        round_number=counted,
        first_version=stage.results_version,
        results_version=stage.results_version,
        scheme=stage.scheme,
        terms=terms_of(stage.scheme),
        rows=rows,
        digest=digest,
        computed_at=now,
    )
    return _save(fresh, started)


def _save(fresh: StandingsTable, started: float) -> StandingsTable | None:
    """Store a table, or extend the newest one if it has the same rows; None if a newer version is stored."""
    try:
        with transaction.atomic():
            newest = _newest(fresh.stage)
            if newest is not None and newest.results_version >= fresh.results_version:
                return None
            if newest is not None and (newest.digest, newest.round_number) == (fresh.digest, fresh.round_number):
                return _prolong(newest, fresh, started)
            fresh.took = _milliseconds_since(started)
            fresh.save(force_insert=True)
            _prune(fresh.stage)
            return fresh
    except IntegrityError:
        return None  # another worker stored this version at the same moment


def _newest(stage: Stage) -> StandingsTable | None:
    """The newest table of a stage by its current scheme, without loading its rows."""
    tables = StandingsTable.objects.filter(stage=stage, scheme=stage.scheme).defer("rows")
    return tables.order_by("-results_version", "-pk").first()


def _prolong(table: StandingsTable, fresh: StandingsTable, started: float) -> StandingsTable | None:
    table.results_version, table.computed_at = fresh.results_version, fresh.computed_at
    table.took = _milliseconds_since(started)
    # Conditional, because another worker may have extended the table further since it was read.
    older = StandingsTable.objects.filter(pk=table.pk, results_version__lt=fresh.results_version)
    changed = older.update(results_version=table.results_version, computed_at=table.computed_at, took=table.took)
    return table if changed else None


def _milliseconds_since(started: float) -> int:
    return round(1000 * (time.perf_counter() - started))


def _prune(stage: Stage) -> None:
    """Delete old tables of a stage. For each scheme, the newest `LAST_KEPT` and the newest of each round stay."""
    # The tables of earlier rounds are what `selectors.changes_of` compares with.
    seen: Counter[str] = Counter()
    rounds: set[tuple[str, int]] = set()
    surplus = []
    tables = StandingsTable.objects.filter(stage=stage).order_by("-results_version", "-pk")
    for key, scheme, counted in tables.values_list("pk", "scheme", "round_number"):
        if seen[scheme] >= LAST_KEPT and (scheme, counted) in rounds:
            surplus.append(key)
        seen[scheme] += 1
        rounds.add((scheme, counted))
    StandingsTable.objects.filter(pk__in=surplus[:PRUNED_AT_MOST]).delete()


def row_as_json(row: Row | SwissRow) -> dict[str, Any]:
    """A row of standings as JSON.

    `record` is [won, lost, drawn] without byes. Each tiebreak is there twice: under its name as a decimal with 12
    digits ("0.333333333333"), and in `exact` as a fraction ("1/3").
    """
    terms, points = row.terms, row.points
    return {
        "rank": row.rank,
        "entrant": row.player,
        "points": points if isinstance(points, int) else float(points),
        "record": list(row.record),
        "byes": row.byes,
        **{name: decimal(value) for name, value in terms.items()},
        "exact": {name: str(value) for name, value in terms.items()},
    }


def rest_until(stage_id: int, now: datetime) -> datetime | None:
    """When a worker can compute the standings of a stage again; None if it need not rest.

    The rest is as long as the last computation took, at most `LONGEST_REST`, so that a stream of results leaves workers
    time for other jobs. There is none after a computation shorter than `QUICK`, or after one that is later than `now`:
    its time is from a clock that was set back since.
    """
    last = StandingsTable.objects.filter(stage=stage_id).order_by("-computed_at").values_list("computed_at", "took")
    computed_at, took = last.first() or (None, 0)
    if computed_at is None or took < QUICK or computed_at > now:
        return None
    return computed_at + timedelta(milliseconds=took + min(took, LONGEST_REST))


def choose_scheme(*, event: Event, scheme: str, by: User, now: datetime) -> None:
    """Choose the scheme of the current stage's standings, by name or as a list of tiebreaks. Idempotent.

    For example "mtr", or "fide:points,buchholz,random". The standings are computed again; tables by the old scheme are
    kept. Raises InvalidInput `scheme_unknown`, Refusal `event_state` once the event is over, and `scheme_fixed` for a
    structure with an order of its own (brackets, tables of several players).
    """
    try:
        chosen = scheme_of(scheme.strip()).name
    except SwissError as error:
        raise InvalidInput(
            "scheme_unknown",
            _("There is no such scheme, or the list has an unknown tiebreak."),
            details=[error.message],
        ) from error
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status in (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        stage = current_stage(event)
        before = stage.scheme
        if before in OWN_SCHEMES:
            raise Refusal("scheme_fixed", _("The standings of this structure have their own order."))
        if "@" not in chosen:  # no version: the one of the stage if it has this scheme, else the newest
            chosen = before if plain(before) == chosen else newest(chosen)
        if before == chosen:
            return
        Stage.objects.filter(pk=stage.pk).update(scheme=chosen)
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="standings.scheme_chosen",
            object=event.public_id,
            now=now,
            before={"scheme": before},
            after={"scheme": chosen},
        )
        # Without any result there is nothing to compute; the first result will enqueue the job.
        if stage.results_version:
            jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)


def choose_scoring(*, event: Event, scoring: Mapping[str, Any], by: User, now: datetime) -> None:
    """Choose the points for a win, a draw and a loss, and the floor of percentages. Idempotent.

    What `scoring` leaves out is as the scheme has it. The standings are computed again; existing pairings stay.

    Raises InvalidInput `scoring_invalid`; Refusal `event_state` once the event is over, `scoring_fixed` once a later
    stage has started (its players qualified by the old points), and `draft_pairings` while there are draft pairings.
    """
    read_scoring(scoring)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status in (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        before, after = event.scoring, _completed(scoring, current_stage(event))
        if before == after:
            return
        _refuse_fixed(event)
        Event.objects.filter(pk=event.pk).update(scoring=after)
        entry = ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="standings.scoring_chosen",
            object=event.public_id,
            now=now,
            before={"scoring": before},
            after={"scoring": after},
        )
        for stage in event.stages.exclude(results_version=0):
            results_moved(stage, entry.number, now)


def _refuse_fixed(event: Event) -> None:
    if event.stages.filter(number__gt=1, started_at__isnull=False).exists():
        raise Refusal(
            "scoring_fixed", _("Players qualified for the later stage by these points: they cannot be changed.")
        )
    if Round.objects.filter(stage__event=event, status=Round.Status.DRAFT).exists():
        raise Refusal("draft_pairings", _("Discard the draft pairings first: they depend on these points."))


def _completed(scoring: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
    """The scoring, with all three points if one is given.

    The missing ones are filled in from the current scheme, so that a later change of scheme cannot contradict them.
    """
    base = Rules() if stage.scheme in OWN_SCHEMES else scheme_of(stage.scheme).rules
    try:
        rules = read_scoring(scoring).rules(base)
    except SwissError as error:
        raise scoring_invalid(error.code, "") from error
    if not any(scoring.get(name) is not None for name in POINTS):
        return {name: value for name, value in scoring.items() if value is not None}
    worth = {name: number(Fraction(getattr(rules, name), rules.unit)) for name in POINTS}
    return worth | ({"floor": scoring["floor"]} if scoring.get("floor") is not None else {})


def tick_prize(*, entrant: Entrant, given: bool, by: User, now: datetime) -> None:
    """Tick an entrant's prize as handed out, with the units due now, or remove the tick. Idempotent.

    Raises Refusal `no_prize` if the entrant is not due a prize.
    """
    event = entrant.event
    units = {prize.entrant: prize.units for prize in prizes_of(event).prizes}.get(entrant.public_id, 0)
    with transaction.atomic():
        # Two people at the prize desk may tick the same prize at once.
        Entrant.objects.select_for_update().get(pk=entrant.pk)
        tick = PrizeTick.objects.filter(entrant=entrant).first()
        if given and tick is None:
            if not units:
                raise Refusal("no_prize", _("This entrant gets no prize."))
            tick = PrizeTick.objects.create(entrant=entrant, units=units, by=by, at=now)
            _record_tick(tick, {"units": units}, "prize.given", by, now)
        elif not given and tick is not None:
            _record_tick(tick, {"units": tick.units}, "prize.taken_back", by, now)
            tick.delete()


def tick_category_prize(*, category: PrizeCategory, entrant: Entrant, given: bool, by: User, now: datetime) -> None:
    """Tick the prize of a category as handed out to one of its winners, or remove the tick. Idempotent.

    Raises Refusal `no_prize` if the entrant does not win the category by the newest standings, or wins it by a faction
    that `by` cannot see.
    """
    awards = awards_for(category.event, by)
    wins = any(award.category.pk == category.pk and entrant.public_id in award.entrants for award in awards)
    with transaction.atomic():
        Entrant.objects.select_for_update().get(pk=entrant.pk)
        tick = CategoryTick.objects.filter(category=category, entrant=entrant).first()
        if given and tick is None:
            if not wins:
                raise Refusal("no_prize", _("This entrant gets no prize."))
            tick = CategoryTick.objects.create(category=category, entrant=entrant, by=by, at=now)
            _record_tick(tick, {"category": category.number}, "prize.given", by, now)
        elif not given and tick is not None:
            _record_tick(tick, {"category": category.number}, "prize.taken_back", by, now)
            tick.delete()


def _record_tick(tick: PrizeTick | CategoryTick, after: dict[str, int], code: str, by: User, now: datetime) -> None:
    ledger.record(
        chain=tick.entrant.event.public_id,
        actor=by.public_id,
        code=code,
        object=tick.entrant.public_id,
        now=now,
        after=after,
    )
