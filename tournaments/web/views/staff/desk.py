"""What the round desk shows of each table: where its result stands, and the buttons that fit its structure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from tournaments.events.access import own_entrants, plays
from tournaments.events.models import Entrant, Event
from tournaments.play.clock import ClockFace, face
from tournaments.play.models import Clock, Match, Report, Round, Seat
from tournaments.play.selectors import matches_of, newest_report_id, points_before
from tournaments.web.words import COSTS, EFFECTS, FLAGS, KINDS, score_words

QUICK: Mapping[int, Sequence[tuple[int, int, int]]] = {
    1: ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    3: ((2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)),
    5: ((3, 0, 0), (3, 1, 0), (3, 2, 0), (2, 2, 0), (2, 3, 0), (1, 3, 0), (0, 3, 0)),
}
CONTESTED, CLAIMED, WAITING, DONE, BYE = range(5)


@dataclass(frozen=True)
class QuickResult:
    """A button: what it sends, and what it says to the eye and to a screen reader."""

    value: str
    words: str
    means: str


@dataclass(frozen=True)
class TableRow:
    """One table of the desk. `order` puts what is outstanding first."""

    match: Match
    seats: list[tuple[Entrant, int, int | None]]
    order: int
    state: str
    badge: str
    said: str
    flags: list[str]
    quick: list[QuickResult]
    extension: int
    own: bool

    @property
    def seen(self) -> int:
        """The newest report that the row shows, 0 for none."""
        return self.match.newest_report or 0

    @property
    def now(self) -> str:
        """The state of the result in words."""
        return f"{self.state}. {self.said}".removesuffix(" ")

    @property
    def state_open(self) -> bool:
        """Whether the match is still being played."""
        return self.order < DONE


@dataclass(frozen=True)
class Counters:
    """How many results are in."""

    done: int
    missing: int
    claimed: int
    contested: int

    @property
    def all_in(self) -> bool:
        """Whether the round can be closed."""
        return not (self.missing or self.claimed or self.contested)


@dataclass(frozen=True)
class Desk:
    """The desk of a round. A draft is `hidden` from staff who play: they learn its status and number of tables."""

    rows: list[TableRow]
    counters: Counters
    clock: Clock | None
    face: ClockFace | None
    cost: list[tuple[object, int]]
    tables: int
    hidden: bool
    last: bool

    @property
    def outstanding(self) -> list[TableRow]:
        """Tables whose result is still needed."""
        return [row for row in self.rows if row.order < DONE]

    @property
    def settled(self) -> list[TableRow]:
        """Tables and byes whose result counts."""
        return [row for row in self.rows if row.order >= DONE]


def desk_of(round_: Round, user: Any, now: datetime) -> Desk:
    """The desk as this member of staff may see it; the queries do not grow with the tables."""
    mine = own_entrants(user, round_.stage.event)
    hidden = is_hidden(round_, user)
    every = list(matches_of(round_))
    points = points_before(round_)
    rows = [] if hidden else [row_of(match, mine, points) for match in every]
    clock = Clock.objects.filter(round=round_).first()
    return Desk(
        rows=sorted(rows, key=_order if round_.status != Round.Status.DRAFT else _by_table),
        counters=count(every),
        clock=clock,
        face=face(clock, now) if clock else None,
        cost=[] if hidden else [(COSTS[level], value) for level, value in round_.cost.items() if level in COSTS],
        tables=sum(match.table is not None for match in every),
        hidden=hidden,
        last=is_last(round_),
    )


def is_hidden(round_: Round, user: Any) -> bool:
    """Whether a round is a draft and its reader plays the event."""
    return round_.status == Round.Status.DRAFT and plays(user, round_.stage.event)


def is_last(round_: Round) -> bool:
    """Whether no round of its stage comes after this one, or none is known to."""
    planned = round_.stage.rounds_planned
    return planned is not None and round_.of_stage >= planned


def _by_table(row: TableRow) -> tuple[bool, int]:
    return row.match.table is None, row.match.table or 0


def _order(row: TableRow) -> tuple[int, bool, int]:
    return row.order, *_by_table(row)


def counters_of(round_: Round) -> Counters:
    """The counters of a round, read afresh."""
    return count(matches_of(round_))


def count(matches: Any) -> Counters:
    """The counters of matches read by `matches_of`; a bye needs no result."""
    orders = Counter(_order_of(match) for match in matches)
    return Counters(orders[DONE], orders[WAITING], orders[CLAIMED], orders[CONTESTED])


def _order_of(match: Match) -> int:
    if match.table is None:
        return BYE
    if match.disputed:
        return CONTESTED
    if match.has_result:
        return DONE
    return CLAIMED if match.standing_reports else WAITING


def table_row(match: Match, user: Any) -> TableRow:
    """One table, read afresh."""
    fresh = matches_of(match.round).get(pk=match.pk)
    return row_of(fresh, own_entrants(user, match.round.stage.event), points_before(match.round))


def names_of(match: Match) -> tuple[str, ...]:
    """The names at a table, seat by seat; a bye has nobody on the other side."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    if len(seats) > 2:
        return tuple(seat.entrant.name for seat in seats)
    return seats[0].entrant.name, seats[1].entrant.name if len(seats) > 1 else _("nobody")


def row_of(match: Match, mine: Collection[Entrant], points: Mapping[int, int]) -> TableRow:
    """A table as the desk shows it. `match` comes from `matches_of`, `points` from `points_before`."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    own = any(seat.entrant in mine for seat in seats)
    order = _order_of(match)
    state, badge, said = _state(match, order, seats)
    open_ = match.round.status == Round.Status.PUBLISHED and order in (WAITING, CLAIMED)
    return TableRow(
        match=match,
        seats=[(seat.entrant, points.get(seat.entrant_id, 0), _won(match, seat)) for seat in seats],
        order=order,
        state=state,
        badge=badge,
        said=said,
        flags=_flags(match, seats),
        quick=quick_results(match) if open_ and not own else [],
        extension=sum(extension.minutes for extension in match.extensions.all()),
        own=own,
    )


def _won(match: Match, seat: Seat) -> int | None:
    """What a seat came to: games won, or the rank at a table of several."""
    return seat.rank if match.has_ranks else seat.games_won


def _state(match: Match, order: int, seats: Sequence[Seat]) -> tuple[str, str, str]:
    """The state of a result in a word, its badge, and what was said."""
    if order == CONTESTED:
        return _("Contested"), "bad", _("A judge decides.")
    if order == CLAIMED:
        return _("Reported"), "info", claim_words(match.standing_reports[0], seats)
    if order == WAITING:
        return _("No result"), "warn", ""
    kind = "" if match.kind == Match.Kind.PLAYED else str(KINDS[match.kind])
    if order == BYE:
        return kind, "ok", ""
    return _("Counts"), "ok", " · ".join(filter(None, [score_of(seats, match), kind]))


def score_of(seats: Sequence[Seat], match: Match) -> str:
    """The score that counts."""
    if match.has_ranks:
        return score_words([(seat.rank, seat.score) for seat in seats])
    return score_words([*(seat.games_won or 0 for seat in seats), match.games_drawn or 0])


def initial_of(match: Match) -> dict[str, Any]:
    """What the form of a result starts from: the result that counts, and the newest report that the page shows."""
    seen = {"seen": newest_report_id(match)}
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    if match.has_ranks:
        given = {f"rank_{seat.number}": seat.rank for seat in seats} | {
            f"score_{seat.number}": seat.score for seat in seats
        }
        return {**given, **seen} if match.games_drawn is not None else seen
    if match.games_drawn is None or len(seats) != 2:
        return {"drawn": 0, **seen}
    first, second = (seat.games_won for seat in seats)
    return {"first": first, "second": second, "drawn": match.games_drawn, "kind": match.kind, **seen}


def result_words(games: Sequence[int], kind: str) -> str:
    """A score with its kind, where that is not a match played out."""
    said = score_words(list(games))
    return said if kind == Match.Kind.PLAYED else f"{said} ({KINDS[kind]})"


def effect_words(event: Event, effects: Sequence[Mapping[str, str]]) -> list[str]:
    """What another result changes and what stands, in sentences."""
    ids = {effect[side] for effect in effects for side in ("out", "into")}
    known = event.entrants.filter(public_id__in=ids).prefetch_related("member_set__person")
    names = {entrant.public_id: entrant.name for entrant in known}
    return [
        str(EFFECTS[effect["what"]]) % {side: names.get(effect[side], _("nobody")) for side in ("out", "into")}
        for effect in effects
    ]


def claim_words(report: Report, seats: Sequence[Seat]) -> str:
    """Who said what: “Player 12 says 2–1”."""
    said = result_words(report.games, report.kind)
    name = next((seat.entrant.name for seat in seats if seat.pk == report.seat_id), _("the desk"))
    return _("%(name)s says %(score)s.") % {"name": name, "score": said}


def _flags(match: Match, seats: Sequence[Seat]) -> list[str]:
    found = []
    for seat in seats:
        for flag in match.flags.get(seat.entrant.public_id, []):
            found.append(str(FLAGS.get(flag, flag)) % {"name": seat.entrant.name} if flag in FLAGS else flag)
    return found


def quick_results(match: Match) -> list[QuickResult]:
    """The common results of a match of this structure: a bracket has no draws, a table of several no buttons."""
    if match.has_ranks:
        return []
    first, second = names_of(match)
    return [
        QuickResult("-".join(map(str, games)), _short(games), _means(games, first, second))
        for games in QUICK[match.round.stage.best_of]
        if games[0] != games[1] or not match.round.stage.is_bracket
    ]


def _short(games: tuple[int, int, int]) -> str:
    return _("Draw") if games[2] else score_words(games)


def _means(games: tuple[int, int, int], first: str, second: str) -> str:
    if games[0] == games[1]:
        return _("drawn")
    return _("%(name)s wins") % {"name": first if games[0] > games[1] else second}
