"""The structure of a stage, ready to be drawn: its bracket, its cross table, or its draft pods."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.events.models import Entrant, Stage
from tournaments.events.selectors import entrants_of, names_by_id, public_names
from tournaments.play.draws import pods_of
from tournaments.play.field import BracketState, bracket_of, entered, shown_matches
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import halves_of
from tournaments.standings.words import figure
from tournaments.swiss.bracket import NOBODY, Slot
from tournaments.web.words.results import score_words

_ANY = "m-any"  # placeholder for the match in an address, which is then resolved only once


@dataclass(frozen=True)
class Side:
    """One of the two players of a match in a bracket.

    `name` is empty while the player is not known; `nobody` is whether nobody will ever come there (a bye).
    """

    name: str
    seed: int | None
    won: bool
    games: int | None
    mine: bool
    nobody: bool


@dataclass(frozen=True)
class Place:
    """A match in a bracket; `id` is that of its node, `address` empty if it has no page."""

    id: str
    sides: tuple[Side, Side]
    address: str
    table: int | None

    def html(self, words: "PlaceWords") -> SafeString:
        """The list item as HTML, built in Python: there may be a thousand, and a template takes eight times as long."""
        sides = "".join(_side_html(side, words) for side in self.sides)
        link = (
            f'<a class="place__link" href="{escape(self.address)}">{words.table} {self.table}'
            f'<span class="sr-only"> {self.id}</span></a>'
            if self.address
            else ""
        )
        return mark_safe(  # noqa: S308 - names are escaped
            f'<li class="place"><div class="place__box">\n{sides}{link}\n</div></li>'
        )


@dataclass(frozen=True)
class PlaceWords:
    """The translated words of a place as HTML, looked up once for all places."""

    seed: str
    you: str
    bye: str
    still_open: str
    goes_on: str
    table: str

    @classmethod
    def of_page(cls) -> "PlaceWords":
        """The words in the language of the page."""
        labels = (_("Seed"), _("you"), _("Bye"), _("still open"), _("advances"), _("Table"))
        return cls(*(escape(words) for words in labels))


def _side_html(side: Side, words: PlaceWords) -> str:
    won, mine = " place__side--won" if side.won else "", " data-mine" if side.mine else ""
    if side.name:
        you = f' <span class="badge badge--info">{words.you}</span>' if side.mine else ""
        seed = f'<span class="num muted"><span class="sr-only">{words.seed} </span>{side.seed}</span>'
        name = f'<span class="place__name">{seed} {escape(side.name)}{you}</span>'
    else:
        name = f'<span class="muted">{words.bye if side.nobody else words.still_open}</span>'
    score = f'<span class="score">{side.games}</span>' if side.games is not None else ""
    mark = f'<span class="place__mark">✓<span class="sr-only"> {words.goes_on}</span></span>' if side.won else ""
    return f'<p class="place__side{won}"{mine}>\n{name}\n{score}\n{mark}\n</p>'


@dataclass(frozen=True)
class Column:
    """The places of one round in a part of a bracket, from top to bottom."""

    title: str
    places: list[Place]

    @property
    def items(self) -> SafeString:
        """The list items as HTML."""
        words = PlaceWords.of_page()
        return mark_safe("".join(place.html(words) for place in self.places))  # noqa: S308 - each is escaped


@dataclass(frozen=True)
class Part:
    """A part of a bracket: the winners' or the losers' bracket, the grand final, the match for third place.

    `title` is empty if it needs none, as in single elimination.
    """

    title: str
    columns: list[Column]


@dataclass(frozen=True)
class _Known:
    """What is needed to draw a bracket: names and seeds by public id, the reader's own players, a match's address."""

    names: Mapping[str, str]
    seeds: Mapping[str, int]
    mine: Collection[str]
    address: str


def parts_of(stage: Stage, mine: Collection[Entrant]) -> list[Part]:
    """The parts of a stage's bracket; `mine` are the reader's own entrants."""
    now = bracket_of(stage)
    seeds = {player: seed for seed, player in enumerate(now.seeds, 1)}
    own = {entrant.public_id for entrant in mine}
    known = _Known(names_by_id(entered(stage)), seeds, own, reverse("web:match", args=[_ANY]))
    # The first letter of a node's id is its part: winners' (W) or losers' (L) bracket, final (F), third place (T).
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
    names = {"W": _("Winners’ bracket"), "L": _("Losers’ bracket"), "F": _("Grand final"), "T": _("Third place")}
    if "L" not in parts:
        names["W"] = ""
    return [Part(names[part], found) for part, found in parts.items()]


def _is_drawn(now: BracketState, slot: Slot) -> bool:
    """Whether to draw a place: not if nobody can get there, except for byes in the first round."""
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
        return _("Losers’ round %(number)d") % {"number": number}
    if stage.kind == Stage.Kind.DOUBLE_ELIMINATION:
        return _("Round %(number)s") % {"number": number}
    names = {1: pgettext("round of a bracket", "Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return names.get(places) or _("Round of %(players)d") % {"players": 2 * places}


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
    """The results of a row's player against a column's, as scores with their matches; `own` marks the diagonal."""

    own: bool
    results: list[tuple[str, Match]]


@dataclass(frozen=True)
class CrossRow:
    """A player of a round robin, with the results against each other player and the points."""

    seed: int
    entrant: Entrant
    cells: list[Cell]
    points: str


def cross_table(stage: Stage) -> list[CrossRow]:
    """The cross table of a round robin, in order of the seeds."""
    entrants = {entrant.public_id: entrant for entrant in entrants_of(stage.event)}
    order = list(stage.entries.order_by("seed").values_list("entrant__public_id", flat=True))
    results: dict[tuple[str, str], list[tuple[str, Match]]] = {}
    points: Counter[str] = Counter()  # half points, of closed rounds only, as in the standings
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
    """A seat of a draft pod: its player, whether it is the reader's own, and the players to the left and right."""

    number: int
    name: str
    own: bool
    left: str
    right: str


def pods_shown(stage: Stage, mine: Collection[Entrant] = ()) -> list[list[PodSeat]]:
    """The draft pods of a stage with their seats. Seats are numbered clockwise, so the next seat is to the left."""
    names, own = public_names(stage.event), {entrant.public_id for entrant in mine}
    return [_seats([(names[player], player in own) for player in pod.players]) for pod in pods_of(stage)]


def _seats(players: Sequence[tuple[str, bool]]) -> list[PodSeat]:
    return [
        PodSeat(number + 1, name, own, players[(number + 1) % len(players)][0], players[number - 1][0])
        for number, (name, own) in enumerate(players)
    ]
