"""The one bridge between the tables of an event and the pure arithmetic of `tournaments.swiss`."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from tournaments.events.models import Entrant, Stage
from tournaments.events.scoring import read_scoring
from tournaments.play.models import Match, Round, Seat
from tournaments.swiss import multiplayer
from tournaments.swiss.bracket import (
    NOBODY,
    Bracket,
    Played,
    Slot,
    double_elimination,
    is_over,
    places,
    read,
    single_elimination,
)
from tournaments.swiss.cut import Placed
from tournaments.swiss.field import DRAW, LOSS, WIN, Field, Player
from tournaments.swiss.field import Match as SwissMatch
from tournaments.swiss.schemes import scheme_of
from tournaments.swiss.scoring import Scoring
from tournaments.swiss.standings import Figure, Row, SwissRow, standings, whole
from tournaments.swiss.tables import FULL_POINTS

# The orders that structures have of their own, with their terms after the points; nobody chooses them.
OWN_SCHEMES: Mapping[str, tuple[str, ...]] = {"multiplayer": multiplayer.TERMS[1:], "bracket": ()}


def terms_of(scheme: str) -> tuple[str, ...]:
    """The terms of a scheme after the points, in the order in which they break ties."""
    return OWN_SCHEMES[scheme] if scheme in OWN_SCHEMES else scheme_of(scheme).terms


def worth_of(stage: Stage) -> Scoring:
    """What a win, a draw and a loss of a stage are worth, by its event and its scheme; None where they are 3, 1, 0."""
    own = read_scoring(stage.event.scoring)
    if stage.scheme in OWN_SCHEMES:
        return Scoring()
    rules = own.rules(scheme_of(stage.scheme).rules)
    worth = [Fraction(points, rules.unit) for points in (rules.win, rules.draw, rules.loss)]
    return Scoring() if worth == [WIN, DRAW, LOSS] else Scoring(*worth)


def field_of(
    stage: Stage,
    *,
    before: int | None = None,
    entrants: list[Entrant] | None = None,
    among: AbstractSet[str] | None = None,
    changed: Mapping[int, SwissMatch] | None = None,
    closed: bool = False,
) -> Field:
    """The entrants of a stage and the results that count of its published rounds before round `before`.

    A match whose result does not count yet is left out of its round; `closed` leaves out a round being played. `among`
    takes a part of the entrants, such as a pod, and the matches among them; `changed` puts other results in the place
    of matches, by their keys. Three queries, whatever the size.
    """
    if entrants is None:
        listed = list(entered(stage).values_list("public_id", "status"))
    else:
        listed = [(entrant.public_id, entrant.status) for entrant in entrants]
    players = tuple(
        Player(id=public_id, dropped=status == Entrant.Status.DROPPED)
        for public_id, status in listed
        if among is None or public_id in among
    )
    rounds: dict[int, list[SwissMatch]] = defaultdict(list)
    for number, key, match in _results(stage, before, closed=closed):
        results = rounds[number]  # a round without results is a round nonetheless
        if changed and key in changed:
            results.append(changed[key])
        elif match is not None and (among is None or set(match.seats) <= among):
            results.append(match)
    return Field(players, tuple(tuple(rounds[number]) for number in sorted(rounds)))


def _results(stage: Stage, before: int | None, *, closed: bool) -> Iterator[tuple[int, int, SwissMatch | None]]:
    """Round, key and result of each match of the published rounds, None where none counts: a plain row each."""
    matches = Match.objects.filter(round__stage=stage, round__status__in=_shown(closed=closed))
    if before is not None:
        matches = matches.filter(round__number__lt=before)
    seated = matches.annotate(
        first=FilteredRelation("seats", condition=Q(seats__number=1)),
        second=FilteredRelation("seats", condition=Q(seats__number=2)),
    )
    rows = seated.order_by("round__number", "pk").values_list(
        "round__number",
        "pk",
        "games_drawn",
        "disputed",
        "kind",
        "first__entrant__public_id",
        "first__games_won",
        "second__entrant__public_id",
        "second__games_won",
    )
    for number, key, drawn, disputed, kind, a, games_a, b, games_b in rows:
        if drawn is None or disputed:
            yield number, key, None
        else:
            yield number, key, SwissMatch(a, b, games_a or 0, games_b or 0, drawn, kind)


def _shown(*, closed: bool) -> tuple[Round.Status, ...]:
    """The states of the rounds that are read: those that are over, and where not `closed` the one being played."""
    return (Round.Status.CLOSED,) if closed else (Round.Status.PUBLISHED, Round.Status.CLOSED)


def shown_matches(stage: Stage, before: int | None = None, *, closed: bool = False) -> QuerySet[Match]:
    """The matches of a stage's published (or only its `closed`) rounds, before round `before` where that is given."""
    matches = Match.objects.filter(round__stage=stage, round__status__in=_shown(closed=closed))
    if before is not None:
        matches = matches.filter(round__number__lt=before)
    return matches.select_related("round__stage").prefetch_related("seats__entrant").order_by("round__number", "pk")


def entered(stage: Stage) -> QuerySet[Entrant]:
    """Who takes part in a stage: who came into it, or everybody who is neither waiting nor gone before the start."""
    entrants = stage.event.entrants.exclude(status=Entrant.Status.WAITING).exclude(dropped_after=0)
    if stage.entries.exists():
        return entrants.filter(stage_entries__stage=stage).order_by("stage_entries__seed")
    return entrants


def swiss_match(match: Match) -> SwissMatch:
    """A match of two seats or of one, as the arithmetic sees it."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    away = seats[1] if len(seats) > 1 else None
    return SwissMatch(
        a=seats[0].entrant.public_id,
        b=away.entrant.public_id if away else None,
        games_a=seats[0].games_won or 0,
        games_b=(away.games_won or 0) if away else 0,
        drawn=match.games_drawn or 0,
        kind=match.kind,
    )


def round_seed(stage: Stage, number: int, attempt: int = 0) -> int:
    """The pairing seed of a round, from the stage's: 52 bits, so that every client reads it exactly."""
    digest = hashlib.sha256(f"{stage.seed}/{stage.number}/{number}/{attempt}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 12


@dataclass(frozen=True)
class NodeMatch:
    """A match of a node: its public id, its table, the games that each player won, and what it is to the bracket."""

    public_id: str
    table: int | None
    games: Mapping[str, int | None]
    played: Played


@dataclass(frozen=True)
class BracketState:
    """A stage's bracket, its players by seed, every node as it stands, and the matches there are, by node."""

    bracket: Bracket
    seeds: tuple[str, ...]
    slots: dict[str, Slot]
    matches: dict[str, NodeMatch]


def bracket_of(stage: Stage, *, closed: bool = False) -> BracketState:
    """The bracket of a stage that has started, as its published (or only its `closed`) rounds left it."""
    entrants = list(entered(stage).values_list("public_id", "status"))
    seeds = tuple(player for player, _status in entrants)
    gone = {player for player, status in entrants if status == Entrant.Status.DROPPED}
    if stage.kind == Stage.Kind.DOUBLE_ELIMINATION:
        bracket = double_elimination(len(seeds), reset=stage.reset)
    else:
        bracket = single_elimination(len(seeds), third_place=stage.third_place)
    matches = dict(_node_matches(stage, closed=closed))
    played = {node: match.played for node, match in matches.items()}
    return BracketState(bracket, seeds, read(bracket, seeds, played, gone), matches)


def _node_matches(stage: Stage, *, closed: bool) -> Iterator[tuple[str, NodeMatch]]:
    seats = Seat.objects.filter(match__round__stage=stage, match__round__status__in=_shown(closed=closed))
    of_match = ("match__node", "match__public_id", "match__table", "match__games_drawn", "match__disputed")
    rows = seats.order_by("match__round__number", "match", "number").values_list(
        *of_match, "entrant__public_id", "games_won", "points"
    )
    for (node, public_id, table, drawn, disputed), group in groupby(rows, itemgetter(0, 1, 2, 3, 4)):
        sat = [row[5:] for row in group]
        counts = drawn is not None and not disputed
        winner = next((player for player, _games, points in sat if counts and points == 3), None)
        played = Played(sat[0][0], sat[1][0] if len(sat) > 1 else NOBODY, winner)
        yield node, NodeMatch(public_id, table, {player: games for player, games, _points in sat}, played)


def played_out(stage: Stage, last: Round | None) -> bool:
    """Whether the last round of a stage was its last: nothing is left of its bracket, or of the rounds planned."""
    if last is None:
        return False
    if stage.is_bracket:
        return last.status == Round.Status.CLOSED and is_over(bracket_of(stage).slots)
    return stage.rounds_planned is not None and last.of_stage >= stage.rounds_planned


class TableResults(NamedTuple):
    """Who takes part in a stage of tables of several (public ids), and the results of its rounds in order."""

    players: tuple[str, ...]
    rounds: tuple[tuple[multiplayer.Table, ...], ...]


@dataclass(frozen=True)
class Results:
    """What standings are computed from, by the structure of the stage, and who was disqualified (public ids)."""

    known: Field | BracketState | TableResults
    out: frozenset[str]


def results_of(
    stage: Stage,
    *,
    changed: Mapping[int, SwissMatch] | None = None,
    tables: Mapping[int, multiplayer.Table] | None = None,
) -> Results:
    """The results of a stage's closed rounds: all that its standings read. `changed` and `tables` as for `ranking`."""
    out = frozenset(stage.event.entrants.filter(disqualified=True).values_list("public_id", flat=True))
    if stage.is_bracket:
        return Results(bracket_of(stage, closed=True), out)
    if stage.is_tables:
        return Results(_table_results(stage, tables or {}), out)
    return Results(field_of(stage, changed=changed, closed=True), out)


def ranking(
    stage: Stage,
    results: Results | None = None,
    *,
    changed: Mapping[int, SwissMatch] | None = None,
    tables: Mapping[int, multiplayer.Table] | None = None,
) -> tuple[Row | SwissRow, ...]:
    """The standings of a stage by its structure, of its closed rounds; who was disqualified has no line.

    They are computed from `results` where these were read before. Otherwise they are read: `changed` as for `field_of`;
    `tables` puts other results in the place of those of tables of several, by their keys.
    """
    read = results or results_of(stage, changed=changed, tables=tables)
    if isinstance(read.known, BracketState):
        rows: Iterable[Row | SwissRow] = _bracket_rows(read.known)
    elif isinstance(read.known, Field):
        rows = standings(read.known, stage.scheme, seed=stage.seed, scoring=read_scoring(stage.event.scoring))
    else:
        rows = _table_rows(read.known)
    return closed_up([row for row in rows if row.player not in read.out]) if read.out else tuple(rows)


def closed_up(rows: list[Row | SwissRow]) -> tuple[Row | SwissRow, ...]:
    """The ranks moved up over those who are out; equals stay equal."""
    first: dict[int, int] = {}
    moved: list[Row | SwissRow] = []
    for place, row in enumerate(rows, 1):
        rank = first.setdefault(row.rank, place)
        moved.append(row._replace(rank=rank) if isinstance(row, SwissRow) else replace(row, rank=rank))
    return tuple(moved)


def placed(
    stage: Stage,
    *,
    changed: Mapping[int, SwissMatch] | None = None,
    tables: Mapping[int, multiplayer.Table] | None = None,
) -> list[Placed]:
    """Who is still there, with rank and points: from whom the next stage is cut. The next ranks move up.

    `changed` and `tables` as for `ranking`.
    """
    here = set(stage.event.entrants.filter(status=Entrant.Status.REGISTERED).values_list("public_id", flat=True))
    rows = ranking(stage, changed=changed, tables=tables)
    return [Placed(row.player, row.rank, row.points) for row in rows if row.player in here]


def _bracket_rows(now: BracketState) -> tuple[Row, ...]:
    """The places of a bracket; the points are 3 for each match won, a bye not counted."""
    won: defaultdict[str, int] = defaultdict(int)
    lost: defaultdict[str, int] = defaultdict(int)
    for slot in now.slots.values():
        if slot.state == "played":
            won[slot.winner or ""] += 1
            lost[slot.loser or ""] += 1
    return tuple(
        Row(rank, player, 3 * won[player], {}, (won[player], lost[player], 0))
        for rank, player in places(now.bracket, now.slots, now.seeds)
    )


def _table_results(stage: Stage, changed: Mapping[int, multiplayer.Table]) -> TableResults:
    rounds: dict[int, list[multiplayer.Table]] = defaultdict(list)
    for match in shown_matches(stage, closed=True):
        if match.has_result and match.table is not None:
            seats = match.seats.all()
            places = tuple(multiplayer.Place(seat.entrant.public_id, seat.score or 0, seat.rank) for seat in seats)
            rounds[match.round.number].append(changed.get(match.pk, places))
    players = tuple(entered(stage).values_list("public_id", flat=True))
    return TableResults(players, tuple(tuple(rounds[number]) for number in sorted(rounds)))


def _table_rows(results: TableResults) -> tuple[Row, ...]:
    """The standings of tables of several by `swiss.multiplayer`, a whole table counting as `FULL_POINTS`."""
    return tuple(in_points(row) for row in multiplayer.standings(results.players, results.rounds))


def in_points(row: Row) -> Row:
    """A line of tables of several with its rank points as points of the table."""
    first, *others = row.explain
    parts = tuple(replace(part, value=FULL_POINTS * part.value) for part in first.parts)
    opened = Figure("points", FULL_POINTS * first.value, first.how, parts)
    terms = {name: value for name, value in row.terms.items() if name != first.name}
    return replace(row, points=whole(opened.value), terms=terms, explain=(opened, *others))
