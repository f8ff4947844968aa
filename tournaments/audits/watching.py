"""What the public sees of a feature match: its recorded games as they were some minutes ago, never a hidden card.

How late is measured from the moment each entry was received, here and nowhere else: whatever shows or tells anything of
a feature match asks this module.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Q

from tournaments.audits import engine_gate
from tournaments.audits.models import Feature, RecordedEntry, Recording
from tournaments.decks.engine_gate import own_catalogs
from tournaments.events.access import readers_of
from tournaments.events.models import Entrant, Event
from tournaments.play.access import shown_rounds
from tournaments.play.models import Match

MOVES_SHOWN = 12
KEPT_SECONDS = 3600
TAKE_BACK = "back_to"


class Received(NamedTuple):
    """An entry of a recording and when the server received it."""

    n: int
    entry: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True)
class Followed:
    """A recorded game as far as the public follows it now: `line` are the numbers of the entries shown, in order.

    `over` says that no more comes, as far as the public knows.
    """

    feature: Feature
    recording: Recording
    received: Sequence[Received]
    line: Sequence[int]
    over: bool

    @property
    def number(self) -> int:
        """The number of the game."""
        return self.recording.game.number

    @property
    def newest(self) -> int:
        """The newest entry shown; 0 before the first."""
        return self.line[-1] if self.line else 0

    def step(self, n: int, way: int) -> int | None:
        """The entry shown before (-1) or after (1) entry `n`, 0 for the set-up; None beyond either end."""
        steps = [0, *self.line]
        place = steps.index(n) + way
        return steps[place] if 0 <= place < len(steps) else None

    def shows(self, n: int) -> bool:
        """Whether the public may look at the board after entry `n` (0: the set-up)."""
        return n == 0 or n in self.line


@dataclass(frozen=True)
class Watched:
    """A feature match at one entry: the `games` that have begun, by number, the one looked at (None before any has) and
    what is seen of it after entry `n`.
    """

    feature: Feature
    games: Sequence[int]
    game: Followed | None = None
    n: int = 0
    sight: "Sight | None" = None


class Sight(NamedTuple):
    """A board as the public sees it, the one before (None at the start), and the last moves up to it, oldest first."""

    board: dict[str, Any]
    before: dict[str, Any] | None
    moves: list[dict[str, Any]]


def who_keeps_off(match: Match) -> list[Entrant]:
    """Who of a match has a member that keeps off streams."""
    off = Entrant.objects.filter(seats__match=match, members__off_stream=True)
    return list(off.distinct().order_by("pk"))


def feature_of(match: Match) -> Feature | None:
    """How the public follows a match; None where it does not, as when a player keeps off streams."""
    feature = Feature.objects.filter(match=match).first()
    if feature is None or who_keeps_off(match):
        return None
    feature.match = match
    return feature


def features_shown(user: Any, event: Event) -> list[Feature]:
    """The feature matches of an event that this reader may follow now, the newest named first."""
    found = Feature.objects.filter(match__round__in=shown_rounds(event, readers_of(user, event)))
    open_ = found.exclude(match__seats__entrant__members__off_stream=True)
    return list(
        open_
        .select_related("match__round__stage__event")
        .prefetch_related("match__seats__entrant__member_set__person")
        .order_by("-named_at", "-pk")
    )


def watched(feature: Feature, now: datetime, number: int | None = None, n: int | None = None) -> Watched | None:
    """A feature match as the public sees it now: a game (the newest one) after an entry (the newest shown).

    None for a game or an entry that the public has not come to.
    """
    games = games_followed(feature, now)
    if number is None and n is None and not games:
        return Watched(feature, [])
    recording = games.get(number if number is not None else max(games, default=0))
    if recording is None:
        return None
    recording.game.match = feature.match
    game = followed(feature, recording, now)
    at = game.newest if n is None else n
    return Watched(feature, list(games), game, at, sight(game, at)) if game.shows(at) else None


def games_followed(feature: Feature, now: datetime) -> dict[int, Recording]:
    """The newest recording of each game that had begun by the time the public is at, by the game's number."""
    begun = Recording.objects.filter(game__match=feature.match, opened_at__lte=now - feature.lag)
    return {one.game.number: one for one in begun.select_related("game").order_by("game__number", "opened_at", "pk")}


def followed(feature: Feature, recording: Recording, now: datetime) -> Followed:
    """How far the public follows a recording now."""
    rows = recording.entries.order_by("n").values_list("n", "entry", "at")
    received = [Received(*row) for row in rows]
    ended = recording.closed_at is not None and recording.closed_at <= now - feature.lag
    line = public_line(received, feature.lag, now)
    return Followed(feature, recording, received, line, ended)


def public_line(received: Sequence[Received], lag: timedelta, now: datetime) -> list[int]:
    """The numbers of the entries that the public sees now.

    An entry is shown `lag` after it was received, unless it was taken back by then: then it never is, nor what took it
    back. One taken back later stays until the public comes to what took it back, which is shown as an entry.
    """
    undone: dict[int, datetime] = {}
    takes: dict[int, list[int]] = {}
    held: list[int] = []
    for one in received:
        if one.entry["do"] != TAKE_BACK:
            held.append(one.n)
            continue
        takes[one.n] = [n for n in held if n > one.entry["args"]["n"]]
        held = [n for n in held if n <= one.entry["args"]["n"]]
        undone |= dict.fromkeys(takes[one.n], one.at)
    unseen = {one.n for one in received if one.n in undone and undone[one.n] <= one.at + lag}
    ripe = takewhile(lambda one: one.at + lag <= now, received)
    return [one.n for one in ripe if one.n not in unseen and not (one.n in takes and unseen.issuperset(takes[one.n]))]


def sight(game: Followed, n: int) -> Sight:
    """The board after entry `n`, which the public may look at (`Followed.shows`). It is computed once, and kept."""
    key = f"watched:{game.recording.public_id}:{game.feature.delay}:{n}"
    found: Sight | None = cache.get(key)
    if found is None:
        found = _computed(game, n)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _computed(game: Followed, n: int) -> Sight:
    numbers = [0, *(shown for shown in game.line if shown <= n)][-MOVES_SHOWN - 1 :]
    entries = [one.entry for one in game.received if one.n <= n]
    catalogs = own_catalogs(game.recording.game.match.round.stage.event)
    moments = engine_gate.spectated(game.recording.header, entries, numbers, catalogs)
    before = moments[-2].board if len(moments) > 1 else None
    moves = [moment.move for moment in moments if moment.move is not None]
    return Sight(moments[-1].board, before, moves[-MOVES_SHOWN:])


def shown_counts(event_ids: Collection[str], now: datetime) -> dict[str, int]:
    """How many entries of feature matches have come to the public, by event: what the live stream watches."""
    ripe = Q()
    features = Feature.objects.filter(match__round__stage__event__public_id__in=list(event_ids))
    for match, delay in features.values_list("match", "delay"):
        ripe |= Q(recording__game__match=match, at__lte=now - timedelta(minutes=delay))
    if not ripe:
        return {}
    event = "recording__game__match__round__stage__event__public_id"
    return dict(RecordedEntry.objects.filter(ripe).order_by().values_list(event).annotate(Count("pk")))
