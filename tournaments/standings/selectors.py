"""What pages and the API read of standings."""

from dataclasses import dataclass
from typing import Any

from tournaments.common import jobs
from tournaments.events.models import Stage
from tournaments.standings.models import StandingsTable


@dataclass(frozen=True)
class ShownStandings:
    """The newest table of a stage, and whether the results have moved since it was computed."""

    table: StandingsTable | None
    computing: bool

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rank, entrant (public id), points, record and tiebreaks, best first."""
        return self.table.rows if self.table else []


def standings_of(stage: Stage) -> ShownStandings:
    """The newest standings of a stage."""
    table = StandingsTable.objects.filter(stage=stage).order_by("-results_version", "-pk").first()
    version = Stage.objects.values_list("results_version", flat=True).get(pk=stage.pk)
    return ShownStandings(table, computing=version > (table.results_version if table else 0))


def computing_failed(stage: Stage) -> str:
    """Why the last computation failed, if it did and nothing newer is under way."""
    state = jobs.state_of("standings.compute", str(stage.pk))
    return state.error if state is not None and state.status == "failed" else ""
