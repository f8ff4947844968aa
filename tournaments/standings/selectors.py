"""What pages and the API read of standings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, cast

from django.db.models import Case, When
from django.utils.translation import gettext as _

from tournaments.common import jobs
from tournaments.common.refusals import Refusal
from tournaments.common.snapshots import snapshot
from tournaments.events.models import Event, Stage
from tournaments.events.procedures import read_procedures
from tournaments.play.field import ranking, results_of
from tournaments.standings.changes import Moved, moved
from tournaments.standings.models import StandingsTable
from tournaments.standings.prizes import PrizeSheet, prize_sheet
from tournaments.swiss.exchange import written
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.formats import proposed_cut
from tournaments.swiss.standings import Row, SwissRow, decided_by

DIGITS = 12
KEPT = 16
"""Rankings kept by a process for those who ask why: each is of one version, and never changes."""


@dataclass(frozen=True)
class ShownStandings:
    """The newest table of a stage, and whether the results have moved since it was computed."""

    table: StandingsTable | None
    computing: bool

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rank, entrant (public id), points, record, byes and tiebreaks, best first; none before a round is closed."""
        return self.table.rows if self.table and self.round_number else []

    @property
    def round_number(self) -> int:
        """How many rounds of the stage the table counts: those that are closed."""
        return self.table.round_number if self.table else 0

    @property
    def terms(self) -> list[str]:
        """The tiebreaks of the rows, in the order in which they decide."""
        return self.table.terms if self.table else []


def standings_of(stage: Stage) -> ShownStandings:
    """The newest standings of a stage by its scheme, or by an earlier one until these are computed."""
    version, scheme = Stage.objects.values_list("results_version", "scheme").get(pk=stage.pk)
    table = StandingsTable.objects.filter(stage=stage).order_by(_of(scheme), "-results_version", "-pk").first()
    if table is None:
        return ShownStandings(None, computing=version > 0)
    return ShownStandings(table, computing=(version, scheme) != (table.results_version, table.scheme))


def _of(scheme: str) -> Case:
    """Orders the tables of a scheme before all others."""
    return Case(When(scheme=scheme, then=0), default=1)


def final_rows(event: Event) -> list[dict[str, Any]]:
    """One ranking of everybody, best first, by the newest tables of all stages; see `in_final_order`."""
    stages = list(event.stages.order_by("number"))
    return in_final_order([standings_of(stage).rows for stage in stages], seeded=seeded(stages))


def seeded(stages: Iterable[Stage]) -> set[int]:
    """The stages, by number, whose players were seeded by the one before: brackets list equals by that seed."""
    return {stage.number for stage in stages if stage.is_bracket and stage.number > 1}


def in_final_order(
    tables: Sequence[Sequence[Mapping[str, Any]]], *, seeded: Collection[int] = ()
) -> list[dict[str, Any]]:
    """The tables of an event's stages as one: players who came into a later stage stand before those who did not.

    Those who share a rank of a `seeded` stage, such as the losers of the quarter-finals, stand by their seeds, the
    order of its rows; of another later stage, in the order of the stages before. Each row has the `rank`, the `stage`
    (from 1) that gave it, and what the first stage says of the entrant: `points`, `record` and `byes`.
    """
    found: list[dict[str, Any]] = []
    for number, rows in enumerate(tables, 1):
        before = {row["entrant"]: row for row in found}
        here = {row["entrant"] for row in rows}
        ahead = [
            ((row["rank"], place if number in seeded else before.get(row["entrant"], {}).get("rank", 0)), row)
            for place, row in enumerate(rows)
        ]
        ahead.sort(key=itemgetter(0))
        left = [((row["rank"],), row) for row in found if row["entrant"] not in here]
        placed = [(key, _final(before.get(row["entrant"], row)) | {"stage": number}) for key, row in ahead]
        found = _ranked(placed) + _ranked(left, after=len(placed))
    return found


def _final(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("entrant", "points", "record", "byes") if name in row}


def _ranked(rows: Iterable[tuple[object, Mapping[str, Any]]], after: int = 0) -> list[dict[str, Any]]:
    """The rows with a rank, shared by equal keys, from `after` + 1 on."""
    out: list[dict[str, Any]] = []
    rank, shared = 0, None
    for place, (key, row) in enumerate(rows, after + 1):
        if key != shared:
            rank, shared = place, key
        out.append({**row, "rank": rank})
    return out


def prizes_of(event: Event) -> PrizeSheet:
    """Who gets how many units of the prizes, by the newest standings; nobody who was disqualified."""
    out = set(event.entrants.filter(disqualified=True).values_list("public_id", flat=True))
    rows = [row for row in final_rows(event) if row["entrant"] not in out]
    return prize_sheet(rows, read_procedures(event.procedures).prizes)


def computing_failed(stage: Stage) -> str:
    """Why the last computation failed, if it did and nothing newer is under way."""
    state = jobs.state_of("standings.compute", str(stage.pk))
    return state.error if state is not None and state.status == "failed" else ""


@dataclass(frozen=True)
class Changes:
    """What changed between two tables, which may be one. `cut` is the line that counts as crossed, 0 for none."""

    before: StandingsTable
    after: StandingsTable
    cut: int
    moved: list[Moved]


def changes_of(stage: Stage, *, since: int | None = None, cut: int | None = None) -> Changes | None:
    """What the newest table changed since the last that said something else, or since that of version `since`.

    Where no table of that version is kept, the last one before it is taken.
    `cut` is how many places lead on; left out, those of the next stage, or as proposed for so many players. None while
    there is no table to compare with.
    """
    after = standings_of(stage).table
    if after is None:
        return None
    tables = StandingsTable.objects.filter(stage=stage, scheme=after.scheme)
    if since is None:
        older = tables.filter(results_version__lt=after.first_version).exclude(digest=after.digest)
    else:
        older = tables.filter(first_version__lte=since)
    before = older.order_by("-results_version", "-pk").first()
    if before is None:
        return None
    line = _cut_after(stage, len(after.rows)) if cut is None else cut
    return Changes(before, after, line, moved(before.rows, after.rows, cut=line))


def _cut_after(stage: Stage, players: int) -> int:
    later = Stage.objects.filter(event_id=stage.event_id, number=stage.number + 1).values_list("cut_top", flat=True)
    return later.first() or proposed_cut(players)


@dataclass(frozen=True)
class Ranking:
    """The standings of one version of the results, every figure of which opens. Tables of several are no `field`."""

    version: int
    scheme: str
    field: Field | None
    rows: tuple[Row | SwissRow, ...]

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Where each entrant (public id) stands in `rows`."""
        return {row.player: place for place, row in enumerate(self.rows)}

    def neighbours(
        self, row: Row | SwissRow
    ) -> tuple[tuple[Row | SwissRow, str] | None, tuple[Row | SwissRow, str] | None]:
        """The nearest rows of a better and of a worse rank, each with the figure that parts them."""
        at = self.place[row.player]
        ahead = (other for other in reversed(self.rows[:at]) if other.rank != row.rank)
        behind = (other for other in self.rows[at + 1 :] if other.rank != row.rank)
        return self._parted(row, next(ahead, None)), self._parted(row, next(behind, None))

    @staticmethod
    def _parted(row: Row | SwissRow, other: Row | SwissRow | None) -> tuple[Row | SwissRow, str] | None:
        name = decided_by(row, other) if other is not None else None
        return (other, name) if other is not None and name is not None else None


def ranking_of(stage: Stage) -> Ranking:
    """The standings of the results as they are now. A process computes each version once."""
    version, scheme, seed = Stage.objects.values_list("results_version", "scheme", "seed").get(pk=stage.pk)
    return _ranking(stage.pk, version, scheme, seed)


@lru_cache(maxsize=KEPT)
def _ranking(stage_id: int, _version: int, _scheme: str, _seed: int) -> Ranking:
    with snapshot():
        stage = Stage.objects.select_related("event").get(pk=stage_id)
        results = results_of(stage)
    field = results.known if isinstance(results.known, Field) else None
    return Ranking(stage.results_version, stage.scheme, field, ranking(stage, results))


def decimal(value: Fraction) -> str:
    """A figure as a decimal of 12 digits."""
    scaled, left = divmod(value.numerator * 10**DIGITS, value.denominator)
    if 2 * left > value.denominator or (2 * left == value.denominator and scaled % 2):
        scaled += 1  # as `round` does: what lies half-way goes to the even neighbour
    return f"{scaled // 10**DIGITS}.{scaled % 10**DIGITS:0{DIGITS}d}"


def trf_of(stage: Stage, names: Mapping[str, str]) -> str:
    """The stage in TRF16, with the ranks of the results as they are now. Raises `Refusal` `too_many_players`."""
    ranking = ranking_of(stage)
    if ranking.field is None or stage.is_bracket:
        raise Refusal("no_trf", _("TRF holds matches of two, in rounds that everybody plays."))
    headers = [("012", stage.event.name)]
    if stage.event.starts_at is not None:
        headers.append(("042", stage.event.starts_at.strftime("%Y/%m/%d")))
    try:
        return written(ranking.field, names, cast("Sequence[SwissRow]", ranking.rows), headers)
    except SwissError as error:
        raise Refusal("too_many_players", _("TRF has room for 9,999 players only.")) from error
