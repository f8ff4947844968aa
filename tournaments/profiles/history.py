"""What a public profile shows of a person's events: places, records, matches, and the matches of two persons.

Only what everybody may see at the event counts: results of rounds whose pairings are public, ranks where the standings
are, decklists where they are. Results in rounds that are hidden are left out of all sums.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, overload

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from tournaments.accounts.models import Person
from tournaments.common.moments import local
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.selectors import events_shown_to_everybody, names_of
from tournaments.events.visibility import PAIRINGS, Moment, part_of, read_visibility, shows
from tournaments.events.zones import zone_of
from tournaments.play.models import Round, Seat
from tournaments.profiles.models import Profile, address_of
from tournaments.profiles.places import READERS, Place, open_lists_of, places_of, stages_of

PLAYED = (Event.Status.RUNNING, Event.Status.FINISHED, Event.Status.ARCHIVED)
WON, LOST, DRAWN = "won", "lost", "drawn"


@dataclass(frozen=True)
class Record:
    """Matches won, lost and drawn, without byes. At a table of several, the first place wins."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def matches(self) -> int:
        """How many they are."""
        return self.won + self.lost + self.drawn

    def plus(self, other: "Record") -> "Record":
        """The sum of two records."""
        return Record(self.won + other.won, self.lost + other.lost, self.drawn + other.drawn)


class Sat(NamedTuple):
    """A person's seat in a match with a result that everybody may see."""

    match: int
    match_id: str
    event: int
    stage: int
    kind: str
    round: int
    round_status: str
    points: int | None
    rank: int | None

    @property
    def outcome(self) -> str:
        """`won`, `lost` or `drawn`, seen from this seat."""
        if self.rank is not None:
            return WON if self.rank == 1 else LOST
        return {3: WON, 1: DRAWN}.get(self.points or 0, LOST)


_SAT = (
    "match", "match__public_id", "round__stage__event", "round__stage__number", "match__kind", "round__number",
    "round__status", "points", "rank",
)  # fmt: skip


@dataclass(frozen=True)
class Opponent:
    """Somebody met at a table: the name that the event shows, and the address of the public profile or ""."""

    name: str
    address: str


@dataclass(frozen=True)
class Met:
    """A match of an event: its round, how it ended, and the opponents."""

    match_id: str
    round: int
    kind: str
    outcome: str
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True)
class Played:
    """An event that a person plays or has played.

    `record` is None where the event shows no results, `place` None where it shows no rank, and `decklist` (a key) None
    where it shows no lists. `matches` is filled for the lines of one page only.
    """

    entrant: Entrant
    record: Record | None
    place: Place | None = None
    decklist: int | None = None
    matches: tuple[Met, ...] = ()

    @property
    def event(self) -> Event:
        """The event."""
        return self.entrant.event

    @property
    def year(self) -> int:
        """The year in which the event starts, where it is played."""
        return local(self.event.starts_at or self.event.created_at, zone_of(self.event)).year


@dataclass(frozen=True)
class Season:
    """The record of a game or of a year: its name and the number of events."""

    name: str
    events: int
    record: Record


@dataclass(frozen=True)
class Career:
    """Everything that a person has played, newest first, without what only one page of it needs."""

    played: list[Played]
    sat: Mapping[int, list[Sat]] = field(repr=False)  # by event key

    @cached_property
    def by_game(self) -> list[Season]:
        """The record of each game, the one played most first."""
        return sorted(_sums((game_of(line.event), line) for line in self.played), key=lambda sum_: -sum_.events)

    @cached_property
    def by_year(self) -> list[Season]:
        """The record of each year, newest first."""
        return sorted(_sums((str(line.year), line) for line in self.played), key=lambda sum_: sum_.name, reverse=True)

    @cached_property
    def record(self) -> Record:
        """The record of everything."""
        return _total(line.record for line in self.played)


def game_of(event: Event) -> str:
    """What the game of an event is called.

    >>> game_of(Event(game="star-safir")), game_of(Event(game_name="Go"))
    ('Star Safir', 'Go')
    """
    return event.game.replace("-", " ").title() or event.game_name


def _sums(lines: Iterable[tuple[str, Played]]) -> list[Season]:
    groups: defaultdict[str, list[Played]] = defaultdict(list)
    for name, line in lines:
        groups[name].append(line)
    return [Season(name, len(group), _total(line.record for line in group)) for name, group in groups.items()]


def _total(records: Iterable[Record | None]) -> Record:
    total = Record()
    for record in records:
        total = total.plus(record) if record else total
    return total


def career_of(person: Person) -> Career:
    """Everything that a person has played, in events that everybody may see. Two queries.

    Who only waited for a place, or dropped before the first round, has not played.
    """
    entered = (
        Entrant.objects
        .filter(members=person, event__in=_events())
        .exclude(status=Entrant.Status.WAITING)
        .exclude(dropped_after=0)
        .select_related("event")
        .order_by(Coalesce("event__starts_at", "event__created_at").desc(), "-pk")
    )
    entrants = list(entered)
    sat = _by_event(_sat(person), [entrant.event for entrant in entrants])
    return Career([Played(entrant, _record(entrant.event, sat)) for entrant in entrants], sat)


def _events() -> QuerySet[Event]:
    return events_shown_to_everybody().filter(status__in=PLAYED)


def _sat(person: Person) -> list[Sat]:
    seats = (
        Seat.objects
        .select_related(None)
        .filter(entrant__members=person, match__table__isnull=False)
        .filter(match__games_drawn__isnull=False, match__disputed=False)
        .exclude(round__status=Round.Status.DRAFT)
    )
    return [Sat(*row) for row in seats.order_by("round__number", "match").values_list(*_SAT)]


def _by_event(seats: Iterable[Sat], events: Iterable[Event]) -> Mapping[int, list[Sat]]:
    """The seats in these events whose round everybody may see, by event key."""
    known = {event.pk: (event, read_visibility(event.visibility)) for event in events}
    found: defaultdict[int, list[Sat]] = defaultdict(list)
    for seat in seats:
        if seat.event in known:
            event, table = known[seat.event]
            moment = Moment(part_of(seat.stage), seat.round_status == Round.Status.CLOSED, event.is_over)
            if shows(table, PAIRINGS, READERS, moment):
                found[seat.event].append(seat)
    return found


def _record(event: Event, sat: Mapping[int, list[Sat]]) -> Record | None:
    seats = sat.get(event.pk)
    return _record_of(seat.outcome for seat in seats) if seats else None


def in_full(career: Career, lines: Collection[Played]) -> list[Played]:
    """Some lines of a career with places, decklists and matches. Six queries, however many lines there are."""
    entrants = [line.entrant for line in lines]
    stages = stages_of([line.event for line in lines])
    places, lists = places_of(entrants, stages), open_lists_of(entrants, stages)
    seats = {line.entrant.pk: career.sat.get(line.event.pk, []) for line in lines}
    opponents = _opponents(seats)
    return [
        replace(
            line,
            place=places.get(line.entrant.pk),
            decklist=lists.get(line.entrant.pk),
            matches=tuple(
                Met(seat.match_id, seat.round, seat.kind, seat.outcome, tuple(opponents.get(seat.match, ())))
                for seat in seats[line.entrant.pk]
            ),
        )
        for line in lines
    ]


class Lines(Sequence[Played]):
    """The lines of a career as a list of which a slice, such as one page, comes in full."""

    def __init__(self, career: Career) -> None:
        self._career = career

    def __len__(self) -> int:
        return len(self._career.played)

    @overload
    def __getitem__(self, at: int) -> Played: ...
    @overload
    def __getitem__(self, at: slice) -> list[Played]: ...
    def __getitem__(self, at: int | slice) -> Played | list[Played]:
        if isinstance(at, slice):
            return in_full(self._career, self._career.played[at])
        return self._career.played[at]


def _opponents(seats: Mapping[int, list[Sat]]) -> Mapping[int, list[Opponent]]:
    """The opponents by match key; `seats` are those of the person, by entrant key. Three queries."""
    matches = [seat.match for group in seats.values() for seat in group]
    others = Seat.objects.select_related(None).filter(match__in=matches).exclude(entrant__in=list(seats))
    pairs = list(others.order_by("match", "number").values_list("match", "entrant"))
    keys = {entrant for _match, entrant in pairs}
    names = names_of(Entrant.objects.filter(pk__in=keys))
    with_profile = Member.objects.filter(entrant__in=keys, person__profile__isnull=False)
    rows = with_profile.values_list("entrant", "person__public_id", "person__profile__short_name")
    addresses = {entrant: address_of(person, short_name) for entrant, person, short_name in rows}
    found: defaultdict[int, list[Opponent]] = defaultdict(list)
    for match, entrant in pairs:
        found[match].append(Opponent(names.get(entrant, ""), addresses.get(entrant, "")))
    return found


@dataclass(frozen=True)
class Encounter:
    """A match of two persons, seen from the first."""

    event: Event
    match_id: str
    round: int
    outcome: str


@dataclass(frozen=True)
class HeadToHead:
    """All matches in which two persons met, newest first, and the record of the first against the second."""

    first: Profile
    second: Profile
    encounters: list[Encounter]
    by_game: list[Season]

    @cached_property
    def record(self) -> Record:
        """The record of the first person."""
        return _total(game.record for game in self.by_game)


def head_to_head(first: Profile, second: Profile) -> HeadToHead:
    """The matches of two persons who both have a public profile. Three queries.

    At a table of several, the better rank of the two wins.
    """
    theirs = {seat.match: seat for seat in _sat(second.person)}
    both = [(seat, theirs[seat.match]) for seat in _sat(first.person) if seat.match in theirs]
    events = _events().in_bulk({seat.event for seat, _other in both})
    open_ = {
        seat.match for group in _by_event((seat for seat, _other in both), events.values()).values() for seat in group
    }
    found = [
        Encounter(events[seat.event], seat.match_id, seat.round, _between(seat, other))
        for seat, other in both
        if seat.match in open_
    ]
    found.sort(key=lambda met: (met.event.starts_at or met.event.created_at, met.round), reverse=True)
    return HeadToHead(first, second, found, _by_game(found))


def _between(seat: Sat, other: Sat) -> str:
    if seat.rank is None or other.rank is None:
        return seat.outcome
    return DRAWN if seat.rank == other.rank else WON if seat.rank < other.rank else LOST


def _by_game(encounters: Iterable[Encounter]) -> list[Season]:
    groups: defaultdict[str, list[Encounter]] = defaultdict(list)
    for met in encounters:
        groups[game_of(met.event)].append(met)
    return [
        Season(game, len({met.event.pk for met in group}), _record_of(met.outcome for met in group))
        for game, group in groups.items()
    ]


def _record_of(outcomes: Iterable[str]) -> Record:
    found = list(outcomes)
    return Record(found.count(WON), found.count(LOST), found.count(DRAWN))
