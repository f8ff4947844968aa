"""The bridge between the database tables of an event and the pure arithmetic of `tournaments.swiss`.

Reads results into the types of that package, and computes rankings from them. Nothing is written here.
"""

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
from tournaments.play.boards import boards_played
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
from tournaments.swiss.round_robin import round_robin
from tournaments.swiss.schemes import scheme_of
from tournaments.swiss.scoring import Scoring
from tournaments.swiss.standings import Figure, Row, SwissRow, standings, whole
from tournaments.swiss.tables import FULL_POINTS

# Schemes that belong to a structure, with their terms after the points. Organizers cannot choose them.
OWN_SCHEMES: Mapping[str, tuple[str, ...]] = {"multiplayer": multiplayer.TERMS[1:], "bracket": ()}


def terms_of(scheme: str) -> tuple[str, ...]:
    """The terms of a scheme after the points, in the order in which they break ties."""
    return OWN_SCHEMES[scheme] if scheme in OWN_SCHEMES else scheme_of(scheme).terms


def worth_of(stage: Stage) -> Scoring:
    """What a win, a draw and a loss are worth in a stage, by its event and scheme.

    Returns an empty `Scoring` where they are worth 3, 1 and 0.
    """
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
    """The entrants of a stage, and the results that count of its published rounds.

    - `before`: only rounds with a lower number
    - `entrants`: the entrants of the stage, if they were already read
    - `among`: only these entrants (public ids), such as a pod, and the matches between them
    - `changed`: results to use instead of those of matches, by the key of the match
    - `closed`: leave out a round that is still being played

    A match whose result does not count yet is left out of its round. Three queries, whatever the size of the
    field; one more for team matches.
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
        # Looked up before the test below: a round without results is still a round of the field.
        results = rounds[number]
        if changed and key in changed:
            results.append(changed[key])
        elif match is not None and (among is None or set(match.seats) <= among):
            results.append(match)
    return Field(players, tuple(tuple(rounds[number]) for number in sorted(rounds)))


def _results(stage: Stage, before: int | None, *, closed: bool) -> Iterator[tuple[int, int, SwissMatch | None]]:
    """Yield the round, key and result of each match of the published rounds; None if no result counts yet.

    Plain rows are read instead of models, since a large field has thousands of matches.
    """
    matches = Match.objects.filter(round__stage=stage, round__status__in=_shown(closed=closed))
    if before is not None:
        matches = matches.filter(round__number__lt=before)
    seated = matches.annotate(
        first=FilteredRelation("seats", condition=Q(seats__number=1)),
        second=FilteredRelation("seats", condition=Q(seats__number=2)),
    )
    boards = boards_played(matches) if stage.event.has_boards else {}
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
            yield number, key, SwissMatch(a, b, games_a or 0, games_b or 0, drawn, kind, boards.get(key, ()))


def _shown(*, closed: bool) -> tuple[Round.Status, ...]:
    """The states of the rounds that are read: closed ones, and unless `closed` also the one being played."""
    return (Round.Status.CLOSED,) if closed else (Round.Status.PUBLISHED, Round.Status.CLOSED)


def shown_matches(stage: Stage, before: int | None = None, *, closed: bool = False) -> QuerySet[Match]:
    """The matches of a stage's published (or only its `closed`) rounds, before round `before` if given."""
    matches = Match.objects.filter(round__stage=stage, round__status__in=_shown(closed=closed))
    if before is not None:
        matches = matches.filter(round__number__lt=before)
    return matches.select_related("round__stage").prefetch_related("seats__entrant").order_by("round__number", "pk")


def entered(stage: Stage) -> QuerySet[Entrant]:
    """The entrants of a stage, by seed if the stage has entries.

    Without entries (the first Swiss stage), everybody who is not on the waiting list and did not drop before the start.
    """
    entrants = stage.event.entrants.exclude(status=Entrant.Status.WAITING).exclude(dropped_after=0)
    if stage.entries.exists():
        return entrants.filter(stage_entries__stage=stage).order_by("stage_entries__seed")
    return entrants


def swiss_match(match: Match) -> SwissMatch:
    """A match with one or two seats in the form that `tournaments.swiss` uses."""
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
    """The pairing seed of a round, derived from the stage's seed: a number of 52 bits.

    `attempt` counts the seeds used up by earlier drafts of the round (`selectors.seeds_used`).
    """
    digest = hashlib.sha256(f"{stage.seed}/{stage.number}/{number}/{attempt}".encode()).digest()
    # JSON numbers are doubles for many clients, which are exact only up to 53 bits.
    return int.from_bytes(digest[:8], "big") >> 12


@dataclass(frozen=True)
class NodeMatch:
    """The match of a bracket node: public id, table, games won by each player, and the form the bracket reads."""

    public_id: str
    table: int | None
    games: Mapping[str, int | None]
    played: Played


@dataclass(frozen=True)
class BracketState:
    """A stage's bracket as it stands: players by seed, every node, and the existing matches by node."""

    bracket: Bracket
    seeds: tuple[str, ...]
    slots: dict[str, Slot]
    matches: dict[str, NodeMatch]


def bracket_of(stage: Stage, *, closed: bool = False) -> BracketState:
    """The bracket of a started stage, as its published (or only its `closed`) rounds left it."""
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
        # In a bracket a match that counts always has a winner, who has 3 points.
        winner = next((player for player, _games, points in sat if counts and points == 3), None)
        played = Played(sat[0][0], sat[1][0] if len(sat) > 1 else NOBODY, winner)
        yield node, NodeMatch(public_id, table, {player: games for player, games, _points in sat}, played)


def played_out(stage: Stage, last: Round | None) -> bool:
    """Whether `last` was the last round of its stage; that of a bracket has to be closed.

    True once a bracket is decided, all planned rounds are paired, or nobody is left in a round robin who has still to
    meet somebody.
    """
    return last is not None and (last.status == Round.Status.CLOSED or not stage.is_bracket) and is_decided(stage, last)


def is_decided(stage: Stage, last: Round | None) -> bool:
    """Whether nothing is left to play in a started stage after round `last` (None before the first), open or closed.

    The results that count are enough: a grand final that the undefeated player has won leaves nothing to play.
    """
    if stage.is_bracket:
        return is_over(bracket_of(stage).slots)
    paired = last.of_stage if last is not None else 0
    if stage.kind == Stage.Kind.ROUND_ROBIN and not meetings_left(stage, paired):
        return True
    return stage.rounds_planned is not None and paired >= stage.rounds_planned


def meetings_left(stage: Stage, paired: int) -> bool:
    """Whether two players who are still here meet in a round robin after its first `paired` rounds."""
    entrants = list(entered(stage).values_list("public_id", "status"))
    here = {player for player, status in entrants if status == Entrant.Status.REGISTERED}
    rounds = round_robin([player for player, _status in entrants], twice=stage.twice)
    return any({a, b} <= here for pairs in rounds[paired:] for a, b in pairs)


def players_left(stage: Stage) -> int:
    """The number of entrants of a started stage who have not dropped."""
    return entered(stage).filter(status=Entrant.Status.REGISTERED).count()


class TableResults(NamedTuple):
    """The players (public ids) of a stage of multiplayer tables, and the results of its rounds in order."""

    players: tuple[str, ...]
    rounds: tuple[tuple[multiplayer.Table, ...], ...]


@dataclass(frozen=True)
class Results:
    """What standings are computed from, by the structure of the stage; `out` holds the disqualified (public ids)."""

    known: Field | BracketState | TableResults
    out: frozenset[str]


def results_of(
    stage: Stage,
    *,
    changed: Mapping[int, SwissMatch] | None = None,
    tables: Mapping[int, multiplayer.Table] | None = None,
) -> Results:
    """The results of a stage's closed rounds: all that its standings need.

    `changed` and `tables` are as for `ranking`.
    """
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
    """The standings of a stage, computed from its closed rounds. Disqualified players have no row.

    - `results`: what was already read with `results_of`; otherwise it is read
    - `changed`: other results for matches of two, as for `field_of`
    - `tables`: other results for multiplayer tables, by the key of the match

    Example, the standings as they would be with another result:

        ranking(stage, changed={match.pk: SwissMatch("P1", "P2", 0, 2, 0, "played")})
    """
    read = results or results_of(stage, changed=changed, tables=tables)
    if isinstance(read.known, BracketState):
        rows: Iterable[Row | SwissRow] = _bracket_rows(read.known)
    elif isinstance(read.known, Field):
        rows = standings(read.known, stage.scheme, seed=stage.seed, scoring=read_scoring(stage.event.scoring))
    else:
        rows = _table_rows(read.known)
    return reranked([row for row in rows if row.player not in read.out]) if read.out else tuple(rows)


def reranked(rows: list[Row | SwissRow]) -> tuple[Row | SwissRow, ...]:
    """Move ranks up over players who were removed from the rows; equal ranks stay equal."""
    first: dict[int, int] = {}
    moved: list[Row | SwissRow] = []
    for place, row in enumerate(rows, 1):
        # The first row of an old rank sets the new rank for all of its equals.
        rank = first.setdefault(row.rank, place)
        moved.append(row._replace(rank=rank) if isinstance(row, SwissRow) else replace(row, rank=rank))
    return tuple(moved)


def placed(
    stage: Stage,
    *,
    changed: Mapping[int, SwissMatch] | None = None,
    tables: Mapping[int, multiplayer.Table] | None = None,
) -> list[Placed]:
    """The players still in the event, with rank and points: the candidates for the next stage.

    Players who dropped are left out, so the next ranks move up when the cut is made. `changed` and `tables` are as for
    `ranking`.
    """
    # Standings keep players who dropped, but the cut must pass them over.
    here = set(stage.event.entrants.filter(status=Entrant.Status.REGISTERED).values_list("public_id", flat=True))
    rows = ranking(stage, changed=changed, tables=tables)
    return [Placed(row.player, row.rank, row.points) for row in rows if row.player in here]


def _bracket_rows(now: BracketState) -> tuple[Row, ...]:
    """The standings of a bracket, with 3 points for each match won; byes do not count."""
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
    """The standings of multiplayer tables, with a whole table counted as `FULL_POINTS`."""
    return tuple(in_points(row) for row in multiplayer.standings(results.players, results.rounds))


def in_points(row: Row) -> Row:
    """A row of multiplayer standings with its rank points converted to the points of the table."""
    first, *others = row.explain
    parts = tuple(replace(part, value=FULL_POINTS * part.value) for part in first.parts)
    opened = Figure("points", FULL_POINTS * first.value, first.how, parts)
    terms = {name: value for name, value in row.terms.items() if name != first.name}
    return replace(row, points=whole(opened.value), terms=terms, explain=(opened, *others))
