"""What is drawn of a stage: its bracket, its cross table, its draft pods."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.events.models import Entrant, Stage
from tournaments.events.selectors import entrants_of, public_names
from tournaments.play.draws import pods_of
from tournaments.play.field import BracketState, bracket_of, shown_matches
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import halves_of
from tournaments.standings.words import figure
from tournaments.swiss.bracket import NOBODY, Slot
from tournaments.web.words import score_words

_ANY = "m-any"  # stands for the match in an address


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
    address: str
    table: int | None


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


@dataclass(frozen=True)
class _Known:
    """The names and the seeds of a bracket's players by public id, which are the reader's own, where a match is."""

    names: Mapping[str, str]
    seeds: Mapping[str, int]
    mine: Collection[str]
    address: str


def parts_of(stage: Stage, mine: Collection[Entrant]) -> list[Part]:
    """A bracket as it is drawn, round after round."""
    now = bracket_of(stage)
    seeds = {player: seed for seed, player in enumerate(now.seeds, 1)}
    own = {entrant.public_id for entrant in mine}
    known = _Known(public_names(stage.event), seeds, own, reverse("web:match", args=[_ANY]))
    columns: dict[tuple[str, int], list[Slot]] = {}
    for slot in now.slots.values():
        part = slot.node.id[0]
        if _is_drawn(now, slot):
            columns.setdefault((part, slot.node.round), []).append(slot)
    sizes = Counter(slot.node.round for slot in now.slots.values() if slot.node.id.startswith("W"))
    parts: dict[str, list[Column]] = {}
    for (part, round_), slots in sorted(columns.items(), key=lambda column: "WLFT".index(column[0][0])):
        places = [_place(now, slot, known) for slot in slots]
        drawn = parts.setdefault(part, [])
        drawn.append(Column(_title(slots[0], len(drawn) + 1, sizes[round_], stage), places))
    names = {"W": _("Winners' bracket"), "L": _("Losers' bracket"), "F": _("Grand final"), "T": _("Third place")}
    if "L" not in parts:
        names["W"] = ""
    return [Part(names[part], found) for part, found in parts.items()]


def _is_drawn(now: BracketState, slot: Slot) -> bool:
    """Places that nobody can come to are left out, but for the byes of the first round."""
    if slot.state == "empty":
        return False
    return slot.node.round == 1 or NOBODY not in (slot.a, slot.b) or slot.node.id in now.matches


def _title(slot: Slot, number: int, places: int, stage: Stage) -> str:
    part = slot.node.id[0]
    if part == "F":
        return _("Grand final") if number == 1 else _("Grand final, again")
    if part == "T":
        return _("Third place")
    if part == "L":
        return _("Losers' round %(number)d") % {"number": number}
    if stage.kind == Stage.Kind.DOUBLE_ELIMINATION:
        return _("Round %(number)s") % {"number": number}
    names = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return names.get(places) or _("Last %(players)d") % {"players": 2 * places}


def _place(now: BracketState, slot: Slot, known: _Known) -> Place:
    match = now.matches.get(slot.node.id)
    first, second = (_side(slot, player, match.games if match else {}, known) for player in (slot.a, slot.b))
    seated = match is not None and match.table is not None
    address = known.address.replace(_ANY, match.public_id) if match and seated else ""
    return Place(slot.node.id, (first, second), address, match.table if match else None)


def _side(slot: Slot, player: str | None, games: Mapping[str, int | None], known: _Known) -> Side:
    if not player:
        return Side("", None, False, None, False, nobody=player == NOBODY)
    played = slot.state == "played"
    return Side(
        known.names[player],
        known.seeds[player],
        slot.winner == player,
        games.get(player) if played else None,
        player in known.mine,
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
    points: str


def cross_table(stage: Stage) -> list[CrossRow]:
    """A round robin as a table: who did what against whom."""
    entrants = {entrant.public_id: entrant for entrant in entrants_of(stage.event)}
    order = list(stage.entries.order_by("seed").values_list("entrant__public_id", flat=True))
    results: dict[tuple[str, str], list[tuple[str, Match]]] = {}
    points: Counter[str] = Counter()  # in halves, of closed rounds, as in the standings
    closed = Seat.objects.filter(round__stage=stage, round__status=Round.Status.CLOSED)
    halves = dict(closed.values_list("pk", halves_of(stage)))
    for match in shown_matches(stage):
        seats = sorted(match.seats.all(), key=lambda seat: seat.number)
        if not match.has_result:
            continue
        points.update({seat.entrant.public_id: halves.get(seat.pk) or 0 for seat in seats})
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
            figure(Fraction(points[player], 2), share=False),
        )
        for seed, player in enumerate(order, 1)
    ]


@dataclass(frozen=True)
class PodSeat:
    """A seat of a draft pod: the name of who sits there, whether it is the reader's own, and between whom."""

    number: int
    name: str
    own: bool
    left: str
    right: str


def pods_shown(stage: Stage, mine: Collection[Entrant] = ()) -> list[list[PodSeat]]:
    """The draft pods with their seats; the left neighbour is the next seat, clockwise."""
    names, own = public_names(stage.event), {entrant.public_id for entrant in mine}
    return [_seats([(names[player], player in own) for player in pod.players]) for pod in pods_of(stage)]


def _seats(players: Sequence[tuple[str, bool]]) -> list[PodSeat]:
    return [
        PodSeat(number + 1, name, own, players[(number + 1) % len(players)][0], players[number - 1][0])
        for number, (name, own) in enumerate(players)
    ]
