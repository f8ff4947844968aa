"""What is drawn of a stage: its bracket, its cross table, its draft pods."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.events.models import Entrant, Stage
from tournaments.play.draws import pods_of
from tournaments.play.field import BracketState, bracket_of, shown_matches
from tournaments.play.models import Match
from tournaments.swiss.bracket import NOBODY, Slot
from tournaments.web.words import score_words


@dataclass(frozen=True)
class Side:
    """One of the two at a place of a bracket. `name` is empty while nobody is known."""

    name: str
    seed: int | None
    won: bool
    games: int | None
    mine: bool
    nobody: bool


@dataclass(frozen=True)
class Place:
    """A place of a bracket as it is drawn."""

    id: str
    sides: tuple[Side, Side]
    match: Match | None


@dataclass(frozen=True)
class Column:
    """The places of one round of a part of a bracket, from top to bottom."""

    title: str
    places: list[Place]


@dataclass(frozen=True)
class Part:
    """A part of a bracket: the winners', the losers', the finals. `title` is empty where there is only one."""

    title: str
    columns: list[Column]


def parts_of(stage: Stage, entrants: Mapping[str, Entrant], mine: Collection[Entrant]) -> list[Part]:
    """A bracket as it is drawn, round after round. `entrants` are those of the event by public id."""
    now = bracket_of(stage)
    columns: dict[tuple[str, int], list[Slot]] = {}
    for slot in now.slots.values():
        part = slot.node.id[0]
        if _is_drawn(now, slot):
            columns.setdefault((part, slot.node.round), []).append(slot)
    sizes = Counter(slot.node.round for slot in now.slots.values() if slot.node.id.startswith("W"))
    parts: dict[str, list[Column]] = {}
    for (part, round_), slots in sorted(columns.items(), key=lambda column: "WLFT".index(column[0][0])):
        places = [_place(now, slot, entrants, mine) for slot in slots]
        parts.setdefault(part, []).append(Column(_title(slots[0], sizes[round_], stage), places))
    names = {"W": _("Winners' bracket"), "L": _("Losers' bracket"), "F": _("Grand final"), "T": _("Third place")}
    alone = len(parts) == 1
    return [Part("" if alone else names[part], found) for part, found in parts.items()]


def _is_drawn(now: BracketState, slot: Slot) -> bool:
    """Places that nobody can come to are left out, but for the byes of the first round."""
    if slot.state == "empty":
        return False
    return slot.node.round == 1 or NOBODY not in (slot.a, slot.b) or slot.node.id in now.matches


def _title(slot: Slot, places: int, stage: Stage) -> str:
    part, number = slot.node.id[0], slot.node.id[1:].split(".")[0]
    if part == "F":
        return _("Grand final") if number == "1" else _("Grand final, again")
    if part == "T":
        return _("Third place")
    if part == "L":
        return _("Losers' round %(number)s") % {"number": number}
    if stage.kind == Stage.Kind.DOUBLE_ELIMINATION:
        return _("Round %(number)s") % {"number": number}
    names = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return names.get(places) or _("Last %(players)d") % {"players": 2 * places}


def _place(now: BracketState, slot: Slot, entrants: Mapping[str, Entrant], mine: Collection[Entrant]) -> Place:
    match = now.matches.get(slot.node.id)
    games = {seat.entrant.public_id: seat.games_won for seat in match.seats.all()} if match else {}
    first, second = (_side(now, slot, player, games, entrants, mine) for player in (slot.a, slot.b))
    return Place(slot.node.id, (first, second), match)


def _side(
    now: BracketState,
    slot: Slot,
    player: str | None,
    games: Mapping[str, int | None],
    entrants: Mapping[str, Entrant],
    mine: Collection[Entrant],
) -> Side:
    if not player:
        return Side("", None, False, None, False, nobody=player == NOBODY)
    entrant = entrants[player]
    played = slot.state == "played"
    return Side(
        entrant.name,
        now.seeds.index(player) + 1,
        slot.winner == player,
        games.get(player) if played else None,
        entrant in mine,
        nobody=False,
    )


@dataclass(frozen=True)
class Cell:
    """What a row's player came to against a column's: the scores, each with its match; `own` is the diagonal."""

    own: bool
    results: list[tuple[str, Match]]


@dataclass(frozen=True)
class CrossRow:
    """A player of a round robin with the results against each of the others."""

    seed: int
    entrant: Entrant
    cells: list[Cell]
    points: int


def cross_table(stage: Stage, entrants: Mapping[str, Entrant]) -> list[CrossRow]:
    """A round robin as a table: who did what against whom."""
    order = list(stage.entries.order_by("seed").values_list("entrant__public_id", flat=True))
    results: dict[tuple[str, str], list[tuple[str, Match]]] = {}
    points: Counter[str] = Counter()
    for match in shown_matches(stage):
        seats = sorted(match.seats.all(), key=lambda seat: seat.number)
        if not match.has_result:
            continue
        points.update({seat.entrant.public_id: seat.points or 0 for seat in seats})
        if len(seats) == 2:
            first, second = seats
            won = (first.games_won or 0, second.games_won or 0)
            drawn = match.games_drawn or 0
            ids = first.entrant.public_id, second.entrant.public_id
            results.setdefault(ids, []).append((score_words([*won, drawn]), match))
            results.setdefault(ids[::-1], []).append((score_words([*won[::-1], drawn]), match))
    return [
        CrossRow(
            seed,
            entrants[player],
            [Cell(player == other, results.get((player, other), [])) for other in order],
            points[player],
        )
        for seed, player in enumerate(order, 1)
    ]


@dataclass(frozen=True)
class PodSeat:
    """A seat of a draft pod: who sits there, and between whom."""

    number: int
    entrant: Entrant
    left: Entrant
    right: Entrant


def pods_shown(stage: Stage, entrants: Mapping[str, Entrant]) -> list[list[PodSeat]]:
    """The draft pods with their seats; the left neighbour is the next seat, clockwise."""
    return [_seats([entrants[player] for player in pod.players]) for pod in pods_of(stage)]


def _seats(players: Sequence[Entrant]) -> list[PodSeat]:
    return [
        PodSeat(number + 1, entrant, players[(number + 1) % len(players)], players[number - 1])
        for number, entrant in enumerate(players)
    ]
