"""What the round desk shows of each table: where its result stands, and the buttons that fit its structure."""

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

from tournaments.common.clock import now as clock_now
from tournaments.common.names import found_in
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import names_of
from tournaments.play.clock import ClockFace, face
from tournaments.play.models import Clock, Match, Report, Round, Seat
from tournaments.play.selectors import Brought, bare_matches_of, brought_to, is_hidden, newest_report_id
from tournaments.web.views.staff.floor import NOTHING, Mark, TableFloor, floor_of
from tournaments.web.words import COSTS, EFFECTS, FLAGS, KINDS, score_words

QUICK: Mapping[int, Sequence[tuple[int, int, int]]] = {
    1: ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    3: ((2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)),
    5: ((3, 0, 0), (3, 1, 0), (3, 2, 0), (2, 2, 0), (2, 3, 0), (1, 3, 0), (0, 3, 0)),
}
CONTESTED, CLAIMED, WAITING, DONE, BYE = range(5)

MOVING = ("table_left",)
FILTERS: Mapping[str, tuple[int, ...]] = {
    "missing": (WAITING,),
    "reported": (CLAIMED,),
    "contested": (CONTESTED,),
    "done": (DONE, BYE),
}
"""What `?show=` may name, and the orders of the tables it leaves."""


@dataclass(frozen=True)
class QuickResult:
    """A button: what it sends, and what it says to the eye and to a screen reader."""

    value: str
    words: str
    means: str
    claimed: bool = False


@dataclass(frozen=True)
class SeatLine:
    """A player at a table: the record brought to the round, and what the match has given."""

    name: str
    brought: Brought
    won: int | None  # games won, or the rank at a table of several

    @property
    def record(self) -> str:
        """Wins, losses and draws as `2-0-1`, byes after a plus sign; points at a table of several."""
        found = self.brought
        if found.ranked:
            return str(found.points)
        return f"{found.won}-{found.lost}-{found.drawn}" + (f"+{found.byes}" if found.byes else "")


@dataclass(frozen=True)
class TableRow:
    """One table of the desk. `order` puts what is outstanding first."""

    match: Match
    seats: list[SeatLine]
    order: int
    state: str
    badge: str
    said: str
    flags: list[str]
    moving: list[str]  # of the flags, who leaves a fixed table
    extension: int
    own: bool
    floor: TableFloor = NOTHING
    claim: Report | None = None

    @property
    def names(self) -> list[str]:
        """The names at the table, seat by seat."""
        return [seat.name for seat in self.seats]

    @cached_property
    def quick(self) -> list[QuickResult]:
        """The buttons, while the match may still be reported and is not the reader's own."""
        open_ = self.match.round.status == Round.Status.PUBLISHED and self.order in (WAITING, CLAIMED)
        if not open_ or self.own:
            return []
        claimed = "-".join(map(str, self.claim.games)) if self.claim and self.order == CLAIMED else ""
        return quick_results(self.match, self.names, claimed)

    @property
    def marks(self) -> list[Mark]:
        """What is to be known of the table beside its names and result."""
        found = [Mark(self.now, self.badge, "state")] if self.order in (CONTESTED, CLAIMED) else []
        if self.extension and self.state_open:
            found.append(Mark(_("%(minutes)d minutes more") % {"minutes": self.extension}, "info", "time"))
        found += self.floor.badges
        found += [Mark(words, "info", "moved") for words in self.moving]
        if self.own:
            found.append(Mark(_("Your own match: somebody else of the staff enters it."), "info", "own"))
        return found

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

    @property
    def filters(self) -> list[tuple[str, str, int]]:
        """The filters of the desk: what the address names, its words, and how many tables it leaves."""
        every = self.done + self.missing + self.claimed + self.contested
        return [
            ("", _("All tables"), every),
            ("missing", _("No result"), self.missing),
            ("reported", _("Reported"), self.claimed),
            ("contested", _("Contested"), self.contested),
            ("done", _("Results in"), self.done),
        ]


@dataclass(frozen=True)
class Asked:
    """Which tables of a desk its reader wants to see, as the address says it."""

    show: str = ""
    find: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether some tables are left out."""
        return bool(self.show or self.find)


def asked_of(request: HttpRequest) -> Asked:
    """What the address of the desk asks for: that of the page, also when one of its buttons is answered."""
    given = request.GET
    if request.method == "POST":
        given = QueryDict(urlsplit((request.htmx.current_url or "") if request.htmx else "").query)
    show = given.get("show", "")
    return Asked(show if show in FILTERS else "", given.get("find", "").strip()[:100])


def wanted_places(round_: Round, places: Sequence["Place"], asked: Asked) -> list["Place"]:
    """The tables that are asked for. A number is that of a table, anything else a part of a name."""
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
    """What the rows of a desk are made from beside their matches: by the key of the match, or of the entrant."""

    seats: Mapping[int, list[Seat]]  # of a match, without their entrants
    claims: Mapping[int, Report]  # the report that waits at a match
    counters: Mapping[int, Report]  # the one that says otherwise
    minutes: Mapping[int, int]  # of extension of a match
    names: Mapping[int, str]  # of an entrant
    ids: Mapping[int, str]  # of an entrant, the public one
    brought: Mapping[int, Brought]  # what an entrant has won before the round
    mine: Collection[int]  # the reader's entrants


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


def desk_of(round_: Round, user: Any, now: datetime, *, places: Collection["Place"], only: Collection[int]) -> Desk:
    """The desk as this member of staff may see it, its rows `only` those of some matches; the queries do not grow with
    the tables.
    """
    hidden = is_hidden(round_, user)
    clock = Clock.objects.filter(round=round_).select_related("round").first()
    return Desk(
        rows=[] if hidden else rows_of(round_, user, now, clock=clock, only=only),
        counters=count(places),
        clock=clock,
        face=face(clock, now) if clock else None,
        cost=[] if hidden else [(COSTS[level], value) for level, value in round_.cost.items() if level in COSTS],
        tables=sum(place.order != BYE for place in places),
        hidden=hidden,
        last=is_last(round_),
    )


def rows_of(
    round_: Round, user: Any, now: datetime, *, clock: Clock | None, only: Collection[int] | None = None
) -> list[TableRow]:
    """A round's tables in the desk's order, all or `only` those of some matches. Who may read a draft is not asked."""
    wanted = round_.matches.all() if only is None else round_.matches.filter(pk__in=only)
    known = _known(round_, wanted, user)
    matches = bare_matches_of(round_).filter(pk__in=wanted)
    floor = floor_of(round_, clock, now)
    for match in matches:
        match.round = round_  # which is loaded with its stage
    rows = [row_of(match, known, floor.get(match.pk, NOTHING)) for match in matches]
    return sorted(rows, key=_order if round_.status != Round.Status.DRAFT else _by_table)


def _known(round_: Round, matches: QuerySet[Match], user: Any) -> Known:
    """Read what the rows of these matches show, in constant queries and few objects."""
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
        brought=brought_to(round_),
        mine={entrant.pk for entrant in own_entrants(user, round_.stage.event)},
    )


def is_last(round_: Round) -> bool:
    """Whether no round of its stage comes after this one, or none is known to."""
    planned = round_.stage.rounds_planned
    return planned is not None and round_.of_stage >= planned


@dataclass(frozen=True)
class Place:
    """Where a match stands on the desk: `order` as in its row, its table, its key."""

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
    """The counters of a round, read afresh."""
    return count(places_of(round_))


def count(places: Iterable[Place]) -> Counters:
    """The counters of a round; a bye needs no result."""
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
    """One table, read afresh."""
    round_ = match.round
    clock = Clock.objects.filter(round=round_).select_related("round").first()
    (row,) = rows_of(round_, user, clock_now(), clock=clock, only=[match.pk])
    return row


def names_at(match: Match) -> tuple[str, ...]:
    """The names at a table, seat by seat; a bye has nobody on the other side."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    if len(seats) > 2:
        return tuple(seat.entrant.full_name for seat in seats)
    return seats[0].entrant.full_name, seats[1].entrant.full_name if len(seats) > 1 else _("nobody")


def row_of(match: Match, known: Known, floor: TableFloor) -> TableRow:
    """A table as the desk shows it; `match` comes from `bare_matches_of`."""
    seats, claim = known.seats[match.pk], known.claims.get(match.pk)
    people = [(known.ids[seat.entrant_id], known.names[seat.entrant_id]) for seat in seats]
    names = [name for _public_id, name in people]
    order = _order_of(match, claimed=claim is not None)
    by_seat = {seat.pk: name for seat, name in zip(seats, names, strict=True)}
    counter = known.counters.get(match.pk) if claim else None
    said = " ".join(claim_words(report, by_seat) for report in (claim, counter) if report)
    state, badge, said = _state(match, order, seats, said)
    if counter is not None and order == CLAIMED:
        state, badge = _("Reports differ"), "warn"
    nothing = Brought(ranked=match.has_ranks)
    return TableRow(
        match=match,
        seats=[
            SeatLine(name, known.brought.get(seat.entrant_id, nothing), _won(match, seat))
            for seat, name in zip(seats, names, strict=True)
        ],
        order=order,
        state=state,
        badge=badge,
        said=said,
        flags=_flags(match, people, FLAGS),
        moving=_flags(match, people, MOVING),
        extension=known.minutes.get(match.pk, 0),
        own=any(seat.entrant_id in known.mine for seat in seats),
        floor=floor if order < DONE else NOTHING,
        claim=claim,
    )


def _won(match: Match, seat: Seat) -> int | None:
    """What a seat came to: games won, or the rank at a table of several."""
    return seat.rank if match.has_ranks else seat.games_won


def _state(match: Match, order: int, seats: Sequence[Seat], claimed: str) -> tuple[str, str, str]:
    """The state of a result in a word, its badge, and what was said."""
    if order == CONTESTED:
        return _("Contested"), "bad", _("A judge decides.")
    if order == CLAIMED:
        return _("Reported"), "info", claimed
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
    names = {entrant.public_id: entrant.full_name for entrant in known}
    return [
        str(EFFECTS[effect["what"]]) % {side: names.get(effect[side], _("nobody")) for side in ("out", "into")}
        for effect in effects
    ]


def claim_words(report: Report, names: Mapping[int, str]) -> str:
    """Who said what: “Player 12 says 2–1”; the names by the keys of the seats."""
    said = result_words(report.games, report.kind)
    name = names.get(report.seat_id or 0, _("the desk"))
    return _("%(name)s says %(score)s.") % {"name": name, "score": said}


def _flags(match: Match, people: Sequence[tuple[str, str]], wanted: Collection[str]) -> list[str]:
    return [
        str(FLAGS[flag]) % {"name": name}
        for public_id, name in people
        for flag in match.flags.get(public_id, [])
        if flag in wanted
    ]


def quick_results(match: Match, names: Sequence[str], claimed: str = "") -> list[QuickResult]:
    """The common results of a match of this structure: a bracket has no draws, a table of several no buttons."""
    if match.has_ranks:
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
