"""Standings are computed from the results, never from an older table, by the scheme that the stage has."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.scoring import number, read_scoring, scoring_invalid
from tournaments.events.selectors import current_stage
from tournaments.play.field import OWN_SCHEMES, ranking, terms_of
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


def compute_standings(*, stage_id: int, now: datetime, progress: Progress = unseen) -> StandingsTable | None:
    """Compute and keep the table of the results' present version; None when it is kept already.

    The results are read at one version: when they move while they are read, nothing is kept and the newer version
    is read again (its own job waits in any case). `progress` ends this by an exception when the work is no more ours.
    """
    while True:
        progress(0)
        stage = Stage.objects.select_related("event").get(pk=stage_id)
        kept = StandingsTable.objects.filter(stage=stage, results_version=stage.results_version, scheme=stage.scheme)
        if kept.exists():
            return None
        rows = [row_as_json(row) for row in ranking(stage)]
        digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
        counted = rounds_closed(stage)
        progress(50)
        with transaction.atomic():
            if not Stage.objects.filter(
                pk=stage.pk, results_version=stage.results_version, scheme=stage.scheme
            ).exists():
                continue
            table, _made = StandingsTable.objects.get_or_create(
                stage=stage,
                round_number=counted,
                results_version=stage.results_version,
                scheme=stage.scheme,
                defaults={"rows": rows, "digest": digest, "terms": terms_of(stage.scheme), "computed_at": now},
            )
            return table


def row_as_json(row: Row | SwissRow) -> dict[str, Any]:
    """A row as JSON: won, lost and drawn without the byes, ratios as decimals of 12 digits and, exact, as fractions."""
    terms = row.terms
    return {
        "rank": row.rank,
        "entrant": row.player,
        "points": row.points if isinstance(row.points, int) else float(row.points),
        "record": list(row.record),
        "byes": row.byes,
        **{name: decimal(value) for name, value in terms.items()},
        "exact": {name: str(value) for name, value in terms.items()},
    }


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
