"""Computes the standings of a stage from its results, never from an older table."""

from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction

from tournaments.common.jobs import Progress, unseen
from tournaments.events.models import Stage
from tournaments.play.field import ranking
from tournaments.play.selectors import rounds_shown
from tournaments.standings.models import StandingsTable
from tournaments.swiss.standings import Row

DIGITS = 12


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
        rows = [_row(row) for row in ranking(stage)]
        progress(50)
        counted = rounds_shown(stage)
        with transaction.atomic():
            if not Stage.objects.filter(pk=stage.pk, results_version=stage.results_version).exists():
                continue
            table, _made = StandingsTable.objects.get_or_create(
                stage=stage,
                round_number=counted,
                results_version=stage.results_version,
                scheme=stage.scheme,
                defaults={"rows": rows, "computed_at": now},
            )
            return table


def _row(row: Row) -> dict[str, Any]:
    """A row as JSON: ratios as decimals of 12 digits and, exact, as fractions."""
    return {
        "rank": row.rank,
        "entrant": row.player,
        "points": row.points,
        "record": list(row.record),
        **{name: _decimal(value) for name, value in row.terms.items()},
        "exact": {name: str(value) for name, value in row.terms.items()},
    }


def _decimal(value: Fraction) -> str:
    scaled = round(value * 10**DIGITS)
    return f"{scaled // 10**DIGITS}.{scaled % 10**DIGITS:0{DIGITS}d}"
