"""One door from the structure of a stage to the arithmetic that seats its rounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.events.models import Entrant, Stage
from tournaments.play.field import bracket_of, field_of, shown_matches
from tournaments.play.wishes import Wishes
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
    """Who sits together, by public id in the order of the seats; one alone has a bye, of kind `bye`.

    `node` is a bracket's; `table` the number of the table, None for a bye.
    """

    ids: tuple[str, ...]
    node: str = ""
    table: int | None = None
    bye: str = "bye"


@dataclass(frozen=True)
class Draw:
    """A round before it is written: its tables, byes last, why they are so, what they cost, and how they were found."""

    tables: tuple[Seated, ...]
    algorithm: str = ALGORITHM
    flags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cost: Mapping[str, int] = field(default_factory=dict)
    certified: bool = True


def draw(stage: Stage, number: int, entrants: list[Entrant], seed: int, wishes: Wishes) -> Draw:
    """Seat round `number` of a stage, who needs a table at that table.

    Raises `SwissError` when the field cannot be seated, `rounds_over` at its end.
    """
    if stage.kind == Stage.Kind.SWISS:
        drawn = _swiss(stage, number, entrants, seed, wishes)
    elif stage.kind == Stage.Kind.PODS:
        drawn = _pods(stage, number, entrants, seed, wishes.options.scoring)
    else:
        drawn = _DRAWS[stage.kind](stage, number, entrants, seed)
    return _at_tables(drawn, wishes.options.tables, wishes.places)


def _at_tables(drawn: Draw, fixed: Mapping[str, int], places: Sequence[int]) -> Draw:
    """The same round with a number on every table, and a flag on who leaves a fixed table for another's."""
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


def _swiss(stage: Stage, number: int, entrants: list[Entrant], seed: int, wishes: Wishes) -> Draw:
    known = wishes.on(field_of(stage, before=number, entrants=entrants))
    asked = replace(wishes.options, tables={})  # tables are numbered for every structure alike
    found = pair(known, seed=seed, forbidden=wishes.forbidden, options=asked)
    return Draw(tuple(_of_pairing(found)), found.version, found.flags, dict(found.cost), found.certified)


def _pods(stage: Stage, number: int, entrants: list[Entrant], seed: int, scoring: Scoring) -> Draw:
    """Every pod by itself. A pod of which one player is left gives a bye."""
    tables: list[Seated] = []
    flags: dict[str, Sequence[str]] = {}
    cost: dict[str, int] = {}
    certified = True
    for pod in pods_of(stage):
        known = field_of(stage, before=number, entrants=entrants, among=set(pod.players))
        if not known.live():
            continue
        found = pair_pod(pod, known, seed=seed, scoring=scoring)
        tables += _of_pairing(found)
        flags |= found.flags
        cost = {level: cost.get(level, 0) + value for level, value in {**dict.fromkeys(cost, 0), **found.cost}.items()}
        certified = certified and found.certified
    return Draw(_byes_last(tables), f"pods-{ALGORITHM}", flags, cost, certified)


def pods_of(stage: Stage) -> tuple[Pod, ...]:
    """The draft pods of a stage that has started, seats in order."""
    pods: dict[int, list[str]] = {}
    for entry in stage.entries.exclude(pod=None).select_related("entrant").order_by("pod", "place"):
        pods.setdefault(entry.pod or 0, []).append(entry.entrant.public_id)
    return tuple(Pod(tuple(players)) for players in pods.values())


def _tables(stage: Stage, number: int, entrants: list[Entrant], seed: int) -> Draw:
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
    return Draw(tables, found.version, {}, dict(found.cost), certified=False)


def _round_robin(stage: Stage, number: int, entrants: list[Entrant], seed: int) -> Draw:
    """The rounds follow from the seeds alone. The opponent of who dropped has a bye."""
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
