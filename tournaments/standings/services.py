"""Standings are computed from the results, never from an older table, by the scheme that the stage has."""

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
from tournaments.standings.models import PrizeTick, StandingsTable
from tournaments.standings.selectors import decimal, prizes_of
from tournaments.swiss.crosstable import Rules
from tournaments.swiss.field import SwissError
from tournaments.swiss.schemes import scheme_of
from tournaments.swiss.scoring import POINTS
from tournaments.swiss.standings import Row, SwissRow

QUICK = 100
"""Milliseconds: no rest is taken after a computation that took less."""
LONGEST_REST = 1_000
"""Milliseconds."""
LAST_KEPT = 10
"""Tables kept of a stage and scheme beside the last of each round, so that recent corrections can be compared."""
PRUNED_AT_MOST = 500


def compute_standings(*, stage_id: int, now: datetime, progress: Progress = unseen) -> StandingsTable | None:
    """Compute and keep the table of the results' present version; None when that version, or a newer one, is kept.

    The results are read in one snapshot and counted after it: results that arrive meanwhile neither wait nor keep this
    table from being kept; their own job follows. Where no row changes, as by the results of a round being played, the
    newest table is good for this version too. `progress` ends this by an exception when the work is no more ours.
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
    return _keep(fresh, started)


def _keep(fresh: StandingsTable, started: float) -> StandingsTable | None:
    """Keep a table, or say of the newest one that it is good for this version too; None when a newer one is kept."""
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
        return None  # another worker kept the table of this version at the same moment


def _newest(stage: Stage) -> StandingsTable | None:
    """The newest table of a stage by its scheme, its rows left in the database."""
    tables = StandingsTable.objects.filter(stage=stage, scheme=stage.scheme).defer("rows")
    return tables.order_by("-results_version", "-pk").first()


def _prolong(table: StandingsTable, fresh: StandingsTable, started: float) -> StandingsTable | None:
    table.results_version, table.computed_at = fresh.results_version, fresh.computed_at
    table.took = _milliseconds_since(started)
    older = StandingsTable.objects.filter(pk=table.pk, results_version__lt=fresh.results_version)
    changed = older.update(results_version=table.results_version, computed_at=table.computed_at, took=table.took)
    return table if changed else None


def _milliseconds_since(started: float) -> int:
    return round(1000 * (time.perf_counter() - started))


def _prune(stage: Stage) -> None:
    """Delete the tables of a stage that nothing needs: of each scheme the last of each round stay, and some recent."""
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
    """A row as JSON: won, lost and drawn without the byes, ratios as decimals of 12 digits and, exact, as fractions."""
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


def rested_at(stage_id: int) -> datetime | None:
    """When a worker may compute the standings of a stage again: after a rest as long as the last computation took.

    So a stream of results leaves a worker at least half of its time for other jobs. None where that was quick.
    """
    last = StandingsTable.objects.filter(stage=stage_id).order_by("-computed_at").values_list("computed_at", "took")
    computed_at, took = last.first() or (None, 0)
    if computed_at is None or took < QUICK:
        return None
    return computed_at + timedelta(milliseconds=took + min(took, LONGEST_REST))


def choose_scheme(*, event: Event, scheme: str, by: User, now: datetime) -> None:
    """Order the standings of the stage being played by a scheme, or by a list of tiebreaks. Twice is once.

    What was computed by another scheme is kept; the standings are computed again by this one.
    """
    try:
        chosen = scheme_of(scheme.strip()).name
    except SwissError as error:
        raise InvalidInput(
            "scheme_unknown",
            _("There is no such scheme, or a tiebreak of the list is unknown."),
            details=[error.message],
        ) from error
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status in (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        stage = current_stage(event)
        before = stage.scheme
        if before in OWN_SCHEMES:
            raise Refusal("scheme_fixed", _("The standings of this structure have an order of their own."))
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
        if stage.results_version:
            jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)


def choose_scoring(*, event: Event, scoring: Mapping[str, Any], by: User, now: datetime) -> None:
    """Choose what a win, a draw and a loss are worth and the floor of percentages; what is left out is the scheme's.

    The standings are counted again; rounds that are paired stay as they are. Refused once a later stage has started,
    for its players came by the points of before, and while pairings are a draft. Twice is once.
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
        raise Refusal("scoring_fixed", _("Players came into the later stage by these points: they cannot be changed."))
    if Round.objects.filter(stage__event=event, status=Round.Status.DRAFT).exists():
        raise Refusal("draft_pairings", _("Throw the draft pairings away first: they stand on these points."))


def _completed(scoring: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
    """The scoring with all three points where one is said, so that no other scheme ever contradicts it."""
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
    """Tick an entrant's prize as handed out, with the units that are due now, or take the tick back. Twice is once."""
    event = entrant.event
    units = {prize.entrant: prize.units for prize in prizes_of(event).prizes}.get(entrant.public_id, 0)
    with transaction.atomic():
        Entrant.objects.select_for_update().get(pk=entrant.pk)
        tick = PrizeTick.objects.filter(entrant=entrant).first()
        if given and tick is None:
            if not units:
                raise Refusal("no_prize", _("No prize is due to this entrant."))
            tick = PrizeTick.objects.create(entrant=entrant, units=units, by=by, at=now)
            _record_tick(tick, "prize.given", by, now)
        elif not given and tick is not None:
            _record_tick(tick, "prize.taken_back", by, now)
            tick.delete()


def _record_tick(tick: PrizeTick, code: str, by: User, now: datetime) -> None:
    ledger.record(
        chain=tick.entrant.event.public_id,
        actor=by.public_id,
        code=code,
        object=tick.entrant.public_id,
        now=now,
        after={"units": tick.units},
    )
