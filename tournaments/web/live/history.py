"""The recent changes of each event, in memory, so that a page that reconnects can catch up without the database.

A phone is put away and taken out again a hundred times in a tournament. What it has missed is nearly always in here.
"""

from collections import deque
from collections.abc import Collection, Mapping
from typing import NamedTuple

from tournaments.web.live.address import Shown
from tournaments.web.live.parts import Parts, changes
from tournaments.web.live.positions import News, Position
from tournaments.web.live.seats import Own

REMEMBERED = 240  # reads that found a change: a minute or more of a busy event
MOST_MERGED = 64  # positions whose changes are kept merged
MOST_LINES = 20  # parts in a message that catches up; beyond that, the page requests its fragment again


class Heard(NamedTuple):
    """A change of one event, with the parts for each kind of page; None instead of parts if they are too many."""

    news: News
    parts: Mapping[Shown, Parts | None]


class History:
    """The changes of one event since a position, oldest first.

    `read_at` is when the database was last asked for newer ones, on the clock of `time.monotonic`.
    """

    def __init__(self, start: Position) -> None:
        self.read_at = float("-inf")
        self._coming: News | None = None
        self._start = start
        self._heard: deque[Heard] = deque()
        self._merged: dict[tuple[Position, Shown | None], Heard] = {}  # for phones that come back at the same moment

    def note(self, news: News | None, read_at: float) -> None:
        """Note what the database said at a moment, before the parts of pages are rendered and the change is added."""
        self._coming, self.read_at = news, read_at

    def topics_since(self, position: Position) -> frozenset[str] | None:
        """The topics of everything noted since a position; None if the history does not go back that far."""
        heard = self.since(position, None)
        if heard is None:
            return None
        coming = self._coming if self._coming and not reaches(position, self._coming.position) else None
        return heard.news.topics | (coming.topics if coming else frozenset())

    def add(self, heard: Heard) -> None:
        """Add a change; the oldest is forgotten when there are more than `REMEMBERED`."""
        self._heard.append(heard)
        self._merged.clear()
        if len(self._heard) > REMEMBERED:
            self._start = self._heard.popleft().news.position

    def since(self, position: Position, shown: Shown | None, own: Collection[str] = ()) -> Heard | None:
        """Everything since a position, merged into one change; None if the history does not go back that far.

        `shown` is what the page shows in parts, if anything, and `own` are the entrants whose own page it is.
        """
        if not reaches(position, self._start):
            return None
        later = [heard for heard in self._heard if not reaches(position, heard.news.position)]
        merged = self._merged.get((position, shown))
        if merged is None:
            if len(self._merged) >= MOST_MERGED:
                self._merged.clear()
            merged = self._merged[position, shown] = _merged(later, position, shown)
        parts = merged.parts.get(shown) if shown else None
        if not shown or parts is None or not own:
            return merged
        mine = {entrant: found for entrant in own if (found := _own(later, shown, entrant))}
        return merged._replace(parts={shown: parts._replace(own=mine)})


def _merged(later: list[Heard], position: Position, shown: Shown | None) -> Heard:
    """Several changes as one, without the parts for single entrants."""
    news = News(
        later[-1].news.position if later else position,
        frozenset().union(*(heard.news.topics for heard in later)),
        {match: number for heard in later for match, number in heard.news.matches.items()},
        any(heard.news.published for heard in later),
        any(heard.news.unplaced for heard in later),
    )
    return Heard(news, {shown: _together(later, shown)} if shown else {})


def _together(later: list[Heard], shown: Shown) -> Parts | None:
    """Merge parts, later ones replacing earlier ones; None if some of a change are missing or they are too many."""
    together = dict[str, str]()
    for heard in later:
        parts = heard.parts.get(shown)
        if parts is None and changes(heard.news, shown):
            return None
        together |= parts.all if parts else {}
    return Parts(together) if len(together) <= MOST_LINES else None


def _own(later: list[Heard], shown: Shown, entrant: str) -> Own | None:
    """Merge the parts for an entrant; None if there are none.

    They show everything about a topic if those of every change about it do.
    """
    mine = [own for heard in later if (parts := heard.parts.get(shown)) and (own := parts.own.get(entrant))]
    if not mine:
        return None
    topics = frozenset().union(*(own.topics for own in mine))
    asked = {
        topic
        for heard in later
        for topic in topics & heard.news.topics
        if not ((parts := heard.parts.get(shown)) and entrant in parts.own and topic in parts.own[entrant].topics)
    }
    return Own({name: html for own in mine for name, html in own.parts.items()}, topics - asked)


def reaches(position: Position, other: Position) -> bool:
    """Whether a position has everything that another one has."""
    # The parts of a position grow independently: a page may know a newer table and an older ledger number.
    return all(mine >= its for mine, its in zip(position, other, strict=True))
