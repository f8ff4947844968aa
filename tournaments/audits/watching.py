"""What the public sees of a feature match: its recorded games with a delay, and never a hidden card.

The delay counts from the moment the server received each entry. It is applied in this module only, so anything that
shows or announces moves of a feature match must ask here instead of reading the recording.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Q

from engine import face
from tournaments.audits.models import BACK_TO, Feature, RecordedEntry, Recording
from tournaments.decks.engine_gate import own_catalogs
from tournaments.events.access import readers_of
from tournaments.events.models import Entrant, Event
from tournaments.play.access import shown_rounds
from tournaments.play.models import Match

MOVES_SHOWN = 12
KEPT_SECONDS = 3600  # how long a computed board stays in the cache


class Received(NamedTuple):
    """An entry of a recording and when the server received it."""

    n: int
    entry: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True)
class Followed:
    """A recorded game as the public sees it now.

    `line` has the numbers of the entries shown, in order. `over` is true once the public has reached the end of the
    recording; it stays false during the delay, so that the end is not given away.
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
        """The number of the newest entry shown, or 0 for the set-up."""
        return self.line[-1] if self.line else 0

    def step(self, n: int, way: int) -> int | None:
        """The entry shown before (`way` -1) or after (`way` 1) entry `n`; None past either end. 0 is the set-up."""
        steps = [0, *self.line]
        place = steps.index(n) + way
        return steps[place] if 0 <= place < len(steps) else None

    def shows(self, n: int) -> bool:
        """Whether the public can see the board after entry `n` (0 for the set-up)."""
        return n == 0 or n in self.line


@dataclass(frozen=True)
class Watched:
    """A feature match at one of its entries.

    `games` has the numbers of the games that have begun, `game` is the one shown (None before the first has begun), and
    `sight` is the board after its entry `n`.
    """

    feature: Feature
    games: Sequence[int]
    game: Followed | None = None
    n: int = 0
    sight: "Sight | None" = None


class Sight(NamedTuple):
    """A board as the public sees it, the board before it (None at the start), and the latest moves, oldest first."""

    board: dict[str, Any]
    before: dict[str, Any] | None
    moves: list[dict[str, Any]]


def entrants_off_stream(match: Match) -> list[Entrant]:
    """The entrants of a match with a member who opted out of streams."""
    off = Entrant.objects.filter(seats__match=match, members__off_stream=True)
    return list(off.distinct().order_by("pk"))


def feature_of(match: Match) -> Feature | None:
    """The feature of a match; None if it has none or one of its players opted out of streams."""
    feature = Feature.objects.filter(match=match).first()
    if feature is None or entrants_off_stream(match):
        return None
    feature.match = match
    return feature


def features_shown(user: Any, event: Event) -> list[Feature]:
    """The feature matches of an event that this reader can follow now, latest named first."""
    found = Feature.objects.filter(match__round__in=shown_rounds(event, readers_of(user, event)))
    open_ = found.exclude(match__seats__entrant__members__off_stream=True)
    return list(
        open_
        .select_related("match__round__stage__event")
        .prefetch_related("match__seats__entrant__member_set__person")
        .order_by("-named_at", "-pk")
    )


def watched(feature: Feature, now: datetime, number: int | None = None, n: int | None = None) -> Watched | None:
    """A feature match as the public sees it now, after entry `n` of game `number`.

    `number` defaults to the newest game that has begun, `n` to its newest entry shown. Returns None for a game or entry
    that the public has not reached yet.
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


def games_won(feature: Feature, now: datetime) -> dict[str, int]:
    """How many games each seat has won, by its letter, in the recordings whose end the public has seen.

    The result that counts is not asked: it would give away how a game ends before the public has seen it.
    """
    won: Counter[str] = Counter()
    for recording in games_followed(feature, now).values():
        recording.game.match = feature.match
        game = followed(feature, recording, now)
        result = sight(game, game.newest).board["result"]
        won.update({seat for seat in recording.header["seats"] if result and result["winner"] == seat})
    return dict(won)


def games_followed(feature: Feature, now: datetime) -> dict[int, Recording]:
    """The newest recording of each game that had begun `feature.lag` ago, by the game's number."""
    begun = Recording.objects.filter(game__match=feature.match, opened_at__lte=now - feature.lag)
    return {one.game.number: one for one in begun.select_related("game").order_by("game__number", "opened_at", "pk")}


def followed(feature: Feature, recording: Recording, now: datetime) -> Followed:
    """The part of a recording that the public sees now."""
    rows = recording.entries.order_by("n").values_list("n", "entry", "at")
    received = [Received(*row) for row in rows]
    ended = recording.closed_at is not None and recording.closed_at <= now - feature.lag
    line = public_line(received, feature.lag, now)
    return Followed(feature, recording, received, line, ended)


def public_line(received: Sequence[Received], lag: timedelta, now: datetime) -> list[int]:
    """The numbers of the entries that the public sees now, in order.

    An entry appears `lag` after it was received. If it was undone before that, it never appears, and neither does the
    undo. If it was undone later, the public has already seen it: it stays, and the undo appears as an entry of its own.
    So the line only ever grows at its end.

    For example, with a lag of 5 minutes and moves received at minutes 0 and 1, undoing the second at minute 2 hides it
    for good. Undoing it at minute 7 shows the undo at minute 12.
    """
    undone: dict[int, datetime] = {}
    takes: dict[int, list[int]] = {}
    held: list[int] = []
    for one in received:
        if one.entry["do"] != BACK_TO:
            held.append(one.n)
            continue
        takes[one.n] = [n for n in held if n > one.entry["args"]["n"]]
        held = [n for n in held if n <= one.entry["args"]["n"]]
        undone |= dict.fromkeys(takes[one.n], one.at)
    unseen = {one.n for one in received if one.n in undone and undone[one.n] <= one.at + lag}
    ripe = takewhile(lambda one: one.at + lag <= now, received)
    return [one.n for one in ripe if one.n not in unseen and not (one.n in takes and unseen.issuperset(takes[one.n]))]


def sight(game: Followed, n: int) -> Sight:
    """The board after entry `n`, which the public must be allowed to see (`Followed.shows`). Cached."""
    # The delay is part of the key: it decides which undone entries are in the line, and so the list of moves.
    key = f"watched:{game.recording.public_id}:{game.feature.delay}:{n}"
    found: Sight | None = cache.get(key)
    if found is None:
        found = _computed(game, n)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _computed(game: Followed, n: int) -> Sight:
    numbers = [0, *(shown for shown in game.line if shown <= n)][-MOVES_SHOWN - 1 :]
    # All entries are replayed, hidden ones too: an undo that is not shown still has to take its move back.
    entries = [one.entry for one in game.received if one.n <= n]
    catalogs = own_catalogs(game.recording.game.match.round.stage.event)
    moments = face.live.spectated(game.recording.header, entries, numbers, catalogs)
    before = moments[-2].board if len(moments) > 1 else None
    moves = [moment.move for moment in moments if moment.move is not None]
    return Sight(moments[-1].board, before, moves[-MOVES_SHOWN:])


def shown_counts(event_ids: Collection[str], now: datetime) -> dict[str, int]:
    """How many recorded entries of feature matches the public has reached, by event's public id.

    The live stream polls this and announces a change. Events with nothing to show are missing.
    """
    ripe = Q()
    features = Feature.objects.filter(match__round__stage__event__public_id__in=list(event_ids))
    for match, delay in features.values_list("match", "delay"):
        ripe |= Q(recording__game__match=match, at__lte=now - timedelta(minutes=delay))
    if not ripe:
        return {}
    event = "recording__game__match__round__stage__event__public_id"
    return dict(RecordedEntry.objects.filter(ripe).order_by().values_list(event).annotate(Count("pk")))
