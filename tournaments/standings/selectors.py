"""Read-only queries for pages and the API: standings, final ranking, changes, explanations, prizes and TRF.

Standings come from the newest stored `StandingsTable`. A `Ranking`, which explains every figure, is computed from the
results instead.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, cast

from django.db.models import Case, When
from django.utils.translation import gettext as _

from tournaments.common import jobs
from tournaments.common.reading import read_once
from tournaments.common.refusals import Refusal
from tournaments.common.snapshots import snapshot
from tournaments.events.models import Event, Stage
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import stages_begun
from tournaments.play.field import ranking, results_of
from tournaments.play.models import Round, Seat
from tournaments.play.pairing_inputs import pairing_inputs_of
from tournaments.standings.changes import Moved, moved
from tournaments.standings.models import StandingsTable
from tournaments.standings.prizes import PrizeSheet, prize_sheet
from tournaments.swiss.exchange import written
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.formats import proposed_cut
from tournaments.swiss.standings import Row, SwissRow, decided_by
from tournaments.swiss.trf import Plan

VICTORY_SHARE = "victory_share"
DIGITS = 12  # after the decimal point
KEPT = 16
"""Rankings cached by each process. One is for one version of the results, so it never changes."""


@dataclass(frozen=True)
class ShownStandings:
    """The newest table of a stage (None before the first), and whether a newer one is still to be computed."""

    table: StandingsTable | None
    computing: bool

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows (see `services.row_as_json`), best first; empty until a round is closed."""
        return self.table.rows if self.table and self.round_number else []

    @property
    def round_number(self) -> int:
        """The number of rounds that the table counts: the closed ones."""
        return self.table.round_number if self.table else 0

    @property
    def terms(self) -> list[str]:
        """The names of the tiebreaks, in the order in which they decide.

        The share of the victory points is left out as long as nobody at the tables of the stage has any.
        """
        terms = self.table.terms if self.table else []
        if self.table is None or VICTORY_SHARE not in terms:
            return terms
        scored = Seat.objects.filter(match__round__stage=self.table.stage_id, score__gt=0).exists()
        return terms if scored else [term for term in terms if term != VICTORY_SHARE]


def stage_to_show(event: Event) -> Stage:
    """The stage whose standings are shown unless another is asked for: the newest with a closed round.

    Before the first one is closed, the current stage. A later stage without results would be an empty page.
    """
    stages = stages_begun(event)
    if len(stages) == 1:
        return stages[0]
    counted = set(Round.objects.filter(stage__in=stages, status=Round.Status.CLOSED).values_list("stage", flat=True))
    return next((stage for stage in reversed(stages) if stage.pk in counted), stages[-1])


def standings_of(stage: Stage) -> ShownStandings:
    """The newest standings of a stage: by its scheme, or by the previous scheme until they are computed."""
    version, scheme = Stage.objects.values_list("results_version", "scheme").get(pk=stage.pk)
    table = StandingsTable.objects.filter(stage=stage).order_by(_of(scheme), "-results_version", "-pk").first()
    if table is None:
        return ShownStandings(None, computing=version > 0)
    return ShownStandings(table, computing=(version, scheme) != (table.results_version, table.scheme))


def _of(scheme: str) -> Case:
    """An ordering that puts the tables of a scheme first."""
    return Case(When(scheme=scheme, then=0), default=1)


def final_rows(event: Event) -> list[dict[str, Any]]:
    """One ranking of all entrants, best first, from the newest tables of all stages (see `in_final_order`).

    A request that asks several times gets the same list each time: do not change it.
    """
    return read_once(("final rows", event.pk), lambda: _final_rows(event))


def _final_rows(event: Event) -> list[dict[str, Any]]:
    stages = list(event.stages.order_by("number"))
    return in_final_order([standings_of(stage).rows for stage in stages], seeded=seeded(stages))


def seeded(stages: Iterable[Stage]) -> set[int]:
    """The numbers of the stages seeded by the stage before. The rows of these brackets list equal ranks by seed."""
    return {stage.number for stage in stages if stage.is_bracket and stage.number > 1}


def in_final_order(
    tables: Sequence[Sequence[Mapping[str, Any]]], *, seeded: Collection[int] = ()
) -> list[dict[str, Any]]:
    """Merge the tables of an event's stages into one ranking. Players of a later stage rank above those left behind.

    Players who share a rank in a later stage are ordered by seed (the order of the rows) if the stage is in `seeded`,
    else by their rank in the stages before. For example, the losers of the quarter-finals rank 5 to 8 by their seeds.

    Each row has `entrant`, `rank`, the number of the `stage` that gave the rank (from 1), and `points`, `record` and
    `byes` as in the first stage.
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
    """Rank rows from `after` + 1 on. Neighbors with equal keys share a rank."""
    out: list[dict[str, Any]] = []
    rank, shared = 0, None
    for place, (key, row) in enumerate(rows, after + 1):
        if key != shared:
            rank, shared = place, key
        out.append({**row, "rank": rank})
    return out


def prizes_of(event: Event) -> PrizeSheet:
    """The prize sheet of an event, by the newest standings. Disqualified entrants get nothing."""
    out = set(event.entrants.filter(disqualified=True).values_list("public_id", flat=True))
    rows = [row for row in final_rows(event) if row["entrant"] not in out]
    return prize_sheet(rows, read_procedures(event.procedures).prizes)


def computing_failed(stage: Stage) -> str:
    """The error of the stage's newest computation if it failed, else an empty string."""
    state = jobs.state_of("standings.compute", str(stage.pk))
    return state.error if state is not None and state.status == "failed" else ""


@dataclass(frozen=True)
class Changes:
    """What changed between two tables (perhaps the same one). `cut` is the number of places that qualify, or 0."""

    before: StandingsTable
    after: StandingsTable
    cut: int
    moved: list[Moved]


def changes_of(stage: Stage, *, since: int | None = None, cut: int | None = None) -> Changes | None:
    """What changed in the newest table compared with an earlier one; None if there is none to compare with.

    By default, the earlier table is the last one with other rows. With `since` it is the table for that version of the
    results, or the last one before it if that is no longer stored. `cut` is the number of places that qualify for the
    next stage; by default that stage's cut, or the cut proposed for this number of players.
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
    """The standings for one version of the results, with every figure explained (`row.explain`).

    `field` is None for tables of several players.
    """

    version: int
    scheme: str
    field: Field | None
    rows: tuple[Row | SwissRow, ...]

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The index in `rows` of each entrant, by public id."""
        return {row.player: place for place, row in enumerate(self.rows)}

    def neighbours(
        self, row: Row | SwissRow
    ) -> tuple[tuple[Row | SwissRow, str] | None, tuple[Row | SwissRow, str] | None]:
        """The nearest rows with a better and with a worse rank, each with the name of the figure that decides.

        Either is None if there is no such row.
        """
        at = self.place[row.player]
        ahead = (other for other in reversed(self.rows[:at]) if other.rank != row.rank)
        behind = (other for other in self.rows[at + 1 :] if other.rank != row.rank)
        return self._parted(row, next(ahead, None)), self._parted(row, next(behind, None))

    @staticmethod
    def _parted(row: Row | SwissRow, other: Row | SwissRow | None) -> tuple[Row | SwissRow, str] | None:
        name = decided_by(row, other) if other is not None else None
        return (other, name) if other is not None and name is not None else None


def ranking_of(stage: Stage) -> Ranking:
    """The explained standings for the results as they are now. Each process computes a version once."""
    version, scheme, seed = Stage.objects.values_list("results_version", "scheme", "seed").get(pk=stage.pk)
    return _ranking(stage.pk, version, scheme, seed)


# Version, scheme and seed are only the cache key. The stage is read again, so that it matches the results read with it.
@lru_cache(maxsize=KEPT)
def _ranking(stage_id: int, _version: int, _scheme: str, _seed: int) -> Ranking:
    with snapshot():
        stage = Stage.objects.select_related("event").get(pk=stage_id)
        results = results_of(stage)
    field = results.known if isinstance(results.known, Field) else None
    return Ranking(stage.results_version, stage.scheme, field, ranking(stage, results))


def decimal(value: Fraction) -> str:
    """A figure as a decimal with 12 digits, rounded half to even.

    Computed with integers: a float would lose digits.
    """
    scaled, left = divmod(value.numerator * 10**DIGITS, value.denominator)
    if 2 * left > value.denominator or (2 * left == value.denominator and scaled % 2):
        scaled += 1  # half-way goes to the even neighbor, as with `round`
    return f"{scaled // 10**DIGITS}.{scaled % 10**DIGITS:0{DIGITS}d}"


def trf_of(stage: Stage, names: Mapping[str, str], *, desk: bool = False) -> str:
    """The stage in TRF, with the ranks for the results as they are now. `names` are the names by public id.

    It says how many rounds are planned and who has dropped. For the desk it also has the byes awarded for the next
    round and the forbidden pairs, which are not public.

    Raises Refusal `no_trf` for brackets and tables of several players, and `too_many_players`.
    """
    ranking = ranking_of(stage)
    if ranking.field is None or stage.is_bracket:
        raise Refusal("no_trf", _("TRF can only hold matches of two players, in rounds that everybody plays."))
    headers = [("012", stage.event.name)]
    if stage.event.starts_at is not None:
        headers.append(("042", stage.event.starts_at.strftime("%Y/%m/%d")))
    plan = Plan(stage.rounds_planned)
    if desk:
        following = stage.first_round + len(ranking.field.rounds)
        inputs = pairing_inputs_of(stage, following, list(stage.event.entrants.all()))
        plan = Plan(stage.rounds_planned, inputs.options.awarded, inputs.forbidden)
    try:
        return written(ranking.field, names, cast("Sequence[SwissRow]", ranking.rows), headers, plan)
    except SwissError as error:
        raise Refusal("too_many_players", _("TRF has room for 9,999 players only.")) from error
