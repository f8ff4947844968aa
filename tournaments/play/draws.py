"""Seats a round of any structure: Swiss, pods, multiplayer tables, round robin or bracket.

`draw` picks the algorithm of `tournaments.swiss` that fits the stage, and numbers the tables in the same way for all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.events.models import Entrant, Stage
from tournaments.play.field import bracket_of, field_of, shown_matches
from tournaments.play.pairing_inputs import PairingInputs
from tournaments.swiss.bracket import NOBODY, to_seat
from tournaments.swiss.field import SwissError
from tournaments.swiss.pairing import ALGORITHM, Pairing, pair
from tournaments.swiss.pods import Pod, pair_pod
from tournaments.swiss.round_robin import round_robin
from tournaments.swiss.scoring import Scoring
from tournaments.swiss.seating import numbered
from tournaments.swiss.tables import seat_tables


@dataclass(frozen=True)
class Seated:
    """The players of one table (public ids, in the order of the seats), or a single player with a bye.

    `node` is the node of a bracket, `table` the number of the table (None for a bye), `bye` the kind of the bye.
    """

    ids: tuple[str, ...]
    node: str = ""
    table: int | None = None
    bye: str = "bye"


@dataclass(frozen=True)
class Draw:
    """A computed round: its tables with byes last, flags by player, cost by level, and how it was found.

    `certified` says whether the pairing is proven to be optimal. If multiplayer tables are not, `cost` also says how
    low its levels could be at the least, as `least_repeats` and `least_spread`.
    """

    tables: tuple[Seated, ...]
    algorithm: str = ALGORITHM
    flags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cost: Mapping[str, int] = field(default_factory=dict)
    certified: bool = True


def draw(stage: Stage, number: int, entrants: list[Entrant], seed: int, inputs: PairingInputs) -> Draw:
    """Compute round `number` (within the event) of a stage. Entrants with a fixed table sit there.

    Raises `SwissError`: `rounds_over` if the structure has no further round, `tables_short` if the hall has too few
    tables, or another code if the field cannot be seated.
    """
    if stage.kind == Stage.Kind.SWISS:
        drawn = _swiss(stage, number, entrants, seed, inputs)
    elif stage.kind == Stage.Kind.PODS:
        drawn = _pods(stage, number, entrants, seed, inputs.options.scoring)
    else:
        drawn = _DRAWS[stage.kind](stage, number, entrants, seed)
    return _at_tables(drawn, inputs.options.tables, inputs.places)


def _at_tables(drawn: Draw, fixed: Mapping[str, int], places: Sequence[int]) -> Draw:
    """Number the tables, and flag (`table_left`) each player who leaves a fixed table for an opponent's."""
    seated = [table for table in drawn.tables if len(table.ids) > 1]
    numbers, moved = numbered([table.ids for table in seated], fixed, places)
    tables = [replace(table, table=number) for table, number in zip(seated, numbers, strict=True)]
    flags = {**drawn.flags, **{player: (*drawn.flags.get(player, ()), "table_left") for player in moved}}
    return replace(drawn, tables=(*tables, *(table for table in drawn.tables if len(table.ids) == 1)), flags=flags)


def _byes_last(tables: Sequence[Seated]) -> tuple[Seated, ...]:
    return tuple(sorted(tables, key=lambda table: len(table.ids) == 1))


def _of_pairing(pairing: Pairing) -> list[Seated]:
    bye = [Seated((pairing.bye,))] if pairing.bye is not None else []
    awarded = [Seated((player,), bye=kind) for player, kind in pairing.awarded.items()]
    return [*(Seated(ids) for ids in pairing.pairs), *bye, *awarded]


def _swiss(stage: Stage, number: int, entrants: list[Entrant], seed: int, inputs: PairingInputs) -> Draw:
    known = inputs.on(field_of(stage, before=number, entrants=entrants))
    # Fixed tables are left to `_at_tables`, which handles them for every structure.
    asked = replace(inputs.options, tables={})
    found = pair(known, seed=seed, forbidden=inputs.forbidden, options=asked)
    return Draw(tuple(_of_pairing(found)), found.version, found.flags, dict(found.cost), found.certified)


def _pods(stage: Stage, number: int, entrants: list[Entrant], seed: int, scoring: Scoring) -> Draw:
    """Pair each pod by itself. In a pod with one player left, that player has a bye."""
    tables: list[Seated] = []
    flags: dict[str, Sequence[str]] = {}
    cost: dict[str, int] = {}
    certified = True
    for pod in pods_of(stage):
        known = field_of(stage, before=number, entrants=entrants, among=set(pod.players))
        # Everybody of this pod has dropped.
        if not known.live():
            continue
        found = pair_pod(pod, known, seed=seed, scoring=scoring)
        tables += _of_pairing(found)
        flags |= found.flags
        # Levels that only some of the pods report are kept.
        cost = {level: cost.get(level, 0) + value for level, value in {**dict.fromkeys(cost, 0), **found.cost}.items()}
        certified = certified and found.certified
    return Draw(_byes_last(tables), f"pods-{ALGORITHM}", flags, cost, certified)


def pods_of(stage: Stage) -> tuple[Pod, ...]:
    """The draft pods of a started stage, with their players in the order of the seats."""
    pods: dict[int, list[str]] = {}
    entries = stage.entries.exclude(pod=None).order_by("pod", "place")
    for number, public_id in entries.values_list("pod", "entrant__public_id"):
        pods.setdefault(number or 0, []).append(public_id)
    return tuple(Pod(tuple(players)) for players in pods.values())


def _tables(stage: Stage, number: int, entrants: list[Entrant], seed: int) -> Draw:
    # Players who dropped are not seated, but the tables they sat at still count as meetings of the others.
    points = {entrant.public_id: 0 for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    rounds: dict[int, list[list[str]]] = {}
    for match in shown_matches(stage, number):
        seats = list(match.seats.all()) if match.table is not None else []
        rounds.setdefault(match.round.number, []).append([seat.entrant.public_id for seat in seats])
        for seat in seats:
            if seat.entrant.public_id in points:
                points[seat.entrant.public_id] += seat.points or 0
    found = seat_tables(points, list(rounds.values()), seed=seed, usual=stage.table_size)
    tables = tuple(Seated(table) for table in found.tables)
    gap = {} if found.certified else {f"least_{level}": bound for level, bound in found.bound.items()}
    return Draw(tables, found.version, {}, {**found.cost, **gap}, certified=found.certified)


def _round_robin(stage: Stage, number: int, entrants: list[Entrant], seed: int) -> Draw:
    """Take the round from the schedule, which depends on the seeds alone. Opponents of dropped players have a bye."""
    rounds = round_robin([entrant.public_id for entrant in entrants], twice=stage.twice)
    if number - stage.first_round >= len(rounds):
        raise SwissError("rounds_over", "everybody has met everybody")
    here = {entrant.public_id for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    met = [tuple(player for player in pair_ if player in here) for pair_ in rounds[number - stage.first_round]]
    return Draw(_byes_last([Seated(ids) for ids in met if ids]), "round-robin-1")


def _bracket(stage: Stage, number: int, entrants: list[Entrant], seed: int) -> Draw:
    tables = []
    for slot in to_seat(bracket_of(stage).slots):
        here = (slot.winner,) if slot.state == "walkover" else (slot.a, slot.b)
        tables.append(Seated(tuple(player for player in here if player not in (None, NOBODY)), slot.node.id))
    if not tables:
        raise SwissError("rounds_over", "the bracket is over")
    return Draw(_byes_last(tables), "bracket-1")


_DRAWS: Mapping[str, Callable[[Stage, int, list[Entrant], int], Draw]] = {
    Stage.Kind.TABLES: _tables,
    Stage.Kind.ROUND_ROBIN: _round_robin,
    Stage.Kind.SINGLE_ELIMINATION: _bracket,
    Stage.Kind.DOUBLE_ELIMINATION: _bracket,
}
