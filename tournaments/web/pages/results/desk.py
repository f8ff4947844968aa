"""The tables of a round as the round desk shows them: the state of each result, and buttons for common results.

A round may have a thousand tables. So the round desk reads the order of all of them in one query (`places_of`), and
loads only the rows of the page that it shows (`rows_of`).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Exists, OuterRef, QuerySet, Sum
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.common.clock import now as clock_now
from tournaments.common.names import found_in
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import names_of
from tournaments.play.boards import board_states
from tournaments.play.field import is_decided, players_left
from tournaments.play.models import Clock, Match, Report, Round, Seat
from tournaments.play.selectors import RecordBefore, bare_matches_of, is_hidden, newest_report_id, records_before
from tournaments.play.services.clock import ClockFace, face
from tournaments.web.forms.boards import initial_boards
from tournaments.web.pages.judging.floor import NOTHING, Mark, TableFloor, floor_of
from tournaments.web.requests import htmx_of
from tournaments.web.words.results import KINDS, score_words
from tournaments.web.words.rounds import EFFECTS
from tournaments.web.words.stages import COSTS, FLAGS

QUICK: Mapping[int, Sequence[tuple[int, int, int]]] = {
    1: ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    3: ((2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)),
    5: ((3, 0, 0), (3, 1, 0), (3, 2, 0), (2, 2, 0), (2, 3, 0), (1, 3, 0), (0, 3, 0)),
}
# The order of the tables on the desk: those that need something come first.
CONTESTED, CLAIMED, WAITING, DONE, BYE = range(5)

MOVING = ("table_left",)
FILTERS: Mapping[str, tuple[int, ...]] = {
    "missing": (WAITING,),
    "reported": (CLAIMED,),
    "contested": (CONTESTED,),
    "done": (DONE, BYE),
}
"""The values of `?show=`, with the orders of the tables that each one shows."""


@dataclass(frozen=True)
class QuickResult:
    """A button for a common result: the value it sends, its text, and its meaning for screen readers.

    `claimed` is whether a player has reported this result.
    """

    value: str
    words: str
    means: str
    claimed: bool = False


@dataclass(frozen=True)
class SeatLine:
    """A player at a table, with the record before the round and the outcome of the match."""

    name: str
    before: RecordBefore
    won: int | None  # games won, or the rank at a multiplayer table

    @property
    def record(self) -> str:
        """Wins, losses and draws as `2–0–1`, with byes as `2–0–1 +1`; the points in a stage of multiplayer tables."""
        found = self.before
        if found.ranked:
            return str(found.points)
        return f"{found.won}–{found.lost}–{found.drawn}" + (f" +{found.byes}" if found.byes else "")


@dataclass(frozen=True)
class TableRow:
    """One table of the desk.

    `order` is its place in the list, such as `CONTESTED`. `state` is that of the result in a word, `badge` the look of
    that word, and `details` the score or the reports. `own` is whether the reader plays there; `claim` is the report
    that waits.
    """

    match: Match
    seats: list[SeatLine]
    order: int
    state: str
    badge: str
    details: str
    flags: list[str]
    moving: list[str]  # those of the flags that say who leaves a fixed table
    extension: int
    own: bool
    floor: TableFloor = NOTHING
    claim: Report | None = None
    boards: str = ""  # of a team match: which boards are missing, in words

    @property
    def names(self) -> list[str]:
        """The names of the players, in seat order."""
        return [seat.name for seat in self.seats]

    @cached_property
    def quick(self) -> list[QuickResult]:
        """The result buttons; none if the match cannot be reported now, or is the reader's own."""
        open_ = self.match.round.status == Round.Status.PUBLISHED and self.order in (WAITING, CLAIMED)
        if not open_ or self.own:
            return []
        claimed = "-".join(map(str, self.claim.games)) if self.claim and self.order == CLAIMED else ""
        return quick_results(self.match, self.names, claimed)

    @property
    def marks(self) -> list[Mark]:
        """Badges with everything worth knowing about the table besides names and result."""
        found = [Mark(self.now, self.badge, "state")] if self.order in (CONTESTED, CLAIMED) else []
        if self.extension and self.state_open:
            more = ngettext("%(minutes)d more minute", "%(minutes)d more minutes", self.extension)
            found.append(Mark(more % {"minutes": self.extension}, "info", "time"))
        found += self.floor.badges
        found += [Mark(words, "info", "moved") for words in self.moving]
        if self.own:
            found.append(Mark(_("Your own match: somebody else on the staff has to enter it."), "info", "own"))
        return found

    @property
    def seen(self) -> int:
        """The key of the newest report that the row shows; 0 for none."""
        newest: int | None = self.match.newest_report  # type: ignore[attr-defined]  # annotated by `matches_of`
        return newest or 0

    @property
    def now(self) -> str:
        """The state of the result in words."""
        return f"{self.state}. {self.details}".removesuffix(" ")

    @property
    def state_open(self) -> bool:
        """Whether the match is still being played."""
        return self.order < DONE


@dataclass(frozen=True)
class Counters:
    """How many tables of a round are in each state; byes are not counted."""

    done: int
    missing: int
    claimed: int
    contested: int

    @property
    def all_in(self) -> bool:
        """Whether the round can be closed."""
        return not (self.missing or self.claimed or self.contested)

    @property
    def filters(self) -> list[tuple[str, str, int]]:
        """The filters of the desk: the value of `?show=`, its words, and how many tables it shows."""
        every = self.done + self.missing + self.claimed + self.contested
        return [
            ("", _("All tables"), every),
            ("missing", _("No result yet"), self.missing),
            ("reported", pgettext("results", "Reported"), self.claimed),
            ("contested", pgettext("results", "Contested"), self.contested),
            ("done", pgettext("results", "Final"), self.done),
        ]


@dataclass(frozen=True)
class Asked:
    """The filter (`show`) and search (`find`) in the address of a desk."""

    show: str = ""
    find: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether the address leaves out any tables."""
        return bool(self.show or self.find)


def asked_of(request: HttpRequest) -> Asked:
    """The filter and search of the desk that the request comes from."""
    given = request.GET
    if request.method == "POST":  # a button of the desk: only htmx says what the address of its page is
        htmx = htmx_of(request)
        given = QueryDict(urlsplit((htmx.current_url or "") if htmx else "").query)
    show = given.get("show", "")
    return Asked(show if show in FILTERS else "", given.get("find", "").strip()[:100])


def wanted_places(round_: Round, places: Sequence["Place"], asked: Asked) -> list["Place"]:
    """The tables that match a filter and search. A number is that of a table, anything else part of a name."""
    orders = FILTERS.get(asked.show)
    kept = [place for place in places if orders is None or place.order in orders]
    if not asked.find:
        return kept
    if asked.find.isdecimal():
        return [place for place in kept if place.table == int(asked.find)]
    names = names_of(Entrant.objects.filter(seats__round=round_), full=True)
    seated = Seat.objects.filter(round=round_).select_related(None).values_list("match", "entrant")
    found = {match for match, entrant in seated if found_in(asked.find, names[entrant])}
    return [place for place in kept if place.match in found]


@dataclass(frozen=True)
class Known:
    """Everything besides the matches that the rows of a desk are built from, by match key or entrant key."""

    seats: Mapping[int, list[Seat]]  # by match, without their entrants
    claims: Mapping[int, Report]  # by match: the report that waits
    counters: Mapping[int, Report]  # by match: the report that differs from it
    minutes: Mapping[int, int]  # by match: time extension
    names: Mapping[int, str]  # by entrant
    ids: Mapping[int, str]  # by entrant: public id
    records: Mapping[int, RecordBefore]  # by entrant: the record before the round
    mine: Collection[int]  # the keys of the reader's own entrants
    boards: Mapping[int, Mapping[int, str]]  # by match, of team matches without a result: the state of each board


@dataclass(frozen=True)
class Desk:
    """The desk of a round.

    A draft is `hidden` from staff who play: they see only its status and its number of tables. `last` is whether it can
    be closed and no round can follow it.
    """

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
        """The tables that still need a result."""
        return [row for row in self.rows if row.order < DONE]

    @property
    def settled(self) -> list[TableRow]:
        """The tables and byes whose result counts."""
        return [row for row in self.rows if row.order >= DONE]


def desk_of(round_: Round, user: Any, now: datetime, *, places: Collection["Place"], only: Collection[int]) -> Desk:
    """The desk as this member of staff may see it.

    `places` are all matches of the round (`places_of`), `only` the keys of the matches to show rows for. The number of
    queries does not grow with the tables.
    """
    hidden, counters = is_hidden(round_, user), count(places)
    clock = Clock.objects.filter(round=round_).select_related("round").first()
    return Desk(
        rows=[] if hidden else rows_of(round_, user, now, clock=clock, only=only),
        counters=counters,
        clock=clock,
        face=face(clock, now) if clock else None,
        cost=[] if hidden else [(COSTS[level], value) for level, value in round_.cost.items() if level in COSTS],
        tables=sum(place.order != BYE for place in places),
        hidden=hidden,
        last=round_.status == Round.Status.PUBLISHED and counters.all_in and is_last(round_),
    )


def rows_of(
    round_: Round, user: Any, now: datetime, *, clock: Clock | None, only: Collection[int] | None = None
) -> list[TableRow]:
    """The rows of a round's tables in the desk's order, of all matches or of `only` these.

    Callers have to check whether the reader may see a draft (`is_hidden`).
    """
    wanted = round_.matches.all() if only is None else round_.matches.filter(pk__in=only)
    known = _known(round_, wanted, user, everybody=only is None)
    matches = bare_matches_of(round_).filter(pk__in=wanted)
    floor = floor_of(round_, clock, now, wanted)
    for match in matches:
        match.round = round_  # saves a query for each: this one has its stage and event loaded
    rows = [row_of(match, known, floor.get(match.pk, NOTHING)) for match in matches]
    return sorted(rows, key=_order if round_.status != Round.Status.DRAFT else _by_table)


def _known(round_: Round, matches: QuerySet[Match], user: Any, *, everybody: bool) -> Known:
    """Read what the rows of these matches show, in a constant number of queries and with few objects.

    `everybody` is whether these are all matches of the round; the records are then read without a filter.
    """
    seats = defaultdict(list)
    for seat in Seat.objects.filter(match__in=matches).select_related(None).order_by("number"):
        seats[seat.match_id].append(seat)
    waiting = Report.objects.filter(
        match__in=matches, status__in=(Report.Status.STANDING, Report.Status.COUNTER)
    ).order_by("-pk")
    minutes = matches.filter(extensions__isnull=False).annotate(minutes=Sum("extensions__minutes"))
    entrants = Entrant.objects.filter(seats__match__in=matches)
    return Known(
        seats=seats,
        claims={report.match_id: report for report in waiting if report.status == Report.Status.STANDING},
        counters={report.match_id: report for report in waiting if report.status == Report.Status.COUNTER},
        minutes=dict(minutes.order_by().values_list("pk", "minutes")),
        names=names_of(entrants, full=True),
        ids=dict(entrants.values_list("pk", "public_id")),
        records=records_before(round_, None if everybody else entrants),
        mine={entrant.pk for entrant in own_entrants(user, round_.stage.event)},
        boards=board_states(matches) if round_.stage.event.has_boards else {},
    )


def is_last(round_: Round) -> bool:
    """Whether no round can follow this one, whose results all count: all is decided, or too few players are left."""
    return is_decided(round_.stage, round_) or players_left(round_.stage) < 2


@dataclass(frozen=True)
class Place:
    """The place of a match in the list of a desk: its `order` as in `TableRow`, its table, and its key."""

    order: int
    table: int | None
    match: int


def places_of(round_: Round) -> list[Place]:
    """All matches of a round in the desk's order, in one query."""
    claims = Report.objects.filter(match=OuterRef("pk"), status=Report.Status.STANDING)
    matches = round_.matches.annotate(is_claimed=Exists(claims)).only("round", "table", "games_drawn", "disputed")
    places = [Place(_order_of(match, claimed=match.is_claimed), match.table, match.pk) for match in matches]
    draft = round_.status == Round.Status.DRAFT
    return sorted(places, key=lambda place: (0 if draft else place.order, place.table is None, place.table or 0))


def _by_table(row: TableRow) -> tuple[bool, int]:
    return row.match.table is None, row.match.table or 0


def _order(row: TableRow) -> tuple[int, bool, int]:
    return row.order, *_by_table(row)


def counters_of(round_: Round) -> Counters:
    """The counters of a round, from the database."""
    return count(places_of(round_))


def count(places: Iterable[Place]) -> Counters:
    """The counters of a round, from its places."""
    orders = Counter(place.order for place in places)
    return Counters(orders[DONE], orders[WAITING], orders[CLAIMED], orders[CONTESTED])


def _order_of(match: Match, *, claimed: bool) -> int:
    if match.table is None:
        return BYE
    if match.disputed:
        return CONTESTED
    if match.has_result:
        return DONE
    return CLAIMED if claimed else WAITING


def table_row(match: Match, user: Any) -> TableRow:
    """The row of one match, from the database."""
    round_ = match.round
    clock = Clock.objects.filter(round=round_).select_related("round").first()
    (row,) = rows_of(round_, user, clock_now(), clock=clock, only=[match.pk])
    return row


def names_at(match: Match) -> tuple[str, ...]:
    """The names of the players of a match, in seat order; for a bye, the second one is "nobody"."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    if len(seats) > 2:
        return tuple(seat.entrant.full_name for seat in seats)
    return seats[0].entrant.full_name, seats[1].entrant.full_name if len(seats) > 1 else _("nobody")


def row_of(match: Match, known: Known, floor: TableFloor) -> TableRow:
    """Build the row of a match that was read with `bare_matches_of`."""
    seats, claim = known.seats[match.pk], known.claims.get(match.pk)
    people = [(known.ids[seat.entrant_id], known.names[seat.entrant_id]) for seat in seats]
    names = [name for _public_id, name in people]
    order = _order_of(match, claimed=claim is not None)
    by_seat = {seat.pk: name for seat, name in zip(seats, names, strict=True)}
    counter = known.counters.get(match.pk) if claim else None
    details = " ".join(claim_words(report, by_seat) for report in (claim, counter) if report)
    state, badge, details = _state(match, order, seats, details)
    boards = boards_words(known.boards.get(match.pk, {}))
    details = " ".join(filter(None, [details, boards]))
    if counter is not None and order == CLAIMED:  # a contested match says so instead
        state, badge = _("Reports differ"), "warn"
    nothing = RecordBefore(ranked=match.has_ranks)
    return TableRow(
        match=match,
        seats=[
            SeatLine(name, known.records.get(seat.entrant_id, nothing), _won(match, seat))
            for seat, name in zip(seats, names, strict=True)
        ],
        order=order,
        state=state,
        badge=badge,
        details=details,
        flags=_flags(match, people, FLAGS),
        moving=_flags(match, people, MOVING),
        extension=known.minutes.get(match.pk, 0),
        own=any(seat.entrant_id in known.mine for seat in seats),
        floor=floor if order < DONE else NOTHING,
        claim=claim,
        boards=boards,
    )


def boards_words(states: Mapping[int, str]) -> str:
    """Which boards of a team match are contested, to be confirmed or missing; "" if nobody reported any."""
    if not any(states.values()):  # as for a match that has a result, or is no team match
        return ""
    contested = [number for number, state in states.items() if state == Report.Status.CONTESTED]
    waiting = [number for number, state in states.items() if state in (Report.Status.STANDING, Report.Status.COUNTER)]
    missing = [number for number, state in states.items() if not state]
    if not (contested or waiting or missing):
        return _("The players agree on every board, but that does not decide the match.")
    parts = (
        (contested, _("Contested boards: %(numbers)s.")),
        (waiting, _("Boards to confirm: %(numbers)s.")),
        (missing, _("Missing boards: %(numbers)s.")),
    )
    return " ".join(words % {"numbers": ", ".join(map(str, numbers))} for numbers, words in parts if numbers)


def _won(match: Match, seat: Seat) -> int | None:
    """The outcome of a seat: games won, or the rank at a multiplayer table."""
    return seat.rank if match.has_ranks else seat.games_won


def _state(match: Match, order: int, seats: Sequence[Seat], claimed: str) -> tuple[str, str, str]:
    """The state of a result in a word, the look of its badge, and details; `claimed` are the reports in words."""
    if order == CONTESTED:
        return _("Contested"), "bad", _("A judge will decide.")
    if order == CLAIMED:
        return _("Reported"), "info", claimed
    if order == WAITING:
        return _("No result"), "warn", ""
    kind = "" if match.kind == Match.Kind.PLAYED else str(KINDS[match.kind])
    if order == BYE:
        return kind, "ok", ""
    return _("Valid"), "ok", " · ".join(filter(None, [score_of(seats, match), kind]))


def score_of(seats: Sequence[Seat], match: Match) -> str:
    """The current score of a match, in words; of a team match, the boards won by each team."""
    if match.has_ranks:
        return score_words([(seat.rank, seat.score) for seat in seats])
    return score_words([*(seat.games_won or 0 for seat in seats), match.games_drawn or 0])


def initial_of(match: Match) -> dict[str, Any]:
    """Initial values for the form of a result: the current result, and the newest report as `seen`."""
    seen = {"seen": newest_report_id(match)}
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    if match.has_ranks:
        given = {f"rank_{seat.number}": seat.rank for seat in seats} | {
            f"score_{seat.number}": seat.score for seat in seats
        }
        return {**given, **seen} if match.games_drawn is not None else seen
    if match.has_boards:
        kind = {} if match.games_drawn is None else {"kind": match.kind, "winner": _winner(seats)}
        return {**initial_boards(match), **kind, **seen}
    if match.games_drawn is None or len(seats) != 2:
        return {"drawn": 0, **seen}
    first, second = (seat.games_won for seat in seats)
    return {"first": first, "second": second, "drawn": match.games_drawn, "kind": match.kind, **seen}


def _winner(seats: Sequence[Seat]) -> str:
    first, second = (seat.games_won or 0 for seat in seats)
    return "1" if first > second else "2" if second > first else ""


def result_words(games: Sequence[Any], kind: str) -> str:
    """A score in words, with its kind unless it was simply played."""
    score = score_words(list(games))
    return score if kind == Match.Kind.PLAYED else f"{score} ({KINDS[kind]})"


def effect_words(event: Event, effects: Sequence[Mapping[str, str]]) -> list[str]:
    """Sentences about the effects of a corrected result on later matches and stages (see `play.effects`)."""
    ids = {effect[side] for effect in effects for side in ("out", "into")}
    known = event.entrants.filter(public_id__in=ids).prefetch_related("member_set__person")
    names = {entrant.public_id: entrant.full_name for entrant in known}
    return [
        str(EFFECTS[effect["what"]]) % {side: names.get(effect[side], _("nobody")) for side in ("out", "into")}
        for effect in effects
    ]


def claim_words(report: Report, names: Mapping[int, str]) -> str:
    """A report in words: “Player 12 says 2–1.” `names` are those of the players by seat key."""
    score = result_words(report.games, report.kind)
    name = names.get(report.seat_id or 0, _("the desk"))
    return _("%(name)s says %(score)s.") % {"name": name, "score": score}


def _flags(match: Match, people: Sequence[tuple[str, str]], wanted: Collection[str]) -> list[str]:
    return [
        str(FLAGS[flag]) % {"name": name}
        for public_id, name in people
        for flag in match.flags.get(public_id, [])
        if flag in wanted
    ]


def quick_results(match: Match, names: Sequence[str], claimed: str = "") -> list[QuickResult]:
    """Buttons for the common results of a match; without draws in a bracket, and none for a multiplayer table or a
    team match, whose boards are entered one by one.

    `claimed` is the value of the result that a player has reported, if any.
    """
    if match.has_ranks or match.has_boards:
        return []
    first, second = names
    offered = [
        ("-".join(map(str, games)), games)
        for games in QUICK[match.round.stage.best_of]
        if games[0] != games[1] or not match.round.stage.is_bracket
    ]
    return [
        QuickResult(value, _short(games), _means(games, first, second), claimed=value == claimed)
        for value, games in offered
    ]


def _short(games: tuple[int, int, int]) -> str:
    return _("Draw") if games[2] else score_words(games)


def _means(games: tuple[int, int, int], first: str, second: str) -> str:
    if games[0] == games[1]:
        return _("drawn")
    return _("%(name)s wins") % {"name": first if games[0] > games[1] else second}
